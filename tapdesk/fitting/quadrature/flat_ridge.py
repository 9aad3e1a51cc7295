"""``t-a0a1-p`` under flat priors where the mass is a thin ridge: two ratings each of many subjects.

There the data pin two numbers and leave a line of pairs of rates, thinner than any table of them resolves. But seen
from a node of w everything across the line is one small spread, and along w all of it changes smoothly. So every slice
of the grid is told by a few quantiles of one rate and what goes with them of the other; these are laid more densely
along w by interpolation, and at each of them the distribution of an accuracy is known: a1 = mu1 (1 - e^-V), V uniform
between 0 and the gap of the logits (`flat_curve`).
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.fitting.quadrature.grid import Grid
from tapdesk.fitting.quadrature.likelihood import Floats, Rates, probability
from tapdesk.fitting.quadrature.marginal import Marginal

# Standard deviation of a logit across the ridge, of all slices in the mean and of the widest heavy one, up to which
# a ridge is thin: what goes with a quantile is told by its mean and spread only. And it is so many times as long.
_THIN, _WIDEST, _HEAVY, _LONG = 0.06, 0.15, 1e-3, 8.0
# Quantiles of a slice, and places between two nodes along w.
_QUANTILES, _BETWEEN = 24, 6
# Slices lighter than this part of the heaviest are left out; as many empty ones stand at each end.
_LIGHT, _EMPTY = 1e-12, 5
# Neighbours from which what lies between two nodes is told.
_NEIGHBOURS = np.arange(-2, 4)
# Places at which the distribution is told: first ones to find the mass by, and how far below the rates they go.
_FIRST, _PLACES, _BELOW = 120, 300, 14.0
_MORE = 5
_PIECE = 500_000
# Points along the ridge lighter than this are left out.
_DUST = 1e-11


@dataclass(frozen=True, eq=False)
class Ridge:
    """The slices of a grid.

    Attributes
    ----------
    weight
        Shape (S,): mass of each slice.
    mass
        Shape (S, C): masses of the nodes of each slice.
    recognised
        Two arrays of shape (S, C): logits of mu1 and of 1 - mu0.
    """

    weight: Floats
    mass: Floats
    recognised: tuple[Floats, Floats]


def ridge(grid: Grid, mass: Floats) -> Ridge | None:
    """The slices along w, where the mass of the nodes is a thin ridge; else None."""
    weight = mass.sum(axis=(1, 2))
    used = np.flatnonzero(weight > _LIGHT * weight.max())
    every = slice(int(used[0]), int(used[-1]) + 1)
    flat = np.asarray(mass[every].reshape(used[-1] + 1 - used[0], -1), dtype=np.float64)
    weight = weight[every]
    if (weight <= 0).any() or weight.size < _NEIGHBOURS.size:
        return None
    rates = Rates.at(*(np.broadcast_to(at, mass.shape)[every].reshape(flat.shape) for at in (grid.y, grid.z)))
    sides = rates.logit_high, -rates.logit_low
    heavy = weight > _HEAVY * weight.max()
    for side in sides:
        mean, variance = _across(flat, weight, side)
        spread, share = np.sqrt(variance), weight / weight.sum()
        along = np.sqrt(share @ (mean - share @ mean) ** 2)
        if share @ spread > min(_THIN, along / _LONG) or spread[heavy].max() > _WIDEST:
            return None
    return Ridge(weight, flat, sides)


def accuracies(found: Ridge) -> tuple[Marginal, Marginal]:
    """The distributions of a1 and a0 on the logit scale."""
    one, zero = found.recognised
    return _accuracy(found, one, zero), _accuracy(found, zero, one)


def _accuracy(found: Ridge, own: Floats, other: Floats) -> Marginal:
    """Of the class that is recognised at the rates ``own``."""
    fine = _dense(found, own, other, _QUANTILES, _BETWEEN)
    rough = _dense(found, own, other, _QUANTILES // 2, _BETWEEN // 2)
    at = np.linspace(float(fine[1].min()) - _BELOW, float(fine[1].max()) + 1.0, _FIRST)
    run = _run(rough, at)
    # Places denser where the mass is, and a few where it is nearly nothing.
    seen = (run > _DUST) & (run < 1 - _DUST)
    low, high = float(at[seen][0]), float(at[seen][-1])
    scale = run + np.clip((at - low) / (high - low), 0.0, 1.0)
    at = np.interp(np.linspace(0.0, 2.0, _PLACES), *_rising(scale, at))
    run, dense = _more(_run(fine, at)), _more(at)
    return Marginal(dense, run, lambda: np.maximum(np.gradient(run, dense), 0.0), lambda: _more(_run(rough, at)))


def _more(values: Floats) -> Floats:
    """Rising values with others between them, so that straight lines will do from each to the next."""
    padded = np.pad(values, _EMPTY, mode="reflect", reflect_type="odd")
    return np.maximum.accumulate(_between(padded, _MORE))


def _rising(run: Floats, at: Floats) -> tuple[Floats, Floats]:
    """The part of a distribution function that rises, with its places."""
    kept = np.concatenate([[True], np.diff(run) > 0])
    return run[kept], at[kept]


def _across(mass: Floats, weight: Floats, side: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of every slice."""
    mean = (mass * side).sum(axis=1) / weight
    return mean, (mass * (side - mean[:, None]) ** 2).sum(axis=1) / weight


