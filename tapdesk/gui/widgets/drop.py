"""A window that takes files dropped on it, with a frame while one is dragged over it, and Enter on its buttons."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QMainWindow, QWidget

from tapdesk.gui.look.theme import Theme
from tapdesk.ratings.formats.files import BETWEEN


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
