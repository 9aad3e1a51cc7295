"""The exact posterior as a method: the binary count models by quadrature, told as a fit."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.fitting.at_maximum import left_to_the_prior, prior_answers, verdict_of_ratings
from tapdesk.fitting.derived import kappa, krits, match_rates
from tapdesk.fitting.fit import Fit, FitFinding, Identification, LogLikelihood, ParameterEstimate, Status
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.integrate import posterior_by_quadrature, sharing_of
from tapdesk.fitting.quadrature.refine import PHASE
from tapdesk.fitting.sampling.telling import ESTIMATOR, estimate_of
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.design import Design, design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

_SUBJECT_DRAWS = 400


@dataclass(frozen=True, slots=True)
class Quadrature:
    """Exact integration over (t, mu1, mu0); the numbers depend on no seed (models.md §5.5).

    Attributes
    ----------
    priors
        Beta priors by parameter name; flat where none is given.
    level
        Posterior mass of the intervals.
    subjects
        Whether the classes of every subject are wanted, averaged over the posterior.

    Raises
    ------
    UsageError
        When the level is no share; it stands in the sentence.
    """

    priors: tuple[Prior, ...] = ()
    level: float = 0.95
    subjects: bool = False

    name = ESTIMATOR

    def __post_init__(self) -> None:
        if not 0 < self.level < 1:
            raise UsageError(
                _("The level {level} is not between 0 and 1.").format(level=self.level), fix=_("A usual level is 0.95.")
            )

    def refuses(self, model: RaterModel, ratings: Ratings) -> str | None:
        """Why this method cannot fit this model to these ratings; None when it can."""
        if ratings.rating_count == 0:
            return _("There are no ratings.")
        if len(ratings.classes) != 2:
            return _("The exact posterior is for two classes, and there are {classes}.").format(
                classes=len(ratings.classes)
            )
        try:
            sharing_of(model)
        except UsageError as reason:
            return str(reason)
        return None

    def run(self, model: RaterModel, ratings: Ratings, seed: int) -> Run[Fit]:
        """Integrate the posterior; ``seed`` is of the draws that are kept with it.

        Raises
        ------
        UsageError
            When the method refuses, or a prior does not fit the model.
        """
        began = time.perf_counter()
        reason = self.refuses(model, ratings)
        if reason:
            raise UsageError(reason)
        plan = design(model, ratings)
        evidence = plan.space.evidence(plan.patterns)
        posterior = yield from posterior_by_quadrature(model, plan.patterns, self.priors, seed, self.level)
        point = _mean(plan, posterior)
        level = float(evidence.expect(Stack.of([point])).log_likelihood[0])
        says = yield from verdict_of_ratings(plan, evidence, point, Step(1, 1, PHASE))
        return Fit(
            model=model,
            estimator=self.name,
            seed=seed,
            classes=plan.classes,
            raters=(),
            parameters=point,
            estimates=left_to_the_prior(
                (
                    ParameterEstimate(s.name, s.freedom, estimate_of(posterior.summary(s.name.name), self.level))
                    for s in plan.slots
                ),
                says,
                plan,
            ),
            log_likelihood=LogLikelihood(level, level + plan.patterns.log_multinomial),
            free=plan.space.free,
            subjects=ratings.subject_count,
            ratings=ratings.rating_count,
            krits=krits(evidence, point, level),
            match_rates=match_rates(point),
            kappa=kappa(point),
            status=Status.SETTLED if says.identified else Status.NOT_IDENTIFIED,
            converged=True,
            iterations=0,
            identification=says,
            active_bounds=(),
            trace=(),
            optima=(),
            interval=(self.name, self.level),
            findings=_findings(posterior, says),
            subject_posterior=_subjects(plan, evidence, posterior, seed) if self.subjects else None,
            draws=posterior.sample,
            posterior=posterior,
            slots=plan.slots,
            seconds=time.perf_counter() - began,
        )


def _stack(plan: Design, numbers: Mapping[str, FloatArray]) -> Stack:
    """Points from values of shape (B,) by reported name; two classes."""
    t = numbers["t"]
    b = t.size
    accuracy: FloatArray = np.zeros((b, *plan.space.accuracy_shape))
    guessing: FloatArray = np.zeros((b, *plan.space.guessing_shape))
    for slot in plan.slots:
        values = numbers[slot.name.name]
        if slot.part == "accuracy":
            accuracy[:, slot.index[0], slot.index[1]] = values
        elif slot.part == "guessing":
            guessing[:, slot.index[0], slot.index[1]] = np.stack([1 - values, values], axis=1)
    return plan.space.point(np.stack([1 - t, t], axis=1), accuracy, guessing)


def _mean(plan: Design, posterior: Posterior) -> Parameters:
    """The point of the posterior means."""
    return _stack(plan, {s.name.name: np.array([posterior.summary(s.name.name).mean]) for s in plan.slots}).one(0)


def _subjects(plan: Design, evidence: Evidence, posterior: Posterior, seed: int) -> FloatArray:
    """Shape (N, K): class probabilities of each subject averaged over posterior draws."""
    draws = posterior.draws(_SUBJECT_DRAWS, seed).values
    stack = _stack(plan, {name.name: np.asarray(values) for name, values in draws.items()})
    by_pattern = evidence.posterior(stack).mean(axis=0).T
    return np.asarray(by_pattern[plan.patterns.of_subject])


def _findings(posterior: Posterior, says: Identification) -> tuple[FitFinding, ...]:
    """What the reader of the numbers must know."""
    open_ = prior_answers(says)
    found = [] if open_ is None else [open_]
    if len(posterior.readings) > 1:
        told = joined(
            *(_("{words} ({mass:.0f} %).").format(words=r.words, mass=100 * r.mass) for r in posterior.readings)
        )
        message = _("The posterior holds {readings} readings of these data. {told}").format(
            readings=len(posterior.readings), told=told
        )
        found.append(FitFinding("several_readings", "ask", message, _("Report both readings with their shares.")))
    if posterior.other_labelling_mass is not None and posterior.other_labelling_mass > 1e-3:
        message = _(
            "The names of the two true classes could also be switched: {value:.1f} % of the posterior lies there."
        ).format(value=100 * posterior.other_labelling_mass)
        found.append(FitFinding("other_labelling", "note", message))
    return tuple(found)
