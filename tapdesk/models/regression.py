"""The one M-step without a closed form: a logistic fit to the expected share of accurate ratings."""

import numpy as np
from numpy.typing import NDArray

_STEPS = 25
_SETTLED = 1e-10
_TINY = 1e-300
_BELOW_ONE = 1 - 2**-53


def accuracies(design: NDArray[np.float64], slopes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Accuracy of each unit, shape (..., U), from slopes of shape (..., S); at most the largest number below 1.

    With an accuracy of 1 to the last digit a rating that is wrong would be impossible, and the guess behind it lost.
    """
    from scipy.special import expit  # late: slow to load

    return np.asarray(np.minimum(expit(slopes @ design.T), _BELOW_ONE))


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
    # Of the accuracy as it is stored, not of its logit: next to 1 they differ, and the E-step sees the stored one.
    a = accuracies(design, slopes)
    right, wrong = np.log(np.maximum(a, _TINY)), np.log(np.maximum(1 - a, _TINY))
    return float(hits @ right + (ratings - hits) @ wrong)


def _newton(
    design: NDArray[np.float64],
    free: NDArray[np.float64],
    hits: NDArray[np.float64],
    ratings: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> tuple[float, NDArray[np.float64]]:
    """Expected gain of a Newton step, and the step over the free columns."""
    a = accuracies(design, slopes)
    score = free.T @ (hits - ratings * a)
    information = (free * (ratings * a * (1 - a))[:, None]).T @ free
    # A ridge far below the information keeps separated data from a singular system.
    information += 1e-10 * np.eye(free.shape[1])
    step = np.linalg.solve(information, score)
    size = float(np.abs(step).max(initial=0.0))
    step = step if size < 5 else step * 5 / size
    return float(score @ step), np.asarray(step, dtype=np.float64)
