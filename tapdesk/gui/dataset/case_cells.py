"""The ratings as a table with a row for each case, worked out when it is looked at.

A row costs nothing until it is seen, so that every case has one, however many there are.
"""

from abc import ABC, abstractmethod
from collections import OrderedDict
from enum import Enum
from functools import lru_cache

import numpy as np

from tapdesk.answers.fonts import shown
from tapdesk.language import gettext as _
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings

WIDEST = 60
_KEPT = 2_000
_NEAR = 5_000
_MOST_LISTED = 50

Texts = tuple[str, ...]


class Arrangement(Enum):
    """What the cells of a column are."""

    RATING = _("what a rater said")
    COUNT = _("how many ratings are in a class")
    WEIGHT = _("how many cases a row stands for")
    LIST = _("all ratings of a case")
    KNOWN = _("what is known to be true of a case")


def cells_of(ratings: Ratings, layout: Layout, unrated: Texts = ()) -> "CaseCells":
    """A table of ratings that were read in a layout; ``unrated`` are cases of the file without a rating."""
    if layout is Layout.COUNTS and not ratings.raters_known and len(ratings.classes) <= WIDEST:
        return CountCells(ratings, unrated)
    if layout is Layout.CONFUSION and len(ratings.classes) <= WIDEST and _crossed(ratings):
        return PairCells(ratings, unrated)
    return RaterCells(ratings) if _used(ratings).size <= WIDEST else ListCells(ratings)


# Asked for twice at every change, of large data too.
@lru_cache(maxsize=2)
def _used(ratings: Ratings) -> np.ndarray:
    return np.flatnonzero(np.bincount(ratings.rater, minlength=len(ratings.raters)))


