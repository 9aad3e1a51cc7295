"""Conger's kappa: chance by each rater's own class rates, for any number of raters."""

from collections.abc import Iterator

import numpy as np

from tapdesk.agreement.quantity import Array, Case, Family, Quantity, ratio
from tapdesk.agreement.tables import UNKNOWN_RATERS, CountColumns, Tables
from tapdesk.agreement.weights import Weights
from tapdesk.language import gettext as _


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
