"""The same model fitted to many simulated data sets side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.climb import Climb, climb
from tapdesk.fitting.starts import starts
from tapdesk.models.design import design
from tapdesk.models.evidence import Evidence
from tapdesk.models.labelling import canonical
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import Parameters
from tapdesk.models.space import Space
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.kappas import fleiss_kappas
from tapdesk.studies.own_patterns import own_patterns
from tapdesk.studies.steps import within
from tapdesk.studies.worlds import Worlds

_CHUNK = 400_000
_FIRST = 15
_MARGIN = 1e-3
_SEARCH = 2
_THOROUGH = 6
_MOST_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Effort:
    """When a climb ends: relative gain of a cycle, and most E-M steps."""

    tolerance: float
    limit: int


# What a climb along a flat ridge still gains beyond this is too little to matter to any likelihood ratio.
QUICK = Effort(1e-7, 600)
# For studies of the estimates themselves.
CAREFUL = Effort(1e-9, 3000)


@dataclass(frozen=True, eq=False)
class Refits:
    """Maximum likelihood points of B data sets.

    Attributes
    ----------
    stack
        The points.
    log_likelihood
        Shape (B,): nats, ratings form.
    converged
        Shape (B,).
    """

    stack: Stack
    log_likelihood: FloatArray
    converged: NDArray[np.bool_]


def pooled_space(model: RaterModel, classes: int) -> Space:
    """The space of a model that pools raters; held rates are those of each data set, set by `refit_worlds`."""
    return Space(model, 1, classes, np.full(classes, 1 / classes), np.zeros((1, 0)))


def refit_worlds(
    model: RaterModel,
    here: Worlds,
    weights: FloatArray,
    near: Sequence[Parameters] = (),
    *,
    also: Stack | None = None,
    effort: Effort = QUICK,
    phase: str = "re-draws",
) -> Run[Refits]:
    """Fit a model that pools raters to many data sets told as weights of vectors of class counts.

    Parameters
    ----------
    model, here
        What is fitted on which list of vectors.
    weights, near, also, effort, phase
        As in `refit_weights`.
    """
    space = pooled_space(model, here.classes)
    found = yield from refit_weights(
        space, space.evidence(here.patterns), weights, near, also=also, effort=effort, phase=phase
    )
    return found


def refit_weights(
    space: Space,
    evidence: Evidence,
    weights: FloatArray,
    near: Sequence[Parameters] = (),
    *,
    also: Stack | None = None,
    effort: Effort = QUICK,
    phase: str = "re-draws",
) -> Run[Refits]:
    """Fit a model to many data sets told as weights of the same patterns.

    Every data set is climbed a little from each of several starts, then to the end from the best two.

    Parameters
    ----------
    space, evidence
        What is fitted on which patterns.
    weights
        Shape (B, P): the data sets.
    near
        Further starting points, such as the parameters the data were drawn from; a smaller model's shapes will do.
    also
        One more starting point for each data set, such as the maximum of a smaller model.
    effort
        When the climbs end.
    phase
        Of the steps.

    Yields
    ------
    Step
        ``done`` data sets of B.
    """
    total = weights.shape[0]
    # Only the patterns that occur in a data set are gone through (`own_patterns`).
    most = int(np.count_nonzero(weights, axis=1).max(initial=1)) if evidence.patterns.units == 1 else weights.shape[1]
    rows = max(_CHUNK // (max(most, 1) * space.classes), 8)
    parts = []
    for at in range(0, total, rows):
        part = np.arange(at, min(at + rows, total))
        more = [Stack.of([point] * part.size) for point in near]
        more += [] if also is None else [also.take(part)]
        found = yield from within(_refit(space, evidence, weights[part], more, effort), at, total, phase)
        parts.append(found)
        yield Step(at + part.size, total, phase)
    return Refits(
        canonical(space, Stack.join([p.stack for p in parts])),
        np.concatenate([p.log_likelihood for p in parts]),
        np.concatenate([p.converged for p in parts]),
    )


def _refit(space: Space, evidence: Evidence, weights: FloatArray, more: Sequence[Stack], effort: Effort) -> Run[Refits]:
    """Two-stage climb of one portion."""
    b = weights.shape[0]
    first = _starts(space, evidence.patterns, weights, more)
    tries = len(first)
    evidence, weights = own_patterns(evidence, weights)
    begun = yield from _climbed(
        space, evidence, Stack.join(first), np.concatenate([weights] * tries), Effort(effort.tolerance, _FIRST)
    )
    level = begun.log_likelihood.reshape(tries, b)
    chosen = np.argsort(-level, axis=0, kind="stable")[:_SEARCH]
    ended = yield from _climbed(
        space,
        evidence,
        begun.stack.take((chosen * b + np.arange(b)).ravel()),
        np.concatenate([weights] * chosen.shape[0]),
        effort,
    )
    best = ended.log_likelihood.reshape(chosen.shape).argmax(axis=0) * b + np.arange(b)
    return Refits(ended.stack.take(best), ended.log_likelihood[best], ended.converged[best])


def _climbed(space: Space, evidence: Evidence, start: Stack, weights: FloatArray, effort: Effort) -> Run[Climb]:
    return climb(space, evidence, start, weights=weights, tolerance=effort.tolerance, limit=effort.limit)


def _starts(space: Space, patterns: Patterns, weights: FloatArray, more: Sequence[Stack]) -> list[Stack]:
    """Starts of every data set: Fleiss, majority vote, truth and guessing pulled apart both ways, and those given."""
    k = space.classes
    rates = weights @ patterns.table
    rates /= np.maximum(rates.sum(axis=1, keepdims=True), 1e-300)
    root = np.sqrt(np.maximum(np.nan_to_num(fleiss_kappas(patterns, weights)), 0.0))
    points = [(rates, root, rates), _majority(patterns, weights, rates)]
    rng = np.random.default_rng(k)
    for tilt, a in ((1.5, 0.2), (-1.5, 0.2), (1.5, 0.6), (-1.5, 0.6)):
        lean = np.linspace(-1, 1, k) if k == 2 else rng.permutation(np.linspace(-1, 1, k))
        points.append((_tilted(rates, tilt * lean), np.full(rates.shape[0], a), _tilted(rates, -tilt * lean)))
    made = [space.point(t, a, p) for t, a, p in points]
    made += [widened(space, stack) for stack in more]
    return [_pulled(space, stack.inside(_MARGIN / k), rates) for stack in made]


def widened(space: Space, stack: Stack) -> Stack:
    """Points of a smaller model told in the shapes of a larger one; slopes of the same covariates stay."""
    point = space.point(stack.truth, stack.accuracy, stack.guessing)
    if stack.slopes.shape[1] and stack.slopes.shape == point.slopes.shape:
        point = space.follow(replace(point, slopes=stack.slopes))
    return point


def _pulled(space: Space, stack: Stack, rates: FloatArray) -> Stack:
    """Rates that are held at the observed ones set to those of each data set."""
    return space.settle(stack, rates)


def _tilted(rates: FloatArray, lean: FloatArray) -> FloatArray:
    moved = np.maximum(rates, 1e-6) * np.exp(lean)
    return np.asarray(moved / moved.sum(axis=1, keepdims=True))


def _majority(patterns: Patterns, weights: FloatArray, rates: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Truth by majority (ties split), then accuracy as if that were known."""
    table = patterns.table
    top = (table == table.max(axis=1, keepdims=True)).astype(np.float64)
    votes = top / top.sum(axis=1, keepdims=True)
    truth = weights @ votes / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    right = weights @ (votes * table).sum(axis=1) / np.maximum(weights @ patterns.size, 1e-300)
    chance = (rates * truth).sum(axis=1)
    accuracy = np.clip((right - chance) / np.maximum(1 - chance, 1e-9), 0.02, 0.98)
    return truth, accuracy, rates


