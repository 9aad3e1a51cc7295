"""The models of the sharing grid on the same ratings, side by side, with the tests between them."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.gui.look.localised import localised
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.panes.worked import Worked
from tapdesk.gui.running.job import Job
from tapdesk.gui.widgets.basic import button, plain, text
from tapdesk.gui.widgets.told import Pictured, Told
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.figure import Figure
from tapdesk.report.figures.models import models
from tapdesk.report.numbers import SCREEN
from tapdesk.report.tables import studies as tables_studies
from tapdesk.report.words import models as words
from tapdesk.studies.others import Others, others

TITLE = _("Would another model say otherwise?")
ASK = _("Fits every model these ratings allow, and tests what each leaves out on simulated panels; this takes a while.")
EVERYTHING = "models"


class Models(Worked):
    """A block that fits the other models on demand: a picture of their accuracies, and a question for every test."""

    ask = ASK

    def __init__(self, theme: Theme, job: Job) -> None:
        body = QWidget()
        self._picture, self._answers = Pictured(theme, TITLE), Told(TITLE)
        self._luck = text("", "caption", "3", wrap=True)
        # Without a picture the block is low.
        self._picture.hide()
        box = QVBoxLayout(body)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        for part in (self._picture, self._answers, plain(margins=(14, 0, 14, 4)).add(self._luck)):
            box.addWidget(part)
        super().__init__(theme, TITLE, body, self._pictures_made, job)
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
            self.look_at(EVERYTHING, lambda: others(ratings, seed=seed))

    @Slot(object)
    def _show(self, found: Others) -> None:
        figure = localised(models(found), ())
        self._picture.show_figure(figure, figure.title, figure.note, rows=len(figure.y.ticks))
        answers = words.answers(found)
        self._answers.say(answers)
        self._luck.setText(words.luck(found))
        table = tables_studies.models([row.fit for row in found.comparison.rows], SCREEN)
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
