"""Which raters or classes differ: by their differences in cases drawn again, never by whether two intervals meet.

All numbers of one fit share their cases. Raters are set against the panel as a whole (t-a-p), whose accuracy moves with
theirs; what their ratings tell, and accuracies of classes, every two of them. The intervals hold for all differences
at once (`tapdesk.studies.differences`).
"""

from dataclasses import dataclass

import numpy as np

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.differences import Differences, View, each_alone, paired_differences
from tapdesk.studies.rater_diagnostics import rater_information, rater_informations

_RESAMPLED = "exact-em"


@dataclass(frozen=True, eq=False)
class Contrasts:
    """How the numbers of one fit differ.

    Attributes
    ----------
    model
        Name of the model whose numbers they are.
    names
        Raters or classes whose accuracies are compared.
    accuracies
        Of classes every two; of raters each against the panel, which stands last. None where nothing can be compared.
    informed
        Raters whose information is compared; empty for classes.
    informations
        Every two of these; None where fewer than two have one.
    """

    model: str
    names: tuple[str, ...]
    accuracies: Differences | None
    informed: tuple[str, ...] = ()
    informations: Differences | None = None

    def from_panel(self, rater: str) -> int:
        """Where a rater clearly stands: -1 below the panel, 1 above it, 0 where that cannot be said."""
        if self.accuracies is None or rater not in self.names:
            return 0
        panel, at = len(self.names), self.names.index(rater)
        found = self.accuracies.between(at, panel)
        if not found.clear:
            return 0
        return -1 if found.lower == at else 1


def class_contrasts(ratings: Ratings, fit: Fit, seed: int = 1) -> Run[Contrasts]:
    """How the accuracies of the classes differ.

    Parameters
    ----------
    ratings, fit
        The data, and a fit with an accuracy for each class.
    seed
        Of the resamples.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When fewer than two classes have an accuracy.
    """
    told = [(k, e.estimate) for k, e in enumerate(_accuracies(fit)) if e.estimate.value is not None]
    if len(told) < 2 or not fit.identification.identified or not fit.converged:
        raise CannotAnswerError(_("These {ratings} do not tell the accuracies of two classes."))
    at = np.array([k for k, _e in told])
    estimates, names = tuple(e for _k, e in told), tuple(fit.classes[k] for k in at)
    if fit.estimator != _RESAMPLED:
        return Contrasts(fit.model.name, names, each_alone(estimates, fit.interval[1]))
    view = View(ratings, fit, lambda stack: np.asarray(stack.accuracy[:, 0, at]), estimates)
    return Contrasts(fit.model.name, names, (yield from paired_differences(ratings, [view], fit.interval[1], seed)))


def rater_contrasts(ratings: Ratings, fit: Fit, panel: Fit | None, seed: int = 1) -> Run[Contrasts]:
    """How the accuracies of raters differ from that of the panel, and what their ratings tell from one another.

    Parameters
    ----------
    ratings, fit
        The data, and a fit with an accuracy for each rater.
    panel
        A fit with a single accuracy; None where there is none to set raters against.
    seed
        Of the resamples.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When no rater has an accuracy.
    """
    told = {e.name.rater: e.estimate for e in _accuracies(fit) if e.estimate.value is not None}
    if not told or not fit.identification.identified or not fit.converged:
        raise CannotAnswerError(_("These {ratings} do not tell the accuracies of single {raters}."))
    names, level = tuple(name for name in fit.raters if name in told), fit.interval[1]
    informed, informations = yield from information_contrasts(ratings, fit, seed)
    whole = None if panel is None else panel.estimate("a")
    if panel is None or whole is None or whole.value is None:
        return Contrasts(fit.model.name, names, None, informed, informations)
    estimates = tuple(told[name] for name in names)
    if fit.estimator != _RESAMPLED or panel.estimator != _RESAMPLED:
        return Contrasts(
            fit.model.name, names, each_alone([*estimates, whole], level, len(names)), informed, informations
        )
    at = np.array([fit.raters.index(name) for name in names])
    views = [View(ratings, fit, lambda stack: np.asarray(stack.accuracy[:, at, 0]), estimates), View(ratings, panel)]
    accuracies = yield from paired_differences(ratings, views, level, seed, against=len(names))
    return Contrasts(fit.model.name, names, accuracies, informed, informations)


def information_contrasts(ratings: Ratings, fit: Fit, seed: int = 1) -> Run[tuple[tuple[str, ...], Differences | None]]:
    """How much the ratings of raters tell, every two set against each other.

    Parameters
    ----------
    ratings, fit, seed
        As `rater_contrasts`.

    Yields
    ------
    Step
        Phase ``re-draws``.

    Returns
    -------
    tuple
        The raters of whom it is known, and the differences; None of fewer than two.
    """
    known = [(j, e) for j, e in enumerate(rater_informations(fit)) if e.value is not None]
    tells, names = np.array([j for j, _e in known], dtype=np.int64), tuple(fit.raters[j] for j, _e in known)
    shares = tuple(e for _j, e in known)
    if len(names) < 2:
        return names, None
    if fit.estimator != _RESAMPLED:
        return names, each_alone(shares, fit.interval[1])
    view = View(ratings, fit, lambda stack: _informations(stack)[:, tells], shares)
    return names, (yield from paired_differences(ratings, [view], fit.interval[1], seed))


def _informations(stack: Stack) -> FloatArray:
    """Shape (B, raters): what a rating of each rater tells; nothing where every case is of one class."""
    told = np.array([rater_information(stack.one(b)) for b in range(stack.size)])
    return np.asarray(np.nan_to_num(told))


def _accuracies(fit: Fit) -> list[ParameterEstimate]:
    """The accuracies in the order of raters or classes."""
    return [e for e in fit.estimates if e.name.name in {"a", "a0", "a1"}]
