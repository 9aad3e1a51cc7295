"""Percentile intervals from re-draws, over those re-draws in which the number has a value."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.fit import Fit, FitFinding
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.parameters import ParameterName
from tapdesk.models.slots import Slot
from tapdesk.models.stack import FloatArray

STUCK = _("The re-draws all give the same number here, so they do not show how uncertain it is.")
TOO_OFTEN_OPEN = _("In most of the re-draws this number has no value, so they do not show how uncertain it is.")

_NO_SPREAD = 1e-9
# As near to 0 or 1 as a re-draw's climb may stop short of it.
_EDGE = 1e-4
_HALF = 0.5


def percentiles(
    fit: Fit, draws: Mapping[ParameterName, FloatArray], level: float
) -> tuple[dict[ParameterName, tuple[float, float] | str], tuple[FitFinding, ...]]:
    """Ends by parameter, or the reason why there are none, and what the reader must know of the re-draws.

    Parameters
    ----------
    fit
        What was drawn anew.
    draws
        Shape (replicates,) for each parameter.
    level
        Of the intervals.
    """
    tail = (1 - level) / 2
    ends: dict[ParameterName, tuple[float, float] | str] = {}
    gone: dict[ParameterName, float] = {}
    wanted = {e.name for e in fit.estimates if e.estimate.value is not None}
    defined = with_value(fit, draws)
    for name, values in draws.items():
        kept = values[defined[name]]
        share = 1 - kept.size / max(values.size, 1)
        if share > _HALF:
            ends[name] = TOO_OFTEN_OPEN
            continue
        if share > 0 and name in wanted:
            gone[name] = share
        low, high = np.quantile(kept, [tail, 1 - tail])
        # Re-draws that cannot leave the edge say nothing of how far the number may be from it.
        ends[name] = STUCK if high - low < _NO_SPREAD else (float(low), float(high))
    return ends, _findings(fit, gone)


def with_value(fit: Fit, draws: Mapping[ParameterName, FloatArray]) -> dict[ParameterName, NDArray[np.bool_]]:
    """Shape (replicates,) by parameter: whether it has a value in the re-draw, as far as its own numbers show.

    Guesses have none where every rating they could be about is accurate; accuracies and guesses have none where all
    cases belong to one class; the truth has none where nobody is accurate (models.md §5).
    """
    by_part: dict[str, list[Slot]] = {"truth": [], "accuracy": [], "guessing": [], "slopes": []}
    for slot in fit.slots:
        if slot.name in draws:
            by_part[slot.part].append(slot)
    size = next((v.size for v in draws.values()), 0)
    known = {name: np.ones(size, dtype=bool) for name in draws}
    truth = [draws[s.name] for s in by_part["truth"]]
    one_class = _any([t > 1 - _EDGE for t in truth], size)
    if len(fit.classes) == 2:
        one_class |= _any([t < _EDGE for t in truth], size)
    free_guess = fit.model.guessing not in {Guessing.AS_TRUTH, Guessing.OBSERVED}
    for slot in by_part["accuracy"] + by_part["slopes"]:
        known[slot.name] &= ~one_class
    for slot in by_part["guessing"] if free_guess and fit.model.accuracy is not Accuracy.NONE else ():
        about = [s for s in by_part["accuracy"] if _concerns(s, slot, fit)]
        known[slot.name] &= ~one_class & ~_all([draws[s.name] > 1 - _EDGE for s in about], size)
    for slot in by_part["truth"] if free_guess else ():
        known[slot.name] &= ~_all([draws[s.name] < _EDGE for s in by_part["accuracy"]], size)
    return known


def _concerns(accuracy: Slot, guess: Slot, fit: Fit) -> bool:
    """Whether an accuracy decides how often a guess of this kind is made."""
    own_rater = fit.model.guessing is Guessing.PER_RATER and fit.model.accuracy is Accuracy.PER_RATER
    own_class = fit.model.guessing is Guessing.PER_CLASS and fit.model.accuracy is Accuracy.PER_CLASS
    same_rater = not own_rater or accuracy.index[0] == guess.index[0]
    return same_rater and (not own_class or accuracy.index[1] == guess.index[1])


def _any(which: Sequence[NDArray[np.bool_]], size: int) -> NDArray[np.bool_]:
    return np.any(which, axis=0) if which else np.zeros(size, dtype=bool)


def _all(which: Sequence[NDArray[np.bool_]], size: int) -> NDArray[np.bool_]:
    return np.all(which, axis=0) if which else np.zeros(size, dtype=bool)


def _findings(fit: Fit, gone: Mapping[ParameterName, float]) -> tuple[FitFinding, ...]:
    """That some re-draws have no value for some numbers, and that the estimate lies where re-draws do not hold."""
    found = []
    if gone:
        most = max(gone, key=lambda name: gone[name])
        message = _(
            "In some re-draws a number has no value, most often {most}, in {percent} of them; the "
            "intervals are those of the other re-draws and may be too narrow."
        ).format(most=most, percent=_percent(gone[most]))
        found.append(FitFinding("redraws_without_value", "note", message, _("Use profile intervals.")))
    if fit.degenerate:
        message = _(
            "The estimate lies on the edge of what is possible, where intervals from re-draws are not reliable."
        )
        found.append(FitFinding("bootstrap_on_edge", "note", message, _("Use profile intervals.")))
    return tuple(found)


def _percent(share: float) -> str:
    return "less than 1 %" if share < 0.01 else f"{100 * share:.0f} %"
