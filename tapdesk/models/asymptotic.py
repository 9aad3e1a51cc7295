"""What the numbers of a model come to in the long run: rates of the classes, matches by cause, kappa."""

from dataclasses import dataclass

import numpy as np

from tapdesk.models.parameters import Parameters
from tapdesk.models.stack import FloatArray


@dataclass(frozen=True, eq=False)
class Asymptotic:
    """Shares that very many ratings come to, each rater rating as often as any other.

    Attributes
    ----------
    truth, given
        Shape (K,): shares of the classes among cases, and among ratings.
    accurate, mixed, inaccurate
        Shares of the pairs of ratings of a case by two raters that match because both are justified, one of them, or
        neither; None where a model has no accuracy.
    random
        How often two guesses of different raters match, whatever the case; None likewise, and where guesses go with the
        case.
    observed
        Share of the pairs that match; None of a single rater.
    kappa
        Fleiss'; None of a single rater, and where only one class is ever given.
    """

    truth: FloatArray
    given: FloatArray
    accurate: float | None = None
    mixed: float | None = None
    inaccurate: float | None = None
    random: float | None = None
    observed: float | None = None
    kappa: float | None = None


def asymptotic(point: Parameters, raters: int) -> Asymptotic | None:
    """Shares in the long run, the generalisation of Kappa Zoo ch. 9, eq. 1, to raters and classes that differ.

    Parameters
    ----------
    point
        The parameters; a regression has none without the values its accuracy goes with, hence None.
    raters
        How many; with parameters of their own where the model gives them such.
    """
    if point.slopes.size:
        return None
    t, k = point.truth, point.classes
    rates = _of_each(point.rating_rates(), raters)
    given = np.asarray(t @ rates.mean(axis=0))
    if raters < 2:
        return Asymptotic(t, given)
    observed = float(t @ _pairs(rates).sum(axis=1))
    chance = float(given @ given)
    kappa = (observed - chance) / (1 - chance) if 1 - chance > 1e-12 else None
    told = Asymptotic(t, given, observed=observed, kappa=kappa)
    a = np.broadcast_to(_of_each(point.accuracy, raters), (raters, k))
    if not a.any() and point.guessing.shape[1] > 1:
        return told
    p = np.broadcast_to(_of_each(point.guessing, raters), (raters, k, k))
    guessed = (1 - a)[:, :, None] * p
    accurate, inaccurate = float(t @ _pairs(a)), float(t @ _pairs(guessed).sum(axis=1))
    random = float(_pairs(p[:, 0]).sum()) if point.guessing.shape[1] == 1 else None
    return Asymptotic(t, given, accurate, observed - accurate - inaccurate, inaccurate, random, observed, kappa)


def _of_each(values: FloatArray, raters: int) -> FloatArray:
    """Values by rater: those that all share, so often."""
    return np.broadcast_to(values, (raters, *values.shape[1:]))


def _pairs(values: FloatArray) -> FloatArray:
    """The mean of the products of two different raters, the first axis."""
    raters = values.shape[0]
    return np.asarray((values.sum(axis=0) ** 2 - (values**2).sum(axis=0)) / (raters * (raters - 1)))
