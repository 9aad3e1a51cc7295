"""To the maxima of the likelihood: many starts side by side, the loop of exact E-M, and its finish by Newton."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence, FullEvidence
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import FreeLine, Space, line
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns

_MARGIN = 1e-3
# Steep ones find the fits in which few units stand apart.
_STEEP = (1.0, 3.0, 10.0)
# Of the random starts of a regression this share are steps; of these, this share along a mixture of covariates. They
# jump by so many logits to either side, over a gap of at least this many standard deviations.
_STEPS, _MIXED, _JUMP, _SHORTEST = 0.5, 0.3, 4.0, 1e-3
_GRID_RATES = (0.05, 0.1, 0.5, 0.9, 0.95)
_GRID_ACCURACIES = (0.05, 0.1, 0.2)


@dataclass(frozen=True, eq=False)
class Starts:
    """Named interior points."""

    names: tuple[str, ...]
    stack: Stack

    def first(self, count: int) -> "Starts":
        """Only the first few."""
        return Starts(self.names[:count], self.stack.take(np.arange(min(count, len(self.names)))))


def starts(design: Design, seed: int, random: int = 10) -> Starts:
    """Named and random points, all clamped into the interior.

    Majority vote, Fleiss, the pair-covariance closed form (K > 2), tapModel's grid (K = 2), random points.

    Parameters
    ----------
    design
        The model on its data.
    seed
        Of the random points.
    random
        How many of them.
    """
    space, patterns = design.space, design.patterns
    rates = patterns.totals.sum(axis=0) / max(patterns.rating_count, 1)
    table = {"majority vote": majority_vote(design), "Fleiss": _fleiss(design, rates)}
    k = space.classes
    pairs = pair_covariance(patterns)
    if pairs is not None:
        table["pair covariances"] = space.point(*(x[None] for x in pairs))
    if k == 2 and patterns.units == 1:
        for t, a, p in product(_GRID_RATES, _GRID_ACCURACIES, _GRID_RATES):
            at = {name: Number(f"{value:g}") for name, value in (("t", t), ("a", a), ("p", p))}
            table[_("grid t={t} a={a} p={p}").format(**at)] = _binary(design, t, a, p)
    rng = np.random.default_rng(np.random.SeedSequence([seed, 1]))
    for i in range(random):
        table[f"random {i + 1}"] = _random(design, rng)
    stack = Stack.join(list(table.values())).inside(_MARGIN / k)
    return Starts(tuple(table), space.settle(stack))


def _binary(design: Design, t: float, a: float, p: float) -> Stack:
    return design.space.point(np.array([[1 - t, t]]), np.array([a]), np.array([[1 - p, p]]))


def fleiss_kappa(patterns: Patterns) -> float:
    """Fleiss' kappa of the class counts, ratings pooled; 0 where undefined (a start needs a number)."""
    table, size, w = patterns.table, patterns.size, patterns.weight
    some = size > 1
    pairs = (size * (size - 1))[some]
    if not pairs.size:
        return 0.0
    agreed = (np.einsum("pc,pc->p", table[some], table[some]) - size[some]) / pairs
    rates = w @ table / max(patterns.rating_count, 1)
    chance = float(rates @ rates)
    observed = float(w[some] @ agreed / max(w[some].sum(), 1e-300))
    return (observed - chance) / (1 - chance) if chance < 1 else 0.0


def _fleiss(design: Design, rates: FloatArray) -> Stack:
    accuracy = np.sqrt(max(fleiss_kappa(design.patterns), 0.0))
    return design.space.point(rates[None], np.array([accuracy]), rates[None])


