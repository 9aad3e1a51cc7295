"""Climbs of raters with numbers of their own, carried to their tops by Newton's method, many side by side.

Near an edge, or along a ridge, E-M makes hundreds of steps where Newton's method makes ten. The information stands in
closed form by the principle of missing information (Louis 1982, J. R. Statist. Soc. B 44:226): that of the expected
complete data, less what is missing since the true classes are not known. Steps are damped after Marquardt (1963, SIAM
J. Appl. Math. 11:431) until they gain, so that the log-likelihood never falls. Each climb may hold a number.
"""

from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import TINY, Evidence, StructuredEvidence
from tapdesk.models.model import Truth
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.models.space import Space, Tally
from tapdesk.progress import Run, Step

_ROUNDS = 60
_BINARY = 2
# Numbers nearer to an edge stay where they are: nothing is told by how near.
_ON_EDGE = 1e-12
# Of a step in logits and log ratios.
_LONGEST = 1.5
# Damping: what it begins with, least and most of it, by what it falls and rises, and up to which a step is Newton's.
_FIRST, _LEAST, _MOST, _EASIER, _HARDER, _SLIGHT = 1e-3, 1e-9, 1e8, 0.1, 10.0, 0.1
_ROUNDING = 1e-13
# Beyond these the information would be dearer than the E-M steps it saves.
_MOST_NUMBERS, _MOST_CELLS = 120, 4_000_000
# So many points at a time stay within reach of the processor.
_AT_ONCE = 100


def suits(evidence: Evidence, space: Space) -> TypeGuard[StructuredEvidence]:
    """Whether the information stands here in closed form, and of so few numbers that it is quick."""
    p, model = evidence.patterns, space.model
    if type(evidence) is not StructuredEvidence or not evidence.plain or p.units < 2:
        return False
    free = model.truth is Truth.FREE and space.accuracy_free and space.guessing_free
    pairs = p.classes * (p.classes + 1) // 2
    return free and space.free <= _MOST_NUMBERS and pairs * p.patterns * (1 + p.units) ** 2 <= _MOST_CELLS


def tops(
    space: Space,
    evidence: StructuredEvidence,
    start: Stack,
    held: tuple[Stack | None, FloatArray | None],
    tolerance: float,
) -> Run[tuple[Stack, FloatArray, NDArray[np.bool_]]]:
    """The tops that Newton's method reaches, their log-likelihoods (B,), and which of them are tops.

    Parameters
    ----------
    space, evidence
        Of which `suits` is true.
    start
        B points within their range.
    held
        Pins and weights, as of `climb`.
    tolerance
        A climb ends where a step promises less than this, relative to 1 + |log-likelihood| / 1000.

    Yields
    ------
    Step
        One a round.
    """
    field = Field.of(space, evidence)
    here = Place.at(field, start, *held)
    points, levels = start, here.tally.log_likelihood.copy()
    arrived, damping, rows = np.zeros(start.size, dtype=bool), np.full(start.size, _FIRST), np.arange(start.size)
    for _round in range(_ROUNDS):
        step, promise = here.step(damping[rows])
        level = here.tally.log_likelihood
        close = promise <= tolerance * (1 + np.abs(level) * 1e-3)
        arrived[rows[close & (damping[rows] <= _SLIGHT)]] = True
        there = Place.at(field, here.moved(step), here.pins, here.weights)
        good = there.tally.log_likelihood >= level - _ROUNDING * (1 + np.abs(level))
        here = there.where(good, here)
        damping[rows] = np.clip(damping[rows] * np.where(good, _EASIER, _HARDER), _LEAST, _MOST)
        points, levels[rows] = points.put(rows, here.stack), here.tally.log_likelihood
        yield Step(int(arrived.sum()), start.size, "fit")
        # Where the likelihood bends up the nearest top is not known: E-M goes on there.
        left = ~arrived[rows] & (damping[rows] < _MOST) & np.isfinite(promise)
        if not left.any():
            break
        rows, here = rows[left], here.take(left)
    return points, levels, arrived


