"""Blocks of the results that are worked out when they are asked for: parts on demand, and one more picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from tapdesk.answers import numbers
from tapdesk.answers.chosen_pictures import OF_ALL
from tapdesk.answers.content import Heading, Paragraph, Picture, Table, Tone
from tapdesk.answers.demands import Choice as Demanded
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_table import rows_of_all
from tapdesk.answers.figures.catalog import FIGURES, SCAN, made, picture
from tapdesk.answers.part import Answer, Content, Missing, Part
from tapdesk.answers.parts import PARTS, SHELVES, Shelf, part
from tapdesk.answers.question import question_of
from tapdesk.answers.side_studies import on_demand
from tapdesk.errors import TapdeskError
from tapdesk.gui.results.part_blocks import SIDES, Panels, inset, show_table
from tapdesk.gui.runs.job import Job, ResumableRun
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import Block
from tapdesk.gui.widgets.controls import Choice, Segmented, button, clear, plain, text
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.gui.widgets.tables import TableView
from tapdesk.language import gettext as _
from tapdesk.language import in_voice, joined, say
from tapdesk.progress import Run, Step
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies import design_study
from tapdesk.studies.analysis import GRID_SETS
from tapdesk.studies.scan import Direction

NO_COLUMN = _("The file has no further column, such as the ward or the year, to make groups of.")
# These stand with every fit, in blocks of their own.
SHOWN = frozenset({"parameters", "convergence", "pairs", "chance", "models"})
# These draw each class in its colour.
COLOURED = frozenset({"class_rates", "expected"})
# Its place among headline, numbers, blocks, questions, awards, groups, models and studies of this size.
FIRST, LAST = 2, 8
# Why a study of this size has no answer.
_REFUSED = {"grid": design_study.no_grid, "square": design_study.no_squares}
_SHORT = 12  # rows of a table that are seen without scrolling
Make = Callable[[], Content | Missing | None]


class ContentPage(QWidget):
    """All that a part says, one below the other; its first table is the table view of the block."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self._theme = theme
        self.panels: list[Panels] = []
        self.tables: list[tuple[Table, TableView]] = []
        self.setAccessibleName(name)
        self._box = box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)

    def show_content(self, content: Content) -> None:
        """Show another content."""
        clear(self._box)
        self.panels, self.tables = [], []
        words = [block.text.rstrip(".") for block in content.paragraphs]
        first = content.tables[0] if content.tables and content.pictures else None
        for block in content.blocks:
            if isinstance(block, Paragraph):
                self._say(block.opening, "smallstrong", "")
                leads = block.tone is Tone.LEAD
                self._say(block.text, "card" if leads else "small", "" if leads else "2")
            elif isinstance(block, Heading):
                self._say(block.text, "smallstrong", "")
            elif isinstance(block, Picture):
                alone = block.panels[0].title if len(block.panels) == 1 else ""
                self._say("" if alone in words else alone, "small", "2")
                shown = Panels(self._theme, block.title)
                shown.show_picture(block.panels, block.height, block.columns)
                self.panels.append(shown)
                self._box.addWidget(shown)
                self._say(block.note, "caption", "3")
            elif isinstance(block, Table) and block is not first:
                self._show_table(block)

    def _say(self, words: str, kind: str, tone: str) -> None:
        if words:
            self._box.addWidget(inset(text(words, kind, tone, wrap=True)))

    def _show_table(self, table: Table) -> None:
        view = TableView(self._theme, table.title, grid=False)
        show_table(view, table, table.rows)
        high = self._theme.px(26) * (min(len(table.rows), _SHORT) + 1) + self._theme.px(6)
        view.setMinimumHeight(high)
        # A short table is as high as its rows: the height a view asks for by itself leaves a hole below it.
        if len(table.rows) <= _SHORT:
            view.setMaximumHeight(high)
        self._say(table.title, "smallstrong", "")
        self.tables.append((table, view))
        self._box.addWidget(view)
        self._say(table.note, "caption", "3")


