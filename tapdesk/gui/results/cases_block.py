"""The block of the cases: how sure each is, and the doubtful ones as a worklist; it stands apart from blocks of parts.

Those are at the length of a file.
"""

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from tapdesk.answers.cases import believed, certain
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.parts import part
from tapdesk.gui.results.part_blocks import PartBlock, show_table
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import button, plain, text
from tapdesk.language import gettext as _


class CasesBlock(PartBlock):
    """The cases, the least certain first.

    Attributes
    ----------
    worklisted
        Emitted with the answer when rating sheets of the doubtful cases are to be saved.
    """

    worklisted = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, part("cases"))
        self._answer: Answer | None = None
        self.save_worklist = button(_("Save a worklist…"), self._save, small=True)
        self.saved_words = text("", "small", "2", wrap=True)
        line = plain(across=True, gap=8, margins=(14, 0, 14, 0)).add(self.save_worklist, self.saved_words)
        line.box.setStretch(1, 1)
        cast("QVBoxLayout", self.body.layout()).addWidget(line)

    def show_content(self, content: Content, answer: Answer) -> None:
        """Show the cases; a worklist is offered where one more rating is worth something."""
        super().show_content(content, answer)
        if self.body.table is not None and content.tables:
            # All of them, not the first: the list goes on below its edge.
            show_table(self.body.table, content.tables[0], content.tables[0].rows)
        self.show_saved("")
        self._answer, beliefs = answer, believed(answer)
        offered = beliefs is not None and certain(beliefs, answer) and beliefs.worth_another().size > 0
        self.save_worklist.setVisible(offered and answer.ratings.raters_known)

    def show_saved(self, words: str) -> None:
        """Say what was saved."""
        self.saved_words.setText(words)

    def _save(self) -> None:
        if self._answer is not None:
            self.worklisted.emit(self._answer)
