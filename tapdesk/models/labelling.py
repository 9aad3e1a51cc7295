"""Which of several equal tellings of the true classes is meant (models.md §3, "Labels")."""

import numpy as np

from tapdesk.models.model import Truth
from tapdesk.models.space import Space
from tapdesk.models.stack import Stack


def can_switch(space: Space) -> bool:
    """Whether permuting the true classes of a point gives another point with the same likelihood."""
    free = space.model.truth in {Truth.FREE, Truth.UNIFORM}
    return free and space.guessing_shape[1] > 1


def canonical(space: Space, stack: Stack) -> Stack:
    """The points with true classes permuted so that the expected share of right ratings is largest.

    A permuted point is told by guessing alone, because an accuracy belongs to a true class by its name.
    """
    if not can_switch(space):
        return stack
    from scipy.optimize import linear_sum_assignment  # start-up cost: a fifth of a second

    truth, accuracy, guessing = stack.truth.copy(), stack.accuracy.copy(), stack.guessing.copy()
    k = space.classes
    for b in range(stack.size):
        rates = stack.one(b).rating_rates()
        mean = rates.mean(axis=0) * truth[b][:, None]
        row, column = linear_sum_assignment(-mean)
        if (column == np.arange(k)).all():
            continue
        place = np.empty(k, dtype=np.int64)
        place[column] = row
        truth[b] = truth[b][place]
        moved = rates[:, place]
        accuracy[b] = 0.0
        guessing[b] = moved
    return Stack(truth, accuracy, guessing, stack.slopes)
