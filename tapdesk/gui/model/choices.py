"""The few choices under the question of the model pane, and more of them for those who know them by name."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from PySide6.QtCore import QLocale, Qt, Slot
from PySide6.QtGui import QDoubleValidator, QIntValidator
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from tapdesk.answers import numbers
from tapdesk.answers.question import Guesses
from tapdesk.gui.runs.expert_options import SHORT, ExpertOptions
from tapdesk.gui.runs.plan import ESTIMATORS, INTERVALS, KEYS, LEVELS, REPLICATES, Plan
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.controls import Choice, Frame, clear, plain, rule, text, tone
from tapdesk.gui.widgets.focus import tab_through
from tapdesk.gui.widgets.layouts import Flow, Fold
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext, say
from tapdesk.models import model as catalog
from tapdesk.models.model import POOLED, Accuracy, Key, Truth
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import CovariateOf, Ratings

NAMED_LABEL = 100
_POOL_WORDS = _("Who rated little is drawn towards the others.")
_GROUPS_WORDS = _("Each of its values is a group.")
_ORDER_WORDS = _("It says which {rating} of {a_subject} by one {rater} came first.")
_KEY_WORDS = {
    Key.CERTAIN: _("{Raters} are held against what is true of these {subjects}; the others tell how common it is."),
    Key.INFORMING: _("Only if these {subjects} were drawn by lot: then they tell how common the classes are as well."),
    Key.UNUSED: _("The numbers are the panel’s own; how often {raters} are right stands beside them."),
}
MOST_DRAWS, MOST_REPLICATES = 20_000, 100_000
LEAST_CHAINS, MOST_CHAINS = 2, 64
TRUTHS = ((_("Estimate how common each class is"), False), (_("All classes equally common"), True))
MOMENT_PRIORS = ((_("The average of all {subjects}").format(), "average"), (_("Flat"), "flat"))
_SHARPNESS_WORDS = _("How near the truth of each {subject} is to 0 or 1; the paper has 30.")
_MOMENT_WORDS = _("What is believed of {a_subject} before its {ratings} are seen, in each round.")
_BELIEVED = frozenset(row.name for row in catalog.MODELS if row.truth is Truth.SHARPENED)
PRIORS = _(
    "One for each number, apart by semicolons: a=beta(2,5); t=beta(1,1). For more than "
    "two classes t=dirichlet(1,1,1). What is not named is flat."
)
LABEL = 100
_TIE = _("Or tie p to t: “{raters} guess as often as it is true”.")
_NO_TIE = _("What is asked here decides this.")


class NamedChoices(Frame):
    """Model, columns, estimator, priors, draws and re-draws; each change is told to the session at once."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__("none", margins=(0, 0, 0, 4), gap=0)
        self._theme, self._session = theme, session
        self._columns: tuple[str, ...] = ()
        self._names: list[QLabel] = []
        self.setAccessibleName(_("More options"))
        every = (*catalog.MODELS, *catalog.GRID_MODELS)
        models = ((_("As the question asks"), ""), *((row.name, row.name) for row in every))
        self.model = Choice(theme, _("Model by name"), models, 230)
        self.about = text("", "caption", "3", wrap=True)
        self.chips = QWidget()
        self.chips_box = Flow(self.chips, gap=6)
        self.groups = Choice(theme, _("Column of the groups"), (), 230)
        self.order = Choice(theme, _("Column of the order of repeats"), (), 230)
        self.pool = Chip(theme, "", _("From one population"), checkable=True)
        self.estimator = Choice(theme, _("Estimator"), tuple((w, k) for k, w in ESTIMATORS.items()), 290)
        self.priors = QLineEdit()
        self.priors.setAccessibleName(_("Priors"))
        self.priors.setPlaceholderText(_("flat"))
        self.priors_words = text(PRIORS, "caption", "3", wrap=True)
        self.draws = _number(_("Draws of each chain"), 50, MOST_DRAWS)
        self.chains = _number(_("Number of chains"), LEAST_CHAINS, MOST_CHAINS)
        self.sharpness = _decimal(_("Sharpness"))
        self.truth = Choice(theme, _("How common the classes are"), TRUTHS, 290)
        self.moment_prior = Choice(theme, _("Prior of moment E-M"), MOMENT_PRIORS, 290)
        self.replicates = _number(_("Resamples of the {subjects}"), 1, MOST_REPLICATES)
        self._fill()
        theme.changed.connect(self._dress)
        self._dress()
        self.model.activated.connect(self._on_model)
        self.groups.activated.connect(self._on_groups)
        self.order.activated.connect(self._on_order)
        self.pool.clicked.connect(self._on_pool)
        self.estimator.activated.connect(self._on_estimator)
        self.priors.editingFinished.connect(self._on_priors)
        self.draws.editingFinished.connect(self._on_draws)
        self.chains.editingFinished.connect(self._on_chains)
        self.sharpness.editingFinished.connect(self._on_sharpness)
        self.truth.activated.connect(self._on_truth)
        self.moment_prior.activated.connect(self._on_moment_prior)
        self.replicates.editingFinished.connect(self._on_replicates)

    def _fill(self) -> None:
        self._line(_("Model"), self.model, self.about)
        self._columns_line = self._line(_("Columns"), self.chips)
        self._groups_line = self._line(_("Groups"), self.groups, text(_GROUPS_WORDS, "caption", "3", wrap=True))
        self._order_line = self._line(_("Order"), self.order, text(say(_ORDER_WORDS), "caption", "3", wrap=True))
        self._truth_line = self._line(_("Truth"), self.truth)
        self._sharpness_line = self._line(
            _("Sharpness"), self.sharpness, text(say(_SHARPNESS_WORDS), "caption", "3", wrap=True)
        )
        self._line(_("Estimator"), self.estimator)
        self._moment_line = self._line(
            _("Prior"), self.moment_prior, text(say(_MOMENT_WORDS), "caption", "3", wrap=True)
        )
        self._pool_line = self._line(_("{Raters}").format(), self.pool, text(_POOL_WORDS, "caption", "3", wrap=True))
        self._priors_line = self._line(_("Priors"), self.priors, self.priors_words)
        self._draws_line = self._line(
            _("Draws"), self.draws, text(_("Of each chain, where belief is sampled."), "caption", "3")
        )
        self._chains_line = self._line(
            _("Chains"), self.chains, text(_("They start apart and must end together."), "caption", "3")
        )
        self._replicates_line = self._line(
            _("Resamples"), self.replicates, text(_("Of the {subjects}, for intervals and pictures."), "caption", "3")
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
            label.setFixedWidth(self._theme.px(NAMED_LABEL))
        for line in (self.draws, self.chains, self.sharpness, self.replicates):
            line.setFixedWidth(self._theme.px(110))

    def show_plan(self, plan: Plan, ratings: Ratings | None) -> None:
        """Show the choices as they stand."""
        named = plan.named
        self.model.choose(named.model)
        self.about.setText(plan.model.about)
        self.estimator.choose(named.estimator)
        self._show_columns(named, ratings)
        self._show_column_choices(plan, ratings)
        posterior = named.estimator == "posterior"
        sharpened = plan.model.truth is Truth.SHARPENED
        for line in (self._priors_line, self._draws_line, self._chains_line):
            line.setVisible(posterior and not (named.pool and line is self._priors_line))
        self._replicates_line.setVisible(named.estimator == "exact-em")
        self._moment_line.setVisible(named.estimator == "moment-em")
        self._sharpness_line.setVisible(sharpened)
        self._truth_line.setVisible(plan.model.truth in {Truth.FREE, Truth.UNIFORM})
        self.truth.choose(named.uniform)
        self.moment_prior.choose(named.moment_prior)
        for field, value in (
            (self.draws, named.draws),
            (self.chains, named.chains),
            (self.sharpness, numbers.figures(named.sharpness)),
            (self.replicates, plan.replicates),
        ):
            if not field.hasFocus():
                field.setText(str(value))
        if not self.priors.hasFocus() or not named.priors:
            self.priors.setText(named.priors)
        wrong = named.unreadable
        self.priors_words.setText(wrong or PRIORS)
        tone(self.priors_words, "stop" if wrong else "3")

    def _show_columns(self, named: ExpertOptions, ratings: Ratings | None) -> None:
        """The further columns of the file, where the accuracy of the model depends on them; of pooled raters theirs."""
        row = catalog.model(named.model, catalog.GRID_MODELS) if named.model else None
        regression = row is not None and row.accuracy is Accuracy.REGRESSION
        columns = tuple(ratings.covariates) if ratings is not None and (regression or named.pool) else ()
        if ratings is not None and not regression:
            columns = tuple(name for name in columns if ratings.rater_values(name) is not None)
        self._columns_line.setVisible(regression or bool(columns))
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
                cast("Chip", item.widget()).setChecked(column in named.covariates)

    def _show_column_choices(self, plan: Plan, ratings: Ratings | None) -> None:
        """The columns a model of groups or of repeats can be about, and whether raters are of one population."""
        named, row = plan.named, plan.model
        pooled = named.estimator == "posterior" and row.name in POOLED
        for line, there in ((self._groups_line, row.by_group), (self._order_line, row.memory)):
            line.setVisible(there)
        self._pool_line.setVisible(pooled)
        self.pool.setChecked(named.pool)
        columns = {} if ratings is None else ratings.covariates
        of_ratings = [name for name, column in columns.items() if column.of is CovariateOf.RATING]
        for choice, names, chosen in (
            (self.groups, list(columns), named.groups),
            (self.order, of_ratings, named.occasions),
        ):
            rows = [(_("Choose a column…"), ""), *((numbers.short(name, 40), name) for name in names)]
            if [(choice.itemText(i), choice.itemData(i)) for i in range(choice.count())] != rows:
                choice.clear()
                for words, name in rows:
                    choice.addItem(words, name)
            choice.choose(chosen)

    def _choose(self, **changes: Any) -> None:
        named = replace(self._session.plan.named, **changes)
        if named != self._session.plan.named:
            self._session.choose(named=named)

    def _ticker(self, column: str) -> Callable[[], None]:
        def tick() -> None:
            chosen = self._session.plan.named.covariates
            self._choose(covariates=tuple(c for c in self._columns if (c in chosen) is not (c == column)))

        return tick

    @Slot()
    def _on_model(self) -> None:
        # Columns and a population belong to the model they were chosen for; so does the one estimator of some.
        name, named = str(self.model.currentData()), self._session.plan.named
        estimator = "posterior" if name in _BELIEVED else "exact-em" if named.model in _BELIEVED else named.estimator
        uniform = named.uniform and catalog.model(name or "t-a-p", catalog.GRID_MODELS).truth is Truth.FREE
        self._choose(
            model=name, covariates=(), groups="", occasions="", pool=False, estimator=estimator, uniform=uniform
        )

    @Slot()
    def _on_groups(self) -> None:
        self._choose(groups=self.groups.currentData())

    @Slot()
    def _on_order(self) -> None:
        self._choose(occasions=self.order.currentData())

    @Slot()
    def _on_pool(self) -> None:
        # Columns of a population are those of its raters, and what is believed of it beforehand is part of the model.
        self._choose(pool=self.pool.isChecked(), covariates=(), priors="")

    @Slot()
    def _on_estimator(self) -> None:
        estimator = self.estimator.currentData()
        named = self._session.plan.named
        pool = named.pool and estimator == "posterior"
        self._choose(estimator=estimator, pool=pool, covariates=named.covariates if pool or not named.pool else ())

    @Slot()
    def _on_priors(self) -> None:
        self._choose(priors=self.priors.text().strip())

    @Slot()
    def _on_draws(self) -> None:
        self._choose(draws=int(self.draws.text()))

    @Slot()
    def _on_chains(self) -> None:
        self._choose(chains=int(self.chains.text()))

    @Slot()
    def _on_sharpness(self) -> None:
        self._choose(sharpness=float(self.sharpness.text()))

    @Slot()
    def _on_truth(self) -> None:
        self._choose(uniform=bool(self.truth.currentData()))

    @Slot()
    def _on_moment_prior(self) -> None:
        self._choose(moment_prior=str(self.moment_prior.currentData()))

    @Slot()
    def _on_replicates(self) -> None:
        wanted = int(self.replicates.text())
        self._choose(replicates=0 if wanted == REPLICATES else wanted)


def _decimal(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    check = QDoubleValidator(1e-3, 1e6, 3, line)
    # A point whatever the language of the machine: the command line takes the same.
    check.setLocale(QLocale.c())
    check.setNotation(QDoubleValidator.Notation.StandardNotation)
    line.setValidator(check)
    return line


def _number(name: str, least: int, most: int) -> QLineEdit:
    line = QLineEdit()
    line.setAccessibleName(name)
    line.setValidator(QIntValidator(least, most, line))
    return line


class QuestionChoices(Frame):
    """At most five choices under the question."""

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__("card", margins=(16, 12, 16, 8), gap=0)
        self._theme, self._session = theme, session
        self._labels: tuple[str, ...] = ()
        self._names: list[QLabel] = []
        # The line in which a control stands.
        self._lines: dict[QWidget, Frame] = {}
        self.setAccessibleName(_("Choices of the run"))
        self.head = text("", "card", wrap=True)
        self.method = text("", "caption", "3")
        self.chips = QWidget()
        self.chips_box = Flow(self.chips, gap=6)
        self.class_words = text("", "caption", "3", wrap=True)
        self.guesses = Choice(
            theme,
            _("Chance answers"),
            ((_("Estimate their own rate, p"), Guesses.OWN), (_("Assume p = t"), Guesses.TIED)),
            230,
        )
        self.guesses_words = text("", "caption", "3", wrap=True)
        self.key = Choice(theme, _("Known answers"), tuple((words, key) for key, words in KEYS.items()), 230)
        self.key_words = text("", "caption", "3", wrap=True)
        self.level = Choice(theme, _("Level of the intervals"), tuple((numbers.level(v), v) for v in LEVELS), 84)
        self.interval = Choice(theme, _("Kind of intervals"), tuple((w, k) for k, w in INTERVALS.items()), 226)
        self.seed = QLineEdit("1")
        self.seed.setValidator(QIntValidator(0, 999_999_999, self.seed))
        self.seed.setAccessibleName(_("Random start"))
        self.options = NamedChoices(theme, session)
        self.more = Fold(theme, _("More options"), self.options)
        self._fill()
        theme.changed.connect(self._dress)
        self._dress()
        self.guesses.activated.connect(self._choose_guesses)
        self.key.activated.connect(self._choose_key)
        self.level.activated.connect(self._choose_level)
        self.interval.activated.connect(self._choose_interval)
        self.seed.editingFinished.connect(self._choose_seed)

    def _fill(self) -> None:
        self.add(plain(gap=0, margins=(0, 0, 0, 8)).add(self.head, self.method))
        both = QWidget()
        flow = Flow(both, gap=6)
        flow.addWidget(self.level)
        flow.addWidget(self.interval)
        rows = (
            (_("Counted class"), (self.chips, self.class_words)),
            (_("Known answers"), (self.key, self.key_words)),
            (_("Chance answers"), (self.guesses, self.guesses_words)),
            (_("Intervals"), (both,)),
            (
                _("Random start"),
                (self.seed, text(_("The same random start gives the same numbers again."), "caption", "3", wrap=True)),
            ),
        )
        for words, parts in rows:
            label = text(words, "body", wrap=True)
            self._names.append(label)
            label.setContentsMargins(0, 4, 0, 0)
            line = plain(across=True, gap=8, margins=(0, 9, 0, 9)).add(label)
            line.box.setAlignment(label, Qt.AlignmentFlag.AlignTop)
            line.box.addWidget(plain(gap=4).add(*parts), 1)
            whole = plain(gap=0).add(rule(), line)
            self.add(whole)
            for part in parts:
                self._lines[part] = whole
        self.add(rule(), plain(gap=0, margins=(0, 6, 0, 4)).add(self.more))

    @Slot()
    def _dress(self) -> None:
        for label in self._names:
            label.setFixedWidth(self._theme.px(LABEL))
        self.seed.setFixedWidth(self._theme.px(110))

    def show_project(self, project: Project, plan: Plan) -> None:
        """Show the choices as they stand."""
        self.head.setText(say(plan.question.title))
        named = plan.named
        self.method.setText(_method(plan))
        # Fair scores rest on every class, and nobody guesses in them at a rate that is chosen.
        for part in (self.chips, self.guesses):
            self._lines[part].setVisible(not plan.on_demand)
        self.guesses.setEnabled(plan.question.tied and not named.model)
        self.guesses_words.setText(say(_TIE if self.guesses.isEnabled() else _NO_TIE))
        self.guesses.choose(Guesses.TIED if plan.tied else Guesses.OWN)
        self._lines[self.key].setVisible(plan.known and named.estimator != "moment-em")
        self.key.choose(plan.used_key)
        self.key_words.setText(say(_KEY_WORDS[plan.used_key]))
        self.level.choose(plan.level)
        self.level.setEnabled(named.estimator != "moment-em")
        self.interval.tell_again()
        self.interval.choose(plan.interval)
        # A posterior has intervals of its own, moment E-M none.
        self.interval.setEnabled(named.estimator == "exact-em")
        if self.seed.text() != str(plan.seed) and not self.seed.hasFocus():
            self.seed.setText(str(plan.seed))
        reading = project.reading
        self.options.show_plan(plan, None if reading is None else project.all_classes)
        labels = project.all_classes.classes if reading is not None else ()
        if labels != self._labels:
            self._labels = labels
            clear(self.chips_box)
            for label in labels:
                chip = Chip(self._theme, "", numbers.short(label, 28), checkable=True)
                chip.clicked.connect(self._ticker(label))
                self.chips_box.addWidget(chip)
            # Made later than what stands below them, Tab would come to them last of all.
            tab_through((self.chips, self))
        chosen = self._class1(project)
        for chip, label in zip(self._chips(), labels, strict=True):
            chip.setChecked(label in chosen)
        self.class_words.setText(_class_words(labels, chosen))

    def _chips(self) -> list[Chip]:
        items = [self.chips_box.itemAt(i) for i in range(self.chips_box.count())]
        return [cast("Chip", item.widget()) for item in items if item is not None]

    def _class1(self, project: Project) -> tuple[str, ...]:
        if project.reading is None:
            return ()
        # A choice that is on its way counts: the next tick adds to it.
        if self._session.class_choice.wanted is not None:
            return self._session.class_choice.wanted
        if project.class1:
            return project.class1
        labels = project.all_classes.classes
        return labels[1:] if len(labels) == 2 else ()

    def _ticker(self, label: str) -> Callable[[], None]:
        return lambda: self._tick(label)

    def _tick(self, label: str) -> None:
        chosen = self._class1(self._session.document.project)
        if len(self._labels) == 2:
            wanted: tuple[str, ...] = tuple(c for c in self._labels if (c == label) is (label not in chosen))
        else:
            wanted = tuple(c for c in self._labels if (c in chosen) is not (c == label))
        if len(wanted) == len(self._labels):
            wanted = ()
        self._session.choose_class1(wanted)

    @Slot()
    def _choose_guesses(self) -> None:
        self._session.choose(guesses=self.guesses.currentData())

    @Slot()
    def _choose_key(self) -> None:
        self._session.choose(key=self.key.currentData(), label="")

    @Slot()
    def _choose_level(self) -> None:
        self._session.choose(level=self.level.currentData())

    @Slot()
    def _choose_interval(self) -> None:
        self._session.choose(interval=self.interval.currentData())

    @Slot()
    def _choose_seed(self) -> None:
        if int(self.seed.text() or 1) != self._session.plan.seed:
            self._session.choose(seed=int(self.seed.text() or 1))


def _method(plan: Plan) -> str:
    """By what the question is answered."""
    named = plan.named
    if named.label:
        return _("{name} model, {how}").format(name=plan.model.name, how=SHORT[named.estimator])
    if plan.on_demand:
        return _("Severity and spread of each {rater}; the {name} model beside").format(name=plan.model.name)
    return _("{name} model").format(name=plan.model.name)


def _class_words(labels: tuple[str, ...], chosen: tuple[str, ...]) -> str:
    if not labels:
        return _("The answer whose share is t.")
    if not chosen:
        return _("None ticked: every class is estimated by itself. Tick some to ask about those against the rest.")
    others = (_("“{label}”").format(label=numbers.short(c, 24)) for c in labels if c not in chosen)
    rest = joined(*others, sep=", ")
    return ngettext(
        "The answer whose share is t. The rest is {rest}.",
        "The answers whose share is t. The rest is {rest}.",
        len(chosen),
    ).format(rest=rest)
