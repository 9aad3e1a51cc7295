"""Lists of steps: the rail at the left, and the phases of a run."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout

from tapdesk.gui.look.icons import Glyph, State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, clear, plain, text
from tapdesk.gui.widgets.steady import steady
from tapdesk.language import gettext as _


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
        box = QHBoxLayout(self)
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
        return self.layout().sizeHint()

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


@dataclass(frozen=True, slots=True)
class Phase:
    """One phase of a run: how it stands, what it is, and a note at the end of its line."""

    state: State
    words: str
    note: str = ""


class PhaseList(Frame):
    """The phases of a run, one a line."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("none", margins=(0, 0, 0, 0), gap=0)
        self._theme = theme
        self._shown: tuple[Phase, ...] = ()
        self._rows: list[tuple[Glyph, object, object]] = []
        self.setAccessibleName(_("Steps of the run"))

    def show_phases(self, phases: Sequence[Phase]) -> None:
        """Show the phases; lines are made anew only where their number changes."""
        if len(phases) != len(self._rows):
            clear(self.box)
            self._rows = [self._row() for _phase in phases]
        for (mark, words, note), phase in zip(self._rows, phases, strict=True):
            mark.show_state(phase.state)
            words.setText(phase.words)
            kind = "strong" if phase.state is State.RUNNING else "body"
            if words.property("type") != kind:
                words.setProperty("type", kind)
                words.style().polish(words)
            steady(note, phase.note)
        self._shown = tuple(phases)
        self.setAccessibleDescription(". ".join(f"{p.words} {p.note}".strip() for p in phases))

    def turn(self) -> None:
        """Turn the busy arc of what is running."""
        for (mark, _words, _note), phase in zip(self._rows, self._shown, strict=True):
            if phase.state is State.RUNNING:
                mark.turn()

    def _row(self) -> tuple[Glyph, object, object]:
        mark, words, note = Glyph.of(self._theme, State.EMPTY), text(wrap=True), text("", "small", "2")
        line = plain(across=True, gap=10, margins=(0, 5, 0, 5)).add(mark, words)
        line.box.setStretch(1, 1)
        note.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        line.add(note)
        self.box.addWidget(line)
        return mark, words, note
