"""What stands on the start page: large cards that are buttons, and small drawn sheets."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from tapdesk.gui.look.icons import paint
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import text
from tapdesk.language import gettext as _


class ActionCard(QAbstractButton):
    """A large card that is a button: picture, what it does, what it takes, and its key."""

    def __init__(self, theme: Theme, picture: str, words: tuple[str, str, str], *, first: bool = False) -> None:
        super().__init__()
        self._theme, self._picture, self._first = theme, picture, first
        self._low = False
        title, about, key = words
        self.setAccessibleName(title)
        self.setAccessibleDescription(f"{about}. {key}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._box = QVBoxLayout(self)
        self._box.setSpacing(2)
        labels = (text(title, "action"), text(about, "body", "2", wrap=True), text(key, "caption", "3", wrap=True))
        for label in labels:
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self._box.addWidget(label)
            if label is labels[1]:
                self._box.addStretch(1)
        theme.changed.connect(self._dress)
        self._dress()

    def lie(self, *, low: bool) -> None:
        """Have the words beside the picture, where cards stand below each other, or under it."""
        if low is not self._low:
            self._low = low
            self._dress()

    def _dress(self) -> None:
        side = self._theme.px(40)
        if self._low:
            self._box.setContentsMargins(20 + side + 16, 16, 20, 14)
        else:
            self._box.setContentsMargins(20, 20 + side + 14, 20, 16)
        self.setMinimumHeight(self._high())
        self.updateGeometry()
        self.update()

    def _high(self) -> int:
        return self._theme.px(84 if self._low else 172)

    def sizeHint(self) -> QSize:
        """As the picture of the pane has it."""
        return QSize(self._theme.px(240), self._high())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw card and picture."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong = self._first or self.underMouse()
        painter.setPen(QPen(self._theme.colour("accent" if strong else "line"), 1.5 if self._first else 1))
        painter.setBrush(self._theme.colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 6, 6)
        side = self._theme.px(40)
        tile = QRectF(20, 16 if self._low else 20, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("soft" if self._first else "sunken"))
        painter.drawRoundedRect(tile, 6, 6)
        inset = side * 0.2
        tint = "accent" if self._first else "text2"
        paint(painter, tile.adjusted(inset, inset, -inset, -inset), self._picture, self._theme, tint)
        painter.end()


class Shape(QWidget):
    """A small drawn sheet that shows a shape of data."""

    def __init__(self, theme: Theme, title: str, rows: tuple[tuple[str, ...], ...]) -> None:
        super().__init__()
        self._theme, self._rows = theme, rows
        self.setAccessibleName(_("Example of a sheet: {title}").format(title=title))
        self.setAccessibleDescription("; ".join(", ".join(row) for row in rows))
        theme.changed.connect(self._dress)
        self._dress()

    def _dress(self) -> None:
        self.setFixedHeight(self._theme.px(22) * len(self._rows) + 2)
        self.setMinimumWidth(self._theme.px(200))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the sheet."""
        del event
        theme, painter = self._theme, QPainter(self)
        columns, high = len(self._rows[0]), theme.px(22)
        wide = (self.width() - 1) / columns
        painter.fillRect(QRectF(0, 0, self.width(), high), theme.colour("sunken"))
        painter.setPen(QPen(theme.colour("line"), 1))
        for i in range(len(self._rows) + 1):
            painter.drawLine(0, i * high, self.width() - 1, i * high)
        for j in range(columns + 1):
            painter.drawLine(round(j * wide), 0, round(j * wide), high * len(self._rows))
        painter.setFont(theme.font(11.5))
        for i, row in enumerate(self._rows):
            painter.setPen(theme.colour("text2" if i == 0 else "text"))
            for j, cell in enumerate(row):
                place = QRectF(j * wide + 7, i * high, wide - 10, high)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, cell)
        painter.end()
