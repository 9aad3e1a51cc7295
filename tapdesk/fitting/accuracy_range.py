"""Every accuracy that fits two classes equally well, once what no data can test is no longer assumed (models.md §3).

With at most two ratings of a case the likelihood pins the share m of class 1 and the covariance v of two ratings of a
case, and no more. With mu_1 = m + sqrt(v (1 - t) / t) <= 1 and mu_0 = m - sqrt(v t / (1 - t)) >= 0 the share of true
class 1 lies between v / (v + (1 - m)^2) and m^2 / (m^2 + v), and a = sqrt(v / (t (1 - t))): smallest where t is nearest
to 1/2, largest at one of the ends, where it is the share of second ratings that repeat the first one.

With three ratings of a case or more t, mu_1 and mu_0 are pinned, but not whether both classes are recognised equally
often: any p from mu_0 to mu_1 fits, with a_1 = (mu_1 - p) / (1 - p) and a_0 = 1 - mu_0 / p. The accuracy of the average
case, t a_1 + (1 - t) a_0, is concave in p: smallest at one of the ends, largest where p / (1 - p) is the root of
(1 - t) mu_0 / (t (1 - mu_1)), at 1 - (sqrt(t (1 - mu_1)) + sqrt((1 - t) mu_0))^2.
"""

from dataclasses import replace

import numpy as np

from tapdesk.estimate import AccuracyRange, Untestable
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.fitting.profile import profiles
from tapdesk.fitting.undetermined import GUESSING_ALONE
from tapdesk.language import same_sentence
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, RaterModel, model
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings

_FREE, _TIED = "t-a-p", "t-a-t"
_TINY = 1e-12
# A covariance below it is that of a maximum on the edge, where ratings of a case say nothing of each other.
_NO_COVARIANCE = 1e-9


def of_two_ratings(share: float, covariance: float) -> tuple[float, float]:
    """Smallest and largest accuracy of t-a-p that fit two ratings of a case equally well.

    Parameters
    ----------
    share
        Of the ratings in class 1, m.
    covariance
        Of two ratings of a case, v, at most m (1 - m); 0 or less where they agree no more than by luck.
    """
    if covariance <= _NO_COVARIANCE:
        # All cases may be of one class: then each rating follows its case or guesses the other class.
        return 0.0, max(share, 1 - share)
    low = covariance / (covariance + (1 - share) ** 2)
    high = share**2 / (share**2 + covariance)
    nearest = min(max(0.5, low), high)
    at = np.array([low, nearest, high])
    result = np.sqrt(covariance / (at * (1 - at)))
    return float(min(result.min(), 1.0)), float(min(result.max(), 1.0))


def without_equal_classes(truth: FloatArray, right: FloatArray, wrong: FloatArray) -> tuple[FloatArray, ...]:
    """The accuracy of the average case where classes need not be recognised equally often, each of shape (B,).

    Parameters
    ----------
    truth, right, wrong
        Shape (B,): the share of true class 1, and how often true class 1 and true class 0 are called so.

    Returns
    -------
    tuple
        At both ends of what guessing may be, and the largest there is.
    """
    gap = np.maximum(right - wrong, 0.0)
    one_end = truth * gap / np.maximum(1 - wrong, _TINY)
    other_end = (1 - truth) * gap / np.maximum(right, _TINY)
    odds = np.sqrt((1 - truth) * wrong / np.maximum(truth * (1 - right), _TINY))
    guess = np.clip(odds / (1 + odds), wrong, right)
    lost = truth * (1 - right) / np.maximum(1 - guess, _TINY) + (1 - truth) * wrong / np.maximum(guess, _TINY)
    return one_end, other_end, np.clip(1 - lost, 0.0, 1.0)


def with_accuracy_range(fit: Fit, ratings: Ratings, level: float) -> Run[Fit]:
    """The fit with every accuracy that fits as well, where it rests on an assumption these ratings cannot test.

    Parameters
    ----------
    fit
        A maximum of t-a-p or t-a-t for two classes; others are returned as they are.
    ratings
        The data.
    level
        Of the intervals.

    Yields
    ------
    Step
        The phases of the fits and of their intervals.
    """
    if len(fit.classes) != 2 or not fit.model.pools or fit.model.name not in {_FREE, _TIED} or not fit.converged:
        return fit
    most = int(ratings.ratings_per_subject().max(initial=0))
    if most == 2:
        return (yield from _two_ratings(fit, ratings, level))
    if most > 2 and fit.model.name == _FREE and fit.identification.identified and not fit.degenerate:
        return _more_ratings(fit, level)
    return fit


