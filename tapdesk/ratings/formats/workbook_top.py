"""The top of a large workbook, long before the rest is read; runs in the process that opens workbooks."""

import io
import zipfile
import zlib
from array import array
from collections.abc import Generator, Sequence
from dataclasses import dataclass

from tapdesk.errors import TapdeskError
from tapdesk.ratings.formats.sheet_cells import RawSheet, Reached, coded
from tapdesk.ratings.formats.sheet_scan import SheetEntry, SheetFacts, Styles, facts_of

_ROWS = 200
_BYTES = 1 << 18
# Below this a sheet is read as quickly as its top.
_SMALL = 1 << 20
_MOST_TEXTS = 32 << 20
_TEXTS = "xl/sharedStrings.xml"
_AROUND = (
    "[Content_Types].xml",
    "_rels/.rels",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    _TEXTS,
)
_END = b"</sheetData></worksheet>"


@dataclass(frozen=True, slots=True)
class FirstRows:
    """The top of a sheet, long before the rest is read: something to look at, nothing to count on."""

    rows: tuple[tuple[str, ...], ...]


def broken() -> tuple[type[Exception], ...]:
    """What a damaged workbook raises."""
    import python_calamine  # only this process opens workbooks

    return (python_calamine.CalamineError, zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError, KeyError)


def first_rows(
    archive: zipfile.ZipFile, entries: Sequence[SheetEntry], styles: Styles, wanted: str | None
) -> tuple[tuple[str, ...], ...]:
    """The first rows of the wanted sheet of an XLSX workbook, or of its first; none where that would not be early.

    Whatever is wrong with the workbook is said when all of it is read.
    """
    import python_calamine  # only this process opens workbooks

    visible = [e for e in entries if not e.hidden]
    entry = next((e for e in entries if e.name == wanted), visible[0] if visible else None)
    if entry is None:
        return ()
    try:
        top = _top(archive, entry.part)
        if not top:
            return ()
        facts = SheetFacts()
        facts_of(top, facts, styles)
        book = python_calamine.load_workbook(io.BytesIO(_small_book(archive, entry.part, top)))
        return _rows(_whole(coded(book.get_sheet_by_name(entry.name), facts)))
    except TapdeskError:
        return ()
    except broken():
        return ()


def _top(archive: zipfile.ZipFile, part: str) -> bytes:
    """The XML of a large sheet down to one of its first rows; nothing where it is small or written in another way."""
    names = set(archive.namelist())
    if part not in names or archive.getinfo(part).file_size < _SMALL:
        return b""
    if _TEXTS in names and archive.getinfo(_TEXTS).file_size > _MOST_TEXTS:
        return b""
    with archive.open(part) as stream:
        head = stream.read(_BYTES)
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        return b""
    rows = head.split(b"</row>", _ROWS)
    return b"</row>".join(rows[:-1]) + b"</row>" if len(rows) > 1 else b""


def _small_book(archive: zipfile.ZipFile, part: str, top: bytes) -> bytes:
    """A workbook of the same sheets that holds only the top of one."""
    made = io.BytesIO()
    names = set(archive.namelist())
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as small:
        for name in _AROUND:
            if name in names:
                small.writestr(name, archive.read(name))
        small.writestr(part, top + _END)
    return made.getvalue()


def _whole(run: Generator[Reached, None, RawSheet]) -> RawSheet:
    while True:
        try:
            next(run)
        except StopIteration as end:
            sheet: RawSheet = end.value
            return sheet


def _rows(sheet: RawSheet) -> tuple[tuple[str, ...], ...]:
    """The texts of a sheet, row by row."""
    codes = [array("i", told) for told, _texts in sheet.columns]
    return tuple(
        tuple(texts[codes[j][i]] for j, (_codes, texts) in enumerate(sheet.columns)) for i in range(sheet.rows)
    )
