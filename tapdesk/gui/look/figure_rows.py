"""The numbers behind a Figure as a table."""

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Band, Bars, Cells, Figure, Line, Mark, Points


def rows_of(figure: Figure) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Header and rows: what is drawn, where, its value, and its interval."""
    rows: list[tuple[str, ...]] = []
    for mark in figure.marks:
        rows += _rows(mark, figure)
    return (_("What"), figure.x.title or "x", figure.y.title or "y", _("From"), _("To")), rows


def _rows(mark: Line | Band | Points | Bars | Cells | Mark, figure: Figure) -> list[tuple[str, ...]]:
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
            if np.isfinite(low)
        ]
    low = high = None
    if isinstance(mark, Points) and mark.low is not None and mark.high is not None:
        low, high = mark.low, mark.high
    side = figure.x if isinstance(mark, Points) and mark.horizontal else figure.y
    rows = []
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
