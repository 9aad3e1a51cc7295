"""Parameters that move along the top of the likelihood: a ridge at the estimate, or another maximum just as high.

The design may tell all parameters apart and these very ratings still may not (models.md §3, "lost at this estimate").
What the parameters without evidence do not explain shows in the curvature, and is proved by holding the parameter
elsewhere and climbing again.
"""

from collections.abc import Collection, Sequence

import numpy as np

from tapdesk.fitting.climb import climb
from tapdesk.fitting.fit import Optimum
from tapdesk.fitting.polish import Polished
from tapdesk.fitting.profile_search import pinned, unit_of, value_at
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import ParameterName
from tapdesk.models.slots import Freedom, Slot
from tapdesk.models.stack import FloatArray
from tapdesk.progress import finish

OPEN_HERE = _("These ratings leave this number open: quite different values fit equally well.")

_FLAT = 1e-6
# A parameter held so far away at this cost has a standard error above 1: there is nothing to report.
_AWAY = 0.02
_COSTS_NOTHING = 1e-4
_EQUALLY_HIGH = 1e-7
_ELSEWHERE = 1e-2
_STEPS = 1500
_CHUNK = 3_000_000


def open_here(
    plan: Design,
    evidence: Evidence,
    best: Polished,
    optima: Sequence[Optimum],
    known: Collection[ParameterName] = (),
) -> tuple[ParameterName, ...]:
    """Reported parameters that other points of the same height disagree about.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    best
        The maximum with its surroundings.
    optima
        All distinct maxima found.
    known
        Parameters known to be open, which need no proof and are not told again.
    """
    told = [slot for slot in plan.slots if slot.freedom is not Freedom.FIXED and slot.name not in known]
    ties = [o.parameters for o in optima if best.log_likelihood - o.log_likelihood < _EQUALLY_HIGH]
    apart = {
        s.name
        for s in told
        for o in ties
        if abs(value_at(o, s) - value_at(best.parameters, s)) > _ELSEWHERE * unit_of(plan.space, s)
    }
    # Where every case is rated right, one class may instead be what all guesses name, whichever class it is.
    right = plan.space.accuracy_shape[1] > 1 and bool((best.parameters.accuracy == 1).any())
    tried = _moving(best, told) + [s for s in told if right and s.part == "accuracy"]
    ridge = _held_elsewhere(plan, evidence, best, [s for s in dict.fromkeys(tried) if s.name not in apart])
    return tuple(s.name for s in told if s.name in apart or s.name in ridge)


def _moving(best: Polished, told: Sequence[Slot]) -> list[Slot]:
    """The parameters that change along the directions in which the curvature vanishes."""
    if best.line is None or best.information is None or not best.line.size:
        return []
    null = _null_directions(best.information)
    if not null.shape[0]:
        return []
    at = best.line.coordinates(best.parameters)
    ahead, behind = best.line.points(at + 1e-4 * null), best.line.points(at - 1e-4 * null)
    moving = []
    for slot in told:
        change = getattr(ahead, slot.part)[:, *slot.index] - getattr(behind, slot.part)[:, *slot.index]
        if np.abs(change).max() > 1e-8 * unit_of(best.line.space, slot):
            moving.append(slot)
    return moving


def _null_directions(information: FloatArray) -> FloatArray:
    """Shape (d, size): directions of unit length without curvature, each coordinate in units of its own."""
    own = np.sqrt(np.maximum(np.diag(information), 0.0))
    seen = own > 1e-9 * max(float(own.max()), 1e-300)
    scale = np.where(seen, own, 1.0)
    scaled = np.where(seen[:, None] & seen[None], information / np.outer(scale, scale), 0.0)
    values, vectors = np.linalg.eigh(scaled)
    null = vectors[:, values < _FLAT].T / scale
    return np.asarray(null / np.maximum(np.linalg.norm(null, axis=1, keepdims=True), 1e-300))


def _held_elsewhere(
    plan: Design, evidence: Evidence, best: Polished, wanted: Sequence[Slot]
) -> frozenset[ParameterName]:
    """Those of some parameters that cost nothing to be held a little away on one side."""
    place = [
        (slot, value + away)
        for slot in wanted
        for value in (value_at(best.parameters, slot),)
        for away in (-_AWAY * unit_of(plan.space, slot), _AWAY * unit_of(plan.space, slot))
        if slot.part == "slopes" or 0 <= value + away <= 1
    ]
    cost = max(plan.patterns.patterns * plan.space.classes, 1)
    rows = max(_CHUNK // cost, 1)
    found: set[ParameterName] = set()
    for at in range(0, len(place), rows):
        part = place[at : at + rows]
        values = np.array([v for _rest, v in part])
        start, pins = pinned(plan.space, [best.parameters] * len(part), [s for s, _rest in part], values)
        run = climb(plan.space, evidence, plan.space.settle(start), pins=pins, tolerance=1e-8, limit=_STEPS)
        level = finish(run).log_likelihood
        found |= {
            s.name for (s, _rest), one in zip(part, level, strict=True) if best.log_likelihood - one < _COSTS_NOTHING
        }
    return frozenset(found)
