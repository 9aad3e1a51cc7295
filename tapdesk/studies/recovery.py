"""Recovery: data are simulated from known parameters, or those of a fit, and fitted, to see what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TypeAlias

import numpy as np

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.quadrature.grid import Scanner
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, probability
from tapdesk.fitting.quadrature.method import count_model
from tapdesk.fitting.quadrature.models import PHASE, HalfGrid
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom, Slot, Unit, design, slots
from tapdesk.models.model import Accuracy, RaterModel, model
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.models.simulate import complete_design, simulate
from tapdesk.models.space import Space
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import CAREFUL, fit_count_vectors, fit_dataset
from tapdesk.studies.bootstrap import parametric_redraws, with_value
from tapdesk.studies.fleiss_kappa import fleiss_kappas, kappa_of
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.simulated_data import CountVectors, complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable, join_tables

# Nodes along the three directions that follow the mass, and cells of a histogram for quantiles.
_NODES = (73, 53, 37)
_CELLS = 2000
ENDS = (0.05, 0.95)

# Portions are the same however many processes share them, and so are the sums inside them.
_PORTION = 400
_BELIEVED = 50
_NEAR_BOUND = 1e-3
_NAMES = ("t", "a", "p")
_Rows: TypeAlias = list[tuple[tuple[int, int], tuple[Cell, ...]]]
REPLICATES = 200
LEVEL = 0.95
_TAIL = (1 - LEVEL) / 2
# As the study of recovery has it (`tapdesk.studies.recovery`).
_NEAR_EDGE = 1e-3
_HALF = 0.5
_OFTEN_OPEN = _("In most of these data sets this number has no value.")


@dataclass(frozen=True, slots=True)
class Belief:
    """One number under the posterior: its mean and the middle 90 %."""

    mean: float
    low: float
    high: float


def beliefs(patterns: Patterns) -> Run[dict[str, Belief]]:
    """Mean and middle of t, a and p under flat priors, by the grid of the exact posterior.

    The full account (`fitting.quadrature`) has smooth curves and modes besides, and refines its grid where this one is
    what it begins with: means of some hundred subjects agree to 1e-5.

    Parameters
    ----------
    patterns
        Counts of two classes.

    Yields
    ------
    Step
        Phase ``posterior``.
    """
    (half,) = count_model("t-a-p").halves(BinaryCounts.of(patterns))
    scanner = Scanner(half.target, None)
    yield Step(0, 1, PHASE)
    grid = scanner.grid(scanner.w_box(), _NODES)
    mass = HalfGrid(half, grid, 1.0).node_mass
    return {
        name: _belief(np.broadcast_to(at, mass.shape).ravel(), mass.ravel())
        for name, at in (("t", grid.x), ("a", grid.y), ("p", grid.z))
    }


def _belief(at: FloatArray, mass: FloatArray) -> Belief:
    """From nodes on the logit scale: the mean, and quantiles of a fine histogram."""
    low, high = float(at.min()), float(at.max())
    step = max((high - low) / (_CELLS - 1), 1e-12)
    place = (at - low) / step
    cell = np.minimum(place.astype(np.int64), _CELLS - 2)
    # Each node is shared by the two cells beside it, so that quantiles do not jump with the grid.
    share = (place - cell) * mass
    held = np.bincount(cell, mass - share, _CELLS) + np.bincount(cell + 1, share, _CELLS)
    below = np.cumsum(held)
    whole = float(below[-1])
    ends = np.interp(ENDS, (below - held / 2) / whole, low + step * np.arange(_CELLS))
    first, last = probability(ends).tolist()
    return Belief(float(probability(at) @ mass / mass.sum()), first, last)


@dataclass(frozen=True, eq=False)
class Setting:
    """One cell of the grid: true parameters, and how many subjects are rated by how many raters each."""

    parameters: Parameters
    subjects: int
    raters: int


@dataclass(frozen=True, eq=False)
class RecoveryPlan:
    """What a recovery study is to do.

    Attributes
    ----------
    model
        What is simulated and fitted.
    settings
        The grid; all settings have the same number of classes.
    replicates
        Data sets of each setting.
    seed
        Data set r of setting s has the random numbers of (seed, s, r), whatever else is asked for.
    posterior
        Whether the exact posterior is found as well; of t-a-p with two classes only.
    groups, again
        As of `tapdesk.models.simulate.complete_design`.
    """

    model: RaterModel
    settings: tuple[Setting, ...]
    replicates: int
    seed: int = 1
    posterior: bool = False
    groups: tuple[str, ...] = ()
    again: int = 0


@dataclass(frozen=True, eq=False)
class _Portion:
    """Some data sets of one setting, or of several that share a design, as pairs of indices."""

    which: tuple[tuple[int, int], ...]


def four_classes(replicates: int = 20, seed: int = 1) -> RecoveryPlan:
    """The K = 4 case of Kappa Zoo ch. 9: 100 subjects, 5 raters, a = .5, guesses against the grain of the truth."""
    point = shared_point([0.1, 0.2, 0.3, 0.4], 0.5, [0.4, 0.3, 0.2, 0.1])
    return RecoveryPlan(model("t-a-p"), (Setting(point, 100, 5),), replicates, seed)


def tap_grid(
    replicates: int = 1, seed: int = 1, *, posterior: bool = False, subjects: int = 300, raters: int = 5
) -> RecoveryPlan:
    """The 729 cells of "Modeling Raters and Ratings": t, a, p each .1 to .9, there with 300 subjects and 5 raters."""
    steps = [round(0.1 * i, 1) for i in range(1, 10)]
    points = [shared_point([1 - t, t], a, [1 - p, p]) for t, a, p in product(steps, repeat=3)]
    settings = [Setting(point, subjects, raters) for point in points]
    return RecoveryPlan(model("t-a-p"), tuple(settings), replicates, seed, posterior)


def shared_point(truth: Sequence[float], accuracy: float, guessing: Sequence[float]) -> Parameters:
    """Parameters that all raters share."""
    return Parameters(
        np.array(truth), np.array([[accuracy]]), np.array(guessing, dtype=float).reshape(1, 1, -1), np.zeros(0)
    )


def recover(
    plan: RecoveryPlan, workers: int = 1, finished: StudyTable | None = None, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """Run a recovery study.

    Parameters
    ----------
    plan
        What to do.
    workers
        Number of processes; the table is the same whatever it is.
    finished
        The table of an earlier run of the same plan with fewer replicates, whose rows are taken over.
    kept
        What an earlier run of the same plan had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    Table
        One row for each data set: ``setting``, ``replicate`` (from 1), ``subjects``, ``raters``; for every parameter
        ``true NAME`` and ``NAME``; ``root_kappa`` (None where kappa is negative or undefined), ``log_likelihood``
        (nats, ratings form), ``settled``, and ``near_bound``: whether an estimate is within 0.001 of 0 or 1. With the
        posterior also ``mean NAME``, and ``low NAME``, ``high NAME``: the ends of its middle 90 %.

    Raises
    ------
    UsageError
        When the plan is empty or mixes numbers of classes.
    """
    if not plan.settings or plan.replicates < 1:
        raise UsageError(_("A recovery study needs at least one setting and one data set."))
    if len({s.parameters.classes for s in plan.settings}) > 1:
        raise UsageError(_("All settings of a recovery study must have the same number of classes."))
    if plan.posterior and (plan.model.name != "t-a-p" or plan.settings[0].parameters.classes != 2):
        raise UsageError(_("The exact beliefs of a recovery study are those of t-a-p with two classes."))
    columns = (*_columns(plan), *_believed(plan))
    known = {} if finished is None else _rows_by_place(finished, columns)
    portions = _portions(plan, set(known))
    parts = yield from in_parallel(partial(_run, plan), portions, workers, kept=kept)
    fresh = {place: row for part in parts for place, row in part}
    everything = known | fresh
    return join_tables("recovery", columns, [[everything[place] for place in sorted(everything)]])


def summary(table: StudyTable) -> StudyTable:
    """For each setting and parameter the true value, and mean, spread, bias and error of the estimates.

    ``error_of_mean`` is the Monte Carlo standard error of the mean, None with a single data set.
    """
    names = [c.removeprefix("true ") for c in table.columns if c.startswith("true ")]
    setting = table.numbers("setting")
    rows: list[tuple[Cell, ...]] = []
    for s in np.unique(setting):
        inside = setting == s
        for name in names:
            true, result = table.numbers(f"true {name}")[inside], table.numbers(name)[inside]
            n = int(inside.sum())
            sd = float(result.std(ddof=1)) if n > 1 else None
            error = sd / float(np.sqrt(n)) if sd is not None else None
            mean = float(result.mean())
            rmse = float(np.sqrt(((result - true) ** 2).mean()))
            rows.append((int(s), name, float(true[0]), n, mean, sd, error, mean - float(true[0]), rmse))
    columns = ("setting", "parameter", "true", "data_sets", "mean", "sd", "error_of_mean", "bias", "rmse")
    return StudyTable("recovery summary", columns, tuple(rows))


def _reported_slots(plan: RecoveryPlan, setting: Setting) -> list[Slot]:
    """The parameters that are reported."""
    k = setting.parameters.classes
    names = [str(c) for c in range(2)] if k == 2 else [str(c + 1) for c in range(k)]
    if plan.model.by_group or plan.model.memory:
        made = complete_design(plan.model, names, _raters(setting), setting.subjects, plan.groups, plan.again)
        return list(design(plan.model, made).slots)
    units = setting.raters if plan.model.by_rater else 1
    slopes = setting.parameters.slopes.size
    space = Space(plan.model, units, k, np.full(k, 1 / k), np.zeros((units, slopes)))
    return slots(space, names, [Unit(name) for name in _raters(setting)], _covariates(plan, slopes))


def _covariates(plan: RecoveryPlan, slopes: int) -> tuple[str, ...]:
    return plan.model.covariates or tuple(f"x{s}" for s in range(1, slopes))


def _raters(setting: Setting) -> tuple[str, ...]:
    return tuple(f"J{j + 1}" for j in range(setting.raters))


def _columns(plan: RecoveryPlan) -> tuple[str, ...]:
    widest = max(plan.settings, key=lambda s: s.raters)
    names = [str(slot.name) for slot in _reported_slots(plan, widest)]
    pairs = [part for name in names for part in (f"true {name}", name)]
    head = ("setting", "replicate", "subjects", "raters")
    return (*head, *pairs, "root_kappa", "log_likelihood", "settled", "near_bound")


def _believed(plan: RecoveryPlan) -> tuple[str, ...]:
    return tuple(f"{end} {n}" for n in _NAMES for end in ("mean", "low", "high")) if plan.posterior else ()


def _rows_by_place(table: StudyTable, columns: tuple[str, ...]) -> dict[tuple[int, int], tuple[Cell, ...]]:
    if table.columns != columns:
        raise UsageError(_("The finished rows are from another study, so they cannot be taken over."))
    places = zip(table.numbers("setting"), table.numbers("replicate"), strict=True)
    return {(int(s) - 1, int(r) - 1): row for (s, r), row in zip(places, table.rows, strict=True)}


def _portions(plan: RecoveryPlan, known: set[tuple[int, int]]) -> list[_Portion]:
    """The data sets still to make, in portions of one design."""
    by_design: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for place in product(range(len(plan.settings)), range(plan.replicates)):
        if place not in known:
            setting = plan.settings[place[0]]
            by_design.setdefault((setting.subjects, setting.raters), []).append(place)
    size = (_BELIEVED if plan.posterior else _PORTION) if _pooled(plan) else 8
    return [_Portion(tuple(p[at : at + size])) for p in by_design.values() for at in range(0, len(p), size)]


def _pooled(plan: RecoveryPlan) -> bool:
    """Whether counts of the classes can be drawn by the rates alone: cases are alike, and so are raters and groups."""
    return plan.model.pools and plan.model.accuracy is not Accuracy.REGRESSION


def _run(plan: RecoveryPlan, portion: _Portion) -> Run[_Rows]:
    """The rows of one portion."""
    first = plan.settings[portion.which[0][0]]
    here = complete_count_vectors(first.subjects, first.raters, first.parameters.classes) if _pooled(plan) else None
    if here is None:
        rows = []
        for place in portion.which:
            row = yield from _one(plan, place)
            rows.append((place, row))
        return rows
    return (yield from _many(plan, portion, here))


def _seed(plan: RecoveryPlan, place: tuple[int, int]) -> np.random.SeedSequence:
    return np.random.SeedSequence(plan.seed, spawn_key=place)


def _many(plan: RecoveryPlan, portion: _Portion, here: CountVectors) -> Run[_Rows]:
    points = [plan.settings[s].parameters for s, _rest in portion.which]
    weights = np.concatenate(
        [
            here.draw(point, 1, np.random.default_rng(_seed(plan, place)))
            for point, place in zip(points, portion.which, strict=True)
        ]
    )
    climb = yield from fit_count_vectors(plan.model, here, weights, also=Stack.of(points), effort=CAREFUL)
    kappas = fleiss_kappas(here.patterns, weights)
    words = _reported_slots(plan, plan.settings[portion.which[0][0]])
    rows = []
    for b, place in enumerate(portion.which):
        scores = (float(kappas[b]), float(climb.log_likelihood[b]), bool(climb.converged[b]))
        row = _row(plan, place, words, climb.stack.one(b), scores)
        if plan.posterior:
            held = yield from beliefs(replace(here.patterns, weight=weights[b]))
            row += tuple(getattr(held[n], end) for n in _NAMES for end in ("mean", "low", "high"))
        rows.append((place, row))
    return rows


def _one(plan: RecoveryPlan, place: tuple[int, int]) -> Run[tuple[Cell, ...]]:
    setting = plan.settings[place[0]]
    raters = _raters(setting)
    classes = [str(c + 1) for c in range(setting.parameters.classes)]
    source = plan.model
    if source.accuracy is Accuracy.REGRESSION:
        source = replace(source, covariates=_covariates(plan, setting.parameters.slopes.size))
    seed = _seed(plan, place)
    made = (setting.parameters, classes, raters, setting.subjects, seed, plan.groups, plan.again)
    ratings, _truth = simulate(source, *made)
    point, level, settled = yield from fit_dataset(source, ratings, plan.seed)
    kappa = kappa_of(ratings)
    scores = (np.nan if kappa is None else kappa, level, settled)
    return _row(plan, place, _reported_slots(plan, setting), point, scores)


def _row(
    plan: RecoveryPlan,
    place: tuple[int, int],
    words: Sequence[Slot],
    point: Parameters,
    scores: tuple[float, float, bool],
) -> tuple[Cell, ...]:
    """One row; a design with fewer raters than the widest leaves the others' columns empty."""
    setting = plan.settings[place[0]]
    kappa, level, settled = scores
    true = {
        str(s.name): s.most * float(getattr(setting.parameters, s.part)[_shared(setting.parameters, s)]) for s in words
    }
    table = {str(s.name): s.value(point) for s in words}
    pairs: list[Cell] = []
    for column in _columns(plan)[4:-4]:
        name = column.removeprefix("true ")
        pairs.append((true if column.startswith("true ") else table).get(name))
    values: FloatArray = np.array([table[str(s.name)] for s in words if s.part != "slopes"])
    near = bool(((values < _NEAR_BOUND) | (values > 1 - _NEAR_BOUND)).any())
    head = (place[0] + 1, place[1] + 1, setting.subjects, setting.raters)
    return (*head, *pairs, float(np.sqrt(kappa)) if kappa >= 0 else None, level, settled, near)


