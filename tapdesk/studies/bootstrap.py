"""Re-draws: the fit repeated on resampled or simulated cases (models.md §5.4), and percentile intervals from them."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.climb import Climb, climb
from tapdesk.fitting.fit import Fit, FitFinding
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom, Slot, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, RaterModel
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.models.space import Space, canonical
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import Effort, fit_weights, pooled_space
from tapdesk.studies.simulated_data import CountVectors, design_count_vectors, simulate_datasets

STUCK = _("The resamples all give the same number here, so they do not show how uncertain it is.")
TOO_OFTEN_OPEN = _("In most of the resamples this number has no value, so they do not show how uncertain it is.")

_NO_SPREAD = 1e-9
# As near to 0 or 1 as a re-draw's climb may stop short of it.
_EDGE = 1e-4
_HALF = 0.5

_BATCH = 500
_TOLERANCE = 1e-8
_EARLY, _LIMIT = 150, 2000
_CHUNK = 3_000_000
# So many slow replicates go on side by side at most.
_SLOW = 2000
_PARAMETRIC_BATCH = 500
# Above so many patterns times classes the patterns that occur are far fewer than those that could.
_MOST_LISTED = 20_000
# As the re-draws of subjects: an estimate need not be sharper than the spread of its re-draws by far.
_EFFORT = Effort(1e-8, 2000)
_STREAM = 8


def percentiles(
    fit: Fit, draws: Mapping[ParameterName, FloatArray], level: float
) -> tuple[dict[ParameterName, tuple[float, float] | str], tuple[FitFinding, ...]]:
    """Ends by parameter, or the reason why there are none, and what the reader must know of the re-draws.

    Parameters
    ----------
    fit
        What was drawn anew.
    draws
        Shape (replicates,) for each parameter.
    level
        Of the intervals.
    """
    tail = (1 - level) / 2
    ends: dict[ParameterName, tuple[float, float] | str] = {}
    gone: dict[ParameterName, float] = {}
    wanted = {e.name for e in fit.estimates if e.estimate.value is not None}
    defined = with_value(fit, draws)
    for name, values in draws.items():
        kept = values[defined[name]]
        share = 1 - kept.size / max(values.size, 1)
        if share > _HALF:
            ends[name] = TOO_OFTEN_OPEN
            continue
        if share > 0 and name in wanted:
            gone[name] = share
        low, high = np.quantile(kept, [tail, 1 - tail])
        # Re-draws that cannot leave the edge say nothing of how far the number may be from it.
        ends[name] = STUCK if high - low < _NO_SPREAD else (float(low), float(high))
    return ends, _findings(fit, gone)


def with_value(fit: Fit, draws: Mapping[ParameterName, FloatArray]) -> dict[ParameterName, NDArray[np.bool_]]:
    """Shape (replicates,) by parameter: whether it has a value in the re-draw, as far as its own numbers show.

    Guesses have none where every rating they could be about is accurate; accuracies and guesses have none where all
    cases belong to one class; the truth has none where nobody is accurate (models.md §5).
    """
    by_part: dict[str, list[Slot]] = {"truth": [], "accuracy": [], "guessing": [], "slopes": [], "spread": []}
    for slot in fit.slots:
        if slot.name in draws:
            by_part[slot.part].append(slot)
    size = next((v.size for v in draws.values()), 0)
    known = {name: np.ones(size, dtype=bool) for name in draws}
    truth = [draws[s.name] for s in by_part["truth"]]
    one_class = _any([t > 1 - _EDGE for t in truth], size)
    if len(fit.classes) == 2:
        one_class |= _any([t < _EDGE for t in truth], size)
    free_guess = fit.model.guessing.free
    for slot in by_part["accuracy"] + by_part["slopes"]:
        known[slot.name] &= ~one_class
    for slot in by_part["guessing"] if free_guess and fit.model.accuracy is not Accuracy.NONE else ():
        about = [s for s in by_part["accuracy"] if _concerns(s, slot, fit)]
        known[slot.name] &= ~one_class & ~_all([draws[s.name] > 1 - _EDGE for s in about], size)
    for slot in by_part["truth"] if free_guess else ():
        known[slot.name] &= ~_all([draws[s.name] < _EDGE for s in by_part["accuracy"]], size)
    return known


def _concerns(accuracy: Slot, guess: Slot, fit: Fit) -> bool:
    """Whether an accuracy decides how often a guess of this kind is made."""
    own_rater = fit.model.guessing.by_rater and fit.model.accuracy.by_rater
    own_class = fit.model.guessing.by_class and fit.model.accuracy.by_class
    same_rater = not own_rater or accuracy.index[0] == guess.index[0]
    return same_rater and (not own_class or accuracy.index[1] == guess.index[1])


def _any(which: Sequence[NDArray[np.bool_]], size: int) -> NDArray[np.bool_]:
    return np.any(which, axis=0) if which else np.zeros(size, dtype=bool)


def _all(which: Sequence[NDArray[np.bool_]], size: int) -> NDArray[np.bool_]:
    return np.all(which, axis=0) if which else np.zeros(size, dtype=bool)


def _findings(fit: Fit, gone: Mapping[ParameterName, float]) -> tuple[FitFinding, ...]:
    """That some re-draws have no value for some numbers, and that the estimate lies where re-draws do not hold."""
    items = []
    if gone:
        most = max(gone, key=lambda name: gone[name])
        message = _(
            "In some resamples a number has no value, most often {most}, in {percent} of them; "
            "the intervals are those of the other resamples and may be too narrow."
        ).format(most=most, percent=_percent(gone[most]))
        items.append(FitFinding("redraws_without_value", "note", message, _("Use profile intervals.")))
    if fit.degenerate:
        message = _(
            "The estimate lies on the edge of what is possible, where intervals from resamples are not reliable."
        )
        items.append(FitFinding("bootstrap_on_edge", "note", message, _("Use profile intervals.")))
    return tuple(items)


def _percent(share: float) -> str:
    return "less than 1 %" if share < 0.01 else f"{100 * share:.0f} %"


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
    rows = max(min(_BATCH, _CHUNK // max(patterns.patterns * plan.space.classes, 1)), 1)
    sentences = [slot for slot in plan.slots if slot.freedom is not Freedom.FIXED]
    drawn: dict[ParameterName, list[FloatArray]] = {slot.name: [] for slot in sentences}
    rng = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    late: list[tuple[Stack, FloatArray]] = []
    done = begun = 0
    while begun < replicates:
        size = min(rows, replicates - begun)
        weights = _drawn_weights(plan, size, rng)
        begun += size
        ended = yield from _climbed(plan, evidence, origins, weights, (done, replicates))
        at_rest = ended.converged
        late.append((ended.stack.take(~at_rest), weights[~at_rest]))
        done += int(at_rest.sum())
        yield _keep_values(drawn, sentences, canonical(plan.space, ended.stack.take(at_rest)), (done, replicates))
    # The few slow replicates of all batches finish side by side, which costs as little as those of one batch.
    left, weights = Stack.join([stack for stack, _weights in late]), np.concatenate([w for _stack, w in late])
    rows = max(min(_SLOW, _CHUNK // max(patterns.patterns * plan.space.classes, 1)), 1)
    for at in range(0, left.size, rows):
        part = np.arange(at, min(at + rows, left.size))
        run = climb(plan.space, evidence, left.take(part), weights=weights[part], tolerance=_TOLERANCE, limit=_LIMIT)
        ended = yield from relay(run, done, replicates, "re-draws")
        done += part.size
        yield _keep_values(drawn, sentences, canonical(plan.space, ended.stack), (done, replicates))
    return {name: np.concatenate(parts) for name, parts in drawn.items()}


def _drawn_weights(plan: Design, size: int, rng: np.random.Generator) -> FloatArray:
    """Shape (size, P): how often each pattern occurs among cases drawn with replacement, each with all that is its."""
    patterns = plan.patterns
    if plan.whole is None:
        n, share = round(patterns.subject_count), patterns.weight / patterns.weight.sum()
        return rng.multinomial(n, share, size=size).astype(np.float64)
    from scipy import sparse  # start-up cost: few models have cases of several parts

    cases = int(plan.whole.max(initial=-1)) + 1
    times = rng.multinomial(cases, np.full(cases, 1 / cases), size=size).astype(np.float64)
    ones = np.ones(plan.whole.size)
    parts = sparse.csr_array((ones, (plan.whole, patterns.of_subject)), shape=(cases, patterns.patterns))
    return np.asarray(times @ parts, dtype=np.float64)


def _keep_values(
    drawn: dict[ParameterName, list[FloatArray]], slots: Sequence[Slot], stack: Stack, progress: tuple[int, int]
) -> Step:
    """New estimates, kept and told."""
    fresh = {slot.name: slot.column(stack) for slot in slots}
    for name, values in fresh.items():
        drawn[name].append(values)
    return Step(*progress, "re-draws", {"draws": fresh})


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
        ended = yield from relay(run, *progress, "re-draws")
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
    sentences = [slot for slot in plan.slots if slot.freedom is not Freedom.FIXED]
    drawn: dict[ParameterName, list[FloatArray]] = {slot.name: [] for slot in sentences}
    done = 0
    for space, patterns, weights in _data_sets(plan, ratings, origins[0], replicates, seed):
        run = fit_weights(space, space.evidence(patterns), weights, origins, effort=_EFFORT)
        result = yield from relay(run, done, replicates, "re-draws")
        done += weights.shape[0]
        yield _keep_values(drawn, sentences, result.stack, (done, replicates))
    return MappingProxyType({name: np.concatenate(parts) for name, parts in drawn.items()})


def _data_sets(
    plan: Design, ratings: Ratings, point: Parameters, replicates: int, seed: int
) -> Iterator[tuple[Space, Patterns, FloatArray]]:
    """Portions of simulated data sets: what is fitted, to which patterns, with which weights (B, P)."""
    root = np.random.SeedSequence([seed, _STREAM])
    here = _listed(plan, ratings)
    if here is None:
        for some in simulate_datasets(ratings, plan.space.model, point, replicates, root):
            its_plan, weights = some.tabulate(plan.space.model)
            yield its_plan.space, its_plan.patterns, weights
        return
    rng = np.random.default_rng(root)
    space = pooled_space(plan.space.model, here.classes)
    for done in range(0, replicates, _PARAMETRIC_BATCH):
        yield space, here.patterns, here.draw(point, min(_PARAMETRIC_BATCH, replicates - done), rng)


def _listed(plan: Design, ratings: Ratings) -> CountVectors | None:
    """All vectors of class counts the design can give, where raters are pooled and the vectors are few."""
    if not plan.space.model.pools or plan.space.model.accuracy is Accuracy.REGRESSION:
        return None
    here = design_count_vectors(ratings)
    return None if here is None or here.size.size * here.classes > _MOST_LISTED else here
