"""Fixes for scores on a scale without steps: cut-points that make classes of them."""

import math
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.project.decisions.labels import MergeClasses
from tapdesk.project.fixes.fix import Fix, left
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.texts import number

STEPS = 5
_MANY = 15  # more scores than this are no steps
_WIDTHS = (1.0, 2.0, 2.5, 5.0, 10.0)


def steps(finding: Finding, reading: Reading, now: Ratings) -> Iterable[Fix]:
    """Equal steps, and one cut in the middle, each told by where it cuts."""
    mark = reading.source.decimal or "."
    scores = {c: n for c in now.classes if (n := number(c, mark)) is not None}
    if len(scores) <= _MANY:
        return
    width = _round_width((max(scores.values()) - min(scores.values())) / STEPS)
    first = math.floor(min(scores.values()) / width) * width
    cuts = [first + width * i for i in range(1, STEPS + 2) if first + width * i <= max(scores.values())]
    told = "; ".join(_written(cut, mark) for cut in cuts)
    yield Fix(_("Cut at {cuts}").format(cuts=told), _grouped(scores, cuts, mark))
    middle = _median(scores, now)
    if middle > min(scores.values()):
        yield Fix(
            _("Below {cut}, and {cut} or more").format(cut=_written(middle, mark)), _grouped(scores, [middle], mark)
        )
    yield left(finding, _("Keep every score"))


def _round_width(width: float) -> float:
    """A step of a round size, at least as wide as asked."""
    power = 10.0 ** math.floor(math.log10(width))
    return next(w * power for w in _WIDTHS if w * power >= width * (1 - 1e-9))


def _median(scores: dict[str, float], now: Ratings) -> float:
    """The first score that more than half of the ratings do not exceed."""
    rates = now.class_rates()
    rows = sorted((score, float(rates[now.classes.index(label)])) for label, score in scores.items())
    upto = np.cumsum([rate for _score, rate in rows])
    return rows[int(np.searchsorted(upto, upto[-1] / 2 * (1 + 1e-9), side="right"))][0]


def _written(score: float, mark: str) -> str:
    """A number with the decimal mark of the file: names of classes are words of the user's data."""
    return f"{score:g}".replace(".", mark)


def _grouped(scores: dict[str, float], cuts: list[float], mark: str) -> MergeClasses:
    """Scores between cut-points as one class each, called by what it reaches from and to."""
    edges = [-math.inf, *cuts, math.inf]
    groups = []
    for low, high in pairwise(edges):
        labels = tuple(label for label, score in scores.items() if low <= score < high)
        if labels:
            groups.append((_called(low, high, mark), labels))
    return MergeClasses(tuple(groups))


def _called(low: float, high: float, mark: str) -> str:
    """The name of the scores from one cut-point to the next."""
    if math.isinf(low):
        return _("below {high}").format(high=_written(high, mark))
    if math.isinf(high):
        return _("{low} or more").format(low=_written(low, mark))
    return _("{low} to below {high}").format(low=_written(low, mark), high=_written(high, mark))
