"""How often the tests of the newer models speak where nothing differs (their size), and where something does (power).

Panels are simulated on one design, with and without the difference a test is about, and tested as a panel of a user is,
with data sets simulated from its own fit. A test that keeps its word speaks in 5 of 100 panels without a difference.
Whether 39 simulated data sets reject is often known after a few: once two of them reach the statistic the p-value is
above .05 whatever the others say, and no more are drawn (Besag & Clifford 1991, Biometrika 78:301).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from zlib import crc32

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import GRID_MODELS, Key, RaterModel, model
from tapdesk.models.parameters import FloatArray
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.batch_fit import fit_dataset
from tapdesk.studies.consistency import no_memory
from tapdesk.studies.drift import drift
from tapdesk.studies.grid_hypotheses import no_difficulty, no_near_misses, order_says_all
from tapdesk.studies.grid_panels import COLUMN, blank_panel, point_on
from tapdesk.studies.group_contrasts import equal_accuracies, equal_truths
from tapdesk.studies.likelihood_ratio import Nested, drawn_from, hypothesis, observed
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable, join_tables
from tapdesk.studies.wrong_together import wrong_together

COLUMNS = ("test", "truth", "differs", "subjects", "raters", "classes", "sets", "replicates", "rejected", "error")
SETS, REPLICATES = 500, 39
"""Panels without a difference (with one a quarter of them), and simulated data sets of each test."""
_LEVEL, _PIECES, _STREAM = 0.05, 40, 71
_CASES = 150
# Power is told from fewer panels than size.
_LESS = 4
# Of so many that reach the statistic the p-value is above .05; they are drawn in portions of so many.
_REACHED, _PORTIONS = 2, (6, 11, 22)
_SHARE, _GUESS = 0.3, 0.4

Seed = np.random.SeedSequence


@dataclass(frozen=True, slots=True)
class TestWorld:
    """What a test is tried on.

    Attributes
    ----------
    differs
        What differs in the panels with a difference, in symbols.
    raters, classes
        Of each panel.
    draw
        A panel with or without the difference.
    nested
        The hypothesis about a panel; None for tests that are no comparison of two models by simulated panels.
    p_value
        Of such a test, from a panel and a seed; else None.
    """

    differs: str
    raters: int
    classes: int
    draw: Callable[[bool, Seed], Ratings]
    nested: Callable[[Ratings], Nested] | None
    p_value: Callable[[Ratings, int], Run[float]] | None = None


def _named(name: str) -> RaterModel:
    return model(name, GRID_MODELS)


def _drawn(row: RaterModel, blank: Ratings, seed: Seed, **numbers: FloatArray | float | None) -> Ratings:
    """A panel of the model with such numbers (`point_on`)."""
    return simulate_like(blank, row, point_on(design(row, blank), **numbers), seed)[0]


def _groups(truth: tuple[float, float], accuracy: tuple[float, float], seed: Seed) -> Ratings:
    blank = blank_panel(_CASES, 4, groups=True)
    return _drawn(_of_groups(), blank, seed, truth=np.array(truth), accuracy=np.array(accuracy))


def _of_groups() -> RaterModel:
    return replace(_named("tg-ag-p"), groups=COLUMN)


def _remembering() -> RaterModel:
    return replace(_named("t-aj-p+m"), occasions=COLUMN)


def _twice(memory: float, seed: Seed) -> Ratings:
    """Every rater sees every case of a quarter twice: most of what is known of the raters comes from others."""
    blank = blank_panel(_CASES, 4, again=_CASES // 4)
    return _drawn(_remembering(), blank, seed, truth=_SHARE, accuracy=0.7, spread=memory)


def _consensus(right: float, seed: Seed) -> Ratings:
    """Raters of accuracy .8 who follow a consensus, which is the truth so often and else one of the classes."""
    blank, row = blank_panel(_CASES, 3, known=True), replace(model("t-aj-pj"), key=Key.CERTAIN)
    point = point_on(design(row, blank), accuracy=0.8)
    first, second = seed.spawn(2)
    truth = simulate_like(blank, row, point, first)[1]
    rng = np.random.default_rng(second)
    common = np.where(rng.random(_CASES) < right, truth, rng.integers(0, 2, _CASES))
    rate = point.rating_rates()[blank.rater, common[blank.subject], 1]
    return replace(blank, category=(rng.random(rate.size) < rate).astype(np.int64))


def _against_key(ratings: Ratings, seed: int) -> Run[float]:
    return (yield from wrong_together(ratings, model("t-aj-pj"), REPLICATES, seed)).test.p_bootstrap


def _along(slope: float, seed: Seed) -> Ratings:
    """Raters of accuracy .7 in the middle, of whom the first may change along the order, which differs by rater."""
    blank = blank_panel(_CASES, 4)
    rng = np.random.default_rng(seed)
    turn = np.concatenate([rng.permutation(_CASES) for _rater in range(4)]).reshape(4, _CASES).T.ravel()
    x = np.where(blank.rater == 0, slope * ((turn + 0.5) / _CASES - 0.5), 0.0)
    right = rng.random(x.size) < 1 / (1 + (0.3 / 0.7) * np.exp(-x))
    truth = rng.random(_CASES) < _SHARE
    category = np.where(right, truth[blank.subject], rng.random(x.size) < _GUESS).astype(np.int64)
    column = Covariate(COLUMN, CovariateOf.RATING, turn.astype(object))
    return replace(blank, category=category, covariates=MappingProxyType({COLUMN: column}))


def _changed(ratings: Ratings, seed: int) -> Run[float]:
    """The smallest p-value of a rater, for all raters together."""
    rows = yield from drift(ratings, COLUMN, seed)
    return min(row.p_holm for row in rows if row.rater)


_WORLDS: dict[str, TestWorld] = {
    "equal-a-groups": TestWorld(
        "a = .7, .5",
        4,
        2,
        lambda differs, seed: _groups((0.3, 0.3), (0.7, 0.5 if differs else 0.7), seed),
        lambda _ratings: equal_accuracies(_of_groups()),
    ),
    "equal-t-groups": TestWorld(
        "t = .3, .5",
        4,
        2,
        lambda differs, seed: _groups((0.3, 0.5 if differs else 0.3), (0.7, 0.7), seed),
        lambda _ratings: equal_truths(_of_groups()),
    ),
    "equal accuracies": TestWorld(
        "a = .85, .75, .65, .55",
        4,
        2,
        lambda differs, seed: _drawn(
            model("t-aj-p"),
            blank_panel(_CASES, 4),
            seed,
            truth=_SHARE,
            accuracy=np.array([0.85, 0.75, 0.65, 0.55]) if differs else 0.7,
        ),
        lambda ratings: hypothesis("equal accuracies", ratings),
    ),
    "no-difficulty": TestWorld(
        "h = .3",
        6,
        2,
        lambda differs, seed: _drawn(
            _named("t-ah-p"), blank_panel(_CASES, 6), seed, truth=_SHARE, spread=0.3 if differs else 0.0
        ),
        lambda _ratings: no_difficulty(),
    ),
    "no-difficulty of raters": TestWorld(
        "sigma = 2",
        5,
        2,
        lambda differs, seed: _drawn(
            _named("t-aij-p"), blank_panel(_CASES, 5), seed, truth=_SHARE, spread=0.2 if differs else 0.0
        ),
        lambda _ratings: no_difficulty(_named("t-aij-p")),
    ),
    "near-misses": TestWorld(
        "n = .4",
        4,
        4,
        lambda differs, seed: _drawn(_named("t-an-p"), blank_panel(_CASES, 4, 4), seed, spread=0.4 if differs else 0.0),
        lambda _ratings: no_near_misses(),
    ),
    "order": TestWorld(
        "t-aj-p",
        4,
        3,
        lambda differs, seed: _drawn(model("t-aj-p") if differs else _named("sdt"), blank_panel(_CASES, 4, 3), seed),
        lambda _ratings: order_says_all(_named("sdt")),
    ),
    "memory": TestWorld(
        "m = .4",
        4,
        2,
        lambda differs, seed: _twice(0.4 if differs else 0.0, seed),
        lambda _ratings: no_memory(model("t-aj-p"), COLUMN),
    ),
    "together": TestWorld(
        "b = .8", 3, 2, lambda differs, seed: _consensus(0.8 if differs else 1.0, seed), None, _against_key
    ),
    "drift": TestWorld(
        "a = .91 to .34 of one",
        4,
        2,
        lambda differs, seed: _along(-3.0 if differs else 0.0, seed),
        None,
        _changed,
    ),
}
TESTS = tuple(_WORLDS)


@dataclass(frozen=True, slots=True)
class ErrorRatePart:
    """Some panels of one test; panel r is the same whatever else is asked for."""

    test: str
    differs: bool
    first: int
    last: int
    seed: int


def error_rate_parts(tests: Sequence[str] = TESTS, sets: int = SETS, seed: int = 1) -> tuple[ErrorRatePart, ...]:
    """What `error_rates` works on, in several pieces: of each test without a difference, then with one.

    Parameters
    ----------
    tests
        Of `TESTS`.
    sets
        Panels without a difference; with one a quarter of them.
    seed
        Of all that is random.

    Raises
    ------
    UsageError
        When there is no such test.
    """
    items = []
    for test in tests:
        if test not in TESTS:
            raise UsageError(
                _("There is no table of error rates of the test '{test}'.").format(test=test),
                fix=_("The tests are: {known}.").format(known=", ".join(TESTS)),
            )
        for differs, count in ((False, sets), (True, -(-sets // _LESS))):
            ends = np.unique(np.linspace(0, count, min(_PIECES, max(count, 1)) + 1).astype(int)).tolist()
            items += [ErrorRatePart(test, differs, a, b, seed) for a, b in pairwise(ends)]
    return tuple(items)


def error_rates(
    parts: Sequence[ErrorRatePart], workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table of two rows for each test: how often it speaks without the difference it is about, and with it.

    Parameters
    ----------
    parts
        Of `error_rate_parts`.
    workers, kept
        As of `coverage`.

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
        When no panels are asked for.
    """
    if not parts:
        raise UsageError(_("A study of no panels tells nothing."))
    results = yield from in_parallel(rejections, parts, workers, kept=kept)
    whole: dict[tuple[str, bool], list[bool]] = {}
    for part, answer in zip(parts, results, strict=True):
        whole.setdefault((part.test, part.differs), []).extend(bool(x) for x in answer)
    return join_tables(
        "error rates", COLUMNS, [[_row(test, own, differs=differs) for (test, differs), own in whole.items()]]
    )


