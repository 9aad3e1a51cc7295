"""The ratings as a table of cases and raters, a row worked out when it is looked at."""

from collections import OrderedDict

import numpy as np

from tapdesk.gui.reading.rows import WIDEST
from tapdesk.ratings.ratings import Ratings

MOST_ROWS = 200_000
_KEPT = 2_000


def tabular(ratings: Ratings) -> bool:
    """Whether each rater can have a column and each case a row."""
    return ratings.weight is None and _used(ratings).size <= WIDEST


def _used(ratings: Ratings) -> np.ndarray:
    return np.flatnonzero(np.bincount(ratings.rater, minlength=len(ratings.raters)))


class CaseCells:
    """Ratings by case and column; cases beyond ``MOST_ROWS`` have no row.

    Attributes
    ----------
    raters
        The names of the columns.
    """

    def __init__(self, ratings: Ratings) -> None:
        self.ratings = ratings
        used = _used(ratings)
        self.raters = tuple(ratings.raters[r] for r in used)
        self.rows = min(len(ratings.subjects), MOST_ROWS)
        self._column = np.full(len(ratings.raters), -1)
        self._column[used] = np.arange(used.size)
        self._starts = np.searchsorted(ratings.subject, np.arange(self.rows + 1))
        self._seen: OrderedDict[int, tuple[tuple[str, ...], ...]] = OrderedDict()
        self._row_of: dict[str, int] | None = None
        self._column_of = {name: j for j, name in enumerate(self.raters)}

    def case(self, row: int) -> str:
        """The name of a case."""
        return self.ratings.subjects[row]

    def texts(self, row: int, column: int) -> tuple[str, ...]:
        """The ratings in a cell, in the order of the file; empty where there is none."""
        found = self._seen.get(row)
        if found is None:
            found = self._seen[row] = self._row(row)
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
        return found[column]

    def _row(self, row: int) -> tuple[tuple[str, ...], ...]:
        part = slice(int(self._starts[row]), int(self._starts[row + 1]))
        cells: list[list[str]] = [[] for _ in self.raters]
        columns = self._column[self.ratings.rater[part]]
        for j, c in zip(columns.tolist(), self.ratings.category[part].tolist(), strict=True):
            cells[j].append(self.ratings.classes[c])
        return tuple(map(tuple, cells))

    def named(self, row: int, case: str, rater: str) -> tuple[str, ...] | None:
        """The ratings of a case by a rater, looked for at a row first; None where one of them is not known here."""
        column = self._column_of.get(rater)
        if column is None:
            return None
        if row >= self.rows or self.case(row) != case:
            if self._row_of is None:
                self._row_of = {name: i for i, name in enumerate(self.ratings.subjects[: self.rows])}
            found = self._row_of.get(case)
            if found is None:
                return None
            row = found
        return self.texts(row, column)
