"""Workbooks (XLSX, XLSB, XLS, ODS) to a grid of cells, opened in a process that may die without harm."""

import csv
import hashlib
import multiprocessing
import signal
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import MappingProxyType
from typing import Any

import numpy as np

from tapdesk.errors import TapdeskError, UsageError, Ways
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.processes import start_quietly
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding, ask, name_list, note, quoted_list, row_list
from tapdesk.ratings.formats.kinds import FileKind
from tapdesk.ratings.formats.sheets import RawSheet, ReadingProgress, SheetFacts
from tapdesk.ratings.formats.workbook_child import FirstRows, serve, too_large
from tapdesk.ratings.grid import (
    CellGrid,
    FileCells,
    Marks,
    Piece,
    TextColumn,
    column_letter,
    column_of,
    stack_tables,
    without_guards,
)
from tapdesk.ratings.layouts.roles import is_called, is_rater_column
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.own.filled_sheets import SheetCells, filled_sheets
from tapdesk.ratings.own.recall import RECORD_HEAD, RECORD_SHEET, SETTLED, recalled_options
from tapdesk.ratings.vocabulary import RATER_ANYWHERE, is_known_answer

STACKED = "Rater (sheet)"
_SEEN = 500  # rows that tell whether two columns hold the same answers
_TOP = 25  # a header further down is none
_MOST_BESIDE = 2_000_000  # cells of a sheet beside the one that is read


@dataclass
class _Sheet(RawSheet):
    """A sheet as it came from the other process."""

    @cached_property
    def cells(self) -> tuple[TextColumn, ...]:
        """The columns."""
        codes = (np.frombuffer(codes, dtype=np.int32).astype(np.int64) for codes, _texts in self.columns)
        return tuple(TextColumn(c, texts) for c, (_codes, texts) in zip(codes, self.columns, strict=True))

    @cached_property
    def top(self) -> int:
        """The row with the header, counted from 0: the first of the top that is about as full as rows are."""
        filled = np.zeros(self.rows, dtype=np.int64)
        for column in self.cells:
            filled += ~column.blank
        full = filled[filled > 0]
        enough = max(0.6 * float(np.median(full)), 2 if self.width > 1 else 1) if full.size else 1
        rows = np.flatnonzero(filled[:_TOP] >= enough)
        return int(rows[0]) if rows.size else 0

    @cached_property
    def head(self) -> tuple[str, ...]:
        """The texts of the header."""
        return tuple(column.text(self.top) for column in self.cells)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The names in the header as they are compared between sheets."""
        return tuple(h.strip().casefold() for h in self.head)

    @property
    def heads_told(self) -> str:
        """The header in a sentence."""
        return quoted_list([h for h in self.head if h.strip()], 8)

    @property
    def each_named(self) -> bool:
        """Whether every column with something in it has a name of its own."""
        named = [k for k in self.keys if k]
        columns = zip(self.keys, self.cells, strict=True)
        return len(set(named)) == len(named) and all(k or c.blank[self.top :].all() for k, c in columns)

    @cached_property
    def one_per_rater(self) -> bool:
        """Whether it has room for one rater only: a case, a rating, perhaps a remark, and no column of raters."""
        head = [h for h in self.head if h.strip()]
        if not 2 <= len(head) <= 3 or any(is_called(h, RATER_ANYWHERE) or is_rater_column(h) for h in head):
            return False
        # Two columns with the same answers are two raters, on sheets of months or wards.
        below = range(self.top + 1, min(self.rows, _SEEN))
        sentences = [
            {c.text(r).strip() for r in below} - {""} for c, h in zip(self.cells, self.head, strict=True) if h.strip()
        ]
        return len(sentences) < 3 or len(sentences[1] & sentences[2]) < 2

    @cached_property
    def is_key(self) -> bool:
        """Whether it is called like known answers: by its own name, or by the one column it has beside the cases."""
        head = [h for h in self.head if h.strip()]
        return is_known_answer(self.name, ()) or (len(head) <= 3 and any(is_known_answer(h, head) for h in head[1:]))

    def is_list_of(self, other: "_Sheet") -> bool:
        """Whether it has one text for each of the cases of a wider sheet, or for some of them."""
        if not self.width == 2 < other.width or not self.top + 2 < self.rows <= other.rows:
            return False
        own = self.cells[0].take(slice(self.top + 1, None)).used()
        texts = {v.strip() for v in own.values}
        there = ({v.strip() for v in c.values} for c in other.cells)
        return len(own.values) == own.codes.size and any(2 * len(texts & some) >= len(texts) for some in there)

    def is_alike(self, first: "_Sheet") -> bool:
        """Whether two sheets have the same columns: in one order, or each name once and nothing without a name."""
        if self.keys == first.keys:
            return True
        same = sorted(filter(None, self.keys)) == sorted(filter(None, first.keys))
        return same and self.each_named and first.each_named

    def is_unlike_rater(self, first: "_Sheet") -> bool:
        """Whether it may be one more rater's though it is not alike: some of its columns have other names."""
        shared = set(filter(None, self.keys)) & set(filter(None, first.keys))
        return bool(shared) and self.rows > 2 and self.one_per_rater == first.one_per_rater

    def places(self, first: "_Sheet") -> list[int | None]:
        """For each column of the first sheet where it stands on this one, which is alike, by its name."""
        if self.keys == first.keys:
            return list(range(first.width))
        return [self.keys.index(k) if k else None for k in first.keys]

    def piece(self) -> Piece:
        """The sheet as it was opened, for the account of what is read of it."""
        return Piece(self.name, self.head, tuple(c.take(slice(self.top + 1, None)) for c in self.cells))

    def remarks(self) -> dict[str, dict[tuple[int, int], str]]:
        """What it shows or says of its cells besides their texts."""
        facts = self.facts
        if facts is None:
            return {}
        return {
            Marks.STRUCK: dict.fromkeys(facts.struck, ""),
            Marks.UNSEEN: dict.fromkeys(facts.unseen, ""),
            Marks.ROUNDED: facts.rounded,
            Marks.COMMENT: facts.comments,
            Marks.REST: facts.rest,
        }