@dataclass(frozen=True, eq=False)
class Ask:
    """What can be worked out.

    Attributes
    ----------
    key
        By which what came of it is known.
    title
        What it is called where it is printed.
    begin
        Its run.
    content
        What is said of the result.
    prints
        The part that prints it, and the choice that asks for it there; None where no report prints it.
    """

    key: str
    title: str
    begin: Callable[[], Run[Any]]
    content: Callable[[Any], Content | Missing | None]
    prints: tuple[str, Demanded] | None = None


def ask_for(shown: Part, answer: Answer, choice: Demanded, title: str = "") -> Ask:
    """What is worked out for a part on demand."""
    return Ask(
        f"{shown.key} {choice}",
        title or shown.title,
        partial(on_demand, shown, answer, choice),
        lambda side: shown.content(replace(answer, side=side)),
        (shown.key, choice),
    )


class OnDemandBlock(Block):
    """A block with a line of choices; what was worked out for one of them stays while others are looked at.

    Parameters
    ----------
    shown
        The part, or the shelf of several.
    job
        Does the work; it keeps what is cancelled.
    ask
        What is said while nothing is chosen.
    body
        What shows the content, where it is no plain page.

    Attributes
    ----------
    moved
        Emitted when something else is looked at, and when it is there.
    bug
        An exception that is not the user's matter.
    at
        What is looked at; None where nothing is.
    """

    moved = Signal()
    bug = Signal(BaseException)

    def __init__(self, theme: Theme, shown: Part | Shelf, job: Job, ask: str, body: QWidget | None = None) -> None:
        self.page = ContentPage(theme, shown.title)
        super().__init__(theme, shown.title, body or self.page, self._drawn, height=40)
        self.ask, self._job, self._titled = ask, job, shown
        self._answer: Answer | None = None
        self._results: dict[str, Any] = {}
        self._stopped: dict[str, ResumableRun] = {}
        self._under_way: Ask | None = None
        self.at: Ask | None = None
        self.stop = button(_("Stop"), self.stop_work, small=True, name=_("Stop: {title}").format(title=shown.title))
        self.on = button(_("Go on"), self.go_on, small=True, name=_("Go on: {title}").format(title=shown.title))
        # In large letters they do not stand beside each other.
        self.choices = Flow(line := QWidget(), gap=8)
        for press in (self.stop, self.on):
            self.choices.addWidget(press)
        self.box.insertWidget(1, plain(margins=(14, 0, 14, 6)).add(line))
        # These are looked at; where the report can print them, the tick comes with what was worked out.
        for control in (self.apart, self.in_report, self.stop, self.on):
            control.hide()
        job.stepped.connect(self._on_stepped)
        job.done.connect(self._on_done)
        job.failed.connect(self._on_failed)
        self.show_working(ask)

    def offer(self, *controls: QWidget) -> None:
        """Put controls before the buttons that stop and go on."""
        for control in (*controls, self.stop, self.on):
            self.choices.removeWidget(control)
            self.choices.addWidget(control)

    def of(self, answer: Answer) -> None:
        """Another answer; what was worked out beside the earlier one goes."""
        self._job.cancel()
        # Another file may have other words for things.
        self.call(say(self._titled.title))
        self._answer = answer
        self._results, self._stopped = {}, {}
        self.show_nothing()

    def look_at(self, ask: Ask) -> None:
        """Show what belongs to a choice: what is known of it, or what a run works out from now on."""
        self._leave()
        self.at = ask
        if ask.key in self._results:
            self._show(ask)
            self._offer_buttons()
            return
        self.show_working(_("Working on this…"))
        self._under_way = ask
        if ask.key in self._stopped:
            self._job.go_on(self._stopped.pop(ask.key))
        else:
            self._job.start(ask.begin())
        self._offer_buttons()

    def knows(self, ask: Ask) -> bool:
        """Whether something was worked out, or begun, for a choice."""
        return ask.key in self._results or ask.key in self._stopped

    def forget(self, ask: Ask) -> None:
        """What was worked out for a choice is not right any more."""
        self._results.pop(ask.key, None)

    def refuse(self, reason: str) -> None:
        """Say why there is nothing for a choice."""
        self._leave()
        self.at = None
        self.show_trouble(reason)
        self._offer_buttons()

    @property
    def result(self) -> Any:
        """What is shown; None while there is nothing."""
        return None if self.at is None else self._results.get(self.at.key)

    @property
    def prints(self) -> tuple[str, Demanded] | None:
        """The part that prints what is shown, and the choice that asks for it there."""
        return self.at.prints if self.at is not None and self.result is not None else None

    def show_nothing(self) -> None:
        """Look at nothing."""
        self._leave()
        self.at = None
        self.show_working(self.ask)
        self._offer_buttons()

    def _leave(self) -> None:
        """Stop what is worked on; it is kept as far as it came."""
        if self._job.running:
            self._job.cancel()
            if self._job.stopped is not None and self._under_way is not None:
                self._stopped[self._under_way.key] = self._job.stopped

    def _offer_buttons(self) -> None:
        self.stop.setVisible(self._job.running)
        self.on.setVisible(not self._job.running and self.at is not None and self.at.key in self._stopped)
        self.moved.emit()

    @Slot()
    def stop_work(self) -> None:
        """Stop, on the user's wish."""
        self._leave()
        self.show_working(_("Stopped. What is finished is kept."))
        self._offer_buttons()

    @Slot()
    def go_on(self) -> None:
        """Go on from there."""
        if self.at is not None and self.at.key in self._stopped:
            self._under_way = self.at
            self._job.go_on(self._stopped.pop(self.at.key))
            self._offer_buttons()

    @Slot(object)
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        last = steps[-1]
        if last.total > 1:
            words = _("Working on this… {done} of {total}")
            left = numbers.left(self._job.seconds, last.done / last.total)
            progress = words.format(done=numbers.count(last.done), total=numbers.count(last.total))
            self.show_working(joined(progress, left, sep=", "))

    @Slot(object)
    def _on_done(self, result: Any) -> None:
        if self._under_way is not None:
            self._results[self._under_way.key] = result
            self._show(self._under_way)
        self._offer_buttons()

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        self._offer_buttons()
        if isinstance(error, TapdeskError):
            self.show_trouble(joined(error.what, error.fix))
        else:
            self.show_trouble(_("This could not be worked out."))
            self.bug.emit(error)

    def _content(self, ask: Ask) -> Content | Missing | None:
        return in_voice(ask.content(self._results[ask.key]))

    def _show(self, ask: Ask) -> None:
        """Show what was worked out, in words, pictures and tables."""
        content = self._content(ask)
        if not isinstance(content, Content):
            self.show_trouble(content.reason if isinstance(content, Missing) else _("This could not be worked out."))
            return
        self.fill_page(content)
        panels = [panel for shown in content.pictures for panel in shown.panels]
        if content.tables:
            show_table(self, content.tables[0], content.tables[0].rows)
        else:
            self.show_rows(*rows_of_all(panels))
        self.offer_picture(there=bool(panels))
        self.stack.setCurrentWidget(self.body)
        self.setAccessibleDescription(joined(*(p.text for p in content.paragraphs), *(panel.alt for panel in panels)))

    def fill_page(self, content: Content) -> None:
        """Put the content into the page."""
        self.page.show_content(content)

    def _drawn(self) -> tuple[str, tuple[Figure, ...]]:
        content = self._content(self.at) if self.at is not None and self.result is not None else None
        panels = tuple(p for shown in content.pictures for p in shown.panels) if isinstance(content, Content) else ()
        return panels[0].kind if panels else "", panels


