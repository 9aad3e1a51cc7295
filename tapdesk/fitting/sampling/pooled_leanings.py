"""How raters from one population guess: each in a way of their own, around a common one (models_more.md §5).

p_j ~ Dirichlet(kappa p) with kappa = 1/x - 1, x ~ U(0, 1), p flat: x = 0 is one way of guessing for all, x near 1
raters who each have one class when they guess. The isometric log ratios of p_j are those of p plus sqrt(x) u_j, so that
the density of the u_j is no funnel where raters hardly differ (as that of the z_j in `pooled.PooledTarget`).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import digamma, expit, gammaln, logit, logsumexp

from tapdesk.models.parameters import FloatArray

_START = 0.3


@dataclass(frozen=True, eq=False)
class Leanings:
    """Coordinates of the guesses of all raters: u_j rater by rater, the log ratios of p, and the logit of x.

    Attributes
    ----------
    basis
        Shape (K, K - 1): of the isometric log ratios.
    raters
        How many.
    """

    basis: FloatArray
    raters: int

    @property
    def _ratios(self) -> int:
        return int(self.basis.shape[1])

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return (self.raters + 1) * self._ratios + 1

    def _parts(self, at: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """The u (B, J, K - 1), the log ratios of p (B, K - 1), and x (B,)."""
        ends = self.raters * self._ratios
        return at[:, :ends].reshape(-1, self.raters, self._ratios), at[:, ends:-1], expit(at[:, -1])

    def rates(self, at: FloatArray) -> FloatArray:
        """Shape (B, J (K - 1)): log ratios of the guesses of each rater."""
        u, middle, x = self._parts(at)
        return np.asarray((middle[:, None] + np.sqrt(x)[:, None, None] * u).reshape(at.shape[0], -1))

    def common(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The common way of guessing, shape (B, K), and x, shape (B,)."""
        _u, middle, x = self._parts(at)
        return np.exp(_log_rates(middle, self.basis)), x

    def coordinates(self, ratios: FloatArray) -> FloatArray:
        """Shape (B, size): of log ratios (B, J (K - 1)), their mean in the middle."""
        own = ratios.reshape(ratios.shape[0], self.raters, self._ratios)
        middle = own.mean(axis=1)
        u = ((own - middle[:, None]) / np.sqrt(_START)).reshape(ratios.shape)
        return np.concatenate([u, middle, np.full((ratios.shape[0], 1), logit(_START))], axis=1)

    def density(self, at: FloatArray, slope: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The log prior of these coordinates (B,), up to a constant, and the gradient (B, size) of all along them.

        Parameters
        ----------
        at
            Shape (B, size).
        slope
            Shape (B, J (K - 1)): gradient of the log-likelihood along `rates`.
        """
        u, middle, x = self._parts(at)
        scale, kappa = np.sqrt(x), np.exp(-at[:, -1])
        log_p = _log_rates(middle, self.basis)
        log_own = _log_rates(middle[:, None] + scale[:, None, None] * u, self.basis)
        p, count = np.exp(log_p), self._ratios + 1
        # A class that nobody believes in has a count that underflows, and a density that is nowhere.
        alpha = np.maximum(kappa[:, None] * p, 1e-280)
        each = (alpha[:, None] * log_own).sum(axis=(1, 2))
        level = each + self.raters * (gammaln(kappa) - gammaln(alpha).sum(axis=1)) + log_p.sum(axis=1)
        level = level + np.log(x) + np.log1p(-x) + self.raters * self._ratios * np.log(scale)
        own = slope.reshape(u.shape) + (alpha[:, None] - kappa[:, None, None] * np.exp(log_own)) @ self.basis
        surprise = log_own.sum(axis=1) - self.raters * digamma(alpha)
        by_p = kappa[:, None] * p * (surprise - (p * surprise).sum(axis=1, keepdims=True)) + 1 - count * p
        by_x = -kappa * ((p * surprise).sum(axis=1) + self.raters * digamma(kappa)) + 1 - 2 * x
        by_scale = self.raters * self._ratios + (own * u).sum(axis=(1, 2)) * scale
        along = [
            (own * scale[:, None, None]).reshape(slope.shape),
            own.sum(axis=1) + by_p @ self.basis,
            (by_x + by_scale * (1 - x) / 2)[:, None],
        ]
        return level, np.concatenate(along, axis=1)


def _log_rates(ratios: FloatArray, basis: FloatArray) -> FloatArray:
    """Log rates of log ratios along the last axis."""
    raw = ratios @ basis.T
    return np.asarray(raw - logsumexp(raw, axis=-1, keepdims=True))
