"""The exact posterior of the binary count models by quadrature (models.md §5.5): no Monte Carlo."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import (
    Curve,
    Draws,
    Fit,
    FitFinding,
    Identification,
    JointDensity,
    LogLikelihood,
    Posterior,
    PosteriorReading,
    Status,
)
from tapdesk.fitting.fit_summary import kappa, krits, match_rates
from tapdesk.fitting.priors import Prior, priors_of
from tapdesk.fitting.quadrature.grid import logits
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, Floats, OneClass, Rates, SharedGuessing, probability
from tapdesk.fitting.quadrature.marginal import (
    Cloud,
    RateMarginal,
    curve,
    marginal,
    modes,
    share_below,
    summarise,
    valley,
)
from tapdesk.fitting.quadrature.models import (
    PHASE,
    CountModel,
    HalfGrid,
    OneAccuracy,
    TwoAccuracies,
    TwoAndTwo,
    find_halves,
    solve_halves,
)
from tapdesk.fitting.sampling.posterior_summary import ESTIMATOR, estimates_of
from tapdesk.fitting.undetermined import left_to_the_prior, prior_answers, verdict_of_ratings
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings

_BATCH = 4
_ROUNDS = 200

_CELLS = 50
# What holds less than this is told as a number where it is a second labelling, and never as a reading of its own.
_LEAST = 0.01
_LOW = {
    "a": _("The {raters} mostly guess: what they agree on comes from how often they pick each class."),
    "t": _("The counted class is the rarer one in truth."),
    "p": _("{Raters} who do not know pick the counted class less often."),
}
_HIGH = {
    "a": _("The {raters} mostly know: what they agree on comes from the truth."),
    "t": _("The counted class is the commoner one in truth."),
    "p": _("{Raters} who do not know pick the counted class more often."),
}
_AS_LABELLED = _(
    "The classes are as labelled: {subjects} truly of the counted class are given it more often than the others."
)
_SWITCHED = _(
    "The classes are switched: {subjects} truly of the counted class are given it less often than the others."
)
KEPT_DRAWS = 4000
_GRID_ORDER = 4
# How much more than its change under a wider kernel a quantile may be off by.
_KERNELS = 3.0
# The summaries shall be right to this; where they are not, so many times as many nodes along w are tried.
_ASKED, _FINER = 1e-4, (1.0, 1.8)
# But not of so large a grid: it would take seconds.
_LARGE = 600_000
# What interpolation in fine tables may add.
_ROUNDING = 5e-7
_KINDS: Mapping[str, type] = MappingProxyType(
    {"t-a-p": OneAccuracy, "t-a0a1-p": TwoAccuracies, "t-ak-p": TwoAccuracies, "t-a0a1-p0p1": TwoAndTwo}
)
_NAMES: Mapping[type, tuple[str, ...]] = MappingProxyType(
    {
        OneAccuracy: ("t", "a", "p"),
        TwoAccuracies: ("t", "a0", "a1", "p"),
        TwoAndTwo: ("t", "a0", "a1", "p0", "p1"),
    }
)
_SUBJECT_DRAWS = 400


@dataclass(frozen=True, eq=False)
class GridSampler:
    """Makes independent draws of all parameters of a model.

    Attributes
    ----------
    sharing
        The model with its priors.
    parts
        The posterior in parts.
    """

    sharing: CountModel
    parts: tuple[HalfGrid, ...]

    def draw(self, n: int, seed: int) -> Draws:
        """So many independent draws on the probability scale; the same seed gives the same."""
        random = np.random.default_rng(seed)
        shares = np.array([part.mass for part in self.parts])
        sizes = random.multinomial(n, shares / shares.sum())
        items = [self._of(part, int(size), random) for part, size in zip(self.parts, sizes, strict=True) if size]
        mixed = random.permutation(n)
        values = {
            ParameterName(name): np.concatenate([part[name] for part in items])[mixed] for name in self.sharing.names
        }
        return Draws("posterior", MappingProxyType(values))

    def _of(self, part: HalfGrid, n: int, random: np.random.Generator) -> Mapping[str, Floats]:
        x, y, z = logits(*_points(part, n, random))
        rest = self.sharing.split(part.half, Rates.at(y, z), random)
        drawn = {"t": -x if part.half.mirrored else x, **rest}
        return {name: probability(drawn[name]) for name in self.sharing.names}


def _points(part: HalfGrid, n: int, random: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Draws of (w, m, v): a node by its mass, a place in its cell evenly, kept by the density there."""
    grid = part.grid
    run = np.cumsum(np.exp(grid.log_mass - grid.log_mass.max()).ravel())
    kept: list[Floats] = []
    bound = None
    for _again in range(_ROUNDS):
        flat = np.minimum(np.searchsorted(run, random.random(_BATCH * n) * run[-1], side="right"), run.size - 1)
        place = np.array(np.unravel_index(flat, grid.log_mass.shape)) + random.random((3, flat.size)) - 0.5
        point, log_density = _at(part, place)
        ratio = log_density - grid.log_mass.ravel()[flat]
        if bound is None:
            # A bound passed by one proposal in a thousand: those are kept as often as possible.
            bound = float(np.quantile(ratio, 0.999))
        kept.append(point[:, np.log(random.random(flat.size)) < ratio - bound])
        if sum(k.shape[1] for k in kept) >= n:
            break
    w, m, v = np.concatenate(kept, axis=1)[:, :n]
    return w, m, v


