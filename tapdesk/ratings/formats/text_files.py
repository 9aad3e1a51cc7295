"""Files of text: their encoding and their separators."""

import codecs
import csv
import io
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.grid import CellGrid, TextColumn
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import IntArray

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_USUAL = ("cp1252", "cp1250", "mac_roman", "iso8859_2")
_SAMPLE = 200_000
_PIECE = 1 << 21
_SOMETHING = re.compile(rb"[^\x00\t\r\n ]")


@dataclass(frozen=True)
class DecodedText:
    """Text as clean UTF-8 bytes (no mark, plain line feeds), and how the file had written it."""

    data: bytes
    encoding: str
    marked: bool
    guessed: bool


_GUESS = (("Guess the encoding", MappingProxyType({"encoding": None})),)


def decode(raw: bytes, name: str, encoding: str | None = None) -> DecodedText:
    """The text of a file.

    Parameters
    ----------
    raw
        The whole file.
    name
        What to call it in a sentence.
    encoding
        What the user said; None decides by a byte-order mark, else strict UTF-8.

    Raises
    ------
    TapdeskError
        When the file is empty, is not text, or its encoding is uncertain (with previews of the candidates).
    """
    if _SOMETHING.search(raw) is None:
        raise TapdeskError(_("The file is empty."), name, _("Export it again, or choose another file."))
    if encoding is not None:
        return _as_said(raw, name, encoding)
    for mark, codec in _MARKS:
        if raw.startswith(mark):
            return DecodedText(_clean(raw, name, codec), codec.removesuffix("-sig"), marked=True, guessed=False)
    if b"\x00" in raw:
        _refuse_nulls(raw, name)
    if not _is_utf8(raw):
        raise _uncertain(raw, name)
    return DecodedText(_ends(raw), "utf-8", marked=False, guessed=True)


