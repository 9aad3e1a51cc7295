"""Pictures of luck: the likelihood ratio of panels without information, and the noise horizon of root kappa."""

import numpy as np

from tapdesk.answers import chance as words_chance
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Bars, Figure, Mark, Role
from tapdesk.answers.figures import agreement as figures_agreement
from tapdesk.answers.nouns import counted
from tapdesk.answers.numbers import SCREEN
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies import chance as luck
from tapdesk.studies.chance import Horizon

_REPLICATES = 1000
_HORIZON = 2000
_BINS = 40
# A root that reads 0.00.
_NO_ROOT = 0.005


def chance_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why luck cannot be simulated, or None."""
    del fit
    weight = ratings.subject_weights()
    if not (weight[ratings.ratings_per_subject() > 1] > 0).any():
        return _("No case has two ratings, so there is no agreement that luck could have made.")
    if (ratings.class_rates() > 0).sum() < 2:
        return _("All ratings are in one class, so there is nothing that luck could have made.")
    return None


def chance(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture: likelihood ratios against accuracy 0."""
    found = yield from luck.chance(ratings, _REPLICATES, fit.seed)
    return (figures_agreement.chance(found),)


def horizon(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture: how large root kappa gets without any information."""
    found = yield from luck.horizon(ratings, _HORIZON, fit.seed)
    return (horizon_figure(found, ratings),)


def horizon_figure(found: Horizon, ratings: Ratings) -> Figure:
    """Simulated root kappas where there is one, the 95 % horizon, and where the real one stands."""
    roots = np.sqrt(found.draws[found.draws > 0])
    limit = found.quantiles["0.95"]
    seen = found.root_kappa
    # Where luck makes no root at all there is still an axis.
    reach = max(float(roots.max(initial=0.0)), limit, seen or 0.0, _NO_ROOT)
    high = min(1.0, float(np.ceil(10 * reach * 1.05)) / 10)
    heights, edges = np.histogram(roots, _BINS, (0.0, high))
    share = heights / found.draws.size
    words = words_chance.horizon(found, SCREEN)
    marks: list[Bars | Mark] = [
        Bars("", edges.astype(np.float64), share.astype(np.float64), Role.REFERENCE),
        Mark(_("95 % horizon"), limit),
    ]
    if seen is not None:
        marks.append(Mark(_("these ratings"), seen, role=Role.CLASSICAL))
    return Figure(
        kind="horizon",
        title=_horizon_title(limit, seen),
        alt=_("Root of Fleiss’ kappa in {n} simulated panels. {words}").format(
            n=numbers.count(found.draws.size), words=words
        ),
        x=Axis(_("root of Fleiss’ kappa"), 0.0, high),
        y=Axis(_("share of simulated panels"), 0.0, max(1.15 * float(share.max()), 0.02), percent=True),
        marks=tuple(marks),
        note=_(
            "N = {size}. Bars: {k} panels simulated at the observed rates without any information; "
            "{negative} of them have no root, for their kappa is not above 0."
        ).format(
            size=counted(ratings.subject_count, ratings.rating_count),
            k=numbers.count(found.draws.size),
            negative=numbers.percent(float((found.draws <= 0).mean())),
        )
        + (f" {words_chance.repeated()}" if found.repeated else ""),
    )


def _horizon_title(limit: float, seen: float | None) -> str:
    """How far luck reaches, and where these ratings stand; a root of 0 is none at all."""
    here = numbers.decimal(seen)
    if limit <= _NO_ROOT:
        if seen is None:
            return _("In 95 of 100 panels made by luck kappa is not above 0, and here it is not either")
        return _("In 95 of 100 panels made by luck kappa is not above 0; here its root is {value}").format(value=here)
    reach = numbers.decimal(limit)
    if seen is None:
        return _("In 95 of 100 panels made by luck √κ stays below {limit}; here kappa has no root").format(limit=reach)
    return _("In 95 of 100 panels made by luck √κ stays below {limit}; here it is {value}").format(
        limit=reach, value=here
    )
