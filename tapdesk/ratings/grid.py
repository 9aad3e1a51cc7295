"""The cells of a file as a grid, how they were got, and how they leave as text that is never taken for formulas."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.ratings import IntArray


@dataclass(frozen=True, eq=False)
class TextColumn:
    """One column of cells.

    Attributes
    ----------
    codes
        Shape (rows,): index into ``values``.
    values
        The distinct texts, in order of first appearance.
    """

    codes: IntArray
    values: tuple[str, ...]

    def take(self, rows: NDArray[Any] | slice) -> "TextColumn":
        """Only some rows, by index, mask or slice; the distinct texts stay."""
        return self._known(TextColumn(self.codes[rows], self.values), None)

    def filled(self, text: str | None) -> "TextColumn":
        """The same cells, those that are blank with a text in them; the column itself where there is none."""
        if not text or not self.blank_code.any():
            return self
        # Blank cells come to stand with those that held the text before: it is one text and not two alike.
        texts = (text if b else v for v, b in zip(self.values, self.blank_code, strict=True))
        index: dict[str, int] = {}
        number = np.array([index.setdefault(t, len(index)) for t in texts], dtype=np.int64)
        return TextColumn(number[self.codes], tuple(index))

    def _known(self, other: "TextColumn", kept: NDArray[np.bool_] | IntArray | None) -> "TextColumn":
        """Another column of these texts, or of those kept: which of them are blank is looked at once."""
        if "blank_code" in self.__dict__:
            other.__dict__["blank_code"] = self.blank_code if kept is None else self.blank_code[kept]
        return other

    @cached_property
    def blank_code(self) -> NDArray[np.bool_]:
        """Shape (values,): which distinct texts are blank."""
        blank = np.fromiter(map(str.isspace, self.values), bool, len(self.values))
        if "" in self.values:
            blank[self.values.index("")] = True
        return blank

    @property
    def blank(self) -> NDArray[np.bool_]:
        """Shape (rows,): which cells are blank."""
        if not self.blank_code.any():
            return np.zeros(self.codes.size, dtype=bool)
        return self.blank_code[self.codes]

    def used(self) -> "TextColumn":
        """The same cells without distinct texts that no longer occur, in order of first appearance."""
        counts = np.bincount(self.codes, minlength=len(self.values))
        if (counts > 0).all():
            return self
        kept = counts > 0
        renumber = np.cumsum(kept) - 1
        return self._known(TextColumn(renumber[self.codes], tuple(compress(self.values, kept.tolist()))), kept)

    def as_met(self) -> "TextColumn":
        """The same cells, the distinct texts, all of which occur, in the order in which they are met from the top."""
        first = np.zeros(len(self.values), dtype=np.int64)
        first[self.codes[::-1]] = np.arange(self.codes.size - 1, -1, -1)
        if not (first[1:] < first[:-1]).any():
            return self
        order = np.argsort(first)
        rank = np.empty_like(order)
        rank[order] = np.arange(order.size)
        return self._known(TextColumn(rank[self.codes], tuple(self.values[i] for i in order)), order)

    def counts(self) -> IntArray:
        """Shape (values,): how often each distinct text occurs."""
        return np.bincount(self.codes, minlength=len(self.values))

    def text(self, row: int) -> str:
        """The text of one cell."""
        return self.values[int(self.codes[row])]


def column_of(texts: Iterable[str]) -> TextColumn:
    """A column from its cells."""
    seen: dict[str, int] = {}
    codes = np.fromiter((seen.setdefault(t, len(seen)) for t in texts), dtype=np.int64)
    return TextColumn(codes, tuple(seen))


def stack_tables(tables: Sequence[Sequence[TextColumn]]) -> tuple[TextColumn, ...]:
    """Tables of one width below one another, column by column."""
    return tuple(map(_below_one_another, zip(*tables, strict=True)))


def _below_one_another(columns: Sequence[TextColumn]) -> TextColumn:
    index: dict[str, int] = {}
    numbers = [np.array([index.setdefault(v, len(index)) for v in c.values], dtype=np.int64) for c in columns]
    codes = np.concatenate([number[c.codes] for number, c in zip(numbers, columns, strict=True)])
    used, first = np.unique(codes, return_index=True)
    order, texts = used[np.argsort(first)], tuple(index)
    rank = np.zeros(len(index), dtype=np.int64)
    rank[order] = np.arange(order.size)
    return TextColumn(rank[codes], tuple(texts[i] for i in order))


class Marks:
    """Names of what a workbook knows about a cell besides its text."""

    STRUCK = "struck"
    UNSEEN = "unseen"
    ROUNDED = "rounded"
    COMMENT = "comment"
    REST = "rest"


@dataclass(frozen=True, eq=False)
class CellGrid:
    """A rectangle of cells as it stands in the file.

    Attributes
    ----------
    columns
        The columns from left to right.
    rows
        Number of rows.
    fields
        Shape (rows,): number of cells the file has in each row, or None when it is always the same.
    hidden_rows, hidden_columns
        Counted from 0.
    merged
        Merged blocks: first row, first column, last row, last column, counted from 0.
    remarks
        By name of mark what a workbook shows or says of a cell besides its text, by row and column counted from 0.
    header_rows
        How many rows the header has, where the program that wrote the file is known; 0 where it is not.
    """

    columns: tuple[TextColumn, ...]
    rows: int
    fields: IntArray | None = None
    hidden_rows: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()
    merged: tuple[tuple[int, int, int, int], ...] = ()
    remarks: Mapping[str, Mapping[tuple[int, int], str]] = field(default_factory=lambda: MappingProxyType({}))
    header_rows: int = 0

    def row(self, index: int) -> tuple[str, ...]:
        """The texts of one row."""
        return tuple(c.text(index) for c in self.columns)


def grid_of(rows: Sequence[Sequence[str]]) -> CellGrid:
    """A grid from rows of texts; short rows are filled with blanks and remembered as short."""
    width = max((len(r) for r in rows), default=0)
    columns = tuple(column_of(r[i] if i < len(r) else "" for r in rows) for i in range(width))
    return CellGrid(columns, len(rows), np.array([len(r) for r in rows], dtype=np.int64))


def column_letter(index: int) -> str:
    """The letter a spreadsheet gives to a column counted from 0: A, B … Z, AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def trim(column: TextColumn) -> TextColumn:
    """A column without outer blanks in its texts, unless that would merge two of them."""
    values = [v.strip() for v in column.values]
    if values == list(column.values) or len(set(values)) < len(values):
        return column
    return TextColumn(column.codes, tuple(values))


