"""A population of raters in a moment: normal around the mode for each spread of the population, then weighed.

For each omega of a grid the other coordinates are nearly normal around their mode (Tierney & Kadane 1986, JASA 81:82;
Rue, Martino & Chopin 2009, JRSS B 71:319). Draws from that mixture, with wider tails, are weighed by the density itself
(importance sampling), so what is off is corrected; how many independent draws they are worth says whether that holds.
It sees one mode. `tapdesk.fitting.sampling.pooled` is what it is held against.
"""

import time

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import FitFinding
from tapdesk.fitting.sampling.pooled import (
    PooledRaters,
    PooledTarget,
    PoolRequest,
    pooled_starts,
    pooled_target,
    summarise_pool,
)
from tapdesk.fitting.sampling.posterior_summary import LEAST_DRAWS
from tapdesk.language import gettext as _
from tapdesk.models.model import RaterModel, model
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Ratings

IndexArray = NDArray[np.int64]
_LOWEST, _HIGHEST, _GRID = 0.002, 5.0, 31
_ROUNDS, _HALVINGS, _CLOSE = 40, 12, 1e-5
_TAILS = 6.0
_MOST_PORTIONS = 10
_STREAM = 43


def quick_pooled_raters(
    ratings: Ratings, seed: int = 1, request: PoolRequest | None = None, row: RaterModel | None = None
) -> Run[PooledRaters]:
    """The same as `tapdesk.fitting.sampling.pooled.pooled_raters`, by approximation.

    Parameters
    ----------
    ratings, seed, request, row
        As there; as many draws as all chains have together.

    Yields
    ------
    Step
        Phase ``fit``.

    Raises
    ------
    CannotAnswerError
        As there.
    """
    began = time.perf_counter()
    request, row = request or PoolRequest(), row or model("t-aj-p")
    target = pooled_target(ratings, row, request)
    rng = np.random.default_rng(np.random.SeedSequence([seed, _STREAM]))
    log_omega = np.log(request.spread) + np.linspace(np.log(_LOWEST), np.log(_HIGHEST), _GRID)
    start, _around = pooled_starts(target, 4, rng)
    mode, level, factor = yield from _modes(target, start[int(target(start)[0].argmax())], log_omega)
    count, worth = request.chains * request.draws, 0.0
    parts: list[tuple[FloatArray, FloatArray]] = []
    while worth < LEAST_DRAWS and len(parts) < _MOST_PORTIONS:
        # Where the density is far from normal most draws weigh nothing: more of them are made until enough do.
        yield Step(len(parts), _MOST_PORTIONS, "fit")
        parts.append(_drawn(target, (mode, level, factor), count, rng))
        log_weight = np.concatenate([part[1] for part in parts])
        weight = np.exp(log_weight - log_weight.max())
        if not np.isfinite(weight).all() or weight.sum() <= 0:
            raise CannotAnswerError(_("The sampler lost its way on these data."))
        worth = float(weight.sum() ** 2 / (weight**2).sum())
    at = np.concatenate([part[0] for part in parts])
    kept = at[_resampled(weight, count, rng)]
    settled = worth >= LEAST_DRAWS
    findings = () if settled else (_rough(worth),)
    how = ("approximation", settled, worth, findings, began)
    yield Step(_ROUNDS, _ROUNDS, "fit")
    return summarise_pool((ratings, row, target, request), kept, seed, how)


def _rough(worth: float) -> FitFinding:
    message = _(
        "The approximation is rough here: its draws are worth {worth:.0f} independent ones, and {least:.0f} are wanted."
    ).format(worth=worth, least=LEAST_DRAWS)
    return FitFinding("rough_approximation", "ask", message, _("Sample the population of {raters} instead."))


