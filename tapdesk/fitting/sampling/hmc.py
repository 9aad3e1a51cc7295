"""Hamiltonian Monte Carlo, many chains as one array, with a trajectory length they adapt together.

ChEES-HMC (Hoffman, Radul & Sountsov 2021, AISTATS): all chains share one step size, by dual averaging on the harmonic
mean of their acceptance, and one jittered trajectory length, by stochastic gradient ascent of the change in the
estimator of expected squares. The jitter is a Halton sequence, so a chain never returns to where it came from.
"""

import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.sampling.adapt import Ascent, DualAveraging, Scale, scale_of
from tapdesk.fitting.sampling.target import Target
from tapdesk.models.stack import FloatArray

_TARGET = 0.651
_DIVERGED = 1000.0
_MOST_STEPS = 400
_FIRST_TRAJECTORY = 1.5
# Seconds of work after which a trajectory says that it goes on.
_SIGN = 0.005


@dataclass(frozen=True, eq=False)
class Chains:
    """Where B chains stand.

    Attributes
    ----------
    at
        Shape (B, q): whitened coordinates.
    level
        Shape (B,): log density.
    slope
        Shape (B, q): its gradient in whitened coordinates.
    """

    at: FloatArray
    level: FloatArray
    slope: FloatArray


@dataclass(frozen=True, eq=False)
class Move:
    """One trajectory of all chains.

    Attributes
    ----------
    chains
        Where they stand after acceptance.
    accepted
        Shape (B,): acceptance probabilities.
    diverged
        Shape (B,): whether the energy ran away.
    steps
        Leapfrog steps made.
    """

    chains: Chains
    accepted: FloatArray
    diverged: NDArray[np.bool_]
    steps: int


@dataclass(frozen=True, eq=False)
class Told:
    """One iteration as the caller sees it.

    Attributes
    ----------
    warm
        Whether it was still warm-up.
    at
        Shape (B, q): coordinates on the line.
    diverged
        Shape (B,).
    accepted
        Mean acceptance probability.
    steps
        Leapfrog steps made.
    """

    warm: bool
    at: FloatArray
    diverged: NDArray[np.bool_]
    accepted: float
    steps: int


def sample(
    target: Target, start: FloatArray, scale: Scale, *, warmup: int, draws: int, rng: np.random.Generator
) -> Iterator[Told | None]:
    """Warm up and draw, one iteration of all chains at a time; None comes in between, as a sign of life.

    Parameters
    ----------
    target
        The density.
    start
        Shape (B, q): dispersed starting points.
    scale
        A first idea of the posterior's shape.
    warmup, draws
        Iterations of each kind.
    rng
        The only source of chance: the same generator state gives the same draws.
    """
    length, step = Ascent(_FIRST_TRAJECTORY), DualAveraging(0.1, _TARGET)
    chains = _placed(target, scale, start)
    windows, kept = _windows(warmup), []
    for i in range(warmup + draws):
        warm = i < warmup
        size = step.now if warm else step.mean
        jitter = _halton(i + 1)
        count = int(np.clip(np.ceil(jitter * length.now / size), 1, _MOST_STEPS))
        before = chains
        move, ends, speed = yield from _trajectory(target, scale, before, size, count, rng)
        chains = move.chains
        if warm:
            step.learn(move.accepted)
            if i >= windows[0] // 2:
                length.learn(before.at, ends, speed, move.accepted, jitter)
            kept.append(scale.out(chains.at))
            if i + 1 in windows:
                scale = scale_of(np.concatenate(kept), scale)
                chains, kept = _placed(target, scale, kept[-1]), []
                step = DualAveraging(step.now, _TARGET)
        yield Told(warm, scale.out(chains.at), move.diverged, float(move.accepted.mean()), move.steps)


def _placed(target: Target, scale: Scale, at: FloatArray) -> Chains:
    level, slope = target(at)
    return Chains(scale.back(at), level, scale.slope(slope))


def _trajectory(
    target: Target, scale: Scale, chains: Chains, size: float, count: int, rng: np.random.Generator
) -> Generator[None, None, tuple[Move, FloatArray, FloatArray]]:
    """One leapfrog trajectory of every chain and its acceptance; also the proposed ends and their velocities."""
    speed = rng.standard_normal(chains.at.shape)
    lots = rng.random(chains.at.shape[0])
    energy = chains.level - 0.5 * np.einsum("bq,bq->b", speed, speed)
    at, level, slope = chains.at, chains.level, chains.slope
    said = time.monotonic()
    with _astray():
        speed = speed + 0.5 * size * slope
    for i in range(count):
        with _astray():
            at = at + size * speed
            level, slope = target(scale.out(at))
            slope = scale.slope(slope)
            speed = speed + (size if i < count - 1 else 0.5 * size) * slope
        if time.monotonic() - said > _SIGN:
            yield None
            said = time.monotonic()
    with _astray():
        change = level - 0.5 * np.einsum("bq,bq->b", speed, speed) - energy
        diverged = ~(change > -_DIVERGED)
        change = np.where(diverged, -np.inf, change)
        accepted = np.exp(np.minimum(change, 0.0))
    fine = ~diverged
    if fine.any():
        accepted[fine] *= target.allowed(scale.out(at[fine]))
    taken = lots < accepted
    pick = taken[:, None]
    new = Chains(
        np.where(pick, at, chains.at), np.where(taken, level, chains.level), np.where(pick, slope, chains.slope)
    )
    ends = np.where(diverged[:, None], chains.at, at)
    return Move(new, accepted, diverged, count), ends, np.where(diverged[:, None], 0.0, speed)


def _astray() -> np.errstate:
    """What runs away to infinity is refused in the end; on its way it may overflow."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore")


def _windows(warmup: int) -> tuple[int, ...]:
    """Iterations after which the shape of the posterior is learnt anew, each window longer than the last."""
    return tuple(sorted({max(int(warmup * share), 1) for share in (0.12, 0.3, 0.6, 0.85)}))


def _halton(i: int) -> float:
    """Element i of the van der Corput sequence to base 2, between 0 and 1."""
    value, share = 0.0, 0.5
    while i:
        value += share * (i & 1)
        i, share = i >> 1, share / 2
    return value
