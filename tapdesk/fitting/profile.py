"""Profile likelihood: one number held, all others at their best (models.md §5.4)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from tapdesk.fitting.climb import climb
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import Parameters
from tapdesk.models.slots import Slot
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step

_GRID = 14
_REFINEMENTS = 14
_CHUNK = 3_000_000
_CLOSE = 1e-6
_EDGE = 1e-9


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
        The parameters; slopes are not bounded and searched within 40 of their value.
    level
        Confidence level.
    """
    drop = float(chdtri(1, 1 - level)) / 2
    grids = [_grid(slot, _value(best[0], slot)) for slot in wanted]
    owner = np.repeat(np.arange(len(wanted)), [g.size for g in grids])
    held = np.concatenate(grids) if grids else np.zeros(0)
    total = held.size + 2 * _REFINEMENTS * len(wanted)
    levels = yield from _held_maxima(plan, evidence, best, wanted, owner, held, (0, total))
    curves = [(grid, levels[owner == i]) for i, grid in enumerate(grids)]
    ends = yield from _ends(plan, evidence, best, wanted, curves, (top, drop, held.size, total))
    told = []
    for i, (slot, (at, curve)) in enumerate(zip(wanted, curves, strict=True)):
        value = _value(best[0], slot)
        order = np.argsort(np.append(at, value))
        told.append(
            Profile(
                slot,
                np.append(at, value)[order],
                np.append(curve, top)[order],
                min(float(ends[i, 0]), value),
                max(float(ends[i, 1]), value),
            )
        )
    return tuple(told)


def _value(point: Parameters, slot: Slot) -> float:
    return float(getattr(point, slot.part)[slot.index])


def _grid(slot: Slot, value: float) -> FloatArray:
    """Values to hold on both sides of the estimate, denser near it, with the ends of the range."""
    spread = np.linspace(0, 1, _GRID + 1)[1:] ** 1.6
    if slot.part == "slopes":
        return np.sort(np.concatenate([value - 40 * spread**2, value + 40 * spread**2]))
    return np.sort(np.concatenate([value * (1 - spread), value + (1 - value) * spread]))


def _held_maxima(
    plan: Design,
    evidence: Evidence,
    best: Sequence[Parameters],
    wanted: Sequence[Slot],
    owner: NDArray[np.int64],
    held: FloatArray,
    progress: tuple[int, int],
) -> Run[FloatArray]:
    """Shape (n,): best log-likelihood with parameter ``owner[i]`` held at ``held[i]``."""
    cost = max(plan.patterns.patterns * plan.space.classes, 1)
    rows = max(_CHUNK // cost, 1)
    found = np.full(held.size, -np.inf)
    for at in range(0, held.size, rows):
        part = slice(at, at + rows)
        for origin in best:
            start, pins = pinned(origin, [wanted[i] for i in owner[part]], held[part])
            run = climb(plan.space, evidence, plan.space.settle(start), pins=pins, tolerance=1e-9, limit=3000)
            while True:
                try:
                    next(run)
                except StopIteration as end:
                    found[part] = np.maximum(found[part], end.value.log_likelihood)
                    break
                yield Step(min(progress[0] + at, progress[1]), progress[1], "intervals")
    return found


def pinned(origin: Parameters, held: Sequence[Slot], values: FloatArray) -> tuple[Stack, Stack]:
    """Starts near a point, one for each held value of a parameter, and the pins that hold them."""
    b, k = len(held), origin.classes
    # Exactly on a bound data may be impossible, and an E-M step there has nothing to go by.
    values = np.array(
        [v if s.part == "slopes" else np.clip(v, _EDGE, 1 - _EDGE) for s, v in zip(held, values, strict=True)]
    )
    start = Stack.of([origin] * b).inside(1e-4 / k)
    pins = Stack(*(np.full_like(getattr(start, f.name), np.nan) for f in fields(Stack)))
    for i, (slot, value) in enumerate(zip(held, values, strict=True)):
        getattr(pins, slot.part)[i][slot.index] = value
        target = getattr(start, slot.part)[i]
        if slot.part in {"truth", "guessing"}:
            row = target[slot.index[:-1]] if slot.index[:-1] else target
            others = np.arange(k) != slot.index[-1]
            row[others] *= (1 - value) / row[others].sum()
        target[slot.index] = value
    return start, pins


def _ends(
    plan: Design,
    evidence: Evidence,
    best: Sequence[Parameters],
    wanted: Sequence[Slot],
    curves: Sequence[tuple[FloatArray, FloatArray]],
    scale: tuple[float, float, int, int],
) -> Run[FloatArray]:
    """Shape (n, 2): where each profile crosses the threshold, by regula falsi on the root of the drop."""
    top, drop, done, total = scale
    inside, outside = np.zeros((len(wanted), 2)), np.zeros((len(wanted), 2))
    at_inside, at_outside = np.zeros((len(wanted), 2)), np.zeros((len(wanted), 2))
    for i, (slot, (grid, levels)) in enumerate(zip(wanted, curves, strict=True)):
        value = _value(best[0], slot)
        xs = np.append(grid, value)
        ys = _root_drop(top, np.append(levels, top)) - np.sqrt(drop)
        order = np.argsort(xs, kind="stable")
        xs, ys = xs[order], ys[order]
        good = np.flatnonzero(ys <= 0)
        for side, (last, beyond) in enumerate(((good[0], good[0] - 1), (good[-1], good[-1] + 1))):
            inside[i, side], at_inside[i, side] = xs[last], ys[last]
            open_end = beyond < 0 or beyond >= xs.size
            outside[i, side], at_outside[i, side] = (xs[last], 0.0) if open_end else (xs[beyond], ys[beyond])
    for turn in range(_REFINEMENTS):
        row, end = np.nonzero(np.abs(outside - inside) > _CLOSE)
        if not row.size:
            break
        a, b, fa, fb = inside[row, end], outside[row, end], at_inside[row, end], at_outside[row, end]
        share = np.clip(-fa / np.maximum(fb - fa, 1e-300), 0.02, 0.98) if turn % 3 != 2 else 0.5
        middle = a + (b - a) * share
        levels = yield from _held_maxima(
            plan, evidence, best, wanted, row, middle, (done + 2 * turn * len(wanted), total)
        )
        value = _root_drop(top, levels) - np.sqrt(drop)
        within = value <= 0
        inside[row[within], end[within]], at_inside[row[within], end[within]] = middle[within], value[within]
        outside[row[~within], end[~within]] = middle[~within]
        at_outside[row[~within], end[~within]] = value[~within]
    return (inside + outside) / 2


def _root_drop(top: float, levels: FloatArray) -> FloatArray:
    """Root of the drop below the maximum: nearly linear in the parameter, which the search likes."""
    return np.sqrt(np.maximum(top - levels, 0.0))
