"""Further models of the sharing grid on the same ratings: what each says, and what the tests between them say."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.models.catalog import model
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.bootstrap_test import BootstrapTest
from tapdesk.studies.comparison import Comparison, compare_fits
from tapdesk.studies.ratio import Nested, likelihood_ratio
from tapdesk.studies.steps import within
from tapdesk.studies.table import Cell, Table
from tapdesk.studies.tests import PAIRS, compare

# Fits without intervals: (model, least number of classes at which it says something of its own).
GRID = (("t-a-p", 2), ("t-a-t", 2), ("P-a-P", 2), ("t-ak-p", 3), ("t-aj-p", 2), ("t-a-pj", 2), ("t-aj-pj", 2))
_MOST_LEANINGS = 150
# Beyond these sizes the tests would keep a committee waiting.
_MOST_RATINGS, _MOST_RATERS = 20_000, 30
_NO_INFORMATION = "No rating carries information about its subject: every accuracy is 0."
_VERY_LONG = "With this many ratings or raters this test would take very long."


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
        told = self.comparison.table()
        models: list[tuple[Cell, ...]] = [("model", *row[:-1], None, None, None, None, row[-1]) for row in told.rows]
        blank = (None,) * (len(told.columns) - 2)
        tests: list[tuple[Cell, ...]] = [
            ("test", t.name, *blank, t.statistic, t.df, t.p_bootstrap, t.replicates, t.about) for t in self.tests
        ]
        tests += [("test", name, *blank, None, None, None, None, why) for name, why in self.untested.items()]
        columns = ("row", "name", *told.columns[1:-1], "statistic", "df", "p_bootstrap", "replicates", "note")
        return Table("models", columns, (*models, *tests))


def nothing_to_compare(ratings: Ratings) -> str | None:
    """Why all models say the same of these ratings, one sentence; None where they do not."""
    if (ratings.class_rates() > 0).sum() < 2:
        return "All ratings are in one class, so every model says the same of them."
    if not (ratings.subject_weights()[ratings.ratings_per_subject() > 1] > 0).any():
        return "No case has two ratings, so there is no agreement for a model to explain."
    return None


def few_leanings(ratings: Ratings) -> bool:
    """Whether raters and classes are few enough for a rate of every class for every rater."""
    return len(ratings.raters) * (len(ratings.classes) - 1) <= _MOST_LEANINGS


def grid_fits(ratings: Ratings, seed: int) -> Run[tuple[Fit, ...]]:
    """Every model of the list that can be fitted to these ratings, without intervals."""
    fits = []
    for name, least in GRID:
        chosen = model(name)
        by_rater = chosen.accuracy is Accuracy.PER_RATER or chosen.guessing is Guessing.PER_RATER
        asked = Request(chosen, interval="none", seed=seed)
        if chosen.guessing is Guessing.PER_RATER and not few_leanings(ratings):
            continue
        if len(ratings.classes) < least or (by_rater and not ratings.raters_known) or refusal(ratings, asked):
            continue
        found = yield from analyse(ratings, asked)
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
    names = ("a=0", *(pair.name for pair in PAIRS))
    total = 1 + len(names)
    fits = yield from within(grid_fits(ratings, seed), 0, total, "models")
    tests, untested = [], {}
    for done, name in enumerate(names, start=1):
        yield Step(done, total, "models")
        try:
            test = yield from within(_test(ratings, name, replicates, seed), done, total, "models")
        except TapdeskError as error:
            untested[name] = error.what
        else:
            tests.append(test)
    yield Step(total, total, "models")
    return Others(compare_fits(fits), tuple(tests), MappingProxyType(untested))


def _test(ratings: Ratings, name: str, replicates: int, seed: int) -> Run[BootstrapTest]:
    by_rater = name not in {"a=0", "t=p", "equal accuracies by class"}
    if ratings.subject.size > _MOST_RATINGS or (by_rater and len(ratings.raters) > _MOST_RATERS):
        raise CannotAnswerError(_VERY_LONG)
    if name == "a=0":
        nested = Nested(name, model("t-a-p"), None, _NO_INFORMATION)
        return (yield from likelihood_ratio(ratings, nested, replicates, seed))
    return (yield from compare(ratings, name, replicates, seed))
