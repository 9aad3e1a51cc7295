"""Works out the studies beside a fit, and keeps the cut points in step with the order of the categories."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.answers.question import question_of
from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.language import gettext as _
from tapdesk.progress import Step
from tapdesk.ratings.ratings import Ratings, fingerprint

if TYPE_CHECKING:
    from tapdesk.gui.runs.side_studies import SideStudies

REST = 150  # milliseconds in which the window draws what has just come, with the interpreter to itself


class SideStudyRunner(QObject):
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
    bug = Signal(BaseException)

    def __init__(self, document: OpenDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.current: SideStudies | None = None
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)
        document.changed.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """Look at the newest analysis: begin, go on, or stop."""
        analysis = self._document.analysis
        if self._document.empty or analysis is None or analysis.fit is None:
            self.job.cancel()
            if self.current is not None:
                self.current = None
                self.changed.emit()
            return
        known = self.current.analysis if self.current is not None else None
        # Late: the studies are not needed before there are results to set them beside.
        from tapdesk.gui.runs import side_studies

        # Results that were opened out of date and match again after an undo are followed from then on.
        new = known is None or known.fit is not analysis.fit or (known.stale and not analysis.stale)
        if new:
            self.job.cancel()
            project = self._document.project
            # Nothing can be worked out for ratings that are no longer there.
            waiting = () if analysis.stale else side_studies.studies_of(analysis, project.ratings)
            self.current = side_studies.SideStudies(project, analysis, waiting=waiting)
            self.changed.emit()
        if analysis.stale:
            self.job.cancel()
        elif not self.job.running:
            self._next()

    def _next(self) -> None:
        if self.current is not None and self.current.waiting:
            from tapdesk.gui.runs.side_studies import work_out_next

            self.job.start(work_out_next(self.current), REST)

    @Slot(object)
    def _on_done(self, studies: "SideStudies") -> None:
        self.current = replace(studies, waiting=studies.waiting[1:])
        self.changed.emit()
        self._next()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if self.current is None:
            return
        study, *rest = self.current.waiting
        reason = error.what if isinstance(error, TapdeskError) else _("This could not be worked out.")
        self.current = replace(self.current.without(study, reason), waiting=tuple(rest))
        self.changed.emit()
        if not isinstance(error, TapdeskError):
            self.bug.emit(error)
        self._next()


if TYPE_CHECKING:
    from tapdesk.gui.runs.side_studies import CurrentCutPoints, SideStudies


class CutPointFollower(QObject):
    """Follows the categories of a document while the lines between them are looked at.

    What was found in the run stays; this stands in front of it while the categories are others than those of the run.

    Attributes
    ----------
    changed
        The lines have come, have gone, or are on their way.
    bug
        An exception that is not the user's matter.
    now
        The lines of the categories as they stand now; None where those of the run are right.
    """

    changed = Signal()
    bug = Signal(BaseException)

    def __init__(self, document: OpenDocument, further: SideStudyRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._further = document, further
        self.job = Job(self)
        self.now: CurrentCutPoints | None = None
        self._run: tuple[Fit, Ratings] | None = None
        self.job.stepped.connect(self._on_stepped)
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self._on_failed)
        # `Further` has followed the document before: it was connected earlier.
        document.changed.connect(self.follow)

    @Slot()
    def follow(self) -> None:
        """Look whether the lines are still those of the ratings, and find them anew where they are not."""
        result, analysis = self._further.current, self._document.analysis
        fit = None if analysis is None else analysis.fit
        if result is None or analysis is None or fit is None or not self._is_about_lines(result):
            self._clear()
            return
        ratings = self._document.project.all_classes
        if self._run is None or self._run[0] is not fit:
            # Remembered, because replaying older decisions for each change would take its time.
            self._run = (fit, result.project.all_classes)
        if self.now is not None and self.now.ratings is ratings and self.now.fit is fit:
            return
        if self._is_right(result, self._run[1], ratings):
            self._clear()
            return
        # Late: the studies are not needed before there are lines.
        from tapdesk.gui.runs.side_studies import CurrentCutPoints, find_cut_points

        question = question_of(analysis)
        reason = question.refuses(self._document.ratings, ratings) if question is not None else None
        self.job.cancel()
        self.now = CurrentCutPoints(fit, ratings, reason=reason or "")
        if not reason:
            self.job.start(find_cut_points(self.now, analysis.request, result.extras.scan, self._run[1]))
        self.changed.emit()

    @staticmethod
    def _is_about_lines(studies: "SideStudies") -> bool:
        """Whether lines between grades belong to the analysis that is looked at."""
        question = question_of(studies.analysis)
        return question is not None and question.key == "lines"

    @staticmethod
    def _is_right(studies: "SideStudies", of: Ratings, ratings: Ratings) -> bool:
        """Whether what was found, or will be, is of these ratings."""
        from tapdesk.gui.runs.side_studies import SideStudy

        coming = SideStudy.LINES in studies.waiting and not studies.analysis.stale
        there = studies.extras.scan is not None or "scan" in studies.extras.reasons
        return (there or coming) and (of is ratings or fingerprint(of) == fingerprint(ratings))

    def _clear(self) -> None:
        self.job.cancel()
        if self.now is not None:
            self.now = None
            self.changed.emit()

    @Slot(object)
    def _on_stepped(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            if "abreast" in step.values:
                self._on_done(step.values["abreast"])

    @Slot(object)
    def _on_done(self, now: "CurrentCutPoints") -> None:
        self.now = now
        self.changed.emit()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if self.now is not None:
            self.now = replace(self.now, reason=_("This could not be worked out."))
            self.changed.emit()
        self.bug.emit(error)
