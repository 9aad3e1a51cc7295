"""The tables of a report as a workbook or as CSV: one sheet or file each, numbers as numbers, texts as texts."""

import codecs
import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Any

from tapdesk.answers.content import Column, Number, Paragraph, Table
from tapdesk.language import Number as Spoken
from tapdesk.language import gettext as _
from tapdesk.project.files.outputs import OutputKind, sealed_workbook
from tapdesk.ratings.grid import GUARD_NOTE, csv_text, guard
from tapdesk.report.issue.texts import check, of_workbook
from tapdesk.report.report import Report, in_its_language

_LONGEST = 32_767
# Signs that no workbook can hold.
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_UNNAMED = re.compile(r"[\[\]:*?/\\\x00-\x1f\ud800-\udfff\ufffe\uffff]")
_MOST_WIDE = 60
_LONGEST_NAME = 80


@in_its_language
def xlsx(report: Report) -> bytes:
    """The tables of the report as a workbook, the same bytes for the same report."""
    # openpyxl is loaded when the first workbook is made, not when the program starts.
    from openpyxl import Workbook

    book = Workbook()
    contents = book.active
    if contents is None:
        contents = book.create_sheet()
    contents.title = _("Contents")
    escaped = False
    tables = tables_of(report)
    names = _sheet_names([table for _s, table in tables])
    check(report, chain(((_("the names of the sheets"), name) for name in names), of_workbook(report)))
    for (_section, table), name in zip(tables, names, strict=True):
        escaped |= write_table(book.create_sheet(name), table)
    rows: list[tuple[str, ...]] = [(report.title,), (report.subtitle,)]
    rows += [tuple(pair) for pair in report.record]
    # The answer stands before the tables behind it, as on paper.
    leads = (b.text for section in report.sections[:1] for b in section.blocks if isinstance(b, Paragraph))
    rows += [(), *((words,) for words in leads), (), (_("Sheet"), _("Section"), _("Table"))]
    rows += [(name, section, table.title) for (section, table), name in zip(tables, names, strict=True)]
    for row in rows:
        contents.append([_text(cell)[0] for cell in row])
        escaped |= any(_text(cell)[1] for cell in row)
    if escaped:
        contents.append([])
        contents.append([GUARD_NOTE])
    contents.column_dimensions["A"].width = 24
    contents.column_dimensions["B"].width = 34
    contents.column_dimensions["C"].width = 60
    return settled(book, report.issued, OutputKind.REPORT, final=report.final)


def tables_of(report: Report) -> list[tuple[str, Table]]:
    """Every table with all its rows, after the title of its section; last those that stand in no page."""
    tables = [(section.title, b) for section in report.sections for b in section.blocks if isinstance(b, Table)]
    return [*tables, *(("", table) for table in report.workbook)]


@in_its_language
def csv_files(report: Report, path: Path) -> tuple[tuple[Path, bytes], ...]:
    """Every table as a file of its own, named by its number and title: all rows, full numbers."""
    tables = [table for _section, table in tables_of(report)]
    names = [re.sub(r"[^\w -]", "", name) for name in _sheet_names(tables, _LONGEST_NAME)]
    check(report, chain(((_("the names of the files"), name) for name in names), of_workbook(report)))
    return tuple(
        (path.with_name(f"{path.stem} {name}{path.suffix}"), csv_bytes(table.columns, table.rows))
        for name, table in zip(names, map(pageless, tables), strict=True)
    )


def csv_bytes(columns: Sequence[Column | str], rows: Sequence[Sequence[str]]) -> bytes:
    """A table as CSV: numbers in full, with a point; an interval in two columns, its low and its high end."""
    double = [any(len(_values(row[i]) or ()) == 2 for row in rows) for i in range(len(columns))]
    heads = [Column(c) if isinstance(c, str) else c for c in columns]
    names = [head for c, two in zip(heads, double, strict=True) for head in _heads(c, two=two)]
    lines = [[text for cell, two in zip(row, double, strict=True) for text in _texts(cell, two=two)] for row in rows]
    # A mark at the beginning tells Excel that the signs are UTF-8.
    return codecs.BOM_UTF8 + csv_text(names, lines).text.encode("utf-8", "replace")


