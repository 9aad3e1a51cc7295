"""The E-step where cases differ: some are beyond everybody, or of an accuracy, or misleading, of their own.

The evidence of a case is its class counts n. A state is a true class k and how many of its n_k right ratings came by
accuracy (s); hard cases are one state more. The products [x]_m = prod_{i<m} (x (1 - rho) + i rho) are those of a Polya
urn (models_more.md §3): at every draw a fresh look with weight x (1 - rho), or one more of what came i times before. So
the M-step has a closed form in expected fresh looks and repetitions, and no gamma functions are subtracted.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import TINY, Expected, safe_log
from tapdesk.models.model import Cases
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.ratings.patterns import Patterns

IndexArray = NDArray[np.int64]
# Of a fresh look where all is repeated: times any rate it is still a number that a logarithm can be taken of.
_LEAST = 1e-150
# Exponentials of this size neither overflow nor vanish.
_SAFE = 300.0
# So many numbers at most are kept to count draws by one product of matrices.
_MOST_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class _States:
    """All states of all patterns, one behind another, those of a pattern together.

    Attributes
    ----------
    pattern, true, right
        Shape (S,): of each state the pattern, its true class k and the ratings s that are right by accuracy.
    hard
        Shape (S,): whether the case is beyond everybody.
    guesses
        Shape (S, K): the other ratings by class.
    size
        Shape (S,): number of ratings n.
    log_ways
        Shape (S,): log C(n_k, s).
    first
        Shape (P,): where the states of each pattern begin.
    """

    pattern: IndexArray
    true: IndexArray
    right: IndexArray
    hard: NDArray[np.bool_]
    guesses: IndexArray
    size: IndexArray
    log_ways: FloatArray
    first: IndexArray

    @staticmethod
    def of(table: IndexArray, *, hard: bool) -> "_States":
        """The states of vectors of class counts, shape (P, K)."""
        from scipy.special import gammaln  # late: slow to load

        patterns, k = table.shape
        each = (table + 1).sum(axis=1) + hard
        pattern = np.repeat(np.arange(patterns), each)
        true, right = np.zeros(pattern.size, dtype=np.int64), np.zeros(pattern.size, dtype=np.int64)
        beyond = np.zeros(pattern.size, dtype=bool)
        first = np.cumsum(each) - each
        for p in range(patterns):
            at = int(first[p])
            for c in range(k):
                n = int(table[p, c]) + 1
                true[at : at + n], right[at : at + n] = c, np.arange(n)
                at += n
            beyond[at : int(first[p] + each[p])] = hard
        guesses = table[pattern].copy()
        guesses[np.arange(pattern.size), true] -= right
        own = table[pattern, true]
        ways = gammaln(own + 1) - gammaln(right + 1) - gammaln(own - right + 1)
        return _States(pattern, true, right, beyond, guesses, table[pattern].sum(axis=1), ways, first)


def rising(mean: FloatArray, spread: FloatArray, most: int) -> FloatArray:
    """Shape (..., most + 1): log [x]_m for m = 0 ... most, of means x (...) and spreads rho (...).

    At rho = 1 the fresh looks have no weight left; they keep the smallest a computer can hold.
    """
    i = np.arange(most)
    factors = mean[..., None] * np.maximum(1 - spread, _LEAST)[..., None] + i * spread[..., None]
    logs = safe_log(factors)
    return np.concatenate([np.zeros((*logs.shape[:-1], 1)), np.cumsum(logs, axis=-1)], axis=-1)


class CaseEvidence:
    """Patterns of class counts prepared for models in which cases differ.

    Parameters
    ----------
    patterns
        Of pooled raters.
    cases
        How cases differ.
    """

    def __init__(self, patterns: Patterns, cases: Cases) -> None:
        self.patterns, self._cases = patterns, cases
        self._states = _States.of(np.rint(patterns.table).astype(np.int64), hard=cases is Cases.HARD)
        self._most = int(self._states.size.max(initial=0))
        self._table = np.ascontiguousarray(patterns.table.T, dtype=np.float64)
        self._cases_and_ratings = np.stack([np.ones(self._table.shape[1]), self._table.sum(axis=0)], axis=1)
        self._given = patterns.weight @ self._table.T
        self._largest = float(patterns.size.max(initial=0.0))

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`: the true class of a hard case is as common as any."""
        states, k = self._states, self.patterns.classes
        share, _level = self._settled(stack)
        result = np.zeros((stack.size, k, self.patterns.patterns))
        for c in range(k):
            own = np.where((states.true == c) & ~states.hard, share, 0.0)
            result[:, c] = np.add.reduceat(own, states.first, axis=1)
        if self._cases is Cases.HARD:
            beyond = np.add.reduceat(np.where(states.hard, share, 0.0), states.first, axis=1)
            result += stack.truth[:, :, None] * beyond[:, None]
        return result

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`."""
        return self._settled(stack)[1]

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; what is fresh and what is repeated stands in `Expected.spread`."""
        if self._cases is Cases.HARD:
            return self._expect_hard(stack, weights)
        k = self.patterns.classes
        share, level = self._settled(stack)
        w = np.broadcast_to(self.patterns.weight if weights is None else weights, level.shape)
        share *= w[:, self._states.pattern]
        log_likelihood = (level * w).sum(axis=1)
        counts = share @ self._counted
        truth, guesses, right, rated = counts[:, :k], counts[:, k : 2 * k], counts[:, -2], counts[:, -1]
        if self._cases is Cases.ACCURACY:
            a = stack.accuracy[:, 0, 0]
            fresh, spread = self._urn(stack, np.stack([a, 1 - a], axis=1), share)
            right, rated = fresh[:, 0], fresh.sum(axis=1)
        else:
            guesses, spread = self._urn(stack, stack.guessing[:, 0, 0], share)
        return Expected(
            log_likelihood,
            truth,
            right[:, None, None],
            rated[:, None, None],
            guesses[:, None, None],
            spread[:, None],
        )

    def _expect_hard(self, stack: Stack, weights: FloatArray | None) -> Expected:
        """The same where some cases are beyond everybody: one more class, of which all ratings are guesses.

        Of the other cases only ratings of the true class may be right, so it need not be told apart how many are.
        """
        k, table = self.patterns.classes, self._table
        a, p, h = stack.accuracy[:, 0], stack.guessing[:, 0, 0], stack.spread
        base = (1 - a) * p
        rate = a + base
        logs = safe_log(np.concatenate([p, base, rate, stack.truth, h, 1 - h], axis=1))
        log_truth = logs[:, 3 * k : 4 * k]
        if self.patterns.empty:
            log_truth[:, list(self.patterns.empty)] = -np.inf
        guessed = logs[:, : 2 * k].reshape(-1, 2, k) @ table
        joint = np.empty((stack.size, k + 1, self.patterns.patterns))
        easy = joint[:, :-1]
        np.multiply((logs[:, 2 * k : 3 * k] - logs[:, k : 2 * k])[:, :, None], table, out=easy)
        easy += guessed[:, 1:]
        easy += (logs[:, -1:] + log_truth)[:, :, None]
        joint[:, -1] = logs[:, -2:-1] + guessed[:, 0]
        w = self.patterns.weight if weights is None else weights
        # Sums of logarithms of probabilities: where none is very low, their exponentials need no shift.
        shift = float(np.minimum.reduce(logs, axis=None)) * (self._largest + 2) < -_SAFE
        top = np.maximum.reduce(joint, axis=1) if shift else np.zeros(1)
        if shift:
            joint -= top[:, None]
        np.exp(joint, out=joint)
        total = np.add.reduce(joint, axis=1)
        level = np.add.reduce((top + np.log(total)) * w, axis=1)
        joint *= (w / total)[:, None]
        cases = joint @ self._cases_and_ratings
        truth, beyond = cases[:, :-1, 0], cases[:, -1, 0]
        hits = np.add.reduce(easy * table, axis=2) * (a / np.maximum(rate, TINY))
        guesses = np.maximum((self._given if weights is None else weights @ table.T) - hits, 0.0)
        spread = np.stack([beyond, np.add.reduce(truth, axis=1), np.zeros_like(beyond)], axis=1)
        every, rated = np.add.reduce(hits, axis=1), np.add.reduce(cases[:, :-1, 1], axis=1)
        return Expected(
            level, truth, every[:, None, None], rated[:, None, None], guesses[:, None, None], spread[:, None]
        )

    def _log_truth(self, stack: Stack) -> FloatArray:
        """Shape (B, K): log rates of the true classes, those that no case is at minus infinity."""
        logs = safe_log(stack.truth)
        if self.patterns.empty:
            logs[:, list(self.patterns.empty)] = -np.inf
        return logs

    @cached_property
    def _counted(self) -> FloatArray:
        """Shape (S, 2 K + 2): of each state its true class, its guesses by class, its ratings by accuracy, and all."""
        states = self._states
        true = states.true[:, None] == np.arange(self.patterns.classes)
        columns = (true, states.guesses, states.right[:, None], states.size[:, None])
        return np.concatenate(columns, axis=1).astype(np.float64)

    @cached_property
    def _wrong(self) -> IndexArray:
        """Shape (S,): ratings that are no accurate ones."""
        return self._states.size - self._states.right

    @cached_property
    def _guesses(self) -> FloatArray:
        """Shape (K, S): guesses by class."""
        return np.ascontiguousarray(self._states.guesses.T, dtype=np.float64)

    @cached_property
    def _drawn(self) -> IndexArray:
        """Shape (Q + 1, S): draws of each kind from the urn in each state, and of all kinds."""
        states = self._states
        kinds = states.guesses
        if self._cases is Cases.ACCURACY:
            kinds = np.stack([states.right, states.size - states.right], axis=1)
        return np.ascontiguousarray(np.concatenate([kinds, kinds.sum(axis=1, keepdims=True)], axis=1).T)

    @cached_property
    def _draws(self) -> FloatArray | None:
        """Shape (S, (Q + 1) M): whether more than m are drawn, m = 0 ... M - 1; None where that is large."""
        drawn, most = self._drawn, self._most
        if drawn.size * most > _MOST_CELLS:
            return None
        more = drawn[:, :, None] > np.arange(most)
        return np.ascontiguousarray(more.transpose(1, 0, 2).reshape(drawn.shape[1], -1), dtype=np.float64)

    def _more_drawn(self, share: FloatArray) -> FloatArray:
        """Shape (B, Q + 1, M): expected cases of which more than m are drawn of each kind, and of all."""
        kinds, most = self._drawn.shape[0], self._most
        if self._draws is not None:
            return (share @ self._draws).reshape(-1, kinds, most)
        each = [[np.bincount(kind, own, most + 1) for kind in self._drawn] for own in share]
        return np.asarray(np.cumsum(np.array(each)[:, :, :0:-1], axis=2)[:, :, ::-1])

    def _settled(self, stack: Stack) -> tuple[FloatArray, FloatArray]:
        """Share of each state in its pattern, shape (B, S), and log-likelihood of the patterns, (B, P)."""
        joint = self._joint(stack)
        first = self._states.first
        top = np.maximum.reduceat(joint, first, axis=1)
        joint -= top[:, self._states.pattern]
        np.exp(joint, out=joint)
        total = np.add.reduceat(joint, first, axis=1)
        joint /= total[:, self._states.pattern]
        return joint, top + np.log(total)

    def _joint(self, stack: Stack) -> FloatArray:
        """Shape (B, S): log probability of each state with its ratings, ratings form."""
        states, most = self._states, self._most
        a, p, rho = stack.accuracy[:, 0, 0], stack.guessing[:, 0, 0], stack.spread[:, 0]
        wrong = self._wrong
        joint = self._log_truth(stack)[:, states.true] + states.log_ways
        # The last kind of a full urn is that of all draws.
        if self._cases is Cases.MISLEADING:
            urn = rising(np.concatenate([p, np.ones_like(p[:, :1])], axis=1), stack.spread, most)
            joint += states.right * safe_log(a)[:, None] + wrong * safe_log(1 - a)[:, None]
            for c in range(p.shape[1]):
                joint += urn[:, c, states.guesses[:, c]]
            return joint - urn[:, -1, wrong]
        joint += safe_log(p) @ self._guesses
        if self._cases is Cases.ACCURACY:
            urn = rising(np.stack([a, 1 - a, np.ones_like(a)], axis=1), stack.spread, most)
            joint += urn[:, 0, states.right]
            joint += urn[:, 1, wrong]
            return joint - urn[:, 2, states.size]
        joint += states.right * safe_log(a)[:, None] + wrong * safe_log(1 - a)[:, None] + safe_log(1 - rho)[:, None]
        return np.where(states.hard, safe_log(rho)[:, None] + safe_log(p) @ self._guesses, joint)

    def _urn(self, stack: Stack, mean: FloatArray, share: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Expected fresh looks by kind, shape (B, Q), and what `Expected.spread` holds, shape (B, 3).

        Parameters
        ----------
        stack
            The points.
        mean
            Shape (B, Q): means of the kinds.
        share
            Shape (B, S): expected cases in each state.
        """
        rho, before = stack.spread[:, 0], np.arange(1, self._most)
        more = self._more_drawn(share)
        some, whole = more[:, :-1], more[:, -1]
        weight = mean * np.maximum(1 - stack.spread, _LEAST)
        repeated = before * rho[:, None]
        # The first draw of a case is fresh whatever the spread.
        new = some[:, :, 1:] * (weight[:, :, None] / np.maximum(weight[:, :, None] + repeated[:, None], _LEAST))
        fresh = some[:, :, :1].sum(axis=2) + new.sum(axis=2)
        copies = (some[:, :, 1:] - new).sum(axis=(1, 2))
        earlier = before - 1
        bend = (whole[:, 1:] * (earlier / (1 + earlier * rho[:, None]))).sum(axis=1)
        begun = whole[:, :1].sum(axis=1)
        return fresh, np.stack([copies, np.maximum(fresh.sum(axis=1) - begun, 0.0), bend], axis=1)


def spread_step(counts: FloatArray, spread: FloatArray) -> FloatArray:
    """The spread that the M-step finds, shape (B, M): a maximum of a bound that touches at the current one.

    Of copies E, fresh looks D and bend c it maximises E log rho + D log(1 - rho) - c rho, where -c rho is the tangent
    of the convex - sum_i U_i log(1 + (i - 1) rho); so no step loses likelihood.

    Parameters
    ----------
    counts
        Shape (B, M, 3): E, D and c at the current point.
    spread
        Shape (B, M): kept where nothing speaks of it.
    """
    copies, fresh, bend = counts[..., 0], counts[..., 1], counts[..., 2]
    half = (copies + fresh + bend) / 2
    # The smaller root of c rho^2 - (E + D + c) rho + E = 0, without a difference of nearly equal numbers.
    root = half + np.sqrt(np.maximum(half**2 - bend * copies, 0.0))
    some = root > 0
    # As clip does, without the time its call takes.
    return np.minimum(np.maximum(np.divide(copies, root, out=spread.copy(), where=some), 0.0), 1.0)


def spread_score(counts: FloatArray, spread: FloatArray) -> FloatArray:
    """Shape (B, M): derivative of the log-likelihood by the logit of the spread; parameters as of `spread_step`."""
    copies, fresh, bend = counts[..., 0], counts[..., 1], counts[..., 2]
    return np.asarray(copies * (1 - spread) - fresh * spread - bend * spread * (1 - spread))
