"""The likelihood of binary counts at two rates, and what they say of accuracies and guessing rates (models.md §5.5)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, logsumexp

from tapdesk.fitting.priors import Prior
from tapdesk.ratings.patterns import Patterns

Floats: TypeAlias = NDArray[np.float64]

# Points are worked through in pieces that stay in the processor's cache.
_PIECE = 32_768

# Mass beyond e^-32 of the top is left out of integrals, beyond e^-16 of distributions.
_TAIL, _SEEN = 32.0, 16.0
# Beyond this logit the places on a line move apart.
_BEND = 4.0


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
        holds = (patterns.weight > 0) & (patterns.size > 0)
        table, which = np.unique(patterns.table[holds], axis=0, return_inverse=True)
        weight = np.bincount(which.ravel(), patterns.weight[holds], table.shape[0])
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


@dataclass(frozen=True, eq=False)
class Walk:
    """Positions s on the line.

    Attributes
    ----------
    log_s, log_rest
        Shape (S,): log s and log(1 - s).
    log_cell
        Shape (S,): log of the width in s each node stands for.
    spacing
        Shape (S,): between neighbours, in logit s.
    """

    log_s: Floats
    log_rest: Floats
    log_cell: Floats
    spacing: Floats

    @staticmethod
    def even(priors: tuple[Prior, ...], spacing: float) -> "Walk":
        """Nearly even in logit s, wider where s is near 0 or 1: for distributions of what changes on the way."""
        reach = np.arcsinh(_SEEN / _least(priors) / _BEND) * _BEND
        n = int(np.ceil(reach / spacing))
        u = np.linspace(-reach, reach, 2 * n + 1)
        logit, width = _BEND * np.sinh(u / _BEND), np.cosh(u / _BEND) * (u[1] - u[0])
        log_s, log_rest = -softplus(-logit), -softplus(logit)
        return Walk(log_s, log_rest, log_s + log_rest + np.log(width), width)

    @staticmethod
    def of(priors: tuple[Prior, ...], spacing: float) -> "Walk":
        """By the double-exponential rule, which needs the fewest places: for integrals along the line."""
        reach = np.arcsinh(2 / np.pi * _TAIL / _least(priors))
        n = int(np.ceil(reach / spacing))
        u = np.linspace(-reach, reach, 2 * n + 1)
        logit, width = np.pi / 2 * np.sinh(u), np.pi / 2 * np.cosh(u) * (u[1] - u[0])
        log_s, log_rest = -softplus(-logit), -softplus(logit)
        return Walk(log_s, log_rest, log_s + log_rest + np.log(width), width)


def _least(priors: tuple[Prior, ...]) -> float:
    """The smallest shape parameter of the priors, which decides how far into the ends one must look."""
    return min([1.0, *(min(p.alpha, p.beta) for p in priors)])


def log_expm1n(log_x: Floats) -> Floats:
    """log(1 - exp(-x)) from log x, exact for the smallest x."""
    x = np.exp(np.minimum(log_x, 700.0))
    small = x < 1e-8
    return np.asarray(np.where(small, log_x - x / 2, np.log(-np.expm1(-np.where(small, 1.0, x)))))


@dataclass(frozen=True, eq=False)
class OneClass:
    """Accuracy a and guessing rate p of one class given its rate mu = a + (1 - a) p of being recognised.

    With mu told by size = -log(1 - mu), the line is -log(1 - a) = s size, -log(1 - p) = (1 - s) size; flat priors make
    s uniform, so accuracy and guessing have the same distribution, and the density of mu is ``size``.
    For class 0 the guessing rate is that of class 0.
    """

    accuracy: Prior
    guessing: Prior

    @property
    def flat(self) -> bool:
        """Whether both priors are."""
        return self.accuracy.flat and self.guessing.flat

    def split(self, log_size: Floats, walk: Walk) -> tuple[Floats, Floats, Floats]:
        """Logit a, logit p and log prior mass of the nodes of the walk, each of shape (L, S), for sizes of shape (L,).

        The masses of a row add up to the prior density of mu.
        """
        log_density = log_size[:, None] + walk.log_cell
        logits = []
        for prior, log_part in ((self.accuracy, walk.log_s), (self.guessing, walk.log_rest)):
            log_x = log_size[:, None] + log_part
            log_one, log_zero = log_expm1n(log_x), -np.exp(log_x)
            log_density = log_density + (prior.alpha - 1) * log_one + (prior.beta - 1) * log_zero
            log_density = log_density - betaln(prior.alpha, prior.beta)
            logits.append(log_one - log_zero)
        return logits[0], logits[1], log_density

    def log_prior(self) -> Callable[[Floats], Floats]:
        """Log prior density of mu as a function of log size, of any shape."""
        if self.flat:
            return lambda log_size: log_size
        at = np.linspace(-60.0, 7.0, 671)
        walk = Walk.of((self.accuracy, self.guessing), 0.12)
        values = logsumexp(self.split(at, walk)[2], axis=1)
        # scipy.interpolate costs start-up time and is needed for other than flat priors only.
        from scipy.interpolate import CubicSpline

        spline = CubicSpline(at, values)
        return lambda log_size: np.asarray(spline(log_size))


@dataclass(frozen=True, eq=False)
class SharedGuessing:
    """Accuracies a1, a0 and one guessing rate p given the two rates: a1 = (mu1 - p) / (1 - p), a0 = 1 - mu0 / p.

    The line is logit p = logit mu0 + s (logit mu1 - logit mu0); flat priors make s uniform, and the density of
    (mu1, mu0) is the difference of the logits.
    """

    accuracy1: Prior
    accuracy0: Prior
    guessing: Prior

    @property
    def priors(self) -> tuple[Prior, ...]:
        """All three."""
        return self.accuracy1, self.accuracy0, self.guessing

    @property
    def flat(self) -> bool:
        """Whether all priors are."""
        return all(prior.flat for prior in self.priors)

    def split(self, logit1: Floats, logit0: Floats, gap: Floats, walk: Walk) -> tuple[Floats, Floats, Floats, Floats]:
        """Logit a1, a0, p and log prior mass, each of shape (L, S), for rates of shape (L,).

        ``gap`` is the difference of the logits with all its digits. The masses of a row add up to the prior density.
        """
        log_gap = np.log(gap)[:, None]
        p = logit0[:, None] + np.exp(log_gap + walk.log_s)
        log_p, log_not_p = -softplus(-p), -softplus(p)
        one1 = -softplus(-logit1)[:, None] + log_expm1n(log_gap + walk.log_rest)
        zero1 = -softplus(logit1)[:, None] - log_not_p
        one0 = -softplus(logit0)[:, None] + log_expm1n(log_gap + walk.log_s)
        zero0 = -softplus(-logit0)[:, None] - log_p
        log_density = log_gap + walk.log_cell
        for prior, one, zero in zip(self.priors, (one1, one0, log_p), (zero1, zero0, log_not_p), strict=True):
            log_density = log_density + (prior.alpha - 1) * one + (prior.beta - 1) * zero
            log_density = log_density - betaln(prior.alpha, prior.beta)
        return one1 - zero1, one0 - zero0, p, log_density
