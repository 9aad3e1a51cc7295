"""Profile likelihood: one number held, all others at their best, and where it crosses a threshold (models.md §5.4)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from tapdesk.fitting.climb import Climb, climb
from tapdesk.fitting.likelihood_region import FARTHEST_SLOPE, extremes
from tapdesk.fitting.starts import starts
from tapdesk.models.design import Design, Slot
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Cases
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import Space, can_switch, canonical
from tapdesk.progress import Run, relay

REFINEMENTS = 14
_GRID = 14
_CHUNK = 3_000_000
_CLOSE = 1e-6
# Best points at two values differ by more than so much, and more than fourfold the values: they lie on two hills.
_TWO_HILLS = 0.02
_EDGE = 1e-9
_OTHER_NAMES = 1e-9
# As far below as a log-likelihood counts for finding where it crosses: nats.
_FAR_BELOW = 100.0

# Ends are tried again from starts of their own: so much higher there, and the profile had been caught on a lower hill.
_HIGHER = 1e-4
_RANDOM = 3
_ROUNDS = 3
# Numbers without bounds run from 0 to 1 on a logistic curve with this unit, whose ends are never reached.
_LOGISTIC = 8.0
# Where, from an end to the end of the range.
_BEYOND = (0.0, 0.4, 0.8)


def unit_of(space: Space, slot: Slot) -> float:
    """What counts as a step of 1 in a reported number: 1 for a probability, what moves logits by 1 for a slope."""
    return float(space.slope_units[slot.index]) if slot.part == "slopes" else 1.0


def grid_of(space: Space, slot: Slot, value: float) -> FloatArray:
    """Values to hold on both sides of the estimate, denser near it, with the ends of the range."""
    spread = np.linspace(0, 1, _GRID + 1)[1:] ** 1.6
    if slot.part == "slopes":
        reach = FARTHEST_SLOPE * unit_of(space, slot) * spread**2
        return np.sort(np.concatenate([value - reach, value + reach]))
    return np.sort(np.concatenate([value * (1 - spread), value + (slot.most - value) * spread]))


def held_maxima(
    plan: Design,
    evidence: Evidence,
    best: Sequence[Parameters],
    wanted: Sequence[Slot],
    owner: NDArray[np.int64],
    held: FloatArray,
    progress: tuple[int, int],
) -> Run[FloatArray]:
    """Shape (n,): best log-likelihood with parameter ``owner[i]`` held at ``held[i]``, over several origins."""
    levels, _points = yield from _held_points(plan, evidence, best, wanted, owner, held, progress)
    return levels


def _held_points(
    plan: Design,
    evidence: Evidence,
    best: Sequence[Parameters],
    wanted: Sequence[Slot],
    owner: NDArray[np.int64],
    held: FloatArray,
    progress: tuple[int, int],
) -> Run[tuple[FloatArray, Stack]]:
    """The same, and n points that have these log-likelihoods."""
    slots = [wanted[i] for i in owner] * len(best)
    origins = [origin for origin in best for _ in range(held.size)]
    count = (*progress, len(best))
    ended = yield from held_climbs(plan, evidence, origins, slots, np.tile(held, len(best)), count)
    levels = ended.log_likelihood.reshape(len(best), held.size)
    first = levels.argmax(axis=0) * held.size + np.arange(held.size)
    return ended.log_likelihood[first], ended.stack.take(first)


def held_climbs(
    plan: Design,
    evidence: Evidence,
    origins: Sequence[Parameters],
    held: Sequence[Slot],
    values: FloatArray,
    progress: tuple[int, int, int],
    floor: float | None = None,
) -> Run[Climb]:
    """Climbs from an origin each, each with one number held, as many side by side as the memory likes.

    Where the classes may be called by each other's names without any loss, a climb that ends under other names tells
    nothing of these ones: its log-likelihood is minus infinity.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    origins, held, values
        For each climb where it comes from, the number it holds and its value.
    progress
        What was done before, the total, and how many of these climbs count as one.
    floor
        The log-likelihood that a climb has to reach to be of use; it is followed less far then.
    """
    done, total, share = progress
    cost = max(plan.patterns.patterns * plan.space.classes, 1)
    rows = max(_CHUNK // cost, 1)
    parts = []
    tolerance = 1e-9 if floor is None else _HIGHER / 100
    for at in range(0, values.size, rows):
        part = slice(at, at + rows)
        start, pins = pinned(plan.space, origins[part], held[part], values[part])
        run = climb(
            plan.space, evidence, plan.space.settle(start), pins=pins, tolerance=tolerance, limit=3000, floor=floor
        )
        parts.append((yield from relay(run, min(done + at // share, total), total, "intervals")))
    ended = Climb.join(parts)
    lost = _relabelled(plan.space, ended.stack)
    return replace(ended, log_likelihood=np.where(lost, -np.inf, ended.log_likelihood))


def _relabelled(space: Space, stack: Stack) -> NDArray[np.bool_]:
    """Shape (B,): whether a point has its classes under other names than the estimate's (`canonical`)."""
    if not can_switch(space) and space.ordered is None:
        return np.zeros(stack.size, dtype=bool)
    return np.asarray(np.abs(canonical(space, stack).flat() - stack.flat()).max(axis=1) > _OTHER_NAMES)


