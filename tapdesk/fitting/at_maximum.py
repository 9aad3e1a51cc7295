"""What the likelihood leaves open at its maximum, for methods that do not look for it themselves."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from tapdesk.fitting import identification
from tapdesk.fitting.climb import climb
from tapdesk.fitting.fit import FitFinding, Identification, ParameterEstimate
from tapdesk.fitting.flatness import open_here
from tapdesk.fitting.polish import polish
from tapdesk.fitting.starts import starts
from tapdesk.fitting.undefined import GUESSING_ALONE, of_one_rating, undefined_parameters
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.evidence import Evidence
from tapdesk.models.labelling import canonical
from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import Stack
from tapdesk.progress import Run, Step

_NAMED = 3
_LIMIT = 1500
_PRIOR = _("The ratings leave this number open: its interval rests on what is assumed beforehand (the prior).")


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
        return identification.here(plan, design, near, ())
    margin = 1e-3 / plan.space.classes
    here = plan.space.settle(Stack.of([near]).inside(margin))
    first = Stack.join([here, starts(plan, 1, 0).first(_NAMED).stack])
    run = climb(plan.space, evidence, first, tolerance=1e-9, limit=_LIMIT)
    while True:
        try:
            next(run)
        except StopIteration as end:
            ended = end.value
            break
        yield step
    top = np.array([int(ended.log_likelihood.argmax())])
    best = polish(plan.space, evidence, canonical(plan.space, ended.stack.take(top)).one(0))
    reasons = undefined_parameters(plan, best.parameters, best.log_likelihood)
    lost = set(reasons)
    if GUESSING_ALONE not in reasons.values():
        lost |= set(open_here(plan, evidence, best, ()))
    return identification.here(plan, design, near, tuple(s.name for s in plan.slots if s.name in lost))


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
