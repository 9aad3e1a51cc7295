"""The cells of a sheet, and what its XML knows about them that reading values does not tell."""

import datetime as dt
import posixpath
import re
import zipfile
from array import array
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from types import MappingProxyType
from typing import Any

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _

MOST_CELLS = 60_000_000
_CHUNK = 4 << 20
_MOST_LISTED = 200_000
_SAME = 1e-9
_TEXTS = "xl/sharedStrings.xml"
_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
# What every piece is searched with, in the way almost all programs write; it takes a fifth of the time.
_PLAIN_ROW = re.compile(rb"<row\b([^>]*)>")
_FAR_COLUMN = re.compile(rb'"([A-Z]{2,7})[A-Z]*\d+"')
_FAR_CELL = re.compile(rb'"[A-Z]+(\d{6,15})\d*"')
# No sheet has more rows and columns; what names a cell beyond is looked at closely, for other names look alike.
_MOST_ROWS, _MOST_COLUMNS = 2**20, 2**14
_REFERENCE = re.compile(rb'\br="([A-Z]{1,7})[A-Z]*(\d{1,15})\d*"')
_NUMBER = re.compile(rb'\br="(\d+)"')
_CELL = re.compile(rb"<(?:\w+:)?c\b([^>]*?[^/])>(.*?)</(?:\w+:)?c>", re.DOTALL)
_PLACE = re.compile(rb'\br="([A-Z]+)(\d+)"')
_STYLE = re.compile(rb'<(?:\w+:)?c\b([^>]*\bs="(\d+)"[^>]*)>')
_ERROR = re.compile(rb'<(?:\w+:)?c\b([^>]*\bt="e"[^>]*)>(.*?)</(?:\w+:)?c>', re.DOTALL)
_VALUE = re.compile(rb"<(?:\w+:)?v[^>]*>([^<]*)</")
_FORMULA = re.compile(rb"<(?:\w+:)?f[\s>/]")
_INLINE = re.compile(rb"<(?:\w+:)?is[\s>]")
_COLUMN = re.compile(rb"<(?:\w+:)?col\s([^>]*)>")
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_FILTER = re.compile(rb"<(?:\w+:)?autoFilter\b[^>]*>(?=\s*<(?:\w+:)?filterColumn)")
_HIDDEN = re.compile(rb'\bhidden="(?:1|true)"')
# A row or a column of no height or width is hidden, whatever else it says.
_FLAT = re.compile(rb'\b(?:ht|width)="0(?:\.\d+)?"')
_DECIMAL = re.compile(
    rb'<(?:\w+:)?c\b([^>]*\bs="(\d+)"[^>]*)>(?:<(?:\w+:)?f\b[^>]*>[^<]*</(?:\w+:)?f>)?'
    rb"<(?:\w+:)?v>(-?\d+\.\d+(?:[eE]-?\d+)?)</"
)
_SHARED = re.compile(rb'<(?:\w+:)?c\b([^>]*\bt="s"[^>]*)><(?:\w+:)?v>(\d+)</')
_RICH = re.compile(rb"<(?:\w+:)?c\b([^>]*)><(?:\w+:)?is>(.*?)</(?:\w+:)?is>", re.DOTALL)
_TEXT = re.compile(rb"<(?:\w+:)?si>(.*?)</(?:\w+:)?si>|<(?:\w+:)?si/>", re.DOTALL)
_RUN = re.compile(rb"<(?:\w+:)?r>(.*?)</(?:\w+:)?r>", re.DOTALL)
_LETTERS = re.compile(rb"<(?:\w+:)?t(?:\s[^>]*)?>([^<]*)</")
_STRIKE = re.compile(rb'<(?:\w+:)?strike(?:\s+val="(?:1|true)")?\s*/>')
_MOST_TEXTS = 64 << 20
# Of the formats every workbook knows, those that show a fixed number of decimals.
_DECIMALS = {1: 0, 2: 2, 3: 0, 4: 2, 37: 0, 38: 0, 39: 2, 40: 2}
_CELL_NAME = re.compile(r"([A-Z]{1,3})(\d+)")
_NOTHING_SHOWN = re.compile(r";{2,3}")


