"""Workbooks (XLSX, XLSB, XLS, ODS) to a grid of cells, opened in a process that may die without harm."""

import hashlib
from collections.abc import Sequence
from itertools import chain
from types import MappingProxyType

import numpy as np

from tapdesk.errors import TapdeskError, UsageError, Ways
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.progress import Run
from tapdesk.ratings.findings import Finding, ask, listed, note, quoted, rows_named
from tapdesk.ratings.formats.kinds import Kind
from tapdesk.ratings.formats.loaded import Loaded
from tapdesk.ratings.formats.sheet_cells import RawSheet
from tapdesk.ratings.formats.sheet_scan import SheetFacts
from tapdesk.ratings.formats.typed_numbers import numbers_typed_as_text
from tapdesk.ratings.formats.workbook_sheets import sheets_of
from tapdesk.ratings.grid import Column, Grid, Marks, column_letter, column_of
from tapdesk.ratings.layouts.header_words import RATER_ANYWHERE
from tapdesk.ratings.layouts.roles import is_called, is_rater_column
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
                _("In a .{kind} file hidden rows, formulas without a result and formats cannot be seen.").format(
                    kind=kind.value
                ),
                _("Save it as .xlsx to have them checked."),
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
        raise TapdeskError(_("Every sheet of the workbook is empty."), name, _("Choose another file."))
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
                _("The workbook has hidden sheets: {sizes}.").format(sizes=_sizes(hidden)),
                _("If the ratings stand there, choose that sheet."),
                _("Hidden sheets are not read."),
                (tuple(s.name for s in hidden),),
            )
        )
    if len(alike) > 1 and _one_per_rater(first):
        findings.append(_stacking(alike, visible))
        return alike
    if len(visible) > 1:
        findings.append(
            ask(
                "several_sheets",
                f"sheet '{first.name}'",
                _("The workbook has {n} sheets with cells: {sizes}.").format(n=len(visible), sizes=_sizes(visible)),
                _("If the ratings stand in another sheet, choose it."),
                (
                    _("The first, '{name}', is read.")
                    if first is visible[0]
                    else _("The first with a table, '{name}', is read.")
                ).format(name=first.name),
                (tuple(s.name for s in visible if s is not first),),
            )
        )
    return [first]


def _stacking(alike: Sequence[RawSheet], visible: Sequence[RawSheet]) -> Finding:
    """That sheets of one shape are read as one, and which others are not read."""
    others = [s for s in visible if s not in alike]
    if others:
        said = _(
            "{n} sheets have the same columns, as when each rater filled in one. The other sheets have other columns "
            "and are not read: {sizes}."
        ).format(n=len(alike), sizes=_sizes(others))
    else:
        said = _("The {n} sheets have the same columns, as when each rater filled in one.").format(n=len(alike))
    return ask(
        "sheets_stacked",
        f"sheets {quoted([s.name for s in alike])}",
        said,
        _("If they are something else, choose one sheet."),
        _("They are stacked, and the name of the sheet is the rater; rows are counted through all sheets."),
        (tuple(s.name for s in visible),),
    )


def _named(sheets: Sequence[RawSheet], filled: Sequence[RawSheet], name: str, wanted: str) -> RawSheet:
    """The sheet the user named, which must hold something."""
    named, there = [s for s in sheets if s.name == wanted], _("The sheets are {sizes}.").format(sizes=_sizes(sheets))
    if not named:
        raise UsageError(_("There is no sheet '{wanted}'.").format(wanted=wanted), name, there, ways=_ways(filled))
    if not named[0].rows:
        raise TapdeskError(_("The sheet '{wanted}' is empty.").format(wanted=wanted), name, there, ways=_ways(filled))
    return named[0]


def _ways(sheets: Sequence[RawSheet]) -> Ways:
    return [(_("Read the sheet “{name}”").format(name=s.name), {"sheet": s.name}) for s in sheets[:8]]


