"""Raters linked through cases they share, directly or through other raters.

The graph routines of scipy load its linear algebra with them, an eighth of what a fit would load.
"""

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.ratings import IntArray


def linked_groups(case: IntArray, rater: IntArray, raters: int) -> NDArray[np.int64]:
    """Shape (raters,): the group of each rater, numbered by their first cases; who shares no case is a group alone.

    Parameters
    ----------
    case, rater
        Shape (m,): whose rating of which case, in any order.
    raters
        How many there are.
    """
    order = np.argsort(case, kind="stable")
    case, rater = case[order], rater[order].astype(np.int64)
    follows = case[1:] == case[:-1]
    pairs = np.unique(rater[:-1][follows] * raters + rater[1:][follows])
    one, other = np.divmod(pairs, max(raters, 1))
    group = np.arange(raters)
    while (group[one] != group[other]).any():
        low, high = np.minimum(group[one], group[other]), np.maximum(group[one], group[other])
        np.minimum.at(group, high, low)
        # Whoever points to a rater of another group follows it to that group's first.
        while (group[group] != group).any():
            group = group[group]
    begins = np.full(raters, np.iinfo(np.int64).max)
    np.minimum.at(begins, group[rater], case)
    firsts = np.unique(group)
    place = np.empty(raters, dtype=np.int64)
    place[firsts[np.lexsort((firsts, begins[firsts]))]] = np.arange(firsts.size)
    return np.asarray(place[group])
