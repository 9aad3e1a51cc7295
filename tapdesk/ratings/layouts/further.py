"""Columns that are neither names nor ratings, kept as covariates."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import Finding, note
from tapdesk.ratings.grid import Column
from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.numbers import number
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray
from tapdesk.ratings.table import Table


def below_a_merged(table: Table, name: str) -> NDArray[np.bool_]:
    """Which rows of a table stand, in one of its columns, below the first row of a merged cell that says something."""
    position, blank = table.positions[table.names.index(name)], table.column(name).blank
    below = np.zeros(table.rows, dtype=bool)
    for first, left, last, _right in table.grid.merged:
        # What a merged cell says stands in its first column; rows of the table are told by their numbers in the file.
        begin, end = np.searchsorted(table.row_numbers, (first + 1, last + 2))
        if left == position and begin < end and table.row_numbers[begin] == first + 1 and not blank[begin]:
            below[begin + 1 : end] = True
    return below


def filled(table: Table, name: str, which: NDArray[np.bool_]) -> Column:
    """A column of a table whose blanks in some rows say what the last row above them says."""
    column = table.column(name)
    source = np.maximum.accumulate(np.where(~column.blank, np.arange(table.rows), 0))
    return Column(np.where(which & column.blank, column.codes[source], column.codes), column.values)


def further(
    table: Table, found: Roles, of: CovariateOf, rows: IntArray, findings: list[Finding]
) -> tuple[Covariate, ...]:
    """The remaining columns of a table, numbers where all are numbers, else text; merged cells count in all their rows.

    Parameters
    ----------
    table, found
        The table and what its columns are for.
    of
        Whether a row is a rating or a subject.
    rows
        The row of each rating or of each subject.
    findings
        What was noticed is added to them.
    """
    taken = {found.subject, found.rater, found.rating, found.question, found.count, *found.columns}
    covariates = []
    for name in table.names:
        if name in taken:
            continue
        column = table.column(name)
        if (fill := column.blank & below_a_merged(table, name)).any():
            column = filled(table, name, fill)
            findings.append(
                note(
                    "merged_further",
                    table.place(name),
                    _("Cells of the column '{name}' are merged over several rows.").format(name=Label(name)),
                    default=_("What such a cell says holds for each of its rows."),
                )
            )
        used = column.used()
        numbers = [number(v) if v.strip() else float("nan") for v in used.values]
        if all(n is not None for n in numbers):
            values = np.array(numbers, dtype=np.float64)[used.codes][rows]
        else:
            values = np.array(used.values, dtype=object)[used.codes][rows]
        covariates.append(Covariate(name, of, values))
    return tuple(covariates)


def further_of_rows(
    table: Table, found: Roles, subject: IntArray, subjects: int, width: int, findings: list[Finding]
) -> tuple[Covariate, ...]:
    """The remaining columns of a wide table: of the case where all its rows say the same, else of each rating.

    Parameters
    ----------
    table, found
        The table and what its columns are for.
    subject
        Shape (rows,): the case of each row.
    subjects, width
        Number of cases, and of rating columns.
    findings
        What was noticed is added to them.
    """
    of_row = further(table, found, CovariateOf.RATING, np.arange(table.rows), findings)
    first = np.zeros(subjects, dtype=np.int64)
    first[subject[::-1]] = np.arange(subject.size)[::-1]
    made = []
    for column in of_row:
        same = _same(column.values, column.values[first][subject])
        if same.all():
            made.append(Covariate(column.name, CovariateOf.SUBJECT, column.values[first]))
        else:
            made.append(Covariate(column.name, CovariateOf.RATING, np.repeat(column.values, width)))
    return tuple(made)


def _same(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
    """Shape (rows,): where two columns say the same; two gaps do."""
    if one.dtype.kind != "f":
        return np.asarray(one == other, dtype=np.bool_)
    return np.asarray((one == other) | (np.isnan(one) & np.isnan(other)), dtype=np.bool_)
