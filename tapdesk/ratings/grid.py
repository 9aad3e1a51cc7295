"""The cells of a file as coded columns: each distinct text is kept once."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.ratings import IntArray


@dataclass(frozen=True, eq=False)
class Column:
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

    def take(self, rows: NDArray[Any]) -> "Column":
        """Only some rows, by index or by mask; the distinct texts stay."""
        return self._known(Column(self.codes[rows], self.values), None)

    def _known(self, other: "Column", kept: NDArray[np.bool_] | None) -> "Column":
        """Another column of these texts, or of those kept: which of them are blank is looked at once."""
        if "blank_code" in self.__dict__:
            other.__dict__["blank_code"] = self.blank_code if kept is None else self.blank_code[kept]
        return other

    @cached_property
    def blank_code(self) -> NDArray[np.bool_]:
        """Shape (values,): which distinct texts are blank."""
        return np.array([not v.strip() for v in self.values], dtype=bool)

    @property
    def blank(self) -> NDArray[np.bool_]:
        """Shape (rows,): which cells are blank."""
        if not self.blank_code.any():
            return np.zeros(self.codes.size, dtype=bool)
        return self.blank_code[self.codes]

    def used(self) -> "Column":
        """The same cells without distinct texts that no longer occur, in order of first appearance."""
        counts = np.bincount(self.codes, minlength=len(self.values))
        if (counts > 0).all():
            return self
        kept = counts > 0
        renumber = np.cumsum(kept) - 1
        return self._known(Column(renumber[self.codes], tuple(compress(self.values, kept.tolist()))), kept)

    def counts(self) -> IntArray:
        """Shape (values,): how often each distinct text occurs."""
        return np.bincount(self.codes, minlength=len(self.values))

    def text(self, row: int) -> str:
        """The text of one cell."""
        return self.values[int(self.codes[row])]


def column_of(texts: Iterable[str]) -> Column:
    """A column from its cells."""
    seen: dict[str, int] = {}
    codes = np.fromiter((seen.setdefault(t, len(seen)) for t in texts), dtype=np.int64)
    return Column(codes, tuple(seen))


class Marks:
    """Names of what a workbook knows about a cell besides its text."""

    DATE = "date"
    ERROR = "error"
    PERCENT = "percent"
    STRUCK = "struck"
    UNSEEN = "unseen"
    ROUNDED = "rounded"
    COMMENT = "comment"
    REST = "rest"


@dataclass(frozen=True, eq=False)
class Grid:
    """A rectangle of cells as it stands in the file.

    Attributes
    ----------
    columns
        The columns from left to right.
    rows
        Number of rows.
    fields
        Shape (rows,): number of cells the file has in each row, or None when it is always the same.
    marks
        By name of mark the cells that carry it, as pairs of row and column counted from 0.
    hidden_rows, hidden_columns
        Counted from 0.
    merged
        Merged blocks: first row, first column, last row, last column, counted from 0.
    remarks
        By name of mark what a workbook shows or says of a cell besides its text, by row and column counted from 0.
    """

    columns: tuple[Column, ...]
    rows: int
    fields: IntArray | None = None
    marks: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=lambda: MappingProxyType({}))
    hidden_rows: tuple[int, ...] = ()
    hidden_columns: tuple[int, ...] = ()
    merged: tuple[tuple[int, int, int, int], ...] = ()
    remarks: Mapping[str, Mapping[tuple[int, int], str]] = field(default_factory=lambda: MappingProxyType({}))

    def row(self, index: int) -> tuple[str, ...]:
        """The texts of one row."""
        return tuple(c.text(index) for c in self.columns)


def grid_of(rows: Sequence[Sequence[str]]) -> Grid:
    """A grid from rows of texts; short rows are filled with blanks and remembered as short."""
    width = max((len(r) for r in rows), default=0)
    columns = tuple(column_of(r[i] if i < len(r) else "" for r in rows) for i in range(width))
    return Grid(columns, len(rows), np.array([len(r) for r in rows], dtype=np.int64))


def column_letter(index: int) -> str:
    """The letter a spreadsheet gives to a column counted from 0: A, B … Z, AA."""
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def trimmed(column: Column) -> Column:
    """A column without outer blanks in its texts, unless that would merge two of them."""
    values = [v.strip() for v in column.values]
    if values == list(column.values) or len(set(values)) < len(values):
        return column
    return Column(column.codes, tuple(values))
