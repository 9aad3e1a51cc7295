"""Chains run to their end, told step by step."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.fitting.sampling.adapt import Scale
from tapdesk.fitting.sampling.hmc import sample
from tapdesk.fitting.sampling.target import Target
from tapdesk.models.parameters import ParameterName
from tapdesk.models.stack import FloatArray
from tapdesk.progress import Run, Step

_TELL = 25
_LIVE_NUMBERS = 400


@dataclass(frozen=True, eq=False)
class Sampled:
    """What the chains brought home.

    Attributes
    ----------
    at
        Shape (chains, draws, q): coordinates on the line.
    values
        Shape (chains, draws, S): the reported numbers, on the probability scale (slopes: logit scale).
    divergences
        Trajectories whose energy ran away, after warm-up.
    accepted
        Mean acceptance probability after warm-up.
    steps
        Leapfrog steps made, of each chain.
    """

    at: FloatArray
    values: FloatArray
    divergences: int
    accepted: float
    steps: int


def run_chains(
    target: Target,
    start: FloatArray,
    scale: Scale,
    reported: tuple[Sequence[ParameterName], Callable[[FloatArray], tuple[FloatArray, FloatArray]]],
    *,
    warmup: int,
    draws: int,
    rng: np.random.Generator,
) -> Run[Sampled]:
    """Warm up and draw.

    Parameters
    ----------
    target, start, scale, warmup, draws, rng
        As in `hmc.sample`.
    reported
        The names of the S reported numbers, and what turns coordinates (n, q) into relabelled coordinates (n, q) and
        reported numbers (n, S).

    Yields
    ------
    Step
        Phase ``sampling``, at least one for each trajectory of all chains, warm-up included. Now and then ``values``
        holds ``draws``, the new draws of each reported number (a few hundred numbers at most), and ``rhat``, the
        largest
        split R-hat so far (not rank-normalised: a sign of life, no verdict).
    """
    names, tell = reported
    total = warmup + draws
    at: list[FloatArray] = []
    values: list[FloatArray] = []
    fresh: list[FloatArray] = []
    divergences, accepted, steps = 0, 0.0, 0
    done = 0
    for told in sample(target, start, scale, warmup=warmup, draws=draws, rng=rng):
        if told is None:
            yield Step(done, total, "sampling")
            continue
        done += 1
        steps += told.steps
        if told.warm:
            yield Step(done, total, "sampling")
            continue
        fresh.append(told.at)
        divergences += int(told.diverged.sum())
        accepted += told.accepted / draws
        if len(fresh) < _TELL and done < total:
            yield Step(done, total, "sampling")
            continue
        block = np.stack(fresh, axis=1)
        flat, numbers = tell(block.reshape(-1, block.shape[2]))
        at.append(flat.reshape(block.shape))
        values.append(numbers.reshape(*block.shape[:2], -1))
        fresh = []
        shown = min(len(names), _LIVE_NUMBERS)
        live = np.concatenate([v[..., :shown] for v in values], axis=1)
        new = values[-1].reshape(-1, len(names))
        row = {name: new[:, s] for s, name in enumerate(names[:shown])}
        yield Step(done, total, "sampling", {"draws": row, "rhat": float(split_rhat(live).max(initial=1.0))})
    return Sampled(np.concatenate(at, axis=1), np.concatenate(values, axis=1), divergences, accepted, steps)


def split_rhat(values: FloatArray) -> FloatArray:
    """Shape (S,): R-hat of split chains (Gelman et al. 2013, BDA3 eq. 11.4) from draws (chains, draws, S).

    1 where all draws are equal; infinite where every half chain stands still at a place of its own.
    """
    half = values.shape[1] // 2
    if half < 2:
        return np.ones(values.shape[2])
    parts = np.concatenate([values[:, :half], values[:, half : 2 * half]])
    within = parts.var(axis=1, ddof=1).mean(axis=0)
    between = parts.mean(axis=1).var(axis=0, ddof=1)
    apart = np.where(between > 0, np.inf, 0.0)
    ratio = np.divide(between, within, out=apart, where=within > 0)
    return np.asarray(np.sqrt((half - 1) / half + ratio))
