"""``t-a0a1-p`` under flat priors: what every pair of rates leaves open, integrated without walking from every node.

Given the rates, logit p is uniform between logit mu0 and logit mu1 (models.md §5.5). With gap = logit mu1 - logit mu0
and V = logit mu1 - logit p, uniform between 0 and the gap, a1 = mu1 (1 - e^-V). So the density of (logit mu1, V) is the
integral of mass / gap over all gaps above V: a running sum along the rows of a table of (logit mu1, gap), and a1 is a
function of these two numbers. The same with 1 - mu0 in place of mu1 gives a0 = (1 - mu0)(1 - e^-V). The density of
logit p needs no table: it is the difference of the distribution functions of the two logits, weighed by 1 / gap.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from tapdesk.fitting.quadrature.flat_ridge import accuracies, ridge
from tapdesk.fitting.quadrature.grid import Grid
from tapdesk.fitting.quadrature.likelihood import Floats, Rates, softplus
from tapdesk.fitting.quadrature.marginal import PIECE, Cloud, Marginal, heavy, marginal, spacing
from tapdesk.fitting.quadrature.summary import Told

# Points of the table along each axis, for each node of the grid along w; fewest and most.
_POINTS, _FEWEST, _MOST = 1.4, 64, 165
# A table of fewer points tells the error of this one: by so much of the change, next to that of the kernels.
_ROUGHER, _TABLES = 0.7, 1 / 3
# Empty points beyond each end, so that the ends do not meet.
_ROOM = 6
# The running sums are told at so many places between two points of the table, and looked at linearly.
_BETWEEN = 16
# Places along V for each point of the table, and how far below its smallest gap (in log V) they go.
_PLACES, _BELOW = 1.3, 16.0
# Cells in which the middle and the spread of the nodes are looked for.
_CELLS = 1000


@dataclass(frozen=True, eq=False)
class _Axis:
    """Points even in u, where what is told is middle + spread sinh(u): dense where the mass is, wider in the tails.

    Attributes
    ----------
    middle, spread
        Of the scale.
    u
        Shape (n,): the points.
    nearest, shares
        For every node the nearest point, and its shares in the point before, this one and the next, by a quadratic
        spline.
    """

    middle: float
    spread: float
    u: Floats
    nearest: np.ndarray
    shares: tuple[Floats, Floats, Floats]

    @staticmethod
    def over(nodes: Floats, mass: Floats, points: int) -> "_Axis":
        low, reach = float(nodes.min()), max(float(np.ptp(nodes)), 1e-9)
        cell = np.minimum(((nodes - low) * (_CELLS / reach)).astype(np.int64), _CELLS - 1)
        run = np.cumsum(np.bincount(cell, mass, _CELLS))
        first, middle, last = low + reach / _CELLS * (np.searchsorted(run, np.array([0.1, 0.5, 0.9]) * run[-1]) + 0.5)
        # Where one side is short and the other long the mass may still stand in the short one.
        spread = max(4 * float(min(middle - first, last - middle)), 2 * reach / _CELLS)
        at = np.arcsinh((nodes - middle) / spread)
        low, step = float(at.min()), max(float(np.ptp(at)), 1e-9) / (points - 1)
        place = (at - low) / step + _ROOM
        nearest = np.rint(place).astype(np.int64)
        f = place - nearest
        shares = (0.5 - f) ** 2 / 2, 0.75 - f * f, (0.5 + f) ** 2 / 2
        return _Axis(float(middle), spread, low + step * np.arange(-float(_ROOM), points + _ROOM), nearest, shares)

    def at(self, u: Floats) -> Floats:
        """What is told, at places of the scale."""
        return np.asarray(self.middle + self.spread * np.sinh(u))


def told(grid: Grid, mass: Floats) -> Mapping[str, Told]:
    """What is told of a0, a1 and p; ``mass`` of the nodes of the grid, of its shape."""
    every, kept = Rates.at(grid.y, grid.z), heavy(mass)
    rates, weight = every.of(kept), mass[kept]
    gap = rates.ones + rates.zeros
    per_gap = weight / gap
    thin = ridge(grid, mass)
    if thin is None:
        points = int(np.clip(_POINTS * mass.shape[0], _FEWEST, _MOST))
        gaps = cache(partial(_Axis.over, gap + np.log(-np.expm1(-gap)), weight))
        accuracy1, accuracy0 = (
            _tabled(partial(_Axis.over, at, weight), gaps, per_gap, points)
            for at in (rates.logit_high, -rates.logit_low)
        )
    else:
        accuracy1, accuracy0 = accuracies(thin)
    low, high = (marginal(Cloud(at[kept], spacing(at)[kept], per_gap)) for at in (every.logit_low, every.logit_high))
    means = _moments(rates, gap, weight / weight.sum())
    return {
        "a0": Told(accuracy0, *means[1]),
        "a1": Told(accuracy1, *means[0]),
        "p": Told(_guessing(low, high), *means[2]),
    }


def _tabled(rate: Callable[[int], _Axis], gaps: Callable[[int], _Axis], per_gap: Floats, points: int) -> Marginal:
    """The distribution of an accuracy, from a table of so many points along the rate and along log(e^gap - 1).

    There the density falls off at both ends.
    """

    def by(some: int) -> Marginal:
        return marginal(_accuracies(rate(some), gaps(some), per_gap))

    fine = by(points)

    def wider() -> Floats:
        # Its error is told by a rougher table as well: of narrow mass a table loses more than a kernel does.
        rough = by(int(_ROUGHER * points))
        lost = _TABLES * (np.interp(fine.at, rough.at, rough.cdf) - fine.cdf)
        return np.clip(np.maximum.accumulate(fine.blurred + lost), 0.0, 1.0)

    return replace(fine, wider=wider)


def _moments(rates: Rates, gap: Floats, share: Floats) -> tuple[tuple[float, float], ...]:
    """Mean and standard deviation of a1, a0 and p, from those given the rates.

    1 - a1 is 1 - mu1 + mu1 e^-V and p has the logit logit mu1 - V, V uniform between 0 and the gap.
    """
    # 1 - e^-2V is (1 - e^-V)(1 + e^-V): exponentials are what takes the time here.
    gone = -np.expm1(-gap)
    once, twice = gone / gap, gone * (2 - gone) / (2 * gap)
    log_not_high, log_not_low = rates.log_not_high, rates.log_not_low
    high, not_high, low, not_low = (np.exp(log) for log in (rates.log_high, log_not_high, rates.log_low, log_not_low))
    rows: list[tuple[float, float]] = []
    for rate, rest in ((high, not_high), (not_low, low)):
        first, second = rest + rate * once, rest * rest + rate * (2 * rest * once + rate * twice)
        rows.append(_spread(1 - float(share @ first), float(share @ (1 - 2 * first + second))))
    first = (log_not_low - log_not_high) / gap
    second = first - (high - low) / gap
    rows.append(_spread(float(share @ first), float(share @ second)))
    return tuple(rows)


def _spread(mean: float, square: float) -> tuple[float, float]:
    return mean, float(np.sqrt(max(square - mean * mean, 0.0)))


def _guessing(low: Marginal, high: Marginal) -> Marginal:
    """The density of logit p is in proportion to the mass whose lower logit lies below it and whose higher does not.

    Both distributions weigh every pair of rates by one over its gap.
    """
    at = np.union1d(low.at, high.at)

    def run(of_low: Floats, of_high: Floats) -> tuple[Floats, Floats]:
        density = np.maximum(np.interp(at, low.at, of_low) - np.interp(at, high.at, of_high), 0.0)
        cdf = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) * np.diff(at) / 2)])
        return density / cdf[-1], np.minimum(cdf / cdf[-1], 1.0)

    density, cdf = run(low.cdf, high.cdf)
    return Marginal(at, cdf, lambda: density, lambda: run(low.blurred, high.blurred)[1])


def _accuracies(rate: _Axis, opening: _Axis, per_gap: Floats) -> Cloud:
    """Nodes of the accuracy of the class whose rate the first axis holds."""
    above = _above(_table(rate, opening, per_gap))
    lowest = min(np.arcsinh((-_BELOW - opening.middle) / opening.spread), float(opening.u[0]))
    step = (opening.u[1] - opening.u[0]) / _PLACES
    u = np.arange(lowest, opening.u[-1], step)
    at = opening.at(u)
    place = np.clip((u - opening.u[0]) / (_PLACES * step) * _BETWEEN, 0.0, above.shape[1] - 1.001)
    node = place.astype(np.int64)
    part = place - node
    # dV = (1 - e^-V) d log(e^V - 1).
    width = -np.expm1(-softplus(at)) * opening.spread * np.cosh(u) * step
    mass = ((1 - part) * above[:, node] + part * above[:, node + 1]) * width
    log_accuracy = -softplus(-rate.at(rate.u))[:, None] - softplus(-at)
    return Cloud.of(log_accuracy - np.log(-np.expm1(np.minimum(log_accuracy, -1e-300))), mass)


def _table(rate: _Axis, opening: _Axis, per_gap: Floats) -> Floats:
    """Shape (rates, gaps): the masses, laid on by splines that are taken out again."""
    shape = rate.u.size, opening.u.size
    table = np.zeros(shape[0] * shape[1])
    corner = (rate.nearest - 1) * shape[1] + opening.nearest - 1
    for begin in range(0, per_gap.size, PIECE):
        piece = slice(begin, begin + PIECE)
        for i, share in enumerate(rate.shares):
            row = per_gap[piece] * share[piece]
            for j, other in enumerate(opening.shares):
                np.add.at(table, corner[piece] + (i * shape[1] + j), row * other[piece])
    laid = (np.sinc(np.fft.fftfreq(shape[0]))[:, None] * np.sinc(np.fft.rfftfreq(shape[1]))) ** 3
    return np.asarray(np.fft.irfft2(np.fft.rfft2(table.reshape(shape)) / laid, shape), dtype=np.float64)


def _above(table: Floats) -> Floats:
    """Shape (rates, places): the sum of all that lies above a place, in every row of a table."""
    n = table.shape[1]
    found = np.fft.rfft(table, axis=1)
    # Summing along a row divides by i times the frequency.
    found[:, 1:] /= 2j * np.pi * np.fft.rfftfreq(n)[1:]
    found[:, 0] = 0.0
    swing = np.fft.irfft(found, n * _BETWEEN, axis=1) * _BETWEEN
    # What does not swing is the even growth of the running sum, and where that begins follows from the row's mean.
    total, mean = table.sum(axis=1)[:, None], (table @ np.arange(float(n)))[:, None] / n
    return np.asarray(total * (0.5 - np.linspace(0.0, 1.0, n * _BETWEEN, endpoint=False)) + mean - swing)
