"""The model pane: what to ask, the few choices, whether the data can answer, and the run."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.gui.desk import Desk
from tapdesk.gui.icons import Glyph, State
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.panes.running import Running
from tapdesk.gui.plan import INTERVALS, LEVELS, QUESTIONS, Guesses, Plan, Question
from tapdesk.gui.theme import Theme
from tapdesk.gui.widgets.basic import Choice, Frame, button, clear, plain, rule, text
from tapdesk.gui.widgets.chip import Chip
from tapdesk.gui.widgets.columns import Columns
from tapdesk.gui.widgets.flow import Flow
from tapdesk.gui.widgets.question_card import QuestionCard
from tapdesk.project.project import Project
from tapdesk.report import numbers

LABEL = 100
TIED = "raters who do not know are taken to pick each answer as often as it is true."


class Model(Pane):
    """Questions at the left, the choices in the middle, the run at the right."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__(theme, desk, "Model")
        self.sub.setText("What do you want to know?")
        self.head.addStretch(1)
        self.to_dataset = button("Add ratings first", kind="link")
        self.head.addWidget(self.to_dataset)
        self.cards = [QuestionCard(theme, q.title, q.about) for q in QUESTIONS]
        self.choices = Choices(theme, desk)
        self.light = Light(theme)
        self.sentence = text("", "lead", wrap=True, rich=True)
        self.run = button("Run", desk.run, kind="primary")
        self.run_words = text("", "small", "2", wrap=True)
        self.running = Running(theme, desk)
        self.box.addWidget(self._columns(), 1)
        for card, question in zip(self.cards, QUESTIONS, strict=True):
            card.clicked.connect(self._chooser(question))
        for signal in (desk.document.changed, desk.planned, desk.fitting.started, desk.fitting.cancelled):
            signal.connect(self.refresh)
        desk.fitting.done.connect(self.refresh)
        desk.fitting.failed.connect(self._on_failed)
        self.refresh()

    def _columns(self) -> Columns:
        left, middle = plain(gap=8), plain(gap=12)
        left.add(*self.cards)
        self.reason = text("", "small", "2", wrap=True)
        left.add(self.reason).box.addStretch(1)
        said = Frame("headline", margins=(15, 12, 16, 12), gap=2)
        said.add(text("This run, in one sentence", "caption", "3"), self.sentence)
        start = plain(across=True, gap=12).add(self.run, self.run_words)
        start.box.setStretch(1, 1)
        middle.add(self.choices, self.light, said, start).box.addStretch(1)
        parts = ((left, 0, 258), (middle, 500, 440), (self.running, 424, 290))
        return Columns(self.theme, parts, narrow=1000, low=(0, 0, 560))

    def _chooser(self, question: Question) -> Callable[[], None]:
        return lambda: self.desk.choose(question=question, guesses=Guesses.AUTO)

    @Slot()
    def refresh(self) -> None:
        """Show plan, verdict and state as they stand."""
        desk, empty = self.desk, self.desk.document.empty
        self.to_dataset.setVisible(empty)
        for card, question in zip(self.cards, QUESTIONS, strict=True):
            chosen = question is desk.plan.question
            card.refuse("" if empty or chosen else desk.refusal(question) or "")
            card.setEnabled(card.isEnabled() and not empty)
            card.setChecked(chosen)
        self.choices.setEnabled(not empty)
        busy = desk.fitting.running
        self.run.setEnabled(desk.ready and not busy)
        if empty:
            self.reason.setText("Add ratings first: the questions can be chosen when there is something to ask about.")
            self.sentence.setText("Nothing can be run yet.")
            self.run_words.setText("")
            self.light.say(State.EMPTY, "No ratings yet", "What they can tell is said here before you run.")
            self.choices.show_project(desk.document.project, desk.plan)
            return
        ratings = desk.document.ratings
        refusal = desk.refusal(desk.plan.question)
        self.reason.setText(refusal or "")
        self.run.setEnabled(desk.ready and not busy and refusal is None)
        self.choices.show_project(desk.document.project, desk.effective)
        self.sentence.setText(desk.effective.sentence(ratings))
        self.sentence.setAccessibleName("This run, in one sentence")
        words = "Running. Changes made now wait for the next run." if busy else "Ctrl+R. Earlier results stay."
        self.run_words.setText(refusal or words)
        self._show_verdict(refusal)

    def _show_verdict(self, refusal: str | None) -> None:
        judgement = self.desk.judgement
        if refusal is not None:
            self.light.say(State.BLOCKED, "These ratings cannot answer this question", refusal)
        elif judgement is None:
            self.light.say(State.RUNNING, "Looking at the design", "Whether it can tell the numbers apart.")
        elif not judgement.used.by_design:
            self.light.say(State.KNOW, "This design cannot tell all numbers apart", judgement.used.words)
        elif judgement.forced:
            words = f"{judgement.own.words} So p = t is assumed: {TIED}"
            self.light.say(State.KNOW, "This design can estimate t and a only by assuming p = t", words)
        elif self.desk.plan.guesses is Guesses.TIED:
            words = f"{judgement.used.words} You chose p = t: {TIED}"
            self.light.say(State.DONE, "This design can estimate t and a, with p = t", words)
        else:
            self.light.say(State.DONE, "This design can estimate t, a and p", judgement.used.words)

    @Slot(object)
    def _on_failed(self, error: BaseException) -> None:
        if isinstance(error, TapdeskError):
            self.error.show_error(error)
        self.refresh()