class GroupsBlock(OnDemandBlock):
    """A block with a list of the further columns; the answer in each group of the chosen one stands below it."""

    def __init__(self, theme: Theme, job: Job) -> None:
        ask = _(
            "Choose a column above; the model is then fitted to the {ratings} of each of its values. The "
            "data are not changed."
        )
        super().__init__(theme, part("groups"), job, ask)
        self.choice = Choice(theme, _("Column that makes the groups"), (), 240)
        self.choice.activated.connect(self._on_chosen)
        self.offer(self.choice)

    def of(self, answer: Answer) -> None:
        """Another answer, with the columns of its ratings."""
        columns = answer.ratings.covariates
        self.choice.clear()
        self.choice.addItem(_("Choose a column…"), "")
        for name in columns:
            self.choice.addItem(numbers.short(name, 40), name)
        self.choice.setVisible(bool(columns))
        super().of(answer)
        if not columns:
            self.show_working(NO_COLUMN)

    @Slot()
    def _on_chosen(self) -> None:
        column = str(self.choice.currentData())
        if not column or self._answer is None:
            self.show_nothing()
        else:
            title = _("the groups by “{column}”").format(column=column)
            self.look_at(ask_for(part("groups"), self._answer, (column,), title))


class ModelsBlock(OnDemandBlock):
    """A block that fits the other models when it is asked to."""

    def __init__(self, theme: Theme, job: Job) -> None:
        ask = _(
            "Fits every model these {ratings} allow, and tests what each leaves out on simulated panels; "
            "this takes a while."
        )
        super().__init__(theme, part("models"), job, ask)
        self.begin = button(_("Compare the models"), self.compare, small=True)
        self.offer(self.begin)

    def of(self, answer: Answer) -> None:
        """Another answer."""
        self.begin.show()
        super().of(answer)

    @Slot()
    def compare(self) -> None:
        """Fit and test the models."""
        if self._answer is not None:
            self.begin.hide()
            self.look_at(ask_for(part("models"), self._answer, choice=True))


