"""Does the model say of raters and ratings what is seen? (models.md §8, "Calibration").

Subjects are the matter of `distribution`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.telling import subject_posterior
from tapdesk.language import gettext as _
from tapdesk.models.design import design, unit_of_ratings
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.stack import FloatArray
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.raters import leave_one_out_rates

_BY_CONSTRUCTION = _(
    "This model gives every rater a rate of class 1 of its own, so modelled and observed rates "
    "agree by construction and show nothing."
)


@dataclass(frozen=True, eq=False)
class Calibration:
    """Modelled against observed rates; arrays have shape (n,).

    Attributes
    ----------
    names
        Of the raters, or of the deciles.
    count
        Ratings behind each.
    modelled, observed
        Rates of the class.
    low, high
        Observed minus and plus two standard errors, kept within 0 and 1.
    mean_absolute_error
        Of modelled against observed, weighted by the counts.
    note
        What must be said; empty when nothing.
    """

    names: tuple[str, ...]
    count: NDArray[np.int64]
    modelled: FloatArray
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    mean_absolute_error: float
    note: str = ""


def rater_calibration(ratings: Ratings, fit: Fit, category: int = -1) -> Calibration:
    """For every rater the rate of a class the model expects on this rater's subjects, against the observed one.

    The expected rate is weighted by the posterior of each subject, which has seen the rating itself.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    category
        Index of the class; the last one unless given.

    Raises
    ------
    CannotAnswerError
        When raters are not known.
    """
    if not ratings.raters_known:
        raise CannotAnswerError(_("This needs to know who gave each rating, and here the raters are not known."))
    category %= len(ratings.classes)
    plan = design(fit.model, ratings)
    posterior = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
    unit, *_others = unit_of_ratings(fit.model, ratings)
    rates = fit.parameters.rating_rates()
    row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    modelled = (posterior[ratings.subject] * rates[row, :, category]).sum(axis=1)
    own = fit.model.guessing in {Guessing.PER_RATER, Guessing.PER_RATER_AND_CLASS}
    free = fit.model.accuracy in {Accuracy.PER_RATER, Accuracy.NONE}
    note = _BY_CONSTRUCTION if own and free and len(ratings.classes) == 2 else ""
    return _gathered(ratings, modelled, category, np.asarray(ratings.rater, dtype=np.int64), ratings.raters, note)


def rating_calibration(ratings: Ratings, fit: Fit, category: int = -1, groups: int = 10) -> Calibration:
    """Ratings in groups of equal size by the modelled probability of a class, against how often it was chosen.

    The probability of a rating is what the model says having seen all other ratings of the subject, not this one.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    category
        Index of the class; the last one unless given.
    groups
        How many at most; ratings with equal probabilities stay together.

    Raises
    ------
    CannotAnswerError
        When there are no ratings.
    """
    if ratings.subject.size == 0:
        raise CannotAnswerError(_("There are no ratings."))
    category %= len(ratings.classes)
    modelled = leave_one_out_rates(ratings, fit)[:, category]
    edges = np.unique(np.quantile(np.round(modelled, 9), np.linspace(0, 1, groups + 1)[1:-1]))
    group = np.searchsorted(edges, np.round(modelled, 9), side="right")
    _first, group = np.unique(group, return_inverse=True)
    names = tuple(str(g + 1) for g in range(int(group.max()) + 1))
    return _gathered(ratings, modelled, category, group.ravel(), names, "")


def _gathered(
    ratings: Ratings,
    modelled: FloatArray,
    category: int,
    group: NDArray[np.int64],
    names: tuple[str, ...],
    note: str,
) -> Calibration:
    """Means by group, and how far they are apart."""
    w = ratings.subject_weights()[ratings.subject]
    n = len(names)
    count = np.bincount(group, w, n)
    some = np.flatnonzero(count > 0)
    said = (np.bincount(group, w * modelled, n) / np.maximum(count, 1))[some]
    seen = (np.bincount(group, w * (ratings.category == category), n) / np.maximum(count, 1))[some]
    error = 2 * np.sqrt(seen * (1 - seen) / count[some])
    share = count[some] / count.sum()
    return Calibration(
        tuple(names[i] for i in some),
        np.asarray(np.rint(count[some]), dtype=np.int64),
        said,
        seen,
        np.maximum(seen - error, 0.0),
        np.minimum(seen + error, 1.0),
        float(share @ np.abs(said - seen)),
        note,
    )
