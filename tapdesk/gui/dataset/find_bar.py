"""Finding a case, a rater or a rating in the table: what is looked for, which hit this is, and the next one."""

import re
import time
import unicodedata
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget

from tapdesk.answers import numbers
from tapdesk.gui.dataset.case_cells import Arrangement, CaseCells, RaterCells
from tapdesk.gui.dataset.ratings_table import RatingsTable
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, ToolIcon, text
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text

HEAD = -1
_ROWS, _RATINGS = 8_192, 200_000
_BETWEEN = "\x1f"
_APART = re.compile(r"[\s.,'’]")  # what sets thousands apart, somewhere

Mask = NDArray[np.bool_]
_SLICE = 0.01  # seconds of looking before the window gets its turn


def folded(text: str) -> str:
    """A text as it is compared: capitals and ways to write an accent make no difference."""
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).casefold()


class CellSearch:
    """The cells of a table that contain a text, in the order in which they are read.

    Parameters
    ----------
    cells
        The table.
    text
        What is looked for; in cases, raters, classes and numbers alike.

    Attributes
    ----------
    count
        Cells that hold it, of the rows looked through by now; names of columns are counted as well.
    """

    def __init__(self, cells: CaseCells, text: str) -> None:
        self._cells, self._text = cells, folded(text)
        self._digits = _APART.sub("", self._text)
        ratings = cells.ratings
        self._width = len(cells.names) + 1
        self._heads = [j + 1 for j, name in enumerate(cells.names) if name and self._holds(name)]
        self._of_class = np.array([self._holds(label) for label in ratings.classes], dtype=bool)
        self._of_rater = np.array([self._holds(name) for name in ratings.raters], dtype=bool)
        # Cases with many ratings each make a slice of fewer rows.
        self._step = max(min(_ROWS, _RATINGS * cells.rows // max(ratings.subject.size, 1)), 1)
        self._until = [len(self._heads)]
        self._last = (-1, np.zeros(0, dtype=np.intp))

    @property
    def count(self) -> int:
        """Hits found by now."""
        return self._until[-1]

    def run(self) -> Iterator[None]:
        """Look through the rows, pausing after every slice."""
        for first in range(0, self._cells.rows, self._step):
            self._until.append(self.count + int(self._slice(first).sum()))
            yield

    def at(self, n: int) -> tuple[int, int]:
        """Row and column of a hit, counted from 0; the row of a name of a column is ``HEAD``."""
        if n < len(self._heads):
            return HEAD, self._heads[n]
        part = int(np.searchsorted(self._until, n, side="right")) - 1
        place = int(self._hits(part)[n - self._until[part]])
        return part * self._step + place // self._width, place % self._width

    def before(self, row: int, column: int) -> int:
        """How many hits stand before a cell: the number of the first hit that is there or behind it."""
        if row < 0:
            return int(np.searchsorted(self._heads, column))
        part = min(row // self._step, len(self._until) - 2)
        place = (row - part * self._step) * self._width + column
        return self._until[part] + int(np.searchsorted(self._hits(part), place))

    def _hits(self, part: int) -> NDArray[np.intp]:
        """Where the hits of a slice stand in it, cell by cell; those of the slice asked for last are at hand."""
        if self._last[0] != part:
            self._last = (part, np.flatnonzero(self._slice(part * self._step)))
        return self._last[1]

    def _holds(self, text: str) -> bool:
        return self._text in folded(text)

    def _slice(self, first: int) -> Mask:
        """Shape (rows, columns): which cells of the rows from ``first`` on hold the text."""
        cells, ratings = self._cells, self._cells.ratings
        end = min(first + self._step, cells.rows)
        last = min(end, cells.regular)
        irregular = [self._row(row) for row in range(max(first, last), end)]
        if last <= first:
            return np.array(irregular, dtype=bool)
        result = np.zeros((last - first, self._width), dtype=bool)
        result[:, 0] = self._names(first, last)
        tallied = ratings.weight is not None
        if ratings.weight is not None:
            result[:, 1] = self._numbers(ratings.weight[first:last])
        if Arrangement.COUNT in cells.kinds:
            result[:, 1 + tallied :] = self._counts(first, last)
            return np.vstack([result, *irregular])
        start, stop = cells.part(first).start, cells.part(last - 1).stop
        hit = self._of_class[ratings.category[start:stop]]
        if not isinstance(cells, RaterCells):
            hit |= self._of_rater[ratings.rater[start:stop]]
        if hit.any():
            rows = ratings.subject[start:stop][hit] - first
            columns = cells.place[ratings.rater[start:stop][hit]] + tallied if isinstance(cells, RaterCells) else 0
            result[rows, columns + 1] = True
        return result

    def _row(self, row: int) -> list[bool]:
        """Which cells of a row hold the text, where rows are not simply the cases in their order."""
        cells = self._cells
        texts = [cells.texts(row, j) for j in range(self._width - 1)]
        words = (Arrangement.RATING, Arrangement.LIST)
        hit = [
            any(map(self._holds if kind in words else self._in_number, sentence))
            for kind, sentence in zip(cells.kinds, texts, strict=True)
        ]
        return [self._holds(cells.case(row)), *hit]

    def _names(self, first: int, last: int) -> list[bool] | bool:
        """Which cases of some rows have the text in their name."""
        names = self._cells.ratings.subjects[first:last]
        together = folded(_BETWEEN.join(names))
        if self._text not in together:
            return False
        apart = together.split(_BETWEEN)
        # A name can hold what separates them here; then each is looked at alone.
        return [self._text in name for name in apart] if len(apart) == len(names) else list(map(self._holds, names))

    def _counts(self, first: int, last: int) -> Mask:
        """Which numbers of ratings in a class hold the text."""
        cells, ratings = self._cells, self._cells.ratings
        part, k = slice(cells.part(first).start, cells.part(last - 1).stop), len(ratings.classes)
        flat = (ratings.subject[part].astype(np.int64) - first) * k + ratings.category[part]
        return self._numbers(np.bincount(flat, minlength=(last - first) * k)).reshape(last - first, k)

    def _numbers(self, values: NDArray[np.integer[Any]]) -> Mask:
        """Which numbers hold the text, whatever is written between its thousands."""
        different, which = np.unique(values, return_inverse=True)
        return np.array([self._in_number(str(v)) for v in different.tolist()], dtype=bool)[which]

    def _in_number(self, digits: str) -> bool:
        return bool(self._digits) and self._digits in digits


class FindBar(Frame):
    """A line above a table; it looks while it is typed into.

    Parameters
    ----------
    theme
        Of the window.
    table
        Where to look.
    """

    def __init__(self, theme: Theme, table: RatingsTable) -> None:
        super().__init__("none", across=True, margins=(10, 6, 10, 6), gap=6)
        self._table = table
        self._search: CellSearch | None = None
        self._run: Iterator[None] | None = None
        self._step: int | None = None
        self._from = (HEAD, 0)
        self.line = _Line(self)
        self.count = text("", "caption", "2")
        self.back = ToolIcon(theme, "up", _("Previous one found (Shift+F3)"), lambda: self.go(-1))
        self.on = ToolIcon(theme, "down", _("Next one found (F3)"), lambda: self.go(1))
        self.shut = ToolIcon(theme, "close", _("Close the search (Esc)"), self.end)
        self.add(self.line, self.count, self.back, self.on, self.shut)
        self.box.setStretch(0, 1)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self.line.textChanged.connect(self._begin)
        table.ratings.modelReset.connect(self._again)
        self.hide()

    def begin(self) -> None:
        """Show the line with the keyboard in it; what is looked for starts where the table stands."""
        at = self._table.currentIndex()
        self._from = (at.row(), at.column()) if at.isValid() else (HEAD, 0)
        self.line.name_things()
        self.show()
        self.line.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.line.selectAll()
        self._again()
        self._bring()

    def go(self, by: int) -> None:
        """Show the next hit, or the one before, around the end of the table."""
        if self.isHidden() or not self.line.text():
            self.begin()
            return
        self._step = by
        if self._run is None:
            self._show_hit()

    def end(self) -> None:
        """Close the line; the keyboard goes on in the table, at what was found."""
        self._stop()
        self._table.mark(None)
        self.hide()
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot()
    def _begin(self) -> None:
        """Look anew for what was typed, from where the search began."""
        self._again(step=0)

    @Slot()
    def _again(self, step: int | None = None) -> None:
        """Look anew; the table moves only when a step is asked for."""
        self._stop()
        cells, words = self._table.ratings.cells, self.line.text()
        if self.isHidden() or cells is None or not words:
            self._table.mark(None)
            self._tell("")
            return
        self._step = step
        self._search = CellSearch(cells, words)
        self._run = self._search.run()
        self._tell(_("Searching…"))
        self._look()

    def _stop(self) -> None:
        self._timer.stop()
        self._search = self._run = self._step = None

    @Slot()
    def _look(self) -> None:
        """Look through some rows; the rest when the window had its turn."""
        until = time.perf_counter() + _SLICE
        while self._run is not None and time.perf_counter() < until:
            if next(self._run, self) is self:
                self._run = None
        if self._run is not None:
            self._timer.start(0)
            return
        self._timer.stop()
        self._show_hit()

    def _show_hit(self) -> None:
        """Go to the hit that is asked for, and say which one the table is at."""
        search, step = self._search, self._step
        if search is None:
            return
        self._step = None
        if not search.count:
            self._table.mark(None)
            self._tell(_("Nothing found"))
            return
        row, column = self._from if step == 0 else self._at()
        n = search.before(row, column)
        here = n < search.count and search.at(n) == (row, column)
        if step is None and not here:
            self._table.mark(None)
            self._tell(_("{count} found").format(count=numbers.count(search.count)))
            return
        # Between two hits, the next one is n already.
        n = (n + (step or 0) - (step == 1 and not here)) % search.count
        row, column = search.at(n)
        self._table.mark((row, column))
        self._bring()
        words = _("{n} of {count}") if row != HEAD else _("{n} of {count}, the column {name}")
        name = label_text(self._table.ratings.header[column], 20)
        self._tell(words.format(n=numbers.count(n + 1), count=numbers.count(search.count), name=name))

    def _bring(self) -> None:
        """Scroll what is around to the line, and to the cell that was found where both do not fit."""
        area: QWidget | None = self._table.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is None:
            return
        area.ensureWidgetVisible(self, 0, 0)
        if self._table.marked is not None:
            cell = self._table.visualRect(self._table.currentIndex())
            place = self._table.viewport().mapTo(cast("QWidget", area.widget()), cell.center())
            area.ensureVisible(place.x(), place.y(), 0, cell.height())

    def _at(self) -> tuple[int, int]:
        """Where the table stands: at a hit, unless another cell was chosen since."""
        marked, now = self._table.marked, self._table.currentIndex()
        if marked is not None and (not now.isValid() or (max(marked[0], 0), marked[1]) == (now.row(), now.column())):
            return marked
        return (now.row(), now.column()) if now.isValid() else self._from

    def _tell(self, words: str) -> None:
        self.count.setText(words)
        self.line.setAccessibleDescription(words)


class _Line(QLineEdit):
    """What is looked for."""

    def __init__(self, bar: FindBar) -> None:
        super().__init__()
        self._bar = bar
        self.name_things()

    def name_things(self) -> None:
        """Say what can be looked for, in the nouns of the file that is open."""
        words = _("Find {a_subject}, {a_rater} or {a_rating}").format()
        self.setPlaceholderText(words)
        self.setAccessibleName(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes on, Shift+Return back, Esc ends the search."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._bar.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self._bar.end()
        else:
            super().keyPressEvent(event)
