"""One thing that can be done about a finding, and what all such offers share."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from tapdesk.project.decisions.base import Decision
from tapdesk.project.decisions.findings import LeaveAsRead
from tapdesk.ratings.findings import Finding

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
    """

    words: str
    decision: Decision | None = None
    options: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    place: str = ""


def read_with(words: str, **options: Any) -> Fix:
    """Read the file again in another way."""
    return Fix(words, options=MappingProxyType(options))


def left(finding: Finding, words: str) -> Fix:
    """Look at a finding and leave it as it was read."""
    return Fix(words, LeaveAsRead(finding.code, finding.about, finding.message))


def there(names: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names that are still known."""
    among = frozenset(known)
    return tuple(n for n in names if n in among)
