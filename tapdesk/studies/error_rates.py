"""How often the tests of the newer models speak where nothing differs (their size), and where something does (power).

Panels are simulated on one design, with and without the difference a test is about, and tested as a panel of a user is,
with data sets simulated from its own fit. A test that keeps its word speaks in 5 of 100 panels without a difference.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import GROUP_MODELS, MEMORY_MODELS, RaterModel, model
from tapdesk.models.parameters import FloatArray
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.consistency import no_memory
from tapdesk.studies.group_contrasts import equal_accuracies, equal_truths
from tapdesk.studies.likelihood_ratio import Nested, likelihood_ratio
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import StudyTable

COLUMNS = ("test", "truth", "subjects", "raters", "sets", "replicates", "rejected", "error")
TESTS = ("equal-a-groups", "equal-t-groups", "memory")
SETS, REPLICATES = 400, 39
_LEVEL, _PIECES, _STREAM = 0.05, 40, 71
_CASES, _RATERS = 120, 4
_COLUMN = "part"
_RATE, _ACCURACY, _MEMORY = (0.3, 0.5), (0.7, 0.5), 0.4


@dataclass(frozen=True, slots=True)
class ErrorRatePart:
    """Some panels of one test; panel r is the same whatever else is asked for."""

    test: str
    differs: bool
    first: int
    last: int
    seed: int


def error_rate_parts(test: str, sets: int = SETS, seed: int = 1) -> tuple[ErrorRatePart, ...]:
    """What `error_rates` works on, in several pieces: without a difference, then with one.

    Raises
    ------
    UsageError
        When there is no such test.
    """
    if test not in TESTS:
        raise UsageError(
            _("There is no table of error rates of the test '{test}'.").format(test=test),
            fix=_("The tests are: {known}.").format(known=", ".join(TESTS)),
        )
    ends = np.unique(np.linspace(0, sets, min(_PIECES, max(sets, 1)) + 1).astype(int)).tolist()
    return tuple(ErrorRatePart(test, differs, a, b, seed) for differs in (False, True) for a, b in pairwise(ends))


def error_rates(
    test: str, sets: int = SETS, seed: int = 1, workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table of two rows: how often a test speaks without the difference it is about, and with it.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        ``rejected`` is the share of panels with a p-value of at most .05, ``error`` its standard error.

    Raises
    ------
    UsageError
        When no panels are asked for, or there is no such test.
    """
    parts = error_rate_parts(test, sets, seed)
    if not parts:
        raise UsageError(_("A study of no panels tells nothing."))
    results = yield from in_parallel(p_values, parts, workers, kept=kept)
    rows = []
    for differs in (False, True):
        own = np.concatenate([p for part, p in zip(parts, results, strict=True) if part.differs == differs])
        share = float((own <= _LEVEL + 1e-9).mean())
        error = float(np.sqrt(max(share * (1 - share), _LEVEL * (1 - _LEVEL)) / own.size))
        truth = "differs" if differs else "same"
        rows.append((test, truth, _CASES, _RATERS, own.size, REPLICATES, share, error))
    return StudyTable("error rates", COLUMNS, tuple(rows))


def p_values(part: ErrorRatePart) -> Run[list[float]]:
    """The p-value of every panel."""
    items = []
    total = part.last - part.first
    for r in range(part.first, part.last):
        yield Step(r - part.first, total, "study")
        nested, ratings = _panel(part, np.random.SeedSequence([part.seed, _STREAM, TESTS.index(part.test), r]))
        run = likelihood_ratio(ratings, nested, REPLICATES, r)
        items.append((yield from relay(run, r - part.first, total, "study")).p_bootstrap)
    return items


def _panel(part: ErrorRatePart, seed: np.random.SeedSequence) -> tuple[Nested, Ratings]:
    """The hypothesis, and a panel with or without what it denies."""
    if part.test == "memory":
        memory = np.full(_RATERS, _MEMORY if part.differs else 0.0)
        row = replace(next(m for m in MEMORY_MODELS if m.name == "t-aj-p+m"), occasions=_COLUMN)
        return no_memory(model("t-aj-p"), _COLUMN), _drawn(row, _twice(), seed, memory)
    truth = np.array(_RATE if part.test == "equal-t-groups" and part.differs else _RATE[:1] * 2)
    accuracy = np.array(_ACCURACY if part.test == "equal-a-groups" and part.differs else _ACCURACY[:1] * 2)
    row = replace(next(m for m in GROUP_MODELS if m.name == "tg-ag-p"), groups=_COLUMN)
    nested = equal_accuracies(row) if part.test == "equal-a-groups" else equal_truths(row)
    return nested, _drawn(row, _halves(), seed, np.zeros(0), truth, accuracy)


def _drawn(
    row: RaterModel,
    blank: Ratings,
    seed: np.random.SeedSequence,
    spread: FloatArray,
    truth: FloatArray | None = None,
    accuracy: FloatArray | None = None,
) -> Ratings:
    """A panel of the model; truth and accuracy by group, or the first of those that are tried."""
    truth = np.array(_RATE[:1]) if truth is None else truth
    accuracy = np.full(_RATERS, _ACCURACY[0]) if accuracy is None else accuracy
    rates = np.stack([1 - truth, truth], axis=1)
    space = design(row, blank).space
    rates = rates[None] if row.truth.by_group else rates[:1]
    point = space.point(rates, accuracy[None, :, None], np.array([[0.6, 0.4]])).one(0)
    return simulate_like(blank, row, replace(point, spread=spread), seed)[0]


def _halves() -> Ratings:
    """The design of two groups."""
    names = np.array(["one", "two"], dtype=object)[np.arange(_CASES) % 2]
    return _blank(np.tile(np.arange(_RATERS), _CASES), Covariate(_COLUMN, CovariateOf.SUBJECT, names))


def _twice() -> Ratings:
    """The design in which every rater sees every case of a quarter twice."""
    # A quarter of the cases, so that most of what is known of the raters comes from others.
    again = _CASES // 4
    rater = np.concatenate([np.repeat(np.arange(_RATERS), 2 if i < again else 1) for i in range(_CASES)])
    turn = np.concatenate([np.tile([1, 2], _RATERS) if i < again else np.ones(_RATERS, int) for i in range(_CASES)])
    return _blank(rater, Covariate(_COLUMN, CovariateOf.RATING, turn.astype(object)), again)


def _blank(rater: FloatArray, column: Covariate, again: int = 0) -> Ratings:
    times = np.where(np.arange(_CASES) < again, 2 * _RATERS, _RATERS)
    subject = np.repeat(np.arange(_CASES), times)
    return Ratings.of(
        subject,
        rater.astype(np.int64),
        np.arange(subject.size) % 2,
        [f"S{i + 1}" for i in range(_CASES)],
        [f"R{j + 1}" for j in range(_RATERS)],
        ["no", "yes"],
        covariates=MappingProxyType({column.name: column}),
    )
