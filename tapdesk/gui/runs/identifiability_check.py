"""What the design can tell of a plan, before anything is run."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from tapdesk.answers.question import Question
from tapdesk.fitting.fit import Identification
from tapdesk.fitting.identification import verdict
from tapdesk.gui.runs.job import Job
from tapdesk.gui.runs.plan import NO_OPTIONS, Plan, why_refused
from tapdesk.gui.shell.document import DataVersion, OpenDocument
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class DesignVerdict:
    """What the design can tell.

    Attributes
    ----------
    own, used
        The verdict on the model as chosen, and on the one that is run: they differ where p = t had to be assumed.
    fingerprint
        Of the data.
    refused
        Why what was chosen by name cannot be run; empty when it can.
    """

    own: Identification
    used: Identification
    fingerprint: str
    why_refused: str = ""

    @property
    def forced(self) -> bool:
        """Whether p = t was assumed because the design cannot do without."""
        return self.own is not self.used


def asked_of(plan: Plan) -> object:
    """What a judgement depends on beside the data: equal ones have equal judgements."""
    named = plan.named
    return plan.model, plan.guesses, named.estimator, named.priors, named.draws


def check_plan(plan: Plan, ratings: Ratings, project: Project) -> Run[DesignVerdict]:
    """Verdict and fingerprint as a run, so that large data do not hold up the window."""
    yield Step(0, 4, "verdict")
    if plan.named != NO_OPTIONS:
        reason = plan.named.unreadable or why_refused(plan.request(), ratings)
        if reason:
            return _refused(reason, project)
    yield Step(1, 4, "verdict")
    own = verdict(plan.model, ratings)
    yield Step(2, 4, "verdict")
    run = plan.resolved(own)
    used = own if run.model == plan.model else verdict(run.model, ratings)
    yield Step(3, 4, "verdict")
    if run.named != plan.named and (reason := why_refused(run.request(), ratings)):
        return _refused(reason, project)
    return DesignVerdict(own, used, project.fingerprint)


def _refused(reason: str, project: Project) -> DesignVerdict:
    none = Identification(by_design=False, here=False, words=reason)
    return DesignVerdict(none, none, project.fingerprint, reason)


class IdentifiabilityCheck(QObject):
    """Judges the plan, each time it or the data have changed.

    Attributes
    ----------
    changed
        A judgement has arrived.
    bug
        What went wrong in place of one.
    now
        The judgement on the plan that was asked about last; None while it is not known.
    """

    changed = Signal()
    bug = Signal(object)

    def __init__(self, document: OpenDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.now: DesignVerdict | None = None
        self._asked: tuple[DataVersion, object] | None = None
        self._refusals: tuple[DataVersion | None, dict[str, str | None]] = (None, {})
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self.bug)

    def ask(self, plan: Plan) -> None:
        """Judge a plan, unless it has been judged on these data."""
        if self._document.empty:
            self.now = self._asked = None
            return
        asked = (self._document.data, asked_of(plan))
        if self._asked != asked:
            self._asked, self.now = asked, None
            self.job.start(check_plan(plan, self._document.ratings, self._document.project))

    def forget(self) -> None:
        """Other data are opened: whatever is asked next is judged."""
        self._asked = None

    @Slot(object)
    def _on_done(self, verdict: DesignVerdict) -> None:
        self.now = verdict
        self.changed.emit()

    def refusal(self, question: Question) -> str | None:
        """Why the ratings cannot be asked a question; worked out once for the same data."""
        known, reasons = self._refusals
        if known != self._document.data:
            reasons = {}
            self._refusals = (self._document.data, reasons)
        if question.key not in reasons:
            reasons[question.key] = question.refuses(self._document.ratings, self._document.project.all_classes)
        return reasons[question.key]
