"""Planning: how sure a larger or smaller study would be, if the parameters were as estimated (models.md §8)."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.special import ndtri

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.polish import information
from tapdesk.language import gettext as _
from tapdesk.models.catalog import model
from tapdesk.models.line import Line, line
from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run
from tapdesk.studies.parallel import in_parallel
from tapdesk.studies.refits import pooled_space, refit_worlds
from tapdesk.studies.table import Cell, Table
from tapdesk.studies.unfinished import Kept
from tapdesk.studies.votes import votes
from tapdesk.studies.worlds import Worlds, complete_worlds

_NUMBERS = ("se", "width", "low", "high", "spread", "classified", "right")
COLUMNS = ("subjects", "raters", *_NUMBERS, "identified", "why_not")


def plan(
    point: Parameters,
    subjects: Sequence[int],
    raters: Sequence[int],
    *,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 1,
    workers: int = 1,
    kept: Kept | None = None,
) -> Run[Table]:
    """What t-a-p could tell of the accuracy in complete designs of several sizes.

    Parameters
    ----------
    point
        Parameters that all raters share, such as the user's own estimates.
    subjects, raters
        The sizes: every number of subjects with every number of raters.
    level
        Of the intervals.
    replicates
        Simulated and fitted data sets of each size; 0 for none.
    seed
        Every size has random numbers of its own.
    workers
        Number of processes; the table is the same whatever it is.
    kept
        What an earlier run of the same plan had finished when it was ended; what is finished now goes there.

    Yields
    ------
    Step
        Phase ``study``, sizes done.

    Returns
    -------
    Table
        ``se`` and ``width``: standard error of the accuracy from the expected information, and the width of its
        large sample interval (None where the design does not identify the model, or a number lies on its edge);
        ``low``, ``high``, ``spread``: the middle ``level`` of the estimates in simulated data and its width,
        the honest figure for small studies; ``classified``: share of subjects whose class is at least 95 %
        probable, and ``right``: share whose most probable class is the true one, both at the true parameters;
        ``identified``; ``why_not``, the reason where a size has no numbers.

    Raises
    ------
    UsageError
        When a size is impossible.
    CannotAnswerError
        When raters differ in the parameters, no accuracy is there to estimate, or no size can be listed.
    """
    if not subjects or not raters or min(subjects) < 1 or min(raters) < 2:
        raise UsageError(_("A plan needs at least one case and two raters."))
    if point.accuracy.shape != (1, 1) or point.guessing.shape[:2] != (1, 1) or point.slopes.size:
        raise CannotAnswerError(_("This needs a model in which all raters share their parameters, such as t-a-p."))
    if not 0 < float(point.accuracy[0, 0]) < 1:
        raise CannotAnswerError(_("With an accuracy of exactly 0 or 1 there is nothing to plan for."))
    if float(point.truth.max()) >= 1:
        raise CannotAnswerError(
            _("Where all cases are truly of one class nothing shows how often a rating follows its case.")
        )
    sizes = [(n, r) for r in raters for n in subjects]
    rows = yield from in_parallel(partial(_size, point, level, (replicates, seed)), sizes, workers, kept=kept)
    if all(row[-1] for row in rows):
        raise CannotAnswerError(str(rows[0][-1]))
    return Table("plan", COLUMNS, rows)


def _size(point: Parameters, level: float, scale: tuple[int, int], size: tuple[int, int]) -> Run[tuple[Cell, ...]]:
    """The row of one size."""
    n, r = size
    replicates, seed = scale
    here = complete_worlds(n, r, point.classes)
    if here is None:
        why = _("With {r} raters there are too many patterns of ratings to list them.").format(r=r)
        return (n, r, *(None,) * len(_NUMBERS), None, why)
    voting = votes(point, [r])
    known = identified(here, point)
    se = accuracy_error(here, point) if known and _inside(point) else None
    width = None if se is None else min(2 * float(ndtri(0.5 + level / 2)) * se, 1.0)
    # Where many values fit equally well, estimates would only show where the search began.
    draws = replicates if known else 0
    low, high = yield from _middle(here, point, level, draws, np.random.SeedSequence(seed, spawn_key=(n, r)))
    spread = None if low is None or high is None else high - low
    chances = (float(voting.certain[0]), float(voting.model[0]))
    return (n, r, se, width, low, high, spread, *chances, known, None)


def identified(here: Worlds, point: Parameters) -> bool:
    """Whether the design identifies t-a-p: judged beside the point where it lies on an edge.

    On the edge a number stands still, and fewer would have to be told apart than the ratings leave open.
    """
    if _inside(point):
        return accuracy_error(here, point) is not None
    k = point.classes
    inside = Parameters(
        0.99 * point.truth + 0.01 / k,
        np.clip(point.accuracy, 0.01, 0.99),
        0.99 * point.guessing + 0.01 / k,
        point.slopes,
    )
    return accuracy_error(here, inside) is not None


def _inside(point: Parameters) -> bool:
    """Whether no share is 0 or 1: on an edge there is no error by the information."""
    return bool(min(point.truth.min(), point.guessing.min()) > 0)


def accuracy_error(here: Worlds, point: Parameters) -> float | None:
    """Standard error of the accuracy of t-a-p by the information of the expected data; None where not identified."""
    space = pooled_space(model("t-a-p"), here.classes)
    exact = replace(here.patterns, weight=here.expected(point))
    way = line(space, point)
    at = way.coordinates(point)
    curvature = information(space, space.evidence(exact), way, at)
    scale = np.sqrt(np.maximum(np.diag(curvature), 1e-300))
    values = np.linalg.eigvalsh(curvature / np.outer(scale, scale))
    if values[0] < 1e-6 * values[-1]:
        return None
    slope = _slope(way, at)
    return float(np.sqrt(slope @ np.linalg.solve(curvature, slope)))


def _slope(way: Line, at: FloatArray) -> FloatArray:
    """Derivative of the accuracy along the coordinates."""
    step = 1e-5 * np.eye(at.size)
    ahead, behind = way.points(at + step), way.points(at - step)
    return np.asarray((ahead.accuracy[:, 0, 0] - behind.accuracy[:, 0, 0]) / 2e-5)


def _middle(
    here: Worlds, point: Parameters, level: float, replicates: int, seed: np.random.SeedSequence
) -> Run[tuple[float | None, float | None]]:
    """The middle share of the estimates of the accuracy in simulated data."""
    if replicates < 1:
        return None, None
    weights = here.draw(point, replicates, np.random.default_rng(seed))
    found = yield from refit_worlds(model("t-a-p"), here, weights, [point])
    tail = (1 - level) / 2
    low, high = np.quantile(found.stack.accuracy[:, 0, 0], [tail, 1 - tail])
    return float(low), float(high)
