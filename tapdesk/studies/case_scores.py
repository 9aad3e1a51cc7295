"""Scores of cases by a model of ordered classes: the expected class, and who is among the best (models_more.md §4).

The lowest class counts 1. A score is fair, for the lines of the raters are taken out of it. Beliefs take the numbers of
the fit as known; who is among the best is drawn from fits to resampled cases, so that what is not known of the raters
counts.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.climb import Climb
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.evidence import Evidence
from tapdesk.models.model import Ordered
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import canonical
from tapdesk.progress import Run, Step, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_weights

TOPS = (1, 3, 10)
"""Among so many best the chance of each case is told."""
_RESAMPLES, _DRAWS, _STREAM = 100, 20, 67


@dataclass(frozen=True, eq=False)
class CaseScores:
    """Scores of all cases.

    Attributes
    ----------
    model
        Whose beliefs they are.
    expected
        Shape (N,): the mean class of each case, the lowest being 1.
    at_least
        Shape (N, K): probability of each class or a higher one.
    tops
        Of how many best.
    among
        Shape (N, T): probability that a case is among so many best; ties at the line share it equally.
    """

    model: str
    expected: FloatArray
    at_least: FloatArray
    tops: tuple[int, ...]
    among: FloatArray


def case_scores(ratings: Ratings, fit: Fit, seed: int) -> Run[CaseScores]:
    """Score the cases of a fit of ordered classes.

    Parameters
    ----------
    ratings, fit
        The data, and a fit by exact E-M.
    seed
        Of resamples and draws.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When the model has no order of classes, or the fit tells no beliefs.
    """
    if fit.model.ordered is Ordered.NONE or not fit.converged or not fit.identification.identified:
        raise CannotAnswerError(_("Scores are told of settled fits of ordered classes alone, such as sdt."))
    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    of = np.asarray(plan.patterns.of_subject, dtype=np.int64)
    belief = evidence.posterior(Stack.of([fit.parameters]))[0].T[of]
    tops = tuple(m for m in TOPS if m < len(ratings.subjects))
    rng = np.random.default_rng(np.random.SeedSequence([seed, _STREAM]))
    size = ratings.subject_weights()
    weights = np.zeros((_RESAMPLES, plan.patterns.patterns))
    for b, times in enumerate(rng.multinomial(int(size.sum()), size / size.sum(), size=_RESAMPLES)):
        weights[b] = np.bincount(of, times, plan.patterns.patterns)
    yield Step(0, 1, "re-draws")
    climbed: Climb = yield from relay(fit_weights(plan.space, evidence, weights, [fit.parameters]), 0, 1, "re-draws")
    among = np.zeros((of.size, len(tops)))
    stack = canonical(plan.space, climbed.stack)
    for b in range(stack.size):
        among += _among(evidence, stack.take(np.array([b])), of, tops, rng)
    yield Step(1, 1, "re-draws")
    grades = np.arange(1, belief.shape[1] + 1)
    at_least = belief[:, ::-1].cumsum(axis=1)[:, ::-1]
    return CaseScores(fit.model.name, belief @ grades, at_least, tops, among / stack.size)


def _among(
    evidence: Evidence,
    point: Stack,
    of: NDArray[np.int64],
    tops: tuple[int, ...],
    rng: np.random.Generator,
) -> FloatArray:
    """Shape (N, T): how often each case is among so many best, of classes drawn from the beliefs at one point."""
    below = evidence.posterior(point)[0].T[of].cumsum(axis=1)
    total = np.zeros((of.size, len(tops)))
    for _turn in range(_DRAWS):
        grade = (rng.random((of.size, 1)) > below[:, :-1]).sum(axis=1)
        for t, most in enumerate(tops):
            line = np.partition(grade, of.size - most)[of.size - most]
            above, at = grade > line, grade == line
            total[:, t] += above + at * (most - above.sum()) / at.sum()
    return total / _DRAWS
