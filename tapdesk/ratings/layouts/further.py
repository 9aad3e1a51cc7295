"""Columns that are neither names nor ratings, kept as covariates."""

import numpy as np

from tapdesk.ratings.layouts.roles import Roles
from tapdesk.ratings.numbers import number
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray
from tapdesk.ratings.table import Table


def further(table: Table, found: Roles, of: CovariateOf, rows: IntArray) -> tuple[Covariate, ...]:
    """The remaining columns of a table, numbers where all are numbers, else text.

    Parameters
    ----------
    table, found
        The table and what its columns are for.
    of
        Whether a row is a rating or a subject.
    rows
        The row of each rating or of each subject.
    """
    taken = {found.subject, found.rater, found.rating, found.question, found.count, *found.columns}
    covariates = []
    for name in table.names:
        if name in taken:
            continue
        column = table.column(name)
        used = column.used()
        numbers = [number(v) if v.strip() else float("nan") for v in used.values]
        if all(n is not None for n in numbers):
            values = np.array(numbers, dtype=np.float64)[used.codes][rows]
        else:
            values = np.array(used.values, dtype=object)[used.codes][rows]
        covariates.append(Covariate(name, of, values))
    return tuple(covariates)
