"""What each rater contributes, which ratings nobody would have expected, and calibration (models.md §8)."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.fitting.undetermined import ONE_RATING
from tapdesk.language import gettext as _
from tapdesk.language import same_sentence
from tapdesk.models.design import design, rows_of_ratings
from tapdesk.models.model import Accuracy
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.ratings.ratings import Ratings

_TINY = 1e-300
# A truth so near to one class leaves nothing to tell: nats.
_CERTAIN = 1e-6
_ONE_CLASS = _("Every {subject} seems to be of one class, so there is nothing for {a_rating} to tell.")
_SEVERAL_TRUTHS = _("Classes are not equally common in all groups, so there is no one number of what {a_rating} tells.")

_BY_CONSTRUCTION = _(
    "This model gives every {rater} a rate of the counted class of its own, so modelled and observed rates "
    "agree by construction and show nothing."
)


def rater_information(point: Parameters) -> FloatArray:
    """Shape (raters or 1,): how much of the truth one rating of each rater tells, I(T; C) / H(T) (models.md §8).

    0 for a rater whose ratings say nothing of the case, also one who always gives the same class; 1 for one who is
    always right, or always wrong in the same way. NaN where every case is of one class, so that nothing is to be told,
    and where each group has true class rates of its own.
    """
    truth = point.truth
    rates = point.rating_rates()
    if truth.ndim > 1:
        return np.full(rates.shape[0], np.nan)
    unknown = -float((truth * np.log(np.maximum(truth, _TINY))).sum())
    if unknown < _CERTAIN:
        return np.full(rates.shape[0], np.nan)
    marginal = np.einsum("k,ukc->uc", truth, rates)
    gain = np.log(np.maximum(rates, _TINY)) - np.log(np.maximum(marginal, _TINY))[:, None, :]
    sentence = np.einsum("k,ukc,ukc->u", truth, rates, gain)
    return np.asarray(np.clip(sentence / unknown, 0.0, 1.0))


def rater_informations(fit: Fit) -> list[Estimate]:
    """The same of every rater of a fit, with what it comes to over the interval of the rater's accuracy.

    Truth and guesses are held at what is estimated; there is no interval where the accuracy of the rater has none, and
    no value for a rater of one rating, or of whom the accuracy is not determined.
    """
    silent = {e.name.rater for e in fit.estimates if same_sentence(e.estimate.undefined, ONE_RATING)}
    values = rater_information(fit.parameters)
    ends = {e.name.rater: e.estimate for e in fit.estimates if e.name.name == "a" and e.name.category is None}
    estimates = []
    for j, (rater, value) in enumerate(zip(fit.raters, values, strict=True)):
        if rater in silent or not np.isfinite(value):
            why = _ONE_CLASS if fit.parameters.truth.ndim == 1 else _SEVERAL_TRUTHS
            estimates.append(undefined(ONE_RATING if rater in silent else why))
            continue
        a, here = ends.get(rater), Estimate(float(value))
        if a is not None and a.value is None:
            # Of who turns the scale round the bounded model finds nothing, though such ratings tell as much as others.
            estimates.append(undefined(a.undefined or _ONE_CLASS))
            continue
        if a is not None and a.low is not None and a.high is not None and a.level is not None:
            # A less accurate rater is the same one with more noise, so the information rises with the accuracy.
            reach = [float(rater_information(_with_accuracy(fit.parameters, j, x))[0]) for x in (a.low, a.high)]
            here = here.between(min(*reach, float(value)), max(*reach, float(value)), a.level, a.how)
        estimates.append(here)
    return estimates


def _with_accuracy(point: Parameters, rater: int, accuracy: float) -> Parameters:
    """One rater alone, with another accuracy."""
    guessing = point.guessing[min(rater, point.guessing.shape[0] - 1)][None]
    return replace(point, accuracy=np.array([[accuracy]]), guessing=guessing)


@dataclass(frozen=True, eq=False)
class UnexpectedRatings:
    """The ratings that the fit finds least probable given all others; arrays have shape (n,), least probable first.

    Attributes
    ----------
    rating
        Index into the ratings.
    probability
        Of this class, given every other rating of the subject.
    """

    rating: NDArray[np.int64]
    probability: FloatArray


def unexpected_ratings(ratings: Ratings, fit: Fit, count: int = 20) -> UnexpectedRatings:
    """Ratings to look at again.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    count
        How many at most.
    """
    probability = leave_one_out(ratings, fit)
    order = np.argsort(probability, kind="stable")[:count]
    return UnexpectedRatings(order, probability[order])


def leave_one_out(ratings: Ratings, fit: Fit) -> FloatArray:
    """Shape (m,): probability of each rating given the other ratings of its subject, at the estimate."""
    return np.asarray(leave_one_out_rates(ratings, fit)[np.arange(ratings.subject.size), ratings.category])


def leave_one_out_rates(ratings: Ratings, fit: Fit) -> FloatArray:
    """Shape (m, K): probability of each class for each rating given the other ratings of its subject."""
    # Late, here and below: pairs of raters are looked at by every fit, single ratings by few.
    from tapdesk.studies.rating_expectations import expected_rates, independent, replaced_rates, truth_priors

    if not independent(fit.model):
        return replaced_rates(ratings, fit)
    unit, _kinds = rows_of_ratings(fit.model, ratings)
    rates, k = expected_rates(fit), len(ratings.classes)
    priors = truth_priors(fit, ratings).each
    row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    own = rates[row, :, ratings.category]
    # Told apart: a rating that is impossible under a true class rules it out, until that rating is left out.
    logs, never = np.log(np.where(own > 0, own, 1.0)), own == 0
    place = (ratings.subject.astype(np.int64)[:, None] * k + np.arange(k)).ravel()
    size = len(ratings.subjects) * k
    sentence = np.bincount(place, logs.ravel(), size).reshape(-1, k) + _log(priors)
    ruled_out = np.bincount(place, never.ravel(), size).reshape(-1, k)
    level = sentence[ratings.subject] - logs
    level = np.where(ruled_out[ratings.subject] - never > 0, -np.inf, level)
    top = level.max(axis=1, keepdims=True)
    without = np.exp(level - np.where(np.isfinite(top), top, 0.0))
    total = without.sum(axis=1, keepdims=True)
    # Others who contradict each other for certain say nothing: the class may then be any.
    without = np.divide(without, total, out=priors[ratings.subject], where=total > 0)
    result = np.zeros(without.shape)
    for c in range(k):
        result[:, c] = (without * rates[row, :, c]).sum(axis=1)
    return result


def _log(rates: FloatArray) -> FloatArray:
    """Logarithms, minus infinity of 0 without a warning."""
    return np.asarray(np.log(rates, out=np.full(rates.shape, -np.inf), where=rates > 0))


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
        raise CannotAnswerError(_("This needs to know who gave each {rating}, and here the {raters} are not known."))
    from tapdesk.studies.rating_expectations import expected_rates, independent, replaced_rates  # late, as above

    category %= len(ratings.classes)
    if independent(fit.model):
        plan = design(fit.model, ratings)
        posterior = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
        unit, _kinds = rows_of_ratings(fit.model, ratings)
        rates = expected_rates(fit)
        row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
        modelled = (posterior[ratings.subject] * rates[row, :, category]).sum(axis=1)
    else:
        # What a case is besides its class shows in its other ratings.
        modelled = replaced_rates(ratings, fit)[:, category]
    own = fit.model.guessing.by_rater
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
        raise CannotAnswerError(_("There are no {ratings}."))
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
    words = (np.bincount(group, w * modelled, n) / np.maximum(count, 1))[some]
    seen = (np.bincount(group, w * (ratings.category == category), n) / np.maximum(count, 1))[some]
    error = 2 * np.sqrt(seen * (1 - seen) / count[some])
    share = count[some] / count.sum()
    return Calibration(
        tuple(names[i] for i in some),
        np.asarray(np.rint(count[some]), dtype=np.int64),
        words,
        seen,
        np.maximum(seen - error, 0.0),
        np.minimum(seen + error, 1.0),
        float(share @ np.abs(words - seen)),
        note,
    )