def with_guessing_interval(fit: Fit, ratings: Ratings, level: float) -> Run[Fit]:
    """The fit with the interval of its one accuracy also where guessing alone explains the ratings, and no value.

    The profile of the accuracy is flat there from 0 up to some number and falls beyond it: the interval is every
    accuracy within reach of the maximum, of which the maximum itself is one.

    Parameters
    ----------
    fit
        A maximum of a model with one accuracy; others are returned as they are.
    ratings
        The data.
    level
        Of the interval.

    Yields
    ------
    Step
        Phase ``intervals``.
    """
    if fit.model.accuracy is not Accuracy.ONE or not same_sentence(fit.estimate("a").undefined, GUESSING_ALONE):
        return fit
    plan, evidence = _tabulated(fit.model, ratings)
    low, high = yield from _profile_of(plan, evidence, fit.parameters, fit.log_likelihood.ratings, level)

    def reached(e: ParameterEstimate) -> ParameterEstimate:
        return replace(e, estimate=e.estimate.between(low, high, level, "profile")) if e.name.name == "a" else e

    return replace(fit, estimates=tuple(map(reached, fit.estimates)))


def _two_ratings(fit: Fit, ratings: Ratings, level: float) -> Run[Fit]:
    """What two ratings of a case leave open, and the accuracy if guesses fall as often as the truth."""
    free = fit if fit.model.name == _FREE else (yield from ExactEM().run(model(_FREE), ratings, fit.seed))
    tied = fit if fit.model.name == _TIED else (yield from ExactEM().run(model(_TIED), ratings, fit.seed))
    at = free.parameters
    truth, a, guess = float(at.truth[1]), float(at.accuracy[0, 0]), float(at.guessing[0, 0, 1])
    share = a * truth + (1 - a) * guess
    low, high = of_two_ratings(share, a**2 * truth * (1 - truth))
    plan, evidence = _tabulated(free.model, ratings)
    ends = yield from _profile_of(plan, evidence, free.parameters, free.log_likelihood.ratings, level)
    assumed = tied.estimate("a")
    if assumed.value is not None and assumed.low is None:
        plan, evidence = _tabulated(tied.model, ratings)
        reach = yield from _profile_of(plan, evidence, tied.parameters, tied.log_likelihood.ratings, level)
        assumed = assumed.between(*_around(reach, assumed.value, assumed.value), level, "profile")
    outer = _around(ends, low, high)
    return replace(fit, accuracy_range=AccuracyRange(Untestable.GUESSES, low, high, *outer, level, assumed))


def _more_ratings(fit: Fit, level: float) -> Fit:
    """What three ratings of a case or more leave open where classes may differ, and the accuracy if they do not.

    The range is that of the best fit; the interval of the accuracy beside it tells how far luck moves it.
    """
    at = Stack.of([fit.parameters])
    a, guess = at.accuracy[:, 0, 0], at.guessing[:, 0, 0, 1]
    wrong = (1 - a) * guess
    one_end, other_end, most = without_equal_classes(at.truth[:, 1], a + wrong, wrong)
    low, high = float(min(one_end[0], other_end[0])), float(most[0])
    return replace(
        fit, accuracy_range=AccuracyRange(Untestable.CLASSES, low, high, None, None, level, fit.estimate("a"))
    )


def _tabulated(what: RaterModel, ratings: Ratings) -> tuple[Design, Evidence]:
    plan = design(what, ratings)
    return plan, plan.space.evidence(plan.patterns)


def _profile_of(plan: Design, evidence: Evidence, at: Parameters, top: float, level: float) -> Run[tuple[float, float]]:
    """The profile interval of the one accuracy, whose curve may be flat on top."""
    wanted = [slot for slot in plan.slots if slot.name.name == "a"]
    (result,) = yield from profiles(plan, evidence, [at], top, wanted, level)
    return result.low, result.high


def _around(ends: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    """An interval that holds what fits best, which rounding may have left a hair outside."""
    return min(ends[0], low), max(ends[1], high)
