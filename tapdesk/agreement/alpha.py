"""Krippendorff's alpha with its own metrics (Krippendorff 2004; Hayes & Krippendorff 2007)."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from tapdesk.agreement.quantity import Array, Case, Quantity, ratio
from tapdesk.agreement.tables import CountColumns, Tables
from tapdesk.agreement.weights import NO_ORDER, NO_ZERO, Scores, Weights, scores
from tapdesk.language import gettext as _

METRICS = ("nominal", "ordinal", "interval", "ratio")


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
