"""A layout that puts widgets beside each other and goes on in the next line when it is full."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

LEAST = 120


class Flow(QLayout):
    """Widgets in lines, each as wide as it wants to be, the low ones halfway up; ``below`` is the gap between lines."""

    def __init__(self, parent: QWidget, gap: int = 8, below: int | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._below = gap if below is None else below
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Add an item at the end."""
        self._items.append(item)
        self._changed()

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """One item, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Take one item out, or None."""
        if not 0 <= index < len(self._items):
            return None
        self._changed()
        return self._items.pop(index)

    def _changed(self) -> None:
        """The height follows from the items: whoever remembers it must ask again."""
        self.invalidate()
        self.parentWidget().updateGeometry()

    def expandingDirections(self) -> Qt.Orientation:
        """It takes no more room than it needs."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """The height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all lines at a width."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place all items."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        """All items in one line."""
        hints = [item.sizeHint() for item in self._shown()]
        wide = sum(h.width() for h in hints) + self._gap * max(len(hints) - 1, 0)
        return QSize(wide, max((h.height() for h in hints), default=0))

    def minimumSize(self) -> QSize:
        """Every item can be squeezed into a line of its own."""
        high = max((item.minimumSize().height() for item in self._items), default=0)
        wide = max((min(item.minimumSize().width(), LEAST) for item in self._items), default=0)
        return QSize(wide, high)

    def _shown(self) -> list[QLayoutItem]:
        """The items that take room: a hidden one leaves no gap behind."""
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, move: bool) -> int:
        y = rect.y()
        for line in self._lines(max(rect.width(), 1)):
            x, high = rect.x(), max(hint.height() for _item, hint in line)
            for item, hint in line:
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (high - hint.height()) // 2), hint))
                x += hint.width() + self._gap
            y += high + self._below
        return max(y - self._below - rect.y(), 0)

    def _lines(self, wide: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        """The items of each line with their sizes."""
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        used = wide
        for item in self._shown():
            hint = item.sizeHint()
            hint.setWidth(min(hint.width(), wide))
            if not lines or used + self._gap + hint.width() > wide:
                lines.append([])
                used = -self._gap
            lines[-1].append((item, hint))
            used += self._gap + hint.width()
        return lines
