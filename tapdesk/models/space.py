"""The parameter space of a model on a design: shapes, M-step, score, labels, and the way to the unconstrained line.

On that line a rate of exactly 0, or an accuracy of exactly 0 or 1, stays where it is: it runs over what can move.
Rates are told by log ratios to the largest rate of their vector, accuracies by their logit, slopes by what they do to
logits.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import Evidence, Expected, FullEvidence, StructuredEvidence
from tapdesk.models.model import Accuracy, Cases, Guessing, Key, Ordered, RaterModel, Truth
from tapdesk.models.parameters import FloatArray, Parameters, Stack
from tapdesk.ratings.patterns import Patterns

if TYPE_CHECKING:
    from tapdesk.models.ordered import OrderedRates

# Where climbs begin that are told nothing of it.
_SOME_SPREAD = 0.1

_NOTHING = np.array(np.nan)
_FREE = Stack(_NOTHING, _NOTHING, _NOTHING, _NOTHING, _NOTHING)


@dataclass(frozen=True, eq=False)
class Tally:
    """Expected counts summed over whatever shares a parameter; the M-step and the score both follow from it.

    Attributes
    ----------
    log_likelihood
        Shape (B,).
    truth
        Shape (B, K), with the guesses added where guessing is tied to truth.
    hits, ratings
        Shapes of the accuracy: accurate ratings, and ratings that could have been.
    guesses
        Shape of the guessing.
    spread, by_node
        As of `Expected`.
    """

    log_likelihood: FloatArray
    truth: FloatArray
    hits: FloatArray
    ratings: FloatArray
    guesses: FloatArray
    spread: FloatArray | None = None
    by_node: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Space:
    """What is free in a model on a design of U units and K classes.

    Attributes
    ----------
    model
        The sharing choices.
    units, classes
        U (1 where raters are pooled) and K.
    observed
        Shape (K,): observed class rates, for parts that are fixed at them.
    design
        Shape (U, S): covariates of each unit with a leading column of ones; S = 0 without a regression.
    groups
        Number of groups G whose true class rates may differ.
    anchored
        Whether cases whose class is known say which class is which.
    repeaters
        The units that rated some case again, each with a memory of its own, where the model has any.
    empty
        The classes that no case truly is, because they are abstentions: their rate among the true ones is 0.
    """

    model: RaterModel
    units: int
    classes: int
    observed: FloatArray
    design: FloatArray
    groups: int = 1
    anchored: bool = False
    repeaters: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()

    @cached_property
    def truth_shape(self) -> tuple[int, ...]:
        """Shape of the truth of one point."""
        return (self.groups, self.classes) if self.model.truth.by_group else (self.classes,)

    @cached_property
    def accuracy_shape(self) -> tuple[int, int]:
        """Shape of the accuracy of one point."""
        kind = self.model.accuracy
        by_unit = kind.by_rater or kind.by_group or kind is Accuracy.REGRESSION
        return (self.units if by_unit else 1, self.classes if kind.by_class else 1)

    @cached_property
    def guessing_shape(self) -> tuple[int, int, int]:
        """Shape of the guessing of one point."""
        kind = self.model.guessing
        by_unit = kind.by_rater or kind.by_group
        return (self.units if by_unit else 1, self.classes if kind.by_class else 1, self.classes)

    @cached_property
    def guessing_free(self) -> bool:
        """Whether guessing has parameters of its own."""
        return self.model.guessing.free

    @cached_property
    def accuracy_free(self) -> bool:
        """Whether accuracies are parameters themselves (not functions of covariates, not absent)."""
        return self.model.accuracy.free

    @cached_property
    def free(self) -> int:
        """Number of free parameters q."""
        true = self.classes - len(self.empty)
        q = (self.groups if self.model.truth.by_group else 1) * (true - 1) if self.model.truth.free else 0
        q += self.slopes
        if self.accuracy_free:
            q += self.accuracy_shape[0] * (true if self.model.accuracy.by_class else 1)
        if self.guessing_free:
            q += self.guessing_shape[0] * (true if self.model.guessing.by_class else 1) * (self.classes - 1)
        return q + self.spreads

    @cached_property
    def ordered(self) -> "OrderedRates | None":
        """The rates of raters who perceive an order; None where the classes have none."""
        if self.model.ordered is Ordered.NONE:
            return None
        from tapdesk.models.ordered import OrderedRates  # start-up cost: few fits need it

        return OrderedRates(self.model.ordered, self.guessing_shape[0], self.classes)

    @cached_property
    def slopes(self) -> int:
        """How many numbers stand in the slopes."""
        if self.ordered is not None:
            return self.ordered.size
        return self.design.shape[1] if self.model.accuracy is Accuracy.REGRESSION else 0

    @cached_property
    def spreads(self) -> int:
        """How many numbers say how much cases differ, or how often answers are copied."""
        return len(self.repeaters) if self.model.memory else int(self.model.cases is not Cases.ALIKE or self.model.near)

    @cached_property
    def slope_basis(self) -> FloatArray:
        """Shape (S, S): slopes are this times coordinates in logits (`own_basis`); cut points are logits themselves."""
        if self.ordered is not None or not self.slopes:
            return np.eye(self.slopes)
        from tapdesk.models.regression import own_basis  # as in `point`

        return own_basis(self.design)

    @cached_property
    def slope_units(self) -> FloatArray:
        """Shape (S,): the step of each slope that counts as 1 (`own_units`)."""
        if self.ordered is not None or not self.slopes:
            return np.ones(self.slopes)
        from tapdesk.models.regression import own_units  # as in `point`

        return own_units(self.design)

    def evidence(self, patterns: Patterns) -> Evidence:
        """The patterns prepared for this model's E-step."""
        if self.model.memory:
            from tapdesk.models.repeats import RepeatEvidence  # start-up cost, as below

            return RepeatEvidence(patterns, self.repeaters, informing=self.model.key is Key.INFORMING)
        if self.model.near:
            from tapdesk.models.near_misses import NearEvidence  # start-up cost, as below

            return NearEvidence(patterns, informing=self.model.key is Key.INFORMING)
        if self.model.cases is Cases.DIFFICULTY:
            from tapdesk.models.difficulty import DifficultyEvidence  # start-up cost, as below

            return DifficultyEvidence(patterns, informing=self.model.key is Key.INFORMING)
        if self.spreads:
            from tapdesk.models.case_evidence import CaseEvidence  # start-up cost: few fits need it

            return CaseEvidence(patterns, self.model.cases)
        if self.accuracy_shape[1] == 1 and self.guessing_shape[1] == 1:
            return StructuredEvidence(patterns, informing=self.model.key is Key.INFORMING)
        return FullEvidence(patterns, informing=self.model.key is Key.INFORMING)

    def point(self, truth: FloatArray, accuracy: FloatArray, guessing: FloatArray) -> Stack:
        """A stack from values shared as widely as they come, held parts replaced by what holds them.

        Parameters
        ----------
        truth
            Shape (B, K), or of each group, (B, G, K).
        accuracy
            Shape (B,) or (B, U or 1, K or 1).
        guessing
            Shape (B, K) or (B, U or 1, K or 1, K).
        """
        b = truth.shape[0]
        accuracy = accuracy.reshape(b, 1, 1) if accuracy.ndim == 1 else accuracy
        guessing = guessing.reshape(b, 1, 1, -1) if guessing.ndim == 2 else guessing
        rates = np.broadcast_to(self.observed, (b, self.classes))
        held = self.model.truth.held(rates)
        truth = truth if held is None else held
        if self.model.accuracy is Accuracy.NONE:
            # The same matrix of rates, told by guessing alone.
            every = np.eye(self.classes)
            guessing = accuracy[..., None] * every + (1 - accuracy)[..., None] * guessing
            accuracy = np.zeros((b, 1, 1))
        held = self.model.guessing.held(truth, rates)
        guessing = guessing if held is None else held[:, None, None]
        slopes = np.zeros((b, self.design.shape[1]))
        if self.model.accuracy is Accuracy.REGRESSION:
            from tapdesk.models.regression import accuracies  # start-up cost: few fits have slopes

            inside = np.clip(accuracy[:, 0, 0], 1e-6, 1 - 1e-6)
            slopes[:, 0] = np.log(inside / (1 - inside))
            accuracy = accuracies(self.design, slopes)[:, :, None]
        if self.ordered is not None:
            # As if accuracies were told by how far apart the classes lie.
            apart = 1 + 3 * np.clip(accuracy.reshape(b, -1).mean(axis=1), 0.0, 1.0)
            given = guessing.mean(axis=2)
            slopes = self.ordered.start(apart, given)
            guessing = self.ordered.rates(slopes)
        if self.model.truth.by_group and truth.ndim == 2:
            truth = np.broadcast_to(truth[:, None], (b, *self.truth_shape))
        return Stack(
            self._emptied(np.array(truth, dtype=float)),
            np.broadcast_to(accuracy, (b, *self.accuracy_shape)).copy(),
            np.broadcast_to(guessing, (b, *self.guessing_shape)).copy(),
            slopes,
            np.full((b, self.spreads), _SOME_SPREAD),
        )

    def tally(self, expected: Expected) -> Tally:
        """Expected counts summed over whatever shares a parameter."""
        hits = _summed(expected.hits, self.accuracy_shape)
        ratings = _summed(expected.ratings, self.accuracy_shape)
        guesses = _summed(expected.guesses, self.guessing_shape)
        truth = expected.truth
        if self.model.guessing is Guessing.AS_TRUTH:
            truth = truth + guesses[:, 0, 0]
        return Tally(expected.log_likelihood, truth, hits, ratings, guesses, expected.spread, expected.by_node)

    def maximise(self, tally: Tally, stack: Stack, pins: Stack | None = None) -> Stack:
        """The M-step in closed form (models.md §5.1); a part without evidence stays where it is.

        Parameters
        ----------
        tally
            Expected counts at the points.
        stack
            The points themselves.
        pins
            Same shapes; numbers are held at their value, NaN is free.
        """
        held = pins if pins is not None else _FREE
        truth, accuracy, guessing, slopes = stack.truth, stack.accuracy, stack.guessing, stack.slopes
        if self.model.truth.free:
            truth = self._emptied(_rates(tally.truth, truth, held.truth, held.numbers[0]))
        if self.model.accuracy is Accuracy.REGRESSION:
            from tapdesk.models.regression import accuracies, logistic_m_step  # as in `point`

            slopes = logistic_m_step(self.design, tally.hits[:, :, 0], tally.ratings[:, :, 0], slopes, held.slopes)
            accuracy = accuracies(self.design, slopes)[:, :, None]
        elif self.accuracy_free:
            some = tally.ratings > 0
            share = np.divide(tally.hits, tally.ratings, out=accuracy.copy(), where=some)
            # As clip does, without the time its call takes.
            accuracy = np.minimum(np.maximum(share, 0.0), 1.0)
            accuracy = accuracy if held.numbers[1] is None else np.where(held.numbers[1], held.accuracy, accuracy)
        if self.guessing_free:
            guessing = _rates(tally.guesses, guessing, held.guessing, held.numbers[2])
        elif self.model.guessing is Guessing.AS_TRUTH:
            guessing = truth[:, None, None]
        elif self.ordered is not None:
            slopes = self.ordered.m_step(tally.guesses, slopes, held.slopes)
            guessing = self.ordered.rates(slopes)
        if tally.by_node is not None:
            return self._of_nodes(tally.by_node, Stack(truth, stack.accuracy, guessing, slopes, stack.spread), held)
        if tally.spread is None:
            return Stack(truth, accuracy, guessing, slopes, stack.spread)
        from tapdesk.models.case_evidence import spread_step  # as in `evidence`

        spread = spread_step(tally.spread, stack.spread)
        spread = spread if held.numbers[4] is None else np.where(held.numbers[4], held.spread, spread)
        return Stack(truth, accuracy, guessing, slopes, spread)

    def _of_nodes(self, counts: FloatArray, stack: Stack, held: Stack) -> Stack:
        """The points with the accuracies and the spread that the expected counts at nodes ask for."""
        from tapdesk.models.difficulty import difficulty_step  # as in `evidence`

        accuracies, spread = held.numbers[1], held.numbers[4]
        pins = (None if accuracies is None else accuracies[:, :, 0], None if spread is None else spread[:, 0])
        accuracy, share = difficulty_step(counts, stack.accuracy[:, :, 0], stack.spread[:, 0], pins)
        return replace(stack, accuracy=accuracy[:, :, None], spread=share[:, None])

    def settle(self, stack: Stack, observed: FloatArray | None = None) -> Stack:
        """The same points with held, tied and computed parts brought into line with what they follow.

        Parameters
        ----------
        stack
            The points.
        observed
            Shape (B, K): observed rates of each point's own data, where they differ (re-draws, simulated data).
        """
        rates = self.observed if observed is None else observed
        truth, guessing = stack.truth, stack.guessing
        rates = np.broadcast_to(rates, (truth.shape[0], self.classes))
        held = self.model.truth.held(rates)
        truth = self._emptied(truth if held is None else held.copy())
        # What is tied to the truth follows it below.
        held = None if self.model.guessing is Guessing.AS_TRUTH else self.model.guessing.held(truth, rates)
        guessing = guessing if held is None else held[:, None, None].copy()
        return self.follow(Stack(truth, stack.accuracy, guessing, stack.slopes, stack.spread))

    def _emptied(self, truth: FloatArray) -> FloatArray:
        """True class rates (..., K) with none in the classes that no case truly is."""
        if not self.empty:
            return truth
        truth = truth.copy()
        truth[..., list(self.empty)] = 0.0
        total = truth.sum(axis=-1, keepdims=True)
        even = np.ones(self.classes)
        even[list(self.empty)] = 0.0
        return np.where(total > 0, truth / np.where(total > 0, total, 1.0), even / even.sum())

    def follow(self, stack: Stack, pins: Stack | None = None) -> Stack:
        """The same points with tied and computed parts brought into line; held and pinned parts stay as they are."""
        guessing, accuracy = stack.guessing, stack.accuracy
        if self.ordered is not None:
            slopes = self.ordered.rising(stack.slopes, None if pins is None else pins.slopes)
            rates = self.ordered.rates(slopes)
            return replace(stack, accuracy=np.zeros_like(accuracy), guessing=rates, slopes=slopes)
        if self.model.guessing is not Guessing.AS_TRUTH and self.model.accuracy.free:
            return stack
        if self.model.guessing is Guessing.AS_TRUTH:
            guessing = stack.truth[:, None, None].copy()
        if self.model.accuracy is Accuracy.REGRESSION:
            from tapdesk.models.regression import accuracies  # as in `point`

            accuracy = accuracies(self.design, stack.slopes)[:, :, None]
        elif self.model.accuracy is Accuracy.NONE:
            # The rates of the saturated model are told by guessing alone.
            accuracy = np.zeros_like(accuracy)
        return Stack(stack.truth, accuracy, guessing, stack.slopes, stack.spread)


