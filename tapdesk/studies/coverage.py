"""Coverage: how often the intervals of every kind hold the truth, in data simulated from it (models.md §9.5).

Profile intervals are judged by what defines them: the true value lies inside when the log-likelihood with that value
held is less than half a chi-square point below its top. So thousands of data sets move as one array. The other kinds
are asked of the program data set by data set, and so of fewer unless a number is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import chdtri

from tapdesk.errors import UsageError
from tapdesk.fitting.climb import climb
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import COVERAGE_KINDS, COVERAGE_SETS, Request, analyse
from tapdesk.studies.batch_fit import CAREFUL, fit_count_vectors, pooled_space
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.recovery import Setting, shared_point
from tapdesk.studies.simulated_data import CountVectors, complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable, join_tables

NAMES = ("t", "a", "p")
COLUMNS = (
    "subjects", "raters", "t", "a", "p", "kind", "parameter", "sets", "on_edge", "without",
    "covered", "covered_inside", "missed_below", "missed_above", "width",
)  # fmt: skip
_REDRAWS = 500
# As near to 0 or 1 as a climb along a flat likelihood may stop short of it.
_EDGE = 1e-4
_MARGIN = 1e-4


def named_cells() -> tuple[Setting, ...]:
    """The cells named in models.md §9.5: interior, with few and with more subjects."""
    grid = product((100, 300), (0.1, 0.3, 0.5), (0.3, 0.5, 0.7), (0.3, 0.5))
    return tuple(_setting(n, t, a, p) for n, t, a, p in grid)


def edge_cells() -> tuple[Setting, ...]:
    """Cells near an edge: rare truth, accuracies near 0 and 1, and the treacherous one of models.md §3."""
    rows = ((100, 0.05, 0.5, 0.3), (100, 0.5, 0.95, 0.5), (100, 0.5, 0.05, 0.5), (300, 0.1, 0.1, 0.9))
    return tuple(_setting(*row) for row in rows)


def chosen_cells() -> tuple[Setting, ...]:
    """A spread of the named cells, and those near an edge: where every kind of interval is looked at."""
    some = {(0.1, 0.3, 0.5), (0.1, 0.7, 0.5), (0.5, 0.3, 0.3), (0.5, 0.7, 0.3)}
    return tuple(s for s in named_cells() if s.subjects == 100 and _true(s) in some) + edge_cells()


def _setting(subjects: int, t: float, a: float, p: float) -> Setting:
    return Setting(shared_point([1 - t, t], a, [1 - p, p]), subjects, 5)


def _true(setting: Setting) -> tuple[float, float, float]:
    point = setting.parameters
    return float(point.truth[1]), float(point.accuracy[0, 0]), float(point.guessing[0, 0, 1])


@dataclass(frozen=True, slots=True)
class CoveragePart:
    """One kind of interval in one setting, for so many data sets; data set r is the same for every kind."""

    setting: Setting
    kind: str
    sets: int
    seed: int
    level: float


def coverage(
    replicates: int | None = None,
    seed: int = 1,
    workers: int = 1,
    level: float = 0.95,
    kinds: Sequence[str] = COVERAGE_KINDS,
    kept: FinishedPieces | None = None,
) -> Run[StudyTable]:
    """The table of all kinds of intervals of ``t-a-p``.

    Profile intervals in the named cells and near the edges; every other kind in some of them, re-draws being 500 each.

    Parameters
    ----------
    replicates
        Data sets of each cell, whatever the kind; by default 2,000 for profile intervals and 50 for the others.
    seed
        Of the data sets and re-draws.
    workers
        Number of processes; the table is the same whatever it is.
    level
        Of the intervals.
    kinds
        Only these kinds.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.
    """
    return (yield from covered(coverage_parts(replicates, seed, level, kinds), workers, kept))


def coverage_parts(
    replicates: int | None = None, seed: int = 1, level: float = 0.95, kinds: Sequence[str] = COVERAGE_KINDS
) -> tuple[CoveragePart, ...]:
    """What `coverage` looks at, each kind in each of its cells."""
    every, some = COVERAGE_SETS if replicates is None else (replicates, replicates)
    parts = [CoveragePart(s, "profile", every, seed, level) for s in named_cells() + edge_cells()]
    parts += [CoveragePart(s, kind, some, seed, level) for kind in COVERAGE_KINDS[1:] for s in chosen_cells()]
    return tuple(part for part in parts if part.kind in kinds)


def covered(parts: Sequence[CoveragePart], workers: int = 1, kept: FinishedPieces | None = None) -> Run[StudyTable]:
    """A table with three rows, one for each parameter, for every part.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    Table
        ``sets`` data sets, of which in ``on_edge`` the maximum lies on an edge and in ``without`` there is no
        interval; shares of the intervals that hold the truth (``covered``, and ``covered_inside`` of the data sets
        with an interior maximum), that lie below it and above it; mean ``width`` (None for profile intervals, which
        are judged without their ends).

    Raises
    ------
    UsageError
        When a kind does not exist, or a number makes no sense; it stands in the sentence.
    """
    for part in parts:
        if part.kind not in COVERAGE_KINDS:
            raise UsageError(
                _("There is no interval '{kind}'.").format(kind=part.kind),
                fix=_("Choose from {kinds}.").format(kinds=", ".join(COVERAGE_KINDS)),
            )
        if part.sets < 1 or not 0 < part.level < 1:
            raise UsageError(
                _("{sets} data sets at the level {level} make no study.").format(sets=part.sets, level=part.level)
            )
    results = yield from in_parallel(_rows, parts, workers, kept=kept)
    return join_tables("coverage", COLUMNS, results)


def _rows(part: CoveragePart) -> Run[list[tuple[Cell, ...]]]:
    here = complete_count_vectors(part.setting.subjects, part.setting.raters, 2)
    if here is None:
        raise UsageError(
            _("{raters} {ratings} of {a_subject} have too many patterns to list.").format(raters=part.setting.raters)
        )
    weights = here.draw(part.setting.parameters, part.sets, np.random.default_rng([part.seed, 9]))
    verdicts = _by_profile(part, here, weights) if part.kind == "profile" else _by_analysis(part, here, weights)
    side, width, edge = yield from verdicts
    true = _true(part.setting)
    rows: list[tuple[Cell, ...]] = []
    for i, name in enumerate(NAMES):
        there = np.isfinite(side[:, i])
        words, inside = side[there, i], side[there & ~edge, i]
        some = width[np.isfinite(width[:, i]), i]
        rows.append(
            (
                part.setting.subjects, part.setting.raters, *true, part.kind, name,
                part.sets, int(edge.sum()), int((~there).sum()),
                _share(words == 0), _share(inside == 0), _share(words < 0), _share(words > 0),
                float(some.mean()) if some.size else None,
            )
        )  # fmt: skip
    return rows


def _share(which: np.ndarray) -> float | None:
    return float(which.mean()) if which.size else None


def _by_analysis(
    part: CoveragePart, here: CountVectors, weights: FloatArray
) -> Run[tuple[FloatArray, FloatArray, np.ndarray]]:
    """Side of the truth each interval lies on (0: around it, NaN: none), its width, whether the fit is on an edge."""
    exact = part.kind == "posterior"
    request = Request(
        model("t-a-p"),
        estimator="posterior" if exact else "exact-em",
        interval="none" if exact else part.kind,
        level=part.level,
        replicates=_REDRAWS,
        seed=part.seed,
    )
    side, width = (np.full((part.sets, 3), np.nan) for _turn in range(2))
    edge = np.zeros(part.sets, dtype=bool)
    for b, row in enumerate(weights):
        fit = yield from relay(analyse(_tallied(here, row), request, shares=False), b, part.sets, "study")
        edge[b] = fit.degenerate
        for i, (name, true) in enumerate(zip(NAMES, _true(part.setting), strict=True)):
            e = fit.estimate(name)
            if e.low is not None and e.high is not None:
                side[b, i] = 1.0 if e.low > true else -1.0 if e.high < true else 0.0
                width[b, i] = e.high - e.low
    return side, width, edge


def _tallied(here: CountVectors, weights: FloatArray) -> Ratings:
    """The data set as ratings: one subject for each vector of counts, standing for several."""
    used = np.flatnonzero(weights)
    ones, size = here.table[used, 1], here.size[used]
    subject = np.repeat(np.arange(used.size), size)
    place = np.arange(subject.size) - np.repeat(np.cumsum(size) - size, size)
    return Ratings.of(
        subject,
        np.zeros_like(subject),
        (place < ones[subject]).astype(np.int64),
        [f"{k} of {n}" for k, n in zip(ones, size, strict=True)],
        ["any"],
        ["0", "1"],
        raters_known=False,
        weight=weights[used].astype(np.int64),
    )


def _by_profile(
    part: CoveragePart, here: CountVectors, weights: FloatArray
) -> Run[tuple[FloatArray, FloatArray, np.ndarray]]:
    """The same for profile intervals, all data sets side by side, and no widths."""
    space = pooled_space(model("t-a-p"), 2)
    evidence = space.evidence(here.patterns)
    point = part.setting.parameters
    top = yield from fit_count_vectors(model("t-a-p"), here, weights, [point], effort=CAREFUL, phase="study")
    best = np.stack([top.stack.truth[:, 1], top.stack.accuracy[:, 0, 0], top.stack.guessing[:, 0, 0, 1]], axis=1)
    drop = float(chdtri(1, 1 - part.level)) / 2
    side = np.zeros((part.sets, 3))
    for i, true in enumerate(_true(part.setting)):
        level = np.full(part.sets, -np.inf)
        for start in (top.stack.inside(_MARGIN), Stack.of([point] * part.sets)):
            run = climb(
                space,
                evidence,
                _with(start, i, true),
                weights=weights,
                pins=_pins(part.sets, i, true),
                tolerance=CAREFUL.tolerance,
                limit=CAREFUL.limit,
            )
            ended = yield from relay(run, i, len(NAMES), "study")
            level = np.maximum(level, ended.log_likelihood)
        outside = top.log_likelihood - level > drop
        side[:, i] = np.where(outside, np.sign(best[:, i] - true), 0.0)
    yield Step(len(NAMES), len(NAMES), "study")
    edge = np.asarray(((best < _EDGE) | (best > 1 - _EDGE)).any(axis=1), dtype=bool)
    return side, np.full_like(side, np.nan), edge


def _with(stack: Stack, which: int, value: float) -> Stack:
    """The points with one of t, a, p at a value."""
    truth, accuracy, guessing = stack.truth.copy(), stack.accuracy.copy(), stack.guessing.copy()
    if which == 0:
        truth[:] = 1 - value, value
    elif which == 1:
        accuracy[:] = value
    else:
        guessing[:] = 1 - value, value
    return Stack(truth, accuracy, guessing, stack.slopes)


def _pins(count: int, which: int, value: float) -> Stack:
    """Only that number held."""
    free = Stack(
        np.full((count, 2), np.nan), np.full((count, 1, 1), np.nan), np.full((count, 1, 1, 2), np.nan),
        np.full((count, 0), np.nan),
    )  # fmt: skip
    return _with(free, which, value)
