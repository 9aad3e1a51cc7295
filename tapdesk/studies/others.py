"""Further models of the sharing grid on the same ratings: what each says, and what the tests between them say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.bootstrapped import BootstrapTest
from tapdesk.studies.comparison import Comparison, compare_fits
from tapdesk.studies.ratio import Nested, likelihood_ratio
from tapdesk.studies.steps import within
from tapdesk.studies.table import Cell, Table
from tapdesk.studies.tests import PAIRS, hypothesis

# Re-draws of the cases behind the intervals of the grid: one kind for all, as a mean over raters has no profile.
REDRAWS = 300
# (model, least number of classes at which it says something of its own).
GRID = (("t-a-p", 2), ("t-a-t", 2), ("P-a-P", 2), ("t-ak-p", 3), ("t-aj-p", 2), ("t-a-pj", 2), ("t-aj-pj", 2))
# By name, in the order of the grid.
TESTS = ("a=0", *(pair.name for pair in PAIRS))
_MOST_LEANINGS = 150
# Beyond these sizes the tests would keep a committee waiting.
_MOST_RATINGS, _MOST_RATERS = 20_000, 30
_NO_INFORMATION = _("No rating carries information about its subject: every accuracy is 0.")
_VERY_LONG = _("With this many ratings or raters this test would take very long.")


@dataclass(frozen=True, eq=False)
class Others:
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

    comparison: Comparison
    tests: tuple[BootstrapTest, ...]
    untested: Mapping[str, str]

    def table(self) -> Table:
        """A row for each model and for each test; what a row does not have is None."""
        return told(self.comparison.table(), self.tests, self.untested)


def told(compared: Table, tests: Sequence[BootstrapTest], untested: Mapping[str, str]) -> Table:
    """A row for each model of a comparison and for each test, made or not; what a row does not have is None."""
    models: list[tuple[Cell, ...]] = [("model", *row[:-1], None, None, None, None, row[-1]) for row in compared.rows]
    blank = (None,) * (len(compared.columns) - 2)
    made: list[tuple[Cell, ...]] = [
        ("test", t.name, *blank, t.statistic, t.df, t.p_bootstrap, t.replicates, t.about) for t in tests
    ]
    made += [("test", name, *blank, None, None, None, None, why) for name, why in untested.items()]
    columns = ("row", "name", *compared.columns[1:-1], "statistic", "df", "p_bootstrap", "replicates", "note")
    return Table("models", columns, (*models, *made))


def nothing_to_compare(ratings: Ratings) -> str | None:
    """Why all models say the same of these ratings, one sentence; None where they do not."""
    if (ratings.class_rates() > 0).sum() < 2:
        return _("All ratings are in one class, so every model says the same of them.")
    if not (ratings.subject_weights()[ratings.ratings_per_subject() > 1] > 0).any():
        return _("No case has two ratings, so there is no agreement for a model to explain.")
    return None


def few_leanings(ratings: Ratings) -> bool:
    """Whether raters and classes are few enough for a rate of every class for every rater."""
    return len(ratings.raters) * (len(ratings.classes) - 1) <= _MOST_LEANINGS


def grid_fits(ratings: Ratings, seed: int, level: float = 0.95, redraws: int = REDRAWS) -> Run[tuple[Fit, ...]]:
    """Every model of the list that can be fitted to these ratings, with intervals from re-draws of the cases.

    Of very many ratings or raters the estimates alone.
    """
    fits = []
    large = ratings.subject.size > _MOST_RATINGS or (ratings.raters_known and len(ratings.raters) > _MOST_RATERS)
    interval = "none" if large else "bootstrap"
    for name, least in GRID:
        chosen = model(name)
        by_rater = chosen.accuracy is Accuracy.PER_RATER or chosen.guessing is Guessing.PER_RATER
        request = Request(chosen, interval=interval, level=level, replicates=redraws, seed=seed)
        if chosen.guessing is Guessing.PER_RATER and not few_leanings(ratings):
            continue
        if len(ratings.classes) < least or (by_rater and not ratings.raters_known) or refusal(ratings, request):
            continue
        found = yield from analyse(ratings, request)
        fits.append(found)
    return tuple(fits)


def others(ratings: Ratings, replicates: int = 300, seed: int = 1) -> Run[Others]:
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
        Phase ``models``.

    Raises
    ------
    CannotAnswerError
        When the ratings cannot tell one model from another.
    """
    reason = nothing_to_compare(ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    total = 1 + len(TESTS)
    fits = yield from within(grid_fits(ratings, seed, redraws=min(replicates, REDRAWS)), 0, total, "models")
    tests, untested = [], {}
    for done, name in enumerate(TESTS, start=1):
        yield Step(done, total, "models")
        try:
            run = likelihood_ratio(ratings, asked(ratings, name), replicates, seed)
            test = yield from within(run, done, total, "models")
        except TapdeskError as error:
            untested[name] = error.what
        else:
            tests.append(test)
    yield Step(total, total, "models")
    return Others(compare_fits(fits), tuple(tests), MappingProxyType(untested))


def asked(ratings: Ratings, name: str) -> Nested:
    """The hypothesis of a test of the grid.

    Raises
    ------
    CannotAnswerError
        When it cannot be tested on these ratings, or not while anybody waits.
    """
    by_rater = name not in {"a=0", "t=p", "equal accuracies by class"}
    if ratings.subject.size > _MOST_RATINGS or (by_rater and len(ratings.raters) > _MOST_RATERS):
        raise CannotAnswerError(_VERY_LONG)
    return Nested(name, model("t-a-p"), None, _NO_INFORMATION) if name == "a=0" else hypothesis(name, ratings)
