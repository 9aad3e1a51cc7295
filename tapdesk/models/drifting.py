"""Simulated ratings whose raters become more or less accurate along the order in which they rate."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from scipy.special import expit, logit

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel
from tapdesk.models.parameters import Parameters
from tapdesk.ratings.ratings import Covariate, CovariateOf, IntArray, Ratings

ORDER = "order"
"""The column of the place of each rating among all."""
DRIFTING = ("t-a-p", "t-aj-p", "t-aj-pj")
"""Models whose raters can be made to drift."""
_STREAM = 71
_INSIDE = 1e-6


def drift_ends(texts: Sequence[str], raters: Sequence[str]) -> Mapping[str, tuple[float, float]]:
    """Of each rater the accuracy at the first and at the last rating.

    Parameters
    ----------
    texts
        Such as ``J1=.9,.3``.
    raters
        Who there is.

    Raises
    ------
    UsageError
        When a text says no such thing, or of nobody.
    """
    ends = {}
    for text in texts:
        name, _equals, values = text.partition("=")
        try:
            first, last = (float(part) for part in values.split(","))
        except ValueError:
            first, last = -1.0, -1.0
        if not (0 <= first <= 1 and 0 <= last <= 1):
            raise UsageError(
                _("'{text}' does not say how accurate {a_rater} is at first and at last.").format(text=Label(text)),
                "--drift",
                _("Write {a_rater} and two shares, such as J1=.9,.3."),
            )
        if name.strip() not in raters:
            raise UsageError(
                _("There is no {rater} '{name}'.").format(name=Label(name.strip())),
                "--drift",
                _("The {raters} are {names}.").format(names=", ".join(raters)),
            )
        ends[name.strip()] = first, last
    return ends


def with_drift(
    ratings: Ratings,
    truth: IntArray,
    row: RaterModel,
    parameters: Parameters,
    ends: Mapping[str, tuple[float, float]],
    seed: int,
) -> Ratings:
    """The ratings with those of some raters drawn anew, and a column that says in which order all were given.

    The logit of the accuracy runs along a straight line from a rater's first rating to the last; an accuracy of 0 or 1
    counts as one in a million off.

    Parameters
    ----------
    ratings, truth
        Simulated ratings and the true class of each case; each rater rates the cases in their order.
    row, parameters
        One of `DRIFTING`, and its numbers: how guesses fall.
    ends
        As of `drift_ends`.
    seed
        Of the random numbers.

    Raises
    ------
    UsageError
        When the model has no raters who drift.
    """
    if row.name not in DRIFTING:
        raise UsageError(
            _("{option} has no effect on the model {name}.").format(option="--drift", name=row.name),
            "--drift",
            _("Leave it out, or choose a model such as {other}.").format(other="t-aj-p"),
        )
    rng = np.random.default_rng(np.random.SeedSequence([seed, _STREAM]))
    category, guesses = ratings.category.copy(), parameters.guessing[:, 0]
    for name, pair in ends.items():
        own = np.flatnonzero(ratings.rater == ratings.raters.index(name))
        first, last = (float(logit(min(max(x, _INSIDE), 1 - _INSIDE))) for x in pair)
        line = np.linspace(first, last, own.size)
        rates = guesses[ratings.raters.index(name) if guesses.shape[0] > 1 else 0]
        guess = rng.choice(rates.size, own.size, p=rates / rates.sum())
        right = rng.random(own.size) < expit(line)
        category[own] = np.where(right, truth[ratings.subject[own]], guess)
    place = np.arange(1, category.size + 1).astype(object)
    columns = {**ratings.covariates, ORDER: Covariate(ORDER, CovariateOf.RATING, place)}
    return replace(ratings, category=category, covariates=MappingProxyType(columns))
