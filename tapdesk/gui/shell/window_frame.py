"""What stands around the panes: the menus, the frame that takes files, the rail of steps, the status bar."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from tapdesk.gui.shell import status_texts
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, text
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.formats.files import BETWEEN, name_of

MENUS = {
    "file": _("&File"),
    "edit": _("&Edit"),
    "view": _("&View"),
    "analysis": _("&Analysis"),
    "report": _("&Report"),
    "help": _("&Help"),
}


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One action.

    Attributes
    ----------
    key
        The name under which the window knows it.
    menu
        The menu it stands in.
    words
        What it does; ``&`` marks the letter of the menu.
    shortcuts
        Keys; the first one is shown.
    line_before
        Whether a line separates it from what stands above.
    checkable
        Whether it can be on and off.
    """

    key: str
    menu: str
    words: str
    shortcuts: tuple[str, ...] = ()
    line_before: bool = False
    checkable: bool = False


# Rows that name cases, raters or ratings.
_WITH_NOUNS = ("find", "codes", "letters")
ACTIONS: tuple[ActionRow, ...] = (
    ActionRow("open", "file", _("&Open…"), ("Ctrl+O",)),
    ActionRow("paste", "file", _("&Paste ratings"), ("Ctrl+V",)),
    ActionRow("example", "file", _("Try an &example"), ("Ctrl+E",)),
    ActionRow("sheets", "file", _("&Blank rating sheets…")),
    ActionRow("save", "file", _("&Save"), ("Ctrl+S",), line_before=True),
    ActionRow("save_as", "file", _("Save &as…"), ("Ctrl+Shift+A",)),
    ActionRow("save_cleaned", "file", _("Save cleaned &data…")),
    ActionRow("compare", "file", _("Compare &with another file or project…")),
    ActionRow("close", "file", _("&Close"), ("Ctrl+W",)),
    ActionRow("quit", "file", _("&Quit"), ("Ctrl+Q",), line_before=True),
    ActionRow("undo", "edit", _("&Undo"), ("Ctrl+Z",)),
    ActionRow("redo", "edit", _("&Redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
    ActionRow("find", "edit", _("&Find in the {ratings}"), ("Ctrl+F",), line_before=True),
    ActionRow("find_next", "edit", _("Find &next"), ("F3",)),
    ActionRow("find_before", "edit", _("Find pre&vious"), ("Shift+F3",)),
    ActionRow("next_question", "edit", _("Next &question of the checks"), ("F8",), line_before=True),
    ActionRow("decisions", "edit", _("&Decisions…"), ("Ctrl+D",)),
    ActionRow("dataset", "view", _("&Dataset"), ("Ctrl+1",)),
    ActionRow("model", "view", _("&Model"), ("Ctrl+2",)),
    ActionRow("results", "view", _("&Results"), ("Ctrl+3",)),
    ActionRow("report", "view", _("Re&port"), ("Ctrl+4",)),
    ActionRow("next_area", "view", _("&Next area"), ("F6",), line_before=True),
    ActionRow("previous_area", "view", _("Previous area"), ("Shift+F6",)),
    ActionRow("larger", "view", _("&Larger text"), ("Ctrl++", "Ctrl+="), line_before=True),
    ActionRow("smaller", "view", _("&Smaller text"), ("Ctrl+-",)),
    ActionRow("usual", "view", _("&Usual text size"), ("Ctrl+0",)),
    ActionRow("light", "view", _("L&ight"), line_before=True, checkable=True),
    ActionRow("dark", "view", _("D&ark"), checkable=True),
    ActionRow("contrast", "view", _("&High contrast"), checkable=True),
    ActionRow("codes", "view", _("{Raters} as &codes"), line_before=True, checkable=True),
    ActionRow("run", "analysis", _("&Run"), ("Ctrl+R", "F5")),
    ActionRow("cancel", "analysis", _("&Cancel"), ("Ctrl+.",)),
    ActionRow("what_if", "analysis", _("&What if…"), ("Ctrl+I",), line_before=True),
    ActionRow("save_report", "report", _("&Save report (PDF)…"), ("Ctrl+Shift+S",)),
    ActionRow("save_form_report", "report", _("Save one report of all &questions…")),
    ActionRow("report_words", "report", _("Title, summary and your &words…"), ("Ctrl+Shift+W",)),
    ActionRow("letters", "report", _("Private &letters to the {raters}…")),
    ActionRow("print_report", "report", _("&Print…"), ("Ctrl+P",), line_before=True),
    ActionRow("verify", "report", _("&Verify an issued report…"), line_before=True),
    ActionRow("help", "help", _("&Help"), ("F1",)),
    ActionRow("tour", "help", _("&Tour in two minutes")),
    ActionRow("run_log", "help", _("What the program &did…")),
    ActionRow("about", "help", _("&About tapdesk"), line_before=True),
)


class RecentMenu(QMenu):
    """The files that were opened last, each a row that opens it again.

    Parameters
    ----------
    rows
        Their paths as they stand now, newest first.
    open_file
        Opens one of them.
    """

    def __init__(self, parent: QWidget, rows: Callable[[], Sequence[str]], open_file: Callable[[str], object]) -> None:
        super().__init__(_("Open &recent"), parent)
        self._rows, self._open = rows, open_file
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)
        self.fill()

    @Slot()
    def fill(self) -> None:
        """List the files as they are by now; where there is none, the menu cannot be opened."""
        self.clear()
        for number, path in enumerate(self._rows(), 1):
            name = label_text(name_of(Path(path)), 60).replace("&", "&&")
            row = self.addAction(f"&{number}  {name}")
            row.setToolTip(path)
            row.triggered.connect(lambda _on=False, path=path: self._open(path))
        self.menuAction().setEnabled(not self.isEmpty())


def fill_menus(
    bar: QMenuBar, window: QWidget, act: dict[str, Callable[[], object]], recent: QMenu
) -> dict[str, QAction]:
    """Put all actions into the menus; ``act`` says what each does, ``recent`` stands below what opens a file."""
    made: dict[str, QAction] = {}
    menus = {key: bar.addMenu(say(words)) for key, words in MENUS.items()}
    for row in ACTIONS:
        menu = menus[row.menu]
        if row.line_before:
            menu.addSeparator()
        action = QAction(say(row.words), window)
        action.setShortcuts([QKeySequence(keys) for keys in row.shortcuts])
        action.setCheckable(row.checkable)
        call = act[row.key]
        action.triggered.connect(lambda _checked=False, call=call: call())
        menu.addAction(action)
        if row.key == "open":
            menu.addMenu(recent)
        made[row.key] = action
    return made


def tell_again(actions: Mapping[str, QAction]) -> None:
    """Tell what names cases or raters in the words of the file that is open by now."""
    for row in ACTIONS:
        if row.key in _WITH_NOUNS:
            actions[row.key].setText(say(row.words))


WIDE = 196
END, GAP = 14, 4
# Beyond half as large again the words wrap instead: the panes need the room.
MOST_GROWN = 150


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
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
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
