"""Accuracies that are a logistic function of covariates: what slopes do to logits, and their M-step.

Nothing depends on where a covariate has its zero or what it is measured in.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEPS, _HALVES = 25, 30
_SETTLED = 1e-10
_TINY = 1e-300
_RIDGE, _LEAST, _FARTHEST = 1e-13, 1e-30, 10.0
_BELOW_ONE = 1 - 2**-53
_DEPENDENT = 1e-10


def accuracies(design: NDArray[np.float64], slopes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Accuracy of each unit, shape (..., U), from slopes of shape (..., S); at most the largest number below 1.

    With an accuracy of 1 to the last digit a rating that is wrong would be impossible, and the guess behind it lost.
    """
    from scipy.special import expit  # late: slow to load

    return np.asarray(np.minimum(expit(slopes @ design.T), _BELOW_ONE))


def own_basis(design: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (S, S): slopes = basis @ coordinates, each coordinate in logits: it moves them by 1 in root mean square.

    So nothing depends on where a covariate has its zero or what it is measured in. A direction that moves no logit
    keeps the unit of its covariates.
    """
    count = design.shape[1]
    unit = np.maximum(np.abs(design).max(axis=0, initial=0.0), _TINY)
    _left, values, directions = np.linalg.svd(np.vstack([design / unit, np.zeros((count, count))]), full_matrices=False)
    size = values / np.sqrt(design.shape[0])
    size = np.where(values > _DEPENDENT * values.max(initial=0.0), size, 1.0)
    return np.asarray(directions.T / size / unit[:, None])


def own_units(design: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shape (S,): by how much each slope has to move for 1 logit in root mean square, the others following it."""
    return np.asarray(np.sqrt((own_basis(design) ** 2).sum(axis=1)))


def followed(design: NDArray[np.float64], held: int) -> NDArray[np.float64]:
    """Shape (S,): how all slopes move when one of them moves by 1 and the logits stay as near as they can."""
    unit = np.maximum(np.abs(design).max(axis=0), _TINY)
    x = design / unit
    others = np.arange(x.shape[1]) != held
    way = np.zeros(x.shape[1])
    way[others] = -np.linalg.lstsq(x[:, others], x[:, held], rcond=_DEPENDENT)[0]
    way[held] = 1.0
    return np.asarray(way * unit[held] / unit)


def logistic_m_step(
    design: NDArray[np.float64],
    hits: NDArray[np.float64],
    ratings: NDArray[np.float64],
    slopes: NDArray[np.float64],
    pins: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Slopes that maximise sum(hits log a + (ratings - hits) log(1 - a)), logit a = design @ slopes.

    Newton's method from the given slopes, each step halved until it gains (the objective is concave); all rows at once.

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
    free = np.broadcast_to(np.isnan(pins), slopes.shape)
    new = np.where(free, slopes, pins)
    going = np.arange(slopes.shape[0])
    own = _Own.of(design)
    for _ in range(_STEPS):
        gain, step = _newton(design, own, hits[going], ratings[going], new[going], free[going])
        going, step = going[gain >= _SETTLED], step[gain >= _SETTLED]
        if not going.size:
            break
        moved = _uphill(design, hits[going], ratings[going], new[going], step)
        still = (moved == new[going]).all(axis=1)
        new[going] = moved
        going = going[~still]
    return new


def _uphill(
    design: NDArray[np.float64],
    hits: NDArray[np.float64],
    ratings: NDArray[np.float64],
    slopes: NDArray[np.float64],
    step: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Each row's slopes after its step, halved until it does not lose; as they were where nothing gains."""
    result = slopes.copy()
    before = _objective(design, hits, ratings, slopes)
    left = np.arange(slopes.shape[0])
    for half in range(_HALVES):
        trial = slopes[left] + step[left] * 0.5**half
        good = _objective(design, hits[left], ratings[left], trial) >= before[left]
        result[left[good]] = trial[good]
        left = left[~good]
        if not left.size:
            break
    return result


def _objective(
    design: NDArray[np.float64], hits: NDArray[np.float64], ratings: NDArray[np.float64], slopes: NDArray[np.float64]
) -> NDArray[np.float64]:
    # Of the accuracy as it is stored, not of its logit: next to 1 they differ, and the E-step sees the stored one.
    a = accuracies(design, slopes)
    right, wrong = np.log(np.maximum(a, _TINY)), np.log(np.maximum(1 - a, _TINY))
    return np.asarray((hits * right + (ratings - hits) * wrong).sum(axis=1))


@dataclass(frozen=True, eq=False)
class _Own:
    """A design with each covariate in its own unit: the unit (S,), the design (U, S) and its products (U, S * S)."""

    unit: NDArray[np.float64]
    design: NDArray[np.float64]
    products: NDArray[np.float64]

    @staticmethod
    def of(design: NDArray[np.float64]) -> "_Own":
        unit = np.maximum(np.abs(design).max(axis=0, initial=0.0), _TINY)
        x = design / unit
        return _Own(unit, x, (x[:, :, None] * x[:, None, :]).reshape(x.shape[0], x.shape[1] ** 2))


def _newton(
    design: NDArray[np.float64],
    own: _Own,
    hits: NDArray[np.float64],
    ratings: NDArray[np.float64],
    slopes: NDArray[np.float64],
    free: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Expected gain (B,) of a Newton step, and the step (B, S) over the free slopes of each row."""
    x, count = own.design, own.design.shape[1]
    a = accuracies(design, slopes)
    score = np.where(free, (hits - ratings * a) @ x, 0.0)
    information = ((ratings * a * (1 - a)) @ own.products).reshape(-1, count, count)
    information *= free[:, :, None] & free[:, None, :]
    # A ridge far below the information: separated data make a singular system.
    ridge = _RIDGE * np.trace(information, axis1=1, axis2=2) + _LEAST
    information += np.where(free, ridge[:, None], 1.0)[:, :, None] * np.eye(count)
    step = np.linalg.solve(information, score[:, :, None])[:, :, 0]
    # No logit moves further than this at once, whatever the covariates are measured in.
    size = np.abs(step @ x.T).max(axis=1, initial=0.0)
    step *= np.minimum(1.0, _FARTHEST / np.maximum(size, _TINY))[:, None]
    return np.asarray((score * step).sum(axis=1)), np.asarray(step / own.unit)
