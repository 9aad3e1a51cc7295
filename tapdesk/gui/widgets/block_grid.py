"""Blocks beside and below each other, in as many columns as there is room for."""

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from tapdesk.gui.widgets.block import Block


class BlockGrid(QGridLayout):
    """Shows some blocks of a few, in their order.

    Parameters
    ----------
    every
        All blocks it can be asked to show.

    Attributes
    ----------
    blocks
        Those it shows.
    """

    def __init__(self, every: Sequence[Block]) -> None:
        super().__init__()
        self.setSpacing(12)
        self._every, self._columns = tuple(every), 0
        self.blocks: list[Block] = []

    def stand_in(self, parent: QWidget) -> None:
        """Make all blocks parts of a widget, none of them seen yet."""
        for block in self._every:
            block.setParent(parent)
            block.hide()

    def show_blocks(self, blocks: Sequence[Block]) -> bool:
        """Show these and no others; whether that changed anything."""
        if list(blocks) == self.blocks:
            return False
        self.blocks = list(blocks)
        self._arrange()
        return True

    def stand_in_columns(self, columns: int) -> None:
        """Show them in so many columns."""
        if columns != self._columns:
            self._columns = columns
            self._arrange()

    def _arrange(self) -> None:
        for block in self._every:
            self.removeWidget(block)
            if block not in self.blocks:
                block.hide()
        columns = max(self._columns, 1)
        for i, block in enumerate(self.blocks):
            # The last one takes the room beside it where nothing stands there.
            wide = columns - i % columns if block is self.blocks[-1] else 1
            self.addWidget(block, i // columns, i % columns, 1, wide)
            block.show()
        self.setColumnStretch(0, 1)
        self.setColumnStretch(1, columns - 1)
