"""A coefficient as a smooth function of sums over subjects: the value, its standard error, interval and re-draws.

Everything a coefficient needs is added up over the subjects, so that the value is a function of the totals, the
linearised standard error its derivative towards each subject (Gwet 2014, ch. 5), and a bootstrap over subjects the same
function of re-weighted totals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtri, stdtrit

from tapdesk.estimate import BOOTSTRAP, F_DISTRIBUTION, LINEARISATION, TABLE, Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import Run, Step

Array: TypeAlias = NDArray[Any]

# Derivatives by a step into the imaginary direction (Squire & Trapp 1998) have no rounding error of a difference.
_STEP = 1e-30
_CELLS_AT_ONCE = 4_000_000
CHANCE_IS_ALL = _(
    "On the {ratings} that can be compared, chance alone would give the same agreement and nothing is left to correct."
)


def ratio(above: Array, below: Array) -> Array:
    """Elementwise quotient, not-a-number where the denominator is exactly zero or itself not a number."""
    none = np.asarray((below == 0) | np.isnan(below))
    quotient: Array = np.where(none, np.nan, above / np.where(none, 1, below))
    return quotient


@dataclass(frozen=True, eq=False)
class Family:
    """What is added up over subjects, shared by all coefficients made of it.

    Attributes
    ----------
    features
        Shape (Q, d), dense or sparse by column: one row for each distinct kind of subject.
    weight
        Shape (Q,): number of subjects of each kind.
    of_pattern
        Shape (P,): the row of each of the finer patterns that a bootstrap re-weights; None when they are the rows.
    """

    features: Any
    weight: NDArray[np.float64]
    of_pattern: NDArray[np.int64] | None = None

    @cached_property
    def totals(self) -> NDArray[np.float64]:
        """Shape (d,): the sums over the subjects at hand."""
        return np.asarray(self.weight @ self.features, dtype=np.float64)

    def redrawn(self, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (B, d): the sums under other subject weights of shape (B, P)."""
        if self.of_pattern is not None:
            rows = self.weight.size
            flat = np.arange(weight.shape[0])[:, None] * rows + self.of_pattern
            summed: Array = np.bincount(flat.ravel(), weight.ravel(), weight.shape[0] * rows)
            weight = summed.reshape(-1, rows)
        # Sparse matrices multiply from the left only.
        return np.asarray((self.features.T @ weight.T).T, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Quantity:
    """One coefficient of one data set, ready to be evaluated.

    Attributes
    ----------
    family
        What it is made of.
    value
        From totals of shape (..., d) to shape (...); analytic, not-a-number where undefined.
    units
        Shape (Q,): which rows are subjects in the sense of the standard error.
    columns
        The columns of the family that ``value`` reads.
    smooth
        What is linearised instead of ``value``, if anything.
    gradient
        A closed form of the derivative by totals, shape (d,), where the general one would be slow.
    pairs
        Shape (Q,): rows with at least two ratings, when Gwet's treatment of subjects with one rating applies.
    population
        True for n instead of n - 1 in the variance (Fleiss, Cohen & Everitt 1969).
    bounds
        Lowest and highest possible value, None where there is no bound.
    interval
        A closed form of the interval: from the level to its ends, or to None where it has none.
    logit
        Whether the interval is as wide to both sides on the scale of log odds; the value is a share.
    """

    family: Family
    value: Callable[[Array], Array]
    units: NDArray[np.bool_]
    columns: slice = field(default_factory=lambda: slice(None))
    smooth: Callable[[Array], Array] | None = None
    gradient: Callable[[Array], Array] | None = None
    pairs: NDArray[np.bool_] | None = None
    population: bool = False
    bounds: tuple[float | None, float | None] = (None, 1.0)
    interval: Callable[[float], tuple[float, float] | None] | None = None
    logit: bool = False

    def point(self) -> float:
        """The value on the data at hand; not-a-number where undefined."""
        return float(self.value(self.family.totals[self.columns]))

    def unit_count(self) -> float:
        """Number of subjects the standard error rests on."""
        return float(self.family.weight[self.units].sum())

    def influence(self) -> NDArray[np.float64]:
        """Shape (Q,): change of the coefficient by one more subject of each kind, to first order."""
        features = self.family.features[:, self.columns]
        totals = self.family.totals[self.columns]
        function = self.smooth or self.value
        if self.gradient is not None:
            slope = self.gradient(totals)
        elif features.shape[0] < totals.size and isinstance(features, np.ndarray):
            slope = None
        else:
            slope = derivatives(function, totals, None)
        change = derivatives(function, totals, features) if slope is None else np.asarray(features @ slope)
        if self.pairs is not None:
            # Gwet keeps subjects with a single rating in the sample: their own term of the linearisation is minus
            # the coefficient, that of the others is stretched to make up for them (2014, section 5.3).
            n, paired = self.unit_count(), float(self.family.weight[self.pairs].sum())
            change = change + self.point() * (n / paired * self.pairs - 1) * self.units / n
        return np.asarray(change, dtype=np.float64)

    def standard_error(self) -> float | None:
        """The large-sample standard error; None where there are too few subjects for one."""
        n = self.unit_count()
        if n < 2:
            return None
        if self.pairs is None and not isinstance(self.family.features, np.ndarray):
            variance = self._sparse_variance(n)
        else:
            change = self.influence()
            weight = self.family.weight * self.units
            centred = change - weight @ change / n
            variance = float(weight @ centred**2)
        return float(np.sqrt(variance if self.population else variance * n / (n - 1)))

    def _sparse_variance(self, n: float) -> float:
        """Sum of squares of the centred influences, visiting only rows the columns read: elsewhere they are 0."""
        features = self.family.features[:, self.columns]
        rows = np.unique(features.indices)
        totals = self.family.totals[self.columns]
        slope = derivatives(self.smooth or self.value, totals, None) if self.gradient is None else self.gradient(totals)
        change = np.asarray(features @ slope)[rows]
        weight = (self.family.weight[rows] * self.units[rows]).astype(np.float64)
        mean = float((weight * change).sum()) / n
        return float((weight * (change - mean) ** 2).sum() + (n - weight.sum()) * mean**2)


def derivatives(function: Callable[[Array], Array], at: Array, towards: Array | None) -> NDArray[np.float64]:
    """Derivatives of a function of totals, exact to rounding.

    Parameters
    ----------
    function
        Analytic, from shape (..., d) to shape (...).
    at
        Shape (d,): where.
    towards
        Shape (m, d): directions; None for each coordinate in turn.
    """
    rows = at.size if towards is None else towards.shape[0]
    chunk = max(1, _CELLS_AT_ONCE // max(at.size, 1))
    parts = []
    for start in range(0, rows, chunk):
        stop = min(start + chunk, rows)
        step = np.eye(stop - start, at.size, start) if towards is None else towards[start:stop]
        parts.append(np.imag(function(at + 1j * _STEP * step)) / _STEP)
    return np.concatenate(parts) if parts else np.zeros(0)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What of the data has no part in a coefficient."""

    subjects: int = 0
    ratings: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """How much of the data a coefficient rests on: subjects and ratings used, and left out."""

    subjects: int = 0
    ratings: int = 0
    left_out: LeftOut = field(default_factory=LeftOut)


@dataclass(frozen=True, eq=False)
class Case:
    """One coefficient to be reported: a quantity, or the reason why there is none.

    Attributes
    ----------
    quantity
        What to evaluate; None where undefined.
    usage
        What it rests on.
    reason
        Why there is no quantity, one sentence.
    note
        What the reader must know beside the number.
    otherwise
        The reason to give when the quantity turns out to have no value.
    weights, metric, category, raters
        Which of the coefficients of this name it is; ``weights`` as in `Coefficient`, where they are not chosen.
    """

    quantity: Quantity | None = None
    usage: Usage = field(default_factory=Usage)
    reason: str | None = None
    note: str = ""
    otherwise: str = CHANCE_IS_ALL
    weights: str | None = None
    metric: str | None = None
    category: str | None = None
    raters: tuple[str, str] | None = None


ONE_SUBJECT = _(
    "There is only one {subject} to use, so nothing shows how far the value would move with other {subjects}."
)
NO_SPREAD = _("All {subjects} agree alike, so nothing shows how far the value would move with other {subjects}.")
NOT_COVERED = _("The method gives limits that do not hold the value itself, so they are not shown.")
NO_LIMITS = _("The method has no useful limits for these data.")
UNSTABLE = _(
    "Too many resamples have no value (a class or {a_rater} is missing from them), so their spread is not shown."
)
CUT = _("The interval was cut at {bound}, the {end} value there can be.")
REDRAWS_LEFT_OUT = _("Resamples without a value, left out: {count} of {all}.")

_NEGLIGIBLE = 1e-9
_ABSURD = -1000
_NEEDED = 0.95

_REDRAWN_CELLS = 8_000_000
_REPLICATES_AT_ONCE = 250


def analytic(quantity: Quantity, level: float | None, otherwise: str) -> tuple[Estimate, str]:
    """The value with its large-sample standard error and interval, and what to say beside them.

    Parameters
    ----------
    quantity
        What to evaluate.
    level
        Of the interval; None for no interval.
    otherwise
        The reason to give where the quantity has no value.
    """
    value = quantity.point()
    if not np.isfinite(value):
        return undefined(otherwise), ""
    se = quantity.standard_error()
    if se is None:
        return Estimate(value, no_interval=ONE_SUBJECT), ""
    if quantity.interval is not None and level is not None:
        return _by_f(Estimate(value, se if se > _NEGLIGIBLE else None), quantity.interval(level), level, quantity)
    if se < _NEGLIGIBLE:
        return Estimate(value, no_interval=NO_SPREAD), ""
    estimate = Estimate(value, se, how=TABLE if quantity.population else LINEARISATION)
    if level is None:
        return estimate, ""
    tail = (1 + level) / 2
    times = float(ndtri(tail) if quantity.population else stdtrit(quantity.unit_count() - 1, tail))
    low, high = value - times * se, value + times * se
    if quantity.logit and 0 < value < 1:
        low, high = expit(logit(value) + np.array([-times, times]) * se / (value * (1 - value))).tolist()
    return _bounded(estimate, low, high, level, quantity)


def _by_f(
    estimate: Estimate, ends: tuple[float, float] | None, level: float, quantity: Quantity
) -> tuple[Estimate, str]:
    """The estimate with limits from the F distribution; none where there are none, or none of any use."""
    # Of means of ratings of very few subjects the limits can lie anywhere below zero.
    if ends is None or ends[0] < _ABSURD:
        return estimate.without_interval(NO_LIMITS), ""
    return _bounded(replace(estimate, how=F_DISTRIBUTION), *ends, level, quantity)


def bootstrap(quantity: Quantity, draws: NDArray[np.float64], level: float, otherwise: str) -> tuple[Estimate, str]:
    """The value with the spread of its re-draws, shape (B,), and what to say beside them."""
    value = quantity.point()
    if not np.isfinite(value):
        return undefined(otherwise), ""
    if quantity.unit_count() < 2:
        return Estimate(value, no_interval=ONE_SUBJECT), ""
    known = draws[np.isfinite(draws)]
    if known.size < max(2.0, _NEEDED * draws.size):
        return Estimate(value, no_interval=UNSTABLE), ""
    se = float(known.std(ddof=1))
    if se < _NEGLIGIBLE:
        return Estimate(value, no_interval=NO_SPREAD), ""
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    estimate, note = _bounded(Estimate(value, se, how=BOOTSTRAP), float(low), float(high), level, quantity)
    if known.size < draws.size:
        lost = REDRAWS_LEFT_OUT.format(count=draws.size - known.size, all=draws.size)
        note = joined(note, lost)
    return estimate, note


def _bounded(estimate: Estimate, low: float, high: float, level: float, quantity: Quantity) -> tuple[Estimate, str]:
    """The estimate with limits cut at what is possible; without limits when they do not hold the value."""
    notes = []
    least, most = quantity.bounds
    if least is not None and low < least:
        low = least
        notes.append(CUT.format(bound=least, end=_("lowest")))
    if most is not None and high > most:
        high = most
        notes.append(CUT.format(bound=most, end=_("highest")))
    if estimate.value is None or not low <= estimate.value <= high:
        return estimate.without_interval(NOT_COVERED), ""
    return estimate.between(low, high, level, estimate.how), joined(*notes)


def redraws(
    weight: NDArray[np.float64], quantities: Sequence[Quantity], replicates: int, seed: int
) -> Run[NDArray[np.float64]]:
    """Values of all quantities under subjects drawn again with replacement.

    Parameters
    ----------
    weight
        Shape (P,): number of subjects with each pattern.
    quantities
        What to evaluate; their families refer to the same patterns.
    replicates, seed
        How many re-draws B, and from which seed.

    Returns
    -------
    Run[NDArray[np.float64]]
        Shape (quantities, B); not-a-number where a re-draw leaves a coefficient undefined.
    """
    generator = np.random.default_rng(seed)
    draws = np.full((len(quantities), replicates), np.nan)
    families = {id(q.family): q.family for q in quantities}
    widest = max((f.features.shape[1] for f in families.values()), default=1)
    chunk = int(np.clip(_REDRAWN_CELLS // max(weight.size + widest, 1), 1, _REPLICATES_AT_ONCE))
    for start in range(0, replicates, chunk):
        yield Step(start, replicates, "re-draws")
        stop = min(start + chunk, replicates)
        drawn = draw_weights(generator, weight, stop - start)
        totals = {key: family.redrawn(drawn) for key, family in families.items()}
        for row, quantity in enumerate(quantities):
            draws[row, start:stop] = quantity.value(totals[id(quantity.family)][:, quantity.columns])
    yield Step(replicates, replicates, "re-draws")
    return draws


def draw_weights(generator: np.random.Generator, weight: NDArray[np.float64], replicates: int) -> NDArray[np.float64]:
    """Shape (B, P): how often subjects of each pattern are drawn, out of as many as there are."""
    total, patterns = round(float(weight.sum())), weight.size
    if total > 8 * patterns:
        return generator.multinomial(total, weight / weight.sum(), replicates).astype(np.float64)
    # Drawing subjects one by one is ten times faster than a multinomial with as many cells.
    owner = np.repeat(np.arange(patterns), np.rint(weight).astype(np.int64))
    drawn = owner[generator.integers(0, total, (replicates, total))]
    flat = drawn + np.arange(replicates)[:, None] * patterns
    counts = np.bincount(flat.ravel(), minlength=replicates * patterns)
    return counts.reshape(replicates, patterns).astype(np.float64)
