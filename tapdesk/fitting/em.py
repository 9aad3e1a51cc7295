"""The E-M methods: exact, from many starts (models.md §5.1), and by moments, as it was published (models.md §5.2)."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.fitting.ascent import MOST_COORDINATES, ascend, inside
from tapdesk.fitting.climb import Climb, LocalMaximum, check_climb, climb, polish, surroundings
from tapdesk.fitting.fit import Fit, FitFinding, Optimum, Trace
from tapdesk.fitting.fit_summary import Search, summarise_fit
from tapdesk.fitting.starts import Starts, starts
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design, unsuited
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import Space, can_switch, canonical
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings

_SAME = 1e-4
# E-M steps after which a climb crawls.
_CRAWLING = 150
_POLISHED = 5
_FAR = 6.0
_TRACES = 12
_CHUNK = 4_000_000
_CHEAP = 2_000_000
_MOST_BYTES = 1e9
_FEW, _SOME, _MANY = 10, 40, 200
_BINARY = 2
_SEVERAL = {Accuracy.PER_CLASS, Accuracy.REGRESSION}

AVERAGE, FLAT = "average", "flat"
_TELL = 20
_FELL = 1e-9


@dataclass(frozen=True, slots=True)
class ExactEM:
    """Exact E-M.

    Attributes
    ----------
    tolerance
        Relative gain of the log-likelihood at which a climb rests (see `climb`).
    random_starts
        Random starts besides the named ones; by default as many as the surface is known to need.
    limit
        Most E-M steps of one climb.

    Raises
    ------
    UsageError
        When a number makes no sense; it stands in the sentence.
    """

    tolerance: float = 1e-10
    random_starts: int | None = None
    limit: int = 20_000

    name = "exact-em"

    def __post_init__(self) -> None:
        check_climb(self.tolerance, self.limit)
        if self.random_starts is not None and self.random_starts < 0:
            raise UsageError(
                _("{random_starts} random starts make no sense.").format(random_starts=self.random_starts),
                fix=_("Choose 0 or more."),
            )

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why this method cannot fit this model to these ratings; None when it can."""
        if model.truth is Truth.SHARPENED:
            return _("This model has beliefs only: choose the estimator posterior.")
        if model.by_rater and not ratings.raters_known:
            return _(
                "This model needs to know who gave each {rating}, and here the {raters} are not known: "
                "choose a model in which {raters} share everything, such as t-a-p."
            )
        if ratings.rating_count == 0:
            return _("There are no {ratings}.")
        size = 8.0 * len(ratings.raters) * len(ratings.classes) ** 2
        if model.guessing is Guessing.PER_RATER_AND_CLASS and size > _MOST_BYTES:
            return _(
                "The tables of {n:,} {raters} and {classes:,} classes would take {size:.1f} GB. Choose "
                "t-aj-pj, which needs far less."
            ).format(n=len(ratings.raters), classes=len(ratings.classes), size=size / 1e9)
        if len(ratings.classes) < 2:
            return _("There is only one class, so there is nothing to tell apart. Declare the other classes.")
        return unsuited(model, ratings)

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Fit a model.

        Yields
        ------
        Step
            Phase ``fit``; ``values``: ``start``, the name of a start, and ``log_likelihood``, its new points.

        Raises
        ------
        UsageError
            When the method refuses.
        """
        began = time.perf_counter()
        reason = self.refuses(model, ratings)
        if reason:
            raise UsageError(reason)
        plan = design(model, ratings)
        evidence = plan.space.evidence(plan.patterns)
        first = yield from self._starts(plan, seed)
        ended = yield from self._climbs(plan, evidence, first)
        optima, best = _optima(plan, evidence, ended)
        yield Step(len(first.names), len(first.names), "check")
        best = surroundings(plan.space, evidence, best)
        best_climb = int(ended.log_likelihood.argmax())
        search = Search(
            estimator=self.name,
            seed=seed,
            trace=_traces(first, ended),
            starts=len(first.names),
            optima=optima,
            converged=bool(ended.converged[best_climb]),
            iterations=int(ended.steps[best_climb]),
        )
        return replace(summarise_fit(plan, evidence, best, search, ratings), seconds=time.perf_counter() - began)

    def _starts(self, plan: Design, seed: int) -> Run[Starts]:
        """Starting points, fewer where each costs much."""
        cost = plan.patterns.pattern.size * plan.space.classes
        random = self.random_starts
        if random is None:
            # Saturated tables per rater have dozens of maxima: few starts miss the best one on real data.
            # With more than two classes, some of the hills lie where a class never occurs.
            many_hills = (
                plan.space.model.by_rater or plan.space.model.accuracy in _SEVERAL or plan.space.classes > _BINARY
            )
            wanted = _MANY if can_switch(plan.space) else _SOME if many_hills else _FEW
            random = min(wanted, max(_CHEAP // max(cost, 1), 2))
        result = starts(plan, seed, random)
        yield Step(0, len(result.names), "fit")
        return result

    def _climbs(self, plan: Design, evidence: Evidence, first: Starts) -> Run[Climb]:
        """All climbs, as many side by side as the memory likes."""
        # The tables of many raters and classes may take more room than the patterns.
        rows = max(_CHUNK // max(plan.patterns.patterns * plan.space.classes, plan.space.free, 1), 1)
        total = len(first.names)
        parts = []
        for at in range(0, total, rows):
            part = first.stack.take(np.arange(at, min(at + rows, total)))
            names = first.names[at : at + rows]
            parts.append((yield from self._climbed(plan, evidence, part, names, (at, total))))
        return Climb.join(parts)

    def _climbed(
        self, plan: Design, evidence: Evidence, part: Stack, names: tuple[str, ...], place: tuple[int, int]
    ) -> Run[Climb]:
        """Climbs side by side; of few numbers, those that crawl are carried along their ridge and climb on from there.

        ``place`` is how many climbs were done before these, of how many.
        """
        few = plan.space.free <= MOST_COORDINATES and self.limit > _CRAWLING
        patience = _CRAWLING if few else self.limit
        done, total = place
        run = climb(plan.space, evidence, part, tolerance=self.tolerance, limit=patience, traced=True)
        ended = yield from _with_names(run, names, done, total)
        late = np.flatnonzero(~ended.converged & (ended.steps >= patience) & inside(ended.stack))
        if not few or not late.size:
            return ended
        moved, levels = ascend(plan.space, evidence, ended.stack.take(late))
        # The best of all goes with them, so that those who lie hopelessly behind it are given up as before.
        best = int(ended.log_likelihood.argmax())
        if best not in late:
            late, moved = np.append(late, best), Stack.join([moved, ended.stack.take(np.array([best]))])
            levels = np.append(levels, np.full((2, 1), ended.log_likelihood[best]), axis=1)
        carried = done + len(names) - late.size
        for row, i in enumerate(late.tolist()):
            yield Step(carried, total, "fit", {"start": names[i], "log_likelihood": levels[:, row]})
        run = climb(plan.space, evidence, moved, tolerance=self.tolerance, limit=self.limit - patience, traced=True)
        again = yield from _with_names(run, [names[i] for i in late], carried, total)
        return _carried_on(ended, late, levels, again)


def _with_names(run: Run[Climb], names: Sequence[str], done: int, total: int) -> Run[Climb]:
    """The climbs, each step under the name of its start; ``done`` of the total were done before."""
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            return cast("Climb", end.value)
        for b, points in step.values["log_likelihood"].items():
            yield Step(done + step.done, total, "fit", {"start": names[b], "log_likelihood": points})


def _carried_on(ended: Climb, late: NDArray[np.int64], levels: FloatArray, again: Climb) -> Climb:
    """The climbs with those that were carried on, each path with the ``levels`` (2, n) between its two parts."""
    traces = list(ended.trace)
    log_likelihood, converged, steps = ended.log_likelihood.copy(), ended.converged.copy(), ended.steps.copy()
    for row, i in enumerate(late.tolist()):
        traces[i] = np.concatenate([ended.trace[i], levels[:, row], again.trace[row]])
    log_likelihood[late], converged[late] = again.log_likelihood, again.converged
    steps[late] += again.steps
    return Climb(ended.stack.put(late, again.stack), log_likelihood, converged, steps, tuple(traces))


def _traces(first: Starts, ended: Climb) -> tuple[Trace, ...]:
    """The traces to keep: the best start, the named ones, then others, at most a dozen."""
    best = int(ended.log_likelihood.argmax())
    order = [best] + [i for i in range(len(first.names)) if i != best]
    order.sort(key=lambda i: (i != best, first.names[i].startswith("grid"), i))
    return tuple(Trace(first.names[i], ended.trace[i]) for i in order[:_TRACES])


def _optima(plan: Design, evidence: Evidence, ended: Climb) -> tuple[tuple[Optimum, ...], LocalMaximum]:
    """The distinct maxima, best first, and the best one with its surroundings."""
    finished: list[LocalMaximum] = []
    for b in np.argsort(-ended.log_likelihood, kind="stable"):
        level = float(ended.log_likelihood[b])
        if finished and level < ended.log_likelihood.max() - _FAR:
            break
        near = [p for p in finished if abs(p.log_likelihood - level) < _SAME]
        if any(_close(plan.space, p, canonical(plan.space, ended.stack.take(np.array([b])))) for p in near):
            continue
        stack = canonical(plan.space, ended.stack.take(np.array([b])))
        finished.append(polish(plan.space, evidence, stack.one(0)))
        if len(finished) == _POLISHED:
            break
    finished.sort(key=lambda p: -p.log_likelihood)
    distinct: list[LocalMaximum] = []
    for p in finished:
        if not any(
            abs(p.log_likelihood - d.log_likelihood) < _SAME and _close(plan.space, d, Stack.of([p.parameters]))
            for d in distinct
        ):
            distinct.append(p)
    return tuple(Optimum(p.log_likelihood, p.parameters) for p in distinct), distinct[0]


def _close(space: Space, polished: LocalMaximum, other: Stack) -> bool:
    """Whether two points are one maximum seen twice."""
    unit = np.broadcast_to(space.slope_units, other.slopes.shape)
    one = replace(Stack(*(np.ones_like(part) for part in other.parts)), slopes=unit).flat()
    mine = Stack.of([polished.parameters]).flat()
    return bool((np.abs(mine - other.flat()) < 1e-2 * one).all())


@dataclass(frozen=True, slots=True)
class MomentEM:
    """Moment E-M for ``t-a-p``.

    Attributes
    ----------
    prior
        The class rates in the E-step: ``average``, the mean of the subjects' probabilities of the step before, or
        ``flat``, all classes equal, as the R package does for more than two classes (which ends below the maximum).
    tolerance
        Largest change of any parameter at which a climb rests.
    limit
        Most steps of a climb.

    Raises
    ------
    UsageError
        When the prior is another word, or a number makes no sense; it stands in the sentence.
    """

    prior: str = AVERAGE
    tolerance: float = 1e-10
    limit: int = 20_000

    name = "moment-em"

    def __post_init__(self) -> None:
        if self.prior not in {AVERAGE, FLAT}:
            raise UsageError(
                _("There is no moment prior '{prior}'.").format(prior=self.prior),
                fix=_("Choose {average} or {flat}.").format(average=AVERAGE, flat=FLAT),
            )
        check_climb(self.tolerance, self.limit)

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why this method cannot fit this model to these ratings; None when it can."""
        plain = (Truth.FREE, Accuracy.ONE, Guessing.ONE)
        if (model.truth, model.accuracy, model.guessing) != plain or not model.pools:
            return _("Moment E-M is for the model t-a-p, not for {name}: use exact-em.").format(name=model.name)
        if ratings.empty_classes:
            return _("Moment E-M has no place for abstentions: use exact-em.")
        if ratings.rating_count == 0:
            return _("There are no {ratings}.")
        if len(ratings.classes) < 2:
            return _("There is only one class, so there is nothing to tell apart. Declare the other classes.")
        return None

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Climb from the named starts and keep the end with the highest log-likelihood.

        Yields
        ------
        Step
            Phase ``fit``; ``values``: ``start``, the name of a start, and ``log_likelihood``, its new points (ratings
            form), which may fall.

        Raises
        ------
        UsageError
            When the method refuses.
        """
        began = time.perf_counter()
        reason = self.refuses(model, ratings)
        if reason:
            raise UsageError(reason)
        plan = design(model, ratings)
        evidence = plan.space.evidence(plan.patterns)
        first = _named(starts(plan, seed, 0))
        ends = []
        for i, name in enumerate(first.names):
            climb = self._climb(plan, evidence, first.stack.take(np.array([i])), name, (i, len(first.names)))
            ends.append((yield from climb))
        order = sorted(range(len(ends)), key=lambda i: -ends[i].trace.log_likelihood[-1])
        best = ends[order[0]]
        top = float(best.trace.log_likelihood[-1])
        yield Step(len(ends), len(ends), "check")
        search = Search(
            estimator=self.name,
            seed=seed,
            trace=tuple(ends[i].trace for i in order),
            starts=len(ends),
            optima=(Optimum(top, best.stack.one(0)),),
            converged=best.rested,
            iterations=best.trace.log_likelihood.size,
        )
        fit = summarise_fit(plan, evidence, LocalMaximum(best.stack.one(0), top, None, None, None), search, ratings)
        seconds = time.perf_counter() - began
        return replace(fit, findings=(*fit.findings, *self._findings(plan, best)), seconds=seconds)

    def _climb(self, plan: Design, evidence: Evidence, stack: Stack, name: str, place: tuple[int, int]) -> Run["_End"]:
        """One climb until nothing moves."""
        levels: list[float] = []
        sentence, rested = 0, False
        for step in range(self.limit):
            level, after = moment_step(plan, evidence, stack, flat=self.prior == FLAT)
            levels.append(level)
            moved = float(np.abs(after.flat() - stack.flat()).max())
            rested = moved < self.tolerance
            if rested or (step + 1) % _TELL == 0:
                yield Step(*place, "fit", {"start": name, "log_likelihood": np.array(levels[sentence:])})
                sentence = len(levels)
            if rested:
                break
            stack = after
        return _End(stack, Trace(name, np.array(levels)), rested)

    def _findings(self, plan: Design, best: "_End") -> tuple[FitFinding, ...]:
        """What this method cannot promise."""
        exact = plan.space.classes == 2 and self.prior == AVERAGE
        items = []
        if not exact:
            message = _(
                "Moment E-M is an approximation here: it need not end at the highest log-likelihood, and "
                "there are no standard errors. Exact E-M (the default) finds the maximum."
            )
            items.append(FitFinding("approximate_method", "note", message, _("Use exact-em to report.")))
        path = best.trace.log_likelihood
        drop = float(np.maximum(-np.diff(path), 0.0).sum()) if path.size > 1 else 0.0
        if drop > _FELL * (1 + abs(float(path[-1]))):
            message = _("On its way the log-likelihood fell by {drop:.3g} in all, as it may with this method.").format(
                drop=drop
            )
            items.append(FitFinding("log_likelihood_fell", "note", message))
        return tuple(items)


@dataclass(frozen=True, eq=False)
class _End:
    """Where a climb ended: a stack of one point, the path, and whether it rests."""

    stack: Stack
    trace: Trace
    rested: bool


def _named(first: Starts) -> Starts:
    """The starts with a name of their own; a grid or random points would each be a climb of hundreds of steps."""
    kept = [i for i, name in enumerate(first.names) if not name.startswith(("grid", "random"))]
    return Starts(tuple(first.names[i] for i in kept), first.stack.take(np.array(kept)))


def moment_step(plan: Design, evidence: Evidence, stack: Stack, *, flat: bool) -> tuple[float, Stack]:
    """The log-likelihood of a point (nats, ratings form) and the point one moment E-M step from it.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    stack
        One point of ``t-a-p``.
    flat
        Whether the E-step takes all classes as equally frequent.
    """
    patterns = plan.patterns
    prior = np.full_like(stack.truth, 1 / patterns.classes) if flat else stack.truth
    given = Stack(prior, stack.accuracy, stack.guessing, stack.slopes)
    posterior = evidence.posterior(given)[0]
    level = float(evidence.pattern_log_likelihood(stack)[0] @ patterns.weight)
    truth = posterior @ patterns.weight / patterns.weight.sum()
    a, p = _solved(_joint(posterior, patterns), float(stack.accuracy[0, 0, 0]), stack.guessing[0, 0, 0])
    return level, Stack(truth[None], np.array([[[a]]]), p[None, None, None], stack.slopes)


def _joint(posterior: FloatArray, patterns: Patterns) -> FloatArray:
    """Shape (K, K): share of all ratings by true class (row) and rated class."""
    table = (posterior * patterns.weight) @ patterns.table
    return np.asarray(table / table.sum())


def _solved(joint: FloatArray, a: float, p: FloatArray) -> tuple[float, FloatArray]:
    """Accuracy and guessing that a joint table gives, clipped into their range; p stays where a is 1.

    With o_k the share of ratings that name class k wrongly, o_k = (1 - t_k) (1 - a) p_k and
    tr C = a + sum_k t_k (1 - a) p_k: the guess belongs to the class that is named.
    """
    truth = joint.sum(axis=1)
    others = 1 - truth
    wrong = joint.sum(axis=0) - np.diag(joint)
    per_case = np.divide(wrong, others, out=np.zeros_like(wrong), where=others > 0)
    if not (others > 0).all():
        return a, p
    accuracy = float(np.clip(np.trace(joint) - truth @ per_case, 0.0, 1.0))
    share = np.clip(per_case / (1 - accuracy), 0.0, 1.0) if accuracy < 1 else np.zeros_like(p)
    total = float(share.sum())
    return accuracy, share / total if total > 0 else p
