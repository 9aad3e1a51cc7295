"""Who is strict and who avoids the ends, by a model of ordered classes with lines of each rater (models_more.md §4).

Severity is how far the lines of a rater lie above those of the panel, in classes as that rater perceives them: how far
all of them lie too high together hardly any ratings tell. The lean is the same before the panel is taken off, on the
scale of the lines: 0 leans to no side. Tendency is how far apart the outermost lines are against
what the classes ask for: 1 is none, more avoids the ends. Intervals come from cases drawn again.
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.climb import Climb
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import Ordered
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import canonical
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_weights

_RESAMPLES, _STREAM = 100, 73
# A rater who perceives so little draws lines anywhere.
_LEAST_STEP = 0.05
_FAR = 50.0


@dataclass(frozen=True, slots=True)
class Severity:
    """One rater.

    Attributes
    ----------
    rater
        The name.
    severity
        How many classes lower than the mean of the panel this rater rates, on average over the lines.
    lean
        The mean of tau_c - d (c - 1/2) over the lines.
    tendency
        How far apart the outermost lines are, 1 being as far as the classes; more avoids the ends.
    """

    rater: str
    severity: Estimate
    lean: Estimate
    tendency: Estimate

    @property
    def leans(self) -> int:
        """1 for a strict rater, -1 for a mild one, 0 where the interval leaves it open."""
        one = self.severity
        if one.low is None or one.high is None or one.low <= 0 <= one.high:
            return 0
        return 1 if one.low > 0 else -1


def tells_severities(fit: Fit) -> bool:
    """Whether a fit has lines of each rater's own that say who is strict."""
    row = fit.model
    settled = fit.converged and fit.identification.identified and fit.estimator == "exact-em"
    return row.ordered is not Ordered.NONE and row.ordered.own_cut_points and settled and len(fit.classes) > 2


def severities(ratings: Ratings, fit: Fit, seed: int) -> Run[tuple[Severity, ...]]:
    """Severity and tendency of every rater.

    Parameters
    ----------
    ratings, fit
        The data, and a fit by exact E-M (`tells_severities`).
    seed
        Of the resamples.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When raters have no lines of their own.
    """
    if not tells_severities(fit):
        raise CannotAnswerError(_("Who is strict is told by settled fits with lines of each {rater}, such as sdt."))
    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    of = np.asarray(plan.patterns.of_subject, dtype=np.int64)
    rng = np.random.default_rng(np.random.SeedSequence([seed, _STREAM]))
    size = ratings.subject_weights()
    weights = np.zeros((_RESAMPLES, plan.patterns.patterns))
    for b, times in enumerate(rng.multinomial(int(size.sum()), size / size.sum(), size=_RESAMPLES)):
        weights[b] = np.bincount(of, times, plan.patterns.patterns)
    yield Step(0, 1, "re-draws")
    climbed: Climb = yield from relay(fit_weights(plan.space, evidence, weights, [fit.parameters]), 0, 1, "re-draws")
    drawn = canonical(plan.space, climbed.stack)
    ordered = plan.space.ordered
    if ordered is None:
        raise ValueError("a model of ordered classes has its lines")
    here = _numbers(*ordered.split(Stack.of([fit.parameters]).slopes))
    again = _numbers(*ordered.split(drawn.slopes))
    yield Step(1, 1, "re-draws")
    tail = (1 - fit.interval[1]) / 2
    return tuple(
        Severity(name, *(_between(now[0, j], draws[:, j], tail) for now, draws in zip(here, again, strict=True)))
        for j, name in enumerate(fit.raters)
    )


def _numbers(d: FloatArray, tau: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Severity, lean and tendency, shape (B, J) each, of d (B, 1 or J) and lines (B, J, K - 1)."""
    step = np.where(np.abs(d) < _LEAST_STEP, _LEAST_STEP, np.abs(d))
    step = np.broadcast_to(step, tau.shape[:2])
    middles = np.arange(tau.shape[2]) + 0.5
    own = (tau / step[..., None] - middles).mean(axis=2)
    severity = own - own.mean(axis=1, keepdims=True)
    tendency = (tau[..., -1] - tau[..., 0]) / (step * max(tau.shape[2] - 1, 1))
    return np.clip(severity, -_FAR, _FAR), np.clip(own * step, -_FAR, _FAR), np.clip(tendency, 0.0, _FAR)


def _between(value: float, draws: FloatArray, tail: float) -> Estimate:
    """A number with what lies between the outer tails of its resamples, around the number itself."""
    low, high = np.quantile(draws, (tail, 1 - tail)).tolist()
    return Estimate(float(value)).between(min(low, float(value)), max(high, float(value)), 1 - 2 * tail, "bootstrap")
