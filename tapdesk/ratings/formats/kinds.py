"""What a file really is, by its content and never by its name."""

import io
import json
import struct
import zipfile
import zlib
from enum import Enum
from pathlib import Path
from typing import Self

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _


class Reader(Enum):
    """Who reads a kind of file, and the reading options that mean something to it: none for what tells all itself."""

    TEXT = ("encoding", "delimiter")
    PAGE = ("encoding",)
    STATISTICS = ()
    WORKBOOK = ("sheet",)


class FileKind(Enum):
    """The kinds of file that can be told apart: a new one is a row here, and what its reader does with it.

    Attributes
    ----------
    reader
        Who reads it.
    suffixes
        What names of such files end in.
    starts
        What it begins with, where that is enough to know it.
    """

    def __init__(self, _value: str, reader: Reader, suffixes: tuple[str, ...], starts: tuple[bytes, ...] = ()) -> None:
        self.reader, self.suffixes, self.starts = reader, suffixes, starts

    def __new__(cls, value: str, *_row: object) -> Self:
        """A kind by its short name."""
        kind = object.__new__(cls)
        kind._value_ = value
        return kind

    TEXT = "csv", Reader.TEXT, (".csv", ".tsv", ".tab", ".txt")
    XLSX = "xlsx", Reader.WORKBOOK, (".xlsx", ".xlsm")
    XLS = "xls", Reader.WORKBOOK, (".xls",)
    XLSB = "xlsb", Reader.WORKBOOK, (".xlsb",)
    ODS = "ods", Reader.WORKBOOK, (".ods",)
    SAV = "sav", Reader.STATISTICS, (".sav",), (b"$FL2", b"$FL3")
    DTA = "dta", Reader.STATISTICS, (".dta",), (b"<stata_dta>",)
    HTML = "html", Reader.PAGE, ()
    JSON = "json", Reader.STATISTICS, (".json", ".jsonl", ".ndjson")


_AS_CSV = _("Open it there, choose File > Save as (or Export) and save it as an Excel workbook (.xlsx) or as CSV.")
_IMAGES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\x00", b"MM\x00*", b"BM")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# What some files begin with, what they are, and what to do about it.
_OTHERS: tuple[tuple[tuple[bytes, ...], str, str], ...] = (
    (
        (b"%PDF",),
        _("This is a PDF, a picture of a table rather than a table."),
        _("Ask for the file behind it. {as_csv}").format(as_csv=_AS_CSV),
    ),
    (
        (b"{\\rtf",),
        _("This is a text document (RTF), not a table."),
        _("Copy its table into a spreadsheet and save that."),
    ),
    (
        (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!"),
        _("This file is compressed."),
        _("Unpack it and open the table that is in it."),
    ),
    (
        (b"SQLite format 3",),
        _("This is a database, such as a project of MAXQDA or NVivo, not a table."),
        _("Export the table with the ratings, such as the coded segments of each coder, as CSV or Excel."),
    ),
    (
        (b"#FORMAT=WebAnno",),
        _("These are annotations of words in a text by INCEpTION or WebAnno, not ratings of cases."),
        _("Write one row for each document, annotator and label, and open that table."),
    ),
    ((b"PAR1", b"Obj\x01", b"ARROW1"), _("This is a data file of another program."), _("Export its table as CSV.")),
)
# What the zip module raises on bytes that are no whole zip; NotImplementedError is its word for an unknown packing.
BROKEN_ZIP = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(NotImplementedError, RuntimeError, EOFError, ValueError, OverflowError),
)
MOST_UNPACKED = 512 << 20
MOST_RATIO = 200


def file_kind(raw: bytes, name: str) -> FileKind:
    """What a file is.

    Raises
    ------
    TapdeskError
        When it is something that holds no table the program reads, saying how to save one.
    """
    head = raw[:4096]
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:512].lower()
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _packed(raw, name)
    if head.startswith(_OLE):
        return _compound(raw, name)
    if head.startswith(_IMAGES) or head[4:12] in {b"ftypheic", b"ftypheix", b"ftypmif1"} or head[8:12] == b"WEBP":
        raise TapdeskError(
            _("This is a photo or picture, not a table."), name, _("Type the ratings into a spreadsheet and open that.")
        )
    for starts, what, fix in _OTHERS:
        if head.startswith(starts):
            raise TapdeskError(what, name, fix)
    known = next((kind for kind in FileKind if kind.starts and head.startswith(kind.starts)), None)
    if known is not None:
        return known
    if name.lower().endswith(".dta") and head[:1] and 104 <= head[0] <= 119:
        return FileKind.DTA
    if start.startswith(b"<?xml"):
        _refuse_xml(head.lower(), name)
    if start.startswith((b"<html", b"<!doctype html", b"<table", b"<head", b"<meta")) or b"<table" in start:
        return FileKind.HTML
    if start.startswith(b"{") and b"docs.google.com" in head:
        raise TapdeskError(
            _("This is a shortcut to a Google Sheet; the ratings are not in it."),
            name,
            _("Open the sheet in the browser, choose File > Download > Microsoft Excel (.xlsx), and open that."),
        )
    named = name.lower().endswith(FileKind.JSON.suffixes)
    is_json = start.startswith((b"{", b"[")) and (named or _is_json(raw))
    return FileKind.JSON if is_json else FileKind.TEXT


