"""Which rows are read: those that pass every filter and, of a column of questions, answer the one that is asked about.

The reading and its account hold rows against the same words here, each over the rows it looks at itself.
"""

import re

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.layouts.roles import named
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import IntArray
from tapdesk.ratings.table import Table

_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]*)([.,][0-9]+)?")


def rows_that_pass(table: Table, rows: IntArray, options: ReadingOptions) -> NDArray[np.bool_]:
    """Shape (rows,): which rows of the grid, counted from 0, pass every filter.

    Raises
    ------
    UsageError
        When a filter names a column that is not there.
    """
    kept = np.ones(rows.size, dtype=bool)
    for wanted, same in ((options.where, True), (options.where_not, False)):
        for name, value in wanted:
            column = table.grid.columns[table.positions[table.names.index(named(table, name, "--where"))]]
            passing = np.array([alike(cell, value) is same for cell in column.values], dtype=bool)
            kept &= passing[column.codes[rows]]
    return kept


def alike(cell: str, wanted: str) -> bool:
    """Whether a cell says what a filter names: the same text, or the same number, as 1 and 1.0 are.

    Digits with a nought in front are names, not numbers: 01 is not 1.
    """
    cell, wanted = cell.strip(), wanted.strip()
    if cell == wanted or not (_NUMBER.fullmatch(cell) and _NUMBER.fullmatch(wanted)):
        return cell == wanted
    return float(cell.replace(",", ".")) == float(wanted.replace(",", "."))
