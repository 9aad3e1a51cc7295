"""The posterior of any model of the catalogue by Hamiltonian Monte Carlo (models.md §5.5; ``ti-aj-P`` of [MRR]: §7)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import (
    Fit,
    FitFinding,
    Identification,
    Krits,
    LogLikelihood,
    SampledPosterior,
)
from tapdesk.fitting.priors import Dirichlet, Prior, prior_counts
from tapdesk.fitting.sampling.hmc import ChainDraws, Whitening, dispersed, laplace, run_chains, scattered
from tapdesk.fitting.sampling.posterior_summary import (
    ESTIMATOR,
    SummaryRequest,
    account,
    diagnostics,
    estimates_of,
    numbers,
    reported,
    status,
    summarise_draws,
)
from tapdesk.fitting.sampling.target import ModelTarget, SmallTarget, Target, has_few_patterns
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.models.design import Design, Freedom, design, unsuited
from tapdesk.models.evidence import TINY, safe_log
from tapdesk.models.model import Ordered, RaterModel, Truth
from tapdesk.models.model import model as by_name
from tapdesk.models.parameters import FloatArray, Parameters
from tapdesk.models.space import Tally, can_switch, canonical
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

_FINE = 64
_CHUNK = 3_000_000

_CLIMB = 60
_GRID = 400
_MOST_CELLS = 2e8
_QUICK_CELLS = 5e7
_MOST_OF_SUBJECTS = 5e8
# Mean accuracies that differ by less than this are told as agreeing.
_ALIKE = 0.1
# E-M steps towards the maximum of the likelihood, and what a step gains that is too little.
_MOST_STEPS, _SETTLED = 5_000, 1e-8


def gauss_rule(sharpness: float, degree: int) -> tuple[FloatArray, FloatArray]:
    """Nodes s and weights, each (G,), of the distribution of sig_d(t), t uniform; exact up to so high a degree.

    By the Lanczos process on a fine rule (Golub & Welsch 1969; Gragg & Harrod 1984). Beyond some fifty ratings fewer
    nodes than exactness asks for are taken, still many for the width of what is integrated.

    Parameters
    ----------
    sharpness
        d, above 0.
    degree
        Largest number of ratings of a subject.

    Raises
    ------
    ValueError
        When d is not a number above 0.
    """
    if not 0 < sharpness < np.inf:
        raise ValueError(f"the sharpness must be a number above 0, not {sharpness}")
    nodes = min(degree // 2 + 1, 16 + int(np.ceil(5 * np.sqrt(degree))))
    s, weight = _fine_rule(sharpness)
    basis = np.zeros((nodes + 1, s.size))
    basis[0] = np.sqrt(weight)
    diagonal, neighbours = np.zeros(nodes), np.zeros(nodes)
    for k in range(nodes):
        new = s * basis[k]
        diagonal[k] = new @ basis[k]
        # Twice is enough: orthogonal to all before, to rounding.
        for _again in range(2):
            new = new - basis[: k + 1].T @ (basis[: k + 1] @ new)
        neighbours[k] = np.linalg.norm(new)
        basis[k + 1] = new / max(neighbours[k], TINY)
    jacobi = np.diag(diagonal) + np.diag(neighbours[:-1], 1) + np.diag(neighbours[:-1], -1)
    at, vectors = np.linalg.eigh(jacobi)
    return np.clip(at, 0.0, 1.0), vectors[0] ** 2


def _fine_rule(sharpness: float) -> tuple[FloatArray, FloatArray]:
    """Composite Gauss-Legendre in t: panels of the width of the curve's bend, wide ones where it is flat."""
    x, w = np.polynomial.legendre.leggauss(_FINE)
    bend = np.array([0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]) / sharpness
    edges = np.unique(np.clip(np.concatenate([0.5 - bend, 0.5 + bend, [0.0, 1.0]]), 0.0, 1.0))
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    t = (middle[:, None] + half[:, None] * x).ravel()
    return np.asarray(expit(sharpness * (t - 0.5))), (half[:, None] * w).ravel()


