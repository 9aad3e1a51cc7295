"""Whether the file behind some ratings has changed since it was read; told, never acted upon."""

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication

from tapdesk.gui.desk import Desk
from tapdesk.gui.keeping.opening import Opened, SourceChangedError
from tapdesk.gui.running.job import Job
from tapdesk.language import gettext as _
from tapdesk.project.external_change import FileStamp, SourceCheck, SourceDifference, check_source
from tapdesk.ratings.reading import Reading


class SourceWatch(QObject):
    """Looks in a thread: when a project was opened, the file was found to be another one, or somebody comes back here.

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
        self._files: tuple[FileStamp | None, ...] | None = None
        desk.opened.connect(self._on_opened)
        self.job.done.connect(self._on_done)
        self.job.failed.connect(desk.bug)
        desk.reading.failed.connect(self._on_not_read)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._on_state)

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
            self._look()

    @Slot(object)
    def _on_not_read(self, error: BaseException) -> None:
        if isinstance(error, SourceChangedError):
            self._look()

    @Slot(Qt.ApplicationState)
    def _on_state(self, state: Qt.ApplicationState) -> None:
        """Look once when somebody comes back from another program, such as the one that wrote the file."""
        back = state == Qt.ApplicationState.ApplicationActive
        if back and not self._desk.document.empty and not self._desk.reading.running and not self.job.running:
            self._look()

    def _look(self) -> None:
        project = self._desk.document.project
        if project.reading is not self._reading:
            # What was found about other ratings says nothing about these.
            self._reading, self._found, self._files = project.reading, None, None
        self.job.start(check_source(project, self._files))

    @Slot(object)
    def _on_done(self, looked: SourceCheck) -> None:
        before, self._files = self._found, looked.files
        if looked.compared:
            self._found = looked.found
            self._desk.changed_since = None if looked.found is None else self._reading
            # A row that is there goes when the old file is put back.
            if before is not None or looked.found is not None:
                self.told.emit()
