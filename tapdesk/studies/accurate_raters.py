"""Only the raters of at least some accuracy: the panel before and after, for every accuracy that may be asked."""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.fleiss_kappa import kappa_estimate, root

LEAST = tuple(i / 10 for i in range(1, 10))
"""The accuracies that are asked of raters."""
_FEWEST = 2


@dataclass(frozen=True, eq=False)
class AccurateRaters:
    """A panel of the raters of at least some accuracy.

    Attributes
    ----------
    least
        The accuracy asked of them; 0 for all raters.
    raters, left_out
        Who stays, and who does not.
    ratings, subjects
        How many there are; cases that keep fewer than two ratings are left out.
    fit
        Of t-a-p, with profile intervals.
    root_kappa
        Root of Fleiss' kappa.
    """

    least: float
    raters: tuple[str, ...]
    left_out: tuple[str, ...]
    ratings: float
    subjects: float
    fit: Fit
    root_kappa: Estimate


def rater_accuracies(ratings: Ratings, fit: Fit | None, seed: int) -> Run[dict[str, float]]:
    """The accuracy of each rater by a fit, where there is one that tells raters apart, else by t-aj-p.

    Raises
    ------
    CannotAnswerError
        When these ratings do not tell the raters apart.
    """
    if fit is None or fit.model.accuracy is not Accuracy.PER_RATER:
        own = model("t-aj-p")
        if reason := ExactEM().refuses(own, ratings):
            raise CannotAnswerError(reason)
        fit = yield from ExactEM().run(own, ratings, seed)
    known = {e.name.rater or "": e.estimate.value for e in fit.estimates if e.name.name == "a" and e.name.rater}
    values = {name: float(value) for name, value in known.items() if value is not None}
    if not fit.identification.identified or len(values) < len(ratings.raters):
        raise CannotAnswerError(
            _("These {ratings} do not tell single {raters} apart. {words}").format(words=fit.identification.words)
        )
    return values


def accurate_raters(ratings: Ratings, fit: Fit) -> Run[tuple[AccurateRaters, ...]]:
    """The panel of all raters, then those of the raters of at least .1, .2, … as far as each leaves somebody more out.

    Parameters
    ----------
    ratings
        Of known raters.
    fit
        The answer at hand: whose accuracies count, where it tells raters apart.

    Yields
    ------
    Step
        The phases of the fits.

    Raises
    ------
    CannotAnswerError
        When raters cannot be told apart, or no accuracy leaves out some and keeps two.
    """
    own = yield from rater_accuracies(ratings, fit, fit.seed)
    low, high = min(own.values()), max(own.values())
    # Raters whom no tenth parts are parted in the middle.
    asked = [least for least in LEAST if low < least <= high] or [float(np.median(list(own.values())))]
    panels: list[AccurateRaters] = []
    for least in (0.0, *asked):
        stay = tuple(name for name in ratings.raters if own[name] >= least or least == 0.0)
        if len(stay) < _FEWEST or (panels and len(stay) == len(panels[-1].raters)):
            continue
        some = _several(ratings.keep(np.isin(np.array(ratings.raters), stay)[ratings.rater]))
        if len(set(some.category.tolist())) < 2:
            continue
        found = yield from analyse(some, Request(model("t-a-p"), level=fit.interval[1], seed=fit.seed), shares=False)
        gone = tuple(name for name in ratings.raters if name not in stay)
        count = float(some.subject_weights()[some.subject].sum())
        kappa = root(kappa_estimate(some, fit.interval[1]))
        panels.append(AccurateRaters(least, stay, gone, count, some.subject_count, found, kappa))
    if len(panels) < 2:
        raise CannotAnswerError(
            _("The accuracies of these {raters}, from {low} to {high}, leave out nobody or all but one.").format(
                low=f"{low:.2f}", high=f"{high:.2f}"
            )
        )
    return tuple(panels)


def _several(ratings: Ratings) -> Ratings:
    """Without cases of a single rating, and raters who are left with none."""
    return ratings.keep((np.bincount(ratings.subject, minlength=len(ratings.subjects)) > 1)[ratings.subject]).panel()
