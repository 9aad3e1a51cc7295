"""Whether the report prints what was worked out here when it was asked for: kept in the project."""

from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from tapdesk.answers.figures.catalog import picture
from tapdesk.gui.document import Document
from tapdesk.gui.panes.groups import Groups
from tapdesk.gui.panes.models import Models
from tapdesk.gui.panes.more import More
from tapdesk.gui.panes.sized import OfSize
from tapdesk.language import gettext as _
from tapdesk.report.setup import Setup, setup, with_setup

# By the kind of a further picture, the field of the setup that prints the section about it.
PRINTS = {"contour": "contour", "plan": "plan", "expected": "recovery", "recovery": "recovery"}


class Printed(QObject):
    """The ticks “In report” of four blocks; each is there once there is something to print."""

    def __init__(self, document: Document, groups: Groups, models: Models, of_size: OfSize, more: More) -> None:
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
        chosen = replace(setup(self._document.project), **{study: sets if on else 0})
        self._keep(words.format(title=self._of_size.titles[study]), chosen)

    @Slot(bool)
    def _print_picture(self, on: bool) -> None:
        words = _("Print: {title}") if on else _("Leave out: {title}")
        chosen = replace(setup(self._document.project), **{PRINTS[self._more.at]: on})
        self._keep(words.format(title=picture(self._more.at).title), chosen)

    def _keep(self, words: str, chosen: Setup) -> None:
        self._document.do(words, with_setup(self._document.project, chosen))
