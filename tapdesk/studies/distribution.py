"""Distribution check: how many subjects have k of their R ratings in one class, seen and expected (models.md §8)."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.exact_em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.models.catalog import model
from tapdesk.models.design import unit_of_ratings
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.bootstrap_test import BootstrapTest
from tapdesk.studies.tests import goodness_of_fit


@dataclass(frozen=True, eq=False)
class Shares:
    """Shares of subjects with k = 0 ... R ratings in one class.

    Attributes
    ----------
    ratings
        R; None where subjects with different numbers of ratings are taken together.
    subjects
        How many are counted.
    observed, low, high
        Shape (R + 1,): seen, and the ends of the interval when subjects are drawn anew.
    expected
        Shape (R + 1,) each, by name: ``random`` (every rating drawn at the overall rate), the model's name, ``expert``
        (P-a-P: truth and guesses at the observed rates).
    """

    ratings: int | None
    subjects: int
    observed: FloatArray
    low: FloatArray
    high: FloatArray
    expected: Mapping[str, FloatArray]


@dataclass(frozen=True, eq=False)
class Distribution:
    """The check for one class.

    Attributes
    ----------
    category
        Its label.
    parts
        All subjects together first, then, where numbers of ratings differ, each number by itself.
    level
        Of the intervals.
    test
        Goodness of fit of the model, on all classes; None when not asked for.
    """

    category: str
    parts: tuple[Shares, ...]
    level: float
    test: BootstrapTest | None


def distribution(
    ratings: Ratings, fit: Fit, category: int = -1, *, level: float = 0.95, replicates: int = 0, seed: int = 1
) -> Run[Distribution]:
    """Compare the observed distribution of ratings in one class with chance, the fitted model and experts.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    category
        Index of the class; the last one (class 1 of two) unless given.
    level
        Of the intervals of the observed shares.
    replicates
        Simulated data sets of the goodness-of-fit test; 0 for no test.
    seed
        Of their random numbers.

    Yields
    ------
    Step
        Phases ``fit`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When there are no ratings.
    """
    if ratings.subject.size == 0:
        raise CannotAnswerError("There are no ratings.")
    category %= len(ratings.classes)
    expert = yield from ExactEM().run(model("P-a-P"), ratings, seed)
    yield Step(0, 1, "check")
    each = ratings.ratings_per_subject()
    sizes = np.unique(each[(each > 0) & (ratings.subject_weights() > 0)])
    models = {fit.model.name: fit, "expert": expert}
    parts = [_part(ratings, models, category, sizes, level)]
    if sizes.size > 1:
        parts += [_part(ratings, models, category, sizes[i : i + 1], level) for i in range(sizes.size)]
    test = None
    if replicates:
        test = yield from goodness_of_fit(ratings, fit.model, replicates, seed, fit)
    return Distribution(ratings.classes[category], tuple(parts), level, test)


def _part(ratings: Ratings, models: Mapping[str, Fit], category: int, sizes: NDArray[np.int64], level: float) -> Shares:
    """The shares of the subjects with these numbers of ratings."""
    each = ratings.ratings_per_subject()
    used = np.where(np.isin(each, sizes), ratings.subject_weights(), 0.0)
    total = float(used.sum())
    most = int(sizes.max())
    inside = np.bincount(ratings.subject[ratings.category == category], minlength=each.size)
    observed = np.bincount(np.minimum(inside, most), used, most + 1) / total
    rate = float(ratings.class_rates()[category])
    chance = np.zeros(most + 1)
    for n in sizes:
        share = used[each == n].sum() / total
        chance[: n + 1] += share * _binomials(int(n), rate)
    expected = {"random": chance}
    expected |= {name: expected_shares(ratings, fit, category, used / total, most) for name, fit in models.items()}
    low, high = binomial_band(observed, round(total), level)
    alone = int(sizes[0]) if sizes.size == 1 else None
    return Shares(alone, round(total), observed, low, high, MappingProxyType(expected))


def expected_shares(ratings: Ratings, fit: Fit, category: int, weight: FloatArray, most: int) -> FloatArray:
    """Shape (most + 1,): probability of k ratings in a class under a fit, subject by subject with its own raters.

    Parameters
    ----------
    ratings, fit
        The design and the parameters.
    category
        Index of the class.
    weight
        Shape (N,): weights of the subjects, summing to one.
    most
        Largest k told.
    """
    unit, _, _ = unit_of_ratings(fit.model, ratings)
    rates = fit.parameters.rating_rates()[:, :, category]
    each = ratings.ratings_per_subject()
    start = np.cumsum(each) - each
    found = np.zeros(most + 1)
    for n in np.unique(each[weight > 0]):
        who = np.flatnonzero((each == n) & (weight > 0))
        rows, share = _rows(unit if rates.shape[0] > 1 else None, start, who, int(n), weight)
        # One more rating in the class with its probability, rating by rater, for each true class.
        chances = np.zeros((rows.shape[0], rates.shape[1], int(n) + 1))
        chances[:, :, 0] = 1.0
        for place in range(int(n)):
            hit = rates[rows[:, place]][:, :, None]
            moved = chances * (1 - hit)
            moved[:, :, 1:] += chances[:, :, :-1] * hit
            chances = moved
        found[: int(n) + 1] += np.einsum("g,gkm,k->m", share, chances, fit.parameters.truth)
    return found


def _rows(
    unit: IntArray | None, start: NDArray[np.int64], who: NDArray[np.int64], n: int, weight: FloatArray
) -> tuple[NDArray[np.int64], FloatArray]:
    """The distinct sets of units who rate subjects with n ratings, shape (G, n), and their shares, shape (G,)."""
    if unit is None:
        return np.zeros((1, n), dtype=np.int64), np.array([weight[who].sum()])
    sets = np.sort(unit[start[who][:, None] + np.arange(n)], axis=1)
    rows, of_subject = np.unique(sets, axis=0, return_inverse=True)
    return rows, np.asarray(np.bincount(of_subject.ravel(), weight[who], rows.shape[0]), dtype=np.float64)


def _binomials(n: int, rate: float) -> FloatArray:
    """Shape (n + 1,): Binomial(n, rate)."""
    upper = bdtr(np.arange(n + 1, dtype=np.float64), n, rate)
    return np.asarray(np.diff(upper, prepend=0.0))


def binomial_band(observed: FloatArray, subjects: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile interval of each share when subjects are drawn anew with replacement.

    The count of a re-draw is binomial, so its quantiles are exact and need no random numbers.
    """
    counts = np.arange(subjects + 1, dtype=np.float64)
    tail = (1 - level) / 2
    # The smallest count whose distribution function reaches the tail.
    cumulated = [bdtr(counts, subjects, p) for p in observed]
    ends = [np.array([np.searchsorted(row, q) / subjects for row in cumulated]) for q in (tail, 1 - tail)]
    return ends[0], np.minimum(ends[1], 1.0)
