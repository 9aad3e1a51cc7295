"""Models side by side on the same ratings: which may be compared, what tests between them say (models.md §3, §8)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from tapdesk.errors import CannotAnswerError, TapdeskError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.fitting.likelihood_region import extremes
from tapdesk.language import gettext as _
from tapdesk.language import joined, same_sentence
from tapdesk.models.design import design
from tapdesk.models.model import Guessing, Key, Truth, model
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.likelihood_ratio import (
    PAIRS,
    Nested,
    bootstrap_test,
    check,
    hypothesis,
    observed,
    portions,
    simulated,
)
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.rater_differences import few_leanings
from tapdesk.studies.table import Cell, StudyTable

# With two classes and pooled raters these say the same of any data: a mixture of two binomials.
ONE_MAXIMUM = ("t-a-p", "t-ak-p", "t-a0a1-p0p1")
_CRITERIA = ("log_likelihood", "parameters", "aic", "bic", "krits", "krits_imputed")
COLUMNS = ("model", *_CRITERIA, "accuracy", "accuracy_low", "accuracy_high", "note")
_SAME = _(
    "With two classes and {raters} not told apart, the models {names} reach the same best likelihood on "
    "any data, so the data cannot choose between them."
)
_RATES = _("Its rates were taken from the data, not estimated, so its AIC and BIC are too favourable.")
_NO_ENDS = _("The ends of the interval could not be found.")
# Below this many cases BIC would charge less for a number than AIC does: both are for many cases.
_FEWEST = 8
_FEW = _("With fewer than {fewest} {subjects} AIC and BIC do not tell models apart.").format(fewest=_FEWEST)
_MORE = _("It has as many numbers as there are {subjects}, or more, so counting them means nothing.")
_OPEN = _("The data do not determine all its parameters, so counting them means nothing.")

# (model, least number of classes at which it says something of its own).
GRID = (("t-a-p", 2), ("t-a-t", 2), ("P-a-P", 2), ("t-ak-p", 3), ("t-aj-p", 2), ("t-a-pj", 2), ("t-aj-pj", 2))
# By name, in the order of the grid.
TESTS = ("a=0", *(pair.name for pair in PAIRS))
# Beyond these sizes the tests would keep a committee waiting.
_MOST_RATINGS, _MOST_RATERS = 20_000, 30
_ACCURACIES = {"a", "a0", "a1"}
# So much lower, in nats, another optimum is still a place from which to look for the ends of an interval.
_NEAR = 2.0
_NO_INFORMATION = _("No {rating} carries information about its subject: every accuracy is 0.")
_VERY_LONG = _("With this many {ratings} or {raters} this test would take very long.")
# A piece: the name of a test, and from which to which data set; no name: the fits; no data sets: the ratings.
_Unit = tuple[str, int, int]
# What becomes of the fits.
_Fitted = Callable[[tuple[Fit, ...]], tuple[Any, ...]]


@dataclass(frozen=True, eq=False)
class ModelRow:
    """One model.

    Attributes
    ----------
    fit
        Its fit.
    comparable
        Whether its AIC and BIC may be set beside those of others.
    note
        Why not, or with which reservation; empty when there is nothing to say.
    """

    fit: Fit
    comparable: bool
    note: str


@dataclass(frozen=True, eq=False)
class ModelComparison:
    """Models on one set of ratings.

    Attributes
    ----------
    rows
        In the order given.
    by_aic, by_bic
        Index of the best row that may be compared; None when fewer than two may.
    words
        What must be said before any row is read; empty when nothing.
    """

    rows: tuple[ModelRow, ...]
    by_aic: int | None
    by_bic: int | None
    words: str

    def table(self) -> StudyTable:
        """The rows as a table; AIC and BIC are None where they may not be compared, accuracies by `mean_accuracy`."""
        return StudyTable("comparison", COLUMNS, tuple(self._cells(row) for row in self.rows))

    def _cells(self, row: ModelRow) -> tuple[Cell, ...]:
        fit = row.fit
        criteria = (fit.aic, fit.bic) if row.comparable else (None, None)
        krits = (fit.krits.marginal, fit.krits.imputed)
        a = mean_accuracy(fit)
        accuracy = (None, None, None) if a is None else (a.value, a.low, a.high)
        return (fit.model.name, fit.log_likelihood.ratings, fit.free, *criteria, *krits, *accuracy, row.note)


def compare_fits(fits: Sequence[Fit]) -> ModelComparison:
    """Set fits of the same ratings side by side.

    Parameters
    ----------
    fits
        One for each model, of the same data.

    Raises
    ------
    UsageError
        When the fits are not of the same ratings.
    """
    if len({(f.subjects, f.ratings, f.classes) for f in fits}) > 1:
        raise UsageError(_("These fits are of different {ratings}, so they cannot be compared."))
    shared = [f.model.name for f in fits if f.model.name in ONE_MAXIMUM and len(f.classes) == 2]
    same = _SAME.format(names=", ".join(shared)) if len(shared) > 1 else ""
    few = bool(fits) and fits[0].subjects < _FEWEST
    words = joined(same, _FEW if few else "")
    rows = []
    for fit in fits:
        comparable, note = True, ""
        if fit.model.name in shared[1:]:
            # The first of them stands for all against the other models.
            comparable, note = False, same
        elif not fit.identification.by_design:
            comparable, note = False, _OPEN
        elif few:
            # Said once, before all rows.
            comparable = False
        elif fit.free >= fit.subjects:
            comparable, note = False, _MORE
        elif fit.model.truth is Truth.OBSERVED:
            note = _RATES
        rows.append(ModelRow(fit, comparable, note))
    # A model whose rates came from the data is shown, but never wins by that.
    able = [i for i, row in enumerate(rows) if row.comparable and not same_sentence(row.note, _RATES)]
    if len(able) < 2:
        return ModelComparison(tuple(rows), None, None, words)
    by_aic, by_bic = min(able, key=lambda i: fits[i].aic), min(able, key=lambda i: fits[i].bic)
    return ModelComparison(tuple(rows), by_aic, by_bic, words)


def mean_accuracy(fit: Fit) -> Estimate | None:
    """The accuracy of a model as one number, the mean over raters or classes; None where it is not determined.

    It has an interval where the fit came with one (`grid_fits`), or is of one accuracy.
    """
    if fit.mean_accuracy is not None:
        return fit.mean_accuracy
    estimates = [e.estimate for e in fit.estimates if e.name.name in _ACCURACIES]
    values = [e.value for e in estimates if e.value is not None]
    if not estimates or len(values) < len(estimates):
        return None
    return estimates[0] if len(estimates) == 1 else Estimate(float(np.mean(values)))


def _with_mean_accuracy(ratings: Ratings, fit: Fit, level: float) -> Run[Fit]:
    """The fit with the profile interval of its mean accuracy; as it is where the ratings do not determine that."""
    mean = mean_accuracy(fit)
    if mean is None or mean.value is None:
        return fit
    plan = design(fit.model, ratings)
    columns = [slot for slot in plan.slots if slot.name.name in _ACCURACIES]

    def of_points(stack: Stack) -> FloatArray:
        return np.asarray(np.mean([slot.column(stack) for slot in columns], axis=0))

    top = fit.log_likelihood.ratings
    origins = [o.parameters for o in fit.optima if top - o.log_likelihood < _NEAR][:3] or [fit.parameters]
    (ends,) = yield from extremes(plan, plan.space.evidence(plan.patterns), origins, top, [of_points], level)
    if ends is None:
        return replace(fit, mean_accuracy=mean.without_interval(_NO_ENDS))
    # At an edge the climb that found the maximum is a rounding ahead of the search for the ends.
    low, high = min(ends[0], mean.value), max(ends[1], mean.value)
    return replace(fit, mean_accuracy=mean.between(low, high, level, "profile"))


@dataclass(frozen=True, eq=False)
class GridComparison:
    """Models of the sharing grid side by side.

    Attributes
    ----------
    comparison
        The fits, and which of them may be compared.
    tests
        Those that could be made, in the order of the grid.
    untested
        By the name of every other test the reason, one sentence.
    """

    comparison: ModelComparison
    tests: tuple[BootstrapTest, ...]
    untested: Mapping[str, str]

    def table(self) -> StudyTable:
        """A row for each model and for each test; what a row does not have is None."""
        return comparison_table(self.comparison.table(), self.tests, self.untested)


def comparison_table(compared: StudyTable, tests: Sequence[BootstrapTest], untested: Mapping[str, str]) -> StudyTable:
    """A row for each model of a comparison and for each test, made or not; what a row does not have is None."""
    models: list[tuple[Cell, ...]] = [("model", *row[:-1], None, None, None, None, row[-1]) for row in compared.rows]
    blank = (None,) * (len(compared.columns) - 2)
    made: list[tuple[Cell, ...]] = [
        ("test", t.name, *blank, t.statistic, t.df, t.p_bootstrap, t.replicates, t.about) for t in tests
    ]
    made += [("test", name, *blank, None, None, None, None, why) for name, why in untested.items()]
    columns = ("row", "name", *compared.columns[1:-1], "statistic", "df", "p_bootstrap", "replicates", "note")
    return StudyTable("models", columns, (*models, *made))


def nothing_to_compare(ratings: Ratings) -> str | None:
    """Why all models say the same of these ratings, one sentence; None where they do not."""
    if (ratings.class_rates() > 0).sum() < 2:
        return _("All {ratings} are in one class, so every model says the same of them.")
    if not (ratings.subject_weights()[ratings.ratings_per_subject() > 1] > 0).any():
        return _("No {subject} has two {ratings}, so there is no agreement for a model to explain.")
    return None


def grid_fits(ratings: Ratings, seed: int, level: float = 0.95, key: Key = Key.UNUSED) -> Run[tuple[Fit, ...]]:
    """Every model of the list that can be fitted to these ratings, with the profile interval of its mean accuracy.

    Of very many ratings or raters the estimates alone. ``key`` is what is made of known cases, of all models the same.
    """
    fits = []
    large = ratings.subject.size > _MOST_RATINGS or (ratings.raters_known and len(ratings.raters) > _MOST_RATERS)
    for name, least in GRID:
        chosen = replace(model(name), key=key)
        request = Request(chosen, interval="none", level=level, seed=seed)
        if chosen.guessing is Guessing.PER_RATER and not few_leanings(ratings):
            continue
        if len(ratings.classes) < least or (chosen.by_rater and not ratings.raters_known) or refusal(ratings, request):
            continue
        fit = yield from analyse(ratings, request, shares=False)
        fits.append(fit if large else (yield from _with_mean_accuracy(ratings, fit, level)))
    return tuple(fits)


def compare_grid(ratings: Ratings, replicates: int = 300, seed: int = 1) -> Run[GridComparison]:
    """Fit the models of the grid, and test by parametric bootstrap what each leaves out.

    Parameters
    ----------
    ratings
        The data.
    replicates, seed
        Simulated data sets of each test, and of the random numbers.

    Yields
    ------
    Step
        Phase ``models``, pieces done.

    Raises
    ------
    CannotAnswerError
        When the ratings cannot tell one model from another.
    """
    fits, tests, untested = yield from _pieces(ratings, (replicates, seed), _as_fits, "models")
    return GridComparison(compare_fits(fits), tests, untested)


def models_study(
    ratings: Ratings, replicates: int = 1000, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """The table of `compare_grid` as a study: in several processes, and gone on with where it was ended.

    Parameters
    ----------
    ratings, replicates, seed
        As in `compare_grid`.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same study had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``study``, pieces done.

    Raises
    ------
    CannotAnswerError
        When the ratings cannot tell one model from another.
    """
    rows, tests, untested = yield from _pieces(ratings, (replicates, seed), _as_rows, "study", workers, kept)
    return comparison_table(StudyTable("comparison", COLUMNS, rows), tests, untested)


def _pieces(
    ratings: Ratings,
    scale: tuple[int, int],
    fitted: _Fitted,
    phase: str,
    workers: int = 1,
    kept: FinishedPieces | None = None,
) -> Run[tuple[Any, tuple[BootstrapTest, ...], Mapping[str, str]]]:
    """What became of the fits, the tests that could be made, and why the others could not."""
    reason = nothing_to_compare(ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    untested: dict[str, str] = {}
    hypotheses: dict[str, Nested] = {}
    for name in TESTS:
        try:
            hypotheses[name] = _nested(ratings, name)
        except TapdeskError as error:
            untested[name] = error.what
    units: list[_Unit] = [("", 0, 0)]
    for name, nested in hypotheses.items():
        units += [(name, 0, 0), *((name, *part) for part in portions(ratings, nested, scale[0]))]
    answers = yield from in_parallel(partial(_piece, ratings, scale, fitted), units, workers, phase, kept)
    tests = []
    for name, nested in hypotheses.items():
        (statistic,), *draws = (a for (of, *_part), a in zip(units, answers, strict=True) if of == name)
        tests.append(bootstrap_test(name, statistic, nested.df, np.concatenate(draws), nested.about))
    return answers[0], tuple(tests), MappingProxyType(untested)


def _piece(ratings: Ratings, scale: tuple[int, int], fitted: _Fitted, unit: _Unit) -> Run[Any]:
    """The fits, the statistic of a test, or those of a part of its simulated data sets."""
    (_replicates, seed), (name, first, last) = scale, unit
    yield Step(0, 1, "study")
    if not name:
        return fitted((yield from grid_fits(ratings, seed)))
    nested = _nested(ratings, name)
    if last == 0:
        return ((yield from observed(ratings, nested, seed)),)
    draws = yield from simulated(ratings, nested, (first, last), seed)
    return tuple(draws.tolist())


def _as_fits(fits: tuple[Fit, ...]) -> tuple[Fit, ...]:
    """Whole, for those who look at them here."""
    return fits


def _as_rows(fits: tuple[Fit, ...]) -> tuple[tuple[Cell, ...], ...]:
    """Plain values, which go into a file and to another process."""
    return compare_fits(fits).table().rows


def _nested(ratings: Ratings, name: str) -> Nested:
    """The hypothesis of a test of the grid.

    Raises
    ------
    CannotAnswerError
        When it cannot be tested on these ratings, or not while anybody waits.
    """
    by_rater = name not in {"a=0", "t=p", "equal accuracies by class"}
    if ratings.subject.size > _MOST_RATINGS or (by_rater and len(ratings.raters) > _MOST_RATERS):
        raise CannotAnswerError(_VERY_LONG)
    nested = Nested(name, model("t-a-p"), None, _NO_INFORMATION) if name == "a=0" else hypothesis(name, ratings)
    check(ratings, nested.larger)
    return nested
