"""Intraclass correlations of scores and their F intervals (McGraw & Wong 1996; Shrout & Fleiss 1979)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtri

from tapdesk.agreement.quantity import Array, Case, Family, Quantity, ratio
from tapdesk.agreement.tables import UNKNOWN_RATERS, Tables, Weights, scores
from tapdesk.language import gettext as _
from tapdesk.language import joined

# Sums of squares this small beside the whole are rounding, not variation.
_DUST = 1e-12

NO_SCORES = _("The classes are neither numbers nor in an order, so there are no scores to correlate.")
COUNTED = _("The classes are counted 1, 2, 3 in their order, as if they were equally far apart.")
NO_SPREAD = _(
    "The mean scores of the {subjects} differ no more than chance would make them, or not at all, so there "
    "is no difference between {subjects} to find again."
)
ONE_SUBJECT = _("There is only one {subject} to use: a correlation between {subjects} needs at least two.")
NO_COMPLETE = _("No {subject} is rated by every {rater}, and this coefficient needs {subjects} that are.")


def _swept(part: Array, whole: Array) -> Array:
    """A sum of squares with rounding dust set to zero."""
    cleaned: Array = np.where(np.abs(part) < _DUST * np.abs(whole), 0, part)
    return cleaned


@dataclass(frozen=True, eq=False)
class OneWay:
    """Scores by subject only; numbers of ratings may differ.

    Attributes
    ----------
    subjects
        Number of subjects N.
    raters
        Ratings a subject, averaged as (n - sum n_i^2 / n) / (N - 1).
    between, within
        Mean squares between and within subjects.
    """

    subjects: Array
    raters: Array
    between: Array
    within: Array

    @staticmethod
    def of(totals: Array) -> "OneWay":
        """From sums over subjects of 1, r, r^2, score sum, (score sum)^2 / r and sum of squared scores."""
        n, r, rr, s, between, squares = (totals[..., i] for i in range(6))
        middle = ratio(s**2, r)
        whole = squares - middle
        within = _swept(squares - between, whole)
        return OneWay(
            n,
            ratio(r - ratio(rr, r), n - 1),
            ratio(_swept(between - middle, whole), n - 1),
            ratio(within, r - n),
        )

    def single(self) -> Array:
        """ICC(1): of one rating."""
        return ratio(self.between - self.within, self.between + (self.raters - 1) * self.within)

    def mean(self) -> Array:
        """ICC(1, k): of the mean of k ratings."""
        return ratio(self.between - self.within, self.between)


@dataclass(frozen=True, eq=False)
class TwoWay:
    """Scores of every subject by the same raters.

    Attributes
    ----------
    subjects, raters
        Numbers of subjects N and raters k.
    rows, columns, error
        Mean squares of subjects, of raters and of what is left.
    """

    subjects: Array
    raters: int
    rows: Array
    columns: Array
    error: Array

    @staticmethod
    def of(totals: Array, raters: int) -> "TwoWay":
        """From sums over subjects of 1, each rater's score, (score sum)^2 / k and sum of squared scores."""
        n, scores = totals[..., 0], totals[..., 1 : 1 + raters]
        middle = ratio(scores.sum(-1) ** 2, n * raters)
        whole = totals[..., -1] - middle
        rows = _swept(totals[..., -2] - middle, whole)
        columns = _swept(ratio((scores**2).sum(-1), n) - middle, whole)
        error = _swept(whole - rows - columns, whole)
        return TwoWay(n, raters, ratio(rows, n - 1), columns / (raters - 1), ratio(error, (n - 1) * (raters - 1)))

    def consistency(self) -> Array:
        """ICC(C, 1): of one rating, raters' levels set aside."""
        return ratio(self.rows - self.error, self.rows + (self.raters - 1) * self.error)

    def consistency_mean(self) -> Array:
        """ICC(C, k): of the mean of k ratings, raters' levels set aside."""
        return ratio(self.rows - self.error, self.rows)

    def agreement(self) -> Array:
        """ICC(A, 1): of one rating, differences of level counted as error."""
        k = self.raters
        level = ratio(k * (self.columns - self.error), self.subjects)
        return self._out_of(self.rows + (k - 1) * self.error + level)

    def agreement_mean(self) -> Array:
        """ICC(A, k): of the mean of k ratings, differences of level counted as error."""
        level = ratio(self.columns - self.error, self.subjects)
        return self._out_of(self.rows + level)

    def _out_of(self, whole: Array) -> Array:
        """The share of a whole variance that is between subjects; none where the whole is not positive."""
        positive = np.real(whole) > _DUST * np.real(self.rows + self.columns + self.error)
        return ratio(self.rows - self.error, np.where(positive, whole, 0))


