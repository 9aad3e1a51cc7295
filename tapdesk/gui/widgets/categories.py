"""The list of categories: their order, their counts, and how to move them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from tapdesk.gui.icons import paint
from tapdesk.gui.theme import Theme
from tapdesk.gui.widgets.basic import ToolIcon, clear, plain
from tapdesk.report import numbers


class CategoryRow(QWidget):
    """One category: its place, its name, a bar and its count; Alt with an arrow key moves it."""

    moved = Signal(int)

    def __init__(self, theme: Theme, place: int, name: str, count: int, share: float) -> None:
        super().__init__()
        self._theme, self._place, self._name, self._count, self._share = theme, place, name, count, share
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Category {place + 1}: {name}, {count} ratings")
        self.setAccessibleDescription("Alt and an arrow key move it.")
        self.setToolTip(name)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 6, 0)
        box.setSpacing(0)
        box.addStretch(1)
        for picture, words, by in (("up", "Move “{}” up", -1), ("down", "Move “{}” down", 1)):
            box.addWidget(ToolIcon(theme, picture, words.format(name), self._mover(by)))

    def _mover(self, by: int) -> Callable[[], object]:
        return lambda: self.moved.emit(by)

    def sizeHint(self) -> QSize:
        """One row of the list."""
        return QSize(self._theme.px(220), self._theme.px(34))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move on Alt and an arrow key."""
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in steps:
            self.moved.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the row."""
        del event
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("line"), 1))
        painter.setBrush(theme.colour("surface"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        high, side = self.height(), theme.px(16)
        paint(painter, QRectF(6, (high - side) / 2, side, side), "grip", theme)
        tools, count, bar = theme.px(52), theme.px(54), theme.px(56)
        right = round(self.width() - tools)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(theme.font(13))
        painter.setPen(theme.colour("text3"))
        painter.drawText(QRectF(side + 14, 0, 22, high), middle, str(self._place + 1))
        painter.setPen(theme.colour("text"))
        painter.setFont(theme.font(12))
        number = QRectF(right - count, 0, count - 4, high)
        painter.drawText(number, middle | Qt.AlignmentFlag.AlignRight, numbers.count(self._count))
        room = right - count - side - 40
        painter.setFont(theme.font(13, QFont.Weight.DemiBold))
        if painter.fontMetrics().horizontalAdvance(self._name) + bar + 8 <= room:
            room -= bar + 8
            track = QRectF(right - count - bar - 4, (high - 8) / 2, bar, 8)
            painter.fillRect(track, theme.colour("sunken"))
            painter.fillRect(QRectF(track.x(), track.y(), bar * self._share, 8), theme.colour("b50"))
        words = painter.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, room)
        painter.drawText(QRectF(side + 36, 0, room, high), middle, words)
        painter.end()


class CategoryList(QWidget):
    """Categories from the lowest to the highest."""

    moved = Signal(tuple)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._names: tuple[str, ...] = ()
        self.setAccessibleName("Order of the categories")
        frame = plain(gap=4)
        self._box = frame.box
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(frame)

    def show_categories(self, names: Sequence[str], counts: Sequence[int]) -> None:
        """Show the categories in their order; the keyboard stays on the one it was on."""
        kept = self._focused()
        clear(self._box)
        self._names = tuple(names)
        most = max(counts, default=0) or 1
        for i, (name, count) in enumerate(zip(names, counts, strict=True)):
            row = CategoryRow(self._theme, i, name, count, count / most)
            row.moved.connect(self._mover(i))
            self._box.addWidget(row)
            if name == kept:
                row.setFocus(Qt.FocusReason.OtherFocusReason)

    def _focused(self) -> str | None:
        """The category the keyboard is on."""
        at = self.window().focusWidget()
        for i, name in enumerate(self._names):
            item = self._box.itemAt(i)
            row = item.widget() if item is not None else None
            if row is not None and at is not None and (row is at or row.isAncestorOf(at)):
                return name
        return None

    def _mover(self, place: int) -> Callable[[int], None]:
        return lambda by: self._move(place, by)

    def _move(self, place: int, by: int) -> None:
        to = place + by
        if 0 <= to < len(self._names):
            names = list(self._names)
            names[place], names[to] = names[to], names[place]
            self.moved.emit(tuple(names))
