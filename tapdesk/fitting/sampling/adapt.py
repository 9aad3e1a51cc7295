"""What the chains of Hamiltonian Monte Carlo learn together: shape, step size, trajectory length."""

from dataclasses import dataclass

import numpy as np

from tapdesk.models.stack import FloatArray

_DENSE = 250


@dataclass(frozen=True, eq=False)
class Scale:
    """The way from whitened coordinates to the line: ``line = centre + factor @ white``.

    Attributes
    ----------
    centre
        Shape (q,).
    factor
        Shape (q, q), lower triangular, or (q,) where the coordinates are scaled one by one.
    """

    centre: FloatArray
    factor: FloatArray

    def out(self, white: FloatArray) -> FloatArray:
        """Coordinates on the line, (B, q)."""
        moved = white * self.factor if self.factor.ndim == 1 else white @ self.factor.T
        return np.asarray(moved + self.centre)

    def back(self, at: FloatArray) -> FloatArray:
        """Whitened coordinates, (B, q)."""
        away = at - self.centre
        return np.asarray(away / self.factor if self.factor.ndim == 1 else np.linalg.solve(self.factor, away.T).T)

    def slope(self, slope: FloatArray) -> FloatArray:
        """A gradient on the line as one in whitened coordinates, (B, q)."""
        return np.asarray(slope * self.factor if self.factor.ndim == 1 else slope @ self.factor)


def scale_of(draws: FloatArray, old: Scale) -> Scale:
    """The shape of draws (n, q): their covariance where there are enough of them, else their variances.

    Shrunk a little towards the old shape, so that few draws cannot make it flat.
    """
    n, q = draws.shape
    centre = draws.mean(axis=0)
    away = draws - centre
    weight = n / (n + 5.0)
    if q > _DENSE or n < 4 * q:
        before = old.factor**2 if old.factor.ndim == 1 else (old.factor**2).sum(axis=1)
        variance = weight * (away**2).mean(axis=0) + (1 - weight) * 1e-2 * before
        return Scale(centre, np.sqrt(np.maximum(variance, 1e-12)))
    before = np.diag(old.factor**2) if old.factor.ndim == 1 else old.factor @ old.factor.T
    covariance = weight * (away.T @ away) / n + (1 - weight) * 1e-2 * before
    try:
        return Scale(centre, np.linalg.cholesky(covariance))
    except np.linalg.LinAlgError:
        return Scale(centre, np.sqrt(np.maximum(np.diag(covariance), 1e-12)))


class DualAveraging:
    """Step size from acceptance (Nesterov 2009; Hoffman & Gelman 2014, JMLR 15), on the harmonic mean over chains.

    Parameters
    ----------
    first
        The first step size.
    wanted
        The acceptance to reach.
    """

    def __init__(self, first: float, wanted: float) -> None:
        self._anchor = np.log(2 * first)
        self._wanted = wanted
        self._error, self._count = 0.0, 0
        self._log, self._mean = np.log(first), np.log(first)

    @property
    def now(self) -> float:
        """The step size to try next."""
        return float(np.exp(self._log))

    @property
    def mean(self) -> float:
        """The averaged step size, to draw with."""
        return float(np.exp(self._mean))

    def learn(self, accepted: FloatArray) -> None:
        """Take in the acceptance probabilities of one iteration, (B,)."""
        self._count += 1
        harmonic = 1 / float(np.mean(1 / np.maximum(accepted, 1e-3)))
        share = 1 / (self._count + 10)
        self._error = (1 - share) * self._error + share * (self._wanted - harmonic)
        self._log = self._anchor - np.sqrt(self._count) / 0.05 * self._error
        weight = self._count**-0.75
        self._mean = weight * self._log + (1 - weight) * self._mean


class Ascent:
    """Trajectory length by gradient ascent of the ChEES criterion on the log scale (Adam without momentum)."""

    def __init__(self, first: float) -> None:
        self._log = np.log(first)
        self._square, self._count = 0.0, 0

    @property
    def now(self) -> float:
        """The trajectory length before jitter."""
        return float(np.exp(self._log))

    def learn(self, start: FloatArray, end: FloatArray, speed: FloatArray, accepted: FloatArray, jitter: float) -> None:
        """Take in one iteration: starts, proposed ends and their velocities, (B, q), and acceptance, (B,)."""
        if start.shape[0] < 2 or accepted.sum() < 1e-3:
            return
        weight = accepted / accepted.sum()
        left, came = start - start.mean(axis=0), end - weight @ end
        gained = (came**2).sum(axis=1) - (left**2).sum(axis=1)
        slope = float(weight @ (gained * (came * speed).sum(axis=1)) * jitter * self.now)
        if not np.isfinite(slope):
            return
        self._count += 1
        self._square = 0.95 * self._square + 0.05 * slope**2
        size = np.sqrt(self._square / (1 - 0.95**self._count))
        self._log = float(np.clip(self._log + 0.025 * slope / max(size, 1e-300), np.log(0.2), np.log(50.0)))
