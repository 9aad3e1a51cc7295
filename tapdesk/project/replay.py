"""From the ratings as read and the decisions about them to the ratings as they are now, and the log of it."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.decisions.base import Decided, Decision
from tapdesk.project.decisions.classes import ReorderClasses, SetClass1
from tapdesk.project.decisions.labels import ColourClass
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class TakeBack(Decision):
    """An earlier decision is no longer meant; it stays in the log, marked.

    Attributes
    ----------
    entry
        Number of that decision in the log.
    """

    kind: ClassVar[str] = "take_back"
    entry: int

    def words(self, before: Ratings) -> str:
        """Which one."""
        del before
        return _("Decision {number} is taken back.").format(number=self.entry)

    def touches(self, before: Ratings) -> int:
        """Told by the decision taken back."""
        del before
        return 0

    def apply(self, before: Ratings) -> Ratings:
        """Nothing by itself: the replay passes over the decision."""
        return before


class Standing(Enum):
    """What became of a decision."""

    IN_FORCE = _("in force")
    REPLACED = _("replaced by a later decision")
    TAKEN_BACK = _("taken back")
    NOT_APPLIED = _("not applied")


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the Decisions log.

    Attributes
    ----------
    id, when, reason
        As in `Decided`.
    words
        What was decided.
    touches
        How many ratings it changes or leaves out.
    standing
        What became of it.
    problem
        Why it was not applied; else empty.
    """

    id: int
    when: str
    reason: str
    words: str
    touches: int
    standing: Standing
    problem: str = ""


@dataclass(frozen=True, eq=False)
class Replayed:
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
    decided: tuple[Decided, ...]
    gone: frozenset[int]
    state: _State
    rows: tuple[LogRow, ...]
    result: Replayed


# The project shown and the one before it: with them, one decision more or less is one step. A longer memory would keep
# data of the past.
_RECENT: deque[_Played] = deque(maxlen=2)


def replayed(as_read: Ratings, decided: tuple[Decided, ...]) -> Replayed:
    """The ratings with the decisions made in order.

    A decision that does not fit - because another one was taken back, or the file was read anew - is passed over and
    says so in the log.

    Parameters
    ----------
    as_read
        The ratings as read; the same value gives the same answer without work.
    decided
        The decisions, in order.
    """
    gone = frozenset(d.decision.entry for d in decided if isinstance(d.decision, TakeBack))
    state = _State(as_read)
    rows: list[LogRow] = []
    for one in reversed(_RECENT.copy()):
        if one.as_read is not as_read or one.gone != gone or one.decided != decided[: len(one.decided)]:
            continue
        if len(one.decided) == len(decided):
            return one.result
        if len(one.rows) >= len(rows):
            state, rows = one.state, list(one.rows)
    for entry in decided[len(rows) :]:
        state, row = _step(state, entry, gone)
        rows.append(row)
    sides = state.sides
    every = state.ratings.panel()
    result = Replayed(
        all_classes=every,
        ratings=every if sides is None else sides.apply(every).panel(),
        class1=None if sides is None else sides.labels,
        class0=None if sides is None else sides.others,
        order=None if state.order_by is None else state.ratings.classes,
        log=tuple(_last_ones(rows, decided, {state.sides_by, state.order_by})),
    )
    _RECENT.append(_Played(as_read, decided, gone, state, tuple(rows), result))
    return result


def _step(state: _State, one: Decided, gone: frozenset[int]) -> tuple[_State, LogRow]:
    """The state after an entry of the log, and its line."""
    before, standing, problem, touched = state.ratings, Standing.IN_FORCE, "", 0
    if one.id in gone:
        standing = Standing.TAKEN_BACK
    else:
        try:
            state = _after(state, one)
            touched = one.decision.touches(before)
        except TapdeskError as error:
            standing, problem = Standing.NOT_APPLIED, joined(error.what, error.fix)
    return state, LogRow(one.id, one.when, one.reason, one.decision.words(before), touched, standing, problem)


def _after(state: _State, one: Decided) -> _State:
    """The state with one decision more, or its refusal."""
    decision = one.decision
    if isinstance(decision, SetClass1):
        decision.apply(state.ratings)
        return replace(state, sides=decision if decision.labels else None, sides_by=one.id)
    after = decision.apply(state.ratings)
    sides = state.sides
    if sides is not None:
        others = None if sides.others is None else _there(decision.carried(sides.others), after)
        sides = SetClass1(_there(decision.carried(sides.labels), after), others)
        # A side that is empty now is no question any more.
        if not sides.labels:
            raise TapdeskError(_("Class 1 would be empty."), fix=_("Choose class 1 again first."))
        sides.apply(after)
    order_by = one.id if isinstance(decision, ReorderClasses) else state.order_by
    return replace(state, ratings=after, sides=sides, order_by=order_by)


def _there(labels: Iterable[str], ratings: Ratings) -> tuple[str, ...]:
    """The labels that are classes."""
    return tuple(label for label in labels if label in ratings.classes)


def _last_ones(rows: list[LogRow], decided: tuple[Decided, ...], by: set[int | None]) -> Iterable[LogRow]:
    """Of several choices of class 1, of the order, and of the colour of one class, only the last one holds."""
    both = [(row, one.decision) for row, one in zip(rows, decided, strict=True)]
    last = {d.label: row.id for row, d in both if isinstance(d, ColourClass) and row.standing is Standing.IN_FORCE}
    for row, decision in both:
        gone = isinstance(decision, SetClass1 | ReorderClasses) and row.id not in by
        gone = gone or (isinstance(decision, ColourClass) and last.get(decision.label) != row.id)
        replaced = gone and row.standing is Standing.IN_FORCE
        yield replace(row, standing=Standing.REPLACED) if replaced else row
