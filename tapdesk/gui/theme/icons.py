"""Our own SVG icons and state marks, tinted by the palette."""

from enum import Enum
from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from tapdesk import resources
from tapdesk.gui.theme.theme import Theme

_SQUARE = 11  # pixels of the square of a colour


class State(Enum):
    """The state of a step or a check; the value is the name of its mark. The marks differ in shape."""

    EMPTY = "mark-empty"
    HERE = "mark-here"
    RUNNING = "mark-running"
    DONE = "mark-done"
    KNOW = "mark-know"
    BLOCKED = "mark-blocked"
    STALE = "mark-stale"
    INFO = "mark-info"


TINTS = {
    State.EMPTY: "control",
    State.HERE: "accent",
    State.RUNNING: "accent",
    State.DONE: "accent",
    State.KNOW: "know",
    State.BLOCKED: "stop",
    State.STALE: "know",
    State.INFO: "text2",
}


@lru_cache(maxsize=256)
def _renderer(name: str, colour: str, ground: str, quiet: str) -> QSvgRenderer:
    text = resources.path("icons", f"{name}.svg").read_text("utf-8")
    text = text.replace("currentColor", colour).replace('"white"', f'"{ground}"').replace('"gray"', f'"{quiet}"')
    return QSvgRenderer(QByteArray(text.encode()))


def paint(painter: QPainter, rect: QRectF, name: str, theme: Theme, tint: str = "text3") -> None:
    """Draw an icon into a rectangle; ``tint`` is the name of a colour."""
    names = theme.names
    _renderer(name, names[tint], names["onaccent"], names["line"]).render(painter, rect)


def icon(name: str, theme: Theme, tint: str = "text3", pixels: int = 16) -> QIcon:
    """An icon for buttons and menus, sharp at one and at two device pixels."""
    made = QIcon()
    for ratio in (1, 2):
        picture = QPixmap(QSize(pixels, pixels) * ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        paint(painter, QRectF(picture.rect()), name, theme, tint)
        painter.end()
        picture.setDevicePixelRatio(ratio)
        made.addPixmap(picture)
    return made


class Glyph(QWidget):
    """An icon or a state mark as a widget; it grows with the text."""

    def __init__(self, theme: Theme, name: str, tint: str = "text3", pixels: float = 18) -> None:
        super().__init__()
        self._theme, self._name, self._tint, self._pixels = theme, name, tint, pixels
        self._turn = 0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self._resize)
        self._resize()

    @staticmethod
    def of(theme: Theme, state: State, pixels: float = 18) -> "Glyph":
        """The mark of a state."""
        return Glyph(theme, state.value, TINTS[state], pixels)

    def show_state(self, state: State) -> None:
        """Become the mark of another state."""
        self._name, self._tint = state.value, TINTS[state]
        if state is not State.RUNNING:
            self._turn = 0
        self.update()

    def turn(self) -> None:
        """Turn the busy arc a little; nothing moves unless somebody calls this."""
        self._turn = (self._turn + 30) % 360
        self.update()

    def _resize(self) -> None:
        side = self._theme.px(self._pixels)
        self.setFixedSize(side, side)
        self.update()

    def paintEvent(self, event: object) -> None:
        """Draw the mark."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._turn:
            middle = self.width() / 2
            painter.translate(middle, middle)
            painter.rotate(self._turn)
            painter.translate(-middle, -middle)
        paint(painter, QRectF(self.rect()), self._name, self._theme, self._tint)
        painter.end()


def app_icon(theme: Theme) -> QIcon:
    """The icon of the window: three bars of agreement on an accent ground."""
    made = QIcon()
    for side in (16, 32, 64, 128, 256):
        picture = QPixmap(side, side)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        paint(painter, QRectF(0, 0, side, side), "app", theme, "accent")
        painter.end()
        made.addPixmap(picture)
    return made


def square(painter: QPainter, x: float, middle: float, colour: str, theme: Theme) -> int:
    """Draw the small square of a colour; returns the room it takes. A line tells it from any ground."""
    side = theme.px(_SQUARE)
    box = QRectF(round(x) + 0.5, round(middle - side / 2) + 0.5, side, side)
    painter.save()
    painter.setPen(QPen(theme.colour("control"), 1))
    # Late: the first card is seen before any other room is loaded.
    from tapdesk.ratings.ratings import COLOURS

    painter.setBrush(QColor(COLOURS[colour]))
    painter.drawRect(box)
    painter.restore()
    return side + theme.px(7)


def swatch(theme: Theme, colour: str) -> QIcon:
    """A square of a colour for a menu."""
    side = theme.px(_SQUARE) + 3
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    square(painter, 0, (side - 1) / 2, colour, theme)
    painter.end()
    return QIcon(picture)
