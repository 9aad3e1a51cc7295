"""The halves of a posterior, and a grid for each of them, fine enough by its own account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tapdesk.fitting.quadrature.grid import RateGrid, RatePosterior, Scanner
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, Floats, Rates, probability
from tapdesk.fitting.quadrature.marginal import Cloud, RateMarginal
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
