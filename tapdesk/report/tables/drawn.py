"""The numbers behind a Figure as a table."""

from collections.abc import Sequence

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.language import gettext as _
from tapdesk.report.figure import Axis, Cells, Figure, Mark
from tapdesk.report.tables.drawn_series import Series, Spot, in_rows, name_on, series_of

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
