"""Notes on the blocks of the results, and whether the report prints them: both kept in the project."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from tapdesk.answers.part import Part
from tapdesk.answers.parts import PARTS
from tapdesk.gui.document import Document
from tapdesk.gui.widgets.block import Block
from tapdesk.language import gettext as _
from tapdesk.report.build import SECTIONS
from tapdesk.report.setup import setup, with_setup

TITLES = {row.key: row.title for row in SECTIONS}


class Parts:
    """Connects the blocks with the project.

    Parameters
    ----------
    document
        Where notes and choices are kept.
    blocks
        By the key of the part they show.
    """

    def __init__(self, document: Document, blocks: Mapping[str, Block]) -> None:
        self._document, self._blocks = document, blocks
        for part in PARTS:
            block = blocks[part.key]
            block.note.written.connect(self._writer(part))
            if not part.on_demand:
                block.reported.connect(self._chooser(part))
            block.explain_with(part.explanation)

    def _writer(self, part: Part) -> Callable[[str], None]:
        return lambda words: self._document.note(part.place, words, part.title)

    def _chooser(self, part: Part) -> Callable[[bool], None]:
        def choose(wanted: bool) -> None:
            project = self._document.project
            chosen = setup(project)
            left = set(chosen.leave_out)
            after = left - {part.section} if wanted else left | {part.section}
            words = _("Print “{title}”") if wanted else _("Leave out “{title}”")
            self._document.do(
                words.format(title=TITLES[part.section]),
                with_setup(project, replace(chosen, leave_out=tuple(sorted(after)))),
            )

        return choose

    def refresh(self) -> None:
        """Show notes and choices as they are kept."""
        project = self._document.project
        left = set(setup(project).leave_out)
        for part in PARTS:
            if part.on_demand:
                self._blocks[part.key].note.show_words(project.notes.get(part.place, ""))
                continue
            self._blocks[part.key].show_part(
                project.notes.get(part.place, ""),
                printed=part.section not in left,
                section=TITLES[part.section],
            )
