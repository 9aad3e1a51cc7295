"""From draws to the fit that is reported: summaries, densities, whether the chains have settled (models.md §5.5)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import (
    MOST_RHAT,
    Curve,
    Draws,
    Fit,
    FitFinding,
    Identification,
    LogLikelihood,
    Mode,
    ParameterEstimate,
    Posterior,
    SampledPosterior,
    Status,
    Summary,
)
from tapdesk.fitting.fit_summary import kappa, krits, match_rates
from tapdesk.fitting.sampling.hmc import ChainDraws, split_rhat
from tapdesk.fitting.sampling.target import ModelTarget
from tapdesk.fitting.undetermined import left_to_the_prior, prior_answers, verdict_of_ratings
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.design import Design, Freedom
from tapdesk.models.model import Accuracy, Truth
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.models.space import can_switch
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

_POINTS = 512
# Two peaks are two when the density between them falls below this part of the lower one, and each holds this mass.
_DIP = 0.7
_LEAST_MASS = 0.02

# Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021), Bayesian Analysis 16(2): R-hat below 1.01 and at least 400
# effective draws in bulk and tails.
LEAST_DRAWS = 400.0
# arviz-stats goes through numbers one by one; of very many only the worst by split R-hat are looked at so closely.
_MOST_NUMBERS = 300
ESTIMATOR = "posterior"
_FOR_SUBJECTS = 400
_QUICK_CELLS = 1e8
_CHUNK = 4_000_000


def summarise(name: ParameterName, draws: FloatArray, level: float, worth: float) -> tuple[Summary, Curve]:
    """Summary and density of one number.

    Parameters
    ----------
    name
        The number; all but slopes, mu and omega lie between 0 and 1.
    draws
        Shape (n,).
    level
        Mass of the shortest interval.
    worth
        How many independent draws they are worth; decides how much the density is smoothed.
    """
    # As in `diagnosis`: loads scipy.stats.
    from arviz_stats.base.array import array_stats

    stats: Any = array_stats
    q05, q25, median, q75, q95 = np.quantile(draws, (0.05, 0.25, 0.5, 0.75, 0.95)).tolist()
    low, high = np.asarray(stats.hdi(draws, level)).tolist()
    density = smoothed(draws, worth, bounded=name.name not in {"b", "mu", "omega"})
    mean, sd = float(draws.mean()), float(draws.std(ddof=1))
    return Summary(name, mean, sd, median, q05, q25, q75, q95, low, high, modes(density)), density


def smoothed(draws: FloatArray, worth: float, *, bounded: bool) -> Curve:
    """Kernel density of draws (n,), Silverman's width for so many independent ones; mirrored at 0 and 1 if bounded."""
    sd = float(draws.std())
    spread = min(sd, float(np.subtract(*np.quantile(draws, (0.75, 0.25)))) / 1.34) or sd
    if spread == 0:
        return Curve(np.array([draws[0]]), np.array([np.inf]))
    width = 1.06 * spread * max(worth, 10.0) ** -0.2
    low, high = float(draws.min()) - 3 * width, float(draws.max()) + 3 * width
    if bounded:
        low, high = max(low, 0.0), min(high, 1.0)
    edges = np.linspace(low, high, _POINTS + 1)
    counts = np.histogram(draws, edges)[0].astype(np.float64)
    step = float(edges[1] - edges[0])
    reach = int(np.ceil(4 * width / step))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) * step / width) ** 2)
    wide = np.convolve(counts, kernel / kernel.sum())
    inner = wide[reach : reach + _POINTS].copy()
    if bounded and low == 0.0:
        _fold(inner, wide[:reach][::-1])
    if bounded and high == 1.0:
        _fold(inner[::-1], wide[reach + _POINTS :])
    return Curve((edges[1:] + edges[:-1]) / 2, inner / (counts.sum() * step))


def _fold(inner: FloatArray, outside: FloatArray) -> None:
    """What the kernel put beyond an edge comes back, nearest first."""
    n = min(inner.size, outside.size)
    inner[:n] += outside[:n]


def modes(density: Curve) -> tuple[Mode, ...]:
    """The peaks of a density, the heaviest first; a peak in the first or last cell of [0, 1] stands at 0 or 1."""
    x, d = density.x, density.density
    if x.size == 1:
        return (Mode(float(x[0]), 1.0),)
    rise = np.diff(d) > 0
    turns: NDArray[np.int64] = np.flatnonzero(rise[:-1] & ~rise[1:]) + 1
    peaks = ([] if rise[0] else [0]) + turns.tolist() + ([d.size - 1] if rise[-1] else [])
    run = np.cumsum(d) / d.sum()
    while len(peaks) > 1:
        dips = [a + int(d[a : b + 1].argmin()) for a, b in pairwise(peaks)]
        depth = [d[c] / min(d[a], d[b]) for c, (a, b) in zip(dips, pairwise(peaks), strict=True)]
        masses = np.diff(np.concatenate([[0.0], run[dips], [1.0]]))
        k, light = int(np.argmax(depth)), int(masses.argmin())
        if depth[k] > _DIP:
            peaks.pop(k if d[peaks[k]] < d[peaks[k + 1]] else k + 1)
        elif masses[light] < _LEAST_MASS:
            peaks.pop(light)
        else:
            break
    cuts = [a + int(d[a : b + 1].argmin()) for a, b in pairwise(peaks)]
    masses = np.diff(np.concatenate([[0.0], run[cuts], [1.0]]))
    half = float(x[1] - x[0]) / 2
    rows = [Mode(_edge(float(x[k]), half), float(m)) for k, m in zip(peaks, masses, strict=True)]
    return tuple(sorted(rows, key=lambda mode: -mode.mass))


