"""A menu of things to tick: it stays open until all of them are ticked, and tells once what they are."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget


class Ticks(QMenu):
    """Rows that are ticked one by one, and a row that uses what is ticked.

    Parameters
    ----------
    use
        What the last row says.
    told
        Called with the ticked texts, where they are others than before; not when the menu is left with Escape.
    """

    def __init__(self, use: str, told: Callable[[tuple[str, ...]], None], parent: QWidget) -> None:
        super().__init__(parent)
        self._use, self._told = use, told
        self._rows: list[QAction] = []
        self._before: tuple[str, ...] = ()

    def add(self, words: str, text: str, *, on: bool) -> None:
        """A row to tick; ``text`` is what is told of it."""
        act = self.addAction(words.replace("&", "&&"))
        act.setCheckable(True)
        act.setChecked(on)
        act.setData(text)
        self._rows.append(act)
        self._before = self.ticked

    def end(self) -> None:
        """The row that uses what is ticked."""
        self.addSeparator()
        self.addAction(self._use)
        self.aboutToHide.connect(self._close)

    @property
    def ticked(self) -> tuple[str, ...]:
        """The texts that are ticked, from top to bottom."""
        return tuple(act.data() for act in self._rows if act.isChecked())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tick a row, and stay."""
        act = self.actionAt(event.position().toPoint())
        if act in self._rows:
            act.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tick a row with Return or the space bar, and stay; Escape leaves all as it was."""
        act, key = self.activeAction(), event.key()
        if act in self._rows and key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            act.trigger()
            return
        if key == Qt.Key.Key_Escape:
            for row in self._rows:
                row.setChecked(row.data() in self._before)
        super().keyPressEvent(event)

    def _close(self) -> None:
        after = self.ticked
        if after != self._before:
            before, self._before = self._before, after
            if after:
                self._told(after)
            else:
                # Nothing at all is no choice.
                self._before = before
                for row in self._rows:
                    row.setChecked(row.data() in before)
