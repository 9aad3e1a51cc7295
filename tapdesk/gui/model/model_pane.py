"""The model pane: what to ask, the few choices, whether the data can answer, and the run."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QDialog, QSizePolicy, QVBoxLayout, QWidget

from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers
from tapdesk.answers.fit_words import FEW_SUBJECTS
from tapdesk.answers.question import QUESTIONS, Guesses, Question
from tapdesk.errors import TapdeskError
from tapdesk.fitting.identification import UNCHECKED
from tapdesk.gui.model.analyses import AnalysesCard
from tapdesk.gui.model.choices import QuestionChoices
from tapdesk.gui.model.proposal_card import ProposalCard
from tapdesk.gui.model.run_view import RunView
from tapdesk.gui.runs.expert_options import NO_OPTIONS
from tapdesk.gui.runs.plan import DesignVerdict, Plan, cases
from tapdesk.gui.shell.pane import Pane
from tapdesk.gui.shell.session import Session
from tapdesk.gui.theme.icons import Glyph, State
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.controls import Frame, button, plain, scroll_area, text
from tapdesk.gui.widgets.focus import bring_into_view
from tapdesk.gui.widgets.layouts import Columns, WindowSize
from tapdesk.gui.widgets.messages import SentenceList
from tapdesk.language import gettext as _
from tapdesk.language import same_sentence, say
from tapdesk.models.model import Accuracy

REASONS: dict[str, str] = {
    "knowledge": _(
        "{Raters} can agree because they know, or because they happen to pick the same answer. This model "
        "takes every {rating} as one or the other, and finds the mixture that makes {ratings} like yours "
        "most likely. So it can tell how often {a_rating} follows the {subject} itself, which no "
        "percentage of agreement can."
    ),
    "raters": _(
        "To see who differs, every {rater} gets an accuracy and a way of picking of their own. {A_rater} "
        "is judged by how well the {ratings} fit what all the others together say about the same "
        "{subjects}."
    ),
    "cases": _(
        "How sure one can be of {a_subject} depends on how much a single {rating} tells. The model finds "
        "that first, and then weighs the {ratings} of each {subject} with it: three equal answers of "
        "accurate {raters} say more than three equal answers of {raters} who often guess."
    ),
    "awards": _(
        "Who judged {a_subject} decides about its mean: strict judges, scattered ones and those who guess. "
        "Every judge gets a severity, a spread and a way of following the {subjects}, each as unsure as it "
        "is, and what {a_subject} is worth is told with these taken out. The committee’s own rule and its "
        "result stand first."
    ),
    "lines": _(
        "Ordered classes hold several questions at once: is it at least bronze, at least "
        "silver, and so on. The same model is fitted at every line between two classes, so "
        "that the lines can be set side by side."
    ),
    "classes": _(
        "{Subjects} of one class may be easier than {subjects} of another. Each class gets an accuracy of "
        "its own, while what {raters} pick when they do not know stays one thing. Of two classes many such "
        "numbers fit equally well; then all of them are weighed, and what is told is how far they may be "
        "believed."
    ),
    "enough": _(
        "How far the interval would shrink depends on the numbers themselves, so they are found first. "
        "Then data sets with more and with fewer {subjects} and {ratings} are made from them, and it is "
        "seen how wide the interval gets."
    ),
}
NAMED = _("You chose this model by name under More options; it stands above the question.")
ELSE: dict[str, str] = {
    "t-a-p": _(
        "With p = t you assume that {raters} who do not know pick each answer as often as it is true. That "
        "needs only two {ratings} of each {subject}, but you have to believe it. A model with an accuracy "
        "for each {rater} needs at least three named {raters}."
    ),
    "t-a-t": _(
        "Without p = t the way of picking is estimated as well. That needs three {ratings} of each "
        "{subject}, or three answers to choose from."
    ),
}
ELSE_OTHER = _(
    "The model t-a-p has fewer numbers, so they are known more surely: compare the two under Several analyses. Where "
    "both tell the same story, the simpler one is the better one to report."
)
RUNNING = _("These choices are running, or wait for their turn. Change something to run it next.")
ADD_FIRST = _("Add {ratings} first: the questions can be chosen when there is something to ask about.")
TIED = _("{raters} who do not know are taken to pick each answer as often as it is true.")


def model_reasons(plan: Plan, judgement: DesignVerdict | None) -> list[tuple[str, str]]:
    """What about, and the sentences.

    Parameters
    ----------
    plan
        As it is run.
    judgement
        Of the design; None while it is not known.
    """
    model = plan.model
    rows = [
        (_("What was asked"), say(plan.question.title)),
        (_("Why this model answers it"), NAMED if plan.named.model else REASONS[plan.question.key]),
        (_("What stands beside it") if plan.on_demand else _("What it assumes"), model.about),
    ]
    if plan.on_demand:
        return [*rows, (_("What no model can say"), words.not_said())]
    if judgement is not None and not judgement.why_refused:
        rows.append((_("What your design allows"), judgement.used.words))
        if judgement.forced:
            rows.append((_("Why p = t is assumed"), judgement.own.words))
    if model.accuracy is Accuracy.PER_RATER:
        rows.append(
            (
                _("What to keep in mind"),
                _("An accuracy of each {rater} rests on that {rater}’s {ratings} alone, so its interval is wide."),
            )
        )
    rows.append((_("What else could be run"), ELSE.get(model.name, ELSE_OTHER)))
    rows.append((_("What no model can say"), words.not_said()))
    return rows


class WhyWindow(QDialog):
    """A window beside the main one with the explanation."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Why this model?"))
        WindowSize(self, theme, 520, 520)
        self.title = text("", "card", wrap=True)
        self.sentences = SentenceList(_("Why this model?"))
        foot = plain(across=True)
        foot.box.addStretch(1)
        foot.add(button(_("Close"), self.hide, name=_("Close the explanation")))
        box = QVBoxLayout(self)
        box.addWidget(self.title)
        box.addWidget(scroll_area(self.sentences), 1)
        box.addWidget(foot)

    def explain(self, plan: Plan, judgement: DesignVerdict | None) -> None:
        """Show the page about a plan."""
        asked = _("Why the model {model}?").format(model=plan.model.name)
        self.title.setText(say(plan.question.title) if plan.on_demand else asked)
        self.rows: Sequence[tuple[str, str]] = model_reasons(plan, judgement)
        self.sentences.say(self.rows)
        self.show()


