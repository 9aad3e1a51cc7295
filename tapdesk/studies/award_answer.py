"""The answer to who wins and how sure, as values: what is asked, what is told of each entry, what is said beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import FloatArray
from tapdesk.studies.award_changes import Change, Variant
from tapdesk.studies.award_rules import Rule, RuleResult
from tapdesk.studies.judge_numbers import JudgeNumbers
from tapdesk.studies.panel_sampler import IndexArray

FIRST = (1, 3, 10)
"""Of so many best the chance of each entry is told."""
SURE, SAFE = 0.95, 0.8
"""Above this an order is sure; from this on a medal is safe."""


class ScoreKind(Enum):
    """What the ratings are to this question."""

    POINTS = "points"
    GRADES = "grades"
    CLASSES = "classes"


class Caveat(Enum):
    """What has to be said beside the answer."""

    TWO_JUDGES = "two judges"
    SINGLE_SCORES = "single scores"
    NO_LINES = "no lines"
    NOT_SETTLED = "not settled"
    UNUSED = "unused classes"


@dataclass(frozen=True)
class AwardRequest:
    """What is asked.

    Attributes
    ----------
    rule
        The committee's; None for the usual one: of points the mean, of classes the median.
    lines
        Of points the lowest of each class but the first.
    names
        Of the classes that lines make, lowest first.
    wanted
        Of classes without an order the one that wins; empty for ordered ones.
    first
        Of how many best the chances are told.
    decimal
        The decimal mark of the scores.
    occasion
        The column that says when a score was given; empty for the only one that holds days or times, if there is one.
    level, seed
        Of intervals, and of all draws.
    """

    rule: Rule | None = None
    lines: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    wanted: str = ""
    first: tuple[int, ...] = FIRST
    decimal: str = "."
    occasion: str = ""
    level: float = 0.95
    seed: int = 1


@dataclass(frozen=True, eq=False)
class Awards:
    """The answer; entries stand in the order of the ratings.

    Attributes
    ----------
    kind, subjects, raters
        What the ratings are; the names of entries and judges.
    classes, lines
        The classes, lowest first, and of points the lines between them.
    rule, result
        The committee's rule, and what it gives.
    ratings
        Shape (N,): how many scores each entry has.
    fair, low, high
        Shape (N,): what a fair panel would give, in points or on the scale 1 to K of classes, and its interval; of a
        wanted class its probability.
    rank_low, rank_high
        Shape (N,): the interval of the place.
    probability
        Shape (N, K): of each class; no columns without lines.
    first, among
        Of how many best, and shape (N, F): the probability of being one of them.
    order
        Shape (N,): entries by fair score, the best first.
    groups
        First and last position in this order of entries that cannot be told apart from the first of them.
    above_next
        Shape (N,): by position the probability that the entry is better than the next; 1 for the last.
    judges
        In the order of the ratings; empty for classes without an order.
    without, rules, corrected
        What changes in the committee's result: if a judge is left out, by another rule (the model last), if the
        harshest judge is corrected.
    caveats
        What has to be said beside it.
    gain
        Shape (N,): how much likelier the likeliest class of an entry becomes by one more rating, on average.
    request
        What was asked, with the column that says when a score was given.
    """

    kind: ScoreKind
    subjects: tuple[str, ...]
    raters: tuple[str, ...]
    classes: tuple[str, ...]
    lines: tuple[float, ...]
    rule: Rule
    result: RuleResult
    ratings: IndexArray
    fair: FloatArray
    low: FloatArray
    high: FloatArray
    rank_low: IndexArray
    rank_high: IndexArray
    probability: FloatArray
    first: tuple[int, ...]
    among: FloatArray
    order: IndexArray
    groups: tuple[tuple[int, int], ...]
    above_next: FloatArray
    judges: tuple[JudgeNumbers, ...]
    without: tuple[Variant, ...]
    rules: tuple[Variant, ...]
    corrected: Variant | None
    caveats: tuple[Caveat, ...]
    gain: FloatArray
    request: AwardRequest
    level: float = 0.95
    wanted: int = -1
    left_out: Mapping[int, tuple[Change, ...]] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def deserved(self) -> FloatArray:
        """Shape (N,): probability of the class that was given; not a number where none was."""
        given, at = self.result.given, np.arange(self.fair.size)
        if not self.probability.shape[1]:
            return np.full(given.size, np.nan)
        return np.where(given >= 0, self.probability[at, np.maximum(given, 0)], np.nan)

    @property
    def safe(self) -> NDArray[np.bool_]:
        """Shape (N,): whether what was given is deserved with `SAFE` or more, as it is printed in whole per cent."""
        return np.asarray(np.round(100 * self.deserved) >= 100 * SAFE)

    @property
    def likeliest(self) -> IndexArray:
        """Shape (N,): the likeliest class; -1 without classes."""
        if not self.probability.shape[1]:
            return np.full(self.fair.size, -1)
        return np.asarray(self.probability.argmax(axis=1))


def groups_apart(fair: FloatArray, order: IndexArray) -> tuple[tuple[int, int], ...]:
    """First and last position of entries that cannot be told apart from the first of them, groups of two and more."""
    found, start, n = [], 0, order.size
    while start < n:
        above = (fair[:, order[start]][:, None] > fair[:, order[start:]]).mean(axis=0)
        sure = np.flatnonzero(above[1:] >= SURE)
        end = start + int(sure[0]) if sure.size else n - 1
        if end > start:
            found.append((start, end))
        start = end + 1
    return tuple(found)
