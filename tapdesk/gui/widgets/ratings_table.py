"""The table of ratings: cells can be changed in place, and changed ones carry a mark."""

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QPainter, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.reading.case_cells import CaseCells, tabular
from tapdesk.gui.reading.rows import first_cases
from tapdesk.gui.widgets.categories import square
from tapdesk.gui.widgets.tables import NOWHERE, Table, TextTable
from tapdesk.ratings.findings import shown
from tapdesk.ratings.ratings import Ratings

CHANGED = Qt.ItemDataRole.UserRole
NO_RATING = "(no rating)"
_INSET, _MOST_WIDTHS = 9, 20_000
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)
Index = QModelIndex | QPersistentModelIndex


class RatingsRows(TextTable):
    """A row for each case and a column for each rater; tallied data and very many raters are only listed."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.cells: CaseCells | None = None
        self._raw: CaseCells | None = None
        self._colours: dict[str, str] = {}

    def show_ratings(self, now: Ratings, as_read: Ratings) -> None:
        """Show ratings beside what the file says."""
        if not tabular(now):
            self.cells = self._raw = None
            self.show_rows(*first_cases(now))
            return
        cells = CaseCells(now)
        self.beginResetModel()
        if as_read is now:
            self._raw = cells
        elif self._raw is None or self._raw.ratings is not as_read:
            self._raw = CaseCells(as_read) if tabular(as_read) else None
        self.cells = cells
        self._colours = {c: colour for c, colour in zip(now.classes, now.colours, strict=True) if colour}
        self._header = ("Case", *cells.raters)
        self._rows, self._side, self._tinted, self.right = (), None, frozenset(), frozenset()
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = NOWHERE) -> int:
        """Number of cases."""
        if self.cells is None:
            return super().rowCount(parent)
        return 0 if parent.isValid() else self.cells.rows

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell, what the file says on hover, and whether it was changed."""
        if self.cells is None:
            return super().data(index, role)
        row, column = index.row(), index.column() - 1
        if column < 0:
            words = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
            return self.cells.case(row) if role in words else None
        return self._rating(row, column, role)

    def _rating(self, row: int, column: int, role: int) -> Any:
        labels = self.cells.texts(row, column) if self.cells is not None else ()
        if role == Qt.ItemDataRole.DisplayRole:
            return _told(labels)
        if role == Qt.ItemDataRole.EditRole:
            return ", ".join(labels)
        if role == CHANGED:
            return self.raw(row, column) not in {None, labels}
        hover = role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}
        return self._about(row, column) if hover else None

    def drawn(self, row: int, column: int) -> tuple[str, bool]:
        """What stands in a cell, and whether it was changed."""
        cells = self.cells
        if cells is None or column < 1:
            return (cells.case(row) if cells is not None else ""), False
        labels = cells.texts(row, column - 1)
        return _told(labels), self._raw is not cells and self.raw(row, column - 1) not in {None, labels}

    def colour(self, row: int, column: int) -> str:
        """The colour of the class in a cell that holds one rating; empty where it has none of its own."""
        if self.cells is None or not self._colours or column < 1:
            return ""
        labels = self.cells.texts(row, column - 1)
        return self._colours.get(labels[0], "") if len(labels) == 1 else ""

    def raw(self, row: int, column: int) -> tuple[str, ...] | None:
        """What the file says in a cell; None where that is not known."""
        if self.cells is None or self._raw is None:
            return None
        return self._raw.named(row, self.cells.case(row), self.cells.raters[column])

    def _about(self, row: int, column: int) -> str:
        cells = self.cells
        now, raw = cells.texts(row, column) if cells is not None else (), self.raw(row, column)
        told = _told(now) or "No rating"
        if raw is None or raw == now:
            return told
        return f"{told}. Changed: the file says {_told(raw) or 'nothing'}."

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Cells with at most one rating are changed in place."""
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if self.cells is None or index.column() < 1:
            return usual
        return usual | Qt.ItemFlag.ItemIsEditable


@lru_cache(maxsize=4096)
def _told(labels: tuple[str, ...]) -> str:
    """The ratings of a cell in words, blanks at their ends made visible."""
    return ", ".join(shown(label, 200) for label in labels)


class _Editor(QStyledItemDelegate):
    """Draws the mark of changed cells, and offers the classes where a cell is changed."""

    def __init__(self, theme: Theme, table: "RatingsTable") -> None:
        super().__init__(table)
        self._theme, self._table = theme, table
        self._open: QComboBox | None = None
        theme.changed.connect(self._dress)
        self._dress()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell, and a corner where it differs from the file.

        Drawn here and not by the style, which asks for eight things about each cell: a page is drawn within a frame.
        """
        rows = self._table.ratings
        if rows.cells is None:
            super().paint(painter, option, index)
            return
        row, column, at = index.row(), index.column(), option.rect
        words, changed = rows.drawn(row, column)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(at, self._soft)
        painter.setPen(self._line)
        painter.drawLine(at.bottomLeft(), at.bottomRight())
        if words:
            colour = rows.colour(row, column)
            start = _INSET + (square(painter, at.x() + _INSET, at.center().y(), colour, self._theme) if colour else 0)
            painter.setPen(self._text)
            room = at.width() - start - _INSET
            if self._width(words, option) > room:
                words = option.fontMetrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
            painter.drawText(at.adjusted(start, 0, -_INSET, 0), _MIDDLE, words)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(self._accent)
            painter.drawRect(at.adjusted(0, 0, -1, -2))
        if changed:
            corner, side = QPointF(at.right() + 1, at.top()), self._theme.px(7)
            painter.save()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._accent)
            painter.drawPolygon(QPolygonF([corner, corner - QPointF(side, 0), corner + QPointF(0, side)]))
            painter.restore()

    def _width(self, words: str, option: QStyleOptionViewItem) -> int:
        """How wide words are; most cells hold one of few."""
        wide = self._widths.get(words)
        if wide is None:
            if len(self._widths) > _MOST_WIDTHS:
                self._widths.clear()
            wide = self._widths[words] = option.fontMetrics.horizontalAdvance(words)
        return wide

    def _dress(self) -> None:
        colour = self._theme.colour
        self._soft, self._line, self._text, self._accent = map(colour, ("soft", "line", "text", "accent"))
        self._widths: dict[str, int] = {}

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A list of the classes, into which another text can be typed."""
        del option, index
        box = QComboBox(parent)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setAccessibleName("Rating in this cell")
        cells = self._table.ratings.cells
        for label in cells.ratings.classes if cells is not None else ():
            box.addItem(shown(label, 200), label)
        box.addItem(NO_RATING, None)
        # Return chooses as well as a click, but it also ends the editor by itself: that goes first.
        box.activated.connect(lambda _at: QTimer.singleShot(0, box, lambda: self._done(box)))
        self._open = box
        return box

    def _done(self, box: QComboBox) -> None:
        if self._open is box:
            self.commitData.emit(box)
            self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Show what stands in the cell."""
        if isinstance(editor, QComboBox):
            label = index.data(Qt.ItemDataRole.EditRole)
            editor.setCurrentIndex(max(editor.findData(label), -1) if label else editor.count() - 1)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Ask for the change; the table shows it when it is decided."""
        del model
        if isinstance(editor, QComboBox) and self._open is editor:
            self._open = None
            words = editor.currentText()
            at = editor.findText(words, Qt.MatchFlag.MatchExactly)
            now = editor.itemData(at) if at >= 0 else words.strip() or None
            row, column = index.row(), index.column() - 1
            # Once the editor is closed: a decision shows other ratings, and with them all editors go.
            QTimer.singleShot(0, self._table, lambda: self._table.ask(row, column, now))


class RatingsTable(Table):
    """The table of ratings.

    Attributes
    ----------
    edited
        Case, rater, what stood there, what is meant: texts, or None for no rating.
    several
        Case, rater and ratings of a cell that holds more than one and shall be changed.
    asked
        Case and rater of a cell whose menu is wanted, and the point on the screen; no rater in the column of cases.
    """

    edited = Signal(str, str, object, object)
    several = Signal(str, str, tuple)
    asked = Signal(str, str, QPoint)

    def __init__(self, theme: Theme, name: str) -> None:
        self.ratings = RatingsRows(theme)
        super().__init__(theme, name, grid=False, rows=self.ratings)
        self.setItemDelegate(_Editor(theme, self))
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setAccessibleDescription("F2, a double click or typing changes a rating.")

    def edit(self, index: Any, *how: Any) -> Any:
        """Change a cell in place; one with several ratings asks which."""
        if not how:
            return super().edit(index)
        trigger = how[0]
        cells = self.ratings.cells
        if cells is not None and index.isValid() and index.column() > 0 and trigger & self.editTriggers():
            labels = cells.texts(index.row(), index.column() - 1)
            if len(labels) > 1:
                self.several.emit(cells.case(index.row()), cells.raters[index.column() - 1], labels)
                return False
        return super().edit(index, *how)

    def keyPressEvent(self, event: Any) -> None:
        """Change the cell on Return, empty it on Delete."""
        index = self.currentIndex()
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and index.isValid():
            self.edit(index, QAbstractItemView.EditTrigger.EditKeyPressed, event)
        elif event.key() == Qt.Key.Key_Delete and index.isValid() and index.column() > 0:
            self.ask(index.row(), index.column() - 1, None)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of a cell, by the right button or the menu key."""
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        cells = self.ratings.cells
        if cells is not None and index.isValid():
            rater = cells.raters[index.column() - 1] if index.column() > 0 else ""
            corner = self.visualRect(index).bottomLeft()
            self.asked.emit(cells.case(index.row()), rater, self.viewport().mapToGlobal(corner))

    def ask(self, row: int, column: int, now: str | None) -> None:
        """Ask for a change of one cell; nothing where nothing would change."""
        cells = self.ratings.cells
        if cells is None or column < 0:
            return
        labels = cells.texts(row, column)
        if len(labels) > 1:
            self.several.emit(cells.case(row), cells.raters[column], labels)
            return
        was = labels[0] if labels else None
        if was != now:
            self.edited.emit(cells.case(row), cells.raters[column], was, now)
