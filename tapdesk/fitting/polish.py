"""The Newton finish: from where E-M rests to the maximum itself, on the right face of the space."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import Evidence, FullEvidence
from tapdesk.models.line import Line, line
from tapdesk.models.parameters import Parameters
from tapdesk.models.space import Space
from tapdesk.models.stack import FloatArray, Stack

_NEAR = 1e-5
_NO_ACCURACY = 1e-3
_STEP = 1e-4
_MOST_COORDINATES = 250
# Beyond these the curvature would take minutes, or a gigabyte.
_MOST_CURVED = 2500
_DEAREST_CURVATURE = 4e9
_CHUNK = 2_000_000


@dataclass(frozen=True, eq=False)
class Polished:
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
    line: Line | None
    information: NDArray[np.float64] | None


def polish(space: Space, evidence: Evidence, point: Parameters) -> Polished:
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


def scores(space: Space, evidence: Evidence, way: Line, coordinates: FloatArray) -> tuple[FloatArray, FloatArray]:
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


def information(space: Space, evidence: Evidence, way: Line, at: FloatArray) -> NDArray[np.float64]:
    """Shape (size, size): minus the second derivatives, by central differences of the exact score."""
    steps = _STEP * np.eye(at.size)
    _, slopes = scores(space, evidence, way, np.concatenate([at + steps, at - steps]))
    second = (slopes[: at.size] - slopes[at.size :]) / (2 * _STEP)
    return np.asarray(-(second + second.T) / 2)


def surroundings(space: Space, evidence: Evidence, best: Polished) -> Polished:
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
    _, (slope,) = scores(space, evidence, way, at[None])
    curvature = information(space, evidence, way, at)
    return replace(best, gradient=float(np.abs(slope).max()), line=way, information=curvature)


def _newton(space: Space, evidence: Evidence, point: Parameters) -> Polished:
    start = Stack.of([point])
    level = float(evidence.expect(start).log_likelihood[0])
    if space.free > _MOST_COORDINATES:
        return Polished(point, level, None, None, None)
    way = line(space, point)
    if way.size == 0:
        return Polished(point, level, 0.0, way, np.zeros((0, 0)))
    at = way.coordinates(point)
    curvature = np.zeros((at.size, at.size))
    slope = np.zeros(at.size)
    for _ in range(15):
        (level,), (slope,) = scores(space, evidence, way, at[None])
        curvature = information(space, evidence, way, at)
        if np.abs(slope).max() < 1e-9 * (1 + evidence.patterns.rating_count * 1e-3):
            break
        trial = _uphill(space, evidence, way, at, level, slope, curvature)
        if trial is None:
            break
        at = trial
    end = way.points(at[None]).one(0)
    return Polished(end, float(level), float(np.abs(slope).max(initial=0.0)), way, curvature)


def _uphill(
    space: Space,
    evidence: Evidence,
    way: Line,
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


def _rests(space: Space, evidence: Evidence, edge: Polished, inside: Parameters) -> bool:
    """Whether the likelihood falls, or rests, when the bound is left a little in the direction it was met from."""
    a, b = Stack.of([edge.parameters]), Stack.of([inside])
    mixed = a.refilled((1 - 1e-3) * a.flat() + 1e-3 * b.flat())
    level = float(evidence.expect(space.settle(mixed)).log_likelihood[0])
    return level <= edge.log_likelihood + 1e-7
