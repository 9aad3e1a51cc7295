"""Parameters without a value at a maximum: no evidence for them, a ridge, another maximum as high, or a prior alone."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from tapdesk.fitting import identification
from tapdesk.fitting.climb import LocalMaximum, climb, polish
from tapdesk.fitting.fit import NO_GUESS, FitFinding, Identification, Optimum, ParameterEstimate
from tapdesk.fitting.profile import pinned, unit_of
from tapdesk.fitting.starts import starts
from tapdesk.language import gettext as _
from tapdesk.models.design import Design, Freedom, Slot
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Accuracy, Cases, Guessing
from tapdesk.models.parameters import FloatArray, ParameterName, Parameters, Stack
from tapdesk.models.space import canonical
from tapdesk.progress import Run, Step, finish, relay

_AT_BOUND = 1e-6
_SAME_LEVEL = 1e-6
# Ratings of a rater below which nothing is told of that rater.
_FEWEST = 1.5
# A slope that runs away is left there by the search long before its accuracies are 1 to the last digit.
_RUN_AWAY = 1e-4

GUESSING_ALONE = _("Guessing alone explains these {ratings} as well as any accuracy does, so this number stays open.")
EMPTY_CLASS = _("No {subject} belongs to this class here, so nothing shows how such {subjects} are rated.")
ONE_CLASS = _("All {subjects} belong to one class here, so accuracy and guessing cannot be told apart.")
WHICH_CLASS = _("All {subjects} belong to one class here, and nothing shows which one.")
ONE_RATING = _("This {rater} gave one {rating} only, which cannot tell how this {rater} judges.")
NO_END = _("The fit gets better the further this number is from 0, without end, so it has no best value.")

OPEN_HERE = _("These {ratings} leave this number open: quite different values fit equally well.")
_FLAT = 1e-6
# A parameter held so far away at this cost has a standard error above 1: there is nothing to report.
_AWAY = 0.02
_COSTS_NOTHING = 1e-4
_EQUALLY_HIGH = 1e-7
_ELSEWHERE = 1e-2
_STEPS = 1500
_CHUNK = 3_000_000
_NAMED = 3
_LIMIT = 1500
_PRIOR = _("The {ratings} leave this number open: its interval rests on what is assumed beforehand (the prior).")


def undefined_parameters(plan: Design, point: Parameters, log_likelihood: float) -> dict[ParameterName, str]:
    """Reported parameters that have no evidence behind them at this maximum, and why.

    Parameters
    ----------
    plan
        The tabulated data.
    point
        The maximum.
    log_likelihood
        There, in nats, ratings form.
    """
    model = plan.space.model
    guess_only = log_likelihood <= _guessing_alone(plan) + _SAME_LEVEL
    one_class = point.truth.ndim == 1 and bool((point.truth > 1 - _AT_BOUND).any())
    told_by_it = {"accuracy", "slopes"} | ({"guessing"} if plan.space.guessing_free else set())
    endless = _endless_slopes(plan, point)
    reasons: dict[ParameterName, str] = {}
    for slot in plan.slots:
        if slot.freedom is Freedom.FIXED:
            continue
        if guess_only:
            reasons[slot.name] = GUESSING_ALONE
        elif _class_is_empty(slot, point):
            reasons[slot.name] = EMPTY_CLASS
        elif model.accuracy is Accuracy.NONE:
            continue
        elif slot.part == "guessing" and model.guessing is not Guessing.AS_TRUTH and _nobody_guesses(plan, slot, point):
            reasons[slot.name] = NO_GUESS
        elif one_class and slot.part in told_by_it:
            reasons[slot.name] = ONE_CLASS
        elif one_class and slot.part == "truth" and _either_class(plan):
            reasons[slot.name] = WHICH_CLASS
        elif slot.part == "slopes" and endless[slot.index[0]]:
            reasons[slot.name] = NO_END
    return reasons


def of_one_rating(plan: Design) -> dict[ParameterName, str]:
    """Numbers of raters who gave no more than one rating, and why they have no value.

    The likelihood has a maximum there too, at 0 or 1: what it says is about that rating, not about the rater.
    """
    few = plan.patterns.totals.sum(axis=1) < _FEWEST
    shared = {"accuracy": plan.space.accuracy_shape[0] == 1, "guessing": plan.space.guessing_shape[0] == 1}
    return {
        slot.name: ONE_RATING
        for slot in plan.slots
        if slot.freedom is not Freedom.FIXED and slot.name.rater is not None
        if not shared.get(slot.part, True) and few[slot.index[0]]
    }


def _guessing_alone(plan: Design) -> float:
    """The highest log-likelihood without any accuracy, nats, ratings form; minus infinity where truth would show.

    With free truth and free guessing, a maximum no higher than this is also reached by accuracy 0 with any truth,
    and by one true class with many accuracies: nothing is determined.
    """
    if not plan.space.model.truth.free or not plan.space.guessing_free or plan.patterns.known is not None:
        return -np.inf
    totals = plan.patterns.totals
    if plan.space.guessing_shape[0] == 1:
        totals = totals.sum(axis=0, keepdims=True)
    rates = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1e-300)
    return float((totals * np.log(np.where(totals > 0, rates, 1.0))).sum())


def _nobody_guesses(plan: Design, slot: Slot, point: Parameters) -> bool:
    """Whether every accuracy is 1 among the raters and the true classes a guessing rate is about."""
    if plan.space.model.accuracy is Accuracy.REGRESSION:
        return bool((point.accuracy > 1 - _RUN_AWAY).all())
    if plan.space.model.cases is Cases.HARD and bool((point.spread > _AT_BOUND).any()):
        # Cases beyond everybody are guessed by all, however well the others are rated.
        return False
    unit, true, _rest = slot.index
    a, shape = point.accuracy, point.guessing.shape
    a = a[[unit]] if shape[0] > 1 and a.shape[0] > 1 else a
    if shape[1] > 1 and a.shape[1] > 1:
        a = a[:, [true]]
    elif a.shape[1] > 1:
        a = a[:, (point.truth > _AT_BOUND).reshape(-1, point.classes).any(axis=0)]
    return bool((a > 1 - _AT_BOUND).all())


def _class_is_empty(slot: Slot, point: Parameters) -> bool:
    """Whether a parameter is about one true class that no case has."""
    by_class = {"accuracy": point.accuracy.shape[1], "guessing": point.guessing.shape[1]}
    return by_class.get(slot.part, 1) > 1 and bool((point.truth[..., slot.index[1]] < _AT_BOUND).all())


def _either_class(plan: Design) -> bool:
    """Whether the other one of two classes would explain one-class data as well.

    With all cases of class 0 the rates of class 1 are (1 - a_u) p, with all of class 1 they are a_u + (1 - a_u) p; with
    p at its ends, either is any rates at all. Where truth and guessing are tied they say the class together.
    """
    space = plan.space
    return space.classes == 2 and space.model.truth.free and space.guessing_free


def _endless_slopes(plan: Design, point: Parameters) -> FloatArray:
    """Shape (S,): slopes that only units with accuracies at 0 or 1 hold, so that nothing stops them (separation).

    Accuracies at the ends react to no slope. Where those between pin all slopes there is a best value; where they
    leave a direction open, the slopes in it grow without end.
    """
    x = plan.space.design
    if plan.space.model.accuracy is not Accuracy.REGRESSION or not x.shape[1]:
        return np.zeros(point.slopes.size, dtype=bool)
    accuracy = point.accuracy[:, 0]
    between = x[(accuracy > _RUN_AWAY) & (accuracy < 1 - _RUN_AWAY)]
    scaled = between / np.maximum(np.abs(x).max(axis=0), 1e-300)
    _left, values, directions = np.linalg.svd(
        np.vstack([scaled, np.zeros((x.shape[1], x.shape[1]))]), full_matrices=True
    )
    rank = int((values > 1e-9 * max(float(values[0]), 1e-300)).sum()) if scaled.size else 0
    return np.asarray((np.abs(directions[rank:]) > 1e-6).any(axis=0))


def open_here(
    plan: Design,
    evidence: Evidence,
    best: LocalMaximum,
    optima: Sequence[Optimum],
    known: Collection[ParameterName] = (),
) -> tuple[ParameterName, ...]:
    """Reported parameters that other points of the same height disagree about.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    best
        The maximum with its surroundings.
    optima
        All distinct maxima found.
    known
        Parameters known to be open, which need no proof and are not told again.
    """
    sentences = [slot for slot in plan.slots if slot.freedom is not Freedom.FIXED and slot.name not in known]
    ties = [o.parameters for o in optima if best.log_likelihood - o.log_likelihood < _EQUALLY_HIGH]
    apart = {
        s.name
        for s in sentences
        for o in ties
        if abs(s.value(o) - s.value(best.parameters)) > _ELSEWHERE * unit_of(plan.space, s)
    }
    # Where every case is rated right, one class may instead be what all guesses name, whichever class it is.
    right = plan.space.accuracy_shape[1] > 1 and bool((best.parameters.accuracy == 1).any())
    tried = _moving(best, sentences) + [s for s in sentences if right and s.part == "accuracy"]
    ridge = _held_elsewhere(plan, evidence, best, [s for s in dict.fromkeys(tried) if s.name not in apart])
    return tuple(s.name for s in sentences if s.name in apart or s.name in ridge)


def _moving(best: LocalMaximum, slots: Sequence[Slot]) -> list[Slot]:
    """The parameters that change along the directions in which the curvature vanishes."""
    if best.line is None or best.information is None or not best.line.size:
        return []
    null = _null_directions(best.information)
    if not null.shape[0]:
        return []
    at = best.line.coordinates(best.parameters)
    ahead, behind = best.line.points(at + 1e-4 * null), best.line.points(at - 1e-4 * null)
    moving = []
    for slot in slots:
        change = slot.column(ahead) - slot.column(behind)
        if np.abs(change).max() > 1e-8 * unit_of(best.line.space, slot):
            moving.append(slot)
    return moving


def _null_directions(information: FloatArray) -> FloatArray:
    """Shape (d, size): directions of unit length without curvature, each coordinate in units of its own."""
    own = np.sqrt(np.maximum(np.diag(information), 0.0))
    seen = own > 1e-9 * max(float(own.max()), 1e-300)
    scale = np.where(seen, own, 1.0)
    scaled = np.where(seen[:, None] & seen[None], information / np.outer(scale, scale), 0.0)
    values, vectors = np.linalg.eigh(scaled)
    null = vectors[:, values < _FLAT].T / scale
    return np.asarray(null / np.maximum(np.linalg.norm(null, axis=1, keepdims=True), 1e-300))


def _held_elsewhere(
    plan: Design, evidence: Evidence, best: LocalMaximum, wanted: Sequence[Slot]
) -> frozenset[ParameterName]:
    """Those of some parameters that cost nothing to be held a little away on one side."""
    place = [
        (slot, value + away)
        for slot in wanted
        for value in (slot.value(best.parameters),)
        for away in (-_AWAY * unit_of(plan.space, slot), _AWAY * unit_of(plan.space, slot))
        if slot.part == "slopes" or 0 <= value + away <= slot.most
    ]
    cost = max(plan.patterns.patterns * plan.space.classes, 1)
    rows = max(_CHUNK // cost, 1)
    names: set[ParameterName] = set()
    for at in range(0, len(place), rows):
        part = place[at : at + rows]
        values = np.array([v for _rest, v in part])
        start, pins = pinned(plan.space, [best.parameters] * len(part), [s for s, _rest in part], values)
        run = climb(plan.space, evidence, plan.space.settle(start), pins=pins, tolerance=1e-8, limit=_STEPS)
        level = finish(run).log_likelihood
        names |= {
            s.name for (s, _rest), one in zip(part, level, strict=True) if best.log_likelihood - one < _COSTS_NOTHING
        }
    return frozenset(names)


def verdict_of_ratings(plan: Design, evidence: Evidence, near: Parameters, step: Step) -> Run[Identification]:
    """What design and ratings can tell, judged where the likelihood is highest near a point and the named starts.

    A posterior has a mean for every parameter; where the likelihood leaves one open, that mean follows the prior.

    Parameters
    ----------
    plan, evidence
        The tabulated data.
    near
        Such as the posterior mean.
    step
        What is told between two climbing steps: how far the method has come.
    """
    design = identification.by_design(plan)
    if not design.by_design:
        return identification.identification_at(plan, design, near, ())
    margin = 1e-3 / plan.space.classes
    here = plan.space.settle(Stack.of([near]).inside(margin))
    first = Stack.join([here, starts(plan, 1, 0).first(_NAMED).stack])
    run = climb(plan.space, evidence, first, tolerance=1e-9, limit=_LIMIT)
    ended = yield from relay(run, step.done, step.total, step.phase)
    top = np.array([int(ended.log_likelihood.argmax())])
    best = polish(plan.space, evidence, canonical(plan.space, ended.stack.take(top)).one(0))
    reasons = undefined_parameters(plan, best.parameters, best.log_likelihood)
    lost = set(reasons)
    if GUESSING_ALONE not in reasons.values():
        lost |= set(open_here(plan, evidence, best, ()))
    return identification.identification_at(plan, design, near, tuple(s.name for s in plan.slots if s.name in lost))


def left_to_the_prior(
    estimates: Iterable[ParameterEstimate], says: Identification, plan: Design
) -> tuple[ParameterEstimate, ...]:
    """Estimates of a posterior, without a value for what the ratings leave open: its mean would be the prior's.

    The interval of a belief stays: where it is wide it shows how little is known.
    """
    lost = of_one_rating(plan) | dict.fromkeys(says.open_parameters, _PRIOR)
    return tuple(
        replace(e, estimate=replace(e.estimate, value=None, se=None, undefined=lost[e.name])) if e.name in lost else e
        for e in estimates
    )


def prior_answers(says: Identification) -> FitFinding | None:
    """That the prior, not the data, answers for what stays open; None where nothing does."""
    if says.identified:
        return None
    if says.by_design:
        message = _("{words} For what stays open the numbers shown follow the prior more than the data.").format(
            words=says.words
        )
    else:
        message = _("{words} Along what stays open the numbers shown are the prior's answer, not the data's.").format(
            words=says.words
        )
    return FitFinding("prior_answers", "ask", message, _("Report what is determined, or choose another model."))
