"""Ratings from a pandas frame, for those who program."""

from typing import TYPE_CHECKING

import numpy as np

from tapdesk.errors import UsageError
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
    import pandas as pd  # late: the program's start does without it

    for column in (subject, rater, rating):
        if column not in frame.columns:
            known = ", ".join(map(str, frame.columns))
            raise UsageError(f"There is no column '{column}'.", fix=f"The columns are: {known}.")
    frame = frame.loc[frame[rating].notna(), [subject, rater, rating]]
    codes, names = {}, {}
    for column in (subject, rater, rating):
        codes[column], uniques = pd.factorize(frame[column])
        names[column] = list(uniques)
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
        [str(n) for n in names[subject]],
        [str(n) for n in names[rater]],
        [str(names[rating][i]) for i in order],
    )