class Light(Frame):
    """Whether the design can tell the numbers apart, with its reason."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("card", across=True, margins=(16, 14, 16, 14), gap=12)
        self.mark = Glyph.of(theme, State.EMPTY, 30)
        self.title, self.words = text("", "card", wrap=True), text("", "body", "2", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.words)
        self.box.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        self.box.addLayout(words, 1)

    def say(self, state: State, title: str, words: str) -> None:
        """Show a verdict."""
        self.mark.show_state(state)
        self.title.setText(title)
        self.words.setText(words)
        self.setAccessibleName(f"{title}. {words}")


class Choices(Frame):
    """At most five choices under the question."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__("card", margins=(16, 12, 16, 8), gap=0)
        self._theme, self._desk = theme, desk
        self._labels: tuple[str, ...] = ()
        self._names: list[QLabel] = []
        self.setAccessibleName("Choices of the run")
        self.head = text("", "card", wrap=True)
        self.method = text("", "caption", "3")
        self.chips = QWidget()
        self.chips_box = Flow(self.chips, gap=6)
        self.class_words = text("", "caption", "3", wrap=True)
        self.guesses = Choice(
            theme,
            "Chance answers",
            (("Estimate their own rate, p", Guesses.OWN), ("Assume p = t", Guesses.TIED)),
            230,
        )
        self.level = Choice(theme, "Level of the intervals", tuple((numbers.level(v), v) for v in LEVELS), 84)
        self.interval = Choice(theme, "Kind of intervals", tuple((w, k) for k, w in INTERVALS.items()), 226)
        self.seed = QLineEdit("1")
        self.seed.setValidator(QIntValidator(0, 999_999_999, self.seed))
        self.seed.setAccessibleName("Seed")
        self._fill()
        theme.changed.connect(self._dress)
        self._dress()
        self.guesses.activated.connect(self._choose_guesses)
        self.level.activated.connect(self._choose_level)
        self.interval.activated.connect(self._choose_interval)
        self.seed.editingFinished.connect(self._choose_seed)

    def _fill(self) -> None:
        self.add(plain(gap=0, margins=(0, 0, 0, 8)).add(self.head, self.method))
        both = QWidget()
        beside = Flow(both, gap=6)
        beside.addWidget(self.level)
        beside.addWidget(self.interval)
        rows = (
            ("Class 1", (self.chips, self.class_words)),
            (
                "Chance answers",
                (
                    self.guesses,
                    text("Or tie p to t: “raters guess as often as it is true”.", "caption", "3", wrap=True),
                ),
            ),
            ("Intervals", (both,)),
            (
                "Seed",
                (self.seed, text("The same seed gives the same numbers again.", "caption", "3", wrap=True)),
            ),
        )
        for words, parts in rows:
            label = text(words, "body", wrap=True)
            self._names.append(label)
            label.setContentsMargins(0, 4, 0, 0)
            line = plain(across=True, gap=8, margins=(0, 9, 0, 9)).add(label)
            line.box.setAlignment(label, Qt.AlignmentFlag.AlignTop)
            line.box.addWidget(plain(gap=4).add(*parts), 1)
            self.add(rule(), line)

    @Slot()
    def _dress(self) -> None:
        for label in self._names:
            label.setFixedWidth(self._theme.px(LABEL))
        self.seed.setFixedWidth(self._theme.px(110))

    def show_project(self, project: Project, plan: Plan) -> None:
        """Show the choices as they stand."""
        self.head.setText(plan.question.title)
        self.method.setText(f"{plan.model.name} model")
        self.guesses.setEnabled(plan.question.tied)
        self.guesses.choose(Guesses.TIED if plan.guesses is Guesses.TIED and plan.question.tied else Guesses.OWN)
        self.level.choose(plan.level)
        self.interval.choose(plan.interval)
        if self.seed.text() != str(plan.seed) and not self.seed.hasFocus():
            self.seed.setText(str(plan.seed))
        reading = project.reading
        labels = project.all_classes.classes if reading is not None else ()
        if labels != self._labels:
            self._labels = labels
            clear(self.chips_box)
            for label in labels:
                chip = Chip(self._theme, "", numbers.short(label, 28), checkable=True)
                chip.clicked.connect(self._ticker(label))
                self.chips_box.addWidget(chip)
        chosen = self._class1(project)
        for chip, label in zip(self._chips(), labels, strict=True):
            chip.setChecked(label in chosen)
        self.class_words.setText(_class_words(labels, chosen))

    def _chips(self) -> list[Chip]:
        items = [self.chips_box.itemAt(i) for i in range(self.chips_box.count())]
        return [item.widget() for item in items if item is not None]

    @staticmethod
    def _class1(project: Project) -> tuple[str, ...]:
        if project.reading is None:
            return ()
        if project.class1:
            return project.class1
        labels = project.all_classes.classes
        return labels[1:] if len(labels) == 2 else ()

    def _ticker(self, label: str) -> Callable[[], None]:
        return lambda: self._tick(label)

    def _tick(self, label: str) -> None:
        chosen = self._class1(self._desk.document.project)
        if len(self._labels) == 2:
            wanted: tuple[str, ...] = tuple(c for c in self._labels if (c == label) is (label not in chosen))
        else:
            wanted = tuple(c for c in self._labels if (c in chosen) is not (c == label))
        if len(wanted) == len(self._labels):
            wanted = ()
        self._desk.choose_class1(wanted)

    @Slot()
    def _choose_guesses(self) -> None:
        self._desk.choose(guesses=self.guesses.currentData())

    @Slot()
    def _choose_level(self) -> None:
        self._desk.choose(level=self.level.currentData())

    @Slot()
    def _choose_interval(self) -> None:
        self._desk.choose(interval=self.interval.currentData())

    @Slot()
    def _choose_seed(self) -> None:
        if int(self.seed.text() or 1) != self._desk.plan.seed:
            self._desk.choose(seed=int(self.seed.text() or 1))


def _class_words(labels: tuple[str, ...], chosen: tuple[str, ...]) -> str:
    if not labels:
        return "The answer whose share is t."
    if not chosen:
        return "None ticked: every category is estimated by itself. Tick some to ask about those against the rest."
    rest = ", ".join(numbers.short(c, 24) for c in labels if c not in chosen)
    return f"The answers whose share is t. The rest is {rest}."