def majority_vote(design: Design) -> Stack:
    """Truth by majority (ties split), then each part as if that were known."""
    space, patterns = design.space, design.patterns
    # Class-major, as reducing over a short last axis is slow; a subject without ratings votes for all alike.
    table = np.ascontiguousarray(patterns.table.T)
    top = table == table.max(axis=0)
    votes = top / top.sum(axis=0)
    truth = votes @ patterns.weight / patterns.weight.sum()
    totals = patterns.totals.sum(axis=1)
    rates = (patterns.totals + 0.5 / space.classes) / (totals + 0.5)[:, None]
    if space.model.guessing is Guessing.PER_RATER_AND_CLASS:
        posterior = (votes * patterns.weight)[None]
        counts = FullEvidence(patterns).gather(posterior)[0]
        guess = (counts + 0.5 * rates[:, None]) / (counts.sum(axis=2, keepdims=True) + 0.5)
        return space.point(truth[None], np.zeros((1, 1, 1)), guess[None])
    place = patterns.category.astype(np.int64) * patterns.patterns + patterns.pattern
    agreed = (votes * patterns.weight).ravel().take(place) * patterns.count
    right = np.bincount(patterns.unit, agreed, patterns.units) / np.maximum(totals, 1)
    chance = rates @ truth
    accuracy = np.clip((right - chance) / np.maximum(1 - chance, 1e-9), 0.02, 0.98)
    pooled = float(np.average(accuracy, weights=totals)) if totals.sum() else 0.5
    share = (totals @ rates) / totals.sum() if totals.sum() else rates.mean(axis=0)
    return space.point(
        truth[None],
        accuracy[None, :, None] if space.model.accuracy.by_rater else np.array([pooled]),
        rates[None, :, None] if space.model.guessing.by_rater else share[None],
    )


def pair_covariance(patterns: Patterns) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Truth (K,), accuracy () and guessing (K,) from the covariances of two ratings, K > 2 (models.md §3).

    For classes c and d, m_c m_d - Q_cd = (a t_c)(a t_d); with u = a t, each triple of classes gives
    u_c = sqrt(r_cd r_ce / r_de). None where no triple has positive products.
    """
    k = patterns.classes
    size, w, table = patterns.size, patterns.weight, patterns.table
    pairs = float(w @ (size * (size - 1)))
    if k < 3 or k > 60 or pairs <= 0:
        return None
    together = (table * w[:, None]).T @ table - np.diag(w @ table)
    q = together / pairs
    m = q.sum(axis=1)
    r = np.outer(m, m) - q
    u = np.zeros(k)
    for c in range(k):
        others = [d for d in range(k) if d != c]
        squares = [r[c, d] * r[c, e] / r[d, e] for d in others for e in others if d < e and r[d, e] > 1e-12]
        u[c] = np.sqrt(max(float(np.median(squares)), 0.0)) if squares else 0.0
    a = float(u.sum())
    if a <= 0:
        return None
    a = min(a, 0.98)
    truth = u / u.sum()
    guess = np.maximum(m - a * truth, 1e-3)
    return truth, np.array(a), guess / guess.sum()


def _random(design: Design, rng: np.random.Generator) -> Stack:
    space = design.space
    k = space.classes
    accuracy = rng.uniform(0.05, 0.95, (1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(k), (1, *space.guessing_shape[:2]))
    point = space.point(rng.dirichlet(np.ones(k), 1), accuracy, guessing)
    if space.model.accuracy is not Accuracy.REGRESSION:
        return point
    wide = np.flatnonzero(space.design.std(axis=0) > 0)
    step = rng.random() < _STEPS and wide.size > 0
    slopes = _step(space.design, wide, rng) if step else _slope(space.design, point.slopes[:, 0], rng)
    return space.follow(replace(point, slopes=slopes))


def _slope(design: FloatArray, intercept: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Slopes of the size of a covariate's spread; the intercept keeps the accuracy somewhere among the units."""
    usual, spread = design.mean(axis=0), design.std(axis=0)
    slopes: FloatArray = rng.normal(0, rng.choice(_STEEP), (1, usual.size)) / np.where(spread > 0, spread, 1.0)
    slopes[:, spread == 0] = 0.0
    where = design[rng.integers(design.shape[0])] if rng.random() < 0.5 else usual
    slopes[:, 0] = intercept - slopes[:, 1:] @ where[1:]
    return slopes


def _step(design: FloatArray, wide: NDArray[np.int64], rng: np.random.Generator) -> FloatArray:
    """Accuracies that jump from low to high between two units, or at one: where a maximum lies at slopes without end.

    Along one covariate, or along a random mixture of all that differ.
    """
    spread = design.std(axis=0)
    direction = np.zeros(design.shape[1])
    chosen = wide if rng.random() < _MIXED else rng.choice(wide, 1)
    direction[chosen] = rng.choice((-1.0, 1.0), chosen.size) / spread[chosen]
    if chosen.size > 1:
        direction[chosen] *= rng.exponential(1.0, chosen.size)
    along = np.unique(design @ direction)
    at = int(rng.integers(along.size - 1))
    gap = max(along[at + 1] - along[at], _SHORTEST)
    slopes = 2 * _JUMP / gap * direction
    slopes[0] -= 2 * _JUMP / gap * (along[at] + rng.choice((0.0, 0.5, 1.0)) * gap)
    return np.asarray(slopes[None], dtype=np.float64)


