"""What is about to be run, whether the design can answer it, and what waits behind the run that is under way."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from tapdesk.answers import numbers
from tapdesk.answers.group_words import either_way
from tapdesk.answers.proposals import Proposal, seen_in_ratings
from tapdesk.answers.question import QUESTIONS, Guesses, Question
from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit, Identification
from tapdesk.fitting.identification import UNCHECKED, verdict
from tapdesk.fitting.priors import prior_counts
from tapdesk.gui.runs.expert_options import NO_OPTIONS, SHORT, ExpertOptions
from tapdesk.gui.runs.job import Job, ResumableRun
from tapdesk.gui.shell.document import DataVersion, OpenDocument
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext, same_sentence, say
from tapdesk.models.design import design, groups_of_ratings
from tapdesk.models.model import Accuracy, Key, RaterModel, Truth
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project, name_of
from tapdesk.ratings.ratings import CovariateOf, Ratings
from tapdesk.ratings.texts import case_folded_form
from tapdesk.studies.analysis import Request, refusal

IN_SENTENCE: dict[str, str] = {
    "profile": _("{level} profile intervals"),
    "bootstrap": _("{level} intervals from {draws} resamples"),
    "parametric-bootstrap": _("{level} intervals from {draws} data sets drawn from the model"),
    "wald": _("{level} intervals from the curvature (Wald)"),
    "none": _("no intervals"),
}
NAMED = _("Fit the model <b>{model}</b> by {how}: {what}, {size}, <b>{intervals}</b>, random start <b>{seed}</b>.")
FLAT = _(
    "Find what can be believed of the numbers of the model <b>{model}</b> with <b>flat "
    "priors</b>: {what}, {size}, <b>{level} intervals of belief</b>, random start "
    "<b>{seed}</b>."
)
PRIORS = _(
    "Find what can be believed of the numbers of the model <b>{model}</b> with the "
    "priors <b>{priors}</b>: {what}, {size}, <b>{level} intervals of belief</b>, random "
    "start <b>{seed}</b>."
)
POOLED = _(
    "Find what can be believed of {raters} drawn from <b>one population</b>, by the model <b>{model}</b>: {what}, "
    "{size}, <b>{level} intervals of belief</b>, random start <b>{seed}</b>."
)
ESTIMATORS: dict[str, str] = {
    "exact-em": _("Exact E-M: the best-fitting numbers"),
    "moment-em": _("Moment E-M: as in the first publication"),
    "posterior": _("What to believe, from priors"),
}
INTERVALS: dict[str, str] = {
    "profile": _("Profile of the likelihood"),
    "bootstrap": _("Resamples of the {subjects}"),
    "parametric-bootstrap": _("Data drawn from the model"),
    "wald": _("Curvature of the likelihood"),
    "none": _("No intervals"),
}
KEYS: dict[Key, str] = {
    Key.CERTAIN: _("Taken as certain"),
    Key.INFORMING: _("Certain, and drawn by lot"),
    Key.UNUSED: _("Set beside the answer only"),
}
KEYS_SHORT: dict[Key, str] = {Key.INFORMING: _("known at random"), Key.UNUSED: _("without the known answers")}
KEYS_IN_SENTENCE: dict[Key, str] = {
    Key.CERTAIN: _("The known answers are taken as <b>certain</b>."),
    Key.INFORMING: _("The known answers are taken as <b>certain</b>, and as a random part of all {subjects}."),
}
LEVELS = (0.9, 0.95, 0.99)
REPLICATES = 2000


def cases(count: int) -> str:
    """How many cases: ``1 case`` or ``183 cases``."""
    return _("{count} {subjects}").format(count=numbers.count(count))


def what(ratings: Ratings, label: str | None = None) -> str:
    """What is asked about, as rich text: class 1, a label of sets, or how many categories there are."""
    if len(ratings.classes) == 2:
        # Answers that were merged for a blank or a capital are told once.
        table = {case_folded_form(m): m for m in reversed(ratings.class1)}
        members = [label] if label is not None else [*reversed(table.values())]
        each = [_("“{label}”").format(label=escape(numbers.short(m))) for m in members]
        if len(each) == 1:
            return _("counting <b>{label}</b>").format(label=each[0])
        return _("counting <b>{labels}</b> as one class").format(labels=", ".join(each))
    count = len(ratings.classes)
    return ngettext("<b>{classes} class</b>", "<b>{classes} classes</b>", count).format(classes=count)


@lru_cache(maxsize=4)
def size(ratings: Ratings) -> str:
    """How many cases with how many ratings: ``183 cases with 4 ratings each``."""
    per_case = ratings.ratings_per_subject()
    counted = per_case[per_case > 0]
    sentence = cases(ratings.subject_count)
    if not counted.size:
        return _("{cases} without {ratings}").format(cases=sentence)
    low, high = int(counted.min()), int(counted.max())
    if low == high:
        return _("{cases} with {n} {ratings} each").format(cases=sentence, n=numbers.count(low))
    return _("{cases} with {low} to {high} {ratings} each").format(
        cases=sentence, low=numbers.count(low), high=numbers.count(high)
    )


def _lacks_column(model: RaterModel, ratings: Ratings) -> str:
    """Why a model of groups or of repeats cannot be run before its column is chosen; empty where it can."""
    if model.by_group and not model.groups:
        if not ratings.covariates:
            return _("This model needs a further column that names the groups, and the file has none.")
        return _("This model needs a further column that names the groups: choose it under Groups.")
    if model.memory and not model.occasions:
        if not any(column.of is CovariateOf.RATING for column in ratings.covariates.values()):
            return _("This model needs a column with the date or round of each {rating}, and the file has none.")
        return _("This model needs the column with the date or round of each {rating}: choose it under Order.")
    return ""


def why_refused(request: Request, ratings: Ratings) -> str:
    """Why these choices cannot be run on these ratings, in words of the window; empty when they can."""
    model = request.model
    if model.accuracy is Accuracy.REGRESSION and not model.covariates:
        columns = ", ".join(ratings.covariates)
        if not columns:
            return _("This model needs a further column of numbers, and the file has none.")
        return _("This model needs at least one further column. Tick one under Columns: {columns}.").format(
            columns=columns
        )
    if lacks := _lacks_column(model, ratings):
        return say(lacks)
    try:
        reason = refusal(ratings, request)
        if reason is None and request.priors and model.truth is not Truth.SHARPENED:
            prior_counts(design(model, ratings), request.priors)
    except TapdeskError as error:
        return " ".join(part for part in (error.what, error.fix) if part)
    return reason or ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of the model pane; a change is a new plan.

    Attributes
    ----------
    question, guesses
        What is asked.
    level, interval, seed
        Of the intervals, and of everything random.
    named
        What was chosen by name.
    label
        What tells the analysis from others of the same question, where the user wrote it.
    known
        Whether the ratings have known answers.
    key
        What is made of these; None for the usual: they are taken as certain.
    """

    question: Question = QUESTIONS[0]
    guesses: Guesses = Guesses.AUTO
    level: float = 0.95
    interval: str = "profile"
    seed: int = 1
    named: ExpertOptions = NO_OPTIONS
    label: str = ""
    known: bool = False
    key: Key | None = None

    @property
    def name(self) -> str:
        """Of the analysis: the question, and what tells it from other analyses of the same question."""
        return name_of(self.question.key, self.shown_label)

    @property
    def shown_label(self) -> str:
        """What tells the analysis from others of the same question; empty where nothing needs to."""
        key = KEYS_SHORT.get(self.key, "") if self.known and self.key is not None else ""
        return self.label or ", ".join(part for part in (self.named.label, key) if part)

    @property
    def used_key(self) -> Key:
        """What is made of the known answers; moment E-M makes nothing of them."""
        if not self.known or self.named.estimator == "moment-em":
            return Key.UNUSED
        return Key.CERTAIN if self.key is None else self.key

    @property
    def tied(self) -> bool:
        """Whether p = t is assumed."""
        return self.guesses is Guesses.TIED and self.question.tied and not self.named.model

    def resolved(self, verdict: Identification | None) -> "Plan":
        """The same plan as it is run where the design cannot tell the numbers apart and the user has not chosen.

        With p = t where the question can be answered so; by what to believe where a best fit would be no answer.
        """
        if verdict is None or verdict.by_design or self.named.model:
            return self
        if self.guesses is Guesses.AUTO and self.question.tied:
            return replace(self, guesses=Guesses.TIED)
        if self.question.believed and self.named.estimator == NO_OPTIONS.estimator:
            return replace(self, named=replace(self.named, estimator="posterior"))
        return self

    @property
    def model(self) -> RaterModel:
        """The model it stands for."""
        return replace(self.named.chosen(self.question.model(self.guesses)), key=self.used_key)

    @property
    def replicates(self) -> int:
        """How many re-draws of the cases are made."""
        return self.named.replicates or REPLICATES

    def request(self) -> Request:
        """What the engine is asked.

        Re-draws are made for the picture of how far numbers would move, whatever the kind of interval; the belief
        about every case costs next to nothing.

        Raises
        ------
        TapdeskError
            When a prior cannot be read.
        """
        model = self.model
        return Request(
            model=model,
            estimator=self.named.estimator,
            interval=self.interval,
            level=self.level,
            replicates=self.replicates,
            seed=self.seed,
            subjects=True,
            redraws=self.question.redraws and model.plain and model.truth is not Truth.SHARPENED,
            priors=self.named.prior_values(),
            draws=self.named.draws,
            chains=self.named.chains,
            sharpness=self.named.sharpness,
            moment_prior=self.named.moment_prior,
            pool=self.named.pool and self.named.estimator == "posterior",
        )

    @property
    def on_demand(self) -> bool:
        """Whether what answers the question is worked out after the fit, which only stands beside it."""
        return bool(self.question.demand) and not self.named.model

    def sentence(self, ratings: Ratings, about: str = "", label: str | None = None) -> str:
        """The run in one sentence, as rich text.

        Parameters
        ----------
        ratings
            What is run.
        about
            Of a form the question these are ratings of.
        label
            Of sets of labels the one that is counted.
        """
        level, named = numbers.level(self.level), self.named
        intervals = "none" if named.estimator == "moment-em" else self.interval
        fields = {
            "model": escape(self.model.name),
            "how": SHORT[named.estimator],
            "what": what(ratings, label),
            "size": size(ratings),
            "level": level,
            "intervals": IN_SENTENCE[intervals].format(level=level, draws=numbers.count(self.replicates)),
            "seed": self.seed,
        }
        if named.estimator == "posterior":
            if named.pool:
                return POOLED.format(**fields)
            priors = escape(", ".join(named.written))
            return (PRIORS if priors else FLAT).format(priors=priors, **fields)
        if named.model or named.estimator != "exact-em":
            sentence = NAMED.format(**fields)
        else:
            sentence = (self.question.assumed if self.tied else self.question.own).format(**fields)
        one = _("Of the question <b>{name}</b> alone:").format(name=escape(numbers.short(about))) if about else ""
        return joined(one, sentence, KEYS_IN_SENTENCE.get(self.used_key, ""))


