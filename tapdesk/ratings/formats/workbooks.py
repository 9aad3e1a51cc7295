"""Workbooks (XLSX, XLSB, XLS, ODS) to a grid of cells, opened in a process that may die without harm."""

import csv
import hashlib
from collections.abc import Sequence
from types import MappingProxyType

from tapdesk.errors import TapdeskError, UsageError, Ways
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.findings import Finding, ask, listed, note, quoted, rows_named
from tapdesk.ratings.formats.kinds import Kind
from tapdesk.ratings.formats.loaded import Loaded
from tapdesk.ratings.formats.sheet_cells import RawSheet
from tapdesk.ratings.formats.sheet_scan import SheetFacts
from tapdesk.ratings.formats.stacking import (
    columns_of,
    head_of,
    is_alike,
    is_unlike_rater,
    one_per_rater,
    piece_of,
    remarks_of,
    sizes_of,
    stacked,
    stacking,
)
from tapdesk.ratings.formats.typed_numbers import numbers_typed_as_text
from tapdesk.ratings.formats.workbook_sheets import sheets_of
from tapdesk.ratings.grid import Grid, Marks, column_letter
from tapdesk.ratings.options import ReadingOptions

SECONDS = 120.0
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
    grid = _grid(chosen[0]) if len(chosen) == 1 else stacked(chosen)
    return Loaded(
        grid,
        kind.value,
        hashlib.sha256(raw).hexdigest(),
        sheet=_told(chosen, sheets),
        sheets=names,
        guessed=("sheet",) if options.sheet is None and len(names) > 1 else (),
        findings=tuple(findings),
        pieces=tuple(piece_of(s) for s in chosen) if len(chosen) > 1 else (),
    )


def _told(chosen: Sequence[RawSheet], sheets: Sequence[RawSheet]) -> str:
    """The sheets that are read, as the option names them."""
    if len(chosen) == 1:
        return chosen[0].name
    if all(s in chosen for s in sheets if s.rows):
        return _ALL
    return ",".join(f'"{s.name}"' if "," in s.name else s.name for s in chosen)


def _chosen(sheets: Sequence[RawSheet], name: str, options: ReadingOptions, findings: list[Finding]) -> list[RawSheet]:
    """The sheet the user named, else the only one, else sheets of one shape stacked, else the first."""
    filled = [s for s in sheets if s.rows]
    if not filled:
        raise TapdeskError(_("Every sheet of the workbook is empty."), name, _("Choose another file."))
    visible = [s for s in filled if not s.hidden] or filled
    # A sheet of one column or two rows holds a note or a title and no table of ratings.
    first = next((s for s in visible if s.width > 1 and s.rows > 2), visible[0])
    alike = [s for s in visible if is_alike(s, first)]
    if options.sheet is not None and options.sheet != _ALL:
        return _listed(sheets, filled, name, options.sheet)
    hidden = [s for s in filled if s.hidden]
    if hidden and visible != hidden:
        findings.append(
            ask(
                "hidden_sheets",
                "",
                _("The workbook has hidden sheets: {sizes}.").format(sizes=sizes_of(hidden)),
                _("If the ratings stand there, choose that sheet."),
                _("Hidden sheets are not read."),
                (tuple(s.name for s in hidden),),
            )
        )
    if options.sheet == _ALL or (len(alike) > 1 and one_per_rater(first)):
        _refuse_unlike(first, alike, [s for s in visible if s not in alike], name)
        if options.sheet is None or len(alike) < len(visible):
            findings.append(stacking(alike, visible))
        return alike
    if len(visible) > 1:
        findings.append(
            ask(
                "several_sheets",
                f"sheet '{first.name}'",
                _("The workbook has {n} sheets with cells: {sizes}.").format(n=len(visible), sizes=sizes_of(visible)),
                _("If the ratings stand in another sheet, choose it."),
                (
                    _("The first, '{name}', is read.")
                    if first is visible[0]
                    else _("The first with a table, '{name}', is read.")
                ).format(name=Label(first.name)),
                (tuple(s.name for s in visible if s is not first),),
            )
        )
    return [first]


