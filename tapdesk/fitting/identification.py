"""What the data can tell, said before and after estimating (models.md §3).

No rule of thumb holds for designs with named raters, so the verdict is the rank of the scores of patterns this very
design can produce, at random interior points. What is lost only at the estimate is told apart from that.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Identification, IdentifiedRange
from tapdesk.language import Symbol, joined
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom, design
from tapdesk.models.model import Guessing, RaterModel
from tapdesk.models.parameters import ParameterName, Parameters
from tapdesk.models.space import FreeLine, line
from tapdesk.ratings.patterns import Kinds, Patterns, tabulate
from tapdesk.ratings.ratings import Ratings, linked_groups

_CORE_FREE = 150
_CORE_SUBJECTS = 3000

_WORDS = _("Every value of {name} from {low:.3f} to {high:.3f} fits equally well.")
_GRID = 20_001
UNCHECKED = _("The design is too large to be checked as a whole; it was not checked.")
_POINTS = 2
_MOST_FREE = 250
_ROWS_PER_FREE = 12
_SMALL = 1e-7
_POOLED_SIZE = 6
_SEED = 7


def by_core(plan: Design, check: Callable[[Design], Identification]) -> Identification:
    """The verdict on a design with many raters.

    Parameters
    ----------
    plan
        The tabulated data of a model by rater.
    check
        The verdict on a small design.
    """
    panel = _panels(plan.patterns)
    lost: list[int] = []
    for number in range(int(panel.max(initial=-1)) + 1):
        raters = np.flatnonzero(panel == number)
        core = _core(plan, raters)
        if core is None or not check(core).by_design:
            lost.extend(raters.tolist())
    unlinked = np.flatnonzero(panel < 0).tolist()
    if not lost and not unlinked:
        return Identification(
            by_design=True, here=True, words=_("This design can tell all the numbers of the model apart.")
        )
    gone = {plan.units[u] for u in (*lost, *unlinked)}
    names: tuple[ParameterName, ...] = tuple(s.name for s in plan.slots if s.name.rater in gone)
    if len(gone) == len(plan.units):
        names = tuple(s.name for s in plan.slots if s.freedom.value != "fixed")
        words = _(
            "This design could not be shown to tell the parameters apart: too few {subjects} were rated in common."
        )
    else:
        words = _(
            "The parameters of {gone:,} of {units:,} {raters} stay open: they share too few {subjects} with the others."
        ).format(gone=len(gone), units=len(plan.units))
    return Identification(by_design=False, here=False, words=words, open_parameters=names)


def _panels(patterns: Patterns) -> NDArray[np.int64]:
    """Shape (U,): the panel of each rater, linked through subjects rated in common; -1 for raters linked to nobody."""
    own = linked_groups(patterns.pattern, patterns.unit, patterns.units)
    size = np.bincount(own, minlength=patterns.units)[own]
    _first, number = np.unique(own, return_inverse=True)
    sentence = np.where(size > 1, number, -1)
    kept = np.unique(sentence[sentence >= 0])
    rank = np.full(int(sentence.max(initial=0)) + 1, -1)
    rank[kept] = np.arange(kept.size)
    return np.where(sentence >= 0, rank[np.maximum(sentence, 0)], -1)


def _core(plan: Design, raters: NDArray[np.int64]) -> Design | None:
    """The design of the busiest raters of a panel and the subjects two of them rated; None where there is none."""
    patterns, space = plan.patterns, plan.space
    per_rater = max((space.free - (space.classes - 1)) / max(space.units, 1), 1.0)
    count = max(int(_CORE_FREE // per_rater), 3)
    busy = raters[np.argsort(-patterns.totals.sum(axis=1)[raters], kind="stable")][:count]
    inside = np.isin(patterns.unit, busy)
    pattern, unit = patterns.pattern[inside], patterns.unit[inside]
    times = patterns.count[inside].astype(np.int64)
    several = np.bincount(pattern, times, patterns.patterns)[pattern] > 1
    pattern, unit, times = pattern[several], unit[several], times[several]
    if not pattern.size:
        return None
    chosen = np.unique(pattern)[:_CORE_SUBJECTS]
    kept = np.isin(pattern, chosen)
    pattern, unit, times = pattern[kept], unit[kept], times[kept]
    present, rater = np.unique(unit, return_inverse=True)
    _first, subject = np.unique(pattern, return_inverse=True)
    subject, rater = np.repeat(subject, times), np.repeat(rater, times)
    names = [str(i) for i in range(int(subject.max()) + 1)]
    # Which classes were given plays no part in what a design can tell; a few of each keep the observed rates inside.
    category = np.arange(subject.size) % space.classes
    own = [plan.units[u] for u in present]
    small = Ratings.of(subject, rater, category, names, own, plan.classes, abstentions=_abstentions(plan))
    return design(space.model, small)


def identified_ranges(plan: Design, point: Parameters) -> tuple[IdentifiedRange, ...]:
    """Ranges of the open parameters that share the maximum, for the binary pooled models; else empty."""
    if plan.space.units != 1 or plan.space.classes != 2 or plan.groups or plan.patterns.known is not None:
        return ()
    name = plan.space.model.name
    pairs_only = plan.patterns.size.max(initial=0) <= 2
    if plan.space.accuracy_shape[1] == 2:
        if pairs_only:
            return _by_class_two_ratings(plan)
        rates = point.rating_rates()[0]
        return _by_class(float(rates[1, 1]), float(rates[0, 1]), plan.space.model.guessing)
    if name == "t-a-p" and pairs_only:
        return _two_ratings(plan)
    return ()


def _range(name: str, low: float, high: float) -> IdentifiedRange:
    return IdentifiedRange(ParameterName(name), low, high, _WORDS.format(name=Symbol(name), low=low, high=high))


def _by_class(mu1: float, mu0: float, guessing: Guessing) -> tuple[IdentifiedRange, ...]:
    """Accuracies by class: the likelihood pins (t, mu1, mu0) only."""
    if guessing.by_class:
        return (
            _range("a0", 0.0, 1 - mu0),
            _range("a1", 0.0, mu1),
            _range("p0", mu0, 1.0),
            _range("p1", 0.0, mu1),
        )
    low, high = min(mu0, mu1), max(mu0, mu1)
    return (
        _range("a0", 0.0, 1 - low / high if high > 0 else 0.0),
        _range("a1", 0.0, (high - low) / (1 - low) if low < 1 else 0.0),
        _range("p", low, high),
    )


def _two_ratings(plan: Design) -> tuple[IdentifiedRange, ...]:
    """Model t-a-p with at most two ratings a case: the curve of equal likelihood, walked along t.

    Mean m and covariance v of two ratings are all the data tell: a = sqrt(v / (t (1 - t))), p = (m - a t) / (1 - a).
    """
    moments = _pair_moments(plan)
    if moments is None:
        return ()
    m, v = moments
    # Even in the logit of t, because the curve often runs far into a corner.
    t = 1 / (1 + np.exp(-np.linspace(-20, 20, _GRID)))
    a = np.sqrt(v / (t * (1 - t)))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = (m - a * t) / (1 - a)
        ok = (a < 1) & (p >= 0) & (p <= 1)
    if not ok.any():
        return ()
    return tuple(_range(name, float(x[ok].min()), float(x[ok].max())) for name, x in (("t", t), ("a", a), ("p", p)))


def _by_class_two_ratings(plan: Design) -> tuple[IdentifiedRange, ...]:
    """Accuracies by class with two ratings a case: (t, mu1, mu0) move along a curve as well.

    With mu1 = m + sqrt(v (1 - t) / t) and mu0 = m - sqrt(v t / (1 - t)), the curve runs from mu1 = 1 to mu0 = 0, and at
    its ends every accuracy and every guess is possible.
    """
    moments = _pair_moments(plan)
    if moments is None:
        return ()
    m, v = moments
    guesses = ("p0", "p1") if plan.space.model.guessing.by_class else ("p",)
    whole = tuple(_range(name, 0.0, 1.0) for name in ("a0", "a1", *guesses))
    return (_range("t", v / (v + (1 - m) ** 2), m**2 / (v + m**2)), *whole)


def _pair_moments(plan: Design) -> tuple[float, float] | None:
    """Mean and covariance of two ratings of a case; None where some have one rating or v <= 0."""
    patterns = plan.patterns
    two = patterns.size == 2
    w, ones = patterns.weight[two], patterns.table[two, 1]
    if not w.sum() or patterns.weight[patterns.size == 1].sum():
        return None
    m = float(w @ ones / (2 * w.sum()))
    v = float(w[ones == 2].sum() / w.sum()) - m * m
    return (m, v) if v > 0 else None


def verdict(model: RaterModel, ratings: Ratings) -> Identification:
    """Whether ratings of this design can identify a model, before anything is estimated."""
    return by_design(design(model, ratings))


def by_design(plan: Design) -> Identification:
    """The verdict on a tabulated design."""
    if plan.space.free == 0:
        return _can(_("Nothing has to be estimated."))
    sets = _sorts(plan.patterns)
    if not any(s.units.size > 1 or s.known >= 0 for s in sets):
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
    plain = not plan.groups and plan.patterns.known is None and not plan.space.model.memory
    if plain and plan.space.model.by_rater and len(plan.units) > 3:
        return by_core(plan, by_design)
    return _can(UNCHECKED)


def identification_at(
    plan: Design, verdict: Identification, point: Parameters, lost: tuple[ParameterName, ...]
) -> Identification:
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
        words = _("The design could tell all the numbers apart, but these {ratings} leave {names} open.").format(
            names=names
        )
        return Identification(by_design=True, here=False, words=words, open_parameters=lost)
    return verdict


def _pairs_suffice(plan: Design) -> bool:
    """Whether the closed form of models.md §3 applies: one accuracy, one guessing, three classes or more."""
    return (
        plan.space.units == 1
        and not plan.groups
        and plan.space.classes > 2
        and plan.space.guessing_shape[1] == 1 == plan.space.accuracy_shape[1]
    )


def _can(words: str) -> Identification:
    return Identification(by_design=True, here=True, words=words)


def _cannot(words: str, lost: tuple[ParameterName, ...], ranges: tuple[IdentifiedRange, ...] = ()) -> Identification:
    return Identification(by_design=False, here=False, words=words, open_parameters=lost, ranges=ranges)


@dataclass(frozen=True, eq=False)
class _Sort:
    """Subjects the design holds: the units that rated them, repeats included, their group, and whether one is known."""

    units: NDArray[np.int64]
    group: int = 0
    known: int = -1


def _sorts(patterns: Patterns) -> list[_Sort]:
    """Each sort of subjects once; of pooled data those with the most ratings tell all that fewer would."""
    if patterns.units == 1:
        group = np.zeros(patterns.patterns, dtype=np.int64) if patterns.group is None else patterns.group
        known = np.full(patterns.patterns, -1) if patterns.known is None else patterns.known
        largest: dict[tuple[int, int], int] = {}
        for of, is_, size in zip(group.tolist(), known.tolist(), patterns.size.astype(np.int64).tolist(), strict=True):
            largest[of, is_] = max(largest.get((of, is_), 0), size)
        return [_Sort(np.zeros(min(n, _POOLED_SIZE), dtype=np.int64), *key) for key, n in sorted(largest.items())]
    order = np.lexsort((patterns.unit, patterns.pattern))
    unit, count = patterns.unit[order], patterns.count[order].astype(np.int64)
    ends = np.searchsorted(patterns.pattern[order], np.arange(patterns.patterns + 1))
    distinct: dict[tuple[bytes, int, int], _Sort] = {}
    for i in range(patterns.patterns):
        rows = slice(ends[i], ends[i + 1])
        who = np.repeat(unit[rows], count[rows]).astype(np.int64)
        kind = (
            0 if patterns.group is None else int(patterns.group[i]),
            -1 if patterns.known is None else int(patterns.known[i]),
        )
        distinct.setdefault((who.tobytes(), *kind), _Sort(who, *kind))
        if len(distinct) >= 4000:
            break
    return list(distinct.values())


def _null_space(plan: Design, sets: list[_Sort]) -> NDArray[np.float64]:
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
    truth = rng.dirichlet(np.full(k, 8.0), (1, *space.truth_shape[:-1]))
    stack = space.point(truth, accuracy, guessing).inside(0.02 / k)
    if space.ordered is not None:
        noise = rng.normal(0, 0.25, stack.slopes.shape)
        return space.follow(replace(stack, slopes=stack.slopes + noise)).one(0)
    if stack.slopes.size:
        scale = np.maximum(np.abs(space.design).max(axis=0), 1e-9)
        slopes = rng.normal(0, 0.5, stack.slopes.shape) / scale
        stack = replace(stack, slopes=slopes)
    if space.spreads:
        stack = replace(stack, spread=rng.uniform(0.15, 0.5, stack.spread.shape))
    return space.settle(stack).one(0)


def _scores(plan: Design, point: Parameters, sets: list[_Sort], rng: np.random.Generator) -> NDArray[np.float64]:
    """Shape (rows, q): score of each of many patterns the design can produce, at a point."""
    space = plan.space
    rows = max(_ROWS_PER_FREE * space.free, 60)
    chosen = [sets[i % len(sets)] for i in rng.permutation(max(rows, min(len(sets), 4 * rows)))]
    k = space.classes
    rates = point.rating_rates()
    pattern = np.repeat(np.arange(len(chosen)), [s.units.size for s in chosen])
    unit = np.concatenate([s.units for s in chosen])
    # Half of the classes follow the model, half are uniform, so that rare patterns are met as well.
    truth = _drawn_truth(point, chosen, rng)
    cdf = rates[np.minimum(unit, rates.shape[0] - 1), truth[pattern]].cumsum(axis=1)
    category = (rng.random(unit.size)[:, None] > cdf[:, :-1]).sum(axis=1)
    uniform = rng.random(len(chosen)) < 0.5
    category = np.where(uniform[pattern], rng.integers(0, k, unit.size), category)
    way = line(space, point)
    names = tuple(map(str, range(len(chosen))))
    drawn = Ratings(pattern, unit, category, names, _unit_names(plan), plan.classes, abstentions=_abstentions(plan))
    group, known = np.array([s.group for s in chosen]), np.array([s.known for s in chosen])
    patterns = plan.patterns
    kinds = Kinds(None if patterns.group is None else group, None if patterns.known is None else known)
    return _pattern_scores(plan, drawn, kinds, way, way.coordinates(point))


def _abstentions(plan: Design) -> tuple[str, ...]:
    return tuple(plan.classes[i] for i in plan.space.empty)


def _unit_names(plan: Design) -> tuple[str, ...]:
    return plan.units or tuple(map(str, range(plan.space.units)))


def _drawn_truth(point: Parameters, chosen: list[_Sort], rng: np.random.Generator) -> NDArray[np.int64]:
    """A true class for each subject: the known one, or by the rates of its group."""
    k = point.classes
    if point.truth.ndim == 1 and all(s.known < 0 for s in chosen):
        return np.asarray(rng.choice(k, size=len(chosen), p=point.truth))
    rates = point.truth.reshape(-1, k)
    return np.array(
        [s.known if s.known >= 0 else rng.choice(k, p=rates[min(s.group, rates.shape[0] - 1)]) for s in chosen]
    )


def _pattern_scores(
    plan: Design, drawn: Ratings, kinds: Kinds, way: FreeLine, at: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Derivatives of the log-probability of each drawn subject along the line, by central differences."""
    if plan.space.model.memory:
        from tapdesk.models.repeats import tabulate_repeats  # start-up cost: few data have repeats

        patterns = tabulate_repeats(drawn, drawn.rater, plan.space.units, np.arange(drawn.rater.size), kinds)
    else:
        patterns = tabulate(drawn, drawn.rater if plan.space.units > 1 else None, plan.space.units, kinds)
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
        change = slot.column(ahead) - slot.column(behind)
        if slot.freedom is not Freedom.FIXED and np.abs(change).max() > 1e-9:
            lost.append(slot.name)
    return tuple(lost)