@dataclass(frozen=True)
class Styles:
    """The numbers of the cell formats that say more than the value of a cell.

    Attributes
    ----------
    percents
        Those that show per cent.
    struck
        Those that strike out what the cell says.
    unseen
        Those that show nothing.
    decimals
        By number of the format how many decimals it shows.
    rich
        By number of a shared text what of it is not struck out, where a part of it is.
    """

    percents: frozenset[int] = frozenset()
    struck: frozenset[int] = frozenset()
    unseen: frozenset[int] = frozenset()
    decimals: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    rich: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass
class SheetFacts:
    """What the XML of one sheet says. Rows and columns are counted from 0.

    Attributes
    ----------
    formulas
        Cells whose formula has no result.
    errors
        Cells with an error and its text.
    percents
        Cells shown as per cent.
    hidden_rows, hidden_columns, merged
        As in :class:`tapdesk.ratings.grid.CellGrid`.
    filtered
        Whether a filter is active.
    rows
        The last row that has an entry, counted from 1.
    struck, unseen
        Cells that are struck out, and cells whose format shows nothing.
    rounded
        Cells that show fewer decimals than they hold, with what they show.
    comments
        Cells with a comment, and what it says.
    rest
        Cells of whose text a part is struck out, with what is left.
    """

    formulas: list[tuple[int, int]] = field(default_factory=list)
    errors: list[tuple[int, int, str]] = field(default_factory=list)
    percents: set[tuple[int, int]] = field(default_factory=set)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[int] = field(default_factory=list)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    filtered: bool = False
    rows: int = 0
    struck: set[tuple[int, int]] = field(default_factory=set)
    unseen: set[tuple[int, int]] = field(default_factory=set)
    rounded: dict[tuple[int, int], str] = field(default_factory=dict)
    comments: dict[tuple[int, int], str] = field(default_factory=dict)
    rest: dict[tuple[int, int], str] = field(default_factory=dict)


@dataclass(frozen=True)
class SheetEntry:
    """A sheet of a workbook: its name, its file in the archive, and whether it is hidden."""

    name: str
    part: str
    hidden: bool


def sheet_entries(archive: zipfile.ZipFile, name: str) -> list[SheetEntry]:
    """The sheets of an XLSX workbook, in their order."""
    book = _tree(archive, "xl/workbook.xml", name)
    links = _tree(archive, "xl/_rels/workbook.xml.rels", name)
    targets = {e.get("Id"): e.get("Target", "") for e in links}
    entries = []
    for sheet in book.iter():
        if sheet.tag.rpartition("}")[2] != "sheet":
            continue
        link = next((v for k, v in sheet.attrib.items() if k.rpartition("}")[2] == "id"), "")
        target = targets.get(link, "")
        part = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        entries.append(SheetEntry(sheet.get("name", ""), part, sheet.get("state", "visible") != "visible"))
    return entries


def styles_of(archive: zipfile.ZipFile, name: str) -> Styles:
    """What the cell formats and the shared texts of a workbook say besides values."""
    rich = MappingProxyType(_rich_texts(archive))
    if "xl/styles.xml" not in archive.namelist():
        return Styles(rich=rich)
    formats: dict[int, str] = {}
    crossed: list[bool] = []
    styles: list[tuple[int, int]] = []
    for element in _tree(archive, "xl/styles.xml", name).iter():
        tag = element.tag.rpartition("}")[2]
        if tag == "numFmt":
            formats[int(element.get("numFmtId", "-1"))] = element.get("formatCode", "")
        elif tag == "fonts":
            crossed = [any(_is_strike(part) for part in font) for font in element]
        elif tag == "cellXfs":
            styles = [(int(x.get("numFmtId", "0")), int(x.get("fontId", "0"))) for x in element]
    percents = {9, 10} | {i for i, code in formats.items() if "%" in code}
    unseen = {i for i, code in formats.items() if _NOTHING_SHOWN.fullmatch(code.strip())}
    shown = _DECIMALS | {i: n for i, code in formats.items() if (n := _decimals(code)) is not None}
    return Styles(
        frozenset(i for i, (code, _font) in enumerate(styles) if code in percents),
        frozenset(i for i, (_code, font) in enumerate(styles) if font < len(crossed) and crossed[font]),
        frozenset(i for i, (code, _font) in enumerate(styles) if code in unseen),
        MappingProxyType({i: shown[code] for i, (code, _font) in enumerate(styles) if code in shown}),
        rich,
    )


