"""The way between probabilities and an unconstrained line, on the face of the space where a point lies.

A rate of exactly 0, or an accuracy of exactly 0 or 1, stays where it is: the line runs over what is free to move.
Rates are told by log ratios to the largest rate of their vector, accuracies by their logit, slopes by what they do to
logits.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.model import Accuracy, Truth
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.models.space import Space, Tally


@dataclass(frozen=True, eq=False)
class _Rates:
    """One vector of rates: where it is, which entries move and which one the ratios refer to."""

    part: str
    index: tuple[int, ...]
    moving: NDArray[np.int64]
    reference: int


@dataclass(frozen=True, eq=False)
class FreeLine:
    """Coordinates of the free numbers of a model around a point.

    Attributes
    ----------
    space
        The model.
    origin
        The point whose face is meant.
    rates, accuracies, slopes
        The moving parts: vectors of rates, indices of accuracies, number of slopes.
    """

    space: Space
    origin: Parameters
    rates: tuple[_Rates, ...]
    accuracies: tuple[tuple[int, int], ...]
    slopes: int

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return sum(r.moving.size for r in self.rates) + len(self.accuracies) + self.slopes

    def coordinates(self, point: Parameters) -> FloatArray:
        """Shape (size,): the coordinates of a point on the same face."""
        from scipy.special import logit  # late: slow to load

        parts = []
        for r in self.rates:
            p = getattr(point, r.part)[r.index]
            parts.append(np.log(p[r.moving]) - np.log(p[r.reference]))
        parts.append(np.array([logit(point.accuracy[i]) for i in self.accuracies]))
        if self.slopes:
            parts.append(np.linalg.solve(self.space.slope_basis, point.slopes))
        return np.concatenate(parts)

    def points(self, coordinates: FloatArray) -> Stack:
        """The points at coordinates of shape (B, size)."""
        from scipy.special import expit, softmax  # late: slow to load

        b = coordinates.shape[0]
        truth = np.tile(self.origin.truth, (b, 1))
        accuracy = np.tile(self.origin.accuracy, (b, 1, 1))
        guessing = np.tile(self.origin.guessing, (b, 1, 1, 1))
        slopes = np.tile(self.origin.slopes, (b, 1))
        parts = {"truth": truth, "guessing": guessing}
        at = 0
        for r in self.rates:
            n = r.moving.size
            held = getattr(self.origin, r.part)[r.index]
            moving = np.append(r.moving, r.reference)
            ratios = np.concatenate([coordinates[:, at : at + n], np.zeros((b, 1))], axis=1)
            values = np.tile(held, (b, 1))
            values[:, moving] = softmax(ratios, axis=1)
            parts[r.part].reshape(b, -1, self.space.classes)[:, _row(parts[r.part], r.index)] = values
            at += n
        for i in self.accuracies:
            accuracy[:, i[0], i[1]] = expit(coordinates[:, at])
            at += 1
        if self.slopes:
            slopes = coordinates[:, at:] @ self.space.slope_basis.T
        return self.space.settle(Stack(truth, accuracy, guessing, slopes))

    def score(self, tally: Tally, stack: Stack) -> FloatArray:
        """Shape (B, size): gradient of the log-likelihood, by Fisher's identity from the expected counts."""
        parts = []
        for r in self.rates:
            counts = getattr(tally, "truth" if r.part == "truth" else "guesses")[(slice(None), *r.index)]
            p = getattr(stack, r.part)[(slice(None), *r.index)]
            slope = counts - p * counts.sum(axis=1, keepdims=True)
            parts.append(slope[:, r.moving])
        for i in self.accuracies:
            surplus = tally.hits[:, *i] - stack.accuracy[:, *i] * tally.ratings[:, *i]
            parts.append(surplus[:, None])
        if self.slopes:
            surplus = tally.hits[:, :, 0] - stack.accuracy[:, :, 0] * tally.ratings[:, :, 0]
            parts.append(surplus @ self.space.design @ self.space.slope_basis)
        return np.concatenate(parts, axis=1) if parts else np.zeros((stack.size, 0))


def _row(array: FloatArray, index: tuple[int, ...]) -> int:
    """Position of a vector of rates when all axes between the first and the last are laid flat."""
    return int(np.ravel_multi_index(index, array.shape[1:-1])) if index else 0


def line(space: Space, point: Parameters) -> FreeLine:
    """The line through the face on which a point lies."""
    rates = []
    if space.model.truth is Truth.FREE:
        rates.append(_rates("truth", (), point.truth))
    if space.guessing_free:
        rates.extend(_rates("guessing", i, point.guessing[i]) for i in np.ndindex(*point.guessing.shape[:2]))
    accuracies: list[tuple[int, int]] = []
    if space.accuracy_free:
        accuracies = [(i, j) for i, j in np.ndindex(*point.accuracy.shape) if 0 < point.accuracy[i, j] < 1]
    slopes = point.slopes.size if space.model.accuracy is Accuracy.REGRESSION else 0
    return FreeLine(space, point, tuple(r for r in rates if r.moving.size), tuple(accuracies), slopes)


def _rates(part: str, index: tuple[int, ...], p: FloatArray) -> _Rates:
    """The moving entries of one vector: all positive ones but the largest, to which the ratios refer."""
    reference = int(p.argmax())
    moving = np.flatnonzero(p > 0)
    return _Rates(part, index, moving[moving != reference], reference)
