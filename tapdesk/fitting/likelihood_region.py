"""Intervals of what follows from the parameters: how far it reaches where the likelihood stays near its maximum.

The ends of a profile interval of any function of the parameters are its extremes over the region in which the
log-likelihood lies at most half a chi-square point below the maximum (models.md §5.4; Pawitan 2001, *In All
Likelihood*, §3.4). Looked for directly they need no parametrisation in which the function is a coordinate, and they
hold on the edge of the space, where re-draws coincide.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import chdtri, expit, logit

from tapdesk.fitting.climb import information, scores
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import FreeLine, line
from tapdesk.progress import Run, Step

Quantity = Callable[[Stack], FloatArray]
"""A probability that follows from the parameters: of points (B,) its values (B,)."""

# As near to 0 or 1 as a coordinate goes, on the scale of logits; and where that begins to count as the edge itself.
_FARTHEST = 16.0
FARTHEST_SLOPE = 40.0
"""As far as a slope or a cut point goes from where it is, in its own units."""
_EDGE = 1e-5
_SHORT_OF_EDGE = 1e-9
# A climb along the border of the region may end this much outside it: nats.
_OUTSIDE = 1e-5
_STEP = 1e-5
_MARGINS = (1e-3, 2e-2)
_MOST_STEPS = 100
# Newton's steps along the border from a maximum inside the space: most of them, and when they have arrived.
_NEWTON, _HALVES, _ARRIVED, _ON_BORDER = 25, 6, 1e-5, 1e-7
# What may be left of the slope at an optimum, as a share of it.
_RESTS = 1e-2


def extremes(
    plan: Design,
    evidence: Evidence,
    best: Sequence[Parameters],
    top: float,
    quantities: Sequence[Quantity],
    level: float,
) -> Run[tuple[tuple[float, float] | None, ...]]:
    """Profile intervals of some quantities.

    The region may have arms in which another quantity lies far out: so the ends of each are places to look for the
    ends of the others from.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    best
        The maximum and other optima within the region: each is a place to begin from.
    top
        Log-likelihood at the maximum, nats, ratings form.
    quantities
        What the intervals are of.
    level
        Confidence level.

    Returns
    -------
    tuple
        The ends of each; None where no search ended within the region.

    Yields
    ------
    Step
        Phase ``intervals``.
    """
    floor = top - float(chdtri(1, 1 - level)) / 2
    wanted = [(i, sign) for i in range(len(quantities)) for sign in (1.0, -1.0)]
    total = 2 * len(wanted)
    ends: dict[tuple[int, float], _End] = {}
    for done, (i, sign) in enumerate(wanted):
        yield Step(done, total, "intervals")
        reached = [_from_maximum(plan, evidence, point, quantities[i], sign, floor) for point in best]
        ends |= _farther(ends, (i, sign), reached)
    # Where every end is an optimum for sure and none lies at an edge, there is no arm to look for.
    arms = any(not end.sure or _snapped(end.value) in {0.0, 1.0} for end in ends.values()) or len(ends) < len(wanted)
    for done, (i, sign) in enumerate(wanted if arms else ()):
        yield Step(len(wanted) + done, total, "intervals")
        others = [end.at for (of, _side), end in ends.items() if of != i]
        reached = [_search(plan, evidence, quantities[i], sign, floor, place) for place in others]
        ends |= _farther(ends, (i, sign), reached)
    items: list[tuple[float, float] | None] = []
    for i in range(len(quantities)):
        low, high = ends.get((i, 1.0)), ends.get((i, -1.0))
        items.append(None if low is None or high is None else (_snapped(low.value), _snapped(high.value)))
    return tuple(items)


@dataclass(frozen=True, eq=False)
class _End:
    """Where a search ended: value of the quantity, the point, and whether it is an optimum for sure."""

    value: float
    at: Parameters
    sure: bool


def _farther(
    ends: Mapping[tuple[int, float], _End], which: tuple[int, float], reached: Sequence[_End | None]
) -> dict[tuple[int, float], _End]:
    """The farthest of what was reached for one end and what was known of it."""
    known = [end for end in (*reached, ends.get(which)) if end is not None]
    return {which: min(known, key=lambda end: which[1] * end.value)} if known else {}


def _snapped(value: float) -> float:
    """A share next to 0 or 1 is one on the edge, where the coordinates do not reach."""
    return 0.0 if value < _EDGE else 1.0 if value > 1 - _EDGE else value


def _from_maximum(
    plan: Design, evidence: Evidence, point: Parameters, quantity: Quantity, sign: float, floor: float
) -> _End | None:
    """The end that searches from a maximum reach: the first that is an optimum for sure, else the farthest."""
    straight = _from_inside(plan, evidence, point, quantity, sign, floor)
    if straight is not None:
        return straight
    reached = []
    for margin in _MARGINS:
        for flat in (False, True):
            end = _search(plan, evidence, quantity, sign, floor, point, margin, flat=flat)
            if end is not None and end.sure:
                return end
            reached.append(end)
    return _farther({}, (0, sign), reached).get((0, sign))


@dataclass(frozen=True, eq=False)
class _Place:
    """What is known at a point: the quantity with its slope, the height above the region's floor with its slope."""

    at: FloatArray
    value: float
    slope: FloatArray
    left: float
    rise: FloatArray

    def strain(self, push: float) -> float:
        """How far from an end of the region: slopes that do not balance, and the way to the border."""
        # Of a quantity without a slope here none is near: that is no number too large.
        with np.errstate(over="ignore"):
            off = np.abs(self.slope - push * self.rise).max(initial=0.0) / max(
                np.abs(self.slope).max(initial=0.0), 1e-300
            )
        return float(off) + abs(self.left)


