"""The E-step of many data sets whose raters differ, each told by its own cases: two data sets hardly share a case."""

import numpy as np

from tapdesk.models.evidence import TINY, Expected
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.ratings.patterns import Patterns
from tapdesk.studies.own import Own, place_in_group, settled

# A rating that is looked up costs about as much as so many classes gone through.
_LOOK_UP = 4
_MOST_CELLS = 5_000_000


class OwnRaters(Own):
    """As `StructuredEvidence`, with the patterns and their weights of each data set in one array."""

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; the weights are those of `told_by_rater`."""
        if weights is None:
            raise ValueError("each data set has patterns of its own")
        weight, cell = weights[:, 0], weights[:, 1:].astype(np.int64)
        (b, each, m), units, k = cell.shape, self.patterns.units, stack.truth.shape[1]
        base = np.broadcast_to((1 - stack.accuracy) * stack.guessing[:, :, 0], (b, units, k))
        rate = np.maximum(stack.accuracy + base, TINY)
        log_base, log_truth = np.log(np.maximum(base, TINY)), np.log(np.maximum(stack.truth, TINY))
        # One cell and one class more stand for no rating: it gains nothing.
        gain = np.zeros((b, units * k + 1))
        gain[:, :-1] = (np.log(rate) - log_base).reshape(b, -1)
        joint = np.zeros((b, k + 1, m))
        joint[:, :k] = log_truth[:, :, None]
        category = np.where(cell < units * k, cell % k, k)
        places = ((np.arange(b) * (k + 1))[:, None, None] + category) * m + np.arange(m)
        cell += (np.arange(b) * (units * k + 1))[:, None, None]
        flat = joint.reshape(-1)
        for r in range(each):
            flat[places[:, r]] += gain.ravel()[cell[:, r]]
        bound = float(np.abs(gain).max(initial=0.0)) * self._largest + float(np.abs(log_truth).max(initial=0.0))
        posterior, level = settled(joint[:, :k], weight, bound)
        told_of = np.broadcast_to(weight[:, None], cell.shape)
        totals, right = (
            np.bincount(cell.ravel(), value.ravel(), gain.size).reshape(b, -1)[:, :-1].reshape(b, units, k)
            for value in (told_of, flat[places])
        )
        level += (totals * log_base).sum(axis=(1, 2))
        hits = right * (stack.accuracy / rate)
        guesses = np.maximum(totals - hits, 0.0)
        return Expected(level, posterior.sum(axis=2), hits, totals.sum(axis=2, keepdims=True), guesses[:, :, None])


def told_by_rater(patterns: Patterns, weights: FloatArray) -> FloatArray | None:
    """Data sets told each by its own patterns, shape (B, 1 + R, M): their weights, then the ratings of each.

    Parameters
    ----------
    patterns
        Of all data sets.
    weights
        Shape (B, P).

    Returns
    -------
    array
        A rating is told as its rater times K plus its class; the first number that is none stands for no rating. None
        where this would save nothing.
    """
    k, none = patterns.classes, patterns.units * patterns.classes
    row, at = np.nonzero(weights)
    own = np.bincount(row, minlength=weights.shape[0])
    most, each = int(own.max(initial=0)), int(patterns.size.max(initial=0))
    if most * (_LOOK_UP * each + k) > patterns.patterns * k or patterns.patterns * each > _MOST_CELLS:
        return None
    times = np.rint(patterns.count).astype(np.int64)
    pattern = np.repeat(patterns.pattern.astype(np.int64), times)
    cell = np.repeat(patterns.unit.astype(np.int64) * k + patterns.category, times)
    order = np.argsort(pattern, kind="stable")
    pattern, cell = pattern[order], cell[order]
    given = np.full((patterns.patterns, each), none)
    given[pattern, place_in_group(np.bincount(pattern, minlength=patterns.patterns))] = cell
    told = np.zeros((weights.shape[0], 1 + each, most))
    told[:, 1:] = none
    place = place_in_group(own)
    told[row, 0, place] = weights[row, at]
    told[row, 1:, place] = given[at]
    return told
