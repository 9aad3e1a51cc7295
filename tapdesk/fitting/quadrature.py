"""The exact posterior of the three binary count models by quadrature (models.md §5.5): no Monte Carlo.

The likelihood of binary counts depends on (t, mu1, mu0) only, so every model is three dimensions for the data and
closed or one-dimensional integrals for the rest. The grid (`quadrature_grid`) follows the mass, whatever its shape, for
one subject as for ten million; the summaries (`quadrature_marginal`) are read off the nodes.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import LogLikelihood
from tapdesk.fitting.posterior import Posterior, Summary
from tapdesk.fitting.priors import Prior, priors_of
from tapdesk.fitting.quadrature_draws import GridSampler, Part
from tapdesk.fitting.quadrature_grid import Grid, Scanner
from tapdesk.fitting.quadrature_inner import OneClass, SharedGuessing
from tapdesk.fitting.quadrature_likelihood import BinaryCounts, Floats, probability
from tapdesk.fitting.quadrature_models import Half, OneAccuracy, Sharing, TwoAccuracies, TwoAndTwo
from tapdesk.fitting.quadrature_pictures import guess_minus_truth, joint_accuracies
from tapdesk.fitting.quadrature_readings import readings
from tapdesk.fitting.quadrature_summary import Told, curve, summarise
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns

PHASE = "posterior"
KEPT_DRAWS = 4000

# Nodes along w, y and v: spacing on the logit scale, fewest and most to begin with.
_SPACING = (0.25, 0.4, 0.5)
_FEWEST = (41, 41, 33)
_MOST = (241, 97, 65)
# The grid is refined while leaving out every second node along an axis moves a mean by more than this, in sd.
_MOVES = 1e-3
_ROUNDS = 5
_LIMIT = 4_000_000


@dataclass(frozen=True, eq=False)
class _Rough:
    """One half, where its mass lies, and a first grid."""

    half: Half
    scanner: Scanner
    box: tuple[float, float]
    grid: Grid


@dataclass(frozen=True, eq=False)
class _Solved:
    """One half with its grid and the log of its integral."""

    half: Half
    grid: Grid
    log_evidence: float


def sharing_of(model: RaterModel | str, priors: Iterable[Prior] = ()) -> Sharing:
    """The model as quadrature sees it, with the given priors and flat ones for the rest.

    Raises
    ------
    UsageError
        When quadrature is not for this model, or a prior does not fit it.
    """
    name = model if isinstance(model, str) else model.name
    kind = _KINDS.get(name) if isinstance(model, str) else _kind(model)
    if kind is None:
        raise UsageError(
            f"The model '{name}' has no posterior by quadrature.",
            fix=f"Quadrature is for {', '.join(_KINDS)}; other models are sampled.",
        )
    chosen = priors_of(_NAMES[kind], priors)
    if kind is OneAccuracy:
        return OneAccuracy(chosen["t"], chosen["a"], chosen["p"])
    if kind is TwoAccuracies:
        return TwoAccuracies(chosen["t"], SharedGuessing(chosen["a1"], chosen["a0"], chosen["p"]))
    one = OneClass(chosen["a1"], chosen["p1"])
    return TwoAndTwo(chosen["t"], one, OneClass(chosen["a0"], chosen["p0"].mirrored()))


_KINDS: Mapping[str, type] = MappingProxyType(
    {"t-a-p": OneAccuracy, "t-a0a1-p": TwoAccuracies, "t-ak-p": TwoAccuracies, "t-a0a1-p0p1": TwoAndTwo}
)
_NAMES: Mapping[type, tuple[str, ...]] = MappingProxyType(
    {
        OneAccuracy: ("t", "a", "p"),
        TwoAccuracies: ("t", "a0", "a1", "p"),
        TwoAndTwo: ("t", "a0", "a1", "p0", "p1"),
    }
)


def _kind(model: RaterModel) -> type | None:
    """The kind of a point of the sharing grid, whatever it is called."""
    rows = {
        (Truth.FREE, Accuracy.ONE, Guessing.ONE): OneAccuracy,
        (Truth.FREE, Accuracy.PER_CLASS, Guessing.ONE): TwoAccuracies,
        (Truth.FREE, Accuracy.PER_CLASS, Guessing.PER_CLASS): TwoAndTwo,
    }
    return rows.get((model.truth, model.accuracy, model.guessing))


def posterior_by_quadrature(
    model: RaterModel | str, patterns: Patterns, priors: Iterable[Prior] = (), seed: int = 1, level: float = 0.95
) -> Run[Posterior]:
    """The posterior of ``t-a-p``, ``t-a0a1-p`` or ``t-a0a1-p0p1`` from binary counts.

    Parameters
    ----------
    model
        One of the three, or its name.
    patterns
        Pooled or by rater: only the counts of the two classes are used; the second class is class 1.
    priors
        Beta priors by parameter name; flat where none is given.
    seed
        Of the draws that are kept with the posterior; the numbers do not depend on it.
    level
        Mass of the shortest intervals, between 0 and 1.

    Yields
    ------
    Step
        Phase ``posterior``.

    Raises
    ------
    UsageError
        When the model is another one or a prior does not fit it.
    ValueError
        When the data are not binary, a weight is negative or the level is no share; the value is in the sentence.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    sharing = sharing_of(model, priors)
    counts = BinaryCounts.of(patterns)
    halves = sharing.halves(counts)
    total = 2 * len(halves) + 2
    roughs: list[_Rough] = []
    for k, half in enumerate(halves):
        yield Step(k, total, PHASE)
        roughs.append(_rough(half))
    evidence = float(np.logaddexp.reduce([rough.grid.log_evidence for rough in roughs]))
    solved: list[_Solved] = []
    for k, rough in enumerate(roughs):
        share = float(np.exp(rough.grid.log_evidence - evidence))
        grid = yield from _refined(rough, share, Step(len(halves) + k, total, PHASE))
        solved.append(_Solved(rough.half, grid, grid.log_evidence))
    yield Step(total - 2, total, PHASE)
    told, masses = _told(sharing, solved)
    summaries = _summaries(sharing, told, level)
    error = _error(summaries, _summaries(sharing, _told(sharing, [_coarse(s) for s in solved])[0], level))
    yield Step(total - 1, total, PHASE)
    log_evidence = float(np.logaddexp.reduce([s.log_evidence for s in solved]))
    parts = tuple(Part(s.half, s.grid, m) for s, m in zip(solved, masses, strict=True))
    sampler = GridSampler(sharing, parts)
    sample = sampler.draw(KEPT_DRAWS, seed)
    yield Step(total, total, PHASE)
    return Posterior(
        method="quadrature",
        summaries=summaries,
        level=level,
        log_evidence=LogLikelihood(log_evidence, log_evidence + counts.log_multinomial),
        error=error,
        other_labelling_mass=masses[1] if len(masses) > 1 else None,
        readings=readings(sharing, parts, told, level),
        marginals=MappingProxyType({ParameterName(name): curve(told[name].found) for name in sharing.names}),
        joint=joint_accuracies(sharing, parts),
        guess_minus_truth=guess_minus_truth(sharing, parts),
        sampler=sampler,
        sample=sample,
    )


