"""Choices by name: every model, estimator, prior and number of re-draws, for those who know them."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.running.by_name import ESTIMATORS, ByName
from tapdesk.gui.running.plan import REPLICATES, Plan
from tapdesk.gui.widgets.basic import Choice, Frame, clear, plain, rule, text, tone
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.flow import Flow
from tapdesk.language import gettext as _
from tapdesk.models import model
from tapdesk.models.model import Accuracy
from tapdesk.ratings.ratings import Ratings

LABEL = 100
MOST_DRAWS, MOST_REPLICATES = 20_000, 100_000
PRIORS = _(
    "One for each number, apart by semicolons: a=beta(2,5); t=beta(1,1). For more than two categories "
    "t=dirichlet(1,1,1). What is not named is flat."
)


class Options(Frame):
    """Model, columns, estimator, priors, draws and re-draws; each change is told to the desk at once."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__("none", margins=(0, 0, 0, 4), gap=0)
        self._theme, self._desk = theme, desk
        self._columns: tuple[str, ...] = ()
        self._names: list[QLabel] = []
        self.setAccessibleName(_("More options"))
        models = ((_("As the question asks"), ""), *((row.name, row.name) for row in model.MODELS))
        self.model = Choice(theme, _("Model by name"), models, 230)
        self.about = text("", "caption", "3", wrap=True)
        self.chips = QWidget()
        self.chips_box = Flow(self.chips, gap=6)
        self.estimator = Choice(theme, _("Estimator"), tuple((w, k) for k, w in ESTIMATORS.items()), 290)
        self.priors = QLineEdit()
        self.priors.setAccessibleName(_("Priors"))
        self.priors.setPlaceholderText(_("flat"))
        self.priors_words = text(PRIORS, "caption", "3", wrap=True)
        self.draws = _number(_("Draws of each chain"), 50, MOST_DRAWS)
        self.replicates = _number(_("Re-draws of the cases"), 1, MOST_REPLICATES)
        self._fill()
        theme.changed.connect(self._dress)
        self._dress()
        self.model.activated.connect(self._on_model)
        self.estimator.activated.connect(self._on_estimator)
        self.priors.editingFinished.connect(self._on_priors)
        self.draws.editingFinished.connect(self._on_draws)
        self.replicates.editingFinished.connect(self._on_replicates)

    def _fill(self) -> None:
        self._line(_("Model"), self.model, self.about)
        self._columns_line = self._line(_("Columns"), self.chips)
        self._line(_("Estimator"), self.estimator)
        self._priors_line = self._line(_("Priors"), self.priors, self.priors_words)
        self._draws_line = self._line(
            _("Draws"), self.draws, text(_("Of each of 16 chains, where the posterior is sampled."), "caption", "3")
        )
        self._replicates_line = self._line(
            _("Re-draws"), self.replicates, text(_("Of the cases, for intervals and pictures."), "caption", "3")
        )

    def _line(self, words: str, *parts: QWidget) -> Frame:
        label = text(words, "body", wrap=True)
        label.setContentsMargins(0, 4, 0, 0)
        self._names.append(label)
        line = plain(across=True, gap=8, margins=(0, 8, 0, 8)).add(label)
        line.box.setAlignment(label, Qt.AlignmentFlag.AlignTop)
        line.box.addWidget(plain(gap=4).add(*parts), 1)
        whole = plain(gap=0).add(rule(), line)
        self.add(whole)
        return whole

    @Slot()
    def _dress(self) -> None:
        for label in self._names:
            label.setFixedWidth(self._theme.px(LABEL))
        for line in (self.draws, self.replicates):
            line.setFixedWidth(self._theme.px(110))

    def show_plan(self, plan: Plan, ratings: Ratings | None) -> None:
        """Show the choices as they stand."""
        named = plan.named
        self.model.choose(named.model)
        self.about.setText(plan.model.about)
        self.estimator.choose(named.estimator)
        self._show_columns(named, ratings)
        posterior = named.estimator == "posterior"
        for line in (self._priors_line, self._draws_line):
            line.setVisible(posterior)
        self._replicates_line.setVisible(named.estimator == "exact-em")
        for field, value in ((self.draws, named.draws), (self.replicates, plan.replicates)):
            if not field.hasFocus():
                field.setText(str(value))
        if not self.priors.hasFocus() or not named.priors:
            self.priors.setText(named.priors)
        wrong = named.unreadable
        self.priors_words.setText(wrong or PRIORS)
        tone(self.priors_words, "stop" if wrong else "3")

    def _show_columns(self, named: ByName, ratings: Ratings | None) -> None:
        """The further columns of the file, where the accuracy of the model depends on them."""
        regression = named.model != "" and model.model(named.model).accuracy is Accuracy.REGRESSION
        self._columns_line.setVisible(regression)
        columns = tuple(ratings.covariates) if ratings is not None and regression else ()
        if columns != self._columns:
            self._columns = columns
            clear(self.chips_box)
            for column in columns:
                chip = Chip(self._theme, "", column, checkable=True)
                chip.clicked.connect(self._ticker(column))
                self.chips_box.addWidget(chip)
        for i, column in enumerate(self._columns):
            item = self.chips_box.itemAt(i)
            if item is not None:
                item.widget().setChecked(column in named.covariates)

    def _choose(self, **changes: object) -> None:
        named = replace(self._desk.plan.named, **changes)
        if named != self._desk.plan.named:
            self._desk.choose(named=named)

    def _ticker(self, column: str) -> Callable[[], None]:
        def tick() -> None:
            chosen = self._desk.plan.named.covariates
            self._choose(covariates=tuple(c for c in self._columns if (c in chosen) is not (c == column)))

        return tick

    @Slot()
    def _on_model(self) -> None:
        self._choose(model=self.model.currentData(), covariates=())

    @Slot()
    def _on_estimator(self) -> None:
        self._choose(estimator=self.estimator.currentData())

    @Slot()
    def _on_priors(self) -> None:
        self._choose(priors=self.priors.text().strip())

    @Slot()
    def _on_draws(self) -> None:
        self._choose(draws=int(self.draws.text()))

    @Slot()
    def _on_replicates(self) -> None:
        wanted = int(self.replicates.text())
        self._choose(replicates=0 if wanted == REPLICATES else wanted)


def _number(name: str, least: int, most: int) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setValidator(QIntValidator(least, most, line))
    return line
