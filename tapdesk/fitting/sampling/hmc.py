"""Hamiltonian Monte Carlo, many chains as one array: where they start, what they learn together, how they run."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapdesk.fitting.sampling.target import ModelTarget, Target
from tapdesk.fitting.starts import starts
from tapdesk.models.parameters import FloatArray, ParameterName, Stack
from tapdesk.models.space import Tally, canonical
from tapdesk.progress import Run, Step

_DENSE = 250

_TARGET = 0.651
_DIVERGED = 1000.0
_MOST_STEPS = 400
_FIRST_TRAJECTORY = 1.5
# Seconds of work after which a trajectory says that it goes on.
_SIGN = 0.005
_TELL = 25
_LIVE_NUMBERS = 400
_CLIMB = 40
_MOST_FULL = 250
_PROBES = 16
# Curvature of the posterior where neither data nor prior bend it much; the widest step that is worth trying.
_LEAST_CURVATURE = 0.05
_SPREAD = 2.0


@dataclass(frozen=True, eq=False)
class Whitening:
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


def whitening_of(draws: FloatArray, old: Whitening) -> Whitening:
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
        return Whitening(centre, np.sqrt(np.maximum(variance, 1e-12)))
    before = np.diag(old.factor**2) if old.factor.ndim == 1 else old.factor @ old.factor.T
    covariance = weight * (away.T @ away) / n + (1 - weight) * 1e-2 * before
    try:
        return Whitening(centre, np.linalg.cholesky(covariance))
    except np.linalg.LinAlgError:
        return Whitening(centre, np.sqrt(np.maximum(np.diag(covariance), 1e-12)))


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
class Iteration:
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
    target: Target, start: FloatArray, scale: Whitening, *, warmup: int, draws: int, rng: np.random.Generator
) -> Iterator[Iteration | None]:
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
                scale = whitening_of(np.concatenate(kept), scale)
                chains, kept = _placed(target, scale, kept[-1]), []
                step = DualAveraging(step.now, _TARGET)
        yield Iteration(warm, scale.out(chains.at), move.diverged, float(move.accepted.mean()), move.steps)


def _placed(target: Target, scale: Whitening, at: FloatArray) -> Chains:
    level, slope = target(at)
    return Chains(scale.back(at), level, scale.slope(slope))


def _trajectory(
    target: Target, scale: Whitening, chains: Chains, size: float, count: int, rng: np.random.Generator
) -> Generator[None, None, tuple[Move, FloatArray, FloatArray]]:
    """One leapfrog trajectory of every chain and its acceptance; also the proposed ends and their velocities."""
    speed = rng.standard_normal(chains.at.shape)
    lots = rng.random(chains.at.shape[0])
    energy = chains.level - 0.5 * np.einsum("bq,bq->b", speed, speed)
    at, level, slope = chains.at, chains.level, chains.slope
    sentence = time.monotonic()
    with _astray():
        speed = speed + 0.5 * size * slope
    for i in range(count):
        with _astray():
            at = at + size * speed
            level, slope = target(scale.out(at))
            slope = scale.slope(slope)
            speed = speed + (size if i < count - 1 else 0.5 * size) * slope
        if time.monotonic() - sentence > _SIGN:
            yield None
            sentence = time.monotonic()
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


@dataclass(frozen=True, eq=False)
class ChainDraws:
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
    scale: Whitening,
    reported: tuple[Sequence[ParameterName], Callable[[FloatArray], tuple[FloatArray, FloatArray]]],
    *,
    warmup: int,
    draws: int,
    rng: np.random.Generator,
) -> Run[ChainDraws]:
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
        split R-hat so far (not rank-normalised: a sign of life, no verdict). During warm-up ``warm`` holds the places
        the chains pass instead: they move, but are draws of nothing.
    """
    names, tell = reported
    total = warmup + draws
    at: list[FloatArray] = []
    values: list[FloatArray] = []
    fresh: list[FloatArray] = []
    passed: list[FloatArray] = []
    divergences, accepted, steps = 0, 0.0, 0
    done = 0
    for sentence in sample(target, start, scale, warmup=warmup, draws=draws, rng=rng):
        if sentence is None:
            yield Step(done, total, "sampling")
            continue
        done += 1
        steps += sentence.steps
        if sentence.warm:
            passed.append(sentence.at)
            if len(passed) < _TELL and done < warmup:
                yield Step(done, total, "sampling")
                continue
            row, passed = _passed(np.stack(passed, axis=1), tell, names[:_LIVE_NUMBERS]), []
            yield Step(done, total, "sampling", {"warm": row})
            continue
        fresh.append(sentence.at)
        divergences += int(sentence.diverged.sum())
        accepted += sentence.accepted / draws
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
    return ChainDraws(np.concatenate(at, axis=1), np.concatenate(values, axis=1), divergences, accepted, steps)


