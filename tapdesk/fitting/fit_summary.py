"""From a maximum to the fit that is reported: named numbers, verdicts, findings, and what follows from them."""

from dataclasses import dataclass, fields, replace

import numpy as np

from tapdesk.estimate import Estimate, MatchRates, undefined
from tapdesk.fitting import identification
from tapdesk.fitting.climb import LocalMaximum
from tapdesk.fitting.fit import (
    NO_GUESS,
    Fit,
    FitFinding,
    Identification,
    Krits,
    LogLikelihood,
    Optimum,
    ParameterEstimate,
    Status,
    Trace,
)
from tapdesk.fitting.undetermined import (
    GUESSING_ALONE,
    OPEN_HERE,
    of_one_rating,
    open_here,
    undefined_parameters,
)
from tapdesk.language import gettext as _
from tapdesk.language import same_sentence
from tapdesk.models.design import Design, Freedom, Slot
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Truth
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.ratings.findings import name_list
from tapdesk.ratings.ratings import Ratings

_AT_BOUND = 1e-6

_MOST_NAMED = 8  # of thousands of raters hundreds may sit on an edge; all of them stand in ``active_bounds``
_FLAT = _("The data leave this number open: many values fit equally well.")


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
    if point.spread.size:
        # Ratings of a case go together in more ways than its truth, so there is no surprise of a single one.
        return Krits(float(-log_likelihood / (n * np.log(k))), None, None, None)
    base = np.log(k)
    rates = point.rating_rates()
    entropy = -(rates * np.log(np.maximum(rates, 1e-300))).sum(axis=2) / base
    share = p.totals.sum(axis=1) / n if p.units > 1 and rates.shape[0] == p.units else np.ones(rates.shape[0])
    per_class = share @ entropy / share.sum()
    return Krits(
        marginal=float(-log_likelihood / (n * base)),
        imputed=float(-_imputed(evidence, point) / (n * base)),
        expected=float(_mean_truth(evidence, point) @ per_class),
        standardised=float(per_class.mean()),
        by_class=tuple(per_class.tolist()),
    )


def _mean_truth(evidence: Evidence, point: Parameters) -> FloatArray:
    """Shape (K,): rates of the true classes among all subjects."""
    if point.truth.ndim == 1:
        return point.truth
    patterns = evidence.patterns
    group = np.zeros(patterns.patterns, dtype=np.int64) if patterns.group is None else patterns.group
    size = np.bincount(group, patterns.weight, point.truth.shape[0])
    return np.asarray(size @ point.truth / max(float(size.sum()), 1e-300))


def _imputed(evidence: Evidence, point: Parameters) -> float:
    """Log-likelihood with each pattern's posterior in place of the class rates, nats."""
    stack = Stack.of([point])
    posterior = evidence.posterior(stack)[0]
    total = evidence.pattern_log_likelihood(stack)[0]
    # Pr(ratings | k) = q_k Pr(ratings) / t_k, so sum_k q_k Pr(ratings | k) needs no second pass over the ratings.
    truth = point.truth[:, None] if point.truth.ndim == 1 else point.truth[evidence.patterns.group].T
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
    if point.truth.ndim > 1 or point.spread.size:
        # Pairs match as often as the classes of their group let them, or as their case does.
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
        value = slot.value(point)
        if value < _AT_BOUND:
            touched.append(_("{parameter} = 0").format(parameter=slot.name))
        elif slot.most == 1 and value > 1 - _AT_BOUND:
            touched.append(_("{parameter} = 1").format(parameter=slot.name))
    return tuple(touched)


@dataclass(frozen=True, eq=False)
class Search:
    """How a maximum was looked for; the fields are those of `Fit`."""

    estimator: str
    seed: int
    trace: tuple[Trace, ...]
    starts: int
    optima: tuple[Optimum, ...]
    converged: bool
    iterations: int


def summarise_fit(plan: Design, evidence: Evidence, best: LocalMaximum, search: Search, ratings: Ratings) -> Fit:
    """The fit at a maximum, its numbers still without intervals.

    Parameters
    ----------
    plan, evidence
        The tabulated data and their prepared form.
    best
        The maximum.
    search
        How it was found.
    ratings
        The data.
    """
    point = best.parameters
    says, reasons = _verdict(plan, evidence, best, search.optima)
    determined = all(same_sentence(why, NO_GUESS) for why in reasons.values())
    # What is silent of a rater is no matter of the other numbers: these are as well determined as before.
    silent = of_one_rating(plan) | reasons
    # What has no value sits on no bound either.
    bounds = active_bounds(point, tuple(s for s in plan.slots if s.name not in silent))
    errors = {} if says.open_parameters or bounds else standard_errors(plan, best)
    return Fit(
        model=plan.space.model,
        **{f.name: getattr(search, f.name) for f in fields(Search)} | {"optima": _optima(plan, search.optima, reasons)},
        classes=plan.classes,
        raters=plan.units if plan.space.model.by_rater else (),
        parameters=point,
        estimates=_estimates(plan, best, silent, errors),
        log_likelihood=LogLikelihood(best.log_likelihood, best.log_likelihood + plan.patterns.log_multinomial),
        free=plan.space.free,
        subjects=ratings.subject_count,
        ratings=ratings.rating_count,
        krits=krits(evidence, point, best.log_likelihood),
        match_rates=match_rates(point, guessed=not reasons) if determined else None,
        kappa=kappa(point) if determined else None,
        status=_status(says, reasons, degenerate=bool(bounds), converged=search.converged),
        identification=says,
        active_bounds=bounds,
        interval=("none", 0.95),
        findings=_findings(plan, says, bounds, search.optima),
        slots=plan.slots,
    )