def _at(part: HalfGrid, place: Floats) -> tuple[Floats, Floats]:
    """Points (3, n) at places between the nodes, and the log density of the places there."""
    from scipy.ndimage import map_coordinates  # start-up cost: a twentieth of a second

    grid = part.grid
    low_m, step_m = grid.m[:, 0], grid.m[:, 1] - grid.m[:, 0]
    low_v, step_v = grid.v[:, :, 0], grid.v[:, :, 1] - grid.v[:, :, 0]
    step_w = grid.w[1] - grid.w[0]
    w = grid.w[0] + place[0] * step_w
    first, first_two = place[:1], place[:2]
    m_step = np.exp(map_coordinates(np.log(step_m), first, order=3, mode="nearest"))
    m = map_coordinates(low_m, first, order=3, mode="nearest") + place[1] * m_step
    v_step = np.exp(map_coordinates(np.log(step_v), first_two, order=3, mode="nearest"))
    v = map_coordinates(low_v, first_two, order=3, mode="nearest") + place[2] * v_step
    log_density = part.half.target.log_density(w, m, v) + np.log(step_w * m_step * v_step)
    return np.array([w, m, v]), log_density


def guess_minus_truth(sharing: CountModel, parts: tuple[HalfGrid, ...]) -> Curve | None:
    """Density of p - t between -1 and 1; None where the model has two p."""
    items = [sharing.difference(part) for part in parts]
    clouds = [cloud for cloud in items if cloud is not None]
    if not clouds:
        return None
    half = curve(marginal(Cloud.together(clouds)))
    return Curve(2 * half.x - 1, half.density / 2)


def joint_accuracies(sharing: CountModel, parts: tuple[HalfGrid, ...]) -> JointDensity | None:
    """Density of (a1, a0) on even cells; None where the model has one accuracy."""
    items = [sharing.joint(part, _CELLS) for part in parts]
    tables = [table for table in items if table is not None]
    if not tables:
        return None
    edges = np.linspace(0.0, 1.0, _CELLS + 1)
    mass = np.sum(tables, axis=0)
    return JointDensity(ParameterName("a1"), ParameterName("a0"), edges, edges, mass / mass.sum() * _CELLS**2)


def readings(
    sharing: CountModel, parts: tuple[HalfGrid, ...], by_key: Mapping[str, RateMarginal], level: float
) -> tuple[PosteriorReading, ...]:
    """The readings, the heavier first; empty when there is one only.

    ``t-a-p`` is cut where the density of the parameter with the clearest two peaks is lowest between them;
    ``t-a0a1-p0p1`` into its two labellings.

    Parameters
    ----------
    sharing, parts
        The model and its posterior.
    by_key
        Each parameter over the whole posterior.
    level
        Mass of the shortest intervals.
    """
    if isinstance(sharing, OneAccuracy):
        return _by_peaks(sharing, parts[0], by_key, level)
    if isinstance(sharing, TwoAndTwo):
        return _by_labelling(sharing, parts, level)
    return ()


