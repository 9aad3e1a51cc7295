"""The likelihood along one number with all others held, and over two with the others at their best (models.md §8)."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.climb import climb
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom, Slot, design
from tapdesk.models.model import Accuracy, Truth
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

_EDGE = 1e-9
_CELLS = 33
# Where a rate is rare, a ridge runs along the edge: values from here to the first even one.
_NEAREST, _NEAR = 1e-4, 6
# So many cells side by side at most: of many patterns a few pairs of values, of few patterns all of them, as a climb of
# many pairs takes hardly longer than one of some.
_ROWS, _CHUNK, _SOON = 200, 3_000_000, 800_000
# Around an estimate: how many values, how far out for an interval's half, and the steps below which they are needed.
_AROUND, _WIDER, _FEW_CELLS = 17, 1.7, 6


@dataclass(frozen=True, eq=False)
class LikelihoodSurface:
    """The log-likelihood over two parameters.

    Attributes
    ----------
    x_name, y_name
        The parameters.
    x, y
        Shape (n,), (m,): their values, rising.
    fall
        Shape (n, m): how far the best log-likelihood with both held lies below the highest of all, nats; 0 or less.
    """

    x_name: ParameterName
    y_name: ParameterName
    x: FloatArray
    y: FloatArray
    fall: FloatArray


def free_slots(fit: Fit) -> tuple[Slot, ...]:
    """The numbers that can be held: estimated ones on the scale of probabilities."""
    return tuple(s for s in fit.slots if s.freedom is Freedom.FREE and s.part != "slopes")


def along(plan: Design, fit: Fit, slot: Slot, at: FloatArray) -> FloatArray:
    """Shape (n,): log-likelihood (ratings form, nats) with one number at each value and all others at the estimate.

    Parameters
    ----------
    plan, fit
        The data as the model sees them, and the model fitted to them.
    slot
        Which number; what is tied to it follows, and rates that sum to one keep their proportions.
    at
        Shape (n,): its values.
    """
    evidence = plan.space.evidence(plan.patterns)
    stack = plan.space.settle(_held(fit.parameters, (slot,), at[:, None]))
    return np.asarray(evidence.expect(stack).log_likelihood)


def surface(
    ratings: Ratings, fit: Fit, names: tuple[ParameterName, ParameterName], cells: int = _CELLS
) -> Run[LikelihoodSurface]:
    """The likelihood over two numbers, all others at their best for each pair of values.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    names
        Of two free numbers; two rates of one vector, which sum to one with the others, are not such a pair.
    cells
        Values of each, between 0 and 1, the estimate among them.

    Yields
    ------
    Step
        Phase ``surface``.

    Raises
    ------
    CannotAnswerError
        When the model has not these two free numbers.
    """
    by_name = {s.name: s for s in free_slots(fit)}
    if any(name not in by_name for name in names):
        raise CannotAnswerError(
            _("The model {name} does not estimate both {first} and {second}.").format(
                name=fit.model.name, first=names[0], second=names[1]
            )
        )
    pair = (by_name[names[0]], by_name[names[1]])
    axes = [_grid(fit, s, cells) for s in pair]
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
    plan = design(fit.model, ratings)
    best = yield from _best(plan, fit, pair, points)
    level = best.reshape(axes[0].size, axes[1].size)
    top = max(float(level.max()), fit.log_likelihood.ratings)
    # What was held just inside the bounds is told as the bound.
    x, y = (np.round(axis, 8) for axis in axes)
    return LikelihoodSurface(pair[0].name, pair[1].name, x, y, level - top)


def _grid(fit: Fit, slot: Slot, cells: int) -> FloatArray:
    """Even values inside 0 and 1, closer together at both ends and around the estimate, which is among them."""
    value = slot.value(fit.parameters)
    near = np.geomspace(_NEAREST, 1 / cells, _NEAR, endpoint=False)
    grid = np.concatenate([near, np.linspace(0.0, 1.0, cells), 1 - near, [value], *_closer(fit, slot, value, cells)])
    # What lies on the estimate already would give two lines where there is one.
    return np.unique(np.clip(np.round(grid, 9), _EDGE, 1 - _EDGE))


def _closer(fit: Fit, slot: Slot, value: float, cells: int) -> list[FloatArray]:
    """Values around an estimate that is known better than the even ones tell apart."""
    e = next(e.estimate for e in fit.estimates if e.name == slot.name)
    half = [abs(end - value) for end in (e.low, e.high) if end is not None] or ([2 * e.se] if e.se is not None else [])
    wide = _WIDER * max(half, default=0.0)
    if not 0 < wide < _FEW_CELLS / cells:
        return []
    return [np.clip(np.linspace(value - wide, value + wide, _AROUND), 0.0, 1.0)]


def _best(plan: Design, fit: Fit, pair: Sequence[Slot], points: FloatArray) -> Run[FloatArray]:
    """Shape (n,): best log-likelihood with both numbers held, climbed from the estimate and from other maxima."""
    evidence = plan.space.evidence(plan.patterns)
    origins = [fit.parameters, *(o.parameters for o in fit.optima[1:3])]
    result = np.full(len(points), -np.inf)
    cost = max(plan.patterns.patterns * plan.space.classes, 1)
    rows = min(max(_CHUNK // cost, 1), max(_ROWS, _SOON // cost))
    for at in range(0, len(points), rows):
        part = points[at : at + rows]
        for origin in origins:
            start = _held(origin, pair, part)
            pins = Stack(*(np.full_like(getattr(start, f.name), np.nan) for f in fields(Stack)))
            for j, slot in enumerate(pair):
                getattr(pins, slot.part)[(slice(None), *slot.index)] = part[:, j]
            ended = yield from climb(
                plan.space, evidence, plan.space.settle(start), pins=pins, tolerance=1e-7, limit=500
            )
            result[at : at + rows] = np.maximum(result[at : at + rows], ended.log_likelihood)
        yield Step(min(at + rows, len(points)), len(points), "surface")
    return result


def _held(origin: Parameters, held: Sequence[Slot], values: FloatArray) -> Stack:
    """Copies of a point with some numbers at the values of each row, shape (n, held)."""
    stack = Stack.of([origin] * len(values)).inside(1e-6)
    for j, slot in enumerate(held):
        column = np.clip(values[:, j], _EDGE, 1 - _EDGE)
        target = getattr(stack, slot.part)
        if slot.part in {"truth", "guessing"}:
            row = target[(slice(None), *slot.index[:-1])]
            others = np.arange(origin.classes) != slot.index[-1]
            row[:, others] *= ((1 - column) / row[:, others].sum(axis=1))[:, None]
        target[(slice(None), *slot.index)] = column
    return stack


@dataclass(frozen=True, slots=True)
class TwoNumbers:
    """The numbers of a fit that are looked at two by two.

    Attributes
    ----------
    pairs
        Every two of them; none where the model has not two that can be held.
    category
        The class they tell of; None for two classes, which are told as class 1.
    rater
        The rater they tell of; None where all raters share them.
    """

    pairs: tuple[tuple[ParameterName, ParameterName], ...]
    category: str | None = None
    rater: str | None = None


def two_numbers(fit: Fit) -> TwoNumbers:
    """Truth, accuracy and guessing of one class, every two of them.

    Of more than two classes it is the one that is most often true, of raters who differ in accuracy the one with the
    lowest, of raters who differ in their guesses alone the one whose share of that class lies furthest from the mean.
    """
    if fit.model.truth is Truth.SHARPENED or fit.model.by_group:
        # Of groups there is no one truth, accuracy and guess to set beside each other.
        return TwoNumbers(())
    two = len(fit.classes) == 2
    k = 1 if two else int(fit.parameters.truth.argmax())
    unit = _unit(fit, k)
    t = _free(fit, "truth", (k,))
    a = _free(fit, "accuracy", (unit, k))
    p = _free(fit, "guessing", (unit, k, k))
    wanted = [(t, a), (p, a), (t, p)]
    if two and fit.model.accuracy is Accuracy.PER_CLASS:
        # The accuracies of two classes lean on each other most.
        wanted.append((_free(fit, "accuracy", (0, 0)), a))
    elif two and fit.model.accuracy is Accuracy.NONE:
        wanted.append((_free(fit, "guessing", (unit, 0, 0)), p))
    pairs = tuple((x, y) for x, y in wanted if x is not None and y is not None)
    of_rater = any(name.rater is not None for pair in pairs for name in pair)
    return TwoNumbers(pairs, None if two else fit.classes[k], fit.raters[unit] if of_rater else None)


def _free(fit: Fit, part: str, index: tuple[int, ...]) -> ParameterName | None:
    """The estimated number at an index, or the one that is shared there; None where it is held or follows another."""
    shape = getattr(fit.parameters, part).shape
    at = tuple(min(i, n - 1) for i, n in zip(index, shape, strict=True))
    return next((s.name for s in free_slots(fit) if s.part == part and s.index == at), None)


def _unit(fit: Fit, k: int) -> int:
    """The rater who is looked at."""
    point = fit.parameters
    if fit.model.accuracy is Accuracy.PER_RATER:
        return int(point.accuracy[:, 0].argmin())
    if fit.model.accuracy is Accuracy.NONE:
        return int(np.trace(point.guessing, axis1=1, axis2=2).argmin())
    rates = point.guessing[:, 0, k]
    return int(np.abs(rates - rates.mean()).argmax())
