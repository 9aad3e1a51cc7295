"""Raw agreement, kappas and alpha: of counts alone, and the kappas that know who rated."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.quantity import Array, Case, Family, Quantity, Usage, ratio
from tapdesk.agreement.tables import (
    NO_ORDER,
    NO_ZERO,
    PAIR_RATERS,
    PAIR_RATINGS,
    UNKNOWN_RATERS,
    CountColumns,
    Scores,
    Tables,
    Weights,
    scores,
)
from tapdesk.language import Label, RaterName, joined
from tapdesk.language import gettext as _

MUST_BE_ONE = _(
    "Every {rating} is in the same class, so this is 1 whatever the {raters} know. It is no sign of good judgement."
)
TWO_ONLY = _("Scott's pi is for two {ratings} of each {subject}. With more, Fleiss' kappa is the same idea.")

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
        return _(
            "No {subject} with two {ratings} has one of '{label}', so there is no agreement on it to measure."
        ).format(label=Label(label))
    return _(
        "Fewer than {fewest} {ratings} that can be compared are '{label}': too few to speak of agreement on it."
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
        notes.append(
            _("{Subjects} with a single {rating}, used for the class rates only: {single}.").format(single=single)
        )
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


@dataclass(frozen=True, eq=False)
class PairTables:
    """Tables of votes of pairs of raters on the subjects they share.

    Attributes
    ----------
    cells
        Shape (..., K * K), or (..., pairs, K * K): votes, the second rater's class changing slowest.
    disagreement
        Shape (K, K): how far two classes disagree.
    """

    cells: Array
    disagreement: Array

    def observed(self) -> Array:
        """Mean disagreement on shared subjects; not-a-number where none is shared."""
        return ratio(self.cells @ self.disagreement.ravel(), self.cells.sum(-1))

    def rates(self) -> tuple[Array, Array]:
        """Shape (..., K) twice: class rates of the first and of the second rater."""
        k = self.disagreement.shape[0]
        square = self.cells.reshape(*self.cells.shape[:-1], k, k)
        n = self.cells.sum(-1)[..., None]
        return ratio(square.sum(-2), n), ratio(square.sum(-1), n)

    def expected(self) -> Array:
        """Mean disagreement if the two raters had nothing in common but their rates."""
        first, second = self.rates()
        chance: Array = ((first @ self.disagreement) * second).sum(-1)
        return chance

    def kappa(self) -> Array:
        """Cohen's kappa; not-a-number where undefined."""
        return 1 - ratio(self.observed(), self.expected())

    def slopes(self) -> tuple[Array, Array]:
        """Shape of the cells, twice: derivatives of observed and of expected disagreement by each cell."""
        v = self.disagreement
        n = self.cells.sum(-1)[..., None]
        first, second = self.rates()
        towards = (second @ v)[..., None, :] + (first @ v)[..., :, None]
        by_cell = towards.reshape(self.cells.shape)
        return ratio(v.ravel() - self.observed()[..., None], n), ratio(by_cell - 2 * self.expected()[..., None], n)


@dataclass(frozen=True)
class Mean:
    """A way to sum up the disagreements of all pairs, shape (..., pairs), into one coefficient.

    Attributes
    ----------
    value
        From observed and expected to the coefficient.
    slope
        Its derivatives by each observed and each expected disagreement, for shape (pairs,).
    """

    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], tuple[Array, Array]]


def _light(observed: Array, expected: Array) -> Array:
    kappas = 1 - ratio(observed, expected)
    known = ~np.isnan(kappas)
    return ratio(np.where(known, kappas, 0).sum(-1), known.sum(-1))


def _light_slope(observed: Array, expected: Array) -> tuple[Array, Array]:
    known = ~np.isnan(ratio(observed, expected))
    each = np.where(known, ratio(np.ones_like(expected), expected), 0) / known.sum()
    return -each, np.where(known, each * ratio(observed, expected), 0)


def _hubert(observed: Array, expected: Array) -> Array:
    return 1 - ratio(np.nansum(observed, axis=-1), np.nansum(expected, axis=-1))


