"""The parts of a file that are reported one by one: by the values of a column, or by the questions of a form."""

from dataclasses import replace
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.form import QUESTIONS, FilePart, question_parts
from tapdesk.ratings.layouts.roles import user_column
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import OpenFile, opened
from tapdesk.ratings.table import RatingTable, frame_table
from tapdesk.ratings.trades.catalog import framed, settled

_MOST_PARTS = 40


def file_parts(path: str | Path, options: ReadingOptions, column: str) -> Run[tuple[FilePart, ...]]:
    """The parts of a file, in the order in which they appear.

    Parameters
    ----------
    path
        A file, or ``sample:NAME``.
    options
        How the whole file is read.
    column
        The column whose texts name the parts; ``*`` for the questions of a form.

    Raises
    ------
    TapdeskError
        When the file cannot be read, or there are no parts or too many of them.
    UsageError
        When there is no such column.
    """
    file = yield from opened(path, options)
    if column == QUESTIONS:
        made = yield from question_parts(file, options)
        table = None
    else:
        table = _table(file, options)
        name = user_column(table, column, "--each")
        values = [v.strip() for v in table.column(name).values if v.strip()]
        made = tuple(FilePart(value, _only(options, name, value)) for value in dict.fromkeys(values))
    yield Step(1, 1, "read")
    if not 2 <= len(made) <= _MOST_PARTS:
        raise TapdeskError(
            _("The column '{column}' names {made} parts; there can be 2 to {most} reports.").format(
                column=Label(column), made=len(made), most=_MOST_PARTS
            ),
            file.place.name,
            ""
            if table is None
            else _("Choose a column that names groups; the columns are {names}.").format(
                names=quoted_list(table.names, 20)
            ),
        )
    return made


def _table(file: OpenFile, options: ReadingOptions) -> RatingTable:
    """The table of a file, without what the program that wrote it put beside the answers."""
    frame = framed(file.export, options)
    whole, _findings = frame_table(file.loaded.grid, file.place.name, frame)
    return settled(file.export, file.loaded, whole, frame)[1]


def _only(options: ReadingOptions, column: str, value: str) -> ReadingOptions:
    if options.question == column:
        return replace(options, only=value)
    return replace(options, where=(*options.where, (column, value)))
