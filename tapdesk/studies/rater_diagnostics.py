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
from tapdesk.models.design import design, unit_of_ratings
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.ratings.ratings import Ratings

_STEPS = 33

_BY_CONSTRUCTION = _(
    "This model gives every rater a rate of class 1 of its own, so modelled and observed rates "
    "agree by construction and show nothing."
)


def rater_entropy(point: Parameters) -> FloatArray:
    """Shape (raters or 1,): expected krits of a rating of each rater when all true classes are equally common.

    0 for a rater who is always right, 1 for one whose ratings are even whatever the truth (Kappa Zoo ch. 9, §3).
    """
    rates = point.rating_rates()
    entropy = -(rates * np.log(np.maximum(rates, 1e-300))).sum(axis=2) / np.log(point.classes)
    return np.asarray(entropy.mean(axis=1))


def rater_entropies(fit: Fit) -> list[Estimate]:
    """The same of every rater of a fit, with what it comes to over the interval of the rater's accuracy.

    Guesses are held at what is estimated; there is no interval where the accuracy of the rater has none, and no value
    for a rater of one rating.
    """
    silent = {e.name.rater for e in fit.estimates if e.estimate.undefined == ONE_RATING}
    found = rater_entropy(fit.parameters)
    ends = {e.name.rater: e.estimate for e in fit.estimates if e.name.name == "a" and e.name.category is None}
    told = []
    for j, (rater, value) in enumerate(zip(fit.raters, found, strict=True)):
        if rater in silent:
            told.append(undefined(ONE_RATING))
            continue
        a, here = ends.get(rater), Estimate(float(value))
        if a is not None and a.low is not None and a.high is not None and a.level is not None:
            # The entropy need not fall all the way: guesses of one class leave less open than a little knowledge.
            over = np.linspace(a.low, a.high, _STEPS)
            reach = np.append([float(rater_entropy(_with_accuracy(fit.parameters, j, x))[0]) for x in over], value)
            here = here.between(float(reach.min()), float(reach.max()), a.level, a.how)
        told.append(here)
    return told


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
    unit, *_others = unit_of_ratings(fit.model, ratings)
    rates, k = fit.parameters.rating_rates(), len(ratings.classes)
    row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    own = rates[row, :, ratings.category]
    # Told apart: a rating that is impossible under a true class rules it out, until that rating is left out.
    logs, never = np.log(np.where(own > 0, own, 1.0)), own == 0
    place = (ratings.subject.astype(np.int64)[:, None] * k + np.arange(k)).ravel()
    size = len(ratings.subjects) * k
    told = np.bincount(place, logs.ravel(), size).reshape(-1, k) + _log(fit.parameters.truth)
    ruled_out = np.bincount(place, never.ravel(), size).reshape(-1, k)
    level = told[ratings.subject] - logs
    level = np.where(ruled_out[ratings.subject] - never > 0, -np.inf, level)
    top = level.max(axis=1, keepdims=True)
    without = np.exp(level - np.where(np.isfinite(top), top, 0.0))
    total = without.sum(axis=1, keepdims=True)
    # Others who contradict each other for certain say nothing: the class may then be any.
    without = np.divide(without, total, out=np.tile(fit.parameters.truth, (total.size, 1)), where=total > 0)
    found = np.zeros(without.shape)
    for c in range(k):
        found[:, c] = (without * rates[row, :, c]).sum(axis=1)
    return found


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