def _row(test: str, own: list[bool], *, differs: bool) -> tuple[Cell, ...]:
    world, share, sets = _WORLDS[test], sum(own) / len(own), len(own)
    error = float(np.sqrt(max(share * (1 - share), _LEVEL * (1 - _LEVEL)) / sets))
    truth = "differs" if differs else "same"
    head = (test, truth, world.differs if differs else "", _CASES, world.raters, world.classes)
    return (*head, sets, REPLICATES, share, error)


def rejections(part: ErrorRatePart) -> Run[list[bool]]:
    """Whether the test speaks, of every panel."""
    items = []
    total, world = part.last - part.first, _WORLDS[part.test]
    for r in range(part.first, part.last):
        yield Step(r - part.first, total, "study")
        ratings = world.draw(part.differs, Seed([part.seed, _STREAM, crc32(part.test.encode()), r]))
        items.append((yield from relay(_speaks(world, ratings, r), r - part.first, total, "study")))
    return items


def _speaks(world: TestWorld, ratings: Ratings, seed: int) -> Run[bool]:
    """Whether the p-value from so many data sets is at most .05."""
    if world.p_value is not None:
        return (yield from world.p_value(ratings, seed)) <= _LEVEL + 1e-9
    if world.nested is None:
        raise ValueError("a test needs a hypothesis or a p-value")
    nested = world.nested(ratings)
    statistic = yield from observed(ratings, nested, seed)
    point = (yield from fit_dataset(nested.smaller or nested.larger, ratings, seed))[0]
    reached = 0
    for turn, size in enumerate(_PORTIONS):
        draws = yield from drawn_from(point, ratings, nested, (0, size), seed + turn * 1_000_003)
        # Equal on paper must count as equal, as in `bootstrap_test`.
        reached += int((draws >= statistic - 1e-9 * (1 + abs(statistic))).sum())
        if reached >= _REACHED:
            return False
    return True
