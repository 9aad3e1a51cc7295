"""One kind of long work in the window: at most one run counts, whatever threads are still winding down."""

import time
from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from tapdesk.gui.running.courtesy import BEAT, FIRST
from tapdesk.gui.running.drive import Drive
from tapdesk.gui.running.worker import Worker
from tapdesk.progress import Run, Step


class Job(QObject):
    """Starts workers and passes on what the newest one says; the others are asked to stop and not listened to.

    Parameters
    ----------
    keeps
        Whether a run that is cancelled stays as far as it came, to be gone on with.

    Attributes
    ----------
    started, stepped, done, cancelled, failed
        As the worker's. After ``cancel`` nothing more is heard of the run, however long its thread still needs.
    stopped
        The run that was cancelled last, where it was kept.
    resumed
        Whether the newest run is one that was gone on with.
    """

    started = Signal()
    stepped = Signal(object)
    done = Signal(object)
    cancelled = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None, *, keeps: bool = False) -> None:
        super().__init__(parent)
        self._keeps = keeps
        self.stopped: Drive | None = None
        self.resumed = False
        self._worker: Worker | None = None
        self._leaving: list[Worker] = []
        self._began = 0.0
        self.last: Step | None = None
        self._pulse = QTimer(self)
        self._pulse.setTimerType(Qt.TimerType.PreciseTimer)
        self._pulse.setInterval(BEAT)
        self._pulse.timeout.connect(FIRST.beat)

    @property
    def running(self) -> bool:
        """Whether a run is under way that counts."""
        return self._worker is not None

    @property
    def seconds(self) -> float:
        """How long the newest run has taken, without the time it stood still."""
        return time.monotonic() - self._began

    def start(self, work: Run[Any], rest: int = 0) -> None:
        """Drive a run, after a rest of some milliseconds; one that was under way is dropped without a word."""
        self.resumed = False
        self._drive(Drive(work), rest)

    def go_on(self, drive: Drive) -> None:
        """Go on with a run that was cancelled and kept."""
        self.resumed = True
        self._drive(drive, 0)

    def _drive(self, drive: Drive, rest: int) -> None:
        self._drop()
        self.stopped = None
        worker = Worker(drive, self, rest)
        worker.stepped.connect(self._on_stepped)
        worker.done.connect(self._on_done)
        worker.cancelled.connect(self._on_cancelled)
        worker.failed.connect(self._on_failed)
        worker.finished.connect(self._on_finished)
        self._worker, self.last, self._began = worker, drive.last, time.monotonic() - drive.seconds
        self.started.emit()
        self._pulse.start()
        worker.start()

    def cancel(self) -> None:
        """Stop counting on the run at once; its thread ends at its next step."""
        if self._worker is not None:
            if self._keeps:
                self.stopped, self._worker.keeps = self._worker.drive, True
            self._drop()
            self.cancelled.emit()

    def wait(self, milliseconds: int) -> bool:
        """Wait for all threads, as a window does that closes; whether they ended in time."""
        workers = [*self._leaving, *([self._worker] if self._worker else [])]
        until = time.monotonic() + milliseconds / 1000
        return all(w.wait(max(0, int((until - time.monotonic()) * 1000))) for w in workers)

    def _drop(self) -> None:
        if self._worker is not None:
            self._worker.requestInterruption()
            self._leaving.append(self._worker)
            self._worker = None

    def _counts(self) -> bool:
        return self._worker is not None and self.sender() is self._worker

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        if self._counts():
            self.last = steps[-1]
            with FIRST.going():
                self.stepped.emit(steps)

    @Slot(object)
    def _on_done(self, result: Any) -> None:
        if self._counts():
            self._retire()
            with FIRST.going():
                self.done.emit(result)

    @Slot()
    def _on_cancelled(self) -> None:
        if self._counts():
            self._retire()
            self.cancelled.emit()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if self._counts():
            self._retire()
            with FIRST.going():
                self.failed.emit(error)

    def _retire(self) -> None:
        if self._worker is not None:
            self._leaving.append(self._worker)
            self._worker = None

    @Slot()
    def _on_finished(self) -> None:
        worker = self.sender()
        if isinstance(worker, Worker):
            if worker in self._leaving:
                self._leaving.remove(worker)
            worker.deleteLater()
            if self._worker is None and not self._leaving:
                self._pulse.stop()
                FIRST.beats_no_more()


def stop_all(jobs: Iterable[Job], milliseconds: int) -> bool:
    """Stop several jobs at once; whether all their threads ended in the time given for them together."""
    stopped = tuple(jobs)
    for job in stopped:
        job.cancel()
    until = time.monotonic() + milliseconds / 1000
    return all(job.wait(max(0, int((until - time.monotonic()) * 1000))) for job in stopped)
