"""The table of ratings: cells can be changed in place, and changed ones carry a mark."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionRange,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QContextMenuEvent, QIntValidator, QPainter, QPolygonF
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from tapdesk.answers import numbers
from tapdesk.gui.dataset.case_cells import Arrangement, CaseCells, cells_of
from tapdesk.gui.theme.icons import square
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.tables import NOWHERE, Index, TableView, TextTable
from tapdesk.language import gettext as _
from tapdesk.project.decisions.ratings import MOST
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings

CHANGED = Qt.ItemDataRole.UserRole
_WORDS = frozenset({Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole})
_TOLD = _WORDS | {Qt.ItemDataRole.EditRole, CHANGED}
# Put together once: Qt asks for each of the cells in sight, several times for a picture.
_USUAL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_CHANGED_IN_PLACE = _USUAL | Qt.ItemFlag.ItemIsEditable
__all__ = ["CHANGED", "NO_RATING", "RatingsTable"]
NO_RATING = _("(no rating)")
_INSET, _MOST_WIDTHS = 9, 20_000
_MOST_COPIED = 100_000
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextSingleLine)


class RatingsRows(TextTable):
    """A row for each case, and a column for each rater, for each class of tallied counts, or for all raters."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.cells: CaseCells | None = None
        self._raw: CaseCells | None = None
        self._colours: dict[str, str] = {}

    def show_ratings(self, now: Ratings, as_read: Ratings, layout: Layout, unrated: tuple[str, ...] = ()) -> None:
        """Show ratings beside what the file says; ``unrated`` are its cases without a rating."""
        cells = cells_of(now, layout, unrated)
        self.beginResetModel()
        if as_read is now:
            self._raw = cells
        elif self._raw is None or self._raw.ratings is not as_read or type(self._raw) is not type(cells):
            raw = cells_of(as_read, layout, unrated)
            self._raw = (
                raw if type(raw) is type(cells) else cast("Callable[[Ratings], CaseCells]", type(cells))(as_read)
            )
        self.cells = cells
        self._colours = {c: colour for c, colour in zip(now.classes, now.colours, strict=True) if colour}
        self._header = (_("{Subject}").format(), *map(_headed, cells.kinds, cells.names))
        self._rows, self._side, self._tinted, self.right = (), None, frozenset(), frozenset()
        self._warned = ()
        self.endResetModel()

    def warn_of(self, rows: Sequence[int]) -> None:
        """Show the rows of some cases as what is perhaps no case."""
        self._warned = tuple(row for row in rows if 0 <= row < self.rowCount())

    def is_warned_of(self, row: int) -> bool:
        """Whether a row is perhaps no case."""
        return row in self._warned

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """Number of cases."""
        return 0 if parent.isValid() or self.cells is None else self.cells.rows

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell, what the file says on hover, and whether it was changed."""
        # Qt asks for a dozen of other things about each cell.
        if self.cells is None or role not in _TOLD:
            return None
        row, column = index.row(), index.column() - 1
        if column < 0:
            return self.cells.case(row) if role in _WORDS else None
        texts = self.cells.texts(row, column)
        if role == Qt.ItemDataRole.DisplayRole:
            return _cell_words(texts, self.cells.kinds[column])
        if role == Qt.ItemDataRole.EditRole:
            return ", ".join(texts)
        if role == CHANGED:
            return self.raw(row, column) not in {None, texts}
        return self._about(row, column)

    def drawn(self, row: int, column: int) -> tuple[str, bool]:
        """What stands in a cell, and whether it was changed."""
        cells = self.cells
        if cells is None or column < 1:
            return (cells.case(row) if cells is not None else ""), False
        texts = cells.texts(row, column - 1)
        changed = self._raw is not cells and self.raw(row, column - 1) not in {None, texts}
        return _cell_words(texts, cells.kinds[column - 1]), changed

    def colour(self, row: int, column: int) -> str:
        """The colour of the class in a cell that holds one rating; empty where it has none of its own."""
        if (
            self.cells is None
            or not self._colours
            or column < 1
            or self.cells.kinds[column - 1] is not Arrangement.RATING
        ):
            return ""
        texts = self.cells.texts(row, column - 1)
        return self._colours.get(texts[0], "") if len(texts) == 1 else ""

    def raw(self, row: int, column: int) -> tuple[str, ...] | None:
        """What the file says in a cell; None where that is not known."""
        cells = self.cells
        if cells is None or self._raw is None:
            return None
        return self._raw.named(row, cells.case(row), cells.kinds[column], cells.names[column])

    def _about(self, row: int, column: int) -> str:
        if self.cells is None:
            return ""
        kind, now, raw = self.cells.kinds[column], self.cells.texts(row, column), self.raw(row, column)
        if kind is Arrangement.KNOWN:
            return _("Known answer: {told}").format(told=_cell_words(now, kind))
        sentence = _cell_words(now, kind) or _("No rating")
        if kind is Arrangement.LIST:
            return _("{told}. Return changes one of these ratings.").format(told=sentence)
        if raw is None or raw == now:
            return sentence
        return _("{told}. Changed: the file says {value}.").format(
            told=sentence, value=_cell_words(raw, kind) or _("nothing")
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Everything but the names of the cases is changed in place."""
        cells = self.cells
        if cells is None or index.column() < 1:
            return _USUAL
        if cells.kinds[index.column() - 1] is Arrangement.KNOWN:
            return _USUAL
        if not cells.there(index.row()) and cells.kinds[index.column() - 1] is Arrangement.RATING:
            return _USUAL
        return _CHANGED_IN_PLACE


