"""Which two numbers of a fit are looked at together: those of one class, and of one rater where raters differ."""

from dataclasses import dataclass

import numpy as np

from tapdesk.fitting.fit import Fit
from tapdesk.models.model import Accuracy, Truth
from tapdesk.models.parameters import ParameterName
from tapdesk.studies.surface import free_slots


@dataclass(frozen=True, slots=True)
class TwoNumbers:
    """The numbers of a fit that are looked at two by two.

    Attributes
    ----------
    pairs
        Every two of them; none where the model has not two that can be held.
    category
        The class they tell of; None for two classes, which are told as class 1.
    rater
        The rater they tell of; None where all raters share them.
    """

    pairs: tuple[tuple[ParameterName, ParameterName], ...]
    category: str | None = None
    rater: str | None = None


def two_numbers(fit: Fit) -> TwoNumbers:
    """Truth, accuracy and guessing of one class, every two of them.

    Of more than two classes it is the one that is most often true, of raters who differ in accuracy the one with the
    lowest, of raters who differ in their guesses alone the one whose share of that class lies furthest from the mean.
    """
    if fit.model.truth is Truth.SHARPENED:
        return TwoNumbers(())
    two = len(fit.classes) == 2
    k = 1 if two else int(fit.parameters.truth.argmax())
    unit = _unit(fit, k)
    t = _free(fit, "truth", (k,))
    a = _free(fit, "accuracy", (unit, k))
    p = _free(fit, "guessing", (unit, k, k))
    wanted = [(t, a), (p, a), (t, p)]
    if two and fit.model.accuracy is Accuracy.PER_CLASS:
        # The accuracies of two classes lean on each other most.
        wanted.append((_free(fit, "accuracy", (0, 0)), a))
    elif two and fit.model.accuracy is Accuracy.NONE:
        wanted.append((_free(fit, "guessing", (unit, 0, 0)), p))
    pairs = tuple((x, y) for x, y in wanted if x is not None and y is not None)
    of_rater = any(name.rater is not None for pair in pairs for name in pair)
    return TwoNumbers(pairs, None if two else fit.classes[k], fit.raters[unit] if of_rater else None)


def _free(fit: Fit, part: str, index: tuple[int, ...]) -> ParameterName | None:
    """The estimated number at an index, or the one that is shared there; None where it is held or follows another."""
    shape = getattr(fit.parameters, part).shape
    at = tuple(min(i, n - 1) for i, n in zip(index, shape, strict=True))
    return next((s.name for s in free_slots(fit) if s.part == part and s.index == at), None)


def _unit(fit: Fit, k: int) -> int:
    """The rater who is looked at."""
    point = fit.parameters
    if fit.model.accuracy is Accuracy.PER_RATER:
        return int(point.accuracy[:, 0].argmin())
    if fit.model.accuracy is Accuracy.NONE:
        return int(np.trace(point.guessing, axis1=1, axis2=2).argmin())
    rates = point.guessing[:, 0, k]
    return int(np.abs(rates - rates.mean()).argmax())
