"""What the E-steps share that are told of many data sets each by its own patterns."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import Evidence
from tapdesk.models.stack import FloatArray, Stack

# Exponentials of this size neither overflow nor vanish, so they need no shift.
_SAFE = 300.0


def settled(joint: FloatArray, weight: FloatArray, bound: float = np.inf) -> tuple[FloatArray, FloatArray]:
    """Weighted posteriors (B, K, M), and the log-likelihoods (B,) of log joint probabilities, overwriting these."""
    level = np.zeros(joint.shape[0])
    if bound >= _SAFE:
        top = joint.max(axis=1)
        joint -= top[:, None]
        level += (top * weight).sum(axis=1)
    np.exp(joint, out=joint)
    total = joint.sum(axis=1)
    level += (np.log(total) * weight).sum(axis=1)
    joint *= (weight / total)[:, None]
    return joint, level


class Own:
    """What does not depend on the data sets is told by the evidence on the patterns of all of them.

    Parameters
    ----------
    shared
        That evidence.
    """

    def __init__(self, shared: Evidence) -> None:
        self.patterns = shared.patterns
        self._shared = shared
        self._largest = float(shared.patterns.size.max(initial=0.0))

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`: on the patterns of all data sets."""
        return self._shared.posterior(stack)

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`: on the patterns of all data sets."""
        return self._shared.pattern_log_likelihood(stack)


def place_in_group(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each of many things in its group, the groups one after another."""
    return np.asarray(np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes))
