"""The loop of exact E-M, written once: accelerated, monotone, many points side by side."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.evidence import Evidence
from tapdesk.models.space import Space
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step

# A climb is given up when it lies so far behind the best one, after so many E-M steps, and a cycle gains less than so
# much of that: soon where it is far behind, later where it crawls along a ridge, and in the end at any pace.
_GIVEN_UP = ((5.0, 60, 1 / 300), (0.05, 900, 1 / 3000), (1e-6, 3000, 1e9))


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
        raise UsageError(_("{limit} steps are too few.").format(limit=limit), fix=_("A usual limit is 20000."))


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