def _sizes(sheets: Sequence[_Sheet]) -> str:
    """Sheets with their sizes, in one line."""
    rows = (ngettext("{n:,} row", "{n:,} rows", s.rows).format(n=s.rows) for s in sheets)
    columns = (ngettext("{n:,} column", "{n:,} columns", s.width).format(n=s.width) for s in sheets)
    sizes = (f"{down}, {across}" for down, across in zip(rows, columns, strict=True))
    return name_list([f"'{s.name}' ({size})" for s, size in zip(sheets, sizes, strict=True)], 8)


def _stacking_finding(alike: Sequence[_Sheet], visible: Sequence[_Sheet]) -> Finding:
    """That sheets of one shape are read as one, and which others are not read."""
    others = [s for s in visible if s not in alike]
    if others:
        sentence = _(
            "{n} sheets have the same columns, as when each rater filled in one. The other sheets have other columns "
            "and are not read: {sizes}."
        ).format(n=len(alike), sizes=_sizes(others))
    else:
        sentence = _("The {n} sheets have the same columns, as when each rater filled in one.").format(n=len(alike))
    return ask(
        "sheets_stacked",
        f"sheets {quoted_list([s.name for s in alike])}",
        sentence,
        _("If they are something else, choose one sheet."),
        _("They are stacked, and the name of the sheet is the rater; rows are counted through all sheets."),
        (tuple(s.name for s in visible),),
    )


