"""Fleiss' kappa and its root as estimates with intervals, for tables that set them beside accuracies."""

import math
from collections.abc import Callable, Iterator

import numpy as np

from tapdesk.agreement.chance import fleiss_kappa, percent_agreement
from tapdesk.agreement.intervals import analytic
from tapdesk.agreement.quantity import Case
from tapdesk.agreement.tables import Tables
from tapdesk.agreement.weights import Weights, weights
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings


def kappa_estimate(ratings: Ratings, level: float = 0.95) -> Estimate:
    """Fleiss' kappa with its large-sample interval, or why there is none."""
    return _estimate(fleiss_kappa, ratings, level)


def agreement_estimate(ratings: Ratings, level: float = 0.95) -> Estimate:
    """The share of the pairs of ratings of a case that match, with its large-sample interval, or why there is none."""
    return _estimate(percent_agreement, ratings, level)


def _estimate(
    coefficient: Callable[[Tables, Weights | str], Iterator[Case]], ratings: Ratings, level: float
) -> Estimate:
    if ratings.subject.size == 0:
        return undefined(_("There are no ratings."))
    case = next(iter(coefficient(Tables(ratings), weights("identity", ratings))))
    if case.quantity is None:
        return undefined(case.reason or case.otherwise)
    return analytic(case.quantity, level, case.otherwise)[0]


def repeats(ratings: Ratings) -> bool:
    """Whether a known rater rated a case more than once: a coefficient takes such ratings for one vote."""
    if not ratings.raters_known:
        return False
    cast = ratings.rater.astype(np.int64) * len(ratings.subjects) + ratings.subject
    return bool(np.unique(cast).size < cast.size)


def root(kappa: Estimate) -> Estimate:
    """Root kappa: the accuracy of t-a-t that the coefficient stands for; undefined where kappa is negative."""
    if kappa.value is None:
        return kappa
    if kappa.value < 0:
        return undefined(
            _(
                "Fleiss' kappa is negative here ({value:.2f}), so it has no square root: the ratings agree "
                "less than independent ones would on average."
            ).format(value=kappa.value)
        )
    estimate = Estimate(math.sqrt(kappa.value))
    if kappa.low is None or kappa.high is None or kappa.level is None:
        return estimate.without_interval(kappa.no_interval) if kappa.no_interval else estimate
    low, high = (math.sqrt(max(end, 0.0)) for end in (kappa.low, kappa.high))
    return estimate.between(low, high, kappa.level, kappa.how)
