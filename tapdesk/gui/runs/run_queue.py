"""Runs that were asked for: the one that goes on, those that wait behind it, and the one that was stopped last."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Slot

from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.job import Job, ResumableRun
from tapdesk.gui.shell.document import DataVersion
from tapdesk.progress import Run
from tapdesk.project.project import name_of
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request


@dataclass(frozen=True, eq=False)
class RunRequest:
    """A run that was asked for: of which question, under which label, what, and on which ratings."""

    question: str
    label: str
    request: Request
    data: DataVersion
    ratings: Ratings

    @property
    def name(self) -> str:
        """Of the analysis."""
        return name_of(self.question, self.label)

    def same(self, other: "RunRequest | None") -> bool:
        """Whether the same was asked of the same data."""
        if other is None:
            return False
        return (self.name, self.request, self.data) == (other.name, other.request, other.data)


class RunQueue(QObject):
    """Starts runs one after the other; one that was stopped and is asked for again goes on from where it was.

    Parameters
    ----------
    job
        Does the work; it keeps what is cancelled.
    begin
        From what is asked to its run.

    Attributes
    ----------
    newest
        What the newest run was asked; None before the first.
    queue
        What waits behind it.
    """

    def __init__(self, job: Job, begin: Callable[[RunRequest], Run[Fit]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job, self._begin = job, begin
        self.newest: RunRequest | None = None
        self.queue: tuple[RunRequest, ...] = ()
        self._stopped: tuple[RunRequest, ResumableRun] | None = None
        job.cancelled.connect(self._on_cancelled)
        for signal in (job.done, job.failed, job.cancelled):
            signal.connect(self._soon)

    def add(self, asked: RunRequest) -> None:
        """Run this after all others."""
        self.queue = (*self.queue, asked)
        self._next()

    def has(self, asked: RunRequest) -> bool:
        """Whether this is running, or waits."""
        return self._job.running and any(asked.same(other) for other in (*self.queue, self.newest))

    def goes_on(self, asked: RunRequest) -> bool:
        """Whether this was stopped last, so that it would go on from there."""
        return self._stopped is not None and asked.same(self._stopped[0])

    def forget(self) -> None:
        """Other data are open: nothing waits, and nothing is gone on with."""
        self.queue = ()
        self._job.cancel()
        self._stopped = self._job.stopped = None

    @Slot()
    def _next(self) -> None:
        """Start the run that waits in front."""
        if not self.queue or self._job.running:
            return
        self.newest, *rest = self.queue
        self.queue = tuple(rest)
        if self._stopped is not None and self.goes_on(self.newest):
            _asked, drive = self._stopped
            self._stopped = None
            self._job.go_on(drive)
        else:
            self._job.start(self._begin(self.newest))

    @Slot()
    def _on_cancelled(self) -> None:
        if self.newest is not None and self._job.stopped is not None:
            self._stopped = (self.newest, self._job.stopped)

    @Slot()
    def _soon(self) -> None:
        # When everybody has heard how the run before it ended.
        QTimer.singleShot(0, self, self._next)
