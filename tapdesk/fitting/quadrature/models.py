"""The binary count models as priors on two rates, over the halves of a posterior, and the way back from the rates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.special import betaln, logsumexp

from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature import ridge
from tapdesk.fitting.quadrature.grid import RateGrid, RatePosterior, RatePrior, Scanner
from tapdesk.fitting.quadrature.likelihood import (
    BinaryCounts,
    Floats,
    OneClass,
    Rates,
    SharedGuessing,
    Walk,
    log_softplus,
    probability,
    softplus,
)
from tapdesk.fitting.quadrature.marginal import Cloud, Marginal, RateMarginal, marginal
from tapdesk.fitting.quadrature.ridge import coarse_nodes, curve_nodes, flat_difference, lattice
from tapdesk.progress import Run, Step

PHASE = "posterior"
# Nodes along w, m and v: spacing on the logit scale, fewest and most to begin with.
_SPACING = (0.37, 0.56, 0.56)
_FEWEST = (67, 47, 33)
_MOST = (201, 121, 65)
# Data of more patterns than this make a smooth posterior, and every node costs the more: fewer will do.
_MANY_PATTERNS, _FEWER = 60, 0.6
# The grid is refined while leaving out every second node along an axis moves a mean by more than this, in sd.
_MOVES = 2e-3
_GROWTH, _ROUNDS = 1.5, 5
_LIMIT = 2_000_000


@dataclass(frozen=True, eq=False)
class Half:
    """One ordering of the two rates.

    Attributes
    ----------
    target
        Its posterior, in terms of the component with the higher rate.
    mirrored
        Whether that component is true class 0.
    across
        So many times more nodes along m than is usual.
    """

    target: RatePosterior
    mirrored: bool = False
    across: float = 1.0


@dataclass(frozen=True, eq=False)
class HalfGrid:
    """One half, its grid and its share of the posterior.

    Attributes
    ----------
    half, grid, mass
        What it is, where it lies, how much of the posterior it is.
    share
        What is looked at of each node, of the grid's shape; 1 for all of it.
    """

    half: Half
    grid: RateGrid
    mass: float
    share: Floats | float = 1.0

    @property
    def node_mass(self) -> Floats:
        """Mass of every node, of the grid's shape."""
        return np.asarray(self.mass * self.share * self.grid.mass, dtype=np.float64)