def _no_pairs(plan: Design) -> Identification:
    lost = tuple(slot.name for slot in plan.slots if slot.freedom is not Freedom.FIXED)
    return _cannot(_("No {subject} was rated more than once, so nothing shows whether {ratings} agree."), lost)


def _why(plan: Design, lost: tuple[ParameterName, ...]) -> str:
    """The reason in words, for the designs that can be named."""
    patterns = plan.patterns
    if plan.space.units == 1 and plan.space.classes == 2 and not plan.groups:
        if plan.space.model.name == "t-a-p" and patterns.size.max(initial=0) <= 2:
            return _(
                "With two classes and two {ratings} per {subject}, t, a and p cannot be told apart: many "
                "values fit equally well. They can be estimated by assuming p = t (model t-a-t)."
            )
        if plan.space.accuracy_shape[1] == 2:
            return _(
                "Counts of two classes tell the true rate and how often each true class is given the "
                "counted class, and no more: accuracies by class and guessing cannot be told apart, "
                "whatever the number of {subjects}."
            )
    return _("This design cannot tell apart {listed}: many values fit equally well.").format(listed=_listed(lost))


def _listed(names: tuple[ParameterName, ...]) -> str:
    sentence = joined(*(n.as_message() for n in names[:6]), sep=", ")
    more = len(names) - 6
    return _("{shown} and {n:,} more").format(shown=sentence, n=more) if more > 0 else sentence
