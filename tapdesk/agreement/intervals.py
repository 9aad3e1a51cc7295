"""From a quantity to an estimate with an interval, by linearisation or by re-draws, or the reason why it has none."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from tapdesk.agreement.quantity import Quantity
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import Run, Step

LINEARISATION = "linearisation"
TABLE = "fleiss-cohen-everitt"
F_DISTRIBUTION = "f-distribution"
BOOTSTRAP = "bootstrap"

ONE_SUBJECT = _("There is only one case to use, so nothing shows how far the value would move with other cases.")
NO_SPREAD = _("All cases agree alike, so nothing shows how far the value would move with other cases.")
NOT_COVERED = _("The method gives limits that do not hold the value itself, so they are not shown.")
NO_LIMITS = _("The method has no useful limits for these data.")
UNSTABLE = _("Too many re-draws have no value (a class or a rater is missing from them), so their spread is not shown.")
CUT = _("The interval was cut at {bound}, the {end} value there can be.")
REDRAWS_LEFT_OUT = _("Re-draws without a value, left out: {count} of {all}.")

_NEGLIGIBLE = 1e-9
_ABSURD = -1000
_NEEDED = 0.95

_CELLS_AT_ONCE = 8_000_000
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
    return _bounded(estimate, value - times * se, value + times * se, level, quantity)


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
    chunk = int(np.clip(_CELLS_AT_ONCE // max(weight.size + widest, 1), 1, _REPLICATES_AT_ONCE))
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
