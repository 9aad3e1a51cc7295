"""What one more rating of a case is worth: how much likelier its likeliest class becomes by it, on average.

It stands alone because cases of classes and entries with values ask the same, from different beliefs.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import FloatArray

_NODES = 21


def expected_gain(mean: FloatArray, sd: FloatArray, cuts: FloatArray, spread: float) -> FloatArray:
    """Shape (N,): the gain of one more score, of values believed normal.

    With belief N(m, s^2) a score of standard deviation c leaves s'^2 = 1 / (1/s^2 + 1/c^2), around a mean that is now
    N(m, s^2 - s'^2): an integral by Gauss-Hermite nodes.

    Parameters
    ----------
    mean, sd
        Shape (N,): of each value.
    cuts
        Shape (K - 1,): the lines between classes.
    spread
        Of the further score.
    """
    from scipy.special import ndtr  # late: slow to load

    node, weight = np.polynomial.hermite_e.hermegauss(_NODES)
    sd = np.maximum(sd, 1e-9)
    left = 1 / np.sqrt(1 / sd**2 + 1 / spread**2)
    moved = mean[:, None] + np.sqrt(np.maximum(sd**2 - left**2, 0.0))[:, None] * node

    def likeliest(middle: FloatArray, width: FloatArray) -> FloatArray:
        below = ndtr((cuts - middle[..., None]) / width[..., None])
        return np.asarray(np.diff(below, axis=-1, prepend=0.0, append=1.0).max(axis=-1))

    after = likeliest(moved, np.broadcast_to(left[:, None], moved.shape)) @ (weight / weight.sum())
    before = likeliest(moved[:, :1] * 0 + mean[:, None], sd[:, None])[:, 0]
    return np.asarray(np.maximum(after - before, 0.0))


def class_gain(belief: FloatArray, rates: FloatArray) -> FloatArray:
    """Shape (N,): the gain of one more rating, of beliefs about classes.

    Parameters
    ----------
    belief
        Shape (N, K): of each case the probability of each class.
    rates
        Shape (K, K): how a further rater answers, by true class.
    """
    joint = belief[:, :, None] * rates
    return np.asarray(np.maximum(joint.max(axis=1).sum(axis=1) - belief.max(axis=1), 0.0))


def worklist(gain: FloatArray, most: int) -> NDArray[np.int64]:
    """Cases worth another rating, the most first: at most so many, and none without a gain."""
    order = np.argsort(-gain, kind="stable")[:most]
    return order[gain[order] > 1e-6]


def names_of(cases: Sequence[str], which: NDArray[np.int64]) -> tuple[str, ...]:
    """The names of some cases, in their order."""
    return tuple(cases[int(i)] for i in which)