def _from_inside(
    plan: Design, evidence: Evidence, point: Parameters, quantity: Quantity, sign: float, floor: float
) -> _End | None:
    """The end that Newton's steps reach from a maximum inside the space (Venzon & Moolgavkar 1988, Appl. Stat. 37:87).

    At an end the slope of the quantity is a multiple of that of the log-likelihood, which is the floor there. Other
    than the search with bounds it knows how the likelihood bends, which saves most steps where there are many numbers.
    None where the maximum lies on an edge, or no end is reached.
    """
    way = line(plan.space, point)
    if way.size < plan.space.free or not way.size:
        return None
    scale = _Scale(way, quantity, flat=False)

    def place(at: FloatArray) -> _Place:
        value, slope = scale(at)
        (level,), (rise,) = scores(plan.space, evidence, way, at[None])
        return _Place(at, sign * value, sign * slope, float(level) - floor, np.asarray(rise))

    start = way.coordinates(way.origin)
    here = place(start)
    try:
        ahead = np.linalg.solve(information(plan.space, evidence, way, start), here.slope)
        length = float(here.slope @ ahead)
        if not np.isfinite(length) or length <= 0 or here.left <= 0:
            return None
        reach = float(np.sqrt(2 * here.left / length))
        here, push = place(start - reach * ahead), 1 / reach
        for _again in range(_NEWTON):
            if here.strain(push) < _ARRIVED and abs(here.left) < _ON_BORDER:
                break
            here, push = _nearer(place, here, push, push * information(plan.space, evidence, way, here.at))
    except np.linalg.LinAlgError:
        return None
    arrived = here.strain(push) < _ARRIVED and push > 0 and np.abs(here.at).max() < FARTHEST_SLOPE
    if not arrived or not _falls_aside(information(plan.space, evidence, way, here.at), here.rise):
        return None
    end = way.points(here.at[None]).one(0)
    return _End(scale.probability(sign * here.value), end, sure=True)


def _falls_aside(bend: FloatArray, rise: FloatArray) -> bool:
    """Whether the log-likelihood falls to all sides of the way up: else the place is a pass between two ends."""
    across = np.linalg.qr(np.column_stack([rise, np.eye(rise.size)]))[0][:, 1:]
    return bool((np.linalg.eigvalsh(across.T @ bend @ across) > 0).all())


def _nearer(place: Callable[[FloatArray], _Place], here: _Place, push: float, bend: FloatArray) -> tuple[_Place, float]:
    """The next place and multiple, the step halved while it leads away; `LinAlgError` where none leads nearer."""
    n = here.at.size
    system = np.zeros((n + 1, n + 1))
    system[:n, :n], system[:n, n], system[n, :n] = bend, -here.rise, here.rise
    step = np.linalg.solve(system, np.append(push * here.rise - here.slope, -here.left))
    strain = here.strain(push)
    for half in range(_HALVES):
        part = 0.5**half
        there, new = place(here.at + part * step[:n]), push + part * float(step[n])
        if np.isfinite(there.left) and there.strain(new) < strain:
            return there, new
    raise np.linalg.LinAlgError("no step leads nearer")


