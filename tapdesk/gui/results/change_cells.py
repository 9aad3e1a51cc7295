"""The differences of two analyses drawn into their table: each as a mark with its interval, about no change.

It stands alone because it draws, and the window around it does not.
"""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.tables import TableView
from tapdesk.studies.comparison import Contrast

_WIDE, _LEFT, _COLUMN = 130, 8, 5
_LEAST = 0.05
Index = QModelIndex | QPersistentModelIndex


class ChangeCell(QStyledItemDelegate):
    """The difference as a dot with its interval on a scale that is the same for all rows, before its words."""

    def __init__(self, theme: Theme, rows: Sequence[Contrast], smallest: float | None, parent: TableView) -> None:
        super().__init__(parent)
        self._theme, self._rows, self._smallest = theme, rows, smallest
        ends = [abs(end) for c in rows for end in (c.difference.low, c.difference.high) if end is not None]
        self._reach = max([*ends, smallest or 0.0, _LEAST])

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the words and the line."""
        size = super().sizeHint(option, index)
        return QSize(size.width() + self._theme.px(_WIDE + 2 * _LEFT), size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the words, then the band of what makes no difference, no change as a dashed line, and the interval."""
        super().paint(painter, option, index)
        change = self._rows[index.row()].difference
        place = QRectF(option.rect)
        left, wide, middle = place.left() + self._theme.px(_LEFT), float(self._theme.px(_WIDE)), place.center().y()

        def at(value: float) -> float:
            return left + wide * (0.5 + 0.5 * value / self._reach)

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._smallest is not None:
            band = QRectF(at(-self._smallest), place.top(), at(self._smallest) - at(-self._smallest), place.height())
            painter.fillRect(band, self._theme.colour("sunken"))
        painter.setPen(QPen(self._theme.colour("text3"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(at(0.0), place.top()), QPointF(at(0.0), place.bottom()))
        colour = self._theme.colour("accent")
        painter.setPen(QPen(colour, 1.6))
        if change.low is not None and change.high is not None:
            ends, cap = (at(change.low), at(change.high)), place.height() / 6
            painter.drawLine(QPointF(ends[0], middle), QPointF(ends[1], middle))
            for end in ends:
                painter.drawLine(QPointF(end, middle - cap), QPointF(end, middle + cap))
        if change.value is not None:
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(at(change.value), middle), place.height() / 8, place.height() / 8)
        painter.restore()


def dress_changes(theme: Theme, view: TableView, rows: Sequence[Contrast], smallest: float | None) -> None:
    """Draw the differences into the table of two analyses (`answers.what_if.table`); without rows its words alone."""
    before = view.itemDelegateForColumn(_COLUMN)
    view.setItemDelegateForColumn(_COLUMN, ChangeCell(theme, rows, smallest, view) if rows else view.itemDelegate())
    if isinstance(before, ChangeCell):
        before.deleteLater()
    view.ensurePolished()
    view.fill()