@dataclass(frozen=True, eq=False)
class Field:
    """What does not depend on the point.

    Coordinates are logarithms of rates, up to what all of a vector have in common, and logits of accuracies: truth,
    then accuracies, then guessing. Terms are, of each true class, how common it is and the ratings of each unit that
    name it.

    Attributes
    ----------
    space, evidence
        The model and the data.
    named
        Shape (K, P, 1 + U): how often each term stands in each pattern.
    first
        The first class whose rates are coordinates: of two classes the second tells the other.
    shared
        Shape ((1 + U) E, size): which coordinate each number of truth and units is, of E for each.
    """

    space: Space
    evidence: StructuredEvidence
    named: FloatArray
    first: int
    shared: FloatArray

    @staticmethod
    def of(space: Space, evidence: StructuredEvidence) -> "Field":
        """Made ready for a model and data."""
        p = evidence.patterns
        named = np.zeros((p.classes, p.patterns, 1 + p.units))
        named[:, :, 0] = 1.0
        np.add.at(named, (p.category.astype(np.int64), p.pattern, 1 + p.unit.astype(np.int64)), p.count)
        first = int(p.classes == _BINARY)
        rates, accuracies, vectors = p.classes - first, space.accuracy_shape[0], space.guessing_shape[0]
        shared = np.zeros((1 + p.units, 1 + rates, rates + accuracies + vectors * rates))
        every, units = np.arange(rates), np.arange(p.units)
        shared[0, 1 + every, every] = 1.0
        shared[1 + units, 0, rates + np.minimum(units, accuracies - 1)] = 1.0
        for unit in range(p.units):
            shared[1 + unit, 1 + every, rates + accuracies + int(min(unit, vectors - 1)) * rates + every] = 1.0
        return Field(space, evidence, named, first, shared.reshape(-1, shared.shape[2]))

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return int(self.shared.shape[1])

    @cached_property
    def _alone(self) -> NDArray[np.int64] | None:
        """Shape (size,): the one number that each coordinate is; None where some are several."""
        return self.shared.argmax(axis=0) if (self.shared.sum(axis=0) == 1).all() else None

    def gathered(self, numbers: FloatArray) -> FloatArray:
        """Shape (B, size, size): second derivatives along the coordinates, from those along all numbers."""
        if self._alone is not None:
            return np.asarray(numbers[:, self._alone[:, None], self._alone])
        return np.asarray(self.shared.T @ numbers @ self.shared)

    @cached_property
    def _products(self) -> dict[tuple[int, int], FloatArray]:
        """Shape (P, (1 + U)^2) for each pair of classes: products of terms in a pattern."""
        k, patterns, _terms = self.named.shape
        pairs = [(i, j) for i in range(k) for j in range(i, k)]
        return {(i, j): (self.named[i][:, :, None] * self.named[j][:, None]).reshape(patterns, -1) for i, j in pairs}

    def covariance(self, posterior: FloatArray, weights: FloatArray) -> FloatArray:
        """Shape (B, 1 + U, K, 1 + U, K): covariance of the terms under posteriors (B, K, P), over weighted subjects."""
        b, (k, _patterns, n) = posterior.shape[0], self.named.shape
        whole = np.empty((b, n, k, n, k))
        for (i, j), products in self._products.items():
            others = posterior.sum(axis=1) - posterior[:, i] if i == j else -posterior[:, j]
            block = ((posterior[:, i] * others * weights) @ products).reshape(b, n, n)
            whole[:, :, i, :, j], whole[:, :, j, :, i] = block, block.transpose(0, 2, 1)
        return whole


@dataclass(frozen=True, eq=False)
class _Vectors:
    """Vectors of rates, of which some may be held.

    Attributes
    ----------
    rates
        Shape (..., K).
    loose
        Shape (..., K): which are not held.
    share
        Shape (..., K): each of what is left by those that are held; 0 for these.
    moving
        Shape (..., K - first): which coordinates move. Of several classes the others are told against the largest.
    first
        As of `Field`.
    """

    rates: FloatArray
    loose: NDArray[np.bool_]
    share: FloatArray
    moving: NDArray[np.bool_]
    first: int

    @staticmethod
    def of(rates: FloatArray, held: FloatArray | None, first: int) -> "_Vectors":
        """Rates of which those that are numbers in ``held`` are held."""
        loose = np.ones(rates.shape, dtype=bool) if held is None else np.isnan(held)
        free = np.where(loose, rates, 0.0)
        share = free / np.maximum(free.sum(axis=-1, keepdims=True), TINY)
        inside = loose & (rates > _ON_EDGE)
        if first:
            moving = np.asarray(inside.all(axis=-1, keepdims=True))
        else:
            moving = inside & (np.arange(rates.shape[-1]) != share.argmax(axis=-1)[..., None])
        return _Vectors(rates, loose, share, moving, first)

    @cached_property
    def ratios(self) -> FloatArray:
        """Shape (..., K, K - first): slope of the logarithm of each rate along each coordinate."""
        every = np.eye(self.rates.shape[-1])[:, self.first :]
        return np.asarray(self.loose[..., None] * (every - self.share[..., None, self.first :]))

    @cached_property
    def bend(self) -> FloatArray:
        """Shape (..., K - first, K - first): minus second derivatives of the logarithm of a rate that is not held."""
        share = self.share[..., self.first :]
        return np.asarray(share[..., None] * (np.eye(share.shape[-1]) - share[..., None, :]))

    def slope(self, counts: FloatArray) -> FloatArray:
        """Shape (..., K - first): along each coordinate, of counts times logarithms of rates."""
        own = np.where(self.loose, counts, 0.0)
        return np.asarray(own - self.share * own.sum(axis=-1, keepdims=True))[..., self.first :]

    def moved(self, step: FloatArray) -> FloatArray:
        """The rates a step away."""
        times = np.ones_like(self.rates)
        times[..., self.first :] = np.exp(step)
        new = np.where(self.loose, self.rates * times, 0.0)
        left = np.where(self.loose, self.rates, 0.0).sum(axis=-1, keepdims=True)
        return np.where(self.loose, new * (left / np.maximum(new.sum(axis=-1, keepdims=True), TINY)), self.rates)


