"""How often raters are right on cases whose answer is known: shares with intervals, in all and within each class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.ratings import IntArray, Ratings

LEAST = 10
"""Cases with a known answer from which on a share has an interval."""
HOW = "wilson"


@dataclass(frozen=True, eq=False)
class KnownShare:
    """How often one rater, or all of them, said what is known to be true.

    Attributes
    ----------
    rater
        Index of the rater; None for all together.
    cases, ratings, right
        Cases with a known answer that were rated, their ratings, and how many of these say what is known.
    share
        Share of the ratings that are right.
    by_class
        The same within each class of the ratings: of the cases that are known to be in it.
    """

    rater: int | None
    cases: int
    ratings: int
    right: int
    share: Estimate
    by_class: tuple[Estimate, ...]


@dataclass(frozen=True, eq=False)
class KnownShares:
    """The raters held against the known answers.

    Attributes
    ----------
    column
        The column of the file that holds the known answers.
    per_class
        Shape (K,): number of cases known to be in each class.
    everyone
        All raters together.
    raters
        One row for each rater; empty where raters are not known.
    """

    column: str
    per_class: NDArray[np.int64]
    everyone: KnownShare
    raters: tuple[KnownShare, ...]


@dataclass(frozen=True, slots=True)
class CommonError:
    """A case of a known class to which most raters gave one and the same other class.

    Attributes
    ----------
    case
        Index of the case.
    known, given
        Indices of the known class, and of the one that most ratings say.
    count, ratings
        How many ratings say it, of how many.
    """

    case: int
    known: int
    given: int
    count: int
    ratings: int


def common_errors(ratings: Ratings) -> tuple[CommonError, ...]:
    """The cases of a known class that most of at least two ratings call by one other class, the most unanimous first.

    Parameters
    ----------
    ratings
        The ratings, with a key; of cases that stand for many nothing is said.
    """
    key = ratings.known_classes()
    if key is None or (ratings.subject_weights() != 1).any():
        return ()
    counts = np.zeros((len(ratings.subjects), len(ratings.classes)), np.int64)
    np.add.at(counts, (ratings.subject, ratings.category), 1)
    given, of = counts.argmax(axis=1), counts.sum(axis=1)
    most = counts[np.arange(len(counts)), given]
    cases = np.flatnonzero((key >= 0) & (of > 1) & (2 * most > of) & (given != key))
    cases = cases[np.argsort(-most[cases] / of[cases], kind="stable")]
    return tuple(CommonError(*(int(x) for x in (i, key[i], given[i], most[i], of[i]))) for i in cases)


def known_shares(ratings: Ratings, level: float = 0.95) -> KnownShares | None:
    """The raters held against the known answers; None where no answer is known.

    Parameters
    ----------
    ratings
        The ratings, with a key.
    level
        Of the intervals.
    """
    key = ratings.known_classes()
    if key is None or not (key >= 0).any():
        return None
    weight = ratings.subject_weights()
    rows = np.flatnonzero(key[ratings.subject] >= 0)
    per_class = np.bincount(key[key >= 0], weight[key >= 0], len(ratings.classes)).astype(np.int64)
    raters = range(len(ratings.raters)) if ratings.raters_known else range(0)
    return KnownShares(
        ratings.known,
        per_class,
        _held(ratings, key, rows, None, level),
        tuple(_held(ratings, key, rows[ratings.rater[rows] == j], j, level) for j in raters),
    )


def _held(ratings: Ratings, key: IntArray, rows: IntArray, rater: int | None, level: float) -> KnownShare:
    """Some ratings of known cases held against what is known."""
    subject = ratings.subject[rows]
    right = ratings.category[rows] == key[subject]
    weight = ratings.subject_weights()
    of_row = weight[subject]
    shares = tuple(
        _share(subject[own], right[own], weight, level)
        for own in (key[subject] == k for k in range(len(ratings.classes)))
    )
    return KnownShare(
        rater,
        int(weight[np.unique(subject)].sum()),
        int(of_row.sum()),
        int(of_row[right].sum()),
        _share(subject, right, weight, level),
        shares,
    )


def _share(subject: IntArray, right: NDArray[np.bool_], weight: NDArray[np.float64], level: float) -> Estimate:
    """The share of right ratings, with the score interval of Wilson (1927).

    Ratings of one case share its difficulty, so the interval is that of as many independent ratings as have the
    variance between cases that is seen (Korn & Graubard, Survey Methodology 24:193, 1998), at least as many as there
    are cases where these do not differ, and never more than there are ratings.
    """
    if not subject.size:
        return undefined(_("There is no {rating} of {a_subject} with a known answer."))
    cases, where = np.unique(subject, return_inverse=True)
    size = np.bincount(where).astype(np.float64)
    hits = np.bincount(where, right).astype(np.float64)
    w = weight[cases]
    n_cases, n_ratings = float(w.sum()), float((w * size).sum())
    value = float((w * hits).sum() / n_ratings)
    estimate = Estimate(value, level=level, how=HOW)
    if n_cases < LEAST:
        return estimate.without_interval(too_few(int(n_cases)))
    # A case that stands for many is that many cases of the same kind.
    variance = float((w * (hits - value * size) ** 2).sum()) * n_cases / (n_cases - 1) / n_ratings**2
    worth = value * (1 - value) / variance if variance > 0 else n_cases
    if n_ratings == n_cases:
        worth = n_ratings
    low, high = wilson(value, min(max(worth, 1.0), n_ratings), level)
    return estimate.between(min(low, value), max(high, value), level, HOW)


def too_few(cases: int) -> str:
    """Why a share that rests on fewer than `LEAST` known cases has no interval."""
    return ngettext(
        "Only {n} {subjects} has a known answer: too few for intervals.",
        "Only {n} {subjects} have a known answer: too few for intervals.",
        cases,
    ).format(n=cases)


def wilson(share: float, size: float, level: float = 0.95) -> tuple[float, float]:
    """The score interval of a share.

    Parameters
    ----------
    share
        Between 0 and 1.
    size
        How many independent trials it is worth; need not be whole.
    level
        Of the interval.
    """
    z = float(ndtri(0.5 + level / 2))
    scale = 1 + z * z / size
    middle = (share + z * z / (2 * size)) / scale
    half = z / scale * float(np.sqrt(share * (1 - share) / size + z * z / (4 * size * size)))
    return max(middle - half, 0.0), min(middle + half, 1.0)
