"""Workbooks (XLSX, XLSB, XLS, ODS) to a grid of cells, opened in a process that may die without harm."""

import hashlib
from collections.abc import Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np

from tapdesk.errors import TapdeskError, UsageError, Ways
from tapdesk.progress import Run
from tapdesk.ratings.findings import Finding, ask, listed, many, note, quoted, rows_named
from tapdesk.ratings.formats.kinds import Kind
from tapdesk.ratings.formats.loaded import Loaded
from tapdesk.ratings.formats.sheet_cells import RawSheet
from tapdesk.ratings.formats.sheet_scan import SheetFacts
from tapdesk.ratings.formats.workbook_sheets import sheets_of
from tapdesk.ratings.grid import Column, Grid, Marks, column_letter, column_of
from tapdesk.ratings.layouts.roles import RATER, is_called, is_rater_column
from tapdesk.ratings.options import ReadingOptions

SECONDS = 120.0
STACKED = "Rater (sheet)"
_ALL = "*"


def workbook(raw: bytes, name: str, kind: Kind, options: ReadingOptions, *, seconds: float = SECONDS) -> Run[Loaded]:
    """The cells of one sheet of a workbook, or of several stacked.

    Raises
    ------
    TapdeskError
        When the workbook is damaged, too large, hostile, or holds formulas that were never calculated.
    UsageError
        When there is no sheet of the name the user gave.
    """
    sheets = yield from sheets_of(raw, name, kind, options.sheet, seconds)
    names = tuple(s.name for s in sheets)
    findings: list[Finding] = []
    chosen = _chosen(sheets, name, options, findings)
    for sheet in chosen:
        _refuse_uncalculated(sheet, name)
    if kind is not Kind.XLSX:
        findings.append(
            note(
                "format_hides",
                "",
                f"In a .{kind.value} file hidden rows, formulas without a result and formats cannot be seen.",
                "Save it as .xlsx to have them checked.",
            )
        )
    for sheet in chosen:
        findings += _sheet_findings(sheet, options)
    grid = _grid(chosen[0]) if len(chosen) == 1 else _stacked(chosen)
    return Loaded(
        grid,
        kind.value,
        hashlib.sha256(raw).hexdigest(),
        sheet=chosen[0].name if len(chosen) == 1 else _ALL,
        sheets=names,
        guessed=("sheet",) if options.sheet is None and len(names) > 1 else (),
        findings=tuple(findings),
    )


def _chosen(sheets: Sequence[RawSheet], name: str, options: ReadingOptions, findings: list[Finding]) -> list[RawSheet]:
    """The sheet the user named, else the only one, else sheets of one shape stacked, else the first."""
    filled = [s for s in sheets if s.rows]
    if not filled:
        raise TapdeskError("Every sheet of the workbook is empty.", name, "Choose another file.")
    visible = [s for s in filled if not s.hidden] or filled
    # A sheet of one column or two rows holds a note or a title and no table of ratings.
    first = next((s for s in visible if s.width > 1 and s.rows > 2), visible[0])
    alike = [s for s in visible if _head(s) == _head(first)]
    if options.sheet == _ALL:
        return alike
    if options.sheet is not None:
        return [_named(sheets, filled, name, options.sheet)]
    hidden = [s for s in filled if s.hidden]
    if hidden and visible != hidden:
        findings.append(
            ask(
                "hidden_sheets",
                "",
                f"The workbook has hidden sheets: {_sizes(hidden)}.",
                "If the ratings stand there, choose that sheet.",
                "Hidden sheets are not read.",
                (tuple(s.name for s in hidden),),
            )
        )
    if len(alike) > 1 and _one_per_rater(first):
        findings.append(_stacking(alike, visible))
        return alike
    if len(visible) > 1:
        told = "The first" if first is visible[0] else "The first with a table"
        findings.append(
            ask(
                "several_sheets",
                f"sheet '{first.name}'",
                f"The workbook has {len(visible)} sheets with cells: {_sizes(visible)}.",
                "If the ratings stand in another sheet, choose it.",
                f"{told}, '{first.name}', is read.",
                (tuple(s.name for s in visible if s is not first),),
            )
        )
    return [first]


def _stacking(alike: Sequence[RawSheet], visible: Sequence[RawSheet]) -> Finding:
    """That sheets of one shape are read as one, and which others are not read."""
    others = [s for s in visible if s not in alike]
    left = f" The other sheets have other columns and are not read: {_sizes(others)}." if others else ""
    which = f"{len(alike)} sheets" if others else f"The {len(alike)} sheets"
    return ask(
        "sheets_stacked",
        f"sheets {quoted([s.name for s in alike])}",
        f"{which} have the same columns, as when each rater filled in one.{left}",
        "If they are something else, choose one sheet.",
        "They are stacked, and the name of the sheet is the rater; rows are counted through all sheets.",
        (tuple(s.name for s in visible),),
    )


def _named(sheets: Sequence[RawSheet], filled: Sequence[RawSheet], name: str, wanted: str) -> RawSheet:
    """The sheet the user named, which must hold something."""
    named, there = [s for s in sheets if s.name == wanted], f"The sheets are {_sizes(sheets)}."
    if not named:
        raise UsageError(f"There is no sheet '{wanted}'.", name, there, ways=_ways(filled))
    if not named[0].rows:
        raise TapdeskError(f"The sheet '{wanted}' is empty.", name, there, ways=_ways(filled))
    return named[0]


def _ways(sheets: Sequence[RawSheet]) -> Ways:
    return [(f"Read the sheet “{s.name}”", {"sheet": s.name}) for s in sheets[:8]]