def pinned(
    space: Space, origins: Sequence[Parameters], held: Sequence[Slot], values: FloatArray
) -> tuple[Stack, Stack]:
    """Starts near points, each with one number at the value to hold, and the pins that hold them."""
    k = origins[0].classes
    # Exactly on a bound data may be impossible, and an E-M step there has nothing to go by.
    values = np.array(
        [v if s.part == "slopes" else np.clip(v / s.most, _EDGE, 1 - _EDGE) for s, v in zip(held, values, strict=True)]
    )
    start = Stack.of(origins).inside(1e-4 / k)
    if space.empty:
        # What no case truly is has no share: emptied later, the rates held would no longer be as they are held.
        start = space.settle(start)
    pins = Stack(*(np.full_like(getattr(start, f.name), np.nan) for f in fields(Stack)))
    for i, (slot, value) in enumerate(zip(held, values, strict=True)):
        getattr(pins, slot.part)[i][slot.index] = value
        target = getattr(start, slot.part)[i]
        if slot.part == "slopes" and space.ordered is None:
            from tapdesk.models.regression import followed  # start-up cost: few fits have slopes

            # The others go with it: far from the zero of its covariate, one slope moved alone makes all logits huge.
            target += (value - target[slot.index]) * followed(space.design, slot.index[0])
        if slot.part in {"truth", "guessing"}:
            row = target[slot.index[:-1]] if slot.index[:-1] else target
            others = np.arange(k) != slot.index[-1]
            row[others] *= (1 - value) / row[others].sum()
        target[slot.index] = value
    if space.ordered is not None:
        # The other cut points make room.
        start = replace(start, slopes=space.ordered.rising(start.slopes, pins.slopes))
    return start, pins


