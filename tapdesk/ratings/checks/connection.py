"""Whether raters can be compared: by cases they share, directly or through others."""

import numpy as np

from tapdesk.language import RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import listed
from tapdesk.ratings.ratings import Ratings


def panels(ratings: Ratings) -> tuple[tuple[str, ...], ...]:
    """Groups of raters linked by shared cases, directly or through other raters; raters without ratings are in none."""
    n, j = len(ratings.subjects), len(ratings.raters)
    rated = np.bincount(ratings.rater, minlength=j) > 0
    if j < 2 or (ratings.ratings_per_subject() >= j).any():
        names = tuple(name for name, r in zip(ratings.raters, rated, strict=True) if r)
        return (names,) if names else ()
    from scipy.sparse import coo_array  # start-up cost: the program starts without it
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(ratings.subject.size, dtype=np.int8)
    graph = coo_array((ones, (ratings.subject, ratings.rater + n)), shape=(n + j, n + j))
    parts, label = connected_components(graph, directed=False)
    groups = (tuple(ratings.raters[r] for r in np.flatnonzero((label[n:] == p) & rated)) for p in range(parts))
    return tuple(g for g in groups if g)


def told(ratings: Ratings) -> str:
    """A sentence about whether all raters can be compared."""
    if not ratings.raters_known:
        return _("The raters are not known by name, so nothing can be said about who shares cases with whom.")
    groups = panels(ratings)
    if len(groups) < 2:
        count = len(groups[0]) if groups else 0
        if count < 2:
            return _("There is only one rater, and nobody to compare with.")
        return _("All {n:,} raters are linked by cases they share, directly or through others.").format(n=count)
    return _("The raters form {n} groups that share no case: {groups}. They cannot be compared across groups.").format(
        n=len(groups), groups=joined(*(listed([RaterName(n) for n in g]) for g in groups[:4]), sep="; ")
    )
