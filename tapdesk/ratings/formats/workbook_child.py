"""Runs in a process of its own: opens a workbook under a memory limit and sends back its cells.

A hostile workbook may end this process; it never ends the program.
"""

import contextlib
import io
import zipfile
from collections.abc import Iterator
from multiprocessing.connection import Connection

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.processes import obey_the_system, told_apart
from tapdesk.ratings.formats.sheet_cells import RawSheet, Reached, coded
from tapdesk.ratings.formats.sheet_scan import Styles, refuse_entities, scan, sheet_entries, styles_of
from tapdesk.ratings.formats.workbook_top import FirstRows, broken, first_rows

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
    except broken() as problem:
        connection.send(unreadable(name, problem).args)
    except Exception as bug:
        # It is raised in the program: here there is nobody to read it.
        connection.send(told_apart(bug))
        raise SystemExit(1) from bug


def sheets(
    raw: bytes, name: str, *, is_xlsx: bool, wanted: str | None = None
) -> Iterator[RawSheet | FirstRows | Reached]:
    """The sheets of a workbook, one by one, and what can be told meanwhile."""
    import python_calamine  # only this process opens workbooks

    entries, styles, archive = [], Styles(), None
    if is_xlsx:
        archive = zipfile.ZipFile(io.BytesIO(raw))
        entries = sheet_entries(archive, name)
        refuse_entities(archive, name)
        styles = styles_of(archive, name)
        top = first_rows(archive, entries, styles, wanted)
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
        whole = yield from coded(sheet, facts.get(meta.name), hidden=hidden, before=before, total=total)
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


def unreadable(name: str, problem: Exception) -> TapdeskError:
    """The refusal of a workbook that the reader does not understand."""
    if "assword" in type(problem).__name__ + str(problem):
        return TapdeskError(
            _("{name} has a password.").format(name=name),
            name,
            _("Open it in Excel, remove the password (File > Info > Protect Workbook), save, and try again."),
        )
    return TapdeskError(
        _("The workbook is damaged or was not copied completely."),
        name,
        _("Copy or download it again, or open it in Excel or LibreOffice and save it again."),
    )
