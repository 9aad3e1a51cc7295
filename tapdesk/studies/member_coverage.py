"""How well the numbers of every model of the grid are found again, and how often their intervals hold them.

Data sets are drawn from known numbers on a design that tells them. A profile interval holds a number when the
log-likelihood with that number held is less than half a chi-square point below its top, so that many data sets move as
one array (as in `tapdesk.studies.coverage`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtri

from tapdesk.errors import UsageError
from tapdesk.fitting.climb import climb
from tapdesk.fitting.profile import pinned
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom, Slot
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import DIFFICULTY_MODELS, ORDERED_MODELS
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import can_switch, canonical
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.batch_fit import CAREFUL, fit_weights
from tapdesk.studies.grid_panels import MEMBERS, grid_panel
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.simulated_data import simulate_datasets
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = (
    "model", "subjects", "ratings", "number", "sets", "on_edge", "bias", "error_of_bias", "rmse",
    "covered", "error", "covered_inside",
)  # fmt: skip
SUBJECTS = (30, 100, 300, 1000)
SETS, SLOW_SETS = 500, 200
"""Data sets of each size; fewer where one takes long: cut points, and cases that are harder for raters who differ."""
_PIECE, _STREAM = 100, 81
_SLOW = tuple(row.name for row in (*ORDERED_MODELS, *DIFFICULTY_MODELS))
_LEVEL = 0.95
# Of numbers that raters or classes have each of their own so many are looked at.
_OF_A_KIND = 2
_EDGE, _OTHER_NAMES = 1e-4, 1e-6
# A discrimination or cut point farther out is on its edge, and counts as so far only: there it may be anywhere.
_FAR = 10.0
_SUMS = 7
BoolArray = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class MemberPart:
    """Some data sets of one model with so many cases; data set r is the same whatever else is asked for."""

    model: str
    subjects: int
    piece: int
    sets: int
    seed: int


def member_parts(
    names: Sequence[str] = MEMBERS, subjects: Sequence[int] = SUBJECTS, sets: int | None = None, seed: int = 1
) -> tuple[MemberPart, ...]:
    """What `member_coverage` works on, in pieces of at most 100 data sets.

    Raises
    ------
    UsageError
        When there is no such model, or no data sets are asked for.
    """
    if sets is not None and sets < 1:
        raise UsageError(_("A study of no panels tells nothing."))
    for name in names:
        grid_panel(name, 4)
    parts = []
    for name in names:
        whole = sets or (SLOW_SETS if name in _SLOW else SETS)
        sizes = [min(_PIECE, whole - at) for at in range(0, whole, _PIECE)]
        parts += [MemberPart(name, n, i, size, seed) for n in subjects for i, size in enumerate(sizes)]
    return tuple(parts)


def member_coverage(
    parts: Sequence[MemberPart], workers: int = 1, kept: FinishedPieces | None = None
) -> Run[StudyTable]:
    """A table with a row for every kind of number of every model and size.

    Parameters
    ----------
    parts
        Of `member_parts`.
    workers, kept
        As of `coverage`.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        ``number`` is what the number is called, whoever has it; of those that raters, groups or classes have each of
        their own two are looked at. Of so many ``sets`` the best fit of ``on_edge`` has one of these numbers on an
        edge. ``bias`` and ``rmse`` are of the estimates, a cut point beyond 10 counting as 10; ``covered`` is the share
        of profile intervals that hold the number, ``error`` its Monte Carlo standard error (data sets being what is
        drawn), ``covered_inside`` that among data sets with no number on an edge.
    """
    results = yield from in_parallel(_sums, parts, workers, kept=kept)
    whole: dict[tuple[str, int, str], FloatArray] = {}
    ratings: dict[tuple[str, int], int] = {}
    for part, (size, answer) in zip(parts, results, strict=True):
        ratings[part.model, part.subjects] = int(size)
        for name, sums in answer:
            key = (part.model, part.subjects, name)
            whole[key] = whole.get(key, np.zeros(_SUMS)) + np.array(sums)
    rows = [_row(key, ratings[key[:2]], sums) for key, sums in whole.items()]
    return join_tables("members", COLUMNS, [rows])


def _row(key: tuple[str, int, str], ratings: int, sums: FloatArray) -> tuple[Cell, ...]:
    sets, miss, square, held, held_square, inside, held_inside = sums.tolist()
    bias, covered = miss / sets, held / sets
    spread = max(square / sets - bias**2, 0.0) / sets
    # As if one of so many had missed where none did.
    chance = max(held_square / sets - covered**2, 1 / sets / 4) / sets
    return (
        key[0], key[1], ratings, key[2], int(sets), int(sets - inside), bias, float(np.sqrt(spread)),
        float(np.sqrt(square / sets)), covered, float(np.sqrt(chance)), held_inside / inside if inside else None,
    )  # fmt: skip


def _seed(part: MemberPart) -> np.random.SeedSequence:
    return np.random.SeedSequence([part.seed, _STREAM, crc32(part.model.encode()), part.subjects, part.piece])


def _sums(part: MemberPart) -> Run[tuple[int, list[tuple[str, list[float]]]]]:
    """The number of ratings, and by number what its row is made of."""
    panel = grid_panel(part.model, part.subjects)
    seed = _seed(part)
    done = 0
    sums: dict[str, FloatArray] = {}
    for some in simulate_datasets(panel.blank, panel.model, panel.point, part.sets, seed):
        plan, weights = some.tabulate(panel.model)
        evidence = plan.space.evidence(plan.patterns)
        run = fit_weights(plan.space, evidence, weights, [panel.point], effort=CAREFUL, phase="study")
        top = yield from relay(run, done, part.sets, "study")
        slots = _looked_at(plan.slots)
        edge = np.zeros(some.count, dtype=bool)
        for slot in slots:
            edge |= _on_edge(slot, top.stack)
        by_name: dict[str, list[tuple[FloatArray, FloatArray]]] = {}
        for slot in slots:
            held_run = _held(plan, evidence, weights, (top.stack, panel.point), slot)
            level = yield from relay(held_run, done, part.sets, "study")
            holds = top.log_likelihood - level <= float(chdtri(1, 1 - _LEVEL)) / 2
            miss = _near(slot, slot.column(top.stack)) - slot.value(panel.point)
            by_name.setdefault(slot.name.name, []).append((miss, holds.astype(float)))
        for name, pairs in by_name.items():
            misses, held = (np.array([pair[i] for pair in pairs]) for i in (0, 1))
            share = held.mean(axis=0)
            of_set = [
                np.ones(some.count), misses.mean(axis=0), (misses**2).mean(axis=0), share, share**2,
                ~edge * 1.0, np.where(edge, 0.0, share),
            ]  # fmt: skip
            sums[name] = sums.get(name, np.zeros(_SUMS)) + np.array(of_set).sum(axis=1)
        done += some.count
        yield Step(done, part.sets, "study")
    return panel.blank.rating_count, [(name, row.tolist()) for name, row in sums.items()]


def _looked_at(slots: Sequence[Slot]) -> list[Slot]:
    """Of free numbers of one kind the first and the last."""
    kinds: dict[str, list[Slot]] = {}
    for slot in slots:
        if slot.freedom is Freedom.FREE:
            kinds.setdefault(slot.name.name, []).append(slot)
    return [own[i] for own in kinds.values() for i in sorted({0, len(own) - 1})[:_OF_A_KIND]]


def _on_edge(slot: Slot, stack: Stack) -> BoolArray:
    """Shape (B,): whether the number lies on the edge of what it may be."""
    values = slot.column(stack)
    if slot.part == "slopes":
        return np.asarray(np.abs(values) > _FAR)
    return np.asarray((values < _EDGE * slot.most) | (values > (1 - _EDGE) * slot.most))


def _near(slot: Slot, values: FloatArray) -> FloatArray:
    return np.clip(values, -_FAR, _FAR) if slot.part == "slopes" else values


def _held(
    plan: Design, evidence: Evidence, weights: FloatArray, origins: tuple[Stack, Parameters], slot: Slot
) -> Run[FloatArray]:
    """Shape (B,): the best log-likelihood with a number at its true value, from the top and from the truth."""
    top, point = origins
    b = top.size
    starts = [top.one(i) for i in range(b)] + [point] * b
    value = np.full(2 * b, slot.value(point))
    start, pins = pinned(plan.space, starts, [slot] * (2 * b), value)
    ended = yield from climb(
        plan.space,
        evidence,
        plan.space.settle(start),
        weights=np.concatenate([weights] * 2),
        pins=pins,
        tolerance=CAREFUL.tolerance,
        limit=CAREFUL.limit,
    )
    level = ended.log_likelihood
    if can_switch(plan.space) or plan.space.ordered is not None:
        turned = np.abs(canonical(plan.space, ended.stack).flat() - ended.stack.flat()).max(axis=1) > _OTHER_NAMES
        level = np.where(turned, -np.inf, level)
    return np.asarray(level.reshape(2, b).max(axis=0))