class QuestionCard(QAbstractButton):
    """One question of several; the chosen one has an accent edge on a soft ground."""

    def __init__(self, theme: Theme, question: str, about: str) -> None:
        super().__init__()
        self._theme = theme
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(question)
        self.setAccessibleDescription(about)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 12, 14, 12)
        box.setSpacing(2)
        self._asked, self._usual = question, about
        self.about = text(about, "small", "2", wrap=True)
        self.question = text(question, "question", wrap=True)
        for label in (self.question, self.about):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            box.addWidget(label)

    def refuse(self, reason: str) -> None:
        """Say why the question cannot be asked in place of what it gives; nothing makes it open again."""
        self.question.setText(say(self._asked))
        self.setAccessibleName(self.question.text())
        words = reason or say(self._usual)
        self.setEnabled(not reason)
        if self.about.text() != words:
            self.about.setText(words)
            self.setAccessibleDescription(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = self.isChecked() and self.isEnabled()
        strong = on or (self.underMouse() and self.isEnabled())
        painter.setPen(QPen(self._theme.colour("accent" if strong else "line"), 1.5 if on else 1))
        painter.setBrush(self._theme.colour("soft" if on else "surface" if self.isEnabled() else "window"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 6, 6)
        painter.end()


class ModelPane(Pane):
    """Questions at the left, the choices in the middle, the run at the right.

    Attributes
    ----------
    compared
        Emitted when all questions of a form are to be set side by side.
    """

    compared = Signal()

    def __init__(self, theme: Theme, session: Session) -> None:
        super().__init__(theme, session, _("Model"))
        self.sub.setText(_("What do you want to know?"))
        self.head.addStretch(1)
        self.to_dataset = button(_("Add {ratings} first"), kind="link")
        self.why = button(_("Why this model?"), self._explain, kind="link")
        self.run = button(_("Run"), self._run, kind="primary")
        self._left_for: QWidget | None = None
        self._done = False
        # Its twin below the pictures of the run is out of sight where the columns stand below each other.
        self.to_results = button(_("Show results"), name=_("Show the results of this run"))
        # In the head, as what comes next in every pane: on a low screen the choices are scrolled, and this is not.
        for part in (self.to_dataset, self.why, self.to_results, self.run):
            self.head.addWidget(part)
        self.page: WhyWindow | None = None
        # What a form is made for; it is a run of its own, and not one of the questions below.
        self.whole = QuestionCard(
            theme, _("How do all questions of the form compare?"), _("One table, those that need talk first")
        )
        self.whole.setAutoExclusive(False)
        self.whole.setCheckable(False)
        self.whole.clicked.connect(self.compared)
        self.cards = [QuestionCard(theme, q.title, q.about) for q in QUESTIONS]
        self.choices, self.proposal = QuestionChoices(theme, session), ProposalCard(session)
        self.light = Light(theme)
        self.sentence = text("", "lead", wrap=True, rich=True)
        self.run_words = text("", "small", "2", wrap=True)
        self.running = RunView(theme, session)
        self.box.addWidget(self._columns(), 1)
        for card, question in zip(self.cards, QUESTIONS, strict=True):
            card.clicked.connect(self._chooser(question))
        for signal in (session.document.changed, session.planned, session.fitting.started, session.fitting.cancelled):
            signal.connect(self.refresh)
        session.side_studies.changed.connect(self.proposal.refresh)
        session.fitting.started.connect(self._look_at_run)
        session.fitting.done.connect(self._on_done)
        session.fitting.failed.connect(self._on_failed)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What can be done comes before the question of the pane where there is not room for both."""
        super().resizeEvent(event)
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        """Of a form of which nothing was asked yet, the keyboard begins at the table of all its questions."""
        super().showEvent(event)
        document = self.session.document
        if document.project.form and document.analysis is None and self.whole.isEnabled():
            self.whole.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_room(self) -> None:
        head = (self.title, self.sub, self.to_dataset, self.why, self.to_results, self.run)
        shown = [part for part in head if part is self.sub or not part.isHidden()]
        needed = sum(part.sizeHint().width() + self.head.spacing() for part in shown)
        self.sub.setVisible(not self._done and needed <= self.head.geometry().width())

    def _columns(self) -> Columns:
        left, middle = plain(gap=8), plain(gap=12)
        # Above the questions that cannot be chosen yet: below them it would be out of sight.
        self.add_first = text(ADD_FIRST, "small", "2", wrap=True)
        left.add(self.add_first, self.whole, *self.cards)
        self.reason = text("", "small", "2", wrap=True)
        self.analyses = AnalysesCard(self.theme, self.session)
        left.add(self.reason, self.analyses).box.addStretch(1)
        sentence = Frame("headline", margins=(15, 12, 16, 12), gap=2)
        sentence.add(text(_("This run, in one sentence"), "caption", "3"), self.sentence)
        self.waiting = text("", "small", "2", wrap=True)
        self.forget = button(_("Take them off"), self.session.clear_queue, kind="link")
        behind = plain(across=True, gap=10).add(self.waiting, self.forget)
        behind.box.setStretch(0, 1)
        middle.add(self.choices, self.proposal, self.light, sentence, self.run_words, behind).box.addStretch(1)
        parts = ((left, 0, 258), (middle, 500, 440), (self.running, 424, 290))
        self.columns = Columns(self.theme, parts, narrow=1000, low=(0, 0, 560))
        return self.columns

    def _run(self) -> None:
        """Run; where the keyboard goes while the button cannot be pressed is not where the user wants it."""
        here = self.run.hasFocus()
        self.session.run()
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
        if not self.columns.side_by_side:
            bring_into_view(self.running)

    def _explain(self) -> None:
        """Open the page that says why this model is run."""
        if self.page is None:
            self.page = WhyWindow(self.theme, self)
        self.page.explain(self.session.effective, self.session.judgement)

    def _chooser(self, question: Question) -> Callable[[], None]:
        def choose() -> None:
            # The question decides about the model again, also where another one was named before.
            named = replace(self.session.plan.named, model="", covariates=())
            self.session.choose(question=question, guesses=Guesses.AUTO, named=named, label="")

        return choose

    @Slot()
    def refresh(self) -> None:
        """Show plan, verdict and state as they stand."""
        self._show()
        self.proposal.refresh()
        self._make_room()

    def _show(self) -> None:
        session, empty = self.session, self.session.document.empty
        self.to_dataset.setVisible(empty)
        self.add_first.setVisible(empty)
        self.whole.setVisible(bool(session.document.project.form))
        self.whole.setEnabled(not session.blocked)
        for card, question in zip(self.cards, QUESTIONS, strict=True):
            chosen = question is session.plan.question
            card.refuse("" if empty or chosen else session.design_check.refusal(question) or "")
            card.setEnabled(card.isEnabled() and not empty)
            card.setChecked(chosen)
            # One that few files can be asked is no card of the others.
            card.setVisible(question.key != "known" or chosen or (not empty and bool(session.document.ratings.known)))
        self.choices.setEnabled(not empty)
        self.why.setVisible(not empty)
        busy = session.fitting.running
        self.run.setEnabled(session.ready and not session.waits)
        self.run.setText(_("Run next") if busy else _("Run"))
        self._show_queue()
        analysis = session.document.analysis
        done = not busy and analysis is not None and analysis.fit is not None
        self.to_results.setVisible(done)
        # With large words there is no room for both, and what is asked has been asked then.
        self._done = done
        if empty:
            self.to_dataset.setText(_("Add {ratings} first"))
            self.reason.hide()
            self.sentence.setText(_("Nothing can be run yet."))
            self.run_words.setText("")
            self.light.say(State.EMPTY, _("No {ratings} yet"), _("What they can tell is said here before you run."))
            self.choices.show_project(session.document.project, session.plan)
            return
        refusal = session.refused
        # What works whatever cannot be answered.
        self.to_dataset.setText(_("Answer it") if session.blocked else _("Look at the counts instead"))
        self.to_dataset.setVisible(bool(refusal))
        self.reason.setText(refusal)
        self.reason.setVisible(bool(refusal))
        self.run.setEnabled(session.ready and not session.waits and not refusal)
        self.choices.show_project(session.document.project, session.effective)
        unrun = _("Nothing can be run with these choices.")
        self.sentence.setText(unrun if refusal else self._run_in_one_sentence())
        self.sentence.setAccessibleName(_("This run, in one sentence"))
        words = _("Ctrl+R. Earlier results stay.")
        if busy:
            words = RUNNING if session.waits else _("Ctrl+R. These choices are run after what is running now.")
        # Why nothing can be run stands above, beside the light.
        self.run_words.setText("" if refusal else words)
        self._show_verdict(refusal)

    def _run_in_one_sentence(self) -> str:
        project = self.session.document.project
        label = None if project.reading is None else project.reading.options.label
        return self.session.effective.sentence(project.ratings, project.question, label)

    def _show_queue(self) -> None:
        """What waits behind the run that is going on."""
        queue = self.session.queue
        names = "; ".join(numbers.short(request.name, 60) for request in queue)
        self.waiting.setText(_("Waiting for its turn: {names}.").format(names=names))
        for part in (self.waiting, self.forget):
            part.setVisible(bool(queue))

    def _show_verdict(self, refusal: str) -> None:
        judgement, named = self.session.judgement, self.session.plan.named
        if refusal:
            title = (
                _("Not yet")
                if self.session.blocked
                else _("This cannot be run")
                if named != NO_OPTIONS
                else _("These {ratings} cannot answer this question")
            )
            self.light.say(State.BLOCKED, title, refusal)
        elif judgement is None:
            self.light.say(State.RUNNING, _("Looking at your data"), _("Whether they can answer this."))
        elif not judgement.used.by_design:
            self.light.say(State.KNOW, _("Your data cannot answer all of this."), judgement.used.words)
        elif judgement.forced:
            words = _("{words} So p = t is assumed: {tied}").format(words=judgement.own.words, tied=TIED)
            self.light.say(State.KNOW, _("Your data can answer this only under an assumption."), words)
        elif self.session.plan.tied:
            words = _("{words} You chose p = t: {tied}").format(words=judgement.used.words, tied=TIED)
            self.light.say(State.DONE, _("Your data can answer this under the assumption you chose."), words)
        else:
            self._show_can(judgement.used.words)

    def _show_can(self, words: str) -> None:
        """A design that can tell all numbers apart; with few cases they will be unsure all the same."""
        plan, count = self.session.effective, self.session.document.ratings.subject_count
        analysis = None if self.session.out_of_date else self.session.document.analysis
        fit = None if analysis is None else analysis.fit
        title = _("Your design can answer this.") if fit is None else _("Your data can answer this.")
        if plan.named.model:
            title = (
                _("Your design can answer this with the model {model}.")
                if fit is None
                else _("Your data can answer this with the model {model}.")
            ).format(model=plan.named.model)
        if fit is None and not same_sentence(words, UNCHECKED):
            words = _("{words} Whether your {ratings} do, the run will show.").format(words=words)
        if fit is not None and not fit.identification.here:
            # What the design allows was found out before; what the ratings at hand allow only by the run.
            self.light.say(State.KNOW, _("Your data leave some numbers open."), fit.identification.words)
        elif same_sentence(words, UNCHECKED):
            self.light.say(State.KNOW, _("Nobody knows yet whether your data can answer this."), words)
        elif count < FEW_SUBJECTS:
            few = _("{words} But there are few {subjects}: {size}. Expect wide intervals.")
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
