"""Separated text (CSV and its relatives) to a grid of coded cells."""

import csv
import io
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.grid import Column, Grid
from tapdesk.ratings.ratings import IntArray

# In order of preference where several divide the file equally well: a tab or bar in every row is no accident.
DELIMITERS = ("\t", "|", ";", ",", " ")
NAMES = {"\t": "Tab", "|": "Bar", ";": "Semicolon", ",": "Comma", " ": "Space"}
MOST_COLUMNS = 16_384
# Rows parsed in one call, which nothing interrupts: some milliseconds, so that a window can answer in between.
_CHUNK = 1 << 14


@dataclass(frozen=True, eq=False)
class Separated:
    """The cells of a text file and what separated them."""

    grid: Grid
    delimiter: str
    guessed: bool
    declared: bool


def separated(data: bytes, name: str, delimiter: str | None = None) -> Run[Separated]:
    """The cells of a text.

    Parameters
    ----------
    data
        UTF-8 without a mark, lines ending in a line feed.
    name
        What to call the file in a sentence.
    delimiter
        What separates the cells; None decides on the whole file, quotes respected.

    Raises
    ------
    TapdeskError
        When a quotation mark is never closed or there are more columns than any spreadsheet has.
    """
    data, declared = _declaration(data)
    if data.isspace() or not data:
        raise TapdeskError(_("The file is empty."), name, _("Export it again, or choose another file."))
    guessed = delimiter is None and declared is None
    chosen = delimiter or declared or best_delimiter(data)
    yield Step(0, 0, "read")
    fields = field_counts(data, chosen)
    width = int(fields.max())
    if width > MOST_COLUMNS:
        row = int(fields.argmax()) + 1
        raise TapdeskError(
            _("Row {row:,} has {width:,} cells; no spreadsheet has more than {most_columns:,} columns.").format(
                row=row, width=width, most_columns=MOST_COLUMNS
            ),
            f"{name}, row {row}",
            _("Check that this is the right file, or name the delimiter with --delimiter."),
        )
    yield Step(0, fields.size, "read")
    columns = yield from _parsed(data, name, chosen, width, fields.size)
    rows = columns[0].codes.size
    # A stray quotation mark makes the two counts differ; then no row is called uneven on the strength of a guess.
    lengths = fields if fields.size == rows and (fields != width).any() else None
    return Separated(Grid(columns, rows, lengths), chosen, guessed, declared is not None)


def _declaration(data: bytes) -> tuple[bytes, str | None]:
    """Obey and drop a first line ``sep=;``."""
    end = data.find(b"\n")
    first = data if end < 0 else data[:end]
    said = first.strip().strip(b'"')
    if said[:4].lower() == b"sep=" and len(said) == 5:
        return data[len(first) + 1 :], chr(said[4])
    if first.lower().startswith(b"sep=\t"):
        return data[len(first) + 1 :], "\t"
    return data, None


def best_delimiter(data: bytes) -> str:
    """What divides the most rows into the same number of cells, at least two; a comma when nothing does."""
    best, best_share = ",", 0.0
    for candidate in DELIMITERS:
        if candidate.encode() not in data or (candidate == " " and best_share > 0):
            continue
        fields = field_counts(data, candidate)
        full = fields[fields > 0]
        width = _usual(full[full > 1])
        if width < 2:
            continue
        share = float((full == width).mean())
        # A later candidate must be clearly better: "1,5;2,3" has the same number of commas in every row too. One that
        # divides every row, the header among them, is better than one that nearly does.
        if share > best_share + 0.1 or share == 1 > best_share:
            best, best_share = candidate, share
    return best


def _usual(counts: IntArray) -> int:
    return int(np.bincount(counts).argmax()) if counts.size else 0


