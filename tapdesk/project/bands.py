"""Scores in bands: cut points of one's own or of the program's, and what the bands are called."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.project.decisions.classes import MergeClasses
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import MOST_STEPS, number

_WIDTHS = (1.0, 2.0, 2.5, 5.0, 10.0)


def scores_of(ratings: Ratings, mark: str) -> Mapping[str, float]:
    """By name of a class the score that it is, with the decimal mark of the file; what is no number is left aside."""
    return {c: n for c in ratings.classes if (n := number(c, mark)) is not None}


def round_width(width: float) -> float:
    """A step of a round size, at least as wide as asked."""
    power = 10.0 ** math.floor(math.log10(width))
    return next(w * power for w in _WIDTHS if w * power >= width * (1 - 1e-9))


def median_score(scores: Mapping[str, float], now: Ratings) -> float:
    """The first score that more than half of the ratings do not exceed."""
    rates = now.class_rates()
    rows = sorted((score, float(rates[now.classes.index(label)])) for label, score in scores.items())
    upto = np.cumsum([rate for _score, rate in rows])
    return rows[int(np.searchsorted(upto, upto[-1] / 2 * (1 + 1e-9), side="right"))][0]


def written(score: float, mark: str) -> str:
    """A number with the decimal mark of the file: names of classes are words of the user's data."""
    return f"{score:g}".replace(".", mark)


def bands(scores: Mapping[str, float], cuts: Sequence[float], mark: str, names: Sequence[str] = ()) -> MergeClasses:
    """Scores between cut points as one class each, called by what it reaches from and to, or as they are named.

    Parameters
    ----------
    scores
        By name of a class its score.
    cuts
        The lowest score of each band but the first, rising.
    mark
        The decimal mark of the file.
    names
        One for each band, lowest first; none for names that tell the scores.
    """
    groups = []
    for place, (low, high) in enumerate(pairwise([-math.inf, *cuts, math.inf])):
        labels = tuple(label for label, score in scores.items() if low <= score < high)
        if labels:
            groups.append((names[place] if names else _band_name(low, high, mark), labels))
    return MergeClasses(tuple(groups))


def band_names(cuts: Sequence[float], mark: str) -> tuple[str, ...]:
    """What the bands between rising cut points are called where they have no names of their own, lowest first."""
    return tuple(_band_name(low, high, mark) for low, high in pairwise([-math.inf, *cuts, math.inf]))


def _band_name(low: float, high: float, mark: str) -> str:
    """What a band is called by the scores it holds."""
    ends = {"low": written(low, mark), "high": written(high, mark)}
    sentence = _("below {high}") if math.isinf(low) else _("{low} to below {high}")
    sentence = _("{low} or more") if math.isinf(high) else sentence
    return sentence.format(**ends)


def entries(line: str) -> tuple[str, ...]:
    """What stands between semicolons, or between commas where there is none; nothing where all is blank."""
    parts = [part.strip() for part in line.split(";" if ";" in line else ",")]
    return tuple(parts) if any(parts) else ()


def own_bands(ratings: Ratings, mark: str, cuts: Sequence[str], names: Sequence[str] = ()) -> MergeClasses:
    """The bands of cut points and names as they were typed.

    Parameters
    ----------
    ratings
        The ratings, whose classes are scores.
    mark
        The decimal mark of the file.
    cuts, names
        As for `bands`, as text; the order of the cut points does not matter.

    Raises
    ------
    UsageError
        When there are no scores, a cut point is no number, has no score on one side or stands twice, or there is not
        one name of its own for each band.
    """
    scores = scores_of(ratings, mark)
    if len(scores) < 2:
        raise UsageError(
            _("There are no scores to cut: the classes are no numbers."), fix=_("Merge the classes instead.")
        )
    values = []
    for text in cuts:
        value = number(text, mark)
        if value is None:
            raise UsageError(
                _("'{text}' is no cut point.").format(text=Label(text)),
                fix=_("Write numbers, such as 13, 15 and 17: the lowest score of each band but the first."),
            )
        values.append(value)
    low, high = min(scores.values()), max(scores.values())
    outside = next((v for v in values if not low < v <= high), None)
    if not values or outside is not None or len(set(values)) < len(values):
        raise UsageError(
            _("Each cut point lies once between the lowest score, {low}, and the highest, {high}.").format(
                low=written(low, mark), high=written(high, mark)
            ),
            fix=_("Choose others: a cut point is the lowest score of its band."),
        )
    plain = [name.strip() for name in names]
    if names and (len(plain) != len(values) + 1 or len(set(plain)) < len(plain) or not all(plain)):
        raise UsageError(
            _("{cuts} cut points make {bands} bands, and the names are {names}.").format(
                cuts=len(values), bands=len(values) + 1, names=len(plain)
            ),
            fix=_("Give each band a name of its own, lowest first, or no names at all."),
        )
    made = bands(scores, sorted(values), mark, plain)
    if len(made.groups) < len(values) + 1:
        raise UsageError(
            _("A band between two cut points holds no score."), fix=_("Leave out the cut point below or above it.")
        )
    return made


_STEPS = 5
_FIRST = (3,)


def usual_bands(now: Ratings, mark: str) -> Iterator[tuple[str, MergeClasses]]:
    """Equal steps, and one cut in the middle, each in words that tell where it cuts; none where scores are few."""
    scores = scores_of(now, mark)
    if len(scores) <= MOST_STEPS:
        return
    low, high = min(scores.values()), max(scores.values())
    width = round_width((high - low) / _STEPS)
    first = math.floor(low / width) * width
    cuts = [first + width * i for i in range(1, _STEPS + 2) if first + width * i <= high]
    sentence = "; ".join(written(cut, mark) for cut in cuts)
    yield _("Cut at {cuts}").format(cuts=sentence), bands(scores, cuts, mark)
    middle = median_score(scores, now)
    if middle > low:
        words = _("Below {cut}, and {cut} or more").format(cut=written(middle, mark))
        yield words, bands(scores, [middle], mark)


def bands_of_ranks(now: Ratings, mark: str) -> Iterator[tuple[str, MergeClasses]]:
    """The first few of those that were ranked against the others, in words."""
    scores = scores_of(now, mark)
    last = max(scores.values(), default=0.0)
    for first in _FIRST:
        if first < last:
            yield _("Among the first {n}, or not").format(n=first), bands(scores, [float(first + 1)], mark)
