"""Parametric re-draws: the fit repeated on data sets drawn from it, on the real design (models.md §5.4).

The simulated data sets have the same subjects, rated by the same raters as often; only the classes are drawn, from the
fitted model. Each is fitted anew from several starts, many of them as one array.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from tapdesk.models.design import Design, design
from tapdesk.models.model import Accuracy, RaterModel
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom, Slot
from tapdesk.models.space import Space
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.copies import copies
from tapdesk.studies.refits import Effort, pooled_space, refit_weights
from tapdesk.studies.steps import within
from tapdesk.studies.worlds import Worlds, worlds_of

_BATCH = 500
# Above so many patterns times classes the patterns that occur are far fewer than those that could.
_MOST_LISTED = 20_000
# As the re-draws of subjects: an estimate need not be sharper than the spread of its re-draws by far.
_EFFORT = Effort(1e-8, 2000)
_STREAM = 8


def parametric_redraws(
    model: RaterModel, ratings: Ratings, origins: Sequence[Parameters], replicates: int, seed: int
) -> Run[Mapping[ParameterName, FloatArray]]:
    """Estimates on data sets drawn from a fitted model.

    Parameters
    ----------
    model, ratings
        What was fitted to which data.
    origins
        The maximum, from which the data sets are drawn, and other optima: each data set is climbed from all of them
        and from starts of its own.
    replicates
        How many data sets.
    seed
        The same seed gives the same answer.

    Yields
    ------
    Step
        Phase ``re-draws``; ``values["draws"]``: new estimates by parameter.

    Returns
    -------
    Mapping
        Shape (replicates,) for each free or tied parameter, on the probability scale (slopes: logit scale).

    Raises
    ------
    ValueError
        When there is no origin, or the number of data sets is below 1.
    """
    if not origins:
        raise ValueError("parametric re-draws need a point to draw from")
    if replicates < 1:
        raise ValueError(f"the number of data sets must be at least 1, not {replicates}")
    plan = design(model, ratings)
    told = [slot for slot in plan.slots if slot.freedom is not Freedom.FIXED]
    drawn: dict[ParameterName, list[FloatArray]] = {slot.name: [] for slot in told}
    done = 0
    for space, patterns, weights in _data_sets(plan, ratings, origins[0], replicates, seed):
        run = refit_weights(space, space.evidence(patterns), weights, origins, effort=_EFFORT)
        found = yield from within(run, done, replicates, "re-draws")
        done += weights.shape[0]
        fresh = _values(told, found.stack)
        for name, values in fresh.items():
            drawn[name].append(values)
        yield Step(done, replicates, "re-draws", {"draws": fresh})
    return MappingProxyType({name: np.concatenate(parts) for name, parts in drawn.items()})


def _values(told: Sequence[Slot], stack: Stack) -> dict[ParameterName, FloatArray]:
    """Shape (B,) for each reported number."""
    return {slot.name: getattr(stack, slot.part)[:, *slot.index] for slot in told}


def _data_sets(
    plan: Design, ratings: Ratings, point: Parameters, replicates: int, seed: int
) -> Iterator[tuple[Space, Patterns, FloatArray]]:
    """Portions of simulated data sets: what is fitted, to which patterns, with which weights (B, P)."""
    root = np.random.SeedSequence([seed, _STREAM])
    here = _listed(plan, ratings)
    if here is None:
        for some in copies(ratings, plan.space.model, point, replicates, root):
            its_plan, weights = some.told(plan.space.model)
            yield its_plan.space, its_plan.patterns, weights
        return
    rng = np.random.default_rng(root)
    space = pooled_space(plan.space.model, here.classes)
    for done in range(0, replicates, _BATCH):
        yield space, here.patterns, here.draw(point, min(_BATCH, replicates - done), rng)


def _listed(plan: Design, ratings: Ratings) -> Worlds | None:
    """All vectors of class counts the design can give, where raters are pooled and the vectors are few."""
    if plan.patterns.units != 1 or plan.space.model.accuracy is Accuracy.REGRESSION:
        return None
    here = worlds_of(ratings)
    return None if here is None or here.size.size * here.classes > _MOST_LISTED else here