def _shared(point: Parameters, slot: Slot) -> tuple[int, ...]:
    """Where a reported number stands in parameters that may share it more widely than the model."""
    shape = getattr(point, slot.part).shape
    return tuple(min(i, n - 1) for i, n in zip(slot.index, shape, strict=True))


@dataclass(frozen=True, slots=True)
class RecoveryRange:
    """Where one number would be found.

    Attributes
    ----------
    at
        Its place in ``Fit.estimates``.
    true
        The value the data sets were drawn with; None where the ratings leave it open.
    median, low, high
        Of the values found: the middle one, and the ends of the middle 95 %. None where there is nothing to tell.
    on_edge
        Share of the data sets in which it is found within 0.001 of 0 or 1; None likewise.
    without
        Share of the data sets in which it has no value.
    why_not
        Why there is nothing to tell, a sentence; empty where there is.
    """

    at: int
    true: float | None
    median: float | None = None
    low: float | None = None
    high: float | None = None
    on_edge: float | None = None
    without: float = 0.0
    why_not: str = ""


def no_recovery(fit: Fit, ratings: Ratings) -> str | None:
    """Why data sets cannot be drawn from a fit and fitted again, or None."""
    if not ratings.subject.size:
        return _("There are no {ratings} to draw.")
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if fit.model.accuracy is Accuracy.REGRESSION:
        return _("This is not worked out for a model in which the accuracy goes with another column.")
    if not fit.converged:
        return _("The estimates had not settled when the search stopped, so nothing is drawn from them.")
    if not fit.rates_known:
        return _("These {ratings} do not determine all numbers, so there is nothing to draw from.")
    return None


