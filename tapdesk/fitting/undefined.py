"""Parameters that have no evidence behind them at a maximum: told in words, never as 0 or 1 (models.md §5)."""

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.model import Accuracy, Guessing, Truth
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom, Slot
from tapdesk.models.stack import FloatArray

_AT_BOUND = 1e-6
_SAME_LEVEL = 1e-6
# Ratings of a rater below which nothing is told of that rater.
_FEWEST = 1.5
# A slope that runs away is left there by the search long before its accuracies are 1 to the last digit.
_RUN_AWAY = 1e-4

GUESSING_ALONE = _("Guessing alone explains these ratings as well as any accuracy does, so this number stays open.")
NO_GUESS = _("Every rating is taken to follow its case here, so nothing shows what a guess would have been.")
EMPTY_CLASS = _("No case belongs to this class here, so nothing shows how such cases are rated.")
ONE_CLASS = _("All cases belong to one class here, so accuracy and guessing cannot be told apart.")
WHICH_CLASS = _("All cases belong to one class here, and nothing shows which one.")
ONE_RATING = _("This rater gave one rating only, which cannot tell how this rater judges.")
NO_END = _("The fit gets better the further this slope is from 0, without end, so it has no best value.")


def undefined_parameters(plan: Design, point: Parameters, log_likelihood: float) -> dict[ParameterName, str]:
    """Reported parameters that have no evidence behind them at this maximum, and why.

    Parameters
    ----------
    plan
        The tabulated data.
    point
        The maximum.
    log_likelihood
        There, in nats, ratings form.
    """
    model = plan.space.model
    guess_only = log_likelihood <= _guessing_alone(plan) + _SAME_LEVEL
    one_class = bool((point.truth > 1 - _AT_BOUND).any())
    told_by_it = {"accuracy", "slopes"} | ({"guessing"} if plan.space.guessing_free else set())
    endless = _endless_slopes(plan, point)
    reasons: dict[ParameterName, str] = {}
    for slot in plan.slots:
        if slot.freedom is Freedom.FIXED:
            continue
        if guess_only:
            reasons[slot.name] = GUESSING_ALONE
        elif _class_is_empty(slot, point):
            reasons[slot.name] = EMPTY_CLASS
        elif model.accuracy is Accuracy.NONE:
            continue
        elif slot.part == "guessing" and model.guessing is not Guessing.AS_TRUTH and _nobody_guesses(plan, slot, point):
            reasons[slot.name] = NO_GUESS
        elif one_class and slot.part in told_by_it:
            reasons[slot.name] = ONE_CLASS
        elif one_class and slot.part == "truth" and _either_class(plan):
            reasons[slot.name] = WHICH_CLASS
        elif slot.part == "slopes" and endless[slot.index[0]]:
            reasons[slot.name] = NO_END
    return reasons


def of_one_rating(plan: Design) -> dict[ParameterName, str]:
    """Numbers of raters who gave no more than one rating, and why they have no value.

    The likelihood has a maximum there too, at 0 or 1: what it says is about that rating, not about the rater.
    """
    few = plan.patterns.totals.sum(axis=1) < _FEWEST
    shared = {"accuracy": plan.space.accuracy_shape[0] == 1, "guessing": plan.space.guessing_shape[0] == 1}
    return {
        slot.name: ONE_RATING
        for slot in plan.slots
        if slot.freedom is not Freedom.FIXED and slot.name.rater is not None
        if not shared.get(slot.part, True) and few[slot.index[0]]
    }


def _guessing_alone(plan: Design) -> float:
    """The highest log-likelihood without any accuracy, nats, ratings form; minus infinity where truth would show.

    With free truth and free guessing, a maximum no higher than this is also reached by accuracy 0 with any truth,
    and by one true class with many accuracies: nothing is determined.
    """
    if plan.space.model.truth is not Truth.FREE or not plan.space.guessing_free:
        return -np.inf
    totals = plan.patterns.totals
    if plan.space.guessing_shape[0] == 1:
        totals = totals.sum(axis=0, keepdims=True)
    rates = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1e-300)
    return float((totals * np.log(np.where(totals > 0, rates, 1.0))).sum())


def _nobody_guesses(plan: Design, slot: Slot, point: Parameters) -> bool:
    """Whether every accuracy is 1 among the raters and the true classes a guessing rate is about."""
    if plan.space.model.accuracy is Accuracy.REGRESSION:
        return bool((point.accuracy > 1 - _RUN_AWAY).all())
    unit, true, _rest = slot.index
    a, shape = point.accuracy, point.guessing.shape
    a = a[[unit]] if shape[0] > 1 and a.shape[0] > 1 else a
    if shape[1] > 1 and a.shape[1] > 1:
        a = a[:, [true]]
    elif a.shape[1] > 1:
        a = a[:, point.truth > _AT_BOUND]
    return bool((a > 1 - _AT_BOUND).all())


def _class_is_empty(slot: Slot, point: Parameters) -> bool:
    """Whether a parameter is about one true class that no case has."""
    by_class = {"accuracy": point.accuracy.shape[1], "guessing": point.guessing.shape[1]}
    return by_class.get(slot.part, 1) > 1 and bool(point.truth[slot.index[1]] < _AT_BOUND)


def _either_class(plan: Design) -> bool:
    """Whether the other one of two classes would explain one-class data as well.

    With all cases of class 0 the rates of class 1 are (1 - a_u) p, with all of class 1 they are a_u + (1 - a_u) p; with
    p at its ends, either is any rates at all. Where truth and guessing are tied they say the class together.
    """
    space = plan.space
    return space.classes == 2 and space.model.truth is Truth.FREE and space.guessing_free


def _endless_slopes(plan: Design, point: Parameters) -> FloatArray:
    """Shape (S,): slopes that only units with accuracies at 0 or 1 hold, so that nothing stops them (separation).

    Accuracies at the ends react to no slope. Where those between pin all slopes there is a best value; where they
    leave a direction open, the slopes in it grow without end.
    """
    x = plan.space.design
    if plan.space.model.accuracy is not Accuracy.REGRESSION or not x.shape[1]:
        return np.zeros(point.slopes.size, dtype=bool)
    accuracy = point.accuracy[:, 0]
    between = x[(accuracy > _RUN_AWAY) & (accuracy < 1 - _RUN_AWAY)]
    scaled = between / np.maximum(np.abs(x).max(axis=0), 1e-300)
    _left, values, directions = np.linalg.svd(
        np.vstack([scaled, np.zeros((x.shape[1], x.shape[1]))]), full_matrices=True
    )
    rank = int((values > 1e-9 * max(float(values[0]), 1e-300)).sum()) if scaled.size else 0
    return np.asarray((np.abs(directions[rank:]) > 1e-6).any(axis=0))