@dataclass(frozen=True, eq=False)
class Piece:
    """One of several sheets or files that are read as one, as it was opened.

    Attributes
    ----------
    name
        What its rows are called in the column for the sheet or file.
    heads
        The names in its header.
    columns
        The cells below its header.
    """

    name: str
    heads: tuple[str, ...]
    columns: tuple[TextColumn, ...]

    def column(self, head: str) -> TextColumn | None:
        """The cells below one name of the header; None where it is not there exactly once."""
        plain = [h.strip().casefold() for h in self.heads]
        wanted = head.strip().casefold()
        return self.columns[plain.index(wanted)] if wanted and plain.count(wanted) == 1 else None


@dataclass(frozen=True)
class Codes:
    """What a file of a statistics program knows of the answers in a column.

    Attributes
    ----------
    code
        By text the number behind it.
    measure
        Whether their order means something: ``nominal``, ``ordinal``, ``scale``, or ``unknown``.
    """

    code: Mapping[str, float]
    measure: str


@dataclass(frozen=True, eq=False)
class FileCells:
    """The cells of a file and how they were got.

    Attributes
    ----------
    grid
        The cells.
    form
        ``csv``, ``xlsx``, ``ods`` …
    sha256
        Of the bytes of the file.
    sheet, sheets
        The sheet read and all sheets, for workbooks.
    encoding, delimiter
        For text.
    guessed
        Names of the options that were guessed.
    words
        Sentences about how the file was opened.
    findings
        What was noticed.
    labels
        By label the value behind it, where a file knows both.
    codes
        By column the codes behind its texts, where a file knows them.
    pieces
        The sheets or files the grid was stacked from.
    recalled
        Reading options by the names of their fields, where the file says itself how it is read.
    answered
        Codes of findings that the file answers itself.
    filled
        Rating sheets of ours that were filled in, before they are put together; else None.
    paths
        The files the cells were put together from, where these are others than were named.
    beside
        The other sheets with a table, as they were opened.
    made
        How many columns of the grid were made from others, so that the file does not have them.
    """

    grid: CellGrid
    form: str
    sha256: str
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    guessed: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    codes: Mapping[str, "Codes"] = field(default_factory=lambda: MappingProxyType({}))
    pieces: tuple[Piece, ...] = ()
    recalled: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    answered: frozenset[str] = frozenset()
    filled: object | None = None
    paths: tuple[Path, ...] = ()
    beside: tuple[Piece, ...] = ()
    made: int = 0


