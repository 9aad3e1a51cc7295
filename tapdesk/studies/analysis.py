"""One analysis from request to fit: the method that answers, the estimate, its intervals, its re-draws."""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from scipy.special import ndtri

from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.accuracy_range import with_accuracy_range
from tapdesk.fitting.em import ExactEM, MomentEM
from tapdesk.fitting.fit import Draws, Fit, FitFinding, ParameterEstimate
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.fitting.priors import Dirichlet, Prior
from tapdesk.fitting.profile import Profile, profiles
from tapdesk.fitting.rating_shares import drawn_shares, profiled_shares
from tapdesk.fitting.undetermined import GUESSING_ALONE
from tapdesk.language import Number, RaterName, joined, ngettext, same_sentence
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom, Slot, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Ordered, RaterModel, model
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.upside_down import upside_down

INTERVALS = ("profile", "wald", "bootstrap", "parametric-bootstrap", "none")
ESTIMATORS = ("exact-em", "moment-em", "posterior")
COVERAGE_KINDS = ("profile", "wald", "bootstrap", "parametric-bootstrap", "posterior")
"""The intervals whose coverage can be simulated."""
# Data sets of each cell where none are named: those asked of the program one by one take half a second each.
COVERAGE_SETS = (2000, 50)
"""Data sets of each cell of a study of coverage: of profile intervals, of the others."""
SHARE_SETS = 2000
"""Panels of each cell of the study of the two shares of a rating that cannot be counted through."""
BELIEF_SETS = 400
"""Data sets of each panel of the study of beliefs about cases."""
# More only narrow the error of the simulation.
GRID_SETS = (1, 5, 20)
"""Data sets of each cell of a grid that can be asked for."""

