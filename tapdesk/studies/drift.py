"""Whether raters became more or less accurate along the order in which they rated.

logit a_j(x) = alpha_j + beta_j x, where x runs from -1/2 at a rater's first rating to 1/2 at the last, in tenths; truth
and guessing are as in ``t-aj-p``. That beta_j is 0 lies inside the space, so twice the gain of log-likelihood has a
chi-square law with one degree of freedom; several raters are allowed for (Holm). A rater may seem to drift where cases
become harder: then most do, which is why one slope for all stands first.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import chdtrc, logit

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.climb import Climb, climb
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.likelihood_region import Quantity, extremes
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.regression import accuracies
from tapdesk.models.space import Space
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import CovariateOf, IntArray, Ratings, plain_texts
from tapdesk.ratings.time_order import time_ranks
from tapdesk.studies.batch_fit import CAREFUL
from tapdesk.studies.holm import holm

_TENTHS = 10
# With fewer ratings a line through them is hardly more than luck.
_FEWEST = 20
_STARTS = (0.0, 2.0, -2.0)
_INSIDE = 1e-3
_LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Drift:
    """One rater, or all together.

    Attributes
    ----------
    rater
        The name; empty of all raters together, who share one slope then.
    ratings
        How many ratings.
    first, last
        The accuracy in the first and in the last tenth of them; of all together the mean of the raters'.
    change
        The last less the first.
    low, high
        Ends of its profile interval; None where no search ended.
    p_value
        Of no drift.
    p_holm
        The same for all raters together; as ``p_value`` of one slope for all.
    """

    rater: str
    ratings: int
    first: float
    last: float
    change: float
    low: float | None
    high: float | None
    p_value: float
    p_holm: float

    @property
    def drifts(self) -> bool:
        """Whether luck makes such a change in fewer than 5 of 100 panels, of all raters together."""
        return self.p_holm <= _LEVEL


def drift(ratings: Ratings, column: str, seed: int = 1, level: float = 0.95) -> Run[tuple[Drift, ...]]:
    """All raters together, then each rater.

    Parameters
    ----------
    ratings
        Of known raters.
    column
        Whose values order the ratings (`tapdesk.ratings.time_order`).
    seed, level
        Of random starts, and of the intervals.

    Yields
    ------
    Step
        Phases ``fit`` and ``intervals``.

    Raises
    ------
    CannotAnswerError
        When nothing orders the ratings, raters are not known or rated too little, or the design does not tell the
        accuracy of each.
    """
    order = _order(ratings, column)
    plain = model("t-aj-p")
    reason = ExactEM().refuses(plain, ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    fit = yield from relay(ExactEM().run(plain, ratings, seed), 0, 1, "fit")
    if not fit.identification.by_design or not fit.converged:
        raise CannotAnswerError(_("These {ratings} do not tell the accuracy of each {rater}, so no change is seen."))
    size = np.bincount(ratings.rater, minlength=len(ratings.raters))
    if size.min() < _FEWEST:
        raise CannotAnswerError(
            _("A drift is looked for where each {rater} gave {n} {ratings} at least.").format(n=_FEWEST)
        )
    rows = []
    for each in (False, True):
        plan = _plan(ratings, _place(ratings, order), each=each)
        rows += yield from _fitted(plan, ratings, fit.parameters, level, each=each)
    everyone, *single = rows
    every = holm([row.p_value for row in single])
    return (everyone, *(replace(row, p_holm=p) for row, p in zip(single, every, strict=True)))


def _order(ratings: Ratings, column: str) -> FloatArray:
    """Shape (m,): the rank of each rating's value among all values."""
    known = ratings.covariates.get(column)
    if known is None or known.of is CovariateOf.RATER:
        raise CannotAnswerError(
            _("Nothing says in which order the {ratings} were given. Name the column of their date or number.")
        )
    values = known.values[ratings.subject] if known.of is CovariateOf.SUBJECT else known.values
    texts = plain_texts(values)
    if "" in texts:
        raise CannotAnswerError(_("The column '{bad}' has gaps, so it orders no {ratings}.").format(bad=Label(column)))
    try:
        ranks = time_ranks(texts, column)
    except UsageError as error:
        raise CannotAnswerError(joined(error.what, error.fix)) from None
    if len(ranks) < 2:
        raise CannotAnswerError(
            _("The column '{bad}' says the same of all {ratings}, so it orders none.").format(bad=Label(column))
        )
    return np.array([ranks[text] for text in texts], dtype=np.float64)


def _place(ratings: Ratings, order: FloatArray) -> IntArray:
    """Shape (m,): the tenth of each rating among its rater's own; ratings of the same rank stand together."""
    tenth = np.zeros(order.size, dtype=np.int64)
    for j in range(len(ratings.raters)):
        own = np.flatnonzero(ratings.rater == j)
        _values, which, count = np.unique(order[own], return_inverse=True, return_counts=True)
        middle = np.cumsum(count) - count / 2
        tenth[own] = np.minimum(_TENTHS * middle[which] / max(own.size, 1), _TENTHS - 1).astype(np.int64)
    return tenth


