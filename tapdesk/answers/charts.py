"""The usual kinds of pictures: each takes numbers and words, and makes the table and the marks that show it.

`tapdesk.answers.grids` has those of rows and columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import numbers
from tapdesk.answers.figure import (
    HEIGHT,
    Axis,
    Band,
    Bars,
    DataColumn,
    DataTable,
    Figure,
    Line,
    Mark,
    Points,
    Role,
    Unit,
    Value,
    Words,
)
from tapdesk.answers.figure_table import in_words
from tapdesk.answers.numbers import Style
from tapdesk.estimate import Estimate
from tapdesk.language import Number
from tapdesk.language import gettext as _

Floats = NDArray[np.float64]
MOST_ROWS = 40
FIFTHS = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))
SQUARE = 320.0
"""How high a figure is whose sides are alike, in pixels."""
_ROW, _EDGE = 26.0, 70.0
_PAIR, _APART = 42.0, 0.22  # height of a row with two intervals, and how far from its middle each is
_NAME = 34
_FAR = -0.4
_HALF = 0.2
_MOST_TICKS = 5


class Shown(Enum):
    """How a series is drawn."""

    LINE = "line"
    DOTS = "dots"
    DOTTED_LINE = "line with dots"
    BOXES = "dots before boxes of their intervals"
    BARS = "bars with intervals"


@dataclass(frozen=True, eq=False)
class Series:
    """Numbers at places, shape (n,) each; a number that is NaN is not told.

    Attributes
    ----------
    name
        In the table, and in the picture where there is no ``label``.
    x, y
        The places and the numbers.
    role, shown
        Whose numbers they are, and how they are drawn.
    low, high
        Ends of intervals; NaN or those of no width are none.
    aside
        How far beside its place each is drawn, for others stand there as well.
    label
        What stands at its end.
    colours
        Of bars, a name of a colour for each.
    names
        What each number is of, where they are not of one thing.
    """

    name: str
    x: Floats
    y: Floats
    role: Role = Role.MODEL
    shown: Shown = Shown.LINE
    low: Floats | None = None
    high: Floats | None = None
    aside: float = 0.0
    label: str | None = None
    colours: tuple[str, ...] = ()
    names: Sequence[str] = ()

    def rows(self, places: Sequence[str] | None) -> list[tuple[Value, ...]]:
        """Name, place, number and interval of each; ``places`` are the names of the places 0, 1, …."""
        items: list[tuple[Value, ...]] = []
        for i, (x, y) in enumerate(zip(self.x, self.y, strict=True)):
            at: Value = float(x) if places is None else places[round(float(x))]
            ends = (None, None) if self.low is None or self.high is None else reach(self.low[i], self.high[i])
            items.append((self.names[i] if self.names else self.name, at, float(y), *ends))
        return items


@dataclass(frozen=True, slots=True)
class Spread:
    """A middle, and the ends of a range that need not hold it."""

    value: float
    low: float
    high: float


Row: TypeAlias = tuple[str, Estimate | Spread, Role]


def reach(low: float, high: float) -> tuple[float, float] | tuple[None, None]:
    """The ends of an interval; none where it has no width."""
    return (float(low), float(high)) if low < high else (None, None)


def table_of_rows(
    columns: Iterable[DataColumn], rows: Iterable[tuple[Value, ...]], *, curves: bool = False
) -> DataTable:
    """A table without the columns that hold nothing."""
    kept, every = [*columns], [*rows]
    used = [i for i in range(len(kept)) if any(row[i] is not None and row[i] != "" for row in every)]
    return DataTable(
        tuple(kept[i] for i in used), tuple(tuple(row[i] for i in used) for row in every), curves=curves and 0 in used
    )


def unit_of(axis: Axis) -> Unit:
    """What the values along an axis are measured in."""
    return Unit.SHARE if axis.percent else Unit.NUMBER


def ends_of(unit: Unit) -> tuple[DataColumn, DataColumn]:
    """The columns of the ends of intervals."""
    return DataColumn("low", _("From"), unit), DataColumn("high", _("To"), unit)


def told_by(title: str, table: DataTable) -> str:
    """A figure in words: its sentence, and its numbers."""
    return _alt(title, in_words(table))


def forest(
    rows: Sequence[Row],
    style: Style,
    *,
    kind: str,
    title: str,
    note: str,
    marks: tuple[Mark, ...] = (),
    others: Sequence[tuple[str, Sequence[float | Estimate], Role]] = (),
    what: str = "",
    x: Axis | None = None,
    each: bool = False,
    ends: Sequence[str] = (),
) -> Figure:
    """Named numbers with intervals on one scale, in the order given from the top.

    Parameters
    ----------
    rows
        Name, number and role of each; numbers without value and interval are left out, those without a value have the
        interval alone, and spreads need a scale.
    style
        How numbers are written.
    kind, title, note
        Of the figure.
    marks
        Lines across all rows.
    others
        More numbers for the same rows: what they are, the number of each row that has a value, and their role; those
        that have intervals stand below the first.
    what
        What the numbers of ``rows`` are, where there are others.
    x
        The scale; None for one from 0 to 1, or from as far below 0 as they reach, with each number at its row's end.
    each
        Whether every row stands by itself: its name as it is, not shortened with the others.
    ends
        What stands at the end of each row; none for the number and its interval.
    """
    sentences = [(name, e, role) for name, e, role in rows if e.value is not None or e.low is not None]
    shown, last = sentences[:MOST_ROWS], min(len(sentences), MOST_ROWS) - 1
    if len(sentences) > len(shown):
        note = _("{note} The first {n} of {all} rows are drawn.").format(
            note=note, n=numbers.count(len(shown)), all=numbers.count(len(sentences))
        )
    estimates = [e for _name, e, _role in shown if isinstance(e, Estimate)] if x is None else []
    words = list(ends[: len(shown)]) or [_value(e, style) for e in estimates] or [""] * len(shown)
    # What there is no room for is in the table all the same.
    table, at = _rows_of_forest(sentences, marks, others, what, x)
    pairs = any(isinstance(value, Estimate) for _what, values, _role in others for value in values)
    names = [name for name, _e, _role in shown]
    called = names if each else numbers.shorts(names, _NAME)
    return Figure(
        kind=kind,
        title=title,
        alt=_alt(title, "; ".join(f"{name} {value}" for (name, _e, _r), value in zip(shown, words, strict=True)))
        if x is None
        else told_by(title, table),
        x=_scale(shown, style) if x is None else x,
        # Words beside a line stand above the first row.
        y=Axis("", -0.6, last + 0.6 + 0.8 * bool(marks), tuple((float(last - i), c) for i, c in enumerate(called))),
        marks=(
            *(replace(mark, rows=(at[-1, i],)) for i, mark in enumerate(marks)),
            *_points(shown, words, at, _APART if pairs else 0.0, together=x is not None and not ends),
            *(points for j, series in enumerate(others, 1) for points in _offset(series, j, last, at, style)),
        ),
        note=note,
        table=table,
        height=max(HEIGHT, _EDGE + (_PAIR if pairs else _ROW) * (last + 1)),
    )


def _rows_of_forest(
    words: Sequence[Row],
    marks: Sequence[Mark],
    others: Sequence[tuple[str, Sequence[float | Estimate], Role]],
    what: str,
    x: Axis | None,
) -> tuple[DataTable, dict[tuple[int, int], int]]:
    """The table of a forest, and where in it each row's own number, its others, and the lines are."""
    rows: list[tuple[Value, ...]] = []
    at: dict[tuple[int, int], int] = {}
    for i, (name, e, _role) in enumerate(words):
        at[i, 0] = len(rows)
        ends = (None, None) if e.low is None or e.high is None else reach(e.low, e.high)
        rows.append((name, what, e.value, *ends))
        for j, (other, values, _r) in enumerate(others, 1):
            value, low, high = _reach(values[i]) if i < len(values) else (np.nan, None, None)
            if np.isfinite(value):
                at[i, j] = len(rows)
                rows.append((name, other, value, *((None, None) if low is None or high is None else reach(low, high))))
    for i, mark in enumerate(marks):
        at[-1, i] = len(rows)
        rows.append((mark.label, "", float(mark.at), None, None))
    title = x.title if x is not None and x.title else _("Value")
    columns = DataColumn("name", _("What"), Unit.NAME), DataColumn("what", _("Kind"), Unit.NAME)
    return table_of_rows((*columns, DataColumn("value", title), *ends_of(Unit.NUMBER)), rows), at


