"""A run that was asked for, complete: nothing is read from the window when its turn comes."""

from dataclasses import dataclass

from tapdesk.gui.document import Data
from tapdesk.project.project import name_of
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request


@dataclass(frozen=True, eq=False)
class Asked:
    """A run that was asked for: of which question, under which label, what, and on which ratings."""

    question: str
    label: str
    request: Request
    data: Data
    ratings: Ratings

    @property
    def name(self) -> str:
        """Of the analysis."""
        return name_of(self.question, self.label)

    def same(self, other: "Asked | None") -> bool:
        """Whether the same was asked of the same data."""
        if other is None:
            return False
        return (self.name, self.request, self.data) == (other.name, other.request, other.data)
