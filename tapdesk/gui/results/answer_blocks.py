"""The blocks that stand with an answer: made when they are first wanted, and filled; the lines between classes turn.

Nothing is said about a result here: what a block shows comes from `tapdesk.answers.parts`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.answers.content import Paragraph
from tapdesk.answers.cut_points import scan_content
from tapdesk.answers.part import Answer, Content
from tapdesk.answers.parts import part
from tapdesk.gui.results.cases_block import CasesBlock
from tapdesk.gui.results.classes_block import ClassesBlock
from tapdesk.gui.results.errors_block import ErrorsBlock
from tapdesk.gui.results.part_blocks import (
    SIDES,
    ContentBody,
    MovementBlock,
    PartBlock,
    RatersBlock,
    ScaledBlock,
    SearchBlock,
)
from tapdesk.gui.runs.side_studies import CurrentCutPoints, SideStudies, SideStudy
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import BlockFiller
from tapdesk.gui.widgets.controls import Segmented, plain, text
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.studies.scan import Direction

# These are shown at once; what a study adds to them comes later.
_COMPLETED_LATER = frozenset({"model", "classes"})


class LinesBlock(PartBlock):
    """Every line between two classes: a beside t and p, with the side that is counted to be chosen.

    Attributes
    ----------
    turned
        Emitted with the side that is to be counted.
    """

    turned = Signal(object)

    def __init__(self, theme: Theme) -> None:
        shown = part("lines")
        super().__init__(theme, shown, ContentBody(theme, shown.title, most=2))
        self.sides = Segmented(theme, _("Which side of every line is counted"), tuple(SIDES.items()))
        self.sides.chosen.connect(self.turned)
        line = plain(across=True, gap=8, margins=(14, 2, 14, 2)).add(text(_("Counted"), "small", "2"), self.sides)
        line.box.addStretch(1)
        cast("QVBoxLayout", self.body.layout()).insertWidget(0, line)


class PartBlocks:
    """The blocks that stand with an answer, each made when it is first wanted.

    Parameters
    ----------
    parent
        What they stand in, unseen until they are placed.
    filler
        Fills them one by one.
    begin
        Called with every new block.
    """

    def __init__(self, theme: Theme, parent: QWidget, filler: BlockFiller, begin: Callable[[PartBlock], None]) -> None:
        self._theme, self._parent, self._filler, self._begin = theme, parent, filler, begin
        self._blocks: dict[str, PartBlock] = {}
        self._special: dict[str, Callable[[Theme], PartBlock]] = {
            "movement": MovementBlock,
            "search": SearchBlock,
            "coefficients": ScaledBlock,
            "raters": RatersBlock,
            "cases": CasesBlock,
            "errors": ErrorsBlock,
            "lines": LinesBlock,
            "classes": ClassesBlock,
        }

    def __getitem__(self, key: str) -> PartBlock:
        """The block of a part."""
        if key not in self._blocks:
            made = self._special[key](self._theme) if key in self._special else PartBlock(self._theme, part(key))
            made.setParent(self._parent)
            made.hide()
            self._blocks[key] = made
            self._begin(made)
        return self._blocks[key]

    def __iter__(self) -> Iterator[PartBlock]:
        """Those that have been made."""
        return iter(self._blocks.values())

    def show(self, keys: Sequence[str], answer: Answer, studies: SideStudies | None = None) -> None:
        """Fill blocks; each says itself what it waits for or why it is empty.

        Parameters
        ----------
        keys
            Of the parts to show.
        answer
            What they are about.
        studies
            The studies beside it; None where only what needs none is shown.
        """
        for key in keys:
            uses, at_once = part(key).uses, not part(key).uses or key in _COMPLETED_LATER
            if uses if studies is not None else at_once:
                study = None if studies is None or at_once else studies.waits_for(uses)
                waiting = "" if study is None else say(study.words)
                self._filler.fill(partial(self[key].show_answer, answer, waiting), self[key])

    def show_lines(
        self, studies: SideStudies, now: CurrentCutPoints | None, answer: Answer, direction: Direction
    ) -> None:
        """The lines of the run, or those of the categories as they stand now, each marked as what they are."""
        block = cast("LinesBlock", self["lines"])
        block.sides.choose(direction)
        scan = studies.extras.scan if now is None or now.scan is None else now.scan
        if scan is not None:
            scan = scan.turned(direction)
            words = () if now is None else (Paragraph(say(now.words)),)

            def make() -> Content:
                content = scan_content(scan, answer)
                return replace(content, blocks=(*words, *content.blocks))

            self._filler.fill(partial(block.show_made, make, answer), block)
        elif now is None:
            self.show(("lines",), answer, studies)
        elif now.reason:
            block.show_trouble(say(now.reason))
        else:
            block.show_working(say(SideStudy.LINES.words))
