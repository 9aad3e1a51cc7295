"""Fleiss' kappa of one data set and of many simulated ones (Fleiss 1971; unequal numbers of ratings: Gwet 2014)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.worlds import worlds

_CHUNK = 4_000_000


def fleiss_kappas(patterns: Patterns, weights: FloatArray) -> FloatArray:
    """Shape (B,): Fleiss' kappa of many data sets, as `agreement.chance.fleiss_kappa` has it; NaN where undefined.

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
    here = worlds(source.sizes, source.subjects, k)
    rated = int(source.subjects[source.sizes > 0].sum())
    if here is not None and here.size.size <= rated * k:
        point = Parameters(source.rates, np.zeros((1, 1)), source.rates[None, None], np.zeros(0))
        found, rows = [], max(_CHUNK // here.size.size, 1)
        for at in range(0, replicates, rows):
            found.append(fleiss_kappas(here.patterns, here.draw(point, min(rows, replicates - at), rng)))
            yield Step(min(at + rows, replicates), replicates, "horizon")
        return np.concatenate(found)
    rows = max(_CHUNK // max(rated * k, 1), 1)
    found = []
    for at in range(0, replicates, rows):
        found.append(_by_subject(source, min(rows, replicates - at), rng))
        yield Step(min(at + rows, replicates), replicates, "horizon")
    return np.concatenate(found)


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
