"""Everything of a window that somebody can read, or be told by a screen reader."""

from PySide6.QtCore import QModelIndex, QObject, Qt
from PySide6.QtGui import QAction, QTextDocumentFragment
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QHeaderView, QTableView, QWidget

from tapdesk.gui.pictures.figure_view import SvgView

ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
)
TOLD = ("text", "toolTip", "accessibleName", "accessibleDescription", "placeholderText", "windowTitle", "title")
MOST_ROWS, EVERY = 40, 24


def plain(words):
    """Words without the marks of rich text."""
    return QTextDocumentFragment.fromHtml(words).toPlainText() if "<" in words and ">" in words else words


def _cells(view):
    model = view.model()
    if model is None:
        return
    nowhere = QModelIndex()
    rows = min(model.rowCount(nowhere), MOST_ROWS)
    # A list has no columns to count.
    columns = model.columnCount(nowhere) if isinstance(view, QTableView) else 1
    for column in range(columns):
        yield model.headerData(column, Qt.Orientation.Horizontal)
    for row in range(rows):
        for column in range(columns):
            for role in ROLES:
                yield model.data(model.index(row, column), role)


def _hovered(picture):
    for y in range(0, picture.height(), EVERY):
        for x in range(0, picture.width(), EVERY):
            yield picture.words_at(x, y)


def of_widget(widget):
    """What one widget shows and tells."""
    for name in TOLD:
        told = getattr(widget, name, None)
        if callable(told):
            yield told()
    if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
        yield from _cells(widget)
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(i) for i in range(widget.count()))
    if isinstance(widget, SvgView) and widget.isVisible():
        yield from _hovered(widget)


def of_tree(top):
    """Where, and the words, of one window, menu or dialog with all that is in it."""
    for one in (top, *top.findChildren(QObject)):
        if isinstance(one, QWidget | QAction):
            for words in of_widget(one):
                if isinstance(words, str) and words.strip():
                    yield plain(words), f"{type(one).__name__} in {type(one.parent()).__name__}"


def everything():
    """Where, and the words, of all that is there: of every window, menu, table, picture and hint."""
    said = {}
    for top in QApplication.topLevelWidgets():
        for words, place in of_tree(top):
            said.setdefault(words, place)
    return said