def _summed(counts: FloatArray, shape: tuple[int, ...]) -> FloatArray:
    """Counts (B, U, K, ...) summed over the units and true classes that have one number together."""
    axes = tuple(axis for axis in (1, 2) if shape[axis - 1] == 1 != counts.shape[axis])
    return np.asarray(np.add.reduce(counts, axis=axes, keepdims=True)) if axes else counts


def _rates(counts: FloatArray, now: FloatArray, pins: FloatArray, pinned: NDArray[np.bool_] | None) -> FloatArray:
    """Counts as rates over the last axis; pinned rates are held and the others share what is left."""
    if pinned is None:
        total = np.einsum("...k->...", counts)[..., None]
        return np.asarray(np.divide(counts, total, out=now.copy(), where=total > 0))
    held = np.where(pinned, pins, 0.0)
    left = np.maximum(1 - held.sum(axis=-1, keepdims=True), 0.0)
    counts = np.where(pinned, 0.0, counts)
    total = counts.sum(axis=-1, keepdims=True)
    equal = np.where(pinned, 0.0, 1.0) / np.maximum((~pinned).sum(axis=-1, keepdims=True), 1)
    share = np.divide(counts, total, out=np.broadcast_to(equal, counts.shape).copy(), where=total > 0)
    return np.asarray(held + left * share)


