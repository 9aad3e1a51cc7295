"""A run that was asked for, complete: nothing is read from the window when its turn comes."""

from dataclasses import dataclass

from tapdesk.gui.document import Data
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request


@dataclass(frozen=True, eq=False)
class Asked:
    """A run that was asked for: of which analysis, what, and on which ratings."""

    name: str
    request: Request
    data: Data
    ratings: Ratings

    def same(self, other: "Asked | None") -> bool:
        """Whether the same was asked of the same data."""
        if other is None:
            return False
        return (self.name, self.request, self.data) == (other.name, other.request, other.data)