def one_way_family(tables: Tables, values: NDArray[np.float64]) -> Family:
    """Columns of ``OneWay.of``; subjects with a single rater are left out (zeros)."""
    size, rows = tables.voters, tables.weight.size
    if tables.ratings.raters_known:
        cell = np.bincount(tables.ballot, tables.vote * values[tables.category])
        pattern = np.zeros(cell.size, dtype=np.int64)
        pattern[tables.ballot] = tables.pattern
        summed: Array = np.bincount(pattern, cell, rows)
        squares: Array = np.bincount(pattern, cell**2, rows)
    else:
        summed, squares = tables.votes @ values, tables.votes @ values**2
    columns = np.column_stack([np.ones(rows), size, size**2, summed, summed**2 / np.maximum(size, 1), squares])
    return Family(columns * (size > 1)[:, None], tables.weight)


def two_way_family(tables: Tables, values: NDArray[np.float64]) -> Family:
    """Columns of ``TwoWay.of``; only subjects rated by every rater (others zeros)."""
    j = len(tables.raters)
    cells = np.zeros((tables.weight.size, j))
    np.add.at(cells, (tables.pattern, tables.rater), tables.vote * values[tables.category])
    summed = cells.sum(axis=1)
    columns = np.column_stack([np.ones(len(cells)), cells, summed**2 / max(j, 1), (cells**2).sum(axis=1)])
    return Family(columns * (tables.voters == j)[:, None], tables.weight)


def one_way_interval(way: OneWay, level: float, *, mean: bool) -> tuple[float, float] | None:
    """F interval of ICC(1) or ICC(1, k) for equal numbers of ratings; None where it does not exist."""
    n, k = float(way.subjects), float(way.raters)
    return _f_interval(float(way.between), float(way.within), n - 1, n * (k - 1), k, level, mean=mean)


def consistency_interval(way: TwoWay, level: float, *, mean: bool) -> tuple[float, float] | None:
    """F interval of ICC(C, 1) or ICC(C, k); None where it does not exist."""
    n, k = float(way.subjects), float(way.raters)
    return _f_interval(float(way.rows), float(way.error), n - 1, (n - 1) * (k - 1), k, level, mean=mean)


def _f_interval(
    above: float, below: float, df1: float, df2: float, k: float, level: float, *, mean: bool
) -> tuple[float, float] | None:
    if below <= 0 or above <= 0 or df1 <= 0 or df2 <= 0:
        return None
    tail = (1 + level) / 2
    low = above / below / float(fdtri(df1, df2, tail))
    high = above / below * float(fdtri(df2, df1, tail))
    if mean:
        return 1 - 1 / low, 1 - 1 / high
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def agreement_interval(way: TwoWay, level: float, *, mean: bool) -> tuple[float, float] | None:
    """Approximate F interval of ICC(A, 1) or ICC(A, k) (McGraw & Wong 1996, table 7); None where none exists."""
    n, k = float(way.subjects), way.raters
    rows, columns, error = float(way.rows), float(way.columns), float(way.error)
    rho = float(way.agreement_mean() if mean else way.agreement())
    if not rho < 1 or error <= 0 or rows <= 0 or n <= 1:
        return None
    times = 1 if mean else k
    a = times * rho / (n * (1 - rho))
    b = 1 + times * rho * (n - 1) / (n * (1 - rho))
    df = (a * columns + b * error) ** 2 / ((a * columns) ** 2 / (k - 1) + (b * error) ** 2 / ((n - 1) * (k - 1)))
    if not df > 0:
        return None
    tail = (1 + level) / 2
    down, up = float(fdtri(n - 1, df, tail)), float(fdtri(df, n - 1, tail))
    spread = columns - error if mean else k * columns + (k * n - k - n) * error
    low = n * (rows - down * error) / (down * spread + n * rows)
    high = n * (up * rows - error) / (spread + n * up * rows)
    return low, high


