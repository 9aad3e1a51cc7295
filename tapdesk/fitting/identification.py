"""What the data can tell, said before and after estimating (models.md §3).

No rule of thumb holds for designs with named raters, so the verdict is the rank of the scores of patterns this very
design can produce, at random interior points. What is lost only at the estimate is told apart from that.
"""

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Identification, IdentifiedRange
from tapdesk.fitting.identification_large import by_core
from tapdesk.fitting.identified_set import identified_ranges
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.design import Design, design
from tapdesk.models.line import Line, line
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.slots import Freedom
from tapdesk.models.stack import Stack
from tapdesk.ratings.patterns import Patterns, tabulate
from tapdesk.ratings.ratings import Ratings

UNCHECKED = _("The design is too large to be checked as a whole; it was not checked.")
_POINTS = 2
_MOST_FREE = 250
_ROWS_PER_FREE = 12
_SMALL = 1e-7
_POOLED_SIZE = 6
_SEED = 7


def verdict(model: RaterModel, ratings: Ratings) -> Identification:
    """Whether ratings of this design can identify a model, before anything is estimated."""
    return by_design(design(model, ratings))


def by_design(plan: Design) -> Identification:
    """The verdict on a tabulated design."""
    if plan.space.free == 0:
        return _can(_("Nothing has to be estimated."))
    sets = _rater_sets(plan.patterns)
    if not sets or not any(s.size > 1 for s in sets):
        return _no_pairs(plan)
    if plan.space.free > _MOST_FREE:
        return _too_large(plan)
    null = _null_space(plan, sets)
    if null.shape[0] == 0:
        return _can(_("This design can tell all the numbers of the model apart."))
    lost = _moved(plan, null)
    return _cannot(_why(plan, lost), lost)


def _too_large(plan: Design) -> Identification:
    """The verdict where the rank would take too long."""
    if _pairs_suffice(plan):
        return _can(_("This design can tell all the numbers of the model apart."))
    if plan.space.model.by_rater and len(plan.units) > 3:
        return by_core(plan, by_design)
    return _can(UNCHECKED)


def here(plan: Design, verdict: Identification, point: Parameters, lost: tuple[ParameterName, ...]) -> Identification:
    """The verdict at an estimate: what the design leaves open with its ranges, or what is lost only here.

    Parameters
    ----------
    plan
        The tabulated data.
    verdict
        By design.
    point
        The estimate.
    lost
        Parameters without evidence at this point.
    """
    ranges: tuple[IdentifiedRange, ...] = identified_ranges(plan, point) if not verdict.by_design else ()
    if not verdict.by_design:
        return _cannot(verdict.words, verdict.open_parameters, ranges)
    if lost:
        names = _listed(lost)
        words = _("The design could tell all the numbers apart, but these ratings leave {names} open.").format(
            names=names
        )
        return Identification(by_design=True, here=False, words=words, open_parameters=lost)
    return verdict


def _pairs_suffice(plan: Design) -> bool:
    """Whether the closed form of models.md §3 applies: one accuracy, one guessing, three classes or more."""
    return (
        plan.space.units == 1
        and plan.space.classes > 2
        and plan.space.guessing_shape[1] == 1 == plan.space.accuracy_shape[1]
    )


def _can(words: str) -> Identification:
    return Identification(by_design=True, here=True, words=words)


def _cannot(words: str, lost: tuple[ParameterName, ...], ranges: tuple[IdentifiedRange, ...] = ()) -> Identification:
    return Identification(by_design=False, here=False, words=words, open_parameters=lost, ranges=ranges)


def _rater_sets(patterns: Patterns) -> list[NDArray[np.int64]]:
    """The units that rated each distinct kind of subject, repeats included; pooled data need only the largest."""
    if patterns.units == 1:
        largest = int(patterns.size.max(initial=0))
        return [np.zeros(min(largest, _POOLED_SIZE), dtype=np.int64)]
    order = np.lexsort((patterns.unit, patterns.pattern))
    unit, count = patterns.unit[order], patterns.count[order].astype(np.int64)
    ends = np.searchsorted(patterns.pattern[order], np.arange(patterns.patterns + 1))
    distinct: dict[bytes, NDArray[np.int64]] = {}
    for i in range(patterns.patterns):
        rows = slice(ends[i], ends[i + 1])
        who = np.repeat(unit[rows], count[rows]).astype(np.int64)
        distinct.setdefault(who.tobytes(), who)
        if len(distinct) >= 4000:
            break
    return list(distinct.values())


def _null_space(plan: Design, sets: list[NDArray[np.int64]]) -> NDArray[np.float64]:
    """Shape (d, q): directions of the line in which no pattern of the design changes its probability."""
    rng = np.random.default_rng(_SEED)
    spaces = []
    for _turn in range(_POINTS):
        matrix = _scores(plan, _interior(plan, rng), sets, rng)
        scale = np.linalg.norm(matrix, axis=0)
        # The triangular factor has the same singular values and is far smaller.
        triangle = np.linalg.qr(matrix / np.maximum(scale, 1e-300), mode="r")
        _left, values, vectors = np.linalg.svd(triangle, full_matrices=True)
        rank = int((values > _SMALL * values[0]).sum()) if values.size else 0
        # A direction no pattern reacts to at all has no scale to be divided by.
        rank = min(rank, int((scale > _SMALL).sum()))
        spaces.append(vectors[rank:] / np.maximum(scale, _SMALL))
    return np.asarray(min(spaces, key=len))