def _refuse_xml(head: bytes, name: str) -> None:
    """Refuse what is told as XML and is known: an old spreadsheet, or codes of a program for qualitative data."""
    if b"urn:qda-xml" in head or b"<codebook" in head:
        raise TapdeskError(
            _("This is a list of codes of a program for qualitative data (REFI-QDA), without ratings."),
            name,
            _("Export the codes of each coder as a table (Excel or CSV) from that program, and open the table."),
        )
    if b"http://www.omg.org/xmi" in head and b"uima" in head:
        from tapdesk.ratings.formats.json_exports import marked_words  # start-up cost: few files are annotations

        raise marked_words(name)
    if b"spreadsheet" in head:
        raise TapdeskError(
            _("This is an old XML spreadsheet."),
            name,
            _("It opens in Excel or LibreOffice. {as_csv}").format(as_csv=_AS_CSV),
        )


def _is_json(raw: bytes) -> bool:
    """Whether a file is one JSON value with parts, or one such value in each line."""
    for text in (raw, raw.lstrip().split(b"\n", 1)[0]):
        try:
            if isinstance(json.loads(text.decode("utf-8-sig")), dict | list):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _compound(raw: bytes, name: str) -> FileKind:
    """The older container of Microsoft: a workbook, a locked workbook, or something else."""
    if "EncryptedPackage".encode("utf-16-le") in raw or "DataSpaces".encode("utf-16-le") in raw:
        raise TapdeskError(
            _("{name} has a password or is protected by rights management.").format(name=name),
            name,
            _("Open it in Excel, remove the password (File > Info > Protect Workbook), save, and try again."),
        )
    if any(word.encode("utf-16-le") in raw for word in ("Workbook", "Book")):
        return FileKind.XLS
    raise TapdeskError(
        _("This is a document of an older Office program, not a workbook."),
        name,
        _("It opens in the program it comes from. {as_csv}").format(as_csv=_AS_CSV),
    )


def _packed(raw: bytes, name: str) -> FileKind:
    """A zip file: a workbook of some kind, checked for its unpacked size before anything is unpacked."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            entries = archive.infolist()
            names = {e.filename for e in entries}
            mime = b""
            if "mimetype" in names:
                with archive.open("mimetype") as part:
                    mime = part.read(100)  # not all of it: its size is not checked yet
    except (*BROKEN_ZIP, OSError):
        raise damage_refusal(name) from None
    unpacked = sum(e.file_size for e in entries)
    ratio = unpacked / max(len(raw), 1)
    if unpacked > MOST_UNPACKED or (ratio > MOST_RATIO and unpacked > 50 << 20):
        raise TapdeskError(
            _(
                "Unpacked, this workbook would take {unpacked:,.0f} MB from {raw:,.1f} MB; at most "
                "{most_unpacked} MB are opened."
            ).format(unpacked=unpacked / 2**20, raw=len(raw) / 2**20, most_unpacked=MOST_UNPACKED >> 20),
            name,
            _("Save only the sheet with the ratings, as CSV if it is really that large."),
        )
    if "xl/workbook.xml" in names:
        return FileKind.XLSX
    if "xl/workbook.bin" in names:
        return FileKind.XLSB
    if b"opendocument.spreadsheet" in mime:
        return FileKind.ODS
    if any(n.startswith("Index/") and n.endswith(".iwa") for n in names) or "Index.zip" in names:
        raise TapdeskError(
            _("This is an Apple Numbers document."),
            name,
            _("Open it in Numbers, choose File > Export To > Excel, and open the exported file."),
        )
    if b"opendocument" in mime or "word/document.xml" in names or "ppt/presentation.xml" in names:
        raise TapdeskError(
            _("This is a text document or a presentation, not a workbook."),
            name,
            _("Copy its table into a spreadsheet and save that."),
        )
    if "[Content_Types].xml" in names:
        raise damage_refusal(name)
    _refuse_projects(names, name)
    raise TapdeskError(
        _("This is a zip file without a workbook inside."), name, _("Unpack it and open the table that is in it.")
    )


def _refuse_projects(names: set[str], name: str) -> None:
    """Refuse the packed projects of other programs, by what is in them."""
    if "project.qde" in names or any(n.endswith(".qde") for n in names):
        raise TapdeskError(
            _("This is a project of a program for qualitative data (REFI-QDA), not a table."),
            name,
            _("Export the codes of each coder as a table (Excel or CSV) from that program, and open the table."),
        )
    if any(n.endswith(("CURATION_USER.tsv", "INITIAL_CAS.tsv", "exportedproject.json")) for n in names):
        raise TapdeskError(
            _("This is a project of the annotation program INCEpTION, not a table."),
            name,
            _("Write one row for each document, annotator and label, and open that table."),
        )


def damage_refusal(name: str) -> TapdeskError:
    """The refusal of a workbook that breaks off."""
    return TapdeskError(
        _("The workbook is damaged or was not copied completely."),
        name,
        _("Copy or download it again, or open it in Excel or LibreOffice and save it again."),
    )


RECORD_SUFFIX = "-how-it-was-made.csv"
"""What the record of a table of ours is called after the name of the table."""


def record_of(path: Path) -> Path:
    """Where the record of a CSV that this program wrote stands."""
    return path.with_name(f"{path.stem}{RECORD_SUFFIX}")