@dataclass(frozen=True, eq=False)
class _Brackets:
    """Ends of intervals that are being looked for, two for each number, and what is known on both sides of each.

    Attributes
    ----------
    owner
        Shape (n,): whose ends they are.
    near, far, last
        Shape (n,): the value looked at most lately, one beyond the end as seen from it, and the value looked at before.
    at_near, at_far, at_last
        Shape (n,): root of the drop there, less its threshold.
    near_point, far_point
        n points that have these log-likelihoods, with the number held.
    """

    owner: NDArray[np.int64]
    near: FloatArray
    far: FloatArray
    last: FloatArray
    at_near: FloatArray
    at_far: FloatArray
    at_last: FloatArray
    near_point: Stack
    far_point: Stack

    def take(self, which: NDArray[np.int64]) -> "_Brackets":
        """Some of the ends."""
        return _Brackets(*(part.take(which) for part in self.numbers), *(p.take(which) for p in self.points))

    def put(self, which: NDArray[np.int64], other: "_Brackets") -> "_Brackets":
        """A copy in which some of the ends are replaced."""
        parts = [part.copy() for part in self.numbers]
        for mine, theirs in zip(parts, other.numbers, strict=True):
            mine[which] = theirs
        points = [p.put(which, theirs) for p, theirs in zip(self.points, other.points, strict=True)]
        return _Brackets(*parts, *points)

    @property
    def numbers(self) -> tuple[Any, ...]:
        """All that is no point."""
        return self.owner, self.near, self.far, self.last, self.at_near, self.at_far, self.at_last

    @property
    def points(self) -> tuple[Stack, Stack]:
        """Those on both sides."""
        return self.near_point, self.far_point

    def narrower(self, middle: FloatArray, value: FloatArray, point: Stack) -> "_Brackets":
        """With a value between both sides, the root of the drop less the threshold there, and a point that has it."""
        same = (value <= 0) == (self.at_near <= 0)
        return _Brackets(
            self.owner,
            middle,
            np.where(same, self.far, self.near),
            np.where(same, self.near, self.far),
            value,
            np.where(same, self.at_far, self.at_near),
            np.where(same, self.at_near, self.at_far),
            point,
            self.far_point.where(same, self.near_point),
        )

    def shares(self, close: FloatArray) -> FloatArray:
        """Shape (n,): how far from ``near`` to ``far`` to look next (Chandrupatla 1997).

        By inverse quadratic interpolation where three values bear it, else in the middle; never nearer to a side than
        half of what counts as close, so that both sides come together. Before a third value is known, by the secant.
        """
        a, b, c, fa, fb, fc = self.near, self.far, self.last, self.at_near, self.at_far, self.at_last
        with np.errstate(divide="ignore", invalid="ignore"):
            place, height = (a - b) / (c - b), (fa - fb) / (fc - fb)
            share = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            curved = (height**2 < place) & ((1 - height) ** 2 < 1 - place) & np.isfinite(share)
            secant = fa / (fa - fb)
        share = np.where(curved, share, 0.5)
        share = np.where((c == b) & np.isfinite(secant), np.clip(secant, 0.02, 0.98), share)
        least = np.minimum(close / 2 / np.abs(b - a), 0.5)
        return np.clip(share, least, 1 - least)


def crossings(
    plan: Design,
    evidence: Evidence,
    best: Sequence[Parameters],
    wanted: Sequence[Slot],
    curves: Sequence[tuple[FloatArray, FloatArray, Stack]],
    scale: tuple[float, float, int, int],
) -> Run[FloatArray]:
    """Shape (n, 2): where each profile crosses the threshold, a root of the root of its drop.

    Between two values whose best points are known the best point is looked for from between these: it is nearly there.
    Where they lie on two hills it is looked for from both as well.
    """
    top, drop, done, total = scale
    ends = _brackets(best[0], wanted, curves, top, drop)
    close = _CLOSE * np.array([unit_of(plan.space, wanted[i]) for i in ends.owner])
    for turn in range(REFINEMENTS):
        rows = np.flatnonzero(np.abs(ends.far - ends.near) > close)
        if not rows.size:
            break
        here = ends.take(rows)
        middle = here.near + (here.far - here.near) * here.shares(close[rows])
        levels, points = yield from _between(
            plan, evidence, here, middle, wanted, (done + 2 * turn * len(wanted), total)
        )
        ends = ends.put(rows, here.narrower(middle, _root_drop(top, levels) - np.sqrt(drop), points))
    return np.asarray((ends.near + ends.far).reshape(len(wanted), 2) / 2)


