"""How sure one can be of each subject, least certain first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.models.design import design
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Beliefs:
    """The probability of each true class for each subject, given its ratings and the estimates.

    Attributes
    ----------
    model
        Name of the model.
    probability
        Shape (N, K).
    """

    model: str
    probability: NDArray[np.float64]

    def least_certain(self) -> NDArray[np.int64]:
        """Shape (N,): subjects by the probability of their likeliest class, the lowest first."""
        return np.argsort(self.probability.max(axis=1), kind="stable")


def beliefs(ratings: Ratings, fit: Fit) -> Beliefs | None:
    """The beliefs about all subjects; None where the fit does not determine them.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them (empirical Bayes: the estimates are taken as known).
    """
    open_truth = any(e.name.name == "t" and e.estimate.value is None for e in fit.estimates)
    if not fit.rates_known or not fit.converged or open_truth:
        return None
    found = fit.subject_posterior
    if found is None or found.shape != (len(ratings.subjects), len(ratings.classes)):
        plan = design(fit.model, ratings)
        found = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))
    return Beliefs(fit.model.name, np.asarray(found))
