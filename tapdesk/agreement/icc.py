"""Intraclass correlations of scores (McGraw & Wong 1996; Shrout & Fleiss 1979)."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.anova import (
    OneWay,
    TwoWay,
    agreement_interval,
    consistency_interval,
    one_way_family,
    one_way_interval,
    two_way_family,
)
from tapdesk.agreement.quantity import Array, Case, Quantity
from tapdesk.agreement.tables import UNKNOWN_RATERS, Tables
from tapdesk.agreement.weights import Weights, scores
from tapdesk.language import gettext as _
from tapdesk.language import joined

NO_SCORES = _("The classes are neither numbers nor in an order, so there are no scores to correlate.")
COUNTED = _("The classes are counted 1, 2, 3 in their order, as if they were equally far apart.")
NO_SPREAD = _(
    "The mean scores of the cases differ no more than chance would make them, or not at all, "
    "so there is no difference between cases to find again."
)
ONE_SUBJECT = _("There is only one case to use: a correlation between cases needs at least two.")
NO_COMPLETE = _("No case is rated by every rater, and this coefficient needs cases that are.")


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
        notes.append(_("Only cases rated by every rater are used."))
    quantity = Quantity(family, value, units=used, interval=ends if normal_enough(tables) else None)
    note = joined(*(n for n in notes if n))
    return Case(quantity, tables.pattern_usage(used), note=note, otherwise=NO_SPREAD, weights="identity")