def _is_strike(part: "ElementTree.Element") -> bool:
    return part.tag.rpartition("}")[2] == "strike" and part.get("val", "1") in {"1", "true"}


def _decimals(code: str) -> int | None:
    """How many decimals a format shows; None for dates, fractions, powers, per cent and texts."""
    plain = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.', "", code.partition(";")[0])
    match = re.fullmatch(r"[^\d#]*[#0,]*0(?:\.([0#]*))?[^\d#.,a-zA-Z%/]*", plain)
    return None if match is None or re.search(r"[a-zA-Z%/]", plain) else len(match[1] or "")


def _rich_texts(archive: zipfile.ZipFile) -> dict[int, str]:
    """By number the shared texts of which a part is struck out, with what is left of them."""
    if _TEXTS not in archive.namelist() or archive.getinfo(_TEXTS).file_size > _MOST_TEXTS:
        return {}
    texts = archive.read(_TEXTS)
    if b"strike" not in texts:
        return {}
    runs = ((i, result.group(1) or b"") for i, result in enumerate(_TEXT.finditer(texts)))
    return {i: left for i, text in runs if (left := _left_of(text)) is not None}


def _left_of(text: bytes) -> str | None:
    """What of a text in runs is not struck out; None where nothing or all of it is."""
    runs = _RUN.findall(text)
    kept = [b"".join(_LETTERS.findall(run)) for run in runs if not _STRIKE.search(run)]
    plain = unescape(b"".join(kept).decode("utf-8", "replace"))
    return plain if len(kept) < len(runs) and plain.strip() else None


def _comments_of(archive: zipfile.ZipFile, part: str, name: str) -> dict[tuple[int, int], str]:
    """The cells of a sheet that have a comment, and what it says."""
    folder, _slash, file = part.rpartition("/")
    links = f"{folder}/_rels/{file}.rels"
    if links not in archive.namelist():
        return {}
    by_key: dict[tuple[int, int], str] = {}
    for link in _tree(archive, links, name):
        target = link.get("Target", "")
        place = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
        if not link.get("Type", "").endswith("/comments") or place not in archive.namelist():
            continue
        for comment in _tree(archive, place, name).iter():
            if comment.tag.rpartition("}")[2] == "comment" and (at := _CELL_NAME.fullmatch(comment.get("ref", ""))):
                texts = (e.text or "" for e in comment.iter() if e.tag.rpartition("}")[2] == "t")
                by_key[(int(at.group(2)) - 1, _column(at.group(1).encode()))] = "".join(texts).strip()
    return by_key


