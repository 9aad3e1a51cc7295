"""A choice between a few, with our own ring: the one of the style is lost on a dark ground."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QRadioButton

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.basic import BOX


class Radio(QRadioButton):
    """One of several choices below the same parent."""

    def __init__(self, theme: Theme, words: str) -> None:
        super().__init__(words)
        self._theme = theme
        self.setProperty("type", "small")
        self.setAccessibleName(words)

    def sizeHint(self) -> QSize:
        """The ring, the gap and the words."""
        metrics, side = self.fontMetrics(), self._theme.px(BOX)
        return QSize(side + 8 + metrics.horizontalAdvance(self.text()), max(side, metrics.height()) + 4)

    def hitButton(self, position: object) -> bool:
        """The words belong to the ring."""
        del position
        return True

    def paintEvent(self, event: object) -> None:
        """Draw ring and words."""
        del event
        painter, theme = QPainter(self), self._theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = theme.px(BOX)
        ring = QRectF(0, (self.height() - side) / 2, side, side).adjusted(1, 1, -1, -1)
        on = self.isChecked()
        painter.setPen(QPen(theme.colour("accent" if on else "control"), 1.5))
        painter.setBrush(theme.colour("surface"))
        painter.drawEllipse(ring)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour("accent"))
            painter.drawEllipse(ring.center(), side * 0.24, side * 0.24)
        painter.setPen(theme.colour("text"))
        place = QRectF(side + 6, 0, self.width() - side - 6, self.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()
