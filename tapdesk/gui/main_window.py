"""The window: it only puts together the menu, the rail, the panes and the status bar."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QTemporaryDir, QTimer, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QStackedWidget, QToolButton, QVBoxLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui import actions, asking, dialogs, sayings
from tapdesk.gui.acts import acts, enable
from tapdesk.gui.crash import Catcher
from tapdesk.gui.desk import SAMPLE, Desk
from tapdesk.gui.helping.guides import Guides
from tapdesk.gui.keeping.filing import Filing
from tapdesk.gui.look.theme import Look, Theme
from tapdesk.gui.on_screen import screen
from tapdesk.gui.panes.dataset import Dataset
from tapdesk.gui.panes.model import Model
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.panes.report import ReportPane
from tapdesk.gui.panes.results import Results
from tapdesk.gui.panes.start import Start
from tapdesk.gui.reading import pasting
from tapdesk.gui.reading.decisions_list import Decisions
from tapdesk.gui.running.courtesy import FIRST
from tapdesk.gui.running.job import stop_all
from tapdesk.gui.status_bar import StatusBar
from tapdesk.gui.widgets.areas import next_control
from tapdesk.gui.widgets.basic import plain, text
from tapdesk.gui.widgets.drop import DropWindow
from tapdesk.gui.widgets.focus import FocusRing
from tapdesk.gui.widgets.noting import tell_all
from tapdesk.gui.widgets.rail import Rail
from tapdesk.language import gettext as _
from tapdesk.language import speak
from tapdesk.ratings.formats.several import BETWEEN

CLOSING = 1000  # milliseconds the threads get to end


class MainWindow(DropWindow):
    """Rail, panes, menus and status bar around one desk."""

    def __init__(
        self, theme: Theme, desk: Desk, settings: QSettings | None = None, catcher: Catcher | None = None
    ) -> None:
        super().__init__(theme)
        # Everything said in this thread from now on; what is written into a file asks for the voice of files.
        speak(screen())
        self.theme, self.desk, self._settings = theme, desk, settings
        self.catcher = catcher or Catcher(self)
        # The desk goes with the window: no signal of it must reach one that is half gone.
        desk.setParent(self)
        self.setWindowTitle("tapdesk")
        self.resize(1440, 900)
        self.setMinimumSize(720, 480)
        self.filing, self._pasted = Filing(desk, self, settings), QTemporaryDir()
        self.decisions = Decisions(theme, desk, self)
        self.start = Start(theme, self.open_dialog, self.open_sample, self.paste)
        self.dataset, self.model = Dataset(theme, desk), Model(theme, desk)
        self.results, self.report = Results(theme, desk), ReportPane(theme, desk)
        self.front = QStackedWidget()
        self.front.addWidget(self.start)
        self.front.addWidget(self.dataset)
        self.panes = QStackedWidget()
        for pane in (self.front, self.model, self.results, self.report):
            self.panes.addWidget(pane)
        self.rail = Rail(theme, sayings.STEPS)
        self.steps = self.rail.steps
        self.project_words = text("", "small", "2")
        self.status = StatusBar(theme, desk)
        self.guides = Guides(theme, self, self)
        self.setCentralWidget(self._assembled())
        self.actions_ = actions.fill(self.menuBar(), self, acts(self))
        self.project_words.setContentsMargins(0, 0, 14, 0)
        self.project_words.setMinimumWidth(420)
        self.project_words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.menuBar().setCornerWidget(self.project_words)
        self.menuBar().setNativeMenuBar(False)
        more = self.menuBar().findChild(QToolButton, "qt_menubar_ext_button")
        if more is not None:
            more.setAccessibleName(_("More menus"))
        self._ring = FocusRing(theme, self)
        self._arc = QTimer(self)
        self._arc.setInterval(100)
        self._wire()
        self.refresh()

    def _assembled(self) -> QWidget:
        middle = plain(across=True, gap=0).add(self.rail, self.panes)
        middle.box.setStretch(1, 1)
        whole = QWidget()
        box = QVBoxLayout(whole)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(middle, 1)
        box.addWidget(self.guides.tour)
        box.addWidget(self.status)
        return whole

    def _wire(self) -> None:
        desk = self.desk
        for i, step in enumerate(self.steps):
            step.clicked.connect(lambda _on=False, i=i: self.go(i))
        self.dataset.next.clicked.connect(lambda: self.go(1))
        self.dataset.offer(self.filing.recipes)
        self.dataset.watch.told.connect(self.refresh)
        self.start.error.again = desk.try_again
        self.model.to_dataset.clicked.connect(lambda: self.go(0))
        for shows in (self.model.running.show_results, self.model.to_results):
            shows.clicked.connect(lambda: self.go(2))
        self.results.to_report.clicked.connect(lambda: self.go(3))
        self.report.paged.connect(self.refresh)
        self._arc.timeout.connect(self._turn)
        self.dropped.connect(self.take)
        self.start.tour.clicked.connect(self.guides.tour.begin)
        self.start.going_on.opened.connect(self.open_file)
        self.start.going_on.taken_up.connect(self.filing.take_up)
        self.start.going_on.discarded.connect(self.filing.discard)
        self.filing.changed.connect(self.refresh)
        self.filing.refused.connect(self._show_trouble)
        for job in (desk.reading, desk.fitting):
            for signal in (job.started, job.done, job.cancelled, job.failed):
                signal.connect(self.refresh)
        desk.document.changed.connect(self.refresh)
        desk.document.undo_stack.indexChanged.connect(self._refresh_actions)
        desk.planned.connect(self.refresh)
        desk.problem.connect(self._on_problem)
        desk.bug.connect(self.catcher.tell)
        self.catcher.keep = self.filing.keep_now
        self.catcher.again.connect(self._show_trouble)
        desk.reading.done.connect(self._on_read)

    # What can be done -------------------------------------------------------------------------------------------

    def go(self, place: int) -> None:
        """Show a pane."""
        self.panes.setCurrentIndex(place)
        self.refresh()

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        title = _("Open a spreadsheet, a project, or a file per rater")
        chosen = dialogs.files_to_open(self, title, asking.KINDS)
        if chosen:
            self.open_file(BETWEEN.join(chosen))

    def open_file(self, path: str) -> None:
        """Open a spreadsheet, a project, or ``sample:NAME``; changes that are not saved are asked about first."""
        tell_all(self.results)
        if self.filing.leave(lambda: self.open_file(path)):
            self.go(0)
            self.desk.open(path)

    def take(self, path: str) -> None:
        """Take a file that was dropped: an issued report is verified, anything else opened."""
        if Path(path).suffix.lower() == ".pdf":
            self.go(3)
            self.report.verify(Path(path))
        else:
            self.open_file(path)

    def save(self) -> None:
        """Save the project, with what was typed a moment ago."""
        tell_all(self.results)
        self.filing.save()

    def save_as(self) -> None:
        """Save the project under another name."""
        tell_all(self.results)
        self.filing.save_as()

    def paste(self) -> None:
        """Open the cells on the clipboard."""
        try:
            self.open_file(pasting.written(self._pasted.path()))
        except TapdeskError as problem:
            self.desk.problem.emit(problem, "")

    def open_sample(self, name: str) -> None:
        """Open an example."""
        self.open_file(f"{SAMPLE}{name}")

    def run(self) -> None:
        """Run what is chosen, and look at it."""
        if self.model.run.isEnabled():
            self.go(1)
            self.desk.run()

    def cancel(self) -> None:
        """Stop what is running."""
        (self.desk.reading if self.desk.reading.running else self.desk.fitting).cancel()

    def save_report(self) -> None:
        """Go to the report; save it when its pages are there."""
        self.go(3)
        if self.report.save.isEnabled():
            self.report.save_report()

    def on_report(self, act: Callable[[], object]) -> None:
        """Go to the report and do something with it; where a question about the file waits, the pane says so."""
        self.go(3)
        if not self.desk.document.empty and not self.desk.blocked:
            act()

    def dress(self, look: Look | None = None, scale: int | None = None) -> None:
        """Change look or text size, and remember it."""
        self.theme.use(look, scale)
        if self._settings is not None:
            self._settings.setValue("look", self.theme.look.value)
            self._settings.setValue("scale", self.theme.scale)
        self.refresh()

    def cycle(self, by: int) -> None:
        """Put the keyboard on the next of menu, rail and pane."""
        at = self.panes.currentIndex()
        first = next_control(by, self.focusWidget(), self.rail, self.steps[at], self.panes.currentWidget())
        if first is not None:
            self._ring.go_to(first)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab: from now on the ring shows where the keyboard is; Qt also asks for it where a control is hidden."""
        at = self.focusWidget()
        self._ring.by_keyboard |= at is None or (at.isVisible() and at.isEnabled())
        return super().focusNextPrevChild(forward)

    # What is shown ----------------------------------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Show rail, menu and status bar as they stand."""
        desk = self.desk
        at, document = self.panes.currentIndex(), desk.document
        loading = desk.reading.running
        self.front.setCurrentWidget(self.dataset if loading or not document.empty else self.start)
        pages = len(self.report.made.pages) if self.report.made is not None else 0
        for i, (step, (state, word)) in enumerate(zip(self.steps, sayings.rail(desk, at, pages), strict=True)):
            step.setChecked(i == at)
            step.show_state(state, word)
        busy = desk.fitting.running or desk.reading.running
        (self._arc.start if busy else self._arc.stop)()
        self.status.refresh()
        self.project_words.setText(self.filing.words)
        self.project_words.setToolTip(self.filing.unsafe)
        self.setWindowTitle("tapdesk" if document.empty else f"{self.filing.name}[*] - tapdesk")
        self.setWindowModified(self.filing.unsaved)
        self.start.show_going_on(self.filing.left_over, self.filing.recents.rows)
        # From nothing, or a menu that was once tall would stay so when the text becomes smaller.
        self.project_words.setMinimumHeight(0)
        self.project_words.setMinimumHeight(self.menuBar().sizeHint().height() - 1)
        self._refresh_actions()

    @Slot()
    def _refresh_actions(self) -> None:
        enable(self)

    @Slot()
    def _turn(self) -> None:
        with FIRST.going():
            for step in self.steps:
                step.turn()
            self.status.go_on()

    @Slot(object, str)
    def _on_problem(self, error: TapdeskError, file: str) -> None:
        if self.desk.document.empty:
            self.start.error.show_error(error, file)
        self.go(0)

    @Slot(object)
    def _show_trouble(self, error: TapdeskError) -> None:
        # Told where the user is: what is looked at stays.
        pane = self.panes.currentWidget()
        if pane is self.front:
            pane = self.front.currentWidget()
        (pane if isinstance(pane, Pane | Start) else self.dataset).error.show_error(error)

    @Slot(object)
    def _on_read(self, reading: object) -> None:
        del reading
        self.start.error.hide()
        self.go(0)

    # Closing ----------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while something runs, then stop all threads."""
        event.ignore()
        tell_all(self.results)
        if self.desk.fitting.running:
            if not asking.to_stop(self):
                return
            self.desk.clear_queue()
            self.desk.fitting.cancel()
        if self.filing.leave(self.close):
            self.stop(CLOSING)
            event.accept()

    def stop(self, milliseconds: int) -> bool:
        """Stop all that goes on in threads, its results unwanted; whether all of them ended in time."""
        ended = stop_all((*self.desk.jobs, *self.report.jobs, self.dataset.watch.job), milliseconds)
        return self.filing.close(milliseconds) and ended
