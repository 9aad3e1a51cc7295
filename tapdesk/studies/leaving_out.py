"""Many raters left out one at a time: all that remains as weights of the same class counts, fitted side by side."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Fit
from tapdesk.fitting.polish import polish
from tapdesk.models.catalog import model
from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.patterns import Patterns, count_patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.kappas import fleiss_kappas
from tapdesk.studies.refits import CAREFUL, pooled_space, refit_weights

# Beyond this the weights of all raters side by side would not fit a laptop.
_MOST_WEIGHTS = 4_000_000
# A number nearer to its edge than this may stand on it: that takes a whole analysis to tell.
_NEAR_EDGE = 0.01
_MOST_NEAR = 4


def without_each(ratings: Ratings, raters: Sequence[int]) -> tuple[Patterns, FloatArray] | None:
    """The class counts of the cases with each of some raters left out.

    Parameters
    ----------
    ratings
        The data.
    raters
        Whom to leave out, one at a time.

    Returns
    -------
    tuple
        All vectors of class counts that occur, and an array (raters, vectors): how often each occurs without a rater.
        None where there are too many. Cases that keep no rating count nowhere.
    """
    counts, weight, n = ratings.counts(), ratings.subject_weights(), len(ratings.subjects)
    mine = np.isin(ratings.rater, raters)
    code = ratings.rater[mine].astype(np.int64) * n + ratings.subject[mine]
    given, which = np.unique(code, return_inverse=True)
    own = np.zeros((given.size, counts.shape[1]), dtype=np.int64)
    np.add.at(own, (which.ravel(), ratings.category[mine]), 1)
    subject = given % n
    every = np.concatenate([counts, counts[subject] - own])
    vectors, number = np.unique(every, axis=0, return_inverse=True)
    number = number.ravel()
    if len(raters) * vectors.shape[0] > _MOST_WEIGHTS:
        return None
    weights: FloatArray = np.tile(
        np.bincount(number[:n], weight, vectors.shape[0]).astype(np.float64), (len(raters), 1)
    )
    place = np.full(len(ratings.raters), -1)
    place[list(raters)] = np.arange(len(raters))
    row = place[given // n]
    np.subtract.at(weights, (row, number[subject]), weight[subject])
    np.add.at(weights, (row, number[n:]), weight[subject])
    weights[:, vectors.sum(axis=1) == 0] = 0
    return count_patterns(vectors), weights


def accuracies(ratings: Ratings, whole: Fit, raters: Sequence[int]) -> Run[list[float | None]]:
    """The accuracy of t-a-p with each of some raters left out, where it is safe to tell it from the whole.

    Starts are the maxima of the whole beside the usual ones: one rater of many hardly moves them.

    Parameters
    ----------
    ratings
        The data.
    whole
        Their fit.
    raters
        Whom to leave out, one at a time.

    Yields
    ------
    Step
        Phase ``raters``.

    Returns
    -------
    list
        None where the answer is to be looked at by itself: near an edge, not settled, or hardly determined.
    """
    made = without_each(ratings, raters)
    if made is None or not whole.identification.identified or whole.degenerate:
        return [None] * len(raters)
    patterns, weights = made
    space = pooled_space(model("t-a-p"), patterns.classes)
    evidence = space.evidence(patterns)
    near = [o.parameters for o in whole.optima[:_MOST_NEAR]]
    found = yield from refit_weights(space, evidence, weights, near, effort=CAREFUL, phase="raters")
    safe = found.converged & _told(patterns, weights)
    told: list[float | None] = []
    for b in range(len(raters)):
        point = found.stack.one(b)
        if not safe[b] or not _inside(point):
            told.append(None)
            continue
        seen = weights[b] > 0
        alone = _of(patterns, seen, weights[b][seen])
        best = polish(space, space.evidence(alone), point)
        told.append(float(best.parameters.accuracy[0, 0]) if _inside(best.parameters) else None)
    return told


def kappas(ratings: Ratings, raters: Sequence[int]) -> list[float | None] | None:
    """Fleiss' kappa with each of some raters left out, None where undefined; None where they are too many."""
    made = without_each(ratings, raters)
    if made is None:
        return None
    found = fleiss_kappas(*made)
    return [float(k) if np.isfinite(k) else None for k in found]


def _told(patterns: Patterns, weights: FloatArray) -> NDArray[np.bool_]:
    """Whether t-a-p is determined by the design alone: two classes occur, and cases have three ratings."""
    classes = ((weights @ patterns.table) > 0).sum(axis=1)
    return np.asarray((classes == patterns.classes) & (weights @ (patterns.size >= 3) > 0))


def _inside(point: Parameters) -> bool:
    numbers = np.concatenate([point.truth, point.accuracy.ravel(), point.guessing.ravel()])
    return bool(numbers.min() > _NEAR_EDGE and numbers.max() < 1 - _NEAR_EDGE)


def _of(patterns: Patterns, seen: NDArray[np.bool_], weight: FloatArray) -> Patterns:
    """Those patterns that occur, so often."""
    return count_patterns(patterns.table[seen].astype(np.int64), weight)
