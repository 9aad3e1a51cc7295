"""Pictures beyond those that always stand with a fit: one is chosen by its question, and drawn or worked out then."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QWidget

from tapdesk.fitting.fit import Fit
from tapdesk.gui.look.localised import localised
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.panes.worked import Worked
from tapdesk.gui.running.job import Job
from tapdesk.gui.running.questions import question_of
from tapdesk.gui.widgets.basic import Choice, clear
from tapdesk.gui.widgets.told import Pictured
from tapdesk.language import gettext as _
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.figure import Figure
from tapdesk.report.figures.catalog import FIGURES, height, made, picture
from tapdesk.report.tables.drawn import rows_of_all

# These stand with every fit, in blocks of their own.
SHOWN = frozenset({"parameters", "convergence", "pairs", "chance", "models"})
# These look at all classes, also where the fit tells one side from the other.
OF_ALL = frozenset({"scan", "class_pairs"})
# These draw each class in its colour.
COLOURED = frozenset({"class_rates", "expected"})
# Its place among headline, numbers, blocks, groups, models and studies of this size.
FIRST, LAST = 2, 6
TITLE = _("More pictures of these results")
ASK = _("Choose a question above; the picture is then drawn from this fit and these ratings.")


class More(Worked):
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

    ask = ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        self._panels = QWidget()
        super().__init__(theme, TITLE, self._panels, self._pictures_made, job)
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
        told = [localised(figure, self._names()) for figure in figures]
        for i, figure in enumerate(told):
            shown = Pictured(self._theme, figure.title)
            shown.show_figure(figure, figure.title, figure.note, high=height(figure))
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
