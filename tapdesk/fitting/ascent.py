"""Climbs that crawl along a ridge, carried to its top by Newton's method, side by side.

Where ratings say little of their cases the likelihood has long, nearly flat ridges, on which E-M makes thousands of
steps. The step of Newton's method with the absolute eigenvalues of the information (saddle-free Newton, Dauphin et al.
2014, arXiv:1406.2572) climbs along them from any point; it is shortened until it gains, so the log-likelihood never
falls. It stands beside `climb` because that file is full, and alone because only `em` has climbs to carry on.
"""

import numpy as np

from tapdesk.fitting.climb import scores
from tapdesk.models.evidence import Evidence
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import FreeLine, Space, line

MOST_COORDINATES = 8
"""Of more numbers the information is dearer than the E-M steps it would save."""
_ROUNDS, _HALVINGS = 40, 6
_STEP = 1e-4
# Of a step in logits and log ratios; of the coordinates, so that no rate leaves what a computer can hold.
_LONGEST, _FARTHEST = 5.0, 25.0
_INSIDE = 1e-10


def inside(stack: Stack) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Shape (B,): whether every rate and accuracy of a point lies clearly within its range."""
    rates = np.concatenate([stack.truth.reshape(stack.size, -1), stack.guessing.reshape(stack.size, -1)], axis=1)
    accuracy = stack.accuracy.reshape(stack.size, -1)
    away = (accuracy > _INSIDE).all(axis=1) & (accuracy < 1 - _INSIDE).all(axis=1)
    return np.asarray((rates > _INSIDE).all(axis=1) & away)


def ascend(space: Space, evidence: Evidence, start: Stack) -> tuple[Stack, FloatArray]:
    """The points that Newton's method reaches, and the log-likelihoods of the starts, then of the points.

    Parameters
    ----------
    space, evidence
        The model, and the patterns prepared for it.
    start
        B points within their range (`inside`), of at most `MOST_COORDINATES` free numbers.

    Returns
    -------
    Stack
        B points, none lower than its start.
    FloatArray
        Shape (2, B): nats, ratings form.
    """
    way = line(space, start.one(0))
    at = np.array([way.coordinates(start.one(b)) for b in range(start.size)])
    first, slopes = scores(space, evidence, way, at)
    levels, going = first.copy(), np.arange(start.size)
    for _round in range(_ROUNDS):
        steps = _steps(space, evidence, way, at[going], slopes[going])
        ends, reached, there = _highest(space, evidence, way, at[going], steps)
        gains = reached > levels[going] + 1e-12 * (1 + np.abs(levels[going]))
        going = going[gains]
        if not going.size:
            break
        at[going], levels[going], slopes[going] = ends[gains], reached[gains], there[gains]
    return way.points(at), np.array([first, levels])


def _steps(space: Space, evidence: Evidence, way: FreeLine, at: FloatArray, slopes: FloatArray) -> FloatArray:
    """Shape (B, size): uphill from each point, by the score over the absolute curvature, none too long."""
    b, size = at.shape
    moves = _STEP * np.concatenate([np.eye(size), -np.eye(size)])
    _levels, around = scores(space, evidence, way, (at[:, None] + moves).reshape(-1, size))
    around = around.reshape(b, 2, size, size)
    second = (around[:, 1] - around[:, 0]) / (2 * _STEP)
    values, vectors = np.linalg.eigh((second + second.transpose(0, 2, 1)) / 2)
    bend = np.maximum(np.abs(values), 1e-8 * np.abs(values).max(axis=1, keepdims=True) + 1e-300)
    steps = np.einsum("bij,bj->bi", vectors, np.einsum("bij,bi->bj", vectors, slopes) / bend)
    longest = np.abs(steps).max(axis=1, keepdims=True)
    return np.asarray(steps * np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300)))


def _highest(
    space: Space, evidence: Evidence, way: FreeLine, at: FloatArray, steps: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The best of the ends of each step, whole or halved some times: where it is, how high, and its score."""
    b, size = at.shape
    shares = 0.5 ** np.arange(_HALVINGS)
    ends = np.clip(at[:, None] + shares[:, None] * steps[:, None], -_FARTHEST, _FARTHEST)
    levels, slopes = scores(space, evidence, way, ends.reshape(-1, size))
    levels = np.where(np.isfinite(levels), levels, -np.inf).reshape(b, -1)
    best, row = levels.argmax(axis=1), np.arange(b)
    return ends[row, best], levels[row, best], slopes.reshape(b, -1, size)[row, best]
