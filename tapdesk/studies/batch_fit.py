"""The same model fitted to many simulated data sets side by side, also where they have few patterns in common."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.climb import Climb, climb
from tapdesk.fitting.starts import starts
from tapdesk.models.design import design
from tapdesk.models.evidence import TINY, Evidence, Expected, FullEvidence, StructuredEvidence
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import Space, canonical
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.simulated_data import CountVectors, ListedDatasets, SimulatedDatasets

# Exponentials of this size neither overflow nor vanish, so they need no shift.
_SAFE = 300.0

# A rating that is looked up costs about as much as so many classes gone through.
_LOOK_UP = 4
_BINARY, _EXPONENTIAL = 2, 8
_MOST_CELLS = 5_000_000
_CHUNK = 150_000
_FIRST = 15
_MARGIN = 1e-3
_SEARCH = 2
# The starts that are climbed first: the one that is given last, and truth and guesses pulled apart both ways.
_FEW = (-1, 4, 3)
# Log-likelihood, and any number, within which climbs that have only begun are at one point.
_AS_HIGH, _AS_NEAR = 1e-4, 0.01
_THOROUGH = 6
_REFITS_MOST_CELLS = 4_000_000


def normalised_posterior(joint: FloatArray, weight: FloatArray, bound: float = np.inf) -> tuple[FloatArray, FloatArray]:
    """Weighted posteriors (B, K, M), and the log-likelihoods (B,) of log joint probabilities, overwriting these."""
    level = np.zeros(joint.shape[0])
    if bound >= _SAFE:
        top = joint.max(axis=1)
        joint -= top[:, None]
        level += (top * weight).sum(axis=1)
    np.exp(joint, out=joint)
    # Of many data sets of few patterns einsum takes a half to a tenth of the time that sum does.
    total = np.einsum("bkm->bm", joint)
    level += np.einsum("bm,bm->b", np.log(total), weight)
    joint *= (weight / total)[:, None]
    return joint, level


class SharedEvidence:
    """What does not depend on the data sets is told by the evidence on the patterns of all of them.

    Parameters
    ----------
    shared
        That evidence.
    """

    def __init__(self, shared: Evidence) -> None:
        self.patterns = shared.patterns
        self._shared = shared
        self._largest = float(shared.patterns.size.max(initial=0.0))

    def posterior(self, stack: Stack) -> FloatArray:
        """See `Evidence.posterior`: on the patterns of all data sets."""
        return self._shared.posterior(stack)

    def pattern_log_likelihood(self, stack: Stack) -> FloatArray:
        """See `Evidence.pattern_log_likelihood`: on the patterns of all data sets."""
        return self._shared.pattern_log_likelihood(stack)


def place_in_group(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The place of each of many things in its group, the groups one after another."""
    return np.asarray(np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes))


_Layout = tuple[NDArray[np.int64], NDArray[np.int64], FloatArray]