def _brackets(
    estimate: Parameters,
    wanted: Sequence[Slot],
    curves: Sequence[tuple[FloatArray, FloatArray, Stack]],
    top: float,
    drop: float,
) -> _Brackets:
    """The neighbours on a grid between which each profile crosses the threshold; the same value twice where none is."""
    near, far, at_near, at_far, near_points, far_points = [], [], [], [], [], []
    for slot, (grid, levels, points) in zip(wanted, curves, strict=True):
        xs = np.append(grid, slot.value(estimate))
        ys = _root_drop(top, np.append(levels, top)) - np.sqrt(drop)
        order = np.argsort(xs, kind="stable")
        good = np.flatnonzero(ys[order] <= 0)
        for last, beyond in ((good[0], good[0] - 1), (good[-1], good[-1] + 1)):
            inside = int(order[last])
            outside = int(order[beyond]) if 0 <= beyond < xs.size else inside
            where = [points.one(i) if i < grid.size else estimate for i in (inside, outside)]
            # A point of which nothing can be told has its classes under other names: it is nothing to start from.
            known = outside == grid.size or np.isfinite(levels[outside])
            near.append(xs[inside])
            far.append(xs[outside])
            at_near.append(ys[inside])
            at_far.append(ys[outside])
            near_points.append(where[0])
            far_points.append(where[1] if known else where[0])
    owner = np.repeat(np.arange(len(wanted)), 2)
    a, b, fa, fb = (np.array(x, dtype=np.float64) for x in (near, far, at_near, at_far))
    return _Brackets(owner, a, b, b, fa, fb, fb, Stack.of(near_points), Stack.of(far_points))


def _between(
    plan: Design,
    evidence: Evidence,
    ends: _Brackets,
    middle: FloatArray,
    wanted: Sequence[Slot],
    progress: tuple[int, int],
) -> Run[tuple[FloatArray, Stack]]:
    """Shape (n,), the best log-likelihoods at values between both sides, and n points that have them."""
    near, far = ends.near_point.flat(), ends.far_point.flat()
    share = ((middle - ends.near) / (ends.far - ends.near))[:, None]
    apart = np.flatnonzero(np.abs(near - far).max(axis=1) > _TWO_HILLS + 4 * np.abs(ends.far - ends.near))
    rows = np.concatenate([np.arange(middle.size), apart, apart])
    between = ends.near_point.refilled(np.concatenate([near + share * (far - near), near[apart], far[apart]]))
    slots = [wanted[ends.owner[i]] for i in rows]
    origins = [between.one(i) for i in range(rows.size)]
    ended = yield from held_climbs(plan, evidence, origins, slots, middle[rows], (*progress, max(rows.size, 1)))
    order = np.lexsort((-ended.log_likelihood, rows))
    first = order[np.searchsorted(rows[order], np.arange(middle.size))]
    return ended.log_likelihood[first], ended.stack.take(first)


def _root_drop(top: float, levels: FloatArray) -> FloatArray:
    """Root of the drop below the maximum: nearly linear in the parameter, which the search likes."""
    return np.sqrt(np.clip(top - levels, 0.0, _FAR_BELOW))


@dataclass(frozen=True, eq=False)
class Profile:
    """The likelihood along one parameter with the others re-maximised.

    Attributes
    ----------
    slot
        The parameter.
    at
        Shape (n,): its values, rising.
    log_likelihood
        Shape (n,): nats, ratings form.
    low, high
        Ends of the interval at the level asked for.
    """

    slot: Slot
    at: FloatArray
    log_likelihood: FloatArray
    low: float
    high: float


