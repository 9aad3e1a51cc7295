"""The numbers behind a Figure as a table."""

from collections.abc import Sequence

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Band, Bars, Cells, Figure, Line, Mark, Points, Words
from tapdesk.report.report import Align, Column, Table


def rows_of(figure: Figure) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: what is drawn, where, its value, and its interval."""
    rows: list[tuple[str, ...]] = []
    for mark in figure.marks:
        rows += _rows(mark, figure)
    return (_("What"), figure.x.title or "x", figure.y.title or "y", _("From"), _("To")), rows


def values_of(figure: Figure) -> list[dict[str, float | str | None]]:
    """The same rows in full precision: what, the name of the row where it has one, x, y, and the interval."""
    found: list[dict[str, float | str | None]] = []
    for mark in figure.marks:
        for x, y, low, high in _values(mark):
            name = _named(y, figure.y) or _named(x, figure.x)
            found.append({"what": mark.label or None, "name": name, "x": x, "y": y, "low": low, "high": high})
    return found


def _named(value: float | None, axis: Axis) -> str | None:
    """The words of the tick a value stands on, where they are a name and no number."""
    told = (words for at, words in axis.ticks if value is not None and abs(at - value) < 1e-9)
    return next((words for words in told if any(c.isalpha() for c in words)), None)


_Values = tuple[float | None, float | None, float | None, float | None]


def _values(mark: Line | Band | Points | Bars | Cells | Words | Mark) -> list[_Values]:
    """x, y and the ends of the interval of everything drawn; what is not finite is not drawn."""
    if isinstance(mark, Mark):
        return [(mark.at, None, None, None) if mark.vertical else (None, mark.at, None, None)]
    if isinstance(mark, Cells):
        top = mark.values.shape[0] - 1
        told = [(float(j), float(top - i), float(v)) for (i, j), v in np.ndenumerate(mark.values) if np.isfinite(v)]
        return [(x, y, value, value) for x, y, value in told]
    if isinstance(mark, Bars):
        middles = (mark.edges[1:] + mark.edges[:-1]) / 2
        return [(float(m), float(h), None, None) for m, h in zip(middles, mark.heights, strict=True)]
    if isinstance(mark, Band):
        strips = zip(mark.x, mark.low, mark.high, strict=True)
        return [(float(x), None, float(low), float(high)) for x, low, high in strips if np.isfinite([x, low]).all()]
    none: list[None] = [None] * len(mark.x)
    lows: Sequence[float | None] = none
    highs: Sequence[float | None] = none
    if isinstance(mark, Points) and mark.low is not None and mark.high is not None:
        lows, highs = [float(v) for v in mark.low], [float(v) for v in mark.high]
    points = zip(mark.x, mark.y, lows, highs, strict=True)
    return [(float(x), float(y), low, high) for x, y, low, high in points if np.isfinite(y)]


def drawn(figure: Figure) -> Table:
    """The numbers behind a figure as a table: its sentence above, its note below."""
    header, rows = rows_of(figure)
    used = [i for i in range(len(header)) if any(row[i] for row in rows)]
    columns = tuple(Column(header[i], Align.RIGHT if i else Align.LEFT, wide=not i) for i in used)
    return Table(figure.title, columns, tuple(tuple(row[i] for i in used) for row in rows), figure.note)


def _rows(mark: Line | Band | Points | Bars | Cells | Words | Mark, figure: Figure) -> list[tuple[str, ...]]:
    if isinstance(mark, Mark):
        at = value_on(mark.at, figure.x if mark.vertical else figure.y)
        return [(mark.label, at, "", "", "")] if mark.vertical else [(mark.label, "", at, "", "")]
    if isinstance(mark, Cells):
        top = mark.values.shape[0] - 1
        return [
            (mark.texts[i][j], value_on(float(j), figure.x), value_on(float(top - i), figure.y), "", "")
            for (i, j), value in np.ndenumerate(mark.values)
            if np.isfinite(value)
        ]
    if isinstance(mark, Bars):
        middles = (mark.edges[1:] + mark.edges[:-1]) / 2
        pairs = [(m, h) for m, h in zip(middles, mark.heights, strict=True) if h]
        return [(mark.label, value_on(m, figure.x), value_on(h, figure.y), "", "") for m, h in pairs]
    if isinstance(mark, Band):
        triples = zip(mark.x, mark.low, mark.high, strict=True)
        return [
            (mark.label, value_on(x, figure.x), "", value_on(low, figure.y), value_on(high, figure.y))
            for x, low, high in triples
            if np.isfinite([x, low]).all()
        ]
    low = high = None
    if isinstance(mark, Points) and mark.low is not None and mark.high is not None:
        low, high = mark.low, mark.high
    side = figure.x if isinstance(mark, Points) and mark.horizontal else figure.y
    rows: list[tuple[str, ...]] = []
    for i, (x, y) in enumerate(zip(mark.x, mark.y, strict=True)):
        if np.isfinite(y):
            ends = ("", "") if low is None or high is None else (value_on(low[i], side), value_on(high[i], side))
            rows.append((mark.label, value_on(x, figure.x), value_on(y, figure.y), *ends))
    return rows


def value_on(value: float, axis: Axis) -> str:
    """A value on an axis: its tick's words where it stands on one."""
    for at, words in axis.ticks:
        if words and abs(at - value) < 1e-9 and not axis.percent:
            return words
    return f"{numbers.decimal(100 * value, places=1)} %" if axis.percent else numbers.figures(value)
