"""What is done about findings, categories and cells: decisions about the open ratings, each one step of undo."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from tapdesk.answers import numbers
from tapdesk.errors import TapdeskError
from tapdesk.gui.desk import Desk
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision
from tapdesk.project.rating_fixes import Fix


class Fixing(QObject):
    """Makes decisions.

    Attributes
    ----------
    refused
        A decision does not fit the ratings as they are; nothing was changed.
    shown
        The user does it in a part of the pane: its name.
    """

    refused = Signal(object)
    shown = Signal(str)

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk

    def decide(self, words: str, decision: Decision) -> bool:
        """Decide something; ``words`` name it in the Edit menu. Whether it could be done."""
        document = self._desk.document
        return self._do(lambda: document.do(words, document.project.decide(decision)))

    def take_back(self, number: int, words: str) -> bool:
        """Take a decision back; that can be undone."""
        document = self._desk.document
        told = _("Take back: {words}").format(words=numbers.short(words, 40))
        return self._do(lambda: document.do(told, document.project.take_back(number)))

    def fix(self, fix: Fix) -> None:
        """Do what a fix offers."""
        reading = self._desk.document.project.reading
        if fix.decision is not None:
            self.decide(fix.words, fix.decision)
        elif fix.place:
            self.shown.emit(fix.place)
        elif reading is not None:
            self._desk.read_again(replace(reading.asked, **fix.options), fix.words)

    def _do(self, act: Callable[[], object]) -> bool:
        try:
            act()
        except TapdeskError as problem:
            self.refused.emit(problem)
            return False
        return True