def _sizes(sheets: Sequence[RawSheet]) -> str:
    rows = (ngettext("{n:,} row", "{n:,} rows", s.rows).format(n=s.rows) for s in sheets)
    columns = (ngettext("{n:,} column", "{n:,} columns", s.width).format(n=s.width) for s in sheets)
    sizes = (f"{down}, {across}" for down, across in zip(rows, columns, strict=True))
    return listed([f"'{s.name}' ({size})" for s, size in zip(sheets, sizes, strict=True)], 8)


def _head(sheet: RawSheet) -> tuple[str, ...]:
    """The texts of the first row."""
    return tuple(texts[int(np.frombuffer(codes, dtype=np.int32, count=1)[0])] for codes, texts in sheet.columns)


def _one_per_rater(sheet: RawSheet) -> bool:
    """Whether a sheet has room for one rater only: a case, a rating, perhaps a remark, and no column of raters."""
    head = [h for h in _head(sheet) if h.strip()]
    return 2 <= len(head) <= 3 and not any(is_called(h, RATER_ANYWHERE) or is_rater_column(h) for h in head)


def _refuse_uncalculated(sheet: RawSheet, name: str) -> None:
    """A formula without a result would be read as a blank cell, so it stops the reading."""
    if sheet.facts is None or not sheet.facts.formulas:
        return
    cells = [f"{column_letter(c)}{r + 1}" for r, c in sheet.facts.formulas]
    raise TapdeskError(
        _("The sheet '{name}' has formulas that were never calculated, in {cells}.").format(
            name=sheet.name, cells=listed(cells)
        ),
        _("{name}, sheet {sheet}, cell {cells}").format(name=name, sheet=sheet.name, cells=cells[0]),
        _("Open the workbook in Excel or LibreOffice, save it once, and try again."),
    )


def _sheet_findings(sheet: RawSheet, options: ReadingOptions) -> list[Finding]:
    """Hidden rows and columns, an active filter, numbers stored as text, cells with errors."""
    facts, typed = sheet.facts, list(numbers_typed_as_text(sheet))
    if facts is None:
        return typed
    found = [*_hidden_findings(sheet, facts, options), *typed]
    if facts.errors:
        cells = [f"{column_letter(c)}{r + 1} ({text})" for r, c, text in facts.errors]
        found.append(
            note(
                "error_cells",
                f"cells {listed(cells)}",
                ngettext(
                    "{n:,} cell shows an error instead of a value.",
                    "{n:,} cells show an error instead of a value.",
                    len(cells),
                ).format(n=len(cells)),
                _("Mend the formulas in the sheet."),
                _("A cell with an error counts as no rating."),
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
            message = ngettext("{n:,} hidden row is left out.", "{n:,} hidden rows are left out.", len(rows)).format(
                n=len(rows)
            )
            found.append(note("hidden_left_out", rows_named(rows), message))
        if columns:
            message = ngettext(
                "{n:,} hidden column is left out.", "{n:,} hidden columns are left out.", len(columns)
            ).format(n=len(columns))
            found.append(note("hidden_columns_left_out", f"columns {listed(columns)}", message))
    elif rows:
        reason = "a filter is active" if facts.filtered else "hidden by hand"
        found.append(
            ask(
                "hidden_rows",
                rows_named(rows),
                ngettext(
                    "{n:,} row of the sheet is hidden ({reason}).",
                    "{n:,} rows of the sheet are hidden ({reason}).",
                    len(rows),
                ).format(n=len(rows), reason=reason),
                _("If they should not count, leave them out."),
                _("Hidden rows are read like all others."),
            )
        )
    elif facts.filtered:
        found.append(note("filter_active", "", _("The sheet has a filter, which hides no row now.")))
    if columns and options.hidden:
        found.append(
            ask(
                "hidden_columns",
                f"column{'s' if len(columns) > 1 else ''} {listed(columns)}",
                ngettext(
                    "{n:,} column of the sheet is hidden.", "{n:,} columns of the sheet are hidden.", len(columns)
                ).format(n=len(columns)),
                _("If they should not count, leave them out, or name the rating columns."),
                _("Hidden columns are read like all others."),
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
        marks[Marks.ERROR] = tuple((r, c) for r, c, _rest in facts.errors)
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
    pieces: list[list[str]] = [[] for _rest in range(width + 1)]
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