def scan(archive: zipfile.ZipFile, part: str, name: str, styles: Styles) -> SheetFacts:
    """Read the XML of one sheet as a stream.

    Raises
    ------
    TapdeskError
        When the XML declares entities, or its cells lie so far apart that no memory holds the table between.
    """
    facts = SheetFacts()
    if part not in archive.namelist():
        return facts
    far_row = far_column = 0
    for piece in _pieces(archive, part):
        if b"<!DOCTYPE" in piece or b"<!ENTITY" in piece or piece.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise entity_refusal(name)
        rows = (_ROW if b":row" in piece else _PLAIN_ROW).findall(piece)
        for attributes in rows:
            number = _NUMBER.search(attributes)
            row = int(number.group(1)) if number else far_row + 1
            far_row = max(far_row, row)
            flat = b' ht="0' in attributes and _FLAT.search(attributes)
            if (flat or (b"hidden" in attributes and _HIDDEN.search(attributes))) and (
                len(facts.hidden_rows) < _MOST_LISTED
            ):
                facts.hidden_rows.append(row - 1)
        row, column = _reach(piece)
        far_row, far_column = max(far_row, row), max(far_column, column)
        if _is_beyond(row, column) or (far_column + 1) * far_row > MOST_CELLS:
            raise TapdeskError(
                _("The sheet reaches to row {far_row:,} and column {far_column:,}; no table is that large.").format(
                    far_row=far_row, far_column=far_column + 1
                ),
                name,
                _(
                    "A stray entry lies far from the table: delete the empty rows and columns around it, save, "
                    "try again."
                ),
            )
        facts_of(piece, facts, styles)
    facts.rows = far_row
    facts.comments = _comments_of(archive, part, name)
    return facts


def _reach(piece: bytes) -> tuple[int, int]:
    """The last row (from 1) and the last column (from 0) that cells of a piece name, where these are far out."""
    row = max(map(int, set(_FAR_CELL.findall(piece))), default=0)
    column = max(map(_column, set(_FAR_COLUMN.findall(piece))), default=0)
    if not _is_beyond(row, column):
        return row, column
    cells = set(_REFERENCE.findall(piece))
    return max((int(r) for _c, r in cells), default=0), max((_column(c) for c, _r in cells), default=0)


def _is_beyond(row: int, column: int) -> bool:
    return row > _MOST_ROWS or column >= _MOST_COLUMNS


def refuse_entities(archive: zipfile.ZipFile, name: str) -> None:
    """Refuse texts of cells whose XML declares entities; the other parts are looked at where they are read.

    Raises
    ------
    TapdeskError
        When there is such a declaration.
    """
    if _TEXTS not in archive.namelist():
        return
    with archive.open(_TEXTS) as stream:
        # A declaration stands before the first element.
        head = stream.read(1 << 16)
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head or head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise entity_refusal(name)


def entity_refusal(name: str) -> TapdeskError:
    """The refusal of XML that declares entities, which no spreadsheet program writes."""
    return TapdeskError(
        _("The workbook contains declarations that no spreadsheet program writes; it is not opened."),
        name,
        _("Open it in LibreOffice or Excel and save it again, or ask the sender for a CSV file."),
    )


def _pieces(archive: zipfile.ZipFile, part: str) -> Iterator[bytes]:
    """The XML in pieces that end with a row."""
    rest = b""
    with archive.open(part) as stream:
        while chunk := stream.read(_CHUNK):
            text = rest + chunk
            cut = text.rfind(b"</row>") if b"</row>" in chunk else text.rfind(b"row>")
            if cut < 0 and len(text) < 8 * _CHUNK:
                rest = text
                continue
            yield text[: cut + 6]
            rest = text[cut + 6 :]
    yield rest


def facts_of(piece: bytes, facts: SheetFacts, styles: Styles) -> None:
    """Collect formulas, errors, formats, hidden columns, merged cells and filters of one piece.

    Most pieces have none of them: looking for a plain text is many times quicker than for a pattern.
    """
    if (b"<f" in piece or b":f" in piece) and _FORMULA.search(piece):
        facts.formulas.extend(_uncalculated(piece))
    if b't="e"' in piece:
        for attributes, inside in _ERROR.findall(piece):
            hits = _VALUE.search(inside)
            facts.errors.append((*_place(attributes), hits.group(1).decode("utf-8", "replace") if hits else "#ERROR"))
    _styled(piece, facts, styles)
    for attributes in _COLUMN.findall(piece) if b"hidden" in piece or b'width="0' in piece else ():
        ends = {k: int(v) for k, v in re.findall(rb'\b(min|max)="(\d+)"', attributes)}
        if (_HIDDEN.search(attributes) or _FLAT.search(attributes)) and len(ends) == 2:
            facts.hidden_columns.extend(range(ends[b"min"] - 1, min(ends[b"max"], 16384)))
    for left, top, right, bottom in _MERGED.findall(piece) if b"mergeCell" in piece else ():
        facts.merged.append((int(top) - 1, _column(left), int(bottom) - 1, _column(right)))
    facts.filtered = facts.filtered or (b"utoFilter" in piece and bool(_FILTER.search(piece)))