class RaterEvidence(SharedEvidence):
    """As `StructuredEvidence`, with the patterns and their weights of each data set in one array."""

    def __init__(self, shared: Evidence) -> None:
        super().__init__(shared)
        self._known: tuple[FloatArray, _Layout] | None = None

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; the weights are those of `rater_evidence`."""
        if weights is None:
            raise ValueError("each data set has patterns of its own")
        weight, (b, m) = weights[:, 0], (weights.shape[0], weights.shape[2])
        units, k = self.patterns.units, stack.truth.shape[1]
        cell, place, totals = self._laid_out(weights, k)
        base = np.broadcast_to((1 - stack.accuracy) * stack.guessing[:, :, 0], (b, units, k))
        rate = np.maximum(stack.accuracy + base, TINY)
        log_base, log_truth = np.log(np.maximum(base, TINY)), np.log(np.maximum(stack.truth, TINY))
        # One cell and one class more stand for no rating: it gains nothing.
        gain = np.zeros((b, units * k + 1))
        gain[:, :-1] = (np.log(rate) - log_base).reshape(b, -1)
        bound = float(np.abs(gain).max(initial=0.0)) * self._largest + float(np.abs(log_truth).max(initial=0.0))
        if k == _BINARY:
            signed = gain * np.append(np.tile([-1.0, 1.0], units), 0.0)
            joint, level = _of_two(signed.ravel().take(cell).reshape(b, -1, m), log_truth, weight, bound)
            level += (totals[:, :, 0] * gain[:, :-1:2]).sum(axis=1)
        else:
            joint = np.bincount(place, gain.ravel()[cell], b * (k + 1) * m).astype(np.float64, copy=False)
            joint = joint.reshape(b, k + 1, m)
            joint[:, :k] += log_truth[:, :, None]
            level = normalised_posterior(joint[:, :k], weight, bound)[1]
        right = np.bincount(cell, joint.ravel().take(place), gain.size).reshape(b, -1)[:, :-1].reshape(b, units, k)
        level += (totals * log_base).sum(axis=(1, 2))
        hits = right * (stack.accuracy / rate)
        guesses = np.maximum(totals - hits, 0.0)
        truth = np.einsum("bkm->bk", joint[:, :k])
        return Expected(level, truth, hits, totals.sum(axis=2, keepdims=True), guesses[:, :, None])

    def _laid_out(self, weights: FloatArray, k: int) -> "_Layout":
        """Where each rating takes its gain from and where it puts it, and the ratings of each unit by class.

        A climb asks for the same weights at every step.
        """
        if self._known is not None and self._known[0] is weights:
            return self._known[1]
        cell, (b, _rows, m), units = weights[:, 1:].astype(np.int64), weights.shape, self.patterns.units
        category = np.where(cell < units * k, cell % k, k)
        place = (((np.arange(b) * (k + 1))[:, None, None] + category) * m + np.arange(m)).ravel()
        cell += (np.arange(b) * (units * k + 1))[:, None, None]
        times = np.broadcast_to(weights[:, :1], cell.shape).ravel()
        totals = np.bincount(cell.ravel(), times, b * (units * k + 1)).reshape(b, -1)[:, :-1].reshape(b, units, k)
        layout: _Layout = (np.asarray(cell.ravel()), np.asarray(place), np.asarray(totals, dtype=np.float64))
        self._known = (weights, layout)
        return layout


def _of_two(
    gains: FloatArray, log_truth: FloatArray, weight: FloatArray, bound: float
) -> tuple[FloatArray, FloatArray]:
    """Weighted posteriors of two classes and of none, (B, 3, M), and the log-likelihoods (B,) of their cases.

    Of two classes the odds tell all. ``gains`` (B, R, M) are those of each rating, of the first class less than 0.
    """
    odds = gains.sum(axis=1)
    odds += (log_truth[:, 1] - log_truth[:, 0])[:, None]
    joint = np.zeros((odds.shape[0], 3, odds.shape[1]))
    level = log_truth[:, 0] * weight.sum(axis=1)
    if bound < _SAFE:
        np.exp(odds, out=odds)
        total = 1 + odds
        level += np.einsum("bm,bm->b", np.log(total), weight)
        np.divide(weight, total, out=joint[:, 0])
        np.multiply(joint[:, 0], odds, out=joint[:, 1])
        return joint, level
    top = np.maximum(odds, 0.0)
    joint[:, 0], joint[:, 1] = np.exp(-top), np.exp(odds - top)
    total = joint[:, 0] + joint[:, 1]
    level += np.einsum("bm,bm->b", np.log(total) + top, weight)
    joint *= (weight / total)[:, None]
    return joint, level


def rater_evidence(patterns: Patterns, weights: FloatArray) -> FloatArray | None:
    """Data sets told each by its own patterns, shape (B, 1 + R, M): their weights, then the ratings of each.

    Parameters
    ----------
    patterns
        Of all data sets.
    weights
        Shape (B, P).

    Returns
    -------
    array
        A rating is told as its rater times K plus its class; the first number that is none stands for no rating. None
        where this would save nothing.
    """
    k, none = patterns.classes, patterns.units * patterns.classes
    row, at = np.nonzero(weights)
    own = np.bincount(row, minlength=weights.shape[0])
    most, each = int(own.max(initial=0)), int(patterns.size.max(initial=0))
    # Of two classes one exponential a case takes the place of two, and its look-ups are half as many.
    rest = _EXPONENTIAL if k == _BINARY else k
    look_up = _LOOK_UP // 2 if k == _BINARY else _LOOK_UP
    if most * (look_up * each + rest) > patterns.patterns * rest or patterns.patterns * each > _MOST_CELLS:
        return None
    times = np.rint(patterns.count).astype(np.int64)
    pattern = np.repeat(patterns.pattern.astype(np.int64), times)
    cell = np.repeat(patterns.unit.astype(np.int64) * k + patterns.category, times)
    order = np.argsort(pattern, kind="stable")
    pattern, cell = pattern[order], cell[order]
    given = np.full((patterns.patterns, each), none)
    given[pattern, place_in_group(np.bincount(pattern, minlength=patterns.patterns))] = cell
    sentence = np.zeros((weights.shape[0], 1 + each, most))
    sentence[:, 1:] = none
    place = place_in_group(own)
    sentence[row, 0, place] = weights[row, at]
    sentence[row, 1:, place] = given[at]
    return sentence


class DatasetEvidence(SharedEvidence):
    """As `StructuredEvidence` or `FullEvidence`, with the patterns and their weights of each data set in one array."""

    def __init__(self, shared: StructuredEvidence | FullEvidence) -> None:
        super().__init__(shared)
        self._full = isinstance(shared, FullEvidence)
        self._known: tuple[FloatArray, FloatArray] | None = None

    def expect(self, stack: Stack, weights: FloatArray | None = None) -> Expected:
        """See `Evidence.expect`; the weights are those of `dataset_evidence`."""
        if weights is None:
            raise ValueError("each data set has patterns of its own")
        return self._by_class(stack, weights) if self._full else self._alike(stack, weights)

    def _alike(self, stack: Stack, array: FloatArray) -> Expected:
        """Accuracy and guessing are the same for every true class."""
        weight, table = array[:, 0], array[:, 1:]
        base = (1 - stack.accuracy[:, 0]) * stack.guessing[:, 0, 0]
        rate = np.maximum(stack.accuracy[:, 0] + base, TINY)
        log_base = np.log(np.maximum(base, TINY))
        gain, log_truth = np.log(rate) - log_base, np.log(np.maximum(stack.truth, TINY))
        joint = gain[:, :, None] * table
        joint += log_truth[:, :, None]
        bound = float(np.abs(gain).max(initial=0.0)) * self._largest + float(np.abs(log_truth).max(initial=0.0))
        posterior, level = normalised_posterior(joint, weight, bound)
        totals = self._totals(array)
        level += (totals * log_base).sum(axis=1)
        hits = np.einsum("bkm,bkm->bk", posterior, table) * (stack.accuracy[:, 0] / rate)
        guesses = np.maximum(totals - hits, 0.0)
        return Expected(
            level,
            np.einsum("bkm->bk", posterior),
            hits[:, None],
            totals.sum(axis=1, keepdims=True)[:, None],
            guesses[:, None, None],
        )

    def _totals(self, array: FloatArray) -> FloatArray:
        """Shape (B, K): ratings of each class; a climb asks for those of the same data sets at every step."""
        if self._known is None or self._known[0] is not array:
            self._known = (array, np.einsum("bkm,bm->bk", array[:, 1:], array[:, 0]))
        return self._known[1]

    def _by_class(self, stack: Stack, array: FloatArray) -> Expected:
        """Accuracy or guessing are those of each true class."""
        weight, table = array[:, 0], array[:, 1:]
        k = table.shape[1]
        every = np.arange(k)
        rates = np.broadcast_to((1 - stack.accuracy)[..., None] * stack.guessing, (stack.size, 1, k, k))[:, 0].copy()
        rates[:, every, every] += stack.accuracy[:, 0]
        joint = np.log(np.maximum(rates, TINY)) @ table
        joint += np.log(np.maximum(stack.truth, TINY))[:, :, None]
        posterior, level = normalised_posterior(joint, weight)
        guesses = posterior @ table.transpose(0, 2, 1)
        right = guesses[:, every, every] / np.maximum(rates[:, every, every], TINY)
        hits = right * stack.accuracy[:, 0]
        guesses[:, every, every] = np.maximum(guesses[:, every, every] - hits, 0.0)
        return Expected(
            level,
            np.einsum("bkm->bk", posterior),
            hits[:, None],
            (guesses.sum(axis=2) + hits)[:, None],
            guesses[:, None],
        )


def dataset_evidence(evidence: Evidence, weights: FloatArray) -> tuple[Evidence, FloatArray]:
    """Data sets told each by its own patterns, where they have few in common; else as they are.

    Parameters
    ----------
    evidence
        On the patterns of all data sets.
    weights
        Shape (B, P).

    Returns
    -------
    tuple
        The evidence, and the weights it takes: as given, or of shape (B, 1 + K, M) for at most M patterns in a data
        set, their weights first, then how often they have each class; where raters differ, as `rater_evidence` has it.
    """
    patterns = evidence.patterns
    if not patterns.alike:
        return evidence, weights
    if patterns.units > 1:
        by_rater = rater_evidence(patterns, weights) if isinstance(evidence, StructuredEvidence) else None
        if by_rater is None or not isinstance(evidence, StructuredEvidence):
            return evidence, weights
        return RaterEvidence(evidence), by_rater
    row, at = np.nonzero(weights)
    own = np.bincount(row, minlength=weights.shape[0])
    most = int(own.max(initial=0))
    if 2 * most > patterns.patterns:
        return evidence, weights
    if not isinstance(evidence, StructuredEvidence | FullEvidence):
        return evidence, weights
    sentence = np.zeros((weights.shape[0], 1 + patterns.classes, most))
    place = place_in_group(own)
    sentence[row, 0, place] = weights[row, at]
    sentence[row, 1:, place] = patterns.table[at]
    return DatasetEvidence(evidence), sentence


@dataclass(frozen=True, slots=True)
class Effort:
    """When a climb ends: relative gain of a cycle, and most E-M steps."""

    tolerance: float
    limit: int


# What a climb along a flat ridge still gains beyond this is too little to matter to any likelihood ratio.
QUICK = Effort(1e-7, 600)
# For studies of the estimates themselves.
CAREFUL = Effort(1e-9, 3000)


def pooled_space(model: RaterModel, classes: int) -> Space:
    """The space of a model that pools raters; held rates are those of each data set, set by `fit_count_vectors`."""
    return Space(model, 1, classes, np.full(classes, 1 / classes), np.zeros((1, 0)))


def fit_count_vectors(
    model: RaterModel,
    here: CountVectors,
    weights: FloatArray,
    near: Sequence[Parameters] = (),
    *,
    also: Stack | None = None,
    effort: Effort = QUICK,
    phase: str = "re-draws",
) -> Run[Climb]:
    """Fit a model that pools raters to many data sets told as weights of vectors of class counts.

    Parameters
    ----------
    model, here
        What is fitted on which list of vectors.
    weights, near, also, effort, phase
        As in `fit_weights`.
    """
    space = pooled_space(model, here.classes)
    evidence = space.evidence(here.patterns)
    return (yield from fit_weights(space, evidence, weights, near, also=also, effort=effort, phase=phase))


def fit_simulated(
    some: SimulatedDatasets | ListedDatasets,
    model: RaterModel,
    near: Sequence[Parameters] = (),
    *,
    also: Stack | None = None,
) -> Run[Climb]:
    """Fit a model to some simulated data sets, however they are told; parameters and steps as in `fit_weights`."""
    if isinstance(some, ListedDatasets):
        return fit_count_vectors(model, some.here, some.weights, near, also=also)
    plan, weights = some.tabulate(model)
    return fit_weights(plan.space, plan.space.evidence(plan.patterns), weights, near, also=also)


def fit_weights(
    space: Space,
    evidence: Evidence,
    weights: FloatArray,
    near: Sequence[Parameters] = (),
    *,
    also: Stack | None = None,
    effort: Effort = QUICK,
    phase: str = "re-draws",
) -> Run[Climb]:
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
    # Only the patterns that occur in a data set are gone through (`dataset_evidence`).
    most = int(np.count_nonzero(weights, axis=1).max(initial=1)) if evidence.patterns.units == 1 else weights.shape[1]
    rows = max(_CHUNK // (max(most, 1) * space.classes), 8)
    parts = []
    for at in range(0, total, rows):
        part = np.arange(at, min(at + rows, total))
        more = [Stack.of([point] * part.size) for point in near]
        more += [] if also is None else [also.take(part)]
        sentence = yield from relay(_refit(space, evidence, weights[part], more, effort), at, total, phase)
        parts.append(sentence)
        yield Step(at + part.size, total, phase)
    sentence = Climb.join(parts)
    return replace(sentence, stack=canonical(space, sentence.stack))


def _refit(space: Space, evidence: Evidence, weights: FloatArray, more: Sequence[Stack], effort: Effort) -> Run[Climb]:
    """Two-stage climb of one portion.

    Where a few starts that lie far apart, one of them given, have come to the same point, the others are not climbed:
    of 39,600 simulated panels of seven files none had a higher maximum elsewhere.
    """
    b = weights.shape[0]
    first = _starts(space, evidence.patterns, weights, more)
    evidence, weights = dataset_evidence(evidence, weights)
    short = Effort(effort.tolerance, _FIRST)
    few = [first.pop(i) for i in _FEW] if more else [first.pop()]
    begun = yield from _climbed(space, evidence, Stack.join(few), np.concatenate([weights] * len(few)), short)
    alike = _at_one_point(begun, b) if more else np.zeros(b, dtype=bool)
    settled, left = np.flatnonzero(alike), np.flatnonzero(~alike)
    parts = []
    if settled.size:
        some = begun.take(_rows(len(few), b, settled))
        parts.append((yield from _ended(space, evidence, some, weights[settled], effort, 1)))
    if left.size:
        rest = Stack.join([start.take(left) for start in first])
        others = yield from _climbed(space, evidence, rest, np.concatenate([weights[left]] * len(first)), short)
        some = Climb.join([others, begun.take(_rows(len(few), b, left))])
        parts.append((yield from _ended(space, evidence, some, weights[left], effort, _SEARCH)))
    return Climb.join(parts).take(np.argsort(np.concatenate([settled, left])))


def _rows(tries: int, count: int, which: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where some of so many data sets stand among the climbs from several starts, one start after another."""
    return np.asarray((np.arange(tries)[:, None] * count + which).ravel())