class _Scale:
    """A quantity along the line of the free numbers, as it is or as its logit, which stays steep near 0 and 1."""

    def __init__(self, way: FreeLine, quantity: Quantity, *, flat: bool) -> None:
        self.way = way
        self._quantity = quantity
        self._flat = flat

    def __call__(self, at: FloatArray) -> tuple[float, FloatArray]:
        """Value and gradient at coordinates."""
        steps = _STEP * np.eye(at.size)
        values = self._quantity(self.way.points(np.concatenate([at[None], at + steps, at - steps])))
        if not self._flat:
            values = logit(np.clip(values, _SHORT_OF_EDGE, 1 - _SHORT_OF_EDGE))
        return float(values[0]), (values[1 : at.size + 1] - values[at.size + 1 :]) / (2 * _STEP)

    def probability(self, value: float) -> float:
        """A value of this scale as a probability."""
        return value if self._flat else float(expit(value))


def _bounds(plan: Design, way: FreeLine, start: FloatArray) -> tuple[FloatArray, FloatArray]:
    """As far down and up as the coordinates go from a start."""
    low, high = np.minimum(start, -_FARTHEST), np.maximum(start, _FARTHEST)
    if plan.space.ordered is not None:
        cuts = slice(start.size - way.slopes - len(way.spreads), start.size - len(way.spreads))
        low[cuts], high[cuts] = start[cuts] - FARTHEST_SLOPE, start[cuts] + FARTHEST_SLOPE
    return low, high


def _search(
    plan: Design,
    evidence: Evidence,
    quantity: Quantity,
    sign: float,
    floor: float,
    place: Parameters,
    margin: float = _MARGINS[0],
    *,
    flat: bool = False,
) -> _End | None:
    """The smallest (sign 1) or largest (sign -1) value within the region; None where the search left the region.

    It is sure where nothing but the border of the region, or a coordinate as far out as it goes, holds it (the
    conditions of Karush, Kuhn and Tucker).
    """
    from scipy.optimize import minimize  # late: slow to load

    way = line(plan.space, plan.space.settle(Stack.of([place]).inside(margin)).one(0))
    scale = _Scale(way, quantity, flat=flat)

    @lru_cache(maxsize=2)
    def around(at: bytes) -> tuple[float, FloatArray, float, FloatArray]:
        value, slope = scale(np.frombuffer(at))
        (level,), (rise,) = scores(plan.space, evidence, way, np.frombuffer(at)[None])
        return sign * value, sign * slope, float(level) - floor, np.asarray(rise)

    start = way.coordinates(way.origin)
    low, high = _bounds(plan, way, start)
    border = {
        "type": "ineq",
        "fun": lambda at: around(at.tobytes())[2],
        "jac": lambda at: around(at.tobytes())[3],
    }
    slsqp: Any = minimize  # its types do not know functions of plain arrays
    ended = slsqp(
        lambda at: around(at.tobytes())[0],
        start.tolist(),
        jac=lambda at: around(at.tobytes())[1],
        method="SLSQP",
        bounds=list(zip(low.tolist(), high.tolist(), strict=True)),
        constraints=[border],
        options={"maxiter": _MOST_STEPS, "ftol": 1e-8},
    )
    at = np.asarray(ended.x, dtype=np.float64)
    value, slope, left, rise = around(at.tobytes())
    if not np.isfinite(at).all() or left < -_OUTSIDE:
        return None
    held = ((at <= low) & (slope > 0)) | ((at >= high) & (slope < 0))
    push, back = np.where(held, 0.0, slope), np.where(held, 0.0, rise)
    along = max(float(push @ back) / max(float(back @ back), 1e-300), 0.0)
    rests = float(np.abs(push - along * back).max()) < _RESTS * float(np.abs(push).max(initial=1e-12))
    probability = scale.probability(sign * value)
    at_edge = min(probability, 1 - probability) < _EDGE
    return _End(probability, way.points(at[None]).one(0), at_edge or (rests and along > 0))
