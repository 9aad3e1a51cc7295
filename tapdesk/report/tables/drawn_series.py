"""What is drawn in a Figure, series by series, as the numbers it stands for rather than as shapes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.report.figure import Axis, Band, Bars, Cells, Figure, Line, Mark, Points, Role, Words

# Marks of one place are drawn a little beside each other.
_BESIDE = 0.25
_SAME = 1e-9
# A line without a name through so few points joins what is told elsewhere.
_GUIDE = 2
# What unnamed points beside rows are.
_KINDS = {
    Role.MODEL: _("model"),
    Role.OBSERVED: _("seen"),
    Role.REFERENCE: _("expected"),
    Role.SINGLED_OUT: _("seen, unusual"),
}


@dataclass(frozen=True, slots=True)
class Spot:
    """One thing drawn.

    Attributes
    ----------
    x, y
        Where it stands, on the scales of the axes.
    low, high
        The ends of its interval; None where it has none.
    row
        The name of its row, where there are rows.
    across, up
        The range it stands for on either axis, where it is a bar or a cell.
    value, text
        What a cell holds, and how that is written; None for what is no cell.
    """

    x: float | None
    y: float | None
    low: float | None = None
    high: float | None = None
    row: str | None = None
    across: tuple[float, float] | None = None
    up: tuple[float, float] | None = None
    value: float | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """Things of one kind under their name; ``curve`` where they are points of a line."""

    label: str
    spots: tuple[Spot, ...]
    curve: bool = False


def in_rows(figure: Figure) -> bool:
    """Whether the picture is of named rows, their values across."""
    return any(isinstance(mark, Points) and mark.horizontal for mark in figure.marks)


def series_of(figure: Figure) -> tuple[Series, ...]:
    """Everything drawn that is a number; what only guides the eye is left out, and nothing is told twice."""
    found = [s for mark in figure.marks for s in _series(mark, figure)]
    boxes = [s for s in found if s is not None and s.label == _BOXES]
    found = [s for s in found if s.label != _BOXES]
    if boxes:
        found = [_with_ends(s, boxes[0], figure) for s in found]
    named = {(spot.x, spot.y) for s in found if s.label for spot in s.spots}
    ends = {(spot.x, spot.y): spot for s in found if not s.label for spot in s.spots if spot.low is not None}
    # An interval that stands on a bar without a name of its own is that of the bar.
    found = [replace(s, spots=tuple(_given_ends(spot, ends) for spot in s.spots)) for s in found]
    told: list[Series] = []
    for s in found:
        spots = s.spots if s.label else tuple(spot for spot in s.spots if (spot.x, spot.y) not in named)
        if s.label or not s.curve:
            # A part of a histogram in another colour stands where the histogram does.
            named |= {(spot.x, spot.y) for spot in spots}
        told.append(replace(s, spots=spots))
    return tuple(s for s in told if s.spots)


def _given_ends(spot: Spot, ends: Mapping[tuple[float | None, float | None], Spot]) -> Spot:
    """A thing without interval with that of another one at its place."""
    other = ends.get((spot.x, spot.y))
    return spot if other is None or spot.low is not None else replace(spot, low=other.low, high=other.high)


_BOXES = "\0boxes"


def _series(mark: Line | Band | Points | Bars | Cells | Words | Mark, figure: Figure) -> list[Series]:
    if isinstance(mark, Points):
        return [_points(mark, figure)]
    if isinstance(mark, Band):
        return _strips(mark)
    spots = tuple(_spots(mark, figure))
    return [Series(mark.label, spots, curve=isinstance(mark, Line))] if spots else []


def _spots(mark: Line | Bars | Cells | Words | Mark, figure: Figure) -> Iterator[Spot]:
    if isinstance(mark, Cells):
        yield from _cells(mark, figure)
    elif isinstance(mark, Bars):
        ends = zip(mark.edges[:-1], mark.edges[1:], mark.heights, strict=True)
        yield from (Spot(float(a + b) / 2, float(h), across=(float(a), float(b))) for a, b, h in ends if h)
    elif isinstance(mark, Line) and (mark.label or mark.x.size > _GUIDE):
        points = zip(mark.x, mark.y, strict=True)
        yield from (Spot(float(x), float(y)) for x, y in points if np.isfinite([x, y]).all())
    # Words stand where there is room: only the column they are in says something.
    elif isinstance(mark, Words) and figure.x.ticks and all(name_on(float(x), figure.x) for x in mark.x):
        yield from (Spot(float(x), None) for x in mark.x)


def _points(mark: Points, figure: Figure) -> Series:
    rows = in_rows(figure)
    spots = []
    for i, (x, y) in enumerate(zip(mark.x, mark.y, strict=True)):
        if not np.isfinite([x, y]).all():
            continue
        low = high = None
        if mark.low is not None and mark.high is not None and mark.low[i] < mark.high[i]:
            # Where there is no interval its ends are drawn at the value.
            low, high = float(mark.low[i]), float(mark.high[i])
        row = next((words for at, words in figure.y.ticks if abs(at - y) < _BESIDE), "") if rows else None
        spots.append(Spot(_on_tick(float(x), figure.x), float(y), low, high, row))
    # The label of a single point in a row is its value, written beside it.
    alone = rows and mark.horizontal and len(mark.x) == 1
    label = "" if alone else mark.label
    return Series(label or (_KINDS.get(mark.role, "") if rows and not alone else ""), tuple(spots))


def _strips(mark: Band) -> list[Series]:
    """A band at every point; boxes and bars that are drawn as bands, one for each."""
    gaps = np.flatnonzero(~np.isfinite(mark.x))
    parts = [p[np.isfinite(mark.x[p])] for p in np.split(np.arange(mark.x.size), gaps)]
    parts = [p for p in parts if p.size]
    flat = len(parts) > 1 and all(np.ptp(mark.low[p]) == 0 and np.ptp(mark.high[p]) == 0 for p in parts)
    if not flat:
        strips = zip(mark.x, mark.low, mark.high, strict=True)
        told = (Spot(float(x), None, float(a), float(b)) for x, a, b in strips if np.isfinite([x, a]).all())
        return [Series(mark.label, tuple(told), curve=True)]
    middles = [float(mark.x[p].mean()) for p in parts]
    tops = [(float(mark.low[p[0]]), float(mark.high[p[0]])) for p in parts]
    if mark.label and not np.nan_to_num(mark.low).any():
        return [Series(mark.label, tuple(Spot(x, high) for x, (_low, high) in zip(middles, tops, strict=True)))]
    boxes = tuple(Spot(x, None, low, high) for x, (low, high) in zip(middles, tops, strict=True))
    return [Series(mark.label or _BOXES, boxes)]


def _with_ends(one: Series, boxes: Series, figure: Figure) -> Series:
    """What was seen with the boxes that stand behind it as its intervals."""
    seen = any(isinstance(m, Points) and m.role is Role.OBSERVED and m.label == one.label for m in figure.marks)
    if not seen or one.curve:
        return one
    ends = {round(b.x, 6): (b.low, b.high) for b in boxes.spots if b.x is not None}
    spots = []
    for s in one.spots:
        low, high = ends.get(round(s.x, 6) if s.x is not None else np.nan, (s.low, s.high))
        spots.append(replace(s, low=low, high=high))
    return replace(one, spots=tuple(spots))


def _cells(mark: Cells, figure: Figure) -> list[Spot]:
    top = mark.values.shape[0] - 1
    spots = []
    names = [{words for _at, words in axis.ticks} for axis in (figure.x, figure.y)]
    for (i, j), value in np.ndenumerate(mark.values):
        # Of two by two the same number stands on either side of the diagonal.
        if not np.isfinite(value) or (names[0] == names[1] and np.array_equal(mark.values[j, i], value) and i > j):
            continue
        across, up = _range(float(j), figure.x), _range(float(top - i), figure.y)
        x = float(j) if across is None else sum(across) / 2
        y = float(top - i) if up is None else sum(up) / 2
        spots.append(Spot(x, y, across=across, up=up, value=float(value), text=mark.texts[i][j]))
    return spots


def _range(at: float, axis: Axis) -> tuple[float, float] | None:
    """What a cell stands for on a scale whose ticks are numbers between cells; None where cells have names."""
    told = [(where, _number(words.replace(",", "."))) for where, words in axis.ticks]
    ticks = [(where, value) for where, value in told if value is not None and abs(where - round(where)) > _SAME]
    if len(ticks) < max(2, len(told)):
        return None
    (first, low), (last, high) = ticks[0], ticks[-1]
    per = (high - low) / (last - first)
    return low + (at - 0.5 - first) * per, low + (at + 0.5 - first) * per


def name_on(value: float | None, axis: Axis) -> str | None:
    """The words of the tick a value stands on, where the axis is one of names and not of numbers."""
    if value is None or not _names(axis):
        return None
    return next((words for at, words in axis.ticks if abs(at - value) < _BESIDE), None) or None


def _names(axis: Axis) -> bool:
    """Whether the ticks are names: they stand well apart, and their words are not the numbers of their places."""
    at = np.sort([where for where, _words in axis.ticks])
    if at.size == 0 or (np.diff(at) < 3 * _BESIDE).any() or _range(0.0, axis) is not None:
        return False
    return any(words and _number(words) != where for where, words in axis.ticks)


def _number(words: str) -> float | None:
    """What a tick says as a number; None for a name."""
    try:
        return float(words.replace("−", "-").replace(",", ""))
    except ValueError:
        return None


def _on_tick(value: float, axis: Axis) -> float:
    """A value moved onto the named tick it is drawn beside."""
    if name_on(value, axis) is None:
        return value
    return min((at for at, _words in axis.ticks), key=lambda at: abs(at - value))
