"""From draws to the fit that is told."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.at_maximum import left_to_the_prior, prior_answers, verdict_of_ratings
from tapdesk.fitting.derived import kappa, krits, match_rates
from tapdesk.fitting.fit import Draws, Fit, FitFinding, Identification, LogLikelihood, ParameterEstimate, Status
from tapdesk.fitting.posterior import Summary
from tapdesk.fitting.sampling.chains import Sampled
from tapdesk.fitting.sampling.diagnosis import Diagnosis, SampledPosterior, diagnosed
from tapdesk.fitting.sampling.summary import summaries
from tapdesk.fitting.sampling.target import ModelTarget
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.design import Design
from tapdesk.models.labelling import can_switch
from tapdesk.models.model import Accuracy, Truth
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

ESTIMATOR = "posterior"
_FOR_SUBJECTS = 400
_QUICK_CELLS = 1e8
_CHUNK = 4_000_000


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a request concerns the telling.

    Attributes
    ----------
    level
        Of the intervals.
    seed
        Of the draws.
    subjects
        Whether their classes are wanted.
    trajectories
        Of each chain, warm-up included.
    """

    level: float
    seed: int
    subjects: bool
    trajectories: int


def tell_sampled(
    target: ModelTarget, sampled: Sampled, names: tuple[ParameterName, ...], ratings: Ratings, asked: Asked
) -> Run[Fit]:
    """The fit of a sampled model: posterior means with shortest intervals, and how far they may be trusted.

    Parameters
    ----------
    target
        The density, with the tabulated data.
    sampled
        The draws, relabelled.
    names
        The reported numbers, in the order of ``sampled.values``.
    ratings
        The data.
    asked
        What is wanted.

    Raises
    ------
    CannotAnswerError
        When no chain ever moved, so that there are no draws to speak of.
    """
    plan, evidence = target.plan, target.evidence
    flat = sampled.at.reshape(-1, target.size)
    if not np.isfinite(flat).all():
        raise CannotAnswerError(_("The sampler lost its way on these data."), fix=_("Choose a simpler model."))
    sign = Step(asked.trajectories, asked.trajectories, "sampling")
    worst = yield from diagnosed(sampled, names, sign)
    posterior, draws = yield from account(sampled, names, worst, asked.level, sign)
    point = _mean(target, flat)
    yield sign
    stack = Stack.of([point])
    level = float(evidence.expect(stack).log_likelihood[0])
    says = yield from verdict_of_ratings(plan, evidence, point, sign)
    by_name = {s.name: s for s in posterior.summaries}
    return Fit(
        model=plan.space.model,
        estimator=ESTIMATOR,
        seed=asked.seed,
        classes=plan.classes,
        raters=plan.units if plan.space.model.by_rater else (),
        parameters=point,
        estimates=left_to_the_prior(_estimates(plan, point, by_name, asked.level), says, plan),
        log_likelihood=LogLikelihood(level, level + plan.patterns.log_multinomial),
        free=plan.space.free,
        subjects=ratings.subject_count,
        ratings=ratings.rating_count,
        krits=krits(evidence, point, level),
        match_rates=match_rates(point),
        kappa=kappa(point),
        status=status(worst, says),
        converged=worst.settled,
        iterations=sampled.steps,
        identification=says,
        active_bounds=(),
        trace=(),
        optima=(),
        interval=(ESTIMATOR, asked.level),
        findings=_findings(plan, says, worst, posterior.summaries),
        subject_posterior=_subjects(target, flat) if asked.subjects else None,
        draws=draws,
        posterior=posterior,
        starts=sampled.at.shape[0],
        slots=plan.slots,
    )


def account(
    sampled: Sampled, names: tuple[ParameterName, ...], worst: Diagnosis, level: float, sign: Step
) -> Run[tuple[SampledPosterior, Draws]]:
    """The posterior's own account of itself, and its draws by parameter; ``sign`` is yielded between two pieces."""
    flat = sampled.values.reshape(-1, len(names))
    values: Mapping[ParameterName, FloatArray] = MappingProxyType(
        {name: np.ascontiguousarray(flat[:, s]) for s, name in enumerate(names)}
    )
    rows, curves = yield from summaries(values, level, worst.ess_bulk, sign)
    draws = Draws("posterior", values)
    told = SampledPosterior(
        method="hmc",
        summaries=rows,
        level=level,
        error=worst.mcse,
        rhat=worst.rhat,
        ess_bulk=worst.ess_bulk,
        ess_tail=worst.ess_tail,
        divergences=worst.divergences,
        marginals=MappingProxyType(curves),
        sample=draws,
        settled=worst.settled,
        chains=sampled.at.shape[0],
        accepted=sampled.accepted,
    )
    return told, draws


def status(worst: Diagnosis, says: Identification) -> Status:
    """How a sampled fit ended."""
    if not worst.settled:
        return Status.NOT_SETTLED
    return Status.SETTLED if says.identified else Status.NOT_IDENTIFIED


