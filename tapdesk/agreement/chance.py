"""Coefficients made from counts alone: raw agreement, chance corrected by shared rates, Krippendorff's alpha."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.quantity import Array, Case, Quantity, ratio
from tapdesk.agreement.tables import CountColumns, Tables
from tapdesk.agreement.weights import NO_ORDER, NO_ZERO, Scores, Weights, scores
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _

MUST_BE_ONE = _(
    "Every rating is in the same class, so this is 1 whatever the raters know. It is no sign of good judgement."
)
TWO_ONLY = _("Scott's pi is for two ratings of each case. With more, Fleiss' kappa is the same idea.")

# A class used less often has no agreement of its own worth telling.
FEWEST = 5

METRICS = ("nominal", "ordinal", "interval", "ratio")


def percent_agreement(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """The mean over subjects of the share of pairs of ratings that agree, with weights their mean credit."""
    if isinstance(scheme, str):
        yield Case(reason=scheme)
        return
    if reason := tables.no_pairs():
        yield Case(reason=reason)
        return
    columns, v = CountColumns(tables.classes), scheme.disagreement.ravel()

    def value(totals: Array) -> Array:
        return 1 - ratio(totals[..., columns.agreement] @ v, totals[..., columns.paired])

    quantity = Quantity(tables.counts, value, units=tables.paired, bounds=(0.0, 1.0))
    yield Case(quantity, tables.usage(tables.paired), note=_warning(tables))


def specific_agreement(tables: Tables, _weights: Weights | str) -> Iterator[Case]:
    """For each class: given that one of two raters chose it, how often the other one did too.

    Pairs of ratings are pooled over subjects (Spitzer & Fleiss 1974; Cicchetti & Feinstein 1990 for two raters).
    """
    columns = CountColumns(tables.classes)
    for c, label in enumerate(tables.ratings.classes):
        if reason := tables.no_pairs():
            yield Case(reason=reason, category=label)
            continue
        units = tables.counts.features[:, columns.involved.start + c] > 0
        given = float(tables.counts.totals[columns.pairable.start + c])
        if given < FEWEST:
            yield Case(reason=_too_rare(label, given), category=label)
            continue
        quantity = Quantity(tables.counts, _specific(columns, c), units=tables.paired, bounds=(0.0, 1.0))
        yield Case(quantity, tables.usage(units), category=label)


def _too_rare(label: str, given: float) -> str:
    """Why there is no agreement on a class that was hardly used."""
    if not given:
        return _("No case with two ratings has one of '{label}', so there is no agreement on it to measure.").format(
            label=Label(label)
        )
    return _(
        "Fewer than {fewest} ratings that can be compared are '{label}': too few to speak of agreement on it."
    ).format(fewest=FEWEST, label=Label(label))


def _specific(columns: CountColumns, c: int) -> Callable[[Array], Array]:
    """Matched over involved pairs of one class."""

    def value(totals: Array) -> Array:
        return ratio(totals[..., columns.matched.start + c], totals[..., columns.involved.start + c])

    return value


def fleiss_kappa(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """Chance by the class rates common to all raters (Fleiss 1971; unequal numbers of ratings: Gwet 2014)."""

    def expected(rates: Array, v: Array) -> Array:
        chance: Array = ((rates @ v) * rates).sum(-1)
        return chance

    yield _corrected(tables, scheme, expected)


def scott_pi(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """Fleiss' idea for two ratings a subject (Scott 1955); the class rates come from subjects with both."""
    if isinstance(scheme, str):
        yield Case(reason=scheme)
        return
    raters = len(tables.raters) if tables.ratings.raters_known else int(tables.voters.max(initial=0))
    if reason := tables.no_pairs() or (TWO_ONLY if raters > 2 else None) or tables.one_class():
        yield Case(reason=reason)
        return
    columns, v = CountColumns(tables.classes), scheme.disagreement

    def value(totals: Array) -> Array:
        n = totals[..., columns.paired]
        rates = ratio(totals[..., columns.pairable], (2 * n)[..., None])
        observed = ratio(totals[..., columns.agreement] @ v.ravel(), n)
        return 1 - ratio(observed, ((rates @ v) * rates).sum(-1))

    quantity = Quantity(tables.counts, value, units=tables.paired, bounds=_bounds(scheme))
    yield Case(quantity, tables.usage(tables.paired))


