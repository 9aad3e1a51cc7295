"""Distinct evidence with weights: what every fit runs on."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.ratings import IntArray, Ratings

# Up to so many patterns are sorted in no time, whatever their order.
_FEW = 50_000
# Two independent 64-bit sums tell multisets apart; a collision among 10^7 subjects has probability below 1e-24.
_SALTS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)
# Two others for what else tells subjects apart.
_LABEL_SALTS = (0xA0761D6478BD642F, 0xE7037ED1A0B428DB)


@dataclass(frozen=True, eq=False)
class Patterns:
    """Subjects with the same evidence, told once with a weight.

    The evidence of a subject is the multiset of its (unit, class) pairs, where a unit is a rater, a group of
    ratings with the same covariates, or - where raters are pooled - everyone.

    Attributes
    ----------
    pattern, unit, category
        Shape (m,): the entries, sorted by pattern.
    count
        Shape (m,): how often the pair occurs in the pattern.
    weight
        Shape (P,): number of subjects with the pattern.
    of_subject
        Shape (N,): the pattern of each subject.
    units, classes
        Number of units U and of classes K.
    group
        Shape (P,): the group whose true class rates hold for the subjects of a pattern; None where all share them.
    known
        Shape (P,): the class that is known to be true of the subjects of a pattern, -1 where none is; None where
        nothing is known of any.
    repeat
        Shape (m,): 0 for ratings that are the first of a case by that unit, 1 for later ones of another class than the
        one before, 2 for those of the same; None where that plays no part.
    empty
        The classes that no subject truly is.
    """

    pattern: IntArray
    unit: IntArray
    category: IntArray
    count: NDArray[np.float64]
    weight: NDArray[np.float64]
    of_subject: IntArray
    units: int
    classes: int
    group: IntArray | None = None
    known: IntArray | None = None
    repeat: IntArray | None = None
    empty: tuple[int, ...] = ()

    @property
    def patterns(self) -> int:
        """Number of distinct patterns P."""
        return self.weight.size

    @property
    def alike(self) -> bool:
        """Whether nothing but their ratings tells subjects apart."""
        return self.group is None and self.known is None and self.repeat is None

    @cached_property
    def size(self) -> NDArray[np.float64]:
        """Shape (P,): number of ratings in each pattern."""
        return np.asarray(np.bincount(self.pattern, self.count, self.patterns), dtype=np.float64)

    @property
    def subject_count(self) -> float:
        """Number of subjects."""
        return float(self.weight.sum())

    @property
    def rating_count(self) -> float:
        """Number of ratings."""
        return float(self.weight @ self.size)

    @cached_property
    def table(self) -> NDArray[np.float64]:
        """Shape (P, K): counts by class, whoever gave them."""
        flat = self.pattern.astype(np.int64) * self.classes + self.category
        counts = np.bincount(flat, self.count, self.patterns * self.classes)
        return np.asarray(counts, dtype=np.float64).reshape(self.patterns, self.classes)

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        """Shape (U, K): ratings of each unit in each class, over all subjects."""
        flat = self.unit.astype(np.int64) * self.classes + self.category
        weights = self.count * self.weight[self.pattern]
        totals = np.bincount(flat, weights, self.units * self.classes)
        return np.asarray(totals, dtype=np.float64).reshape(self.units, self.classes)

    @cached_property
    def log_multinomial(self) -> float:
        """Counts minus ratings log-likelihood: sum of the log multinomial coefficients, in nats."""
        from scipy.special import gammaln  # late: slow to load

        return float(self.weight @ (gammaln(self.size + 1) - gammaln(self.table + 1).sum(axis=1)))


@dataclass(frozen=True, slots=True)
class Kinds:
    """What tells subjects apart besides their ratings.

    Attributes
    ----------
    group, known
        Shape (N,): as of `Patterns`, by subject; None where subjects do not differ in it.
    """

    group: IntArray | None = None
    known: IntArray | None = None

    def label(self, classes: int) -> NDArray[np.int64] | None:
        """Shape (N,): one number for each group and known class; None where subjects do not differ."""
        if self.group is None and self.known is None:
            return None
        known = np.int64(-1) if self.known is None else self.known.astype(np.int64)
        group = np.int64(0) if self.group is None else self.group.astype(np.int64)
        return np.asarray(group * (classes + 1) + known + 1, dtype=np.int64)

    def of(self, patterns: Patterns, first: NDArray[np.int64]) -> Patterns:
        """The patterns with what is true of the subjects that came first of each, in their order."""
        if self.group is None and self.known is None:
            return patterns
        group = None if self.group is None else self.group[first]
        return replace(patterns, group=group, known=None if self.known is None else self.known[first])


ALIKE = Kinds()
"""Subjects that differ by their ratings only."""


def tabulate(ratings: Ratings, units: IntArray | None = None, unit_count: int = 1, kinds: Kinds = ALIKE) -> Patterns:
    """Distinct evidence of the subjects.

    Parameters
    ----------
    ratings
        The data; subjects without a rating carry no evidence and get weight but no entries.
    units
        Shape (m,): the unit of each rating; None pools all ratings.
    unit_count
        Number of units U.
    kinds
        What tells subjects with the same ratings apart.
    """
    patterns = _tabulated(ratings, units, unit_count, kinds)
    return replace(patterns, empty=ratings.empty_classes) if ratings.empty_classes else patterns


def _tabulated(ratings: Ratings, units: IntArray | None, unit_count: int, kinds: Kinds) -> Patterns:
    """As `tabulate`."""
    label = kinds.label(len(ratings.classes))
    if units is None:
        return _pooled(ratings, kinds, label)
    k, n = len(ratings.classes), len(ratings.subjects)
    # Ten million ratings must fit a laptop: what is large is made once, and dropped as soon as it is used.
    code = units.astype(np.int64)
    code *= k
    code += ratings.category
    keys = _multiset_keys(code, ratings.subject, n)
    if label is not None:
        for salt, name in zip(_LABEL_SALTS, ("high", "low"), strict=True):
            keys[name] = keys[name] + _scrambled(label, salt)
    first, which = _distinct(keys)
    del keys
    chosen = np.zeros(n, dtype=bool)
    chosen[first] = True
    if first.size <= _FEW:
        # By their keys, so that the same ratings in another order give the same sums to the last digit.
        rank = np.zeros(n, dtype=np.int32)
        rank[first] = np.arange(first.size)
    else:
        # As they first appear, so that what follows stands nearly in order.
        rank = np.cumsum(chosen, dtype=np.int32)
        rank -= 1
    of_subject: IntArray = rank[first][which.ravel()]
    weight = np.bincount(of_subject, ratings.subject_weights(), first.size).astype(np.float64)
    if first.size == n:
        pattern = rank[ratings.subject]
    else:
        entry = chosen[ratings.subject]
        pattern, code = rank[ratings.subject[entry]], code[entry]
    code += pattern.astype(np.int64) * (unit_count * k)
    del pattern
    # The ratings of a subject stand together, one subject behind another: this sort takes its time by what is not so.
    code.sort(kind="stable")
    patterns = _entries(code, weight, of_subject, unit_count, k)
    if label is None:
        return patterns
    order = np.empty(first.size, dtype=np.int64)
    order[rank[first]] = first
    return kinds.of(patterns, order)


def count_patterns(
    table: NDArray[np.int64], weight: NDArray[np.float64] | None = None, of_subject: IntArray | None = None
) -> Patterns:
    """Vectors of class counts as patterns of pooled raters.

    Parameters
    ----------
    table
        Shape (P, K): the vectors.
    weight
        Shape (P,): number of subjects with each; 1 unless given.
    of_subject
        Shape (N,): the vector of each subject; without it the patterns belong to no subjects in particular.
    """
    pattern, category = np.nonzero(table)
    return Patterns(
        pattern.astype(np.int32),
        np.zeros(pattern.size, dtype=np.int32),
        category.astype(np.int32),
        table[pattern, category].astype(np.float64),
        np.ones(table.shape[0]) if weight is None else weight,
        np.zeros(0, dtype=np.int64) if of_subject is None else of_subject,
        1,
        table.shape[1],
    )


def _distinct(keys: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First place of each distinct 128-bit key, and the number of the key at each place."""
    _, first, where = np.unique(keys["high"], return_index=True, return_inverse=True)
    # Half a key sorts several times quicker than a whole one; the other half tells whether that was enough.
    if not np.array_equal(keys["low"][first][where], keys["low"]):
        _, first, where = np.unique(keys, return_index=True, return_inverse=True)
    return first, where