def _edge(at: float, half: float) -> float:
    if abs(at - half) < 1e-12:
        return 0.0
    return 1.0 if abs(1 - at - half) < 1e-12 else at


def summaries(
    values: Mapping[ParameterName, FloatArray], level: float, worth: float, sign: Step
) -> Run[tuple[tuple[Summary, ...], dict[ParameterName, Curve]]]:
    """Summaries and densities of all numbers, in their order, with a sign of life after each."""
    rows, curves = [], {}
    for name, draws in values.items():
        row, curves[name] = summarise(name, draws, level, worth)
        rows.append(row)
        yield sign
    return tuple(rows), curves


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The worst of every kind over all reported numbers.

    Attributes
    ----------
    rhat
        Rank-normalised split R-hat.
    ess_bulk, ess_tail
        Effective draws for the centre and for the 5 % and 95 % quantiles.
    mcse
        Largest Monte Carlo standard error of a mean, on the scale of the number.
    divergences
        After warm-up.
    worst
        The number with the largest R-hat.
    """

    rhat: float
    ess_bulk: float
    ess_tail: float
    mcse: float
    divergences: int
    worst: ParameterName | None

    @property
    def settled(self) -> bool:
        """Whether the draws may be reported."""
        enough = self.ess_bulk >= LEAST_DRAWS and self.ess_tail >= LEAST_DRAWS
        return self.rhat <= MOST_RHAT and enough and self.divergences == 0

    def finding(self) -> FitFinding | None:
        """What must be said where the sampler has not settled, else None."""
        if self.settled:
            return None
        message = ngettext(
            "The sampler has not settled: do not report these numbers. The chains differ by R-hat {rhat:.3f} (at most "
            "{most:g} is wanted{where}), the draws are worth {bulk:.0f} independent ones in the middle and {tail:.0f} "
            "in the tails (at least {least:.0f}), and {divergences} trajectory went astray (none should).",
            "The sampler has not settled: do not report these numbers. The chains differ by R-hat {rhat:.3f} (at most "
            "{most:g} is wanted{where}), the draws are worth {bulk:.0f} independent ones in the middle and {tail:.0f} "
            "in the tails (at least {least:.0f}), and {divergences} trajectories went astray (none should).",
            self.divergences,
        ).format(
            rhat=self.rhat,
            most=MOST_RHAT,
            where="" if self.worst is None else _("; worst for {worst}").format(worst=self.worst),
            bulk=self.ess_bulk,
            tail=self.ess_tail,
            least=LEAST_DRAWS,
            divergences=self.divergences,
        )
        fix = _("Sample longer (more draws), or choose a model with fewer parameters.")
        return FitFinding("sampler_not_settled", "ask", message, fix)


def _parts_of_arviz() -> Iterator[ModuleType]:
    """What arviz-stats loads, which takes a second: part by part, so that a window can answer in between."""
    import scipy.linalg

    yield scipy.linalg
    import scipy.sparse.linalg

    yield scipy.sparse.linalg
    import scipy.optimize

    yield scipy.optimize
    import scipy.interpolate

    yield scipy.interpolate
    import scipy.ndimage

    yield scipy.ndimage
    import scipy.stats

    yield scipy.stats
    import scipy.signal

    yield scipy.signal


def diagnostics(sampled: ChainDraws, names: Sequence[ParameterName], sign: Step) -> Run[Diagnosis]:
    """Diagnostics of draws of all reported numbers, by arviz-stats.

    Parameters
    ----------
    sampled
        The draws, relabelled.
    names
        The S reported numbers.
    sign
        What is yielded between two pieces of the work.
    """
    for _part in _parts_of_arviz():
        yield sign
    from arviz_stats.base.array import array_stats

    stats: Any = array_stats
    values = sampled.values
    if values.shape[2] == 0:
        return Diagnosis(1.0, np.inf, np.inf, 0.0, sampled.divergences, None)
    plain = split_rhat(values)
    look = np.sort(np.argsort(-plain, kind="stable")[:_MOST_NUMBERS])
    some = np.ascontiguousarray(np.moveaxis(values[..., look], 2, 0))
    items = []
    for x in some:
        # arviz-stats warns where a quantile is a constant, and so would draws that stand still; R-hat catches them.
        tail = stats.ess(x, chain_axis=0, draw_axis=1, method="tail", prob=(0.05, 0.95))
        items.append((stats.rhat(x, chain_axis=0, draw_axis=1), stats.ess(x, chain_axis=0, draw_axis=1), tail))
        yield sign
    rhat, bulk, tail = np.array(items, dtype=np.float64).T
    rhat = np.where(np.isfinite(rhat), rhat, np.where(some.std(axis=(1, 2)) > 0, np.inf, 1.0))
    bulk, tail = (np.where(np.isfinite(e), e, 0.0) for e in (bulk, tail))
    mcse = some.std(axis=(1, 2)) / np.sqrt(np.maximum(bulk, 1.0))
    worst = names[int(look[int(rhat.argmax())])]
    return Diagnosis(
        float(rhat.max()), float(bulk.min()), float(tail.min()), float(mcse.max()), sampled.divergences, worst
    )


@dataclass(frozen=True, slots=True)
class SummaryRequest:
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


def summarise_draws(
    target: ModelTarget,
    sampled: ChainDraws,
    names: tuple[ParameterName, ...],
    ratings: Ratings,
    request: SummaryRequest,
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
    request
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
    sign = Step(request.trajectories, request.trajectories, "sampling")
    worst = yield from diagnostics(sampled, names, sign)
    posterior, draws = yield from account(sampled, names, worst, request.level, sign)
    point = _mean(target, flat)
    yield sign
    stack = Stack.of([point])
    level = float(evidence.expect(stack).log_likelihood[0])
    says = yield from verdict_of_ratings(plan, evidence, point, sign)
    return Fit(
        model=plan.space.model,
        estimator=ESTIMATOR,
        seed=request.seed,
        classes=plan.classes,
        raters=plan.units if plan.space.model.by_rater else (),
        parameters=point,
        estimates=left_to_the_prior(estimates_of(plan, point, posterior, request.level), says, plan),
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
        interval=(ESTIMATOR, request.level),
        findings=_findings(plan, says, worst, posterior.summaries),
        subject_posterior=_subjects(target, flat) if request.subjects else None,
        draws=draws,
        posterior=posterior,
        starts=sampled.at.shape[0],
        slots=plan.slots,
    )


def account(
    sampled: ChainDraws, names: tuple[ParameterName, ...], worst: Diagnosis, level: float, sign: Step
) -> Run[tuple[SampledPosterior, Draws]]:
    """The posterior's own account of itself, and its draws by parameter; ``sign`` is yielded between two pieces."""
    flat = sampled.values.reshape(-1, len(names))
    values: Mapping[ParameterName, FloatArray] = MappingProxyType(
        {name: np.ascontiguousarray(flat[:, s]) for s, name in enumerate(names)}
    )
    rows, curves = yield from summaries(values, level, worst.ess_bulk, sign)
    draws = Draws("posterior", values)
    sentence = SampledPosterior(
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
    return sentence, draws


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
        _("Belief is so lopsided that the shortest interval does not hold its mean; read the quantiles.")
    )