def _by_labelling(sharing: TwoAndTwo, parts: tuple[HalfGrid, ...], level: float) -> tuple[PosteriorReading, ...]:
    if min(part.mass for part in parts) < _LEAST:
        return ()
    items = [
        _reading(sharing, part, part.mass, _SWITCHED if part.half.mirrored else _AS_LABELLED, level) for part in parts
    ]
    return tuple(sorted(items, key=lambda reading: -reading.mass))


def _by_peaks(
    sharing: OneAccuracy, part: HalfGrid, by_key: Mapping[str, RateMarginal], level: float
) -> tuple[PosteriorReading, ...]:
    second: dict[str, tuple[float, float]] = {}
    for name, one in by_key.items():
        cut, peaks = valley(one.found), modes(one.found)
        if cut is not None:
            second[name] = (peaks[1].mass, cut)
    if not second:
        return ()
    name = max(second, key=lambda n: second[n][0])
    below = _below(part, name, second[name][1])
    share_of_low = float(replace(part, share=below).node_mass.sum()) / part.mass
    if min(share_of_low, 1 - share_of_low) < _LEAST:
        return ()
    sides = ((below, _LOW[name]), (1 - below, _HIGH[name]))
    rows = []
    for share, words in sides:
        side = replace(part, share=share)
        rows.append(_reading(sharing, side, float(side.node_mass.sum()), words, level))
    return tuple(sorted(rows, key=lambda reading: -reading.mass))


def _below(part: HalfGrid, name: str, cut: float) -> Floats:
    """The share of every node of the grid that lies below a cut of one parameter."""
    which = ("t", "a", "p").index(name)
    return share_below(cut, part.grid.logits[which], part.grid.spacing[which])


def _reading(sharing: CountModel, part: HalfGrid, mass: float, words: str, level: float) -> PosteriorReading:
    by_key = sharing.marginals([part])
    return PosteriorReading(mass, words, tuple(summarise(name, by_key[name], level) for name in sharing.names))


def count_model(model: RaterModel | str, priors: Iterable[Prior] = ()) -> CountModel:
    """The model as quadrature sees it, with the given priors and flat ones for the rest.

    Raises
    ------
    UsageError
        When quadrature is not for this model, or a prior does not fit it.
    """
    name = model if isinstance(model, str) else model.name
    kind = _KINDS.get(name) if isinstance(model, str) else _kind(model)
    if kind is None:
        raise UsageError(
            _("The model '{name}' has no exact beliefs.").format(name=name),
            fix=_("Quadrature is for {kinds}; other models are sampled.").format(kinds=", ".join(_KINDS)),
        )
    chosen = priors_of(_NAMES[kind], priors)
    if kind is OneAccuracy:
        return OneAccuracy(chosen["t"], chosen["a"], chosen["p"])
    if kind is TwoAccuracies:
        return TwoAccuracies(chosen["t"], SharedGuessing(chosen["a1"], chosen["a0"], chosen["p"]))
    one = OneClass(chosen["a1"], chosen["p1"])
    return TwoAndTwo(chosen["t"], one, OneClass(chosen["a0"], chosen["p0"].mirrored()))


def _kind(model: RaterModel) -> type | None:
    """The kind of a point of the sharing grid, whatever it is called."""
    rows = {
        (Truth.FREE, Accuracy.ONE, Guessing.ONE): OneAccuracy,
        (Truth.FREE, Accuracy.PER_CLASS, Guessing.ONE): TwoAccuracies,
        (Truth.FREE, Accuracy.PER_CLASS, Guessing.PER_CLASS): TwoAndTwo,
    }
    return rows.get((model.truth, model.accuracy, model.guessing))


