"""Simulated studies as large as the ratings at hand: other numbers found again, and kappa against a squared."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from tapdesk.answers import design_study as tables
from tapdesk.answers import design_study as words
from tapdesk.answers.content import Table
from tapdesk.answers.figure import Figure
from tapdesk.answers.figures import design_study as figures
from tapdesk.answers.signs import POINT, written_with
from tapdesk.gui.results.on_demand_blocks import OnDemandBlock
from tapdesk.gui.runs.job import Job
from tapdesk.gui.theme.localised_numbers import localised_figures, localised_text
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block_bodies import FigureBody
from tapdesk.gui.widgets.controls import Choice, button, clear, plain, text
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies import design_study
from tapdesk.studies.analysis import GRID_SETS
from tapdesk.studies.design_study import DesignStudy

# Pixels of a panel at 100 % text.
_NARROWEST, _HIGH = 270, 190.0
TITLE = _("What could a study of this size find?")
ASK = _(
    "Draws data of the size at hand from many numbers, not only from yours, and works out what would be found of them."
)


class Panels(QWidget):
    """Pictures with their titles in a grid.

    Parameters
    ----------
    most
        Pictures in a row where there is room for more.
    """

    def __init__(self, theme: Theme, most: int) -> None:
        super().__init__()
        self._theme, self._most, self._columns = theme, most, 0
        self.shown: list[FigureBody] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        theme.changed.connect(self._arrange)

    def show_figures(self, figures: tuple[Figure, ...]) -> None:
        """Show other pictures."""
        clear(self._grid)
        self.shown, self._columns = [], 0
        for figure in figures:
            made = FigureBody(self._theme, figure.title)
            made.show_figure(figure, figure.title, "", high=_HIGH)
            self.shown.append(made)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many in a row as there is room for."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = max(1, min(self._most, self.width() // self._theme.px(_NARROWEST)))
        if columns == self._columns or not self.shown:
            return
        for at in range(self._columns):
            self._grid.setColumnStretch(at, 0)
        self._columns = columns
        for made in self.shown:
            self._grid.removeWidget(made)
        for i, made in enumerate(self.shown):
            self._grid.addWidget(made, i // columns, i % columns)
        for at in range(columns):
            self._grid.setColumnStretch(at, 1)


@dataclass(frozen=True, slots=True)
class _Study:
    """One of the studies: its question, why it may have no answer, how it runs, and what is shown of it."""

    title: str
    why: str
    refused: Callable[[design_study.StudySize], str | None]
    run: Callable[[Ratings, int, int, int], Run[DesignStudy]]
    draw: Callable[[DesignStudy], figures.Drawn]
    table: Callable[[DesignStudy], Table]


STUDIES = {
    "grid": _Study(
        words.GRID.title,
        words.why_grid(),
        design_study.no_grid,
        design_study.recovery_grid,
        figures.grid,
        tables.grid,
    ),
    "square": _Study(
        words.SQUARE.title,
        words.why_square(),
        design_study.no_squares,
        design_study.kappa_squares,
        figures.squares,
        tables.squares,
    ),
}


class DesignStudyBlock(OnDemandBlock):
    """A block with a study to choose and how many data sets of each cell; it is worked out when it is asked for.

    Attributes
    ----------
    study, sets
        What is looked at: its key in ``STUDIES``, empty for none, and the data sets of each cell.
    titles
        The question of each study.
    """

    ask = ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        body = QWidget()
        self._above, self._below = text("", "small", "2", wrap=True), text("", "caption", "3", wrap=True)
        self.panels = Panels(theme, figures.COLUMNS)
        box = QVBoxLayout(body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(plain(margins=(14, 0, 14, 0)).add(self._above))
        box.addWidget(self.panels)
        box.addWidget(plain(margins=(14, 0, 14, 4)).add(self._below))
        super().__init__(theme, TITLE, body, self._pictures_made, job)
        self.titles = {key: study.title for key, study in STUDIES.items()}
        self.study, self.sets = "", GRID_SETS[0]
        self._ratings: Ratings | None = None
        self._seed = 1
        questions = ((_("Choose a question…"), ""), *((title, key) for key, title in self.titles.items()))
        self.choice = Choice(theme, _("Question of the study"), questions, 320)
        self.many = Choice(theme, _("Data sets of each"), tuple((_sets(n), n) for n in GRID_SETS), 190)
        self.begin = button(_("Work it out"), self.work, small=True)
        # In large letters they do not stand beside each other.
        asked = QWidget()
        flow = Flow(asked, gap=8)
        for part in (self.choice, self.many, self.begin, self.stop, self.on):
            flow.addWidget(part)
        self.choices.box.insertWidget(0, asked, 1)
        self.choices.box.setStretch(1, 0)
        self.choice.activated.connect(self._on_chosen)
        self.many.activated.connect(self._on_chosen)
        self.worked.connect(self._show)
        self.moved.connect(self._offer)
        self._offer()

    def of(self, ratings: Ratings, seed: int) -> None:
        """Other ratings; what was found of the earlier ones goes."""
        self._ratings, self._seed = ratings, seed
        self.choice.choose("")
        self.study = ""
        self.panels.show_figures(())
        self.forget()

    @Slot()
    def _on_chosen(self) -> None:
        self.study, self.sets = str(self.choice.currentData()), int(self.many.currentData())
        if not self.study or self._ratings is None:
            self.show_nothing()
            return
        study = STUDIES[self.study]
        reason = study.refused(design_study.size_of(self._ratings))
        if reason is not None:
            self.refuse(reason)
        elif self._key in self._found or self._key in self._stopped:
            self.look_at(self._key, self._begun)
        else:
            self.show_nothing()
            self.show_working(study.why)

    @Slot()
    def work(self) -> None:
        """Work out what is chosen."""
        if self.study and self._ratings is not None:
            self.look_at(self._key, self._begun)

    @property
    def _key(self) -> str:
        return f"{self.study} {self.sets}"

    def _begun(self) -> Run[DesignStudy]:
        if self._ratings is None:
            raise ValueError("there are no ratings to take the size of")
        return STUDIES[self.study].run(self._ratings, self.sets, self._seed, design_study.processes())

    @Slot()
    def _offer(self) -> None:
        """The button is there while there is something to begin."""
        ready = bool(self.study) and self._ratings is not None
        known = self.at == self._key and bool(self.at)
        refused = (
            bool(self.study)
            and self._ratings is not None
            and STUDIES[self.study].refused(design_study.size_of(self._ratings)) is not None
        )
        self.begin.setVisible(ready and not known and not refused)

    @Slot(object)
    def _show(self, found: DesignStudy) -> None:
        study = STUDIES[self.study]
        with written_with(POINT):
            made = study.draw(found)
        said = localised_text(made.said)
        self._above.setText(f"{said}. {study.why}")
        self._below.setText(localised_text(made.note))
        panels = localised_figures(lambda: made.panels)
        self.panels.show_figures(panels)
        table = study.table(found)
        header = [column.title for column in table.columns]
        rows = [tuple(str(cell) for cell in row) for row in table.rows]
        self.show_rows(header, rows)
        self.stack.setCurrentWidget(self.body)
        self.setAccessibleDescription(" ".join((f"{said}.", *(figure.alt for figure in panels))))

    def _pictures_made(self) -> tuple[str, tuple[Figure, ...]]:
        return self.study, STUDIES[self.study].draw(self.found).panels if self.found is not None else ()


def _sets(count: int) -> str:
    return _("1 data set of each") if count == 1 else _("{count} data sets of each").format(count=count)
