"""Every group of a file in one model of all of them, with a test of whether they are alike (models_more.md §2).

`tapdesk.studies.subsets.group_table` fits each group by itself, which needs enough ratings in each; here what the model
shares is found from all groups together.
"""

from dataclasses import replace

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.design import groups_of_ratings
from tapdesk.models.model import Key
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.group_contrasts import equal_accuracies, equal_truths, equality_test
from tapdesk.studies.likelihood_ratio import Nested
from tapdesk.studies.table import Cell, StudyTable

REPLICATES = 300
"""Simulated data sets of each test."""


def joint_groups(ratings: Ratings, variable: str, request: Request, replicates: int = REPLICATES) -> Run[StudyTable]:
    """The numbers of every group by one model, and how often alike groups would look as different.

    Parameters
    ----------
    ratings, variable
        The data, and the column whose values make the groups.
    request
        Of a model of groups.
    replicates
        Of each test.

    Yields
    ------
    Step
        The phases of the fit and the tests.

    Returns
    -------
    StudyTable
        A row for each group: ``cases``, ``ratings``, its numbers and those that all share, each with its interval;
        ``p_equal_t`` and ``p_equal_a`` of the tests that true class rates, or accuracies, are the same in all groups,
        empty where the model says so itself or these ratings cannot be asked; ``why_not``.

    Raises
    ------
    ValueError
        When the model is about no groups.
    CannotAnswerError
        When it cannot be fitted to these ratings, or they do not tell its numbers.
    """
    # Known answers are certain, as in a fit.
    row = replace(request.model, groups=variable, key=Key.CERTAIN if ratings.knows_answers else Key.UNUSED)
    if not row.by_group:
        raise ValueError(f"{row.name} is about no groups")
    wanted = replace(request, model=row)
    reason = refusal(ratings, wanted)
    if reason is not None:
        raise CannotAnswerError(reason)
    fit = yield from analyse(ratings, wanted, shares=False)
    if not fit.identification.by_design:
        raise CannotAnswerError(fit.identification.words)
    p_t = (yield from _test(ratings, equal_truths(row), replicates, request.seed)) if row.truth.by_group else None
    p_a = (
        (yield from _test(ratings, equal_accuracies(row), replicates, request.seed)) if row.accuracy.by_group else None
    )
    return _table(fit, ratings, variable, (p_t, p_a))


def _test(ratings: Ratings, nested: Nested, replicates: int, seed: int) -> Run[float | None]:
    """The p-value of the hypothesis that groups are alike; None where these ratings cannot be asked."""
    try:
        test = yield from equality_test(ratings, nested, replicates, seed)
    except CannotAnswerError:
        return None
    return test.p_bootstrap


def _table(fit: Fit, ratings: Ratings, variable: str, tests: tuple[float | None, float | None]) -> StudyTable:
    """The rows, in the order of the groups."""
    groups = groups_of_ratings(fit.model, ratings)
    names = list(dict.fromkeys(str(_without_group(e.name)) for e in fit.estimates))
    weight = ratings.subject_weights()
    rows: list[tuple[Cell, ...]] = []
    for g, group in enumerate(groups.names):
        own = {str(_without_group(e.name)): e.estimate for e in fit.estimates if e.name.group in {None, group}}
        numbers: list[Cell] = []
        for name in names:
            e = own.get(name)
            numbers += (None, None, None) if e is None else (e.value, e.low, e.high)
        kept = ratings.keep(groups.of_rating == g)
        cases = int(weight[list({int(i) for i in ratings.subject[groups.of_rating == g]})].sum())
        rows.append((group, cases, kept.rating_count, *numbers, *tests, None))
    rest = ("cases", "ratings", *(f"{n}{end}" for n in names for end in ("", " low", " high")))
    head = f"{variable} (group)" if variable in rest else variable
    return StudyTable("groups", (head, *rest, "p_equal_t", "p_equal_a", "why_not"), tuple(rows))


def _without_group(name: ParameterName) -> ParameterName:
    return replace(name, group=None)