def _verdict(
    plan: Design, evidence: Evidence, best: LocalMaximum, optima: tuple[Optimum, ...]
) -> tuple[Identification, dict[ParameterName, str]]:
    """What the data can tell at a maximum, and why some parameters have no value there."""
    point = best.parameters
    design = identification.by_design(plan)
    reasons = undefined_parameters(plan, point, best.log_likelihood)
    if GUESSING_ALONE not in reasons.values():
        known = {*design.open_parameters, *reasons}
        also = open_here(plan, evidence, best, optima, known)
        reasons |= dict.fromkeys(also, OPEN_HERE)
        if not design.by_design:
            design = replace(design, open_parameters=(*design.open_parameters, *also))
    says = identification.identification_at(plan, design, point, tuple(s.name for s in plan.slots if s.name in reasons))
    if not says.by_design:
        # Where the design decides, this point is one of many, and what happens to hold at it is no reason.
        still = {name: why for name, why in reasons.items() if same_sentence(why, GUESSING_ALONE)}
        reasons = still | dict.fromkeys(says.open_parameters, _FLAT)
    return says, reasons


def _optima(plan: Design, optima: tuple[Optimum, ...], reasons: dict[ParameterName, str]) -> tuple[Optimum, ...]:
    """The maxima, each with the places of what has no value there; what the data leave open has none anywhere."""
    sentences = []
    for o in optima:
        own = undefined_parameters(plan, o.parameters, o.log_likelihood)
        still = (
            {name for name, why in reasons.items() if not same_sentence(why, OPEN_HERE)} if o is optima[0] else set()
        )
        open_ = {name for name, why in reasons.items() if same_sentence(why, _FLAT)}
        gone = own.keys() | still | open_
        sentences.append(replace(o, undefined=tuple(i for i, s in enumerate(plan.slots) if s.name in gone)))
    return tuple(sentences)


def standard_errors(plan: Design, best: LocalMaximum) -> dict[ParameterName, float]:
    """Standard errors by the observed information and the delta method; empty where it is not positive definite."""
    if best.line is None or best.information is None or best.line.size == 0:
        return {}
    try:
        np.linalg.cholesky(best.information)
        covariance = np.linalg.inv(best.information)
    except np.linalg.LinAlgError:
        return {}
    at = best.line.coordinates(best.parameters)
    step = 1e-5 * np.eye(at.size)
    ahead, behind = best.line.points(at + step), best.line.points(at - step)
    errors = {}
    for slot in plan.slots:
        if slot.freedom is Freedom.FIXED:
            continue
        slope = (slot.column(ahead) - slot.column(behind)) / 2e-5
        variance = float(slope @ covariance @ slope)
        if np.isfinite(variance) and variance > 0:
            errors[slot.name] = float(np.sqrt(variance))
    return errors


def _estimates(
    plan: Design, best: LocalMaximum, reasons: dict[ParameterName, str], errors: dict[ParameterName, float]
) -> tuple[ParameterEstimate, ...]:
    sentences = []
    for slot in plan.slots:
        value = slot.value(best.parameters)
        estimate = undefined(reasons[slot.name]) if slot.name in reasons else Estimate(value, se=errors.get(slot.name))
        sentences.append(ParameterEstimate(slot.name, slot.freedom, estimate))
    return tuple(sentences)


def _status(says: Identification, reasons: dict[ParameterName, str], *, degenerate: bool, converged: bool) -> Status:
    if not converged:
        return Status.NOT_SETTLED
    if not says.identified:
        many = not says.by_design or any(same_sentence(why, OPEN_HERE) for why in reasons.values())
        return Status.NOT_IDENTIFIED if many else Status.DEGENERATE
    return Status.DEGENERATE if degenerate else Status.SETTLED


def _findings(
    plan: Design, says: Identification, bounds: tuple[str, ...], optima: tuple[Optimum, ...]
) -> tuple[FitFinding, ...]:
    """What the reader of the numbers must know."""
    items = []
    if not says.identified:
        code = "not_identified" if not says.by_design else "undetermined_here"
        fix = _("Report what is determined, or choose a model with fewer parameters.")
        items.append(FitFinding(code, "ask", says.words, fix))
    if bounds:
        items.append(
            FitFinding(
                "degenerate",
                "note",
                _("The best fit lies on the edge of what is possible: {bounds}.").format(
                    bounds=name_list(bounds, _MOST_NAMED)
                ),
                _("Read the intervals rather than the numbers."),
            )
        )
    if says.identified and len(optima) > 1 and optima[0].log_likelihood - optima[1].log_likelihood < 2:
        items.append(
            FitFinding(
                "other_optimum",
                "note",
                _(
                    "Quite different values fit almost as well: the next best maximum of the log-likelihood is "
                    "only {gap:.2f} below."
                ).format(gap=optima[0].log_likelihood - optima[1].log_likelihood),
                _("Read the intervals rather than the numbers."),
            )
        )
    if plan.space.model.truth is Truth.OBSERVED:
        items.append(
            FitFinding(
                "rates_from_data",
                "note",
                _(
                    "The true rates were set to the observed rates, not estimated: AIC, BIC and likelihood "
                    "ratios are too favourable to this model."
                ),
            )
        )
    return tuple(items)


def subject_posterior(fit: Fit, plan: Design, evidence: Evidence) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Shape (N, K): probability of each true class of each subject at the estimate (empirical Bayes)."""
    by_pattern = evidence.posterior(Stack.of([fit.parameters]))[0].T
    return np.asarray(by_pattern[plan.patterns.of_subject])
