"""The E-step: log-likelihood and expected counts of many parameter points on the patterns of one data set.

All arrays are class-major, (B, K, P): reducing over a short last axis costs several times the exponentials
(models.md §5.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.ratings.patterns import Patterns

# Probabilities of 0 are reached by real data; the floor keeps 0 * log 0 out of the sums.
TINY = 1e-300
# Exponentials of this size neither overflow nor vanish, so they need no shift.
_SAFE = 300.0
# Points stand last from so many of them on.
_WORTH = 16
# So many probabilities at a time stay within reach of the processor: of 700 points of 180 patterns, 700 at once take
# two and a half times as long as 100 and 100. For fewer points at a time the calls themselves would take longer.
_BLOCK, _FEWEST = 50_000, 32
# And of so many patterns each point alone is quicker, since nothing is turned over.
_ALONE = 100_000


@dataclass(frozen=True, eq=False)
class Expected:
    """What the E-step expects at each of B points.

    Attributes
    ----------
    log_likelihood
        Shape (B,): in nats, ratings form.
    truth
        Shape (B, K): expected number of subjects of each true class.
    hits
        Shape (B, U, K): expected accurate ratings by unit and true class.
    ratings
        Shape (B, U, K or 1): expected ratings by unit and true class (summed over classes where these share all).
    guesses
        Shape (B, U, K or 1, K): expected guesses by unit, true class (summed as above) and rated class.
    spread
        Shape (B, 1, 3): what speaks of how cases differ (`tapdesk.models.case_evidence.spread_step`); None where they
        do not.
    by_node
        Shape (B, U, M, 2): expected accurate ratings and ratings of each unit on the cases of each node
        (`tapdesk.models.difficulty`); None where there are no nodes.
    """

    log_likelihood: FloatArray
    truth: FloatArray
    hits: FloatArray
    ratings: FloatArray
    guesses: FloatArray
    spread: FloatArray | None = None
    by_node: FloatArray | None = None

    @staticmethod
    def join(parts: Sequence["Expected"]) -> "Expected":
        """Of points one after the other, whose cases do not differ."""
        first = ("log_likelihood", "truth", "hits", "ratings", "guesses")
        return Expected(*(np.concatenate([getattr(part, name) for part in parts]) for name in first))


class Evidence(Protocol):
    """Patterns prepared for the E-step of one family of models."""

    patterns: Patterns

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """Log-likelihood and expected counts; ``weights`` of shape (B, P) replace those of the patterns."""
        ...

    def posterior(self, stack: Stack) -> FloatArray:
        """Shape (B, K, P): probability of each true class given each pattern."""
        ...

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """Shape (B, P): log-likelihood of each pattern, ratings form."""
        ...


def _settle(log_joint: FloatArray, bound: float = np.inf) -> tuple[FloatArray, FloatArray]:
    """Posterior (B, K, P) and log normaliser (B, P) of log joint probabilities, overwriting them.

    A ``bound`` on their absolute values, where known, may save the search for the largest.
    """
    if bound < _SAFE:
        np.exp(log_joint, out=log_joint)
        # Of many points at once einsum takes a half to a tenth of the time that sum does.
        total = np.einsum("bkp->bp", log_joint)
        log_joint /= total[:, None]
        return log_joint, np.log(total)
    top = log_joint.max(axis=1)
    log_joint -= top[:, None]
    np.exp(log_joint, out=log_joint)
    total = log_joint.sum(axis=1)
    log_joint /= total[:, None]
    return log_joint, top + np.log(total)


class TruthOfPatterns:
    """How common the true classes are among the subjects of each pattern, and which class is known to be true there.

    Parameters
    ----------
    patterns
        With their groups and known classes.
    informing
        Whether known subjects are a random part of all, so that their classes tell how common these are.
    """

    def __init__(self, patterns: Patterns, *, informing: bool) -> None:
        self._group, known = patterns.group, patterns.known
        self._groups = 0 if self._group is None else int(self._group.max(initial=-1)) + 1
        self.plain = self._group is None and known is None
        every = np.arange(patterns.classes)[:, None]
        if known is not None:
            self._barred = (known >= 0) & (every != known)
        self._empty = list(patterns.empty)
        # Where the class is certain its rate plays no part, unless it was left to chance which cases are known.
        self._open = None if known is None or informing else (known < 0).astype(np.float64)
        self._known = known is not None
        self._patterns = patterns.patterns

    def add(self, log_joint: FloatArray, truth: FloatArray) -> None:
        """Add the log rates of the true classes to log probabilities (B, K, P), in place."""
        log_truth = safe_log(truth)
        rates = log_truth[:, :, None] if self._group is None else log_truth[:, self._group].transpose(0, 2, 1)
        log_joint += rates if self._open is None else rates * self._open
        if self._known:
            log_joint[:, self._barred] = -np.inf
        if self._empty:
            log_joint[:, self._empty] = -np.inf

    def columns(self) -> FloatArray:
        """Shape (P, G or 1): how often the log rate of the true class, of each group, stands in a log probability."""
        open_cases = np.ones(self._patterns) if self._open is None else self._open
        if self._group is None:
            return open_cases[:, None]
        return np.asarray(open_cases[:, None] * (self._group[:, None] == np.arange(self._groups)))

    def count(self, posterior: FloatArray) -> FloatArray:
        """Shape (B, K) or (B, G, K): expected subjects of each true class, from weighted posteriors (B, K, P)."""
        if self._open is not None:
            posterior = posterior * self._open
        if self._group is None:
            return np.asarray(np.einsum("bkp->bk", posterior))
        member = (self._group[:, None] == np.arange(self._groups)).astype(np.float64)
        return np.ascontiguousarray(np.swapaxes(posterior @ member, 1, 2))


def _at_once(patterns: Patterns) -> int:
    """How many points are best gone through at once."""
    size = max(patterns.patterns * patterns.classes, 1)
    return 1 if size > _ALONE else max(_BLOCK // size, _FEWEST)


def safe_log(x: FloatArray) -> FloatArray:
    """Logarithms, those of 0 finite and very low."""
    return np.asarray(np.log(np.maximum(x, TINY)))


class StructuredEvidence:
    """For models whose accuracy and guessing do not depend on the true class.

    Then log pi_jk(c) is the same for every k except c, and a rating touches one entry of its subject's posterior:
    the step costs one sparse product forth and one back (models.md §5.1).
    """

    def __init__(self, patterns: Patterns, *, informing: bool = False) -> None:
        self.patterns = patterns
        self._truth = TruthOfPatterns(patterns, informing=informing)
        self._pooled = patterns.units == 1
        self._largest = float(patterns.size.max(initial=0.0))
        if self._pooled:
            self._table = np.ascontiguousarray(patterns.table.T)
        else:
            # Where each entry adds in the posterior (class, pattern), and which cell (unit, class) it belongs to.
            self._place = patterns.category.astype(np.int64) * patterns.patterns + patterns.pattern
            self._cell = patterns.unit.astype(np.int64) * patterns.classes + patterns.category
            self._once = bool((patterns.count == 1).all())
        self._alike = bool((patterns.weight == 1).all())
        self._across = not self._pooled and self.plain
        self._two = patterns.classes == 2 and self._across
        self._known: tuple[FloatArray | None, FloatArray, FloatArray, FloatArray] | None = None

    @cached_property
    def _cells(self) -> Any:
        """The entries as a sparse matrix, (class, pattern) by (unit, class): for many points at once."""
        from scipy import sparse  # start-up cost: loads scipy.linalg as well

        p = self.patterns
        shape = (p.classes * p.patterns, p.units * p.classes)
        return sparse.csr_array((p.count, (self._place, self._cell)), shape=shape)

    @cached_property
    def _of_cells(self) -> Any:
        """The same matrix turned over: making it anew in every step takes longer than its product."""
        return self._cells.T

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`."""
        known = self._totals(weights)
        rows = _at_once(self.patterns)
        if self._pooled or stack.size <= rows:
            return self._some(stack, weights, known)
        parts = []
        for at in range(0, stack.size, rows):
            part = np.arange(at, min(at + rows, stack.size))
            if weights is None:
                parts.append(self._some(stack.take(part), None, known))
            else:
                own = (known[0][part], known[1][part], known[2][:, part])
                parts.append(self._some(stack.take(part), weights[part], own))
        return Expected.join(parts)

    @cached_property
    def _halves(self) -> Any:
        """The entries of each of two classes as sparse matrices, (pattern) by (unit), and turned over."""
        from scipy import sparse  # start-up cost: loads scipy.linalg as well

        p, pair = self.patterns, []
        for category in range(2):
            here = p.category == category
            entries = (p.count[here], (p.pattern[here], p.unit[here]))
            pair.append(sparse.csr_array(entries, shape=(p.patterns, p.units)))
        both = sparse.hstack([-pair[0], pair[1]], format="csr")
        return both, pair[0].T.tocsr(), pair[1].T.tocsr()

    def _of_many(
        self, stack: Stack, weights: FloatArray | None, rates: tuple[FloatArray, ...], known: tuple[FloatArray, ...]
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """Log-likelihood (B,), cases of each true class (B, K), and ratings that name it (B, U, K); None where unsafe.

        Points stand last here, as the sparse products have them, so that nothing is turned over on the way.
        """
        _rate, gain, log_base = rates
        totals, _ratings, w = known
        joint, first = self._joint_of_many(gain, safe_log(stack.truth))
        highest, lowest = float(joint.max(initial=0.0)), float(joint.min(initial=0.0))
        if max(highest, -lowest) >= _SAFE:
            return None
        np.exp(joint, out=joint)
        total = np.add.reduce(joint, axis=0)
        if self._two:
            # Of two classes the odds tell all: one exponential for each pattern and point.
            total += 1
        logs = np.log(total)
        level = w @ logs if weights is None else np.einsum("pb,pb->b", w, logs)
        level += first * np.add.reduce(w, axis=0)
        level += np.add.reduce(totals * log_base, axis=(1, 2))
        share = np.divide(1.0, total, out=total)
        if weights is not None:
            share *= w
        elif not self._alike:
            share *= w[:, None]
        joint *= share
        if not self._two:
            right = self._of_cells @ joint.reshape(-1, stack.size)
            return level, np.add.reduce(joint, axis=1).T, np.ascontiguousarray(right.T).reshape(gain.shape)
        level += np.add.reduce(totals[:, :, 0] * gain[:, :, 0], axis=1)
        _both, of_first, of_second = self._halves
        truth = np.stack([np.add.reduce(share, axis=0), np.add.reduce(joint[0], axis=0)], axis=1)
        right = np.stack([of_first @ share, of_second @ joint[0]])
        return level, truth, np.ascontiguousarray(right.transpose(2, 1, 0))

    def _joint_of_many(self, gain: FloatArray, log_truth: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Shape (K, P, B): log joint probabilities; of two classes (1, P, B) log odds, and those of the first (B,)."""
        b = gain.shape[0]
        if self._two:
            odds = self._halves[0] @ np.ascontiguousarray(gain.transpose(2, 1, 0)).reshape(-1, b)
            odds += log_truth[:, 1] - log_truth[:, 0]
            return odds[None], log_truth[:, 0]
        joint = (self._cells @ np.ascontiguousarray(gain.reshape(b, -1).T)).reshape(gain.shape[2], -1, b)
        joint += log_truth.T[:, None]
        return joint, np.zeros(b)

    def _some(self, stack: Stack, weights: FloatArray | None, known: tuple[FloatArray, ...]) -> Expected:
        """As `expect`, of points that are gone through at once, with the ratings of each unit (`_totals`)."""
        rate, gain, log_base = self._cell_rates(stack)
        if self._across and stack.size >= _WORTH:
            found = self._of_many(stack, weights, (rate, gain, log_base), known)
            if found is not None:
                level, truth, right = found
                return self._told(stack, level, truth, right * (stack.accuracy / rate), known)
        posterior, log_total = self._settled(stack, gain)
        w = self.patterns.weight if weights is None else weights
        totals = known[0]
        of_totals = np.add.reduce(log_total * w, axis=-1) if weights is None else np.einsum("bp,bp->b", log_total, w)
        log_likelihood = np.add.reduce(totals * log_base, axis=(1, 2)) + of_totals
        if weights is not None:
            posterior *= w[:, None]
        elif not self._alike:
            posterior *= w
        plain = self._truth.plain and weights is None
        truth = np.add.reduce(posterior, axis=-1) if plain else self._truth.count(posterior)
        right = self.gather(posterior)
        return self._told(stack, log_likelihood, truth, right * (stack.accuracy / rate), known)

    def _told(
        self, stack: Stack, level: FloatArray, truth: FloatArray, hits: FloatArray, known: tuple[FloatArray, ...]
    ) -> Expected:
        """What is expected, with the guesses that follow."""
        totals, ratings = known[:2]
        if ratings.shape[0] != stack.size:
            ratings = ratings.repeat(stack.size, axis=0)
        return Expected(level, truth, hits, ratings, np.maximum(totals - hits, 0.0)[:, :, None])

    @property
    def plain(self) -> bool:
        """Whether nothing but ratings tells the cases apart."""
        return self._truth.plain and not self.patterns.empty

    def truth_columns(self) -> FloatArray:
        """See `TruthOfPatterns.columns`."""
        return self._truth.columns()

    def totals(self, weights: FloatArray | None) -> FloatArray:
        """Shape (1 or B, U, K): ratings of each unit under weights (B, P), by class."""
        return self._totals(weights)[0]

    def _totals(self, weights: FloatArray | None) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Shapes (1 or B, U, K) and (1 or B, U, 1): ratings of each unit under the weights, by class and in all.

        And the weights, those of one pattern in a row.
        """
        # A climb asks for the same weights at every step.
        known = self._known
        if known is None or known[0] is not weights:
            w = self.patterns.weight if weights is None else np.ascontiguousarray(weights.T)
            totals = self._totals_under(weights, w)
            known = self._known = (weights, totals, totals.sum(axis=2, keepdims=True), w)
        return known[1:]

    def _totals_under(self, weights: FloatArray | None, turned: FloatArray) -> FloatArray:
        p = self.patterns
        if weights is None:
            return p.totals[None]
        if self._pooled:
            return np.asarray((weights @ p.table)[:, None])
        if self._two:
            _both, of_first, of_second = self._halves
            return np.ascontiguousarray(np.stack([of_first @ turned, of_second @ turned]).transpose(2, 1, 0))
        # A rating counts in the row of its own class only, so tiling the weights over classes counts it once.
        tiled = np.concatenate([turned] * p.classes)
        return np.ascontiguousarray((self._of_cells @ tiled).T).reshape(-1, p.units, p.classes)

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`."""
        _, gain, _ = self._cell_rates(stack)
        return self._settled(stack, gain)[0]

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`."""
        _, gain, log_base = self._cell_rates(stack)
        _, log_total = self._settled(stack, gain)
        p = self.patterns
        if self._pooled or stack.size < _WORTH:
            entries = p.count * log_base[:, p.unit, p.category]
            return np.asarray(log_total + np.stack([np.bincount(p.pattern, row, p.patterns) for row in entries]))
        by_class = self._cells @ np.ascontiguousarray(log_base.reshape(stack.size, -1).T)
        return np.asarray(log_total + by_class.reshape(p.classes, -1, stack.size).sum(axis=0).T)

    def _settled(self, stack: Stack, gain: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Posterior and log normaliser of the patterns; the gains are log ratios, so they are bounded by hand."""
        lowest = max(float(stack.truth.min(initial=1.0)), TINY)
        bound = float(np.abs(gain).max(initial=0.0)) * self._largest - float(np.log(lowest))
        log_joint = self._spread(gain)
        self._truth.add(log_joint, stack.truth)
        return _settle(log_joint, bound)

    def _cell_rates(self, stack: Stack) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Rate of being right, log gain of being right and log rate of the guess, each (B, U, K)."""
        shape = (stack.size, self.patterns.units, self.patterns.classes)
        base = (1 - stack.accuracy) * stack.guessing[:, :, 0]
        rate = np.maximum(stack.accuracy + base, TINY)
        log_base = safe_log(base)
        gain = np.log(rate) - log_base
        if base.shape != shape:
            # Logarithms of what raters share are taken once.
            return rate, np.broadcast_to(gain, shape), np.broadcast_to(log_base, shape)
        return rate, gain, log_base

    def _spread(self, gain: FloatArray) -> FloatArray:
        """Shape (B, K, P): log gains of the ratings of each pattern that name class k."""
        if self._pooled:
            return np.asarray(gain[:, 0, :, None] * self._table)
        if gain.shape[0] == 1:
            # For one point a gather and a weighted bincount take half the time of a sparse product.
            entries = self._counted(np.asarray(gain.ravel().take(self._cell)))
            size = self.patterns.classes * self.patterns.patterns
            sums: FloatArray = np.bincount(self._place, entries, size).astype(np.float64, copy=False)
            return sums.reshape(1, self.patterns.classes, -1)
        flat = self._cells @ np.ascontiguousarray(gain.reshape(gain.shape[0], -1).T)
        return np.ascontiguousarray(flat.T).reshape(gain.shape[0], self.patterns.classes, -1)

    def _counted(self, entries: FloatArray) -> FloatArray:
        """Values of the entries times how often each occurs in its pattern."""
        return entries if self._once else entries * self.patterns.count

    def gather(self, posterior: FloatArray) -> FloatArray:
        """Shape (B, U, K): ratings of each unit that name the true class, from weighted posteriors (B, K, P)."""
        b = posterior.shape[0]
        if self._pooled:
            return np.asarray(np.einsum("bkp,kp->bk", posterior, self._table)[:, None])
        if b == 1:
            entries = self._counted(np.asarray(posterior.ravel().take(self._place)))
            size = self.patterns.units * self.patterns.classes
            sums: FloatArray = np.bincount(self._cell, entries, size).astype(np.float64, copy=False)
            return sums.reshape(1, self.patterns.units, -1)
        flat = self._of_cells @ np.ascontiguousarray(posterior.reshape(b, -1).T)
        return np.ascontiguousarray(flat.T).reshape(b, self.patterns.units, self.patterns.classes)


class FullEvidence:
    """For models in which accuracy or guessing depend on the true class: every rate pi_jk(c) is its own."""

    def __init__(self, patterns: Patterns, *, informing: bool = False) -> None:
        from scipy import sparse  # start-up cost: loads scipy.linalg as well

        self.patterns = patterns
        self._truth = TruthOfPatterns(patterns, informing=informing)
        k = patterns.classes
        self._counts: Any = patterns.table
        if patterns.units > 1:
            column = patterns.unit.astype(np.int64) * k + patterns.category
            shape = (patterns.patterns, patterns.units * k)
            self._counts = sparse.csr_array((patterns.count, (patterns.pattern, column)), shape=shape)
        self._of_cells: Any = self._counts.T

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`."""
        if self.patterns.units > 1 and stack.size > 1 and _at_once(self.patterns) == 1:
            each = (np.array([i]) for i in range(stack.size))
            return Expected.join([self.expect(stack.take(i), None if weights is None else weights[i]) for i in each])
        rates = self._rates(stack)
        posterior, log_total = self._posterior(stack, rates)
        w = self.patterns.weight if weights is None else weights
        log_likelihood = (log_total * w).sum(axis=-1)
        posterior *= w if weights is None else w[:, None]
        counts = self.gather(posterior)
        every = np.arange(self.patterns.classes)
        right = rates[:, :, every, every]
        hits = counts[:, :, every, every] * (stack.accuracy / np.maximum(right, TINY))
        guesses = counts
        guesses[:, :, every, every] = np.maximum(guesses[:, :, every, every] - hits, 0.0)
        return Expected(log_likelihood, self._truth.count(posterior), hits, guesses.sum(axis=-1) + hits, guesses)

    def truth_columns(self) -> FloatArray:
        """See `TruthOfPatterns.columns`."""
        return self._truth.columns()

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`."""
        return self._posterior(stack, self._rates(stack))[0]

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`."""
        return self._posterior(stack, self._rates(stack))[1]

    def _rates(self, stack: Stack) -> FloatArray:
        """Shape (B, U, K, K): probability of the rated class given unit and true class."""
        k = self.patterns.classes
        full = np.broadcast_to(
            (1 - stack.accuracy)[..., None] * stack.guessing, (stack.size, self.patterns.units, k, k)
        ).copy()
        full[:, :, np.arange(k), np.arange(k)] += stack.accuracy
        return full

    def _posterior(self, stack: Stack, rates: FloatArray) -> tuple[FloatArray, FloatArray]:
        b, k = stack.size, self.patterns.classes
        cells = np.ascontiguousarray(np.moveaxis(safe_log(rates), -1, 2).reshape(b, -1, k).transpose(1, 0, 2))
        log_joint = (self._counts @ cells.reshape(-1, b * k)).reshape(-1, b, k)
        settled = np.ascontiguousarray(log_joint.transpose(1, 2, 0))
        self._truth.add(settled, stack.truth)
        return _settle(settled)

    def gather(self, posterior: NDArray[np.float64]) -> FloatArray:
        """Shape (B, U, K, K): ratings by unit, true and rated class, from weighted posteriors of shape (B, K, P)."""
        b, k = posterior.shape[:2]
        flat = np.ascontiguousarray(posterior.transpose(2, 0, 1)).reshape(-1, b * k)
        cells = (self._of_cells @ flat).reshape(self.patterns.units, k, b, k)
        return np.ascontiguousarray(cells.transpose(2, 0, 3, 1))