def _points(
    shown: Sequence[Row], words: Sequence[str], at: Mapping[tuple[int, int], int], above: float, *, together: bool
) -> list[Points]:
    """The numbers of the rows, each with its words at the end of its row, or all together where there are none."""
    sentences = [
        (e.value, e.value if e.low is None else e.low, e.value if e.high is None else e.high) for _n, e, _r in shown
    ]
    values, low, high = np.array(sentences, dtype=np.float64).reshape(-1, 3).T
    y, n = np.arange(len(shown) - 1, -1, -1, dtype=np.float64) + above, len(shown)
    parts = [slice(0, n)] if together and n else [slice(i, i + 1) for i in range(n)]
    return [
        Points(
            "" if together else words[part.start],
            values[part],
            y[part],
            shown[part.start][2],
            low[part],
            high[part],
            horizontal=True,
            rows=tuple(at[i, 0] for i in range(n)[part]),
        )
        for part in parts
    ]


def _reach(number: float | Estimate) -> tuple[float, float | None, float | None]:
    """A number and the ends of its interval, where it has one."""
    if isinstance(number, Estimate):
        return np.nan if number.value is None else number.value, number.low, number.high
    return float(number), None, None


def _offset(
    series: tuple[str, Sequence[float | Estimate], Role],
    j: int,
    last: int,
    at: Mapping[tuple[int, int], int],
    style: Style,
) -> list[Points]:
    """More numbers in the rows of a forest; those with intervals stand below the first, each with its words."""
    _name, values, role = series
    kept = [i for i in range(last + 1) if (i, j) in at]
    if any(isinstance(values[i], Estimate) for i in kept):
        return [_below(values[i], float(last - i), role, (at[i, j],), style) for i in kept]
    x, y = np.array([_reach(values[i])[0] for i in kept]), np.array([float(last - i) for i in kept])
    return [Points("", x, y, role, rows=tuple(at[i, j] for i in kept))]