def field_counts(data: bytes, delimiter: str) -> IntArray:
    """Shape (records,): number of cells of each record, 0 for a blank line; quoted text counts as text."""
    if delimiter == " ":
        return np.array([len(line.split()) for line in data.rstrip(b"\n").split(b"\n")], dtype=np.int64)
    text = np.frombuffer(data, dtype=np.uint8)
    mark = np.uint8(ord(delimiter))
    stops = np.flatnonzero((text == 10) | (text == mark))
    if b'"' in data:
        quotes = np.flatnonzero(text == 34)
        if not _quotes_are_regular(text, quotes, mark):
            return _counts_by_reader(data, delimiter)
        stops = stops[np.searchsorted(quotes, stops) % 2 == 0]
    ends = np.flatnonzero(text[stops] == 10)
    if not data.endswith(b"\n"):
        ends = np.append(ends, stops.size)
        stops = np.append(stops, text.size)
    counts = np.diff(ends, prepend=-1)
    starts = np.concatenate([[0], stops[ends][:-1] + 1])
    counts[starts == stops[ends]] = 0
    return counts


def _quotes_are_regular(text: NDArray[np.uint8], quotes: IntArray, mark: np.uint8) -> bool:
    """Whether every opening quotation mark starts a cell, so that counting marks tells inside from outside."""
    if quotes.size % 2:
        return False
    opening = quotes[0::2]
    before = text[np.maximum(opening - 1, 0)]
    return bool(((opening == 0) | (before == 10) | (before == mark) | (before == 34)).all())


def _counts_by_reader(data: bytes, delimiter: str) -> IntArray:
    """The same counts, slowly, for text with stray quotation marks."""
    csv.field_size_limit(2**31 - 1)
    reader = csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter)
    return np.fromiter((len(row) for row in reader), dtype=np.int64)


def _parsed(data: bytes, name: str, delimiter: str, width: int, rows: int) -> Generator[Step, None, tuple[Column, ...]]:
    """The cells, piece by piece, so that a window stays alive and only distinct texts are kept."""
    import pandas as pd  # start-up cost: the program starts without it

    columns = [_Growing() for _rest in range(max(width, 1))]
    done = 0
    try:
        reader = pd.read_csv(
            io.BytesIO(data),
            sep=r"\s+" if delimiter == " " else delimiter,
            header=None,
            names=list(range(max(width, 1))),
            index_col=False,
            dtype=object,
            na_filter=False,
            skip_blank_lines=False,
            chunksize=_CHUNK,
            encoding="utf-8",
        )
        for chunk in reader:
            for column, c in zip(columns, chunk, strict=True):
                column.add(chunk[c].tolist())
            done += len(chunk)
            yield Step(done, max(rows, done), "read")
    except pd.errors.ParserError as problem:
        raise _never_closed(data, name, str(problem)) from None
    return tuple(column.joined() for column in columns)


class _Codes(dict[str, int]):
    """A number for each text, in order of first appearance; asked for by ``map``, which is as quick as pandas."""

    def __missing__(self, text: str) -> int:
        self[text] = code = len(self)
        return code


class _Growing:
    """A column of which one piece after the other comes: each distinct text is kept once."""

    def __init__(self) -> None:
        self._pieces: list[IntArray] = []
        self._codes = _Codes()

    def add(self, texts: list[str]) -> None:
        """Add the texts of a piece."""
        self._pieces.append(np.fromiter(map(self._codes.__getitem__, texts), np.int64, len(texts)))

    def joined(self) -> Column:
        """The whole column."""
        return Column(np.concatenate(self._pieces), tuple(self._codes))


def _never_closed(data: bytes, name: str, problem: str) -> TapdeskError:
    """Where a quotation mark opens and never closes."""
    digits = "".join(c if c.isdigit() else " " for c in problem).split()
    row = int(digits[-1]) + 1 if digits else data.count(b"\n") + 1
    return TapdeskError(
        _(
            "A quotation mark opens in row {row:,} and is never closed, so the cells after it cannot be told apart."
        ).format(row=row),
        f"{name}, row {row}",
        _('Close the quotation mark or remove it; inside a cell it is written twice ("").'),
    )