# A climb is given up when it lies so far behind the best one, after so many E-M steps, and a cycle gains less than so
# much of that: soon where it is far behind, later where it crawls along a ridge, and in the end at any pace.
_GIVEN_UP = ((5.0, 60, 1 / 300), (0.05, 900, 1 / 3000), (1e-6, 3000, 1e9))

_NEAR = 1e-5
_NO_ACCURACY = 1e-3
_STEP = 1e-4
_MOST_COORDINATES = 250
# Beyond these the curvature would take minutes, or a gigabyte.
_MOST_CURVED = 2500
_DEAREST_CURVATURE = 4e9
_CHUNK = 2_000_000


@dataclass(frozen=True, eq=False)
class Climb:
    """Where B climbs ended.

    Attributes
    ----------
    stack
        The end points.
    log_likelihood
        Shape (B,): in nats, ratings form.
    converged
        Shape (B,): whether it came to rest; a climb far behind the others is given up.
    steps
        Shape (B,): E-M steps made.
    trace
        For each climb the log-likelihoods passed on the way, where they were asked for.
    """

    stack: Stack
    log_likelihood: FloatArray
    converged: NDArray[np.bool_]
    steps: NDArray[np.int64]
    trace: tuple[FloatArray, ...] = ()

    @staticmethod
    def join(parts: Sequence["Climb"]) -> "Climb":
        """Climbs one after the other."""
        return Climb(
            Stack.join([p.stack for p in parts]),
            np.concatenate([p.log_likelihood for p in parts]),
            np.concatenate([p.converged for p in parts]),
            np.concatenate([p.steps for p in parts]),
            tuple(trace for p in parts for trace in p.trace),
        )

    def take(self, which: NDArray[np.int64]) -> "Climb":
        """Some of the climbs by index, without their traces."""
        return Climb(self.stack.take(which), self.log_likelihood[which], self.converged[which], self.steps[which])


def check_climb(tolerance: float, limit: int) -> None:
    """Refuse numbers with which no climb would end, or none begin.

    Raises
    ------
    UsageError
        With the number.
    """
    if not 0 < tolerance < np.inf:
        raise UsageError(
            _("The tolerance {tolerance} is not above 0.").format(tolerance=tolerance),
            fix=_("A usual tolerance is 1e-10."),
        )
    if limit < 1:
        raise UsageError(
            _("The limit of steps is {limit}, too few.").format(limit=limit), fix=_("A usual limit is 20000.")
        )


