"""Tables wider than a page: numbers in place of long heads, or split by columns with the first one repeated."""

from dataclasses import replace

from tapdesk.answers import fonts
from tapdesk.answers.content import Align, Table
from tapdesk.language import gettext as _
from tapdesk.language import joined

# Points between the margins of A4 in the faces of tables, and what lies between two columns.
_ROOM = 415.0
_GAP = 9.0
_SIZE = 8.5
# A wide column may wrap its words; this much it needs.
_LEAST = 90.0


def narrowed(table: Table) -> tuple[Table, ...]:
    """The table, or its parts where the columns do not fit beside each other."""
    table = table.printed()
    if _fits(table):
        return (table,)
    # Where only the heads are wide, one table with a key is read more easily than several parts.
    table = _keyed(table)
    if _fits(table):
        return (table,)
    widths = [_width(table, i) for i in range(len(table.columns))]
    parts: list[list[int]] = [[]]
    room = _ROOM - widths[0]
    left = room
    for i, width in enumerate(widths[1:], start=1):
        if parts[-1] and width + _GAP > left:
            parts.append([])
            left = room
        parts[-1].append(i)
        left -= width + _GAP
    if len(parts) == 1:
        return (table,)
    return tuple(_part(table, (0, *columns), i, len(parts)) for i, columns in enumerate(parts))


def _fits(table: Table) -> bool:
    widths = [_width(table, i) for i in range(len(table.columns))]
    return len(widths) < 4 or sum(widths) + _GAP * (len(widths) - 1) <= _ROOM


def _keyed(table: Table) -> Table:
    """The table with its columns of numbers counted, and their heads explained in the note."""
    heads = [c.title for c in table.columns]
    numbered = [
        i
        for i, column in enumerate(table.columns)
        if i and column.align is Align.RIGHT and fonts.width(column.title, _SIZE) > _width(_headless(table), i)
    ]
    if len(numbered) < 3:
        return table
    columns = list(table.columns)
    for place, i in enumerate(numbered, start=1):
        columns[i] = replace(columns[i], title=str(place))
    meant = (_("{number} = {head}").format(number=place, head=heads[i]) for place, i in enumerate(numbered, start=1))
    key = joined(*meant, sep="; ")
    told = _("Columns: {key}. {note}").format(key=key, note=table.note).strip()
    return replace(table, columns=tuple(columns), note=told)


def _headless(table: Table) -> Table:
    return replace(table, columns=tuple(replace(c, title="") for c in table.columns))


def _width(table: Table, column: int) -> float:
    """What a column needs: its longest cell, or the least where its words may wrap."""
    cells = [table.columns[column].title, *(row[column] for row in table.rows)]
    needed = max(fonts.width(cell, _SIZE) for cell in cells)
    wraps = table.columns[column].wide or max(len(cell) for cell in cells) > 32
    return min(needed, _LEAST) if wraps else needed


def _part(table: Table, columns: tuple[int, ...], number: int, of: int) -> Table:
    title = table.title
    if number:
        title = _("{title} (columns continued, part {number} of {of})").format(title=title, number=number + 1, of=of)
    return Table(
        title,
        tuple(table.columns[i] for i in columns),
        tuple(tuple(row[i] for i in columns) for row in table.rows),
        table.note if number == of - 1 else "",
        headed=table.headed,
        totals=table.totals,
    )
