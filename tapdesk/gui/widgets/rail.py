"""The rail at the left: the four steps and the promise below them."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QVBoxLayout

from tapdesk.gui.look.icons import Glyph, State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import Frame, text
from tapdesk.language import gettext as _

WIDE = 196
END, GAP = 14, 4
# Beyond half as large again the words wrap instead: the panes need the room.
MOST_GROWN = 150


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
