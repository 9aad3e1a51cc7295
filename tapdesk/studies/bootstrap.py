"""Re-draws: the fit repeated on resampled subjects, all replicates moving as one array (models.md §5.4)."""

from collections.abc import Sequence

import numpy as np

from tapdesk.fitting.climb import Climb, climb
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.labelling import canonical
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom, Slot
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step

_BATCH = 500
_TOLERANCE = 1e-8
_EARLY, _LIMIT = 150, 2000
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
    late: list[tuple[Stack, FloatArray]] = []
    done = begun = 0
    while begun < replicates:
        size = min(rows, replicates - begun)
        weights = rng.multinomial(n, share, size=size).astype(np.float64)
        begun += size
        ended = yield from _climbed(plan, evidence, origins, weights, (done, replicates))
        at_rest = ended.converged
        late.append((ended.stack.take(~at_rest), weights[~at_rest]))
        done += int(at_rest.sum())
        yield _told(drawn, told, canonical(plan.space, ended.stack.take(at_rest)), (done, replicates))
    # The few slow replicates of all batches finish side by side, which costs as little as those of one batch.
    left, weights = Stack.join([stack for stack, _ in late]), np.concatenate([w for _, w in late])
    for at in range(0, left.size, rows):
        part = np.arange(at, min(at + rows, left.size))
        run = climb(plan.space, evidence, left.take(part), weights=weights[part], tolerance=_TOLERANCE, limit=_LIMIT)
        ended = yield from _quiet(run, (done, replicates))
        done += part.size
        yield _told(drawn, told, canonical(plan.space, ended.stack), (done, replicates))
    return {name: np.concatenate(parts) for name, parts in drawn.items()}


def _told(
    drawn: dict[ParameterName, list[FloatArray]], told: Sequence[Slot], stack: Stack, progress: tuple[int, int]
) -> Step:
    """New estimates, kept and told."""
    fresh = {slot.name: getattr(stack, slot.part)[:, *slot.index] for slot in told}
    for name, values in fresh.items():
        drawn[name].append(values)
    return Step(*progress, "re-draws", {"draws": fresh})


def _quiet(run: Run[Climb], progress: tuple[int, int]) -> Run[Climb]:
    """A climb that shows no more than that it goes on."""
    while True:
        try:
            next(run)
        except StopIteration as end:
            ended: Climb = end.value
            return ended
        yield Step(*progress, "re-draws")


def _climbed(
    plan: Design,
    evidence: Evidence,
    origins: Sequence[Parameters],
    weights: FloatArray,
    progress: tuple[int, int],
) -> Run[Climb]:
    """The best end of each replicate over all origins, stopped early where it is slow.

    Raises
    ------
    ValueError
        When there is nothing to start from.
    """
    best: Climb | None = None
    counts = weights @ plan.patterns.table
    rates = counts / counts.sum(axis=1, keepdims=True)
    for origin in origins:
        start = Stack.of([origin] * weights.shape[0]).inside(1e-3 / plan.space.classes)
        start = plan.space.settle(start, rates)
        run = climb(plan.space, evidence, start, weights=weights, tolerance=_TOLERANCE, limit=_EARLY)
        ended = yield from _quiet(run, progress)
        if best is None:
            best = ended
            continue
        better = ended.log_likelihood > best.log_likelihood
        best = Climb(
            ended.stack.where(better, best.stack),
            np.maximum(ended.log_likelihood, best.log_likelihood),
            np.where(better, ended.converged, best.converged),
            ended.steps + best.steps,
        )
    if best is None:
        raise ValueError("re-draws need a point to start from")
    return best