def profiles(
    plan: Design, evidence: Evidence, best: Sequence[Parameters], top: float, wanted: Sequence[Slot], level: float
) -> Run[tuple[Profile, ...]]:
    """Profile intervals of several parameters at once.

    The interval is the hull of all values whose profile lies within half the chi-square quantile of the maximum, so a
    second maximum within reach is inside it.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    best
        The maximum and other optima: every held value is climbed from each of them.
    top
        Log-likelihood at the maximum.
    wanted
        The parameters; slopes are not bounded and searched within 40 of their own units (`unit_of`).
    level
        Confidence level.
    """
    if not wanted:
        return ()
    if plan.space.model.cases is Cases.DIFFICULTY or plan.space.ordered is not None:
        return (yield from _through_the_region(plan, evidence, best, top, wanted, level))
    places = {(slot.part, slot.index): i for i, slot in enumerate(wanted)}
    # The other one of two rates that sum to one is told by the first.
    twins = [places.get((slot.part, _twin(slot, plan.space.classes)), i) for i, slot in enumerate(wanted)]
    own = [i for i, twin in enumerate(twins) if twin >= i]
    result = yield from _by_grid(plan, evidence, best, top, [wanted[i] for i in own], level)
    by_place = dict(zip(own, result, strict=True))
    return tuple(by_place[i] if i in by_place else _mirrored(slot, by_place[twins[i]]) for i, slot in enumerate(wanted))


def _twin(slot: Slot, classes: int) -> tuple[int, ...]:
    """Where the rate stands that is 1 less this one; of more classes, or what is no rate, its own place."""
    if classes != 2 or slot.part not in {"truth", "guessing"}:
        return slot.index
    return *slot.index[:-1], 1 - slot.index[-1]


def _mirrored(slot: Slot, twin: Profile) -> Profile:
    return Profile(slot, 1 - twin.at[::-1], twin.log_likelihood[::-1], 1 - twin.high, 1 - twin.low)


def _by_grid(
    plan: Design, evidence: Evidence, best: Sequence[Parameters], top: float, wanted: Sequence[Slot], level: float
) -> Run[list[Profile]]:
    """The profiles on a grid, their ends, and both again where other starts climb higher at the ends."""
    drop = float(chdtri(1, 1 - level)) / 2
    result = yield from _searched(plan, evidence, best, wanted, top, drop)
    others = starts(plan, 1, _RANDOM)
    names = [i for i, name in enumerate(others.names) if not name.startswith("grid")]
    tries = [others.stack.one(i) for i in names]
    doubted = {i: list(best) for i in range(len(wanted))}
    for _ in range(_ROUNDS):
        better = yield from _higher_at_the_ends(plan, evidence, tries, {i: result[i] for i in doubted}, top - drop)
        doubted = {i: doubted[i] + points for i, points in better.items()}
        for i, origins in doubted.items():
            (result[i],) = yield from _searched(plan, evidence, origins, [wanted[i]], top, drop)
    return result


def _through_the_region(
    plan: Design, evidence: Evidence, best: Sequence[Parameters], top: float, wanted: Sequence[Slot], level: float
) -> Run[tuple[Profile, ...]]:
    """The same intervals where a step takes long: their ends looked for directly, and the curve through few points."""
    drop = float(chdtri(1, 1 - level)) / 2
    ends = yield from extremes(plan, evidence, best, top, [_share_of(slot) for slot in wanted], level)
    reaches = []
    for slot, found in zip(wanted, ends, strict=True):
        value = slot.value(best[0])
        low, high = _numbers(slot, value, (0.0, 1.0) if found is None else found)
        reaches.append((min(low, value), max(high, value)))
    grids = [_few_points(slot, slot.value(best[0]), *reach) for slot, reach in zip(wanted, reaches, strict=True)]
    owner, held = np.repeat(np.arange(len(wanted)), [g.size for g in grids]), np.concatenate(grids)
    levels = yield from held_maxima(plan, evidence, best[:1], wanted, owner, held, (0, held.size))
    result = []
    for i, (slot, (low, high)) in enumerate(zip(wanted, reaches, strict=True)):
        value = slot.value(best[0])
        known = [(value, top), *((end, top - drop) for end in (low, high) if _inside(slot, end) and end != value)]
        at = np.concatenate([grids[i], [x for x, _level in known]])
        curve = np.concatenate([levels[owner == i], [y for _x, y in known]])
        order = np.argsort(at, kind="stable")
        result.append(Profile(slot, at[order], curve[order], low, high))
    return tuple(result)


