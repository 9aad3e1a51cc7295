"""Moment E-M of the multinomial chapter (Kappa Zoo ch. 9 §5; models.md §5.2), kept for fidelity to what was published.

Only the truth is latent. The E-step gives each subject's class probabilities; the joint table C of true and rated class
that follows from them is then solved for a and p as if it were exact. For two classes this is the exact M-step of the
E-M on truth alone, so it climbs by another path to the maximum of exact E-M; for more it is an approximation, and the
log-likelihood may fall on the way.
"""

import time
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.climb import check_climb
from tapdesk.fitting.fit import Fit, FitFinding, Optimum, Trace
from tapdesk.fitting.polish import Polished
from tapdesk.fitting.starts import Starts, starts
from tapdesk.fitting.telling import Search, tell
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.patterns import Patterns
from tapdesk.ratings.ratings import Ratings

AVERAGE, FLAT = "average", "flat"
_TELL = 20
_FELL = 1e-9


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
        if (model.truth, model.accuracy, model.guessing) != (Truth.FREE, Accuracy.ONE, Guessing.ONE):
            return _("Moment E-M is for the model t-a-p, not for {name}: use exact-em.").format(name=model.name)
        if ratings.rating_count == 0:
            return _("There are no ratings.")
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
        fit = tell(plan, evidence, Polished(best.stack.one(0), top, None, None, None), search, ratings)
        seconds = time.perf_counter() - began
        return replace(fit, findings=(*fit.findings, *self._findings(plan, best)), seconds=seconds)

    def _climb(self, plan: Design, evidence: Evidence, stack: Stack, name: str, place: tuple[int, int]) -> Run["_End"]:
        """One climb until nothing moves."""
        levels: list[float] = []
        told, rested = 0, False
        for step in range(self.limit):
            level, after = moment_step(plan, evidence, stack, flat=self.prior == FLAT)
            levels.append(level)
            moved = float(np.abs(after.flat() - stack.flat()).max())
            rested = moved < self.tolerance
            if rested or (step + 1) % _TELL == 0:
                yield Step(*place, "fit", {"start": name, "log_likelihood": np.array(levels[told:])})
                told = len(levels)
            if rested:
                break
            stack = after
        return _End(stack, Trace(name, np.array(levels)), rested)

    def _findings(self, plan: Design, best: "_End") -> tuple[FitFinding, ...]:
        """What this method cannot promise."""
        exact = plan.space.classes == 2 and self.prior == AVERAGE
        found = []
        if not exact:
            message = _(
                "Moment E-M is an approximation here: it need not end at the highest log-likelihood, and "
                "there are no standard errors. Exact E-M (the default) finds the maximum."
            )
            found.append(FitFinding("approximate_method", "note", message, _("Use exact-em to report.")))
        path = best.trace.log_likelihood
        drop = float(np.maximum(-np.diff(path), 0.0).sum()) if path.size > 1 else 0.0
        if drop > _FELL * (1 + abs(float(path[-1]))):
            message = _("On its way the log-likelihood fell by {drop:.3g} in all, as it may with this method.").format(
                drop=drop
            )
            found.append(FitFinding("log_likelihood_fell", "note", message))
        return tuple(found)


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
