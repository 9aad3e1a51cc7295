"""Where ratings come from, and how the file was understood."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tapdesk.ratings.options import Layout


@dataclass(frozen=True, eq=False)
class Source:
    """Where ratings come from and how the file was understood.

    Attributes
    ----------
    name, path, sha256
        The file; a path of None means it came with the program. Several files that were read as one stand in the
        path one per line.
    format, sheet, sheets, encoding, delimiter, decimal
        How it was opened; None where it does not apply.
    layout
        What rows and columns stand for.
    header_rows
        The rows of the file that hold the header, counted from 1.
    rows, columns
        Size of the table below the header.
    roles
        Role to column name: subject, rater, rating, question, count.
    rating_columns
        The rating columns of a wide layout.
    guessed
        Names of the options that were guessed.
    words
        Sentences that tell how it was read.
    sentence
        One rating told in words, the test whether it was read rightly.
    """

    name: str
    path: Path | None
    sha256: str
    format: str
    sheet: str | None
    sheets: tuple[str, ...]
    layout: Layout
    encoding: str | None
    delimiter: str | None
    decimal: str | None
    header_rows: tuple[int, ...]
    rows: int
    columns: int
    roles: Mapping[str, str]
    rating_columns: tuple[str, ...]
    guessed: tuple[str, ...]
    words: tuple[str, ...]
    sentence: str


@dataclass(frozen=True, eq=False)
class Preview:
    """The first rows of the file as they stand in it.

    Attributes
    ----------
    header
        The names of the columns as understood.
    rows
        At most 200 rows of texts from the top of the file, header and letterhead included.
    first
        The row of the file with the first data, counted from 1.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