def _sizes(sheets: Sequence[RawSheet]) -> str:
    sizes = (f"{many(s.rows, 'row', 'rows')}, {many(s.width, 'column', 'columns')}" for s in sheets)
    return listed([f"'{s.name}' ({size})" for s, size in zip(sheets, sizes, strict=True)], 8)


def _head(sheet: RawSheet) -> tuple[str, ...]:
    """The texts of the first row."""
    return tuple(texts[int(np.frombuffer(codes, dtype=np.int32, count=1)[0])] for codes, texts in sheet.columns)


def _one_per_rater(sheet: RawSheet) -> bool:
    """Whether a sheet has room for one rater only: a case, a rating, perhaps a remark, and no column of raters."""
    head = [h for h in _head(sheet) if h.strip()]
    return 2 <= len(head) <= 3 and not any(is_called(h, RATER) or is_rater_column(h) for h in head)


def _refuse_uncalculated(sheet: RawSheet, name: str) -> None:
    """A formula without a result would be read as a blank cell, so it stops the reading."""
    if sheet.facts is None or not sheet.facts.formulas:
        return
    cells = [f"{column_letter(c)}{r + 1}" for r, c in sheet.facts.formulas]
    raise TapdeskError(
        f"The sheet '{sheet.name}' has formulas that were never calculated, in {listed(cells)}.",
        f"{name}, sheet {sheet.name}, cell {cells[0]}",
        "Open the workbook in Excel or LibreOffice, save it once, and try again.",
    )


def _sheet_findings(sheet: RawSheet, options: ReadingOptions) -> list[Finding]:
    """Hidden rows and columns, an active filter, cells with errors."""
    facts = sheet.facts
    if facts is None:
        return []
    found = _hidden_findings(sheet, facts, options)
    if facts.errors:
        cells = [f"{column_letter(c)}{r + 1} ({text})" for r, c, text in facts.errors]
        found.append(
            note(
                "error_cells",
                f"cells {listed(cells)}",
                f"{many(len(cells), 'cell shows', 'cells show')} an error instead of a value.",
                "Mend the formulas in the sheet.",
                "A cell with an error counts as no rating.",
            )
        )
    return found


def _hidden_findings(sheet: RawSheet, facts: SheetFacts, options: ReadingOptions) -> list[Finding]:
    """Hidden rows and columns, and whether they are read."""
    found: list[Finding] = []
    rows = [r + 1 for r in facts.hidden_rows if r < sheet.rows]
    columns = [column_letter(c) for c in facts.hidden_columns if c < sheet.width]
    if not options.hidden:
        if rows:
            message = f"{many(len(rows), 'hidden row is', 'hidden rows are')} left out."
            found.append(note("hidden_left_out", rows_named(rows), message))
        if columns:
            message = f"{many(len(columns), 'hidden column is', 'hidden columns are')} left out."
            found.append(note("hidden_columns_left_out", f"columns {listed(columns)}", message))
    elif rows:
        reason = "a filter is active" if facts.filtered else "hidden by hand"
        found.append(
            ask(
                "hidden_rows",
                rows_named(rows),
                f"{many(len(rows), 'row of the sheet is', 'rows of the sheet are')} hidden ({reason}).",
                "If they should not count, leave them out.",
                "Hidden rows are read like all others.",
            )
        )
    elif facts.filtered:
        found.append(note("filter_active", "", "The sheet has a filter, which hides no row now."))
    if columns and options.hidden:
        found.append(
            ask(
                "hidden_columns",
                f"columns {listed(columns)}",
                f"{many(len(columns), 'column of the sheet is', 'columns of the sheet are')} hidden.",
                "If they should not count, leave them out, or name the rating columns.",
                "Hidden columns are read like all others.",
            )
        )
    return found


def _columns(sheet: RawSheet) -> tuple[Column, ...]:
    return tuple(Column(np.frombuffer(codes, dtype=np.int32).astype(np.int64), texts) for codes, texts in sheet.columns)


def _grid(sheet: RawSheet) -> Grid:
    """One sheet as a grid."""
    facts = sheet.facts
    marks: dict[str, tuple[tuple[int, int], ...]] = {Marks.DATE: tuple(sheet.dates)}
    if facts is not None:
        marks[Marks.ERROR] = tuple((r, c) for r, c, _ in facts.errors)
        marks[Marks.PERCENT] = tuple(sorted(facts.percents))
    return Grid(
        _columns(sheet),
        sheet.rows,
        marks=MappingProxyType(marks),
        hidden_rows=tuple(r for r in facts.hidden_rows if r < sheet.rows) if facts else (),
        hidden_columns=tuple(facts.hidden_columns) if facts else (),
        merged=tuple(facts.merged) if facts else (),
    )


def _stacked(sheets: Sequence[RawSheet]) -> Grid:
    """Sheets of one shape below one another, the first with its header, with a further column for the sheet."""
    width = max(s.width for s in sheets)
    pieces: list[list[str]] = [[] for _ in range(width + 1)]
    hidden: list[int] = []
    for number, sheet in enumerate(sheets):
        start = 1 if number else 0
        if sheet.facts is not None:
            above = len(pieces[width]) - start
            hidden += [above + r for r in sheet.facts.hidden_rows if start <= r < sheet.rows]
        for index, column in enumerate(_columns(sheet)):
            pieces[index] += [column.values[c] for c in column.codes[start:]]
        for index in range(sheet.width, width):
            pieces[index] += [""] * (sheet.rows - start)
        pieces[width] += ([STACKED] if not number else []) + [sheet.name] * (sheet.rows - 1)
    return Grid(
        tuple(column_of(p) for p in pieces),
        len(pieces[0]),
        hidden_rows=tuple(hidden),
        hidden_columns=tuple(chain.from_iterable(s.facts.hidden_columns for s in sheets if s.facts)),
    )