def _rough(half: Half) -> _Rough:
    scanner = Scanner(half.target)
    box = scanner.w_box()
    return _Rough(half, scanner, box, scanner.grid(box, (25, 17, 17)))


def _refined(rough: _Rough, share: float, step: Step) -> Run[Grid]:
    """The grid, made finer along the axes where it is not yet fine enough; ``share`` of the posterior depends on it."""
    first = rough.grid
    widths = (rough.box[1] - rough.box[0], _widest(first.y, first.log_mass), _widest(first.v, first.log_mass))
    # A half with little mass may be coarser: its errors count by its share.
    coarser = float(np.clip(share ** (-1 / 8), 1.0, 2.0))
    sizes = [
        int(np.clip(np.ceil(width / spacing / coarser), least / coarser, most))
        for width, spacing, least, most in zip(widths, _SPACING, _FEWEST, _MOST, strict=True)
    ]
    for _ in range(_ROUNDS):
        grid = rough.scanner.grid(rough.box, (sizes[0], sizes[1], sizes[2]))
        yield step
        uneven = [axis for axis in range(3) if share * _moved(grid, axis) > _MOVES]
        for axis in uneven:
            sizes[axis] = 2 * sizes[axis] - 1
        if not uneven or np.prod(sizes) > _LIMIT:
            break
    return grid


def _widest(nodes: Floats, log_mass: Floats) -> float:
    """The widest line among those that carry mass."""
    across = log_mass.max(axis=tuple(range(nodes.ndim - 1, 3)))
    return float(np.ptp(nodes, axis=-1)[across > log_mass.max() - 12.0].max())


def _moved(grid: Grid, axis: int) -> float:
    """By how much leaving out every second node along an axis moves log evidence, means and mean squares, in sd."""
    coarse = grid.thinned((axis,))
    evidence = abs(coarse.log_evidence - grid.log_evidence)
    full, half = _moments(grid), _moments(coarse)
    spread = np.sqrt(np.maximum(full[1] - full[0] ** 2, 1e-300))
    moved = np.abs(half[0] - full[0]) / spread
    return float(max(evidence, moved.max(), (np.abs(half[1] - full[1]) / np.maximum(spread, full[0])).max()))


def _moments(grid: Grid) -> tuple[Floats, Floats]:
    """Means and mean squares of t, d and g."""
    mass = np.exp(grid.log_mass - grid.log_evidence)
    rows = (
        (probability(grid.x), mass),
        (probability(grid.y), mass.sum(axis=2)),
        (probability(grid.z), mass),
    )
    return np.array([(m * x).sum() for x, m in rows]), np.array([(m * x * x).sum() for x, m in rows])


def _coarse(solved: _Solved) -> _Solved:
    return _Solved(solved.half, solved.grid.thinned(), solved.log_evidence)


def _told(sharing: Sharing, solved: list[_Solved]) -> tuple[Mapping[str, Told], tuple[float, ...]]:
    """Every parameter over the whole posterior, and the mass of each half."""
    evidence = np.logaddexp.reduce([s.log_evidence for s in solved])
    masses = tuple(float(np.exp(s.log_evidence - evidence)) for s in solved)
    return sharing.told([(s.half, s.grid, m * s.grid.mass) for s, m in zip(solved, masses, strict=True)]), masses


def _summaries(sharing: Sharing, told: Mapping[str, Told], level: float) -> tuple[Summary, ...]:
    return tuple(summarise(name, told[name], level) for name in sharing.names)


def _error(fine: tuple[Summary, ...], coarse: tuple[Summary, ...]) -> float:
    """The largest difference between two sets of summaries; peaks are left out, they only name places."""
    fields = ("mean", "sd", "median", "q05", "q25", "q75", "q95")
    return max(float(abs(getattr(f, x) - getattr(c, x))) for f, c in zip(fine, coarse, strict=True) for x in fields)
