"""The cells of an opened file and how they were got."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tapdesk.ratings.findings import Finding
from tapdesk.ratings.grid import Column, Grid


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
    columns: tuple[Column, ...]

    def column(self, head: str) -> Column | None:
        """The cells below one name of the header; None where it is not there exactly once."""
        plain = [h.strip().casefold() for h in self.heads]
        wanted = head.strip().casefold()
        return self.columns[plain.index(wanted)] if wanted and plain.count(wanted) == 1 else None


@dataclass(frozen=True, eq=False)
class Loaded:
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
    pieces
        The sheets or files the grid was stacked from.
    """

    grid: Grid
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
    pieces: tuple[Piece, ...] = ()
