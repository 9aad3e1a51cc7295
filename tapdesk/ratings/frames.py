"""Ratings from a pandas frame, for those who program."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings

if TYPE_CHECKING:
    import pandas as pd


def from_frame(frame: "pd.DataFrame", subject: str, rater: str, rating: str) -> Ratings:
    """Ratings from a long table with one row per rating; rows without a rating are absent ratings.

    Parameters
    ----------
    frame
        The table.
    subject, rater, rating
        Names of its columns. Classes stand in sorted order where they can be compared, else as they first appear.

    Raises
    ------
    UsageError
        When a column is not there.
    """
    for column in (subject, rater, rating):
        if column not in frame.columns:
            known = ", ".join(map(str, frame.columns))
            raise UsageError(
                _("There is no column '{column}'.").format(column=Label(column)),
                fix=_("The columns are: {known}.").format(known=known),
            )
    frame = frame.loc[frame[rating].notna(), [subject, rater, rating]]
    codes, names = {}, {}
    for column in (subject, rater, rating):
        codes[column], names[column] = _coded(frame[column])
    try:
        order = sorted(range(len(names[rating])), key=lambda i: names[rating][i])
    except TypeError:
        order = list(range(len(names[rating])))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return Ratings.of(
        codes[subject],
        codes[rater],
        rank[codes[rating]],
        list(map(str, names[subject])),
        list(map(str, names[rater])),
        [str(names[rating][i]) for i in order],
    )


def _coded(column: "pd.Series[Any]") -> tuple[NDArray[np.int64], list[Any]]:
    """Code of each value, and the distinct values as they first appear."""
    import pandas as pd  # late: the program's start does without it

    values = column.to_numpy() if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu" else None
    if values is not None and values.size and (values[1:] >= values[:-1]).all():
        # Whole numbers in order, as subjects of a long table mostly are, need no table of what was seen.
        fresh = np.ones(values.size, dtype=bool)
        np.not_equal(values[1:], values[:-1], out=fresh[1:])
        return np.cumsum(fresh) - 1, values[fresh].tolist()
    codes, uniques = pd.factorize(column)
    return np.asarray(codes, dtype=np.int64), list(uniques)
