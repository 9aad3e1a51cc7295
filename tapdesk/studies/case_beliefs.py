"""What is believed of single cases: by which model, and averaged over what is not known of its numbers."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import BootstrapTest, Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.models.design import design
from tapdesk.models.model import Ordered, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.case_gains import class_gain, worklist
from tapdesk.studies.rater_differences import equal_raters, few_leanings

DOUBTFUL = 0.9
"""Cases are worth discussing whose likeliest class is less likely than this."""
_MOST_RATERS, _MOST_RATINGS = 60, 20_000
_PERMUTATIONS = 300


@dataclass(frozen=True, eq=False)
class CaseBeliefs:
    """The probability of each true class of each case, given its ratings, averaged over what is not known.

    Attributes
    ----------
    model
        Name of the model.
    probability
        Shape (N, K).
    gain
        Shape (N,): by how much one more rating makes the likeliest class of a case likelier, on average over what it
        may be; None where the model tells no rates of a further rater.
    """

    model: str
    probability: NDArray[np.float64]
    gain: NDArray[np.float64] | None = None

    def worth_another(self) -> NDArray[np.int64]:
        """Cases worth one more rating, where it gains most first: those that are doubtful, and none without a gain."""
        if self.gain is None:
            return np.zeros(0, dtype=np.int64)
        doubtful = self.probability.max(axis=1) < DOUBTFUL
        return worklist(np.where(doubtful, self.gain, 0.0), len(self.gain))

    def least_certain(self) -> NDArray[np.int64]:
        """Shape (N,): cases by the probability of their likeliest class, the lowest first."""
        return np.argsort(self.probability.max(axis=1), kind="stable")


def case_beliefs(
    ratings: Ratings, fit: Fit, seed: int = 1, alike: BootstrapTest | None = None
) -> Run[CaseBeliefs | None]:
    """The beliefs about all cases; None where the fit does not determine them.

    Where raters are known and not alike, the model that tells them apart has the say: a pooled one counts the word of
    a guesser like that of an expert.

    Parameters
    ----------
    ratings, fit
        The data and a model fitted to them.
    seed
        Of the points that are averaged over where there is no exact integral.
    alike
        Whether raters are alike (`equal_raters`); where it is not known it is tested.

    Yields
    ------
    Step
        Phases ``fit``, ``check``, ``beliefs`` and those of sampling.
    """
    fit = yield from _by_rater_where_they_differ(ratings, fit, seed, alike)
    open_truth = any(e.name.name == "t" and e.estimate.value is None for e in fit.estimates)
    if not fit.rates_known or not fit.converged or open_truth:
        return None
    shape = (len(ratings.subjects), len(ratings.classes))
    if fit.estimator == "posterior" and fit.subject_posterior is not None and fit.subject_posterior.shape == shape:
        return _beliefs(fit, np.asarray(fit.subject_posterior))
    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    if fit.model.ordered is not Ordered.NONE:
        # Nothing is averaged over lines between classes: their estimates are taken as known.
        return CaseBeliefs(fit.model.name, subject_posterior(fit, plan, evidence))
    from tapdesk.fitting.averaged import averaged_posterior  # late: what integrates is a third of all there is to load

    posterior = yield from averaged_posterior(ratings, plan, evidence, fit.parameters, seed)
    return _beliefs(fit, posterior)


def _beliefs(fit: Fit, probability: NDArray[np.float64]) -> CaseBeliefs:
    """The beliefs, with what one more rating by a rater in the middle of the panel is worth."""
    rates = fit.parameters.rating_rates().mean(axis=0)
    told = rates.shape == (probability.shape[1],) * 2 and bool(np.isfinite(rates).all())
    return CaseBeliefs(fit.model.name, probability, class_gain(probability, rates) if told else None)


def _by_rater_where_they_differ(ratings: Ratings, fit: Fit, seed: int, alike: BootstrapTest | None) -> Run[Fit]:
    """The fit, or the by-rater one with the better AIC where the test of equal raters says that they are not alike."""
    large = len(ratings.raters) > _MOST_RATERS or ratings.subject.size > _MOST_RATINGS
    known = ratings.raters_known and len(ratings.raters) > 1
    if fit.model.name != "t-a-p" or fit.estimator != "exact-em" or large or not known:
        return fit
    try:
        alike = alike or (yield from equal_raters(ratings, _PERMUTATIONS, seed))
    except CannotAnswerError:
        return fit
    if not alike.rejects:
        return fit
    others = []
    for name in ("t-aj-p", "t-aj-pj") if few_leanings(ratings) else ("t-aj-p",):
        request = Request(replace(model(name), key=fit.model.key), interval="none", seed=seed)
        if not refusal(ratings, request):
            others.append((yield from analyse(ratings, request)))
    sentences = [other for other in others if other.identification.identified and other.converged]
    return min(sentences, key=lambda other: other.aic, default=fit)