class DesignStudyBlock(OnDemandBlock):
    """A block with a study to choose and how many data sets of each cell; it is worked out when it is asked for."""

    def __init__(self, theme: Theme, job: Job) -> None:
        shelf = next(row for row in SHELVES if row.key == "of_size")
        ask = _(
            "Draws data of the size at hand from many numbers, not only from yours, and works out what would be found "
            "of them."
        )
        super().__init__(theme, shelf, job, ask)
        self.studies = {row.key: row for row in PARTS if row.block == shelf.key}
        questions = ((_("Choose a question…"), ""), *((row.title, key) for key, row in self.studies.items()))
        self.choice = Choice(theme, _("Question of the study"), questions, 320)
        self.many = Choice(theme, _("Data sets of each"), tuple((_sets(n), n) for n in GRID_SETS), 190)
        self.begin = button(_("Work it out"), self.work, small=True)
        self.offer(self.choice, self.many, self.begin)
        self.choice.activated.connect(self._on_chosen)
        self.many.activated.connect(self._on_chosen)
        self.moved.connect(self._offer)
        self._offer()

    def of(self, answer: Answer) -> None:
        """Another answer."""
        self.choice.tell_again()
        self.choice.choose("")
        super().of(answer)

    @property
    def _chosen(self) -> Ask | None:
        """What is chosen; None while nothing is."""
        key, sets = str(self.choice.currentData()), int(self.many.currentData())
        return ask_for(self.studies[key], self._answer, sets) if key and self._answer is not None else None

    @property
    def _refused(self) -> str | None:
        """Why the study that is chosen cannot be worked out for a study of this size."""
        key = str(self.choice.currentData())
        if not key or self._answer is None:
            return None
        return _REFUSED[key](design_study.size_of(self._answer.ratings))

    @Slot()
    def _on_chosen(self) -> None:
        ask, reason = self._chosen, self._refused
        if ask is None:
            self.show_nothing()
        elif reason is not None:
            self.refuse(reason)
        elif self.knows(ask):
            self.look_at(ask)
        else:
            self.show_nothing()
            self.show_working(self.studies[str(self.choice.currentData())].explanation)

    @Slot()
    def work(self) -> None:
        """Work out what is chosen."""
        if (ask := self._chosen) is not None:
            self.look_at(ask)

    @Slot()
    def _offer(self) -> None:
        """The button is there while there is something to begin."""
        ask = self._chosen
        begun = ask is not None and self.at is not None and self.at.key == ask.key
        self.begin.setVisible(ask is not None and not begun and self._refused is None)


