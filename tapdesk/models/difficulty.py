"""Cases that are harder or easier, for each rater from their own accuracy on (models_more.md §3).

logit a_ij = alpha_j - sigma z_i with z ~ N(0, 1), by Gauss-Hermite nodes. A point holds what is reported: the accuracy
a_j = E_z logit^-1(alpha_j - sigma z) of a rater over all cases, and sigma as a share of the largest that is looked at.
So an accuracy can be held while sigma moves, as its profile asks for.
"""

from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import TINY, Expected, StructuredEvidence
from tapdesk.models.parameters import FloatArray, Stack

BoolArray = NDArray[np.bool_]

NODES = 41
MOST_SIGMA = 10.0
"""The spread of 1 of a point, in logits: there nearly every rater knows a case for sure or not at all."""

# Numbers of expanded points held at once.
_CHUNK = 4_000_000
_HALVINGS = 60
_STEPS, _HALVES = 3, 12
_SETTLED = 1e-12
# A Newton step that promises less, as a share of the level, is not taken.
_NO_GAIN = 1e-13


@cache
def nodes(count: int = NODES) -> tuple[FloatArray, FloatArray]:
    """Places z and weights, shape (M,), that average over a standard normal."""
    at, weight = np.polynomial.hermite.hermgauss(count)
    return np.sqrt(2.0) * at, weight / weight.sum()


def _expit(x: FloatArray) -> FloatArray:
    # As scipy's, without the time it takes to load.
    return np.asarray(0.5 * (1 + np.tanh(0.5 * x)))


def middle_logits(accuracy: FloatArray, sigma: FloatArray) -> FloatArray:
    """Shape (B, U): alpha of raters with these accuracies over all cases; infinite for 0 and 1.

    Parameters
    ----------
    accuracy
        Shape (B, U).
    sigma
        Shape (B,): in logits.
    """
    accuracy, sigma = np.ascontiguousarray(accuracy, dtype=np.float64), np.ascontiguousarray(sigma, dtype=np.float64)
    return _middle_logits(accuracy.tobytes(), sigma.tobytes(), accuracy.shape)


# A likelihood and its slope are asked at the same point, one after the other.
@lru_cache(maxsize=4)
def _middle_logits(accuracies: bytes, sigmas: bytes, shape: tuple[int, ...]) -> FloatArray:
    """The same from the bytes of the numbers; not to be written to."""
    accuracy, sigma = np.frombuffer(accuracies).reshape(shape), np.frombuffer(sigmas)
    z, weight = nodes()
    inside = np.clip(accuracy, TINY, 1 - 1e-16)
    centre = np.log(inside) - np.log1p(-inside)
    reach = sigma[:, None] * z[-1]
    low, high = centre - reach, centre + reach
    at = centre * np.sqrt(1 + 0.35 * sigma[:, None] ** 2)
    at = np.clip(at, low, high)
    for _ in range(_HALVINGS):
        # On the scale of logits the mean is nearly a line, which Newton's steps like.
        share = _expit(at[..., None] - sigma[:, None, None] * z)
        miss = 1 - share
        mean, rest = np.maximum(share @ weight, TINY), np.maximum(miss @ weight, TINY)
        above = np.log(mean) - np.log(rest) - centre
        low, high = np.where(above > 0, low, at), np.where(above > 0, at, high)
        slope = ((share * miss) @ weight) / (mean * rest)
        step = at - above / np.maximum(slope, TINY)
        new = np.where((step > low) & (step < high), step, (low + high) / 2)
        new = np.where(np.abs(above) < _SETTLED, at, new)
        moved = np.abs(new - at) > _SETTLED * (1 + np.abs(new))
        at = new
        if not moved.any():
            break
    alpha = np.where(accuracy <= 0, -np.inf, np.where(accuracy >= 1, np.inf, at))
    alpha.setflags(write=False)
    return alpha


def accuracies_at_nodes(accuracy: FloatArray, spread: FloatArray) -> FloatArray:
    """Shape (B, M, U): accuracy of each rater on the cases of each node.

    Parameters
    ----------
    accuracy
        Shape (B, U): over all cases.
    spread
        Shape (B,): sigma over `MOST_SIGMA`.
    """
    sigma = MOST_SIGMA * spread
    return _expit(middle_logits(accuracy, sigma)[:, None, :] - sigma[:, None, None] * nodes()[0][:, None])


