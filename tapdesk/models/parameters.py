"""The parameters of a model as arrays, one point or many side by side, and the names they are known by."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Label, Message, RaterName, Symbol, joined

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Parameters:
    """Values of truth, accuracy and guessing, all probabilities.

    Leading axes of length 1 mean "shared by all raters", ``by class`` axes of length 1 "by all true classes".

    Attributes
    ----------
    truth
        Shape (K,): rates of the true classes; (G, K) where each of G groups has its own.
    accuracy
        Shape (U or 1, K or 1): by unit (rater) and true class.
    guessing
        Shape (U or 1, K or 1, K): by unit, true class and rated class; sums to one over the last axis.
    slopes
        Shape (1 + covariates,): intercept and coefficients of a regression on the logit scale; empty otherwise.
    spread
        Shape (1,): how much cases differ, between 0 and 1; empty where they do not.
    """

    truth: NDArray[np.float64]
    accuracy: NDArray[np.float64]
    guessing: NDArray[np.float64]
    slopes: NDArray[np.float64]
    spread: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def classes(self) -> int:
        """Number of classes K."""
        return int(self.truth.shape[-1])

    def rating_rates(self) -> NDArray[np.float64]:
        """Shape (U or 1, K, K): probability of the rated class (last axis) given unit and true class."""
        k = self.classes
        miss = (1 - self.accuracy)[:, :, None] * self.guessing
        full = np.broadcast_to(miss, (miss.shape[0], k, k)).copy()
        full[:, np.arange(k), np.arange(k)] += self.accuracy
        return full


@dataclass(frozen=True, slots=True)
class ParameterName:
    """How one number is called (cli.md, "Names").

    Attributes
    ----------
    name
        ``t``, ``a``, ``p``, ``a0``, ``a1``, ``p0``, ``p1``, ``pi`` or ``b``.
    category
        Class label: of K-class vectors, and the true class of ``pi``; else None.
    rater
        Rater name of per-rater parameters; else None.
    rated
        The rated class of ``pi``; else None.
    covariate
        Covariate of a regression slope; else None.
    group
        Group of a part that differs by group; else None.
    cut
        The two classes a cut point lies between, as ``2|3``; else None.
    """

    name: str
    category: str | None = None
    rater: str | None = None
    rated: str | None = None
    covariate: str | None = None
    group: str | None = None
    cut: str | None = None

    def as_message(self) -> str:
        """As `str`, for a sentence: it knows which part of it is the name of a rater."""
        rest = (self.rated, self.covariate, self.group, self.cut)
        parts = ((Label, self.category), (RaterName, self.rater), *((Label, text) for text in rest))
        sentences = [kind(text) for kind, text in parts if text is not None]
        if not sentences:
            return Symbol(self.name)
        return Message(
            "{symbol}[{inside}]", fields={"symbol": Symbol(self.name), "inside": joined(*sentences, sep=", ")}
        )

    def __str__(self) -> str:
        parts = (self.category, self.rater, self.rated, self.covariate, self.group, self.cut)
        inside = [x for x in parts if x is not None]
        return f"{self.name}[{', '.join(inside)}]" if inside else self.name


@dataclass(frozen=True, eq=False)
class Stack:
    """B points of one model: starts, re-draws, chains or the points of a profile.

    Attributes
    ----------
    truth
        Shape (B, K), or (B, G, K).
    accuracy
        Shape (B, U or 1, K or 1).
    guessing
        Shape (B, U or 1, K or 1, K).
    slopes
        Shape (B, S); S is 0 unless accuracy is a regression.
    spread
        Shape (B, M); M is 0 unless cases differ.
    """

    truth: FloatArray
    accuracy: FloatArray
    guessing: FloatArray
    slopes: FloatArray
    spread: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))

    def __post_init__(self) -> None:
        # Where nothing was said of it cases do not differ.
        if self.spread.shape[:1] != self.truth.shape[:1]:
            object.__setattr__(self, "spread", np.zeros((*self.truth.shape[:1], 0)))

    @staticmethod
    def of(points: Sequence[Parameters]) -> "Stack":
        """Points of equal shapes as one stack."""
        return Stack(*(np.stack([getattr(p, f.name) for p in points]) for f in fields(Stack)))

    @staticmethod
    def join(stacks: Sequence["Stack"]) -> "Stack":
        """Stacks one after the other."""
        return Stack(*(np.concatenate(parts) for parts in zip(*(s.parts for s in stacks), strict=True)))

    @property
    def parts(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
        """The arrays in their order."""
        return self.truth, self.accuracy, self.guessing, self.slopes, self.spread

    @cached_property
    def numbers(self) -> tuple[NDArray[np.bool_] | None, ...]:
        """Where each array holds a number and not NaN, None where it holds none: of pins, which stay as they are."""
        masks = (~np.isnan(part) for part in self.parts)
        return tuple(mask if mask.any() else None for mask in masks)

    @property
    def size(self) -> int:
        """Number of points B."""
        return int(self.truth.shape[0])

    def one(self, b: int) -> Parameters:
        """The point with index b."""
        return Parameters(*(part[b] for part in self.parts))

    def take(self, which: NDArray[Any]) -> "Stack":
        """Some of the points, by index or mask of shape (B,)."""
        return Stack(*(part[which] for part in self.parts))

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
        rows = (
            self.truth.reshape(b, -1),
            self.accuracy.reshape(b, -1),
            self.guessing.reshape(b, -1),
            self.slopes,
            self.spread,
        )
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
            np.clip(self.spread, margin, 1 - margin),
        )


def _simplex(p: FloatArray, margin: float) -> FloatArray:
    """Rates at least ``margin``, summing to one over the last axis."""
    p = np.maximum(p, margin)
    return np.asarray(p / p.sum(axis=-1, keepdims=True))