def _refuse_unlike(first: RawSheet, alike: Sequence[RawSheet], others: Sequence[RawSheet], name: str) -> None:
    """A rater whose sheet has other names for its columns would be dropped, so it stops the reading."""
    other = next((s for s in others if is_unlike_rater(s, first)), None)
    if other is None:
        return
    told = ",".join(f'"{s.name}"' if "," in s.name else s.name for s in alike)
    raise TapdeskError(
        _("The sheets do not have the same columns: '{first}' has {heads}, '{other}' has {head}.").format(
            first=Label(first.name),
            heads=quoted([h for h in head_of(first) if h.strip()], 8),
            other=Label(other.name),
            head=quoted([h for h in head_of(other) if h.strip()], 8),
        ),
        _("{name}, sheet {sheet}").format(name=Label(name), sheet=other.name),
        _("Give all raters' sheets the same header row, or name the sheets to be read (--sheet '{told}').").format(
            told=told
        ),
        ways=[
            *(
                [(_("Read {sheets} only").format(sheets=quoted([s.name for s in alike])), {"sheet": told})]
                if len(alike) > 1
                else []
            ),
            *_ways([first, other]),
        ],
    )


def _listed(sheets: Sequence[RawSheet], filled: Sequence[RawSheet], name: str, wanted: str) -> list[RawSheet]:
    """The sheet the user named, or several in one list, which must have the same columns."""
    names = next(csv.reader([wanted], skipinitialspace=True), [])
    if len(names) < 2 or any(s.name == wanted for s in sheets):
        return [_named(sheets, filled, name, wanted)]
    chosen = [_named(sheets, filled, name, one.strip()) for one in dict.fromkeys(names)]
    unlike = next((s for s in chosen if not is_alike(s, chosen[0])), None)
    if unlike is not None:
        raise TapdeskError(
            _("The sheets do not have the same columns: '{first}' has {heads}, '{other}' has {head}.").format(
                first=Label(chosen[0].name),
                heads=quoted([h for h in head_of(chosen[0]) if h.strip()], 8),
                other=Label(unlike.name),
                head=quoted([h for h in head_of(unlike) if h.strip()], 8),
            ),
            _("{name}, sheet {sheet}").format(name=Label(name), sheet=unlike.name),
            _("Give these sheets the same header row, or choose others."),
            ways=_ways(chosen),
        )
    return chosen


def _named(sheets: Sequence[RawSheet], filled: Sequence[RawSheet], name: str, wanted: str) -> RawSheet:
    """The sheet the user named, which must hold something."""
    named, there = [s for s in sheets if s.name == wanted], _("The sheets are {sizes}.").format(sizes=sizes_of(sheets))
    if not named:
        raise UsageError(
            _("There is no sheet '{wanted}'.").format(wanted=Label(wanted)), name, there, ways=_ways(filled)
        )
    if not named[0].rows:
        raise TapdeskError(
            _("The sheet '{wanted}' is empty.").format(wanted=Label(wanted)), name, there, ways=_ways(filled)
        )
    return named[0]


def _ways(sheets: Sequence[RawSheet]) -> Ways:
    return [(_("Read the sheet “{name}”").format(name=Label(s.name)), {"sheet": s.name}) for s in sheets[:8]]


def _refuse_uncalculated(sheet: RawSheet, name: str) -> None:
    """A formula without a result would be read as a blank cell, so it stops the reading."""
    if sheet.facts is None or not sheet.facts.formulas:
        return
    cells = [f"{column_letter(c)}{r + 1}" for r, c in sheet.facts.formulas]
    raise TapdeskError(
        _("The sheet '{name}' has formulas that were never calculated, in {cells}.").format(
            name=Label(sheet.name), cells=listed(cells)
        ),
        _("{name}, sheet {sheet}, cell {cells}").format(name=Label(name), sheet=sheet.name, cells=cells[0]),
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
                _("Correct the formulas in the sheet."),
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


def _grid(sheet: RawSheet) -> Grid:
    """One sheet as a grid."""
    facts = sheet.facts
    marks: dict[str, tuple[tuple[int, int], ...]] = {Marks.DATE: tuple(sheet.dates)}
    if facts is not None:
        marks[Marks.ERROR] = tuple((r, c) for r, c, _rest in facts.errors)
        marks[Marks.PERCENT] = tuple(sorted(facts.percents))
    return Grid(
        columns_of(sheet),
        sheet.rows,
        marks=MappingProxyType(marks),
        hidden_rows=tuple(r for r in facts.hidden_rows if r < sheet.rows) if facts else (),
        hidden_columns=tuple(facts.hidden_columns) if facts else (),
        merged=tuple(facts.merged) if facts else (),
        remarks=MappingProxyType(remarks_of(sheet)),
    )
