"""What stands behind every block of the results: its explanation, the user's note, and whether the report prints it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Slot

from tapdesk.gui.results.design_study_block import DesignStudyBlock
from tapdesk.gui.results.on_demand_blocks import FigureChooser, GroupsBlock, ModelsBlock
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.gui.widgets.block import Block
from tapdesk.language import gettext as _
from tapdesk.report.build import SECTIONS
from tapdesk.report.figures.catalog import picture
from tapdesk.report.notes import PARTS, Part
from tapdesk.report.setup import Setup, setup, with_setup

# By the key of the part of the report a block shows (`report.notes.PARTS`).
EXPLANATIONS: dict[str, str] = {
    "model": _(
        "Dots are your ratings: how many cases got how many answers of one kind. The coloured line is what the "
        "model expects, the grey bars how far luck moves the dots. Where dots lie on the line, the model "
        "describes these ratings well. The dashed line is what raters would do who know nothing. A good picture "
        "does not prove that the model is true."
    ),
    "movement": _(
        "The same analysis was done again on many re-drawn sets of cases, or many values were drawn from what can "
        "be believed. Each row shows where a number came to lie: half of the time in the dark band, 95 times in "
        "100 in the light one. A wide row is a number that other cases might have made quite different."
    ),
    "words": _(
        "Whether the search for the best answer has ended well, whether data of this shape can tell the numbers "
        "apart at all, and what each number means in a sentence."
    ),
    "search": _(
        "The search begins at many places. Where all lines meet at the same height, they have found the same "
        "answer; lines that stop lower have stopped at a poorer one. Of drawn values, the lines of all chains "
        "should cover each other."
    ),
    "chance": _(
        "Many panels were simulated whose ratings have nothing to do with the case. The bars show how informed "
        "they look, the line shows your panel. Where the line stands beyond the bars, luck alone does not make "
        "such ratings."
    ),
    "coefficients": _(
        "Each row is one way to measure agreement: 1 is perfect, 0 is what that coefficient takes for luck. They "
        "differ because each has its own idea of luck. The bar is the interval. No words such as “good” stand "
        "beside them unless you choose a scale, because such scales are a convention."
    ),
    "differ": _(
        "What each coefficient takes for luck, and the accuracy it stands for if that is right. This is why "
        "several numbers about the same ratings may all be correct."
    ),
    "pairs": _(
        "Kappa of every two raters: the stronger the shade, the more they agree beyond luck. A row that is pale "
        "throughout is a rater who agrees with nobody, which does not tell who is right."
    ),
    "raters": _(
        "How often the ratings of each rater follow the case, the surest at the top, with intervals. The upright "
        "line is the panel as a whole. A diamond is a rater whose interval does not hold the panel; the order of "
        "all others may be luck."
    ),
    "cases": _(
        "The cases about which the panel tells least. The belief is how sure the model is of the likeliest "
        "answer. It shows where a discussion may help, not that anybody was wrong."
    ),
    "categories": _(
        "When one rater gives the category at the left, how often another gives each: a full box on the diagonal is a "
        "category that everybody sees alike. Boxes beside it show which two are taken for each other. Luck is in here "
        "as well: a category that is given often is also given often by chance."
    ),
    "lines": _(
        "Each row draws the line between two grades at another place and asks how often ratings follow the case "
        "there. The smallest accuracy belongs to the line that is hardest to draw."
    ),
    "groups": _(
        "The same analysis by itself in every group of a further column, such as the ward or the year. Groups whose "
        "intervals meet may well be alike; the more groups there are, the sooner one of them looks different by luck."
    ),
    "models": _(
        "Every other way these ratings can be understood, each with its accuracy, and whether what a simpler one "
        "leaves out is needed. If all of them say nearly the same, the answer above does not depend "
        "on the way it was found."
    ),
    "of_size": _(
        "Ratings are made up many times for a study as large as yours, with numbers that are known then. What is "
        "found of them shows what a study of this size can find at all, whatever your own ratings say."
    ),
    "more": _(
        "More questions to the same results. Each picture is drawn from this answer and these ratings when it is asked "
        "for; those that simulate take a while, and can be stopped and gone on with."
    ),
}


TITLES = {row.key: row.title for row in SECTIONS}
# By the kind of a further picture, the field of the setup that prints the section about it.
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
        for part in PARTS:
            block = blocks[part.key]
            block.note.written.connect(self._writer(part))
            if part.stands:
                block.reported.connect(self._chooser(part))
            block.explain_with(EXPLANATIONS[part.key])

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
            if not part.stands:
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
        field = PRINTS.get(self._more.at, "")
        of_size = bool(sized.study) and getattr(chosen, sized.study) == sized.sets
        for block, on in (
            (self._groups, self._groups.at in chosen.by),
            (self._models, chosen.between),
            (sized, of_size),
            (self._more, bool(field) and getattr(chosen, field)),
        ):
            there = block.found is not None and (block is not self._more or bool(field))
            block.in_report.setVisible(there)
            block.apart.setVisible(there)
            block.in_report.setChecked(on)
            block.in_report.setToolTip(_("Prints this in the report, or leaves it out."))

    @Slot(bool)
    def _print_groups(self, on: bool) -> None:
        column, chosen = self._groups.at, setup(self._document.project)
        rest = tuple(c for c in chosen.by if c != column)
        words = _("Print the groups by “{column}”") if on else _("Leave out the groups by “{column}”")
        self._keep(words.format(column=column), replace(chosen, by=(*rest, column) if on else rest))

    @Slot(bool)
    def _print_models(self, on: bool) -> None:
        words = _("Print the tests between models") if on else _("Leave out the tests between models")
        self._keep(words, replace(setup(self._document.project), between=on))

    @Slot(bool)
    def _print_study(self, on: bool) -> None:
        study, sets = self._of_size.study, self._of_size.sets
        words = _("Print: {title}") if on else _("Leave out: {title}")
        change: dict[str, Any] = {study: sets if on else 0}
        chosen = replace(setup(self._document.project), **change)
        self._keep(words.format(title=self._of_size.titles[study]), chosen)

    @Slot(bool)
    def _print_picture(self, on: bool) -> None:
        words = _("Print: {title}") if on else _("Leave out: {title}")
        change: dict[str, Any] = {PRINTS[self._more.at]: on}
        chosen = replace(setup(self._document.project), **change)
        self._keep(words.format(title=picture(self._more.at).title), chosen)

    def _keep(self, words: str, chosen: Setup) -> None:
        self._document.do(words, with_setup(self._document.project, chosen))
