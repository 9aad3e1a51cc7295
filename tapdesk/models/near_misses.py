"""Ordered classes within the family: what is not accurate may fall next to the truth.

pi_k(c) = a I(c = k) + (1 - a) [n N_k(c) + (1 - n) p(c)], where N_k spreads over the classes next to k in equal shares.
So a rating is right with probability a, a near miss with (1 - a) n, and luck with (1 - a)(1 - n); n = 0 is the
model without order. Both latent parts have closed M-steps, as accuracy and guessing have (models.md §5.1).
"""

from dataclasses import replace

import numpy as np

from tapdesk.models.evidence import TINY, Expected, FullEvidence
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.ratings.patterns import Patterns


def neighbours(classes: int) -> FloatArray:
    """Shape (K, K): N_k(c), equal shares of the classes next to each true class."""
    beside = np.abs(np.subtract.outer(np.arange(classes), np.arange(classes))) == 1
    return np.asarray(beside / np.maximum(beside.sum(axis=1, keepdims=True), 1), dtype=np.float64)


def near_rates(point: Parameters) -> FloatArray:
    """Shape (U or 1, K, K): probability of the rated class given unit and true class."""
    n = float(point.spread[0])
    missed = n * neighbours(point.classes) + (1 - n) * point.guessing
    return replace(point, guessing=missed).rating_rates()


def near_shares(point: Parameters) -> tuple[float, float, float]:
    """How often a rating is right by accuracy, a near miss, and luck, of one accuracy for all."""
    a, n = float(point.accuracy[0, 0]), float(point.spread[0])
    return a, (1 - a) * n, (1 - a) * (1 - n)


class NearEvidence:
    """The E-step where misses may fall next to the truth; parameters as of `FullEvidence`."""

    def __init__(self, patterns: Patterns, *, informing: bool = False) -> None:
        self.patterns = patterns
        self._full = FullEvidence(patterns, informing=informing)
        self._beside = neighbours(patterns.classes)

    def _near(self, stack: Stack) -> FloatArray:
        """Shape (B, 1, K, K): rates of the near misses among all that is not accurate."""
        return np.asarray(stack.spread[:, :1, None, None] * self._beside)

    def _mixed(self, stack: Stack) -> Stack:
        """The points with near misses and luck as one guess by true class."""
        guessing = self._near(stack) + (1 - stack.spread[:, :1, None, None]) * stack.guessing
        return replace(stack, guessing=guessing)

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; near misses and luck stand in `Expected.spread`."""
        mixed = self._mixed(stack)
        expected = self._full.expect(mixed, weights)
        near = expected.guesses * (self._near(stack) / np.maximum(mixed.guessing, TINY))
        luck = np.maximum(expected.guesses - near, 0.0)
        count = near.sum(axis=(1, 2, 3))
        spread = np.stack([count, luck.sum(axis=(1, 2, 3)), np.zeros_like(count)], axis=1)[:, None]
        return replace(expected, guesses=luck.sum(axis=2, keepdims=True), spread=spread)

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`."""
        return self._full.posterior(self._mixed(stack))

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`."""
        return self._full.pattern_log_likelihood(self._mixed(stack))