def _headed(kind: Arrangement, name: str) -> str:
    """What stands above a column."""
    words = {Arrangement.WEIGHT: _("Stands for"), Arrangement.LIST: _("Ratings")}.get(kind, name)
    return _("Known: {name}").format(name=label_text(name)) if kind is Arrangement.KNOWN else words


@lru_cache(maxsize=4096)
def _cell_words(texts: tuple[str, ...], kind: Arrangement) -> str:
    """What stands in a cell in words, blanks at the ends of ratings made visible."""
    if kind is Arrangement.KNOWN and not texts:
        return _("not known")
    if kind in {Arrangement.COUNT, Arrangement.WEIGHT}:
        return ", ".join(numbers.count(int(text)) for text in texts)
    return ", ".join(texts if kind is Arrangement.LIST else (label_text(text, 200) for text in texts))


class _Editor(QStyledItemDelegate):
    """Draws the mark of changed cells, and offers the classes where a cell is changed."""

    def __init__(self, theme: Theme, table: "RatingsTable") -> None:
        super().__init__(table)
        self._theme, self._table = theme, table
        self._open: QWidget | None = None
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
        if rows.is_warned_of(row):
            painter.fillRect(at, self._stop_soft)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(at, self._soft)
        known = column > 0 and rows.cells.kinds[column - 1] is Arrangement.KNOWN
        if known:
            painter.fillRect(at.adjusted(0, 0, 0, -1), self._known_soft)
            painter.fillRect(at.left(), at.top(), self._theme.px(2), at.height(), self._known)
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
        if option.state & QStyle.StateFlag.State_HasFocus or self._table.marked == (row, column):
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
        self._known, self._known_soft, self._stop_soft = map(colour, ("know", "knowsoft", "stopsoft"))
        self._widths: dict[str, int] = {}

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """A list of the classes, into which another text can be typed; for a number a line."""
        del option
        cells = self._table.ratings.cells
        if cells is not None and cells.kinds[index.column() - 1] is not Arrangement.RATING:
            line = self._open = QLineEdit(parent)
            line.setValidator(QIntValidator(0, MOST, line))
            line.setAccessibleName(_("Number in this cell"))
            return line
        box = QComboBox(parent)
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.setAccessibleName(_("Rating in this cell"))
        for label in cells.ratings.classes if cells is not None else ():
            box.addItem(label_text(label, 200), label)
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
        label = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, QLineEdit):
            editor.setText(label)
            editor.selectAll()
        elif isinstance(editor, QComboBox):
            editor.setCurrentIndex(max(editor.findData(label), -1) if label else editor.count() - 1)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        """Ask for the change; the table shows it when it is decided."""
        del model
        if self._open is not editor:
            return
        self._open = None
        if isinstance(editor, QComboBox):
            words = editor.currentText()
            at = editor.findText(words, Qt.MatchFlag.MatchExactly)
            now = editor.itemData(at) if at >= 0 else words.strip() or None
        elif isinstance(editor, QLineEdit):
            now = editor.text().strip()
        row, column = index.row(), index.column() - 1
        # Once the editor is closed: a decision shows other ratings, and with them all editors go.
        QTimer.singleShot(0, self._table, lambda: self._table.ask(row, column, now))


