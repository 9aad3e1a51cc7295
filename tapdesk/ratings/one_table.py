"""Several tables below each other: headers that come again."""

import re

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.findings import Finding, ask, note, quoted, rows_named
from tapdesk.ratings.grid import Grid
from tapdesk.ratings.header_levels import same_row
from tapdesk.ratings.numbers import is_number
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import IntArray

_RULE = re.compile(r"[:|+]?[-=_]{3,}[:|+]?")


def one_table(grid: Grid, header: int, body: IntArray, options: ReadingOptions, findings: list[Finding]) -> IntArray:
    """The rows without those that repeat the header; a header with other names is asked about and stays.

    Parameters
    ----------
    grid
        The cells.
    header
        The last row of the header, counted from 0.
    body
        The rows below it, counted from 0.
    options
        Where the user said where the table ends, nothing is asked.
    findings
        What was noticed is told here.
    """
    body = _without_headers(grid, header, _without_rule(grid, header, body, findings), findings)
    other = _other_header(grid, header, body)
    if other is not None and options.last is None:
        names = [t.strip() for t in grid.row(other) if t.strip()]
        findings.append(
            ask(
                "second_table",
                rows_named([other + 1]),
                _("In row {row} another table seems to begin, with a header of its own: {names}.").format(
                    row=other + 1, names=quoted(names)
                ),
                _("If so, read the first table only, or put each table into a file or sheet of its own."),
                _("All rows are read as one table, this one too."),
                ((str(other + 1),),),
            )
        )
    return body


def _without_rule(grid: Grid, header: int, body: IntArray, findings: list[Finding]) -> IntArray:
    """The rows without a line of dashes below the header, as tables drawn in text have."""
    if not body.size or body[0] != header + 1:
        return body
    texts = [c.text(header + 1).strip() for c in grid.columns]
    if not any(texts) or not all(_RULE.fullmatch(t) for t in texts if t):
        return body
    told = _("Below the header a line of dashes is drawn.")
    findings.append(note("rule_line", rows_named([header + 2]), told, default=_("It is no case and is left out.")))
    return body[1:]


def _other_header(grid: Grid, header: int, body: IntArray) -> int | None:
    """The first row that begins as the header does and goes on with words that stand nowhere else below it."""
    first = grid.columns[0]
    head = first.text(header).strip()
    if not head or is_number(head) or len(grid.columns) < 2:
        return None
    # A case may be called so; names of columns are words that no other row has in their place.
    for row in body[
        np.isin(first.codes[body], [i for i, v in enumerate(first.values) if head in v and v.strip() == head])
    ][:1]:
        here = [c for c in grid.columns[1:] if c.text(int(row)).strip()]
        alone = [c for c in here if int((c.codes[body] == c.codes[row]).sum()) == 1 and not is_number(c.text(int(row)))]
        if len(here) > 1 and len(alone) == len(here) and body[-1] > row:
            return int(row)
    return None


def _without_headers(grid: Grid, header: int, body: IntArray, findings: list[Finding]) -> IntArray:
    """The rows without those that repeat the header, as tables that were put below each other have."""
    again = same_row(grid, header)[body]
    if not again.any():
        return body
    rows = [int(r) + 1 for r in body[again]]
    message = ngettext(
        "Further down a row holds the header once more.", "Further down some rows hold the header once more.", len(rows)
    )
    default = ngettext("It is no case and is left out.", "They are no cases and are left out.", len(rows))
    findings.append(note("header_again", rows_named(rows), message, default=default))
    rest: IntArray = body[~again]
    return rest