def _styled(piece: bytes, facts: SheetFacts, styles: Styles) -> None:
    """Collect the cells of one piece whose format, or whose text, says more than their value."""
    kinds = ((styles.percents, facts.percents), (styles.struck, facts.struck), (styles.unseen, facts.unseen))
    if any(kind for kind, _cells in kinds):
        for attributes, number in _STYLE.findall(piece):
            style = int(number)
            for kind, cells in kinds:
                if style in kind:
                    cells.add(_place(attributes))
    for attributes, number, value in _DECIMAL.findall(piece) if styles.decimals else ():
        decimals = styles.decimals.get(int(number))
        if decimals is not None and abs(round(float(value), decimals) - float(value)) > _SAME:
            facts.rounded[_place(attributes)] = f"{float(value):.{decimals}f}"
    _struck_texts(piece, facts, styles)


def _struck_texts(piece: bytes, facts: SheetFacts, styles: Styles) -> None:
    """Collect the cells of one piece of whose text a part is struck out."""
    for attributes, number in _SHARED.findall(piece) if styles.rich else ():
        if (left := styles.rich.get(int(number))) is not None:
            facts.rest[_place(attributes)] = left
    for attributes, text in _RICH.findall(piece) if b"strike" in piece else ():
        if (left := _left_of(text)) is not None:
            facts.rest[_place(attributes)] = left
        elif _STRIKE.search(text):
            facts.struck.add(_place(attributes))


def _uncalculated(piece: bytes) -> Iterator[tuple[int, int]]:
    """The cells whose formula has no result; an empty text is a result."""
    for attributes, inside in _CELL.findall(piece):
        if not _FORMULA.search(inside) or _INLINE.search(inside):
            continue
        hits = _VALUE.search(inside)
        if hits is None or (not hits.group(1) and b't="str"' not in attributes):
            yield _place(attributes)


def _place(attributes: bytes) -> tuple[int, int]:
    hits = _PLACE.search(attributes)
    return (int(hits.group(2)) - 1, _column(hits.group(1))) if hits else (0, 0)


def _column(letters: bytes) -> int:
    index = 0
    for letter in letters:
        index = index * 26 + letter - 64
    return index - 1


def _tree(archive: zipfile.ZipFile, part: str, name: str) -> "ElementTree.Element":
    """A small part of the workbook as a tree, entities refused."""
    try:
        return ElementTree.fromstring(archive.read(part), forbid_dtd=True)
    except DefusedXmlException:
        raise entity_refusal(name) from None
    except (KeyError, ElementTree.ParseError):
        raise TapdeskError(
            _("The workbook is damaged: its list of sheets cannot be read."),
            name,
            _("Open it in Excel or LibreOffice and save it again."),
        ) from None


_EXACT = 2**53  # whole numbers up to here are told apart by a workbook's numbers
_LOOKED_UP = frozenset({str, float, int})
_OFTEN = 5_000  # rows
_TYPED_NUMBER = re.compile(r"\s*-?(?:0|[1-9]\d*)(?:[.,]\d+)?\s*")
# Stands behind a number typed as text until the column is whole; no cell holds it.
_TYPED = "\x00"


