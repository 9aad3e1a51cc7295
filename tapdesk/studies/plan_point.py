"""The numbers a plan stands on: the estimates, or the other end of the interval of an accuracy on its edge."""

from dataclasses import replace

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray
from tapdesk.ratings.ratings import Ratings

# An accuracy this close to 0 or 1 is on the edge: no study is large enough to tell it from there.
EDGE = 0.001
_MOST_CLASSES = 4
_UNDETERMINED = _("These ratings do not determine the numbers, so there is nothing to plan from.")


def plan_point(fit: Fit, ratings: Ratings) -> Parameters:
    """The parameters that a plan takes as the true ones.

    Parameters
    ----------
    fit
        Its estimates, where they lie inside. Where the accuracy is found on an edge it is taken from the other end of
        its interval, for on the edge there would be nothing to plan: beside 1 guesses are taken to fall as the truth
        does, beside 0 truth and guesses as the ratings do.
    ratings
        What was fitted.

    Raises
    ------
    CannotAnswerError
        When there is nothing to plan from; says why.
    """
    point = fit.parameters
    if point.accuracy.shape != (1, 1) or point.guessing.shape[:2] != (1, 1) or point.slopes.size:
        raise CannotAnswerError(_("This needs a model in which all raters share their numbers, such as t-a-p."))
    if len(fit.classes) > _MOST_CLASSES:
        raise CannotAnswerError(
            _("With more than {most} classes the plan would take very long.").format(most=_MOST_CLASSES)
        )
    edge = on_edge(fit)
    if edge is None:
        if not fit.identification.identified or any(e.estimate.value is None for e in fit.estimates):
            raise CannotAnswerError(_UNDETERMINED)
        return point
    if fit.estimate("a").value is None:
        raise CannotAnswerError(_UNDETERMINED)
    other = _other_end(fit.estimate("a"), edge)
    if other is None:
        raise CannotAnswerError(
            _(
                "The accuracy is found on the edge, at {edge}, without an interval that reaches away from there: there "
                "is nothing to plan for."
            ).format(edge=edge)
        )
    rates = point.truth if edge == 1 else ratings.class_rates()
    if np.count_nonzero(rates > EDGE) < 2:
        raise CannotAnswerError(
            _("All cases are found in one class, so nothing shows how often a rating follows its case.")
        )
    return _with(point, rates, other)


def on_edge(fit: Fit) -> int | None:
    """The edge, 0 or 1, on which the one accuracy is found; None where it is not."""
    a = float(fit.parameters.accuracy[0, 0])
    if a < EDGE:
        return 0
    return 1 if a > 1 - EDGE else None


def supposed(fit: Fit) -> tuple[float, float] | None:
    """The accuracy that is found on an edge, and the one a plan takes in its place; None where it takes what is found.

    Of a fit that `plan_point` answers.
    """
    edge = on_edge(fit)
    if edge is None:
        return None
    a = fit.estimate("a")
    other = _other_end(a, edge)
    return None if a.value is None or other is None else (a.value, other)


def _other_end(a: Estimate, edge: int) -> float | None:
    end = a.low if edge == 1 else a.high
    return None if end is None or not EDGE < end < 1 - EDGE else end


def _with(point: Parameters, rates: FloatArray, accuracy: float) -> Parameters:
    """The numbers with truth and guesses that fall alike."""
    return replace(point, truth=rates, accuracy=np.array([[accuracy]]), guessing=rates[None, None, :])
