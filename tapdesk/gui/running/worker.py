"""A thread that drives one long computation and tells the window about it."""

import time
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from tapdesk.gui.running.courtesy import FIRST
from tapdesk.gui.running.drive import Drive
from tapdesk.progress import Run, Step

# Twenty batches a second are smooth to the eye and leave the event loop free.
BATCH_SECONDS = 0.05


class Worker(QThread):
    """Drives a run to its end, in a thread of its own.

    The thread sees nothing but the run; between two steps it looks whether it is asked to stop. All signals must be
    connected to slots of QObjects that live in the thread of the window: anything else is called in this thread.

    Attributes
    ----------
    stepped
        A tuple of steps, at most twenty times in a second of its own, in order and without a gap.
    done, cancelled, failed
        Exactly one of them follows, after the last steps: the result, nothing, or the exception.
    drive
        The run and how far it is.
    keeps
        Whether the run stays open when the thread is asked to stop.
    """

    stepped = Signal(object)
    done = Signal(object)
    cancelled = Signal()
    failed = Signal(object)

    def __init__(self, work: Run[Any] | Drive, parent: QObject | None = None, rest: int = 0) -> None:
        super().__init__(parent)
        self.drive = work if isinstance(work, Drive) else Drive(work)
        self.keeps, self._rest = False, rest
        self._batch: list[Step] = []
        self._sent = 0.0

    def run(self) -> None:
        """Drive the run, after a rest of some milliseconds; Qt calls this in the new thread."""
        if self._rest:
            self.msleep(self._rest)
        error: BaseException | None = None
        finished, result = False, None
        try:
            finished, result = self._drive()
        # Whatever a computation raises must reach the window, which knows what is a user's matter and what a bug.
        except BaseException as raised:
            error = raised
        self._flush()
        if error is not None:
            self.failed.emit(error)
        elif finished:
            self.done.emit(result)
        else:
            self.cancelled.emit()

    def _drive(self) -> tuple[bool, Any]:
        """Whether the run came to its end, and its result."""
        while not self.drive.take():
            if self.isInterruptionRequested():
                return False, None
        try:
            while not self.isInterruptionRequested():
                # Its own time counts: pictures that take long must not leave it one step between two of them.
                self._sent += FIRST.give_way()
                step = self.drive.step()
                if step is None:
                    return True, self.drive.result
                self._batch.append(step)
                if time.monotonic() - self._sent >= BATCH_SECONDS:
                    self._flush()
            return False, None
        finally:
            self.drive.leave(keep=self.keeps)

    def _flush(self) -> None:
        if self._batch:
            batch, self._batch = tuple(self._batch), []
            self._sent = time.monotonic()
            self.stepped.emit(batch)
