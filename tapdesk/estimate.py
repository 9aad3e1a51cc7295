"""An estimated number and how sure one can be of it."""

from dataclasses import dataclass, replace
from enum import Enum

LINEARISATION = "linearisation"
TABLE = "fleiss-cohen-everitt"
F_DISTRIBUTION = "f-distribution"
BOOTSTRAP = "bootstrap"
MATTERS = 0.05
"""So much lower than the interval of one accuracy, the accuracy if cases differ is told with it."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A parameter or a coefficient, told in the same words.

    Attributes
    ----------
    value
        The estimate; None where it is undefined.
    se
        Its standard error, on the scale of the value; None where there is none.
    low, high
        The ends of the interval; None where there is none.
    level
        The confidence or posterior level of the interval, between 0 and 1.
    how
        How the interval was obtained: ``profile``, ``wald``, ``bootstrap``, ``parametric-bootstrap`` ...
    undefined
        The reason, one sentence, why there is no value; None when there is one.
    no_interval
        The reason, one sentence, why there is no interval although one was asked for.
    """

    value: float | None
    se: float | None = None
    low: float | None = None
    high: float | None = None
    level: float | None = None
    how: str = ""
    undefined: str | None = None
    no_interval: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) != (self.undefined is not None):
            raise ValueError("an estimate has either a value or the reason why there is none")
        if self.value is not None and self.value != self.value:
            raise ValueError("an estimate is never NaN: say why it is undefined")
        if (self.low is None) != (self.high is None):
            raise ValueError(f"half an interval: {self.low}, {self.high}")
        # Rounding of a bound that coincides with the estimate is forgiven, nothing else is.
        if self.value is not None and self.low is not None and self.high is not None:
            slack = 1e-9 * max(1.0, abs(self.value))
            if not self.low - slack <= self.value <= self.high + slack:
                raise ValueError(f"estimate {self.value} outside its interval {self.low} to {self.high}")

    def between(self, low: float, high: float, level: float, how: str) -> "Estimate":
        """The same estimate with an interval."""
        return replace(self, low=low, high=high, level=level, how=how, no_interval=None)

    @property
    def complement(self) -> "Estimate":
        """Of a share: the share of the rest."""
        if self.value is None:
            return self
        ends = (None, None) if self.low is None or self.high is None else (1 - self.high, 1 - self.low)
        return replace(self, value=1 - self.value, low=ends[0], high=ends[1])

    def without_interval(self, reason: str) -> "Estimate":
        """The same estimate, and why it has no interval."""
        return replace(self, low=None, high=None, no_interval=reason)


def undefined(reason: str) -> Estimate:
    """An estimate that does not exist, and why."""
    return Estimate(value=None, undefined=reason)


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


class Untestable(Enum):
    """What an accuracy rests on that no ratings of its design can test; the value is its name in JSON."""

    GUESSES = "guesses as truth"
    CLASSES = "equal accuracy by class"


@dataclass(frozen=True, slots=True)
class AccuracyRange:
    """Every accuracy that fits equally well without an assumption that these ratings cannot test.

    Attributes
    ----------
    without
        The assumption: that guesses fall as often as the truth (two ratings of a case), or that both classes are
        recognised equally often (more ratings; the accuracy is then that of the average case).
    low, high
        What fits as well as the best.
    outer_low, outer_high
        The interval of that range at ``level``: what lies outside fits clearly worse. None for more ratings.
    level
        Its confidence level.
    assumed
        The accuracy under the assumption.
    """

    without: Untestable
    low: float
    high: float
    outer_low: float | None
    outer_high: float | None
    level: float
    assumed: Estimate


@dataclass(frozen=True, slots=True)
class MatchRates:
    """Shares of rating pairs that match, by cause (Kappa Zoo ch. 9, eq. 1).

    Attributes
    ----------
    accurate, inaccurate, mixed, observed
        Both justified, neither, one of them; and all.
    random
        How often two guesses would match; None where nobody guesses, so that nothing shows it.
    reach
        By name (``mixed``, ``inaccurate``, ``observed``) the two ends of the profile interval at the level of the fit;
        empty where there is none. That of ``accurate`` is the interval of the accuracy, squared.
    """

    accurate: float
    random: float | None
    inaccurate: float
    mixed: float
    observed: float
    reach: tuple[tuple[str, float, float], ...] = ()
