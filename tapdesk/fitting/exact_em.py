"""The default method: exact E-M from many starts, accelerated, finished by Newton (models.md §5.1)."""

import time
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.climb import Climb, check_climb, climb
from tapdesk.fitting.fit import Fit, Optimum, Trace
from tapdesk.fitting.polish import Polished, polish, surroundings
from tapdesk.fitting.starts import Starts, starts
from tapdesk.fitting.telling import Search, tell
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.labelling import can_switch, canonical
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.space import Space
from tapdesk.models.stack import Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

_SAME = 1e-4
_POLISHED = 5
_FAR = 6.0
_TRACES = 12
_CHUNK = 4_000_000
_CHEAP = 2_000_000
_MOST_BYTES = 1e9
_FEW, _SOME, _MANY = 10, 40, 200
_BINARY = 2
_SEVERAL = {Accuracy.PER_CLASS, Accuracy.REGRESSION}


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
            return _("This model has a posterior only: choose the estimator posterior.")
        if model.by_rater and not ratings.raters_known:
            return _(
                "This model needs to know who gave each rating, and here the raters are not known: choose a "
                "model in which raters share everything, such as t-a-p."
            )
        if ratings.rating_count == 0:
            return _("There are no ratings.")
        size = 8.0 * len(ratings.raters) * len(ratings.classes) ** 2
        if model.guessing is Guessing.PER_RATER_AND_CLASS and size > _MOST_BYTES:
            return _(
                "The tables of {raters:,} raters and {classes:,} classes would take {size:.1f} GB. Choose "
                "t-aj-pj, which needs far less."
            ).format(raters=len(ratings.raters), classes=len(ratings.classes), size=size / 1e9)
        if len(ratings.classes) < 2:
            return _("There is only one class, so there is nothing to tell apart. Declare the other classes.")
        return None

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
        return replace(tell(plan, evidence, best, search, ratings), seconds=time.perf_counter() - began)

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
        found = starts(plan, seed, random)
        yield Step(0, len(found.names), "fit")
        return found

    def _climbs(self, plan: Design, evidence: Evidence, first: Starts) -> Run[Climb]:
        """All climbs, as many side by side as the memory likes."""
        # The tables of many raters and classes may take more room than the patterns.
        rows = max(_CHUNK // max(plan.patterns.patterns * plan.space.classes, plan.space.free, 1), 1)
        total = len(first.names)
        parts = []
        for at in range(0, total, rows):
            part = first.stack.take(np.arange(at, min(at + rows, total)))
            steps = climb(plan.space, evidence, part, tolerance=self.tolerance, limit=self.limit, traced=True)
            while True:
                try:
                    step = next(steps)
                except StopIteration as end:
                    parts.append(end.value)
                    break
                for b, points in step.values["log_likelihood"].items():
                    told = {"start": first.names[at + b], "log_likelihood": points}
                    yield Step(at + step.done, total, "fit", told)
        return Climb(
            Stack.join([p.stack for p in parts]),
            np.concatenate([p.log_likelihood for p in parts]),
            np.concatenate([p.converged for p in parts]),
            np.concatenate([p.steps for p in parts]),
            tuple(trace for p in parts for trace in p.trace),
        )


def _traces(first: Starts, ended: Climb) -> tuple[Trace, ...]:
    """The traces to keep: the best start, the named ones, then others, at most a dozen."""
    best = int(ended.log_likelihood.argmax())
    order = [best] + [i for i in range(len(first.names)) if i != best]
    order.sort(key=lambda i: (i != best, first.names[i].startswith("grid"), i))
    return tuple(Trace(first.names[i], ended.trace[i]) for i in order[:_TRACES])


def _optima(plan: Design, evidence: Evidence, ended: Climb) -> tuple[tuple[Optimum, ...], Polished]:
    """The distinct maxima, best first, and the best one with its surroundings."""
    finished: list[Polished] = []
    for b in np.argsort(-ended.log_likelihood, kind="stable"):
        level = float(ended.log_likelihood[b])
        if finished and level < ended.log_likelihood.max() - _FAR:
            break
        near = [p for p in finished if abs(p.log_likelihood - level) < _SAME]
        if any(_close(plan.space, p, canonical(plan.space, ended.stack.take(np.array([b])))) for p in near):
            continue
        told = canonical(plan.space, ended.stack.take(np.array([b])))
        finished.append(polish(plan.space, evidence, told.one(0)))
        if len(finished) == _POLISHED:
            break
    finished.sort(key=lambda p: -p.log_likelihood)
    distinct: list[Polished] = []
    for p in finished:
        if not any(
            abs(p.log_likelihood - d.log_likelihood) < _SAME and _close(plan.space, d, Stack.of([p.parameters]))
            for d in distinct
        ):
            distinct.append(p)
    return tuple(Optimum(p.log_likelihood, p.parameters) for p in distinct), distinct[0]


def _close(space: Space, polished: Polished, other: Stack) -> bool:
    """Whether two points are one maximum seen twice."""
    unit = np.broadcast_to(space.slope_units, other.slopes.shape)
    one = Stack(np.ones_like(other.truth), np.ones_like(other.accuracy), np.ones_like(other.guessing), unit).flat()
    mine = Stack.of([polished.parameters]).flat()
    return bool((np.abs(mine - other.flat()) < 1e-2 * one).all())