def estimates_of(plan: Design, point: Parameters, posterior: Posterior, level: float) -> tuple[ParameterEstimate, ...]:
    """Every reported number as the posterior has it; what is held stands as it is at the point."""
    by_name = {s.name: s for s in posterior.summaries}
    sentences = []
    for slot in plan.slots:
        summary = by_name.get(slot.name)
        value = slot.value(point)
        estimate = Estimate(value) if summary is None else estimate_of(summary, level)
        sentences.append(ParameterEstimate(slot.name, slot.freedom, estimate))
    return tuple(sentences)


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
    items = [] if unsettled is None else [unsettled]
    open_ = prior_answers(says)
    if open_ is not None:
        items.append(open_)
    if can_switch(space):
        message = _(
            "The names of the true classes could be switched and fit as well. The numbers are told in the "
            "naming in which {raters} are right more often than in any other; the data cannot choose it."
        )
        items.append(FitFinding("labels_by_convention", "note", message))
    if space.model.accuracy is Accuracy.REGRESSION:
        message = _(
            "The prior: every accuracy is equally probable at the mean of the covariates, and slopes are "
            "normal about 0 with standard deviation 2.5 on the logit scale, for a covariate in units of "
            "its own standard deviation."
        )
        items.append(FitFinding("slope_prior", "note", message))
    two = [row.name.as_message() for row in rows if len(row.modes) > 1]
    if two:
        message = _("Belief has more than one peak ({two}): no single number describes it.").format(
            two=joined(*two[:6], sep=", ")
        )
        items.append(FitFinding("several_modes", "ask", message, _("Report the peaks with their shares.")))
    if space.model.truth is Truth.OBSERVED:
        message = _("The true rates were set to the observed rates, not estimated, so the intervals are too narrow.")
        items.append(FitFinding("rates_from_data", "note", message))
    return tuple(items)


def reported(plan: Design) -> tuple[ParameterName, ...]:
    """The numbers that are told with draws: all but the fixed ones."""
    return tuple(s.name for s in plan.slots if s.freedom is not Freedom.FIXED)


def numbers(plan: Design, stack: Stack) -> FloatArray:
    """Shape (B, S): the reported numbers of points."""
    columns = [s.column(stack) for s in plan.slots if s.freedom is not Freedom.FIXED]
    return np.stack(columns, axis=1) if columns else np.zeros((stack.size, 0))
