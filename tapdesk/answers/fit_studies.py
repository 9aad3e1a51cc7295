"""What is worked out beside a fit that stands by itself, so that its headline is that of window and report."""

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tapdesk.answers.misfit import missed, silent
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import ALL, SideResults, apart, limited, several_known
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.likelihood_ratio import follows_anything, goodness_of_fit
from tapdesk.studies.opposition import opposition
from tapdesk.studies.rater_differences import rater_differences
from tapdesk.studies.rater_pairs import independence

T = TypeVar("T")


def fit_answer(fit: Fit, ratings: Ratings, request: Request) -> Run[Answer]:
    """A fit with what its headline is said from: the panel, where it tells raters apart.

    Parameters
    ----------
    fit, ratings, request
        As of `fit_studies`.

    Yields
    ------
    Step
        The phases of the studies.
    """
    side = yield from fit_studies(fit, ratings, request)
    if fit.model.accuracy is Accuracy.PER_RATER and not fit.model.memory and not request.pool:
        # Late: many fits tell no raters apart.
        from tapdesk.answers.raters import panel_fit
        from tapdesk.studies.contrasts import rater_contrasts

        if (pooled := (yield from _pooled(fit, ratings, request, side))) is not None:
            side = replace(side, pooled=pooled, rater_contrasts=pooled.contrasts)
            return Answer(fit, ratings, ratings, (yield from _or_luck(pooled.fit, ratings, request, side)))
        try:
            panel = yield from panel_fit(ratings, request)
            side = replace(side, panel=panel)
            compared = partial(rater_contrasts, ratings, fit, panel, request.seed)
            side = replace(side, rater_contrasts=(yield from apart(ratings, compared)))
            side = yield from _or_luck(fit, ratings, request, side)
        except TapdeskError as error:
            side = replace(side, reasons={"panel" if side.panel is None else "rater_contrasts": error.what})
    return Answer(fit, ratings, ratings, side)


def _or_luck(fit: Fit, ratings: Ratings, request: Request, side: SideResults) -> Run[SideResults]:
    """With the test of chance where somebody would be set apart: those who all guess differ in how they guess."""
    from tapdesk.answers import raters  # late, as above

    if side.chance is not None or not any(raters.apart(fit, side)):
        return side
    from tapdesk.studies.chance import chance_of

    tested = limited(ratings, lambda: chance_of(ratings, ALL.replicates, request.seed, power=False))
    return replace(side, chance=(yield from _or_none(tested)))


def _pooled(fit: Fit, ratings: Ratings, request: Request, side: SideResults) -> Run[Any]:
    """Raters drawn from one population, where the fit of each by itself says little; None where it says enough."""
    from tapdesk.answers.grid_studies import pooled_of, pools_raters  # late, as above

    if not pools_raters(fit, ratings, side):
        return None
    return (yield from _or_none(pooled_of(ratings, fit, request.seed)))


def fit_studies(fit: Fit, ratings: Ratings, request: Request) -> Run[SideResults]:
    """What is worked out beside a fit of its own, before its headline is said: no more than that takes.

    Parameters
    ----------
    fit, ratings, request
        The fit, its data and how it was asked for.

    Yields
    ------
    Step
        The phases of the studies.
    """
    by_key: dict[str, Any] = {}
    if several_known(ratings):
        by_key["opposition"] = yield from _or_none(apart(ratings, lambda: opposition(ratings, request)))
    if fit.model.accuracy is Accuracy.ONE and not fit.model.by_rater and fit.estimator == "exact-em":
        sets, seed = ALL.replicates, request.seed
        tested = partial(goodness_of_fit, ratings, fit.model, sets, seed, fit)
        by_key["goodness"] = yield from _or_none(limited(ratings, tested))
        if several_known(ratings):
            by_key["differences"] = yield from _or_none(
                limited(ratings, lambda: rater_differences(ratings, sets, seed, fit.model.key))
            )
            unlike = by_key["differences"]
            if unlike is not None and unlike.accuracies:
                from tapdesk.studies.chance import chance_of  # late: most panels have one accuracy

                by_key["chance"] = yield from _or_none(limited(ratings, lambda: chance_of(ratings, sets, seed)))
            if (opposed := by_key["opposition"]) is None or not opposed.exists:
                pairs = apart(ratings, lambda: independence(ratings, fit, sets, seed))
                by_key["independence"] = yield from _or_none(pairs)
    if fit.model.accuracy is Accuracy.PER_CLASS:
        # Late: few fits have an accuracy for each class.
        from tapdesk.studies.contrasts import class_contrasts

        compared = partial(class_contrasts, ratings, fit, request.seed)
        by_key["class_contrasts"] = yield from _or_none(limited(ratings, compared))
    if fit.model.accuracy is Accuracy.REGRESSION:
        # Late: few fits are regressions.
        from tapdesk.studies.rater_slopes import rater_slopes

        run = apart(ratings, lambda: rater_slopes(ratings, fit.model, request.seed, request.level))
        try:
            by_key["slopes"] = yield from run
        except CannotAnswerError as error:
            by_key["reasons"] = {"slopes": error.what}
    by_key |= yield from _of_grid(fit, ratings, request, SideResults(**by_key))
    return SideResults(**by_key)


def _of_grid(fit: Fit, ratings: Ratings, request: Request, side: SideResults) -> Run[dict[str, Any]]:
    """What belongs beside models of the grid: cases that differ, groups, repeats, known answers, scores."""
    by_key: dict[str, Any] = {}
    unseen = side.goodness is not None and (follows_anything(side.goodness) or silent(fit, side))
    if fit.model.plain and not (fit.model.along or fit.tests or unseen or missed(fit, side)):
        return by_key
    from tapdesk.answers import grid_studies as grid  # late: few fits are of the grid

    if grid.tells_cases(fit, side):
        by_key["dependence"] = yield from _or_none(grid.dependence_of(ratings, request.seed, fit, side))
    if grid.tells_groups(fit):
        by_key["group_contrasts"] = (yield from _or_none(grid.contrasts_of(ratings, fit))) or ()
    if grid.tells_repeats(fit, ratings):
        by_key["consistency"] = (yield from _or_none(grid.consistency_of(ratings, fit, request.seed))) or ()
    if grid.tells_drift(fit):
        try:
            by_key["drift"] = yield from grid.drift_of(ratings, fit, request.seed)
        except CannotAnswerError as error:
            by_key["reasons"] = {**side.reasons, "drift": error.what}
    if grid.tells_together(fit):
        by_key["together"] = yield from _or_none(grid.together_of(ratings, fit, request.seed, request.level))
    if grid.tells_severities(fit):
        by_key["severities"] = (yield from _or_none(grid.severities_of(ratings, fit, request.seed))) or ()
    if grid.tells_scores(fit):
        by_key["scores"] = yield from _or_none(grid.scores_of(ratings, fit, request.seed))
    return by_key


def _or_none(run: Run[T]) -> Run[T | None]:
    """What a study finds; None where these ratings have no answer to it."""
    try:
        return (yield from run)
    except CannotAnswerError:
        return None
