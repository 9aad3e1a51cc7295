"""The headline of ordered classes whose misses may fall next to the truth: right, near, luck.

It stands alone because it is about one model of ordered classes, and `tapdesk.answers.fit_words` is about all.
"""

from tapdesk.answers import numbers
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.near_misses import near_shares


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
