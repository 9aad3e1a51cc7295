"""The distinct ratings of a table: each text is looked at once, however often it occurs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import listed, shortened
from tapdesk.ratings.layouts.cells import Cells


@dataclass(frozen=True, eq=False)
class Values:
    """The distinct ratings of some cells, how often each occurs, and where.

    Attributes
    ----------
    texts
        The distinct ratings.
    counts
        Shape (values,): how often each occurs.
    cells
        The cells.
    decimal
        The decimal mark.
    """

    texts: tuple[str, ...]
    counts: NDArray[np.int64]
    cells: Cells
    decimal: str

    def where(self, texts: Sequence[str]) -> str:
        """The cells that hold some ratings."""
        wanted = np.isin(np.arange(len(self.texts)), [self.texts.index(t) for t in texts])
        return self.cells.where(np.flatnonzero(wanted[self.cells.value.codes]))

    def total(self, texts: Sequence[str]) -> int:
        """How often some ratings occur together."""
        return int(sum(self.counts[self.texts.index(t)] for t in texts))

    def told(self, texts: Sequence[str]) -> str:
        """Ratings with how often each occurs."""
        return listed([_("'{text}' ({n:,})").format(text=shortened(t), n=self.total([t])) for t in texts])


def values_of(made: Assembled, decimal: str) -> Values:
    """The distinct ratings of a table."""
    column = made.cells.value
    return Values(column.values, np.asarray(column.counts(), dtype=np.int64), made.cells, decimal)
