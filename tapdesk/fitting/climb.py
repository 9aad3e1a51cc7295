"""To the maxima of the likelihood: many climbs side by side, the loop of exact E-M, and its finish by Newton."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.evidence import Evidence, FullEvidence
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import FreeLine, Space, line
from tapdesk.progress import Run, Step

# A climb is given up when it lies so far behind the best one, after so many E-M steps, and a cycle gains less than so
# much of that: soon where it is far behind, later where it crawls along a ridge, and in the end at any pace.
_GIVEN_UP = ((5.0, 60, 1 / 300), (0.05, 900, 1 / 3000), (1e-6, 3000, 1e9))
# The same of one that has a log-likelihood to reach, and is of no use below it.
_BELOW_THE_FLOOR = ((2.0, 30, 1 / 100), (0.05, 90, 1 / 300))

# E-M steps after which a climb with a number held may crawl, so that Newton's method carries it on where it can.
_CRAWLING = (60, 120, 240, 480, 960)

# Raters with numbers of their own, at least.
_SEVERAL = 2

# Of a leap, in the unit of the E-M steps before it.
_LONGEST = 1e4

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
    floor: float | None = None,
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
    floor
        A climb that would not reach this log-likelihood at its pace is given up.

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
    paths: list[list[float]] = [[] for _turn in range(b)]
    # Of those still under way: which, where, since how many cycles at rest, and how far they may leap.
    active, here, level = np.arange(b), start, best
    calm, longest = np.zeros(b, dtype=np.int64), np.full(b, _LONGEST)
    count = 0
    while active.size:
        here, levels, longest = _cycle(space, evidence, here, weights, pins, longest)
        _must_not_fall(level, levels)
        gain, level = levels[-1] - level, levels[-1]
        best[active] = level
        count += 3
        # One short cycle may be a bad extrapolation; two in a row are rest.
        calm = np.where(gain <= tolerance * (1 + np.abs(level) * 1e-3), calm + 1, 0)
        fresh = _note(paths, active, levels) if traced else {}
        yield Step(b - active.size, b, "fit", {"log_likelihood": fresh} if traced else {})
        going = calm < 2
        converged[active] = ~going
        if count >= limit:
            going[:] = False
        elif weights is None and pins is None:
            going &= ~_hopeless(best.max() - level, gain, count)
        elif floor is not None:
            going &= ~_hopeless(floor - level, gain, count, _BELOW_THE_FLOOR)
        if (weights is not None or pins is not None) and count in _CRAWLING:
            run = _by_newton(space, evidence, (here, level), (pins, weights), going, tolerance)
            here, level, arrived = yield from run
            best[active], converged[active], going = level, converged[active] | arrived, going & ~arrived
        if going.all():
            continue
        state, steps[active] = here if active.size == b else state.put(active, here), count
        active, here, level, calm, longest = active[going], here.take(going), level[going], calm[going], longest[going]
        weights, pins = None if weights is None else weights[going], None if pins is None else pins.take(going)
    return Climb(state, best, converged, steps, tuple(np.array(p) for p in paths) if traced else ())


def _by_newton(
    space: Space,
    evidence: Evidence,
    reached: tuple[Stack, FloatArray],
    held: tuple[Stack | None, FloatArray | None],
    going: NDArray[np.bool_],
    tolerance: float,
) -> Run[tuple[Stack, FloatArray, NDArray[np.bool_]]]:
    """Points, levels and who arrived, after Newton's method has carried on those that are going, where it can."""
    (here, level), (pins, weights) = reached, held
    rows = np.flatnonzero(going)
    arrived = np.zeros(going.size, dtype=bool)
    if not rows.size or evidence.patterns.units < _SEVERAL:
        return here, level, arrived
    # What climbs with a number held alone need, of raters with numbers of their own, is loaded for them.
    from tapdesk.fitting.newton import suits, tops

    if not suits(evidence, space):
        return here, level, arrived
    some = (None if pins is None else pins.take(rows), None if weights is None else weights[rows])
    points, levels, ended = yield from tops(space, evidence, here.take(rows), some, tolerance)
    level = level.copy()
    level[rows], arrived[rows] = levels, ended
    return here.put(rows, points), level, arrived


def _hopeless(
    behind: FloatArray, gain: FloatArray, steps: int, rules: Sequence[tuple[float, int, float]] = _GIVEN_UP
) -> NDArray[np.bool_]:
    """Climbs of one likelihood that lie behind the best one and would not catch up at this pace."""
    given_up = np.zeros(behind.shape, dtype=bool)
    for far, patience, pace in rules:
        if steps >= patience:
            given_up |= (behind > far) & (gain < pace * behind)
    return given_up


