"""How often the test of fit would speak if some cases are harder, so that fewer ratings follow them than is told.

A test that does not speak shows nothing where it could not have spoken. What it could see is tried with the ratings'
own design: of all panels in which each case has an accuracy of its own and a tenth less follows, those most like these
ratings are drawn, and tested as these were (Albert & Dodd 2004, Biometrics 60:427, on how little such tests see).
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import BootstrapTest
from tapdesk.fitting.profile import held_climbs
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import CASE_MODELS, RaterModel, model
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.progress import Run, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_count_vectors, pooled_space
from tapdesk.studies.likelihood_ratio import count_vectors_deviance
from tapdesk.studies.simulated_data import CountVectors, design_count_vectors

LOWER = 0.10
"""So much lower an accuracy would be another answer to a committee."""
REPLICATES = 400
"""Simulated panels: the share that speaks is known to 2.5 points."""


@dataclass(frozen=True, slots=True)
class FitPower:
    """What the test of fit of cases that are alike could have seen.

    Attributes
    ----------
    accuracy
        How often ratings follow their case in the panels tried, whose cases are not equally hard.
    rejections
        In which share of them the test speaks.
    replicates
        How many were tried.
    """

    accuracy: float
    rejections: float
    replicates: int


def fit_power(ratings: Ratings, accuracy: float, test: BootstrapTest, level: float, seed: int = 1) -> Run[FitPower]:
    """Try the test of fit on panels whose cases are not equally hard.

    Parameters
    ----------
    ratings
        The data.
    accuracy
        Told of them as if all cases were alike.
    test
        The test of fit of these ratings, with its simulated statistics.
    level
        Below which p-value it speaks.
    seed
        Of the panels.

    Yields
    ------
    Step
        Phases ``fit``, ``intervals`` and ``re-draws``.

    Raises
    ------
    CannotAnswerError
        Where so much lower an accuracy would be none, or the design has too many different counts to be drawn.
    """
    lower, here, row = accuracy - LOWER, design_count_vectors(ratings), model("t-ai-p", CASE_MODELS)
    if lower <= 0 or here is None:
        raise CannotAnswerError(_("What the test of fit could have seen cannot be tried on these {ratings}."))
    fit = yield from ExactEM().run(row, ratings, seed)
    plan = design(row, ratings)
    slot = next(slot for slot in plan.slots if slot.name.name == "a")
    origins = [optimum.parameters for optimum in fit.optima] or [fit.parameters]
    evidence, count = plan.space.evidence(plan.patterns), len(origins)
    climbs = held_climbs(plan, evidence, origins, [slot] * count, np.full(count, lower), (0, 1, count))
    ends = yield from climbs
    point = ends.stack.one(int(np.argmax(ends.log_likelihood)))
    statistics = yield from _statistics(here, row, point, seed)
    reached = (test.draws[None, :] >= statistics[:, None]).sum(axis=1)
    speaks = (1 + reached) / (1 + test.draws.size) < level
    return FitPower(lower, float(speaks.mean()), statistics.size)


def _statistics(here: CountVectors, row: RaterModel, point: Parameters, seed: int) -> Run[FloatArray]:
    """The misfit of cases that are alike, of panels drawn from a point of another model."""
    plain, rng = model("t-a-p"), np.random.default_rng(np.random.SeedSequence([seed, 21]))
    evidence = pooled_space(row, here.classes).evidence(here.patterns)
    share = np.exp(evidence.pattern_log_likelihood(Stack.of([point]))[0] + here.log_ways)
    weights = here.draw_from(share, REPLICATES, rng)
    result = yield from relay(fit_count_vectors(plain, here, weights), 0, 1, "re-draws")
    return count_vectors_deviance(here, weights, result.log_likelihood)
