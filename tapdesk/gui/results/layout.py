"""How the results stand: an example before there are any, blocks in one column or two, details without a scroll bar."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from tapdesk.answers import number_cells
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import Block
from tapdesk.gui.widgets.controls import Frame, text
from tapdesk.gui.widgets.messages import NARROW, NumberStrip
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _

NAMES = 0.42  # of the width, at most


class BlockGrid(QGridLayout):
    """Shows some blocks in their order.

    Attributes
    ----------
    blocks
        Those it shows.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setSpacing(12)
        self._columns = 0
        self.blocks: list[Block] = []

    def show_blocks(self, blocks: Sequence[Block]) -> bool:
        """Show these and no others; whether that changed anything."""
        if list(blocks) == self.blocks:
            return False
        for block in self.blocks:
            self.removeWidget(block)
            block.setVisible(block in blocks)
        self.blocks = list(blocks)
        self._arrange()
        return True

    def stand_in_columns(self, columns: int) -> None:
        """Show them in so many columns."""
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def _arrange(self) -> None:
        for block in self.blocks:
            self.removeWidget(block)
        columns = max(self._columns, 1)
        row = at = 0
        for i, block in enumerate(self.blocks):
            # Before a wide one, and at the end, a block takes the room beside it where nothing stands there.
            last = i + 1 == len(self.blocks) or self.blocks[i + 1].wide
            wide = columns if block.wide else columns - at if last else 1
            self.addWidget(block, row, at, 1, wide)
            block.show()
            row, at = divmod(row * columns + at + wide, columns)
        self.setColumnStretch(0, 1)
        self.setColumnStretch(1, columns - 1)


class DetailsTable(TableView):
    """Two columns without a scroll bar; it stands in a page that scrolls."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme, name, grid=False)
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def share(self) -> None:
        """Give each row the height of its words at this width, and the table that of all rows."""
        self.divide(self.viewport().width())
        least = self._theme.px(26)
        high = self.horizontalHeader().height() + 2
        for row in range(self.rows.rowCount()):
            self.setRowHeight(row, max(least, self.sizeHintForRow(row)))
            high += self.rowHeight(row)
        if self.height() != high:
            self.setFixedHeight(high)

    def divide(self, room: int) -> None:
        """Divide so much room (pixels) among the columns."""
        names = min(self._needed[0] + self._theme.px(8), round(NAMES * room))
        self.setColumnWidth(0, names)
        self.setColumnWidth(1, room - names)


class Example(QWidget):
    """Before the first run: a greyed sample of what will stand here."""

    def __init__(self) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(12)
        banner = Frame("know", across=True, margins=(12, 8, 12, 8))
        self._words = text("", "strong", wrap=True)
        box.addWidget(banner.add(self._words))
        example = Frame("card", margins=(18, 13, 18, 12), gap=3)
        example.add(
            text(
                _("About 60 of 100 {ratings} follow the {subject} (52 to 68); the rest are guesses."),
                "headline",
                "3",
                wrap=True,
            ),
            text(
                _(
                    "{A_subject} that is truly “yes” is called so about 80 times in 100; any other "
                    "{subject} is called “yes” about 20 times in 100."
                ),
                "consequence",
                "3",
                wrap=True,
            ),
        )
        box.addWidget(example)
        self.strip, self._most = NumberStrip(), NARROW
        box.addWidget(self.strip)
        box.addStretch(1)
        self.say("")

    def hold(self, most: int) -> None:
        """Put at most so many numbers beside each other, all of them greyed."""
        self._most = most
        self.strip.hold(most)
        self.strip.quiet(dim=True)

    def say(self, more: str) -> None:
        """Show the banner with more words, and the numbers in the nouns of the file that is open by now."""
        self.strip.show_cells(number_cells.example())
        self.hold(self._most)
        self._words.setText(
            _("Example, not your data. {more}").format(
                more=more or _("Open {ratings}, choose a question and press Run.")
            )
        )