def climb(
    space: Space,
    evidence: Evidence,
    start: Stack,
    *,
    weights: FloatArray | None = None,
    pins: Stack | None = None,
    tolerance: float = 1e-10,
    limit: int = 20_000,
    traced: bool = False,
) -> Run[Climb]:
    """Climb to the maxima of the likelihood from B starts by SQUAREM (Varadhan & Roland 2008, scheme S3).

    Two E-M steps, an extrapolation along their difference, and an E-M step from there; where the extrapolated
    point is no better than the second step's origin it is dropped, so the log-likelihood never falls.

    Parameters
    ----------
    space, evidence
        The model, and the patterns prepared for it.
    start
        B interior points.
    weights
        Shape (B, P): weights of the patterns for each climb (re-draws); by default those of the patterns.
    pins
        Same shapes as ``start``: numbers to hold, NaN where free (profiles).
    tolerance
        A climb ends when a whole cycle gains less than this, relative to 1 + |log-likelihood| / 1000, and the
        projected remaining gain is as small.
    limit
        Most E-M steps of a climb.
    traced
        Whether to keep, and to yield, the log-likelihoods passed.

    Yields
    ------
    Step
        ``values["log_likelihood"]``: one array of new points for each climb, when traced.

    Raises
    ------
    ArithmeticError
        When the log-likelihood falls or is not finite: a bug, never a property of data.
    """
    b = start.size
    state = start
    best = np.full(b, -np.inf)
    converged = np.zeros(b, dtype=bool)
    steps = np.zeros(b, dtype=np.int64)
    calm = np.zeros(b, dtype=np.int64)
    paths: list[list[float]] = [[] for _turn in range(b)]
    active = np.arange(b)
    while active.size:
        everyone = active.size == b
        w = weights if weights is None or everyone else weights[active]
        held = pins if pins is None or everyone else pins.take(active)
        here, levels = _cycle(space, evidence, state if everyone else state.take(active), w, held)
        _must_not_fall(best[active], levels)
        gain = levels[-1] - best[active]
        state = here if everyone else state.put(active, here)
        best[active] = levels[-1]
        steps[active] += 3
        # One short cycle may be a bad extrapolation; two in a row are rest.
        still = gain <= tolerance * (1 + np.abs(levels[-1]) * 1e-3)
        calm[active] = np.where(still, calm[active] + 1, 0)
        fresh = _note(paths, active, levels) if traced else {}
        yield Step(b - active.size, b, "fit", {"log_likelihood": fresh} if traced else {})
        converged[active] = calm[active] >= 2
        going = (~converged[active]) & (steps[active] < limit)
        if weights is None and pins is None:
            going &= ~_hopeless(best.max() - best[active], gain, steps[active])
        active = active[going]
    return Climb(state, best, converged, steps, tuple(np.array(p) for p in paths) if traced else ())


