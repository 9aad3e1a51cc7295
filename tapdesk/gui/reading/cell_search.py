"""Looking for a text in the table of ratings: which cells hold it, found a few thousand rows at a time.

A table of a million cases is looked through in slices, so that the window can draw between two of them. Only the
number of hits of each slice is kept; the hits of one are found again when they are asked for.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.gui.reading.case_cells import CaseCells, Kind, RaterCells

HEAD = -1
_ROWS, _RATINGS = 8_192, 200_000
_BETWEEN = "\x1f"
_APART = re.compile(r"[\s.,'’]")  # what sets thousands apart, somewhere

Mask = NDArray[np.bool_]


def folded(text: str) -> str:
    """A text as it is compared: capitals and ways to write an accent make no difference."""
    return (text if text.isascii() else unicodedata.normalize("NFC", text)).casefold()


class CellSearch:
    """The cells of a table that contain a text, in the order in which they are read.

    Parameters
    ----------
    cells
        The table.
    text
        What is looked for; in cases, raters, classes and numbers alike.

    Attributes
    ----------
    count
        Cells that hold it, of the rows looked through by now; names of columns are counted as well.
    """

    def __init__(self, cells: CaseCells, text: str) -> None:
        self._cells, self._text = cells, folded(text)
        self._digits = _APART.sub("", self._text)
        ratings = cells.ratings
        self._width = len(cells.names) + 1
        self._heads = [j + 1 for j, name in enumerate(cells.names) if name and self._holds(name)]
        self._of_class = np.array([self._holds(label) for label in ratings.classes], dtype=bool)
        self._of_rater = np.array([self._holds(name) for name in ratings.raters], dtype=bool)
        # Cases with many ratings each make a slice of fewer rows.
        self._step = max(min(_ROWS, _RATINGS * cells.rows // max(ratings.subject.size, 1)), 1)
        self._until = [len(self._heads)]
        self._last = (-1, np.zeros(0, dtype=np.intp))

    @property
    def count(self) -> int:
        """Hits found by now."""
        return self._until[-1]

    def run(self) -> Iterator[None]:
        """Look through the rows, pausing after every slice."""
        for first in range(0, self._cells.rows, self._step):
            self._until.append(self.count + int(self._slice(first).sum()))
            yield

    def at(self, n: int) -> tuple[int, int]:
        """Row and column of a hit, counted from 0; the row of a name of a column is ``HEAD``."""
        if n < len(self._heads):
            return HEAD, self._heads[n]
        part = int(np.searchsorted(self._until, n, side="right")) - 1
        place = int(self._hits(part)[n - self._until[part]])
        return part * self._step + place // self._width, place % self._width

    def before(self, row: int, column: int) -> int:
        """How many hits stand before a cell: the number of the first hit that is there or behind it."""
        if row < 0:
            return int(np.searchsorted(self._heads, column))
        part = min(row // self._step, len(self._until) - 2)
        place = (row - part * self._step) * self._width + column
        return self._until[part] + int(np.searchsorted(self._hits(part), place))

    def _hits(self, part: int) -> NDArray[np.intp]:
        """Where the hits of a slice stand in it, cell by cell; those of the slice asked for last are at hand."""
        if self._last[0] != part:
            self._last = (part, np.flatnonzero(self._slice(part * self._step)))
        return self._last[1]

    def _holds(self, text: str) -> bool:
        return self._text in folded(text)

    def _slice(self, first: int) -> Mask:
        """Shape (rows, columns): which cells of the rows from ``first`` on hold the text."""
        cells, ratings = self._cells, self._cells.ratings
        end = min(first + self._step, cells.rows)
        last = min(end, cells.regular)
        irregular = [self._row(row) for row in range(max(first, last), end)]
        if last <= first:
            return np.array(irregular, dtype=bool)
        found = np.zeros((last - first, self._width), dtype=bool)
        found[:, 0] = self._names(first, last)
        tallied = ratings.weight is not None
        if ratings.weight is not None:
            found[:, 1] = self._numbers(ratings.weight[first:last])
        if Kind.COUNT in cells.kinds:
            found[:, 1 + tallied :] = self._counts(first, last)
            return np.vstack([found, *irregular])
        start, stop = cells.part(first).start, cells.part(last - 1).stop
        hit = self._of_class[ratings.category[start:stop]]
        if not isinstance(cells, RaterCells):
            hit |= self._of_rater[ratings.rater[start:stop]]
        if hit.any():
            rows = ratings.subject[start:stop][hit] - first
            columns = cells.place[ratings.rater[start:stop][hit]] + tallied if isinstance(cells, RaterCells) else 0
            found[rows, columns + 1] = True
        return found

    def _row(self, row: int) -> list[bool]:
        """Which cells of a row hold the text, where rows are not simply the cases in their order."""
        cells = self._cells
        texts = [cells.texts(row, j) for j in range(self._width - 1)]
        words = (Kind.RATING, Kind.LIST)
        hit = [
            any(map(self._holds if kind in words else self._in_number, told))
            for kind, told in zip(cells.kinds, texts, strict=True)
        ]
        return [self._holds(cells.case(row)), *hit]

    def _names(self, first: int, last: int) -> list[bool] | bool:
        """Which cases of some rows have the text in their name."""
        names = self._cells.ratings.subjects[first:last]
        together = folded(_BETWEEN.join(names))
        if self._text not in together:
            return False
        apart = together.split(_BETWEEN)
        # A name can hold what separates them here; then each is looked at alone.
        return [self._text in name for name in apart] if len(apart) == len(names) else list(map(self._holds, names))

    def _counts(self, first: int, last: int) -> Mask:
        """Which numbers of ratings in a class hold the text."""
        cells, ratings = self._cells, self._cells.ratings
        part, k = slice(cells.part(first).start, cells.part(last - 1).stop), len(ratings.classes)
        flat = (ratings.subject[part].astype(np.int64) - first) * k + ratings.category[part]
        return self._numbers(np.bincount(flat, minlength=(last - first) * k)).reshape(last - first, k)

    def _numbers(self, values: NDArray[np.integer[Any]]) -> Mask:
        """Which numbers hold the text, whatever is written between its thousands."""
        different, which = np.unique(values, return_inverse=True)
        return np.array([self._in_number(str(v)) for v in different.tolist()], dtype=bool)[which]

    def _in_number(self, digits: str) -> bool:
        return bool(self._digits) and self._digits in digits
