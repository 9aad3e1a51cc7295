"""Keeps the pages in step with the project: first what is printed beside the answer, then the pages themselves."""

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from tapdesk.answers.naming import RatersAs
from tapdesk.answers.side_results import SideResults
from tapdesk.answers.side_studies import main_analysis
from tapdesk.errors import TapdeskError
from tapdesk.gui.report.jobs import PrintedPages, look_key, print_report
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.session import Session
from tapdesk.language import gettext as _
from tapdesk.progress import Step
from tapdesk.report.setup import prepare, prepare_further, setup

PAUSE = 250  # milliseconds after a change before the pages are made anew
NOTHING = SideResults()
# Data and answer, and what is printed of them besides.
Needed = tuple[tuple[object, object], object]
BESIDE = _("Working out what the report prints beside the answer")


class ReportPreview(QObject):
    """Two jobs in a row; the first is done again only when data or answer have changed.

    Attributes
    ----------
    came
        The pages are there: a `PrintedPages`.
    waits
        Pages are on their way and no earlier ones can be shown.
    stage
        What is being done, in words.
    slow
        Whether what is printed beside the answer can be skipped.
    problem
        An error the user can mend.
    """

    came = Signal(object)
    waits = Signal()
    stage = Signal(str)
    slow = Signal(bool)
    problem = Signal(object)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.job, self.preparing = Job(self), Job(self)
        self.made: PrintedPages | None = None
        self.extras = NOTHING
        self._raters_as, self._ppi = RatersAs.NAMES, 144.0
        self._known: Needed | None = None
        self._coming: Needed | None = None
        self._key: object = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._make)
        self.preparing.done.connect(self._on_prepared)
        self.preparing.stepped.connect(self._on_preparing)
        self.preparing.failed.connect(self._on_failed)
        self.job.done.connect(self._on_made)
        self.job.failed.connect(self._on_failed)

    @property
    def ready(self) -> bool:
        """Whether there are pages, and all that is to be printed on them is known."""
        return self.made is not None and self._known is not None and self._coming is None

    def clear(self) -> None:
        """Nothing is open any more."""
        for job in (self.job, self.preparing):
            job.cancel()
        self._timer.stop()
        self.made, self.extras = None, NOTHING
        self._key = self._known = self._coming = None
        self.slow.emit(False)

    def look(self, raters_as: RatersAs, ppi: float) -> None:
        """See to it that the pages match the project, raters called in one way, at a resolution."""
        self._raters_as, self._ppi = raters_as, ppi
        document = self._session.document
        main, chosen = main_analysis(document.project), setup(document.project)
        answer = (document.data, main.fit if main is not None else None)
        needed = (answer, chosen.selection)
        if needed != self._known:
            if needed != self._coming:
                self._prepare(needed)
            return
        key = (look_key(document.project), raters_as, ppi, self.extras)
        if key != self._key:
            self._key = key
            self._timer.start()

    def skip(self) -> None:
        """Go on without what is printed beside the answer."""
        self.preparing.cancel()
        self._on_prepared(NOTHING)

    def again(self) -> None:
        """Work out after all what was skipped."""
        self._known = None
        self.look(self._raters_as, self._ppi)

    def _prepare(self, needed: Needed) -> None:
        # Where only more is to be printed of the same answer, the rest is not worked out again.
        same = self._known is not None and self._known[0] == needed[0] and self.extras.wanted is not None
        self.job.cancel()
        self._timer.stop()
        self._key, self._coming = None, needed
        if self.made is None:
            self.waits.emit()
        self.stage.emit(_("{what}…").format(what=BESIDE))
        project = self._session.document.project
        self.preparing.start(prepare_further(project, self.extras) if same else prepare(project))

    @Slot(object)
    def _on_preparing(self, steps: tuple[Step, ...]) -> None:
        parts = [step for step in steps if step.phase == "report"]
        if parts:
            self.slow.emit(True)
            told = _("{what}: {done} of {total}")
            self.stage.emit(told.format(what=BESIDE, done=parts[-1].done, total=parts[-1].total))

    @Slot(object)
    def _on_prepared(self, extras: SideResults) -> None:
        self.extras, self._known, self._coming = extras, self._coming, None
        self.slow.emit(False)
        if not self._session.document.empty:
            self.look(self._raters_as, self._ppi)

    @Slot()
    def _make(self) -> None:
        if self.made is None:
            self.waits.emit()
        self.stage.emit(_("Putting the pages together"))
        self.job.start(print_report(self._session.document.project, self.extras, self._raters_as, self._ppi, self.made))

    @Slot(object)
    def _on_made(self, made: PrintedPages) -> None:
        self.made = made
        self.came.emit(made)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self._key = self._coming = None
        self.stage.emit("")
        self.slow.emit(False)
        if isinstance(error, TapdeskError):
            self.problem.emit(error)
        else:
            self._session.bug.emit(error)
