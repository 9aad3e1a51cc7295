"""The log posterior of a structured model on few patterns, as one pass of dense products.

On small tables the general E-step spends its time on bookkeeping rather than numbers. Here chains are the last axis,
logarithms come straight from the coordinates, and one small dense matrix stands for all ratings; the density is the
same as `target.ModelTarget`'s, and a test holds them together.
"""

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.sampling.target import ModelTarget
from tapdesk.models.model import Accuracy, Guessing, Truth
from tapdesk.models.stack import FloatArray

_MOST_CELLS = 120_000


def fits(target: ModelTarget) -> bool:
    """Whether a model's ratings are few, and its accuracy and guessing do not depend on the true class."""
    space, patterns = target.plan.space, target.plan.patterns
    structured = space.accuracy_shape[1] == 1 and space.guessing_shape[1] == 1
    cells = patterns.patterns * patterns.units * patterns.classes**2
    plain = space.model.accuracy in {Accuracy.ONE, Accuracy.PER_RATER}
    return structured and plain and 0 < cells <= _MOST_CELLS


class SmallTarget:
    """`ModelTarget` for few patterns.

    Parameters
    ----------
    target
        The general one, whose coordinates and priors are kept.
    """

    def __init__(self, target: ModelTarget) -> None:
        self.general, self.size = target, target.size
        space, patterns = target.plan.space, target.plan.patterns
        k, p, u = patterns.classes, patterns.patterns, patterns.units
        self._shape = (k, p, u)
        kind = space.model
        self._truth_free = kind.truth is Truth.FREE
        self._by_rater = space.accuracy_shape[0] == u
        self._guessing = kind.guessing
        cells = np.zeros((k * p, u * k + k))
        row = patterns.category.astype(np.int64) * p + patterns.pattern
        cells[row, patterns.unit.astype(np.int64) * k + patterns.category] = patterns.count
        # The last columns add the log rate of the true class to its rows, and count it on the way back.
        cells[np.arange(k * p), u * k + np.repeat(np.arange(k), p)] = 1.0
        self._cells = cells
        self._back = np.ascontiguousarray((cells * np.tile(patterns.weight, k)[:, None]).T)
        self._totals = patterns.totals[:, :, None]
        self._sizes = patterns.totals.sum(axis=1)[:, None]
        self._flat_totals = patterns.totals.reshape(-1)
        prior = target.prior
        self._prior_truth = prior.truth[0][:, None]
        self._prior_hits, self._prior_ratings = prior.hits[0, :, 0][:, None], prior.ratings[0, :, 0][:, None]
        self._prior_guesses = prior.guesses[0, :, 0][:, :, None]
        self._held_truth = np.log(np.maximum(target.points(np.zeros((1, self.size))).truth[0], 1e-300))[:, None]
        self._held_guessing = np.log(np.maximum(space.observed, 1e-300))[None, :, None]
        if not self._by_rater:
            self._sizes = self._sizes.sum(axis=0, keepdims=True)

    def allowed(self, at: FloatArray) -> NDArray[np.bool_]:
        """See `Target.allowed`."""
        return self.general.allowed(at)

    def __call__(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Target.__call__`."""
        k, p, u = self._shape
        b = at.shape[0]
        z = np.ascontiguousarray(at.T)
        basis = self.general.basis
        t_end = k - 1 if self._truth_free else 0
        a_end = t_end + (u if self._by_rater else 1)
        log_t = _log_rates(basis @ z[:t_end]) if self._truth_free else np.broadcast_to(self._held_truth, (k, b))
        x = z[t_end:a_end]
        log_miss = -np.logaddexp(0.0, x)
        log_hit = log_miss + x
        log_p = self._guesses(z[a_end:], log_t)
        log_base = log_miss[:, None] + log_p
        a = np.exp(log_hit)[:, None]
        base = np.exp(log_base)
        rate = a + base
        joined = np.empty((u * k + k, b))
        np.subtract(np.log(rate), log_base, out=joined[: u * k].reshape(u, k, b))
        joined[u * k :] = log_t
        posterior = (self._cells @ joined).reshape(k, p, b)
        top = posterior.max(axis=0)
        posterior -= top
        np.exp(posterior, out=posterior)
        total = posterior.sum(axis=0)
        posterior /= total
        level = self.general.plan.patterns.weight @ (top + np.log(total))
        full = np.broadcast_to(log_base, (u, k, b)).reshape(u * k, b)
        level += self._flat_totals @ full
        counts = self._back @ posterior.reshape(k * p, b)
        hits = counts[: u * k].reshape(u, k, b) * (a / rate)
        level += (self._prior_hits * log_hit + (self._prior_ratings - self._prior_hits) * log_miss).sum(axis=0)
        return self._score(level, z, (log_t, log_p, a[:, 0]), (counts[u * k :], hits))

    def _guesses(self, z: FloatArray, log_t: FloatArray) -> FloatArray:
        """Shape (U or 1, K, B): log rates of guesses."""
        if self._guessing is Guessing.AS_TRUTH:
            return log_t[None]
        if self._guessing is Guessing.OBSERVED:
            return np.broadcast_to(self._held_guessing, (1, *log_t.shape))
        k = self._shape[0]
        ratios = np.matmul(self.general.basis, z.reshape(-1, k - 1, z.shape[1]))
        top = ratios.max(axis=1, keepdims=True)
        ratios -= top
        ratios -= np.log(np.exp(ratios).sum(axis=1, keepdims=True))
        return np.asarray(ratios)

    def _score(
        self,
        level: FloatArray,
        z: FloatArray,
        logs: tuple[FloatArray, FloatArray, FloatArray],
        expected: tuple[FloatArray, FloatArray],
    ) -> tuple[FloatArray, FloatArray]:
        """Levels with the priors of the rates, and gradients, from expected counts (chains last)."""
        log_t, log_p, a = logs
        truth, hits = expected
        slope = np.empty_like(z)
        basis_t = self.general.basis.T
        at = 0
        guesses = self._totals - hits
        if self._truth_free:
            counts = truth + self._prior_truth
            if self._guessing is Guessing.AS_TRUTH:
                counts = counts + guesses.sum(axis=0)
            level += (self._prior_truth * log_t).sum(axis=0)
            at = basis_t.shape[0]
            slope[:at] = basis_t @ (counts - np.exp(log_t) * counts.sum(axis=0))
        right = hits.sum(axis=1)
        if not self._by_rater:
            right = right.sum(axis=0, keepdims=True)
        end = at + right.shape[0]
        slope[at:end] = right + self._prior_hits - a * (self._sizes + self._prior_ratings)
        if self._guessing in {Guessing.ONE, Guessing.PER_RATER}:
            if self._guessing is Guessing.ONE:
                guesses = guesses.sum(axis=0, keepdims=True)
            guesses = guesses + self._prior_guesses
            level += (self._prior_guesses * log_p).sum(axis=(0, 1))
            surplus = guesses - np.exp(log_p) * guesses.sum(axis=1, keepdims=True)
            slope[end:] = np.matmul(basis_t, surplus).reshape(-1, z.shape[1])
        return level, np.ascontiguousarray(slope.T)


def _log_rates(ratios: FloatArray) -> FloatArray:
    """Shape (K, B): log rates of log ratios."""
    ratios = ratios - ratios.max(axis=0)
    return np.asarray(ratios - np.log(np.exp(ratios).sum(axis=0)))
