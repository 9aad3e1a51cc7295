"""Re-draws: the fit repeated on resampled subjects, all replicates moving as one array (models.md §5.4)."""

from collections.abc import Sequence

import numpy as np

from tapdesk.fitting.climb import climb
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.labelling import canonical
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step

_BATCH = 200
_CHUNK = 3_000_000


def redraws(
    plan: Design, evidence: Evidence, origins: Sequence[Parameters], replicates: int, seed: int
) -> Run[dict[ParameterName, FloatArray]]:
    """Estimates on subjects drawn anew with replacement.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    origins
        The maximum and other optima: each replicate is climbed from all of them.
    replicates
        How many.
    seed
        Replicate batches have seeds of their own, so neither batch size nor display changes them.

    Yields
    ------
    Step
        Phase ``re-draws``; ``values["draws"]``: new estimates by parameter.

    Returns
    -------
    dict
        Shape (replicates,) for each free or tied parameter.
    """
    patterns = plan.patterns
    n = round(patterns.subject_count)
    share = patterns.weight / patterns.weight.sum()
    rows = max(min(_BATCH, _CHUNK // max(patterns.patterns * plan.space.classes, 1)), 1)
    told = [slot for slot in plan.slots if slot.freedom is not Freedom.FIXED]
    drawn: dict[ParameterName, list[FloatArray]] = {slot.name: [] for slot in told}
    rng = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    done = 0
    while done < replicates:
        size = min(rows, replicates - done)
        weights = rng.multinomial(n, share, size=size).astype(np.float64)
        stack = yield from _climbed(plan, evidence, origins, weights, (done, replicates))
        done += size
        fresh = {slot.name: getattr(stack, slot.part)[:, *slot.index] for slot in told}
        for name, values in fresh.items():
            drawn[name].append(values)
        yield Step(done, replicates, "re-draws", {"draws": fresh})
    return {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in drawn.items()}


def _climbed(
    plan: Design,
    evidence: Evidence,
    origins: Sequence[Parameters],
    weights: FloatArray,
    progress: tuple[int, int],
) -> Run[Stack]:
    """The best end point of each replicate over all origins, in the canonical labelling."""
    best: Stack | None = None
    level = np.full(weights.shape[0], -np.inf)
    for origin in origins:
        start = plan.space.settle(Stack.of([origin] * weights.shape[0]).inside(1e-3 / plan.space.classes))
        run = climb(plan.space, evidence, start, weights=weights, tolerance=1e-8, limit=2000)
        while True:
            try:
                next(run)
            except StopIteration as end:
                ended = end.value
                break
            yield Step(progress[0], progress[1], "re-draws")
        best = ended.stack if best is None else ended.stack.where(ended.log_likelihood > level, best)
        level = np.maximum(level, ended.log_likelihood)
    if best is None:
        raise ValueError("re-draws need a point to start from")
    return canonical(plan.space, best)
