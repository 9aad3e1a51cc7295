"""Blocks of the results that are worked out when they are asked for: by group, by model, and one more picture."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QVBoxLayout, QWidget

from tapdesk.answers import model_comparison as words
from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_table import rows_of_all
from tapdesk.answers.figures.catalog import FIGURES, made, picture
from tapdesk.answers.figures.models import estimate_of, groups, models
from tapdesk.answers.model_comparison import models_table
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.question import question_of
from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.runs.job import Job, ResumableRun
from tapdesk.gui.theme.localised_numbers import localised_figure
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import Block, Pictures
from tapdesk.gui.widgets.block_bodies import FigureBody, SentenceList
from tapdesk.gui.widgets.controls import Choice, button, clear, plain, text
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.model_comparison import GridComparison, compare_grid
from tapdesk.studies.subsets import group_table
from tapdesk.studies.table import Cell, StudyTable

GROUPS_TITLE = _("Is it the same in every group?")
GROUPS_ASK = _(
    "Choose a column above; the model is then fitted to the ratings of each of its values. The data are not changed."
)
NO_COLUMN = _("The file has no further column, such as the ward or the year, to make groups of.")
MODELS_TITLE = _("Would another model say otherwise?")
MODELS_ASK = _(
    "Fits every model these ratings allow, and tests what each leaves out on simulated panels; this takes a while."
)
EVERYTHING = "models"
# These stand with every fit, in blocks of their own.
SHOWN = frozenset({"parameters", "convergence", "pairs", "chance", "models"})
# These look at all classes, also where the fit tells one side from the other.
OF_ALL = frozenset({"scan", "class_pairs"})
# These draw each class in its colour.
COLOURED = frozenset({"class_rates", "expected"})
# Its place among headline, numbers, blocks, groups, models and studies of this size.
FIRST, LAST = 2, 6
CHOOSER_TITLE = _("More pictures of these results")
CHOOSER_ASK = _("Choose a question above; the picture is then drawn from this fit and these ratings.")


class OnDemandBlock(Block):
    """A block with a line of choices; what was worked out for one of them stays while others are looked at.

    Parameters
    ----------
    job
        Does the work; it keeps what is cancelled.

    Attributes
    ----------
    worked
        Emitted with what is to be shown.
    moved
        Emitted when something else is looked at, and when it is there.
    bug
        An exception that is not the user's matter.
    at
        What is looked at; empty where nothing is.
    """

    worked = Signal(object)
    moved = Signal()
    bug = Signal(object)
    ask = _("Choose above what is to be worked out.")

    def __init__(self, theme: Theme, title: str, body: QWidget, pictures: Pictures, job: Job) -> None:
        super().__init__(theme, title, body, pictures, height=40)
        self._job = job
        self._found: dict[str, Any] = {}
        self._stopped: dict[str, ResumableRun] = {}
        self._under_way = self.at = ""
        self.stop = button(_("Stop"), self.stop_work, small=True, name=_("Stop: {title}").format(title=title))
        self.on = button(_("Go on"), self.go_on, small=True, name=_("Go on: {title}").format(title=title))
        self.choices = plain(across=True, gap=8, margins=(14, 0, 14, 6))
        self.choices.add(self.stop, self.on).box.addStretch(1)
        self.box.insertWidget(1, self.choices)
        # These are looked at; where the report can print them, the tick comes with what was worked out.
        for part in (self.apart, self.in_report, self.stop, self.on):
            part.hide()
        job.stepped.connect(self._on_stepped)
        job.done.connect(self._on_done)
        job.failed.connect(self._on_failed)
        self.show_working(self.ask)

    def forget(self) -> None:
        """Nothing is known any more: other results are looked at."""
        self._job.cancel()
        self._found, self._stopped, self.at = {}, {}, ""
        self.show_nothing()

    def look_at(self, key: str, begin: Callable[[], Run[Any]]) -> None:
        """Show what belongs to a choice: what is known of it, or what a run works out from now on."""
        self._leave()
        self.at = key
        if key in self._found:
            self._buttons()
            self.worked.emit(self._found[key])
            return
        self.show_working(_("Working on this…"))
        self._under_way = key
        if key in self._stopped:
            self._job.go_on(self._stopped.pop(key))
        else:
            self._job.start(begin())
        self._buttons()

    def refuse(self, reason: str) -> None:
        """Say why there is nothing for a choice."""
        self._leave()
        self.at = ""
        self.show_trouble(reason)
        self._buttons()

    @property
    def found(self) -> Any:
        """What is shown; None while there is nothing."""
        return self._found.get(self.at)

    def show_nothing(self) -> None:
        """Look at nothing."""
        self._leave()
        self.at = ""
        self.show_working(self.ask)
        self._buttons()

    def _leave(self) -> None:
        """Stop what is worked on; it is kept as far as it came."""
        if self._job.running:
            self._job.cancel()
            if self._job.stopped is not None:
                self._stopped[self._under_way] = self._job.stopped

    def _buttons(self) -> None:
        self.stop.setVisible(self._job.running)
        self.on.setVisible(not self._job.running and self.at in self._stopped)
        self.moved.emit()

    @Slot()
    def stop_work(self) -> None:
        """Stop, on the user's wish."""
        self._leave()
        self.show_working(_("Stopped. What is finished is kept."))
        self._buttons()

    @Slot()
    def go_on(self) -> None:
        """Go on from there."""
        drive = self._stopped.pop(self.at, None)
        if drive is not None:
            self._under_way = self.at
            self._job.go_on(drive)
            self._buttons()

    @Slot(object)
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        last = steps[-1]
        if last.total > 1:
            words = _("Working on this… {done} of {total}")
            left = numbers.left(self._job.seconds, last.done / last.total)
            told = words.format(done=numbers.count(last.done), total=numbers.count(last.total))
            self.show_working(joined(told, left, sep=", "))

    @Slot(object)
    def _on_done(self, found: Any) -> None:
        self._found[self._under_way] = found
        self._buttons()
        self.worked.emit(found)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self._buttons()
        if isinstance(error, TapdeskError):
            self.show_trouble(f"{error.what} {error.fix}".strip())
        else:
            self.show_trouble(_("This could not be worked out."))
            self.bug.emit(error)


