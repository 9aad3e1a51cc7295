"""Data sets simulated on the design at hand, all at once, as weights of what they have in common."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, xlogy

from tapdesk.models.design import Design, design
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.simulate import one_by_one, simulate_like
from tapdesk.ratings.patterns import Patterns, count_patterns
from tapdesk.ratings.ratings import Ratings

_MOST_VECTORS = 20_000
_MOST_WEIGHTS = 4_000_000

_CHUNK = 400_000


@dataclass(frozen=True, eq=False)
class CountVectors:
    """All data sets that subjects with given numbers of ratings can give, raters pooled.

    Attributes
    ----------
    sizes
        Shape (D,): the numbers of ratings that occur, rising.
    subjects
        Shape (D,): how many subjects have them.
    classes
        Number of classes K.
    """

    sizes: NDArray[np.int64]
    subjects: NDArray[np.int64]
    classes: int

    @cached_property
    def table(self) -> NDArray[np.int64]:
        """Shape (P, K): the vectors of class counts, by number of ratings."""
        return np.concatenate([count_vectors(int(n), self.classes) for n in self.sizes])

    @cached_property
    def size(self) -> NDArray[np.int64]:
        """Shape (P,): number of ratings of each vector."""
        return np.asarray(self.table.sum(axis=1))

    @cached_property
    def log_ways(self) -> FloatArray:
        """Shape (P,): log multinomial coefficients."""
        return np.asarray(gammaln(self.size + 1) - gammaln(self.table + 1).sum(axis=1))

    @cached_property
    def patterns(self) -> Patterns:
        """The vectors as patterns, each with the weight 1."""
        return count_patterns(self.table)

    @property
    def total(self) -> int:
        """Number of subjects."""
        return int(self.subjects.sum())

    def expected(self, point: Parameters) -> FloatArray:
        """Shape (P,): expected number of subjects with each vector; raters share all parameters."""
        rates = point.rating_rates()[0]
        given = np.exp(self.log_ways[:, None] + xlogy(self.table[:, None, :], rates[None]).sum(axis=2))
        return np.asarray((given @ point.truth) * np.repeat(self.subjects, self._block))

    @cached_property
    def _block(self) -> NDArray[np.int64]:
        """Shape (D,): number of vectors of each number of ratings."""
        return np.bincount(np.searchsorted(self.sizes, self.size), minlength=self.sizes.size)

    def draw(self, point: Parameters, replicates: int, rng: np.random.Generator) -> FloatArray:
        """Shape (replicates, P): weights of simulated data sets."""
        return self.draw_from(self.expected(point), replicates, rng)

    def draw_from(self, expected: FloatArray, replicates: int, rng: np.random.Generator) -> FloatArray:
        """The same from how often each vector is expected, shape (P,), in proportion among those of a size."""
        parts, at = [], 0
        for n, width in zip(self.subjects, self._block, strict=True):
            share = expected[at : at + width]
            parts.append(rng.multinomial(int(n), share / share.sum(), size=replicates))
            at += int(width)
        return np.concatenate(parts, axis=1).astype(np.float64)

    def portions(self, point: Parameters, replicates: int, rng: np.random.Generator) -> Iterator[FloatArray]:
        """The weights of simulated data sets, as many at once as the memory likes."""
        rows = max(_MOST_WEIGHTS // self.size.size, 1)
        for done in range(0, replicates, rows):
            yield self.draw(point, min(rows, replicates - done), rng)

    def observed(self, ratings: Ratings) -> FloatArray:
        """Shape (P,): weights of real ratings of this design."""
        counts = ratings.counts()
        key = {tuple(row): i for i, row in enumerate(self.table.tolist())}
        each, of_subject = np.unique(counts, axis=0, return_inverse=True)
        where = np.array([key.get(tuple(row), -1) for row in each.tolist()], dtype=np.int64)[of_subject.ravel()]
        weight = np.where(where >= 0, ratings.subject_weights(), 0.0)
        return np.asarray(np.bincount(np.maximum(where, 0), weight, self.size.size), dtype=np.float64)


def count_vectors_of(sizes: NDArray[np.int64], subjects: NDArray[np.int64], classes: int) -> CountVectors | None:
    """All data sets of subjects by number of ratings; None where there are too many vectors to list.

    Parameters
    ----------
    sizes, subjects
        Shape (D,): numbers of ratings, and subjects that have them; entries without ratings or subjects are dropped.
    classes
        Number of classes.
    """
    used = (sizes > 0) & (subjects > 0)
    sizes, subjects = sizes[used], subjects[used]
    if not sizes.size or sum(comb(int(n) + classes - 1, classes - 1) for n in sizes) > _MOST_VECTORS:
        return None
    order = np.argsort(sizes)
    return CountVectors(sizes[order].astype(np.int64), subjects[order].astype(np.int64), classes)


def design_count_vectors(ratings: Ratings) -> CountVectors | None:
    """All data sets of a real design; None where there are too many vectors to list."""
    each = ratings.ratings_per_subject()
    by_size = np.bincount(each, ratings.subject_weights()).astype(np.int64)
    return count_vectors_of(np.arange(by_size.size), by_size, len(ratings.classes))


def complete_count_vectors(subjects: int, raters: int, classes: int) -> CountVectors | None:
    """All data sets of subjects who all have the same number of ratings."""
    return count_vectors_of(np.array([raters]), np.array([subjects]), classes)


def count_vectors(n: int, classes: int) -> NDArray[np.int64]:
    """Shape (P, classes): all ways of dealing n ratings to the classes."""
    bars: Iterable[tuple[int, ...]] = combinations(range(n + classes - 1), classes - 1)
    walls = np.array(list(bars), dtype=np.int64).reshape(-1, classes - 1)
    ends = np.full((walls.shape[0], 1), n + classes - 1)
    return np.asarray(np.diff(np.concatenate([np.full_like(ends, -1), walls, ends], axis=1), axis=1) - 1)


@dataclass(frozen=True, eq=False)
class SimulatedDatasets:
    """Some simulated data sets in one table.

    Attributes
    ----------
    ratings
        All of them, one after the other within each subject of the design.
    count
        How many data sets B.
    """

    ratings: Ratings
    count: int

    @property
    def owner(self) -> NDArray[np.int64]:
        """Shape (N B,): the data set of each subject."""
        return np.arange(len(self.ratings.subjects)) % self.count

    def tabulate(self, model: RaterModel) -> tuple[Design, FloatArray]:
        """The patterns of a model over all data sets, and how often each data set has them, shape (B, P)."""
        plan = design(model, self.ratings)
        p = plan.patterns.patterns
        flat = self.owner * p + plan.patterns.of_subject
        return plan, np.bincount(flat, minlength=self.count * p).reshape(self.count, p).astype(np.float64)

    def class_counts(self, *, by_rater: bool) -> FloatArray:
        """Shape (B, raters or 1, K): number of ratings in each class."""
        r, k = (len(self.ratings.raters) if by_rater else 1), len(self.ratings.classes)
        rater = self.ratings.rater.astype(np.int64) if by_rater else np.zeros(self.ratings.subject.size, dtype=np.int64)
        flat = (self.owner[self.ratings.subject] * r + rater) * k + self.ratings.category
        return np.bincount(flat, minlength=self.count * r * k).reshape(self.count, r, k).astype(np.float64)


@dataclass(frozen=True, eq=False)
class ListedDatasets:
    """Some simulated data sets of pooled raters, told as weights (B, P) of the count vectors of their design."""

    here: CountVectors
    weights: FloatArray

    @property
    def count(self) -> int:
        """How many data sets B."""
        return int(self.weights.shape[0])

    def class_counts(self, *, by_rater: bool) -> FloatArray:
        """Shape (B, 1, K): number of ratings in each class; raters are not told apart."""
        if by_rater:
            raise ValueError("raters are pooled here")
        return np.asarray(self.weights @ self.here.table)[:, None]


def datasets_at_once(ratings: Ratings) -> int:
    """How many data sets on the design of the ratings fit the memory side by side; it follows from the design alone."""
    subjects = int(ratings.subject_weights().sum())
    # Two data sets hardly share a pattern where there are many raters, so the table may grow with the square.
    return int(np.clip(np.sqrt(_CHUNK / max(subjects * len(ratings.classes), 1)), 1, 400))


def simulate_datasets(
    ratings: Ratings,
    model: RaterModel,
    point: Parameters,
    replicates: int,
    seed: np.random.SeedSequence,
    first: int = 0,
) -> Iterator[SimulatedDatasets]:
    """Data sets simulated on the design of the ratings, in portions whose patterns side by side fit the memory.

    Parameters
    ----------
    ratings
        The design.
    model, point
        What is simulated.
    replicates
        Up to which data set.
    seed
        Each portion has random numbers of its own.
    first
        From which data set on, a multiple of `portion`: what is before it was simulated elsewhere.
    """
    ratings = one_by_one(ratings)
    n, size = len(ratings.subjects), datasets_at_once(ratings)
    for done in range(first, replicates, size):
        count = min(size, replicates - done)
        own = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, done // size))
        yield SimulatedDatasets(simulate_like(replace(ratings, weight=np.full(n, count)), model, point, own)[0], count)
