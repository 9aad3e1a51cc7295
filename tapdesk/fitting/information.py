"""Observed information of large models in one pass over the patterns, by the principle of missing information.

Minus the second derivatives of the log-likelihood are those that would stand if the true classes were known, less what
is missing since they are not (Louis 1982, J. R. Statist. Soc. B 44:226): with log joint probabilities
``log t_k + sum of log rates`` linear in the logarithms z of rates, what is missing in z is the covariance of their
counts under the posterior, a sparse product of the patterns with themselves. The first part needs no patterns, only the
expected counts, and is taken by differences of the exact score. It stands alone because `climb` asks for it only where
differences over the patterns would take longer.
"""

from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import TINY, Evidence, Expected, FullEvidence, StructuredEvidence, safe_log
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import FreeLine, Space

_STEP = 1e-4
_CHUNK = 2_000_000


def has_closed_form(evidence: Evidence) -> TypeGuard[StructuredEvidence | FullEvidence]:
    """Whether log joint probabilities are linear in logarithms of rates, of several units."""
    return type(evidence) in {StructuredEvidence, FullEvidence} and evidence.patterns.units > 1


def missing_information(
    space: Space, evidence: StructuredEvidence | FullEvidence, way: FreeLine, at: FloatArray
) -> NDArray[np.float64]:
    """Shape (size, size): minus the second derivatives of the log-likelihood at coordinates of shape (size,).

    Parameters
    ----------
    space, evidence
        The model, and the patterns prepared for it, of which `has_closed_form` is true.
    way, at
        Coordinates and where in them.
    """
    counts = _ExpectedCounts.at(evidence, way.points(at[None]))
    size = at.size
    rows = max(_CHUNK // max(counts.terms, 1), 1)
    slopes, complete = np.zeros((size, counts.terms)), np.zeros((size, size))
    for first in range(0, size, rows):
        part = slice(first, first + rows)
        steps = _STEP * np.eye(size)[part]
        ahead, behind = way.points(at + steps), way.points(at - steps)
        slopes[part] = (counts.log_rates(ahead) - counts.log_rates(behind)) / (2 * _STEP)
        rise = way.score(space.tally(counts.expect(ahead)), ahead) - way.score(
            space.tally(counts.expect(behind)), behind
        )
        complete[part] = rise / (2 * _STEP)
    known = -(complete + complete.T) / 2
    return np.asarray(known - slopes @ counts.covariance @ slopes.T)


@dataclass(frozen=True, eq=False)
class _ExpectedCounts:
    """What the posterior of one point expects of true classes and ratings, held while the point moves.

    Attributes
    ----------
    full
        Whether every rate pi_jk(c) is its own; else only whether a rating names the true class tells the classes apart.
    truth
        Shape (1, K) or (1, G, K): expected cases of each true class.
    ratings
        Shape (1, U, K): ratings that name the true class; of a full model (1, U, K, K), by true and rated class.
    totals
        Shape (U, K): all ratings by rated class.
    covariance
        Shape (terms, terms): sum over the patterns of the covariance of their counts, in the order of `log_rates`.
    """

    full: bool
    truth: FloatArray
    ratings: FloatArray
    totals: FloatArray
    covariance: FloatArray

    @staticmethod
    def at(evidence: StructuredEvidence | FullEvidence, stack: Stack) -> "_ExpectedCounts":
        """Those of a point."""
        patterns = evidence.patterns
        posterior = evidence.posterior(stack)
        weighted = posterior * patterns.weight
        full = isinstance(evidence, FullEvidence)
        return _ExpectedCounts(
            full,
            evidence.expect(stack).truth,
            evidence.gather(weighted),
            patterns.totals,
            _covariance(evidence, posterior[0], weighted[0]),
        )

    @property
    def terms(self) -> int:
        """How many logarithms of rates there are."""
        return int(self.covariance.shape[0])

    def log_rates(self, stack: Stack) -> FloatArray:
        """Shape (B, terms): by true class, logarithms of its rates, then of what tells this class from the others."""
        b, (units, classes) = stack.size, self.totals.shape
        truth = safe_log(stack.truth).reshape(b, -1, classes)
        if self.full:
            cells = np.moveaxis(safe_log(_full_rates(stack, self.totals.shape)), 2, -1).reshape(b, -1, classes)
        else:
            right, base = _own_rates(stack, self.totals.shape)
            cells = (safe_log(right) - safe_log(base)).reshape(b, units, classes)
        return np.asarray(np.concatenate([truth, cells], axis=1).transpose(0, 2, 1).reshape(b, -1))

    def expect(self, stack: Stack) -> Expected:
        """Expected counts at points whose posterior of the true classes is that of the point these come from."""
        b = stack.size
        truth = np.broadcast_to(self.truth, (b, *self.truth.shape[1:]))
        if self.full:
            every = np.arange(self.totals.shape[1])
            right = _full_rates(stack, self.totals.shape)[:, :, every, every]
            hits = self.ratings[:, :, every, every] * (stack.accuracy / np.maximum(right, TINY))
            guesses = np.repeat(self.ratings, b, axis=0)
            guesses[:, :, every, every] -= hits
            return Expected(np.zeros(b), truth, hits, guesses.sum(axis=-1) + hits, guesses)
        right, _base = _own_rates(stack, self.totals.shape)
        hits = self.ratings * (stack.accuracy / np.maximum(right, TINY))
        ratings = np.broadcast_to(self.totals.sum(axis=1)[:, None], (b, self.totals.shape[0], 1))
        return Expected(np.zeros(b), truth, hits, ratings, (self.totals - hits)[:, :, None])


def _full_rates(stack: Stack, shape: tuple[int, ...]) -> FloatArray:
    """Shape (B, U, K, K): probability of the rated class given unit and true class."""
    units, k = shape
    rates = np.broadcast_to((1 - stack.accuracy)[..., None] * stack.guessing, (stack.size, units, k, k)).copy()
    rates[:, :, np.arange(k), np.arange(k)] += stack.accuracy
    return rates


def _own_rates(stack: Stack, shape: tuple[int, ...]) -> tuple[FloatArray, FloatArray]:
    """Shapes (B, U, K): probability of a rated class where it is the true one, and where it is not."""
    base = np.broadcast_to((1 - stack.accuracy) * stack.guessing[:, :, 0], (stack.size, *shape))
    return stack.accuracy + base, base


def _covariance(evidence: StructuredEvidence | FullEvidence, posterior: FloatArray, weighted: FloatArray) -> FloatArray:
    """Shape (terms, terms): what is missing, from posteriors (K, P), plain and weighted."""
    if isinstance(evidence, StructuredEvidence):
        return _own_covariance(evidence, posterior, weighted)
    from scipy import sparse  # start-up cost: loads scipy.linalg as well

    p = evidence.patterns
    k = p.classes
    cells = sparse.csr_array(
        (p.count.astype(np.float64), (p.pattern, p.unit.astype(np.int64) * k + p.category)),
        shape=(p.patterns, p.units * k),
    )
    columns: Any = sparse.hstack([sparse.csr_array(evidence.truth_columns()), cells], format="csr")
    size = columns.shape[1]
    whole = np.zeros((k, size, k, size))
    for one in range(k):
        for other in range(one, k):
            shared = -weighted[one] * posterior[other]
            if one == other:
                shared = shared + weighted[one]
            block = (columns.T @ (sparse.diags_array(shared) @ columns)).toarray()
            whole[one, :, other], whole[other, :, one] = block, block.T
    return whole.reshape(k * size, k * size)


def _own_covariance(evidence: StructuredEvidence, posterior: FloatArray, weighted: FloatArray) -> FloatArray:
    """The same where a rating speaks of the class it names only: by pairs of ratings of one pattern.

    Each pair counts once, whatever the number of classes, where products of whole matrices go through all of them for
    each pair of classes.
    """
    p = evidence.patterns
    truths = evidence.truth_columns()
    groups, k = truths.shape[1], p.classes
    size = groups + p.units
    every = np.arange(k)
    # Of each class how common it is.
    whole = np.zeros((k, size, k, size))
    own = np.einsum("kp,kl->klp", weighted, np.eye(k)) - weighted[:, None] * posterior
    whole[:, :groups, :, :groups] = np.einsum("klp,pg,ph->kglh", own, truths, truths, optimize=True)
    pattern, unit, category = p.pattern, p.unit.astype(np.int64), p.category.astype(np.int64)
    cell, likely, share = category * size + groups + unit, posterior[category, pattern], weighted[category, pattern]
    cells = np.zeros((k, groups, k * size))
    for one in every:
        shared = p.count * share * ((category == one) - posterior[one, pattern])
        for group in range(groups):
            weights = shared if groups == 1 and _plain(truths) else shared * truths[pattern, group]
            cells[one, group] = np.bincount(cell, weights, k * size)
    whole = whole.reshape(k * size, k * size)
    place = (every[:, None] * size + np.arange(groups)).ravel()
    whole[place] += cells.reshape(-1, k * size)
    whole[:, place] += cells.reshape(-1, k * size).T
    # And the ratings, with themselves and with those that follow in the same pattern.
    for apart in range(int(np.bincount(pattern).max(initial=0))):
        first, second = slice(0, pattern.size - apart), slice(apart, None)
        together = np.flatnonzero(pattern[first] == pattern[second])
        a, b = together, together + apart
        shared = p.count[a] * p.count[b] * share[a] * ((category[a] == category[b]) - likely[b])
        pairs = np.bincount(cell[a] * (k * size) + cell[b], shared, (k * size) ** 2).reshape(k * size, k * size)
        whole += pairs if apart == 0 else pairs + pairs.T
    return whole


def _plain(truths: FloatArray) -> bool:
    """Whether every pattern counts once."""
    return bool((truths == 1).all())