def _modes(
    target: PooledTarget, start: FloatArray, log_omega: FloatArray
) -> Run[tuple[FloatArray, FloatArray, FloatArray]]:
    """For each omega the mode (G, q), the log density (G,) there, and a factor (G, q - 1, q - 1) of the covariance."""
    size, free = log_omega.size, np.delete(np.arange(target.size), target.omega)
    at = np.tile(start, (size, 1))
    # The same accuracies, told in units of each spread, as far as these may differ so much.
    scale = np.exp(start[target.omega] - log_omega)[:, None]
    at[:, target.omega + 1 :] = np.clip(at[:, target.omega + 1 :] * scale, -1.5, 1.5)
    at[:, target.omega] = log_omega
    level, slope = target(at)
    for turn in range(_ROUNDS):
        yield Step(turn, _ROUNDS, "fit")
        values, vectors = np.linalg.eigh(_curvature(target, at, free))
        values = np.maximum(np.abs(values), 0.05)
        slope = slope[:, free]
        if np.abs(slope).max() < _CLOSE:
            break
        step = np.einsum("gij,gj,gkj,gk->gi", vectors, 1 / values, vectors, slope)
        step *= np.minimum(1.0, 4.0 / np.maximum(np.abs(step).max(axis=1, keepdims=True), 1e-300))
        at, level, slope = _uphill(target, at, level, (free, step))
    values, vectors = np.linalg.eigh(_curvature(target, at, free))
    return at, level, vectors / np.sqrt(np.maximum(values, 0.05))[:, None, :]


def _uphill(
    target: PooledTarget,
    at: FloatArray,
    level: FloatArray,
    way: tuple[IndexArray, FloatArray],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Each point after its step, halved until it gains; as it was where nothing does."""
    free, step = way
    best = at.copy()
    left = np.ones(level.size, dtype=bool)
    for half in range(_HALVINGS):
        trial = at.copy()
        trial[:, free] += step * 0.5**half
        height = target(trial)[0]
        good = left & (height >= level)
        best[good], left = trial[good], left & ~good
        if not left.any():
            break
    return (best, *target(best))


def _curvature(target: PooledTarget, at: FloatArray, free: IndexArray) -> FloatArray:
    """Shape (G, q - 1, q - 1): minus the second derivatives, by central differences of the gradient."""
    move = np.zeros((free.size, target.size))
    move[np.arange(free.size), free] = 1e-4
    ends = [target((at[:, None] + sign * move).reshape(-1, target.size))[1] for sign in (1, -1)]
    second = ((ends[0] - ends[1]) / 2e-4).reshape(at.shape[0], free.size, target.size)[:, :, free]
    return np.asarray(-(second + second.transpose(0, 2, 1)) / 2)


def _drawn(
    target: PooledTarget, modes: tuple[FloatArray, FloatArray, FloatArray], count: int, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draws (n, q) from the mixture, and the logarithms of their weights (n,)."""
    mode, level, factor = modes
    free = np.delete(np.arange(target.size), target.omega)
    log_mass = level + np.log(np.abs(np.linalg.det(factor)) + 1e-300)
    mass = np.exp(log_mass - log_mass.max())
    # A little of everything, so that no spread is missed whose mode says too little of it.
    share = 0.9 * mass / mass.sum() + 0.1 / mass.size
    which = np.sort(rng.choice(share.size, count, p=share))
    plain = rng.standard_normal((count, free.size))
    stretch = np.sqrt(_TAILS / rng.chisquare(_TAILS, count))
    at = mode[which]
    # Anywhere in the cell of its omega, or the grid would be seen in what is said of it.
    at[:, target.omega] += (rng.random(count) - 0.5) * (mode[1, target.omega] - mode[0, target.omega])
    at[:, free] += np.einsum("nij,nj->ni", factor[which], plain * stretch[:, None])
    away = (plain**2).sum(axis=1) * stretch**2
    q = free.size
    log_t = gammaln((_TAILS + q) / 2) - gammaln(_TAILS / 2) - q / 2 * np.log(_TAILS * np.pi)
    log_proposal = log_t - (_TAILS + q) / 2 * np.log1p(away / _TAILS) - np.linalg.slogdet(factor)[1][which]
    log_weight = target(at)[0] - log_proposal - np.log(share[which])
    return at, log_weight


def _resampled(weight: FloatArray, count: int, rng: np.random.Generator) -> IndexArray:
    """Shape (count,): indices drawn in proportion to the weights, evenly spread (systematic resampling)."""
    ends = np.cumsum(weight) / weight.sum()
    place = (rng.random() + np.arange(count)) / count
    return np.minimum(np.searchsorted(ends, place), weight.size - 1)
