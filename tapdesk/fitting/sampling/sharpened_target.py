"""The density of ``ti-aj-P`` with every subject's truth integrated out exactly (models.md §7).

Pr(C = 1) = a_j s + (1 - a_j) P with s = sig_d(t) = 1 / (1 + exp(-d (t - 1/2))) and t uniform ([MRR] eq. 3 without the
absolute-value bars, a misprint: with them probabilities leave [0, 1] where s < P). A subject's likelihood is a
polynomial in s of the degree of its number of ratings, so a Gauss rule for the distribution of s integrates it exactly.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from tapdesk.models.design import Design
from tapdesk.models.evidence import TINY
from tapdesk.models.space import Tally
from tapdesk.models.stack import FloatArray

_FINE = 64
_CHUNK = 3_000_000


def gauss_rule(sharpness: float, degree: int) -> tuple[FloatArray, FloatArray]:
    """Nodes s and weights, each (G,), of the distribution of sig_d(t), t uniform; exact up to so high a degree.

    By the Lanczos process on a fine rule (Golub & Welsch 1969; Gragg & Harrod 1984). Beyond some fifty ratings fewer
    nodes than exactness asks for are taken, still many for the width of what is integrated.

    Parameters
    ----------
    sharpness
        d, above 0.
    degree
        Largest number of ratings of a subject.

    Raises
    ------
    ValueError
        When d is not a number above 0.
    """
    if not 0 < sharpness < np.inf:
        raise ValueError(f"the sharpness must be a number above 0, not {sharpness}")
    nodes = min(degree // 2 + 1, 16 + int(np.ceil(5 * np.sqrt(degree))))
    s, weight = _fine_rule(sharpness)
    basis = np.zeros((nodes + 1, s.size))
    basis[0] = np.sqrt(weight)
    diagonal, beside = np.zeros(nodes), np.zeros(nodes)
    for k in range(nodes):
        new = s * basis[k]
        diagonal[k] = new @ basis[k]
        # Twice is enough: orthogonal to all before, to rounding.
        for _ in range(2):
            new = new - basis[: k + 1].T @ (basis[: k + 1] @ new)
        beside[k] = np.linalg.norm(new)
        basis[k + 1] = new / max(beside[k], TINY)
    jacobi = np.diag(diagonal) + np.diag(beside[:-1], 1) + np.diag(beside[:-1], -1)
    at, vectors = np.linalg.eigh(jacobi)
    return np.clip(at, 0.0, 1.0), vectors[0] ** 2


def _fine_rule(sharpness: float) -> tuple[FloatArray, FloatArray]:
    """Composite Gauss-Legendre in t: panels of the width of the curve's bend, wide ones where it is flat."""
    x, w = np.polynomial.legendre.leggauss(_FINE)
    bend = np.array([0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]) / sharpness
    edges = np.unique(np.clip(np.concatenate([0.5 - bend, 0.5 + bend, [0.0, 1.0]]), 0.0, 1.0))
    middle, half = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    t = (middle[:, None] + half[:, None] * x).ravel()
    return np.asarray(expit(sharpness * (t - 0.5))), (half[:, None] * w).ravel()


class SharpenedTarget:
    """Log posterior of logit accuracies (B, J) and its gradient.

    Parameters
    ----------
    plan
        The tabulated binary data, raters told apart.
    sharpness
        d.
    prior
        Pseudo-counts of the accuracies (`priors.prior_counts`).
    """

    def __init__(self, plan: Design, sharpness: float, prior: Tally) -> None:
        patterns = plan.patterns
        self.plan, self.sharpness = plan, sharpness
        self.size: int = patterns.units
        self.rate = float(plan.space.observed[1])
        self._s, self._weight = gauss_rule(sharpness, int(patterns.size.max(initial=1)))
        flat = patterns.pattern.astype(np.int64) * patterns.units + patterns.unit
        shape = (patterns.patterns, patterns.units)
        ones = patterns.category == 1
        self.ones = np.bincount(flat[ones], patterns.count[ones], shape[0] * shape[1]).reshape(shape)
        self.zeros = np.bincount(flat[~ones], patterns.count[~ones], shape[0] * shape[1]).reshape(shape)
        self._given = patterns.totals.sum(axis=1)
        self._hits, self._both = prior.hits[0, :, 0], prior.ratings[0, :, 0]
        self._rows = max(_CHUNK // max(shape[0] * self._s.size, 1), 1)

    def allowed(self, at: FloatArray) -> NDArray[np.bool_]:
        """See `Target.allowed`: labels cannot switch."""
        return np.ones(at.shape[0], dtype=bool)

    def __call__(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """See `Target.__call__`."""
        a = expit(at)
        level, hits = self.expect(a)
        misses = self._both - self._hits
        level = level - np.logaddexp(0, -at) @ self._hits - np.logaddexp(0, at) @ misses
        return level, hits + self._hits - a * (self._given + self._both)

    def climbed(self, a: FloatArray, steps: int) -> FloatArray:
        """Accuracies (B, J) after so many E-M steps towards the mode on the logit scale."""
        for _ in range(steps):
            a = (self.expect(a)[1] + self._hits) / (self._given + self._both)
        return a

    def expect(self, accuracy: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Log-likelihoods (B,) in nats, ratings form, and expected accurate ratings (B, J)."""
        parts = [self._portion(accuracy[i : i + self._rows]) for i in range(0, accuracy.shape[0], self._rows)]
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def _portion(self, accuracy: FloatArray) -> tuple[FloatArray, FloatArray]:
        b, j = accuracy.shape
        g, p = self._s.size, self.ones.shape[0]
        a = accuracy.T[:, None, :]
        right = a * self._s[:, None]
        one = right + (1 - a) * self.rate
        none = 1 - one
        logs = self.ones @ _log(one).reshape(j, -1) + self.zeros @ _log(none).reshape(j, -1)
        joint = logs.reshape(p, g, b) + _log(self._weight)[:, None]
        top = joint.max(axis=1, keepdims=True)
        posterior = np.exp(joint - top)
        total = posterior.sum(axis=1, keepdims=True)
        weight = self.plan.patterns.weight
        level = weight @ (top + np.log(total))[:, 0]
        posterior *= weight[:, None, None] / total
        flat = posterior.reshape(p, -1)
        ones = (self.ones.T @ flat).reshape(j, g, b) * right / np.maximum(one, TINY)
        zeros = (self.zeros.T @ flat).reshape(j, g, b) * (a - right) / np.maximum(none, TINY)
        return level, (ones + zeros).sum(axis=1).T

    def truths(self, accuracy: FloatArray, t: FloatArray) -> FloatArray:
        """Shape (P, T): posterior mass of each pattern's truth at points t (T,), averaged over accuracies (B, J)."""
        s = expit(self.sharpness * (t - 0.5))
        total = np.zeros((self.ones.shape[0], t.size))
        for a in accuracy:
            one = a[:, None] * s + (1 - a)[:, None] * self.rate
            logs = self.ones @ _log(one) + self.zeros @ _log(1 - one)
            mass = np.exp(logs - logs.max(axis=1, keepdims=True))
            total += mass / mass.sum(axis=1, keepdims=True)
        return np.asarray(total / accuracy.shape[0])


def _log(x: FloatArray) -> FloatArray:
    return np.asarray(np.log(np.maximum(x, TINY)))