def _below(number: float | Estimate, y: float, role: Role, rows: tuple[int, ...], style: Style) -> Points:
    """A second number of a row, with its interval and its words."""
    value, low, high = (np.array([np.nan if end is None else end]) for end in _reach(number))
    words = _value(number, style) if isinstance(number, Estimate) else ""
    return Points(words, value, np.array([y - _APART]), role, low, high, horizontal=True, rows=rows)


def _scale(shown: Sequence[Row], style: Style) -> Axis:
    lowest = min((min(e.value or 0.0, e.low if e.low is not None else 0.0) for _name, e, _role in shown), default=0.0)
    # Far below 0 there is no room for a word at every fifth.
    fine = 5 if lowest >= _FAR else 2
    low = 0.0 if lowest >= 0 else -float(np.ceil(-fine * lowest - 1e-9)) / fine
    steps = round((1 - low) * fine)
    return Axis("", low, 1.0, tuple((low + i / fine, _tick(low + i / fine, style)) for i in range(steps + 1)))


def _alt(title: str, sentence: str) -> str:
    return _("{title}: {told}.").format(title=title, told=sentence) if title else _("{told}.").format(told=sentence)


def _tick(value: float, style: Style) -> str:
    if abs(value) < 1e-9 or abs(value - 1) < 1e-9:
        return f"{abs(value):.0f}"
    return numbers.decimal(value, style, 1)


def _value(e: Estimate, style: Style) -> str:
    if e.low is None:
        return numbers.value(e, style)
    words = _("{value} {reach}") if style.brackets else _("{value}, {reach}")
    return words.format(value=numbers.value(e, style), reach=numbers.interval(e, style))


