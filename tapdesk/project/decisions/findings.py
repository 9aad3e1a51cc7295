"""The decision to leave something that was noticed as it was read."""

from dataclasses import dataclass
from typing import ClassVar

from tapdesk.language import gettext as _
from tapdesk.project.decisions.base import Decision
from tapdesk.ratings.findings import Groups
from tapdesk.ratings.ratings import Ratings


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

    def words(self, before: Ratings) -> str:
        """What was looked at."""
        del before
        return _("Looked at and left as read: {message}").format(message=self.message)

    def touches(self, before: Ratings) -> int:
        """No rating changes."""
        del before
        return 0

    def apply(self, before: Ratings) -> Ratings:
        """The same ratings."""
        return before