def _entries(
    code: NDArray[np.int64], weight: NDArray[np.float64], of_subject: IntArray, units: int, classes: int
) -> Patterns:
    """Patterns from the sorted codes (pattern, unit, class) of their ratings."""
    fresh = np.ones(code.size, dtype=bool)
    np.not_equal(code[1:], code[:-1], out=fresh[1:])
    count: NDArray[np.float64]
    if fresh.all():
        count = np.broadcast_to(np.float64(1.0), (code.size,))
    else:
        count = np.diff(np.append(np.flatnonzero(fresh), code.size)).astype(np.float64)
        code = code[fresh]
    cells = units * classes
    pattern = (code // cells).astype(np.int32)
    code %= cells
    unit = (code // classes).astype(np.int32)
    code %= classes
    return Patterns(pattern, unit, code.astype(np.int16), count, weight, of_subject, units, classes)


def _multiset_keys(code: NDArray[np.int64], subject: IntArray, subjects: int) -> NDArray[Any]:
    """Shape (N,): a 128-bit key of the multiset of codes of each subject, the same in whatever order they stand."""
    ends = np.searchsorted(subject, np.arange(subjects), side="right")
    keys = np.empty(subjects, dtype=[("high", np.uint64), ("low", np.uint64)])
    if not code.size:
        keys[:] = 0
        return keys
    for salt, name in zip(_SALTS, ("high", "low"), strict=True):
        # Differences of a running sum modulo 2^64 are exact.
        bits = _scrambled(code, salt)
        np.cumsum(bits, out=bits)
        running = np.where(ends > 0, bits[np.maximum(ends - 1, 0)], np.uint64(0))
        keys[name] = running
        keys[name][1:] -= running[:-1]
    return keys


def _scrambled(code: NDArray[np.int64], salt: int) -> NDArray[np.uint64]:
    """Shape (m,): 64 well-mixed bits for each code (the finaliser of SplitMix64, Steele et al. 2014)."""
    z = code.astype(np.uint64)
    z += np.uint64(1)
    z *= np.uint64(salt)
    z ^= z >> np.uint64(30)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    z ^= z >> np.uint64(27)
    z *= np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return z


def _pooled(ratings: Ratings, kinds: Kinds, label: NDArray[np.int64] | None) -> Patterns:
    """Patterns of class counts."""
    counts = ratings.counts()
    k = counts.shape[1]
    radix = int(counts.max(initial=0)) + 1
    if label is not None:
        _, first, of_subject = np.unique(
            np.column_stack([counts, label]), axis=0, return_index=True, return_inverse=True
        )
    elif k * np.log2(radix) < 63:
        keys: NDArray[Any] = counts @ (radix ** np.arange(k, dtype=np.int64))
        _, first, of_subject = np.unique(keys, return_index=True, return_inverse=True)
    else:
        _, first, of_subject = np.unique(counts, axis=0, return_index=True, return_inverse=True)
    weight = np.bincount(of_subject.ravel(), ratings.subject_weights(), first.size).astype(np.float64)
    return kinds.of(count_patterns(counts[first], weight, of_subject.ravel()), first)
