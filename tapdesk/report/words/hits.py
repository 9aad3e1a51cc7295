"""How often a rating names the true class, or class 1, with intervals, for models that are the same for all raters."""

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Draws, Fit
from tapdesk.language import gettext as _
from tapdesk.report import numbers

Shares = NDArray[np.float64]
_ALWAYS = 1 - 1e-9


def hit_rate(fit: Fit) -> float:
    """Probability that a rating equals the true class: sum of t_k Pr(C = k | T = k)."""
    return float(fit.parameters.truth @ np.diagonal(fit.parameters.rating_rates()[0]))


def reach(fit: Fit) -> tuple[float, float] | tuple[None, None]:
    """The interval of the hit rate by the quantiles of its re-draws; none without re-draws, or where it misses."""
    draws = _drawn(fit)
    if draws is None:
        return None, None
    tail = (1 - fit.interval[1]) / 2
    low, high = (float(q) for q in np.quantile(draws, [tail, 1 - tail]))
    # The estimate of a skewed re-draw may fall outside; then no interval is better than a wrong one.
    return (low, high) if low <= hit_rate(fit) <= high else (None, None)


def drawn_from(draws: Draws, *, two: bool) -> str:
    """Where the interval of one share, or those of two, come from."""
    told = {
        ("bootstrap", True): _("The intervals of these two shares come from {n} re-draws of the data."),
        ("bootstrap", False): _("The interval of this share comes from {n} re-draws of the data."),
        ("parametric-bootstrap", True): _(
            "The intervals of these two shares come from {n} data sets drawn from the fitted model."
        ),
        ("parametric-bootstrap", False): _(
            "The interval of this share comes from {n} data sets drawn from the fitted model."
        ),
        ("posterior", True): _("The intervals of these two shares come from {n} draws from the posterior."),
        ("posterior", False): _("The interval of this share comes from {n} draws from the posterior."),
    }
    return told[draws.kind, two].format(n=numbers.count(next(iter(draws.values.values())).size))


def _drawn(fit: Fit) -> Shares | None:
    """Shape (draws,): the hit rate of every re-draw, sum of t_k (a_k + (1 - a_k) p_k)."""
    if fit.draws is None:
        return None
    drawn = {(name.name, name.category): values for name, values in fit.draws.values.items()}
    total = np.zeros(1)
    for k, label in enumerate(fit.classes):
        a = drawn.get(("a", label), drawn.get(("a", None)))
        if a is None:
            return None
        # What is taken from the data and not estimated is the same in every re-draw.
        t = drawn.get(("t", label), np.full(a.size, fit.parameters.truth[k]))
        p = drawn.get(("p", label), np.full(a.size, fit.parameters.guessing[0, 0, k]))
        # Where every rating is accurate p is undefined and does not matter, nor does a class that no case has.
        right = np.where(a > _ALWAYS, 1.0, a + (1 - a) * p)
        total = total + np.where(t > 0, t * right, 0.0)
    return total if bool(np.isfinite(total).all()) else None


def called_class1(fit: Fit) -> tuple[str, str]:
    """How often true class 1 and true class 0 are called class 1, with intervals where re-draws allow."""
    rates = fit.parameters.rating_rates()[0]
    told = []
    for truth, draws in zip((1, 0), drawn_rates(fit), strict=True):
        reach: tuple[float, float] | tuple[None, None] = (None, None)
        if draws is not None:
            tail = (1 - fit.interval[1]) / 2
            low, high = (float(q) for q in np.quantile(draws, [tail, 1 - tail]))
            # The estimate of a skewed re-draw may fall outside; then no interval is better than a wrong one.
            reach = (low, high) if low <= rates[truth, 1] <= high else (None, None)
        told.append(numbers.often(float(rates[truth, 1]), *reach))
    return told[0], told[1]


def drawn_rates(fit: Fit) -> tuple[Shares | None, Shares | None]:
    """Shape (draws,) each: re-draws of a + (1 - a) p and of (1 - a) p, or None without re-draws."""
    drawn = {} if fit.draws is None else {str(name): values for name, values in fit.draws.values.items()}
    if "a" not in drawn or not {"p", "t"} & drawn.keys():
        return None, None
    a = drawn["a"]
    p = drawn["p" if "p" in drawn else "t"]
    # Where every rating is accurate p is undefined and does not matter.
    p = np.where(np.isnan(p) & (a > 1 - 1e-9), 0.0, p)
    if not (np.isfinite(a) & np.isfinite(p)).all():
        return None, None
    return a + (1 - a) * p, (1 - a) * p
