"""The numbers of a figure as a table, for those who read rather than look."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.figure import Axis, Band, Bars, Cells, Figure, Line, Mark, Points, Role, Words
from tapdesk.language import gettext as _

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


# A curve of more points is told by so many of them, from one end to the other.
_MOST_POINTS, _TOLD_POINTS = 26, 13


def rows_of(figure: Figure) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: what is drawn, where, its value, and its interval; every point of every curve."""
    rows = _listed(series_of(figure), figure)
    rows += [_line(mark, figure) for mark in figure.marks if isinstance(mark, Mark) and mark.label]
    return _header(figure), rows


def rows_of_all(figures: Sequence[Figure]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows of several panels below each other, the title of its panel before each row.

    Where panels hold different things in a column, each of its cells names what it holds.
    """
    heads = [_header(figure) for figure in figures]
    plain = (_("What"), _("Where"), _("Value"), _("From"), _("To"))
    alike = [len(set(column)) == 1 for column in zip(*heads, strict=True)]
    header = tuple(first if same else word for first, same, word in zip(heads[0], alike, plain, strict=True))
    unnamed = {*plain, _("Kind"), _("Row"), _("Column")}
    rows: list[tuple[str, ...]] = []
    for figure, head in zip(figures, heads, strict=True):
        named = ["" if same or word in unnamed else word for same, word in zip(alike, head, strict=True)]
        for row in rows_of(figure)[1]:
            told = (f"{name}: {cell}" if name and cell else cell for name, cell in zip(named, row, strict=True))
            rows.append((figure.title, *told))
    return (_("Picture"), *header), rows


def drawn(figure: Figure) -> Table:
    """The numbers behind a figure as a table: its sentence above, its note below; of long curves some points.

    Curves over the same places stand beside each other.
    """
    every = series_of(figure)
    told = [_thinned(one) for one in every]
    lines = [_line(mark, figure) for mark in figure.marks if isinstance(mark, Mark) and mark.label]
    note = figure.note
    if any(len(few.spots) < len(one.spots) for few, one in zip(told, every, strict=True)):
        note = _("Of long curves {n} points are listed. {note}").format(n=_TOLD_POINTS, note=note).strip()
    beside = _beside(told, figure)
    if beside is not None:
        header, rows = beside
        note = "; ".join(f"{line[0]}: {line[1] or line[2]}" for line in lines) + ". " * bool(lines) + note
    else:
        header, rows = _header(figure), _listed(told, figure) + lines
        used = [i for i in range(len(header)) if any(row[i] for row in rows)]
        # No interval is a dash where others have one.
        rows = [(*row[:3], *(end or numbers.DASH for end in row[3:])) for row in rows]
        header, rows = tuple(header[i] for i in used), [tuple(row[i] for i in used) for row in rows]
    columns = tuple(Column(title, Align.RIGHT if i else Align.LEFT, wide=not i) for i, title in enumerate(header))
    return Table(figure.title, columns, tuple(rows), note)


def _listed(told: Sequence[Series], figure: Figure) -> list[tuple[str, ...]]:
    """All points below each other; what belongs to one row together. Cells that are drawn empty are left out."""
    spots = [(one.label, spot) for one in told for spot in one.spots if spot.value is None or spot.text]
    found = [(-(spot.y or 0.0), _row(spot, label, figure)) for label, spot in spots]
    if in_rows(figure):
        found.sort(key=lambda pair: pair[0])
    return [row for _place, row in found]


def _header(figure: Figure) -> tuple[str, ...]:
    """What the columns hold."""
    ends = (_("From"), _("To"))
    x, y = figure.x.title or _("Where"), figure.y.title or _("Value")
    if figure.kind == "profile":
        # Its panels carry the name of the number where the scale would be named.
        return (_("What"), y, _("Log-likelihood below its highest"), *ends)
    if in_rows(figure):
        return (_("What"), _("Kind"), figure.x.title or _("Value"), *ends)
    if any(isinstance(mark, Cells) for mark in figure.marks):
        return (figure.y.title or _("Row"), figure.x.title or _("Column"), _("Value"), *ends)
    return (_("What"), x, y, *ends)


def values_of(figure: Figure) -> list[dict[str, float | str | None]]:
    """The same in full precision: what, the name of the row where it has one, x, y, the interval, a cell's value."""
    found: list[dict[str, float | str | None]] = []
    for one in series_of(figure):
        for spot in one.spots:
            name = spot.row or name_on(spot.x, figure.x)
            row = {"what": one.label or None, "name": name, "x": spot.x, "y": spot.y, "low": spot.low}
            found.append({**row, "high": spot.high, **({} if spot.value is None else {"value": spot.value})})
    for mark in figure.marks:
        if isinstance(mark, Mark) and mark.label:
            x, y = (mark.at, None) if mark.vertical else (None, mark.at)
            found.append({"what": mark.label, "name": None, "x": x, "y": y, "low": None, "high": None})
    return found


def _line(mark: Mark, figure: Figure) -> tuple[str, ...]:
    """A line across the picture."""
    if in_rows(figure):
        return (mark.label, "", value_on(mark.at, figure.x if mark.vertical else figure.y), "", "")
    at = value_on(mark.at, figure.x if mark.vertical else figure.y)
    return (mark.label, at, "", "", "") if mark.vertical else (mark.label, "", at, "", "")


def _row(spot: Spot, label: str, figure: Figure) -> tuple[str, ...]:
    if in_rows(figure):
        return (spot.row or "", label, _value(spot.x, figure.x), *_ends(spot, figure.x))
    if spot.value is not None:
        return (_place(spot, figure.y, x=False), _place(spot, figure.x, x=True), spot.text, "", "")
    return (label, _place(spot, figure.x, x=True), _value(spot.y, figure.y), *_ends(spot, figure.y))


def _place(spot: Spot, axis: Axis, *, x: bool) -> str:
    """Where a point stands: a name, a range, or a value."""
    at, ends = (spot.x, spot.across) if x else (spot.y, spot.up)
    name = name_on(at, axis)
    if name is not None or at is None:
        return name or ""
    if ends is not None:
        return _("{low} to {high}").format(low=value_on(ends[0], axis), high=value_on(ends[1], axis))
    return value_on(at, axis)


def _value(value: float | None, axis: Axis) -> str:
    return "" if value is None else value_on(value, axis)


def _ends(spot: Spot, axis: Axis) -> tuple[str, str]:
    return _value(spot.low, axis), _value(spot.high, axis)


def _thinned(one: Series) -> Series:
    """A long curve by some of its points, both ends among them."""
    if not one.curve or len(one.spots) <= _MOST_POINTS:
        return one
    kept = np.unique(np.round(np.linspace(0, len(one.spots) - 1, _TOLD_POINTS)).astype(int))
    return Series(one.label, tuple(one.spots[i] for i in kept), one.curve)


def _beside(told: Sequence[Series], figure: Figure) -> tuple[tuple[str, ...], list[tuple[str, ...]]] | None:
    """Header and rows of named curves over the same places, a column each; None where that is not what is drawn."""
    shown = [one for one in told if one.spots]
    places = [tuple(_place(spot, figure.x, x=True) for spot in one.spots) for one in shown]
    named = len(shown) > 1 and all(one.label for one in shown) and len({one.label for one in shown}) == len(shown)
    alike = all(p == places[0] for p in places) and len(set(places[0])) == len(places[0]) if places else False
    if not named or not alike or in_rows(figure) or any(s.value is not None for one in shown for s in one.spots):
        return None
    header, columns = [_header(figure)[1]], [list(places[0])]
    for one in shown:
        header.append(one.label)
        columns.append([_value(spot.y, figure.y) for spot in one.spots])
        if any(spot.low is not None for spot in one.spots):
            header += [_("From"), _("To")]
            columns.append([_value(spot.low, figure.y) or numbers.DASH for spot in one.spots])
            columns.append([_value(spot.high, figure.y) or numbers.DASH for spot in one.spots])
    return tuple(header), list(zip(*columns, strict=True))


def value_on(value: float, axis: Axis) -> str:
    """A value on an axis: its tick's words where it stands on one."""
    for at, words in axis.ticks:
        if words and abs(at - value) < 1e-9 and not axis.percent:
            return words
    return f"{numbers.decimal(100 * value, places=1)} %" if axis.percent else numbers.figures(value)
