"""How far the share of ratings that name the true class reaches, where many classes make other searches too large.

The ends of its profile interval are its extremes over the region of the likelihood (`likelihood_region`). For every
weight w no point of that region has a share q above exp((max(l + w log q) - floor) / w): the dual bound, which is the
end itself at the weight at whose maximum l meets the floor (Bertsekas 1999, *Nonlinear Programming*, §5.1). And
l + w log q is the log-likelihood of the data with w ratings more, of which nothing is known but that they name the true
class: so the E-M of the model climbs it. For the lower end they name another class.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri

from tapdesk.fitting.climb import climb
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence, Expected
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, relay

# How near the level comes to the floor: the bound is flat there, an error of e in the level costs about e * e / 8.
_NEAR = 1e-3
_MOST_WEIGHTS = 25
# How far from the edge a climb begins: what lies on it could not leave.
_MARGIN = 1e-3
_TINY = 1e-300


def truth_share_ends(
    plan: Design, evidence: Evidence, origins: Sequence[Parameters], top: float, level: float
) -> Run[tuple[float, float] | None]:
    """Profile interval of the share of ratings that name the true class.

    Parameters
    ----------
    plan, evidence
        The tabulated data of a model whose raters share their numbers.
    origins
        The maximum and other optima near it: each is a place to climb from.
    top
        Log-likelihood at the maximum, nats, ratings form.
    level
        Confidence level.

    Returns
    -------
    tuple
        Both ends; None where the climbs do not come near the border of the region.

    Yields
    ------
    Step
        Phase ``intervals``.
    """
    drop = float(chdtri(1, 1 - level)) / 2
    ends: list[float] = []
    for side, right in enumerate((False, True)):
        logs = []
        for origin in origins:
            result = yield from relay(_bound(plan, evidence, origin, top, drop, right=right), side, 2, "intervals")
            logs += [] if result is None else [result]
        if not logs:
            return None
        share = float(np.exp(min(max(logs), 0.0)))
        ends.append(share if right else 1 - share)
    return ends[0], ends[1]


def _bound(
    plan: Design, evidence: Evidence, origin: Parameters, top: float, drop: float, *, right: bool
) -> Run[float | None]:
    """The least dual bound: the largest logarithm of the share, or of what it leaves to 1, within the region."""
    space = plan.space
    at = space.settle(Stack.of([origin]).inside(min(_MARGIN, 1 / (10 * space.classes))))
    ratings = float(plan.patterns.rating_count)
    share = float(_OneRating.of(at, right=right).share[0])
    # The weight of a share whose ratings were counted; the bound is convex in 1 / weight and least at the floor.
    weight = float(np.sqrt(2 * drop * ratings * share / max(1 - share, 1 / ratings)))
    low, high, least = 0.0, np.inf, np.inf
    known = [(0.0, 0.0)]
    for _again in range(_MOST_WEIGHTS):
        more = MoreRatings(evidence, weight, right=right)
        climbed = yield from climb(space, more, at)
        at = climbed.stack
        log_share = float(np.log(np.maximum(_OneRating.of(at, right=right).share[0], _TINY)))
        left = float(climbed.log_likelihood[0]) - weight * log_share - (top - drop)
        least = min(least, log_share + left / weight)
        if abs(left) < _NEAR or log_share > -1 / (10 * ratings):
            return least
        low, high = (weight, high) if left > 0 else (low, weight)
        # The root of what the level falls grows about in line with the weight.
        known = [*known, (weight, float(np.sqrt(max(drop - left, 0.0))))][-2:]
        weight = _next(known, float(np.sqrt(drop)), low, high)
        if high - low < _NEAR * low:
            return least
    return None


def _next(known: Sequence[tuple[float, float]], wanted: float, low: float, high: float) -> float:
    """The weight at which a line through the last two points meets what is wanted, kept between the ends."""
    (one, first), (two, second) = known[-2], known[-1]
    slope = (second - first) / (two - one) if two != one else 0.0
    trial = two + (wanted - second) / slope if slope > 0 else np.nan
    if low < trial < high:
        return min(trial, 10 * max(two, low))
    return (low + high) / 2 if np.isfinite(high) else 4 * two


@dataclass(frozen=True, eq=False)
class _OneRating:
    """A rating that names the truth, or one that misses it, at each of B points.

    Attributes
    ----------
    share
        Shape (B,): how often a rating is one.
    accurate, lucky
        Shape (B, K): by true class the part of it that is accurate, and that is guessed.
    guesses
        Shape (B, K or 1, K): what is guessed, by true class where guessing differs by it, and rated class.
    """

    share: FloatArray
    accurate: FloatArray
    lucky: FloatArray
    guesses: FloatArray

    @staticmethod
    def of(stack: Stack, *, right: bool) -> "_OneRating":
        """What the points say of one rating."""
        k = stack.truth.shape[1]
        accuracy, guessing = stack.accuracy[:, 0], stack.guessing[:, 0]
        guessed = stack.truth * (1 - accuracy)
        own = np.diagonal(np.broadcast_to(guessing, (stack.size, k, k)), axis1=1, axis2=2)
        hit = guessed * own
        if right:
            accurate, lucky = stack.truth * accuracy, hit
            guesses = hit[:, :, None] * np.eye(k) if guessing.shape[1] > 1 else hit[:, None]
        else:
            # Summed, not 1 - own: that would lose what is left of a rate next to 1.
            accurate = np.zeros_like(stack.truth)
            if guessing.shape[1] > 1:
                guesses = guessed[:, :, None] * np.where(np.eye(k, dtype=bool), 0.0, guessing)
                lucky = guesses.sum(axis=2)
            else:
                lucky = guessed * np.maximum(1 - own, 0.0)
                guesses = np.maximum(guessing * (guessed.sum(axis=1, keepdims=True) - guessed)[:, None], 0.0)
        return _OneRating(accurate.sum(axis=1) + lucky.sum(axis=1), accurate, lucky, guesses)


class MoreRatings:
    """The evidence of some patterns, and of one rating each of further cases, of which one thing is known.

    Attributes
    ----------
    patterns
        Those of the evidence; the raters share their numbers.
    """

    def __init__(self, evidence: Evidence, weight: float, *, right: bool) -> None:
        """Of how many more ratings (any number above 0), and whether each names the true class or each another."""
        self.patterns = evidence.patterns
        self._evidence, self._weight, self._right = evidence, weight, right

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`: log-likelihood and counts of both together."""
        known, one = self._evidence.expect(stack, weights), _OneRating.of(stack, right=self._right)
        each = self._weight / np.maximum(one.share, _TINY)
        both = (one.accurate + one.lucky) * each[:, None]
        hits, ratings, guesses = known.hits.copy(), known.ratings.copy(), known.guesses.copy()
        hits[:, 0] += one.accurate * each[:, None]
        ratings[:, 0] += both if ratings.shape[2] > 1 else both.sum(axis=1, keepdims=True)
        # What all true classes share is summed over them later: so it is added once.
        guesses[:, 0, : one.guesses.shape[1]] += one.guesses * each[:, None, None]
        level = known.log_likelihood + self._weight * np.log(np.maximum(one.share, _TINY))
        return Expected(level, known.truth + both, hits, ratings, guesses)

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`: of the patterns, whatever else is known."""
        return self._evidence.posterior(stack)

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`: of the patterns."""
        return self._evidence.pattern_log_likelihood(stack)
