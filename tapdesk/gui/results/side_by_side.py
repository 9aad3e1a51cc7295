"""Both answers of a what if with their difference on one axis, and how much of a change matters."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QAbstractItemView

from tapdesk.answers import what_if as words
from tapdesk.gui.results.change_cells import PLOT, AxisHeader, ChangeRows, StretchTable, StrongCells, show_changes
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Choice, Frame, ToolIcon, button, plain, text
from tapdesk.language import gettext as _
from tapdesk.language import ngettext, say

SMALLEST = (0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3)
_ROW, _HEAD = 38, 44
_LEGEND = _(
    "Yes: the interval leaves 0 out (small: it lies within that). No: it holds 0 and lies within that. Cannot tell: it "
    "holds 0 and reaches beyond."
)
_UNSAID = _("Until then only yes (the interval leaves 0 out) and cannot tell are said.")


class SideBySide(Frame):
    """The table of both answers, a question how much matters below it, and the rows of many classes on demand.

    Attributes
    ----------
    said
        Emitted with the smallest change that matters when it was chosen; None for none.
    """

    said = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", margins=(0, 8, 0, 10), gap=4)
        self._theme = theme
        self._pair: words.WhatIf | None = None
        self._room, self._every = 0, False
        self.table = StretchTable(theme, _("Side by side"), ChangeRows(theme), (PLOT, 0))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setHorizontalHeader(AxisHeader(theme, self.table))
        self.table.setItemDelegateForColumn(0, StrongCells(theme, self.table))
        self.more = button("", self._turn, kind="link")
        options = ((_("not said"), None), *((f"{value:g}", value) for value in SMALLEST))
        self.smallest = Choice(theme, _("The smallest change that matters"), options, 92)
        self.less, self.nothing, self.legend = (text("", "small", "2", wrap=bool(i == 2)) for i in range(3))
        sub = text(_("What explains the difference comes first."), "small", "2", wrap=True)
        copy = ToolIcon(theme, "copy", _("Copy the table"), self.table.copy)
        head = plain(across=True, gap=8, margins=(14, 0, 10, 0)).add(text(_("Side by side"), "card"), sub, copy)
        head.box.setStretch(1, 1)
        self._more = plain(across=True, margins=(14, 4, 14, 0)).add(self.more)
        self._more.box.addStretch(1)
        line = plain(across=True, gap=8, margins=(14, 4, 14, 0)).add(self.less, self.smallest, self.nothing)
        line.box.addStretch(1)
        self.add(head, self.table, self._more, line, plain(margins=(14, 0, 14, 0)).add(self.legend))
        self.smallest.activated.connect(self._on_smallest)

    def show_pair(self, pair: words.WhatIf, room: int) -> None:
        """Show both answers and their differences.

        Parameters
        ----------
        pair
            The two analyses, in the voice of the window.
        room
            How wide the table may be.
        """
        self._pair, self._room = pair, room
        left = show_changes(self._theme, self.table, pair, room, every=self._every)
        self.table.fit()
        # Of many classes a few rows tell enough; the others are a click away.
        beyond = len(pair.contrasts) - words.most_telling(pair.contrasts, pair.smallest)[1]
        self._more.setVisible(beyond > 0)
        row = ngettext("Show {n} more row about single classes", "Show {n} more rows about single classes", beyond)
        self.more.setText(say((row if left else _("Show fewer rows")).format(n=beyond)))

    def show_smallest(self, smallest: float | None) -> None:
        """How much of a change matters: a question, until it is answered."""
        rows = [self.smallest.itemData(i) for i in range(self.smallest.count())]
        if smallest not in rows:
            self.smallest.addItem(f"{smallest:g}", smallest)
        self.smallest.choose(smallest)
        answered = smallest is not None
        self.less.setText(_("Less than") if answered else _("From which change on does it matter to you?"))
        self.nothing.setText(_("makes no difference to us.") if answered else "")
        self.legend.setText(_LEGEND if answered else _UNSAID)

    def dress(self) -> None:
        """Rows and heads grow with the text."""
        self.table.verticalHeader().setDefaultSectionSize(self._theme.px(_ROW))
        self.table.horizontalHeader().setFixedHeight(self._theme.px(_HEAD))

    def _turn(self) -> None:
        """Show the rows of all classes, or few again."""
        self._every = not self._every
        if self._pair is not None:
            self.show_pair(self._pair, self._room)

    @Slot()
    def _on_smallest(self) -> None:
        self.said.emit(self.smallest.currentData())
