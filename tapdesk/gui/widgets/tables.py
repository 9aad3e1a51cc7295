"""Tables of text: the model Qt asks for cells, and the views of our look."""

from collections.abc import Sequence
from heapq import nlargest
from typing import Any
from xml.etree.ElementTree import Element, SubElement, tostring

from PySide6.QtCore import QAbstractTableModel, QByteArray, QMimeData, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QKeySequence, QPainter, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractItemView, QApplication, QHeaderView, QScrollArea, QTableView

from tapdesk.answers.content import Number as TableNumber
from tapdesk.answers.figure import Figure
from tapdesk.answers.signs import Number
from tapdesk.answers.svg.draw import svg
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.focus import rolls
from tapdesk.ratings.grid import guard

WIDTH = 600.0
GROWN = 2  # pixels of a picture for one of its drawing: sharp also on paper
NOWHERE = QModelIndex()
Index = QModelIndex | QPersistentModelIndex
_LOOKED_AT = 60  # rows: more than most screens show
_MEASURED = 2


def _cell(words: str) -> str:
    """A cell as spreadsheets paste it; line breaks and tabs inside become blanks."""
    # A number with the decimal sign of this computer: a spreadsheet reads what is pasted by it.
    if isinstance(words, Number):
        return words.cell
    # A true minus makes a word of a number.
    if isinstance(words, TableNumber) and len(words.values) == 1:
        return " ".join(words.split()).replace("−", "-")
    # A text that could be a formula stands behind an apostrophe, which is no part of it.
    return guard(" ".join(words.split()))


def as_tsv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as text: a line for each row, a tab between two cells."""
    return "\n".join("\t".join(_cell(w) for w in row) for row in [header, *rows]) + "\n"


def as_html(header: Sequence[str], rows: Sequence[Sequence[str]], title: str = "", note: str = "") -> str:
    """A table for programs that paste with a layout: heads of columns and rows, its title above, its note below."""
    table = Element("table")
    if title:
        SubElement(table, "caption").text = title
    top = SubElement(SubElement(table, "thead"), "tr")
    for words in header:
        SubElement(top, "th", scope="col").text = _cell(words)
    body = SubElement(table, "tbody")
    for row in rows:
        line = SubElement(body, "tr")
        for i, words in enumerate(row):
            cell = SubElement(line, "td") if i else SubElement(line, "th", scope="row")
            cell.text = _cell(words)
    if note:
        SubElement(SubElement(SubElement(table, "tfoot"), "tr"), "td", colspan=str(len(header))).text = note
    for part in (table, *table, *body):
        # Read line by line it is a table as well.
        part.tail = "\n"
    top_of_page = Element("meta", charset="utf-8")
    return "".join(tostring(part, encoding="unicode", method="html") for part in (top_of_page, table))


TSV = "text/tab-separated-values"


def put_table(header: Sequence[str], rows: Sequence[Sequence[str]], note: str = "", title: str = "") -> None:
    """Put a table on the clipboard as a text program, a spreadsheet and a field for plain text can take it.

    With a layout it has its title and its note; as text the note in a line of its own; a spreadsheet that asks for
    cells alone gets no note, which would be a row to it.
    """
    data = QMimeData()
    below = [[note]] if note else []
    data.setText(as_tsv(header, [*rows, *below]))
    data.setData(TSV, QByteArray(as_tsv(header, rows).encode()))
    data.setHtml(as_html(header, rows, title, note))
    QApplication.clipboard().setMimeData(data)


def put_picture(panels: Sequence[Figure]) -> None:
    """Put a picture on the clipboard as it is printed: an image of all panels, and of a single one the drawing."""
    drawings = [svg(p, width=WIDTH, height=p.height, theme="print", caption=True).encode() for p in panels]
    drawn = [QSvgRenderer(QByteArray(text.replace(b'"Inter, sans-serif"', b'"Inter"'))) for text in drawings]
    highs = [renderer.defaultSize().height() * GROWN for renderer in drawn]
    image = QImage(int(WIDTH * GROWN), sum(highs), QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for i, renderer in enumerate(drawn):
        renderer.render(painter, QRectF(0, sum(highs[:i]), WIDTH * GROWN, highs[i]))
    painter.end()
    data = QMimeData()
    data.setImageData(image)
    data.setText("\n".join(f"{panel.title} {panel.alt}".strip() for panel in panels))
    if len(drawings) == 1:
        data.setData("image/svg+xml", QByteArray(drawings[0]))
    QApplication.clipboard().setMimeData(data)


class TextTable(QAbstractTableModel):
    """Rows of words under a header; numbers to the right where ``right`` says so."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._header: tuple[str, ...] = ()
        self._rows: Sequence[Sequence[str]] = ()
        self._side: Sequence[str] | None = None
        self._tinted: frozenset[int] = frozenset()
        self._warned: tuple[int, ...] = ()
        self.right: frozenset[int] = frozenset()

    def show_rows(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        side: Sequence[str] | None = None,
        tinted: Sequence[int] = (),
        right: Sequence[int] = (),
    ) -> None:
        """Show other rows; ``side`` numbers them, ``tinted`` are header rows, ``right`` columns of numbers."""
        self.beginResetModel()
        self._header, self._rows, self._side = tuple(header), rows, side
        self._tinted, self.right, self._warned = frozenset(tinted), frozenset(right), ()
        self.endResetModel()

    def warn_of(self, rows: Sequence[int]) -> None:
        """Show some rows as what is perhaps no row of the table."""
        self._warned = tuple(row for row in rows if row < len(self._rows))

    @property
    def last_warned(self) -> int:
        """The last row that is shown so; -1 for none."""
        return max(self._warned, default=-1)

    @property
    def header(self) -> tuple[str, ...]:
        """The column names."""
        return self._header

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """The rows."""
        return self._rows

    def rowCount(self, parent: Index = NOWHERE) -> int:
        """Number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(self._header)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One cell."""
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole}:
            row = self._rows[index.row()]
            return row[index.column()] if index.column() < len(row) else ""
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in self.right:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if index.row() in self._warned and role == Qt.ItemDataRole.BackgroundRole:
            return self._theme.colour("stopsoft")
        if index.row() in self._tinted or index.row() in self._warned:
            return self._standing_out(role)
        return None

    def _standing_out(self, role: int) -> Any:
        """Ground and weight of a header row."""
        if role == Qt.ItemDataRole.FontRole:
            return self._theme.font(12.5, QFont.Weight.DemiBold)
        if role == Qt.ItemDataRole.BackgroundRole:
            return self._theme.colour("soft")
        return None

    def stands_out(self, row: int) -> bool:
        """Whether a row is written as a header is."""
        return row in self._tinted

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """One name of a column, above numbers at the right as they are, or the number of a row."""
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation is Qt.Orientation.Horizontal:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter) if section in self.right else None
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation is Qt.Orientation.Horizontal:
            return self._header[section]
        return self._side[section] if self._side is not None else str(section + 1)


