"""The work of a user as one value: what was read, what was decided, what was asked and answered."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.decisions.base import Decision, DecisionEntry, DecisionStatus, LogRow, TakeBack
from tapdesk.project.decisions.classes import ColourClass, MergeClasses, ReorderClasses, SetClass1
from tapdesk.ratings.ratings import Ratings, fingerprint, work_fingerprint
from tapdesk.ratings.reading import Reading
from tapdesk.studies.analysis import Request


@dataclass(frozen=True, eq=False)
class Replay:
    """The ratings after all decisions.

    Attributes
    ----------
    all_classes
        Before class 1 is chosen.
    ratings
        As they are analysed.
    class1, class0
        The sides of the question in the classes of ``all_classes``; None for every class, and for all the rest.
    order
        The chosen order of classes; None as read.
    log
        One line for each decision.
    """

    all_classes: Ratings
    ratings: Ratings
    class1: tuple[str, ...] | None
    class0: tuple[str, ...] | None
    order: tuple[str, ...] | None
    log: tuple[LogRow, ...]


@dataclass(frozen=True, eq=False)
class _State:
    """Where a replay stands: the ratings, the sides of the question, and who decided these and the order."""

    ratings: Ratings
    sides: SetClass1 | None = None
    sides_by: int | None = None
    order_by: int | None = None


@dataclass(frozen=True, eq=False)
class _Played:
    """A replay that was made, to go on from."""

    as_read: Ratings
    decided: tuple[DecisionEntry, ...]
    question: str
    gone: frozenset[int]
    state: _State
    rows: tuple[LogRow, ...]
    result: Replay


# The project shown and the one before it: with them, one decision more or less is one step. A longer memory would keep
# data of the past.
_RECENT: deque[_Played] = deque(maxlen=2)


def replay(as_read: Ratings, decided: tuple[DecisionEntry, ...], question: str = "") -> Replay:
    """The ratings with the decisions made in order.

    A decision that does not fit - because another one was taken back, or the file was read anew - is passed over and
    says so in the log.

    Parameters
    ----------
    as_read
        The ratings as read; the same value gives the same answer without work.
    decided
        The decisions, in order.
    question
        Of a form the question these ratings answer: decisions about others are passed over, and those that hold for
        every question as well where they do not fit this one.
    """
    gone = frozenset(
        d.decision.entry for d in decided if isinstance(d.decision, TakeBack) and d.question in {"", question}
    )
    state = _State(as_read)
    rows: list[LogRow] = []
    for one in reversed(_RECENT.copy()):
        if one.as_read is not as_read or (one.gone, one.question) != (gone, question):
            continue
        if one.decided != decided[: len(one.decided)]:
            continue
        if len(one.decided) == len(decided):
            return one.result
        if len(one.rows) >= len(rows):
            state, rows = one.state, list(one.rows)
    for entry in decided[len(rows) :]:
        state, row = _step(state, entry, gone, question)
        rows.append(row)
    sides = state.sides
    every = state.ratings.panel()
    result = Replay(
        all_classes=every,
        ratings=every if sides is None else sides.apply(every).panel(),
        class1=None if sides is None else sides.labels,
        class0=None if sides is None else sides.others,
        order=None if state.order_by is None else state.ratings.classes,
        log=tuple(_last_ones(rows, decided, {state.sides_by, state.order_by})),
    )
    _RECENT.append(_Played(as_read, decided, question, gone, state, tuple(rows), result))
    return result


def _step(state: _State, one: DecisionEntry, gone: frozenset[int], question: str) -> tuple[_State, LogRow]:
    """The state after an entry of the log, and its line."""
    before, standing, problem, touched = state.ratings, DecisionStatus.IN_FORCE, "", 0
    if one.id in gone:
        standing = DecisionStatus.TAKEN_BACK
    elif one.question not in {"", question}:
        standing = DecisionStatus.ELSEWHERE
    else:
        try:
            state = _after(state, one, somewhere=bool(question) and not one.question)
            touched = one.decision.touches(before)
        except TapdeskError as error:
            standing, problem = DecisionStatus.NOT_APPLIED, joined(error.what, error.fix)
            if question and not one.question:
                standing, problem = DecisionStatus.ELSEWHERE, ""
    return state, LogRow(one.id, one.when, one.reason, one.decision.words(before), touched, standing, problem)


def _after(state: _State, one: DecisionEntry, *, somewhere: bool) -> _State:
    """The state with one decision more, or its refusal; of a choice for a whole form what these ratings know of it."""
    decision = one.decision
    if isinstance(decision, SetClass1):
        if somewhere and decision.labels:
            others = None if decision.others is None else _there(decision.others, state.ratings)
            decision = SetClass1(_there(decision.labels, state.ratings), others)
            if not decision.labels or len(decision.labels) == len(state.ratings.classes):
                raise TapdeskError(_("Nothing would be counted."))
        decision.apply(state.ratings)
        return replace(state, sides=decision if decision.labels else None, sides_by=one.id)
    if isinstance(decision, MergeClasses) and somewhere:
        groups = ((into, _there(labels, state.ratings)) for into, labels in decision.groups)
        decision = MergeClasses(tuple((into, labels) for into, labels in groups if labels and labels != (into,)))
        if not decision.groups:
            raise TapdeskError(_("Nothing would be merged."))
    after = decision.apply(state.ratings)
    sides = state.sides
    if sides is not None:
        others = None if sides.others is None else _there(decision.carried(sides.others), after)
        sides = SetClass1(_there(decision.carried(sides.labels), after), others)
        # A side that is empty now is no question any more.
        if not sides.labels:
            raise TapdeskError(_("Nothing would be counted."), fix=_("Choose the counted class again first."))
        sides.apply(after)
    order_by = one.id if isinstance(decision, ReorderClasses) else state.order_by
    return replace(state, ratings=after, sides=sides, order_by=order_by)


def _there(labels: Iterable[str], ratings: Ratings) -> tuple[str, ...]:
    """The labels that are classes."""
    return tuple(label for label in labels if label in ratings.classes)


def _last_ones(rows: list[LogRow], decided: tuple[DecisionEntry, ...], by: set[int | None]) -> Iterable[LogRow]:
    """Of several choices of class 1, of the order, and of the colour of one class, only the last one holds."""
    both = [(row, one.decision) for row, one in zip(rows, decided, strict=True)]
    last = {
        d.label: row.id for row, d in both if isinstance(d, ColourClass) and row.standing is DecisionStatus.IN_FORCE
    }
    for row, decision in both:
        gone = isinstance(decision, SetClass1 | ReorderClasses) and row.id not in by
        gone = gone or (isinstance(decision, ColourClass) and last.get(decision.label) != row.id)
        replaced = gone and row.standing is DecisionStatus.IN_FORCE
        yield replace(row, standing=DecisionStatus.REPLACED) if replaced else row


BETWEEN = " \N{EN DASH} "
"""What stands between a question and the label of an analysis."""

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "knowledge": _("How much of the agreement is knowledge, how much luck?"),
        "raters": _("Who differs?"),
        "cases": _("How sure is each {subject}?"),
        "lines": _("Which line is hardest?"),
        "classes": _("Is one answer easier than the others?"),
        "enough": _("Do we have enough data?"),
        "awards": _("Who wins, and how sure?"),
        "known": _("How right are they?"),
    }
)
"""The title of each question by its key; a key is never changed or used again, for files hold it."""


def name_of(question: str, label: str) -> str:
    """What an analysis is called: the title of its question, and its label behind it.

    Parameters
    ----------
    question
        Key of the question; empty for an analysis that has a name of its own. One that this version does not know
        stands for itself.
    label
        What tells the analysis from others of the same question.
    """
    title = TITLES.get(question, question)
    return f"{title}{BETWEEN}{label}" if title and label else title or label


@dataclass(frozen=True, eq=False)
class Analysis:
    """One question and, once it was run, its answer.

    Attributes
    ----------
    label
        What tells it from other analyses of the same question; the whole name where there is no question.
    request
        What was asked.
    fit
        The answer, or None before the first run.
    stale
        Whether data or request changed after the run; the numbers stay.
    run_at
        Local date and time of the run in ISO form; empty before it.
    made_on
        Fingerprint of the ratings the answer was made on; empty where it is not known.
    question
        Key of the question (`questions.TITLES`); empty for one that was asked under a name of its own.
    """

    label: str
    request: Request
    fit: Fit | None = None
    stale: bool = False
    run_at: str = ""
    made_on: str = ""
    question: str = ""

    @property
    def name(self) -> str:
        """As shown, in the language of the program."""
        return name_of(self.question, self.label)


@dataclass(frozen=True, eq=False)
class FormQuestionWork:
    """One question of the form a project is about.

    Attributes
    ----------
    name
        As the file has it.
    reading
        Its ratings as read; None where it cannot be read.
    refused
        Why it cannot.
    analyses
        What was asked and answered of it; of the chosen question the project itself has them.
    own_page
        Whether it has a page of its own in the report of the form.
    """

    name: str
    reading: Reading | None
    refused: str = ""
    analyses: tuple[Analysis, ...] = ()
    own_page: bool = False


@dataclass(frozen=True, eq=False)
class Project:
    """Everything a user would miss if it were lost.

    Attributes
    ----------
    reading
        The ratings as read, with how they were read; None before a file is opened.
    decisions
        What was decided about the ratings, in order; the last ``undone`` of them are not in force.
    undone
        How many decisions were undone and could be done again.
    analyses
        Questions and answers.
    title
        Of the report.
    notes
        The user's words by place.
    records
        What happened to the project and is not taken back by undo, as text by the name of what keeps it; a record
        that this version does not know is kept.
    history
        What Undo and Redo can reach, for the file; None where nobody told.
    form
        Every question of the form the ratings are one question of, in the order of the file; else empty.
    question
        The name of the question whose ratings and analyses these are; empty without a form.
    """

    reading: Reading | None = None
    decisions: tuple[DecisionEntry, ...] = ()
    undone: int = 0
    analyses: tuple[Analysis, ...] = ()
    title: str = ""
    notes: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    records: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    history: "History | None" = None
    form: tuple[FormQuestionWork, ...] = ()
    question: str = ""

    # Ratings ----------------------------------------------------------------------------------------------------

    @property
    def in_force(self) -> tuple[DecisionEntry, ...]:
        """The decisions that were not undone."""
        return self.decisions[: len(self.decisions) - self.undone]

    @property
    def replayed(self) -> Replay:
        """The ratings with the decisions, and the log of them.

        Raises
        ------
        TapdeskError
            When no file is open.
        """
        if self.reading is None:
            raise TapdeskError(_("No {ratings} are open."), fix=_("Open a spreadsheet or a sample first."))
        return replay(self.reading.as_read, self.in_force, self.question)

    @property
    def all_classes(self) -> Ratings:
        """The ratings with the decisions, before any choice of class 1."""
        return self.replayed.all_classes

    @property
    def ratings(self) -> Ratings:
        """The current ratings: as read, with the decisions replayed."""
        return self.replayed.ratings

    @property
    def class1(self) -> tuple[str, ...] | None:
        """Labels of class 1, which make the data binary; None for all classes."""
        return None if self.reading is None else self.replayed.class1

    @property
    def order(self) -> tuple[str, ...] | None:
        """The chosen order of the classes, lowest first; None as read."""
        return None if self.reading is None else self.replayed.order

    @property
    def fingerprint(self) -> str:
        """Sixteen hexadecimal digits in groups of four that change with anything a report prints of the data.

        Ratings in all classes, further columns, the choice of class 1, and the decisions in force with their reasons.
        """
        played = self.replayed
        own = (d for d in self.in_force if d.question in {"", self.question})
        decided = ((d.decision.kind, d.decision, d.reason) for d in own)
        return work_fingerprint(played.ratings, played.all_classes, (played.class1, played.class0, *decided))

    @property
    def data_fingerprint(self) -> str:
        """As `fingerprint`, of the data alone: what is computed beside an answer belongs to these."""
        played = self.replayed
        return work_fingerprint(played.ratings, played.all_classes, (played.class1, played.class0))

    @property
    def ratings_fingerprint(self) -> str:
        """Of the ratings as they are analysed, whatever their classes were before: what an answer was made on.

        Reports of tapdesk 0.1.0 called this their fingerprint.
        """
        return fingerprint(self.ratings)

    def with_reading(self, reading: Reading, *, when: str | None = None) -> "Project":
        """The same work about a file read anew: decisions are made again, results marked where they do not match.

        A decision that does not fit the new ratings says so in the log. ``when`` is the moment of what the options
        decide, as in `decide`.
        """
        after = replace(self, reading=reading)
        options = reading.options
        if options.class1 is not None and set(options.class1) != set(after.class1 or ()):
            return after.decide(SetClass1(options.class1, options.class0), when=when)
        return after.refreshed()

    # The questions of a form --------------------------------------------------------------------------------------

    def with_form(self, form: tuple[FormQuestionWork, ...], question: str, *, when: str | None = None) -> "Project":
        """The same work about a form read anew, one question of it chosen; analyses of others stay with their names.

        What was decided before there was a form was decided about the question that is chosen now, but for the counted
        class, which holds for all.
        """
        kept = {one.name: one for one in self.form}
        whole = tuple(
            replace(one, analyses=kept[one.name].analyses, own_page=kept[one.name].own_page)
            if one.name in kept
            else replace(one, analyses=())
            for one in form
        )
        reading = next(one.reading for one in form if one.name == question)
        entries = self.decisions
        if not self.form:
            entries = tuple(d if isinstance(d.decision, SetClass1) else replace(d, question=question) for d in entries)
        before = replace(self, decisions=entries, form=whole, question=question)
        if reading is None:
            raise TapdeskError(next(one.refused for one in form if one.name == question))
        return before.with_reading(reading, when=when)

    def with_question(self, name: str) -> "Project":
        """The project with another question of its form chosen: its ratings, its decisions, its analyses.

        Raises
        ------
        TapdeskError
            When there is no such question, or it could not be read.
        """
        wanted = next((one for one in self.form if one.name == name), None)
        if wanted is None or wanted.reading is None:
            raise TapdeskError(
                _("There is no question '{question}'.").format(question=name) if wanted is None else wanted.refused,
                fix=_("Choose another question."),
            )
        if name == self.question:
            return self
        form = tuple(replace(one, analyses=self.analyses) if one.name == self.question else one for one in self.form)
        after = replace(self, form=form, question=name, reading=wanted.reading, analyses=wanted.analyses)
        return after.refreshed()

    def with_own_page(self, name: str, *, own: bool) -> "Project":
        """The project with a question of its form on a page of its own in the report, or without it."""
        return replace(self, form=tuple(replace(q, own_page=own) if q.name == name else q for q in self.form))

    def with_answers_of(self, other: "Project") -> "Project":
        """The project with the analyses another state of it knows, of the chosen question and of all others."""
        items = {one.name: one.analyses for one in other.form} | {other.question: other.analyses}
        form = tuple(replace(one, analyses=items.get(one.name, one.analyses)) for one in self.form)
        same = self.question == other.question
        analyses = other.analyses if same else items.get(self.question, self.analyses)
        return replace(self, analyses=analyses, form=form, records=other.records).refreshed()

    # Decisions --------------------------------------------------------------------------------------------------

    @property
    def log(self) -> tuple[LogRow, ...]:
        """The Decisions log, oldest first; undone decisions are not in it."""
        return () if self.reading is None else self.replayed.log

    @property
    def problems(self) -> tuple[LogRow, ...]:
        """Decisions that could not be applied to the ratings, each with the reason."""
        return tuple(row for row in self.log if row.standing is DecisionStatus.NOT_APPLIED)

    def decide(
        self, decision: Decision, *, reason: str = "", when: str | None = None, everywhere: bool = False
    ) -> "Project":
        """The project with one decision more; what was undone before is dropped.

        Parameters
        ----------
        decision
            What is decided.
        reason
            The user's reason.
        when
            Local date and time in ISO form; now by default. Empty where no moment is recorded, as on the command
            line, where the same command is to give the same file.
        everywhere
            Of a form: whether it holds for every question it fits, as the counted class always does.

        Raises
        ------
        TapdeskError
            When the decision does not fit the ratings; nothing is changed then.
        """
        when = datetime.now().astimezone().isoformat(timespec="seconds") if when is None else when
        number = max((d.id for d in self.decisions), default=0) + 1
        about = "" if everywhere or isinstance(decision, SetClass1) else self.question
        entry = DecisionEntry(number, decision, when, reason, about)
        after = replace(self, decisions=(*self.in_force, entry), undone=0)
        row = after.replayed.log[-1]
        if row.standing in {DecisionStatus.NOT_APPLIED, DecisionStatus.ELSEWHERE}:
            # Said by the decision itself, so that place and advice are kept apart.
            decision.apply(self.all_classes)
            raise TapdeskError(row.problem)
        return after.refreshed()

    def take_back(
        self, number: int, *, reason: str = "", when: str | None = None, everywhere: bool = True
    ) -> "Project":
        """The project without one decision, whatever came after it; see ``problems`` for those that fit no more.

        Of one that holds for every question of a form ``everywhere`` says whether only the chosen one is meant.

        Raises
        ------
        TapdeskError
            When there is no such decision, or it is taken back already.
        """
        rows = {row.id: row for row in self.log}
        entry = next((d for d in self.in_force if d.id == number), None)
        if entry is None or isinstance(entry.decision, TakeBack) or rows[number].standing is DecisionStatus.TAKEN_BACK:
            raise TapdeskError(
                _("There is no decision {number} to take back.").format(number=number),
                fix=_("Choose one that the log shows as in force."),
            )
        if entry.question and entry.question != self.question:
            # What was decided about another question is taken back there.
            there = self.with_question(entry.question).take_back(number, reason=reason, when=when)
            return there.with_question(self.question)
        return self.decide(TakeBack(number), reason=reason, when=when, everywhere=everywhere and not entry.question)

    def undo(self) -> "Project":
        """The project before the last decision; the same project when there is none."""
        if self.undone == len(self.decisions):
            return self
        return replace(self, undone=self.undone + 1).refreshed()

    def redo(self) -> "Project":
        """The project with the decision undone last; the same project when there is none."""
        return replace(self, undone=self.undone - 1).refreshed() if self.undone else self

    def with_class1(self, labels: tuple[str, ...] | None) -> "Project":
        """Another class 1; None for all classes."""
        labels = labels or ()
        same = labels == (self.class1 or ())
        return self if same else self.decide(SetClass1(labels))

    def with_order(self, order: tuple[str, ...]) -> "Project":
        """Another order of the classes, lowest first."""
        return self.decide(ReorderClasses(order))

    # Answers ----------------------------------------------------------------------------------------------------

    def with_analysis(self, analysis: Analysis) -> "Project":
        """An analysis added, or put in the place of the one with its name."""
        if analysis.fit is not None and not analysis.stale and not analysis.made_on and self.reading is not None:
            analysis = replace(analysis, made_on=self.ratings_fingerprint)
        kept = [analysis if a.name == analysis.name else a for a in self.analyses]
        if analysis.name not in {a.name for a in self.analyses}:
            kept.append(analysis)
        return replace(self, analyses=tuple(kept))

    def refreshed(self) -> "Project":
        """The same project with every answer marked as up to date or not, by the ratings it was made on."""
        if all(a.fit is None for a in self.analyses):
            return self
        now = self.ratings_fingerprint
        marked = (replace(a, stale=a.fit is not None and a.made_on != now) for a in self.analyses)
        return replace(self, analyses=tuple(marked))

    def with_note(self, place: str, words: str) -> "Project":
        """The user's words at a place of the report; empty words remove them."""
        notes = {k: v for k, v in self.notes.items() if k != place} | ({place: words} if words else {})
        return replace(self, notes=MappingProxyType(notes))

    def with_record(self, name: str, words: str) -> "Project":
        """The project with a record put in the place of the one of that name; see ``records``."""
        return replace(self, records=MappingProxyType({**self.records, name: words}))


@dataclass(frozen=True, eq=False)
class History:
    """What Undo and Redo can reach: the states of a project, each one step after the other.

    Attributes
    ----------
    states
        Projects without answers, records and history of their own; never empty.
    texts
        What each step did, in the words of the Edit menu; one less than states.
    at
        The state that is shown.

    Raises
    ------
    ValueError
        When the numbers do not fit together.
    """

    states: tuple[Project, ...]
    texts: tuple[str, ...]
    at: int

    def __post_init__(self) -> None:
        """Refuse what is no history."""
        if len(self.states) != len(self.texts) + 1 or not 0 <= self.at < len(self.states):
            raise ValueError("a history has one text for each step, and shows one of its states")
