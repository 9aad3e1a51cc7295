"""What the data show that a user should know: all checks of a reading in one place."""

from collections.abc import Sequence

import numpy as np

from tapdesk.errors import Ways
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.checks.cell_remarks import remark_findings
from tapdesk.ratings.checks.columns import column_findings
from tapdesk.ratings.checks.damaged import damaged_findings
from tapdesk.ratings.checks.distinct import values_of
from tapdesk.ratings.checks.names import table_findings
from tapdesk.ratings.checks.panel import panel_findings
from tapdesk.ratings.checks.unfit import refuse_what_is_no_rating
from tapdesk.ratings.checks.values import value_findings
from tapdesk.ratings.findings import Finding, shown
from tapdesk.ratings.layouts.roles import Roles, distinct
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import Table

_STEPS = 20


def by_cause(findings: Sequence[Finding], made: Assembled) -> tuple[Finding, ...]:
    """Findings without those that another explains: the numbers of a row of totals, a column asked about twice.

    What blocks because of a row or column as a whole comes before what blocks because of single ratings.
    """
    codes = {f.code for f in findings}
    kept = list(findings)
    if "summary_row" in codes and "numbers_among_words" in codes:
        sums = {name for f in findings if f.code == "summary_row" for name in f.about[0]}
        numbers = {text for f in findings if f.code == "numbers_among_words" for text in f.about[0]}
        ratings = made.ratings
        rated = np.isin(ratings.category, [i for i, c in enumerate(ratings.classes) if c in numbers])
        if {ratings.subjects[i] for i in np.unique(ratings.subject[rated])} <= sums:
            kept = [f for f in kept if f.code != "numbers_among_words"]
    return tuple(sorted(kept, key=lambda f: f.code == "numbers_among_words"))


def _other_columns(table: Table, found: Roles) -> Ways:
    """Columns of a long table that could hold the ratings instead: those with a few texts."""
    if found.layout is not Layout.LONG:
        return ()
    taken = {found.subject, found.rater, found.rating}
    few = [n for n in table.names if n not in taken and 1 < len(distinct(table, n)) <= _STEPS]
    return [(_("“{n}” holds the ratings").format(n=shown(n)), {"layout": Layout.LONG, "rating": n}) for n in few[:6]]


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
        refuse_what_is_no_rating(values, name, options, _other_columns(table, found))
    findings: list[Finding] = []
    for kind in (
        value_findings(values, made, options),
        panel_findings(made, found, options),
        column_findings(table, found, made, options),
        table_findings(table, found, made, options),
        damaged_findings(table, found, made),
        remark_findings(table, found),
    ):
        # Findings come one by one, so that a window hears of each check as it ends.
        while (finding := next(kind, None)) is not None:
            findings.append(finding)
            yield Step(table.rows, table.rows, "read")
    return by_cause(findings, made)