class TableView(QTableView):
    """A quiet read-only table; Ctrl+C copies what is selected as a spreadsheet takes it.

    Parameters
    ----------
    theme, name
        Of the window, and what the table is called.
    numbered, grid
        Whether rows have numbers, and columns lines between them.
    rows
        What is shown; empty unless given.
    widest
        No column takes more room than this (in pixels at 100 % text) by itself; 0 for as much as it needs.
    """

    def __init__(
        self,
        theme: Theme,
        name: str,
        *,
        numbered: bool = False,
        grid: bool = True,
        rows: TextTable | None = None,
        widest: int = 0,
    ) -> None:
        super().__init__()
        self._widest = widest
        self._theme = theme
        self.rows = TextTable(theme) if rows is None else rows
        self.setModel(self.rows)
        self.setAccessibleName(name)
        self.setShowGrid(grid)
        self.setProperty("lines", "grid" if grid else "rows")
        self._filled = self._seen = False
        self._needed: tuple[int, ...] = ()
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().setVisible(numbered)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setHighlightSections(False)
        self.verticalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(40)
        self.setCornerButtonEnabled(False)
        theme.changed.connect(self._dress)
        self._dress()

    def fill(self) -> None:
        """Fit the columns to their first rows and let them share what is left, now and at every new size."""
        self._filled = True
        self.resizeColumnsToContents()
        # Remembered, because a window comes to its size in several steps.
        needed = map(self.columnWidth, range(self.rows.columnCount()))
        most = self._theme.px(self._widest)
        # Half a number, or an interval without its end, would be read as another one.
        self._needed = tuple(min(n, most) if most and i not in self.rows.right else n for i, n in enumerate(needed))
        self.share()

    def wanted(self, column: int) -> int:
        """The width that a column needs."""
        return self._needed[column] if column < len(self._needed) else 0

    @property
    def needed(self) -> int:
        """The width that the columns in sight need."""
        return sum(wide for i, wide in enumerate(self._needed) if not self.isColumnHidden(i))

    def sizeHintForColumn(self, column: int) -> int:
        """What the widest of the first cells in sight needs; of numbers the longest of all, for none may be cut.

        Qt asks the style about every cell, which takes longer than a picture may: here only about the widest words.
        """
        first, metrics = max(self.rowAt(0), 0), self.fontMetrics()
        shown: Sequence[int] = range(first, min(first + _LOOKED_AT, self.rows.rowCount()))
        if column in self.rows.right:
            texts = [row[column] if column < len(row) else "" for row in self.rows.rows]
            shown = nlargest(_LOOKED_AT, range(len(texts)), key=lambda row: len(texts[row]))
        cells = [self.rows.index(row, column) for row in shown]
        row_of = {str(self.rows.data(cell) or ""): cell for cell in reversed(cells)}
        widest = sorted(row_of, key=metrics.horizontalAdvance)[-_MEASURED:]
        # A header row that is part of the table is written in bolder letters.
        items = [row_of[words] for words in widest] + [c for c in cells if self.rows.stands_out(c.row())]
        lines = int(self.showGrid())
        return max((self.sizeHintForIndex(cell).width() + lines for cell in items), default=0)

    def share(self) -> None:
        """Give every column what it needs and an equal part of the room that is left."""
        # What is hidden needs no room, or the rows would end before their heads do.
        shown = [(i, needed) for i, needed in enumerate(self._needed) if not self.isColumnHidden(i)]
        spare = max(self.viewport().width() - sum(needed for _i, needed in shown), 0)
        for at, (i, needed) in enumerate(shown):
            self.setColumnWidth(i, needed + spare // len(shown) + (1 if at < spare % len(shown) else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new room."""
        super().resizeEvent(event)
        if self._filled:
            if len(self._needed) == self.rows.columnCount():
                self.share()
            else:
                self.fill()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the columns again where they were fitted before the table had the letters of its window."""
        super().showEvent(event)
        if self._filled and not self._seen:
            self.fill()
        self._seen = True

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page the table stands in, until it is clicked: many rows would hold it up."""
        if self.hasFocus() or not rolls(self, down=event.angleDelta().y() < 0):
            super().wheelEvent(event)
        else:
            event.ignore()

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Go to the first and the last row by Home and End, where rows are chosen: their columns are nowhere to go."""
        ends = {QAbstractItemView.CursorAction.MoveHome: 0, QAbstractItemView.CursorAction.MoveEnd: -1}
        if action in ends and self.selectionBehavior() is QAbstractItemView.SelectionBehavior.SelectRows:
            at = ends[action] % max(self.rows.rowCount(), 1)
            return self.model().index(at, max(self.currentIndex().column(), 0))
        return super().moveCursor(action, modifiers)

    def keyPressEvent(self, event: Any) -> None:
        """Copy the selection on Ctrl+C; keep the row in sight to which another key leads."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self._bring_into_sight()

    def _bring_into_sight(self) -> None:
        """Roll the page that the table stands in to the current row: a table as long as its rows does not roll."""
        row = self.visualRect(self.currentIndex())
        page = self.parentWidget()
        while page is not None:
            if isinstance(page, QScrollArea) and (inside := page.widget()) is not None:
                at = self.viewport().mapTo(inside, row.center())
                page.ensureVisible(at.x(), at.y(), 0, row.height())
            page = page.parentWidget()

    def copy(self) -> None:
        """Copy the selected cells, or the whole table where nothing is selected."""
        chosen = sorted({(i.row(), i.column()) for i in self.selectedIndexes()})
        rows = sorted({r for r, _column in chosen}) or range(self.rows.rowCount())
        columns = sorted({c for _row, c in chosen}) or range(self.rows.columnCount())
        cells = [[self.rows.data(self.rows.index(r, c)) or "" for c in columns] for r in rows]
        put_table([self.rows.header[c] for c in columns], cells)

    def _dress(self) -> None:
        self._needed = ()  # in letters of another size
        self.verticalHeader().setDefaultSectionSize(self._theme.px(26))
        self.horizontalHeader().setFixedHeight(self._theme.px(26))