def posterior_by_quadrature(
    model: RaterModel | str, patterns: Patterns, priors: Iterable[Prior] = (), seed: int = 1, level: float = 0.95
) -> Run[Posterior]:
    """The posterior of ``t-a-p``, ``t-a0a1-p`` or ``t-a0a1-p0p1`` from binary counts.

    Parameters
    ----------
    model
        One of the three, or its name.
    patterns
        Pooled or by rater: only the counts of the two classes are used; the second class is class 1.
    priors
        Beta priors by parameter name; flat where none is given.
    seed
        Of the draws that are kept with the posterior; the numbers do not depend on it.
    level
        Mass of the shortest intervals, between 0 and 1.

    Yields
    ------
    Step
        Phase ``posterior``.

    Raises
    ------
    UsageError
        When the model is another one or a prior does not fit it.
    ValueError
        When the data are not binary, a weight is negative or the level is no share; the value is in the sentence.
    """
    if not 0 < level < 1:
        raise ValueError(f"the level must lie between 0 and 1, not {level}")
    sharing = count_model(model, priors)
    counts = BinaryCounts.of(patterns)
    halves = sharing.halves(counts)
    total = 2 * len(halves) + 2
    roughs = yield from find_halves(halves, total)
    for finer in _FINER:
        parts, log_evidence = yield from solve_halves(roughs, finer, total)
        yield Step(total - 2, total, PHASE)
        by_key = sharing.marginals(parts)
        error = _error(by_key, sharing.marginals([_coarse(part) for part in parts]))
        if error < _ASKED or sum(part.grid.log_mass.size for part in parts) > _LARGE:
            break
    yield Step(total - 1, total, PHASE)
    sampler = GridSampler(sharing, parts)
    sample = sampler.draw(KEPT_DRAWS, seed)
    yield Step(total, total, PHASE)
    return Posterior(
        method="quadrature",
        summaries=tuple(summarise(name, by_key[name], level) for name in sharing.names),
        level=level,
        log_evidence=LogLikelihood(log_evidence, log_evidence + counts.log_multinomial),
        error=error,
        other_labelling_mass=parts[1].mass if len(parts) > 1 else None,
        readings=readings(sharing, parts, by_key, level),
        marginals=MappingProxyType({ParameterName(name): curve(by_key[name].found) for name in sharing.names}),
        joint=joint_accuracies(sharing, parts),
        guess_minus_truth=guess_minus_truth(sharing, parts),
        sampler=sampler,
        sample=sample,
    )


def _coarse(part: HalfGrid) -> HalfGrid:
    return HalfGrid(part.half, part.grid.thinned(), part.mass)


def _error(fine: Mapping[str, RateMarginal], coarse: Mapping[str, RateMarginal]) -> float:
    """What the summaries may be off by, in all but the worst cases; peaks are left out, they only name places.

    Half the nodes along every axis move them by 16 times what the grid itself errs by, were it of the fourth order as
    its slowest part is; and a kernel a fifth wider moves the quantiles by about as much as the kernel itself does.
    """
    moved = max(float(np.abs(fine[name].numbers() - coarse[name].numbers()).max()) for name in fine)
    return moved / 2.0**_GRID_ORDER + _KERNELS * max(one.blur() for one in fine.values()) + _ROUNDING


