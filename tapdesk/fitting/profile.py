"""Profile likelihood: one number held, all others at their best (models.md §5.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri

from tapdesk.fitting.profile_search import (
    REFINEMENTS,
    crossings,
    grid_of,
    held_climbs,
    held_maxima,
    value_at,
)
from tapdesk.fitting.starts import starts
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import Parameters
from tapdesk.models.slots import Slot
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run

# Ends are tried again from starts of their own: so much higher there, and the profile had been caught on a lower hill.
_HIGHER = 1e-4
_RANDOM = 3
_ROUNDS = 3
# Where, from an end to the end of the range.
_BEYOND = (0.0, 0.4, 0.8)


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
    drop = float(chdtri(1, 1 - level)) / 2
    found = yield from _searched(plan, evidence, best, wanted, top, drop)
    others = starts(plan, 1, _RANDOM)
    names = [i for i, name in enumerate(others.names) if not name.startswith("grid")]
    tries = [others.stack.one(i) for i in names]
    doubted = {i: list(best) for i in range(len(wanted))}
    for _ in range(_ROUNDS):
        better = yield from _higher_at_the_ends(plan, evidence, tries, {i: found[i] for i in doubted}, top - drop)
        doubted = {i: doubted[i] + points for i, points in better.items()}
        for i, origins in doubted.items():
            (found[i],) = yield from _searched(plan, evidence, origins, [wanted[i]], top, drop)
    return tuple(found)


def _searched(
    plan: Design, evidence: Evidence, best: Sequence[Parameters], wanted: Sequence[Slot], top: float, drop: float
) -> Run[list[Profile]]:
    """The profiles as climbs from some origins find them."""
    grids = [grid_of(plan.space, slot, value_at(best[0], slot)) for slot in wanted]
    owner = np.repeat(np.arange(len(wanted)), [g.size for g in grids])
    held = np.concatenate(grids) if grids else np.zeros(0)
    total = held.size + 2 * REFINEMENTS * len(wanted)
    levels = yield from held_maxima(plan, evidence, best, wanted, owner, held, (0, total))
    curves = [(grid, levels[owner == i]) for i, grid in enumerate(grids)]
    ends = yield from crossings(plan, evidence, best, wanted, curves, (top, drop, held.size, total))
    told = []
    for i, (slot, (at, curve)) in enumerate(zip(wanted, curves, strict=True)):
        value = value_at(best[0], slot)
        order = np.argsort(np.append(at, value))
        low, high = min(float(ends[i, 0]), value), max(float(ends[i, 1]), value)
        told.append(Profile(slot, np.append(at, value)[order], np.append(curve, top)[order], low, high))
    return told


def _higher_at_the_ends(
    plan: Design, evidence: Evidence, tries: Sequence[Parameters], found: Mapping[int, Profile], threshold: float
) -> Run[dict[int, list[Parameters]]]:
    """By profile the points above the threshold at an end, or beyond it, where the profile had come down."""
    ends = [
        (i, end + share * (limit - end))
        for i, p in found.items()
        for end, limit in ((p.low, p.at[0]), (p.high, p.at[-1]))
        for share in (_BEYOND if end != limit else ())
    ]
    if not ends or not tries:
        return {}
    n = len(ends)
    held, values = [found[i].slot for i, _ in ends] * len(tries), np.tile([end for _, end in ends], len(tries))
    origins = [origin for origin in tries for _ in range(n)]
    ended = yield from held_climbs(plan, evidence, origins, held, values, (n, n, len(tries)))
    levels = ended.log_likelihood.reshape(len(tries), n)
    points: dict[int, list[Parameters]] = {}
    for row in np.flatnonzero(levels.max(axis=0) > threshold + _HIGHER).tolist():
        best = int(levels[:, row].argmax())
        points.setdefault(ends[row][0], []).append(ended.stack.one(best * n + row))
    return points
