"""What stands behind every block of the results: its explanation, the user's note, and whether the report prints it."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from tapdesk.answers.demands import Choice, Selection
from tapdesk.answers.figures.catalog import picture
from tapdesk.answers.part import Part
from tapdesk.answers.parts import BLOCKS, Shelf
from tapdesk.gui.results.design_study_block import DesignStudyBlock
from tapdesk.gui.results.on_demand_blocks import FigureChooser, GroupsBlock, ModelsBlock
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.gui.widgets.block import Block
from tapdesk.language import gettext as _
from tapdesk.report.outline import SECTIONS
from tapdesk.report.setup import setup, with_setup

TITLES = {row.key: row.title for row in SECTIONS}
# By the kind of a further picture, the part that is printed about it.
PRINTS = {"contour": "contour", "plan": "plan", "expected": "recovery", "recovery": "recovery"}


class BlockNotes:
    """Connects the blocks with the project.

    Parameters
    ----------
    document
        Where notes and choices are kept.
    blocks
        By the key of the part they show.
    """

    def __init__(self, document: OpenDocument, blocks: Mapping[str, Block]) -> None:
        self._document, self._blocks = document, blocks
        for part in BLOCKS:
            block = blocks[part.key]
            block.note.written.connect(self._writer(part))
            if not part.on_demand:
                block.reported.connect(self._chooser(part))
            block.explain_with(part.explanation)

    def _writer(self, part: Part | Shelf) -> Callable[[str], None]:
        return lambda words: self._document.note(part.place, words, part.title)

    def _chooser(self, part: Part | Shelf) -> Callable[[bool], None]:
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
        for part in BLOCKS:
            if part.on_demand:
                self._blocks[part.key].note.show_words(project.notes.get(part.place, ""))
                continue
            self._blocks[part.key].show_part(
                project.notes.get(part.place, ""),
                printed=part.section not in left,
                section=TITLES[part.section],
            )


class ReportInclusion(QObject):
    """The ticks “In report” of four blocks; each is there once there is something to print."""

    def __init__(
        self,
        document: OpenDocument,
        groups: GroupsBlock,
        models: ModelsBlock,
        of_size: DesignStudyBlock,
        more: FigureChooser,
    ) -> None:
        super().__init__(groups)
        self._document, self._groups, self._models, self._of_size = document, groups, models, of_size
        self._more = more
        groups.reported.connect(self._print_groups)
        models.reported.connect(self._print_models)
        of_size.reported.connect(self._print_study)
        more.reported.connect(self._print_picture)
        for block in (groups, models, of_size, more):
            block.moved.connect(self.refresh)
        document.changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what is printed."""
        chosen = setup(self._document.project)
        sized = self._of_size
        key, selection = PRINTS.get(self._more.at, ""), chosen.selection
        of_size = bool(sized.study) and selection.sets(sized.study) == sized.sets
        for block, on in (
            (self._groups, self._groups.at in selection.columns("groups")),
            (self._models, "models" in selection),
            (sized, of_size),
            (self._more, key in selection),
        ):
            there = block.found is not None and (block is not self._more or bool(key))
            block.in_report.setVisible(there)
            block.apart.setVisible(there)
            block.in_report.setChecked(on)
            block.in_report.setToolTip(_("Prints this in the report, or leaves it out."))

    @Slot(bool)
    def _print_groups(self, on: bool) -> None:
        column = self._groups.at
        rest = tuple(c for c in setup(self._document.project).selection.columns("groups") if c != column)
        words = _("Print the groups by “{column}”") if on else _("Leave out the groups by “{column}”")
        self._keep(words.format(column=column), "groups", (*rest, column) if on else rest)

    @Slot(bool)
    def _print_models(self, on: bool) -> None:
        words = _("Print the tests between models") if on else _("Leave out the tests between models")
        self._keep(words, "models", on)

    @Slot(bool)
    def _print_study(self, on: bool) -> None:
        study, sets = self._of_size.study, self._of_size.sets
        words = _("Print: {title}") if on else _("Leave out: {title}")
        self._keep(words.format(title=self._of_size.titles[study]), study, sets if on else 0)

    @Slot(bool)
    def _print_picture(self, on: bool) -> None:
        words = _("Print: {title}") if on else _("Leave out: {title}")
        self._keep(words.format(title=picture(self._more.at).title), PRINTS[self._more.at], on)

    def _keep(self, words: str, key: str, choice: Choice) -> None:
        project = self._document.project
        chosen = setup(project)
        after = replace(chosen, selection=Selection(chosen.selection, **{key: choice}))
        self._document.do(words, with_setup(project, after))
