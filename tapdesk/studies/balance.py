"""Does leaving out cases of the frequent class mend an imbalance? Kappa and accuracy before and after."""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import fit_count_vectors
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import CountVectors, design_count_vectors


@dataclass(frozen=True, eq=False)
class Balance:
    """Kappa and the accuracy by t-a-p of some data sets as they are, and with as many cases of either class.

    Attributes
    ----------
    left
        Shape (B,): cases of each data set that are left.
    kappa, kappa_after, a, a_after
        Shape (B,): before and after; NaN where undefined.
    """

    left: FloatArray
    kappa: FloatArray
    kappa_after: FloatArray
    a: FloatArray
    a_after: FloatArray


@dataclass(frozen=True, eq=False)
class BalanceStudy:
    """Own ratings balanced again and again, and panels of known accuracy balanced once each.

    Attributes
    ----------
    own, made
        Of the ratings at hand, whose values before are all alike, and of panels made with the numbers found in them.
    t, a
        These numbers: the rate of class 1, and the accuracy that was put in.
    frequent
        The class whose cases are left out.
    """

    own: Balance
    made: Balance
    t: float
    a: float
    frequent: int


def balanced(here: CountVectors, weights: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Weights (B, P) of data sets of two classes with cases of the more frequent class left out at random.

    As many cases stay with most ratings in one class as with most in the other; a coin says of those that are split
    evenly where they belong.

    Parameters
    ----------
    here
        The vectors of class counts.
    weights
        Shape (B, P): how often each occurs.
    rng
        Of the draws.
    """
    most = np.sign(2 * here.table[:, 1] - here.size)
    some = np.zeros_like(weights)
    for i, row in enumerate(weights.astype(np.int64)):
        ones = np.where(most > 0, row, np.where(most == 0, rng.binomial(row, 0.5), 0))
        wanted = min(int(ones.sum()), int((row - ones).sum()))
        for side in (ones, row - ones):
            some[i] += rng.multivariate_hypergeometric(side, wanted)
    return some


def balance(here: CountVectors, weights: FloatArray, point: tuple[float, float, float], seed: int) -> Run[Balance]:
    """Balance some data sets and say what that does to kappa and to the accuracy by t-a-p.

    Parameters
    ----------
    here, weights
        As in `balanced`.
    point
        t, a and p near which the fits begin.
    seed
        Of the draws.

    Yields
    ------
    Step
        The phase ``study`` of both fits.
    """
    t, a, p = point
    near = [shared_point([1 - t, t], a, [1 - p, p])]
    some = balanced(here, weights, np.random.default_rng(seed))
    found = []
    for sets in (weights, some):
        top = yield from fit_count_vectors(model("t-a-p"), here, sets, near, phase="study")
        found.append(np.asarray(top.stack.accuracy[:, 0, 0]))
    kappas = [fleiss_kappas(here.patterns, sets) for sets in (weights, some)]
    return Balance(some.sum(axis=1), *kappas, *found)


def balance_study(ratings: Ratings, fit: Fit, seed: int, sets: int = 100) -> Run[BalanceStudy]:
    """The ratings at hand with cases of the frequent class left out, and panels like them whose accuracy is known.

    Parameters
    ----------
    ratings
        Of two classes.
    fit
        Of t-a-p to them: with its numbers panels are made.
    seed
        Of everything random.
    sets
        How often cases are left out, and how many panels are made.

    Yields
    ------
    Step
        The phase ``study`` of the fits.

    Raises
    ------
    CannotAnswerError
        When the cases have too many different numbers of ratings, or one class never has most ratings of a case.
    """
    here = design_count_vectors(ratings)
    if here is None:
        raise CannotAnswerError(_("The {subjects} have too many different numbers of {ratings} for this."))
    t, a, p = (float(fit.estimate(name).value or 0.0) for name in ("t", "a", "p"))
    weights = _own_weights(here, ratings)
    ones, noughts = 2 * here.table[:, 1] > here.size, 2 * here.table[:, 1] < here.size
    sizes = float(weights[noughts].sum()), float(weights[ones].sum())
    few = CannotAnswerError(_("Too few {subjects} have most of their {ratings} in the rarer class to be balanced."))
    if min(sizes) < 1:
        raise few
    if sizes[0] == sizes[1]:
        raise CannotAnswerError(_("As many {subjects} are mostly of one class as of the other: they are balanced."))
    drawn = here.draw(shared_point([1 - t, t], a, [1 - p, p]), sets, np.random.default_rng([seed, 1]))
    # A panel with one class alone has no kappa and nothing to balance.
    both = (drawn[:, ones].sum(axis=1) > 0) & (drawn[:, noughts].sum(axis=1) > 0)
    if not both.any():
        raise few
    own = yield from balance(here, np.repeat(weights[None], sets, axis=0), (t, a, p), seed)
    made = yield from balance(here, drawn[both], (t, a, p), seed + 1)
    return BalanceStudy(own, made, t, a, int(np.argmax(sizes)))


def _own_weights(here: CountVectors, ratings: Ratings) -> FloatArray:
    """Shape (P,): how many cases have each vector of class counts."""
    place = {tuple(row): i for i, row in enumerate(here.table.tolist())}
    weights = np.zeros(here.size.size)
    for counts, weight in zip(ratings.counts().astype(np.int64).tolist(), ratings.subject_weights(), strict=True):
        if sum(counts):
            weights[place[tuple(counts)]] += weight
    return weights
