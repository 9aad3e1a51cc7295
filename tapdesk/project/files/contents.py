"""What of a project goes into its file: nothing that follows from the rest, and nothing that cannot be kept."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit, Posterior
from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import DecisionEntry, TakeBack
from tapdesk.project.decisions.names import NameRaters, NumberCases
from tapdesk.project.files.codec import DamagedError
from tapdesk.project.project import Analysis, FormQuestionWork, History, Project
from tapdesk.ratings.findings import Account, Finding
from tapdesk.ratings.label_sets import as_asked
from tapdesk.ratings.options import Preview, ReadingOptions, Source
from tapdesk.ratings.ratings import Ratings, fingerprint
from tapdesk.ratings.reading import Reading

MOST_STEPS = 100
MOST_SIGNS = 4_000_000  # of the words that steps keep: a logo of the report is words as well
MOST_DECISIONS = 4_000_000  # in all states together
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class StoredStep:
    """A state by what differs from the one before it.

    Attributes
    ----------
    text
        What the step did; empty for the first state.
    keeps, adds
        How many of the decisions before stay, and the places of those that follow, counted through the decisions of
        the project and those of the history.
    undone, title
        As in `Project`.
    notes
        Words that are not what they were; None for those that are gone.
    question
        As in `Project`.
    """

    text: str
    keeps: int
    adds: tuple[int, ...]
    undone: int
    title: str
    notes: Mapping[str, str | None]
    question: str = ""


@dataclass(frozen=True, eq=False)
class StoredHistory:
    """A history as it is kept: the decisions that the project itself has no more, and every state.

    The notes of the first state are told by what differs from those of the project.
    """

    decisions: tuple[DecisionEntry, ...]
    steps: tuple[StoredStep, ...]
    at: int


def undoable_part(project: Project) -> Project:
    """What Undo and Redo bring back of a project: neither answers nor what is only recorded."""
    form = tuple(replace(one, analyses=()) for one in project.form)
    return replace(project, analyses=(), records=_NOTHING, history=None, form=form)


def current_history(project: Project) -> History | None:
    """The history of a project, with what happened to it since as a step of its own; None where it is of other data."""
    history = project.history
    if history is None or not _of_one_file(history.states[history.at], project):
        return None
    if _alike(history.states[history.at], project):
        return history
    states = (*history.states[: history.at + 1], undoable_part(project))
    return History(states, (*history.texts[: history.at], _("Changes made outside the window")), history.at + 1)


def _stored_history(project: Project) -> StoredHistory | None:
    """What of the history of a project is kept; None where there is nothing to undo or to redo."""
    history = current_history(project)
    if history is None:
        return None
    first, last = _range(history)
    states = history.states[first : last + 1]
    if len(states) == 1:
        return None
    places = {id(one): i for i, one in enumerate(project.decisions)}
    more: list[DecisionEntry] = []
    for one in (one for state in states for one in state.decisions):
        if id(one) not in places:
            places[id(one)] = len(project.decisions) + len(more)
            more.append(one)
    befores = (Project(notes=project.notes), *states)
    texts = ("", *history.texts[first:last])
    steps = tuple(_step(*row, places) for row in zip(texts, befores, states, strict=False))
    return StoredHistory(tuple(more), steps, history.at - first)


def _restored_history(kept: StoredHistory, project: Project) -> History:
    """The history of a project that was read."""
    if not 1 < len(kept.steps) <= MOST_STEPS + 1 or not 0 <= kept.at < len(kept.steps):
        raise DamagedError("what can be undone does not fit together")
    pool = (*project.decisions, *kept.decisions)
    before: tuple[DecisionEntry, ...] = ()
    notes = dict(project.notes)
    states: list[Project] = []
    count = 0
    for step in kept.steps:
        before = _decisions(step, before, pool)
        count += len(before)
        if count > MOST_DECISIONS:
            raise DamagedError("more can be undone than this program keeps")
        for place, words in step.notes.items():
            if words is None:
                notes.pop(place, None)
            else:
                notes[place] = words
        shown = MappingProxyType(dict(notes))
        at = step.question or project.question
        reading = next((one.reading for one in project.form if one.name == at), project.reading)
        state = Project(reading, before, step.undone, title=step.title, notes=shown, question=at)
        states.append(replace(state, form=tuple(replace(one, analyses=()) for one in project.form)))
    if not _alike(states[kept.at], project):
        raise DamagedError("what can be undone is not of this project")
    return History(tuple(states), tuple(step.text for step in kept.steps[1:]), kept.at)


def _decisions(
    step: StoredStep, before: tuple[DecisionEntry, ...], pool: Sequence[DecisionEntry]
) -> tuple[DecisionEntry, ...]:
    """The decisions of a state."""
    if not 0 <= step.keeps <= len(before) or not all(0 <= place < len(pool) for place in step.adds):
        raise DamagedError("what can be undone names decisions that are not there")
    decisions = (*before[: step.keeps], *(pool[place] for place in step.adds))
    numbers = [one.id for one in decisions]
    if any(one >= other for one, other in pairwise(numbers)):
        raise DamagedError("decisions that can be undone are not in order")
    if not 0 <= step.undone <= len(decisions):
        raise DamagedError("more was undone than was done")
    return decisions


def _step(text: str, before: Project, state: Project, places: Mapping[int, int]) -> StoredStep:
    """A state as it is kept."""
    pairs = zip(before.decisions, state.decisions, strict=False)
    keeps = next((i for i, (one, other) in enumerate(pairs) if one is not other), None)
    if keeps is None:
        keeps = min(len(before.decisions), len(state.decisions))
    adds = tuple(places[id(one)] for one in state.decisions[keeps:])
    notes: dict[str, str | None] = {k: v for k, v in state.notes.items() if before.notes.get(k) != v}
    notes |= dict.fromkeys(before.notes.keys() - state.notes.keys())
    words = MappingProxyType(dict(sorted(notes.items())))
    return StoredStep(text, keeps, adds, state.undone, state.title, words, state.question)


def _alike(one: Project, other: Project) -> bool:
    """Whether Undo would find no difference between two states about the same ratings."""
    if len(one.decisions) != len(other.decisions):
        return False
    decided = all(a is b or a == b for a, b in zip(one.decisions, other.decisions, strict=True))
    plain = one.undone, one.title, one.notes, one.question
    return decided and plain == (other.undone, other.title, other.notes, other.question)


def _of_one_file(one: Project, other: Project) -> bool:
    """Whether two states are about the same ratings, or about questions of the same form."""
    if not one.form and not other.form:
        return one.reading is other.reading
    names = [[part.name for part in state.form] for state in (one, other)]
    return names[0] == names[1] and all(a.reading is b.reading for a, b in zip(one.form, other.form, strict=True))


def _range(history: History) -> tuple[int, int]:
    """The first and the last state that may be kept; what can be undone is worth more than what can be redone."""
    at, states = history.at, history.states
    hidden = _hiding(states[at])
    room, signs, count = MOST_STEPS, 0, len(states[at].decisions)
    ends = []
    for by in (-1, 1):
        end = at
        while room and 0 <= end + by < len(states):
            state, neighbours = states[end + by], states[end]
            signs += _signs(state, neighbours)
            count += len(state.decisions)
            if not _of_one_file(state, neighbours) or not hidden <= _hiding(state):
                break
            if signs > MOST_SIGNS or count > MOST_DECISIONS:
                break
            end, room = end + by, room - 1
        ends.append(end)
    return ends[0], ends[1]


def _signs(one: Project, other: Project) -> int:
    """How much it takes to tell the words of one state by those of another."""
    sentences = (words for place, words in one.notes.items() if other.notes.get(place) is not words)
    return len(one.title) + sum(map(len, sentences)) + sum(len(w) for p, w in other.notes.items() if p not in one.notes)


def _hiding(state: Project) -> frozenset[int]:
    """The numbers of the decisions in force that put other names in the place of names."""
    back = {one.decision.entry for one in state.in_force if isinstance(one.decision, TakeBack)}
    names = (one.id for one in state.in_force if isinstance(one.decision, NameRaters | NumberCases))
    return frozenset(names) - back


_KEPT_DRAWS = 4000


@dataclass(frozen=True, eq=False)
class StoredReading:
    """A reading as it is kept: as `Reading`, ``ratings`` only where they do not follow from the options.

    Files of earlier versions do not hold ``asked``: there every guess counts as said; nor ``account``.
    """

    as_read: Ratings
    source: Source
    options: ReadingOptions
    findings: tuple[Finding, ...]
    missing: int
    missing_by: Mapping[str, int]
    left_out_subjects: int
    left_out_ratings: int
    preview: Preview
    ratings: Ratings | None = None
    asked: ReadingOptions | None = None
    account: Account | None = None
    sets: Ratings | None = None


@dataclass(frozen=True, eq=False)
class StoredQuestion:
    """A question of a form as it is kept: as `FormQuestionWork`; of the chosen one the project has the ratings."""

    name: str
    reading: StoredReading | None
    refused: str
    analyses: tuple[Analysis, ...]
    own_page: bool = False


@dataclass(frozen=True, eq=False)
class StoredProject:
    """A project as it is kept: as `Project`. A field with a default may be missing in a file, no other one may."""

    reading: StoredReading | None
    decisions: tuple[DecisionEntry, ...]
    undone: int
    analyses: tuple[Analysis, ...]
    title: str
    notes: Mapping[str, str]
    records: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    history: StoredHistory | None = None
    form: tuple[StoredQuestion, ...] = ()
    question: str = ""


def stored_project(project: Project) -> StoredProject:
    """What of a project is written."""
    analyses = _kept_analyses(project.analyses)
    reading = None if project.reading is None else _kept_reading(project.reading)
    history = _stored_history(project)
    form = tuple(_kept_question(one, project.question) for one in project.form)
    return StoredProject(
        reading, project.decisions, project.undone, analyses, project.title, project.notes, project.records, history,
        form, project.question,
    )  # fmt: skip


def _kept_analyses(analyses: tuple[Analysis, ...]) -> tuple[Analysis, ...]:
    return tuple(a if a.fit is None else replace(a, fit=_keepable(a.fit)) for a in analyses)


def _kept_question(one: FormQuestionWork, chosen: str) -> StoredQuestion:
    here = one.name == chosen or one.reading is None
    reading = None if here or one.reading is None else _kept_reading(one.reading)
    analyses = () if one.name == chosen else _kept_analyses(one.analyses)
    return StoredQuestion(one.name, reading, one.refused, analyses, one.own_page)


def _restored_form(kept: StoredProject, chosen: Reading | None) -> tuple[FormQuestionWork, ...]:
    names = [one.name for one in kept.form]
    if len(set(names)) < len(names) or (bool(names) != bool(kept.question)):
        raise DamagedError("its questions do not fit together")
    if names and (kept.question not in names or chosen is None):
        raise DamagedError("the question it shows is none of its form")
    form = []
    for one in kept.form:
        reading = None if one.reading is None else _reading(one.reading)
        if one.name == kept.question:
            reading = chosen
        elif reading is None and (one.analyses or not one.refused):
            raise DamagedError("the ratings of a question are missing")
        form.append(FormQuestionWork(one.name, reading, one.refused, one.analyses, one.own_page))
    return tuple(form)


def restored_project(kept: StoredProject) -> Project:
    """The project of what was read.

    Raises
    ------
    DamagedError
        When its parts do not fit together.
    """
    if not 0 <= kept.undone <= len(kept.decisions):
        raise DamagedError("more was undone than was done")
    numbers = [d.id for d in kept.decisions]
    if numbers != sorted(set(numbers)):
        raise DamagedError("its decisions are not in order")
    reading = None if kept.reading is None else _reading(kept.reading)
    if reading is None and (kept.decisions or any(a.fit is not None for a in kept.analyses)):
        raise DamagedError("its ratings are missing")
    form = _restored_form(kept, reading)
    project = Project(
        reading, kept.decisions, kept.undone, kept.analyses, kept.title, kept.notes, kept.records,
        form=form, question=kept.question,
    )  # fmt: skip
    return project if kept.history is None else replace(project, history=_restored_history(kept.history, project))


# Draws cost time, and the same fit is written again and again.
@lru_cache(maxsize=8)
def _keepable(fit: Fit) -> Fit:
    """A fit whose posterior holds draws instead of the machinery that makes them."""
    posterior = fit.posterior
    if not isinstance(posterior, Posterior) or posterior.sampler is None:
        return fit
    sample = posterior.sample or posterior.draws(_KEPT_DRAWS, fit.seed)
    return replace(fit, posterior=replace(posterior, sampler=None, sample=sample))


def _kept_reading(r: Reading) -> StoredReading:
    parts = {one.name: getattr(r, one.name) for one in fields(StoredReading)}
    return StoredReading(**parts | {"ratings": None if _follows(r) else r.ratings})


def _follows(r: Reading) -> bool:
    """Whether the ratings are those that the options make of the ratings as read."""
    try:
        asked = r.options if r.sets is None else replace(r.options, label=None)
        return r.ratings is r.as_read or fingerprint(as_asked(r.as_read, asked)) == fingerprint(r.ratings)
    except TapdeskError:
        return False


def _reading(k: StoredReading) -> Reading:
    try:
        # Of a question about one label the ratings as read say yes or no.
        asked = k.options if k.sets is None else replace(k.options, label=None)
        ratings = as_asked(k.as_read, asked) if k.ratings is None else k.ratings
    except TapdeskError as problem:
        raise DamagedError(f"its class 1 cannot be: {problem.what}") from problem
    parts = {one.name: getattr(k, one.name) for one in fields(StoredReading)}
    return Reading(**parts | {"ratings": ratings, "asked": k.options if k.asked is None else k.asked})
