"""Pictures beyond those that always stand with a fit: one is chosen by its question, and drawn or worked out then."""

from collections.abc import Sequence
from gettext import gettext as _

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QGridLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.gui.look.figure_rows import rows_of
from tapdesk.gui.look.localised import localised
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.on_screen import on_screen
from tapdesk.gui.running.job import Job
from tapdesk.gui.widgets.basic import Choice, clear, plain
from tapdesk.gui.widgets.block import Block
from tapdesk.gui.widgets.told import Pictured
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure
from tapdesk.report.figures.catalog import FIGURES, height, made, picture

# These stand with every fit, in blocks of their own.
SHOWN = frozenset({"distribution", "parameters", "convergence", "pairs", "chance"})
# These look at all classes, also where the fit tells one side from the other.
OF_ALL = frozenset({"scan", "class_pairs"})
TITLE = _("More pictures of these results")
ASK = _("Choose a question above; the picture is then drawn from this fit and these ratings.")


class More(Block):
    """A block with a list of questions; the picture of the chosen one stands below it.

    Parameters
    ----------
    job
        Works out pictures that are studies of their own.

    Attributes
    ----------
    bug
        An exception that is not the user's matter.
    """

    bug = Signal(object)

    def __init__(self, theme: Theme, job: Job) -> None:
        self._panels = QWidget()
        super().__init__(theme, TITLE, self._panels, self._pictures_made, height=40)
        self._job = job
        self._fit: Fit | None = None
        self._ratings: Ratings | None = None
        self._all: Ratings | None = None
        self._made: dict[str, tuple[Figure, ...]] = {}
        self._grid = QGridLayout(self._panels)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(8)
        rows = ((_("Choose a question…"), ""), *((row.title, row.kind) for row in FIGURES if row.kind not in SHOWN))
        self.choice = Choice(theme, _("Question of the picture"), rows, 320)
        self.choice.activated.connect(self._on_chosen)
        line = plain(across=True, gap=8, margins=(14, 0, 14, 6))
        line.add(self.choice).box.addStretch(1)
        self.box.insertWidget(1, line)
        # What the report prints of this is chosen there: these pictures are looked at.
        for part in (self.note_tool, self.apart, self.in_report):
            part.hide()
        job.stepped.connect(self._on_stepped)
        job.done.connect(self._on_done)
        job.failed.connect(self._on_failed)
        self.show_working(ASK)

    def of(self, fit: Fit, ratings: Ratings, all_classes: Ratings) -> None:
        """Another fit of some ratings, and the same ratings before they were told as two classes.

        What was drawn of the earlier fit goes.
        """
        self._job.cancel()
        self._fit, self._ratings, self._all, self._made = fit, ratings, all_classes, {}
        self.choice.choose("")
        self._show_nothing()

    @property
    def kind(self) -> str:
        """The picture that is chosen; empty where none is."""
        return str(self.choice.currentData())

    @Slot()
    def _on_chosen(self) -> None:
        self._job.cancel()
        kind, fit = self.kind, self._fit
        ratings = self._all if kind in OF_ALL else self._ratings
        if not kind or fit is None or ratings is None:
            self._show_nothing()
            return
        row = picture(kind)
        reason = row.needs(fit, ratings)
        if reason is not None:
            self.show_trouble(reason)
        elif kind in self._made:
            self._show(self._made[kind])
        else:
            self.show_working(_("Working on this picture…"))
            self._job.start(_named(kind, fit, ratings))

    def _show_nothing(self) -> None:
        self.show_working(ASK)

    @Slot(object)
    @on_screen
    def _on_stepped(self, steps: Sequence[Step]) -> None:
        last = steps[-1]
        if last.total > 1:
            words = _("Working on this picture… {done} of {total}")
            self.show_working(words.format(done=numbers.count(last.done), total=numbers.count(last.total)))

    @Slot(object)
    def _on_done(self, found: tuple[str, tuple[Figure, ...]]) -> None:
        kind, figures = found
        self._made[kind] = figures
        if kind == self.kind:
            self._show(figures)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, TapdeskError):
            self.show_trouble(error.what)
        else:
            self.show_trouble(_("This could not be worked out."))
            self.bug.emit(error)

    @on_screen
    def _show(self, figures: Sequence[Figure]) -> None:
        """All panels, two beside each other where there are several, and their numbers as one table."""
        clear(self._grid)
        columns = 1 if len(figures) == 1 else 2
        header: tuple[str, ...] = ()
        rows: list[Sequence[str]] = []
        for i, plain_figure in enumerate(figures):
            figure = localised(plain_figure, self._names())
            shown = Pictured(self._theme, figure.title)
            shown.show_figure(figure, figure.title, figure.note, high=height(figure))
            self._grid.addWidget(shown, i // columns, i % columns)
            header, panel = rows_of(figure)
            rows += [(figure.title, *row) for row in panel]
        self.show_rows((_("Picture"), *header), rows)
        self.stack.setCurrentWidget(self.body)
        self.setAccessibleDescription(" ".join(localised(figure, self._names()).alt for figure in figures))

    def _names(self) -> tuple[str, ...]:
        """What the user has named: it is never rewritten."""
        ratings = self._all
        return () if ratings is None else (*ratings.raters, *ratings.classes, *ratings.subjects)

    def _pictures_made(self) -> tuple[str, tuple[Figure, ...]]:
        return self.kind, self._made.get(self.kind, ())


def _named(kind: str, fit: Fit, ratings: Ratings) -> Run[tuple[str, tuple[Figure, ...]]]:
    """The figures with their kind: the user may have chosen another one meanwhile."""
    found = yield from made(kind, fit, ratings)
    return kind, found