class CountModel(Protocol):
    """What the general machinery needs to know of a model."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        ...

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """The posterior in parts, the expected ordering first."""
        ...

    def marginals(self, parts: Sequence[HalfGrid]) -> Mapping[str, RateMarginal]:
        """Every parameter over the parts together."""
        ...

    def difference(self, part: HalfGrid) -> Cloud | None:
        """Nodes of p - t, on the scale logit((1 + p - t) / 2); None where there are two p."""
        ...

    def joint(self, part: HalfGrid, size: int) -> Floats | None:
        """Mass of (a1, a0), shape (size, size), in even cells of the unit square; None where there is one a."""
        ...

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """One random draw of every parameter but t on the logit scale, given rates of shape (n,)."""
        ...


def truth_cloud(part: HalfGrid) -> Cloud:
    """Nodes of logit t, t the share of true class 1."""
    at = -part.grid.x if part.half.mirrored else part.grid.x
    return Cloud.heavy(at, part.grid.spacing[0], part.node_mass)


@dataclass(frozen=True, eq=False)
class Rough:
    """One half, where its mass lies, and a first grid."""

    half: Half
    scanner: Scanner
    box: tuple[float, float]
    grid: RateGrid


def find_halves(halves: Sequence[Half], total: int) -> Run[tuple[Rough, ...]]:
    """Where the mass of the halves of one posterior lies.

    Yields
    ------
    Step
        Phase ``posterior``; of ``total`` this takes one for each half.
    """
    roughs: list[Rough] = []
    for k, half in enumerate(halves):
        yield Step(k, total, PHASE)
        scanner = Scanner(half.target, roughs[0].scanner if roughs else None)
        box = scanner.w_box()
        roughs.append(Rough(half, scanner, box, scanner.grid(box, (25, 17, 17))))
    return tuple(roughs)


def solve_halves(roughs: Sequence[Rough], finer: float, total: int) -> Run[tuple[tuple[HalfGrid, ...], float]]:
    """The halves with their grids and shares, and the log evidence (ratings form).

    Parameters
    ----------
    roughs
        The halves of one posterior.
    finer
        So many times more nodes along w than is usual: along a ridge they are what the quantiles depend on.
    total
        Work known altogether, of which this takes one step for each half.

    Yields
    ------
    Step
        Phase ``posterior``.
    """
    evidence = float(np.logaddexp.reduce([rough.grid.log_evidence for rough in roughs]))
    grids: list[RateGrid] = []
    for k, rough in enumerate(roughs):
        share = float(np.exp(rough.grid.log_evidence - evidence))
        grids.append((yield from _refined(rough, share, finer, Step(len(roughs) + k, total, PHASE))))
    evidence = float(np.logaddexp.reduce([grid.log_evidence for grid in grids]))
    parts = tuple(
        HalfGrid(rough.half, grid, float(np.exp(grid.log_evidence - evidence)))
        for rough, grid in zip(roughs, grids, strict=True)
    )
    return parts, evidence


def _refined(rough: Rough, share: float, finer: float, step: Step) -> Run[RateGrid]:
    """The grid, made finer along the axes where it is not yet fine enough; ``share`` of the posterior depends on it."""
    first = rough.grid
    widths = (rough.box[1] - rough.box[0], _widest(first.m, first.log_mass), _widest(first.v, first.log_mass))
    # A half with little mass may be coarser: its errors count by its share.
    coarser = float(np.clip(share ** (-1 / 12), 1.0, 1.5))
    if rough.half.target.counts.ones.size > _MANY_PATTERNS:
        coarser /= _FEWER
    sizes = [
        int(np.clip(np.ceil(width / spacing / coarser), least / coarser, most))
        for width, spacing, least, most in zip(widths, _SPACING, _FEWEST, _MOST, strict=True)
    ]
    sizes[:2] = int(finer * sizes[0]), int(rough.half.across * sizes[1])
    for _ in range(_ROUNDS):
        grid = rough.scanner.grid(rough.box, (sizes[0], sizes[1], sizes[2]))
        yield step
        uneven = [axis for axis in range(3) if share * _moved(grid, axis) > _MOVES]
        for axis in uneven:
            sizes[axis] = int(_GROWTH * sizes[axis])
        if not uneven or np.prod(sizes) > _LIMIT:
            break
    return grid


def _widest(nodes: Floats, log_mass: Floats) -> float:
    """The widest line among those that carry mass."""
    across = log_mass.max(axis=tuple(range(nodes.ndim - 1, 3)))
    return float(np.ptp(nodes, axis=-1)[across > log_mass.max() - 12.0].max())


def _moved(grid: RateGrid, axis: int) -> float:
    """By how much leaving out every second node along an axis moves log evidence, means and mean squares, in sd."""
    coarse = grid.thinned((axis,))
    evidence = abs(coarse.log_evidence - grid.log_evidence)
    full, half = _moments(grid), _moments(coarse)
    spread = np.sqrt(np.maximum(full[1] - full[0] ** 2, 1e-300))
    moved = np.abs(half[0] - full[0]) / spread
    return float(max(evidence, moved.max(), (np.abs(half[1] - full[1]) / np.maximum(spread, full[0])).max()))


def _moments(grid: RateGrid) -> tuple[Floats, Floats]:
    """Means and mean squares of t, d and g."""
    mass = np.exp(grid.log_mass - grid.log_evidence)
    rows = (
        (probability(grid.x), mass),
        (probability(grid.y), mass),
        (probability(grid.z), mass),
    )
    return np.array([(m * x).sum() for x, m in rows]), np.array([(m * x * x).sum() for x, m in rows])


_REACH, _LATTICE = 45.0, 0.5

# How far below the rate (logit scale) its accuracy is followed: e^-16 of the mass is beyond.
_BELOW, _POINTS = 16.0, 4000
# Cells the distribution of a rate is cut into where priors are not flat.
_CELLS = 800
# Both rates at once are told from the nodes of t-a0a1-p, and along m they lie farthest apart.
_ACROSS = 1.5
# Cells along each rate in the table of both.
_TABLE = 120


def log_jacobian(rates: Rates) -> Floats:
    """Log of d(mu1, mu0) / d(logit d, logit g)."""
    return np.asarray(rates.log_d + 2 * rates.log_not_d + rates.log_g + rates.log_not_g)


def _under_flat_priors(rates: Rates) -> Floats:
    """What log density of (mu1, mu0) is under flat priors; the table holds the rest, which is smoother."""
    return np.asarray(np.log(rates.ones + rates.zeros))


def prior_table(shared: SharedGuessing) -> RatePrior:
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
        result = np.asarray(spline.ev(inside_y, inside_z), dtype=np.float64)
        for over, dx, dy in ((y - inside_y, 1, 0), (z - inside_z, 0, 1)):
            if over.any():
                result = result + over * spline.ev(inside_y, inside_z, dx=dx, dy=dy)
        return np.asarray(result + _under_flat_priors(rates) + log_jacobian(rates), dtype=np.float64)

    return log_prior


def random_places(log_mass: Floats, random: np.random.Generator) -> Floats:
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


def split_rate(rate: Marginal, of_class: OneClass) -> tuple[RateMarginal, RateMarginal]:
    """Accuracy and guessing rate from the distribution of the logit of the rate."""
    if of_class.flat:
        alike = RateMarginal.of_marginal(_flat(rate))
        return alike, alike
    accuracy, guessing = _walked(rate, of_class)
    return RateMarginal.of_cloud(accuracy), RateMarginal.of_cloud(guessing)


def _flat(rate: Marginal) -> Marginal:
    """Flat priors: -log(1 - a) is uniform up to the rate's own, so logit a = x has density expit(x) G(x).

    G(x) is the integral above x of the density of the rate over its -log(1 - mu); likewise for p (models.md §5.5).
    """
    at = np.concatenate([np.linspace(rate.at[0] - _BELOW, rate.at[0], _POINTS, endpoint=False), rate.at])
    size, middle = softplus(at), softplus((rate.at[1:] + rate.at[:-1]) / 2)

    def accumulate(of_rate: Floats) -> tuple[Floats, Floats]:
        share = np.diff(of_rate) / middle
        above = np.concatenate([np.full(_POINTS, share.sum()), np.cumsum(share[::-1])[::-1], [0.0]])
        cdf = np.concatenate([np.zeros(_POINTS), of_rate]) + size * above
        return above, np.clip(np.maximum.accumulate(cdf), 0.0, 1.0)

    above, cdf = accumulate(rate.cdf)
    return Marginal(at, cdf, lambda: probability(at) * above, lambda: accumulate(rate.blurred)[1])


def _walked(rate: Marginal, of_class: OneClass) -> tuple[Cloud, Cloud]:
    """Other priors: nodes of logit accuracy and logit guessing rate."""
    low, high = np.interp([1e-9, 1 - 1e-9], rate.cdf, rate.at)
    edges = np.union1d(np.linspace(low, high, _CELLS), rate.quantile(np.linspace(1e-9, 1 - 1e-9, _CELLS)))
    mass = np.diff(np.interp(edges, rate.at, rate.cdf))
    kept = mass > 1e-10
    middle, cell, mass = ((edges[1:] + edges[:-1]) / 2)[kept], np.diff(edges)[kept], mass[kept]
    walk = Walk.even((of_class.accuracy, of_class.guessing), 0.2)
    accuracy, guessing, log_mass = of_class.split(log_softplus(middle), walk)
    share = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    share *= (mass / share.sum(axis=1))[:, None]

    def cloud(x: Floats) -> Cloud:
        across = np.abs(np.gradient(x, middle, axis=0)) * cell[:, None]
        return Cloud.heavy(x, np.maximum(np.abs(np.gradient(x, axis=1)), across), share)

    return cloud(accuracy), cloud(guessing)


def spread_over(of_class: OneClass, logit_rate: Floats, cells: int) -> Floats:
    """Shape (L, cells): how the accuracy given each rate lies over even cells between 0 and 1."""
    walk = Walk.of((of_class.accuracy, of_class.guessing), 0.03)
    accuracy, _, log_mass = of_class.split(log_softplus(logit_rate), walk)
    mass = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    cell = np.minimum((probability(accuracy) * cells).astype(np.int64), cells - 1)
    row = np.arange(logit_rate.size)[:, None]
    table = np.bincount((row * cells + cell).ravel(), mass.ravel(), logit_rate.size * cells)
    return np.asarray(table, dtype=np.float64).reshape(-1, cells)


@dataclass(frozen=True, eq=False)
class OneAccuracy:
    """``t-a-p``: d and g are accuracy and guessing rate themselves."""

    truth: Prior
    accuracy: Prior
    guessing: Prior

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        return "t", "a", "p"

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """One part: the rate of class 1 cannot be lower for true class 1."""
        a, p = self.accuracy, self.guessing
        constant = betaln(a.alpha, a.beta) + betaln(p.alpha, p.beta)

        def log_prior(r: Rates) -> Floats:
            return a.alpha * r.log_d + a.beta * r.log_not_d + p.alpha * r.log_g + p.beta * r.log_not_g - constant

        return (Half(RatePosterior(counts, self.truth, log_prior)),)

    def marginals(self, parts: Sequence[HalfGrid]) -> Mapping[str, RateMarginal]:
        """Every parameter; there is one part."""
        (part,) = parts
        grid, mass = part.grid, part.node_mass
        spacing_x, spacing_y, spacing_z = grid.spacing
        table = {
            "t": Cloud.heavy(grid.x, spacing_x, mass),
            "a": Cloud.heavy(grid.y, spacing_y, mass),
            "p": Cloud.heavy(grid.z, spacing_z, mass),
        }
        return {name: RateMarginal.of_cloud(cloud) for name, cloud in table.items()}

    def difference(self, part: HalfGrid) -> Cloud:
        """Nodes of p - t."""
        gap = probability(part.grid.z) - probability(part.grid.x)
        return Cloud.of(np.log1p(gap) - np.log1p(-gap), part.node_mass)

    def joint(self, part: HalfGrid, size: int) -> None:
        """There is one accuracy."""
        del part, size

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """Nothing is left to chance."""
        del half, random
        return {"a": rates.log_d - rates.log_not_d, "p": rates.log_g - rates.log_not_g}


@dataclass(frozen=True, eq=False)
class TwoAccuracies:
    """``t-a0a1-p``: the rates leave a curve of (a1, a0, p)."""

    truth: Prior
    shared: SharedGuessing

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        return "t", "a0", "a1", "p"

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """One part: p lies between the two rates."""
        return (Half(RatePosterior(counts, self.truth, self._log_prior()), across=_ACROSS),)

    def _log_prior(self) -> RatePrior:
        if self.shared.flat:
            return lambda r: log_jacobian(r) + np.log(r.ones + r.zeros)
        return prior_table(self.shared)

    def marginals(self, parts: Sequence[HalfGrid]) -> Mapping[str, RateMarginal]:
        """Every parameter; there is one part."""
        (part,) = parts
        grid, mass = part.grid, part.node_mass
        if self.shared.flat:
            rest = ridge.ridge_marginals(grid, mass)
        else:
            nodes = curve_nodes(self.shared, lattice(grid, mass)).clouds()
            rest = {name: RateMarginal.of_cloud(cloud) for name, cloud in nodes.items()}
        table = {"t": RateMarginal.of_cloud(truth_cloud(part)), **rest}
        return {name: table[name] for name in self.names}

    def difference(self, part: HalfGrid) -> Cloud:
        """Nodes of p - t."""
        starts = coarse_nodes(part.grid, part.node_mass)
        return flat_difference(starts) if self.shared.flat else curve_nodes(self.shared, starts).difference()

    def joint(self, part: HalfGrid, size: int) -> Floats:
        """Mass of (a1, a0) in even cells."""
        # A picture needs fewer nodes.
        return curve_nodes(self.shared, lattice(part.grid.thinned(), part.node_mass[::2, ::2, ::2])).joint(size)

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """A random place on the curve."""
        del half
        walk = Walk.of(self.shared.priors, 0.1)
        a1, a0, p, log_mass = self.shared.split(rates.logit_high, rates.logit_low, rates.ones + rates.zeros, walk)
        pick = random_places(log_mass, random)
        return {name: between(x, pick) for name, x in (("a0", a0), ("a1", a1), ("p", p))}


@dataclass(frozen=True, eq=False)
class TwoAndTwo:
    """``t-a0a1-p0p1``: each rate splits on its own, and the two labellings are both possible."""

    truth: Prior
    one: OneClass
    zero: OneClass

    @property
    def names(self) -> tuple[str, ...]:
        """Its parameters in the order of reports."""
        return "t", "a0", "a1", "p0", "p1"

    def halves(self, counts: BinaryCounts) -> tuple[Half, ...]:
        """Two parts: the higher rate of class 1 belongs to true class 1, or to true class 0."""
        return (
            Half(RatePosterior(counts, self.truth, self._log_prior(mirrored=False))),
            Half(RatePosterior(counts, self.truth.mirrored(), self._log_prior(mirrored=True)), mirrored=True),
        )

    def _log_prior(self, *, mirrored: bool) -> RatePrior:
        one, zero = self.one.log_prior(), self.zero.log_prior()

        def log_prior(r: Rates) -> Floats:
            rate1, rate0 = _rates(r, mirrored=mirrored)
            return np.asarray(log_jacobian(r) + one(log_softplus(rate1)) + zero(log_softplus(rate0)))

        return log_prior

    def marginals(self, parts: Sequence[HalfGrid]) -> Mapping[str, RateMarginal]:
        """Every parameter: the distribution of each rate, then the split of the rate."""
        nodes = [_rates(Rates.at(part.grid.y, part.grid.z), mirrored=part.half.mirrored) for part in parts]
        table = {"t": RateMarginal.of_cloud(Cloud.together([truth_cloud(part) for part in parts]))}
        for k, (of_class, names) in enumerate(((self.one, ("a1", "p1")), (self.zero, ("a0", "p0")))):
            rate = marginal(
                Cloud.together([Cloud.of(n[k], part.node_mass) for n, part in zip(nodes, parts, strict=True)])
            )
            table[names[0]], table[names[1]] = split_rate(rate, of_class)
        table["p0"] = table["p0"].mirrored()
        return {name: table[name] for name in self.names}

    def difference(self, part: HalfGrid) -> None:
        """There are two guessing rates."""
        del part

    def joint(self, part: HalfGrid, size: int) -> Floats:
        """Mass of (a1, a0) in even cells: the table of the two rates, each rate spread over its accuracies."""
        rates, mass = Rates.at(part.grid.y, part.grid.z), part.node_mass
        places, spreads = [], []
        for at, of_class in zip(_rates(rates, mirrored=part.half.mirrored), (self.one, self.zero), strict=True):
            seen = at[mass > 1e-9 * mass.max()]
            edges = np.linspace(float(seen.min()), float(seen.max()), _TABLE + 1)
            places.append(np.clip(np.searchsorted(edges, at) - 1, 0, _TABLE - 1).ravel())
            spreads.append(spread_over(of_class, (edges[1:] + edges[:-1]) / 2, size))
        table = np.bincount(places[0] * _TABLE + places[1], mass.ravel(), _TABLE * _TABLE).reshape(_TABLE, _TABLE)
        return np.asarray(spreads[0].T @ table @ spreads[1])

    def split(self, half: Half, rates: Rates, random: np.random.Generator) -> Mapping[str, Floats]:
        """A random split of each rate."""
        table = {}
        for rate, of_class, names in zip(
            _rates(rates, mirrored=half.mirrored), (self.one, self.zero), (("a1", "p1"), ("a0", "p0")), strict=True
        ):
            walk = Walk.of((of_class.accuracy, of_class.guessing), 0.1)
            accuracy, guessing, log_mass = of_class.split(log_softplus(rate), walk)
            pick = random_places(log_mass, random)
            table[names[0]], table[names[1]] = between(accuracy, pick), between(guessing, pick)
        table["p0"] = -table["p0"]
        return table


def _rates(r: Rates, *, mirrored: bool) -> tuple[Floats, Floats]:
    """Logits of the rates of being recognised, mu1 and 1 - mu0, where mu1 is the lower rate if mirrored."""
    return (r.logit_low, -r.logit_high) if mirrored else (r.logit_high, -r.logit_low)
