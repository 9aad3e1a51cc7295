"""What an offer to do something about a finding is, and what the offers of all kinds have in common."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision, LeaveAsRead
from tapdesk.project.decisions.ratings import LeaveOutRaters, LeaveOutSubjects
from tapdesk.ratings.findings import Finding, label_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading

MOST = 4
"""More links than this under one finding are no help."""


@dataclass(frozen=True)
class Fix:
    """One thing that can be done about a finding.

    Attributes
    ----------
    words
        What the link says.
    decision
        What is decided; None where the file is read again instead, or a place of the window is shown.
    options
        The reading options that change, by the names of their fields.
    place
        The part of the window where the user does it: ``header``, ``subject`` or ``categories``; else empty.
    everywhere
        Whether the decision is about every question of a form that it fits.
    """

    words: str
    decision: Decision | None = None
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    place: str = ""
    everywhere: bool = False


@dataclass(frozen=True)
class Case:
    """A finding, the reading that noticed it, and the ratings with the decisions made so far."""

    finding: Finding
    reading: Reading
    now: Ratings

    @property
    def names(self) -> tuple[str, ...]:
        """The first group of names that the finding is about."""
        return self.finding.about[0] if self.finding.about else ()

    @property
    def layout(self) -> Layout:
        """How the file was read."""
        return self.reading.source.layout

    def raters(self) -> tuple[str, ...]:
        """The names that are raters still."""
        return still_there(self.names, self.now.raters)

    def leave(self, words: str) -> Fix:
        """Look at the finding and leave it as it was read."""
        return Fix(words, LeaveAsRead(self.finding.code, self.finding.about, self.finding.message))


def still_there(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names that are still known."""
    among = frozenset(known)
    return tuple(n for n in names if n in among)


def read_again(words: str, **options: Any) -> Fix:
    """Read the file again in another way."""
    return Fix(words, options=MappingProxyType(options))


def name_list(names: Iterable[str]) -> str:
    """The first names of some in one line."""
    return ", ".join(label_text(n) for n in tuple(names)[:3])


def leave_out(decision: LeaveOutRaters | LeaveOutSubjects) -> Fix:
    """Leave out raters or cases."""
    return Fix(_("Leave out {names}").format(names=name_list(decision.names)), decision)


Offer: TypeAlias = Fix | str | Callable[[Case], Iterable[Fix]]
"""What is always the same; the words for leaving it as read; what names make."""
RIGHT = _("That is right")
