"""What the rates mu1, mu0 say of accuracies and guessing rates: the integrals inside the integral (models.md §5.5).

Binary counts pin (t, mu1, mu0) only. Where a model has more parameters than that, the prior settles how a given rate
splits into accuracy and guessing, along a line that is walked here by s between 0 and 1.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, logsumexp

from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.likelihood import Floats, softplus

# Mass beyond e^-32 of the top is left out of integrals, beyond e^-16 of distributions.
_TAIL, _SEEN = 32.0, 16.0
# Beyond this logit the places on a line move apart.
_BEND = 4.0


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
