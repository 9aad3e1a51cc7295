"""What would change the awards of a committee: a judge left out or corrected, another rule, the model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.studies.award_rules import Rule, RuleResult, apply_rule, voices
from tapdesk.studies.panel_sampler import IndexArray, PanelScores


@dataclass(frozen=True, slots=True)
class Change:
    """An award that changes: the entry, its class before and after, and its place before and after."""

    entry: int
    before: int
    after: int
    place_before: int
    place_after: int


@dataclass(frozen=True)
class Variant:
    """What changes if something is done otherwise: a judge left out or corrected, or another rule.

    Attributes
    ----------
    judge
        Whom it is about; -1 for nobody.
    rule
        By which the awards are made.
    changes
        The awards that change; without classes those that enter or leave the first.
    """

    judge: int
    rule: Rule
    changes: tuple[Change, ...]


def usual_rule(classes: int) -> Rule:
    """What most committees do: of points, which have no classes of their own, the mean, of classes the median."""
    return Rule.MEDIAN if classes else Rule.MEAN


class Committee:
    """The committee's rule on the scores, and the same with something changed."""

    def __init__(self, scores: PanelScores, rule: Rule, lines: Sequence[float], classes: int, most: int = 3) -> None:
        self.scores, self.rule, self.lines = scores, rule, lines
        self._most = most
        self._quota: IndexArray | None = None
        if classes:
            basis = apply_rule(usual_rule(scores.classes), voices(scores), lines)
            self._quota = np.bincount(basis.given[basis.given >= 0], minlength=classes)
        self.result = self._apply(rule, voices(scores))

    def _apply(self, rule: Rule, votes: PanelScores) -> RuleResult:
        return apply_rule(rule, votes, self.lines, self._quota)

    def without(self, judge: int) -> Variant:
        """The awards that change if a judge is left out."""
        return self._variant(judge, self._apply(self.rule, voices(self.scores, judge)))

    def by(self, rule: Rule) -> Variant:
        """The awards that change by another rule."""
        return self._variant(-1, self._apply(rule, voices(self.scores)))

    def against(self, result: RuleResult) -> Variant:
        """The awards that differ in another result."""
        return self._variant(-1, result)

    def corrected(self, judge: int, points: float) -> Variant:
        """The awards that change if so many points are added to the scores of a judge."""
        s = self.scores
        value = np.where(s.judge == judge, s.value + points, s.value)
        if s.classes:
            value = np.clip(value, 0, s.classes - 1)
        return self._variant(judge, self._apply(self.rule, voices(replace(s, value=value))))

    def harshest(self, severity: Sequence[float]) -> Variant | None:
        """The awards that change if the harshest judge is brought to the level of the panel."""
        judge = int(np.argmax(severity))
        return self.corrected(judge, severity[judge]) if severity[judge] > 0 else None

    def _variant(self, judge: int, other: RuleResult) -> Variant:
        return Variant(judge, other.rule, changes(self.result, other, self._most, classes=self._quota is not None))


def changes(before: RuleResult, after: RuleResult, most: int, *, classes: bool) -> tuple[Change, ...]:
    """The entries whose class differs; without classes those that enter or leave the first ``most``."""
    entering = (before.place <= most) != (after.place <= most)
    differs = before.given != after.given if classes else entering
    fields = (before.given, after.given, before.place, after.place)
    return tuple(Change(int(i), *(int(column[i]) for column in fields)) for i in np.flatnonzero(differs))
