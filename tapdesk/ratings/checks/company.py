"""Whether somebody answers as one of the raters does: their answers go together as those of the others do."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.ratings import Ratings

# Cases that are enough to tell, taken evenly; of more raters a name stands as a doubt.
_ENOUGH, _MOST_RATERS = 2_000, 40
_SHARED = 10  # cases that two must share before their answers are compared
# How much the others must agree beyond chance for their agreement to tell anything, and how much of it is as close.
_LEAST, _AS_CLOSE = 0.1, 0.7


def in_company(ratings: Ratings, names: tuple[str, ...]) -> bool:
    """Whether each of some raters agrees with the others nearly as much as those do among themselves.

    Beyond chance, for each pair of raters by itself (Cohen, 1960), and on average over the others.

    Parameters
    ----------
    ratings
        With known raters.
    names
        Of those in doubt.

    Returns
    -------
    bool
        False as well where too few cases tell, or the others hardly agree beyond chance.
    """
    raters = len(ratings.raters)
    if not ratings.raters_known or raters > _MOST_RATERS:
        return False
    table = np.full((len(ratings.subjects), raters), -1, dtype=np.int32)
    table[ratings.subject, ratings.rater] = ratings.category
    table = table[:: 1 + len(table) // _ENOUGH].T.copy()
    doubtful = np.array([name in names for name in ratings.raters])
    kappa = np.full((raters, raters), np.nan)
    for i, j in combinations(range(raters), 2):
        kappa[i, j] = kappa[j, i] = _kappa(table[i], table[j])
    usual = kappa[~doubtful][:, ~doubtful]
    usual, own = usual[np.isfinite(usual)], kappa[doubtful][:, ~doubtful]
    if not usual.size or usual.mean() < _LEAST or not np.isfinite(own).any(axis=1).all():
        return False
    return bool((np.nanmean(own, axis=1) >= _AS_CLOSE * usual.mean()).all())


def _kappa(one: NDArray[np.int32], two: NDArray[np.int32]) -> float:
    """Agreement of two beyond chance; nan where they share too few cases, or each knows one answer only."""
    both = (one >= 0) & (two >= 0)
    if both.sum() < _SHARED:
        return float("nan")
    classes = int(max(one.max(), two.max())) + 1
    given = [np.bincount(x[both], minlength=classes) / both.sum() for x in (one, two)]
    chance = float(given[0] @ given[1])
    return float("nan") if chance == 1 else (float((one[both] == two[both]).mean()) - chance) / (1 - chance)
