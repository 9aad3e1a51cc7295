"""The E-step of many data sets that have few patterns in common: each is told by its own.

A long list of patterns is mostly weights of 0 where the subjects are few: at twelve classes and six ratings it has
12,376 rows, and 120 subjects are in at most 120 of them.
"""

import numpy as np

from tapdesk.models.evidence import TINY, Evidence, Expected, FullEvidence, StructuredEvidence
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.studies.own import Own, place_in_group, settled
from tapdesk.studies.own_raters import OwnRaters, told_by_rater


class OwnEvidence(Own):
    """As `StructuredEvidence` or `FullEvidence`, with the patterns and their weights of each data set in one array."""

    def __init__(self, shared: StructuredEvidence | FullEvidence) -> None:
        super().__init__(shared)
        self._full = isinstance(shared, FullEvidence)

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; the weights are those of `own_patterns`."""
        if weights is None:
            raise ValueError("each data set has patterns of its own")
        return self._by_class(stack, weights) if self._full else self._alike(stack, weights)

    def _alike(self, stack: Stack, told: FloatArray) -> Expected:
        """Accuracy and guessing are the same for every true class."""
        weight, table = told[:, 0], told[:, 1:]
        base = (1 - stack.accuracy[:, 0]) * stack.guessing[:, 0, 0]
        rate = np.maximum(stack.accuracy[:, 0] + base, TINY)
        log_base = np.log(np.maximum(base, TINY))
        gain, log_truth = np.log(rate) - log_base, np.log(np.maximum(stack.truth, TINY))
        joint = gain[:, :, None] * table
        joint += log_truth[:, :, None]
        bound = float(np.abs(gain).max(initial=0.0)) * self._largest + float(np.abs(log_truth).max(initial=0.0))
        posterior, level = settled(joint, weight, bound)
        totals = np.einsum("bkm,bm->bk", table, weight)
        level += (totals * log_base).sum(axis=1)
        hits = np.einsum("bkm,bkm->bk", posterior, table) * (stack.accuracy[:, 0] / rate)
        guesses = np.maximum(totals - hits, 0.0)
        return Expected(
            level,
            posterior.sum(axis=2),
            hits[:, None],
            totals.sum(axis=1, keepdims=True)[:, None],
            guesses[:, None, None],
        )

    def _by_class(self, stack: Stack, told: FloatArray) -> Expected:
        """Accuracy or guessing are those of each true class."""
        weight, table = told[:, 0], told[:, 1:]
        k = table.shape[1]
        every = np.arange(k)
        rates = np.broadcast_to((1 - stack.accuracy)[..., None] * stack.guessing, (stack.size, 1, k, k))[:, 0].copy()
        rates[:, every, every] += stack.accuracy[:, 0]
        joint = np.log(np.maximum(rates, TINY)) @ table
        joint += np.log(np.maximum(stack.truth, TINY))[:, :, None]
        posterior, level = settled(joint, weight)
        guesses = posterior @ table.transpose(0, 2, 1)
        right = guesses[:, every, every] / np.maximum(rates[:, every, every], TINY)
        hits = right * stack.accuracy[:, 0]
        guesses[:, every, every] = np.maximum(guesses[:, every, every] - hits, 0.0)
        return Expected(
            level, posterior.sum(axis=2), hits[:, None], (guesses.sum(axis=2) + hits)[:, None], guesses[:, None]
        )


def own_patterns(evidence: Evidence, weights: FloatArray) -> tuple[Evidence, FloatArray]:
    """Data sets told each by its own patterns, where they have few in common; else as they are.

    Parameters
    ----------
    evidence
        On the patterns of all data sets.
    weights
        Shape (B, P).

    Returns
    -------
    tuple
        The evidence, and the weights it takes: as given, or of shape (B, 1 + K, M) for at most M patterns in a data
        set, their weights first, then how often they have each class; where raters differ, as `told_by_rater` has it.
    """
    patterns = evidence.patterns
    if patterns.units > 1:
        by_rater = told_by_rater(patterns, weights) if isinstance(evidence, StructuredEvidence) else None
        if by_rater is None or not isinstance(evidence, StructuredEvidence):
            return evidence, weights
        return OwnRaters(evidence), by_rater
    row, at = np.nonzero(weights)
    own = np.bincount(row, minlength=weights.shape[0])
    most = int(own.max(initial=0))
    if 2 * most > patterns.patterns:
        return evidence, weights
    if not isinstance(evidence, StructuredEvidence | FullEvidence):
        return evidence, weights
    told = np.zeros((weights.shape[0], 1 + patterns.classes, most))
    place = place_in_group(own)
    told[row, 0, place] = weights[row, at]
    told[row, 1:, place] = patterns.table[at]
    return OwnEvidence(evidence), told
