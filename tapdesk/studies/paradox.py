"""Kappa paradox: raters agree on nearly all, kappa is low, and what the data then leave open (models.md §8)."""

from dataclasses import dataclass
from typing import cast

import numpy as np

from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.agreement.interpretation import shows_paradox as differ
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Curve, Posterior
from tapdesk.fitting.quadrature.method import Quadrature
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Paradox:
    """What is known of accuracy when agreement and kappa tell different stories.

    Attributes
    ----------
    shows
        Whether they do: raw agreement exceeds kappa by more than .3, and one class has more than three quarters of the
        ratings.
    classes
        The two labels, class 1 last.
    most
        The commonest class.
    share
        Its share of the ratings.
    agreement, kappa, ac1
        Raw agreement, Fleiss' kappa and Gwet's AC1; None where undefined.
    one
        Exact posterior of t-a-p: of t, a, p and p - t, with its readings.
    two
        Exact posterior of t-a0a1-p: of (a1, a0). The data never determine it; along what is open it is the prior's.
    subjects, ratings
        What was used.
    """

    shows: bool
    classes: tuple[str, ...]
    most: str
    share: float
    agreement: float | None
    kappa: float | None
    ac1: float | None
    one: Posterior
    two: Posterior
    subjects: int
    ratings: int


def refusal(ratings: Ratings) -> str | None:
    """Why there is no such study of these ratings, or None."""
    reason = Quadrature().refuses(model("t-a-p"), ratings)
    if reason is None and not (ratings.subject_weights()[ratings.ratings_per_subject() > 1] > 0).any():
        reason = _("No {subject} has two {ratings}, so nothing shows whether {ratings} agree.")
    return reason


def paradox(ratings: Ratings, coefficients: tuple[Coefficient, ...] = (), seed: int = 1) -> Run[Paradox]:
    """The exact posteriors of both models, and whether the paradox shows.

    Parameters
    ----------
    ratings
        The data, two classes.
    coefficients
        Of the same ratings, where they are known already.
    seed
        Of the kept draws; no number here depends on it.

    Yields
    ------
    Step
        The phases of the coefficients and of the integration.

    Raises
    ------
    CannotAnswerError
        When there are no ratings, not two classes, or no case has two ratings.
    """
    reason = refusal(ratings)
    if reason:
        raise CannotAnswerError(reason)
    if not coefficients:
        coefficients = yield from agree(ratings, interval="none")
    rates = ratings.class_rates()
    at = int(rates.argmax())
    one = yield from exact_posterior(ratings, "t-a-p", seed)
    two = yield from exact_posterior(ratings, "t-a0a1-p", seed)
    values = {c.name: c.estimate.value for c in coefficients if c.weights == "identity" and c.raters is None}
    return Paradox(
        shows=differ(coefficients, float(rates[at])),
        classes=ratings.classes,
        most=ratings.classes[at],
        share=float(rates[at]),
        agreement=values.get("percent_agreement"),
        kappa=values.get("fleiss_kappa"),
        ac1=values.get("gwet_ac"),
        one=one,
        two=two,
        subjects=ratings.subject_count,
        ratings=ratings.rating_count,
    )


def exact_posterior(ratings: Ratings, name: str, seed: int) -> Run[Posterior]:
    """The exact posterior of a model.

    Raises
    ------
    CannotAnswerError
        When the ratings are not of two classes.
    """
    reason = Quadrature().refuses(model(name), ratings)
    if reason:
        raise CannotAnswerError(reason)
    fit = yield from Quadrature().run(model(name), ratings, seed)
    return cast("Posterior", fit.posterior)


def masses(curve: Curve, edges: FloatArray) -> FloatArray:
    """Shape (cells,): share of a density between neighbouring edges."""
    result = between(curve, edges)
    # The curve ends a hair inside the scale; what lies beyond belongs to the outer cells.
    return np.asarray(result / result.sum())


def between(curve: Curve, edges: FloatArray) -> FloatArray:
    """Shape (cells,): mass of a density between neighbouring edges, of the whole mass of the curve."""
    steps = np.diff(curve.x) * (curve.density[1:] + curve.density[:-1]) / 2
    below = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(np.diff(np.interp(edges, curve.x, below / below[-1])))