def refit(
    model: RaterModel, ratings: Ratings, seed: int, near: Sequence[Stack] = ()
) -> Run[tuple[Parameters, float, bool]]:
    """Fit any model to one data set, without verdicts: the point, its log-likelihood, whether it settled.

    The starts of `ExactEM` are climbed a little, and the best of them to the end.

    Parameters
    ----------
    model, ratings
        What is fitted.
    seed
        Of random starts.
    near
        Further starts, stacks of any size.
    """
    plan = design(model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    # The named starts come first; the rest only as far as they fit the memory side by side.
    fitting = max(_MOST_CELLS // (plan.patterns.patterns * plan.space.classes), _THOROUGH)
    first = starts(plan, seed, random=5).first(fitting).stack
    margin = _MARGIN / plan.space.classes
    first = Stack.join([first, *(plan.space.settle(widened(plan.space, s).inside(margin)) for s in near)])
    begun = yield from climb(plan.space, evidence, first, tolerance=CAREFUL.tolerance, limit=_FIRST)
    best = np.argsort(-begun.log_likelihood, kind="stable")[:_THOROUGH]
    ended = yield from climb(
        plan.space, evidence, begun.stack.take(best), tolerance=CAREFUL.tolerance, limit=CAREFUL.limit
    )
    top = int(ended.log_likelihood.argmax())
    point = canonical(plan.space, ended.stack.take(np.array([top]))).one(0)
    return point, float(ended.log_likelihood[top]), bool(ended.converged[top])