def _crossed(ratings: Ratings) -> bool:
    """Whether each row is one rating by each of two raters, and says how many cases they rated so."""
    if ratings.weight is None or not ratings.raters_known or len(ratings.raters) != 2:
        return False
    each = np.tile([0, 1], len(ratings.subjects))
    return np.array_equal(ratings.rater, each) and np.array_equal(ratings.subject, np.arange(each.size) // 2)


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
    regular
        So many of them, from the top, are the cases of the ratings in their order. Others hold nothing but 0.
    """

    def __init__(self, ratings: Ratings, kind: Arrangement, names: Texts) -> None:
        tallied = ratings.weight is not None
        self.ratings = ratings
        self.rows = self.regular = len(ratings.subjects)
        self.names = ("", *names) if tallied else names
        self.kinds = (Arrangement.WEIGHT, *(kind for _name in names)) if tallied else tuple(kind for _name in names)
        # Beside them stands what is known to be true, which is no rating.
        self._known = ratings.known_texts()
        if self._known is not None:
            self.names, self.kinds = (*self.names, ratings.known), (*self.kinds, Arrangement.KNOWN)
        self._seen: OrderedDict[int, tuple[Texts, ...]] = OrderedDict()
        self._column_of = {(k, n): j for j, (k, n) in enumerate(zip(self.kinds, self.names, strict=True))}
        self._row_of: dict[str, int] | None = None
        self._ahead = 0

    def case(self, row: int) -> str:
        """The name of a case."""
        return self.ratings.subjects[row]

    def there(self, row: int) -> bool:
        """Whether a row is a case of the ratings, and not one of 0 that could become one."""
        return row < self.regular

    def texts(self, row: int, column: int) -> Texts:
        """What stands in a cell, in the order of the file; empty where there is nothing."""
        result = self._seen.get(row)
        if result is None:
            result = self._whole(row)
            self._seen[row] = result
            if len(self._seen) > _KEPT:
                self._seen.popitem(last=False)
        return result[column]

    def _whole(self, row: int) -> tuple[Texts, ...]:
        weight = self.ratings.weight
        known = () if self._known is None else ((self._known[row],) if self._known[row] else (),)
        sentences = (*self._texts_of_row(row), *known)
        return sentences if weight is None else ((str(int(weight[row])),), *sentences)

    def part(self, row: int) -> slice:
        """Where the ratings of a case stand among all."""
        subject = self.ratings.subject
        # Of the same kind of number, or all of them would be copied to compare.
        first, last = np.searchsorted(subject, np.array([row, row + 1], dtype=subject.dtype))
        return slice(int(first), int(last))

    def named(self, row: int, case: str, kind: Arrangement, name: str) -> Texts | None:
        """A cell by the names of its case and column, looked for near a row first; None where one is not there."""
        column = self._column_of.get((kind, name))
        result = self._row_by_name(row, case) if column is not None else None
        return None if column is None or result is None else self.texts(result, column)

    def _row_by_name(self, row: int, case: str) -> int | None:
        """The row of a case. Cases that are left out before it move it, those near it by as much."""
        subjects = self.ratings.subjects
        near = row + self._ahead
        if 0 <= near < len(subjects) and subjects[near] == case:
            return near
        try:
            result = subjects.index(case, max(near - _NEAR, 0), max(near + _NEAR, 0))
        except ValueError:
            return self._row_named(case)
        self._ahead = result - row
        return result

    def _row_named(self, case: str) -> int | None:
        if self._row_of is None:
            self._row_of = {self.case(i): i for i in range(self.rows)}
        return self._row_of.get(case)

    @abstractmethod
    def _texts_of_row(self, row: int) -> tuple[Texts, ...]:
        """The cells of a row."""


class RaterCells(CaseCells):
    """A column for each rater who rated.

    Attributes
    ----------
    place
        Shape (raters,): which of these columns is a rater's; -1 for one who rated nothing.
    """

    def __init__(self, ratings: Ratings) -> None:
        used = _used(ratings)
        super().__init__(ratings, Arrangement.RATING, tuple(ratings.raters[r] for r in used))
        self.place = np.full(len(ratings.raters), -1)
        self.place[used] = np.arange(used.size)
        self._width = used.size

    def _texts_of_row(self, row: int) -> tuple[Texts, ...]:
        part = self.part(row)
        cells: list[list[str]] = [[] for _column in range(self._width)]
        columns = self.place[self.ratings.rater[part]]
        for j, c in zip(columns.tolist(), self.ratings.category[part].tolist(), strict=True):
            cells[j].append(self.ratings.classes[c])
        return tuple(map(tuple, cells))


class CountCells(CaseCells):
    """A column for each class: tallied counts, as their file has them; at the end the cases without a rating."""

    def __init__(self, ratings: Ratings, unrated: Texts = ()) -> None:
        super().__init__(ratings, Arrangement.COUNT, ratings.classes)
        named = frozenset(ratings.subjects) if unrated and ratings.weight is None else frozenset(unrated)
        self._empty = tuple(name for name in unrated if name not in named)
        self.rows += len(self._empty)

    def case(self, row: int) -> str:
        """The name of a case."""
        return super().case(row) if row < self.regular else self._empty[row - self.regular]

    def _texts_of_row(self, row: int) -> tuple[Texts, ...]:
        if row >= self.regular:
            return (("0",),) * len(self.names)
        counts = np.bincount(self.ratings.category[self.part(row)], minlength=len(self.ratings.classes))
        return tuple((str(n),) for n in counts.tolist())


class PairCells(CaseCells):
    """Two raters crossed: a row for each pair of classes, in the order of the classes, those of no case as well."""

    def __init__(self, ratings: Ratings, _unrated: Texts = ()) -> None:
        super().__init__(ratings, Arrangement.RATING, ratings.raters)
        k, pairs = len(ratings.classes), ratings.category.reshape(-1, 2).astype(np.int64)
        # Classes that were merged can make one pair of several rows of the file.
        keys = (pairs[:, 0] * k + pairs[:, 1]).tolist()
        rows = [(key, i) for i, key in enumerate(keys)]
        rows += [(key, -1) for key in sorted(set(range(k * k)).difference(keys))]
        self._pairs = [(*divmod(key, k), i) for key, i in sorted(rows)]
        self.rows, self.regular = len(self._pairs), 0
        self._names = [ratings.subjects[i] if i >= 0 else "" for *_pair, i in self._pairs]
        for row, (first, second, i) in enumerate(self._pairs):
            if i < 0:
                name = f"{ratings.classes[first]} / {ratings.classes[second]}"
                # A row of the file keeps its name when what it says is changed.
                self._names[row] = f"{name} (2)" if name in ratings.subjects else name

    def case(self, row: int) -> str:
        """The name of a row of the file, or the name a row of 0 would have there."""
        return self._names[row]

    def there(self, row: int) -> bool:
        """Whether any case was rated so."""
        return bool(self._pairs[row][2] >= 0)

    def labels(self, case: str) -> Texts:
        """What the two raters said in a row."""
        first, second, _i = self._pairs[self._names.index(case)]
        return self.ratings.classes[first], self.ratings.classes[second]

    def _row_by_name(self, row: int, case: str) -> int | None:
        return row if row < self.rows and self._names[row] == case else self._row_named(case)

    def _whole(self, row: int) -> tuple[Texts, ...]:
        first, second, i = self._pairs[row]
        number = 0 if i < 0 or self.ratings.weight is None else int(self.ratings.weight[i])
        return (str(number),), (self.ratings.classes[first],), (self.ratings.classes[second],)

    def _texts_of_row(self, row: int) -> tuple[Texts, ...]:
        return self._whole(row)[1:]


class ListCells(CaseCells):
    """One column for the ratings of all raters, where there are too many for a column each."""

    def __init__(self, ratings: Ratings) -> None:
        super().__init__(ratings, Arrangement.LIST, ("",))

    def _texts_of_row(self, row: int) -> tuple[Texts, ...]:
        given = [f"{shown(rater)}: {shown(label)}" for rater, label in self.given(row, _MOST_LISTED)]
        more = self.part(row)
        left = more.stop - more.start - len(given)
        sentence = "; ".join(given) + (f"; +{left:,}" if left else "")
        return ((sentence,),)

    def given(self, row: int, most: int | None = None) -> list[tuple[str, str]]:
        """Raters and ratings of a case, the first of them, in the order of the file."""
        part = self.part(row)
        part = part if most is None else slice(part.start, min(part.stop, part.start + most))
        pairs = zip(self.ratings.rater[part].tolist(), self.ratings.category[part].tolist(), strict=True)
        return [(self.ratings.raters[r], self.ratings.classes[c]) for r, c in pairs]
