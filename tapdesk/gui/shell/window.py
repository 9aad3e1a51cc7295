"""The window: it only puts together the menu, the rail, the panes and the status bar."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSettings, QSize, Qt, QTemporaryDir, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QMainWindow,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tapdesk.errors import TapdeskError
from tapdesk.gui.dataset.dataset_pane import DatasetPane
from tapdesk.gui.dataset.decisions_window import DecisionsWindow
from tapdesk.gui.dataset.start_pane import StartPane
from tapdesk.gui.help.tour import Guides
from tapdesk.gui.model.model_pane import ModelPane
from tapdesk.gui.report.report_pane import ReportPane
from tapdesk.gui.results.results_pane import ResultsPane
from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.gui.runs.job import stop_all
from tapdesk.gui.shell import dialogs, menus, opening, status_texts
from tapdesk.gui.shell.action_handlers import enable, handlers
from tapdesk.gui.shell.crash import Catcher
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.project_file import ProjectFile
from tapdesk.gui.shell.session import SAMPLE, Session
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.localised_numbers import screen
from tapdesk.gui.theme.theme import ColourScheme, Theme
from tapdesk.gui.widgets.block import tell_all
from tapdesk.gui.widgets.controls import Frame, plain, text
from tapdesk.gui.widgets.focus import FocusRing, next_control
from tapdesk.language import gettext as _
from tapdesk.language import speak
from tapdesk.ratings.formats.files import BETWEEN

WIDE = 196
END, GAP = 14, 4
# Beyond half as large again the words wrap instead: the panes need the room.
MOST_GROWN = 150
CLOSING = 1000  # milliseconds the threads get to end


class DropFrame(QWidget):
    """Two pixels of accent around the whole window: it is the drop target."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def around(self) -> None:
        """Show the frame around the window."""
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame."""
        del event
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.colour("accent"), 2))
        painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()


class DropWindow(QMainWindow):
    """The whole window is the drop target.

    Attributes
    ----------
    dropped
        The path of the file that was dropped; several stand one per line.
    """

    dropped = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._drop = DropFrame(theme, self)
        self.setAcceptDrops(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button the keyboard is on, as Space does: what no control took for itself comes here."""
        at = self.focusWidget()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and isinstance(at, QAbstractButton):
            at.click()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file, or several that are read as one; the frame of the window says so."""
        urls = event.mimeData().urls()
        if urls and all(url.isLocalFile() for url in urls):
            event.acceptProposedAction()
            self._drop.around()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Take the frame away."""
        del event
        self._drop.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Tell which files were dropped."""
        self._drop.hide()
        self.dropped.emit(BETWEEN.join(str(Path(url.toLocalFile())) for url in event.mimeData().urls()))


class StatusBar(Frame):
    """Two texts; what is counted is never cut off for the other one."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__("status", across=True, margins=(14, 0, 14, 0), gap=18)
        self._theme, self._session = theme, session
        self.left, self.right = text("", "small", "2"), text("", "small", "2")
        self.setMinimumHeight(28)
        self.add(self.left).box.addStretch(1)
        self.add(self.right)

    def refresh(self) -> None:
        """Show what is open, and how it stands."""
        self.left.setText(status_texts.summary(self._session.document.project))
        self.go_on()

    def go_on(self) -> None:
        """Show how it stands now; while something runs that changes all the time."""
        words, wide = status_texts.status(self._session), self.right.fontMetrics().horizontalAdvance
        room = self.window().width() - self.left.sizeHint().width() - self._theme.px(60)
        # Without fingerprint and seed where there is no room for them.
        short = words.partition(" · ")[0]
        self.right.setText(next((one for one in (words, short) if wide(one) <= room), ""))


class Rail(Frame):
    """The steps from the data to the report."""

    def __init__(self, theme: Theme, names: Sequence[str]) -> None:
        super().__init__("rail", margins=(10, END, 10, END), gap=GAP)
        self._theme = theme
        self.setAccessibleName(_("Steps"))
        self.steps = [RailStep(theme, name) for name in names]
        self.add(*self.steps).box.addStretch(1)
        self.foot = foot = Frame("foot", across=True, margins=(10, 10, 6, 0), gap=7)
        foot.box.addWidget(Glyph(theme, "lock", "text2", 15), 0, Qt.AlignmentFlag.AlignTop)
        foot.box.addWidget(text(_("Everything stays on this computer."), "small", "2", wrap=True), 1)
        self.add(foot)
        theme.changed.connect(self._dress)
        self._dress()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where large letters leave too little room, the steps have it and the promise goes."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        steps = sum(max(step.minimumHeight(), step.sizeHint().height()) + GAP for step in self.steps)
        self.foot.setVisible(steps + self.foot.sizeHint().height() + 2 * END <= self.height())

    def _dress(self) -> None:
        self.setFixedWidth(round(WIDE * min(max(self._theme.scale, 100), MOST_GROWN) / 100))


