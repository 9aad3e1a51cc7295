"""The ratings as a table with a row for each case, worked out when it is looked at.

A row costs nothing until it is seen, so that every case has one, however many there are.
"""

from abc import ABC, abstractmethod
from collections import OrderedDict
from enum import Enum

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.ratings.findings import shown
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings

WIDEST = 60
_KEPT = 2_000
_NEAR = 5_000
_MOST_LISTED = 50

Texts = tuple[str, ...]


class Kind(Enum):
    """What the cells of a column are."""

    RATING = _("what a rater said")
    COUNT = _("how many ratings are in a class")
    WEIGHT = _("how many cases a row stands for")
    LIST = _("all ratings of a case")


def cells_of(ratings: Ratings, layout: Layout) -> "CaseCells":
    """A table of ratings that were read in a layout."""
    if layout is Layout.COUNTS and not ratings.raters_known and len(ratings.classes) <= WIDEST:
        return CountCells(ratings)
    return RaterCells(ratings) if _used(ratings).size <= WIDEST else ListCells(ratings)


def _used(ratings: Ratings) -> np.ndarray:
    return np.flatnonzero(np.bincount(ratings.rater, minlength=len(ratings.raters)))


class CaseCells(ABC):
    """Cells by case and column; a first column tells how many cases a row stands for, where that is told.

    Attributes
    ----------
    names
        Of the columns: raters, or classes. Empty for a column that is neither.
    kinds
        What the cells of each column are.
    rows
        Number of cases.
    """

    def __init__(self, ratings: Ratings, kind: Kind, names: Texts) -> None:
        tallied = ratings.weight is not None
        self.ratings = ratings
        self.rows = len(ratings.subjects)
        self.names = ("", *names) if tallied else names
        self.kinds = (Kind.WEIGHT, *(kind for _name in names)) if tallied else tuple(kind for _name in names)
        self._seen: OrderedDict[int, tuple[Texts, ...]] = OrderedDict()
        self._column_of = {(k, n): j for j, (k, n) in enumerate(zip(self.kinds, self.names, strict=True))}
        self._row_of: dict[str, int] | None = None
        self._ahead = 0

    def case(self, row: int) -> str:
        """The name of a case."""
        return self.ratings.subjects[row]

    def texts(self, row: int, column: int) -> Texts:
        """What stands in a cell, in the order of the file; empty where there is nothing."""
        found = self._seen.get(row)
        if found is None:
            found = self._told(row)
            if self.ratings.weight is not None:
                found = ((str(int(self.ratings.weight[row])),), *found)
            self._seen[row] = found
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
        return found[column]

    def part(self, row: int) -> slice:
        """Where the ratings of a case stand among all."""
        subject = self.ratings.subject
        # Of the same kind of number, or all of them would be copied to compare.
        first, last = np.searchsorted(subject, np.array([row, row + 1], dtype=subject.dtype))
        return slice(int(first), int(last))

    def named(self, row: int, case: str, kind: Kind, name: str) -> Texts | None:
        """A cell by the names of its case and column, looked for near a row first; None where one is not there."""
        column = self._column_of.get((kind, name))
        found = self._found(row, case) if column is not None else None
        return None if column is None or found is None else self.texts(found, column)

    def _found(self, row: int, case: str) -> int | None:
        """The row of a case. Cases that are left out before it move it, those near it by as much."""
        subjects = self.ratings.subjects
        near = row + self._ahead
        if 0 <= near < self.rows and subjects[near] == case:
            return near
        try:
            found = subjects.index(case, max(near - _NEAR, 0), max(near + _NEAR, 0))
        except ValueError:
            if self._row_of is None:
                self._row_of = {name: i for i, name in enumerate(subjects)}
            return self._row_of.get(case)
        self._ahead = found - row
        return found

    @abstractmethod
    def _told(self, row: int) -> tuple[Texts, ...]:
        """The cells of a row."""


class RaterCells(CaseCells):
    """A column for each rater who rated."""

    def __init__(self, ratings: Ratings) -> None:
        used = _used(ratings)
        super().__init__(ratings, Kind.RATING, tuple(ratings.raters[r] for r in used))
        self._place = np.full(len(ratings.raters), -1)
        self._place[used] = np.arange(used.size)
        self._width = used.size

    def _told(self, row: int) -> tuple[Texts, ...]:
        part = self.part(row)
        cells: list[list[str]] = [[] for _column in range(self._width)]
        columns = self._place[self.ratings.rater[part]]
        for j, c in zip(columns.tolist(), self.ratings.category[part].tolist(), strict=True):
            cells[j].append(self.ratings.classes[c])
        return tuple(map(tuple, cells))


class CountCells(CaseCells):
    """A column for each class: tallied counts, as their file has them."""

    def __init__(self, ratings: Ratings) -> None:
        super().__init__(ratings, Kind.COUNT, ratings.classes)

    def _told(self, row: int) -> tuple[Texts, ...]:
        counts = np.bincount(self.ratings.category[self.part(row)], minlength=len(self.ratings.classes))
        return tuple((str(n),) for n in counts.tolist())


class ListCells(CaseCells):
    """One column for the ratings of all raters, where there are too many for a column each."""

    def __init__(self, ratings: Ratings) -> None:
        super().__init__(ratings, Kind.LIST, ("",))

    def _told(self, row: int) -> tuple[Texts, ...]:
        given = [f"{shown(rater)}: {shown(label)}" for rater, label in self.given(row, _MOST_LISTED)]
        more = self.part(row)
        left = more.stop - more.start - len(given)
        told = "; ".join(given) + (f"; +{left:,}" if left else "")
        return ((told,),)

    def given(self, row: int, most: int | None = None) -> list[tuple[str, str]]:
        """Raters and ratings of a case, the first of them, in the order of the file."""
        part = self.part(row)
        part = part if most is None else slice(part.start, min(part.stop, part.start + most))
        pairs = zip(self.ratings.rater[part].tolist(), self.ratings.category[part].tolist(), strict=True)
        return [(self.ratings.raters[r], self.ratings.classes[c]) for r, c in pairs]