class SharpenedTarget:
    """Log posterior of logit accuracies (B, J) and its gradient.

    Parameters
    ----------
    plan
        The tabulated binary data, raters told apart.
    sharpness
        d.
    prior
        Pseudo-counts of the accuracies (`priors.prior_counts`).
    """

    def __init__(self, plan: Design, sharpness: float, prior: Tally) -> None:
        patterns = plan.patterns
        self.plan, self.sharpness = plan, sharpness
        self.size: int = patterns.units
        self.rate = float(plan.space.observed[1])
        self._s, self._weight = gauss_rule(sharpness, int(patterns.size.max(initial=1)))
        flat = patterns.pattern.astype(np.int64) * patterns.units + patterns.unit
        shape = (patterns.patterns, patterns.units)
        ones = patterns.category == 1
        self.ones = np.bincount(flat[ones], patterns.count[ones], shape[0] * shape[1]).reshape(shape)
        self.zeros = np.bincount(flat[~ones], patterns.count[~ones], shape[0] * shape[1]).reshape(shape)
        self._given = patterns.totals.sum(axis=1)
        self._hits, self._both = prior.hits[0, :, 0], prior.ratings[0, :, 0]
        self._rows = max(_CHUNK // max(shape[0] * self._s.size, 1), 1)

    def allowed(self, at: FloatArray) -> NDArray[np.bool_]:
        """See `Target.allowed`: labels cannot switch."""
        return np.ones(at.shape[0], dtype=bool)

    def __call__(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Target.__call__`."""
        a = expit(at)
        level, hits = self.expect(a)
        misses = self._both - self._hits
        level = level - np.logaddexp(0, -at) @ self._hits - np.logaddexp(0, at) @ misses
        return level, hits + self._hits - a * (self._given + self._both)

    def climbed(self, a: FloatArray, steps: int) -> FloatArray:
        """Accuracies (B, J) after so many E-M steps towards the mode on the logit scale."""
        for _again in range(steps):
            a = (self.expect(a)[1] + self._hits) / (self._given + self._both)
        return a

    def maximum(self, near: FloatArray) -> float:
        """The largest log-likelihood, nats, by E-M steps from accuracies (J,)."""
        a, before = np.clip(near, 0.01, 0.99)[None], -np.inf
        for _again in range(_MOST_STEPS):
            level, hits = self.expect(a)
            if float(level[0]) - before < _SETTLED:
                break
            before, a = float(level[0]), hits / np.maximum(self._given, 1.0)
        return float(level[0])

    def expect(self, accuracy: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Log-likelihoods (B,) in nats, ratings form, and expected accurate ratings (B, J)."""
        parts = [self._portion(accuracy[i : i + self._rows]) for i in range(0, accuracy.shape[0], self._rows)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _portion(self, accuracy: FloatArray) -> tuple[FloatArray, FloatArray]:
        b, j = accuracy.shape
        g, p = self._s.size, self.ones.shape[0]
        a = accuracy.T[:, None, :]
        right = a * self._s[:, None]
        one = right + (1 - a) * self.rate
        none = 1 - one
        logs = self.ones @ safe_log(one).reshape(j, -1) + self.zeros @ safe_log(none).reshape(j, -1)
        joint = logs.reshape(p, g, b) + safe_log(self._weight)[:, None]
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        total = posterior.sum(axis=1, keepdims=True)
        weight = self.plan.patterns.weight
        level = weight @ (top + np.log(total))[:, 0]
        posterior *= weight[:, None, None] / total
        flat = posterior.reshape(p, -1)
        ones = (self.ones.T @ flat).reshape(j, g, b) * right / np.maximum(one, TINY)
        zeros = (self.zeros.T @ flat).reshape(j, g, b) * (a - right) / np.maximum(none, TINY)
        return level, (ones + zeros).sum(axis=1).T

    def truths(self, accuracy: FloatArray, t: FloatArray) -> FloatArray:
        """Shape (P, T): posterior mass of each pattern's truth at points t (T,), averaged over accuracies (B, J)."""
        s = expit(self.sharpness * (t - 0.5))
        total = np.zeros((self.ones.shape[0], t.size))
        for a in accuracy:
            one = a[:, None] * s + (1 - a)[:, None] * self.rate
            logs = self.ones @ safe_log(one) + self.zeros @ safe_log(1 - one)
            mass = np.exp(logs - logs.max(axis=1, keepdims=True))
            total += mass / mass.sum(axis=1, keepdims=True)
        return np.asarray(total / accuracy.shape[0])


@dataclass(frozen=True, slots=True)
class SharpenedRequest:
    """What of `Sampling` concerns this model; the meanings are the same."""

    chains: int
    draws: int
    warmup: int
    priors: tuple[Prior | Dirichlet, ...]
    level: float
    subjects: bool
    sharpness: float

    @property
    def trajectories(self) -> int:
        """Of each chain, warm-up included."""
        return self.warmup + self.draws


def refuses_sharpened(ratings: Ratings) -> str | None:
    """Why ``ti-aj-P`` cannot be sampled on these ratings; None when it can."""
    if len(ratings.classes) != 2:
        return _("This model is for two classes, and there are {classes}. Choose which are counted.").format(
            classes=len(ratings.classes)
        )
    cells = 16.0 * len(ratings.subjects) * len(ratings.raters)
    if cells > _MOST_OF_SUBJECTS:
        return _("This model would need {cells:.1f} GB on these {ratings}. Use t-aj-p.").format(cells=cells / 1e9)
    return None


def run_sharpened(model: RaterModel, ratings: Ratings, request: SharpenedRequest, seed: int) -> Run[Fit]:
    """Sample the accuracies of ``ti-aj-P`` with P held at the observed rate.

    Parameters
    ----------
    model, ratings
        The model and binary data.
    request
        What is wanted.
    seed
        Of starting points, momenta and acceptances.

    Yields
    ------
    Step
        Phase ``sampling`` (see `run_chains`).

    Returns
    -------
    Fit
        Posterior means of the accuracies; ``posterior.truth`` holds what is known of every subject's t_i; the
        probability of class 1 of a subject is the posterior mean of sig_d(t_i).
    """
    plan = design(model, ratings)
    target = SharpenedTarget(plan, request.sharpness, prior_counts(plan, request.priors))
    scatter, moves = (np.random.default_rng(s) for s in np.random.SeedSequence([seed, 4]).spawn(2))
    yield Step(0, request.trajectories, "sampling")
    half = scatter.uniform(0.02, 0.98, (request.chains // 2, target.size))
    ends = target.climbed(np.concatenate([half, 1 - half]), _CLIMB)
    start = scattered(target, logit(ends), request.chains, scatter)
    scale = laplace(target, start[int(target(start)[0].argmax())])
    names = tuple(s.name for s in plan.slots if s.freedom is Freedom.FREE)
    sampled = yield from run_chains(
        target,
        start,
        scale,
        (names, lambda at: (at, np.asarray(expit(at)))),
        warmup=request.warmup,
        draws=request.draws,
        rng=moves,
    )
    return (yield from _summarise(target, sampled, ratings, request, seed))


def _summarise(
    target: SharpenedTarget, sampled: ChainDraws, ratings: Ratings, request: SharpenedRequest, seed: int
) -> Run[Fit]:
    plan = target.plan
    names = tuple(s.name for s in plan.slots if s.freedom is Freedom.FREE)
    sign = Step(request.trajectories, request.trajectories, "sampling")
    worst = yield from diagnostics(sampled, names, sign)
    posterior, draws = yield from account(sampled, names, worst, request.level, sign)
    flat = expit(sampled.at.reshape(-1, target.size))
    truth, classes = _truths(target, flat)
    mean = flat.mean(axis=0)
    level = target.maximum(mean)
    point = Parameters(np.array([0.5, 0.5]), mean[:, None], plan.space.observed[None, None], np.zeros(0))
    says = _identification(plan)
    return Fit(
        model=plan.space.model,
        estimator=ESTIMATOR,
        seed=seed,
        classes=plan.classes,
        raters=plan.units,
        parameters=point,
        estimates=estimates_of(plan, point, posterior, request.level),
        log_likelihood=LogLikelihood(level, level + plan.patterns.log_multinomial),
        free=plan.space.free,
        subjects=ratings.subject_count,
        ratings=ratings.rating_count,
        krits=Krits(-level / (plan.patterns.rating_count * np.log(2)), None, None, None),
        match_rates=None,
        kappa=None,
        status=status(worst, says),
        converged=worst.settled,
        iterations=sampled.steps,
        identification=says,
        active_bounds=(),
        trace=(),
        optima=(),
        interval=(ESTIMATOR, request.level),
        findings=() if (unsettled := worst.finding()) is None else (unsettled,),
        subject_posterior=classes if request.subjects else None,
        draws=draws,
        posterior=replace(posterior, truth=truth),
        starts=request.chains,
        slots=plan.slots,
    )


def _identification(plan: Design) -> Identification:
    if plan.patterns.size.max(initial=0) > 1:
        words = _("Every {subject}'s truth has a flat prior and guessing is held, so the accuracies can be told.")
        return Identification(by_design=True, here=True, words=words)
    words = _("No {subject} was rated more than once, so nothing shows whether {ratings} agree.")
    lost = tuple(s.name for s in plan.slots if s.freedom is Freedom.FREE)
    return Identification(by_design=False, here=False, words=words, open_parameters=lost)


def _truths(target: SharpenedTarget, accuracy: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean, sd, 5 %, 50 %, 95 % quantile of every subject's t_i, (N, 5), and its class probabilities, (N, 2)."""
    t = (np.arange(_GRID) + 0.5) / _GRID
    cost = target.ones.shape[0] * _GRID
    # All draws where that is quick: few of them would add an error of their own to the probabilities.
    count = int(max(_QUICK_CELLS // cost, np.clip(_MOST_CELLS // cost, 20, 400)))
    count = min(count, accuracy.shape[0])
    chosen = accuracy[np.unique(np.linspace(0, accuracy.shape[0] - 1, count).astype(np.int64))]
    mass = target.truths(chosen, t)
    mean = mass @ t
    sd = np.sqrt(np.maximum(mass @ t**2 - mean**2, 0.0))
    run = np.concatenate([np.zeros((mass.shape[0], 1)), mass.cumsum(axis=1)], axis=1)
    edges = np.arange(_GRID + 1) / _GRID
    quantiles = np.array([np.interp((0.05, 0.5, 0.95), row, edges) for row in run])
    one = mass @ expit(target.sharpness * (t - 0.5))
    of = target.plan.patterns.of_subject
    return np.column_stack([mean, sd, quantiles])[of], np.column_stack([1 - one, one])[of]


def compared(fit: Fit, other: Fit) -> Fit:
    """The fit with ``t-aj-p`` on the same ratings beside it, and a finding that says which to trust.

    Parameters
    ----------
    fit
        Of ``ti-aj-P``.
    other
        Of ``t-aj-p``, sampled.
    """
    mine = {e.name: e.estimate for e in fit.estimates if e.name.name == "a"}
    # Means of two posteriors under the same priors: they are compared also where one of them is its prior's answer.
    rows = other.posterior.summaries if other.posterior is not None else ()
    table = {row.name: (row.mean, row.sd) for row in rows if row.name.name == "a"}
    gaps = {name: abs(table[name][0] - (mine[name].value or 0.0)) for name in mine if name in table}
    widest = max(gaps, key=lambda name: gaps[name])
    share = float(other.parameters.truth[1])
    by_key: dict[str, Any] = {
        "gap": gaps[widest],
        "name": widest,
        "here": mine[widest].value,
        "there": table[widest][0],
        "share": share,
    }
    if not other.converged or not other.identification.by_design:
        code, severity = "compare_models", "ask"
        message = _(
            "Beside it, t-aj-p could not be settled on these {ratings}, so nothing shows whether the "
            "assumption of ti-aj-P, that half of all {subjects} are true whatever the {ratings}, does "
            "harm. Trust neither alone."
        )
    elif gaps[widest] <= _ALIKE:
        code, severity = "compare_models", "note"
        message = (
            _(
                "Beside it, t-aj-p gives accuracies that differ by {gap:.2f} at most ({name}): the two agree "
                "here, and either may be read."
            )
        ).format(**by_key)
    else:
        code, severity = "compare_models", "ask"
        message = _(
            "Beside it, t-aj-p gives other accuracies ({name}: {there:.2f}, here {here:.2f}). Trust "
            "t-aj-p: ti-aj-P assumes that half of all {subjects} are truly of the counted class whatever "
            "the {ratings}, and t-aj-p finds {share:.2f}."
        ).format(**by_key)
    finding = FitFinding(code, severity, message, _("Fit t-aj-p to the same {ratings}."))
    posterior = fit.posterior
    if isinstance(posterior, SampledPosterior):
        posterior = replace(posterior, beside=MappingProxyType(table))
    return replace(fit, findings=(*fit.findings, finding), posterior=posterior)


# Numbers kept of all draws, in all forms, in bytes.
_MOST_BYTES = 1e9
_FORMS = 24


@dataclass(frozen=True, slots=True)
class Sampling:
    """Hamiltonian Monte Carlo with the truth summed out; the same seed gives the same draws.

    Attributes
    ----------
    chains
        Chains moved as one array, at least 4.
    draws
        Draws kept of each chain.
    warmup
        Trajectories of each chain before them.
    priors
        Beta and Dirichlet priors by parameter name; flat where none is given.
    level
        Posterior mass of the intervals.
    subjects
        Whether the classes of every subject are wanted, averaged over the draws.
    sharpness
        Of ``ti-aj-P``: d of its sharpening curve.

    Raises
    ------
    UsageError
        When a number makes no sense; the sentence holds it.
    """

    chains: int = 16
    draws: int = 800
    warmup: int = 400
    priors: tuple[Prior | Dirichlet, ...] = ()
    level: float = 0.95
    subjects: bool = False
    sharpness: float = 30.0

    name = "posterior"

    def __post_init__(self) -> None:
        if self.chains < 4:
            raise UsageError(
                ngettext(
                    "{chains} chain cannot be compared with others.",
                    "{chains} chains are too few to be compared.",
                    self.chains,
                ).format(chains=self.chains),
                fix=_("Use at least 4; 16 is usual."),
            )
        if self.draws < 50 or self.warmup < 50:
            few = min(self.draws, self.warmup)
            raise UsageError(
                _("{few} is too few for the draws or warm-up steps of a chain.").format(few=few),
                fix=_("Use at least 50; 400 or more is usual."),
            )
        if not 0 < self.level < 1:
            raise UsageError(
                _("The level {level} is not between 0 and 1.").format(level=self.level), fix=_("A usual level is 0.95.")
            )
        if not 0 < self.sharpness < np.inf:
            raise UsageError(
                _("The sharpness {sharpness} is not a number above 0.").format(sharpness=self.sharpness),
                fix=_("The usual one is 30."),
            )

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why this method cannot fit this model to these ratings; None when it can."""
        if model.by_rater and not ratings.raters_known:
            return _(
                "This model needs to know who gave each {rating}, and here the {raters} are not known: "
                "choose a model in which {raters} share everything, such as t-a-p."
            )
        if ratings.rating_count == 0:
            return _("There are no {ratings}.")
        if len(ratings.classes) < 2:
            return _("There is only one class, so there is nothing to tell apart. Declare the other classes.")
        if model.truth is Truth.SHARPENED:
            return refuses_sharpened(ratings)
        if model.ordered is not Ordered.NONE:
            return _("Beliefs about cut points are not worked out: ask for {name} by exact-em.").format(name=model.name)
        return unsuited(model, ratings) or self._too_large(design(model, ratings).space.free)

    def _too_large(self, free: int) -> str | None:
        """Why so many parameters cannot be sampled; None when they can."""
        if free == 0:
            return _("This model has nothing to estimate on these {ratings}.")
        needed = _FORMS * float(free) * self.chains * self.draws
        if needed > _MOST_BYTES:
            return _(
                "The draws of {free:,} parameters would need {needed:.1f} GB. Ask for fewer, or use exact-em."
            ).format(free=free, needed=needed / 1e9)
        return None

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Sample the posterior.

        Parameters
        ----------
        model, ratings
            The model and the data.
        seed
            Of starting points, momenta and acceptances.

        Yields
        ------
        Step
            Phase ``sampling``; ``values`` as in `run_chains`: ``draws`` holds the new draws, ``rhat`` the state.

        Raises
        ------
        UsageError
            When the method refuses, or a prior does not fit the model.
        CannotAnswerError
            When there are no draws to speak of.
        """
        began = time.perf_counter()
        reason = self.refuses(model, ratings)
        if reason:
            raise UsageError(reason)
        if model.truth is Truth.SHARPENED:
            fit = yield from self._sharpened(model, ratings, seed)
            return replace(fit, seconds=time.perf_counter() - began)
        plan = design(model, ratings)
        target = ModelTarget(plan, plan.space.evidence(plan.patterns), prior_counts(plan, self.priors))
        quick: Target = SmallTarget(target) if has_few_patterns(target) else target
        total = self.warmup + self.draws
        yield Step(0, total, "sampling")
        start, scale, rng = yield from begin(target, quick, self.chains, seed)
        sampled = yield from run_chains(
            quick,
            start,
            scale,
            (reported(plan), _reporter(plan, target)),
            warmup=self.warmup,
            draws=self.draws,
            rng=rng,
        )
        yield Step(total, total, "sampling")
        request = SummaryRequest(self.level, seed, self.subjects, total)
        fit = yield from summarise_draws(target, sampled, reported(plan), ratings, request)
        return replace(fit, seconds=time.perf_counter() - began)

    def _sharpened(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """``ti-aj-P``, and ``t-aj-p`` for comparison with the same accuracy priors."""
        request = SharpenedRequest(
            self.chains, self.draws, self.warmup, self.priors, self.level, self.subjects, self.sharpness
        )
        fit = yield from run_sharpened(model, ratings, request, seed)
        other = yield from replace(self, subjects=False).run(by_name("t-aj-p"), ratings, seed)
        return compared(fit, other)


def begin(
    target: ModelTarget, quick: Target, chains: int, seed: int
) -> Run[tuple[FloatArray, Whitening, np.random.Generator]]:
    """Dispersed starting points (chains, q), the shape around the best of them, and the chains' generator."""
    scatter, moves = np.random.SeedSequence([seed, 3]).spawn(2)
    start = yield from dispersed(target, quick, chains, seed, np.random.default_rng(scatter))
    best = start[int(quick(start)[0].argmax())]
    return start, laplace(quick, best), np.random.default_rng(moves)


def _reporter(plan: Design, target: ModelTarget) -> Callable[[FloatArray], tuple[FloatArray, FloatArray]]:
    """From coordinates to relabelled coordinates and reported numbers."""
    relabels = can_switch(plan.space) and not plan.space.accuracy_free

    def tell(at: FloatArray) -> tuple[FloatArray, FloatArray]:
        stack = target.points(at)
        if relabels:
            stack = canonical(plan.space, stack)
            at = target.coordinates(stack)
        return at, numbers(plan, stack)

    return tell