class RailStep(QAbstractButton):
    """One step of the rail: mark, name and a plain word that says how it stands."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._mark = Glyph.of(theme, State.EMPTY)
        self._word = text("", "small", "2", wrap=True)
        title = text(name, "card")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(title)
        words.addWidget(self._word)
        words.addStretch(1)
        self._box = box = QHBoxLayout(self)
        box.setContentsMargins(11, 10, 8, 10)
        box.setSpacing(11)
        box.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        box.addLayout(words, 1)
        for child in (title, self._word):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.state = State.EMPTY
        theme.changed.connect(self._dress)
        self._dress()

    @property
    def word(self) -> str:
        """The plain word."""
        return self._word.text()

    def show_state(self, state: State, word: str) -> None:
        """Show how the step stands; the word is the accessible description."""
        self.state = state
        self._mark.show_state(state)
        self._word.setText(word)
        self.setAccessibleDescription(word)
        self.updateGeometry()

    def turn(self) -> None:
        """Turn the busy arc; other marks stand still."""
        if self.state is State.RUNNING:
            self._mark.turn()

    def sizeHint(self) -> QSize:
        """As high as its words."""
        return self._box.sizeHint()

    def _dress(self) -> None:
        self.setMinimumHeight(self._theme.px(57))

    def paintEvent(self, event: object) -> None:
        """Draw the card of the selected step."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.isChecked():
            painter.setPen(QPen(self._theme.colour("line"), 1))
            painter.setBrush(self._theme.colour("surface"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("accent"))
            painter.drawRoundedRect(QRectF(0, 8, 3, self.height() - 16), 1.5, 1.5)
        elif self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.colour("sunken"))
            painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.end()


