"""Runs in a process of its own: opens a workbook under a memory limit and sends back its cells.

A hostile workbook may end this process; it never ends the program.
"""

import contextlib
import io
import zipfile
import zlib
from array import array
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.processes import obey_the_system, told_apart
from tapdesk.ratings.formats.kinds import damage_refusal
from tapdesk.ratings.formats.sheets import (
    RawSheet,
    ReadingProgress,
    SheetEntry,
    SheetFacts,
    Styles,
    code_sheet,
    facts_of,
    refuse_entities,
    scan,
    sheet_entries,
    styles_of,
)

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


def _damage_errors() -> tuple[type[Exception], ...]:
    """What a damaged workbook raises."""
    import python_calamine  # only this process opens workbooks

    return (python_calamine.CalamineError, zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError, KeyError)


def _first_rows(
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
        return _rows(_whole(code_sheet(book.get_sheet_by_name(entry.name), facts)))
    except TapdeskError:
        return ()
    except _damage_errors():
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


def _whole(run: Generator[ReadingProgress, None, RawSheet]) -> RawSheet:
    while True:
        try:
            next(run)
        except StopIteration as end:
            sheet: RawSheet = end.value
            return sheet


def _rows(sheet: RawSheet) -> tuple[tuple[str, ...], ...]:
    """The texts of a sheet, row by row."""
    codes = [array("i", sentence) for sentence, _texts in sheet.columns]
    return tuple(
        tuple(texts[codes[j][i]] for j, (_codes, texts) in enumerate(sheet.columns)) for i in range(sheet.rows)
    )


MEMORY = 3 << 30


def serve(connection: Connection, raw: bytes, name: str, form: str, wanted: str | None) -> None:
    """Open a workbook and send its sheets one by one, then None; a refusal is sent as its three parts.

    Before them go the first rows of the wanted sheet, where they can be had early, and between them how far it is.
    """
    obey_the_system()
    _limit_memory()
    # An error of the line says that the program is gone: nobody is left to be told.
    with contextlib.suppress(BrokenPipeError, ConnectionError):
        _send_sheets(connection, raw, name, form, wanted)
    connection.close()


def _send_sheets(connection: Connection, raw: bytes, name: str, form: str, wanted: str | None) -> None:
    try:
        for part in sheets(raw, name, is_xlsx=form == "xlsx", wanted=wanted):
            connection.send(part)
        connection.send(None)
    except ConnectionError:
        raise
    except TapdeskError as refusal:
        connection.send(refusal.args)
    except MemoryError:
        connection.send(too_large(name).args)
    except _damage_errors() as problem:
        connection.send(_unreadable(name, problem).args)
    except Exception as bug:
        # It is raised in the program: here there is nobody to read it.
        connection.send(told_apart(bug))
        raise SystemExit(1) from bug
    except BaseException as panic:
        # What the reader's own language calls a panic is no Exception, and has no name to catch it by.
        if type(panic).__name__ != "PanicException":
            raise
        connection.send(damage_refusal(name).args)


def sheets(
    raw: bytes, name: str, *, is_xlsx: bool, wanted: str | None = None
) -> Iterator[RawSheet | FirstRows | ReadingProgress]:
    """The sheets of a workbook, one by one, and what can be told meanwhile."""
    import python_calamine  # only this process opens workbooks

    entries, styles, archive = [], Styles(), None
    if is_xlsx:
        archive = zipfile.ZipFile(io.BytesIO(raw))
        entries = sheet_entries(archive, name)
        refuse_entities(archive, name)
        styles = styles_of(archive, name)
        top = _first_rows(archive, entries, styles, wanted)
        if top:
            yield FirstRows(top)
    parts = {e.name: e.part for e in entries}
    facts = {n: scan(archive, part, name, styles) for n, part in parts.items()} if archive is not None else {}
    book = python_calamine.load_workbook(io.BytesIO(raw))
    visible = python_calamine.SheetVisibleEnum.Visible
    worksheets = [m for m in book.sheets_metadata if m.typ == python_calamine.SheetTypeEnum.WorkSheet]
    if not worksheets:
        raise TapdeskError(_("The workbook has no sheet with cells."), name, _("Choose another file."))
    total = sum(f.rows for f in facts.values())
    before = 0
    for meta in worksheets:
        sheet = book.get_sheet_by_name(meta.name)
        hidden = meta.visible != visible
        whole = yield from code_sheet(sheet, facts.get(meta.name), hidden=hidden, before=before, total=total)
        before += whole.rows
        yield whole


def _limit_memory() -> None:
    """Cap the memory of this process where the system can."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource  # not on Windows

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        # An abort on lack of memory is expected here and leaves no core file.
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def too_large(name: str) -> TapdeskError:
    """The refusal of a workbook that needs more memory than is allowed."""
    return TapdeskError(
        _("Opening the workbook needs more than {memory} GB of memory.").format(memory=MEMORY >> 30),
        name,
        _("Delete empty rows and columns around the table, or save the sheet as CSV."),
    )


def _unreadable(name: str, problem: Exception) -> TapdeskError:
    """The refusal of a workbook that the reader does not understand."""
    if "assword" in type(problem).__name__ + str(problem):
        return TapdeskError(
            _("{name} has a password.").format(name=name),
            name,
            _("Open it in Excel, remove the password (File > Info > Protect Workbook), save, and try again."),
        )
    return damage_refusal(name)
