"""Recovery from the numbers of a fit: data sets are drawn from them on the design at hand and fitted again."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.models.parameters import ParameterName
from tapdesk.models.slots import Freedom
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.parametric import parametric_redraws
from tapdesk.studies.percentiles import with_value

REPLICATES = 200
LEVEL = 0.95
_TAIL = (1 - LEVEL) / 2
# As the study of recovery has it (`tapdesk.studies.recovery`).
_NEAR_EDGE = 1e-3
_HALF = 0.5
_OFTEN_OPEN = _("In most of these data sets this number has no value.")


@dataclass(frozen=True, slots=True)
class Again:
    """Where one number would be found.

    Attributes
    ----------
    at
        Its place in ``Fit.estimates``.
    true
        The value the data sets were drawn with; None where the ratings leave it open.
    median, low, high
        Of the values found: the middle one, and the ends of the middle 95 %. None where there is nothing to tell.
    on_edge
        Share of the data sets in which it is found within 0.001 of 0 or 1; None likewise.
    without
        Share of the data sets in which it has no value.
    why_not
        Why there is nothing to tell, a sentence; empty where there is.
    """

    at: int
    true: float | None
    median: float | None = None
    low: float | None = None
    high: float | None = None
    on_edge: float | None = None
    without: float = 0.0
    why_not: str = ""


def no_recovery(fit: Fit, ratings: Ratings) -> str | None:
    """Why data sets cannot be drawn from a fit and fitted again, or None."""
    if not ratings.subject.size:
        return _("There are no ratings to draw.")
    if fit.classes != ratings.classes:
        return _("The classes have changed since this model was fitted: run it again.")
    if fit.model.accuracy is Accuracy.REGRESSION:
        return _("This is not worked out for a model in which the accuracy goes with another column.")
    if not fit.converged:
        return _("The estimates had not settled when the search stopped, so nothing is drawn from them.")
    if not fit.rates_known:
        return _("These ratings do not determine all numbers, so there is nothing to draw from.")
    return None


def found_again(fit: Fit, ratings: Ratings, replicates: int = REPLICATES, seed: int = 1) -> Run[tuple[Again, ...]]:
    """Where the numbers of a fit would be found if they were true.

    Parameters
    ----------
    fit, ratings
        The numbers, and the design: as many cases, rated by the same raters as often.
    replicates
        How many data sets are drawn.
    seed
        The same seed gives the same table.

    Yields
    ------
    Step
        Phase ``re-draws`` (see `parametric_redraws`).

    Returns
    -------
    tuple
        One for each number that the model estimates freely, in the order of the fit.

    Raises
    ------
    CannotAnswerError
        When there is nothing to draw from.
    """
    reason = no_recovery(fit, ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    drawn = yield from parametric_redraws(fit.model, ratings, [fit.parameters], replicates, seed)
    return summarised(fit, drawn)


def summarised(fit: Fit, drawn: Mapping[ParameterName, FloatArray]) -> tuple[Again, ...]:
    """Middle, range and edges of the values found, shape (replicates,) by number."""
    known = with_value(fit, drawn)
    told = []
    for at, e in enumerate(fit.estimates):
        if e.freedom is not Freedom.FREE or e.name not in drawn:
            continue
        if e.estimate.value is None:
            told.append(Again(at, None, why_not=str(e.estimate.undefined)))
            continue
        found = drawn[e.name][known[e.name]]
        without = 1 - found.size / drawn[e.name].size
        if without > _HALF:
            told.append(Again(at, e.estimate.value, without=without, why_not=_OFTEN_OPEN))
            continue
        low, median, high = (float(q) for q in np.quantile(found, [_TAIL, 0.5, 1 - _TAIL]))
        on_edge = float(((found < _NEAR_EDGE) | (found > 1 - _NEAR_EDGE)).mean())
        told.append(Again(at, e.estimate.value, median, low, high, on_edge, without))
    return tuple(told)
