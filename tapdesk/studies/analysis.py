"""One analysis from request to fit: the estimate, its intervals, its re-draws."""

import time
from collections.abc import Collection
from dataclasses import replace

from scipy.special import ndtri

from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Draws, Fit, FitFinding, ParameterEstimate
from tapdesk.fitting.profile import Profile, profiles
from tapdesk.fitting.telling import subject_posterior
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom, Slot
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.bootstrap import redraws
from tapdesk.studies.camps import with_camps
from tapdesk.studies.methods import method
from tapdesk.studies.parametric import parametric_redraws
from tapdesk.studies.percentiles import percentiles
from tapdesk.studies.request import INTERVALS, Request
from tapdesk.studies.tests import with_tests

__all__ = ["INTERVALS", "Request", "analyse", "refusal"]

_NEAR_OPTIMUM = 4.0
_DEAREST_PROFILE = 4e10
_STEPS_PER_PROFILE = 6000
_CRAWL = 3
_TEST_DRAWS = 2000
_NO_INTERVALS = FitFinding(
    "no_intervals",
    "note",
    _("Moment E-M has no likelihood of its own, so there are no intervals."),
    _("Use exact-em for intervals."),
)
_NO_ERROR = _("There is no standard error for it here: the likelihood is too flat, or the model too large to look.")
_ON_THE_EDGE = _("The estimate lies on the edge of what is possible, where this kind of interval does not hold.")


def refusal(ratings: Ratings, request: Request) -> str | None:
    """Why the method cannot fit the model to these ratings, one sentence; None when it can."""
    return method(request, ratings).refuses(request.model, ratings)


def analyse(ratings: Ratings, request: Request, only: Collection[str] | None = None) -> Run[Fit]:
    """Fit a model and find the intervals asked for.

    Parameters
    ----------
    ratings, request
        The data, and what is asked of them.
    only
        Names of the parameters whose profile intervals are wanted, such as ``a``; by default all.

    Yields
    ------
    Step
        Phases ``fit``, ``check``, ``intervals``, ``re-draws`` (see `ExactEM.run`, `profiles`, `redraws`,
        `parametric_redraws`).

    Raises
    ------
    UsageError
        When the method cannot fit the model to these ratings.
    """
    began = time.perf_counter()
    fit = yield from method(request, ratings).run(request.model, ratings, request.seed)
    if fit.estimator == "exact-em":
        fit = yield from _with_what_was_asked(fit, ratings, request, only)
    elif fit.estimator == "moment-em" and request.interval != "none":
        fit = replace(fit, findings=(*fit.findings, _NO_INTERVALS))
    yield Step(1, 1, "check")
    return replace(fit, seconds=time.perf_counter() - began)