def icc_1(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """ICC(1): one-way, a single rating; for raters who differ from subject to subject or are not known."""
    yield _one_way(tables, OneWay.single, mean=False)


def icc_1k(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """ICC(1, k): one-way, the mean of a subject's ratings."""
    yield _one_way(tables, OneWay.mean, mean=True)


def icc_c1(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """ICC(C, 1): two-way, a single rating, raters' levels set aside."""
    yield _two_way(tables, TwoWay.consistency, partial(consistency_interval, mean=False))


def icc_ck(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """ICC(C, k): two-way, the mean of all raters, raters' levels set aside (Cronbach's alpha)."""
    yield _two_way(tables, TwoWay.consistency_mean, partial(consistency_interval, mean=True))


def icc_a1(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """ICC(A, 1): two-way, a single rating, differences of level counted as error."""
    yield _two_way(tables, TwoWay.agreement, partial(agreement_interval, mean=False))


def icc_ak(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """ICC(A, k): two-way, the mean of all raters, differences of level counted as error."""
    yield _two_way(tables, TwoWay.agreement_mean, partial(agreement_interval, mean=True))


def _centred(tables: Tables) -> tuple[NDArray[np.float64], str] | None:
    """The classes as numbers around their mean, which keeps the sums of squares exact, and what to say of them."""
    numbers = scores(tables.ratings)
    if numbers is None:
        return None
    rates = tables.weight @ tables.votes
    note = COUNTED if numbers.counted and numbers.values.size > 2 else ""
    return numbers.values - rates @ numbers.values / max(rates.sum(), 1), note


def normal_enough(tables: Tables) -> bool:
    """Whether the F interval, which takes scores to be normal, may be shown at all.

    With two classes it is far too narrow: it holds the truth in 74 of 100 samples of 200 subjects where one class has a
    share of a tenth (tests/agreement/COVERAGE.md has the linearised one, used instead).
    """
    return int(tables.votes.any(axis=0).sum()) > 2


def _one_way(tables: Tables, coefficient: Callable[[OneWay], Array], *, mean: bool) -> Case:
    values = _centred(tables)
    if values is None:
        return Case(reason=NO_SCORES, weights="identity")
    if reason := tables.no_pairs() or tables.one_class():
        return Case(reason=reason, weights="identity")
    used = tables.voters > 1
    if tables.weight @ used < 2:
        return Case(reason=ONE_SUBJECT, weights="identity")
    family = one_way_family(tables, values[0])
    equal = np.unique(tables.voters[used]).size == 1 and normal_enough(tables)

    def value(totals: Array) -> Array:
        return coefficient(OneWay.of(totals))

    def interval(level: float) -> tuple[float, float] | None:
        return one_way_interval(OneWay.of(family.totals), level, mean=mean)

    # There is no exact F interval for unequal numbers of ratings either; the linearised one is used there.
    quantity = Quantity(family, value, units=used, interval=interval if equal else None)
    return Case(quantity, tables.pattern_usage(used), note=values[1], otherwise=NO_SPREAD, weights="identity")


def _two_way(
    tables: Tables,
    coefficient: Callable[[TwoWay], Array],
    interval: Callable[[TwoWay, float], tuple[float, float] | None],
) -> Case:
    values = _centred(tables)
    if tables.weight.size and not tables.ratings.raters_known:
        return Case(reason=UNKNOWN_RATERS, weights="identity")
    if values is None:
        return Case(reason=NO_SCORES, weights="identity")
    if reason := tables.no_pairs() or tables.one_class():
        return Case(reason=reason, weights="identity")
    j = len(tables.raters)
    used = tables.voters == j
    if not used.any():
        return Case(reason=NO_COMPLETE, weights="identity")
    if tables.weight @ used < 2:
        return Case(reason=ONE_SUBJECT, weights="identity")
    family = two_way_family(tables, values[0])

    def value(totals: Array) -> Array:
        return coefficient(TwoWay.of(totals, j))

    def ends(level: float) -> tuple[float, float] | None:
        return interval(TwoWay.of(family.totals, j), level)

    notes = [values[1]]
    if not used.all():
        notes.append(_("Only {subjects} rated by every {rater} are used."))
    quantity = Quantity(family, value, units=used, interval=ends if normal_enough(tables) else None)
    note = joined(*(n for n in notes if n))
    return Case(quantity, tables.pattern_usage(used), note=note, otherwise=NO_SPREAD, weights="identity")
