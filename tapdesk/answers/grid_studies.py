"""What belongs beside an answer of the grid, and its runs: the same rows for a fit by itself and for a whole report."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from tapdesk.answers.misfit import agree_too_often, cases_differ, level, silent
from tapdesk.answers.side_results import SideResults, apart, limited
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import Accuracy, Cases, Key, Ordered
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.likelihood_ratio import follows_anything

PANELS = 300
"""Simulated panels and resamples of what is tested here."""


def tells_groups(fit: Fit) -> bool:
    """Whether the answer has numbers of groups that can be set against each other."""
    return (
        fit.model.by_group
        and fit.estimator == "exact-em"
        and fit.identification.by_design
        and fit.interval[0] != "none"
    )


def tells_repeats(fit: Fit, ratings: Ratings) -> bool:
    """Whether the answer tells raters apart some of whom rated a case again."""
    own = fit.model.accuracy is Accuracy.PER_RATER and not fit.model.by_group and fit.estimator == "exact-em"
    if not own or not ratings.raters_known:
        return False
    return _somebody_repeats(ratings)


# Asked whenever something has come beside an answer: worked out once.
@lru_cache(maxsize=4)
def _somebody_repeats(ratings: Ratings) -> bool:
    from tapdesk.models.repeats import repeaters_of  # late, here and below: few answers are of the grid

    return bool(repeaters_of(ratings))


def pools_raters(fit: Fit, ratings: Ratings, side: SideResults) -> bool:
    """Whether raters are told as drawn from one population, in the place of a fit of each by itself.

    Two camps are no population: raters who contradict each other are not drawn together.
    """
    if fit.model.accuracy is not Accuracy.PER_RATER or (side.opposition is not None and side.opposition.exists):
        return False
    from tapdesk.studies.edge_pooling import wants_pooling

    return wants_pooling(fit, ratings)


def pooled_of(ratings: Ratings, fit: Fit, seed: int) -> Run[Any]:
    """See `tapdesk.studies.edge_pooling`."""
    from tapdesk.studies.edge_pooling import edge_pooling

    return (yield from apart(ratings, lambda: edge_pooling(ratings, fit, seed)))


def tells_drift(fit: Fit) -> bool:
    """Whether it was asked along which order accuracy may have changed."""
    return bool(fit.model.along) and fit.estimator == "exact-em"


def may_tell_cases(fit: Fit) -> bool:
    """Whether the answer is of a model beside which those of cases that differ can be set."""
    row = fit.model
    if fit.estimator != "exact-em" or row.key is not Key.UNUSED or row.by_group or row.by_rater or row.near:
        return False
    return row.cases is not Cases.ALIKE or row.name == "t-a-p"


def tells_cases(fit: Fit, side: SideResults) -> bool:
    """Whether it is open how cases differ.

    The model says how, it was to be tested, the test of fit speaks against one accuracy, it cannot speak at all, or it
    is silent though cases may differ so much that the accuracy would be another: how far it reaches then stands beside
    an interval, so it is not looked for where none was asked for.
    """
    row = fit.model
    if not may_tell_cases(fit):
        return False
    if row.cases is not Cases.ALIKE:
        return True
    tested = any(test.name == "no-difficulty" for test in fit.tests)
    open_to_all = side.goodness is not None and follows_anything(side.goodness)
    if tested or open_to_all or cases_differ(fit, side) or agree_too_often(fit, side):
        return True
    return fit.interval[0] != "none" and silent(fit, side)


def tells_together(fit: Fit) -> bool:
    """Whether known answers were used, against which the panel can be held."""
    return fit.model.key is not Key.UNUSED and fit.estimator == "exact-em"


def tells_scores(fit: Fit) -> bool:
    """Whether cases have scores, of which beliefs were asked for."""
    return fit.model.ordered is not Ordered.NONE and fit.subject_posterior is not None


def tells_severities(fit: Fit) -> bool:
    """Whether raters have lines of their own between ordered classes."""
    if fit.model.ordered is Ordered.NONE:
        return False
    from tapdesk.studies.severities import tells_severities as tells

    return tells(fit)


def severities_of(ratings: Ratings, fit: Fit, seed: int) -> Run[Any]:
    """See `tapdesk.studies.severities`."""
    from tapdesk.studies.severities import severities

    return (yield from apart(ratings, lambda: severities(ratings, fit, seed)))


def dependence_of(ratings: Ratings, seed: int, fit: Fit, side: SideResults) -> Run[Any]:
    """See `tapdesk.studies.dependence`; with what the test of fit could have seen, where it does not speak."""
    from tapdesk.studies.dependence import dependence

    result = yield from limited(ratings, lambda: dependence(ratings, seed))
    if not (silent(fit, side) and result.seen) or side.goodness is None:
        return result
    from tapdesk.studies.fit_power import fit_power

    run = fit_power(ratings, result.rows[0].accuracy, side.goodness, level(side), seed)
    try:
        return replace(result, power=(yield from run))
    except CannotAnswerError:
        return result


def contrasts_of(ratings: Ratings, fit: Fit) -> Run[Any]:
    """See `tapdesk.studies.group_contrasts`."""
    from tapdesk.studies.group_contrasts import group_contrasts

    by_rater = fit.model.by_rater
    return (yield from apart(ratings, lambda: group_contrasts(ratings, fit, ("t", "a", "p")), by_rater=by_rater))


def consistency_of(ratings: Ratings, fit: Fit, seed: int) -> Run[Any]:
    """See `tapdesk.studies.consistency`."""
    from tapdesk.studies.consistency import consistency
    from tapdesk.studies.grid_tests import without_memory

    row = without_memory(fit.model)
    return (yield from apart(ratings, lambda: consistency(ratings, row, PANELS, seed, row.occasions, fit)))


def drift_of(ratings: Ratings, fit: Fit, seed: int) -> Run[Any]:
    """See `tapdesk.studies.drift`."""
    from tapdesk.studies.drift import drift

    return (yield from apart(ratings, lambda: drift(ratings, fit.model.along, seed, fit.interval[1])))


def together_of(ratings: Ratings, fit: Fit, seed: int, level: float) -> Run[Any]:
    """See `tapdesk.studies.wrong_together`."""
    from tapdesk.studies.wrong_together import wrong_together

    row = replace(fit.model, key=Key.UNUSED)
    return (yield from apart(ratings, lambda: wrong_together(ratings, row, PANELS, seed, level), by_rater=row.by_rater))


def scores_of(ratings: Ratings, fit: Fit, seed: int) -> Run[Any]:
    """See `tapdesk.studies.case_scores`."""
    from tapdesk.studies.case_scores import case_scores

    return (yield from apart(ratings, lambda: case_scores(ratings, fit, seed)))
