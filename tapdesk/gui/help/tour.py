"""A tour of two minutes on the simulated jury: a few words at the foot of the window while the panes show the thing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.version import VERSION

if TYPE_CHECKING:
    from tapdesk.gui.help.help_window import HelpWindow
    from tapdesk.gui.results.results_pane import ResultsPane

JURY = "jury"
CLASS1 = ("silver", "gold")


class TourStage(Protocol):
    """What a tour shows and does: the window, as far as the tour goes.

    Attributes
    ----------
    session
        What is open, and what runs.
    """

    session: Session

    @property
    def results(self) -> "ResultsPane":
        """The pane of results."""

    def go(self, place: int) -> None:
        """Show a pane."""

    def open_sample(self, name: str) -> None:
        """Open an example."""

    def run(self) -> None:
        """Run what is chosen, and look at it."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the tour.

    Attributes
    ----------
    pane
        Which pane is shown.
    title, words
        What is said.
    act
        What is done on arrival, when the tour goes forward.
    ready
        Whether the tour may go on from here.
    """

    pane: int
    title: str
    words: str
    act: Callable[[TourStage], object] = lambda _window: None
    ready: Callable[[TourStage], bool] = lambda _window: True


def _jury_is_open(window: TourStage) -> bool:
    reading = window.session.document.project.reading
    return reading is not None and not window.session.reading.running and window.session.file == f"sample:{JURY}"


def _is_as_told(window: TourStage) -> bool:
    """Whether the medals of the jury are still those that the tour speaks of: on the way they can be merged."""
    return not _jury_is_open(window) or set(CLASS1) < set(window.session.document.project.all_classes.classes)


def _answered(window: TourStage) -> bool:
    analysis = window.session.document.analysis
    return analysis is not None and analysis.fit is not None and not window.session.fitting.running


STOPS: tuple[Stop, ...] = (
    Stop(
        0,
        _("Four judges, 183 wines"),
        _(
            "This jury is simulated, so nobody can be hurt. The file stands on the left as it is, what we read on the "
            "right. One rating is told as a sentence: if that is right, the rest is. Every guess above it is a button."
        ),
        lambda window: window.open_sample(JURY),
        _jury_is_open,
    ),
    Stop(
        0,
        _("Nothing happens behind your back"),
        _(
            "The checks say what to look at. No rating is dropped or changed without your word, each decision is in a "
            "list, and each can be taken back."
        ),
    ),
    Stop(
        1,
        _("What do you want to know?"),
        _(
            "You choose a question, not a method. The counted class is the answer you ask about: "
            "silver and gold are ticked now. The light below says whether these ratings can "
            "answer at all, before anything runs."
        ),
        lambda window: window.session.choose_class1(CLASS1),
        lambda window: window.session.ready,
    ),
    Stop(
        1,
        _("The run"),
        _(
            "Lines that climb: the search starts from many places; where all meet there is one answer. The hills show "
            "how far each number moves when the wines are drawn again. Wide hills mean: not sure."
        ),
        lambda window: window.run(),
        _answered,
    ),
    Stop(
        2,
        _("Read one sentence first"),
        _(
            "It says how many of 100 ratings follow the wine, and between which limits that may lie. Below stand t, "
            "a and p, and the coefficients you know, each with its interval. Nobody checked the truth: accuracy means "
            "agreement with what the panel has in common."
        ),
    ),
    Stop(
        2,
        _("Could this be chance?"),
        _(
            "Further down, panels without any knowledge are simulated: could your ratings come from one of them? Each "
            "picture is also a table, and can be copied or saved."
        ),
        lambda window: window.results.show_block(window.results.part_blocks["chance"]),
    ),
    Stop(
        2,
        _("Your own words"),
        _(
            "Each block has room for a note. Notes are kept with the project and printed in the report. A tick says "
            "whether a part is in the report."
        ),
        lambda window: window.results.show_block(window.results.part_blocks["chance"], note=True),
    ),
    Stop(
        3,
        _("A report to sign"),
        _(
            "These are the true pages. What only you can know, such as whether the judges talked to each other, is "
            "asked for. Save it as PDF when it is right. That is all: open your own ratings whenever you like."
        ),
    ),
)


class Tour(Frame):
    """The strip at the foot of the window; hidden while there is no tour."""

    def __init__(self, window: TourStage) -> None:
        super().__init__("sentence", across=True, margins=(20, 10, 20, 10), gap=16)
        self._window = window
        self.at = -1
        self.setAccessibleName(_("Tour"))
        self.count = text("", "caption", "2")
        self.title, self.words = text("", "card"), text("", "body", wrap=True)
        sentence = QVBoxLayout()
        sentence.setSpacing(2)
        head = plain(across=True, gap=10).add(self.title, self.count)
        head.box.addStretch(1)
        for part in (head, self.words):
            sentence.addWidget(part)
        self.box.addLayout(sentence, 1)
        self.back = button(_("Back"), self.go_back, name=_("One stop back"))
        self.next = button(_("Next"), self.go_on, kind="primary", name=_("Next stop of the tour"))
        self.end = button(_("End the tour"), self.stop, kind="link")
        self.add(self.back, self.next, self.end)
        session = window.session
        session.document.changed.connect(self.refresh)
        session.planned.connect(self.refresh)
        for job in (session.reading, session.fitting):
            for signal in (job.started, job.done, job.failed, job.cancelled):
                signal.connect(self.refresh)
        self.hide()

    @Slot()
    def begin(self) -> None:
        """Start at the first stop."""
        self.at = -1
        self.show()
        self.go_on()

    @Slot()
    def go_on(self) -> None:
        """Go to the next stop; after the last one the tour is over."""
        if self.at + 1 == len(STOPS):
            self.stop()
            return
        self.at += 1
        stop = STOPS[self.at]
        self._window.go(stop.pane)
        stop.act(self._window)
        self.refresh()
        self.next.setFocus()

    @Slot()
    def go_back(self) -> None:
        """Look at the stop before again; nothing is done anew there."""
        self.at = max(self.at - 1, 0)
        self._window.go(STOPS[self.at].pane)
        self.refresh()

    @Slot()
    def stop(self) -> None:
        """End the tour; what was opened stays open."""
        self.at = -1
        self.hide()

    @Slot()
    def refresh(self) -> None:
        """Say what there is to see, and whether the tour can go on."""
        if self.at < 0:
            return
        stop = STOPS[self.at]
        self.title.setText(stop.title)
        self.words.setText(stop.words)
        self.count.setText(_("Stop {at} of {all}").format(at=self.at + 1, all=len(STOPS)))
        self.back.setEnabled(self.at > 0)
        # A file that was opened on the way is the user's own: the tour of the jury is over.
        if (self.at > 0 and not _jury_is_open(self._window)) or not _is_as_told(self._window):
            self.stop()
            return
        waited = not self.next.isEnabled()
        self.next.setEnabled(stop.ready(self._window))
        if waited and self.end.hasFocus():
            # Qt moved the keyboard on while Next could not be pressed; it must not end the tour by accident.
            self.next.setFocus()
        self.next.setText(_("Next") if self.at + 1 < len(STOPS) else _("Done"))
        self.setAccessibleDescription(f"{stop.title}. {stop.words}")


class Guides(QObject):
    """Help, tour and version.

    Parameters
    ----------
    theme
        Of the pages of help.
    window
        Their parent.
    toured
        Where the tour leads through.
    """

    def __init__(self, theme: Theme, window: QWidget, toured: TourStage) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self.tour = Tour(toured)
        self.page: HelpWindow | None = None

    @property
    def handlers(self) -> dict[str, Callable[[], object]]:
        """The call behind each row of the menu Help, by its key."""
        return {"help": self.help, "tour": self.tour.begin, "run_log": self.run_log, "about": self.about}

    def help(self) -> None:
        """Open the pages of help."""
        # Late: nobody needs help before there is a window.
        from tapdesk.gui.help.help_window import HelpWindow

        if self.page is None:
            self.page = HelpWindow(self._theme, self._window)
        self.page.open_page()

    def run_log(self) -> None:
        """Show what the program did, to be copied into a letter about it."""
        # Late: few ever ask.
        from tapdesk.gui.shell.run_log import RunLogDialog

        dialogs.execute(RunLogDialog(self._window))

    def about(self) -> None:
        """Tell what the program is."""
        words = _("tapdesk tells how much of the agreement between raters is knowledge and how much is luck.")
        version = _("Version {version}. It opens no connection.").format(version=VERSION)
        dialogs.inform(self._window, _("About tapdesk"), f"{words}\n\n{version}")
