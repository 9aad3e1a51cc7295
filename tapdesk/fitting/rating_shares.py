"""What the numbers of a fit do to a rating and to a pair of them: how often it is right, how often two match, and why.

The intervals come from the likelihood, or from the draws of a posterior, never from re-draws of the data: on the edge
of the space these coincide, and the interval would have no width.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.fitting.fit import Fit, RatingShare
from tapdesk.fitting.likelihood_region import Quantity, extremes
from tapdesk.fitting.two_rates import two_rates
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Guessing, Truth
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, Step, relay

# Beyond so many patterns a climb along the border is cheaper than looking everywhere.
_MOST_PATTERNS = 400
# Beyond so many free numbers that climb takes longer than those of E-M, and with many more it does not arrive.
_MOST_NUMBERS = 30


def profiled_shares(plan: Design, evidence: Evidence, fit: Fit, origins: Sequence[Parameters]) -> Run[Fit]:
    """A maximum with what its numbers do to a single rating and to two of a case, and profile intervals.

    Of two classes these are the share of ratings that say class 1 where it is true (sensitivity, mu_1 of models.md
    §3) and where it is not (1 - specificity, mu_0); of more the share that names the true class.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    fit
        Of a model whose raters share their numbers; others, and fits that are not determined, are returned as they
        are.
    origins
        The maximum, and other optima near it.

    Yields
    ------
    Step
        Phase ``intervals``.
    """
    if not _shared(fit):
        return fit
    rows = _quantities(fit)
    if _free_rates(fit, plan):
        yield Step(0, 1, "intervals")
        rates = two_rates(plan.patterns, plan.patterns.weight[None], fit.interval[1])
        reaches: Sequence[tuple[float, float] | None] = tuple(
            zip(rates.low[0].tolist(), rates.high[0].tolist(), strict=True)
        )
    elif len(fit.classes) > 2 and plan.space.free > _MOST_NUMBERS:
        # Start-up cost: hardly any fit is so large.
        from tapdesk.fitting.truth_share import truth_share_ends

        reaches = [(yield from truth_share_ends(plan, evidence, origins, fit.log_likelihood.ratings, fit.interval[1]))]
    else:
        quantities = [quantity for _truth, quantity in rows]
        reaches = yield from extremes(plan, evidence, origins, fit.log_likelihood.ratings, quantities, fit.interval[1])
    shares = []
    for (truth, quantity), ends in zip(rows, reaches, strict=True):
        value = float(quantity(Stack.of([fit.parameters]))[0])
        low, high = (None, None) if ends is None else (min(ends[0], value), max(ends[1], value))
        shares.append(RatingShare(truth, value, low, high))
    fit = replace(fit, shares=tuple(shares))
    return (yield from _with_pairs(plan, evidence, fit, origins))


def _with_pairs(plan: Design, evidence: Evidence, fit: Fit, origins: Sequence[Parameters]) -> Run[Fit]:
    """A maximum with profile intervals of how often two ratings match, and why; of too many numbers none."""
    rates = fit.match_rates
    if rates is None or rates.random is None or plan.space.free > _MOST_NUMBERS:
        return fit
    quantities = tuple(PAIRS.values())
    run = extremes(plan, evidence, origins, fit.log_likelihood.ratings, quantities, fit.interval[1])
    # What stands before has brought the bar to its end: it does not run back for these.
    reaches = yield from relay(run, 1, 1, "intervals", counted=False)
    reach = tuple(
        (name, min(ends[0], getattr(rates, name)), max(ends[1], getattr(rates, name)))
        for name, ends in zip(PAIRS, reaches, strict=True)
        if ends is not None
    )
    return replace(fit, match_rates=replace(rates, reach=reach))


def _mixed(stack: Stack) -> FloatArray:
    accuracy, guessing = stack.accuracy[:, 0, 0], stack.guessing[:, 0, 0]
    return np.asarray(2 * accuracy * (1 - accuracy) * (stack.truth * guessing).sum(axis=1))


def _inaccurate(stack: Stack) -> FloatArray:
    accuracy, guessing = stack.accuracy[:, 0, 0], stack.guessing[:, 0, 0]
    return np.asarray((1 - accuracy) ** 2 * (guessing**2).sum(axis=1))


def _observed(stack: Stack) -> FloatArray:
    return np.asarray(stack.accuracy[:, 0, 0] ** 2 + _mixed(stack) + _inaccurate(stack))


PAIRS: dict[str, Quantity] = {"mixed": _mixed, "inaccurate": _inaccurate, "observed": _observed}
"""Of two ratings of a case, where all raters share accuracy and guessing: how often one follows it and the other
guesses the same, both guess the same, and they match at all (Kappa Zoo ch. 9, eq. 1)."""


def drawn_shares(fit: Fit) -> Fit:
    """A posterior with the same shares, their intervals by the quantiles of its draws where it has some.

    Parameters
    ----------
    fit
        Of a posterior; returned as it is where its raters do not share their numbers.
    """
    if not _shared(fit):
        return fit
    stack, tail = _stack(fit), (1 - fit.interval[1]) / 2
    shares = []
    for truth, quantity in _quantities(fit):
        value = float(quantity(Stack.of([fit.parameters]))[0])
        share = RatingShare(truth, value, how="posterior")
        if stack is not None:
            low, high = np.quantile(quantity(stack), [tail, 1 - tail]).tolist()
            # A mean of a skewed posterior may lie outside; then no interval is better than a wrong one.
            share = replace(share, low=low, high=high) if low <= value <= high else share
        shares.append(share)
    return replace(fit, shares=tuple(shares))


def _shared(fit: Fit) -> bool:
    """Whether all raters share their numbers, and these are determined."""
    one_for_all = fit.parameters.rating_rates().shape[0] == 1 and fit.model.accuracy is not Accuracy.REGRESSION
    return one_for_all and fit.rates_known and fit.converged and not fit.model.truth.by_group


def _free_rates(fit: Fit, plan: Design) -> bool:
    """Whether the two shares are the coordinates of the model (models.md §3), on few enough patterns."""
    free = (Truth.FREE, Accuracy.ONE, Guessing.ONE)
    sharing = (fit.model.truth, fit.model.accuracy, fit.model.guessing)
    return (
        len(fit.classes) == 2 and sharing == free and plan.patterns.alike and plan.patterns.patterns <= _MOST_PATTERNS
    )


def _stack(fit: Fit) -> Stack | None:
    """The draws as points of the model; None where there are none, or not of every number."""
    if fit.draws is None or not fit.draws.values or not fit.slots:
        return None
    drawn = fit.draws.values
    size = next(iter(drawn.values())).size
    stack = Stack(*(np.repeat(part, size, axis=0) for part in Stack.of([fit.parameters]).parts))
    for slot in fit.slots:
        if slot.name in drawn:
            getattr(stack, slot.part)[:, *slot.index] = drawn[slot.name]
    if len(fit.classes) == 2:
        # Two classes are told as class 1 only.
        stack.truth[:, 0] = 1 - stack.truth[:, 1]
        stack.guessing[..., 0] = 1 - stack.guessing[..., 1]
    if fit.model.guessing is Guessing.AS_TRUTH:
        stack.guessing[:, 0, 0] = stack.truth
    # Where every rating is accurate p is undefined and does not matter, nor does a class that no case has.
    np.nan_to_num(stack.guessing, copy=False)
    return stack if all(np.isfinite(part).all() for part in stack.parts) else None


def _quantities(fit: Fit) -> tuple[tuple[str | None, Quantity], ...]:
    """By the true class they are shares of (None for all), the quantities of a single rating."""
    if len(fit.classes) == 2:
        return tuple((fit.classes[k], _names_class1(k)) for k in (1, 0))
    return ((None, _names_truth),)


def _names_class1(truth: int) -> Quantity:
    def share(stack: Stack) -> FloatArray:
        accuracy, guessing = _numbers(stack)
        luck = (1 - accuracy[:, truth]) * guessing[:, truth, 1]
        return np.asarray(luck + accuracy[:, 1] if truth == 1 else luck)

    return share


def _names_truth(stack: Stack) -> FloatArray:
    accuracy, guessing = _numbers(stack)
    right = (1 - accuracy) * np.diagonal(guessing, axis1=1, axis2=2) + accuracy
    return np.asarray((stack.truth * right).sum(axis=1))


def _numbers(stack: Stack) -> tuple[FloatArray, FloatArray]:
    """Accuracy (B, K) and guessing (B, K, K) by true class of raters who share them: views, as K may be large."""
    size, k = stack.truth.shape
    accuracy, guessing = stack.accuracy[:, 0], stack.guessing[:, 0]
    return np.broadcast_to(accuracy, (size, k)), np.broadcast_to(guessing, (size, k, k))