def _texts(cell: str, *, two: bool) -> list[str]:
    """What stands in the columns of a cell."""
    values = _values(cell)
    if values is None or len(values) != 1 + two:
        plain = cell.plain.replace(",", "") if isinstance(cell, Spoken) else plain_text(cell)
        return [plain, *([""] if two else [])]
    return ["" if value is None else f"{value:.10g}" for value in values]


def write_table(sheet: Any, table: Table) -> bool:
    """Write one table; tells whether a text had to be escaped."""
    from openpyxl.styles import Font

    escaped = False
    table = pageless(table)
    sheet.append([_text(table.title)[0]])
    sheet["A1"].font = Font(bold=True)
    double = [any(len(_values(row[i]) or ()) == 2 for row in table.rows) for i in range(len(table.columns))]
    if table.headed:
        sheet.append([head for c, two in zip(table.columns, double, strict=True) for head in _heads(c, two=two)])
        for cell in sheet[2]:
            cell.font = Font(bold=True)
        sheet.freeze_panes = "A3"
    for row in table.rows:
        cells: list[float | str | None] = []
        for text, two in zip(row, double, strict=True):
            values = _values(text)
            if values is not None and len(values) == 1 + two:
                cells += values
            else:
                shown, risky = _text(text)
                escaped |= risky
                cells += [shown, *([None] if two else [])]
        sheet.append(cells)
    if table.note:
        sheet.append([])
        sheet.append([_text(table.note)[0]])
    _widths(sheet)
    return escaped


def pageless(table: Table) -> Table:
    """The table without page numbers: a workbook has no pages."""
    kept = [i for i, column in enumerate(table.columns) if not column.page]
    rows = tuple(tuple(row[i] for i in kept) for row in table.rows)
    return replace(table, columns=tuple(table.columns[i] for i in kept), rows=rows)


def _heads(column: Column, *, two: bool) -> list[str]:
    title = _text(column.title)[0]
    if not two:
        return [title]
    return [_("{title}, low").format(title=title), _("{title}, high").format(title=title)]


def _values(text: str) -> tuple[float | None, ...] | None:
    """The numbers behind a cell; None for a text."""
    return text.values if isinstance(text, Number) else None


def plain_text(text: str) -> str:
    """A text without the signs that no file of an office can hold."""
    return _ILLEGAL.sub(" ", text)


def _text(text: str) -> tuple[str, bool]:
    """A text as a workbook may hold it, and whether an apostrophe was set before it."""
    plain = plain_text(text)[: _LONGEST - 1]
    # A text that could be a formula is run as one where a table is pasted or saved as text.
    safe = guard(plain)
    return safe, safe != plain


def _widths(sheet: Any) -> None:
    """Columns as wide as their cells, title and note left aside."""
    from openpyxl.utils import get_column_letter

    for i, column in enumerate(sheet.iter_cols(min_row=2), start=1):
        longest = max((len(str(cell.value)) for cell in column if cell.value is not None), default=8)
        sheet.column_dimensions[get_column_letter(i)].width = min(max(longest + 2, 9), _MOST_WIDE)


def settled(book: Any, issued: datetime, kind: OutputKind, *, final: bool = False) -> bytes:
    """A workbook with no trace of the clock - the date of the report in it, 1980 in its archive - and with its mark."""
    stamp = issued.astimezone(UTC).replace(tzinfo=None, microsecond=0)
    book.properties.created = book.properties.modified = stamp
    book.properties.creator = "tapdesk"
    written = io.BytesIO()
    book.save(written)
    with zipfile.ZipFile(written) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    moment = f"{stamp.isoformat()}Z".encode()
    core = "docProps/core.xml"
    parts[core] = re.sub(rb"(<dcterms:modified[^>]*>)[^<]*", rb"\g<1>" + moment, parts[core])
    return sealed_workbook(parts.items(), kind, issued=final)


def _sheet_names(tables: list[Table], most: int = 31) -> list[str]:
    """A name for each sheet: its number and what fits of the title (a workbook takes 31 signs, some not at all)."""
    sentences = [_UNNAMED.sub(" ", table.title) for table in tables]
    return [f"{i + 1} {' '.join(title.split())}"[:most].strip().strip("'") for i, title in enumerate(sentences)]