def _dense(found: Ridge, own: Floats, other: Floats, quantiles: int, between: int) -> tuple[Floats, Floats, Floats]:
    """Mass, own logit and gap of points along the ridge, in a row."""
    mass, weight = found.mass, found.weight
    mean, variance = _across(mass, weight, own)
    beside, beyond = _across(mass, weight, other)
    shared = (mass * (own - mean[:, None]) * (other - beside[:, None])).sum(axis=1) / weight
    slope = shared / np.maximum(variance, 1e-300)
    rest = np.sqrt(np.maximum(beyond - slope * shared, 0.0))
    node, share = np.polynomial.legendre.leggauss(quantiles)
    at = _quantiles(mass, weight, own, (node + 1) / 2)
    with_it = beside[:, None] + slope[:, None] * (at - mean[:, None])
    dense_mass = _between(np.pad(weight, _EMPTY), between) / between
    dense_at, dense_with, dense_rest = (
        _between(np.pad(x, ((_EMPTY, _EMPTY), (0, 0)), mode="reflect", reflect_type="odd"), between)
        for x in (at, with_it, rest[:, None])
    )
    masses = (dense_mass[:, None] * (share / 2 / weight.sum())).ravel()
    gaps = np.stack([dense_at + dense_with + sign * dense_rest for sign in (-1.0, 1.0)])
    kept = np.abs(masses) > _DUST
    return masses[kept], dense_at.ravel()[kept], np.maximum(gaps, 1e-12).reshape(2, -1)[:, kept]


def _quantiles(mass: Floats, weight: Floats, side: Floats, shares: Floats) -> Floats:
    """Shape (S, Q): the quantiles of every slice."""
    order = np.argsort(side, axis=1)
    at = np.take_along_axis(side, order, axis=1)
    sorted_mass = np.take_along_axis(mass, order, axis=1)
    run = (np.cumsum(sorted_mass, axis=1) - sorted_mass / 2) / weight[:, None]
    return np.stack([np.interp(shares, r, x) for r, x in zip(run, at, strict=True)])


def _between(values: Floats, places: int) -> Floats:
    """Values on nodes of the first axis, told at so many places from each inner node to the next by six neighbours."""
    inner = np.arange(-_NEIGHBOURS[0], values.shape[0] - _NEIGHBOURS[-1])
    rows = []
    for part in np.arange(places) / places:
        shares = [
            np.prod([(part - o) / (n - o) for o in _NEIGHBOURS if o != n])  # Lagrange
            for n in _NEIGHBOURS
        ]
        rows.append(sum(share * values[inner + n] for share, n in zip(shares, _NEIGHBOURS, strict=True)))
    return np.stack(rows, axis=1).reshape(-1, *values.shape[1:])


def _run(points: tuple[Floats, Floats, Floats], at: Floats) -> Floats:
    """The distribution function of an accuracy at logits ``at``: Pr(a1 <= x) is V(x) / gap, at most 1."""
    mass, own, gaps = points
    rate, per_gap = probability(own), 1 / gaps
    total = np.zeros(at.size)
    rows = max(1, _PIECE // mass.size)
    for start in range(0, at.size, rows):
        piece = at[start : start + rows, None]
        # 1 - x / mu1, from the complements: both may be within rounding of 1.
        left = (probability(-piece) - probability(-own)) / rate
        size = -np.log(np.maximum(left, 1e-300))
        for one in per_gap:
            total[start : start + rows] += np.minimum(size * one, 1.0) @ mass / 2
    return np.clip(np.maximum.accumulate(total), 0.0, 1.0)
