"""Accuracies of raters drawn from one population, where the best fit of each by itself lies on the edge or says little.

An accuracy at 0 or 1 is where the search stopped, not what the ratings say: of panels of 30 cases most have one. There,
and where somebody gave few ratings, raters are told as members of a population (models_more.md §5), in a moment
(`tapdesk.fitting.sampling.pooled_quick`). Whom they differ from is the mean of their own accuracies in each draw.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, Identification, ParameterEstimate, Status, Summary
from tapdesk.fitting.sampling.pooled import ENOUGH_RATERS, PooledRaters, PoolRequest, new_raters
from tapdesk.fitting.sampling.pooled_quick import quick_pooled_raters
from tapdesk.fitting.sampling.posterior_summary import estimate_of, summarise
from tapdesk.language import gettext as _
from tapdesk.models.model import POOLED, Key
from tapdesk.models.parameters import FloatArray, ParameterName
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.contrasts import Contrasts
from tapdesk.studies.differences import PairedDifferences

FEW_RATINGS = 30
"""Who gave fewer is drawn towards the others."""
FEW_GUESSES = 2 * FEW_RATINGS
"""Of fewer ratings hardly enough are guesses to show how they fall."""
MOST_RATERS, MOST_LEANING = 40, 15
"""How many are told in a moment: of one way of guessing, and of guesses of their own."""
_EDGE = 1e-4
_A = ParameterName("a")


@dataclass(frozen=True, eq=False)
class EdgePooling:
    """Raters drawn from one population, in the place of a fit of each by itself.

    Attributes
    ----------
    fit
        The fit with the numbers that are believed then, means with their shortest intervals.
    edge
        Raters with a number on the edge by their own ratings (`edge_raters`).
    few
        Raters with fewer than `FEW_RATINGS` ratings.
    panel
        The mean accuracy of these raters.
    typical, new
        The accuracy of a typical rater, and of one who is not known yet.
    alike
        Probability that the accuracies are alike for practical purposes.
    draws
        Shape (n, J): accuracies, raters in the order of the fit.
    """

    fit: Fit
    edge: tuple[str, ...]
    few: tuple[str, ...]
    panel: Estimate
    typical: Summary
    new: Summary
    alike: float
    draws: FloatArray

    @property
    def contrasts(self) -> Contrasts:
        """Each rater against the mean and against the middle one, by intervals that hold for all at once."""
        names, level, last = self.fit.raters, self.fit.interval[1], self.draws.shape[1]
        whole, middle = self.draws.mean(axis=1), np.median(self.draws, axis=1)
        against = (_against(self.draws, one, level, last) for one in (whole, middle))
        return Contrasts(self.fit.model.name, names, next(against), middle=next(against))


def _against(draws: FloatArray, one: FloatArray, level: float, last: int) -> PairedDifferences:
    rows = np.concatenate([draws, one[:, None]], axis=1)
    return PairedDifferences(rows.mean(axis=0), level, rows, last)


def edge_raters(fit: Fit, ratings: Ratings) -> tuple[str, ...]:
    """Raters who have a number on the edge by the best fit: an accuracy, or with few ratings a rate of guesses."""
    few = set(few_ratings(ratings, FEW_GUESSES))
    edge = {
        e.name.rater
        for e in fit.estimates
        if e.name.rater is not None and e.estimate.value is not None and not _EDGE < e.estimate.value < 1 - _EDGE
        if e.name.name == "a" or (e.name.name == "p" and e.name.rater in few)
    }
    return tuple(name for name in fit.raters if name in edge)


def few_ratings(ratings: Ratings, most: int = FEW_RATINGS) -> tuple[str, ...]:
    """Raters with fewer ratings than ``most``."""
    given = np.bincount(ratings.rater, ratings.subject_weights()[ratings.subject], len(ratings.raters))
    return tuple(name for name, count in zip(ratings.raters, given, strict=True) if 0 < count < most)


def wants_pooling(fit: Fit, ratings: Ratings) -> bool:
    """Whether raters are to be told as drawn from one population: enough of them, and some on the edge or hardly known.

    Known answers tell raters apart by themselves, and there nobody is drawn towards others.
    """
    row = fit.model
    if fit.estimator != "exact-em" or row.name not in POOLED or row.key is not Key.UNUSED or row.by_group:
        return False
    if not (fit.converged and fit.identification.by_design and ratings.raters_known):
        return False
    most = MOST_LEANING if row.guessing.by_rater else MOST_RATERS
    if not ENOUGH_RATERS <= len(ratings.raters) <= most:
        return False
    return bool(edge_raters(fit, ratings) or few_ratings(ratings))


def edge_pooling(ratings: Ratings, fit: Fit, seed: int) -> Run[EdgePooling]:
    """Draw the raters of a fit from one population.

    Parameters
    ----------
    ratings, fit
        The data, and the fit of each rater by itself (`wants_pooling`).
    seed
        Of the draws.

    Yields
    ------
    Step
        Phase ``fit``.

    Raises
    ------
    CannotAnswerError
        When the approximation does not settle; then only long chains can tell.
    """
    level = fit.interval[1]
    pool = yield from quick_pooled_raters(ratings, seed, PoolRequest(), fit.model)
    if not pool.settled:
        raise CannotAnswerError(
            _(
                "{Raters} drawn from one population could not be told in a moment here; chains can tell them "
                "(--pool --estimator posterior)."
            ).format()
        )
    told = tuple(_pooled(e, pool, level) for e in fit.estimates)
    draws = np.stack([pool.draws[replace(_A, rater=name)] for name in fit.raters], axis=1)
    mu, omega = (pool.draws[ParameterName(name)] for name in ("mu", "omega"))
    typical, new = (
        summarise(_A, own, level, pool.worth)[0] for own in (np.asarray(expit(mu)), new_raters(mu, omega, seed))
    )
    whole = estimate_of(summarise(_A, draws.mean(axis=1), level, pool.worth)[0], level)
    believed = replace(
        fit, estimates=told, interval=("posterior", level), estimator="posterior", status=Status.SETTLED,
        active_bounds=(), identification=Identification(by_design=True, here=True, words=""),
    )  # fmt: skip
    return EdgePooling(
        believed, edge_raters(fit, ratings), few_ratings(ratings), whole, typical, new, pool.alike, draws
    )


def _pooled(one: ParameterEstimate, pool: PooledRaters, level: float) -> ParameterEstimate:
    """A number as it is believed; as it was where the population has none of its name."""
    draws = pool.draws.get(one.name)
    if draws is None:
        return one
    return ParameterEstimate(
        one.name, one.freedom, estimate_of(summarise(one.name, draws, level, pool.worth)[0], level)
    )