def _sets(count: int) -> str:
    return _("1 data set of each") if count == 1 else _("{count} data sets of each").format(count=count)


class FigureChooser(OnDemandBlock):
    """A block with a list of questions; the picture of the chosen one, or all that its part says, stands below it.

    Attributes
    ----------
    first
        Whether it stands before the other blocks.
    turned
        Emitted with the side of every line between classes that is to be counted.
    """

    turned = Signal(object)

    def __init__(self, theme: Theme, job: Job) -> None:
        shelf = next(row for row in SHELVES if row.key == "more")
        ask = _("Choose a question above; the picture is then drawn from this fit and these {ratings}.")
        super().__init__(theme, shelf, job, ask)
        self.first = False
        # Of these pictures more is said where they are printed.
        self.parts = {row.key: row for row in PARTS if row.block == shelf.key and row.on_demand}
        rows = ((_("Choose a question…"), ""), *((row.title, row.kind) for row in FIGURES if row.kind not in SHOWN))
        self.choice = Choice(theme, _("Question of the picture"), rows, 320)
        self.choice.activated.connect(self._on_chosen)
        # Of the lines between classes either side may be counted, here and in the block of every line.
        self.sides = Segmented(theme, _("Which side of every line is counted"), tuple(SIDES.items()))
        self.sides.hide()
        self.sides.chosen.connect(self._on_turned)
        self.offer(self.choice, self.sides)
        self.moved.connect(self._offer_sides)

    def of(self, answer: Answer) -> None:
        """Another answer; what was drawn of the earlier one goes."""
        self.choice.tell_again()
        self.choice.choose("")
        super().of(answer)

    def count(self, direction: Direction) -> Direction:
        """Count one side of every line between classes, a picture of the lines drawn anew; the side again."""
        if self.sides.value is not direction:
            self.sides.choose(direction)
            if self.kind == SCAN:
                self._on_chosen()
        return direction

    @Slot(object)
    def _on_turned(self, direction: Direction) -> None:
        self._on_chosen()
        self.turned.emit(direction)

    @Slot()
    def _offer_sides(self) -> None:
        """Sides are chosen while the lines are looked at."""
        self.sides.setVisible(self.kind == SCAN)

    def coloured(self, now: Ratings) -> None:
        """Draw the classes in the colours they have now; they may be given any time after a fit."""
        answer = self._answer
        if answer is None or answer.ratings.classes != now.classes or answer.ratings.colours == now.colours:
            return
        self._answer = replace(answer, ratings=replace(answer.ratings, colours=now.colours))
        for kind in COLOURED:
            self.forget(self._ask(kind, self._answer))
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

    def _ask(self, kind: str, answer: Answer) -> Ask:
        """What is worked out for a picture."""
        if kind in self.parts:
            return ask_for(self.parts[kind], answer, choice=True)
        ratings = answer.every if kind in OF_ALL else answer.ratings
        prints: tuple[str, Demanded] = ("recovery", True) if kind == "expected" else ("pictures", (kind,))
        if kind == SCAN:
            side = cast("Direction", self.sides.value).value
            begin = partial(made, kind, answer.fit, ratings, side)
            return Ask(f"{kind} {side}", picture(kind).title, begin, pictured, prints)
        return Ask(kind, picture(kind).title, lambda: made(kind, answer.fit, ratings), pictured, prints)

    @Slot()
    def _on_chosen(self) -> None:
        kind, answer = self.kind, self._answer
        if not kind or answer is None:
            self.show_nothing()
            return
        reason = picture(kind).needs(answer.fit, answer.every if kind in OF_ALL else answer.ratings)
        if reason is not None:
            self.refuse(reason)
        else:
            self.look_at(self._ask(kind, answer))


def pictured(panels: tuple[Figure, ...]) -> Content:
    """The panels of a picture of the catalog, two beside each other where there are several."""
    high = max(panel.height for panel in panels)
    return Content((Picture.of_panels(picture(panels[0].kind).title, panels, high, 2),))
