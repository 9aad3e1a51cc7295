"""The one M-step without a closed form: a logistic fit to the expected share of accurate ratings."""

import numpy as np
from numpy.typing import NDArray

_STEPS = 25
_SETTLED = 1e-10


def logistic_m_step(
    design: NDArray[np.float64],
    hits: NDArray[np.float64],
    ratings: NDArray[np.float64],
    slopes: NDArray[np.float64],
    pins: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Slopes that maximise sum(hits log a + (ratings - hits) log(1 - a)), logit a = design @ slopes.

    Newton's method from the given slopes, each step halved until it gains (the objective is concave).

    Parameters
    ----------
    design
        Shape (U, S).
    hits, ratings
        Shape (B, U): expected accurate ratings and all ratings of each unit.
    slopes
        Shape (B, S): where to start.
    pins
        Shape (B, S) or (): held values, NaN where free.
    """
    new = slopes.copy()
    held = np.broadcast_to(~np.isnan(pins), slopes.shape)
    new[held] = np.broadcast_to(pins, slopes.shape)[held]
    for b in range(slopes.shape[0]):
        free = ~held[b]
        x = design[:, free]
        for _ in range(_STEPS):
            gain, step = _newton(design, x, hits[b], ratings[b], new[b])
            if gain < _SETTLED:
                break
            before = _objective(design, hits[b], ratings[b], new[b])
            for half in range(30):
                trial = new[b].copy()
                trial[free] += step * 0.5**half
                if _objective(design, hits[b], ratings[b], trial) >= before:
                    new[b] = trial
                    break
            else:
                break
    return new


def _objective(
    design: NDArray[np.float64], hits: NDArray[np.float64], ratings: NDArray[np.float64], slopes: NDArray[np.float64]
) -> float:
    logit = design @ slopes
    return float(hits @ logit - ratings @ np.logaddexp(0.0, logit))


def _newton(
    design: NDArray[np.float64],
    free: NDArray[np.float64],
    hits: NDArray[np.float64],
    ratings: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
    """Expected gain of a Newton step, and the step over the free columns."""
    from scipy.special import expit  # late: slow to load

    a = expit(design @ slopes)
    score = free.T @ (hits - ratings * a)
    information = (free * (ratings * a * (1 - a))[:, None]).T @ free
    # A ridge far below the information keeps separated data from a singular system.
    information += 1e-10 * np.eye(free.shape[1])
    step = np.linalg.solve(information, score)
    size = float(np.abs(step).max(initial=0.0))
    step = step if size < 5 else step * 5 / size
    return float(score @ step), np.asarray(step, dtype=np.float64)
