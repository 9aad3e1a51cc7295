"""What the data show that a user should know: all checks of a reading in one place."""

from tapdesk.progress import Run, Step
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.names import table_findings
from tapdesk.ratings.checks.panel import panel_findings
from tapdesk.ratings.checks.values import refuse_what_is_no_rating, value_findings, values_of
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.table import Table


def checked(
    table: Table, found: Roles, made: Assembled, name: str, decimal: str, options: ReadingOptions
) -> Run[tuple[Finding, ...]]:
    """Everything noticed in some ratings.

    Raises
    ------
    TapdeskError
        When what stands in the place of ratings is something else: identifiers, dates, comments.
    """
    values = values_of(made, decimal)
    if made.cells.classes is None:
        refuse_what_is_no_rating(values, name, options)
    findings: list[Finding] = []
    for kind in (
        value_findings(values, made, options),
        panel_findings(made, found, options),
        table_findings(table, found, made),
    ):
        # Findings come one by one, so that a window hears of each check as it ends.
        while (finding := next(kind, None)) is not None:
            findings.append(finding)
            yield Step(table.rows, table.rows, "read")
    return tuple(findings)
