"""The same model for every group of the ratings: by ward, by year, by the experience of the raters."""

from dataclasses import replace

from PySide6.QtCore import Slot

from tapdesk.gui.look.localised import localised
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.panes.worked import Worked
from tapdesk.gui.running.job import Job
from tapdesk.gui.widgets.basic import Choice, plain
from tapdesk.gui.widgets.told import Pictured
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure
from tapdesk.report.figures.groups import estimate_of, groups
from tapdesk.studies.by_group import group_table
from tapdesk.studies.request import Request
from tapdesk.studies.table import Cell, Table

TITLE = _("Is it the same in every group?")
ASK = _(
    "Choose a column above; the model is then fitted to the ratings of each of its values. The data are not changed."
)
NO_COLUMN = _("The file has no further column, such as the ward or the year, to make groups of.")


class Groups(Worked):
    """A block with a list of the further columns; the accuracy of each group of the chosen one stands below it."""

    ask = ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        self._picture = Pictured(theme, TITLE)
        body = plain().add(self._picture)
        # Without a picture the block is low.
        self._picture.hide()
        super().__init__(theme, TITLE, body, self._pictures_made, job)
        self._ratings: Ratings | None = None
        self._request: Request | None = None
        self.choice = Choice(theme, _("Column that makes the groups"), (), 240)
        self.choice.activated.connect(self._on_chosen)
        self.choices.box.insertWidget(0, self.choice)
        self.worked.connect(self._show)

    def of(self, request: Request, ratings: Ratings) -> None:
        """Another analysis of some ratings; what was found of the earlier one goes."""
        self._request, self._ratings = replace(request, subjects=False, redraws=False, tests=False), ratings
        self.choice.clear()
        self.choice.addItem(_("Choose a column…"), "")
        for name in ratings.covariates:
            self.choice.addItem(numbers.short(name, 40), name)
        self.choice.setVisible(bool(ratings.covariates))
        self._picture.hide()
        self.forget()
        if not ratings.covariates:
            self.show_working(NO_COLUMN)

    @Slot()
    def _on_chosen(self) -> None:
        column, ratings, request = str(self.choice.currentData()), self._ratings, self._request
        if not column or ratings is None or request is None:
            self.show_nothing()
        else:
            self.look_at(column, lambda: group_table(ratings, column, request))

    @Slot(object)
    def _show(self, table: Table) -> None:
        values = tuple(str(value) for value in table.values(table.columns[0]))
        figure = localised(groups(table), (*values, table.columns[0]))
        self._picture.show_figure(figure, figure.title, figure.note, rows=max(len(figure.y.ticks), 2))
        header, rows = _rows(table)
        self.show_rows(header, rows)
        # Words stand to the left, numbers to the right.
        self.table.rows.show_rows(header, rows, right=range(1, len(header) - 1))
        self.table.fill()
        self._picture.show()
        self.setAccessibleDescription(figure.alt)

    def _pictures_made(self) -> tuple[str, tuple[Figure, ...]]:
        return "groups", (groups(self.found),) if self.found is not None else ()


def _rows(table: Table) -> tuple[list[str], list[tuple[str, ...]]]:
    """The table with each interval in one column."""
    by, names = table.columns[0], [c for c in table.columns if f"{c} low" in table.columns]
    header = [by, _("Cases"), _("Ratings")]
    for name in names:
        header += [name, _("Interval")]
    rows = []
    for record in table.records():
        row = [str(record[by]), _count(record["cases"]), _count(record["ratings"])]
        for name in names:
            found = estimate_of(record, name)
            row += [numbers.decimal(found.value), numbers.interval(found)]
        rows.append((*row, str(record["why_not"] or "")))
    return [*header, _("Remark")], rows


def _count(cell: Cell) -> str:
    return numbers.count(int(str(cell)))
