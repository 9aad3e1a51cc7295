"""Finding a case, a rater or a rating in the table: what is looked for, which hit this is, and the next one."""

import time
from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QScrollArea, QWidget

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.reading.cell_search import HEAD, CellSearch
from tapdesk.gui.widgets.basic import Frame, ToolIcon, text
from tapdesk.gui.widgets.ratings_table import RatingsTable
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import shown
from tapdesk.report import numbers

_SLICE = 0.01  # seconds of looking before the window gets its turn


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
        self.told = text("", "caption", "2")
        self.back = ToolIcon(theme, "up", _("Previous one found (Shift+F3)"), lambda: self.go(-1))
        self.on = ToolIcon(theme, "down", _("Next one found (F3)"), lambda: self.go(1))
        self.shut = ToolIcon(theme, "close", _("Close the search (Esc)"), self.end)
        self.add(self.line, self.told, self.back, self.on, self.shut)
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
        name = shown(self._table.ratings.header[column], 20)
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
            place = self._table.viewport().mapTo(area.widget(), cell.center())
            area.ensureVisible(place.x(), place.y(), 0, cell.height())

    def _at(self) -> tuple[int, int]:
        """Where the table stands: at a hit, unless another cell was chosen since."""
        marked, now = self._table.marked, self._table.currentIndex()
        if marked is not None and (not now.isValid() or (max(marked[0], 0), marked[1]) == (now.row(), now.column())):
            return marked
        return (now.row(), now.column()) if now.isValid() else self._from

    def _tell(self, words: str) -> None:
        self.told.setText(words)
        self.line.setAccessibleDescription(words)


class _Line(QLineEdit):
    """What is looked for."""

    def __init__(self, bar: FindBar) -> None:
        super().__init__()
        self._bar = bar
        self.setPlaceholderText(_("Find a case, a rater or a rating"))
        self.setAccessibleName(_("Find a case, a rater or a rating"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes on, Shift+Return back, Esc ends the search."""
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._bar.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self._bar.end()
        else:
            super().keyPressEvent(event)
