"""How a committee makes one result of many scores: the usual rules, and what each would give.

A judge who scored an entry more than once has one voice: the mean of these scores. The rules are those of tasting and
grading panels: mean, median, mean without the highest and the lowest, points by place (Borda 1781), and majority
judgment (Balinski & Laraki 2010), which takes the lower median and breaks ties by taking it out again and again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import FloatArray
from tapdesk.studies.panel_sampler import IndexArray, PanelScores


class Rule(Enum):
    """A rule of a committee; the value is its name on the command line."""

    MEAN = "mean"
    MEDIAN = "median"
    TRIMMED = "trimmed"
    BORDA = "borda"
    MAJORITY = "majority"
    MODEL = "model"


COMMITTEE_RULES = tuple(rule for rule in Rule if rule is not Rule.MODEL)
"""What a committee may have used; the model is none of them."""
_LEAST_TO_TRIM = 4
# Takes part in no tie of two entries, and is below any step between scores.
_DUST = 1e-9


@dataclass(frozen=True, eq=False)
class RuleResult:
    """What a rule makes of the scores.

    Attributes
    ----------
    rule
        Which.
    value
        Shape (N,): the number by which the entries are ordered; not a number where an entry has no score.
    place
        Shape (N,): the best place an entry may claim, 1 for the first; equal values share it.
    given
        Shape (N,): the class, -1 for none.
    """

    rule: Rule
    value: FloatArray
    place: IndexArray
    given: IndexArray


def voices(scores: PanelScores, without: int | None = None) -> PanelScores:
    """One score of each judge for each entry, without one of the judges."""
    cell = scores.entry * scores.judges + scores.judge
    cells, back = np.unique(cell, return_inverse=True)
    value = np.bincount(back, scores.value) / np.bincount(back)
    entry, judge = np.divmod(cells, scores.judges)
    kept = np.ones(cells.size, dtype=bool) if without is None else judge != without
    return PanelScores(
        entry[kept], judge[kept], value[kept], scores.entries, scores.judges, scores.step, scores.classes
    )


def apply_rule(rule: Rule, votes: PanelScores, lines: Sequence[float], quota: IndexArray | None = None) -> RuleResult:
    """The result of a rule.

    Parameters
    ----------
    rule
        One of the committee's.
    votes
        One score of each judge for each entry (`voices`).
    lines
        The lowest score of each class but the first; of ordered classes not needed. Without lines nothing is given.
    quota
        Shape (K,): how many entries each class holds, lowest first, for points by place, which have no lines; None
        where they give no classes.
    """
    value = _VALUES[rule](votes)
    seen = np.isfinite(value)
    given = np.full(value.size, -1)
    if rule is Rule.BORDA:
        if quota is not None:
            given[seen] = _by_quota(value[seen], quota)
    elif votes.classes:
        given[seen] = _nearest_class(rule, value[seen], votes.classes)
    elif len(lines):
        level = _lower_medians(votes) if rule is Rule.MAJORITY else value
        given[seen] = np.searchsorted(np.asarray(lines), level[seen] + _DUST, side="right")
    return RuleResult(rule, value, places(value), given)


def places(value: FloatArray) -> IndexArray:
    """Shape (N,): 1 for the highest value; equal ones share the best place; those without come last together."""
    seen = value[np.isfinite(value)]
    filled = np.where(np.isfinite(value), value, seen.min(initial=0.0) - 1)
    ordered = np.sort(-filled)
    return np.asarray(np.searchsorted(ordered, -filled - _DUST * np.maximum(np.abs(filled), 1), side="left") + 1)


def _nearest_class(rule: Rule, value: FloatArray, classes: int) -> IndexArray:
    """The class of a value on the scale of places, halves upwards; of majority judgment the whole part."""
    grade = np.floor(value + _DUST) if rule is Rule.MAJORITY else np.floor(value + 0.5 + _DUST)
    return np.clip(grade, 0, classes - 1).astype(np.int64)


def _by_quota(value: FloatArray, quota: IndexArray) -> IndexArray:
    """As many of each class as another rule gave, the highest first; who is level with the last stays outside none."""
    result = np.zeros(value.size, dtype=np.int64)
    ordered = np.sort(value)[::-1]
    above = 0
    for k in range(quota.size - 1, 0, -1):
        above += int(quota[k])
        if above:
            line = ordered[min(above, value.size) - 1]
            result = np.maximum(result, np.where(value >= line - _DUST, k, 0))
    return result


def _means(votes: PanelScores) -> FloatArray:
    count = np.bincount(votes.entry, minlength=votes.entries)
    total = np.bincount(votes.entry, votes.value, votes.entries)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _each(votes: PanelScores) -> list[NDArray[np.float64]]:
    """The scores of every entry, lowest first."""
    order = np.lexsort((votes.value, votes.entry))
    ends = np.searchsorted(votes.entry[order], np.arange(1, votes.entries))
    return np.split(votes.value[order], ends)


def _medians(votes: PanelScores) -> FloatArray:
    return np.array([np.median(row) if row.size else np.nan for row in _each(votes)])


def _lower_medians(votes: PanelScores) -> FloatArray:
    return np.array([row[(row.size - 1) // 2] if row.size else np.nan for row in _each(votes)])


def _trimmed(votes: PanelScores) -> FloatArray:
    """The mean without the highest and the lowest of four scores or more."""
    rows = (row[1:-1] if row.size >= _LEAST_TO_TRIM else row for row in _each(votes))
    return np.array([row.mean() if row.size else np.nan for row in rows])


def _points_by_place(votes: PanelScores) -> FloatArray:
    """The mean over judges of the share of their other entries that an entry is placed above; ties count half."""
    share = np.full(votes.value.size, np.nan)
    for j in range(votes.judges):
        mine = np.flatnonzero(votes.judge == j)
        if mine.size > 1:
            value = np.sort(votes.value[mine])
            below = np.searchsorted(value, votes.value[mine], side="left")
            upto = np.searchsorted(value, votes.value[mine], side="right")
            share[mine] = (below + (upto - below - 1) / 2) / (mine.size - 1)
    told = np.isfinite(share)
    count = np.bincount(votes.entry[told], minlength=votes.entries)
    total = np.bincount(votes.entry[told], share[told], votes.entries)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _majority_order(votes: PanelScores) -> FloatArray:
    """The lower median, and below it as much less than a step as majority judgment places an entry lower."""
    rows = _each(votes)
    keys: list[tuple[float, ...]] = []
    for row in rows:
        left, key = list(row), []
        while left:
            key.append(float(left.pop((len(left) - 1) // 2)))
        keys.append(tuple(key))
    ranks = {key: i for i, key in enumerate(sorted(set(keys)))}
    step = np.diff(np.unique(votes.value)).min(initial=1.0) / (2 * len(ranks))
    return np.array([key[0] + step * ranks[key] if key else np.nan for key in keys])


_VALUES = {
    Rule.MEAN: _means,
    Rule.MEDIAN: _medians,
    Rule.TRIMMED: _trimmed,
    Rule.BORDA: _points_by_place,
    Rule.MAJORITY: _majority_order,
}