class RatingsTable(TableView):
    """The table of ratings.

    Attributes
    ----------
    edited
        Case, rater, what stood there, what is meant: texts, or None for no rating.
    counted
        Case, class or nothing, the number that stood there, and the number that is meant.
    several
        Case, rater and ratings of a cell that holds more than one and shall be changed; no rater for all of a case.
    asked
        Case and rater of a cell whose menu is wanted, and the point on the screen; no rater in other columns.
    too_many
        So many rows are more than can be copied at once; the limit.
    marked
        Row and column of the cell that was found; a row below 0 for the name of a column. None for none.
    """

    edited = Signal(str, str, object, object)
    counted = Signal(str, str, int, int)
    several = Signal(str, str, tuple)
    asked = Signal(str, str, QPoint)
    too_many = Signal(int, int)

    def __init__(self, theme: Theme, name: str) -> None:
        self.ratings = RatingsRows(theme)
        self.marked: tuple[int, int] | None = None
        super().__init__(theme, name, grid=False, rows=self.ratings)
        self.setItemDelegate(_Editor(theme, self))
        self.horizontalHeader().setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.horizontalHeader().customContextMenuRequested.connect(self._ask_head)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.DoubleClicked | triggers.EditKeyPressed | triggers.AnyKeyPressed)
        self.setAccessibleDescription(_("F2, a double click or typing changes a rating."))

    def share(self) -> None:
        """Share the room; a list of all ratings takes what the other columns leave, so that these stay in sight."""
        super().share()
        cells = self.ratings.cells
        if cells is not None and cells.kinds and cells.kinds[-1] is Arrangement.LIST:
            last = len(cells.kinds)
            others = sum(self.columnWidth(i) for i in range(last))
            self.setColumnWidth(last, max(self.viewport().width() - others, others))

    def mark(self, at: tuple[int, int] | None) -> None:
        """Frame a cell that was found, in sight; None takes the frame away."""
        self.marked = at
        if at is not None:
            index = self.rows.index(max(at[0], 0), at[1])
            self.setCurrentIndex(index)
            self.scrollTo(index)
        self.viewport().update()

    def edit(self, index: Any, *how: Any) -> Any:
        """Change a cell in place; one with several ratings asks which."""
        if not how:
            return super().edit(index)
        wanted = index.isValid() and index.column() > 0 and how[0] & self.editTriggers()
        if wanted and self._asks_which(index.row(), index.column() - 1):
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
        if cells is not None and index.isValid() and cells.there(index.row()):
            of_rater = index.column() > 0 and cells.kinds[index.column() - 1] is Arrangement.RATING
            rater = cells.names[index.column() - 1] if of_rater else ""
            corner = self.visualRect(index).bottomLeft()
            self.asked.emit(cells.case(index.row()), rater, self.viewport().mapToGlobal(corner))

    @Slot(QPoint)
    def _ask_head(self, at: QPoint) -> None:
        """Ask for the menu of a rater, by the right button on the head of the column."""
        column, cells = self.horizontalHeader().logicalIndexAt(at), self.ratings.cells
        if cells is not None and column > 0 and cells.kinds[column - 1] is Arrangement.RATING:
            self.asked.emit("", cells.names[column - 1], self.horizontalHeader().mapToGlobal(at))

    def copy(self) -> None:
        """Copy what is selected; of very many rows only so many as a spreadsheet takes well."""
        # The stubs do not know that a selection can be gone through.
        parts = list(cast("Iterable[QItemSelectionRange]", self.selectionModel().selection()))
        chosen = sum(part.height() for part in parts) if parts else self.rows.rowCount()
        if chosen > _MOST_COPIED:
            self.too_many.emit(chosen, _MOST_COPIED)
        else:
            super().copy()

    def ask(self, row: int, column: int, now: str | None) -> None:
        """Ask for a change of one cell; nothing where nothing would change."""
        cells = self.ratings.cells
        if cells is None or column < 0 or self._asks_which(row, column) or cells.kinds[column] is Arrangement.KNOWN:
            return
        texts = cells.texts(row, column)
        if cells.kinds[column] is Arrangement.RATING and not cells.there(row):
            return
        if cells.kinds[column] is not Arrangement.RATING:
            was, number = int(texts[0]), int(now or "0")
            if was != number:
                self.counted.emit(cells.case(row), cells.names[column], was, number)
            return
        label = texts[0] if texts else None
        if label != now:
            self.edited.emit(cells.case(row), cells.names[column], label, now)

    def _asks_which(self, row: int, column: int) -> bool:
        """Whether a cell holds several ratings, and it is asked which of them shall be changed."""
        cells = self.ratings.cells
        if cells is None:
            return False
        texts = cells.texts(row, column)
        if cells.kinds[column] is Arrangement.LIST or len(texts) > 1:
            self.several.emit(cells.case(row), cells.names[column], texts)
            return True
        return False
