"""``t-a0a1-p``: the curve of (a1, a0, p) that every pair of rates leaves open, and its integrals under flat priors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np

from tapdesk.fitting.quadrature.grid import RateGrid
from tapdesk.fitting.quadrature.likelihood import Floats, Rates, SharedGuessing, Walk, probability, softplus
from tapdesk.fitting.quadrature.marginal import PIECE, Cloud, Marginal, RateMarginal, heavy, marginal, spacing

# Between places along the curve, in logit s. Where the rates are known its ends are sharp: wider ones would ripple.
_SPACING = 0.2
# Fewest and most lattice points along log(e^gap - 1) and along the middle.
_LATTICE = ((32, 120), (32, 120))
# For the picture: nodes along w, m and v, and the mass below which one is left out.
_NODES = (40, 20, 16)
_LIGHT = 1e-6

# Standard deviation of a logit across the ridge, of all slices in the mean and of the widest heavy one, up to which
# a ridge is thin: what goes with a quantile is told by its mean and spread only. And it is so many times as long.
_THIN, _WIDEST, _HEAVY, _LONG = 0.06, 0.15, 1e-3, 8.0
# Quantiles of a slice, and places between two nodes along w.
_QUANTILES, _BETWEEN = 24, 6
# Slices lighter than this part of the heaviest are left out; as many empty ones stand at each end.
_FLAT_RIDGE_LIGHT, _EMPTY = 1e-12, 5
# Neighbours from which what lies between two nodes is told.
_NEIGHBOURS = np.arange(-2, 4)
# Places at which the distribution is told: first ones to find the mass by, and how far below the rates they go.
_FIRST, _PLACES, _BELOW = 120, 300, 14.0
_MORE = 5
_PIECE = 500_000
# Points along the ridge lighter than this are left out.
_DUST = 1e-11
# Points of the table along each axis, for each node of the grid along w; fewest and most.
_POINTS, _FEWEST, _MOST = 1.4, 64, 165
# A table of fewer points tells the error of this one: by so much of the change, next to that of the kernels.
_ROUGHER, _TABLES = 0.7, 1 / 3
# Empty points beyond each end, so that the ends do not meet.
_ROOM = 6
# The running sums are told at so many places between two points of the table, and looked at linearly.
_FLAT_CURVE_BETWEEN = 16
# Places along V for each point of the table, and how far below its smallest gap (in log V) they go.
_FLAT_CURVE_PLACES, _FLAT_CURVE_BELOW = 1.3, 16.0
# Cells in which the middle and the spread of the nodes are looked for.
_CELLS = 1000


@dataclass(frozen=True, eq=False)
class CurveNodes:
    """Nodes in four dimensions, those that carry mass: M combinations of a node of (t, mu1, mu0) and a place.

    Attributes
    ----------
    a1, a0, p, x
        Shape (M,): logits of the parameters and of t.
    mass
        Shape (M,).
    rate1, rate0
        Shape (M,): the two rates.
    steps
        How logit mu1, logit mu0, logit p and logit t change to the next node along each of the four axes, each of
        shape (M,) or 0.
    """

    a1: Floats
    a0: Floats
    p: Floats
    x: Floats
    mass: Floats
    rate1: Floats
    rate0: Floats
    steps: tuple[tuple[Floats | float, Floats | float, Floats, Floats | float], ...]

    def clouds(self) -> Mapping[str, Cloud]:
        """Nodes of a0, a1 and p."""
        guessing = probability(self.p)
        inverse1, inverse0 = (1 / np.maximum(probability(a), 1e-300) for a in (self.a1, self.a0))
        spacing = {name: np.zeros(self.p.shape) for name in ("a0", "a1", "p")}
        for step1, step0, step_p, _ in self.steps:
            # The chain rule for a1 = (mu1 - p) / (1 - p) and a0 = 1 - mu0 / p on the logit scale.
            moves = {
                "p": step_p,
                "a1": inverse1 * (self.rate1 * step1 - guessing * step_p),
                "a0": inverse0 * ((1 - guessing) * step_p - (1 - self.rate0) * step0),
            }
            for name, move in moves.items():
                np.maximum(spacing[name], np.abs(move), out=spacing[name])
        logits = {"a0": self.a0, "a1": self.a1, "p": self.p}
        return {name: Cloud(at, spacing[name], self.mass) for name, at in logits.items()}

    def difference(self) -> Cloud:
        """Nodes of p - t, on the scale logit((1 + p - t) / 2)."""
        return _difference(self.p, self.x, self.mass, [step[2:] for step in self.steps])

    def joint(self, cells: int) -> Floats:
        """Mass of (a1, a0), shape (cells, cells), in even cells of the unit square."""
        row, column = (np.minimum((probability(x) * cells).astype(np.int64), cells - 1) for x in (self.a1, self.a0))
        table = np.bincount(row * cells + column, self.mass, cells * cells)
        return np.asarray(table, dtype=np.float64).reshape(cells, cells)


@dataclass(frozen=True, eq=False)
class WalkStarts:
    """Where the curve is walked from.

    Attributes
    ----------
    logit1, logit0, gap, x, weight
        Shape (L,): logits of the rates, their difference with all its digits, logit t, and mass.
    moves
        For each axis, how logit mu1, logit mu0 and logit t change to the next one, shape (L,) each.
    """

    logit1: Floats
    logit0: Floats
    gap: Floats
    x: Floats
    weight: Floats
    moves: tuple[tuple[Floats, Floats, Floats], ...]


def lattice(grid: RateGrid, mass: Floats) -> WalkStarts:
    """An even lattice of log(e^gap - 1) and of the middle of the two logits, for what does not depend on t.

    Every node of the grid is shared among the 16 lattice points around it by cubic interpolation, so sums of smooth
    functions stay what they are up to the fourth power of the lattice's spacing. A few masses are negative.
    """
    kept = heavy(mass)
    rates = Rates.at(*(c[kept] for c in (grid.y, grid.z)))
    gap = rates.ones + rates.zeros
    axes = [
        _shares(at, int(np.clip(n, *most)))
        for at, n, most in zip(
            (gap + np.log(-np.expm1(-gap)), rates.logit_low + gap / 2),
            (2 * mass.shape[1], mass.shape[0]),
            _LATTICE,
            strict=True,
        )
    ]
    (opening, first, shares), (middle, second, others) = axes
    total = np.zeros(opening.size * middle.size)
    for i, share in enumerate(shares):
        for j, other in enumerate(others):
            total += np.bincount((first + i) * middle.size + second + j, mass[kept] * share * other, total.size)
    used = np.flatnonzero(heavy(total))
    wide, at = softplus(opening)[used // middle.size], middle[used % middle.size]
    still = np.zeros(used.size)
    # d gap / d log(e^gap - 1) = 1 - e^-gap.
    half = -np.expm1(-wide) * (opening[1] - opening[0]) / 2
    step = still + (middle[1] - middle[0])
    moves = ((half, -half, still), (step, step, still))
    return WalkStarts(at + wide / 2, at - wide / 2, wide, still, total[used], moves)


def _shares(at: Floats, n: int) -> tuple[Floats, np.ndarray, tuple[Floats, Floats, Floats, Floats]]:
    """An even axis of n points, the first of four neighbours of every node, and its share in each of them."""
    low, step = float(at.min()), max(float(np.ptp(at)), 1e-9) / (n - 5)
    axis: Floats = low + step * np.arange(-2.0, n - 2)
    place = (at - low) / step + 2
    cell = place.astype(np.int64)
    f = place - cell
    shares = (
        -f * (f - 1) * (f - 2) / 6,
        (f + 1) * (f - 1) * (f - 2) / 2,
        -(f + 1) * f * (f - 2) / 2,
        (f + 1) * f * (f - 1) / 6,
    )
    return axis, cell - 1, shares


def coarse_nodes(grid: RateGrid, mass: Floats) -> WalkStarts:
    """Some nodes of a grid, for a picture of what depends on t as well."""
    stride = [max(1, n // least) for n, least in zip(mass.shape, _NODES, strict=True)]
    every = tuple(slice(None, None, step) for step in stride)
    weight = mass[every]
    x, y, z = (at[every] for at in grid.logits)
    rates = Rates.at(y, z)
    fields = (rates.logit_high, rates.logit_low, x)
    kept = weight > _LIGHT * weight.sum()
    moves = tuple(
        (
            np.gradient(fields[0], axis=i)[kept],
            np.gradient(fields[1], axis=i)[kept],
            np.gradient(fields[2], axis=i)[kept],
        )
        for i in range(3)
    )
    gap = (rates.ones + rates.zeros)[kept]
    return WalkStarts(fields[0][kept], fields[1][kept], gap, fields[2][kept], weight[kept], moves)


def _difference(p: Floats, x: Floats, mass: Floats, steps: Sequence[tuple[Floats, Floats | float]]) -> Cloud:
    """Nodes of p - t from logits of both, and how they change to the next node along each axis."""
    guessing, truth = probability(p), probability(x)
    of_p, of_t = guessing * (1 - guessing), truth * (1 - truth)
    gap = guessing - truth
    spacing = np.zeros(gap.shape)
    for step_p, step_x in steps:
        np.maximum(spacing, np.abs(of_p * step_p - of_t * step_x), out=spacing)
    scale = 2 / np.maximum((1 + gap) * (1 - gap), 1e-300)
    return Cloud(np.log1p(gap) - np.log1p(-gap), spacing * scale, mass)


def flat_difference(starts: WalkStarts) -> Cloud:
    """Nodes of p - t under flat priors, where logit p is uniform between those of the rates.

    The accuracies, which `curve_nodes` takes its time for, are not needed.
    """
    walk = Walk.even((), _SPACING)
    share = starts.weight[:, None] * np.exp(walk.log_cell)
    node, place = np.nonzero(heavy(share))
    s, rest = np.exp(walk.log_s)[place], np.exp(walk.log_rest)[place]
    gap = starts.gap[node]
    steps: list[tuple[Floats, Floats | float]] = [
        (s * logit1[node] + rest * logit0[node], logit_t[node]) for logit1, logit0, logit_t in starts.moves
    ]
    steps.append((gap * s * rest * walk.spacing[place], 0.0))
    return _difference(starts.logit0[node] + gap * s, starts.x[node], share[node, place], steps)


def curve_nodes(shared: SharedGuessing, starts: WalkStarts) -> CurveNodes:
    """The nodes: every place on the curve of every start."""
    walk = Walk.even(shared.priors, _SPACING)
    a1, a0, p, log_mass = shared.split(starts.logit1, starts.logit0, starts.gap, walk)
    share = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    share *= (starts.weight / share.sum(axis=1))[:, None]
    node, place = np.nonzero(heavy(share))
    s, rest = np.exp(walk.log_s)[place], np.exp(walk.log_rest)[place]
    steps: list[tuple[Floats | float, Floats | float, Floats, Floats | float]] = []
    for logit1, logit0, logit_t in starts.moves:
        step1, step0 = logit1[node], logit0[node]
        steps.append((step1, step0, s * step1 + rest * step0, logit_t[node]))
    steps.append((0.0, 0.0, starts.gap[node] * s * rest * walk.spacing[place], 0.0))
    rate1, rate0 = probability(starts.logit1)[node], probability(starts.logit0)[node]
    at = (node, place)
    return CurveNodes(a1[at], a0[at], p[at], starts.x[node], share[at], rate1, rate0, tuple(steps))


@dataclass(frozen=True, eq=False)
class RidgeSlices:
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


def ridge(grid: RateGrid, mass: Floats) -> RidgeSlices | None:
    """The slices along w, where the mass of the nodes is a thin ridge; else None."""
    weight = mass.sum(axis=(1, 2))
    used = np.flatnonzero(weight > _FLAT_RIDGE_LIGHT * weight.max())
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
    return RidgeSlices(weight, flat, sides)


def accuracies(slices: RidgeSlices) -> tuple[Marginal, Marginal]:
    """The distributions of a1 and a0 on the logit scale."""
    one, zero = slices.recognised
    return _accuracy(slices, one, zero), _accuracy(slices, zero, one)


def _accuracy(slices: RidgeSlices, own: Floats, other: Floats) -> Marginal:
    """Of the class that is recognised at the rates ``own``."""
    fine = _dense(slices, own, other, _QUANTILES, _BETWEEN)
    rough = _dense(slices, own, other, _QUANTILES // 2, _BETWEEN // 2)
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


def _dense(
    slices: RidgeSlices, own: Floats, other: Floats, quantiles: int, between: int
) -> tuple[Floats, Floats, Floats]:
    """Mass, own logit and gap of points along the ridge, in a row."""
    mass, weight = slices.mass, slices.weight
    mean, variance = _across(mass, weight, own)
    neighbours, beyond = _across(mass, weight, other)
    shared = (mass * (own - mean[:, None]) * (other - neighbours[:, None])).sum(axis=1) / weight
    slope = shared / np.maximum(variance, 1e-300)
    rest = np.sqrt(np.maximum(beyond - slope * shared, 0.0))
    node, share = np.polynomial.legendre.leggauss(quantiles)
    at = _quantiles(mass, weight, own, (node + 1) / 2)
    with_it = neighbours[:, None] + slope[:, None] * (at - mean[:, None])
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


def ridge_marginals(grid: RateGrid, mass: Floats) -> Mapping[str, RateMarginal]:
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
        "a0": RateMarginal(accuracy0, *means[1]),
        "a1": RateMarginal(accuracy1, *means[0]),
        "p": RateMarginal(_guessing(low, high), *means[2]),
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
    lowest = min(np.arcsinh((-_FLAT_CURVE_BELOW - opening.middle) / opening.spread), float(opening.u[0]))
    step = (opening.u[1] - opening.u[0]) / _FLAT_CURVE_PLACES
    u = np.arange(lowest, opening.u[-1], step)
    at = opening.at(u)
    place = np.clip((u - opening.u[0]) / (_FLAT_CURVE_PLACES * step) * _FLAT_CURVE_BETWEEN, 0.0, above.shape[1] - 1.001)
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
    result = np.fft.rfft(table, axis=1)
    # Summing along a row divides by i times the frequency.
    result[:, 1:] /= 2j * np.pi * np.fft.rfftfreq(n)[1:]
    result[:, 0] = 0.0
    swing = np.fft.irfft(result, n * _FLAT_CURVE_BETWEEN, axis=1) * _FLAT_CURVE_BETWEEN
    # What does not swing is the even growth of the running sum, and where that begins follows from the row's mean.
    total, mean = table.sum(axis=1)[:, None], (table @ np.arange(float(n)))[:, None] / n
    return np.asarray(total * (0.5 - np.linspace(0.0, 1.0, n * _FLAT_CURVE_BETWEEN, endpoint=False)) + mean - swing)