class GroupsBlock(OnDemandBlock):
    """A block with a list of the further columns; the accuracy of each group of the chosen one stands below it."""

    ask = GROUPS_ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        self._picture = FigureBody(theme, GROUPS_TITLE)
        body = plain().add(self._picture)
        # Without a picture the block is low.
        self._picture.hide()
        super().__init__(theme, GROUPS_TITLE, body, self._pictures_made, job)
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
    def _show(self, table: StudyTable) -> None:
        values = tuple(str(value) for value in table.values(table.columns[0]))
        figure = localised_figure(groups(table), (*values, table.columns[0]))
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


def _rows(table: StudyTable) -> tuple[list[str], list[tuple[str, ...]]]:
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


class ModelsBlock(OnDemandBlock):
    """A block that fits the other models on demand: a picture of their accuracies, and a question for every test."""

    ask = MODELS_ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        body = QWidget()
        self._picture, self._answers = FigureBody(theme, MODELS_TITLE), SentenceList(MODELS_TITLE)
        self._luck = text("", "caption", "3", wrap=True)
        # Without a picture the block is low.
        self._picture.hide()
        box = QVBoxLayout(body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        for part in (self._picture, self._answers, plain(margins=(14, 0, 14, 4)).add(self._luck)):
            box.addWidget(part)
        super().__init__(theme, MODELS_TITLE, body, self._pictures_made, job)
        self._ratings: Ratings | None = None
        self._seed = 1
        self.begin = button(_("Compare the models"), self.compare, small=True)
        self.choices.box.insertWidget(0, self.begin)
        self.worked.connect(self._show)

    def of(self, ratings: Ratings, seed: int) -> None:
        """Other ratings; what was found of the earlier ones goes."""
        self._ratings, self._seed = ratings, seed
        self.begin.show()
        self._picture.hide()
        self.forget()

    @Slot()
    def compare(self) -> None:
        """Fit and test the models."""
        ratings, seed = self._ratings, self._seed
        if ratings is not None:
            self.begin.hide()
            self.look_at(EVERYTHING, lambda: compare_grid(ratings, seed=seed))

    @Slot(object)
    def _show(self, found: GridComparison) -> None:
        figure = localised_figure(models(found), ())
        self._picture.show_figure(figure, figure.title, figure.note, rows=len(figure.y.ticks))
        answers = words.answers(found)
        self._answers.say(answers)
        self._luck.setText(words.luck(found))
        table = models_table([row.fit for row in found.comparison.rows], SCREEN)
        header = [column.title for column in table.columns]
        blank = ("",) * (len(header) - 1)
        told = [(*row, "") for row in table.rows]
        rows = [*told, *((question, *blank, answer) for question, answer in answers)]
        self.show_rows((*header, _("Answer")), rows)
        # Words stand to the left, numbers to the right.
        self.table.rows.show_rows((*header, _("Answer")), rows, right=range(1, len(header)))
        self.table.fill()
        self._picture.show()
        self.setAccessibleDescription(" ".join((figure.alt, *(f"{q} {a}" for q, a in answers))))

    def _pictures_made(self) -> tuple[str, tuple[Figure, ...]]:
        return "models", (models(self.found),) if self.found is not None else ()


class FigureChooser(OnDemandBlock):
    """A block with a list of questions; the picture of the chosen one stands below it.

    Parameters
    ----------
    job
        Works out pictures that are studies of their own.

    Attributes
    ----------
    first
        Whether it stands before the other blocks.
    """

    ask = CHOOSER_ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        self._panels = QWidget()
        super().__init__(theme, CHOOSER_TITLE, self._panels, self._pictures_made, job)
        self.first = False
        self._fit: Fit | None = None
        self._ratings: Ratings | None = None
        self._all: Ratings | None = None
        self._grid = QGridLayout(self._panels)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        rows = ((_("Choose a question…"), ""), *((row.title, row.kind) for row in FIGURES if row.kind not in SHOWN))
        self.choice = Choice(theme, _("Question of the picture"), rows, 320)
        self.choice.activated.connect(self._on_chosen)
        self.choices.box.insertWidget(0, self.choice)
        self.worked.connect(self._show)

    def of(self, fit: Fit, ratings: Ratings, all_classes: Ratings) -> None:
        """Another fit of some ratings, and the same ratings before they were told as two classes.

        What was drawn of the earlier fit goes.
        """
        self._fit, self._ratings, self._all = fit, ratings, all_classes
        self.choice.choose("")
        self.forget()

    def coloured(self, now: Ratings) -> None:
        """Draw the classes in the colours they have now; they may be given any time after a fit."""
        ratings = self._ratings
        if ratings is None or ratings.classes != now.classes or ratings.colours == now.colours:
            return
        self._ratings = replace(ratings, colours=now.colours)
        for kind in COLOURED:
            self._found.pop(kind, None)
        if self.kind in COLOURED:
            self._on_chosen()

    @property
    def kind(self) -> str:
        """The picture that is chosen; empty where none is."""
        return str(self.choice.currentData())

    def answer(self, analysis: Analysis, box: QBoxLayout) -> bool:
        """Stand before all blocks, the picture worked out at once, where that answers the question of an analysis.

        Returns
        -------
        bool
            Whether it has another place than before.
        """
        question = question_of(analysis)
        kind = question.picture if question is not None else ""
        moved = self.first != bool(kind)
        if moved:
            self.first = bool(kind)
            box.removeWidget(self)
            box.insertWidget(FIRST if kind else LAST, self)
        if kind:
            self.choice.choose(kind)
            self._on_chosen()
        return moved

    @Slot()
    def _on_chosen(self) -> None:
        kind, fit = self.kind, self._fit
        ratings = self._all if kind in OF_ALL else self._ratings
        if not kind or fit is None or ratings is None:
            self.show_nothing()
            return
        reason = picture(kind).needs(fit, ratings)
        if reason is not None:
            self.refuse(reason)
        else:
            self.look_at(kind, lambda: made(kind, fit, ratings))

    @Slot(object)
    def _show(self, figures: Sequence[Figure]) -> None:
        """All panels, two beside each other where there are several, and their numbers as one table."""
        clear(self._grid)
        columns = 1 if len(figures) == 1 else 2
        told = [localised_figure(figure, self._names()) for figure in figures]
        for i, figure in enumerate(told):
            shown = FigureBody(self._theme, figure.title)
            shown.show_figure(figure, figure.title, figure.note, high=figure.height)
            self._grid.addWidget(shown, i // columns, i % columns)
        self.show_rows(*rows_of_all(told))
        self.stack.setCurrentWidget(self.body)
        self.setAccessibleDescription(" ".join(figure.alt for figure in told))

    def _names(self) -> tuple[str, ...]:
        """What the user has named: it is never rewritten."""
        ratings = self._all
        return () if ratings is None else (*ratings.raters, *ratings.classes, *ratings.subjects)

    def _pictures_made(self) -> tuple[str, tuple[Figure, ...]]:
        return self.kind, self.found or ()