def _cycle(
    space: Space,
    evidence: Evidence,
    zero: Stack,
    weights: FloatArray | None,
    pins: Stack | None,
    longest: FloatArray,
) -> tuple[Stack, list[FloatArray], FloatArray]:
    """One SQUAREM cycle: new points, the log-likelihoods of the points passed, never falling, and the next leaps.

    Along a bent ridge a leap of the length that would end a straight climb lands below it: who was dropped may leap a
    quarter as far, who leapt as far as allowed sixteen times (the longest step of Varadhan & Roland 2008, section 6).
    """

    def step(at: Stack) -> tuple[Stack, FloatArray]:
        tally = space.tally(evidence.expect(at, weights))
        return space.maximise(tally, at, pins), tally.log_likelihood

    one, level0 = step(zero)
    two, level1 = step(one)
    x0, x1, x2 = zero.flat(), one.flat(), two.flat()
    first = x1 - x0
    second = (x2 - x1) - first
    # Spelled out: for few numbers most of the time would go into the calls of linalg.norm and clip.
    size, bend = np.sqrt(np.add.reduce(first * first, axis=1)), np.sqrt(np.add.reduce(second * second, axis=1))
    length = np.where(bend > 1e-14 * (1 + size), size / np.maximum(bend, 1e-300), 1.0)
    length = np.minimum(np.maximum(length, 1.0), longest)
    way = length[:, None]
    leap = zero.refilled(x0 + 2 * way * first + way**2 * second)
    leap = space.follow(_held(_landed(leap, two), pins), pins)
    three, level2 = step(leap)
    better = level2 >= level1
    if better.all():
        return three, [level0, level1, level2], np.where(length < longest, longest, np.minimum(16 * longest, _LONGEST))
    longest = np.where(length < longest, longest, np.minimum(16 * longest, _LONGEST))
    longest = np.where(better, longest, np.maximum(length / 4, 1.0))
    return three.where(better, two), [level0, level1, np.where(better, level2, level1)], longest


def _landed(leap: Stack, two: Stack) -> Stack:
    """The extrapolated points brought back into the space: a rate that left it goes nine tenths of the way."""

    def back(new: FloatArray, old: FloatArray, *, top: bool) -> FloatArray:
        new = np.where(new <= 0, 0.1 * old, new)
        if top:
            return np.where(new >= 1, 1 - 0.1 * (1 - old), new)
        return np.asarray(new / np.maximum(np.add.reduce(new, axis=-1, keepdims=True), 1e-300))

    return Stack(
        back(leap.truth, two.truth, top=False),
        back(leap.accuracy, two.accuracy, top=True),
        back(leap.guessing, two.guessing, top=False),
        leap.slopes,
        back(leap.spread, two.spread, top=True),
    )


def _held(stack: Stack, pins: Stack | None) -> Stack:
    """The points with pinned numbers put back; a pinned vector's other rates share what is left."""
    if pins is None:
        return stack

    def put(values: FloatArray, held: FloatArray, pinned: NDArray[np.bool_] | None, *, rates: bool) -> FloatArray:
        if pinned is None:
            return values
        if not rates:
            return np.where(pinned, held, values)
        left = 1 - np.where(pinned, held, 0.0).sum(axis=-1, keepdims=True)
        others = np.where(pinned, 0.0, values)
        total = np.maximum(others.sum(axis=-1, keepdims=True), 1e-300)
        return np.where(pinned, held, others / total * np.maximum(left, 0.0))

    numbers = pins.numbers
    return Stack(
        put(stack.truth, pins.truth, numbers[0], rates=True),
        put(stack.accuracy, pins.accuracy, numbers[1], rates=False),
        put(stack.guessing, pins.guessing, numbers[2], rates=True),
        put(stack.slopes, pins.slopes, numbers[3], rates=False),
        put(stack.spread, pins.spread, numbers[4], rates=False),
    )


def _must_not_fall(before: FloatArray, levels: list[FloatArray]) -> None:
    """The assertion every exact E-M must satisfy (models.md §9.1)."""
    passed = np.array([before, *levels])
    here = passed[1:]
    if (here >= passed[:-1]).all() and np.isfinite(here).all():
        return
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
    """Shape (size, size): minus the second derivatives, by central differences of the exact score.

    Where these would take several portions, by `missing_information`: the same within the error of the differences.
    """
    cost = 2 * at.size * evidence.patterns.patterns * space.classes
    if cost > _CHUNK:
        # What large models alone need is loaded for them.
        from tapdesk.fitting.information import has_closed_form, missing_information

        if has_closed_form(evidence):
            return missing_information(space, evidence, way, at)
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
    spread = np.where(point.spread < no_accuracy, 0.0, np.where(point.spread > 1 - _NEAR, 1.0, point.spread))
    new = space.settle(Stack.of([Parameters(truth, accuracy, guessing, point.slopes, spread)])).one(0)
    if all(np.array_equal(getattr(new, f), getattr(point, f)) for f in ("truth", "accuracy", "guessing", "spread")):
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
