"""The frame around the window while a file is dragged over it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from tapdesk.gui.theme import Theme


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
