"""A file in parts: one for each question it holds, or for each group of rows that share a text in a column."""

from dataclasses import dataclass, replace
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import quoted
from tapdesk.ratings.formats.files import load
from tapdesk.ratings.layouts.header_words import RATER, SUBJECT
from tapdesk.ratings.layouts.roles import called, named
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.samples import PREFIX, SAMPLES, locate
from tapdesk.ratings.source import Source
from tapdesk.ratings.table import Table, framed

MOST = 40
QUESTIONS = "*"


@dataclass(frozen=True, slots=True)
class Part:
    """One part: what it is called, and how the file is read to get it alone."""

    value: str
    options: ReadingOptions


def parts(path: str | Path, options: ReadingOptions, column: str) -> Run[tuple[Part, ...]]:
    """The parts of a file, in the order in which they appear.

    Parameters
    ----------
    path
        A file, or ``sample:NAME``.
    options
        How the whole file is read.
    column
        The column whose texts name the parts; ``*`` for the questions that stand side by side in columns.

    Raises
    ------
    TapdeskError
        When the file cannot be read, or there are no parts or too many of them.
    UsageError
        When there is no such column.
    """
    place, options = locate(path, options)
    loaded = yield from load(place, options)
    table, _findings = framed(loaded.grid, place.name, options)
    yield Step(table.rows, table.rows, "read")
    if column == QUESTIONS:
        asked = _side_by_side(table, options)
        made = tuple(Part(name, replace(options, layout=Layout.QUESTIONS, only=name)) for name in asked)
    else:
        name = named(table, column, "--each")
        values = [v.strip() for v in table.column(name).values if v.strip()]
        made = tuple(Part(value, _only(options, name, value)) for value in dict.fromkeys(values))
    if not 2 <= len(made) <= MOST:
        raise TapdeskError(
            _("The column '{column}' names {made} parts; there can be 2 to {most} reports.").format(
                column=Label(column), made=len(made), most=MOST
            ),
            place.name,
            _("Choose a column that names groups; the columns are {names}.").format(names=quoted(table.names, 20)),
        )
    return made


def _only(options: ReadingOptions, column: str, value: str) -> ReadingOptions:
    if options.question == column:
        return replace(options, only=value)
    return replace(options, where=(*options.where, (column, value)))


def _side_by_side(table: Table, options: ReadingOptions) -> tuple[str, ...]:
    """The columns that hold a question each: neither case nor rater."""
    subject = options.subject or called(table, SUBJECT) or table.names[0]
    rater = options.rater or called(table, RATER, apart_from=(subject,))
    return tuple(name for name in table.names if name not in {subject, rater, options.count})


def place_of(source: Source) -> str:
    """Where ratings came from, as `tapdesk.ratings.reading.read` takes it."""
    if source.path is not None:
        return str(source.path)
    return PREFIX + next((row.name for row in SAMPLES if row.file == source.name), source.name)