def _passed(
    block: FloatArray, tell: Callable[[FloatArray], tuple[FloatArray, FloatArray]], names: Sequence[ParameterName]
) -> dict[ParameterName, FloatArray]:
    """The numbers at the places of the chains, shape (chains, draws, q), one chain after the other."""
    _flat, numbers = tell(block.reshape(-1, block.shape[2]))
    return {name: numbers[:, s] for s, name in enumerate(names)}


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


def dispersed(
    target: ModelTarget, general: Target, chains: int, seed: int, rng: np.random.Generator
) -> Run[FloatArray]:
    """Shape (chains, q): starting points around every mode that is worth a visit, wider than the posterior.

    Named and random points and their mirror images (the raters' other camp as the one that is right) climb a little
    towards the nearest mode; those that end hopelessly low are replaced by others. Each is then moved by twice the
    width of the posterior there, so that chains which agree in the end have come from different places.

    Parameters
    ----------
    target
        The density, for its model.
    general
        The same density, perhaps in a faster form.
    chains
        How many.
    seed
        Of the random starting points.
    rng
        Of what moves them.

    Yields
    ------
    Step
        Phase ``sampling``, one for each E-M step, without progress.
    """
    first = starts(target.plan, seed, random=chains)
    plain = np.array([i for i, name in enumerate(first.names) if not name.startswith("grid")])[: max(chains // 2, 2)]
    stack = first.stack.take(plain)
    stack = Stack.join([stack, _mirrored(target, stack)])
    stack = yield from climbed(target, stack)
    at = target.coordinates(stack)
    fine = target.allowed(at)
    if not fine.all():
        named = canonical(target.plan.space, stack).inside(0.02 / target.plan.space.classes)
        at = np.where(fine[:, None], at, target.coordinates(named))
    return scattered(general, at, chains, rng)


def scattered(target: Target, at: FloatArray, chains: int, rng: np.random.Generator) -> FloatArray:
    """Shape (chains, q): points near modes (n, q) moved by twice the width of the density around the best of them.

    Modes too low to hold mass worth counting are left out, the others take turns.
    """
    level = target(at)[0]
    worth = np.flatnonzero(level >= level.max() - 10 - target.size)
    chosen = at[worth[np.argsort(-level[worth], kind="stable")]]
    chosen = chosen[np.arange(chains) % chosen.shape[0]]
    around = laplace(target, at[int(level.argmax())])
    moved = chosen + _SPREAD * (around.out(rng.standard_normal(chosen.shape)) - around.centre)
    fine = target.allowed(moved) & np.isfinite(target(moved)[0])
    return np.asarray(np.where(fine[:, None], moved, chosen))


def _mirrored(target: ModelTarget, stack: Stack) -> Stack:
    """The points as the other camp of raters sees them: classes in reverse, the accurate ones inaccurate."""
    turned = target.plan.space.point(stack.truth[..., ::-1], 1 - stack.accuracy, stack.guessing[..., ::-1])
    return target.plan.space.settle(Stack(turned.truth, turned.accuracy, turned.guessing, -stack.slopes, stack.spread))


def climbed(target: ModelTarget, stack: Stack) -> Run[Stack]:
    """Some E-M steps towards the modes of the density on the line, where the priors are counts like others."""
    space, prior = target.plan.space, target.prior
    for _ in range(_CLIMB):
        moved = []
        for i in range(0, stack.size, target.rows):
            part = stack.take(np.arange(i, min(i + target.rows, stack.size)))
            t = space.tally(target.evidence.expect(part))
            more = Tally(
                t.log_likelihood,
                t.truth + prior.truth,
                t.hits + prior.hits,
                t.ratings + prior.ratings,
                t.guesses + prior.guesses,
            )
            moved.append(space.maximise(more, part))
            yield Step(0, 0, "sampling")
        stack = Stack.join(moved)
    return stack


def laplace(target: Target, at: FloatArray) -> Whitening:
    """The shape of a density around a point (q,): inverse curvature, full where the space is small enough."""
    q = at.size
    if q <= _MOST_FULL:
        steps = 1e-4 * np.eye(q)
        slopes = target(np.concatenate([at + steps, at - steps]))[1]
        second = (slopes[:q] - slopes[q:]) / 2e-4
        values, vectors = np.linalg.eigh(-(second + second.T) / 2)
        covariance = (vectors / np.maximum(values, _LEAST_CURVATURE)) @ vectors.T
        return Whitening(at, np.linalg.cholesky(covariance))
    # The diagonal from random signs: the mean of v * (H v) over v (Bekas, Kokiopoulou & Saad 2007).
    signs = np.where(np.random.default_rng(q).random((_PROBES, q)) < 0.5, -1.0, 1.0)
    slopes = target(np.concatenate([at + 1e-4 * signs, at - 1e-4 * signs]))[1]
    curvature = -(signs * (slopes[:_PROBES] - slopes[_PROBES:]) / 2e-4).mean(axis=0)
    return Whitening(at, 1 / np.sqrt(np.maximum(curvature, _LEAST_CURVATURE)))