@dataclass(frozen=True, slots=True)
class Quadrature:
    """Exact integration over (t, mu1, mu0); the numbers depend on no seed (models.md §5.5).

    Attributes
    ----------
    priors
        Beta priors by parameter name; flat where none is given.
    level
        Posterior mass of the intervals.
    subjects
        Whether the classes of every subject are wanted, averaged over the posterior.

    Raises
    ------
    UsageError
        When the level is no share; it stands in the sentence.
    """

    priors: tuple[Prior, ...] = ()
    level: float = 0.95
    subjects: bool = False

    name = ESTIMATOR

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise UsageError(
                _("The level {level} is not between 0 and 1.").format(level=self.level), fix=_("A usual level is 0.95.")
            )

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why this method cannot fit this model to these ratings; None when it can."""
        if ratings.rating_count == 0:
            return _("There are no {ratings}.")
        if not model.pools:
            return _("Exact beliefs are for models in which nothing but the {ratings} tells {subjects} apart.")
        if len(ratings.classes) != 2:
            return _("Exact beliefs are for two classes, and there are {classes}.").format(classes=len(ratings.classes))
        try:
            count_model(model)
        except UsageError as reason:
            return str(reason)
        return None

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Integrate the posterior; ``seed`` is of the draws that are kept with it.

        Raises
        ------
        UsageError
            When the method refuses, or a prior does not fit the model.
        """
        began = time.perf_counter()
        reason = self.refuses(model, ratings)
        if reason:
            raise UsageError(reason)
        plan = design(model, ratings)
        evidence = plan.space.evidence(plan.patterns)
        posterior = yield from posterior_by_quadrature(model, plan.patterns, self.priors, seed, self.level)
        point = _mean(plan, posterior)
        level = float(evidence.expect(Stack.of([point])).log_likelihood[0])
        says = yield from verdict_of_ratings(plan, evidence, point, Step(1, 1, PHASE))
        return Fit(
            model=model,
            estimator=self.name,
            seed=seed,
            classes=plan.classes,
            raters=(),
            parameters=point,
            estimates=left_to_the_prior(estimates_of(plan, point, posterior, self.level), says, plan),
            log_likelihood=LogLikelihood(level, level + plan.patterns.log_multinomial),
            free=plan.space.free,
            subjects=ratings.subject_count,
            ratings=ratings.rating_count,
            krits=krits(evidence, point, level),
            match_rates=match_rates(point),
            kappa=kappa(point),
            status=Status.SETTLED if says.identified else Status.NOT_IDENTIFIED,
            converged=True,
            iterations=0,
            identification=says,
            active_bounds=(),
            trace=(),
            optima=(),
            interval=(self.name, self.level),
            findings=_findings(posterior, says),
            subject_posterior=_subjects(plan, evidence, posterior, seed) if self.subjects else None,
            draws=posterior.sample,
            posterior=posterior,
            slots=plan.slots,
            seconds=time.perf_counter() - began,
        )


def _stack(plan: Design, numbers: Mapping[str, FloatArray]) -> Stack:
    """Points from values of shape (B,) by reported name; two classes."""
    t = numbers["t"]
    b = t.size
    accuracy: FloatArray = np.zeros((b, *plan.space.accuracy_shape))
    guessing: FloatArray = np.zeros((b, *plan.space.guessing_shape))
    for slot in plan.slots:
        values = numbers[slot.name.name]
        if slot.part == "accuracy":
            accuracy[:, slot.index[0], slot.index[1]] = values
        elif slot.part == "guessing":
            guessing[:, slot.index[0], slot.index[1]] = np.stack([1 - values, values], axis=1)
    return plan.space.point(np.stack([1 - t, t], axis=1), accuracy, guessing)


def _mean(plan: Design, posterior: Posterior) -> Parameters:
    """The point of the posterior means."""
    return _stack(plan, {s.name.name: np.array([posterior.summary(s.name.name).mean]) for s in plan.slots}).one(0)


def _subjects(plan: Design, evidence: Evidence, posterior: Posterior, seed: int) -> FloatArray:
    """Shape (N, K): class probabilities of each subject averaged over posterior draws."""
    draws = posterior.draws(_SUBJECT_DRAWS, seed).values
    stack = _stack(plan, {name.name: np.asarray(values) for name, values in draws.items()})
    by_pattern = evidence.posterior(stack).mean(axis=0).T
    return np.asarray(by_pattern[plan.patterns.of_subject])


def _findings(posterior: Posterior, says: Identification) -> tuple[FitFinding, ...]:
    """What the reader of the numbers must know."""
    open_ = prior_answers(says)
    items = [] if open_ is None else [open_]
    if len(posterior.readings) > 1:
        sentence = joined(
            *(
                _("{words} It holds {mass:.0f} % of the belief.").format(words=r.words, mass=100 * r.mass)
                for r in posterior.readings
            )
        )
        message = _("Belief holds {readings} readings of these data. {told}").format(
            readings=len(posterior.readings), told=sentence
        )
        items.append(FitFinding("several_readings", "ask", message, _("Report both readings with their shares.")))
    if posterior.other_labelling_mass is not None and posterior.other_labelling_mass > 1e-3:
        message = _(
            "The names of the two true classes could also be switched: {value:.1f} % of the belief lies there."
        ).format(value=100 * posterior.other_labelling_mass)
        items.append(FitFinding("other_labelling", "note", message))
    return tuple(items)
