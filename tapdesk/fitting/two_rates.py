"""The two rates of class 1 behind binary counts: their maximum and profile intervals, of many data sets at once.

Where raters share their numbers, two classes are a mixture of two binomials (models.md §3): of cases that are truly
class 1 every rating says so with probability mu_1, of the others with mu_0, and mu_0 <= mu_1. Of two given rates the
log-likelihood is concave in the share of true class 1, so its maximum is sure; what is left is looked for over all
pairs of rates, first on a grid of the whole range, then nearer and nearer. Nothing rests on where a climb began, and
the edges are points of the grid like any other.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from tapdesk.models.parameters import FloatArray
from tapdesk.ratings.patterns import Patterns

# The grid is even in the arcsine of the root of a rate, where a binomial count tells as much everywhere.
_NODES = 41
_EDGE = np.pi / 2
_POINTS = 9
_FLOOR = 1e-100
_STEPS = 60
_GAIN = 1e-11
_LEAP = 64.0
_ROUGH = 30.0
# What the nearest point of the last grid may lie below the maximum beside it, nats.
_TOLERANCE = 1e-7
_HALVES = 40
_CLOSE = 1e-6
_NARROW = 1e-10
_MOST_CELLS = 400000


@dataclass(frozen=True, eq=False)
class TwoRates:
    """Maximum and intervals of the rates of each of B data sets.

    Attributes
    ----------
    log_likelihood
        Shape (B,): nats, ratings form.
    truth
        Shape (B,): share of cases that are truly class 1 at the maximum.
    rates
        Shape (B, 2): at the maximum, of cases that are truly class 1 and of the others.
    low, high
        Shape (B, 2): ends of their profile intervals, the hull of the region in which the log-likelihood lies less
        than half a chi-square point below its top. Where no rating speaks for more than a rate on its edge that point
        is too near: of no event in n the exact end is where (1 - r)^n has fallen to half of what may be missed ("rule
        of three"), so there the region goes down as far, and the less so the more the edge itself lies below the top.
    """

    log_likelihood: FloatArray
    truth: FloatArray
    rates: FloatArray
    low: FloatArray
    high: FloatArray

    @classmethod
    def join(cls, parts: Sequence[Self]) -> Self:
        """Several portions of data sets as one."""
        names = ("log_likelihood", "truth", "rates", "low", "high")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def two_rates(patterns: Patterns, weights: FloatArray, level: float) -> TwoRates:
    """Find maximum and intervals of the two rates.

    Parameters
    ----------
    patterns
        Of two classes, raters pooled.
    weights
        Shape (B, P): the data sets, as weights of these patterns.
    level
        Of the intervals.
    """
    rows = max(_MOST_CELLS // (_NODES * _POINTS * max(weights.shape[1], 1)), 1)
    parts = [
        _intervals(_Panels.of(patterns.table, weights[at : at + rows]), level) for at in range(0, len(weights), rows)
    ]
    return TwoRates.join(parts)


@dataclass(frozen=True, eq=False)
class _Panels:
    """Data sets, and how near to each other the points of the last grid have to be."""

    table: FloatArray
    weights: FloatArray
    largest: FloatArray
    ratings: float
    spacing: float

    @classmethod
    def of(cls, table: FloatArray, weights: FloatArray) -> Self:
        """From counts by class (P, 2) and weights (B, P)."""
        used = weights.any(axis=0)
        table, weights = table[used], weights[:, used]
        shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1.0)
        # Of every pattern the likelihood at its own best rate, so that nothing runs out of the range of numbers.
        largest = (table * np.log(np.maximum(shares, _FLOOR))).sum(axis=1)
        ratings = float((weights @ table.sum(axis=1)).max(initial=1.0))
        return cls(table, weights, largest, ratings, float(np.sqrt(_TOLERANCE / (2 * ratings))))

    def some(self, rows: NDArray[np.int64]) -> Self:
        """Some of the data sets, or the same several times."""
        return replace(self, weights=self.weights[rows])

    def level(self, high: FloatArray, low: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Log-likelihood at angles of the rates, (B or 1, ...), and the share of true class 1 it is best with."""
        weight = self.weights.reshape(len(self.weights), *(1,) * (high.ndim - 1), -1)
        upper, lower = self._likelihood(high), self._likelihood(low)
        truth = _best_share(upper, lower, weight)
        mixed = truth[..., None] * upper + (1 - truth[..., None]) * lower
        # Over so short an axis einsum takes a tenth of the time that sum does.
        return np.einsum("...p,...p->...", weight, np.log(mixed) + self.largest), truth

    def _likelihood(self, angle: FloatArray) -> FloatArray:
        """Shape (..., P): probability of each pattern at a rate, as a share of the largest it can have."""
        logs = np.log(np.maximum(np.stack([np.cos(angle) ** 2, np.sin(angle) ** 2], axis=-1), _FLOOR))
        return np.asarray(np.maximum(np.exp(logs @ self.table.T - self.largest), _FLOOR))

    def profile(
        self, which: int, at: FloatArray, low: FloatArray, high: FloatArray, rough: float = 1.0
    ) -> tuple[FloatArray, FloatArray]:
        """Log-likelihood with one rate held, shape (B,), and the other, looked for between two angles."""
        ends = (np.zeros_like(at), at) if which == 0 else (at, np.full_like(at, _EDGE))
        low, high = np.clip(low, *ends), np.clip(high, *ends)
        steps = np.linspace(0.0, 1.0, _POINTS)
        rows = np.arange(at.size)
        while True:
            others = low[:, None] + (high - low)[:, None] * steps
            held = np.broadcast_to(at[:, None], others.shape)
            result, _truth = self.level(*((held, others) if which == 0 else (others, held)))
            best = result.argmax(axis=1)
            if float((high - low).max(initial=0.0)) <= self.spacing * rough * _POINTS:
                return result[rows, best], others[rows, best]
            low, high = others[rows, np.maximum(best - 1, 0)], others[rows, np.minimum(best + 1, _POINTS - 1)]


def _best_share(upper: FloatArray, lower: FloatArray, weight: FloatArray) -> FloatArray:
    """The share of the first of two components, by Newton's method between bounds (the problem is concave)."""
    gap = upper - lower
    at_none, at_all = (np.einsum("...p,...p->...", weight, gap / one) for one in (lower, upper))
    share = np.where(at_none <= 0, 0.0, np.where(at_all >= 0, 1.0, 0.5))
    left = np.nonzero(share == 0.5)
    lower, gap, weight = (np.broadcast_to(one, (*share.shape, one.shape[-1]))[left] for one in (lower, gap, weight))
    at = np.full(left[0].size, 0.5)
    low, high = np.zeros_like(at), np.ones_like(at)
    for _turn in range(_STEPS):
        pull = gap / np.maximum(lower + at[:, None] * gap, _FLOOR)
        slope = np.einsum("ip,ip->i", weight, pull)
        bend = np.einsum("ip,ip,ip->i", weight, pull, pull)
        share[left] = at
        going = slope**2 > _GAIN * bend
        if not going.any():
            break
        low, high = np.where(slope > 0, at, low), np.where(slope < 0, at, high)
        new = at + slope / np.maximum(bend, _FLOOR)
        # Next to an edge nearer by leaps, not by halves.
        nearer_none = np.where(low > 0, np.sqrt(low * at), at / _LEAP)
        nearer_all = np.where(high < 1, 1 - np.sqrt((1 - high) * (1 - at)), 1 - (1 - at) / _LEAP)
        new = np.where(new <= low, nearer_none, np.where(new >= high, nearer_all, new))
        at = np.where(going, new, at)
        if 2 * going.sum() < going.size:
            left = tuple(axis[going] for axis in left)
            at, low, high, lower, gap, weight = (one[going] for one in (at, low, high, lower, gap, weight))
    return share


def _intervals(panels: _Panels, level: float) -> TwoRates:
    """Maximum and intervals of some data sets."""
    nodes = np.linspace(0.0, _EDGE, _NODES)
    drop, exact = float(chdtri(1, 1 - level)) / 2, -float(np.log((1 - level) / 2))
    held = [_along(panels, which, nodes, exact) for which in (0, 1)]
    top, truth, angles = _maximum(panels, nodes, held[0])
    ends = []
    for which, edge in ((0, -1), (1, 0)):
        below = np.maximum(drop, exact - (top - held[which][0][:, edge]))
        ends.append(_ends(panels, which, nodes, held[which], angles, top - below))
    low, high = (np.sin(np.stack(side, axis=1)) ** 2 for side in zip(*ends, strict=True))
    rates = np.sin(angles) ** 2
    return TwoRates(top, truth, rates, np.minimum(low, rates), np.maximum(high, rates))


def _along(panels: _Panels, which: int, nodes: FloatArray, drop: float) -> tuple[FloatArray, FloatArray]:
    """With one rate held at every node: log-likelihood and the other rate, shapes (B, V)."""
    b, step = len(panels.weights), float(nodes[1])
    level = np.full((b, nodes.size), -np.inf)
    other = np.zeros((b, nodes.size))
    for i, node in enumerate(nodes):
        others = nodes[: i + 1] if which == 0 else nodes[i:]
        pair = np.full((1, others.size), node), others[None]
        result, _truth = panels.level(*(pair if which == 0 else pair[::-1]))
        level[:, i] = result.max(axis=1)
        other[:, i] = others[result.argmax(axis=1)]
    # A node of which even the likelihood between the others cannot reach the region needs no closer look: a rating
    # tells 4 about the angle of its rate (Fisher information).
    between = panels.ratings * step**2 / 2
    row, node_of = np.nonzero(level > level.max(axis=1, keepdims=True) - drop - 4 * between - 1)
    near = other[row, node_of]
    closer = panels.some(row).profile(which, nodes[node_of], near - step, near + step, _ROUGH)
    level[row, node_of], other[row, node_of] = closer
    return level, other


def _maximum(
    panels: _Panels, nodes: FloatArray, held: tuple[FloatArray, FloatArray]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Log-likelihood, share of true class 1 and angles (B, 2) at the maximum."""
    level, other = held
    b, step, rows = len(panels.weights), nodes[1], np.arange(len(panels.weights))
    best = level.argmax(axis=1)
    low, high = np.maximum(nodes[best] - step, 0.0), np.minimum(nodes[best] + step, _EDGE)
    near = other[rows, best]
    steps = np.linspace(0.0, 1.0, _POINTS)
    every = panels.some(np.repeat(rows, _POINTS))
    reach = 2 * step
    while True:
        at = low[:, None] + (high - low)[:, None] * steps
        around = np.repeat(near, _POINTS)
        result, others = (part.reshape(b, -1) for part in every.profile(0, at.ravel(), around - reach, around + reach))
        which = result.argmax(axis=1)
        near = others[rows, which]
        if float((high - low).max()) <= panels.spacing * _POINTS:
            break
        low, high = at[rows, np.maximum(which - 1, 0)], at[rows, np.minimum(which + 1, _POINTS - 1)]
    angles = np.stack([at[rows, which], near], axis=1)
    top, truth = panels.level(angles[:, 0], angles[:, 1])
    return top, truth, angles


def _ends(
    panels: _Panels,
    which: int,
    nodes: FloatArray,
    held: tuple[FloatArray, FloatArray],
    angles: FloatArray,
    floor: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """The angles between which the region reaches in one rate."""
    level, other = held
    rows, step = np.arange(len(panels.weights)), nodes[1]
    inside = level >= floor[:, None]
    ends = []
    for outward in (-1, 1):
        # The farthest node within the region, or the maximum where none lies farther, and the next node beyond it.
        far = np.asarray(np.where(inside, outward * nodes, -np.inf).max(axis=1) * outward)
        own = angles[:, which]
        by_node = outward * (far - own) >= 0
        start = np.where(by_node, far, own)
        place = np.searchsorted(nodes, start, side="right" if outward > 0 else "left") - (outward < 0)
        beyond = np.clip(place, 0, nodes.size - 1)
        at_edge = (place < 0) | (place >= nodes.size)
        own_place = np.searchsorted(nodes, start).clip(0, nodes.size - 1)
        near = np.where(by_node, other[rows, own_place], angles[:, 1 - which])
        there = other[rows, beyond]
        without = np.where(at_edge, start, nodes[beyond])
        least, most = np.minimum(near, there) - step, np.maximum(near, there) + step
        ends.append(_border(panels, which, start, without, (least, most), floor))
    return ends[0], ends[1]


def _border(
    panels: _Panels,
    which: int,
    within: FloatArray,
    without: FloatArray,
    between: tuple[FloatArray, FloatArray],
    floor: FloatArray,
) -> FloatArray:
    """Where the profile of one rate meets the floor, by regula falsi between an angle above it and one below."""
    above = panels.profile(which, within, *between)[0] - floor
    below = panels.profile(which, without, *between)[0] - floor
    # A node that a closer look finds within the region after all is its end.
    within, without = np.where(below >= 0, without, within), without.copy()
    stayed = np.zeros(within.size)
    for turn in range(_HALVES):
        (rows,) = np.nonzero((above > _CLOSE) & (below < 0) & (np.abs(without - within) > _NARROW))
        if not rows.size:
            break
        # Every fourth step halves, so that no curve holds it up.
        share = above[rows] / np.maximum(above[rows] - below[rows], _FLOOR)
        share = np.full(rows.size, 0.5) if turn % 4 == 3 else np.clip(share, 0.02, 0.98)
        middle = within[rows] + (without[rows] - within[rows]) * share
        least, most = (end[rows] for end in between)
        reached = panels.some(rows).profile(which, middle, least, most)[0] - floor[rows]
        holds = reached >= 0
        # The side that stays where it is for the second time counts half.
        below[rows] = np.where(holds, below[rows] / np.where(stayed[rows] > 0, 2, 1), reached)
        above[rows] = np.where(holds, reached, above[rows] / np.where(stayed[rows] < 0, 2, 1))
        stayed[rows] = np.where(holds, 1.0, -1.0)
        within[rows], without[rows] = np.where(holds, middle, within[rows]), np.where(holds, without[rows], middle)
    return within
