"""Works out what stands beside a fit: coefficients, chance, the panel behind raters, the lines between grades."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.errors import TapdeskError
from tapdesk.gui.document import Document
from tapdesk.gui.running.job import Job
from tapdesk.language import gettext as _

if TYPE_CHECKING:
    from tapdesk.gui.running.found import Found

REST = 150  # milliseconds in which the window draws what has just come, with the interpreter to itself


class Further(QObject):
    """Follows the newest analysis of a document and works out, part by part, what stands beside its numbers.

    A run for data that have changed meanwhile is dropped; what was found stays until a newer analysis comes.

    Attributes
    ----------
    changed
        A part has come, or another analysis is followed.
    bug
        An exception that is not the user's matter.
    """

    changed = Signal()
    bug = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.found: Found | None = None
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)
        document.changed.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """Look at the newest analysis: begin, go on, or stop."""
        analysis = self._document.analysis
        if self._document.empty or analysis is None or analysis.fit is None:
            self.job.cancel()
            if self.found is not None:
                self.found = None
                self.changed.emit()
            return
        known = self.found.analysis if self.found is not None else None
        # Late: the studies are not needed before there are results to set them beside.
        from tapdesk.gui.running import found

        # Results that were opened out of date and match again after an undo are followed from then on.
        new = known is None or known.fit is not analysis.fit or (known.stale and not analysis.stale)
        if new:
            self.job.cancel()
            project = self._document.project
            # Nothing can be worked out for ratings that are no longer there.
            waiting = () if analysis.stale else found.parts(analysis)
            self.found = found.Found(project, analysis, waiting=waiting)
            self.changed.emit()
        if analysis.stale:
            self.job.cancel()
        elif not self.job.running:
            self._next()

    def _next(self) -> None:
        if self.found is not None and self.found.waiting:
            from tapdesk.gui.running.found import RUNS

            self.job.start(RUNS[self.found.waiting[0]](self.found), REST)

    @Slot(object)
    def _on_done(self, found: "Found") -> None:
        self.found = replace(found, waiting=found.waiting[1:])
        self.changed.emit()
        self._next()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if self.found is None:
            return
        from tapdesk.gui.running.found import ABSENT

        part, *rest = self.found.waiting
        reason = error.what if isinstance(error, TapdeskError) else _("This could not be worked out.")
        self.found = replace(self.found.without(ABSENT[part], reason), waiting=tuple(rest))
        self.changed.emit()
        if not isinstance(error, TapdeskError):
            self.bug.emit(error)
        self._next()