def stack_sheets(sheets: Sequence[_Sheet]) -> CellGrid:
    """Sheets of one shape below one another, the first with its header, with a further column for the sheet."""
    first = sheets[0]
    tables: list[list[TextColumn]] = []
    hidden: list[int] = []
    remarks: dict[str, dict[tuple[int, int], str]] = {}
    rows = 0
    for sheet in sheets:
        # Each sheet may have a title of its own above its header; that of the first stays what it is.
        start = sheet.top + 1 if tables else 0
        above, height, places = rows - start, sheet.rows - start, sheet.places(first)
        if sheet.facts is not None:
            hidden += [above + r for r in sheet.facts.hidden_rows if start <= r < sheet.rows]
        at = {place: index for index, place in enumerate(places) if place is not None}
        for mark, cells in sheet.remarks().items():
            here = {(above + r, at[c]): text for (r, c), text in cells.items() if r >= start and c in at}
            remarks.setdefault(mark, {}).update(here)
        titles = [] if tables else [*[""] * sheet.top, STACKED]
        columns = [
            column_of([""] * height) if p is None or p >= len(sheet.cells) else sheet.cells[p].take(slice(start, None))
            for p in places
        ]
        tables.append([*columns, column_of([*titles, *[sheet.name] * (sheet.rows - sheet.top - 1)])])
        rows += height
    return CellGrid(
        stack_tables(tables),
        rows,
        hidden_rows=tuple(hidden),
        hidden_columns=tuple(chain.from_iterable(s.facts.hidden_columns for s in sheets if s.facts)),
        remarks=MappingProxyType(remarks),
    )


def _numbers_typed_as_text(sheet: _Sheet) -> Iterator[Finding]:
    """What is told of each column where some numbers are text: a program that counts would pass them over."""
    for place in sheet.typed:
        yield note(
            "numbers_as_text",
            _("column {letter}").format(letter=column_letter(place)),
            _("Some numbers of this column are stored as text, the others as numbers."),
            default=_("They are read as the numbers they show."),
        )


_LAST_WORDS = 5.0


