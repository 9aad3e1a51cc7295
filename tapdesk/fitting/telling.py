"""From a maximum to the fit that is told: named numbers, verdicts, findings."""

from dataclasses import dataclass, fields, replace

import numpy as np

from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting import identification
from tapdesk.fitting.derived import active_bounds, kappa, krits, match_rates
from tapdesk.fitting.fit import (
    Fit,
    FitFinding,
    Identification,
    LogLikelihood,
    Optimum,
    ParameterEstimate,
    Status,
    Trace,
)
from tapdesk.fitting.flatness import OPEN_HERE, open_here
from tapdesk.fitting.polish import Polished
from tapdesk.fitting.undefined import GUESSING_ALONE, NO_GUESS, of_one_rating, undefined_parameters
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Truth
from tapdesk.models.parameters import ParameterName
from tapdesk.models.slots import Freedom
from tapdesk.models.stack import Stack
from tapdesk.ratings.findings import name_list
from tapdesk.ratings.ratings import Ratings

_MOST_NAMED = 8  # of thousands of raters hundreds may sit on an edge; all of them stand in ``active_bounds``
_FLAT = _("The data leave this number open: many values fit equally well.")


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


def tell(plan: Design, evidence: Evidence, best: Polished, search: Search, ratings: Ratings) -> Fit:
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
    determined = all(why == NO_GUESS for why in reasons.values())
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
    plan: Design, evidence: Evidence, best: Polished, optima: tuple[Optimum, ...]
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
    says = identification.here(plan, design, point, tuple(s.name for s in plan.slots if s.name in reasons))
    if not says.by_design:
        # Where the design decides, this point is one of many, and what happens to hold at it is no reason.
        still = {name: why for name, why in reasons.items() if why == GUESSING_ALONE}
        reasons = still | dict.fromkeys(says.open_parameters, _FLAT)
    return says, reasons


def _optima(plan: Design, optima: tuple[Optimum, ...], reasons: dict[ParameterName, str]) -> tuple[Optimum, ...]:
    """The maxima, each with the places of what has no value there; what the data leave open has none anywhere."""
    told = []
    for o in optima:
        own = undefined_parameters(plan, o.parameters, o.log_likelihood)
        still = {name for name, why in reasons.items() if why != OPEN_HERE} if o is optima[0] else set()
        open_ = {name for name, why in reasons.items() if why == _FLAT}
        gone = own.keys() | still | open_
        told.append(replace(o, undefined=tuple(i for i, s in enumerate(plan.slots) if s.name in gone)))
    return tuple(told)


def standard_errors(plan: Design, best: Polished) -> dict[ParameterName, float]:
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
        slope = (getattr(ahead, slot.part)[:, *slot.index] - getattr(behind, slot.part)[:, *slot.index]) / 2e-5
        variance = float(slope @ covariance @ slope)
        if np.isfinite(variance) and variance > 0:
            errors[slot.name] = float(np.sqrt(variance))
    return errors


def _estimates(
    plan: Design, best: Polished, reasons: dict[ParameterName, str], errors: dict[ParameterName, float]
) -> tuple[ParameterEstimate, ...]:
    told = []
    for slot in plan.slots:
        value = float(getattr(best.parameters, slot.part)[slot.index])
        estimate = undefined(reasons[slot.name]) if slot.name in reasons else Estimate(value, se=errors.get(slot.name))
        told.append(ParameterEstimate(slot.name, slot.freedom, estimate))
    return tuple(told)


def _status(says: Identification, reasons: dict[ParameterName, str], *, degenerate: bool, converged: bool) -> Status:
    if not converged:
        return Status.NOT_SETTLED
    if not says.identified:
        many = not says.by_design or OPEN_HERE in reasons.values()
        return Status.NOT_IDENTIFIED if many else Status.DEGENERATE
    return Status.DEGENERATE if degenerate else Status.SETTLED


def _findings(
    plan: Design, says: Identification, bounds: tuple[str, ...], optima: tuple[Optimum, ...]
) -> tuple[FitFinding, ...]:
    """What the reader of the numbers must know."""
    found = []
    if not says.identified:
        code = "not_identified" if not says.by_design else "undetermined_here"
        fix = _("Report what is determined, or choose a model with fewer parameters.")
        found.append(FitFinding(code, "ask", says.words, fix))
    if bounds:
        found.append(
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
        found.append(
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
        found.append(
            FitFinding(
                "rates_from_data",
                "note",
                _(
                    "The true rates were set to the observed rates, not estimated: AIC, BIC and likelihood "
                    "ratios are too favourable to this model."
                ),
            )
        )
    return tuple(found)


def subject_posterior(fit: Fit, plan: Design, evidence: Evidence) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Shape (N, K): probability of each true class of each subject at the estimate (empirical Bayes)."""
    by_pattern = evidence.posterior(Stack.of([fit.parameters]))[0].T
    return np.asarray(by_pattern[plan.patterns.of_subject])
