"""One kind of long work in the window: at most one run counts, whatever threads are still winding down."""

import logging
import time
from collections.abc import Iterable
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot

from tapdesk.errors import explanation
from tapdesk.gui.runs.gui_priority import BEAT, GUI_PRIORITY
from tapdesk.progress import Run, Step

_LOOK = 0.05  # seconds between two looks whether the thread before has left the run
# Twenty batches a second are smooth to the eye and leave the event loop free.
BATCH_SECONDS = 0.05
# Which work ran and how it ended: names of our functions and times, nothing of what was worked on.
RUNS = logging.getLogger("tapdesk.runs")
RUNS.addHandler(logging.NullHandler())


def note(**fields: object) -> None:
    """Write a line into the log of runs, as ``run=fitting.climb.fit end=done seconds=0.42``."""
    RUNS.info(" ".join(f"{name}={value}" for name, value in fields.items()))


class ResumableRun:
    """One run, driven by one thread at a time.

    Attributes
    ----------
    last
        The newest step; None before the first.
    seconds
        How long it has been driven, without the time it stood still.
    """

    def __init__(self, work: Run[Any]) -> None:
        self._work = work
        self._left = Event()
        self._left.set()
        self._ended = False
        self._result: Any = None
        self._error: BaseException | None = None
        self._began = 0.0
        self.last: Step | None = None
        self.seconds = 0.0

    def take(self) -> bool:
        """Take the run over, if the thread that had it has left it by now; else whether it did so within a moment."""
        if not self._left.wait(_LOOK):
            return False
        self._left.clear()
        self._began = time.monotonic()
        return True

    def leave(self, *, keep: bool) -> None:
        """Let go of the run; it is closed, unless it is kept to be gone on with."""
        self.seconds += time.monotonic() - self._began
        try:
            if not keep:
                self._work.close()
        finally:
            self._left.set()

    def step(self) -> Step | None:
        """The next step; None when the run is at its end."""
        if self._error is not None:
            raise self._error
        if not self._ended:
            try:
                self.last = next(self._work)
            except StopIteration as end:
                self._ended, self._result = True, end.value
            except BaseException as error:
                # Told again to whoever goes on with it: a run cannot be driven beyond its mistake. What is no bug of
                # ours is a sentence; it is raised below, so that it does not hold what had filled the memory.
                self._error = explanation(error) or error
            else:
                return self.last
        if self._error is not None:
            raise self._error
        return None

    @property
    def name(self) -> str:
        """The function of ours that is run, as ``fitting.climb.fit``."""
        code = getattr(self._work, "gi_code", None)
        if code is None:
            return type(self._work).__name__
        parts = code.co_filename.replace("\\", "/").removesuffix(".py").split("/")
        # Never the folder the program lies in, which may be called after its user.
        ours = len(parts) - parts[::-1].index("tapdesk") if "tapdesk" in parts else len(parts) - 1
        return ".".join((*parts[ours:], code.co_qualname))

    @property
    def result(self) -> Any:
        """What the run returned; once ``step`` was None."""
        return self._result


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

    stepped = Signal(tuple)
    # Each run has a result of its own type.
    done = Signal(object)
    cancelled = Signal()
    failed = Signal(BaseException)

    def __init__(self, work: Run[Any] | ResumableRun, parent: QObject | None = None, rest: int = 0) -> None:
        super().__init__(parent)
        self.drive = work if isinstance(work, ResumableRun) else ResumableRun(work)
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
        end = "done" if finished else "stopped" if error is None else type(error).__name__
        note(run=self.drive.name, end=end, seconds=f"{self.drive.seconds:.2f}")
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
                self._sent += GUI_PRIORITY.give_way()
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
    stepped = Signal(tuple)
    done = Signal(object)
    cancelled = Signal()
    failed = Signal(BaseException)

    def __init__(self, parent: QObject | None = None, *, keeps: bool = False) -> None:
        super().__init__(parent)
        self._keeps = keeps
        self.stopped: ResumableRun | None = None
        self.resumed = False
        self._worker: Worker | None = None
        self._leaving: list[Worker] = []
        self._began = 0.0
        self.last: Step | None = None
        self._pulse = QTimer(self)
        self._pulse.setTimerType(Qt.TimerType.PreciseTimer)
        self._pulse.setInterval(BEAT)
        self._pulse.timeout.connect(GUI_PRIORITY.beat)

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
        self._drive(ResumableRun(work), rest)

    def go_on(self, drive: ResumableRun) -> None:
        """Go on with a run that was cancelled and kept."""
        self.resumed = True
        self._drive(drive, 0)

    def _drive(self, drive: ResumableRun, rest: int) -> None:
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
            with GUI_PRIORITY.going():
                self.stepped.emit(steps)

    @Slot(object)
    def _on_done(self, result: Any) -> None:
        if self._counts():
            self._retire()
            with GUI_PRIORITY.going():
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
            with GUI_PRIORITY.going():
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
                GUI_PRIORITY.beats_no_more()


def stop_all(jobs: Iterable[Job], milliseconds: int) -> bool:
    """Stop several jobs at once; whether all their threads ended in the time given for them together."""
    stopped = tuple(jobs)
    for job in stopped:
        job.cancel()
    until = time.monotonic() + milliseconds / 1000
    return all(job.wait(max(0, int((until - time.monotonic()) * 1000))) for job in stopped)