def _sheets_of(
    raw: bytes, name: str, kind: FileKind, wanted: str | None, seconds: float
) -> Generator[Step, None, list[_Sheet]]:
    """All sheets, from the process that opens the workbook; it is ended when it takes too long or the run is closed.

    The first rows of a large one come early, among the values of a step.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(theirs, raw, name, kind.value, wanted), daemon=True)
    start_quietly(process)
    try:
        theirs.close()
        return (yield from _received(process, ours, name, seconds))
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()


def _received(
    process: SpawnProcess, ours: Connection, name: str, seconds: float
) -> Generator[Step, None, list[_Sheet]]:
    """What the other process sends, until it says that this was all."""
    sheets: list[_Sheet] = []
    reached = ReadingProgress(0, 0)
    end = time.monotonic() + seconds
    while True:
        while not ours.poll(0.02):
            if time.monotonic() > end:
                raise TapdeskError(
                    _("Opening the workbook takes more than {seconds:.0f} seconds; it was stopped.").format(
                        seconds=seconds
                    ),
                    name,
                    _("Delete what is not needed, or save the sheet as CSV."),
                )
            yield Step(reached.done, reached.total, "read")
        try:
            message = ours.recv()
        except (EOFError, ConnectionError):
            process.join(_LAST_WORDS)
            raise _ended_early(process.exitcode, name) from None
        if message is None:
            return sheets
        if isinstance(message, BaseException):
            raise message
        if isinstance(message, tuple):
            raise TapdeskError(*message)
        if isinstance(message, FirstRows):
            yield Step(0, 0, "read", MappingProxyType({"first": message.rows}))
            continue
        if isinstance(message, ReadingProgress):
            reached = message
        else:
            sheets.append(_Sheet(**vars(message)))
        yield Step(reached.done, reached.total, "read")


def _ended_early(status: int | None, name: str) -> TapdeskError:
    """What is said of a process that is gone without an answer: aborted where memory is short, ended, not started."""
    if status is not None and -status == signal.SIGABRT:
        return too_large(name)
    return TapdeskError(
        _("The process that opens workbooks was ended before it had answered (exit code {status}).").format(
            status=status
        ),
        name,
        _("Try again; if that happens once more, memory may be short: close other programs, or save the sheet as CSV."),
    )


SECONDS = 120.0
_ALL = "*"


def workbook(
    raw: bytes, name: str, kind: FileKind, options: ReadingOptions, *, seconds: float = SECONDS
) -> Run[FileCells]:
    """The cells of one sheet of a workbook, or of several stacked.

    Raises
    ------
    TapdeskError
        When the workbook is damaged, too large, hostile, or holds formulas that were never calculated.
    UsageError
        When there is no sheet of the name the user gave.
    """
    sheets = yield from _sheets_of(raw, name, kind, options.sheet, seconds)
    recalled = _recalled(sheets)
    filled = filled_sheets([SheetCells(s.name, s.cells, s.rows) for s in sheets], name)
    if filled is not None:
        return FileCells(CellGrid((), 0), kind.value, hashlib.sha256(raw).hexdigest(), filled=filled)
    if recalled:
        sheets = [s for s in sheets if s.name != RECORD_SHEET]
    names = tuple(s.name for s in sheets)
    findings: list[Finding] = []
    chosen = _chosen(sheets, name, options, findings)
    for sheet in chosen:
        _refuse_uncalculated(sheet, name)
    if kind is not FileKind.XLSX:
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
    grid = _grid(chosen[0]) if len(chosen) == 1 else stack_sheets(chosen)
    if recalled:
        grid = replace(grid, columns=without_guards(grid.columns)[0])
    whole = all(s in chosen for s in sheets if s.rows)
    return FileCells(
        grid,
        kind.value,
        hashlib.sha256(raw).hexdigest(),
        sheet=chosen[0].name if len(chosen) == 1 else _ALL if whole else _option(chosen),
        sheets=names,
        guessed=("sheet",) if options.sheet is None and len(names) > 1 else (),
        findings=tuple(findings),
        pieces=tuple(s.piece() for s in chosen) if len(chosen) > 1 else (),
        beside=tuple(s.piece() for s in sheets if s not in chosen and s.rows * s.width <= _MOST_BESIDE),
        recalled=recalled,
        answered=SETTLED if recalled else frozenset(),
    )


def _recalled(sheets: Sequence[_Sheet]) -> Mapping[str, Any]:
    """The reading options on the sheet that says how a table of ours is read; empty where there is none."""
    for sheet in sheets:
        if sheet.name == RECORD_SHEET and sheet.width >= len(RECORD_HEAD) and sheet.rows > 1:
            columns = without_guards(sheet.cells)[0]
            rows = [tuple(c.text(row) for c in columns) for row in range(sheet.rows)]
            return recalled_options(rows[1:]) if rows[0][: len(RECORD_HEAD)] == RECORD_HEAD else {}
    return {}


def _option(sheets: Sequence[_Sheet]) -> str:
    """Some sheets, as the option names them."""
    return ",".join(f'"{s.name}"' if "," in s.name else s.name for s in sheets)


def _chosen(sheets: Sequence[_Sheet], name: str, options: ReadingOptions, findings: list[Finding]) -> list[_Sheet]:
    """The sheet the user named, else the only one, else sheets of one shape stacked, else the first."""
    filled = [s for s in sheets if s.rows]
    if not filled:
        raise TapdeskError(_("Every sheet of the workbook is empty."), name, _("Choose another file."))
    visible = [s for s in filled if not s.hidden] or filled
    tables = _without_keys(visible)
    # A sheet of one column or two rows holds a note or a title and no table of ratings.
    first = next((s for s in tables if s.width > 1 and s.rows > 2), tables[0])
    alike = [s for s in visible if s.is_alike(first)]
    if options.sheet is not None and options.sheet != _ALL:
        return _listed(sheets, filled, name, options.sheet)
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
    if options.sheet == _ALL or (len(alike) > 1 and first.one_per_rater):
        _refuse_unlike(first, alike, [s for s in tables if s not in alike], name)
        if options.sheet is None or len(alike) < len(visible):
            findings.append(_stacking_finding(alike, visible))
        return alike
    if len(visible) > 1:
        # Where the others hold a title or a note, there is nothing to choose from.
        others = [s for s in visible if s is not first and s.width > 1 and s.rows > 2]
        findings.append(
            (ask if others else note)(
                "several_sheets",
                f"sheet '{first.name}'",
                _("The workbook has {n} sheets with cells: {sizes}.").format(n=len(visible), sizes=_sizes(visible)),
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


def _without_keys(sheets: list[_Sheet]) -> list[_Sheet]:
    """The sheets without those of known answers, which are neither the ratings nor one rater of several."""
    rest = [s for s in sheets if not s.is_key or any(s.is_alike(other) for other in sheets if other is not s)]
    rest = [s for s in rest if not any(s.is_list_of(other) for other in rest)]
    return rest if any(s.width > 1 and s.rows > 2 for s in rest) else sheets


def _unlike(first: _Sheet, other: _Sheet, name: str, fix: str, ways: Ways) -> TapdeskError:
    """The refusal of sheets that do not have the same columns."""
    return TapdeskError(
        _("The sheets do not have the same columns: '{first}' has {heads}, '{other}' has {head}.").format(
            first=Label(first.name), heads=first.heads_told, other=Label(other.name), head=other.heads_told
        ),
        _("{name}, sheet {sheet}").format(name=Label(name), sheet=other.name),
        fix,
        ways=ways,
    )


def _refuse_unlike(first: _Sheet, alike: Sequence[_Sheet], others: Sequence[_Sheet], name: str) -> None:
    """A rater whose sheet has other names for its columns would be dropped, so it stops the reading."""
    other = next((s for s in others if s.is_unlike_rater(first)), None)
    if other is None:
        return
    sentence = _option(alike)
    fix = _("Give all raters' sheets the same header row, or name the sheets to be read (--sheet '{told}').")
    only = (_("Read {sheets} only").format(sheets=quoted_list([s.name for s in alike])), {"sheet": sentence})
    ways = [*([only] if len(alike) > 1 else []), *_ways([first, other])]
    raise _unlike(first, other, name, fix.format(told=sentence), ways)


def _listed(sheets: Sequence[_Sheet], filled: Sequence[_Sheet], name: str, wanted: str) -> list[_Sheet]:
    """The sheet the user named, or several in one list, which must have the same columns."""
    names = next(csv.reader([wanted], skipinitialspace=True), [])
    if len(names) < 2 or any(s.name == wanted for s in sheets):
        return [_named(sheets, filled, name, wanted)]
    chosen = [_named(sheets, filled, name, one.strip()) for one in dict.fromkeys(names)]
    unlike = next((s for s in chosen if not s.is_alike(chosen[0])), None)
    if unlike is not None:
        fix = _("Give these sheets the same header row, or choose others.")
        raise _unlike(chosen[0], unlike, name, fix, _ways(chosen))
    return chosen


def _named(sheets: Sequence[_Sheet], filled: Sequence[_Sheet], name: str, wanted: str) -> _Sheet:
    """The sheet the user named, which must hold something."""
    named, there = [s for s in sheets if s.name == wanted], _("The sheets are {sizes}.").format(sizes=_sizes(sheets))
    if not named:
        raise UsageError(
            _("There is no sheet '{wanted}'.").format(wanted=Label(wanted)), name, there, ways=_ways(filled)
        )
    if not named[0].rows:
        raise TapdeskError(
            _("The sheet '{wanted}' is empty.").format(wanted=Label(wanted)), name, there, ways=_ways(filled)
        )
    return named[0]


def _ways(sheets: Sequence[_Sheet]) -> Ways:
    return [(_("Read the sheet “{name}”").format(name=Label(s.name)), {"sheet": s.name}) for s in sheets[:8]]


def _refuse_uncalculated(sheet: _Sheet, name: str) -> None:
    """A formula without a result would be read as a blank cell, so it stops the reading."""
    if sheet.facts is None or not sheet.facts.formulas:
        return
    cells = [f"{column_letter(c)}{r + 1}" for r, c in sheet.facts.formulas]
    raise TapdeskError(
        _("The sheet '{name}' has formulas that were never calculated, in {cells}.").format(
            name=Label(sheet.name), cells=name_list(cells)
        ),
        _("{name}, sheet {sheet}, cell {cells}").format(name=Label(name), sheet=sheet.name, cells=cells[0]),
        _("Open the workbook in Excel or LibreOffice, save it once, and try again."),
    )


def _sheet_findings(sheet: _Sheet, options: ReadingOptions) -> list[Finding]:
    """Hidden rows and columns, an active filter, numbers stored as text, cells with errors."""
    facts, typed = sheet.facts, list(_numbers_typed_as_text(sheet))
    if facts is None:
        return typed
    items = [*_hidden_findings(sheet, facts, options), *typed]
    if facts.errors:
        cells = [f"{column_letter(c)}{r + 1} ({text})" for r, c, text in facts.errors]
        items.append(
            note(
                "error_cells",
                f"cells {name_list(cells)}",
                ngettext(
                    "{n:,} cell shows an error instead of a value.",
                    "{n:,} cells show an error instead of a value.",
                    len(cells),
                ).format(n=len(cells)),
                _("Correct the formulas in the sheet."),
                _("A cell with an error counts as no rating."),
            )
        )
    return items


def _hidden_findings(sheet: _Sheet, facts: SheetFacts, options: ReadingOptions) -> list[Finding]:
    """Hidden rows and columns, and whether they are read."""
    findings: list[Finding] = []
    rows = [r + 1 for r in facts.hidden_rows if r < sheet.rows]
    columns = [column_letter(c) for c in facts.hidden_columns if c < sheet.width]
    if not options.hidden:
        if rows:
            message = ngettext("{n:,} hidden row is left out.", "{n:,} hidden rows are left out.", len(rows)).format(
                n=len(rows)
            )
            findings.append(note("hidden_left_out", row_list(rows), message))
        if columns:
            message = ngettext(
                "{n:,} hidden column is left out.", "{n:,} hidden columns are left out.", len(columns)
            ).format(n=len(columns))
            findings.append(note("hidden_columns_left_out", f"columns {name_list(columns)}", message))
    elif rows:
        reason = "a filter is active" if facts.filtered else "hidden by hand"
        findings.append(
            ask(
                "hidden_rows",
                row_list(rows),
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
        findings.append(note("filter_active", "", _("The sheet has a filter, which hides no row now.")))
    if columns and options.hidden:
        findings.append(
            ask(
                "hidden_columns",
                f"column{'s' if len(columns) > 1 else ''} {name_list(columns)}",
                ngettext(
                    "{n:,} column of the sheet is hidden.", "{n:,} columns of the sheet are hidden.", len(columns)
                ).format(n=len(columns)),
                _("If they should not count, leave them out, or name the rating columns."),
                _("Hidden columns are read like all others."),
            )
        )
    return findings


def _grid(sheet: _Sheet) -> CellGrid:
    """One sheet as a grid."""
    facts = sheet.facts
    return CellGrid(
        sheet.cells,
        sheet.rows,
        hidden_rows=tuple(r for r in facts.hidden_rows if r < sheet.rows) if facts else (),
        hidden_columns=tuple(facts.hidden_columns) if facts else (),
        merged=tuple(facts.merged) if facts else (),
        remarks=MappingProxyType(sheet.remarks()),
    )
