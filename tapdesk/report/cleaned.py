"""Cleaned ratings as a file, with what was decided beside them: a CSV and a second one, or a workbook of two sheets."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tapdesk.answers.forbidden import guard as refuse_names
from tapdesk.answers.naming import NAMES, Naming
from tapdesk.answers.pseudonyms import coded_log, coded_ratings
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import DecisionStatus
from tapdesk.project.files.outputs import OutputKind, refuse_ending
from tapdesk.project.project import Project
from tapdesk.ratings.formats.kinds import record_of
from tapdesk.ratings.grid import column_letter, csv_text, guard
from tapdesk.ratings.own.clean_table import CleanTable, Shape, clean_table, numbers_of, usual_shape
from tapdesk.ratings.own.recall import (
    CHECKSUM,
    RECORD_HEAD,
    RECORD_SHEET,
    TABLE,
    checksum,
    record_rows,
)
from tapdesk.report.forms.xlsx import settled

SUFFIXES = (".xlsx", ".csv")
"""What a file of cleaned ratings may be called."""
RATINGS_SHEET = "Ratings"
WITHOUT_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""The day in workbooks that are the same whenever they are written."""
_MOST_ROWS, _MOST_COLUMNS, _LONGEST = 1 << 20, 1 << 14, 32_767
# Signs that no workbook holds, or that come back as others.
_LOST = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True, eq=False)
class CleanedData:
    """The ratings of a project as they stand after all decisions, and what is said beside them.

    Attributes
    ----------
    table
        The ratings.
    shape
        Of the table.
    record
        Rows of `RECORD_HEAD` below it: where the ratings come from, how the table is read, what was decided.
    """

    table: CleanTable
    shape: Shape
    record: tuple[tuple[str, ...], ...]


def cleaned_data(project: Project, shape: Shape | None = None, called: Naming = NAMES) -> CleanedData:
    """The cleaned ratings of a project.

    Parameters
    ----------
    project
        Its ratings in all classes, whichever is counted.
    shape
        Of the table; by default the one that leaves nothing out.
    called
        Names or codes of raters and cases.

    Raises
    ------
    TapdeskError
        When the project holds no ratings.
    CannotAnswerError
        When a name that is to be called by a code stands in what would be written.
    """
    reading = project.reading
    if reading is None:
        raise TapdeskError(_("No {ratings} are open."), fix=_("Open a spreadsheet or a sample first."))
    ratings = coded_ratings(project.all_classes, called).panel()
    shape = shape or usual_shape(ratings, reading.source.layout)
    table = clean_table(ratings, shape)
    sides = {"class1": project.replayed.class1, "class0": project.replayed.class0}
    table = replace(table, options=MappingProxyType({**table.options, **{n: v for n, v in sides.items() if v}}))
    source = reading.source
    rows: list[tuple[str, ...]] = [
        ("source", "file", called.file(source.name, source.sha256), "", ""),
        ("source", CHECKSUM, source.sha256, "", ""),
        ("source", "fingerprint", project.fingerprint, "", ""),
        *((*row, "", "") for row in record_rows(table.options)),
        *(("left out here", _("column"), name, "", "") for name in table.left_out),
    ]
    states = {DecisionStatus.IN_FORCE: _("in force"), DecisionStatus.TAKEN_BACK: _("taken back")}
    for row in coded_log(project, called):
        state = states.get(row.standing, row.standing.value)
        rows.append(("decision", str(state), str(row.words), row.when, str(row.reason)))
    made = CleanedData(table, shape, tuple(rows))
    refuse_names(called.secrets, _texts(made))
    return made


def _texts(made: CleanedData) -> Iterator[tuple[str, str]]:
    """Every different text that would be written, after its place."""
    yield from ((_("the names of the columns"), name) for name in made.table.names)
    for name, column in zip(made.table.names, zip(*made.table.rows, strict=True), strict=False):
        place = _("the column “{name}”").format(name=Label(name))
        yield from ((place, text) for text in dict.fromkeys(column))
    for row in made.record:
        yield from ((_("what is said beside the table"), text) for text in row[2:])