@dataclass(frozen=True, eq=False)
class RunRequest:
    """A run that was asked for: of which question, under which label, what, and on which ratings."""

    question: str
    label: str
    request: Request
    data: DataVersion
    ratings: Ratings

    @property
    def name(self) -> str:
        """Of the analysis."""
        return name_of(self.question, self.label)

    def same(self, other: "RunRequest | None") -> bool:
        """Whether the same was asked of the same data."""
        if other is None:
            return False
        return (self.name, self.request, self.data) == (other.name, other.request, other.data)


class RunQueue(QObject):
    """Starts runs one after the other; one that was stopped and is asked for again goes on from where it was.

    Parameters
    ----------
    job
        Does the work; it keeps what is cancelled.
    begin
        From what is asked to its run.

    Attributes
    ----------
    newest
        What the newest run was asked; None before the first.
    queue
        What waits behind it.
    """

    def __init__(self, job: Job, begin: Callable[[RunRequest], Run[Fit]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job, self._begin = job, begin
        self.newest: RunRequest | None = None
        self.queue: tuple[RunRequest, ...] = ()
        self._stopped: tuple[RunRequest, ResumableRun] | None = None
        job.cancelled.connect(self._on_cancelled)
        for signal in (job.done, job.failed, job.cancelled):
            signal.connect(self._soon)

    def add(self, request: RunRequest) -> None:
        """Run this after all others."""
        self.queue = (*self.queue, request)
        self._next()

    def has(self, request: RunRequest) -> bool:
        """Whether this is running, or waits."""
        return self._job.running and any(request.same(other) for other in (*self.queue, self.newest))

    def goes_on(self, request: RunRequest) -> bool:
        """Whether this was stopped last, so that it would go on from there."""
        return self._stopped is not None and request.same(self._stopped[0])

    def forget(self) -> None:
        """Other data are open: nothing waits, and nothing is gone on with."""
        self.queue = ()
        self._job.cancel()
        self._stopped = self._job.stopped = None

    @Slot()
    def _next(self) -> None:
        """Start the run that waits in front."""
        if not self.queue or self._job.running:
            return
        self.newest, *rest = self.queue
        self.queue = tuple(rest)
        if self._stopped is not None and self.goes_on(self.newest):
            _asked, drive = self._stopped
            self._stopped = None
            self._job.go_on(drive)
        else:
            self._job.start(self._begin(self.newest))

    @Slot()
    def _on_cancelled(self) -> None:
        if self.newest is not None and self._job.stopped is not None:
            self._stopped = (self.newest, self._job.stopped)

    @Slot()
    def _soon(self) -> None:
        # When everybody has heard how the run before it ended.
        QTimer.singleShot(0, self, self._next)


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
    proposals
        Models that go with these ratings.
    """

    own: Identification
    used: Identification
    fingerprint: str
    why_refused: str = ""
    proposals: tuple[Proposal, ...] = ()

    @property
    def forced(self) -> bool:
        """Whether p = t was assumed because the design cannot do without."""
        return self.own is not self.used


def asked_of(plan: Plan) -> object:
    """What a judgement depends on beside the data: equal ones have equal judgements."""
    named = plan.named
    chosen = named.estimator, named.priors, named.draws, named.chains, named.pool
    return plan.model, plan.guesses, plan.question.key, *chosen


def check_plan(plan: Plan, ratings: Ratings, project: Project) -> Run[DesignVerdict]:
    """Verdict and fingerprint as a run, so that large data do not hold up the window."""
    yield Step(0, 5, "verdict")
    proposals = seen_in_ratings(ratings, plan.question.model(plan.guesses))
    yield Step(1, 5, "verdict")
    if plan.named != NO_OPTIONS:
        reason = plan.named.unreadable or why_refused(plan.request(), ratings)
        if reason:
            return _refused(reason, project, proposals)
    yield Step(2, 5, "verdict")
    own = _judged(plan.model, ratings)
    yield Step(3, 5, "verdict")
    run = plan.resolved(own)
    used = own if run.model == plan.model else _judged(run.model, ratings)
    yield Step(4, 5, "verdict")
    if run.named != plan.named and (reason := why_refused(run.request(), ratings)):
        return _refused(reason, project, proposals)
    return DesignVerdict(own, used, project.fingerprint, proposals=proposals)


def _judged(model: RaterModel, ratings: Ratings) -> Identification:
    """The verdict on a model, with what it rests on: known answers, or that groups differ in one thing only."""
    found = verdict(model, ratings)
    if not found.by_design or same_sentence(found.words, UNCHECKED):
        return found
    words = [found.words]
    if model.key is not Key.UNUSED and not verdict(replace(model, key=Key.UNUSED), ratings).by_design:
        words.append(_("The known answers make that possible; without them some would stay open."))
    if model.by_group:
        words.append(either_way(model, len(groups_of_ratings(model, ratings).names), ratings))
    return replace(found, words=joined(*words))


def _refused(reason: str, project: Project, proposals: tuple[Proposal, ...]) -> DesignVerdict:
    none = Identification(by_design=False, here=False, words=reason)
    return DesignVerdict(none, none, project.fingerprint, reason, proposals)


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
    bug = Signal(BaseException)

    def __init__(self, document: OpenDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.job = Job(self)
        self.now: DesignVerdict | None = None
        self._request: tuple[DataVersion, object] | None = None
        self._refusals: tuple[DataVersion | None, dict[str, str | None]] = (None, {})
        self.job.done.connect(self._on_done)
        self.job.failed.connect(self.bug)

    def ask(self, plan: Plan) -> None:
        """Judge a plan, unless it has been judged on these data."""
        if self._document.empty:
            self.now = self._request = None
            return
        items = (self._document.data, asked_of(plan))
        if self._request != items:
            self._request, self.now = items, None
            self.job.start(check_plan(plan, self._document.ratings, self._document.project))

    def forget(self) -> None:
        """Other data are opened: whatever is asked next is judged."""
        self._request = None

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