def _interior(plan: Design, rng: np.random.Generator) -> Parameters:
    """A random point well inside, where nothing is lost by accident."""
    space = plan.space
    k = space.classes
    accuracy = rng.uniform(0.3, 0.8, (1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.full(k, 8.0), (1, *space.guessing_shape[:2]))
    stack = space.point(rng.dirichlet(np.full(k, 8.0), 1), accuracy, guessing).inside(0.02 / k)
    if stack.slopes.size:
        scale = np.maximum(np.abs(space.design).max(axis=0), 1e-9)
        slopes = rng.normal(0, 0.5, stack.slopes.shape) / scale
        stack = Stack(stack.truth, stack.accuracy, stack.guessing, slopes)
    return space.settle(stack).one(0)


def _scores(
    plan: Design, point: Parameters, sets: list[NDArray[np.int64]], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Shape (rows, q): score of each of many patterns the design can produce, at a point."""
    space = plan.space
    rows = max(_ROWS_PER_FREE * space.free, 60)
    chosen = [sets[i % len(sets)] for i in rng.permutation(max(rows, min(len(sets), 4 * rows)))]
    k = space.classes
    rates = point.rating_rates()
    pattern = np.repeat(np.arange(len(chosen)), [s.size for s in chosen])
    unit = np.concatenate(chosen)
    # Half of the classes follow the model, half are uniform, so that rare patterns are met as well.
    truth = rng.choice(k, size=len(chosen), p=point.truth)
    cdf = rates[np.minimum(unit, rates.shape[0] - 1), truth[pattern]].cumsum(axis=1)
    category = (rng.random(unit.size)[:, None] > cdf[:, :-1]).sum(axis=1)
    uniform = rng.random(len(chosen)) < 0.5
    category = np.where(uniform[pattern], rng.integers(0, k, unit.size), category)
    way = line(space, point)
    drawn = Ratings(pattern, unit, category, tuple(map(str, range(len(chosen)))), plan.units or ("",), plan.classes)
    return _pattern_scores(plan, drawn, way, way.coordinates(point))


def _pattern_scores(plan: Design, drawn: Ratings, way: Line, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Derivatives of the log-probability of each drawn subject along the line, by central differences."""
    patterns = tabulate(drawn, drawn.rater if plan.space.units > 1 else None, plan.space.units)
    evidence = plan.space.evidence(patterns)
    step = 1e-4 * np.eye(at.size)
    ahead = evidence.pattern_log_likelihood(way.points(at + step))
    behind = evidence.pattern_log_likelihood(way.points(at - step))
    return np.asarray((ahead - behind).T / 2e-4)


def _moved(plan: Design, null: NDArray[np.float64]) -> tuple[ParameterName, ...]:
    """The reported parameters that change along the null directions."""
    rng = np.random.default_rng(_SEED + 1)
    point = _interior(plan, rng)
    way = line(plan.space, point)
    at = way.coordinates(point)
    unit = null / np.linalg.norm(null, axis=1, keepdims=True)
    ahead, behind = way.points(at + 1e-4 * unit), way.points(at - 1e-4 * unit)
    lost = []
    for slot in plan.slots:
        change = getattr(ahead, slot.part)[:, *slot.index] - getattr(behind, slot.part)[:, *slot.index]
        if slot.freedom is not Freedom.FIXED and np.abs(change).max() > 1e-9:
            lost.append(slot.name)
    return tuple(lost)


def _no_pairs(plan: Design) -> Identification:
    lost = tuple(slot.name for slot in plan.slots if slot.freedom is not Freedom.FIXED)
    return _cannot(_("No case was rated more than once, so nothing shows whether ratings agree."), lost)


def _why(plan: Design, lost: tuple[ParameterName, ...]) -> str:
    """The reason in words, for the designs that can be named."""
    patterns = plan.patterns
    if plan.space.units == 1 and plan.space.classes == 2:
        if plan.space.model.name == "t-a-p" and patterns.size.max(initial=0) <= 2:
            return _(
                "With two classes and two ratings per case, t, a and p cannot be told apart: many values fit "
                "equally well. They can be estimated by assuming p = t (model t-a-t)."
            )
        if plan.space.accuracy_shape[1] == 2:
            return _(
                "Counts of two classes tell the true rate and how often each true class is called class 1, "
                "and no more: accuracies by class and guessing cannot be told apart, whatever the number of "
                "cases."
            )
    return _("This design cannot tell apart {listed}: many values fit equally well.").format(listed=_listed(lost))


def _listed(names: tuple[ParameterName, ...]) -> str:
    told = joined(*(n.as_message() for n in names[:6]), sep=", ")
    more = len(names) - 6
    return _("{shown} and {n:,} more").format(shown=told, n=more) if more > 0 else told
