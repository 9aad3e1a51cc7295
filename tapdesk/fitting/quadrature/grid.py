"""A grid in three dimensions that follows the posterior of (t, mu1, mu0) into ridges and corners.

With d = mu1 - mu0 > 0 and g = mu0 / (1 - d), let x, y and z be the logits of t, d and g. With few ratings a subject the
likelihood pins only the rate of class 1 and the covariance of two ratings, and with raters who hardly agree only the
rate: the mass lies along thin ridges that run into corners and turn there. Coordinates in which a ridge does not turn:

* w = x - z: from one end to the other, t falls while g rises;
* m = y - tanh(w / 2) z: for t > g a ridge leaves t = 1 with d falling while g rises, for t < g both fall;
* v = (x + z) / 2: the rate of class 1, t d + (1 - d) g, rises with v at given w and m.

The trapezoid rule is used on every line, within its own interval: on these scales all densities are analytic and fall
off exponentially, so it converges faster than any power of the spacing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.special import betaln, logsumexp

from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, Floats, Rates, softplus

# log prior density of (logit d, logit g)
RatePrior: TypeAlias = Callable[[Rates], Floats]


def logits(w: Floats, m: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Logits of t, d and g at coordinates of shapes that fit together."""
    z = v - w / 2
    return v + w / 2, m + np.tanh(w / 2) * z, z


@dataclass(frozen=True, eq=False)
class Target:
    """The posterior of one ordering of the two rates, not normalised.

    Attributes
    ----------
    counts
        The data.
    truth
        Prior of the share of the component with the higher rate.
    rates
        Log prior density of (logit d, logit g).
    """

    counts: BinaryCounts
    truth: Prior
    rates: RatePrior

    @cached_property
    def log_beta(self) -> float:
        """Log of the constant of the prior of t."""
        return float(betaln(self.truth.alpha, self.truth.beta))

    def log_density(self, w: Floats, m: Floats, v: Floats) -> Floats:
        """Log of likelihood (ratings form) times prior, per unit of w, m and v; all of one shape."""
        x, y, z = logits(w, m, v)
        rates = Rates.at(y, z)
        log_t = -softplus(-x)
        prior = self.truth.alpha * log_t + self.truth.beta * (log_t - x) - self.log_beta
        return np.asarray(self.counts.log_likelihood(x, rates) + prior + self.rates(rates), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes and weights.

    Attributes
    ----------
    w, m, v
        Shape (n_w,), (n_w, n_m), (n_w, n_m, n_v).
    log_mass
        Shape (n_w, n_m, n_v): log of density times cell; -inf where left out. Sums to the evidence.
    """

    w: Floats
    m: Floats
    v: Floats
    log_mass: Floats

    @cached_property
    def logits(self) -> tuple[Floats, Floats, Floats]:
        """Each of shape (n_w, n_m, n_v): logits of t, of d and of g."""
        x, y, z = logits(self.w[:, None, None], self.m[:, :, None], self.v)
        return x, y, z

    @property
    def x(self) -> Floats:
        """Shape (n_w, n_m, n_v): logit t."""
        return self.logits[0]

    @property
    def y(self) -> Floats:
        """Shape (n_w, n_m, n_v): logit d."""
        return self.logits[1]

    @property
    def z(self) -> Floats:
        """Shape (n_w, n_m, n_v): logit g."""
        return self.logits[2]

    @cached_property
    def log_evidence(self) -> float:
        """Log of the integral, ratings form."""
        return float(logsumexp(self.log_mass))

    @cached_property
    def mass(self) -> Floats:
        """Shape (n_w, n_m, n_v): share of each node; sums to one."""
        return np.asarray(np.exp(self.log_mass - self.log_evidence))

    @cached_property
    def spacing(self) -> tuple[Floats, Floats, Floats]:
        """The largest distance to a neighbouring node in the logits of t, d and g, each of the grid's shape."""
        move = np.gradient(self.v, axis=0), np.gradient(self.v, axis=1), np.gradient(self.v, axis=2)
        half, tilt = (self.w[1] - self.w[0]) / 2, np.tanh(self.w / 2)[:, None, None]
        across = np.maximum(np.abs(move[1]), move[2])
        along_y = np.maximum(
            np.abs(np.gradient(self.y, axis=0)), np.abs(np.gradient(self.m, axis=1)[:, :, None] + tilt * move[1])
        )
        return (
            np.maximum(across, np.abs(move[0] + half)),
            np.maximum(along_y, np.abs(tilt) * move[2]),
            np.maximum(across, np.abs(move[0] - half)),
        )

    def thinned(self, axes: tuple[int, ...] = (0, 1, 2)) -> "Grid":
        """Every second node along some axes: a coarser rule for the same integral."""
        skip = [slice(None, None, 2) if axis in axes else slice(None) for axis in range(3)]
        log_mass = self.log_mass[tuple(skip)] + len(axes) * np.log(2.0)
        return Grid(self.w[skip[0]], self.m[skip[0], skip[1]], self.v[tuple(skip)], log_mass)
