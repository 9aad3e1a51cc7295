"""Whether two accuracies differ, judged by their difference: cases drawn again, both fitted to the same draw.

Numbers of the same cases go up and down together, so two intervals that meet prove nothing: of the wines the lines at
the two ends differ by .30 (.11 to .45) although their intervals overlap (B. Efron & R. J. Tibshirani, 1993, An
Introduction to the Bootstrap, ch. 8; N. Schenker & J. F. Gentleman, 2001, Am. Stat. 55, 182). Who is looked for as the
lowest and the highest of several is set apart by luck as well: an interval of all differences at once takes that into
account (max-t: P. H. Westfall & S. S. Young, 1993, Resampling-Based Multiple Testing, ch. 2).
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from tapdesk.estimate import Estimate
from tapdesk.fitting.climb import climb
from tapdesk.fitting.fit import Fit
from tapdesk.models.design import design
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings

REDRAWS = 400
_BATCH_CELLS = 4_000_000
_MOST_CASES = 100_000
_INSIDE = 1e-3
_TOLERANCE, _LIMIT = 1e-7, 1_000
_STREAM = 21
_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class View:
    """One of several ways to look at the same cases: the ratings it uses, and the fit whose accuracy is compared."""

    ratings: Ratings
    fit: Fit


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one number lies above another.

    Attributes
    ----------
    lower, higher
        Places of the two in what was compared; the second is the higher one.
    value
        Their difference, at least 0.
    low, high
        Its interval; as far apart as the level of all differences together asks.
    """

    lower: int
    higher: int
    value: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out that they are equal."""
        return self.low > 0


class Differences(ABC):
    """Every two of some numbers, set against each other.

    Attributes
    ----------
    values
        Shape (V,): the numbers.
    level
        Of the intervals, of all of them together.
    """

    values: FloatArray
    level: float

    @abstractmethod
    def _ends(self, lower: int, higher: int) -> tuple[float, float]:
        """How far the second lies above the first at least and at most."""

    def between(self, one: int, other: int) -> Difference:
        """The difference of two; its interval holds for all pairs at once."""
        lower, higher = (one, other) if self.values[one] <= self.values[other] else (other, one)
        value = float(self.values[higher] - self.values[lower])
        low, high = self._ends(lower, higher)
        return Difference(lower, higher, value, min(low, value), max(high, value))

    @property
    def extremes(self) -> Difference:
        """The lowest against the highest."""
        return self.between(int(self.values.argmin()), int(self.values.argmax()))

    @property
    def lowest_of_all(self) -> int | None:
        """The one that is clearly lower than every other; None where there is none."""
        low = int(self.values.argmin())
        others = [i for i in range(self.values.size) if i != low]
        return low if others and all(self.between(low, i).clear for i in others) else None

    @property
    def clearest(self) -> Difference | None:
        """Of the pairs that clearly differ the one whose difference is surest to be large; None where none does."""
        every = [self.between(i, j) for i in range(self.values.size) for j in range(i)]
        return max((d for d in every if d.clear), key=lambda d: d.low, default=None)


@dataclass(frozen=True, eq=False)
class PairedDifferences(Differences):
    """Of numbers of the same cases.

    Attributes
    ----------
    draws
        Shape (B, V): the numbers in cases drawn again, the same cases for all of a row.
    """

    values: FloatArray
    level: float
    draws: FloatArray

    def _ends(self, lower: int, higher: int) -> tuple[float, float]:
        value = float(self.values[higher] - self.values[lower])
        reach = self._reach * float((self.draws[:, higher] - self.draws[:, lower]).std())
        return value - reach, value + reach

    @cached_property
    def _reach(self) -> float:
        """In standard errors, as far as the farthest of all differences goes in so many of the draws."""
        first, second = np.triu_indices(self.values.size, 1)
        centred = self.draws - self.draws.mean(axis=0)
        away = centred[:, first] - centred[:, second]
        spread = away.std(axis=0)
        ratio = np.divide(np.abs(away), spread, out=np.zeros_like(away), where=spread > _TIE)
        return float(np.quantile(ratio.max(axis=1), self.level))


@dataclass(frozen=True, eq=False)
class SeparateDifferences(Differences):
    """Of numbers that share no cases, such as those of groups, from their intervals (square-and-add).

    How far the lower number may be above its value and the higher one below, as squares added (G. Y. Zou & A. Donner,
    2008, Stat. Med. 27, 1693), each of the intervals as wide as the number of pairs asks (Bonferroni). Of numbers that
    do share cases, and so rise and fall together, it is too careful.

    Attributes
    ----------
    low, high
        Shape (V,): ends of the intervals, each at the level.
    """

    values: FloatArray
    level: float
    low: FloatArray
    high: FloatArray

    def _ends(self, lower: int, higher: int) -> tuple[float, float]:
        pairs = self.values.size * (self.values.size - 1) / 2
        wider = float(ndtri((1 + 1 - (1 - self.level) / pairs) / 2) / ndtri((1 + self.level) / 2))
        value = float(self.values[higher] - self.values[lower])
        down, up = self.values - self.low, self.high - self.values
        nearer = float(np.hypot(up[lower], down[higher])) * wider
        farther = float(np.hypot(down[lower], up[higher])) * wider
        return value - nearer, value + farther


def separate_differences(estimates: Sequence[Estimate], level: float) -> SeparateDifferences | None:
    """The differences of numbers with intervals; None where one has none, or there are fewer than two."""
    rows = [(e.value, e.low, e.high) for e in estimates]
    told = [(v, low, high) for v, low, high in rows if v is not None and low is not None and high is not None]
    if len(told) < len(rows) or len(told) < 2:
        return None
    values, low, high = (np.array(column) for column in zip(*told, strict=True))
    return SeparateDifferences(values, level, low, high)


def paired_differences(
    whole: Ratings, views: Sequence[View], level: float, seed: int, redraws: int = REDRAWS
) -> Run[PairedDifferences | None]:
    """Accuracies of several views of the same cases, and how they differ when cases are drawn again.

    Parameters
    ----------
    whole
        All cases.
    views
        Each with some or all of the cases by their names, and a fit with one accuracy.
    level, seed, redraws
        Of the intervals, of the draws, and how many.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Returns
    -------
    PairedDifferences
        None where fewer than two views have an accuracy, or the cases are very many.
    """
    if len(views) < 2 or len(whole.subjects) > _MOST_CASES:
        return None
    place = {name: i for i, name in enumerate(whole.subjects)}
    weight = whole.subject_weights()
    n = round(float(weight.sum()))
    rng = np.random.default_rng([seed, _STREAM])
    made = [_Prepared(view, np.array([place[name] for name in view.ratings.subjects])) for view in views]
    drawn = np.empty((redraws, len(views)))
    batch = int(np.clip(_BATCH_CELLS // len(whole.subjects), 1, redraws))
    for at in range(0, redraws, batch):
        size = min(batch, redraws - at)
        again = rng.multinomial(n, weight / weight.sum(), size=size).astype(np.float64)
        for v, view in enumerate(made):
            yield Step(at, redraws, "re-draws")
            drawn[at : at + size, v] = yield from relay(view.refit(again), at, redraws, "re-draws")
    yield Step(redraws, redraws, "re-draws")
    values = np.array([float(view.fit.parameters.accuracy[0, 0]) for view in views])
    return PairedDifferences(values, level, drawn)


class _Prepared:
    """A view with its patterns, and where its cases stand among all."""

    def __init__(self, view: View, cases: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        self._plan = design(view.fit.model, view.ratings)
        self._evidence = self._plan.space.evidence(self._plan.patterns)
        self._cases = cases
        near = [view.fit.parameters, *(o.parameters for o in view.fit.optima[1:2])]
        self._origins = [self._plan.space.settle(Stack.of([point]).inside(_INSIDE)) for point in near]

    def refit(self, again: FloatArray) -> Run[FloatArray]:
        """Shape (B,): the accuracy of each draw of cases, climbed to from the optima of the whole."""
        patterns = self._plan.patterns
        weights = np.zeros((len(again), patterns.patterns))
        np.add.at(weights.T, patterns.of_subject, again[:, self._cases].T)
        best, level = np.zeros(len(again)), np.full(len(again), -np.inf)
        for origin in self._origins:
            start = origin.take(np.zeros(len(again), dtype=np.int64))
            ended = yield from climb(
                self._plan.space, self._evidence, start, weights=weights, tolerance=_TOLERANCE, limit=_LIMIT
            )
            better = ended.log_likelihood > level
            best = np.where(better, ended.stack.accuracy[:, 0, 0], best)
            level = np.where(better, ended.log_likelihood, level)
        return best