def _hubert_slope(observed: Array, expected: Array) -> tuple[Array, Array]:
    above, below = np.nansum(observed), np.nansum(expected)
    shared = (~np.isnan(observed)).astype(np.float64)
    return -shared / below, shared * above / below**2


LIGHT = Mean(_light, _light_slope)
HUBERT = Mean(_hubert, _hubert_slope)


def cohen_kappa(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """Kappa of every pair of raters on the subjects they share (Cohen 1960, 1968).

    The standard error is that of Fleiss, Cohen & Everitt (1969), the same for a typed table and raw ratings.
    """
    if isinstance(scheme, str) or (reason := _refusal(tables)):
        yield Case(reason=scheme if isinstance(scheme, str) else reason)
        return
    width = tables.classes**2
    totals = tables.pairs.totals

    def value(cells: Array) -> Array:
        return PairTables(cells, scheme.disagreement).kappa()

    for p, (one, other) in enumerate(tables.pair_names):
        names = (tables.raters[one], tables.raters[other])
        block = slice(p * width, (p + 1) * width)
        both = np.asarray(tables.pairs.features[:, block].sum(axis=1)).ravel() > 0
        usage = _pair_usage(tables, both, one, other)
        cells = totals[block]
        if reason := _pair_refusal(cells, tables, names):
            yield Case(reason=reason, usage=usage, raters=names)
            continue
        bounds = (-1.0 if scheme.identity else None, 1.0)
        quantity = Quantity(tables.pairs, value, units=both, columns=block, population=True, bounds=bounds)
        yield Case(quantity, usage, raters=names)


def light_kappa(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """The mean of the kappas of all pairs of raters (Light 1971); pairs without a kappa are left out and told."""
    yield _mean(tables, scheme, LIGHT)


def hubert_kappa(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """One minus the mean observed over the mean expected disagreement of all pairs (Hubert 1977; Warrens 2010).

    Equal to Conger's kappa where every rater rated every subject.
    """
    yield _mean(tables, scheme, HUBERT)


def _mean(tables: Tables, scheme: Weights | str, mean: Mean) -> Case:
    """One coefficient of all pairs, with Gwet's linearisation over subjects with at least two raters."""
    if isinstance(scheme, str):
        return Case(reason=scheme)
    if reason := _refusal(tables) or tables.one_class():
        return Case(reason=reason)
    shape = (len(tables.pair_names), tables.classes**2)

    def value(totals: Array) -> Array:
        result = PairTables(totals.reshape(*totals.shape[:-1], *shape), scheme.disagreement)
        return mean.value(result.observed(), result.expected())

    def gradient(totals: Array) -> Array:
        result = PairTables(totals.reshape(shape), scheme.disagreement)
        by_observed, by_expected = mean.slope(result.observed(), result.expected())
        observed, expected = result.slopes()
        slope: Array = by_observed[:, None] * np.nan_to_num(observed) + by_expected[:, None] * np.nan_to_num(expected)
        return slope.ravel()

    pair_tables = PairTables(tables.pairs.totals.reshape(shape), scheme.disagreement)
    both = tables.voters > 1
    bounds = (-1.0 if scheme.identity else None, 1.0)
    quantity = Quantity(tables.pairs, value, units=both, gradient=gradient, bounds=bounds)
    return Case(quantity, tables.pattern_usage(both), note=_left_out(pair_tables, mean))


def _left_out(tables: PairTables, mean: Mean) -> str:
    """Which pairs have no part in a mean over pairs."""
    apart = int(np.isnan(tables.observed()).sum())
    same = int((tables.expected() == 0).sum()) if mean is LIGHT else 0
    notes = []
    if apart:
        notes.append(_("Pairs of {raters} without a shared {subject}, left out: {apart}.").format(apart=apart))
    if same:
        notes.append(
            _("Pairs of {raters} who both used one and the same class only, left out: {same}.").format(same=same)
        )
    return joined(*notes)


def _refusal(tables: Tables) -> str | None:
    """Why no pair of raters can be looked at, or None."""
    if tables.weight.size and not tables.ratings.raters_known:
        return UNKNOWN_RATERS
    if reason := tables.no_pairs():
        return reason
    shared = float((tables.voters * (tables.voters - 1) / 2).sum())
    if len(tables.raters) > PAIR_RATERS or shared > PAIR_RATINGS:
        return _(
            "There are {n} {raters}: too many pairs to look at one by one. Keep at most {most} "
            "of them to compare pairs."
        ).format(n=len(tables.raters), most=PAIR_RATERS)
    return None


def _pair_refusal(cells: Array, tables: Tables, names: tuple[str, str]) -> str | None:
    """Why one pair has no kappa, or None."""
    if not cells.any():
        return _("{first} and {second} share no {subject}.").format(
            first=RaterName(names[0]), second=RaterName(names[1])
        )
    k = tables.classes
    used = np.flatnonzero(cells)
    if used.size == 1 and used[0] % (k + 1) == 0:
        label = tables.ratings.classes[used[0] // (k + 1)]
        return _(
            "{first} and {second} both used '{label}' only on the {subjects} they share, so chance alone "
            "would give the same agreement and nothing is left to correct. Their raw agreement is 100 %."
        ).format(first=RaterName(names[0]), second=RaterName(names[1]), label=Label(label))
    return None


def _pair_usage(tables: Tables, both: Array, one: int, other: int) -> Usage:
    """Shared subjects and the ratings of the two raters on them."""
    ratings = tables.rater_counts[one] + tables.rater_counts[other]
    return tables.pattern_usage(both, ratings)


def conger_kappa(tables: Tables, scheme: Weights | str) -> Iterator[Case]:
    """Observed agreement as Fleiss', chance averaged over all pairs of raters (Conger 1980; missing: Gwet 2014).

    D_e = sum over g != h of p_g' V p_h / (J (J - 1)), with p_g the class rates of all ratings of rater g.
    """
    if isinstance(scheme, str):
        yield Case(reason=scheme)
        return
    if not tables.ratings.raters_known:
        yield Case(reason=UNKNOWN_RATERS)
        return
    if reason := tables.no_pairs() or tables.one_class():
        yield Case(reason=reason)
        return
    j, k, v = len(tables.raters), tables.classes, scheme.disagreement

    def value(totals: Array) -> Array:
        votes = totals[..., 1 + k * k :].reshape(*totals.shape[:-1], j, k)
        given = votes.sum(-1, keepdims=True)
        # A re-draw may hold none of the subjects of a rater, who then has no rates and no part in the mean.
        rates = np.where(given == 0, 0, ratio(votes, given))
        present = (given[..., 0] != 0).sum(-1)
        summed = rates.sum(-2)
        own = ((rates @ v) * rates).sum((-1, -2))
        expected = ratio(((summed @ v) * summed).sum(-1) - own, present * (present - 1))
        observed = ratio(totals[..., 1 : 1 + k * k] @ v.ravel(), totals[..., 0])
        return 1 - ratio(observed, expected)

    pairs = tables.voters > 1
    single = round(float(tables.weight @ ~pairs))
    note = (
        _("{Subjects} with a single {rating}, used for the class rates only: {single}.").format(single=single)
        if single
        else ""
    )
    quantity = Quantity(
        _family(tables),
        value,
        units=np.ones_like(pairs),
        pairs=pairs,
        bounds=(-1.0 if scheme.identity else None, 1.0),
    )
    yield Case(quantity, tables.pattern_usage(np.ones_like(pairs)), note=note)


def _family(tables: Tables) -> Family:
    """Columns: paired subjects, their agreement by pair of classes, votes by rater and class."""
    from scipy import sparse  # start-up cost: loads scipy.linalg as well

    columns = CountColumns(tables.classes)
    counts = tables.counts.features
    rows = tables.counts.of_pattern
    chosen = np.concatenate([counts[:, [columns.paired]], counts[:, columns.agreement]], axis=1)
    dense = chosen if rows is None else chosen[rows]
    return Family(sparse.csc_array(sparse.hstack([sparse.csc_array(dense), tables.rater_votes])), tables.weight)
