"""The likelihood of binary counts in coordinates that reach to every edge without losing digits."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapdesk.ratings.patterns import Patterns

Floats: TypeAlias = NDArray[np.float64]

# Points are worked through in pieces that stay in the processor's cache.
_PIECE = 32_768


def softplus(x: Floats) -> Floats:
    """log(1 + e^x), whatever the size of x; three times as fast as ``numpy.logaddexp``."""
    e = np.abs(x)
    np.negative(e, out=e)
    np.exp(e, out=e)
    np.log1p(e, out=e)
    e += np.maximum(x, 0.0)
    return e


def log_softplus(x: Floats) -> Floats:
    """Log log(1 + e^x), which is x itself far down."""
    return np.asarray(np.where(x < -30.0, x, np.log(softplus(np.maximum(x, -40.0)))))


def probability(logits: Floats) -> Floats:
    """From logits to probabilities."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -700.0, 700.0))))


@dataclass(frozen=True, eq=False)
class Rates:
    """The two rates of class 1, told by their difference d = mu1 - mu0 and g = mu0 / (1 - d).

    All arrays have the shape of the points; logarithms are exact to rounding even where a rate is 1e-30 from an edge.

    Attributes
    ----------
    log_d, log_not_d, log_g, log_not_g
        log d, log(1 - d), log g, log(1 - g).
    ones, zeros
        log(mu1 / mu0) and log((1 - mu0) / (1 - mu1)), both at least 0; their sum is logit mu1 - logit mu0.
    """

    log_d: Floats
    log_not_d: Floats
    log_g: Floats
    log_not_g: Floats
    ones: Floats
    zeros: Floats

    @staticmethod
    def at(y: Floats, z: Floats) -> "Rates":
        """The rates at logit d = ``y`` and logit g = ``z``."""
        log_d, log_g = -softplus(-y), -softplus(-z)
        log_not_g = log_g - z
        return Rates(log_d, log_d - y, log_g, log_not_g, softplus(y - log_g), softplus(y - log_not_g))

    def of(self, kept: NDArray[np.bool_]) -> "Rates":
        """Some of the points, in a row."""
        names = ("log_d", "log_not_d", "log_g", "log_not_g", "ones", "zeros")
        return Rates(*(getattr(self, name)[kept] for name in names))

    @property
    def log_low(self) -> Floats:
        """Log mu0."""
        return self.log_not_d + self.log_g

    @property
    def log_not_high(self) -> Floats:
        """log(1 - mu1)."""
        return self.log_not_d + self.log_not_g

    @property
    def log_high(self) -> Floats:
        """Log mu1."""
        return self.log_low + self.ones

    @property
    def log_not_low(self) -> Floats:
        """log(1 - mu0)."""
        return self.log_not_high + self.zeros

    @property
    def logit_high(self) -> Floats:
        """Logit mu1."""
        return self.log_high - self.log_not_high

    @property
    def logit_low(self) -> Floats:
        """Logit mu0."""
        return self.log_low - self.log_not_low


@dataclass(frozen=True, eq=False)
class BinaryCounts:
    """Distinct counts of class 1 and class 0 with weights.

    Attributes
    ----------
    ones, zeros, weight
        Shape (P,): ratings in class 1 and class 0, and the number of subjects with that pattern.
    log_multinomial
        Counts minus ratings log-likelihood, in nats.
    """

    ones: Floats
    zeros: Floats
    weight: Floats
    log_multinomial: float

    @staticmethod
    def of(patterns: Patterns) -> "BinaryCounts":
        """The counts of the patterns; subjects without a rating say nothing and are left out.

        Raises
        ------
        ValueError
            When the data are not binary, or a weight or count is negative or not finite.
        """
        if patterns.classes != 2:
            raise ValueError(f"quadrature is for two classes, not {patterns.classes}")
        for what, numbers in (("weight", patterns.weight), ("count", patterns.count)):
            wrong = ~(np.isfinite(numbers) & (numbers >= 0))
            if wrong.any():
                raise ValueError(f"a {what} must be a number of at least 0, not {numbers[wrong][0]}")
        told = (patterns.weight > 0) & (patterns.size > 0)
        table, which = np.unique(patterns.table[told], axis=0, return_inverse=True)
        weight = np.bincount(which.ravel(), patterns.weight[told], table.shape[0])
        return BinaryCounts(table[:, 1], table[:, 0], weight.astype(np.float64), patterns.log_multinomial)

    @property
    def subjects(self) -> float:
        """Number of subjects with a rating."""
        return float(self.weight.sum())

    @property
    def ones_total(self) -> float:
        """Number of ratings in class 1."""
        return float(self.weight @ self.ones)

    @property
    def zeros_total(self) -> float:
        """Number of ratings in class 0."""
        return float(self.weight @ self.zeros)

    def log_likelihood(self, x: Floats, rates: Rates) -> Floats:
        """Log-likelihood in nats, ratings form, of truth rate logit t = ``x`` and the two rates, all of one shape.

        sum of w log(t mu1^k (1-mu1)^m + (1-t) mu0^k (1-mu0)^m) over the patterns (models.md §2, K = 2).
        """
        shape = x.shape
        points = np.stack([np.broadcast_to(c, shape).ravel() for c in (x, rates.ones, rates.zeros)], axis=1)
        # What does not depend on the pattern's own mixture is taken out of the sum, and softplus(A) of the rest is
        # A / 2 + |A| / 2 + log(1 + e^-|A|), of which the first part can be summed before.
        slopes = np.array([np.ones(self.ones.size), self.ones, -self.zeros])
        total = points @ (slopes @ self.weight / 2) - self.subjects * softplus(points[:, 0])
        total += np.broadcast_to(self.ones_total * rates.log_low + self.zeros_total * rates.log_not_low, shape).ravel()
        rows = max(1, _PIECE // max(self.ones.size, 1))
        for start in range(0, x.size, rows):
            piece = slice(start, start + rows)
            size = np.abs(points[piece] @ slopes)
            total[piece] += size @ (self.weight / 2)
            np.negative(size, out=size)
            np.exp(size, out=size)
            np.log1p(size, out=size)
            total[piece] += size @ self.weight
        return total.reshape(shape)
