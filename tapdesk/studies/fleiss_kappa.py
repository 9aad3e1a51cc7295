"""Fleiss' kappa of one data set and of many simulated ones, and as an estimate that stands beside accuracies."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.simulated_data import count_vectors_of

if TYPE_CHECKING:
    from tapdesk.agreement.quantity import Case
    from tapdesk.agreement.tables import Tables, Weights

_CHUNK = 4_000_000


def fleiss_kappas(patterns: Patterns, weights: FloatArray) -> FloatArray:
    """Shape (B,): Fleiss' kappa of many data sets, as `agreement.kappas.fleiss_kappa` has it; NaN where undefined.

    Parameters
    ----------
    patterns
        Vectors of class counts.
    weights
        Shape (B, P): how often each occurs.
    """
    table, size = patterns.table, patterns.size
    pairs = size * (size - 1)
    agreed = np.divide((table * (table - 1)).sum(axis=1), pairs, out=np.zeros_like(size), where=pairs > 0)
    paired = weights @ (pairs > 0).astype(np.float64)
    shares = weights @ (table / np.maximum(size, 1)[:, None])
    return _kappa(weights @ agreed, paired, shares)


def _kappa(agreed: FloatArray, paired: FloatArray, shares: FloatArray) -> FloatArray:
    """Kappa from sums over subjects: shares of agreeing pairs, subjects with a pair, and shares of the classes."""
    rates = shares / np.maximum(shares.sum(axis=-1, keepdims=True), 1e-300)
    chance = (rates**2).sum(axis=-1)
    defined = (paired > 0) & (chance < 1 - 1e-12)
    observed = agreed / np.maximum(paired, 1)
    return np.asarray(np.divide(observed - chance, 1 - chance, out=np.full(chance.shape, np.nan), where=defined))


def kappa_of(ratings: Ratings) -> float | None:
    """Fleiss' kappa of real ratings; None where undefined."""
    patterns = tabulate(ratings)
    value = float(fleiss_kappas(patterns, patterns.weight[None])[0])
    return value if np.isfinite(value) else None


@dataclass(frozen=True, eq=False)
class KappaSource:
    """Independent ratings at given rates.

    Attributes
    ----------
    sizes, subjects
        Shape (D,): numbers of ratings, and how many subjects have them.
    rates
        Shape (K,): class rates.
    """

    sizes: NDArray[np.int64]
    subjects: NDArray[np.int64]
    rates: FloatArray


def kappa_draws(source: KappaSource, replicates: int, rng: np.random.Generator) -> Run[FloatArray]:
    """Shape (replicates,): Fleiss' kappa of simulated data sets without information; NaN where undefined.

    Whichever is cheaper is drawn: how often each vector of class counts occurs, or the counts of each subject.
    """
    k = source.rates.size
    here = count_vectors_of(source.sizes, source.subjects, k)
    rated = int(source.subjects[source.sizes > 0].sum())
    if here is not None and here.size.size <= rated * k:
        point = Parameters(source.rates, np.zeros((1, 1)), source.rates[None, None], np.zeros(0))
        items, rows = [], max(_CHUNK // here.size.size, 1)
        for at in range(0, replicates, rows):
            items.append(fleiss_kappas(here.patterns, here.draw(point, min(rows, replicates - at), rng)))
            yield Step(min(at + rows, replicates), replicates, "horizon")
        return np.concatenate(items)
    rows = max(_CHUNK // max(rated * k, 1), 1)
    items = []
    for at in range(0, replicates, rows):
        items.append(_by_subject(source, min(rows, replicates - at), rng))
        yield Step(min(at + rows, replicates), replicates, "horizon")
    return np.concatenate(items)


def _by_subject(source: KappaSource, replicates: int, rng: np.random.Generator) -> FloatArray:
    """Kappas with the class counts of each subject drawn, one number of ratings at a time."""
    agreed, paired = np.zeros(replicates), np.zeros(replicates)
    shares = np.zeros((replicates, source.rates.size))
    for size, subjects in zip(source.sizes.tolist(), source.subjects.tolist(), strict=True):
        if size == 0 or subjects == 0:
            continue
        counts = rng.multinomial(size, source.rates, size=(replicates, subjects))
        shares += counts.sum(axis=1) / size
        if size > 1:
            agreed += (counts * (counts - 1)).sum(axis=(1, 2)) / (size * (size - 1))
            paired += subjects
    return _kappa(agreed, paired, shares)


def kappa_estimate(ratings: Ratings, level: float = 0.95) -> Estimate:
    """Fleiss' kappa with its large-sample interval, or why there is none."""
    from tapdesk.agreement.kappas import fleiss_kappa  # late: a fit begins without it

    return _estimate(fleiss_kappa, ratings, level)


def agreement_estimate(ratings: Ratings, level: float = 0.95) -> Estimate:
    """The share of the pairs of ratings of a case that match, with its large-sample interval, or why there is none."""
    from tapdesk.agreement.kappas import percent_agreement  # as above

    return _estimate(percent_agreement, ratings, level)


def _estimate(
    coefficient: "Callable[[Tables, Weights | str], Iterator[Case]]", ratings: Ratings, level: float
) -> Estimate:
    from tapdesk.agreement.quantity import analytic  # as above
    from tapdesk.agreement.tables import Tables, weights

    if ratings.subject.size == 0:
        return undefined(_("There are no {ratings}."))
    case = next(iter(coefficient(Tables(ratings), weights("identity", ratings))))
    if case.quantity is None:
        return undefined(case.reason or case.otherwise)
    return analytic(case.quantity, level, case.otherwise)[0]


def repeats(ratings: Ratings) -> bool:
    """Whether a known rater rated a case more than once: a coefficient takes such ratings for one vote."""
    if not ratings.raters_known:
        return False
    cast = ratings.rater.astype(np.int64) * len(ratings.subjects) + ratings.subject
    return bool(np.unique(cast).size < cast.size)


def root(kappa: Estimate) -> Estimate:
    """Root kappa: the accuracy of t-a-t that the coefficient stands for; undefined where kappa is negative."""
    if kappa.value is None:
        return kappa
    if kappa.value < 0:
        return undefined(
            _(
                "Fleiss' kappa is negative here ({value:.2f}), so it has no square root: the {ratings} "
                "agree less than independent ones would on average."
            ).format(value=kappa.value)
        )
    estimate = Estimate(math.sqrt(kappa.value))
    if kappa.low is None or kappa.high is None or kappa.level is None:
        return estimate.without_interval(kappa.no_interval) if kappa.no_interval else estimate
    low, high = (math.sqrt(max(end, 0.0)) for end in (kappa.low, kappa.high))
    return estimate.between(low, high, kappa.level, kappa.how)
