"""Raters whose scale seems turned round: where the others say high they say low."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.ratings import Ratings

ENOUGH = 20  # cases that two raters share before anything is said about the two
# A rater is called upside-down where chance would hardly do it: 3 standard errors, and no weak relation.
_CLEARLY, _LEAST = -3.0, -0.3


def table_of_raters(ratings: Ratings) -> NDArray[np.int64]:
    """Shape (N, J): the class each rater gave each case, the last of several; −1 where there is none."""
    dense = np.full((len(ratings.subjects), len(ratings.raters)), -1, dtype=np.int64)
    dense[ratings.subject, ratings.rater] = ratings.category
    return dense


def upside_down(ratings: Ratings) -> tuple[int, ...]:
    """The raters whose scale seems turned round, at most half of them; with the clearest turned back, others are found.

    Parameters
    ----------
    ratings
        Of three raters or more who are known, in two classes or in ordered ones; of others nothing can be said.
    """
    two = len(ratings.classes) == 2
    if not ratings.raters_known or len(ratings.raters) < 3 or not (two or ratings.ordered):
        return ()
    return _turned(table_of_raters(ratings), len(ratings.classes))


def _turned(dense: NDArray[np.int64], classes: int) -> tuple[int, ...]:
    turned = dense.copy()
    items: list[int] = []
    while len(items) < dense.shape[1] // 2:
        against = np.array([_against(turned, j) for j in range(dense.shape[1])])
        worst = int(against.argmin())
        if against[worst] > _CLEARLY or worst in items:
            break
        items.append(worst)
        rated = turned[:, worst] >= 0
        turned[rated, worst] = classes - 1 - turned[rated, worst]
    return tuple(sorted(items))


def _against(dense: NDArray[np.int64], rater: int) -> float:
    """How far below 0 the correlation of a rater with the mean of the others lies, in standard errors (Fisher's z)."""
    there = dense >= 0
    number = there.sum(axis=1) - there[:, rater]
    useful = there[:, rater] & (number >= 2)
    if useful.sum() < ENOUGH:
        return 0.0
    own = dense[useful, rater].astype(np.float64)
    mean = (np.where(there, dense, 0).sum(axis=1)[useful] - own) / number[useful]
    if own.std() == 0 or mean.std() == 0:
        return 0.0
    r = float(np.clip(np.corrcoef(own, mean)[0, 1], -0.999999, 0.999999))
    return float(np.arctanh(r) * np.sqrt(own.size - 3)) if r < _LEAST else 0.0