def _share_of(slot: Slot) -> Callable[[Stack], FloatArray]:
    """A reported number as a probability: one without bounds by a logistic curve."""
    if slot.part == "slopes":
        return lambda stack: 0.5 * (1 + np.tanh(slot.column(stack) / (2 * _LOGISTIC)))
    return lambda stack: slot.column(stack) / slot.most


def _numbers(slot: Slot, value: float, ends: tuple[float, float]) -> tuple[float, float]:
    """Ends of a share told as the reported number; what has no bound ends as far from its value as is looked."""
    if slot.part != "slopes":
        return ends[0] * slot.most, ends[1] * slot.most
    with np.errstate(divide="ignore"):
        low, high = (float(_LOGISTIC * (np.log(end) - np.log1p(-end))) for end in ends)
    return max(low, value - FARTHEST_SLOPE), min(high, value + FARTHEST_SLOPE)


def _inside(slot: Slot, end: float) -> bool:
    """Whether the end of an interval is one that the likelihood sets, and no bound."""
    return slot.part == "slopes" or 0 < end < slot.most


def _few_points(slot: Slot, value: float, low: float, high: float) -> FloatArray:
    """Values half the way to the ends of an interval, and a little beyond them."""
    points = np.array([value + share * (end - value) for end in (low, high) for share in (0.5, 1.4)])
    inside = points if slot.part == "slopes" else np.clip(points, 0.0, slot.most)
    return np.unique(inside[np.abs(inside - value) > _CLOSE])


def _searched(
    plan: Design, evidence: Evidence, best: Sequence[Parameters], wanted: Sequence[Slot], top: float, drop: float
) -> Run[list[Profile]]:
    """The profiles as climbs from some origins find them."""
    grids = [grid_of(plan.space, slot, slot.value(best[0])) for slot in wanted]
    owner = np.repeat(np.arange(len(wanted)), [g.size for g in grids])
    held = np.concatenate(grids) if grids else np.zeros(0)
    total = held.size + 2 * REFINEMENTS * len(wanted)
    levels, points = yield from _held_points(plan, evidence, best, wanted, owner, held, (0, total))
    curves = [(grid, levels[owner == i], points.take(owner == i)) for i, grid in enumerate(grids)]
    ends = yield from crossings(plan, evidence, best, wanted, curves, (top, drop, held.size, total))
    sentences = []
    for i, (slot, (at, curve, _points)) in enumerate(zip(wanted, curves, strict=True)):
        value = slot.value(best[0])
        order = np.argsort(np.append(at, value))
        low, high = min(float(ends[i, 0]), value), max(float(ends[i, 1]), value)
        sentences.append(Profile(slot, np.append(at, value)[order], np.append(curve, top)[order], low, high))
    return sentences


def _higher_at_the_ends(
    plan: Design, evidence: Evidence, tries: Sequence[Parameters], by_key: Mapping[int, Profile], threshold: float
) -> Run[dict[int, list[Parameters]]]:
    """By profile the points above the threshold at an end, or beyond it, where the profile had come down."""
    ends = [
        (i, end + share * (limit - end))
        for i, p in by_key.items()
        for end, limit in ((p.low, p.at[0]), (p.high, p.at[-1]))
        for share in (_BEYOND if end != limit else ())
    ]
    if not ends or not tries:
        return {}
    n = len(ends)
    held, values = [by_key[i].slot for i, _ in ends] * len(tries), np.tile([end for _, end in ends], len(tries))
    origins = [origin for origin in tries for _ in range(n)]
    ended = yield from held_climbs(plan, evidence, origins, held, values, (n, n, len(tries)), floor=threshold)
    levels = ended.log_likelihood.reshape(len(tries), n)
    points: dict[int, list[Parameters]] = {}
    for row in np.flatnonzero(levels.max(axis=0) > threshold + _HIGHER).tolist():
        best = int(levels[:, row].argmax())
        points.setdefault(ends[row][0], []).append(ended.stack.one(best * n + row))
    return points
