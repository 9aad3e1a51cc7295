"""Which control the keyboard goes to when it moves between rail and pane."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def next_control(by: int, at: QWidget | None, rail: QWidget, step: QWidget, pane: QWidget) -> QWidget | None:
    """The control to go to, ``by`` areas on from where the focus is: the step of the rail, or the first of the pane."""
    areas = [rail, pane]
    here = next((i for i, area in enumerate(areas) if at is not None and area.isAncestorOf(at)), -1)
    if areas[(here + by) % len(areas)] is rail:
        return step
    for child in pane.findChildren(QWidget):
        if child.isVisible() and child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus:
            return child
    return None
