"""What was drawn from a posterior as points of its model, to work out what the whole posterior expects."""

import numpy as np

from tapdesk.fitting.fit import Fit
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.slots import Freedom, slots
from tapdesk.models.space import Space
from tapdesk.models.stack import FloatArray, Stack


def drawn_points(fit: Fit, most: int) -> Stack | None:
    """At most so many draws, evenly taken; None where a fit is no posterior, or has slopes.

    Parameters
    ----------
    fit
        With or without draws.
    most
        Largest number of points.
    """
    if fit.draws is None or fit.draws.kind != "posterior" or fit.model.accuracy is Accuracy.REGRESSION:
        return None
    values = {name: v for name, v in fit.draws.values.items() if v.size}
    if not values:
        return None
    size = min(most, next(iter(values.values())).size)
    pick = np.linspace(0, next(iter(values.values())).size - 1, size).astype(np.int64)
    point = fit.parameters
    parts: dict[str, FloatArray] = {
        part: np.repeat(getattr(point, part)[None], size, axis=0)
        for part in ("truth", "accuracy", "guessing", "slopes")
    }
    classes, units = len(fit.classes), max(len(fit.raters), 1)
    space = Space(fit.model, units, classes, point.truth, np.zeros((units, 0)))
    for slot in slots(space, fit.classes, fit.raters):
        if slot.name in values:
            place: tuple[slice | int, ...] = (slice(None), *slot.index)
            parts[slot.part][place] = values[slot.name][pick]
        elif slot.freedom is Freedom.FREE:
            return None
    if classes == 2:
        # Two classes are told by class 1 alone.
        for part in ("truth", "guessing"):
            parts[part][..., 0] = 1 - parts[part][..., 1]
    if fit.model.guessing is Guessing.AS_TRUTH:
        parts["guessing"] = parts["truth"][:, None, None, :]
    return Stack(**parts) if all(np.isfinite(array).all() for array in parts.values()) else None


def called(points: Stack, category: int) -> FloatArray:
    """Shape (D, U, K): how often each unit calls each true class by the class, at every point."""
    missed = (1 - points.accuracy) * points.guessing[..., category]
    shape = (points.size, missed.shape[1], points.truth.shape[1])
    found = np.broadcast_to(missed, shape).copy()
    found[..., category] += np.broadcast_to(points.accuracy, shape)[..., category]
    return found
