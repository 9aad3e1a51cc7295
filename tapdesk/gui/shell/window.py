"""The window: it only puts together the menu, the rail, the panes and the status bar."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, Qt, QTemporaryDir, QTimer, Slot
from PySide6.QtGui import (
    QCloseEvent,
)
from PySide6.QtWidgets import (
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from tapdesk.errors import TapdeskError
from tapdesk.gui.dataset.dataset_pane import DatasetPane
from tapdesk.gui.dataset.start_pane import StartPane
from tapdesk.gui.help.tour import Guides
from tapdesk.gui.model.model_pane import ModelPane
from tapdesk.gui.runs.gui_priority import GUI_PRIORITY
from tapdesk.gui.runs.job import stop_all
from tapdesk.gui.shell import dialogs, opening, status_texts
from tapdesk.gui.shell.crash import Catcher
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.project_file import ProjectFile
from tapdesk.gui.shell.recents import RecentFiles
from tapdesk.gui.shell.session import SAMPLE, Session
from tapdesk.gui.shell.tables import TableFiles
from tapdesk.gui.shell.window_frame import DropWindow, Rail, RecentMenu, StatusBar, fill_menus, tell_again
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import ColourScheme, Theme, screen
from tapdesk.gui.widgets.block import tell_all
from tapdesk.gui.widgets.controls import plain, text
from tapdesk.gui.widgets.focus import FocusRing, next_control, tab_through
from tapdesk.language import gettext as _
from tapdesk.language import speak
from tapdesk.project.damage import open_line
from tapdesk.project.review_state import blocking_findings
from tapdesk.project.what_if import Variation
from tapdesk.ratings.formats.files import BETWEEN, paths_of

if TYPE_CHECKING:
    from tapdesk.gui.dataset.findings import DecisionsWindow
    from tapdesk.gui.report.report_pane import ReportPane
    from tapdesk.gui.results.results_pane import ResultsPane
    from tapdesk.gui.results.what_if_pane import WhatIfPane

P = TypeVar("P", bound=QWidget)
# Panes by their place; those of the last three are made when they are first looked at.
RESULTS, REPORT, WHAT_IF = 2, 3, 4
LATE = {RESULTS: "results", REPORT: "report", WHAT_IF: "what_if"}
# Actions that need ratings.
_OF_RATINGS = (
    "save_report", "print_report", "letters", "report_words", "save", "save_as", "save_cleaned", "decisions",
    "find", "find_next", "find_before", "next_question", "close", "compare", "what_if",
)  # fmt: skip
CLOSING = 1000  # milliseconds the threads get to end


class MainWindow(DropWindow):
    """Rail, panes, menus and status bar around one session.

    What is not seen when a window opens is made when it is first wanted: the panes of results and report, and the list
    of decisions.
    """

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
        self.start = StartPane(theme, self.open_dialog, self.open_sample, self.paste)
        self.dataset, self.model = DatasetPane(theme, session), ModelPane(theme, session)
        self.front = QStackedWidget()
        self.front.addWidget(self.start)
        self.front.addWidget(self.dataset)
        self.panes = QStackedWidget()
        self._held = {place: QWidget() for place in LATE}
        for pane in (self.front, self.model, *self._held.values()):
            self.panes.addWidget(pane)
        self.rail = Rail(theme, status_texts.STEPS)
        self.steps = self.rail.steps
        self.project_words = text("", "small", "2")
        self.status = StatusBar(theme, session)
        self.guides, self.tables = Guides(theme, self, self), TableFiles(theme, session, self)
        self.setCentralWidget(self._assembled())
        self.recents = RecentFiles(settings)
        self.recent_menu = RecentMenu(self, lambda: self.recents.rows, self.open_file)
        self.actions_ = fill_menus(self.menuBar(), self, self._handlers(), self.recent_menu)
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

    @Slot()
    def _compare_questions(self) -> None:
        """Set all questions of the form side by side, where they are looked at."""
        self.go(RESULTS)
        self.results.compare_questions()

    def _save_form_report(self) -> None:
        """Save one report of all questions of the form, which are set side by side before."""
        self.go(RESULTS)
        self.results.save_form_report()

    @Slot(str)
    def _show_ratings_of(self, question: str) -> None:
        """Show the ratings of a question of the form that can have no results."""
        self.session.choose_question(question)
        self.go(0)

    @cached_property
    def results(self) -> "ResultsPane":
        """The pane of results, made when it is first looked at."""
        from tapdesk.gui.results.results_pane import ResultsPane

        pane = self._stand(RESULTS, ResultsPane(self.theme, self.session))
        pane.to_checks.connect(self._next_question)
        pane.questions.unanswered.connect(self._show_ratings_of)
        pane.to_letters.connect(self.actions_["letters"].trigger)
        pane.to_report.clicked.connect(lambda: self.go(REPORT))
        return pane

    @cached_property
    def report(self) -> "ReportPane":
        """The pane of the report, made when it is first looked at."""
        from tapdesk.gui.report.report_pane import ReportPane

        pane = self._stand(REPORT, ReportPane(self.theme, self.session))
        pane.paged.connect(self.refresh)
        return pane

    @cached_property
    def decisions(self) -> "DecisionsWindow":
        """The list of decisions, made when it is first opened."""
        from tapdesk.gui.dataset.findings import DecisionsWindow

        return DecisionsWindow(self.theme, self.session, self)

    @cached_property
    def what_if(self) -> "WhatIfPane":
        """What if, side by side; made when it is first asked."""
        from tapdesk.gui.results.what_if_pane import WhatIfPane

        pane = self._stand(WHAT_IF, WhatIfPane(self.theme, self.session))
        pane.closed.connect(lambda: self.go(RESULTS))
        return pane

    def _stand(self, place: int, pane: P) -> P:
        """Put a pane where an empty one holds its place."""
        held = self._held.pop(place)
        looked_at = held is self.panes.currentWidget()
        self.panes.insertWidget(place, pane)
        self.panes.removeWidget(held)
        held.deleteLater()
        if looked_at:
            self.panes.setCurrentWidget(pane)
        # Tab goes through the panes, then through what stands below them.
        tab_through((self.rail, self.panes, self.guides.tour))
        return pane

    def _made(self, name: str) -> bool:
        """Whether something that is made when it is first wanted has been made."""
        return name in self.__dict__

    def _wire(self) -> None:
        session = self.session
        for i, step in enumerate(self.steps):
            step.clicked.connect(lambda _on=False, i=i: self.go(i))
        self.dataset.next.clicked.connect(self._go_on)
        self.dataset.offer(self.project_file.recipes)
        self.dataset.watch.noticed.connect(self.refresh)
        self.start.error.again = session.try_again
        self.model.compared.connect(self._compare_questions)
        self.model.to_dataset.clicked.connect(lambda: self.go(0))
        for shows in (self.model.running.show_results, self.model.to_results):
            shows.clicked.connect(lambda: self.go(2))
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
        session.naming.changed.connect(self._refresh_actions)
        session.planned.connect(self.refresh)
        session.side_studies.changed.connect(self.refresh)
        session.problem.connect(self._on_problem)
        session.wondered.connect(self._on_wondered)
        session.bug.connect(self.catcher.tell)
        self.catcher.keep = self.project_file.keep_now
        self.catcher.again.connect(self._show_trouble)
        session.reading.done.connect(self._on_read)
        session.opened.connect(self._on_opened)
        self.tables.message.connect(self._on_table)
        self.tables.problem.connect(self._show_trouble)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        """The call behind each row of ``ACTIONS``, by its key."""
        stack = self.session.document.undo_stack

        def on_pane(place: int, act: Callable[[], object]) -> None:
            self.go(place)
            act()

        return {
            "open": self.open_dialog,
            "paste": self.paste,
            "save": self.save,
            "save_as": self.save_as,
            "save_cleaned": self.save_cleaned,
            "sheets": self.tables.new_sheets,
            "compare": self.compare_file,
            "close": self.close_file,
            "decisions": self._show_decisions,
            "example": lambda: self.open_sample("jury"),
            "quit": self.close,
            "undo": stack.undo,
            "redo": stack.redo,
            "find": lambda: on_pane(0, self.dataset.find_bar.begin),
            "find_next": lambda: on_pane(0, lambda: self.dataset.find_bar.go(1)),
            "find_before": lambda: on_pane(0, lambda: self.dataset.find_bar.go(-1)),
            "next_question": self._next_question,
            "dataset": lambda: self.go(0),
            "model": lambda: self.go(1),
            "results": lambda: self.go(2),
            "report": lambda: self.go(3),
            "next_area": lambda: self.cycle(1),
            "previous_area": lambda: self.cycle(-1),
            "larger": lambda: self.dress(scale=self.theme.scale + 10),
            "smaller": lambda: self.dress(scale=self.theme.scale - 10),
            "usual": lambda: self.dress(scale=100),
            "light": lambda: self.dress(look=ColourScheme.LIGHT),
            "dark": lambda: self.dress(look=ColourScheme.DARK),
            "contrast": lambda: self.dress(look=ColourScheme.CONTRAST),
            "codes": lambda: self.session.naming.use(codes=self.actions_["codes"].isChecked()),
            "run": self.run,
            "cancel": self.cancel,
            "what_if": self.ask_what_if,
            "save_report": self.save_report,
            "save_form_report": self._save_form_report,
            "print_report": lambda: self.on_report(self.report.export.print_report),
            "letters": lambda: self.on_report(self.report.export.letters),
            "report_words": lambda: self.on_report(lambda: self.report.words.show_at("title")),
            "verify": lambda: on_pane(3, self.report.export.ask_and_verify),
            **self.guides.handlers,
        }

    # What can be done -------------------------------------------------------------------------------------------

    def _show_decisions(self) -> None:
        self.decisions.show()

    def go(self, place: int) -> None:
        """Show a pane."""
        new = place in self._held
        if new:
            getattr(self, LATE[place])
        self.panes.setCurrentIndex(place)
        self.refresh()
        if self.focusWidget() in self.steps:
            # The keys stand at the step that is shown, never at another.
            self.steps[self._step].setFocus(Qt.FocusReason.OtherFocusReason)
        if new:
            # What has just been made has its place before anything in it can be pressed.
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        title = _("Open a spreadsheet, a project, or a file per rater")
        chosen = dialogs.files_to_open(self, title, dialogs.KINDS, self.recents.folder)
        if chosen:
            self.open_file(BETWEEN.join(chosen))

    def open_file(self, path: str) -> None:
        """Open a spreadsheet, a project, or ``sample:NAME``; changes that are not saved are asked about first."""
        tell_all(self.panes)
        if self.project_file.leave(lambda: self.open_file(path)):
            self.go(0)
            self.session.open(path)

    def close_file(self) -> None:
        """Close what is open and show the start page; changes that are not saved, and a run, are asked about first."""
        tell_all(self.panes)
        if self.session.fitting.running and not dialogs.to_stop(self):
            return
        if self.project_file.leave(self.close_file):
            self.session.leave()
            self.go(0)

    def ask_what_if(self) -> None:
        """Show what may be otherwise."""
        self.go(WHAT_IF)
        self.what_if.open_list()

    def compare_file(self) -> None:
        """Ask for another file, or several rounds, and set them beside the one that is open."""
        title = _("Compare with another file or project, or with several rounds")
        if paths := dialogs.files_to_open(self, title, dialogs.KINDS, self.recents.folder):
            self.go(WHAT_IF)
            self.what_if.compare(paths)

    @Slot(object)
    def _on_wondered(self, variation: Variation) -> None:
        if self._made("decisions"):
            # It was asked there, and would stand before the answer.
            self.decisions.hide()
        self.go(WHAT_IF)
        self.what_if.ask(variation)

    def take(self, path: str) -> None:
        """Take a file that was dropped: an issued report is verified, anything else opened."""
        if Path(path).suffix.lower() == ".pdf":
            self.go(3)
            self.report.verify(Path(path))
        else:
            self.open_file(path)

    def save(self) -> None:
        """Save the project, with what was typed a moment ago."""
        tell_all(self.panes)
        self.project_file.save()

    def save_as(self) -> None:
        """Save the project under another name."""
        tell_all(self.panes)
        self.project_file.save_as()

    def save_cleaned(self) -> None:
        """Save the ratings as they stand after all decisions, with what was typed a moment ago."""
        tell_all(self.panes)
        self.tables.save_cleaned()

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
        """Run what is chosen, and look at it; where all questions of a form wait to be set side by side, do that."""
        if self.panes.currentIndex() == RESULTS and self.results.waits_for_all:
            self._compare_questions()
        elif self.model.run.isEnabled():
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
        at = self._step
        first = next_control(by, self.focusWidget(), self.rail, self.steps[at], self.panes.currentWidget())
        if first is not None:
            self._ring.go_to(first)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab: from now on the ring shows where the keyboard is; Qt also asks for it where a control is hidden."""
        at = self.focusWidget()
        self._ring.by_keyboard |= at is None or (at.isVisible() and at.isEnabled())
        return super().focusNextPrevChild(forward)

    # What is shown ----------------------------------------------------------------------------------------------

    @property
    def _step(self) -> int:
        """The step of the pane that is shown; what if belongs to the results."""
        at = self.panes.currentIndex()
        return RESULTS if at == WHAT_IF else at

    @Slot()
    def refresh(self) -> None:
        """Show rail, menu and status bar as they stand."""
        session = self.session
        at, document = self._step, session.document
        loading = session.reading.running
        self.front.setCurrentWidget(self.dataset if loading or not document.empty else self.start)
        made = self.report.made if self._made("report") else None
        pages = len(made.pages) if made is not None else 0
        for i, (step, (state, word)) in enumerate(zip(self.steps, status_texts.rail(session, at, pages), strict=True)):
            step.setChecked(i == at)
            step.show_state(state, word)
        busy = session.fitting.running or session.reading.running
        (self._arc.start if busy else self._arc.stop)()
        self.status.refresh()
        self._show_open()
        self.dataset.show_next(blocked=not loading and bool(session.blocked))
        self.project_words.setText(self.project_file.words)
        self.project_words.setToolTip(self.project_file.unsafe)
        self.setWindowTitle("tapdesk" if document.empty else f"{self.project_file.name}[*] - tapdesk")
        self.setWindowModified(self.project_file.unsaved)
        self.start.show_going_on(self.project_file.left_over, self.project_file.recents.rows)
        # From nothing, or a menu that was once tall would stay so when the text becomes smaller.
        self.project_words.setMinimumHeight(0)
        self.project_words.setMinimumHeight(self.menuBar().sizeHint().height() - 1)
        self._refresh_actions()

    def _show_open(self) -> None:
        """Repeat above the models, in one line, what is still open in the checks."""
        document, banner = self.session.document, self.model.banner
        closed = document.empty or self.session.reading.running or blocking_findings(document.project)
        words = "" if closed else open_line(document.project)
        if not words:
            banner.hide()
        elif banner.words != words:
            banner.say(words, State.KNOW, (_("Go to the checks"), self._next_question))

    @Slot()
    def _go_on(self) -> None:
        """From the dataset to the model, or to the first check that has to be answered before."""
        if self.session.blocked:
            self._next_question()
        else:
            self.go(1)

    def _next_question(self) -> None:
        self.go(0)
        self.dataset.checks.next_question()

    @Slot()
    def _refresh_actions(self) -> None:
        """Say of every action whether it can be done now, and what undo and redo would do."""
        stack, actions = self.session.document.undo_stack, self.actions_
        actions["undo"].setEnabled(stack.canUndo())
        actions["undo"].setText(_("&Undo {undoText}").format(undoText=stack.undoText()).strip())
        actions["redo"].setEnabled(stack.canRedo())
        actions["redo"].setText(_("&Redo {redoText}").format(redoText=stack.redoText()).strip())
        actions["run"].setEnabled(self.model.run.isEnabled())
        actions["save_form_report"].setEnabled(bool(self.session.document.project.form) and not self.session.blocked)
        actions["cancel"].setEnabled(self.session.fitting.running or self.session.reading.running)
        for key in _OF_RATINGS:
            actions[key].setEnabled(not self.session.document.empty)
        actions["codes"].setChecked(self.session.naming.codes)
        tell_again(actions)
        for look in ColourScheme:
            actions[look.value].setChecked(look is self.theme.look)

    @Slot()
    def _turn(self) -> None:
        with GUI_PRIORITY.going():
            for step in self.steps:
                step.turn()
            self.status.go_on()

    @Slot(object)
    def _on_opened(self, _opened: object) -> None:
        if self.session.place:
            self.recents.add(self.session.place)
        self.recent_menu.fill()

    @Slot(str, object, object)
    def _on_table(self, words: str, state: State, action: object) -> None:
        """Say where a table was written, where the user is; the start page has no banner."""
        pane = self.panes.currentWidget()
        if pane is self.front:
            pane = self.front.currentWidget()
        if isinstance(pane, Pane):
            pane.banner.say(words, state, action if isinstance(action, tuple) else None)
        else:
            dialogs.inform(self, _("Saved"), words)

    @Slot(object, str)
    def _on_problem(self, error: TapdeskError, file: str) -> None:
        if not any(path.exists() for path in paths_of(Path(self.session.tried))):
            self.recents.drop(self.session.tried)
            self.recent_menu.fill()
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
        tell_all(self.panes)
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
        printing = self.report.jobs if self._made("report") else ()
        jobs = (*self.session.jobs, *printing, self.dataset.watch.job, self.dataset.checks.effects, self.tables.job)
        ended = stop_all(jobs, milliseconds)
        return self.project_file.close(milliseconds) and ended
