"""What is believed of single cases: by which model, and averaged over what is not known of its numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from tapdesk.fitting.fit import Fit
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Stack
from tapdesk.progress import Run, relay
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.batch_fit import fit_dataset
from tapdesk.studies.model_comparison import few_leanings

_LEVEL = 0.05
_MOST_RATERS, _MOST_RATINGS = 60, 20_000


@dataclass(frozen=True, eq=False)
class CaseBeliefs:
    """The probability of each true class of each case, given its ratings, averaged over what is not known.

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
        """Shape (N,): cases by the probability of their likeliest class, the lowest first."""
        return np.argsort(self.probability.max(axis=1), kind="stable")


def case_beliefs(ratings: Ratings, fit: Fit, seed: int = 1) -> Run[CaseBeliefs | None]:
    """The beliefs about all cases; None where the fit does not determine them.

    Where raters are known and not alike, the model that tells them apart has the say: a pooled one counts the word of
    a guesser like that of an expert.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    seed
        Of the points that are averaged over where there is no exact integral.

    Yields
    ------
    Step
        Phases ``fit``, ``check``, ``beliefs`` and those of sampling.
    """
    fit = yield from _by_rater_where_they_differ(ratings, fit, seed)
    open_truth = any(e.name.name == "t" and e.estimate.value is None for e in fit.estimates)
    if not fit.rates_known or not fit.converged or open_truth:
        return None
    shape = (len(ratings.subjects), len(ratings.classes))
    if fit.estimator == "posterior" and fit.subject_posterior is not None and fit.subject_posterior.shape == shape:
        return CaseBeliefs(fit.model.name, np.asarray(fit.subject_posterior))
    from tapdesk.fitting.averaged import averaged_posterior  # late: what integrates is a third of all there is to load

    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    found = yield from averaged_posterior(ratings, plan, evidence, fit.parameters, seed)
    return CaseBeliefs(fit.model.name, found)


def _by_rater_where_they_differ(ratings: Ratings, fit: Fit, seed: int) -> Run[Fit]:
    """The fit, or the by-rater one with the better AIC where the likelihood ratio says that raters are not alike."""
    large = len(ratings.raters) > _MOST_RATERS or ratings.subject.size > _MOST_RATINGS
    if fit.model.name != "t-a-p" or fit.estimator != "exact-em" or not ratings.raters_known or large:
        return fit
    names = ("t-aj-p", "t-aj-pj") if few_leanings(ratings) else ("t-aj-p",)
    rows = []
    for name in names:
        asked = Request(model(name), interval="none", seed=seed)
        if refusal(ratings, asked):
            continue
        near = [Stack.of([fit.parameters])]
        _point, level, _settled = yield from relay(fit_dataset(asked.model, ratings, seed, near), 0, 1, "fit")
        gain, free = 2 * (level - fit.log_likelihood.ratings), design(asked.model, ratings).space.free
        rows.append((2 * free - 2 * level, float(chdtrc(free - fit.free, max(gain, 0.0))), asked))
    # Of two looks each has half of the level.
    if not any(chance < _LEVEL / len(names) for _aic, chance, _asked in rows):
        return fit
    for _aic, _chance, asked in sorted(rows, key=lambda row: row[0]):
        other = yield from analyse(ratings, asked)
        if other.identification.identified and other.converged:
            return other
    return fit