def can_switch(space: Space) -> bool:
    """Whether permuting the true classes of a point gives another point with the same likelihood."""
    free = space.model.truth in {Truth.FREE, Truth.PER_GROUP, Truth.UNIFORM} and space.ordered is None
    return free and space.guessing_shape[1] > 1 and not space.anchored


def canonical(space: Space, stack: Stack) -> Stack:
    """The points with true classes permuted so that the expected share of right ratings is largest.

    A permuted point is told by guessing alone, because an accuracy belongs to a true class by its name.
    """
    if space.ordered is not None:
        return _right_way_up(space, space.ordered, stack)
    if not can_switch(space):
        return stack
    from scipy.optimize import linear_sum_assignment  # start-up cost: a fifth of a second

    truth, accuracy, guessing = stack.truth.copy(), stack.accuracy.copy(), stack.guessing.copy()
    k = space.classes
    for b in range(stack.size):
        rates = stack.one(b).rating_rates()
        mean = rates.mean(axis=0) * truth[b].reshape(-1, k).mean(axis=0)[:, None]
        for empty in space.empty:
            # What no case truly is keeps its name.
            mean[empty], mean[:, empty] = -1.0, -1.0
            mean[empty, empty] = k
        row, column = linear_sum_assignment(-mean)
        if (column == np.arange(k)).all():
            continue
        place = np.empty(k, dtype=np.int64)
        place[column] = row
        truth[b] = truth[b][..., place]
        moved = rates[:, place]
        accuracy[b] = 0.0
        guessing[b] = moved
    return Stack(truth, accuracy, guessing, stack.slopes, stack.spread)


