"""A table of names and values as high as its words need: what does not fit into a line goes on in the next."""

from PySide6.QtCore import Qt

from tapdesk.gui.look.theme import Theme
from tapdesk.gui.widgets.tables import Table

NAMES = 0.42  # of the width, at most


class Details(Table):
    """Two columns without a scroll bar; it stands in a page that scrolls."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name, grid=False)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def share(self) -> None:
        """Give each row the height of its words at this width, and the table that of all rows."""
        room = self.viewport().width()
        names = min(self._needed[0] + self._theme.px(8), round(NAMES * room))
        self.setColumnWidth(0, names)
        self.setColumnWidth(1, room - names)
        least = self._theme.px(26)
        high = self.horizontalHeader().height() + 2
        for row in range(self.rows.rowCount()):
            self.setRowHeight(row, max(least, self.sizeHintForRow(row)))
            high += self.rowHeight(row)
        if self.height() != high:
            self.setFixedHeight(high)
