"""What follows from a fit: krits, match rates, the model's kappa, and which bounds are touched."""

import numpy as np

from tapdesk.fitting.fit import Krits, MatchRates
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Guessing, Truth
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Slot
from tapdesk.models.stack import Stack

_AT_BOUND = 1e-6
_SAME_LEVEL = 1e-6
GUESSING_ALONE = "Guessing alone explains these ratings as well as any accuracy does, so this parameter stays open."


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


def match_rates(point: Parameters) -> MatchRates | None:
    """Shares of matching pairs by cause (Kappa Zoo ch. 9, eq. 1); None unless accuracy and guessing are shared."""
    if point.accuracy.shape != (1, 1) or point.guessing.shape[:2] != (1, 1) or point.slopes.size:
        return None
    a, p, t = float(point.accuracy[0, 0]), point.guessing[0, 0], point.truth
    random = float(p @ p)
    accurate, inaccurate, mixed = a * a, (1 - a) ** 2 * random, 2 * a * (1 - a) * float(t @ p)
    return MatchRates(accurate, random, inaccurate, mixed, accurate + inaccurate + mixed)


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
            touched.append(f"{slot.name} = 0")
        elif value > 1 - _AT_BOUND:
            touched.append(f"{slot.name} = 1")
    return tuple(touched)


def undefined_parameters(plan: Design, point: Parameters, log_likelihood: float) -> dict[ParameterName, str]:
    """Reported parameters that have no evidence behind them at this maximum, and why (models.md §5)."""
    model, t = plan.space.model, point.truth
    guess_only = log_likelihood <= _guessing_alone(plan) + _SAME_LEVEL
    one_class = bool((t > 1 - _AT_BOUND).any())
    told_by_it = {"accuracy", "slopes"} | ({"guessing"} if plan.space.guessing_free else set())
    reasons: dict[ParameterName, str] = {}
    for slot in plan.slots:
        if slot.freedom.value == "fixed":
            continue
        if guess_only:
            reasons[slot.name] = GUESSING_ALONE
        elif _class_is_empty(slot, point):
            reasons[slot.name] = "No case belongs to this class here, so nothing shows how such cases are rated."
        elif model.accuracy is Accuracy.NONE:
            continue
        elif slot.part == "guessing" and model.guessing is not Guessing.AS_TRUTH and _nobody_guesses(slot, point):
            reasons[slot.name] = "Every rating is accurate here, so nothing shows what a guess would have been."
        elif one_class and slot.part in told_by_it:
            reasons[slot.name] = "All cases belong to one class here, so accuracy and guessing cannot be told apart."
    return reasons


def _guessing_alone(plan: Design) -> float:
    """The highest log-likelihood without any accuracy, nats, ratings form; minus infinity where truth would show.

    With free truth and free guessing, a maximum no higher than this is also reached by accuracy 0 with any truth,
    and by one true class with many accuracies: nothing is determined.
    """
    if plan.space.model.truth is not Truth.FREE or not plan.space.guessing_free:
        return -np.inf
    totals = plan.patterns.totals
    if plan.space.guessing_shape[0] == 1:
        totals = totals.sum(axis=0, keepdims=True)
    rates = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1e-300)
    return float((totals * np.log(np.where(totals > 0, rates, 1.0))).sum())


def _nobody_guesses(slot: Slot, point: Parameters) -> bool:
    """Whether every accuracy is 1 among the raters and the true classes a guessing rate is about."""
    unit, true, _ = slot.index
    a, shape = point.accuracy, point.guessing.shape
    a = a[[unit]] if shape[0] > 1 and a.shape[0] > 1 else a
    if shape[1] > 1 and a.shape[1] > 1:
        a = a[:, [true]]
    elif a.shape[1] > 1:
        a = a[:, point.truth > _AT_BOUND]
    return bool((a > 1 - _AT_BOUND).all())


def _class_is_empty(slot: Slot, point: Parameters) -> bool:
    """Whether a parameter is about one true class that no case has."""
    by_class = {"accuracy": point.accuracy.shape[1], "guessing": point.guessing.shape[1]}
    return by_class.get(slot.part, 1) > 1 and bool(point.truth[slot.index[1]] < _AT_BOUND)