class MainWindow(DropWindow):
    """Rail, panes, menus and status bar around one session."""

    def __init__(
        self, theme: Theme, session: Session, settings: QSettings | None = None, catcher: Catcher | None = None
    ) -> None:
        super().__init__(theme)
        # Everything said in this thread from now on; what is written into a file asks for the voice of files.
        speak(screen())
        self.theme, self.session, self._settings = theme, session, settings
        self.catcher = catcher or Catcher(self)
        # The session goes with the window: no signal of it must reach one that is half gone.
        session.setParent(self)
        self.setWindowTitle("tapdesk")
        self.resize(1440, 900)
        self.setMinimumSize(720, 480)
        self.project_file, self._pasted = ProjectFile(session, self, settings), QTemporaryDir()
        self.decisions = DecisionsWindow(theme, session, self)
        self.start = StartPane(theme, self.open_dialog, self.open_sample, self.paste)
        self.dataset, self.model = DatasetPane(theme, session), ModelPane(theme, session)
        self.results, self.report = ResultsPane(theme, session), ReportPane(theme, session)
        self.front = QStackedWidget()
        self.front.addWidget(self.start)
        self.front.addWidget(self.dataset)
        self.panes = QStackedWidget()
        for pane in (self.front, self.model, self.results, self.report):
            self.panes.addWidget(pane)
        self.rail = Rail(theme, status_texts.STEPS)
        self.steps = self.rail.steps
        self.project_words = text("", "small", "2")
        self.status = StatusBar(theme, session)
        self.guides = Guides(theme, self, self)
        self.setCentralWidget(self._assembled())
        self.actions_ = menus.fill(self.menuBar(), self, handlers(self))
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
        session = self.session
        for i, step in enumerate(self.steps):
            step.clicked.connect(lambda _on=False, i=i: self.go(i))
        self.dataset.next.clicked.connect(lambda: self.go(1))
        self.dataset.offer(self.project_file.recipes)
        self.dataset.watch.noticed.connect(self.refresh)
        self.start.error.again = session.try_again
        self.model.to_dataset.clicked.connect(lambda: self.go(0))
        for shows in (self.model.running.show_results, self.model.to_results):
            shows.clicked.connect(lambda: self.go(2))
        self.results.to_report.clicked.connect(lambda: self.go(3))
        self.report.paged.connect(self.refresh)
        self._arc.timeout.connect(self._turn)
        self.dropped.connect(self.take)
        self.start.tour.clicked.connect(self.guides.tour.begin)
        self.start.going_on.opened.connect(self.open_file)
        self.start.going_on.taken_up.connect(self.project_file.take_up)
        self.start.going_on.discarded.connect(self.project_file.discard)
        self.project_file.changed.connect(self.refresh)
        self.project_file.refused.connect(self._show_trouble)
        for job in (session.reading, session.fitting):
            for signal in (job.started, job.done, job.cancelled, job.failed):
                signal.connect(self.refresh)
        session.document.changed.connect(self.refresh)
        session.document.undo_stack.indexChanged.connect(self._refresh_actions)
        session.planned.connect(self.refresh)
        session.problem.connect(self._on_problem)
        session.bug.connect(self.catcher.tell)
        self.catcher.keep = self.project_file.keep_now
        self.catcher.again.connect(self._show_trouble)
        session.reading.done.connect(self._on_read)

    # What can be done -------------------------------------------------------------------------------------------

    def go(self, place: int) -> None:
        """Show a pane."""
        self.panes.setCurrentIndex(place)
        self.refresh()

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        title = _("Open a spreadsheet, a project, or a file per rater")
        chosen = dialogs.files_to_open(self, title, dialogs.KINDS)
        if chosen:
            self.open_file(BETWEEN.join(chosen))

    def open_file(self, path: str) -> None:
        """Open a spreadsheet, a project, or ``sample:NAME``; changes that are not saved are asked about first."""
        tell_all(self.results)
        if self.project_file.leave(lambda: self.open_file(path)):
            self.go(0)
            self.session.open(path)

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
        self.project_file.save()

    def save_as(self) -> None:
        """Save the project under another name."""
        tell_all(self.results)
        self.project_file.save_as()

    def paste(self) -> None:
        """Open the cells on the clipboard."""
        try:
            self.open_file(opening.write_cells(self._pasted.path()))
        except TapdeskError as problem:
            self.session.problem.emit(problem, "")

    def open_sample(self, name: str) -> None:
        """Open an example."""
        self.open_file(f"{SAMPLE}{name}")

    def run(self) -> None:
        """Run what is chosen, and look at it."""
        if self.model.run.isEnabled():
            self.go(1)
            self.session.run()

    def cancel(self) -> None:
        """Stop what is running."""
        (self.session.reading if self.session.reading.running else self.session.fitting).cancel()

    def save_report(self) -> None:
        """Go to the report; save it when its pages are there."""
        self.go(3)
        if self.report.save.isEnabled():
            self.report.save_report()

    def on_report(self, act: Callable[[], object]) -> None:
        """Go to the report and do something with it; where a question about the file waits, the pane says so."""
        self.go(3)
        if not self.session.document.empty and not self.session.blocked:
            act()

    def dress(self, look: ColourScheme | None = None, scale: int | None = None) -> None:
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
        session = self.session
        at, document = self.panes.currentIndex(), session.document
        loading = session.reading.running
        self.front.setCurrentWidget(self.dataset if loading or not document.empty else self.start)
        pages = len(self.report.made.pages) if self.report.made is not None else 0
        for i, (step, (state, word)) in enumerate(zip(self.steps, status_texts.rail(session, at, pages), strict=True)):
            step.setChecked(i == at)
            step.show_state(state, word)
        busy = session.fitting.running or session.reading.running
        (self._arc.start if busy else self._arc.stop)()
        self.status.refresh()
        self.project_words.setText(self.project_file.words)
        self.project_words.setToolTip(self.project_file.unsafe)
        self.setWindowTitle("tapdesk" if document.empty else f"{self.project_file.name}[*] - tapdesk")
        self.setWindowModified(self.project_file.unsaved)
        self.start.show_going_on(self.project_file.left_over, self.project_file.recents.rows)
        # From nothing, or a menu that was once tall would stay so when the text becomes smaller.
        self.project_words.setMinimumHeight(0)
        self.project_words.setMinimumHeight(self.menuBar().sizeHint().height() - 1)
        self._refresh_actions()

    @Slot()
    def _refresh_actions(self) -> None:
        enable(self)

    @Slot()
    def _turn(self) -> None:
        with GUI_PRIORITY.going():
            for step in self.steps:
                step.turn()
            self.status.go_on()

    @Slot(object, str)
    def _on_problem(self, error: TapdeskError, file: str) -> None:
        if self.session.document.empty:
            self.start.error.show_error(error, file)
        self.go(0)

    @Slot(object)
    def _show_trouble(self, error: TapdeskError) -> None:
        # Told where the user is: what is looked at stays.
        pane = self.panes.currentWidget()
        if pane is self.front:
            pane = self.front.currentWidget()
        (pane if isinstance(pane, Pane | StartPane) else self.dataset).error.show_error(error)

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
        if self.session.fitting.running:
            if not dialogs.to_stop(self):
                return
            self.session.clear_queue()
            self.session.fitting.cancel()
        if self.project_file.leave(self.close):
            self.stop(CLOSING)
            event.accept()

    def stop(self, milliseconds: int) -> bool:
        """Stop all that goes on in threads, its results unwanted; whether all of them ended in time."""
        ended = stop_all((*self.session.jobs, *self.report.jobs, self.dataset.watch.job), milliseconds)
        return self.project_file.close(milliseconds) and ended
