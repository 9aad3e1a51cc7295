"""The sheets of a workbook, as another process reads and sends them."""

import multiprocessing
import time
from collections.abc import Generator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
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
    process.start()
    theirs.close()
    try:
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
        except EOFError:
            process.join(_LAST_WORDS)
            if process.exitcode == 1:
                raise RuntimeError(
                    "the process that opens workbooks failed; what failed stands on its terminal"
                ) from None
            raise too_large(name) from None
        if message is None:
            return sheets
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
