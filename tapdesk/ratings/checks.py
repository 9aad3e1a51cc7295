"""What the data show that a user should know."""

from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.roles import Roles
from tapdesk.ratings.table import Table


def checked(table: Table, found: Roles, made: Assembled, options: ReadingOptions) -> tuple[Finding, ...]:
    """Everything noticed in the ratings."""
    return ()
