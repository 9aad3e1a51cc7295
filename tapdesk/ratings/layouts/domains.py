"""Which columns answer on one scale, and so may be raters of one question."""

import re

from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import NUMBER_CODES, PERHAPS_MISSING, USUAL_MISSING, number, number_of_either

_MEASURED = 8  # fewer numbers than this show no range
STEPS = 20  # a scale has at most this many steps
# Steps of a scale with what people write beside them: 4+, <5, 3-4, 3/5, 3.5.
_MARKED = re.compile(r"[<>≤≥~]? ?\d{1,2}(?:[.,]\d)?(?: ?[-–/] ?\d{1,2}| ?[+?*])?")


def rating_columns(table: RatingTable, candidates: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that hold ratings: those named as raters, else the largest group that shares its values."""
    values = {n: _answers(table.texts(n)) for n in candidates}
    filled = [n for n in candidates if values[n]]
    raters = [n for n in filled if r.is_rater_column(n)]
    if len(raters) >= 2:
        shown = frozenset().union(*(values[n] for n in raters))
        return tuple(n for n in filled if n in raters or _alike(values[n], shown))
    best: list[str] = []
    for start in filled:
        group, shown = [start], values[start]
        grown = True
        while grown:
            more = [n for n in filled if n not in group and _alike(values[n], shown)]
            group += more
            shown = shown.union(*(values[n] for n in more)) if more else shown
            grown = bool(more)
        if len(group) > len(best):
            best = [n for n in filled if n in group]
    return tuple(best)


def _answers(texts: frozenset[str]) -> frozenset[str]:
    """The texts that tell which columns are alike: missing codes say nothing, and case is how somebody types."""
    known = frozenset(v.casefold() for v in texts)
    return known - USUAL_MISSING - PERHAPS_MISSING - set(NUMBER_CODES) or known


def _alike(values: frozenset[str], shown: frozenset[str]) -> bool:
    """Whether a column could be one more rater: its texts are ratings elsewhere, or steps of the same scale."""
    if len(values) > 4 * max(len(shown), 3):
        return False
    if len(values & shown) * 2 >= min(len(values), len(shown)):
        return True
    if values & shown and all(_MARKED.fullmatch(v) for v in values | shown):
        return True
    if _measured_alike(values, shown):
        return True
    numbers = [number(v) for v in values | shown]
    if all(n is not None and n == int(n) and 0 <= n <= STEPS for n in numbers):
        return True
    return w.known_scale(tuple(values | shown)) is not None


def _measured_alike(values: frozenset[str], shown: frozenset[str]) -> bool:
    """Whether two columns are measurements on one scale: no two need be equal, and their ranges are nearly one."""
    ranges = []
    for texts in (values, shown):
        marks = [v.removesuffix("%").strip() for v in texts]
        found = [n for v in marks if (n := number_of_either(v)) is not None]
        if len(found) < max(_MEASURED, 0.9 * len(texts)):
            return False
        ranges.append((min(found), max(found)))
    if any(v.endswith("%") for v in values) != any(v.endswith("%") for v in shown):
        return False
    (low, high), (from_, to) = ranges
    return min(high, to) - max(low, from_) >= 0.6 * (max(high, to) - min(low, from_))
