"""Words that change many times a second."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel


def steady(label: QLabel, words: str) -> None:
    """Change what a label says; it only ever grows, so that most changes are no reason to lay out the window anew."""
    if label.text() == words:
        return
    wanted = label.fontMetrics().size(Qt.TextFlag.TextSingleLine, words)
    if label.minimumSize() != label.maximumSize() or wanted.width() > label.minimumWidth():
        label.setFixedSize(wanted)
    label.setText(words)
