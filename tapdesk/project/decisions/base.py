"""What the user decided about the data after they were read: each a value that can be told, redone and taken back."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Groups
from tapdesk.ratings.ratings import Covariate, Ratings

Mask = NDArray[np.bool_]


class Decision(ABC):
    """One change of the ratings.

    Attributes
    ----------
    kind
        A short fixed name, written into project files.
    """

    __slots__ = ()
    kind: ClassVar[str]

    @abstractmethod
    def words(self, before: Ratings) -> str:
        """What was decided, one or two sentences; ``before`` are the ratings it is applied to."""

    def touches(self, _before: Ratings) -> int:
        """How many ratings it changes or leaves out, tallied ones counted as often as they stand for."""
        return 0

    def apply(self, before: Ratings) -> Ratings:
        """The ratings with the decision.

        Raises
        ------
        TapdeskError
            When it does not fit these ratings: a name is gone, or no rating would be left.
        """
        return before

    def carried(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Labels chosen as one side of a binary question before the decision, as they are called after it.

        Raises
        ------
        TapdeskError
            When the decision cuts across the side.
        """
        return labels


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """A decision in the log.

    Attributes
    ----------
    id
        Number of the entry, never used twice in a project.
    decision
        What was decided.
    when
        Local date and time in ISO form.
    reason
        The user's reason; may be empty.
    question
        Of a form the question it is about; empty where it holds for every question it fits, and where there is one.
    """

    id: int
    decision: Decision
    when: str
    reason: str = ""
    question: str = ""


def place_of(name: str, names: tuple[str, ...], what: str) -> int:
    """Where a name stands, or a refusal: ``what`` is ``case``, ``rater`` or ``class``."""
    if name not in names:
        raise TapdeskError(
            _("There is no {what} '{name}' in the data as they are now.").format(what=what, name=name),
            fix=_("Take this decision back, or correct the name."),
        )
    return names.index(name)


def places_of(chosen: Iterable[str], names: tuple[str, ...], what: str) -> Mask:
    """Shape (number of names,): which names are chosen, or a refusal that names the first unknown one."""
    wanted = set(chosen)
    if not wanted:
        raise TapdeskError(
            _("No {what} is named.").format(what=what), fix=_("Choose at least one {what}.").format(what=what)
        )
    for name in sorted(wanted - set(names)):
        place_of(name, names, what)
    return chosen_mask(wanted, names)


def chosen_mask(chosen: Iterable[str], names: tuple[str, ...]) -> Mask:
    """Shape (number of names,): which names are chosen; a name that is not there is passed over."""
    wanted = set(chosen)
    return np.array([name in wanted for name in names], dtype=bool)


def rating_total(ratings: Ratings, which: Mask) -> int:
    """How many of the ratings a mask of shape (m,) chooses, tallied ones counted as often as they stand for."""
    if ratings.weight is None:
        return int(which.sum())
    return int(ratings.weight[ratings.subject[which]].sum())


def keep_only(ratings: Ratings, which: Mask) -> Ratings:
    """Only some of the ratings, shape (m,); refused when none would be left."""
    if not which.any():
        raise TapdeskError(_("No {rating} would be left."), fix=_("Leave out less."))
    return ratings.keep(which)


def refuse_tallies(ratings: Ratings) -> None:
    """Refuse tallied data, where no rating can be told from the others."""
    if ratings.weight is not None:
        raise TapdeskError(
            _("These data are tallied, so there are no single {subjects} to change."),
            fix=_("Change the tallies in the file."),
        )


def unknown_value(column: Covariate) -> float | str:
    """What stands in a further column where nothing is known."""
    return float("nan") if column.values.dtype.kind == "f" else ""


@dataclass(frozen=True, slots=True)
class LeaveAsRead(Decision):
    """Something that was noticed is right as it was read: it was looked at, and nothing changes.

    Attributes
    ----------
    code, about
        Of the finding.
    message
        What was noticed.
    """

    kind: ClassVar[str] = "as_read"
    code: str
    about: Groups
    message: str

    def words(self, _before: Ratings) -> str:
        """What was looked at."""
        return _("Looked at and left as read: {message}").format(message=self.message)


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

    def words(self, _before: Ratings) -> str:
        """Which one."""
        return _("Decision {number} is taken back.").format(number=self.entry)


class DecisionStatus(Enum):
    """What became of a decision."""

    IN_FORCE = _("in force")
    REPLACED = _("replaced by a later decision")
    TAKEN_BACK = _("taken back")
    NOT_APPLIED = _("not applied")
    ELSEWHERE = _("about other questions of the form")


@dataclass(frozen=True, slots=True)
class LogRow:
    """A line of the Decisions log.

    Attributes
    ----------
    id, when, reason
        As in `DecisionEntry`.
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
    standing: DecisionStatus
    problem: str = ""