def _at_one_point(begun: Climb, count: int) -> NDArray[np.bool_]:
    """Shape (B,): data sets whose climbs from all starts are at one point and as high."""
    level = begun.log_likelihood.reshape(-1, count)
    place = begun.stack.flat().reshape(*level.shape, -1)
    return np.asarray((np.ptp(level, axis=0) < _AS_HIGH) & (np.ptp(place, axis=0).max(axis=1) < _AS_NEAR))


def _ended(
    space: Space, evidence: Evidence, begun: Climb, weights: FloatArray, effort: Effort, most: int
) -> Run[Climb]:
    """The highest of the best few climbs of each data set, to the end."""
    b = weights.shape[0]
    level = begun.log_likelihood.reshape(-1, b)
    best = np.argsort(-level, axis=0, kind="stable")[:most]
    ended = yield from _climbed(
        space,
        evidence,
        begun.stack.take((best * b + np.arange(b)).ravel()),
        np.concatenate([weights] * best.shape[0]),
        effort,
    )
    return ended.take(ended.log_likelihood.reshape(best.shape).argmax(axis=0) * b + np.arange(b))


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
    if space.spreads:
        # Their maxima are flat and several: from cases that hardly differ, and from such that differ much.
        made += [
            replace(point, spread=np.full_like(point.spread, share)) for point in made[:2] for share in (0.01, 0.5)
        ]
    made += [widened(space, stack) for stack in more]
    return [_pulled(space, stack.inside(_MARGIN / k), rates) for stack in made]


def widened(space: Space, stack: Stack) -> Stack:
    """Points of a smaller model told in the shapes of a larger one; slopes of the same covariates stay."""
    accuracy = stack.accuracy
    if accuracy.shape[1] not in {1, space.accuracy_shape[0]}:
        # Of raters in groups nothing says here which rater each is: all begin at their middle.
        accuracy = accuracy.mean(axis=1, keepdims=True)
    point = space.point(stack.truth, accuracy, stack.guessing)
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


def fit_dataset(
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
    fitting = max(_REFITS_MOST_CELLS // (plan.patterns.patterns * plan.space.classes), _THOROUGH)
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
