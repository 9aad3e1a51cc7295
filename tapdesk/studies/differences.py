"""Whether two accuracies differ, judged by their difference: cases drawn again, both fitted to the same draw.

Numbers of the same cases go up and down together, so two intervals that meet prove nothing: of the wines the lines at
the two ends differ by .30 (.11 to .45) although their intervals overlap (B. Efron & R. J. Tibshirani, 1993, An
Introduction to the Bootstrap, ch. 8; N. Schenker & J. F. Gentleman, 2001, Am. Stat. 55, 182). Who is looked for as the
lowest and the highest of several is set apart by luck as well: an interval of all differences at once takes that into
account (max-t: P. H. Westfall & S. S. Young, 1993, Resampling-Based Multiple Testing, ch. 2).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
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
# A number so near to 0 or 1 in so many of the draws hardly moves, however little is known of it.
_EDGE, _OFTEN = 0.005, 0.05


def _one_accuracy(stack: Stack) -> FloatArray:
    return np.asarray(stack.accuracy[:, 0, :1])


@dataclass(frozen=True, eq=False)
class View:
    """One of several ways to look at the same cases: the ratings it uses, and the fit whose numbers are compared.

    Attributes
    ----------
    ratings, fit
        The data and a model fitted to them.
    numbers
        Gives the numbers of B points of the model, shape (B, n); by default its one accuracy.
    estimates
        The n numbers with their intervals, where there are some: for a number on the edge, which resamples hardly
        move. By default the estimate of the one accuracy.
    """

    ratings: Ratings
    fit: Fit
    numbers: Callable[[Stack], FloatArray] = _one_accuracy
    estimates: tuple[Estimate, ...] = ()


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
    alike
        Whether a test of all together says nothing differs: then no single difference is clear.
    """

    lower: int
    higher: int
    value: float
    low: float
    high: float
    alike: bool = False

    @property
    def clear(self) -> bool:
        """Whether the interval leaves out that they are equal, and no test of all together says they may be."""
        return self.low > 0 and not self.alike

    @property
    def bounded(self) -> bool:
        """Whether there is an interval: of a number on the edge that has none of its own the ends are infinite."""
        return bool(np.isfinite(self.low) and np.isfinite(self.high))