_ZERO = 1e-6
# Slopes, discriminations and cut points are no probabilities.
_UNBOUNDED = frozenset({"b", "d", "tau"})
_MOST_LOOKED_AT = 200_000  # ratings
_OTHER_WAY = _(
    "These {ratings} go the other way round, so neither what they know nor what they guess can be told until it is "
    "known why."
)
CONTRADICTED = _("Some {raters} contradict the others here, so one number for all of them would say nothing.")
"""Why a panel has no accuracy of its own."""
__all__ = ["CONTRADICTED", "INTERVALS", "Request", "analyse", "refusal"]
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


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for: the same request on the same ratings gives the same fit.

    Attributes
    ----------
    model, estimator, interval, level, replicates, seed
        As on the command line (cli.md); ``bootstrap`` re-draws subjects, ``parametric-bootstrap`` draws data sets from
        the fitted model on the same design.
    subjects
        Whether the posterior of every subject is wanted.
    redraws
        Whether bootstrap distributions are wanted although the intervals are of another kind.
    tests
        Whether tests by parametric bootstrap are wanted.
    priors, chains, draws, sharpness
        Of a posterior.
    pool
        Whether raters are drawn from one population; of a posterior.
    moment_prior
        Of moment E-M: ``average`` or ``flat``.

    Raises
    ------
    UsageError
        When a value makes no sense; it stands in the sentence.
    """

    model: RaterModel
    estimator: str = "exact-em"
    interval: str = "profile"
    level: float = 0.95
    replicates: int = 2000
    seed: int = 1
    subjects: bool = False
    redraws: bool = False
    tests: bool = False
    priors: tuple[Prior | Dirichlet, ...] = ()
    chains: int = 16
    draws: int = 800
    sharpness: float = 30.0
    moment_prior: str = "average"
    pool: bool = False

    def __post_init__(self) -> None:
        for what, value, known in (
            ("interval", self.interval, INTERVALS),
            ("estimator", self.estimator, ESTIMATORS),
        ):
            if value not in known:
                raise UsageError(
                    _("There is no {what} '{value}'.").format(what=what, value=value),
                    fix=_("Choose one of {known}.").format(known=", ".join(known)),
                )
        if not 0 < self.level < 1:
            raise UsageError(
                _("The level {level} is not between 0 and 1.").format(level=self.level), fix=_("A usual level is 0.95.")
            )
        if self.replicates < 1:
            raise UsageError(
                ngettext(
                    "{replicates} resample is too few.", "{replicates} resamples are too few.", self.replicates
                ).format(replicates=self.replicates),
                fix=_("A usual number is 2000."),
            )
        if self.seed < 0:
            raise UsageError(
                _("The random start {seed} is below 0.").format(seed=self.seed),
                fix=_("Choose a whole number of at least 0."),
            )


class Method(Protocol):
    """A way to fit a model, as a value."""

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why it cannot fit this model to these ratings, one sentence; None when it can."""

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Fit the model."""


def method_for(request: Request, ratings: Ratings) -> Method:
    """The method for a request; the exact posterior where there is one, else sampling.

    Raises
    ------
    UsageError
        When there is no such estimator, or priors are given to one that has none.
    """
    estimator = request.estimator
    if estimator != "posterior" and request.priors:
        raise UsageError(_("Priors belong to beliefs only."), fix=_("Add --estimator posterior."))
    if estimator == "exact-em":
        return ExactEM()
    if estimator == "moment-em":
        return MomentEM(prior=request.moment_prior)
    return _posterior(request, ratings)


def _posterior(request: Request, ratings: Ratings) -> Method:
    # Late: a posterior is asked for rarely, and its machinery is a third of all that can be loaded.
    if request.pool:
        from tapdesk.fitting.sampling.pooled_fit import PooledSampling

        return PooledSampling(request.chains, request.draws, request.level, request.subjects)
    from tapdesk.fitting.quadrature.method import Quadrature
    from tapdesk.fitting.sampling.method import Sampling

    betas = tuple(p for p in request.priors if isinstance(p, Prior))
    exact = Quadrature(betas, request.level, request.subjects)
    if exact.refuses(request.model, ratings) is None and not any(isinstance(p, Dirichlet) for p in request.priors):
        return exact
    return Sampling(
        chains=request.chains,
        draws=request.draws,
        priors=request.priors,
        level=request.level,
        subjects=request.subjects,
        sharpness=request.sharpness,
    )


def with_opposed_panels(fit: Fit, ratings: Ratings) -> Run[Fit]:
    """The fit, with a finding where raters at accuracy 0 are no guessers but contradict the others.

    A model with accuracies cannot tell a rater who is wrong on purpose from one who guesses: both get 0. The
    unrestricted table of rates can, and its sensitivity + specificity - 1 (Youden's J) is told beside it.

    Parameters
    ----------
    fit
        Of a model with one accuracy for each rater, which then have no accuracy; or with one for all, of which it is
        not said that guessing explains them. Others are returned as they are.
    ratings
        The data.
    """
    turned = upside_down(ratings) if ratings.subject.size < _MOST_LOOKED_AT else ()
    if fit.model.accuracy is Accuracy.ONE and turned:
        return _without_luck(fit)
    if fit.model.accuracy is not Accuracy.PER_RATER or len(fit.classes) != 2 or not turned:
        return fit
    at_zero = np.intersect1d(np.flatnonzero(fit.parameters.accuracy[:, 0] < _ZERO), turned)
    method = ExactEM()
    saturated = model("dawid-skene")
    if not at_zero.size or method.refuses(saturated, ratings):
        return fit
    free = yield from method.run(saturated, ratings, fit.seed)
    rates = free.parameters.guessing
    youden = rates[:, 1, 1] + rates[:, 0, 0] - 1
    against = [int(j) for j in at_zero if youden[j] < 0]
    if not against:
        return fit
    sentence = joined(
        *(
            _("{rater} ({youden})").format(rater=RaterName(fit.raters[j]), youden=Number(f"{youden[j]:+.2f}"))
            for j in against[:8]
        ),
        sep=", ",
    )
    message = _(
        "These {raters} seem to use the scale the other way round, or to answer another question: {told}. The number "
        "is sensitivity + specificity − 1 where nothing holds it above 0."
    ).format(told=sentence)
    finding = FitFinding("two_camps", "ask", message, _("Ask whether they used the scale upside-down (1 = best?)."))
    names = {fit.raters[j] for j in against}
    estimates = tuple(
        replace(e, estimate=undefined(_OTHER_WAY)) if e.name.name in {"a", "p"} and e.name.rater in names else e
        for e in fit.estimates
    )
    return replace(fit, estimates=estimates, findings=(*fit.findings, finding))


def _without_luck(fit: Fit) -> Fit:
    """A fit of one accuracy that guessing explains as well: raters who contradict each other look like that too."""

    def luck(e: ParameterEstimate) -> bool:
        estimate = e.estimate
        at_zero = e.name.name == "a" and estimate.value is not None and estimate.value < _ZERO
        return at_zero or same_sentence(estimate.undefined, GUESSING_ALONE)

    estimates = tuple(replace(e, estimate=undefined(CONTRADICTED)) if luck(e) else e for e in fit.estimates)
    return replace(fit, estimates=estimates)


def refusal(ratings: Ratings, request: Request) -> str | None:
    """Why the method cannot fit the model to these ratings, one sentence; None when it can."""
    return method_for(request, ratings).refuses(request.model, ratings)


def analyse(
    ratings: Ratings, request: Request, only: Collection[str] | None = None, *, shares: bool = True
) -> Run[Fit]:
    """Fit a model and find the intervals asked for.

    Parameters
    ----------
    ratings, request
        The data, and what is asked of them.
    only
        Names of the parameters whose profile intervals are wanted, such as ``a``; by default all.
    shares
        Whether `Fit.shares` are wanted; where only parameters are looked at they would cost as much again.

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
    fit = yield from method_for(request, ratings).run(request.model, ratings, request.seed)
    if fit.estimator == "exact-em":
        fit = yield from _with_uncertainty(fit, ratings, request, only, shares=shares and only is None)
    elif request.estimator == "posterior":
        fit = yield from _with_its_maximum(drawn_shares(fit), ratings)
    elif fit.estimator == "moment-em" and request.interval != "none":
        fit = replace(fit, findings=(*fit.findings, _NO_INTERVALS))
    yield Step(1, 1, "check")
    return replace(fit, seconds=time.perf_counter() - began)


def _with_its_maximum(fit: Fit, ratings: Ratings) -> Run[Fit]:
    """A posterior with the likelihood, and what is worked out from it, of the maximum: its mean may fit nothing."""
    method = ExactEM()
    if method.refuses(fit.model, ratings):
        return fit
    best = yield from method.run(fit.model, ratings, fit.seed)
    return replace(
        fit, log_likelihood=best.log_likelihood, krits=best.krits, match_rates=best.match_rates, kappa=best.kappa
    )


def _with_uncertainty(
    fit: Fit, ratings: Ratings, request: Request, only: Collection[str] | None, *, shares: bool
) -> Run[Fit]:
    """A maximum with its intervals, re-draws and subjects."""
    fit = yield from with_opposed_panels(fit, ratings)
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
        # Here and below: what simulates is loaded when it is asked for, a quarter of what a fit would load.
        from tapdesk.studies.bootstrap import parametric_redraws

        drawn = yield from parametric_redraws(request.model, ratings, origins, request.replicates, request.seed)
        fit = _percentiles(replace(fit, draws=Draws(request.interval, drawn)), request.level)
    elif request.interval == "bootstrap" or request.redraws:
        from tapdesk.studies.bootstrap import redraws

        draws = yield from redraws(plan, evidence, origins, request.replicates, request.seed)
        fit = replace(fit, draws=Draws("bootstrap", draws))
        if request.interval == "bootstrap":
            fit = _percentiles(fit, request.level)
    if request.interval != "none" and shares:
        # Re-draws of a fit on the edge coincide, so these intervals come from the likelihood whatever the others do.
        fit = yield from profiled_shares(plan, evidence, fit, origins)
        fit = yield from with_accuracy_range(fit, ratings, request.level)
    if request.tests:
        from tapdesk.studies.chance import with_tests

        fit = yield from with_tests(fit, ratings, min(request.replicates, _TEST_DRAWS), request.seed)
    if request.subjects:
        fit = replace(fit, subject_posterior=(yield from _believed(fit, ratings, plan, evidence)))
    return fit


def _believed(fit: Fit, ratings: Ratings, plan: Design, evidence: Evidence) -> Run[FloatArray]:
    """Shape (N, K): probability of each class of each case; averaged over what is left open, where numbers are."""
    if not fit.rates_known or not fit.converged or fit.model.ordered is not Ordered.NONE:
        # Where nothing is averaged over lines between classes, their estimates are taken as known.
        return subject_posterior(fit, plan, evidence)
    from tapdesk.fitting.averaged import averaged_posterior  # late, as above

    return (yield from averaged_posterior(ratings, plan, evidence, fit.parameters, fit.seed))


def _with_intervals(fit: Fit, ends: dict[ParameterName, tuple[float, float] | str], how: str, level: float) -> Fit:
    """The fit with intervals, or the reasons why there are none, by parameter."""
    sentences = []
    for e in fit.estimates:
        estimate = e.estimate
        if e.freedom is not Freedom.FIXED and estimate.value is not None:
            result = ends.get(e.name, "")
            if isinstance(result, str):
                estimate = estimate.without_interval(result) if result else estimate
            else:
                estimate = _between(estimate, result, level, how)
        sentences.append(ParameterEstimate(e.name, e.freedom, estimate))
    return replace(fit, estimates=tuple(sentences), interval=(how, level))


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
    result = yield from profiles(plan, evidence, origins, fit.log_likelihood.ratings, wanted, level)
    ends: dict[ParameterName, tuple[float, float] | str] = {p.slot.name: (p.low, p.high) for p in result}
    ends |= _tied(plan, result)
    return replace(_with_intervals(fit, ends, "profile", level), profiles=result)


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
        sentence = FitFinding(
            "interval_changed",
            "note",
            _(
                "{began} The intervals are Wald intervals: the estimate plus and minus a multiple of its "
                "standard error. Where few {ratings} stand behind a number they are less exact."
            ).format(began=began),
            _("Ask for intervals from resamples to compare."),
        )
    else:
        reason = (
            _("some numbers lie on the edge of what is possible, where standard errors do not hold")
            if fit.degenerate
            else _("their standard errors would take very long as well")
        )
        sentence = FitFinding(
            "no_intervals",
            "ask",
            _("{began} Wald intervals cannot take their place, because {reason}. So there are no intervals.").format(
                began=began, reason=reason
            ),
            _("Ask for intervals from resamples, or choose a model with fewer numbers, such as t-aj-pj."),
        )
    return replace(fit, findings=(*fit.findings, sentence))


def _tied(plan: Design, result: tuple[Profile, ...]) -> dict[ParameterName, tuple[float, float]]:
    """Guessing tied to truth has the truth's interval."""
    by_class = {p.slot.index: (p.low, p.high) for p in result if p.slot.part == "truth"}
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
        elif e.name.name in _UNBOUNDED:
            ends[e.name] = (value - z * se, value + z * se)
        else:
            ends[e.name] = (max(value - z * se, 0.0), min(value + z * se, 1.0))
    return _with_intervals(fit, ends, "wald", level)


def _percentiles(fit: Fit, level: float) -> Fit:
    """Percentile intervals from the re-draws, called what these are."""
    from tapdesk.studies.bootstrap import percentiles

    draws, kind = (fit.draws.values, fit.draws.kind) if fit.draws else ({}, "bootstrap")
    ends, findings = percentiles(fit, draws, level)
    fit = _with_intervals(fit, ends, kind, level)
    return replace(fit, findings=(*fit.findings, *findings))
