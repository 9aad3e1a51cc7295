"""The table behind a figure in words: a row, a list to be copied, a table to be printed, records for programs."""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.figure import DataColumn, DataTable, Figure, Unit, Value
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext

# A curve of more points is told by so many of them, from one end to the other.
_MOST_POINTS, _SOME_POINTS = 26, 13
_IN_WORDS = 24
Rows = list[tuple[str, ...]]


def cell(value: Value, column: DataColumn) -> str:
    """A value as it is read; empty where there is none."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, tuple):
        return _("{low} to {high}").format(low=cell(value[0], column), high=cell(value[1], column))
    if column.unit is Unit.SHARE:
        return f"{numbers.decimal(100 * value, places=1)} %"
    if column.places is None:
        return numbers.figures(value)
    return numbers.decimal(value, places=None if column.places == 2 else column.places)


def _texts(table: DataTable) -> Rows:
    return [tuple(cell(v, c) for v, c in zip(row, table.columns, strict=True)) for row in table.rows]


def row_in_words(table: DataTable, at: int) -> str:
    """One row: what it is, where it stands, its value and its interval."""
    row, texts = table.rows[at], [cell(v, c) for v, c in zip(table.rows[at], table.columns, strict=True)]
    by_key = {c.key: text for c, text in zip(table.columns, texts, strict=True)}
    ranged = any(isinstance(v, tuple) for v in row)
    name, what = (by_key.get(key, "") for key in ("name", "what"))
    value = by_key.get("value") or by_key.get("y", "")
    if by_key.get("row"):
        words = f"{by_key['row']}, {by_key.get('column', '')}: {value}"
    elif not by_key.get("x"):
        words = f"{', '.join(w for w in (name, what) if w)}: {value}"
        if "y" in by_key and name and what:
            words = f"{what}: {name}, {value}"
    else:
        head = ", ".join(w for w in (what, name) if w)
        pair = [w for w in (by_key["x"], value) if w]
        words = f"{head}: {', '.join(pair)}" if head else (": " if ranged else ", ").join(pair)
    if by_key.get("low"):
        words = _("{words} ({low} to {high})").format(words=words, low=by_key["low"], high=by_key["high"])
    return words


def in_words(table: DataTable) -> str:
    """The numbers of a table, series by series: all of a short one, the first and the last of a long one."""
    at = [i for i, column in enumerate(table.columns) if column.key == "what"]
    sentences = []
    for what, group in groupby(range(len(table.rows)), key=lambda i: table.rows[i][at[0]] if at else ""):
        rows = [*group]
        if not what or len(rows) == 1:
            sentences += [row_in_words(table, i) for i in rows[:_IN_WORDS]]
            if len(rows) > _IN_WORDS:
                more = len(rows) - _IN_WORDS
                sentences.append(ngettext("{n} more number", "{n} more numbers", more).format(n=numbers.count(more)))
            continue
        without = DataTable(table.columns, tuple(_without(table.rows[i], at[0]) for i in rows))
        words = [row_in_words(without, i) for i in range(len(rows))]
        if len(words) > _IN_WORDS:
            words = [_("from {first} to {last}").format(first=words[0], last=words[-1])]
        sentences.append(_("{what}: {told}").format(what=what, told="; ".join(words)))
    return ". ".join(sentences) if any(len(t.split("; ")) > 1 for t in sentences) else "; ".join(sentences)


def _without(row: tuple[Value, ...], at: int) -> tuple[Value, ...]:
    return (*row[:at], "", *row[at + 1 :])


def rows_of(figure: Figure) -> tuple[tuple[str, ...], Rows]:
    """Header and rows: every number that is drawn."""
    return tuple(column.title for column in figure.table.columns), _texts(figure.table)


def rows_of_all(figures: Sequence[Figure]) -> tuple[tuple[str, ...], Rows]:
    """Header and rows of several panels below each other, the title of its panel before each row.

    Where panels hold different things in a column, each of its cells names what it holds.
    """
    plain = {"what": _("What"), "name": _("Where"), "x": _("Where"), "y": _("Value"), "value": _("Value")}
    titles: dict[str, list[str]] = {}
    for column in (column for figure in figures for column in figure.table.columns):
        titles.setdefault(column.key, []).append(column.title)
    header = {key: result[0] if len(set(result)) == 1 else plain.get(key, _("Value")) for key, result in titles.items()}
    rows: Rows = []
    for figure in figures:
        columns = {column.key: column.title for column in figure.table.columns}
        for row in _texts(figure.table):
            sentences = dict(zip(columns, row, strict=True))
            named = {
                key: f"{columns[key]}: {text}" if text and columns[key] != header[key] else text
                for key, text in sentences.items()
            }
            rows.append((figure.title, *(named.get(key, "") for key in header)))
    return (_("Picture"), *header.values()), rows


def records_of(figure: Figure) -> list[dict[str, Value]]:
    """The rows in full precision, each after the title of its picture."""
    return [{"panel": figure.title, **record} for record in figure.table.records()]


def table_of(figure: Figure) -> Table:
    """The numbers behind a figure as a table to be printed: its sentence above, its note below.

    Series over the same places stand beside each other; of long curves some points are listed.
    """
    table, note = _thinned(figure.table), figure.note
    if len(table.rows) < len(figure.table.rows):
        note = _("Of long curves {n} points are listed. {note}").format(n=_SOME_POINTS, note=note).strip()
    wide = _joint_columns(table)
    if wide is not None:
        header, rows, lines = wide
        note = joined(_("{columns}.").format(columns=joined(*lines, sep="; ")) if lines else "", note)
    else:
        header, rows = [column.title for column in table.columns], _texts(table)
        ends = [i for i, column in enumerate(table.columns) if column.key in {"low", "high"}]
        # No interval is a dash where others have one.
        rows = [tuple(text or (numbers.DASH if i in ends else "") for i, text in enumerate(row)) for row in rows]
    columns = tuple(Column(title, Align.RIGHT if i else Align.LEFT, wide=not i) for i, title in enumerate(header))
    return Table(figure.title, columns, tuple(rows), note)


def _thinned(table: DataTable) -> DataTable:
    """Long curves by some of their points, both ends among them."""
    if not table.curves:
        return table
    rows: list[tuple[Value, ...]] = []
    for _what, series in groupby(table.rows, key=lambda row: row[0]):
        points = [*series]
        if len(points) > _MOST_POINTS:
            kept = np.unique(np.round(np.linspace(0, len(points) - 1, _SOME_POINTS)).astype(int))
            points = [points[i] for i in kept]
        rows += points
    return DataTable(table.columns, tuple(rows))


def _joint_columns(table: DataTable) -> tuple[list[str], Rows, list[str]] | None:
    """Header and rows of series over the same places, a column each, and the lines across; None where they are not."""
    keys = [column.key for column in table.columns]
    if keys[:1] != ["what"] or keys[2:3] != ["y"] or keys[1] not in {"name", "x"}:
        return None
    texts = _texts(table)
    lines = [f"{row[0]}: {row[1] or row[2]}" for row in texts if not row[1] or not row[2]]
    series: dict[str, Rows] = {}
    for row in (row for row in texts if row[1] and row[2]):
        series.setdefault(row[0], []).append(row)
    places = [[row[1] for row in rows] for rows in series.values()]
    if len(series) < 2 or "" in series or any(p != places[0] for p in places) or len(set(places[0])) < len(places[0]):
        return None
    header, columns = [table.columns[1].title], [places[0]]
    for what, rows in series.items():
        header.append(what)
        columns.append([row[2] for row in rows])
        for end in (3, 4):
            if any(row[end:] and row[end] for row in rows):
                header.append(table.columns[end].title)
                columns.append([row[end] or numbers.DASH for row in rows])
    return header, list(zip(*columns, strict=True)), lines