def recover_fit(
    fit: Fit, ratings: Ratings, replicates: int = REPLICATES, seed: int = 1
) -> Run[tuple[RecoveryRange, ...]]:
    """Where the numbers of a fit would be found if they were true.

    Parameters
    ----------
    fit, ratings
        The numbers, and the design: as many cases, rated by the same raters as often.
    replicates
        How many data sets are drawn.
    seed
        The same seed gives the same table.

    Yields
    ------
    Step
        Phase ``re-draws`` (see `parametric_redraws`).

    Returns
    -------
    tuple
        One for each number that the model estimates freely, in the order of the fit.

    Raises
    ------
    CannotAnswerError
        When there is nothing to draw from.
    """
    reason = no_recovery(fit, ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    drawn = yield from parametric_redraws(fit.model, ratings, [fit.parameters], replicates, seed)
    return summarised(fit, drawn)


def summarised(fit: Fit, drawn: Mapping[ParameterName, FloatArray]) -> tuple[RecoveryRange, ...]:
    """Middle, range and edges of the values found, shape (replicates,) by number."""
    known = with_value(fit, drawn)
    sentences = []
    for at, e in enumerate(fit.estimates):
        if e.freedom is not Freedom.FREE or e.name not in drawn:
            continue
        if e.estimate.value is None:
            sentences.append(RecoveryRange(at, None, why_not=str(e.estimate.undefined)))
            continue
        result = drawn[e.name][known[e.name]]
        without = 1 - result.size / drawn[e.name].size
        if without > _HALF:
            sentences.append(RecoveryRange(at, e.estimate.value, without=without, why_not=_OFTEN_OPEN))
            continue
        low, median, high = (float(q) for q in np.quantile(result, [_TAIL, 0.5, 1 - _TAIL]))
        on_edge = float(((result < _NEAR_EDGE) | (result > 1 - _NEAR_EDGE)).mean())
        sentences.append(RecoveryRange(at, e.estimate.value, median, low, high, on_edge, without))
    return tuple(sentences)