def cleaned_files(made: CleanedData, path: Path) -> tuple[tuple[Path, bytes], ...]:
    """The files to write, by the ending of the name: a workbook, or a CSV and its record.

    Raises
    ------
    UsageError
        When the name ends in something else.
    CannotAnswerError
        When a workbook cannot hold the table.
    """
    refuse_suffix(path)
    if path.suffix.lower() == ".xlsx":
        return ((path, _workbook(made)),)
    content = csv_text(made.table.names, made.table.rows).text.encode()
    rows = ((TABLE, CHECKSUM, checksum(content), "", ""), *made.record)
    return ((path, content), (record_of(path), csv_text(RECORD_HEAD, rows).text.encode()))


def refuse_suffix(path: Path) -> None:
    """Refuse a name that ends in nothing that can be written.

    Raises
    ------
    UsageError
        It names the endings there are.
    """
    refuse_ending(path, SUFFIXES, _("“{name}” is no name for a table."))


def _workbook(made: CleanedData) -> bytes:
    """The table on one sheet, what is said beside it on another."""
    from openpyxl import Workbook  # late: opened when the first workbook is made, not when the program starts

    refuse_what_no_workbook_holds((made.table.names, *made.table.rows), (RECORD_HEAD, *made.record))
    book = Workbook(write_only=True)
    write_sheet(book.create_sheet(RATINGS_SHEET), made.table.names, made.table.rows)
    write_sheet(book.create_sheet(RECORD_SHEET), RECORD_HEAD, made.record, numeric=False)
    return settled(book, WITHOUT_DATE, OutputKind.RATINGS)


def refuse_what_no_workbook_holds(*tables: Rows) -> None:
    """Refuse tables that are too large for a sheet, and texts that would come back as others.

    Raises
    ------
    CannotAnswerError
        It names the text, or the size.
    """
    for rows in tables:
        if len(rows) > _MOST_ROWS or any(len(row) > _MOST_COLUMNS for row in rows[:1]):
            raise CannotAnswerError(
                _("The table has {rows:,} rows and {columns:,} columns; a workbook holds fewer.").format(
                    rows=len(rows), columns=len(rows[0])
                ),
                fix=_("Save it as CSV, or in the other shape."),
            )
        lost = next((text for row in rows for text in row if len(text) >= _LONGEST or _LOST.search(text)), None)
        if lost is not None:
            raise CannotAnswerError(
                _("The text '{text}' holds a sign that a workbook does not keep, or is too long for it.").format(
                    text=Label("".join(c if c.isprintable() else "?" for c in lost[:40]))
                ),
                fix=_("Save it as CSV, or change that text."),
            )


def write_sheet(sheet: Any, head: Sequence[str], rows: Rows, *, numeric: bool = True) -> None:
    """A table on a sheet: texts as texts, and numbers as numbers where all of a column are."""
    from openpyxl.styles import Font

    columns: list[tuple[str | float | None, ...]] = []
    for i, name in enumerate(head):
        texts = tuple(row[i] for row in rows)
        numbers = numbers_of(texts) if numeric else None
        columns.append(tuple(text or None for text in texts) if numbers is None else numbers)
        longest = max(map(len, (name, *texts[:500])), default=8)
        sheet.column_dimensions[column_letter(i)].width = min(max(longest + 2, 9), 60)
    sheet.freeze_panes = "A2"
    names = [cell_of(sheet, name) for name in head]
    for cell in names:
        cell.font = Font(bold=True)
    sheet.append(names)
    for values in zip(*columns, strict=True):
        sheet.append([cell_of(sheet, v) if isinstance(v, str) else v for v in values])


def cell_of(sheet: Any, text: str) -> Any:
    """A cell that holds a text, whatever a program could take the text for."""
    from openpyxl.cell import WriteOnlyCell

    cell = WriteOnlyCell(sheet, value="")
    cell.value = guard(text)
    cell.data_type = "s"
    return cell


def outputs_of(path: Path) -> Iterable[Path]:
    """The files that are written where cleaned ratings go to one name."""
    return (path,) if path.suffix.lower() == ".xlsx" else (path, record_of(path))
