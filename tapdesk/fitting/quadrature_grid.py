"""A grid in three dimensions that follows the posterior of (t, mu1, mu0) into ridges and corners.

The coordinates are w = logit t - logit g, y = logit d and v = (logit t + logit g) / 2 with d = mu1 - mu0 and
g = mu0 / (1 - d), for mu1 > mu0. With few ratings a subject the likelihood pins only the rate of class 1 (v moves it)
and the covariance of two ratings (y moves it), so the mass lies along a curve that w follows from end to end; given w,
and given w and y, it has one peak. The trapezoid rule is used on every line, within its own interval: on these scales
all densities are analytic and fall off exponentially, so it converges faster than any power of the spacing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.special import betaln, logsumexp

from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature_box import NODES, boxes
from tapdesk.fitting.quadrature_likelihood import BinaryCounts, Floats, Rates, softplus

# log prior density of (logit d, logit g)
RatePrior: TypeAlias = Callable[[Rates], Floats]

# Lines whose mass is below e^-18 of the heaviest are left out; their nodes get no weight.
_NEGLIGIBLE = 18.0
# Beyond this the logistic function cannot be told from 0 or 1, and no data pull it further before the prior does.
_FAR = 60.0


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

    def log_density(self, w: Floats, y: Floats, v: Floats) -> Floats:
        """Log of likelihood (ratings form) times prior, per unit of w, y and v; all of one shape."""
        x, z = v + w / 2, v - w / 2
        rates = Rates.at(y, z)
        log_t = -softplus(-x)
        prior = self.truth.alpha * log_t + self.truth.beta * (log_t - x) - self.log_beta
        return np.asarray(self.counts.log_likelihood(x, rates) + prior + self.rates(rates), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Grid:
    """Nodes and weights.

    Attributes
    ----------
    w, y, v
        Shape (n_w,), (n_w, n_y), (n_w, n_y, n_v).
    log_mass
        Shape (n_w, n_y, n_v): log of density times cell; -inf where left out. Sums to the evidence.
    """

    w: Floats
    y: Floats
    v: Floats
    log_mass: Floats

    @property
    def x(self) -> Floats:
        """Shape (n_w, n_y, n_v): logit t."""
        return np.asarray(self.v + self.w[:, None, None] / 2, dtype=np.float64)

    @property
    def z(self) -> Floats:
        """Shape (n_w, n_y, n_v): logit g."""
        return np.asarray(self.v - self.w[:, None, None] / 2, dtype=np.float64)

    @cached_property
    def log_evidence(self) -> float:
        """Log of the integral, ratings form."""
        return float(logsumexp(self.log_mass))

    @cached_property
    def mass(self) -> Floats:
        """Shape (n_w, n_y, n_v): share of each node; sums to one."""
        return np.asarray(np.exp(self.log_mass - self.log_evidence))

    def thinned(self, axes: tuple[int, ...] = (0, 1, 2)) -> "Grid":
        """Every second node along some axes: a coarser rule for the same integral."""
        skip = [slice(None, None, 2) if axis in axes else slice(None) for axis in range(3)]
        log_mass = self.log_mass[tuple(skip)] + len(axes) * np.log(2.0)
        return Grid(self.w[skip[0]], self.y[skip[0], skip[1]], self.v[tuple(skip)], log_mass)


def _integral(f: Floats, low: Floats, high: Floats) -> Floats:
    """Log integral along each line from equally spaced log densities of shape (lines, n)."""
    top = f.max(axis=1)
    return np.asarray(top + np.log(np.exp(f - top[:, None]).sum(axis=1) * (high - low) / (f.shape[1] - 1)))


def _spread(low: Floats, high: Floats, n: int) -> Floats:
    """Equally spaced nodes between the ends, one more axis."""
    return np.asarray(low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, n))


class Scanner:
    """Finds the intervals of a target, line within line, and remembers them as guesses for the next lines."""

    def __init__(self, target: Target) -> None:
        self._target = target
        counts = target.counts
        ratings = counts.ones_total + counts.zeros_total
        rate = (counts.ones_total + 0.5) / (ratings + 1)
        self._logit_rate = float(np.log(rate / (1 - rate)))
        # Standard error of the overall rate if all ratings of a subject were one: the widest it can be.
        self._rate_se = float(np.sqrt(rate * (1 - rate) / (counts.subjects + 1)))
        self._known: list[tuple[Floats, Floats, Floats]] = []

    def v_boxes(self, w: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Interval of v for lines (w, y), shape (lines,)."""
        middle, slope = self._at_rate(w, y)
        half = np.clip(7 * self._rate_se / np.maximum(slope, 1e-12), 1e-8, 20.0)

        def along(line: np.ndarray, v: Floats) -> Floats:
            shape = v.shape
            return self._target.log_density(
                np.broadcast_to(w[line][:, None], shape), np.broadcast_to(y[line][:, None], shape), v
            )

        return boxes(along, middle - half, middle + half)

    def _at_rate(self, w: Floats, y: Floats) -> tuple[Floats, Floats]:
        """The v at which the model's rate of class 1 is the observed one, by bisection, and the rate's slope there."""
        d = 1 / (1 + np.exp(-np.clip(y, -_FAR, _FAR)))
        low = np.full(w.shape, self._logit_rate) - np.abs(w) / 2 - 1e-9
        high = low + np.abs(w) + 2e-9
        target = 1 / (1 + np.exp(-self._logit_rate))
        for _ in range(30):
            v = (low + high) / 2
            t, g = (1 / (1 + np.exp(-np.clip(u, -_FAR, _FAR))) for u in (v + w / 2, v - w / 2))
            over = d * t + (1 - d) * g > target
            high, low = np.where(over, v, high), np.where(over, low, v)
        return v, d * t * (1 - t) + (1 - d) * g * (1 - g)

    def mass_wy(self, w: Floats, y: Floats) -> Floats:
        """Log of the mass along v, for lines (w, y), shape (lines,)."""
        low, high = self.v_boxes(w, y)
        shape = (w.size, NODES)
        f = self._target.log_density(
            np.broadcast_to(w[:, None], shape), np.broadcast_to(y[:, None], shape), _spread(low, high, NODES)
        )
        return _integral(f, low, high)

    def y_boxes(self, w: Floats) -> tuple[Floats, Floats]:
        """Interval of y for each w, shape (lines,)."""

        def along(line: np.ndarray, y: Floats) -> Floats:
            lines = np.broadcast_to(w[line][:, None], y.shape).ravel()
            return self.mass_wy(lines, y.ravel()).reshape(y.shape)

        low, high = boxes(along, *self._guess(w))
        self._known.append((w, low, high))
        return low, high

    def _guess(self, w: Floats) -> tuple[Floats, Floats]:
        if not self._known:
            return np.full(w.shape, -12.0), np.full(w.shape, 12.0)
        at, low, high = (np.concatenate(part) for part in zip(*self._known, strict=True))
        order = np.argsort(at)
        return np.interp(w, at[order], low[order]), np.interp(w, at[order], high[order])

    def w_box(self) -> tuple[float, float]:
        """Interval of w."""

        def along(_line: np.ndarray, w: Floats) -> Floats:
            low, high = self.y_boxes(w.ravel())
            y = _spread(low, high, NODES)
            f = self.mass_wy(np.repeat(w.ravel(), NODES), y.ravel()).reshape(y.shape)
            return _integral(f, low, high).reshape(w.shape)

        low, high = boxes(along, np.array([-16.0]), np.array([16.0]))
        return float(low[0]), float(high[0])

    def grid(self, w_box: tuple[float, float], sizes: tuple[int, int, int]) -> Grid:
        """The grid with so many nodes along w, y and v."""
        n_w, n_y, n_v = sizes
        w = np.linspace(*w_box, n_w)
        y_low, y_high = self.y_boxes(w)
        y = _spread(y_low, y_high, n_y)
        flat_w, flat_y = np.repeat(w, n_y), y.ravel()
        low, high = self.v_boxes(flat_w, flat_y)
        step_w, step_y = (w_box[1] - w_box[0]) / (n_w - 1), (y_high - y_low) / (n_y - 1)
        log_cell = np.log(step_w) + np.repeat(np.log(step_y), n_y)
        v = _spread(low, high, n_v)
        kept = self._kept(flat_w, flat_y, v, log_cell + np.log(high - low))
        log_mass = np.full(v.shape, -np.inf)
        shape = (int(kept.sum()), n_v)
        log_mass[kept] = self._target.log_density(
            np.broadcast_to(flat_w[kept, None], shape), np.broadcast_to(flat_y[kept, None], shape), v[kept]
        )
        log_mass += (log_cell + np.log((high - low) / (n_v - 1)))[:, None]
        return Grid(w, y, v.reshape(n_w, n_y, n_v), log_mass.reshape(n_w, n_y, n_v))

    def _kept(self, w: Floats, y: Floats, v: Floats, log_size: Floats) -> np.ndarray:
        """Which lines carry mass, judged on every fourth node."""
        some = v[:, ::4]
        shape = some.shape
        f = self._target.log_density(np.broadcast_to(w[:, None], shape), np.broadcast_to(y[:, None], shape), some)
        mass = f.max(axis=1) + log_size
        return np.asarray(mass > mass.max() - _NEGLIGIBLE)
