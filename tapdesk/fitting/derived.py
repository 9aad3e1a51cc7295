"""What follows from a fit: krits, match rates, the model's kappa, and which bounds are touched."""

import numpy as np

from tapdesk.fitting.fit import Krits, MatchRates
from tapdesk.language import gettext as _
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import Parameters
from tapdesk.models.slots import Slot
from tapdesk.models.stack import Stack

_AT_BOUND = 1e-6


def krits(evidence: Evidence, point: Parameters, log_likelihood: float) -> Krits:
    """Krits per rating at a point (Kappa Zoo ch. 9, §3-4; models.md §4).

    Parameters
    ----------
    evidence
        The prepared patterns.
    point
        The parameters.
    log_likelihood
        At the point, nats, ratings form.
    """
    p = evidence.patterns
    k, n = p.classes, p.rating_count
    if n == 0 or k < 2:
        return Krits(None, None, None, None)
    base = np.log(k)
    rates = point.rating_rates()
    entropy = -(rates * np.log(np.maximum(rates, 1e-300))).sum(axis=2) / base
    share = p.totals.sum(axis=1) / n if p.units > 1 and rates.shape[0] == p.units else np.ones(rates.shape[0])
    per_class = share @ entropy / share.sum()
    return Krits(
        marginal=float(-log_likelihood / (n * base)),
        imputed=float(-_imputed(evidence, point) / (n * base)),
        expected=float(point.truth @ per_class),
        standardised=float(per_class.mean()),
    )


def _imputed(evidence: Evidence, point: Parameters) -> float:
    """Log-likelihood with each pattern's posterior in place of the class rates, nats."""
    stack = Stack.of([point])
    posterior = evidence.posterior(stack)[0]
    total = evidence.pattern_log_likelihood(stack)[0]
    # Pr(ratings | k) = q_k Pr(ratings) / t_k, so sum_k q_k Pr(ratings | k) needs no second pass over the ratings.
    truth = point.truth[:, None]
    ratio = np.divide(posterior**2, truth, out=np.zeros_like(posterior), where=truth > 0).sum(axis=0)
    w = evidence.patterns.weight
    return float(w @ (total + np.log(np.maximum(ratio, 1e-300))))


def match_rates(point: Parameters, *, guessed: bool = True) -> MatchRates | None:
    """Shares of matching pairs by cause (Kappa Zoo ch. 9, eq. 1); None unless accuracy and guessing are shared.

    Parameters
    ----------
    point
        The parameters.
    guessed
        Whether the guesses are known; where nobody guesses they are not, and how often two would match neither.
    """
    if point.accuracy.shape != (1, 1) or point.guessing.shape[:2] != (1, 1) or point.slopes.size:
        return None
    a, p, t = float(point.accuracy[0, 0]), point.guessing[0, 0], point.truth
    random = float(p @ p)
    accurate, inaccurate, mixed = a * a, (1 - a) ** 2 * random, 2 * a * (1 - a) * float(t @ p)
    return MatchRates(accurate, random if guessed else None, inaccurate, mixed, accurate + inaccurate + mixed)


def kappa(point: Parameters) -> float | None:
    """The kappa the model implies, a^2 (1 - t't) / (1 - c'c); None where undefined or raters differ."""
    if match_rates(point) is None:
        return None
    a, p, t = float(point.accuracy[0, 0]), point.guessing[0, 0], point.truth
    c = a * t + (1 - a) * p
    chance = 1 - float(c @ c)
    return a * a * (1 - float(t @ t)) / chance if chance > 1e-12 else None


def active_bounds(point: Parameters, slots: tuple[Slot, ...]) -> tuple[str, ...]:
    """Which reported parameters sit on a bound, such as ``a = 1``.

    Also where tapModel's rule says so: t a p or (1 - t)(1 - a)(1 - p) below 1e-6 (models.md §3).
    """
    touched = []
    for slot in slots:
        if slot.part == "slopes" or slot.freedom.value == "fixed":
            continue
        value = float(getattr(point, slot.part)[slot.index])
        if value < _AT_BOUND:
            touched.append(_("{parameter} = 0").format(parameter=slot.name))
        elif value > 1 - _AT_BOUND:
            touched.append(_("{parameter} = 1").format(parameter=slot.name))
    return tuple(touched)