def _plan(ratings: Ratings, tenth: IntArray, *, each: bool) -> Design:
    """The raters' tenths as units, with a level for each rater and a slope for each or for all."""
    code = ratings.rater.astype(np.int64) * _TENTHS + tenth
    present, unit = np.unique(code, return_inverse=True)
    rater, own = np.divmod(present, _TENTHS)
    levels = (rater[:, None] == np.arange(len(ratings.raters))).astype(np.float64)
    x = ((own + 0.5) / _TENTHS - 0.5)[:, None]
    matrix = np.concatenate([levels, levels * x if each else x], axis=1)
    space = Space(model("t-a(x)-p"), present.size, len(ratings.classes), ratings.class_rates(), matrix)
    patterns = tabulate(ratings, unit.ravel(), present.size)
    return Design(space, patterns, ratings.raters, ratings.classes, ())


def _points(plan: Design, near: Parameters, slopes: FloatArray) -> Stack:
    """Points (B,) with such slopes and the truth and guessing of another fit."""
    b = slopes.shape[0]
    start = Stack.of([near] * b).inside(_INSIDE)
    return Stack(start.truth, accuracies(plan.space.design, slopes)[:, :, None], start.guessing, slopes)


def _climbed(plan: Design, start: Stack, pins: FloatArray | None = None) -> Run[Climb]:
    evidence = plan.space.evidence(plan.patterns)
    held = None
    if pins is not None:
        blank = [np.full_like(part, np.nan) for part in start.parts]
        held = replace(Stack(*blank), slopes=pins)
    return (yield from climb(plan.space, evidence, start, pins=held, tolerance=CAREFUL.tolerance, limit=CAREFUL.limit))


def _fitted(plan: Design, ratings: Ratings, near: Parameters, level: float, *, each: bool) -> Run[list[Drift]]:
    """A row for each slope."""
    j = len(ratings.raters)
    count = plan.space.design.shape[1] - j
    middle = logit(np.clip(near.accuracy[:, 0], _INSIDE, 1 - _INSIDE))
    slopes = np.array([np.concatenate([middle, np.full(count, beta)]) for beta in _STARTS])
    ended = yield from relay(_climbed(plan, _points(plan, near, slopes)), 0, 2, "fit")
    best = int(ended.log_likelihood.argmax())
    point, top = ended.stack.one(best), float(ended.log_likelihood[best])
    held = np.tile(point.slopes, (2 * count, 1))
    held[count:] = slopes[0]
    pins = np.full_like(held, np.nan)
    for i in range(count):
        held[[i, count + i], j + i] = pins[[i, count + i], j + i] = 0.0
    nulls = yield from relay(_climbed(plan, _points(plan, point, held), pins), 1, 2, "fit")
    gain = 2 * (top - nulls.log_likelihood.reshape(2, count).max(axis=0))
    p = chdtrc(1, np.maximum(gain, 0.0))
    changes: list[Quantity] = [_change(j, i if each else None) for i in range(count)]
    evidence = plan.space.evidence(plan.patterns)
    ends = yield from extremes(plan, evidence, [point], top, changes, level)
    size = np.bincount(ratings.rater, minlength=j)
    rows = []
    for i, end in enumerate(ends):
        first, last = (float(x[0]) for x in _both(Stack.of([point]), j, i if each else None))
        low, high = (None, None) if end is None else (2 * end[0] - 1, 2 * end[1] - 1)
        who, n = (ratings.raters[i], size[i]) if each else ("", size.sum())
        rows.append(Drift(who, int(n), first, last, last - first, low, high, float(p[i]), float(p[i])))
    yield Step(2, 2, "fit")
    return rows


def _both(stack: Stack, raters: int, which: int | None) -> tuple[FloatArray, FloatArray]:
    """Shapes (B,): accuracy in the first and last tenth of a rater, or the mean of all."""
    levels, slopes = stack.slopes[:, :raters], stack.slopes[:, raters:]
    if which is not None:
        levels, slopes = levels[:, [which]], slopes[:, [which]]
    reach = 0.5 - 0.5 / _TENTHS
    first, last = (0.5 * (1 + np.tanh((levels + x * slopes) / 2)).mean(axis=1) for x in (-reach, reach))
    return np.asarray(first), np.asarray(last)


def _change(raters: int, which: int | None) -> Quantity:
    """Half the way from -1 to 1, for what is looked for is a probability."""

    def quantity(stack: Stack) -> FloatArray:
        first, last = _both(stack, raters, which)
        return np.asarray((1 + last - first) / 2)

    return quantity
