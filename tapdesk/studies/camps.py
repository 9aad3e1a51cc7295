"""Raters who point the other way: two camps, told with the unrestricted rates (models.md §2)."""

from dataclasses import replace

import numpy as np

from tapdesk.fitting.exact_em import ExactEM
from tapdesk.fitting.fit import Fit, FitFinding
from tapdesk.language import Number, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model
from tapdesk.models.model import Accuracy
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings

_ZERO = 1e-6
_AGAINST = -0.1


def with_camps(fit: Fit, ratings: Ratings) -> Run[Fit]:
    """The fit, with a finding where raters at accuracy 0 are no guessers but contradict the others.

    A model with accuracies cannot tell a rater who is wrong on purpose from one who guesses: both get 0. The
    unrestricted table of rates can, and its sensitivity + specificity - 1 (Youden's J) is told beside it.

    Parameters
    ----------
    fit
        Of a model with one accuracy for each rater; others are returned as they are.
    ratings
        The data.
    """
    if fit.model.accuracy is not Accuracy.PER_RATER or len(fit.classes) != 2 or len(fit.raters) < 2:
        return fit
    at_zero = np.flatnonzero(fit.parameters.accuracy[:, 0] < _ZERO)
    method = ExactEM()
    saturated = model("dawid-skene")
    if not at_zero.size or method.refuses(saturated, ratings):
        return fit
    free = yield from method.run(saturated, ratings, fit.seed)
    rates = free.parameters.guessing
    youden = rates[:, 1, 1] + rates[:, 0, 0] - 1
    against = [int(j) for j in at_zero if youden[j] < _AGAINST]
    if not against:
        return fit
    told = joined(
        *(
            _("{rater} ({youden})").format(rater=RaterName(fit.raters[j]), youden=Number(f"{youden[j]:+.2f}"))
            for j in against[:8]
        ),
        sep=", ",
    )
    message = _(
        "There seem to be two camps: {told} answer the other way round rather than by guess. The "
        "number is sensitivity + specificity − 1 from the dawid-skene model; below 0 means "
        "upside-down."
    ).format(told=told)
    finding = FitFinding("two_camps", "ask", message, _("Ask whether they used the scale upside-down (1 = best?)."))
    return replace(fit, findings=(*fit.findings, finding))
