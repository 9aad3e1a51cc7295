"""What a recogniser sees of a file, and what it says of it: the program it is from, and what follows from that."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.findings import Finding
from tapdesk.ratings.grid import CellGrid, TextColumn, column_of
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.table import RatingTable

SAMPLE = 2_000
"""Rows that are looked at before a file is taken for an export."""
STACKED = "File"
"""The column that names the file of each row where several are read as one."""
_COMMON = 0.5  # share of the texts of a column that another shares when both are answers of one kind
_MOST = 30  # more different texts than this are no answers to a closed question
_STAMP = re.compile(
    r"\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}[ ,T]+\d{1,2}[:.]\d{2}([:.]\d{2}(\.\d+)?)?(\s?[ap]\.?\s?m\.?)?"
    r"(\s?(GMT|UTC|MEZ|MESZ|CET|CEST)?\s?([+\-−Z]\d{0,2}(:?\d{2})?)?)?|\d{5}\.\d+",
    re.IGNORECASE,
)


@dataclass(frozen=True, eq=False)
class Head:
    """The first row of a grid and a sample of the rows below it.

    Attributes
    ----------
    grid
        The cells of the file.
    """

    grid: CellGrid

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The texts of the first row, without blanks around them."""
        return tuple(t.strip() for t in self.grid.row(0)) if self.grid.rows else ()

    @cached_property
    def _places(self) -> Mapping[str, int]:
        places: dict[str, int] = {}
        for i, name in enumerate(self.names):
            places.setdefault(name.casefold(), i)
        return places

    def has(self, *names: str) -> bool:
        """Whether all these names stand in the first row, whatever their case."""
        return all(n.casefold() in self._places for n in names)

    def named(self, names: Iterable[str]) -> tuple[str, ...]:
        """The names of the first row that are among some, as the file writes them."""
        wanted = {n.casefold() for n in names}
        return tuple(n for n in self.names if n.casefold() in wanted)

    def column(self, name: str) -> TextColumn:
        """The cells of a column, that of its name included."""
        return self.grid.columns[self._places[name.casefold()]]

    def at(self, place: int, start: int = 1) -> frozenset[str]:
        """The distinct texts of a column by its place in the sample below the header, blanks aside."""
        column = self.grid.columns[place]
        return frozenset(column.values[i].strip() for i in np.unique(column.codes[start : start + SAMPLE])) - {""}

    def texts(self, name: str, start: int = 1) -> frozenset[str]:
        """The same by its name."""
        return self.at(self._places[name.casefold()], start)

    def filled(self, name: str, start: int = 1) -> bool:
        """Whether no cell of a column is blank in the sample, and there is one."""
        blank = self.column(name).blank[start : start + SAMPLE]
        return bool(blank.size and not blank.any())

    def holds(self, name: str, texts: Iterable[str], start: int = 1) -> bool:
        """Whether a column holds some of these texts and nothing else."""
        own = self.texts(name, start)
        return bool(own) and own <= frozenset(texts)


@dataclass(frozen=True)
class Settled:
    """What the structure of a table settles, once it is known which program wrote it.

    Attributes
    ----------
    options
        Reading options by the names of their fields, for what the user left alone.
    told
        What follows from the export, a sentence.
    findings
        What is to be asked or known besides.
    aside
        Further columns that are neither answers nor names of cases or raters.
    """

    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    told: str = ""
    findings: tuple[Finding, ...] = ()
    aside: tuple[str, ...] = ()


Settle = Callable[[RatingTable, ReadingOptions], Settled]


@dataclass(frozen=True, eq=False)
class Export:
    """A file that a program wrote.

    Attributes
    ----------
    program
        Its name.
    settle
        What columns are for, from the table without what the program writes beside the answers.
    header_rows
        How many rows the header has; names stand in the first of them.
    aside
        Names of columns that the program writes beside the answers, such as when they were given.
    naming
        Such columns that may name raters or rows: they are looked at, and set aside where they name nothing.
    grid
        The cells, where they are told in another way than they stand in the file; else None.
    frame
        Reading options about where the table stands, by the names of their fields.
    words
        Sentences about what was done to the cells.
    findings
        What is to be asked or known, whatever the user says of the columns.
    sources
        Such columns of those aside whose content is read all the same, in columns made from them.
    """

    program: str
    settle: Settle
    header_rows: int = 1
    aside: tuple[str, ...] = ()
    naming: tuple[str, ...] = ()
    grid: CellGrid | None = None
    frame: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    words: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    sources: tuple[str, ...] = ()


Recogniser = Callable[[Head], Export | None]


def with_columns(grid: CellGrid, header_rows: int, columns: Mapping[str, Sequence[str]]) -> CellGrid:
    """A grid with further columns at its right: their names, blanks for the rest of the header, and their texts."""
    made = tuple(column_of([name, *[""] * (header_rows - 1), *texts]) for name, texts in columns.items())
    fields = None if grid.fields is None else grid.fields + len(made)
    return replace(grid, columns=(*grid.columns, *made), fields=fields)


def rows_of(table: RatingTable, which: NDArray[np.bool_]) -> RatingTable:
    """Some rows of a table, shape (rows,)."""
    columns = tuple(c.take(which).used() for c in table.columns)
    return replace(table, columns=columns, row_numbers=table.row_numbers[which])


def is_stamp(text: str) -> bool:
    """Whether a text is a day and a time, as programs write when something was sent."""
    return bool(_STAMP.fullmatch(text.strip()))


def alike_columns(table: RatingTable, names: Sequence[str]) -> tuple[str, ...]:
    """The largest group of columns that share their answers: those of questions of one kind."""
    texts = {n: frozenset(t.casefold() for t in table.texts(n)) for n in names}
    closed = [n for n in names if texts[n] and len(texts[n]) <= _MOST and not all(map(is_stamp, texts[n]))]
    best: list[str] = []
    for start in closed:
        group, shown = [start], texts[start]
        grown = True
        while grown:
            more = [
                n
                for n in closed
                if n not in group and len(texts[n] & shown) >= _COMMON * min(len(texts[n]), len(shown))
            ]
            group += more
            shown = shown.union(*(texts[n] for n in more))
            grown = bool(more)
        if len(group) > len(best):
            best = [n for n in closed if n in group]
    return tuple(best) if len(best) > 1 else ()