GUARD_NOTE = _("An apostrophe stands before what a spreadsheet could take for a formula; it is not part of the text.")
"""What is said once, where texts were changed so."""
_SIGNS = "=+\\-@＝＋－＠"
# Behind blanks a formula is one too; apostrophes are counted, so that those of the text come back.
_RISKY = re.compile(rf"[\s']*[{_SIGNS}]|'*[\t\r\n]")
_PREFIXED = re.compile(rf"'(?:[\s']*[{_SIGNS}]|'*[\t\r\n])")
# Many spreadsheets part cells at semicolons or tabulators whatever the file says, and do not know our quotes then.
_INSIDE = re.compile(rf"([;\t\r\n])(?=[\s'\"]*[{_SIGNS}])")
_INSIDE_GUARDED = re.compile(rf"([;\t\r\n])'(?=[\s'\"]*[{_SIGNS}])")
_PART = re.compile(r"[^;\t\r\n]*")
_QUOTE = '"'
_QUOTED = re.compile(r'[,"\r\n]')
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class CsvText:
    """A table as text.

    Attributes
    ----------
    text
        The table, lines ending in a line feed.
    prefixed
        Whether some text stands behind an apostrophe.
    """

    text: str
    prefixed: bool


def guard(text: str) -> str:
    """A text as a spreadsheet takes it for a text: behind an apostrophe where it could be a formula; numbers stay.

    So is each part of it that stands behind a semicolon, a tabulator or a line's end.
    """
    text = _INSIDE.sub(_guard_part, text)
    return f"'{text}" if _RISKY.match(text) and not _NUMBER.fullmatch(text) else text


def _guard_part(sign: re.Match[str]) -> str:
    """What parts cells, with an apostrophe behind it unless a number follows."""
    part = _PART.match(sign.string, sign.end())
    return sign[0] if part is not None and _NUMBER.fullmatch(part[0].strip()) else f"{sign[0]}'"


def unguard(text: str) -> str:
    """The text without the apostrophes that `guard` sets; any other as it is."""
    if "'" not in text:
        return text
    return _INSIDE_GUARDED.sub(r"\1", text[1:] if _PREFIXED.match(text) else text)


def csv_text(names: Sequence[str], rows: Iterable[Sequence[object]]) -> CsvText:
    """A table as CSV.

    Parameters
    ----------
    names
        Of the columns.
    rows
        Cells; None is an empty one, texts are guarded, all others stand as they are.
    """
    prefixed = False

    def cell(value: object) -> str:
        nonlocal prefixed
        if not isinstance(value, str):
            return "" if value is None else str(value)
        safe = guard(value)
        prefixed |= safe != value
        # A carriage return as well ends a row where it is not quoted.
        return f'"{safe.replace(_QUOTE, _QUOTE * 2)}"' if _QUOTED.search(safe) else safe

    # A row of one empty cell is no blank line.
    lines = [",".join(map(cell, row)) or '""' * len(row) for row in (names, *rows)]
    return CsvText("".join(f"{line}\n" for line in lines), prefixed)


def without_guards(columns: Sequence[TextColumn]) -> tuple[tuple[TextColumn, ...], int]:
    """Columns of a file as they were before they were guarded, and how many cells that changes."""
    made, changed = [], 0
    for column in columns:
        places = [i for i, value in enumerate(column.values) if "'" in value and unguard(value) != value]
        if not places:
            made.append(column)
            continue
        changed += int(column.counts()[places].sum())
        merged = column_of(unguard(value) for value in column.values)
        made.append(TextColumn(merged.codes[column.codes], merged.values))
    return tuple(made), changed
