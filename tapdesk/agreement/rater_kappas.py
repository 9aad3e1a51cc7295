"""Kappas that know who rated: Cohen's for a pair, its means over pairs by Light and by Hubert, and Conger's for all."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from tapdesk.agreement.quantity import Array, Case, Family, Quantity, Usage, ratio
from tapdesk.agreement.tables import PAIR_RATERS, PAIR_RATINGS, UNKNOWN_RATERS, CountColumns, Tables
from tapdesk.agreement.weights import Weights
from tapdesk.language import Label, RaterName, joined
from tapdesk.language import gettext as _


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
        found = PairTables(totals.reshape(*totals.shape[:-1], *shape), scheme.disagreement)
        return mean.value(found.observed(), found.expected())

    def gradient(totals: Array) -> Array:
        found = PairTables(totals.reshape(shape), scheme.disagreement)
        by_observed, by_expected = mean.slope(found.observed(), found.expected())
        observed, expected = found.slopes()
        slope: Array = by_observed[:, None] * np.nan_to_num(observed) + by_expected[:, None] * np.nan_to_num(expected)
        return slope.ravel()

    found = PairTables(tables.pairs.totals.reshape(shape), scheme.disagreement)
    both = tables.voters > 1
    bounds = (-1.0 if scheme.identity else None, 1.0)
    quantity = Quantity(tables.pairs, value, units=both, gradient=gradient, bounds=bounds)
    return Case(quantity, tables.pattern_usage(both), note=_left_out(found, mean))


def _left_out(found: PairTables, mean: Mean) -> str:
    """Which pairs have no part in a mean over pairs."""
    apart = int(np.isnan(found.observed()).sum())
    same = int((found.expected() == 0).sum()) if mean is LIGHT else 0
    notes = []
    if apart:
        notes.append(_("Pairs of raters without a shared case, left out: {apart}.").format(apart=apart))
    if same:
        notes.append(
            _("Pairs of raters who both used one and the same class only, left out: {same}.").format(same=same)
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
            "There are {raters} raters: too many pairs to look at one by one. Keep at most {most} "
            "of them to compare pairs."
        ).format(raters=len(tables.raters), most=PAIR_RATERS)
    return None


def _pair_refusal(cells: Array, tables: Tables, names: tuple[str, str]) -> str | None:
    """Why one pair has no kappa, or None."""
    if not cells.any():
        return _("{first} and {second} share no case.").format(first=RaterName(names[0]), second=RaterName(names[1]))
    k = tables.classes
    used = np.flatnonzero(cells)
    if used.size == 1 and used[0] % (k + 1) == 0:
        label = tables.ratings.classes[used[0] // (k + 1)]
        return _(
            "{first} and {second} both used '{label}' only on the cases they share, so chance alone "
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
        _("Cases with a single rating, used for the class rates only: {single}.").format(single=single)
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