def _right_way_up(space: Space, ordered: "OrderedRates", stack: Stack) -> Stack:
    """The points with the true classes counted so that raters, taken together, rate higher what is higher."""
    down = ordered.split(stack.slopes)[0].sum(axis=1) < 0
    if not ordered.reversible or not down.any():
        return stack
    slopes = np.where(down[:, None], ordered.reversed(stack.slopes), stack.slopes)
    truth = np.where(down[:, None], stack.truth[:, ::-1], stack.truth)
    return space.follow(replace(stack, truth=truth, slopes=slopes))


@dataclass(frozen=True, eq=False)
class _RateVector:
    """One vector of rates: where it is, which entries move and which one the ratios refer to."""

    part: str
    index: tuple[int, ...]
    moving: NDArray[np.int64]
    reference: int


@dataclass(frozen=True, eq=False)
class _RateBlock:
    """Vectors of rates of one part, G of them, with n entries each that move.

    Their ratios stand at ``coordinates`` (G, n), they themselves at ``entries`` (G, n + 1) of the part laid flat, the
    one that the ratios refer to at the end.
    """

    part: str
    coordinates: NDArray[np.int64]
    entries: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class FreeLine:
    """Coordinates of the free numbers of a model around a point.

    Attributes
    ----------
    space
        The model.
    origin
        The point whose face is meant.
    rates, accuracies, slopes, spreads
        The moving parts: vectors of rates, indices of accuracies, number of slopes, indices of spreads.
    """

    space: Space
    origin: Parameters
    rates: tuple[_RateVector, ...]
    accuracies: tuple[tuple[int, int], ...]
    slopes: int
    spreads: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return sum(r.moving.size for r in self.rates) + len(self.accuracies) + self.slopes + len(self.spreads)

    def coordinates(self, point: Parameters) -> FloatArray:
        """Shape (size,): the coordinates of a point on the same face."""
        from scipy.special import logit  # late: slow to load

        parts = []
        for r in self.rates:
            p = getattr(point, r.part)[r.index]
            parts.append(np.log(p[r.moving]) - np.log(p[r.reference]))
        parts.append(np.array([logit(point.accuracy[i]) for i in self.accuracies]))
        if self.slopes:
            parts.append(np.linalg.solve(self.space.slope_basis, point.slopes))
        parts.append(np.array([logit(point.spread[i]) for i in self.spreads]))
        return np.concatenate(parts)

    @cached_property
    def _blocks(self) -> tuple[_RateBlock, ...]:
        """The moving vectors of rates, those of one part and length together."""
        kept: dict[tuple[str, int], list[tuple[NDArray[np.int64], NDArray[np.int64]]]] = {}
        at = 0
        for r in self.rates:
            n, shape = r.moving.size, getattr(self.origin, r.part).shape
            first = int(np.ravel_multi_index((*r.index, 0), shape))
            entries = first + np.append(r.moving, r.reference)
            kept.setdefault((r.part, n), []).append((np.arange(at, at + n), entries))
            at += n
        return tuple(_RateBlock(part, *map(np.array, zip(*rows, strict=True))) for (part, _n), rows in kept.items())

    def points(self, coordinates: FloatArray) -> Stack:
        """The points at coordinates of shape (B, size)."""
        from scipy.special import expit  # late: slow to load

        b = coordinates.shape[0]
        at = self.origin
        truth, accuracy, guessing, slopes, spread = (
            _repeated(part, b) for part in (at.truth, at.accuracy, at.guessing, at.slopes, at.spread)
        )
        for block in self._blocks:
            # As softmax does, without the time its call takes.
            ratios = np.zeros((b, *block.entries.shape))
            ratios[..., :-1] = coordinates[:, block.coordinates]
            ratios = np.exp(ratios - np.maximum.reduce(ratios, axis=-1, keepdims=True))
            ratios /= np.add.reduce(ratios, axis=-1, keepdims=True)
            (truth if block.part == "truth" else guessing).reshape(b, -1)[:, block.entries] = ratios
        done = sum(r.moving.size for r in self.rates)
        if self.accuracies:
            units, classes = (list(axis) for axis in zip(*self.accuracies, strict=True))
            accuracy[:, units, classes] = expit(coordinates[:, done : done + len(units)])
            done += len(units)
        if self.slopes:
            slopes = coordinates[:, done : done + self.slopes] @ self.space.slope_basis.T
            done += self.slopes
        if self.spreads:
            spread[:, list(self.spreads)] = expit(coordinates[:, done:])
        return self.space.settle(Stack(truth, accuracy, guessing, slopes, spread))

    def score(self, tally: Tally, stack: Stack) -> FloatArray:
        """Shape (B, size): gradient of the log-likelihood, by Fisher's identity from the expected counts."""
        b = stack.size
        rates = np.empty((b, sum(r.moving.size for r in self.rates)))
        for block in self._blocks:
            counts, p = (tally.truth, stack.truth) if block.part == "truth" else (tally.guesses, stack.guessing)
            slope = counts - p * np.add.reduce(counts, axis=-1, keepdims=True)
            rates[:, block.coordinates] = slope.reshape(b, -1)[:, block.entries[:, :-1]]
        parts = [rates]
        if tally.by_node is not None:
            return np.concatenate([*parts, *self._node_score(tally.by_node, stack)], axis=1)
        if self.accuracies:
            units, classes = (list(axis) for axis in zip(*self.accuracies, strict=True))
            parts.append((tally.hits - stack.accuracy * tally.ratings)[:, units, classes])
        if self.slopes:
            parts.append(self._slope_score(tally, stack))
        if self.spreads and tally.spread is not None:
            from tapdesk.models.case_evidence import spread_score  # as in `Space.evidence`

            parts.append(spread_score(tally.spread, stack.spread)[:, list(self.spreads)])
        return np.concatenate(parts, axis=1)

    def _node_score(self, counts: FloatArray, stack: Stack) -> tuple[FloatArray, FloatArray]:
        """Gradient along the accuracies and the spread, from expected counts at nodes."""
        from tapdesk.models.difficulty import difficulty_score  # as in `Space.evidence`

        by_accuracy, by_spread = difficulty_score(counts, stack.accuracy[:, :, 0], stack.spread[:, 0])
        return by_accuracy[:, [i for i, _class in self.accuracies]], by_spread[:, None][:, list(self.spreads)]

    def _slope_score(self, tally: Tally, stack: Stack) -> FloatArray:
        """Shape (B, S): gradient along the slopes."""
        if self.space.ordered is not None:
            return self.space.ordered.score(tally.guesses, stack.slopes)
        surplus = tally.hits[:, :, 0] - stack.accuracy[:, :, 0] * tally.ratings[:, :, 0]
        return np.asarray(surplus @ self.space.design @ self.space.slope_basis)


