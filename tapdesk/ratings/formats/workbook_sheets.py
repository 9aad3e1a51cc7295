"""The sheets of a workbook, as another process reads and sends them."""

import multiprocessing
import signal
import time
from collections.abc import Generator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.processes import start_quietly
from tapdesk.progress import Step
from tapdesk.ratings.formats.kinds import Kind
from tapdesk.ratings.formats.sheet_cells import RawSheet, Reached
from tapdesk.ratings.formats.workbook_child import serve, too_large
from tapdesk.ratings.formats.workbook_top import FirstRows

_LAST_WORDS = 5.0


def sheets_of(
    raw: bytes, name: str, kind: Kind, wanted: str | None, seconds: float
) -> Generator[Step, None, list[RawSheet]]:
    """All sheets, from the process that opens the workbook; it is ended when it takes too long or the run is closed.

    The first rows of a large one come early, among the values of a step.

    Raises
    ------
    TapdeskError
        When the workbook cannot be opened, needs too much memory or too long.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=serve, args=(theirs, raw, name, kind.value, wanted), daemon=True)
    start_quietly(process)
    try:
        theirs.close()
        return (yield from _received(process, ours, name, seconds))
    finally:
        ours.close()
        process.kill()
        process.join()
        process.close()


def _received(
    process: SpawnProcess, ours: Connection, name: str, seconds: float
) -> Generator[Step, None, list[RawSheet]]:
    """What the other process sends, until it says that this was all."""
    sheets: list[RawSheet] = []
    reached = Reached(0, 0)
    end = time.monotonic() + seconds
    while True:
        while not ours.poll(0.02):
            if time.monotonic() > end:
                raise TapdeskError(
                    _("Opening the workbook takes more than {seconds:.0f} seconds; it was stopped.").format(
                        seconds=seconds
                    ),
                    name,
                    _("Delete what is not needed, or save the sheet as CSV."),
                )
            yield Step(reached.done, reached.total, "read")
        try:
            message = ours.recv()
        except (EOFError, ConnectionError):
            process.join(_LAST_WORDS)
            raise _ended_early(process.exitcode, name) from None
        if message is None:
            return sheets
        if isinstance(message, BaseException):
            raise message
        if isinstance(message, tuple):
            raise TapdeskError(*message)
        if isinstance(message, FirstRows):
            yield Step(0, 0, "read", MappingProxyType({"first": message.rows}))
            continue
        if isinstance(message, Reached):
            reached = message
        else:
            sheets.append(message)
        yield Step(reached.done, reached.total, "read")


def _ended_early(status: int | None, name: str) -> TapdeskError:
    """What is said of a process that is gone without an answer: aborted where memory is short, ended, not started."""
    if status is not None and -status == signal.SIGABRT:
        return too_large(name)
    return TapdeskError(
        _("The process that opens workbooks was ended before it had answered (exit code {status}).").format(
            status=status
        ),
        name,
        _("Try again; if that happens once more, memory may be short: close other programs, or save the sheet as CSV."),
    )