def _is_utf8(raw: bytes) -> bool:
    """Whether all of a text is valid."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for piece in _pieces(raw):
            decoder.decode(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _as_said(raw: bytes, name: str, encoding: str) -> DecodedText:
    try:
        codec = codecs.lookup(encoding).name
        "a".encode(codec)  # what packs bytes is looked up as well, and is no encoding of text
    except LookupError:
        raise UsageError(
            _("There is no encoding '{encoding}'.").format(encoding=encoding),
            fix=_("Try utf-8, cp1252, cp1250 or utf-16."),
        ) from None
    data = _clean(raw, name, "utf-8-sig" if codec == "utf-8" else codec)
    return DecodedText(data, codec, marked=False, guessed=False)


def _strict(raw: bytes, name: str, codec: str) -> str:
    """The text, or where it stops making sense."""
    try:
        return raw.decode(codec)
    except UnicodeDecodeError as problem:
        row = raw[: problem.start].count(b"\n") + 1
        raise TapdeskError(
            _("The text is not valid {encoding} from row {row} on.").format(encoding=problem.encoding, row=row),
            f"{name}, row {row}",
            _("Export the file again as 'CSV UTF-8', or name its encoding with --encoding."),
            ways=_GUESS,
        ) from None
    except UnicodeError:
        raise TapdeskError(
            _("The text is not valid {codec}.").format(codec=codec),
            name,
            _("Name the encoding with --encoding."),
            ways=_GUESS,
        ) from None


def _clean(raw: bytes, name: str, codec: str) -> bytes:
    """A text told in UTF-8 with plain line feeds."""
    decoder = codecs.getincrementaldecoder(codec)()
    try:
        parts = [decoder.decode(piece).encode("utf-8") for piece in _pieces(raw)]
        parts.append(decoder.decode(b"", final=True).encode("utf-8"))
    except UnicodeError:
        # In one go, which knows the place.
        parts = [_strict(raw, name, codec).encode("utf-8")]
    data = b"".join(parts)
    if b"\x00" in data:
        raise _not_text(name)
    return _ends(data)


def _ends(data: bytes) -> bytes:
    """Line ends of Windows and of old Macs told as one, and no mark where one file was put behind another."""
    if b"\r" in data:
        data = _one_end(data)
    inside = any(codecs.BOM_UTF8 in data[max(at - 2, 0) : at + _PIECE] for at in range(0, len(data), _PIECE))
    return data.replace(b"\n" + codecs.BOM_UTF8, b"\n") if inside else data


def _one_end(data: bytes) -> bytes:
    """Line feeds only."""
    parts, waits = [], b""
    for piece in _pieces(data):
        part, waits = waits + piece, b""
        if part.endswith(b"\r"):
            # Its line feed may come with the next piece.
            part, waits = part[:-1], b"\r"
        parts.append(part.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    return b"".join(parts) + waits.replace(b"\r", b"\n")


def _pieces(data: bytes) -> Iterator[bytes]:
    """Some milliseconds of work each: nothing interrupts one call over all of a file."""
    for at in range(0, len(data), _PIECE):
        yield data[at : at + _PIECE]


def _not_text(name: str) -> TapdeskError:
    """The refusal of a file that holds something else than text."""
    return TapdeskError(
        _("This is not a table of text: it holds bytes that no text has."),
        name,
        _("Open it in the program it comes from and save it as CSV or as an Excel workbook."),
    )


def _refuse_nulls(raw: bytes, name: str) -> None:
    """UTF-16 without its mark is asked about; any other null byte means the file is not text."""
    sample = raw[:_SAMPLE]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    codec = "utf-16-le" if odd > 4 * even else "utf-16-be" if even > 4 * odd else ""
    if not codec or max(even, odd) < len(sample) / 8:
        raise _not_text(name)
    line = sample[: len(sample) // 2 * 2].decode(codec, errors="replace").split("\n")[0].strip()
    raise TapdeskError(
        _("The file looks like UTF-16 text without its mark. As {codec} its first line reads: {line}").format(
            codec=codec, line=line[:80]
        ),
        name,
        _("If that reads well, choose it: --encoding {codec}.").format(codec=codec),
        ways=[(_("Read it as {codec}").format(codec=codec), {"encoding": codec})],
    )


def _candidates(raw: bytes) -> list[tuple[str, str]]:
    """Encodings in which the text makes sense, the likeliest first, each with a preview of a telling piece.

    Candidates that read the file the same are told once.
    """
    from charset_normalizer import from_bytes  # start-up cost: only files that are not UTF-8 need it

    guesses = [match.encoding for match in from_bytes(raw[:_SAMPLE])]
    by_key: dict[str, str] = {}
    # The encodings spreadsheets really write come first; a detector confuses neighbours of one family.
    for codec in (*_USUAL, *guesses):
        if len(by_key) >= 3 and codec not in _USUAL:
            break
        try:
            text = raw.decode(codec)
        except (UnicodeDecodeError, LookupError):
            continue
        if any(c < " " and c not in "\t\n\r" for c in text) or any("\x7f" <= c < "\xa0" for c in text):
            continue
        by_key.setdefault(_telling(text), codec)
    return [(codec, preview) for preview, codec in by_key.items()]


def _telling(text: str) -> str:
    """The words of the text that are not plain ASCII, the first few."""
    words: dict[str, None] = {}
    for word in text.replace(",", " ").replace(";", " ").replace("\t", " ").replace('"', " ").split():
        if not word.isascii():
            words[word[:30]] = None
            if len(words) == 3:
                break
    return ", ".join(words)


def _uncertain(raw: bytes, name: str) -> TapdeskError:
    """The question which encoding it is, with previews."""
    control = sum(raw[:_SAMPLE].count(bytes([c])) for c in range(32) if c not in {9, 10, 12, 13})
    options = _candidates(raw) if control <= len(raw[:_SAMPLE]) / 1000 else []
    if not options:
        return _not_text(name)
    first = next(i for i, b in enumerate(raw) if b > 127)
    row = raw[:first].count(b"\n") + 1
    # One sentence with its option: in a window the choices are buttons, and the sentence goes.
    sentences = [_("{codec} reads {preview}").format(codec=codec, preview=Label(preview)) for codec, preview in options]
    shown = joined(*sentences, sep="; ")
    return TapdeskError(
        _("Which line shows the letters of this file correctly?"),
        f"{name}, row {row}",
        _("Choose the one that reads well, such as --encoding {codec}, or export as 'CSV UTF-8': {shown}.").format(
            codec=options[0][0], shown=shown
        ),
        ways=[(f"{preview} ({codec})", {"encoding": codec}) for codec, preview in options],
    )


# In order of preference where several divide the file equally well: a tab or bar in every row is no accident.
DELIMITERS = ("\t", "|", ";", ",", " ")
NAMES = {"\t": "Tab", "|": "Bar", ";": "Semicolon", ",": "Comma", " ": "Space"}
MOST_COLUMNS = 16_384
# Rows parsed in one call, which nothing interrupts: some milliseconds, so that a window can answer in between.
_CHUNK = 1 << 14


@dataclass(frozen=True, eq=False)
class SeparatedText:
    """The cells of a text file and what separated them."""

    grid: CellGrid
    delimiter: str
    guessed: bool


def read_separated(data: bytes, name: str, delimiter: str | None = None) -> Run[SeparatedText]:
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
    named = delimiter or declared
    chosen, counts = (named, None) if named else _best_delimiter(data)
    yield Step(0, 0, "read")
    fields = _field_counts(data, chosen) if counts is None else counts
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
    even = fields.size > 1 and bool((fields == width).all())
    columns = yield from _parsed(data, name, chosen, width, fields.size, even=even)
    rows = columns[0].codes.size
    # A stray quotation mark makes the two counts differ; then no row is called uneven on the strength of a guess.
    lengths = fields if fields.size == rows and (fields != width).any() else None
    return SeparatedText(CellGrid(columns, rows, lengths), chosen, guessed)


def _declaration(data: bytes) -> tuple[bytes, str | None]:
    """Obey and drop a first line ``sep=;``."""
    end = data.find(b"\n")
    first = data if end < 0 else data[:end]
    strip = first.strip().strip(b'"')
    if strip[:4].lower() == b"sep=" and len(strip) == 5:
        return data[len(first) + 1 :], chr(strip[4])
    if first.lower().startswith(b"sep=\t"):
        return data[len(first) + 1 :], "\t"
    return data, None


def _best_delimiter(data: bytes) -> tuple[str, IntArray | None]:
    """What divides the most rows into the same number of cells, at least two, with `_field_counts`; else a comma."""
    best, best_share = ",", 0.0
    counts = None
    for candidate in DELIMITERS:
        if candidate.encode() not in data or (candidate == " " and best_share > 0):
            continue
        fields = _field_counts(data, candidate)
        full = fields[fields > 0]
        width = _usual(full[full > 1])
        if width < 2:
            continue
        share = float((full == width).mean())
        # A later candidate must be clearly better: "1,5;2,3" has the same number of commas in every row too. One that
        # divides every row, the header among them, is better than one that nearly does.
        if share > best_share + 0.1 or share == 1 > best_share:
            best, best_share, counts = candidate, share, fields
    return best, counts


def _usual(counts: IntArray) -> int:
    return int(np.bincount(counts).argmax()) if counts.size else 0


def _field_counts(data: bytes, delimiter: str) -> IntArray:
    """Shape (records,): number of cells of each record, 0 for a blank line; quoted text counts as text."""
    if delimiter == " ":
        return np.array([len(line.split()) for line in data.rstrip(b"\n").split(b"\n")], dtype=np.int64)
    text = np.frombuffer(data, dtype=np.uint8)
    mark = np.uint8(ord(delimiter))
    stops = _stops(text, delimiter)
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


def _stops(text: NDArray[np.uint8], delimiter: str) -> IntArray:
    """Shape (cells,): where a delimiter or the end of a line stands."""
    return np.flatnonzero((text == 10) | (text == np.uint8(ord(delimiter))))


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


def _parsed(
    data: bytes, name: str, delimiter: str, width: int, rows: int, *, even: bool
) -> Generator[Step, None, tuple[TextColumn, ...]]:
    """The cells, piece by piece, so that a window stays alive and only distinct texts are kept."""
    if even and len(data) > _PLAIN and delimiter != " " and not any(byte in data for byte in _NOT_BARE):
        bare = yield from _bare_columns(data, delimiter, width, rows)
        if bare is not None:
            return bare
    columns = [_Growing() for _rest in range(max(width, 1))]
    if is_plain(data, delimiter):
        for column, cells in zip(columns, split_cells(data, delimiter, len(columns)), strict=True):
            column.add(cells)
        yield Step(rows, rows, "read")
        return tuple(column.joined() for column in columns)
    import pandas as pd  # start-up cost: most files do without it

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


_PLAIN = 1 << 18
"""Bytes of a text that is split in one go, in milliseconds; loading pandas takes longer than that."""


def is_plain(data: bytes, delimiter: str) -> bool:
    """Whether a text is small and its cells are what stands between the delimiters: nothing is quoted."""
    return len(data) <= _PLAIN and delimiter != " " and b'"' not in data and b"\r" not in data


def split_cells(data: bytes, delimiter: str, width: int) -> list[list[str]]:
    """The columns of a plain text (`is_plain`), each with a cell for every line, blank ones as well.

    Parameters
    ----------
    data
        UTF-8, lines ending in a line feed.
    delimiter
        What separates the cells.
    width
        Number of columns; shorter rows are filled with empty cells.
    """
    lines = data.decode("utf-8").split("\n")
    if not lines[-1]:
        del lines[-1]
    rows = [line.split(delimiter) for line in lines]
    for row in rows:
        row.extend([""] * (width - len(row)))
    return [list(column) for column in zip(*rows, strict=True)]


_NOT_BARE = (b'"', b"\r", b"\0")
_WORD = 8
"""Bytes of a text that are one number."""
_LONGEST = 8 * _WORD
"""Bytes of the longest cell whose text is told by numbers; beyond, going through the texts is as quick."""
_KEPT_BYTES = np.array([(1 << (8 * n)) - 1 for n in range(_WORD + 1)], dtype=np.uint64)


def _bare_columns(
    data: bytes, delimiter: str, width: int, rows: int
) -> Generator[Step, None, tuple[TextColumn, ...] | None]:
    """The columns of a large text without a quotation mark whose rows are all of one width; None where cells are long.

    The bytes of a cell are compared as numbers, eight at a time, so that no text is made of a cell, only of each of the
    distinct ones: a million rows take a third of the time of reading them as texts.
    """
    import pandas as pd  # start-up cost: most files do without it

    stops = _stops(np.frombuffer(data, dtype=np.uint8), delimiter)
    if not data.endswith(b"\n"):
        stops = np.append(stops, len(data))
    if int(np.diff(stops, prepend=-1).max()) > _LONGEST:
        return None
    last = len(data) - _WORD
    words: NDArray[np.uint64] = np.ndarray((last + 1,), dtype="<u8", buffer=data, strides=(1,))
    columns = []
    for place in range(width):
        end = stops[place::width]
        begin = (stops[place - 1 :: width] if place else np.concatenate([[-1], stops[width - 1 : -1 : width]])) + 1
        length = end - begin
        codes: IntArray = np.zeros(rows, dtype=np.int64)
        for offset in range(0, max(int(length.max()), 1), _WORD):
            start = begin + offset
            # What begins in the last bytes of the text is got from the word that ends with it.
            key = words[np.minimum(start, last)]
            key >>= (8 * np.clip(start - last, 0, _WORD - 1)).astype(np.uint64)
            key &= _KEPT_BYTES[np.clip(length - offset, 0, _WORD)]
            yield Step(place * rows // width, rows, "read")
            part, distinct = pd.factorize(key)
            if offset:
                part, distinct = pd.factorize(codes * len(distinct) + part)
            codes = part.astype(np.int64, copy=False)
            yield Step(place * rows // width, rows, "read")
        # Numbered in order of first appearance: where a number is larger than all before it, its text is met first.
        met = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
        spans = zip(begin[met].tolist(), end[met].tolist(), strict=True)
        columns.append(TextColumn(codes, tuple(data[a:b].decode("utf-8") for a, b in spans)))
        yield Step((place + 1) * rows // width, rows, "read")
    return tuple(columns)


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

    def joined(self) -> TextColumn:
        """The whole column."""
        return TextColumn(np.concatenate(self._pieces), tuple(self._codes))


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


_BYTES = 1 << 16
_ROWS = 200


def first_rows(raw: bytes, options: ReadingOptions) -> tuple[tuple[str, ...], ...]:
    """The first rows of a text file as they seem to be from its first bytes; none where that cannot be told.

    Whatever is wrong with the file is said when all of it is read.
    """
    head = raw[:_BYTES]
    if len(raw) > _BYTES:
        # A row that is cut off is no row; in wide encodings the end of a line is looked for by its byte all the same.
        head = head[: head.rfind(b"\n") + 1]
    try:
        data = decode(head, "", options.encoding).data
        delimiter = options.delimiter or _best_delimiter(data)[0]
        rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter))
    except (TapdeskError, UsageError, csv.Error, ValueError, TypeError):
        return ()
    return tuple(tuple(row) for row in rows[:_ROWS])
