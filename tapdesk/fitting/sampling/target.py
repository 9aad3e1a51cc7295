"""The log posterior density of a model and its gradient on the unconstrained line, the truth summed out."""

from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, softmax

from tapdesk.models.case_evidence import spread_score
from tapdesk.models.design import Design
from tapdesk.models.difficulty import MOST_SIGMA, difficulty_score
from tapdesk.models.evidence import Evidence, safe_log
from tapdesk.models.model import Accuracy, Cases, Guessing
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import Tally, can_switch, canonical

_CHUNK = 4_000_000
# Standard deviation of a slope's prior, for a covariate in units of its own standard deviation.
SLOPE_SCALE = 2.5

_MOST_CELLS = 120_000


class Target(Protocol):
    """A density on the unconstrained line.

    Attributes
    ----------
    size
        Number of coordinates q.
    """

    size: int

    def __call__(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Log densities (B,), up to a constant, and gradients (B, q) at coordinates (B, q)."""
        ...

    def allowed(self, at: FloatArray) -> NDArray[np.bool_]:
        """Shape (B,): whether the coordinates lie in the labelling that is sampled."""
        ...


class ModelTarget:
    """The posterior of a model of the sharing grid.

    Coordinates are isometric log ratios of the vectors of rates (Egozcue et al. 2003, Math. Geology 35), which favour
    no class, logits of accuracies, slopes as the prior takes them: the logit at the mean of the covariates, then slopes
    per standard deviation; and the logit of the spread of cases. They stand in this order: truth, accuracies, guessing,
    slopes, spread.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    prior
        Pseudo-counts (`priors.prior_counts`).

    Attributes
    ----------
    rows
        How many points the memory likes at once.
    """

    def __init__(self, plan: Design, evidence: Evidence, prior: Tally) -> None:
        self.plan, self.evidence = plan, evidence
        space, k = plan.space, plan.space.classes
        # Nothing is believed of how common an abstention is among true classes.
        true = np.setdiff1d(np.arange(k), space.empty)
        counts = np.zeros_like(prior.truth)
        counts[..., true] = prior.truth[..., true]
        self.prior = prior = replace(prior, truth=counts)
        self.basis = _ratios(k)
        self._truth_basis = np.zeros((k, true.size - 1))
        self._truth_basis[true] = _ratios(true.size)
        self._vectors = int(np.prod(space.guessing_shape[:2])) if space.guessing_free else 0
        self._accuracies = int(np.prod(space.accuracy_shape)) if space.accuracy_free else 0
        self._truth = int(np.prod(space.truth_shape[:-1])) * (true.size - 1) if space.model.truth.free else 0
        self._spreads = space.spreads
        self._by_difficulty = space.model.cases is Cases.DIFFICULTY
        self._slopes = space.design.shape[1] if space.model.accuracy is Accuracy.REGRESSION else 0
        sizes = [self._truth, self._accuracies, self._vectors * (k - 1), self._slopes, self._spreads]
        self._ends = tuple(np.cumsum(sizes).tolist())
        self.size: int = self._ends[-1]
        self._slope_map = _centred(plan) if self._slopes else np.zeros((0, 0))
        self._slopes_back = np.linalg.inv(self._slope_map)
        self._held = space.point(np.full((1, k), 1 / k), np.full(1, 0.5), np.full((1, k), 1 / k))
        # Guessing with rates of its own has a prior that changes when its labels do; then one labelling is sampled.
        self._guarded = can_switch(space) and space.accuracy_free
        self.rows = max(_CHUNK // max(plan.patterns.patterns * k, 1), 1)

    def coordinates(self, stack: Stack) -> FloatArray:
        """Shape (B, q): coordinates of interior points."""
        b = stack.size
        parts = []
        if self._truth:
            parts.append((safe_log(stack.truth) @ self._truth_basis).reshape(b, -1))
        if self._accuracies:
            parts.append(logit(stack.accuracy).reshape(b, -1))
        if self._vectors:
            parts.append((np.log(stack.guessing) @ self.basis).reshape(b, -1))
        if self._slopes:
            parts.append(stack.slopes @ self._slope_map)
        if self._spreads:
            parts.append(logit(stack.spread))
        return np.concatenate(parts, axis=1) if parts else np.zeros((b, 0))

    def points(self, at: FloatArray) -> Stack:
        """The points at coordinates of shape (B, q)."""
        b, k = at.shape[0], self.plan.space.classes
        one, two, three, four, five = self._ends
        held = self._held
        truth = np.broadcast_to(held.truth, (b, *held.truth.shape[1:]))
        accuracy = np.broadcast_to(held.accuracy, (b, *held.accuracy.shape[1:]))
        guessing = np.broadcast_to(held.guessing, (b, *held.guessing.shape[1:]))
        slopes = at[:, three:four] @ self._slopes_back
        if self._truth:
            basis = self._truth_basis
            truth = softmax(at[:, :one].reshape(b, -1, basis.shape[1]) @ basis.T, axis=2).reshape(truth.shape)
        if self._accuracies:
            accuracy = expit(at[:, one:two]).reshape(accuracy.shape)
        if self._vectors:
            ratios = at[:, two:three].reshape(b, self._vectors, k - 1) @ self.basis.T
            guessing = softmax(ratios, axis=2).reshape(guessing.shape)
        return self.plan.space.settle(Stack(truth, accuracy, guessing, slopes, expit(at[:, four:five])))

    def __call__(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Target.__call__`; data too large for the memory are taken in portions of the points."""
        if at.shape[0] <= self.rows:
            return self._portion(at)
        parts = [self._portion(at[i : i + self.rows]) for i in range(0, at.shape[0], self.rows)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _portion(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        stack = self.points(at)
        tally = self.plan.space.tally(self.evidence.expect(stack))
        return self.level(stack, tally), self._score(stack, tally)

    def level(self, stack: Stack, tally: Tally) -> FloatArray:
        """Shape (B,): log-likelihood plus log prior with its Jacobian."""
        level, prior = tally.log_likelihood, self.prior
        if self._truth:
            each = prior.truth * safe_log(stack.truth)
            level = level + each.reshape(each.shape[0], -1).sum(axis=1)
        if self._accuracies:
            misses = prior.ratings - prior.hits
            each = prior.hits * safe_log(stack.accuracy) + misses * safe_log(1 - stack.accuracy)
            level = level + each.sum(axis=(1, 2))
        if self._vectors:
            level = level + (prior.guesses * safe_log(stack.guessing)).sum(axis=(1, 2, 3))
        if self._slopes:
            level = level + _slope_prior(stack.slopes @ self._slope_map)[0]
        if self._spreads:
            # Between 0 and 1 every spread is as likely as any before the ratings are seen.
            level = level + (safe_log(stack.spread) + safe_log(1 - stack.spread)).sum(axis=1)
        if self._by_difficulty:
            # Sigma is half normal, of standard deviation 1 (models_more.md §3).
            level = level - ((MOST_SIGMA * stack.spread) ** 2).sum(axis=1) / 2
        return level

    def _score(self, stack: Stack, tally: Tally) -> FloatArray:
        """Shape (B, q): gradient by Fisher's identity, prior counts added to expected ones."""
        b, prior = stack.size, self.prior
        parts = []
        if self._truth:
            surplus = _surplus(tally.truth + prior.truth, stack.truth)
            parts.append((surplus @ self._truth_basis).reshape(b, -1))
        by_nodes = _by_nodes(stack, tally)
        if self._accuracies:
            surplus = by_nodes[0] if by_nodes else tally.hits - stack.accuracy * tally.ratings
            surplus = surplus + prior.hits - stack.accuracy * prior.ratings
            parts.append(surplus.reshape(b, -1))
        if self._vectors:
            surplus = _surplus(tally.guesses + prior.guesses, stack.guessing)
            parts.append((surplus @ self.basis).reshape(b, -1))
        if self._slopes:
            surplus = tally.hits[:, :, 0] - stack.accuracy[:, :, 0] * tally.ratings[:, :, 0]
            bent = _slope_prior(stack.slopes @ self._slope_map)[1]
            parts.append(surplus @ self.plan.space.design @ self._slopes_back.T + bent)
        if self._spreads and tally.spread is not None:
            parts.append(spread_score(tally.spread, stack.spread) + 1 - 2 * stack.spread)
        if by_nodes:
            bent = 1 - 2 * stack.spread - (MOST_SIGMA * stack.spread) ** 2 * (1 - stack.spread)
            parts.append(by_nodes[1] + bent)
        return np.concatenate(parts, axis=1) if parts else np.zeros((b, 0))

    def allowed(self, at: FloatArray) -> NDArray[np.bool_]:
        """Shape (B,): whether raters are right more often than under any other naming of the true classes."""
        if not self._guarded:
            return np.ones(at.shape[0], dtype=bool)
        stack = self.points(at)
        named = canonical(self.plan.space, stack)
        return np.asarray(
            (named.truth == stack.truth).reshape(at.shape[0], -1).all(axis=1)
            & (named.accuracy == stack.accuracy).all(axis=(1, 2))
        )


def _ratios(k: int) -> FloatArray:
    """Shape (K, K - 1): orthonormal contrasts (Helmert's), the basis of isometric log ratios."""
    basis = np.zeros((k, k - 1))
    for j in range(1, k):
        basis[:j, j - 1] = 1 / j
        basis[j, j - 1] = -1
        basis[:, j - 1] *= np.sqrt(j / (j + 1))
    # The sign makes two classes' coordinate rise with class 1, the last.
    return -basis


def _surplus(counts: FloatArray, rates: FloatArray) -> FloatArray:
    return np.asarray(counts - rates * counts.sum(axis=-1, keepdims=True))


def _centred(plan: Design) -> FloatArray:
    """Shape (S, S): from slopes to the logit at the mean of the covariates and the slopes per standard deviation."""
    x, weight = plan.space.design, plan.patterns.totals.sum(axis=1)
    mean = weight @ x / weight.sum()
    spread = np.sqrt(weight @ (x - mean) ** 2 / weight.sum())
    spread[spread == 0] = 1.0
    way = np.diag(spread)
    way[:, 0] = mean
    return way


def _by_nodes(stack: Stack, tally: Tally) -> tuple[FloatArray, FloatArray] | None:
    """Gradients along accuracies (B, U, 1) and the spread (B, 1) where cases differ in difficulty, else None."""
    if tally.by_node is None:
        return None
    by_accuracy, by_spread = difficulty_score(tally.by_node, stack.accuracy[:, :, 0], stack.spread[:, 0])
    return by_accuracy[:, :, None], by_spread[:, None]


def _slope_prior(standard: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log density (B,) and its gradient (B, S): the accuracy at the mean is uniform, the slopes normal."""
    middle, slopes = standard[:, 0], standard[:, 1:]
    level = -np.logaddexp(0, middle) - np.logaddexp(0, -middle) - (slopes**2).sum(axis=1) / (2 * SLOPE_SCALE**2)
    bent = np.concatenate([(1 - 2 * expit(middle))[:, None], -slopes / SLOPE_SCALE**2], axis=1)
    return level, bent


def has_few_patterns(target: ModelTarget) -> bool:
    """Whether a model's ratings are few, and its accuracy and guessing do not depend on the true class."""
    space, patterns = target.plan.space, target.plan.patterns
    structured = space.accuracy_shape[1] == 1 and space.guessing_shape[1] == 1
    cells = patterns.patterns * patterns.units * patterns.classes**2
    plain = space.model.accuracy in {Accuracy.ONE, Accuracy.PER_RATER}
    alike = patterns.alike and not space.spreads and not space.empty
    return structured and plain and alike and 0 < cells <= _MOST_CELLS


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
        self._truth_free = kind.truth.free
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
        held = kind.guessing.held(space.observed, space.observed)
        self._held_guessing = None if held is None else np.log(np.maximum(held, 1e-300))[None, :, None]
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
        if self._held_guessing is not None:
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
        if self._guessing.free:
            if not self._guessing.by_rater:
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
