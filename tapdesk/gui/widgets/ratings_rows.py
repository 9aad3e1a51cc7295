"""The rows of the table of ratings: what stands in each cell, and what the file says there."""

from functools import lru_cache
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt

from tapdesk.answers import numbers
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.reading.case_cells import CaseCells, Kind, cells_of
from tapdesk.gui.widgets.tables import NOWHERE, TextTable
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings

CHANGED = Qt.ItemDataRole.UserRole
_WORDS = frozenset({Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole})
_TOLD = _WORDS | {Qt.ItemDataRole.EditRole, CHANGED}
# Put together once: Qt asks for each of the cells in sight, several times for a picture.
_USUAL = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_CHANGED_IN_PLACE = _USUAL | Qt.ItemFlag.ItemIsEditable
Index = QModelIndex | QPersistentModelIndex


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
            self._raw = raw if type(raw) is type(cells) else type(cells)(as_read)
        self.cells = cells
        self._colours = {c: colour for c, colour in zip(now.classes, now.colours, strict=True) if colour}
        self._header = (_("Case"), *map(_headed, cells.kinds, cells.names))
        self._rows, self._side, self._tinted, self.right = (), None, frozenset(), frozenset()
        self.endResetModel()

    def rowCount(self, parent: QModelIndex = NOWHERE) -> int:
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
            return _told(texts, self.cells.kinds[column])
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
        return _told(texts, cells.kinds[column - 1]), changed

    def colour(self, row: int, column: int) -> str:
        """The colour of the class in a cell that holds one rating; empty where it has none of its own."""
        if self.cells is None or not self._colours or column < 1 or self.cells.kinds[column - 1] is not Kind.RATING:
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
        told = _told(now, kind) or _("No rating")
        if kind is Kind.LIST:
            return _("{told}. Return changes one of these ratings.").format(told=told)
        if raw is None or raw == now:
            return told
        return _("{told}. Changed: the file says {value}.").format(told=told, value=_told(raw, kind) or _("nothing"))

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Everything but the names of the cases is changed in place."""
        cells = self.cells
        if cells is None or index.column() < 1:
            return _USUAL
        if not cells.there(index.row()) and cells.kinds[index.column() - 1] is Kind.RATING:
            return _USUAL
        return _CHANGED_IN_PLACE


def _headed(kind: Kind, name: str) -> str:
    """What stands above a column."""
    return {Kind.WEIGHT: _("Stands for"), Kind.LIST: _("Ratings")}.get(kind, name)


@lru_cache(maxsize=4096)
def _told(texts: tuple[str, ...], kind: Kind) -> str:
    """What stands in a cell in words, blanks at the ends of ratings made visible."""
    if kind in {Kind.COUNT, Kind.WEIGHT}:
        return ", ".join(numbers.count(int(text)) for text in texts)
    return ", ".join(texts if kind is Kind.LIST else (label_text(text, 200) for text in texts))
