"""Fills blocks one by one: what stops one of them does not stop the others."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from tapdesk.gui.widgets.block import Block
from tapdesk.language import gettext as _


class Filling(QObject):
    """Fills blocks, and tells a fault of the program once.

    Attributes
    ----------
    bug
        The exception that stopped a block.
    """

    bug = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._told: set[tuple[str, str]] = set()

    def fill(self, how: Callable[[], None], *blocks: Block) -> None:
        """Fill blocks; where that fails they say so, and what is below them is filled all the same."""
        try:
            how()
        except Exception as error:
            words = _("A fault of the program keeps this from being shown. The other parts are not touched by it.")
            for block in blocks:
                block.show_trouble(words)
            fault = (blocks[0].accessibleName(), repr(error))
            if fault not in self._told:
                self._told.add(fault)
                # After everything else has been shown: the dialog waits for the user.
                QTimer.singleShot(0, self, partial(self.bug.emit, error))