def _solved(systems: FloatArray, right: FloatArray) -> FloatArray:
    """Shape (B, n): solutions of systems (B, n, n); those of a singular one are no numbers."""
    try:
        return np.asarray(np.linalg.solve(systems, right[:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)


@dataclass(frozen=True, eq=False)
class Place:
    """Some points with what is expected there.

    Attributes
    ----------
    field, stack, pins, weights, tally
        The data, B points, what each holds, its own weights of the patterns, and the expected counts.
    """

    field: Field
    stack: Stack
    pins: Stack | None
    weights: FloatArray | None
    tally: Tally

    @staticmethod
    def at(field: Field, stack: Stack, pins: Stack | None, weights: FloatArray | None) -> "Place":
        """Points with what is expected there."""
        return Place(field, stack, pins, weights, field.space.tally(field.evidence.expect(stack, weights)))

    def take(self, which: NDArray[Any]) -> "Place":
        """Some of the points."""
        t = self.tally
        tally = Tally(t.log_likelihood[which], t.truth[which], t.hits[which], t.ratings[which], t.guesses[which])
        pins = None if self.pins is None else self.pins.take(which)
        weights = None if self.weights is None else self.weights[which]
        return Place(self.field, self.stack.take(which), pins, weights, tally)

    def where(self, choose: NDArray[np.bool_], other: "Place") -> "Place":
        """Own points where it is so chosen, the other's elsewhere."""
        if choose.all():
            return self
        mine, theirs = self.tally, other.tally

        def one(a: FloatArray, b: FloatArray) -> FloatArray:
            return np.where(choose.reshape(-1, *[1] * (a.ndim - 1)), a, b)

        tally = Tally(
            one(mine.log_likelihood, theirs.log_likelihood),
            one(mine.truth, theirs.truth),
            one(mine.hits, theirs.hits),
            mine.ratings,
            one(mine.guesses, theirs.guesses),
        )
        return replace(self, stack=self.stack.where(choose, other.stack), tally=tally)

    def moved(self, step: FloatArray) -> Stack:
        """The points a step (B, size) away."""
        b, n = self.stack.size, self.stack.accuracy.shape[1]
        accuracy, k = self.stack.accuracy[:, :, 0], self._truth.moving.shape[-1]
        odds = accuracy * np.exp(step[:, k : k + n])
        guessing = self._guessing.moved(step[:, k + n :].reshape(b, -1, k))
        return replace(
            self.stack,
            truth=self._truth.moved(step[:, :k]),
            accuracy=(odds / (1 - accuracy + odds))[:, :, None],
            guessing=guessing[:, :, None],
        )

    def step(self, damping: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Where to go from here (B, size), and what it promises to gain (B,): infinity where it leads down."""
        moving = self.moving
        slope = np.where(moving, self.slope(), 0.0)
        bend = np.where(moving[:, :, None] & moving[:, None, :], self.information(), 0.0)
        every = np.arange(slope.shape[1])
        height = np.abs(bend[:, every, every])
        height = np.where(moving, np.maximum(height, 1e-12 * height.max(axis=1, keepdims=True) + TINY), 1.0)
        bend[:, every, every] = np.where(moving, bend[:, every, every] + damping[:, None] * height, 1.0)
        # In units of its own curvature each coordinate counts alike, however near an edge it lies.
        unit = 1 / np.sqrt(height)
        system = bend * unit[:, :, None] * unit[:, None, :]
        step = _solved(system, slope * unit) * unit
        promise = np.einsum("bi,bi->b", slope, step) / 2
        upward = (promise >= 0) & np.isfinite(step).all(axis=1)
        step[~upward] = 0.0
        longest = np.abs(step).max(axis=1, keepdims=True)
        return step * np.minimum(1.0, _LONGEST / np.maximum(longest, TINY)), np.where(upward, promise, np.inf)

    @cached_property
    def _truth(self) -> _Vectors:
        return _Vectors.of(self.stack.truth, None if self.pins is None else self.pins.truth, self.field.first)

    @cached_property
    def _guessing(self) -> _Vectors:
        held = None if self.pins is None else self.pins.guessing[:, :, 0]
        return _Vectors.of(self.stack.guessing[:, :, 0], held, self.field.first)

    @cached_property
    def moving(self) -> NDArray[np.bool_]:
        """Shape (B, size): which coordinates move."""
        accuracy = self.stack.accuracy[:, :, 0]
        inside = (accuracy > _ON_EDGE) & (accuracy < 1 - _ON_EDGE)
        if self.pins is not None:
            inside &= np.isnan(self.pins.accuracy[:, :, 0])
        return np.concatenate([self._truth.moving, inside, self._guessing.moving.reshape(self.stack.size, -1)], axis=1)

    def slope(self) -> FloatArray:
        """Shape (B, size): the score."""
        t, b = self.tally, self.stack.size
        accuracy = (t.hits - self.stack.accuracy * t.ratings)[:, :, 0]
        guessing = self._guessing.slope(t.guesses[:, :, 0]).reshape(b, -1)
        return np.concatenate([self._truth.slope(t.truth), accuracy, guessing], axis=1)

    def information(self) -> FloatArray:
        """Shape (B, size, size): minus the second derivatives of the log-likelihood."""
        field, b = self.field, self.stack.size
        if b > _AT_ONCE:
            parts = (self.take(np.arange(at, min(at + _AT_ONCE, b))) for at in range(0, b, _AT_ONCE))
            return np.concatenate([part.information() for part in parts])
        posterior = field.evidence.posterior(self.stack)
        weights = field.evidence.patterns.weight if self.weights is None else self.weights
        right = field.evidence.gather(posterior * (weights if self.weights is None else weights[:, None]))
        gains, blocks = self._units(right)
        missing = field.covariance(posterior, weights)
        # Spelled out by class: of so few classes sums of products take a fifth of the time of einsum.
        classes = range(gains.shape[2])
        half = reduce(np.add, (gains[:, :, k, :, None, None] * missing[:, :, k, None] for k in classes))
        known = np.asarray(-reduce(np.add, (half[..., k, None] * gains[:, None, None, :, k] for k in classes)))
        every = np.arange(1 + right.shape[1])
        known[:, every, :, every] += blocks.swapaxes(0, 1)
        size = known.shape[1] * known.shape[2]
        return field.gathered(known.reshape(b, size, size))

    def _units(self, right: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of the truth and each unit along its own E numbers, with ratings (B, U, K) that name the true class.

        Slopes of the log gain of naming it, (B, 1 + U, K, E), and minus the second derivatives if the true classes were
        known, (B, 1 + U, E, E). The numbers are the accuracy, of which the truth has none, then rates.
        """
        (b, units, k), g, t = right.shape, self._guessing, self._truth
        a, wrong = self.stack.accuracy, self.field.evidence.totals(self.weights) - right
        base = (1 - a) * g.rates
        rate = np.maximum(a + base, TINY)
        inner, ratios = a * (1 - a) / rate, np.broadcast_to(g.ratios, (b, units, k, g.ratios.shape[-1]))
        e = 1 + ratios.shape[-1]
        first = np.empty((b, units, k, e))
        first[..., 0], first[..., 1:] = inner * (1 - g.rates), (base / rate)[..., None] * ratios
        gains = np.zeros((b, 1 + units, k, e))
        gains[:, 0, :, 1:] = t.ratios
        gains[:, 1:, :, 0], gains[:, 1:, :, 1:] = first[..., 0] + a, first[..., 1:] - ratios
        # Minus the second derivatives of the log rate of naming the true class, with its counts.
        blocks = np.zeros((b, 1 + units, e, e))
        own = right * base / rate
        blocks[:, 1:] = np.einsum("buc,buce,bucf->buef", right, first, first)
        blocks[:, 1:, 0, 0] -= (right * inner * (1 - 2 * a) * (1 - g.rates)).sum(axis=2)
        across = np.einsum("buc,buce->bue", right * inner * g.rates, ratios)
        blocks[:, 1:, 0, 1:] += across
        blocks[:, 1:, 1:, 0] += across
        blocks[:, 1:, 1:, 1:] -= np.einsum("buc,buce,bucf->buef", own, ratios, ratios)
        # And of the log rate of the guess, and of the truth.
        blocks[:, 1:, 0, 0] += wrong.sum(axis=2) * (a * (1 - a))[:, :, 0]
        blocks[:, 1:, 1:, 1:] += np.where(g.loose, own + wrong, 0.0).sum(axis=2)[..., None, None] * g.bend
        loose = np.where(t.loose, self.tally.truth, 0.0).sum(axis=1)
        blocks[:, 0, 1:, 1:] = loose[:, None, None] * t.bend
        return gains, blocks
