"""Runs in a process of its own: opens a workbook under a memory limit and sends back its cells.

A hostile workbook may end this process; it never ends the program.
"""

import contextlib
import datetime as dt
import io
import zipfile
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from tapdesk.errors import TapdeskError
from tapdesk.ratings.formats.sheet_scan import SheetFacts, percent_styles, scan, sheet_entries

MEMORY = 3 << 30
_LOOKED_UP = frozenset({str, float, int})


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
    dates
        Cells that hold dates or times.
    facts
        What the XML says; None where the format does not tell.
    """

    name: str
    hidden: bool
    rows: int
    width: int
    columns: list[tuple[bytes, tuple[str, ...]]]
    dates: list[tuple[int, int]]
    facts: SheetFacts | None


def serve(connection: Connection, raw: bytes, name: str, form: str) -> None:
    """Open a workbook and send its sheets one by one, then None; a refusal is sent as its three parts."""
    _limit_memory()
    try:
        for sheet in sheets(raw, name, is_xlsx=form == "xlsx"):
            connection.send(sheet)
        connection.send(None)
    except TapdeskError as refusal:
        connection.send(refusal.args)
    except MemoryError:
        connection.send(too_large(name).args)
    except _broken() as problem:
        connection.send(unreadable(name, problem).args)
    finally:
        connection.close()


def _broken() -> tuple[type[Exception], ...]:
    """What a damaged workbook raises."""
    import python_calamine  # only this process opens workbooks

    return (python_calamine.CalamineError, zipfile.BadZipFile, zlib.error, OSError, ValueError, EOFError, KeyError)


def sheets(raw: bytes, name: str, *, is_xlsx: bool) -> Iterator[RawSheet]:
    """The sheets of a workbook, one by one."""
    import python_calamine  # only this process opens workbooks

    entries, percents, archive = [], frozenset[int](), None
    if is_xlsx:
        archive = zipfile.ZipFile(io.BytesIO(raw))
        entries = sheet_entries(archive, name)
        percents = percent_styles(archive, name)
    parts = {e.name: e.part for e in entries}
    facts = {n: scan(archive, part, name, percents) for n, part in parts.items()} if archive is not None else {}
    book = python_calamine.load_workbook(io.BytesIO(raw))
    visible = python_calamine.SheetVisibleEnum.Visible
    worksheets = [m for m in book.sheets_metadata if m.typ == python_calamine.SheetTypeEnum.WorkSheet]
    if not worksheets:
        raise TapdeskError("The workbook has no sheet with cells.", name, "Choose another file.")
    for meta in worksheets:
        sheet = book.get_sheet_by_name(meta.name)
        yield _coded(sheet, facts.get(meta.name), hidden=meta.visible != visible)


def _coded(sheet: Any, facts: SheetFacts | None, *, hidden: bool) -> RawSheet:
    """The cells of a sheet as codes and distinct texts."""
    percents = facts.percents if facts else set()
    errors = {(r, c): text for r, c, text in facts.errors} if facts else {}
    codes: list[array[int]] = []
    seen: list[dict[str, int]] = []
    dates: list[tuple[int, int]] = []
    filled = 0
    rows = 0
    plain = not percents and not errors
    known: list[dict[Any, int]] = []
    for rows, cells in enumerate(sheet.iter_rows(), start=1):
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
                text = _text(cell, percent=place in percents) or errors.get(place, "")
                if isinstance(cell, (dt.date, dt.time, dt.timedelta)):
                    dates.append(place)
                code = seen[column].setdefault(text, len(seen[column]))
                if type(cell) in _LOOKED_UP:
                    known[column][cell] = code
            codes[column].append(code)
            any_text = any_text or code > 0
        for short in codes[len(cells) :]:
            short.append(0)
        if any_text:
            filled = rows
    columns = [(codes[c][:filled].tobytes(), tuple(seen[c])) for c in range(len(codes))]
    return RawSheet(sheet.name, hidden, filled, len(codes), columns, dates, facts)


def _text(cell: Any, *, percent: bool) -> str:
    """A cell as the sheet shows it, numbers without needless decimals."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, (int, float)):
        if percent:
            return f"{round(cell * 100, 10):.10g}%"
        return str(int(cell)) if cell == int(cell) and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, dt.datetime):
        return cell.date().isoformat() if cell.time() == dt.time() else cell.isoformat(" ")
    return str(cell)


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
        f"Opening the workbook needs more than {MEMORY >> 30} GB of memory.",
        name,
        "Delete empty rows and columns around the table, or save the sheet as CSV.",
    )


def unreadable(name: str, problem: Exception) -> TapdeskError:
    """The refusal of a workbook that the reader does not understand."""
    if "assword" in type(problem).__name__ + str(problem):
        return TapdeskError(
            f"{name} has a password.",
            name,
            "Open it in Excel, remove the password (File > Info > Protect Workbook), save, and try again.",
        )
    return TapdeskError(
        "The workbook is damaged or was not copied completely.",
        name,
        "Copy or download it again, or open it in Excel or LibreOffice and save it anew.",
    )
