"""What the likelihood of binary counts leaves open, in closed form (models.md §3)."""

import numpy as np

from tapdesk.fitting.fit import IdentifiedRange
from tapdesk.language import Symbol
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.model import Guessing
from tapdesk.models.parameters import ParameterName, Parameters

_WORDS = _("Every value of {name} from {low:.3f} to {high:.3f} fits equally well.")
_GRID = 20_001


def identified_ranges(plan: Design, point: Parameters) -> tuple[IdentifiedRange, ...]:
    """Ranges of the open parameters that share the maximum, for the binary pooled models; else empty."""
    if plan.space.units != 1 or plan.space.classes != 2:
        return ()
    name = plan.space.model.name
    pairs_only = plan.patterns.size.max(initial=0) <= 2
    if plan.space.accuracy_shape[1] == 2:
        if pairs_only:
            return _by_class_two_ratings(plan)
        rates = point.rating_rates()[0]
        return _by_class(float(rates[1, 1]), float(rates[0, 1]), plan.space.model.guessing)
    if name == "t-a-p" and pairs_only:
        return _two_ratings(plan)
    return ()


def _range(name: str, low: float, high: float) -> IdentifiedRange:
    return IdentifiedRange(ParameterName(name), low, high, _WORDS.format(name=Symbol(name), low=low, high=high))


def _by_class(mu1: float, mu0: float, guessing: Guessing) -> tuple[IdentifiedRange, ...]:
    """Accuracies by class: the likelihood pins (t, mu1, mu0) only."""
    if guessing is Guessing.PER_CLASS:
        return (
            _range("a0", 0.0, 1 - mu0),
            _range("a1", 0.0, mu1),
            _range("p0", mu0, 1.0),
            _range("p1", 0.0, mu1),
        )
    low, high = min(mu0, mu1), max(mu0, mu1)
    return (
        _range("a0", 0.0, 1 - low / high if high > 0 else 0.0),
        _range("a1", 0.0, (high - low) / (1 - low) if low < 1 else 0.0),
        _range("p", low, high),
    )


def _two_ratings(plan: Design) -> tuple[IdentifiedRange, ...]:
    """Model t-a-p with at most two ratings a case: the curve of equal likelihood, walked along t.

    Mean m and covariance v of two ratings are all the data tell: a = sqrt(v / (t (1 - t))), p = (m - a t) / (1 - a).
    """
    found = _pair_moments(plan)
    if found is None:
        return ()
    m, v = found
    # Even in the logit of t, because the curve often runs far into a corner.
    t = 1 / (1 + np.exp(-np.linspace(-20, 20, _GRID)))
    a = np.sqrt(v / (t * (1 - t)))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = (m - a * t) / (1 - a)
        ok = (a < 1) & (p >= 0) & (p <= 1)
    if not ok.any():
        return ()
    return tuple(_range(name, float(x[ok].min()), float(x[ok].max())) for name, x in (("t", t), ("a", a), ("p", p)))


def _by_class_two_ratings(plan: Design) -> tuple[IdentifiedRange, ...]:
    """Accuracies by class with two ratings a case: (t, mu1, mu0) move along a curve as well.

    With mu1 = m + sqrt(v (1 - t) / t) and mu0 = m - sqrt(v t / (1 - t)), the curve runs from mu1 = 1 to mu0 = 0, and at
    its ends every accuracy and every guess is possible.
    """
    found = _pair_moments(plan)
    if found is None:
        return ()
    m, v = found
    guesses = ("p0", "p1") if plan.space.model.guessing is Guessing.PER_CLASS else ("p",)
    whole = tuple(_range(name, 0.0, 1.0) for name in ("a0", "a1", *guesses))
    return (_range("t", v / (v + (1 - m) ** 2), m**2 / (v + m**2)), *whole)


def _pair_moments(plan: Design) -> tuple[float, float] | None:
    """Mean and covariance of two ratings of a case; None where some have one rating or v <= 0."""
    patterns = plan.patterns
    two = patterns.size == 2
    w, ones = patterns.weight[two], patterns.table[two, 1]
    if not w.sum() or patterns.weight[patterns.size == 1].sum():
        return None
    m = float(w @ ones / (2 * w.sum()))
    v = float(w[ones == 2].sum() / w.sum()) - m * m
    return (m, v) if v > 0 else None
