"""How accuracy goes with what is known of pooled raters; alone because fit, sampler and words need it."""

from dataclasses import dataclass

from tapdesk.estimate import Estimate


@dataclass(frozen=True, slots=True)
class PooledSlope:
    """What is believed of accuracy along one column of numbers of raters.

    Attributes
    ----------
    covariate
        The column.
    first, last
        The smallest and the largest value among the raters.
    at_first, at_last
        The accuracy of a typical rater there, other columns at their mean.
    changes
        Whether the interval of the slope leaves 0 out.
    raters
        How many raters it rests on.
    """

    covariate: str
    first: float
    last: float
    at_first: Estimate
    at_last: Estimate
    changes: bool
    raters: int
