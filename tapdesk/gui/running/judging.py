"""What the design can tell of a plan, before anything is run."""

from dataclasses import dataclass

from tapdesk.fitting.fit import Identification
from tapdesk.fitting.identification import verdict
from tapdesk.gui.running.by_name import AS_ASKED, refused
from tapdesk.gui.running.plan import Plan
from tapdesk.progress import Run, Step
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the design can tell.

    Attributes
    ----------
    own, used
        The verdict on the model as chosen, and on the one that is run: they differ where p = t had to be assumed.
    fingerprint
        Of the data.
    refused
        Why what was chosen by name cannot be run; empty when it can.
    """

    own: Identification
    used: Identification
    fingerprint: str
    refused: str = ""

    @property
    def forced(self) -> bool:
        """Whether p = t was assumed because the design cannot do without."""
        return self.own is not self.used


def asked_of(plan: Plan) -> object:
    """What a judgement depends on beside the data: equal ones have equal judgements."""
    named = plan.named
    return plan.model, plan.guesses, named.estimator, named.priors, named.draws


def judgement(plan: Plan, ratings: Ratings, project: Project) -> Run[Judgement]:
    """Verdict and fingerprint as a run, so that large data do not hold up the window."""
    yield Step(0, 4, "verdict")
    if plan.named != AS_ASKED:
        reason = plan.named.unreadable or refused(plan.request(), ratings)
        if reason:
            return _refused(reason, project)
    yield Step(1, 4, "verdict")
    own = verdict(plan.model, ratings)
    yield Step(2, 4, "verdict")
    run = plan.resolved(own)
    used = own if run.model == plan.model else verdict(run.model, ratings)
    yield Step(3, 4, "verdict")
    if run.named != plan.named and (reason := refused(run.request(), ratings)):
        return _refused(reason, project)
    return Judgement(own, used, project.fingerprint)


def _refused(reason: str, project: Project) -> Judgement:
    none = Identification(by_design=False, here=False, words=reason)
    return Judgement(none, none, project.fingerprint, reason)