def curves(
    kind: str,
    title: str,
    x: Axis,
    y: Axis,
    series: Sequence[Series],
    *,
    note: str = "",
    alt: str = "",
    behind: Sequence[Line | Mark] = (),
    marks: Sequence[Mark] = (),
    places: Sequence[str] | None = None,
    columns: tuple[str, str] | None = None,
    height: float = HEIGHT,
) -> Figure:
    """Numbers over places: lines, dots, bars, each series in the order it is drawn in.

    Parameters
    ----------
    kind, title, note, height
        Of the figure.
    x, y
        The axes.
    series
        What is drawn.
    alt
        What it shows, in words; empty for its title and its numbers.
    behind, marks
        Lines that guide the eye, or tell a value, below and above the series.
    places
        The names of the places 0, 1, … on the horizontal axis, where it is one of names.
    columns
        What places and numbers are, where the axes do not say it.
    """
    rows: list[tuple[Value, ...]] = []
    drawn: list[Line | Band | Points | Mark] = []
    drawn += [_ruled(guide, rows) if isinstance(guide, Mark) else guide for guide in behind]
    # Boxes and bars stand behind everything that is told in words.
    drawn += [band for one in series for band in _ground(one)]
    for one in series:
        known = np.isfinite(one.y)
        every = np.full(one.y.size, -1)
        every[known] = np.arange(known.sum()) + len(rows)
        result = one.rows(places)
        rows += [row for row, kept in zip(result, known, strict=True) if kept]
        drawn += _series(one, tuple(every.tolist()))
    drawn += [_ruled(mark, rows) for mark in marks]
    at = _at(x, places, columns)
    what, value = columns[1] if columns is not None else y.title or _("Value"), unit_of(y)
    table = table_of_rows(
        (DataColumn("what", _("What"), Unit.NAME), at, DataColumn("y", what, value), *ends_of(value)), rows, curves=True
    )
    return Figure(kind, title, alt or _placed(title, x, y, table), x, y, tuple(drawn), note, table, height)


def _placed(title: str, x: Axis, y: Axis, table: DataTable) -> str:
    """What stands across and up, and the numbers."""
    sentence = in_words(table)
    if not sentence:
        return _("{title}.").format(title=title)
    if not x.title or not y.title:
        return _("{title}. {told}.").format(title=title, told=sentence)
    return _("{title}. Across: {x}; up: {y}. {told}.").format(title=title, x=x.title, y=y.title, told=sentence)


def _at(x: Axis, places: Sequence[str] | None, columns: tuple[str, str] | None) -> DataColumn:
    """The column of the places."""
    title = columns[0] if columns is not None else x.title or _("Where")
    return DataColumn("x", title, unit_of(x)) if places is None else DataColumn("name", title, Unit.NAME)


def _ruled(mark: Mark, rows: list[tuple[Value, ...]]) -> Mark:
    """A line across, with its row where it has words."""
    if not mark.label:
        return mark
    at = float(mark.at)
    rows.append((mark.label, at if mark.vertical else None, None if mark.vertical else at, None, None))
    return replace(mark, rows=(len(rows) - 1,))


def _ground(one: Series) -> list[Band]:
    """Boxes of intervals, or bars, of a series."""
    if one.shown is Shown.BARS:
        return _bars_of_classes(one.name, one.y, one.colours)
    if one.shown is Shown.BOXES and one.low is not None and one.high is not None:
        return [_box_band(one.x, one.low, one.high)]
    return []


def _series(one: Series, rows: tuple[int, ...]) -> list[Line | Points]:
    label = one.name if one.label is None else one.label
    x = one.x + one.aside if one.aside else one.x
    if one.shown is Shown.LINE:
        return [Line(label, x, one.y, one.role, rows)]
    if one.shown is Shown.DOTTED_LINE:
        return [Line(label, x, one.y, one.role), Points("", x, one.y, one.role, rows=rows)]
    if one.low is None or one.high is None or one.shown is Shown.BOXES:
        return [Points(label, x, one.y, one.role, rows=rows)]
    low, high = (np.where(one.low < one.high, end, one.y) for end in (one.low, one.high))
    return [Points(label, x, one.y, one.role, low, high, rows=rows)]


def _box_band(x: Floats, low: Floats, high: Floats, role: Role = Role.OBSERVED, colour: str = "") -> Band:
    """A box at each place, shape (n,): NaN between the boxes breaks the band."""
    edges = np.stack([x - _HALF, x + _HALF, np.full(x.size, np.nan)], axis=1).ravel()
    return Band("", edges, np.repeat(low, 3), np.repeat(high, 3), role, colour=colour)


def _bars_of_classes(label: str, heights: Floats, colours: Sequence[str]) -> list[Band]:
    """A bar for each class, shape (K,), those of one colour together."""
    items = []
    for colour in dict.fromkeys(colours):
        k = np.array([i for i, c in enumerate(colours) if c == colour], dtype=np.float64)
        tall = heights[k.astype(np.int64)]
        items.append(replace(_box_band(k, np.zeros(k.size), tall, colour=colour), label=label))
    return items


