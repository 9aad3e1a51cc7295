"""What studies of several sizes would tell of every number of a model: data sets are drawn from it and fitted again.

Of t-a-p `tapdesk.studies.design_study.plan` says more, by the information; here any model is planned whose ratings can
be made up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.identification import verdict
from tapdesk.language import gettext as _
from tapdesk.models.design import Freedom, design
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import complete_design, simulate
from tapdesk.progress import Run, Step, relay
from tapdesk.studies.batch_fit import fit_dataset
from tapdesk.studies.parallel import FinishedPieces, in_parallel
from tapdesk.studies.table import Cell, StudyTable, join_tables

COLUMNS = (
    "subjects", "raters", "number", "true", "mean", "low", "high", "width", "near_bound", "identified", "why_not",
)  # fmt: skip
_NEAR_BOUND = 1e-3


@dataclass(frozen=True, eq=False)
class PlanSize:
    """A size, and the numbers that are true of it.

    Attributes
    ----------
    subjects, raters
        How many.
    point
        The numbers, of so many raters.
    """

    subjects: int
    raters: int
    point: Parameters


def member_plan(
    row: RaterModel,
    sizes: Sequence[PlanSize],
    classes: Sequence[str],
    groups: Sequence[str] = (),
    *,
    again: int = 0,
    replicates: int = 200,
    level: float = 0.95,
    seed: int = 1,
    workers: int = 1,
    kept: FinishedPieces | None = None,
) -> Run[StudyTable]:
    """Where the numbers of a model would be found by complete studies of several sizes.

    Parameters
    ----------
    row
        The model, with the columns it names.
    sizes
        What is planned.
    classes, groups, again
        As of `tapdesk.models.simulate.complete_design`.
    replicates
        Data sets of each size.
    level
        Of the middle of the estimates.
    seed, workers, kept
        As of `tapdesk.studies.design_study.plan`.

    Yields
    ------
    Step
        Phase ``study``.

    Returns
    -------
    StudyTable
        A row for every free number of every size: its ``true`` value, and of the estimates the ``mean``, the middle
        ``level`` from ``low`` to ``high`` with its ``width``, and ``near_bound``, the share within 0.001 of 0 or 1.
        Where the design does not tell the model one row says why (``identified``, ``why_not``).

    Raises
    ------
    UsageError
        When no data sets are asked for.
    CannotAnswerError
        When no size tells the model.
    """
    if replicates < 2:
        raise UsageError(_("A plan of this model needs two data sets of each size at least."))
    work = partial(_rows, row, tuple(classes), tuple(groups), (again, replicates, level, seed))
    parts = yield from in_parallel(work, sizes, workers, kept=kept)
    if all(rows[0][-1] for rows in parts):
        raise CannotAnswerError(str(parts[0][0][-1]))
    return join_tables("plan", COLUMNS, parts)


def _rows(
    row: RaterModel,
    classes: tuple[str, ...],
    groups: tuple[str, ...],
    scale: tuple[int, int, float, int],
    size: PlanSize,
) -> Run[tuple[tuple[Cell, ...], ...]]:
    """The rows of one size."""
    again, replicates, level, seed = scale
    names = tuple(f"J{j + 1}" for j in range(size.raters))
    twice = min(again, size.subjects)
    blank = complete_design(row, classes, names, size.subjects, groups, twice)
    found = verdict(row, blank)
    head = (size.subjects, size.raters)
    if not found.by_design:
        return ((*head, *(None,) * 7, False, found.words),)
    slots = [slot for slot in design(row, blank).slots if slot.freedom is Freedom.FREE]
    values = np.zeros((replicates, len(slots)))
    for i in range(replicates):
        source = np.random.SeedSequence(seed, spawn_key=(*head, i))
        ratings, _truth = simulate(row, size.point, classes, names, size.subjects, source, groups, twice)
        # Starts next to the numbers themselves are no help that a user would not have: the named starts are climbed.
        point, *_rest = yield from relay(fit_dataset(row, ratings, seed), i, replicates, "study")
        values[i] = [slot.value(point) for slot in slots]
    yield Step(replicates, replicates, "study")
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    most = np.array([slot.most for slot in slots])
    near = ((values < _NEAR_BOUND) | (values > most - _NEAR_BOUND)).mean(axis=0)
    rows = []
    for k, slot in enumerate(slots):
        edge = None if slot.part == "slopes" else float(near[k])
        found_at = (float(values[:, k].mean()), float(low[k]), float(high[k]), float(high[k] - low[k]))
        rows.append((*head, str(slot.name), slot.value(size.point), *found_at, edge, True, None))
    return tuple(rows)