def estimate_of(summary: Summary, level: float) -> Estimate:
    """Posterior mean, standard deviation and shortest interval."""
    estimate = Estimate(summary.mean, se=summary.sd)
    if summary.hdi_low <= summary.mean <= summary.hdi_high:
        return estimate.between(summary.hdi_low, summary.hdi_high, level, ESTIMATOR)
    return estimate.without_interval(
        _("The posterior is so lopsided that the shortest interval does not hold its mean; read the quantiles.")
    )


def _estimates(
    plan: Design, point: Parameters, by_name: Mapping[ParameterName, Summary], level: float
) -> tuple[ParameterEstimate, ...]:
    told = []
    for slot in plan.slots:
        summary = by_name.get(slot.name)
        value = float(getattr(point, slot.part)[slot.index])
        estimate = Estimate(value) if summary is None else estimate_of(summary, level)
        told.append(ParameterEstimate(slot.name, slot.freedom, estimate))
    return tuple(told)


def _portions(target: ModelTarget, flat: FloatArray) -> list[FloatArray]:
    """Coordinates in portions whose points fit the memory."""
    space = target.plan.space
    width = int(np.prod(space.guessing_shape)) + int(np.prod(space.accuracy_shape)) + space.classes
    rows = max(_CHUNK // width, 1)
    return [flat[i : i + rows] for i in range(0, flat.shape[0], rows)]


def _mean(target: ModelTarget, flat: FloatArray) -> Parameters:
    """The mean of all draws; slopes are averaged and accuracies follow from them."""
    sums = [np.zeros(0)] * len(fields(Stack))
    for at in _portions(target, flat):
        stack = target.points(at)
        parts = [getattr(stack, f.name).sum(axis=0) for f in fields(Stack)]
        sums = [s + p if s.size else p for s, p in zip(sums, parts, strict=True)]
    mean = Stack(*(s[None] / flat.shape[0] for s in sums))
    return target.plan.space.settle(mean).one(0)


def _subjects(target: ModelTarget, flat: FloatArray) -> FloatArray:
    """Shape (N, K): probability of each class of each subject, averaged over evenly chosen draws."""
    patterns = target.plan.patterns
    n = flat.shape[0]
    # All draws where that is quick: few of them would add an error of their own to the probabilities.
    wanted = max(_FOR_SUBJECTS, int(_QUICK_CELLS // max(patterns.patterns * patterns.classes, 1)))
    chosen = flat[np.unique(np.linspace(0, n - 1, min(n, wanted)).astype(np.int64))]
    rows = max(_CHUNK // max(patterns.patterns * patterns.classes, 1), 1)
    total = np.zeros((patterns.classes, patterns.patterns))
    for i in range(0, chosen.shape[0], rows):
        total += target.evidence.posterior(target.points(chosen[i : i + rows])).sum(axis=0)
    return np.asarray((total / chosen.shape[0]).T[patterns.of_subject])


def _findings(
    plan: Design, says: Identification, worst: Diagnosis, rows: tuple[Summary, ...]
) -> tuple[FitFinding, ...]:
    """What the reader of the numbers must know."""
    space = plan.space
    unsettled = worst.finding()
    found = [] if unsettled is None else [unsettled]
    open_ = prior_answers(says)
    if open_ is not None:
        found.append(open_)
    if can_switch(space):
        message = _(
            "The names of the true classes could be switched and fit as well. The numbers are told in "
            "the naming in which raters are right more often than in any other; the data cannot choose "
            "it."
        )
        found.append(FitFinding("labels_by_convention", "note", message))
    if space.model.accuracy is Accuracy.REGRESSION:
        message = _(
            "The prior: every accuracy is equally probable at the mean of the covariates, and slopes are "
            "normal about 0 with standard deviation 2.5 on the logit scale, for a covariate in units of "
            "its own standard deviation."
        )
        found.append(FitFinding("slope_prior", "note", message))
    two = [row.name.as_message() for row in rows if len(row.modes) > 1]
    if two:
        message = _("The posterior has more than one peak ({two}): no single number describes it.").format(
            two=joined(*two[:6], sep=", ")
        )
        found.append(FitFinding("several_modes", "ask", message, _("Report the peaks with their shares.")))
    if space.model.truth is Truth.OBSERVED:
        message = _("The true rates were set to the observed rates, not estimated, so the intervals are too narrow.")
        found.append(FitFinding("rates_from_data", "note", message))
    return tuple(found)


def reported(plan: Design) -> tuple[ParameterName, ...]:
    """The numbers that are told with draws: all but the fixed ones."""
    return tuple(s.name for s in plan.slots if s.freedom is not Freedom.FIXED)


def numbers(plan: Design, stack: Stack) -> FloatArray:
    """Shape (B, S): the reported numbers of points."""
    columns = [getattr(stack, s.part)[:, *s.index] for s in plan.slots if s.freedom is not Freedom.FIXED]
    return np.stack(columns, axis=1) if columns else np.zeros((stack.size, 0))
