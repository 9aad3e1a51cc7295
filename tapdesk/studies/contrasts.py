"""Which raters or classes differ: by their differences in cases drawn again, never by whether two intervals meet.

All numbers of one fit share their cases. Raters are set against the panel as a whole (t-a-p), whose accuracy moves with
theirs, and against the middle one of their accuracies: a single poor rater pulls the panel down, and the able ones
would stand above it. What their ratings tell, and accuracies of classes, are compared every two, informations only
where the test of equal raters rejects. The intervals hold for all differences at once (`tapdesk.studies.differences`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.differences import (
    Difference,
    Differences,
    PairedDifferences,
    SeparateDifferences,
    View,
    each_alone,
    paired_differences,
)
from tapdesk.studies.rater_diagnostics import rater_information, rater_informations
from tapdesk.studies.rater_differences import equal_raters

_RESAMPLED = "exact-em"
_PERMUTATIONS = 300


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
        Every two of these, none clear where nothing says raters differ; None where fewer than two have one.
    middle
        The accuracies of raters, each against the middle one of them, which stands last; None for classes and where
        nothing can be compared.
    """

    model: str
    names: tuple[str, ...]
    accuracies: Differences | None
    informed: tuple[str, ...] = ()
    informations: Differences | None = None
    middle: Differences | None = None

    def from_panel(self, rater: str) -> int:
        """Where a rater clearly stands: -1 below the panel, 1 above it, 0 where that cannot be said.

        Nobody stands above who only is better than a panel that somebody else pulls down: the middle rater has to lie
        on the same side.
        """
        if self.accuracies is None or self.middle is None or rater not in self.names:
            return 0
        at, last = self.names.index(rater), len(self.names)
        sides = {_side(result.between(at, last), at) for result in (self.accuracies, self.middle)}
        return sides.pop() if len(sides) == 1 else 0


def _side(difference: Difference, at: int) -> int:
    """On which side of the other the one at a place clearly lies."""
    return 0 if not difference.clear else -1 if difference.lower == at else 1


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
    sentences = [(k, e.estimate) for k, e in enumerate(_accuracies(fit)) if e.estimate.value is not None]
    if len(sentences) < 2 or not fit.identification.identified or not fit.converged:
        raise CannotAnswerError(_("These {ratings} do not tell the accuracies of two classes."))
    at = np.array([k for k, _e in sentences])
    estimates, names = tuple(e for _k, e in sentences), tuple(fit.classes[k] for k in at)
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
    table = {e.name.rater: e.estimate for e in _accuracies(fit) if e.estimate.value is not None}
    if not table or not fit.identification.identified or not fit.converged:
        raise CannotAnswerError(_("These {ratings} do not tell the accuracies of single {raters}."))
    names, level = tuple(name for name in fit.raters if name in table), fit.interval[1]
    whole = None if panel is None else panel.estimate("a")
    if panel is None or whole is None or whole.value is None:
        return Contrasts(fit.model.name, names, None, *(yield from information_contrasts(ratings, fit, seed)))
    estimates = tuple(table[name] for name in names)
    last, middle = len(names), _middle(estimates)
    if fit.estimator != _RESAMPLED or panel.estimator != _RESAMPLED:
        informed, informations = yield from information_contrasts(ratings, fit, seed)
        against_panel, against_middle = (each_alone([*estimates, one], level, last) for one in (whole, middle))
        return Contrasts(fit.model.name, names, against_panel, informed, informations, against_middle)
    at = np.array([fit.raters.index(name) for name in names])
    tells, shares = _informed(fit)

    def numbers(stack: Stack) -> FloatArray:
        own = stack.accuracy[:, at, 0]
        return np.concatenate([own, np.median(own, axis=1, keepdims=True), _informations(stack)[:, tells]], axis=1)

    views = [View(ratings, fit, numbers, (*estimates, middle, *shares)), View(ratings, panel)]
    differences = yield from paired_differences(ratings, views, level, seed)
    informed = tuple(fit.raters[j] for j in tells)
    if differences is None:
        return Contrasts(fit.model.name, names, None, informed)
    own, end = np.arange(last), last + 1 + tells.size
    informations = yield from _unless_alike(differences.part(np.arange(last + 1, end)), ratings, seed)
    return Contrasts(
        fit.model.name, names, differences.part(np.append(own, end), last), informed, informations,
        differences.part(np.arange(last + 1), last),
    )  # fmt: skip


def _middle(estimates: Sequence[Estimate]) -> Estimate:
    """The middle one of some accuracies; its interval, where all have one, is the middle one of theirs."""
    value = float(np.median([e.value for e in estimates if e.value is not None]))
    lows, highs = [e.low for e in estimates if e.low is not None], [e.high for e in estimates if e.high is not None]
    if min(len(lows), len(highs)) < len(estimates):
        return Estimate(value)
    return replace(Estimate(value), low=float(np.median(lows)), high=float(np.median(highs)))


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
    tells, shares = _informed(fit)
    names = tuple(fit.raters[j] for j in tells)
    if len(names) < 2:
        return names, None
    if fit.estimator != _RESAMPLED:
        return names, (yield from _unless_alike(each_alone(shares, fit.interval[1]), ratings, seed))
    view = View(ratings, fit, lambda stack: _informations(stack)[:, tells], shares)
    differences = yield from paired_differences(ratings, [view], fit.interval[1], seed)
    return names, None if differences is None else (yield from _unless_alike(differences, ratings, seed))


def _informed(fit: Fit) -> tuple[NDArray[np.int64], tuple[Estimate, ...]]:
    """Places of the raters of whom it is known what their ratings tell, and that."""
    known = [(j, e) for j, e in enumerate(rater_informations(fit)) if e.value is not None]
    return np.array([j for j, _e in known], dtype=np.int64), tuple(e for _j, e in known)


def _unless_alike(
    result: PairedDifferences | SeparateDifferences, ratings: Ratings, seed: int
) -> Run[Differences | None]:
    """What raters tell, set against each other; none is clear where the test of equal raters does not reject."""
    if result.values.size < 2:
        return None
    test = yield from equal_raters(ratings, _PERMUTATIONS, seed)
    return result if test.rejects else replace(result, alike=True)


def _informations(stack: Stack) -> FloatArray:
    """Shape (B, raters): what a rating of each rater tells; nothing where every case is of one class."""
    sentence = np.array([rater_information(stack.one(b)) for b in range(stack.size)])
    return np.asarray(np.nan_to_num(sentence))


def _accuracies(fit: Fit) -> list[ParameterEstimate]:
    """The accuracies in the order of raters or classes."""
    return [e for e in fit.estimates if e.name.name in {"a", "a0", "a1"}]
