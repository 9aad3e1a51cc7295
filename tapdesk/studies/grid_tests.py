"""The tests a model of the grid is open to: of groups, of cases that differ, of near misses and of memory.

What stands beside every fit is tested in `tapdesk.studies.chance.with_tests`, which asks here for the rest; each test
is left out where these ratings cannot be asked (models_more.md §9).
"""

from collections.abc import Iterator
from dataclasses import replace

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import BootstrapTest
from tapdesk.fitting.identification import verdict
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import Accuracy, Cases, Guessing, Key, Ordered, RaterModel, Truth, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.likelihood_ratio import Nested, likelihood_ratio

Tests = Run[tuple[BootstrapTest, ...]]
_NEAR_ENOUGH = 3


def without_memory(row: RaterModel) -> RaterModel:
    """The model in which every repeat is fresh: the model itself where it has no memory."""
    if not row.memory:
        return row
    plain = model(row.name.removesuffix("+m"))
    return replace(plain, key=row.key, occasions=row.occasions, groups=row.groups)


def more_than_chance(row: RaterModel) -> RaterModel:
    """The model that is held against guessing alone: without memory, and of cases that are equally hard.

    Where nobody knows anything nothing is hard either, so these numbers have no value under the hypothesis.
    """
    if row.cases is Cases.DIFFICULTY:
        return replace(model(row.name.replace("aij", "aj")), key=row.key)
    return without_memory(row)


def grid_tests(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Iterator[Tests]:
    """The runs of the tests that belong to a model, each of which raises `CannotAnswerError` where it says nothing.

    Parameters
    ----------
    ratings, row
        The data and the model of the fit.
    replicates, seed
        Simulated data sets of each test, and of the random numbers.
    """
    size = replicates, seed
    if row.groups:
        yield _equal_accuracies(ratings, row, *size)
        yield _equal_truths(ratings, row, *size)
        if (row.truth, row.accuracy, row.guessing) == (Truth.PER_GROUP, Accuracy.ONE, Guessing.PER_GROUP):
            yield _each_group(ratings, row, *size)
    if (row.key is Key.UNUSED and row.name in {"t-a-p", "t-ah-p"}) or row.cases is Cases.DIFFICULTY:
        yield _no_difficulty(ratings, row, *size)
    if row.ordered is not Ordered.NONE:
        yield _order_says_all(ratings, row, *size)
    if row.key is Key.UNUSED and row.name in {"t-a-p", "t-an-p"}:
        yield _no_near_misses(ratings, *size)
    if row.occasions and row.accuracy is Accuracy.PER_RATER and not row.groups:
        yield _no_memory(ratings, row, *size)


def _equal_accuracies(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.group_contrasts import equal_accuracies, equality_test  # late: few fits are about groups

    return ((yield from equality_test(ratings, equal_accuracies(row), replicates, seed)),)


def _equal_truths(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.group_contrasts import equal_truths, equality_test  # late, as above

    return ((yield from equality_test(ratings, equal_truths(row), replicates, seed)),)


def _each_group(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.group_contrasts import groups_alone  # late, as above

    alone = yield from groups_alone(ratings, row, replicates, seed)
    about = _("“{group}” is rated as accurately as the others.")
    return tuple(
        replace(one.test, p_holm=one.p_holm, group=one.group, about=about.format(group=Label(one.group)))
        for one in alone
    )


def _no_difficulty(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.grid_hypotheses import no_difficulty  # late: without tests nobody asks

    return ((yield from _of_design(ratings, no_difficulty(row), replicates, seed)),)


def _no_near_misses(ratings: Ratings, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.grid_hypotheses import no_near_misses  # late, as above

    if not ratings.ordered or len(ratings.classes) < _NEAR_ENOUGH:
        raise CannotAnswerError(_("Nothing falls next to the truth where classes have no order, or are two."))
    return ((yield from _of_design(ratings, no_near_misses(), replicates, seed)),)


def _order_says_all(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.grid_hypotheses import order_says_all  # late, as above

    if not ratings.raters_known or len(ratings.classes) < _NEAR_ENOUGH:
        raise CannotAnswerError(_("Of two classes, or of {raters} who are not known, an order says nothing."))
    nested = order_says_all(row)
    df = design(nested.larger, ratings).space.free - design(row, ratings).space.free
    return ((yield from _of_design(ratings, replace(nested, df=df), replicates, seed)),)


def _no_memory(ratings: Ratings, row: RaterModel, replicates: int, seed: int) -> Tests:
    from tapdesk.studies.consistency import memory_test  # late, as above

    plain = without_memory(row)
    return ((yield from memory_test(ratings, plain, row.occasions, replicates, seed)),)


def _of_design(ratings: Ratings, nested: Nested, replicates: int, seed: int) -> Run[BootstrapTest]:
    """The likelihood-ratio test, where ratings of this design can show the larger model at all."""
    if not verdict(nested.larger, ratings).by_design:
        raise CannotAnswerError(_("{Ratings} of this design cannot show it, so there is no test."))
    return (yield from likelihood_ratio(ratings, nested, replicates, seed))
