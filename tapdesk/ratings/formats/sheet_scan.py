"""What a workbook knows about its cells that reading values does not tell, from the XML itself, as a stream."""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from defusedxml import ElementTree
from defusedxml.common import DefusedXmlException

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _

MOST_CELLS = 60_000_000
_CHUNK = 4 << 20
_MOST_LISTED = 200_000
_TEXTS = "xl/sharedStrings.xml"
_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
# What every piece is searched with, in the way almost all programs write; it takes a fifth of the time.
_PLAIN_ROW = re.compile(rb"<row\b([^>]*)>")
_FAR_COLUMN = re.compile(rb'"([A-Z]{2,3})\d+"')
_FAR_CELL = re.compile(rb'"[A-Z]{1,3}(\d{6,7})"')
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
        As in :class:`tapdesk.ratings.grid.Grid`.
    filtered
        Whether a filter is active.
    rows
        The last row that has an entry, counted from 1.
    """

    formulas: list[tuple[int, int]] = field(default_factory=list)
    errors: list[tuple[int, int, str]] = field(default_factory=list)
    percents: set[tuple[int, int]] = field(default_factory=set)
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[int] = field(default_factory=list)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    filtered: bool = False
    rows: int = 0


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


def percent_styles(archive: zipfile.ZipFile, name: str) -> frozenset[int]:
    """The numbers of the cell formats that show per cent."""
    if "xl/styles.xml" not in archive.namelist():
        return frozenset()
    root = _tree(archive, "xl/styles.xml", name)
    codes = {9, 10}
    styles: list[int] = []
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag == "numFmt" and "%" in element.get("formatCode", ""):
            codes.add(int(element.get("numFmtId", "-1")))
        if tag == "cellXfs":
            styles = [int(x.get("numFmtId", "0")) for x in element]
    return frozenset(i for i, code in enumerate(styles) if code in codes)


def scan(archive: zipfile.ZipFile, part: str, name: str, percents: frozenset[int]) -> SheetFacts:
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
            raise forbidden(name)
        rows = (_ROW if b":row" in piece else _PLAIN_ROW).findall(piece)
        for attributes in rows:
            number = _NUMBER.search(attributes)
            row = int(number.group(1)) if number else far_row + 1
            far_row = max(far_row, row)
            if b"hidden" in attributes and _HIDDEN.search(attributes) and len(facts.hidden_rows) < _MOST_LISTED:
                facts.hidden_rows.append(row - 1)
        far_column = max([far_column, *map(_column, set(_FAR_COLUMN.findall(piece)))])
        far_row = max([far_row, *map(int, set(_FAR_CELL.findall(piece)))])
        if (far_column + 1) * far_row > MOST_CELLS:
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
        facts_of(piece, facts, percents)
    facts.rows = far_row
    return facts


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
        raise forbidden(name)


def forbidden(name: str) -> TapdeskError:
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


def facts_of(piece: bytes, facts: SheetFacts, percents: frozenset[int]) -> None:
    """Collect formulas, errors, formats, hidden columns, merged cells and filters of one piece.

    Most pieces have none of them: looking for a plain text is many times quicker than for a pattern.
    """
    if (b"<f" in piece or b":f" in piece) and _FORMULA.search(piece):
        facts.formulas.extend(_uncalculated(piece))
    if b't="e"' in piece:
        for attributes, inside in _ERROR.findall(piece):
            found = _VALUE.search(inside)
            facts.errors.append((*_place(attributes), found.group(1).decode("utf-8", "replace") if found else "#ERROR"))
    if percents:
        for attributes, style in _STYLE.findall(piece):
            if int(style) in percents:
                facts.percents.add(_place(attributes))
    for attributes in _COLUMN.findall(piece) if b"hidden" in piece else ():
        ends = {k: int(v) for k, v in re.findall(rb'\b(min|max)="(\d+)"', attributes)}
        if _HIDDEN.search(attributes) and len(ends) == 2:
            facts.hidden_columns.extend(range(ends[b"min"] - 1, min(ends[b"max"], 16384)))
    for left, top, right, bottom in _MERGED.findall(piece) if b"mergeCell" in piece else ():
        facts.merged.append((int(top) - 1, _column(left), int(bottom) - 1, _column(right)))
    facts.filtered = facts.filtered or (b"utoFilter" in piece and bool(_FILTER.search(piece)))


def _uncalculated(piece: bytes) -> Iterator[tuple[int, int]]:
    """The cells whose formula has no result; an empty text is a result."""
    for attributes, inside in _CELL.findall(piece):
        if not _FORMULA.search(inside) or _INLINE.search(inside):
            continue
        found = _VALUE.search(inside)
        if found is None or (not found.group(1) and b't="str"' not in attributes):
            yield _place(attributes)


def _place(attributes: bytes) -> tuple[int, int]:
    found = _PLACE.search(attributes)
    return (int(found.group(2)) - 1, _column(found.group(1))) if found else (0, 0)


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
        raise forbidden(name) from None
    except (KeyError, ElementTree.ParseError):
        raise TapdeskError(
            _("The workbook is damaged: its list of sheets cannot be read."),
            name,
            _("Open it in Excel or LibreOffice and save it again."),
        ) from None