def brennan_prediger(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """Chance by equal rates of all declared classes (Bennett et al. 1954; Brennan & Prediger 1981)."""

    def expected(rates: Array, v: Array) -> Array:
        return np.full(rates.shape[:-1], v.mean(), dtype=rates.dtype)

    yield _corrected(tables, scheme, expected, one_class_defined=True)


def gwet_ac(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """AC1, and AC2 with weights: chance T sum(r (1 - r)) / (K (K - 1)), T the sum of all credits (Gwet 2008, 2014)."""

    def expected(rates: Array, v: Array) -> Array:
        k = v.shape[0]
        credits_ = v.size - v.sum()
        chance: Array = 1 - credits_ * (rates * (1 - rates)).sum(-1) / (k * (k - 1))
        return chance

    yield _corrected(tables, scheme, expected, one_class_defined=True)


def _corrected(
    tables: Tables,
    scheme: Weights | str,
    expected: Callable[[Array, Array], Array],
    *,
    one_class_defined: bool = False,
) -> Case:
    """One minus observed over expected disagreement, the latter from the mean class rates of rated subjects."""
    if isinstance(scheme, str):
        return Case(reason=scheme)
    if reason := tables.no_pairs() or (None if one_class_defined else tables.one_class()):
        return Case(reason=reason)
    columns, v = CountColumns(tables.classes), scheme.disagreement

    def value(totals: Array) -> Array:
        if tables.classes == 1:
            # Whatever other classes had been declared, the value would be 1.
            return np.ones(totals.shape[:-1], dtype=totals.dtype)
        rates = totals[..., columns.shares] / totals[..., columns.rated, None]
        observed = ratio(totals[..., columns.agreement] @ v.ravel(), totals[..., columns.paired])
        return 1 - ratio(observed, expected(rates, v))

    every = np.ones_like(tables.paired)
    single = round(float(tables.counts.weight @ ~tables.paired))
    notes = [_warning(tables)]
    if single:
        notes.append(_("Cases with a single rating, used for the class rates only: {single}.").format(single=single))
    quantity = Quantity(tables.counts, value, units=every, pairs=tables.paired, bounds=_bounds(scheme))
    return Case(quantity, tables.usage(every), note=joined(*(n for n in notes if n)))


def _bounds(scheme: Weights) -> tuple[float | None, float | None]:
    """No corrected coefficient exceeds 1; below, only identity weights have a common bound."""
    return (-1.0 if scheme.identity else None, 1.0)


def _warning(tables: Tables) -> str:
    """What to say beside a coefficient that is defined, and useless, with one class."""
    return MUST_BE_ONE if tables.one_class() else ""


def krippendorff_alpha(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """Alpha by each metric, or with a user's matrix of credits.

    alpha = 1 - (n - 1) sum(o_ck d_ck) / sum(n_c n_k d_ck), with the coincidences o of subjects that have at least
    two ratings, their class totals n_c and squared differences d.
    """
    if isinstance(scheme, str):
        yield Case(reason=scheme)
        return
    if scheme.name != "identity":
        yield _case(tables, lambda _rest: scheme.disagreement, "", weights=scheme.name)
        return
    numbers = scores(tables.ratings)
    for metric in METRICS:
        yield _by_metric(tables, metric, numbers)


def _by_metric(tables: Tables, metric: str, numbers: Scores | None) -> Case:
    if metric == "nominal":
        v = 1 - np.eye(tables.classes)
        return _case(tables, lambda _rest: v, "", metric=metric, weights="identity")
    if numbers is None:
        return Case(reason=NO_ORDER, metric=metric)
    note = ""
    if numbers.counted and len(numbers.values) > 2 and metric != "ordinal":
        note = _("The classes are counted 1, 2, 3 in their order, as if they were equally far apart.")
    if metric == "ordinal":
        rank = np.argsort(np.argsort(numbers.values))
        return _case(tables, lambda n: ordinal_differences(n, rank), note, metric=metric)
    values = numbers.values
    if metric == "interval":
        squares = (values[:, None] - values) ** 2
        return _case(tables, lambda _rest: squares, note, metric=metric)
    if numbers.counted or values.min() < 0:
        return Case(reason=NO_ZERO, metric=metric)
    total = values[:, None] + values
    relative = ((values[:, None] - values) / np.where(total == 0, 1, total)) ** 2
    return _case(tables, lambda _rest: relative, note, metric=metric)


def ordinal_differences(totals: Array, rank: NDArray[np.int64]) -> Array:
    """Shape (..., K, K): squared ordinal differences, from the class totals of shape (..., K).

    d_ck is the number of ratings between the middle of class c and the middle of class k.
    """
    order = np.argsort(rank)
    middle = np.cumsum(totals[..., order], axis=-1) - totals[..., order] / 2
    middle = middle[..., rank]
    squares: Array = (middle[..., :, None] - middle[..., None, :]) ** 2
    return squares


def _case(
    tables: Tables, differences: Callable[[Array], Array], note: str, *, metric: str | None = None, weights: str = ""
) -> Case:
    named = weights or None
    if reason := tables.no_pairs() or tables.one_class():
        return Case(reason=reason, metric=metric, weights=named)
    columns = CountColumns(tables.classes)

    def parts(totals: Array) -> tuple[Array, Array, Array]:
        n_c = totals[..., columns.pairable]
        n = n_c.sum(-1)
        d = differences(n_c)
        observed = ratio((totals[..., columns.coincidence] * d.reshape(*d.shape[:-2], -1)).sum(-1), n)
        expected = np.einsum("...c,...k,...ck->...", n_c, n_c, np.broadcast_to(d, (*n_c.shape, n_c.shape[-1])))
        return observed, ratio(expected, n**2), n

    def value(totals: Array) -> Array:
        observed, expected, n = parts(totals)
        return 1 - (1 - ratio(np.ones_like(n), n)) * ratio(observed, expected)

    family = tables.counts
    observed, expected, _rest = parts(family.totals)
    left = float(ratio(observed, expected))

    def smooth(totals: Array) -> Array:
        # As Gwet (2014, ch. 3): the small-sample term left / n follows the number of ratings only.
        observed, expected, n = parts(totals)
        return 1 - ratio(observed, expected) + left / n

    quantity = Quantity(family, value, units=tables.paired, smooth=smooth, bounds=(-1.0, 1.0))
    return Case(quantity, tables.usage(tables.paired), note=note, metric=metric, weights=named)
