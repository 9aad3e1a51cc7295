"""What an accuracy rests on that no ratings can test, and what is left of it without."""

from dataclasses import dataclass
from enum import Enum

from tapdesk.estimate import Estimate


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
