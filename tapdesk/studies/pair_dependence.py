"""Whether one pair of raters gives the same answer beyond what both know, what is easy and what they like to say.

Hard cases, unequal raters and leanings make pairs of raters agree, as copying does and oftener. So a pair is held
against a model that has all of these (`t-aij-pj`, models_more.md §3: each rater an accuracy and leanings of their own,
each case a difficulty), to which one number is added: with probability m the second of the pair gives the answer of the
first (as memory does within one rater, §6). The pair that gains most is told only where the gain is beyond luck for
the largest of all pairs, and clearly more than that of any other pair; in two classes, where conditional independence
given the truth has no other way to fail but these and errors in common.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import chdtrc, expit, logsumexp

from tapdesk.errors import CannotAnswerError
from tapdesk.language import gettext as _
from tapdesk.models.difficulty import nodes
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

FEWEST_RATERS, MOST_RATERS = 4, 15
_NODES = 15
_LEVEL = 0.01
# A pair whose gain lies within half a chi-square point of another one's is as likely the other one.
_MARGIN = 3.84
_STARTS = 4
# Logits and log spreads are looked for within these ends.
_FARTHEST = 12.0
_FIRST_SHARE = -2.0


@dataclass(frozen=True, slots=True)
class DependentPair:
    """The pair of raters whose answers go together most.

    Attributes
    ----------
    first, second
        Indices of the raters; who copied whom cannot be told.
    share
        Probability that one of them gives the answer of the other, whatever the case (m).
    statistic
        Twice the gain of the log-likelihood, nats.
    runner_up
        The same of the pair that gains most of all others.
    p_adjusted
        Chance of such a gain for any pair where no two raters have errors in common: half of a chi-square, for m = 0
        lies on the edge (Self & Liang 1987, J. Am. Stat. Assoc. 82:605), times the number of pairs.
    """

    first: int
    second: int
    share: float
    statistic: float
    runner_up: float
    p_adjusted: float

    @property
    def stands_out(self) -> bool:
        """Whether the pair is told."""
        return self.p_adjusted < _LEVEL and self.statistic - self.runner_up > _MARGIN


def dependent_pair(ratings: Ratings, seed: int = 1) -> Run[DependentPair]:
    """The pair of raters who agree most beyond their accuracies, their leanings and hard cases.

    Parameters
    ----------
    ratings
        Two classes, at least four known raters, no case rated twice by one of them.
    seed
        Of the random starts.

    Yields
    ------
    Step
        Phase ``pairs``.

    Raises
    ------
    CannotAnswerError
        Where there are more classes, fewer or very many raters, or raters who rated a case again.
    """
    table = _table(ratings)
    likelihood = _Likelihood(*np.unique(table, axis=0, return_counts=True))
    random = np.random.default_rng(seed)
    base = min((likelihood.climb(likelihood.start(random)) for _start in range(_STARTS)), key=lambda end: end[0])
    gains: dict[tuple[int, int], tuple[float, float]] = {}
    every = list(permutations(range(table.shape[1]), 2))
    for done, pair in enumerate(every):
        yield Step(done, len(every), "pairs")
        level, at = likelihood.climb(np.append(base[1], _FIRST_SHARE), pair)
        own = (2 * max(base[0] - level, 0.0), float(expit(at[-1])))
        both = (min(pair), max(pair))
        gains[both] = max(own, gains.get(both, own))
    yield Step(len(every), len(every), "pairs")
    order = sorted(gains, key=lambda both: gains[both][0])
    (first, second), (statistic, share) = order[-1], gains[order[-1]]
    p = min(0.5 * float(chdtrc(1, statistic)) * len(gains), 1.0)
    return DependentPair(first, second, share, statistic, gains[order[-2]][0], p)


def _table(ratings: Ratings) -> NDArray[np.int64]:
    """Shape (N, J): class of each rating, −1 where there is none."""
    raters = len(ratings.raters)
    if len(ratings.classes) != 2 or not ratings.raters_known or not FEWEST_RATERS <= raters <= MOST_RATERS:
        raise CannotAnswerError(
            _("Whether a pair of {raters} has errors in common can be asked of two classes and 4 to 15 known {raters}.")
        )
    flat = ratings.subject.astype(np.int64) * raters + ratings.rater
    if np.unique(flat).size < flat.size:
        raise CannotAnswerError(
            _("Some {raters} rated {a_subject} again: whether pairs of them have errors in common is not tried then.")
        )
    table = np.full((len(ratings.subjects), raters), -1)
    table[ratings.subject, ratings.rater] = ratings.category
    return table


class _Likelihood:
    """The log-likelihood over patterns and its slopes, by the scores of complete data (Fisher's identity).

    A point is (logits of the truth, alpha of each rater, log sigma, logits of each rater's leanings), and for a pair
    the logit of m.

    Parameters
    ----------
    patterns
        Shape (P, J): classes 0 and 1, −1 where there is no rating.
    weight
        Shape (P,): how many cases have each.
    """

    def __init__(self, patterns: NDArray[np.int64], weight: NDArray[np.int64]) -> None:
        self._there = patterns >= 0
        self._given = np.maximum(patterns, 0)
        self._weight = weight.astype(float)
        self._right = (self._given[:, :, None] == np.arange(2)) & self._there[:, :, None]
        self._z, share = nodes(_NODES)
        self._log_share = np.log(share)

    @property
    def raters(self) -> int:
        """How many."""
        return int(self._there.shape[1])

    def start(self, random: np.random.Generator) -> FloatArray:
        """A random point whose guesses fall as the ratings do."""
        yes = float(np.clip((self._weight @ (self._right[:, :, 1])).sum() / self._count, 0.02, 0.98))
        logit = np.log(yes / (1 - yes))
        skill = random.normal(0.5, 0.7, self.raters)
        leaning = logit + random.normal(0, 0.3, self.raters)
        return np.concatenate(([logit], skill, [np.log(random.uniform(0.2, 2.0))], leaning))

    @property
    def _count(self) -> float:
        return float((self._weight @ self._there).sum())

    def climb(self, point: FloatArray, pair: tuple[int, int] | None = None) -> tuple[float, FloatArray]:
        """Minus the log-likelihood at the nearest maximum, and the point."""
        ends = [(-_FARTHEST, _FARTHEST)] * point.size
        result = minimize(self.level, point, args=(pair,), jac=True, method="L-BFGS-B", bounds=ends)
        return float(result.fun), np.asarray(result.x)

    def level(self, point: FloatArray, pair: tuple[int, int] | None = None) -> tuple[float, FloatArray]:
        """Minus the log-likelihood, nats, and its slopes."""
        j = self.raters
        truth, alpha, sigma = expit(point[0]), point[1 : j + 1], np.exp(point[j + 1])
        leaning = expit(point[j + 2 : 2 * j + 2])
        skill = expit(alpha[:, None] - sigma * self._z)
        guess = np.where(self._given == 1, leaning, 1 - leaning)
        # Patterns, raters, true classes, nodes.
        rate = skill[None, :, None] * self._right[..., None] + (1 - skill)[None, :, None] * guess[:, :, None, None]
        share, same, both = 0.0, np.zeros(0), np.zeros(0)
        cell = rate
        if pair is not None:
            share = float(expit(point[-1]))
            both = (self._there[:, pair[0]] & self._there[:, pair[1]]).astype(float)[:, None, None]
            same = both * (self._given[:, pair[0]] == self._given[:, pair[1]])[:, None, None]
            cell = rate.copy()
            cell[:, pair[1]] = share * same + (1 - share * both) * rate[:, pair[1]]
        seen = self._there[:, :, None, None]
        joint = np.log(np.where(seen, np.maximum(cell, 1e-300), 1.0)).sum(axis=1) + self._log_share
        joint += np.log([max(1 - truth, 1e-300), max(truth, 1e-300)])[:, None]
        level = logsumexp(joint, axis=(1, 2))
        belief = np.exp(joint - level[:, None, None]) * self._weight[:, None, None]
        by_rate = belief[:, None] * np.where(seen, 1 / np.maximum(cell, 1e-300), 0.0)
        slopes = []
        if pair is not None:
            moved = (by_rate[:, pair[1]] * (same - both * rate[:, pair[1]])).sum()
            slopes.append([moved * share * (1 - share)])
            by_rate[:, pair[1]] *= 1 - share * both
        by_skill = (by_rate * (self._right[..., None] - guess[:, :, None, None])).sum(axis=(0, 2)) * skill * (1 - skill)
        by_guess = (by_rate * (1 - skill)[None, :, None]).sum(axis=(2, 3))
        by_leaning = (by_guess * np.where(self._given == 1, 1.0, -1.0)).sum(axis=0) * leaning * (1 - leaning)
        by_truth = belief[:, 1].sum() - truth * self._weight.sum()
        slopes = [[by_truth], by_skill.sum(axis=1), [-(by_skill * self._z).sum() * sigma], by_leaning, *slopes]
        return -float(self._weight @ level), -np.concatenate(slopes)
