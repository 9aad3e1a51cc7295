"""The headline of ordered classes: right, next to the truth, luck or further away.

It stands alone because it is about models of ordered classes, and `tapdesk.answers.fit_words` is about all.
"""

import numpy as np

from tapdesk.answers import numbers
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import rows_of_ratings
from tapdesk.models.near_misses import near_shares
from tapdesk.ratings.ratings import Ratings


def near_misses(fit: Fit) -> str:
    """Of 100 ratings how many are right, how many fall next to the truth, how many are luck; with the interval."""
    right, near, luck = near_shares(fit.parameters)
    accuracy = fit.estimate("a")
    fields = {
        "right": numbers.about(right),
        "near": numbers.about(near),
        "luck": numbers.about(luck),
    }
    if accuracy.low is None or accuracy.high is None:
        return _(
            "Out of 100 {ratings}, {right} follow the {subject}, {near} fall next to it and {luck} are luck; how sure "
            "that is cannot be said."
        ).format(**fields)
    low, high = numbers.ends(accuracy.low, accuracy.high)
    return _(
        "Out of 100 {ratings}, {right} follow the {subject} (between {low} and {high}), {near} fall next to it and "
        "{luck} are luck."
    ).format(low=low, high=high, **fields)


def in_order(fit: Fit, ratings: Ratings) -> str:
    """Of 100 ratings how many name the true class, how many the one next to it, and how many one further away.

    At the estimate, over the raters as often as they rated; lucky ratings are counted among the right ones.
    """
    right, near, far = order_shares(fit, ratings)
    return _(
        "Out of 100 {ratings}, {right} name the true class, {near} the one next to it and {far} one further away, by "
        "the best fit."
    ).format(right=numbers.about(right), near=numbers.about(near), far=numbers.about(far))


def order_shares(fit: Fit, ratings: Ratings) -> tuple[float, float, float]:
    """The share of ratings that name the true class, the one next to it, and one further away; they sum to one."""
    unit, _kinds = rows_of_ratings(fit.model, ratings)
    rates = fit.parameters.rating_rates()
    row = np.zeros(ratings.subject.size, dtype=np.int64) if unit is None or rates.shape[0] == 1 else unit
    weight = np.bincount(row, ratings.subject_weights()[ratings.subject], rates.shape[0])
    joint = np.einsum("u,k,ukc->kc", weight / weight.sum(), fit.parameters.truth, rates)
    steps = np.abs(np.subtract.outer(np.arange(joint.shape[0]), np.arange(joint.shape[1])))
    right, near = float(joint[steps == 0].sum()), float(joint[steps == 1].sum())
    return right, near, max(1 - right - near, 0.0)
