"""A button that the keyboard presses as people expect."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton


class PushButton(QPushButton):
    """A button that Enter presses wherever the keyboard is on it, also in a dialog without a default button."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is as good as the space bar."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        else:
            super().keyPressEvent(event)