def _with_what_was_asked(fit: Fit, ratings: Ratings, request: Request, only: Collection[str] | None) -> Run[Fit]:
    """A maximum with its intervals, re-draws and subjects."""
    fit = yield from with_camps(fit, ratings)
    plan = design(request.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    top = fit.log_likelihood.ratings
    origins = [
        o.parameters for o in fit.optima if top - o.log_likelihood < _NEAR_OPTIMUM and fit.identification.identified
    ]
    origins = origins[:3] or [fit.parameters]
    if request.interval == "profile":
        fit = yield from _profiled(fit, plan, evidence, origins, request.level, only)
    elif request.interval == "wald":
        fit = _walded(fit, request.level)
    if request.interval == "parametric-bootstrap":
        drawn = yield from parametric_redraws(request.model, ratings, origins, request.replicates, request.seed)
        fit = _percentiles(replace(fit, draws=Draws(request.interval, drawn)), request.level)
    elif request.interval == "bootstrap" or request.redraws:
        draws = yield from redraws(plan, evidence, origins, request.replicates, request.seed)
        fit = replace(fit, draws=Draws("bootstrap", draws))
        if request.interval == "bootstrap":
            fit = _percentiles(fit, request.level)
    if request.tests:
        fit = yield from with_tests(fit, ratings, min(request.replicates, _TEST_DRAWS), request.seed)
    if request.subjects:
        fit = replace(fit, subject_posterior=subject_posterior(fit, plan, evidence))
    return fit


def _with_intervals(fit: Fit, ends: dict[ParameterName, tuple[float, float] | str], how: str, level: float) -> Fit:
    """The fit with intervals, or the reasons why there are none, by parameter."""
    told = []
    for e in fit.estimates:
        estimate = e.estimate
        if e.freedom is not Freedom.FIXED and estimate.value is not None:
            found = ends.get(e.name, "")
            if isinstance(found, str):
                estimate = estimate.without_interval(found) if found else estimate
            else:
                estimate = _between(estimate, found, level, how)
        told.append(ParameterEstimate(e.name, e.freedom, estimate))
    return replace(fit, estimates=tuple(told), interval=(how, level))


def _between(estimate: Estimate, ends: tuple[float, float], level: float, how: str) -> Estimate:
    low, high = ends
    value = estimate.value
    if value is None or not low - 1e-9 <= value <= high + 1e-9:
        return estimate.without_interval(_("The interval does not hold the estimate, so it is not shown."))
    return estimate.between(min(low, value), max(high, value), level, how)


def _profiled(
    fit: Fit,
    plan: Design,
    evidence: Evidence,
    origins: list[Parameters],
    level: float,
    only: Collection[str] | None,
) -> Run[Fit]:
    """Profile intervals; Wald intervals where profiling would take very long, and the fit says so."""
    lost = set(fit.identification.open_parameters)
    wanted = [s for s in plan.slots if s.freedom is Freedom.FREE and s.name not in lost]
    wanted = [s for s in wanted if only is None or s.name.name in only]
    if _profile_work(plan, len(wanted), len(origins)) > _DEAREST_PROFILE:
        return _instead_of_profiles(_walded(fit, level), len(wanted))
    found = yield from profiles(plan, evidence, origins, fit.log_likelihood.ratings, wanted, level)
    ends: dict[ParameterName, tuple[float, float] | str] = {p.slot.name: (p.low, p.high) for p in found}
    ends |= _tied(plan, found)
    return replace(_with_intervals(fit, ends, "profile", level), profiles=found)


def _profile_work(plan: Design, wanted: int, origins: int) -> float:
    """About how many additions the profiles cost: so many held climbs, each of so many steps over the evidence."""
    k = plan.space.classes
    saturated = plan.space.guessing_shape[1] > 1 and plan.patterns.units > 1
    # Tables of rates by true class cost a row of classes a rating, and crawl along their many edges.
    entries = plan.patterns.pattern.size * (k * _CRAWL if saturated else 1) + plan.patterns.patterns * k
    return float(entries) * wanted * origins * _STEPS_PER_PROFILE


def _instead_of_profiles(fit: Fit, wanted: int) -> Fit:
    """A fit with Wald intervals in place of profiles, and what that means; they may not exist either."""
    began = _("Profile intervals of {wanted:,} numbers would take very long on these data.").format(wanted=wanted)
    if any(e.estimate.low is not None for e in fit.estimates):
        told = FitFinding(
            "interval_changed",
            "note",
            _(
                "{began} The intervals are Wald intervals: the estimate plus and minus a multiple of its "
                "standard error. Where few ratings stand behind a number they are less exact."
            ).format(began=began),
            _("Ask for bootstrap intervals to compare."),
        )
    else:
        reason = (
            _("some numbers lie on the edge of what is possible, where standard errors do not hold")
            if fit.degenerate
            else _("their standard errors would take very long as well")
        )
        told = FitFinding(
            "no_intervals",
            "ask",
            _("{began} Wald intervals cannot take their place, because {reason}. So there are no intervals.").format(
                began=began, reason=reason
            ),
            _("Ask for bootstrap intervals, or choose a model with fewer numbers, such as t-aj-pj."),
        )
    return replace(fit, findings=(*fit.findings, told))


def _tied(plan: Design, found: tuple[Profile, ...]) -> dict[ParameterName, tuple[float, float]]:
    """Guessing tied to truth has the truth's interval."""
    by_class = {p.slot.index: (p.low, p.high) for p in found if p.slot.part == "truth"}
    tied: list[Slot] = [s for s in plan.slots if s.freedom is Freedom.TIED]
    return {s.name: by_class[s.index[-1:]] for s in tied if s.index[-1:] in by_class}


def _walded(fit: Fit, level: float) -> Fit:
    """Estimate plus and minus a multiple of its standard error, kept within 0 and 1; none on a boundary."""
    z = float(ndtri(0.5 + level / 2))
    ends: dict[ParameterName, tuple[float, float] | str] = {}
    for e in fit.estimates:
        value, se = e.estimate.value, e.estimate.se
        if value is None:
            continue
        if se is None:
            ends[e.name] = _ON_THE_EDGE if fit.degenerate else _NO_ERROR
        elif e.name.name == "b":
            ends[e.name] = (value - z * se, value + z * se)
        else:
            ends[e.name] = (max(value - z * se, 0.0), min(value + z * se, 1.0))
    return _with_intervals(fit, ends, "wald", level)


def _percentiles(fit: Fit, level: float) -> Fit:
    """Percentile intervals from the re-draws, called what these are."""
    draws, kind = (fit.draws.values, fit.draws.kind) if fit.draws else ({}, "bootstrap")
    ends, findings = percentiles(fit, draws, level)
    fit = _with_intervals(fit, ends, kind, level)
    return replace(fit, findings=(*fit.findings, *findings))