def _repeated(part: FloatArray, times: int) -> FloatArray:
    """Shape (times, ...): the same part of every point."""
    whole = np.empty((times, *part.shape))
    whole[:] = part
    return whole


def line(space: Space, point: Parameters) -> FreeLine:
    """The line through the face on which a point lies."""
    rates: list[_RateVector] = []
    if space.model.truth.free:
        rates.extend(_rate_vector("truth", i, point.truth[i]) for i in np.ndindex(*point.truth.shape[:-1]))
    if space.guessing_free:
        of_class = space.model.guessing.by_class
        rates.extend(
            _rate_vector("guessing", i, point.guessing[i])
            for i in np.ndindex(*point.guessing.shape[:2])
            if not (of_class and i[1] in space.empty)
        )
    accuracies: list[tuple[int, int]] = []
    if space.accuracy_free:
        silent = space.empty if space.model.accuracy.by_class else ()
        every = ((i, j) for i, j in np.ndindex(*point.accuracy.shape) if j not in silent)
        accuracies = [at for at in every if 0 < point.accuracy[at] < 1]
    slopes = space.slopes
    spreads = tuple(i for i, value in enumerate(point.spread.tolist()) if 0 < value < 1)
    return FreeLine(space, point, tuple(r for r in rates if r.moving.size), tuple(accuracies), slopes, spreads)


def _rate_vector(part: str, index: tuple[int, ...], p: FloatArray) -> _RateVector:
    """The moving entries of one vector: all positive ones but the largest, to which the ratios refer."""
    reference = int(p.argmax())
    moving = np.flatnonzero(p > 0)
    return _RateVector(part, index, moving[moving != reference], reference)
