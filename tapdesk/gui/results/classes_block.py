"""The block of the classes: a row for each, its numbers drawn with their intervals before the digits."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QStyleOptionViewItem

from tapdesk.answers import numbers
from tapdesk.answers.content import Number
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.parts import part
from tapdesk.gui.results.change_cells import Cells, Index
from tapdesk.gui.results.part_blocks import SHORT, ContentBody, PartBlock
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.tables import TableView

_FIRST = 2  # columns before the first number: class, and how often it was used
_LINE, _GAP, _LEFT = 100, 8, 14  # pixels at 100 % text
_HEAD = 44


def is_value(column: int) -> bool:
    """Whether a column holds values, the intervals of which stand in the next."""
    return column >= _FIRST and (column - _FIRST) % 2 == 0


class EstimateCells(Cells):
    """A number with the line of its interval before it, on a scale from 0 to 1; without the line where it is narrow.

    Attributes
    ----------
    drawn
        Whether there is room for the line.
    """

    def __init__(self, theme: Theme, parent: TableView) -> None:
        super().__init__(theme, parent)
        self.drawn = True
        self._rows: Sequence[Sequence[str]] = ()

    def draws(self, column: int) -> bool:
        """Whether lines are drawn in a column."""
        return self.drawn and is_value(column)

    def show_rows(self, rows: Sequence[Sequence[str]]) -> None:
        """Draw the numbers of these rows: the interval of each stands in the next column."""
        self._rows = rows

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Room for the digits and the line."""
        size = super().sizeHint(option, index)
        line = self._theme.px(_LINE + _GAP + _LEFT) if self.drawn else 0
        return QSize(size.width() + line, size.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the digits in bold, then the scale and the interval to their left."""
        self.ground(painter, option, index)
        theme, place = self._theme, QRectF(option.rect)
        painter.save()
        painter.setFont(theme.font(13, QFont.Weight.DemiBold))
        painter.setPen(theme.colour("accent"))
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place.adjusted(0, 0, -theme.px(6), 0), flags, self.words(index))
        if self.drawn:
            self._draw(painter, place, self._ends(index))
        painter.restore()

    def _ends(self, index: Index) -> tuple[float | None, ...]:
        """Value and both ends behind the cells."""
        cells = self._rows[index.row()][index.column() : index.column() + 2]
        return tuple(value for cell in cells if isinstance(cell, Number) for value in cell.values)

    def _draw(self, painter: QPainter, place: QRectF, ends: tuple[float | None, ...]) -> None:
        theme = self._theme
        left, wide, middle = place.left() + theme.px(_LEFT), float(theme.px(_LINE)), place.center().y()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("line"), 1))
        for at in (0.0, 0.5, 1.0):
            x = round(left + at * wide) + 0.5
            painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()))
        value, low, high = (*ends, None, None, None)[:3]
        cap, colour = theme.px(4.5), theme.colour("accent")
        pen = QPen(colour, theme.px(2))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(pen)
        if low is not None and high is not None:
            first, last = (left + min(max(end, 0.0), 1.0) * wide for end in (low, high))
            painter.drawLine(QPointF(first, middle), QPointF(last, middle))
            for x in (first, last):
                painter.drawLine(QPointF(x, middle - cap), QPointF(x, middle + cap))
        if value is not None:
            painter.setBrush(colour)
            painter.drawEllipse(QPointF(left + min(max(value, 0.0), 1.0) * wide, middle), cap - 1, cap - 1)


class ScaleHeader(QHeaderView):
    """The heads of the columns; those of drawn numbers have their words above the ends and the middle of the scale."""

    def __init__(self, theme: Theme, view: TableView, cells: EstimateCells) -> None:
        super().__init__(Qt.Orientation.Horizontal, view)
        self._theme, self._cells = theme, cells
        self.setHighlightSections(False)
        self.setMinimumSectionSize(40)
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def sizeHint(self) -> QSize:
        """Two lines high where there is a scale."""
        size = super().sizeHint()
        return QSize(size.width(), self._theme.px(_HEAD)) if self._cells.drawn else size

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        """Leave the words of a drawn column to `paintSection`."""
        super().initStyleOptionForIndex(option, section)
        if self._cells.draws(section):
            option.text = ""

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw a head, and above the lines what they are and their scale."""
        painter.save()
        super().paintSection(painter, rect, section)
        painter.restore()
        if not self._cells.draws(section):
            return
        theme, left = self._theme, rect.left() + self._theme.px(_LEFT)
        painter.save()
        painter.setFont(self.font())
        painter.setPen(theme.colour("text2"))
        words = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        half = rect.height() / 2
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(left, rect.top(), rect.right() - left, half), flags, words)
        for at in (0.0, 0.5, 1.0):
            number = numbers.decimal(at, places=int(at == 0.5))
            wide = painter.fontMetrics().horizontalAdvance(number)
            x = left + at * theme.px(_LINE) - wide / 2
            painter.drawText(QRectF(x, rect.top() + half, wide + 2, half), flags, number)
        painter.restore()


class ClassRows(ContentBody):
    """The table of the classes, whole, with its numbers drawn where there is room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, part("classes").title)
        self._cells: EstimateCells | None = None

    def show_content(self, content: Content) -> None:
        """Show the rows of all classes."""
        super().show_content(content)
        (table,) = content.tables
        view = self.table
        if view is None:
            return
        if self._cells is None:
            self._cells = EstimateCells(self._theme, view)
            head = ScaleHeader(self._theme, view, self._cells)
            view.setHorizontalHeader(head)
            head.show()
        self._cells.show_rows(table.rows)
        # What was drawn for another answer may have had other columns.
        for column in range(view.rows.columnCount()):
            view.setItemDelegateForColumn(column, self._cells if is_value(column) else view.itemDelegate())
        view.fill()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the lines where the digits leave room for them."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        view, cells = self.table, self._cells
        if view is None or cells is None:
            return
        kinds = (view.rows.columnCount() - _FIRST) // 2
        line = self._theme.px(_LINE + _GAP + _LEFT)
        bare = view.needed - (kinds * line if cells.drawn else 0)
        drawn = bare + kinds * line <= self.width()
        if drawn != cells.drawn:
            cells.drawn = drawn
            view.fill()
        rows = min(view.rows.rowCount(), SHORT)
        high = view.horizontalHeader().sizeHint().height() + self._theme.px(26) * rows + 2
        if view.needed > self.width():
            high += view.horizontalScrollBar().sizeHint().height()
        if view.height() != high:
            view.setFixedHeight(high)


class ClassesBlock(PartBlock):
    """The numbers that every class has one of, over the whole width."""

    wide = True

    def __init__(self, theme: Theme) -> None:
        shown = part("classes")
        super().__init__(theme, shown, ClassRows(theme))

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show the rows; the block is as high as they are."""
        super().show_content(content, answer)
        self.hold(0)
