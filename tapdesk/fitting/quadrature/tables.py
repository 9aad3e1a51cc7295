"""Small tools of the quadrature: priors without closed form as tables, and random places on a line."""

import numpy as np
from scipy.special import logsumexp

from tapdesk.fitting.quadrature.grid import RatePrior
from tapdesk.fitting.quadrature.inner import SharedGuessing, Walk
from tapdesk.fitting.quadrature.likelihood import Floats, Rates

_REACH, _LATTICE = 45.0, 0.5


def log_jacobian(rates: Rates) -> Floats:
    """Log of d(mu1, mu0) / d(logit d, logit g)."""
    return np.asarray(rates.log_d + 2 * rates.log_not_d + rates.log_g + rates.log_not_g)


def _under_flat_priors(rates: Rates) -> Floats:
    """What log density of (mu1, mu0) is under flat priors; the table holds the rest, which is smoother."""
    return np.asarray(np.log(rates.ones + rates.zeros))


def tabulated(shared: SharedGuessing) -> RatePrior:
    """Log prior density of (logit d, logit g) under other than flat priors, as a spline through a table.

    Outside the table, where the density is a power of the distance to the edge, its logarithm goes on straight.
    """
    # scipy.interpolate costs start-up time and is needed for other than flat priors only.
    from scipy.interpolate import RectBivariateSpline

    at = np.arange(-_REACH, _REACH + _LATTICE / 2, _LATTICE)
    walk = Walk.of(shared.priors, 0.2)
    values = np.empty((at.size, at.size))
    for i, y in enumerate(at):
        rates = Rates.at(np.full(at.shape, y), at)
        logit1, logit0 = rates.logit_high, rates.logit_low
        log_mass = shared.split(logit1, logit0, rates.ones + rates.zeros, walk)[3]
        values[i] = logsumexp(log_mass, axis=1) - _under_flat_priors(rates)
    spline = RectBivariateSpline(at, at, values, kx=5, ky=5)

    def log_prior(rates: Rates) -> Floats:
        y, z = np.broadcast_arrays(rates.log_d - rates.log_not_d, rates.log_g - rates.log_not_g)
        inside_y, inside_z = np.clip(y, -_REACH, _REACH), np.clip(z, -_REACH, _REACH)
        found = np.asarray(spline.ev(inside_y, inside_z), dtype=np.float64)
        for over, dx, dy in ((y - inside_y, 1, 0), (z - inside_z, 0, 1)):
            if over.any():
                found = found + over * spline.ev(inside_y, inside_z, dx=dx, dy=dy)
        return np.asarray(found + _under_flat_priors(rates) + log_jacobian(rates), dtype=np.float64)

    return log_prior


def chosen(log_mass: Floats, random: np.random.Generator) -> Floats:
    """A random place along each row, in nodes, by the masses of shape (L, S)."""
    mass = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    run = np.cumsum(mass, axis=1)
    share = random.random(mass.shape[0])[:, None] * run[:, -1:]
    node = np.minimum((run < share).sum(axis=1), mass.shape[1] - 1)
    rows = np.arange(mass.shape[0])
    into = (run[rows, node] - share[:, 0]) / np.maximum(mass[rows, node], 1e-300)
    return np.asarray(np.clip(node + 0.5 - into, 0.0, mass.shape[1] - 1.0), dtype=np.float64)


def between(values: Floats, place: Floats) -> Floats:
    """Values of shape (L, S) at one place of each row, in nodes."""
    node = np.minimum(place.astype(np.int64), values.shape[1] - 2)
    rows = np.arange(values.shape[0])
    part = place - node
    return np.asarray((1 - part) * values[rows, node] + part * values[rows, node + 1])