@dataclass
class RawSheet:
    """The cells of one sheet on their way between processes.

    Attributes
    ----------
    name
        Of the sheet.
    hidden
        Whether the sheet is hidden.
    rows, width
        Its size, blank rows at the end left out.
    columns
        For each column its codes (as bytes of 32-bit numbers) and its distinct texts.
    facts
        What the XML says; None where the format does not tell.
    typed
        The columns in which some numbers are stored as text and others as numbers; a header above them is no number.
    """

    name: str
    hidden: bool
    rows: int
    width: int
    columns: list[tuple[bytes, tuple[str, ...]]]
    facts: SheetFacts | None
    typed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingProgress:
    """How many rows of how many have been read."""

    done: int
    total: int


def code_sheet(
    sheet: Any, facts: SheetFacts | None, *, hidden: bool = False, before: int = 0, total: int = 0
) -> Generator[ReadingProgress, None, RawSheet]:
    """The cells of a sheet as codes and distinct texts, telling now and then how far it is.

    Parameters
    ----------
    sheet
        As python-calamine opens it.
    facts, hidden
        What else is known about the sheet.
    before, total
        Number of rows in the sheets before it, and in all.
    """
    percents = facts.percents if facts else set()
    errors = {(r, c): text for r, c, text in facts.errors} if facts else {}
    codes: list[array[int]] = []
    seen: list[dict[str, int]] = []
    filled = 0
    rows, body = 0, 1 << 31
    rest = facts.rest if facts else {}
    plain = not percents and not errors and not rest
    known: list[dict[Any, int]] = []
    for rows, cells in enumerate(sheet.iter_rows(), start=1):
        if not rows % _OFTEN:
            yield ReadingProgress(before + rows, total)
        while len(codes) < len(cells):
            codes.append(array("i", bytes(4 * (rows - 1))))
            seen.append({"": 0})
            known.append({"": 0})
        any_text = False
        for column, cell in enumerate(cells):
            # Most cells repeat one of their column; True equals 1 as a key, so only some types are looked up.
            code = known[column].get(cell) if plain and type(cell) in _LOOKED_UP else None
            if code is None:
                place = (rows - 1, column)
                text = rest.get(place) or _text(cell, percent=place in percents) or errors.get(place, "")
                if type(cell) in {int, float}:
                    # The first row with a number is the first of the body, as far as can be told here.
                    body = min(body, rows - 1)
                code = seen[column].setdefault(text, len(seen[column]))
                if type(cell) in _LOOKED_UP:
                    known[column][cell] = code
            codes[column].append(code)
            any_text = any_text or code > 0
        for short in codes[len(cells) :]:
            short.append(0)
        if any_text:
            filled = rows
    columns: list[tuple[bytes, tuple[str, ...]]] = []
    typed = []
    for c, cells in enumerate(known):
        here, texts, as_text = _told_alike(codes[c][:filled], list(seen[c]), body)
        columns.append((here.tobytes(), texts))
        typed += [c] * (as_text and any(type(cell) is not str for cell in cells))
    return RawSheet(sheet.name, hidden, filled, len(codes), columns, facts, tuple(typed))


def _told_alike(codes: "array[int]", texts: list[str], body: int) -> "tuple[array[int], tuple[str, ...], bool]":
    """Numbers typed as text told like the others: new codes, distinct texts, and whether any stands in the body."""
    marked = [code for code, text in enumerate(texts) if text.endswith(_TYPED)]
    if not marked:
        return codes, tuple(texts), False
    below = codes[body:]
    as_text = any(code in below for code in marked)
    known: dict[str, int] = {}
    new = [known.setdefault(text.removesuffix(_TYPED), len(known)) for text in texts]
    return array("i", map(new.__getitem__, codes)), tuple(known), as_text


def _text(cell: Any, *, percent: bool) -> str:
    """A cell as the sheet shows it, numbers without needless decimals; those typed as text are marked."""
    if isinstance(cell, str):
        return cell + _TYPED if _TYPED_NUMBER.fullmatch(cell) else cell
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        if percent:
            return f"{round(cell * 100, 10):.10g}%"
        return str(int(cell)) if cell == int(cell) and abs(cell) <= _EXACT else repr(cell)
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat() if cell.time() == dt.time() else cell.isoformat(" ")
    return str(cell)