def _hopeless(behind: FloatArray, gain: FloatArray, steps: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Climbs of one likelihood that lie behind the best one and would not catch up at this pace."""
    given_up = np.zeros(behind.shape, dtype=bool)
    for far, patience, pace in _GIVEN_UP:
        given_up |= (steps >= patience) & (behind > far) & (gain < pace * behind)
    return given_up


def _cycle(
    space: Space, evidence: Evidence, zero: Stack, weights: FloatArray | None, pins: Stack | None
) -> tuple[Stack, list[FloatArray]]:
    """One SQUAREM cycle: the new points and the log-likelihoods of the points passed, never falling."""

    def step(at: Stack) -> tuple[Stack, FloatArray]:
        tally = space.tally(evidence.expect(at, weights))
        return space.maximise(tally, at, pins), tally.log_likelihood

    one, level0 = step(zero)
    two, level1 = step(one)
    x0, x1, x2 = zero.flat(), one.flat(), two.flat()
    first = x1 - x0
    second = (x2 - x1) - first
    # Spelled out: for few numbers most of the time would go into the calls of linalg.norm and clip.
    size, bend = np.sqrt((first * first).sum(axis=1)), np.sqrt((second * second).sum(axis=1))
    length = np.where(bend > 1e-14 * (1 + size), size / np.maximum(bend, 1e-300), 1.0)
    length = np.minimum(np.maximum(length, 1.0), 1e4)[:, None]
    leap = zero.refilled(x0 + 2 * length * first + length**2 * second)
    leap = space.follow(_held(_landed(leap, two), pins))
    three, level2 = step(leap)
    better = level2 >= level1
    return three.where(better, two), [level0, level1, np.where(better, level2, level1)]


def _landed(leap: Stack, two: Stack) -> Stack:
    """The extrapolated points brought back into the space: a rate that left it goes nine tenths of the way."""

    def back(new: FloatArray, old: FloatArray, *, top: bool) -> FloatArray:
        new = np.where(new <= 0, 0.1 * old, new)
        if top:
            return np.where(new >= 1, 1 - 0.1 * (1 - old), new)
        return np.asarray(new / np.maximum(new.sum(axis=-1, keepdims=True), 1e-300))

    return Stack(
        back(leap.truth, two.truth, top=False),
        back(leap.accuracy, two.accuracy, top=True),
        back(leap.guessing, two.guessing, top=False),
        leap.slopes,
    )


def _held(stack: Stack, pins: Stack | None) -> Stack:
    """The points with pinned numbers put back; a pinned vector's other rates share what is left."""
    if pins is None:
        return stack

    def put(values: FloatArray, held: FloatArray, *, rates: bool) -> FloatArray:
        free = np.isnan(held)
        if free.all():
            return values
        if not rates:
            return np.where(free, values, held)
        left = 1 - np.where(free, 0.0, held).sum(axis=-1, keepdims=True)
        others = np.where(free, values, 0.0)
        total = np.maximum(others.sum(axis=-1, keepdims=True), 1e-300)
        return np.where(free, others / total * np.maximum(left, 0.0), held)

    return Stack(
        put(stack.truth, pins.truth, rates=True),
        put(stack.accuracy, pins.accuracy, rates=False),
        put(stack.guessing, pins.guessing, rates=True),
        put(stack.slopes, pins.slopes, rates=False),
    )


def _must_not_fall(before: FloatArray, levels: list[FloatArray]) -> None:
    """The assertion every exact E-M must satisfy (models.md §9.1)."""
    passed = np.array([before, *levels])
    here = passed[1:]
    if not np.isfinite(here).all():
        raise ArithmeticError("the log-likelihood is not finite")
    highest = np.maximum.accumulate(passed[:-1], axis=0)
    fell = here < highest - 1e-9 * (1 + np.abs(here))
    if fell.any():
        drop = float((highest - here)[fell].max())
        raise ArithmeticError(f"the log-likelihood fell by {drop:g} in an exact E-M step")


def _note(paths: list[list[float]], active: NDArray[np.int64], levels: list[FloatArray]) -> dict[int, FloatArray]:
    """The points passed, added to the paths and told by climb."""
    points = np.stack(levels, axis=1)
    for row, b in enumerate(active):
        paths[b].extend(points[row].tolist())
    return {int(b): points[row] for row, b in enumerate(active)}


@dataclass(frozen=True, eq=False)
class LocalMaximum:
    """A maximum and its surroundings.

    Attributes
    ----------
    parameters
        The point; numbers that belong on a bound stand on it exactly.
    log_likelihood
        In nats, ratings form.
    gradient
        Largest absolute score on the line; None where the model is too large for it.
    line
        Coordinates on the face; None where the model is too large.
    information
        Shape (size, size): observed information on the line; None where the model is too large.
    """

    parameters: Parameters
    log_likelihood: float
    gradient: float | None
    line: FreeLine | None
    information: NDArray[np.float64] | None


def polish(space: Space, evidence: Evidence, point: Parameters) -> LocalMaximum:
    """The maximum near a point: snap to bounds that cost nothing, then Newton on what still moves."""
    level = float(evidence.expect(Stack.of([point])).log_likelihood[0])
    # The likelihood is flat in an accuracy near 0 (pairs see its square), so E-M rests well before it gets there.
    for near, slack in ((_NO_ACCURACY, 1e-12 * (1 + abs(level))), (_NEAR, 1e-7)):
        snapped = _snapped(space, point, near)
        if snapped is None:
            continue
        edge = _newton(space, evidence, snapped)
        if edge.log_likelihood >= level - slack and _rests(space, evidence, edge, point):
            return edge
    return _newton(space, evidence, point)


def scores(space: Space, evidence: Evidence, way: FreeLine, coordinates: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log-likelihoods (B,) and scores (B, size) at coordinates (B, size), in portions that fit the memory."""
    cost = max(evidence.patterns.patterns * space.classes, 1)
    rows = max(_CHUNK // cost, 1)
    levels, slopes = [], []
    for at in range(0, coordinates.shape[0], rows):
        stack = way.points(coordinates[at : at + rows])
        tally = space.tally(evidence.expect(stack))
        levels.append(tally.log_likelihood)
        slopes.append(way.score(tally, stack))
    return np.concatenate(levels), np.concatenate(slopes)


def information(space: Space, evidence: Evidence, way: FreeLine, at: FloatArray) -> NDArray[np.float64]:
    """Shape (size, size): minus the second derivatives, by central differences of the exact score."""
    steps = _STEP * np.eye(at.size)
    _levels, slopes = scores(space, evidence, way, np.concatenate([at + steps, at - steps]))
    second = (slopes[: at.size] - slopes[at.size :]) / (2 * _STEP)
    return np.asarray(-(second + second.T) / 2)


def surroundings(space: Space, evidence: Evidence, best: LocalMaximum) -> LocalMaximum:
    """A maximum with its line and curvature also where the model is too large for Newton, within reason."""
    if best.information is not None:
        return best
    way = line(space, best.parameters)
    patterns = evidence.patterns
    by_class = space.classes if isinstance(evidence, FullEvidence) else 1
    work = 2.0 * way.size * (patterns.pattern.size * by_class + patterns.patterns * space.classes)
    if not 0 < way.size <= _MOST_CURVED or work > _DEAREST_CURVATURE:
        return best
    at = way.coordinates(best.parameters)
    _levels, (slope,) = scores(space, evidence, way, at[None])
    curvature = information(space, evidence, way, at)
    return replace(best, gradient=float(np.abs(slope).max()), line=way, information=curvature)


def _newton(space: Space, evidence: Evidence, point: Parameters) -> LocalMaximum:
    start = Stack.of([point])
    level = float(evidence.expect(start).log_likelihood[0])
    if space.free > _MOST_COORDINATES:
        return LocalMaximum(point, level, None, None, None)
    way = line(space, point)
    if way.size == 0:
        return LocalMaximum(point, level, 0.0, way, np.zeros((0, 0)))
    at = way.coordinates(point)
    curvature = np.zeros((at.size, at.size))
    slope = np.zeros(at.size)
    for _again in range(15):
        (level,), (slope,) = scores(space, evidence, way, at[None])
        curvature = information(space, evidence, way, at)
        if np.abs(slope).max() < 1e-9 * (1 + evidence.patterns.rating_count * 1e-3):
            break
        trial = _uphill(space, evidence, way, at, level, slope, curvature)
        if trial is None:
            break
        at = trial
    end = way.points(at[None]).one(0)
    return LocalMaximum(end, float(level), float(np.abs(slope).max(initial=0.0)), way, curvature)


def _uphill(
    space: Space,
    evidence: Evidence,
    way: FreeLine,
    at: FloatArray,
    level: float,
    slope: FloatArray,
    curvature: FloatArray,
) -> FloatArray | None:
    """The Newton point, halved towards the origin until it gains; None where nothing gains."""
    try:
        factor = np.linalg.cholesky(curvature)
    except np.linalg.LinAlgError:
        return None
    step = np.linalg.solve(factor.T, np.linalg.solve(factor, slope))
    if not np.isfinite(step).all() or np.abs(step).max() > 10:
        return None
    tries = at + step * (0.5 ** np.arange(8))[:, None]
    levels, slopes = scores(space, evidence, way, tries)
    # Near the top the gain drowns in rounding; then a smaller score is progress.
    flat = levels >= level - 1e-11 * (1 + abs(level))
    good = (levels > level) | (flat & (np.abs(slopes).max(axis=1) < np.abs(slope).max() * 0.5))
    return np.asarray(tries[int(np.argmax(good))]) if good.any() else None


def _snapped(space: Space, point: Parameters, no_accuracy: float) -> Parameters | None:
    """The point with numbers next to a bound, or accuracies below a limit, put on it; None where there are none."""
    truth, accuracy, guessing = point.truth, point.accuracy, point.guessing
    low = (truth < _NEAR) & (truth > 0)
    truth = _rates(np.where(low, 0.0, truth))
    guessing = _rates(np.where(guessing < _NEAR, 0.0, guessing))
    if space.accuracy_free:
        accuracy = np.where(accuracy < no_accuracy, 0.0, np.where(accuracy > 1 - _NEAR, 1.0, accuracy))
    new = space.settle(Stack.of([Parameters(truth, accuracy, guessing, point.slopes)])).one(0)
    if all(np.array_equal(getattr(new, f), getattr(point, f)) for f in ("truth", "accuracy", "guessing")):
        return None
    return new


def _rates(p: FloatArray) -> FloatArray:
    return np.asarray(p / p.sum(axis=-1, keepdims=True))


def _rests(space: Space, evidence: Evidence, edge: LocalMaximum, inside: Parameters) -> bool:
    """Whether the likelihood falls, or rests, when the bound is left a little in the direction it was met from."""
    a, b = Stack.of([edge.parameters]), Stack.of([inside])
    mixed = a.refilled((1 - 1e-3) * a.flat() + 1e-3 * b.flat())
    level = float(evidence.expect(space.settle(mixed)).log_likelihood[0])
    return level <= edge.log_likelihood + 1e-7
