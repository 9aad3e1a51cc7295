"""How far the one accuracy of a question reaches if its cases differ, looked for where that can be another answer.

It stands alone because `tapdesk.studies.criteria` sets many questions side by side, and this is about one of them: the
full search (`tapdesk.studies.dependence`) takes longer than all else that is asked of a question. Where the test of fit
does not speak only one of its ways is told, cases of an accuracy each, and that is looked for alone.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import MATTERS
from tapdesk.fitting.climb import Climb, climb
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.fitting.likelihood_region import extremes
from tapdesk.fitting.starts import starts
from tapdesk.models.design import design
from tapdesk.models.model import CASE_MODELS, Cases, model
from tapdesk.models.parameters import Stack
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.dependence import WITHIN, CaseExplanation, Dependence, dependence
from tapdesk.studies.likelihood_ratio import follows_anything

# How much cases differ where climbs from the fit of cases that are alike begin; how many random starts stand beside the
# named ones, and every which of these is taken; how far below the best a hill may lie whose climb has not ended; how
# many steps the climbs take, and those on the hills that are left.
_SPREADS, _RANDOM = (0.05, 0.3, 0.7), 10
_EVERY, _UNFINISHED = 3, 0.3
_STEPS, _MORE_STEPS = 200, 2_000
_SAME, _MOST_HILLS = 0.01, 4
_OF_ALL = frozenset(Cases) - {Cases.ALIKE}
_MARGIN, _BINARY, _LEVEL = 1e-3, 2, 0.95


def case_range(ratings: Ratings, fit: Fit, test: BootstrapTest, level: float, seed: int = 1) -> Run[Dependence | None]:
    """The ways in which the cases of a question may differ; None where that cannot change what is told of it.

    Parameters
    ----------
    ratings
        The question.
    fit
        One accuracy for all cases, with its interval.
    test
        The test of this fit.
    level
        Below which p-value it speaks.
    seed
        Of random starts.

    Yields
    ------
    Step
        The phases of `tapdesk.studies.dependence`.
    """
    try:
        speaks = follows_anything(test) or (test.p_bootstrap < level and len(fit.classes) == _BINARY)
        run = dependence(ratings, seed, ends=_OF_ALL) if speaks else _own_accuracies(ratings, fit, seed)
        return (yield from run)
    except CannotAnswerError:
        return None


def _own_accuracies(ratings: Ratings, fit: Fit, seed: int) -> Run[Dependence | None]:
    """Cases that are alike, and how far the accuracy reaches if each case has its own; None where that cannot be."""
    one = fit.estimate("a")
    if len(fit.classes) != _BINARY or one.value is None or one.low is None or one.low <= MATTERS:
        return None
    plan = design(model("t-ai-p", CASE_MODELS), ratings)
    evidence = plan.space.evidence(plan.patterns)
    inside = Stack.of([fit.parameters]).inside(_MARGIN).one(0)
    near = [replace(inside, spread=np.array([spread])) for spread in _SPREADS]
    origins = Stack.join([plan.space.settle(Stack.of(near)), _some(starts(plan, seed, _RANDOM).stack)])
    ended = yield from climb(plan.space, evidence, origins, limit=_STEPS)
    hills = _hills(ended, float(ended.log_likelihood.max()) - WITHIN - _UNFINISHED)
    ended = yield from climb(plan.space, evidence, ended.stack.take(hills), limit=_MORE_STEPS)
    plain = fit.log_likelihood.ratings
    top = max(float(ended.log_likelihood.max()), plain)
    points = [ended.stack.one(i) for i in _hills(ended, top - WITHIN)]
    own = [lambda stack: stack.accuracy[:, 0, 0]]
    (ends,) = yield from extremes(plan, evidence, points, top, own, _LEVEL)
    if ends is None or not points:
        return None
    best = points[0]
    accuracy, spread = float(best.accuracy[0, 0]), float(best.spread[0])
    rows = (
        CaseExplanation("t-a-p", plain, one.value, np.asarray(fit.parameters.truth), 0.0, fits=True),
        CaseExplanation("t-ai-p", top, accuracy, np.asarray(best.truth), spread, fits=True, low=ends[0], high=ends[1]),
    )
    return Dependence(rows, seen=True)


def _some(stack: Stack) -> Stack:
    """Every so many of the points."""
    return stack.take(np.arange(0, stack.size, _EVERY))


def _hills(ended: Climb, floor: float) -> NDArray[np.int64]:
    """The climbs that ended on different hills above a floor, the highest first."""
    kept: list[int] = []
    level, accuracy = ended.log_likelihood, ended.stack.accuracy[:, 0, 0]
    for i in np.argsort(-level, kind="stable").tolist():
        if level[i] > floor and all(abs(accuracy[i] - accuracy[k]) > _SAME for k in kept):
            kept.append(i)
    return np.array(kept[:_MOST_HILLS], dtype=np.int64)
