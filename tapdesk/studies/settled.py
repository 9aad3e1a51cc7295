"""Posteriors and log-likelihoods of many data sets from their log joint probabilities."""

import numpy as np

from tapdesk.models.stack import FloatArray

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