class DifficultyEvidence(StructuredEvidence):
    """The E-step over true classes and nodes; parameters as of `StructuredEvidence`."""

    @cached_property
    def _entries(self) -> Any:
        """Ratings of each pattern by unit and class: (pattern) by (unit, class)."""
        from scipy import sparse  # start-up cost: loads scipy.linalg as well

        p = self.patterns
        column = p.unit.astype(np.int64) * p.classes + p.category
        return sparse.csr_array((p.count, (p.pattern, column)), shape=(p.patterns, p.units * p.classes))

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; hits and ratings at each node stand in `Expected.by_node`."""
        rows = self._rows
        parts = [
            self._expect(_part(stack, i, rows), None if weights is None else weights[i : i + rows])
            for i in range(0, stack.size, rows)
        ]
        return parts[0] if len(parts) == 1 else _joined(parts)

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`."""
        parts = []
        for i in range(0, stack.size, self._rows):
            posterior, share, _level, _rates = self._settled_nodes(_part(stack, i, self._rows))
            parts.append((posterior * share[:, :, None]).sum(axis=1))
        return np.concatenate(parts)

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`."""
        every = range(0, stack.size, self._rows)
        return np.concatenate([self._settled_nodes(_part(stack, i, self._rows))[2] for i in every])

    @property
    def _rows(self) -> int:
        """How many points are expanded at once."""
        return max(_CHUNK // max(NODES * self.patterns.patterns * self.patterns.classes, 1), 1)

    def _expect(self, stack: Stack, weights: FloatArray | None) -> Expected:
        b, u, k = stack.size, self.patterns.units, self.patterns.classes
        posterior, share, level, (accuracy, rate) = self._settled_nodes(stack)
        w = np.broadcast_to(self.patterns.weight if weights is None else weights, level.shape)
        share *= w[:, None]
        posterior *= share[:, :, None]
        flat = posterior.reshape(b * NODES, k, -1)
        right = self.gather(flat).reshape(b, NODES, u, k)
        totals = (self._entries.T @ share.reshape(b * NODES, -1).T).T.reshape(b, NODES, u, k)
        hits = np.minimum(right * (accuracy / rate), totals)
        truth = self._truth.count(flat)
        truth = truth.reshape(b, NODES, *truth.shape[1:]).sum(axis=1)
        guesses = (totals - hits).sum(axis=1)
        by_node = np.stack([hits.sum(axis=3), totals.sum(axis=3)], axis=-1).swapaxes(1, 2)
        ratings = totals.sum(axis=(1, 3))[:, :, None]
        return Expected((level * w).sum(axis=1), truth, hits.sum(axis=1), ratings, guesses[:, :, None], by_node=by_node)

    def _settled_nodes(self, stack: Stack) -> tuple[FloatArray, FloatArray, FloatArray, tuple[FloatArray, FloatArray]]:
        """Posteriors of the classes at each node (B, M, K, P), shares of the nodes (B, M, P), levels (B, P).

        And accuracies and rates of being right at each node, (B, M, U, 1) and (B, M, U, K).
        """
        b, p = stack.size, self.patterns
        accuracy = accuracies_at_nodes(stack.accuracy[:, :, 0], stack.spread[:, 0])
        every = Stack(
            np.repeat(stack.truth, NODES, axis=0),
            accuracy.reshape(b * NODES, -1, 1),
            np.repeat(stack.guessing, NODES, axis=0),
            np.zeros((b * NODES, 0)),
        )
        rate, gain, log_base = self._cell_rates(every)
        posterior, log_total = self._settled(every, gain)
        base = (self._entries @ log_base.reshape(b * NODES, -1).T).T
        joint = (log_total + base).reshape(b, NODES, -1) + np.log(nodes()[1])[:, None]
        top = joint.max(axis=1)
        joint = np.exp(joint - top[:, None])
        total = joint.sum(axis=1)
        shape = (b, NODES, p.units, p.classes)
        rates = (accuracy[..., None], np.broadcast_to(rate, (b * NODES, *shape[2:])).reshape(shape))
        return posterior.reshape(b, NODES, p.classes, -1), joint / total[:, None], top + np.log(total), rates


def _part(stack: Stack, first: int, rows: int) -> Stack:
    return Stack(*(part[first : first + rows] for part in stack.parts))


def _joined(parts: list[Expected]) -> Expected:
    names = ("log_likelihood", "truth", "hits", "ratings", "guesses", "by_node")
    values: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return Expected(**values)


class _Regression:
    """The expected log-likelihood of accurate ratings at nodes: a logistic regression with fractional response."""

    def __init__(self, counts: FloatArray, held: BoolArray | None) -> None:
        self._hits, self._ratings = counts[..., 0], counts[..., 1]
        # A rater whose accuracy is held goes along with sigma.
        self._held = held

    def level(self, alpha: FloatArray, sigma: FloatArray) -> FloatArray:
        """Shape (B,)."""
        share = _expit(alpha[..., None] - sigma[:, None, None] * nodes()[0])
        misses = self._ratings - self._hits
        each = self._hits * np.log(np.maximum(share, TINY)) + misses * np.log(np.maximum(1 - share, TINY))
        return np.asarray(each.sum(axis=(1, 2)))

    def slopes(self, alpha: FloatArray, sigma: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """By alpha (B, U); by sigma (B,) with accuracies kept; d alpha / d sigma then (B, U); mean slopes (B, U)."""
        z, weight = nodes()
        share = _expit(alpha[..., None] - sigma[:, None, None] * z)
        surplus = self._hits - self._ratings * share
        bent = share * (1 - share)
        mean = bent @ weight
        along = (bent @ (weight * z)) / np.maximum(mean, TINY)
        by_alpha = surplus.sum(axis=2)
        return by_alpha, (by_alpha * along).sum(axis=1) - (surplus @ z).sum(axis=1), along, mean

    def step(
        self, alpha: FloatArray, sigma: FloatArray, *, sigma_held: BoolArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """A Newton step of alpha (B, U) and sigma (B,), and what it promises (B,)."""
        z = nodes()[0]
        share = _expit(alpha[..., None] - sigma[:, None, None] * z)
        surplus = self._hits - self._ratings * share
        curve = self._ratings * share * (1 - share)
        by_alpha, by_sigma = surplus.sum(axis=2), -(surplus @ z).sum(axis=1)
        total, mixed, square = curve.sum(axis=2), curve @ z, curve @ z**2
        total = np.maximum(total, TINY)
        # Free raters answer to a step of sigma by mixed / total, held ones by what keeps their accuracy.
        answer = mixed / total
        own = by_alpha / total
        if self._held is not None:
            _slope, _sum, along, _mean = self.slopes(alpha, sigma)
            answer, own = np.where(self._held, along, answer), np.where(self._held, 0.0, own)
            by_sigma = by_sigma + np.where(self._held, by_alpha * along, 0.0).sum(axis=1)
            gain = np.where(self._held, 0.0, by_alpha * answer).sum(axis=1)
        else:
            gain = (by_alpha * answer).sum(axis=1)
        rest = (square - 2 * answer * mixed + answer**2 * total).sum(axis=1)
        move = np.where(sigma_held, 0.0, (by_sigma + gain) / np.maximum(rest, TINY))
        move = np.clip(move, -MOST_SIGMA, MOST_SIGMA)
        by_each = np.clip(own + answer * move[:, None], -20.0, 20.0)
        free = by_alpha if self._held is None else np.where(self._held, 0.0, by_alpha)
        return by_each, move, (free * by_each).sum(axis=1) + by_sigma * move


def difficulty_step(
    counts: FloatArray, accuracy: FloatArray, spread: FloatArray, pins: tuple[BoolArray | None, BoolArray | None]
) -> tuple[FloatArray, FloatArray]:
    """Accuracies (B, U) and spread (B,) that the M-step finds; no step loses likelihood.

    Parameters
    ----------
    counts
        Shape (B, U, M, 2): expected accurate ratings and ratings at each node.
    accuracy, spread
        Shape (B, U) and (B,): the current point.
    pins
        Where accuracies and the spread are held, as they are; None where nothing is.
    """
    sigma = MOST_SIGMA * spread
    held, fixed = pins
    sigma_held = np.zeros(sigma.shape, dtype=bool) if fixed is None else fixed
    regression = _Regression(counts, held)
    alpha = middle_logits(accuracy, sigma)
    sure = ~np.isfinite(alpha)
    level = regression.level(alpha, sigma)
    for _ in range(_STEPS):
        by_alpha, by_sigma, promise = regression.step(np.where(sure, 0.0, alpha), sigma, sigma_held=sigma_held)
        part, going = np.ones_like(sigma), promise > _NO_GAIN * (1 + np.abs(level))
        for _half in range(_HALVES if going.any() else 0):
            # Beyond 0 the nodes are only named the other way round.
            new_sigma = np.clip(np.abs(sigma + part * by_sigma), 0.0, MOST_SIGMA)
            new = np.where(sure, alpha, alpha + part[:, None] * by_alpha)
            if held is not None and held.any():
                new = np.where(held, middle_logits(accuracy, new_sigma), new)
            reached = regression.level(new, new_sigma)
            better = going & (reached > level)
            alpha, sigma = np.where(better[:, None], new, alpha), np.where(better, new_sigma, sigma)
            level = np.where(better, reached, level)
            going &= ~better
            if not going.any():
                break
            # Where a step was taken what is left of it is nothing.
            part = np.where(going, part / 2, 0.0)
        else:
            break
    share = _expit(alpha[..., None] - sigma[:, None, None] * nodes()[0]) @ nodes()[1]
    share = share if held is None else np.where(held, accuracy, share)
    return np.clip(share, 0.0, 1.0), sigma / MOST_SIGMA


def difficulty_score(counts: FloatArray, accuracy: FloatArray, spread: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Derivatives of the log-likelihood by the logits of accuracies (B, U) and of the spread (B,).

    Parameters
    ----------
    counts, accuracy, spread
        As of `difficulty_step`.
    """
    sigma = MOST_SIGMA * spread
    alpha = middle_logits(np.clip(accuracy, 1e-15, 1 - 1e-15), sigma)
    by_alpha, by_sigma, _along, mean = _Regression(counts, None).slopes(alpha, sigma)
    by_accuracy = by_alpha * accuracy * (1 - accuracy) / np.maximum(mean, TINY)
    return by_accuracy, by_sigma * MOST_SIGMA * spread * (1 - spread)
