"""Many parameter points of one model side by side, so that one array operation moves them all."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.parameters import Parameters

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stack:
    """B points of one model: starts, re-draws, chains or the points of a profile.

    Attributes
    ----------
    truth
        Shape (B, K).
    accuracy
        Shape (B, U or 1, K or 1).
    guessing
        Shape (B, U or 1, K or 1, K).
    slopes
        Shape (B, S); S is 0 unless accuracy is a regression.
    """

    truth: FloatArray
    accuracy: FloatArray
    guessing: FloatArray
    slopes: FloatArray

    @staticmethod
    def of(points: Sequence[Parameters]) -> "Stack":
        """Points of equal shapes as one stack."""
        return Stack(*(np.stack([getattr(p, f.name) for p in points]) for f in fields(Stack)))

    @staticmethod
    def join(stacks: Sequence["Stack"]) -> "Stack":
        """Stacks one after the other."""
        return Stack(*(np.concatenate(parts) for parts in zip(*(s.parts for s in stacks), strict=True)))

    @property
    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """The arrays in their order."""
        return self.truth, self.accuracy, self.guessing, self.slopes

    @property
    def size(self) -> int:
        """Number of points B."""
        return int(self.truth.shape[0])

    def one(self, b: int) -> Parameters:
        """The point with index b."""
        return Parameters(self.truth[b], self.accuracy[b], self.guessing[b], self.slopes[b])

    def take(self, which: NDArray[Any]) -> "Stack":
        """Some of the points, by index or mask of shape (B,)."""
        return Stack(self.truth[which], self.accuracy[which], self.guessing[which], self.slopes[which])

    def put(self, which: NDArray[Any], other: "Stack") -> "Stack":
        """A copy in which the points at index or mask ``which`` are replaced."""
        new = [part.copy() for part in self.parts]
        for mine, theirs in zip(new, other.parts, strict=True):
            mine[which] = theirs
        return Stack(*new)

    def where(self, choose: NDArray[np.bool_], other: "Stack") -> "Stack":
        """Own points where ``choose`` (shape (B,)) holds, the other's elsewhere."""
        if choose.all():
            return self
        if not choose.any():
            return other
        pairs = zip(self.parts, other.parts, strict=True)
        return Stack(*(np.where(choose.reshape(-1, *[1] * (a.ndim - 1)), a, b) for a, b in pairs))

    def flat(self) -> FloatArray:
        """Shape (B, F): all numbers of each point in a row."""
        b = self.truth.shape[0]
        rows = (self.truth, self.accuracy.reshape(b, -1), self.guessing.reshape(b, -1), self.slopes)
        return np.concatenate(rows, axis=1)

    def refilled(self, flat: FloatArray) -> "Stack":
        """A stack of the same shapes from rows as ``flat`` gives them."""
        parts, at = [], 0
        for part in self.parts:
            shape = part.shape[1:]
            width = prod(shape)
            parts.append(flat[:, at : at + width].reshape(flat.shape[0], *shape))
            at += width
        return Stack(*parts)

    def inside(self, margin: float) -> "Stack":
        """The nearest points whose probabilities keep a margin from 0 and 1; regressions are left alone."""
        return Stack(
            _simplex(self.truth, margin),
            np.clip(self.accuracy, margin, 1 - margin),
            _simplex(self.guessing, margin),
            self.slopes,
        )


def _simplex(p: FloatArray, margin: float) -> FloatArray:
    """Rates at least ``margin``, summing to one over the last axis."""
    p = np.maximum(p, margin)
    return np.asarray(p / p.sum(axis=-1, keepdims=True))
