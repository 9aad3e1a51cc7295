"""How far what the numbers of a fit imply moves in its re-draws: matches by cause, and the kappa of the model."""

from collections.abc import Mapping

import numpy as np
from scipy.special import expit, logit, ndtri

from tapdesk.fitting.fit import Fit
from tapdesk.models.slots import Freedom
from tapdesk.models.stack import FloatArray
from tapdesk.ratings.ratings import Ratings

_LEAST = 50
_HALF = 0.5
_NO_SPREAD = 1e-9
_STANDS_STILL = 1e-6


def implied_ranges(fit: Fit) -> Mapping[str, tuple[float, float]]:
    """The middle of the re-draws of what they imply, at the level of the intervals of the fit.

    Parameters
    ----------
    fit
        With one accuracy and one way to guess for all raters, and its re-draws or posterior draws.

    Returns
    -------
    Mapping
        The ends by name: ``observed``, ``accurate``, ``mixed`` and ``inaccurate`` (`MatchRates`); ``of accurate`` ...
        the shares of the matches; ``kappa``. Nothing where there are no re-draws, or where a number of the model was
        held while the others moved.
    """
    found = _points(fit)
    if found is None:
        return {}
    t, a, p = found
    c = a[:, None] * t + (1 - a)[:, None] * p
    accurate, inaccurate = a**2, (1 - a) ** 2 * (p**2).sum(axis=1)
    mixed = 2 * a * (1 - a) * (t * p).sum(axis=1)
    observed = accurate + inaccurate + mixed
    with np.errstate(divide="ignore", invalid="ignore"):
        told = {
            "observed": observed,
            "accurate": accurate,
            "mixed": mixed,
            "inaccurate": inaccurate,
            "of accurate": accurate / observed,
            "of mixed": mixed / observed,
            "of inaccurate": inaccurate / observed,
            "kappa": accurate * (1 - (t**2).sum(axis=1)) / (1 - (c**2).sum(axis=1)),
        }
    tail = (1 - fit.interval[1]) / 2
    ends = {name: _middle(values, tail) for name, values in told.items()}
    return {name: pair for name, pair in ends.items() if pair is not None}


def given_ranges(fit: Fit) -> tuple[tuple[float, float] | None, ...]:
    """For each class the middle of the re-draws of its share of the ratings by the model; empty without re-draws."""
    found = _points(fit)
    if found is None:
        return ()
    t, a, p = found
    tail = (1 - fit.interval[1]) / 2
    given: FloatArray = a[:, None] * t + (1 - a)[:, None] * p
    return tuple(_middle(given[:, at], tail) for at in range(given.shape[1]))


def seen_ranges(ratings: Ratings, level: float) -> tuple[tuple[float, float] | None, ...]:
    """For each class the interval of its share of the ratings, by standard errors over cases, on the logit scale."""
    weight, counts = ratings.subject_weights(), ratings.counts().astype(np.float64)
    size = counts.sum(axis=1)
    total, cases = float(weight @ size), float(weight[size > 0].sum())
    if total == 0 or cases <= 1:
        return tuple(None for _class in ratings.classes)
    rate = weight @ counts / total
    off = counts - rate * size[:, None]
    se = np.sqrt(cases / (cases - 1) * (weight @ off**2)) / total
    reach = [float(s) * float(ndtri((1 + level) / 2)) for s in se]
    return tuple(_on_logit(float(r), far) for r, far in zip(rate, reach, strict=True))


def _on_logit(rate: float, reach: float) -> tuple[float, float] | None:
    """Ends that stay between 0 and 1; None for a share of nothing or all, and where all cases are alike."""
    if not 0 < rate < 1 or reach < _NO_SPREAD:
        return None
    far = reach / (rate * (1 - rate))
    return float(expit(logit(rate) - far)), float(expit(logit(rate) + far))


def _middle(values: FloatArray, tail: float) -> tuple[float, float] | None:
    """The ends of the middle of the draws that have a value; None where too few have, or all are the same."""
    kept = values[np.isfinite(values)]
    if kept.size < max(_LEAST, _HALF * values.size):
        return None
    low, high = np.quantile(kept, [tail, 1 - tail])
    # Re-draws of a number on the edge all lie there, however little is known of it: they are no range of it.
    return (float(low), float(high)) if high - low > _STANDS_STILL else None


def _points(fit: Fit) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Shapes (B, K), (B,), (B, K): truth, accuracy and guesses of every draw."""
    draws = fit.draws.values if fit.draws is not None else {}
    if not draws or any(slot.freedom is Freedom.FIXED or slot.name not in draws for slot in fit.slots):
        return None
    size = next(iter(draws.values())).size
    parts = {
        "truth": np.zeros((size, len(fit.classes))),
        "accuracy": np.zeros((size, 1, 1)),
        "guessing": np.zeros((size, 1, 1, len(fit.classes))),
    }
    for slot in fit.slots:
        if slot.part not in parts or any(i >= n for i, n in zip(slot.index, parts[slot.part].shape[1:], strict=True)):
            return None
        place: tuple[slice | int, ...] = (slice(None), *slot.index)
        parts[slot.part][place] = draws[slot.name]
    t, a, p = parts["truth"], parts["accuracy"][:, 0, 0], parts["guessing"][:, 0, 0]
    if len(fit.classes) == 2:
        # Of two classes the numbers tell of class 1.
        t[:, 0], p[:, 0] = 1 - t[:, 1], 1 - p[:, 1]
    return t, a, p
