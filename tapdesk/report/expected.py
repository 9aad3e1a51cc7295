"""Observed and expected shares of subjects with k of their ratings in one class."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, gammaln, xlog1py, xlogy

from tapdesk.fitting.fit import Fit
from tapdesk.ratings.ratings import Ratings

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of subjects with k = 0 … R ratings in one class.

    Attributes
    ----------
    observed, model, random
        Shape (R + 1,) each: seen, expected by the model, expected if every rating were picked at the overall rate.
    subjects
        How many subjects the observed shares count.
    of
        How many subjects with ratings there are.
    ratings
        Ratings of each subject counted, or None where subjects with different numbers are drawn together.
    least
        The smallest number of ratings among the subjects counted.
    """

    observed: FloatArray
    model: FloatArray
    random: FloatArray
    subjects: int
    of: int
    ratings: int | None
    least: int


def shares(fit: Fit, ratings: Ratings, category: int) -> Shares:
    """Shares for one class, exact under the model.

    Subjects with the commonest number of ratings stand alone where they are at least half of all; else all are
    drawn together, and the model's shares are the average over the numbers of ratings at hand.
    """
    each = ratings.ratings_per_subject()
    weight = np.where(each > 0, ratings.subject_weights(), 0.0)
    by_size = np.bincount(each, weight)
    commonest = int(by_size.argmax())
    alone = by_size[commonest] >= 0.5 * weight.sum()
    used = np.where(each == commonest, weight, 0.0) if alone else weight
    inside = ratings.category == category
    k = np.bincount(ratings.subject[inside], minlength=each.size)
    most = int(each[used > 0].max())
    total = used.sum()
    sizes = np.bincount(each, used, most + 1)[: most + 1] / total
    rates = fit.parameters.rating_rates()[0][:, category]
    overall = np.array([ratings.class_rates()[category]])
    return Shares(
        observed=np.bincount(k[used > 0], used[used > 0], most + 1) / total,
        model=mixture(sizes, rates, fit.parameters.truth),
        random=mixture(sizes, overall, np.ones(1)),
        subjects=int(total),
        of=int(weight.sum()),
        ratings=commonest if alone else None,
        least=int(each[used > 0].min()),
    )


def mixture(sizes: FloatArray, rates: FloatArray, truth: FloatArray) -> FloatArray:
    """Probability of k ratings in a class: binomials mixed over true classes and numbers of ratings.

    Parameters
    ----------
    sizes
        Shape (R + 1,): share of subjects by number of ratings.
    rates
        Shape (K,): probability that a rating falls into the class, by true class.
    truth
        Shape (K,): rates of the true classes.

    Returns
    -------
    Shape (R + 1,), summing to one.
    """
    most = sizes.size - 1
    k = np.arange(most + 1)
    found = np.zeros(most + 1)
    for n in np.flatnonzero(sizes):
        within = k[: n + 1]
        ways = gammaln(n + 1) - gammaln(within + 1) - gammaln(n - within + 1)
        terms = np.exp(ways[:, None] + xlogy(within[:, None], rates) + xlog1py((n - within)[:, None], -rates))
        found[: n + 1] += sizes[n] * (terms @ truth)
    return found


def binomial_band(observed: FloatArray, subjects: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile interval of each share when subjects are drawn again with replacement.

    The count of a re-draw is binomial, so its quantiles are exact and need no random numbers: the smallest count
    whose distribution function reaches the tail.
    """
    tail = (1 - level) / 2
    return _quantile(tail, subjects, observed), _quantile(1 - tail, subjects, observed)


def _quantile(q: float, n: int, p: FloatArray) -> FloatArray:
    """Quantile of Binomial(n, p) / n by bisection on the distribution function."""
    low, high = np.full(p.shape, -1.0), np.full(p.shape, float(n))
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        reached = bdtr(middle, n, p) >= q
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high / n