def histogram(
    kind: str,
    title: str,
    x: Axis,
    y: Axis,
    edges: Floats,
    shares: Floats,
    *,
    role: Role = Role.MODEL,
    alt: str = "",
    note: str = "",
    over: Sequence[Bars | Words | Points] = (),
    marks: Sequence[Mark] = (),
    values: Sequence[tuple[str, Estimate]] = (),
) -> Figure:
    """Shares of a whole between edges, and lines at values.

    Parameters
    ----------
    kind, title, alt, note, x, y
        Of the figure.
    edges, shares
        Shape (n + 1,), (n,).
    role
        Whose they are.
    over
        What is drawn over the bars, and tells nothing that is not told by them or by ``values``.
    marks
        Lines at values.
    values
        Numbers that are drawn over the bars, by name.
    """
    rows: list[tuple[Value, ...]] = []
    at = []
    for low, high, share in zip(edges[:-1], edges[1:], shares, strict=True):
        at.append(len(rows) if share else -1)
        if share:
            rows.append(("", (float(low), float(high)), float(share), None, None))
    for name, e in values:
        ends = (None, None) if e.low is None or e.high is None else reach(e.low, e.high)
        rows.append((name, e.value, None, *ends))
    ruled = [_ruled(mark, rows) for mark in marks]
    columns = (
        DataColumn("what", _("What"), Unit.NAME),
        DataColumn("x", x.title or _("Value"), unit_of(x)),
        DataColumn("y", y.title or _("Share"), unit_of(y)),
        *ends_of(unit_of(x)),
    )
    table = table_of_rows(columns, rows)
    bars = Bars("", edges.astype(np.float64), shares.astype(np.float64), role, tuple(at))
    return Figure(kind, title, alt or told_by(title, table), x, y, (bars, *over, *ruled), note, table)


def counting(title: str, most: float) -> Axis:
    """An axis of counts up to the largest, with whole numbers at its ticks."""
    most = max(most, 1.0)
    steps = (m * 10**e for e in range(12) for m in (1, 2, 5))
    step = next(step for step in steps if step * _MOST_TICKS >= most)
    ticks = tuple((float(i), numbers.count(float(i))) for i in range(0, int(most * 1.1) + 1, step))
    return Axis(title, 0.0, most * 1.1, ticks)


def side_by_side(
    kind: str,
    title: str,
    x: Axis,
    y: Axis,
    edges: Floats,
    heights: Sequence[tuple[str, Floats, Role]],
    *,
    note: str = "",
    marks: Sequence[Mark] = (),
) -> Figure:
    """A histogram of two kinds, whose bars share the width of every bin.

    Parameters
    ----------
    kind, title, note, x, y
        Of the figure.
    edges
        Shape (n + 1,).
    heights
        Of both kinds: what it is, shape (n,), and its role.
    marks
        Lines at values.
    """
    rows: list[tuple[Value, ...]] = []
    bars = []
    for first, (name, own, role) in zip((True, False), heights, strict=True):
        at = []
        for low, high, height in zip(edges[:-1], edges[1:], own, strict=True):
            # Between the bars of two bins there is room, which is no row.
            at += [len(rows) if height else -1, -1]
            if height:
                rows.append((name, (float(low), float(high)), float(height)))
        half = half_bars(edges[:-1], edges[1:], own, role, first=first)
        bars.append(replace(half, rows=tuple(at[: half.heights.size])))
    columns = (
        DataColumn("what", _("What"), Unit.NAME),
        DataColumn("x", x.title or _("Value"), unit_of(x)),
        DataColumn("y", y.title or _("Share"), unit_of(y)),
    )
    table = table_of_rows(columns, rows)
    return Figure(kind, title, told_by(title, table), x, y, (*bars, *marks), note, table)


def half_bars(low: Floats, high: Floats, heights: Floats, role: Role, *, first: bool, empty: bool = False) -> Bars:
    """Bars in one half of every bin, shape (n,) each, so that two kinds stand side by side."""
    edge, middle = (high - low) / 20, (low + high) / 2
    starts, ends = (low + edge, middle) if first else (middle, high - edge)
    edges = np.stack([starts, ends], axis=1).ravel()
    tall = np.zeros(edges.size - 1)
    tall[::2] = heights
    return Bars("", edges, tall, role, empty=empty)
