"""Two choices side by side, of which one is on."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from tapdesk.gui.look.theme import Theme


class _Segment(QAbstractButton):
    """One choice; the chosen one is bold on a soft ground."""

    def __init__(self, theme: Theme, words: str, place: int, count: int) -> None:
        super().__init__()
        self._theme, self._place, self._count = theme, place, count
        self.setText(words)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Room for its words."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + 28, self._theme.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the segment."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        first, last = self._place == 0, self._place == self._count - 1
        frame = whole.adjusted(0 if first else -10, 0, 0 if last else 10, 0)
        path = QPainterPath()
        path.addRoundedRect(frame, 5, 5)
        painter.setPen(QPen(self._theme.colour("control"), 1))
        painter.setBrush(self._theme.colour("soft" if self.isChecked() else "surface"))
        painter.drawPath(path)
        if not first:
            painter.drawLine(0, 1, 0, self.height() - 2)
        weight = QFont.Weight.DemiBold if self.isChecked() else QFont.Weight.Normal
        painter.setFont(self._theme.font(13, weight))
        painter.setPen(self._theme.colour("text"))
        painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()


class Segmented(QWidget):
    """A few choices in one frame; ``chosen`` carries the value of the one that is on."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, name: str, rows: Sequence[tuple[str, object]]) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._values = [value for _, value in rows]
        self._group = QButtonGroup(self)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        for i, (words, _) in enumerate(rows):
            segment = _Segment(theme, words, i, len(rows))
            segment.setAccessibleName(f"{name}: {words}")
            segment.setChecked(i == 0)
            self._group.addButton(segment, i)
            box.addWidget(segment)
        self._group.idClicked.connect(self._on_clicked)

    @property
    def value(self) -> Any:
        """The value of the choice that is on."""
        return self._values[self._group.checkedId()]

    def choose(self, value: object) -> None:
        """Show the choice with a value; nothing is emitted."""
        for place, known in enumerate(self._values):
            if known == value:
                self._group.button(place).setChecked(True)

    def _on_clicked(self, number: int) -> None:
        self.chosen.emit(self._values[number])