class Differences(ABC):
    """Every two of some numbers set against each other, or each against one of them.

    Attributes
    ----------
    values
        Shape (V,): the numbers.
    level
        Of the intervals, of all of them together.
    against
        Place of the one all others are set against; None where every two are.
    alike
        Whether a test of all together says nothing differs.
    """

    values: FloatArray
    level: float
    against: int | None
    alike: bool

    @abstractmethod
    def ends(self, lower: int, higher: int) -> tuple[float, float]:
        """How far the second lies above the first at least and at most."""

    def between(self, one: int, other: int) -> Difference:
        """The difference of two; its interval holds for all pairs at once."""
        lower, higher = (one, other) if self.values[one] <= self.values[other] else (other, one)
        value = float(self.values[higher] - self.values[lower])
        low, high = self.ends(lower, higher)
        return Difference(lower, higher, value, min(low, value), max(high, value), self.alike)

    @cached_property
    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Places of the two of each difference."""
        if self.against is None:
            first, second = np.triu_indices(self.values.size, 1)
            return first, second
        others = np.flatnonzero(np.arange(self.values.size) != self.against)
        return others, np.full_like(others, self.against)

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
        every = [self.between(int(i), int(j)) for i, j in zip(*self.pairs, strict=True)]
        return max((d for d in every if d.clear), key=lambda d: d.low, default=None)


@dataclass(frozen=True, eq=False)
class PairedDifferences(Differences):
    """Of numbers of the same cases.

    Attributes
    ----------
    draws
        Shape (B, V): the numbers in cases drawn again, the same cases for all of a row.
    alone
        Each with an interval of its own, for those on the edge of what is possible; None where no number has an edge.
    """

    values: FloatArray
    level: float
    draws: FloatArray
    against: int | None = None
    alone: "SeparateDifferences | None" = None
    alike: bool = False

    def part(self, places: NDArray[np.int64], against: int | None = None) -> "PairedDifferences":
        """Some of the numbers by themselves: ``against`` is a place among these."""
        alone = self.alone
        if alone is not None:
            alone = replace(
                alone, values=alone.values[places], low=alone.low[places], high=alone.high[places], against=against
            )
        return replace(self, values=self.values[places], draws=self.draws[:, places], against=against, alone=alone)

    def ends(self, lower: int, higher: int) -> tuple[float, float]:
        """See `Differences.ends`."""
        if self.alone is not None and (self._edge[lower] or self._edge[higher]):
            return self.alone.ends(lower, higher)
        value = float(self.values[higher] - self.values[lower])
        reach = self._reach * float((self.draws[:, higher] - self.draws[:, lower]).std())
        return value - reach, value + reach

    @cached_property
    def _reach(self) -> float:
        """In standard errors, as far as the farthest of all differences goes in so many of the draws."""
        first, second = self.pairs
        if self.alone is not None:
            # Of a number that stays where it is the few draws in which it moves are no measure of the others.
            words = ~(self._edge[first] | self._edge[second])
            first, second = first[words], second[words]
        if not first.size:
            return float(ndtri((1 + self.level) / 2))
        centred = self.draws - self.draws.mean(axis=0)
        away = centred[:, first] - centred[:, second]
        spread = away.std(axis=0)
        ratio = np.divide(np.abs(away), spread, out=np.zeros_like(away), where=spread > _TIE)
        return float(np.quantile(ratio.max(axis=1), self.level))

    @cached_property
    def _edge(self) -> NDArray[np.bool_]:
        """Shape (V,): which numbers lie on the edge, in the data or in many of the draws."""
        rows = np.concatenate([self.values[None], self.draws])
        there = (rows < _EDGE) | (rows > 1 - _EDGE)
        return np.asarray(there[0] | (there.mean(axis=0) > _OFTEN))


@dataclass(frozen=True, eq=False)
class SeparateDifferences(Differences):
    """Of numbers that share no cases, such as those of groups, from their intervals (square-and-add).

    How far the lower number may be above its value and the higher one below, as squares added (G. Y. Zou & A. Donner,
    2008, Stat. Med. 27, 1693), each of the intervals as wide as the number of pairs asks (Bonferroni). Of numbers that
    do share cases, and so rise and fall together, it is too careful.

    Attributes
    ----------
    low, high
        Shape (V,): ends of the intervals, each at the level; NaN where there is none.
    """

    values: FloatArray
    level: float
    low: FloatArray
    high: FloatArray
    against: int | None = None
    alike: bool = False

    def ends(self, lower: int, higher: int) -> tuple[float, float]:
        """See `Differences.ends`."""
        wider = float(ndtri((1 + 1 - (1 - self.level) / self.pairs[0].size) / 2) / ndtri((1 + self.level) / 2))
        value = float(self.values[higher] - self.values[lower])
        if not np.isfinite([end[at] for end in (self.low, self.high) for at in (lower, higher)]).all():
            return -np.inf, np.inf
        down, up = self.values - self.low, self.high - self.values
        nearer = float(np.hypot(up[lower], down[higher])) * wider
        farther = float(np.hypot(down[lower], up[higher])) * wider
        return value - nearer, value + farther


def separate_differences(
    estimates: Sequence[Estimate], level: float, against: int | None = None
) -> SeparateDifferences | None:
    """The differences of numbers with intervals; None where one has none, or there are fewer than two."""
    if len(estimates) < 2 or any(e.value is None or e.low is None for e in estimates):
        return None
    return each_alone(estimates, level, against)


def each_alone(estimates: Sequence[Estimate], level: float, against: int | None = None) -> SeparateDifferences:
    """The same where some have no interval: of these nothing is clear. Each has a value."""
    columns = ([e.value for e in estimates], [e.low for e in estimates], [e.high for e in estimates])
    values, low, high = (np.array(column, dtype=float) for column in columns)
    return SeparateDifferences(values, level, low, high, against)


def paired_differences(
    whole: Ratings,
    views: Sequence[View],
    level: float,
    seed: int,
    redraws: int = REDRAWS,
    against: int | None = None,
) -> Run[PairedDifferences | None]:
    """Numbers of several views of the same cases, and how they differ when cases are drawn again.

    Parameters
    ----------
    whole
        All cases.
    views
        Each with some or all of the cases by their names, and a fit with the numbers that are compared.
    level, seed, redraws
        Of the intervals, of the draws, and how many.
    against
        Place, among the numbers of all views, of the one that the others are set against.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Returns
    -------
    PairedDifferences
        None where fewer than two numbers are compared, or the cases are very many.
    """
    if len(whole.subjects) > _MOST_CASES:
        return None
    values = [view.numbers(Stack.of([view.fit.parameters]))[0] for view in views]
    if sum(of.size for of in values) < 2:
        return None
    place = {name: i for i, name in enumerate(whole.subjects)}
    weight = whole.subject_weights()
    n = round(float(weight.sum()))
    rng = np.random.default_rng([seed, _STREAM])
    made = [ResampledView(view, np.array([place[name] for name in view.ratings.subjects])) for view in views]
    batch = int(np.clip(_BATCH_CELLS // len(whole.subjects), 1, redraws))
    parts = []
    for at in range(0, redraws, batch):
        size = min(batch, redraws - at)
        again = rng.multinomial(n, weight / weight.sum(), size=size).astype(np.float64)
        row = []
        for view in made:
            yield Step(at, redraws, "re-draws")
            row.append((yield from relay(view.refit(again), at, redraws, "re-draws")))
        parts.append(np.concatenate(row, axis=1))
    yield Step(redraws, redraws, "re-draws")
    alone = each_alone([e for view in views for e in view.estimates or (view.fit.estimate("a"),)], level, against)
    return PairedDifferences(np.concatenate(values), level, np.concatenate(parts), against, alone)


class ResampledView:
    """A view ready to be fitted to cases drawn again: its patterns, and where its cases stand among all.

    Parameters
    ----------
    view
        What is fitted, and which numbers are wanted.
    cases
        Shape (N,): where each of its cases stands among all that are drawn.
    """

    def __init__(self, view: View, cases: NDArray[np.int64]) -> None:
        self._plan = design(view.fit.model, view.ratings)
        self._evidence = self._plan.space.evidence(self._plan.patterns)
        self._cases, self._numbers = cases, view.numbers
        near = [view.fit.parameters, *(o.parameters for o in view.fit.optima[1:2])]
        self._origins = [self._plan.space.settle(Stack.of([point]).inside(_INSIDE)) for point in near]

    def refit(self, again: FloatArray) -> Run[FloatArray]:
        """Shape (B, n): the numbers of each draw of cases, climbed to from the optima of the whole."""
        patterns = self._plan.patterns
        weights = np.zeros((len(again), patterns.patterns))
        np.add.at(weights.T, patterns.of_subject, again[:, self._cases].T)
        best, level = None, np.full(len(again), -np.inf)
        for origin in self._origins:
            start = origin.take(np.zeros(len(again), dtype=np.int64))
            ended = yield from climb(
                self._plan.space, self._evidence, start, weights=weights, tolerance=_TOLERANCE, limit=_LIMIT
            )
            better = ended.log_likelihood > level
            result = self._numbers(ended.stack)
            best = result if best is None else np.where(better[:, None], result, best)
            level = np.where(better, ended.log_likelihood, level)
        return np.zeros((len(again), 0)) if best is None else best
