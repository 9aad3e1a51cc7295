"""The model pane: what to ask, the few choices, whether the data can answer, and the run."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from tapdesk.errors import TapdeskError
from tapdesk.fitting.identification import UNCHECKED
from tapdesk.gui.desk import Desk
from tapdesk.gui.look.icons import Glyph, State
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.panes.analyses import Analyses
from tapdesk.gui.panes.choices import Choices
from tapdesk.gui.panes.pane import Pane
from tapdesk.gui.panes.running import Running
from tapdesk.gui.plan_words import cases
from tapdesk.gui.running.by_name import AS_ASKED
from tapdesk.gui.running.questions import QUESTIONS, Guesses, Question
from tapdesk.gui.running.why import Why
from tapdesk.gui.widgets.areas import bring_into_view
from tapdesk.gui.widgets.basic import Frame, button, plain, text
from tapdesk.gui.widgets.columns import Columns
from tapdesk.gui.widgets.question_card import QuestionCard
from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.report import numbers
from tapdesk.report.words.fit import FEW_SUBJECTS

RUNNING = _("These choices are running, or wait for their turn. Change something to run it next.")
ADD_FIRST = _("Add ratings first: the questions can be chosen when there is something to ask about.")
TIED = _("raters who do not know are taken to pick each answer as often as it is true.")


class Model(Pane):
    """Questions at the left, the choices in the middle, the run at the right."""

    def __init__(self, theme: Theme, desk: Desk) -> None:
        super().__init__(theme, desk, _("Model"))
        self.sub.setText(_("What do you want to know?"))
        self.head.addStretch(1)
        self.to_dataset = button(_("Add ratings first"), kind="link")
        self.why = button(_("Why this model?"), self._explain, kind="link")
        self.run = button(_("Run"), self._run, kind="primary")
        self._left_for: QWidget | None = None
        self._done = False
        # Its twin below the pictures of the run is out of sight where the columns stand below each other.
        self.to_results = button(_("Show results"), name=_("Show the results of this run"))
        # In the head, as what comes next in every pane: on a low screen the choices are scrolled, and this is not.
        for part in (self.to_dataset, self.why, self.to_results, self.run):
            self.head.addWidget(part)
        self.page: Why | None = None
        self.cards = [QuestionCard(theme, q.title, q.about) for q in QUESTIONS]
        self.choices = Choices(theme, desk)
        self.light = Light(theme)
        self.sentence = text("", "lead", wrap=True, rich=True)
        self.run_words = text("", "small", "2", wrap=True)
        self.running = Running(theme, desk)
        self.box.addWidget(self._columns(), 1)
        for card, question in zip(self.cards, QUESTIONS, strict=True):
            card.clicked.connect(self._chooser(question))
        for signal in (desk.document.changed, desk.planned, desk.fitting.started, desk.fitting.cancelled):
            signal.connect(self.refresh)
        desk.fitting.started.connect(self._look_at_run)
        desk.fitting.done.connect(self._on_done)
        desk.fitting.failed.connect(self._on_failed)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What can be done comes before the question of the pane where there is not room for both."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        head = (self.title, self.sub, self.to_dataset, self.why, self.to_results, self.run)
        shown = [part for part in head if part is self.sub or not part.isHidden()]
        needed = sum(part.sizeHint().width() + self.head.spacing() for part in shown)
        self.sub.setVisible(not self._done and needed <= self.head.geometry().width())

    def _columns(self) -> Columns:
        left, middle = plain(gap=8), plain(gap=12)
        # Above the questions that cannot be chosen yet: below them it would be out of sight.
        self.add_first = text(ADD_FIRST, "small", "2", wrap=True)
        left.add(self.add_first, *self.cards)
        self.reason = text("", "small", "2", wrap=True)
        self.analyses = Analyses(self.theme, self.desk)
        left.add(self.reason, self.analyses).box.addStretch(1)
        said = Frame("headline", margins=(15, 12, 16, 12), gap=2)
        said.add(text(_("This run, in one sentence"), "caption", "3"), self.sentence)
        self.waiting = text("", "small", "2", wrap=True)
        self.forget = button(_("Take them off"), self.desk.clear_queue, kind="link")
        behind = plain(across=True, gap=10).add(self.waiting, self.forget)
        behind.box.setStretch(0, 1)
        middle.add(self.choices, self.light, said, self.run_words, behind).box.addStretch(1)
        parts = ((left, 0, 258), (middle, 500, 440), (self.running, 424, 290))
        self.columns = Columns(self.theme, parts, narrow=1000, low=(0, 0, 560))
        return self.columns

    def _run(self) -> None:
        """Run; where the keyboard goes while the button cannot be pressed is not where the user wants it."""
        here = self.run.hasFocus()
        self.desk.run()
        self._left_for = self.window().focusWidget() if here else None

    @Slot()
    def _on_done(self) -> None:
        """Offer the results to the keyboard, if it has not gone elsewhere meanwhile."""
        self.refresh()
        if self._left_for is not None and self._left_for is self.window().focusWidget():
            self.to_results.setFocus()
        self._left_for = None

    @Slot()
    def _look_at_run(self) -> None:
        """Bring the run into view where it stands below the questions and choices."""
        if not self.columns.beside:
            bring_into_view(self.running)

    def _explain(self) -> None:
        """Open the page that says why this model is run."""
        if self.page is None:
            self.page = Why(self.theme, self)
        self.page.explain(self.desk.effective, self.desk.judgement)

    def _chooser(self, question: Question) -> Callable[[], None]:
        def choose() -> None:
            # The question decides about the model again, also where another one was named before.
            named = replace(self.desk.plan.named, model="", covariates=())
            self.desk.choose(question=question, guesses=Guesses.AUTO, named=named, label="")

        return choose

    @Slot()
    def refresh(self) -> None:
        """Show plan, verdict and state as they stand."""
        self._show()
        self._make_room()

    def _show(self) -> None:
        desk, empty = self.desk, self.desk.document.empty
        self.to_dataset.setVisible(empty)
        self.add_first.setVisible(empty)
        for card, question in zip(self.cards, QUESTIONS, strict=True):
            chosen = question is desk.plan.question
            card.refuse("" if empty or chosen else desk.judging.refusal(question) or "")
            card.setEnabled(card.isEnabled() and not empty)
            card.setChecked(chosen)
        self.choices.setEnabled(not empty)
        self.why.setVisible(not empty)
        busy = desk.fitting.running
        self.run.setEnabled(desk.ready and not desk.waits)
        self.run.setText(_("Run next") if busy else _("Run"))
        self._show_queue()
        analysis = desk.document.analysis
        done = not busy and analysis is not None and analysis.fit is not None
        self.to_results.setVisible(done)
        # With large words there is no room for both, and what is asked has been asked then.
        self._done = done
        if empty:
            self.to_dataset.setText(_("Add ratings first"))
            self.reason.hide()
            self.sentence.setText(_("Nothing can be run yet."))
            self.run_words.setText("")
            self.light.say(State.EMPTY, _("No ratings yet"), _("What they can tell is said here before you run."))
            self.choices.show_project(desk.document.project, desk.plan)
            return
        ratings = desk.document.ratings
        refusal = desk.refused
        # What works whatever cannot be answered.
        self.to_dataset.setText(_("Answer it") if desk.blocked else _("Look at the counts instead"))
        self.to_dataset.setVisible(bool(refusal))
        self.reason.setText(refusal)
        self.reason.setVisible(bool(refusal))
        self.run.setEnabled(desk.ready and not desk.waits and not refusal)
        self.choices.show_project(desk.document.project, desk.effective)
        unrun = _("Nothing can be run with these choices.")
        self.sentence.setText(unrun if refusal else desk.effective.sentence(ratings))
        self.sentence.setAccessibleName(_("This run, in one sentence"))
        words = _("Ctrl+R. Earlier results stay.")
        if busy:
            words = RUNNING if desk.waits else _("Ctrl+R. These choices are run after what is running now.")
        # Why nothing can be run stands above, beside the light.
        self.run_words.setText("" if refusal else words)
        self._show_verdict(refusal)

    def _show_queue(self) -> None:
        """What waits behind the run that is going on."""
        queue = self.desk.queue
        names = "; ".join(numbers.short(asked.name, 60) for asked in queue)
        self.waiting.setText(_("Waiting for its turn: {names}.").format(names=names))
        for part in (self.waiting, self.forget):
            part.setVisible(bool(queue))

    def _show_verdict(self, refusal: str) -> None:
        judgement, named = self.desk.judgement, self.desk.plan.named
        if refusal:
            title = (
                _("Not yet")
                if self.desk.blocked
                else _("This cannot be run")
                if named != AS_ASKED
                else _("These ratings cannot answer this question")
            )
            self.light.say(State.BLOCKED, title, refusal)
        elif judgement is None:
            self.light.say(State.RUNNING, _("Looking at the design"), _("Whether it can tell the numbers apart."))
        elif not judgement.used.by_design:
            self.light.say(State.KNOW, _("This design cannot tell all numbers apart"), judgement.used.words)
        elif judgement.forced:
            words = _("{words} So p = t is assumed: {tied}").format(words=judgement.own.words, tied=TIED)
            self.light.say(State.KNOW, _("This design can estimate t and a only by assuming p = t"), words)
        elif self.desk.plan.tied:
            words = _("{words} You chose p = t: {tied}").format(words=judgement.used.words, tied=TIED)
            self.light.say(State.DONE, _("This design can estimate t and a, with p = t"), words)
        else:
            self._show_can(judgement.used.words)

    def _show_can(self, words: str) -> None:
        """A design that can tell all numbers apart; with few cases they will be unsure all the same."""
        plan, count = self.desk.effective, self.desk.document.ratings.subject_count
        title = _("This design can estimate t, a and p")
        if plan.named.model:
            title = _("This design can estimate the model {model}").format(model=plan.named.model)
        elif plan.model.by_rater:
            title = _("This design can estimate t, and a and p of each rater")
        if words == UNCHECKED:
            self.light.say(State.KNOW, _("Nobody knows yet whether this design can tell all numbers apart"), words)
        elif count < FEW_SUBJECTS:
            few = _("{words} But there are few cases: {size}. Expect wide intervals.")
            self.light.say(State.KNOW, title, few.format(words=words, size=cases(count)))
        else:
            self.light.say(State.DONE, title, words)

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
        self.words.setText(say(words))
        self.setAccessibleName(f"{title}. {words}")
