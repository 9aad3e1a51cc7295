"""Whether the file behind some ratings has changed since it was read; told, never acted upon."""

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.gui.desk import Desk
from tapdesk.gui.keeping.opening import Opened, SourceChangedError
from tapdesk.gui.running.job import Job
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.project.source_change import SourceDifference, source_changed
from tapdesk.ratings.reading import Reading


class SourceWatch(QObject):
    """Looks in a thread, when a project was opened and when the file was found to be another one.

    Attributes
    ----------
    told
        Emitted when there is something to tell.
    """

    told = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.job = Job(self)
        self._reading: Reading | None = None
        self._found: SourceDifference | None = None
        desk.opened.connect(self._on_opened)
        self.job.done.connect(self._on_done)
        self.job.failed.connect(desk.bug)
        desk.reading.failed.connect(self._on_not_read)

    def about(self, reading: Reading) -> SourceDifference | None:
        """What differs between the file and a reading of it; None where nothing does, or it is not known."""
        return self._found if reading is self._reading else None

    def take_over(self) -> None:
        """Read the ratings from the file as it is now; that can be taken back."""
        found, document = self._found, self._desk.document
        if found is not None and found.reading is not None:
            document.do(_("Take over the changed file"), document.project.with_reading(found.reading))

    @Slot(object)
    def _on_opened(self, opened: Opened | None) -> None:
        self.job.cancel()
        self._found, self._reading = None, None
        if opened is not None:
            self._look(opened.project)

    @Slot(object)
    def _on_not_read(self, error: BaseException) -> None:
        if isinstance(error, SourceChangedError):
            self._look(self._desk.document.project)

    def _look(self, project: Project) -> None:
        self._reading = project.reading
        self.job.start(source_changed(project))

    @Slot(object)
    def _on_done(self, found: SourceDifference | None) -> None:
        self._found = found
        if found is not None:
            self.told.emit()
