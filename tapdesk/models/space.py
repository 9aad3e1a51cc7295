"""The parameter space of one model on one design: shapes, M-step, score, and the way to the unconstrained line."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.evidence import Evidence, Expected, FullEvidence, StructuredEvidence
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth
from tapdesk.models.regression import accuracies, logistic_m_step, own_basis, own_units
from tapdesk.models.stack import FloatArray, Stack
from tapdesk.ratings.patterns import Patterns


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
    """

    log_likelihood: FloatArray
    truth: FloatArray
    hits: FloatArray
    ratings: FloatArray
    guesses: FloatArray


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
    """

    model: RaterModel
    units: int
    classes: int
    observed: FloatArray
    design: FloatArray

    @cached_property
    def accuracy_shape(self) -> tuple[int, int]:
        """Shape of the accuracy of one point."""
        kind = self.model.accuracy
        by_unit = kind in {Accuracy.PER_RATER, Accuracy.REGRESSION}
        return (self.units if by_unit else 1, self.classes if kind is Accuracy.PER_CLASS else 1)

    @cached_property
    def guessing_shape(self) -> tuple[int, int, int]:
        """Shape of the guessing of one point."""
        kind = self.model.guessing
        by_unit = kind in {Guessing.PER_RATER, Guessing.PER_RATER_AND_CLASS}
        by_class = kind in {Guessing.PER_CLASS, Guessing.PER_RATER_AND_CLASS}
        return (self.units if by_unit else 1, self.classes if by_class else 1, self.classes)

    @cached_property
    def guessing_free(self) -> bool:
        """Whether guessing has parameters of its own."""
        return self.model.guessing not in {Guessing.AS_TRUTH, Guessing.OBSERVED}

    @cached_property
    def accuracy_free(self) -> bool:
        """Whether accuracies are parameters themselves (not functions of covariates, not absent)."""
        return self.model.accuracy not in {Accuracy.REGRESSION, Accuracy.NONE}

    @cached_property
    def free(self) -> int:
        """Number of free parameters q."""
        q = self.classes - 1 if self.model.truth is Truth.FREE else 0
        if self.model.accuracy is Accuracy.REGRESSION:
            q += self.design.shape[1]
        elif self.accuracy_free:
            q += int(np.prod(self.accuracy_shape))
        if self.guessing_free:
            q += int(np.prod(self.guessing_shape[:2])) * (self.classes - 1)
        return q

    @cached_property
    def slope_basis(self) -> FloatArray:
        """Shape (S, S): slopes are this times coordinates in logits (`regression.own_basis`)."""
        return own_basis(self.design)

    @cached_property
    def slope_units(self) -> FloatArray:
        """Shape (S,): the step of each slope that counts as 1 (`regression.own_units`)."""
        return own_units(self.design)

    def evidence(self, patterns: Patterns) -> Evidence:
        """The patterns prepared for this model's E-step."""
        if self.accuracy_shape[1] == 1 and self.guessing_shape[1] == 1:
            return StructuredEvidence(patterns)
        return FullEvidence(patterns)

    def point(self, truth: FloatArray, accuracy: FloatArray, guessing: FloatArray) -> Stack:
        """A stack from values shared as widely as they come, held parts replaced by what holds them.

        Parameters
        ----------
        truth
            Shape (B, K).
        accuracy
            Shape (B,) or (B, U or 1, K or 1).
        guessing
            Shape (B, K) or (B, U or 1, K or 1, K).
        """
        b = truth.shape[0]
        accuracy = accuracy.reshape(b, 1, 1) if accuracy.ndim == 1 else accuracy
        guessing = guessing.reshape(b, 1, 1, -1) if guessing.ndim == 2 else guessing
        if self.model.truth is Truth.OBSERVED:
            truth = np.tile(self.observed, (b, 1))
        elif self.model.truth is Truth.UNIFORM:
            truth = np.full((b, self.classes), 1 / self.classes)
        if self.model.accuracy is Accuracy.NONE:
            # The same matrix of rates, told by guessing alone.
            every = np.eye(self.classes)
            guessing = accuracy[..., None] * every + (1 - accuracy)[..., None] * guessing
            accuracy = np.zeros((b, 1, 1))
        if self.model.guessing is Guessing.AS_TRUTH:
            guessing = truth[:, None, None]
        elif self.model.guessing is Guessing.OBSERVED:
            guessing = np.tile(self.observed, (b, 1, 1, 1))
        slopes = np.zeros((b, self.design.shape[1]))
        if self.model.accuracy is Accuracy.REGRESSION:
            inside = np.clip(accuracy[:, 0, 0], 1e-6, 1 - 1e-6)
            slopes[:, 0] = np.log(inside / (1 - inside))
            accuracy = accuracies(self.design, slopes)[:, :, None]
        return Stack(
            np.array(truth, dtype=float),
            np.broadcast_to(accuracy, (b, *self.accuracy_shape)).copy(),
            np.broadcast_to(guessing, (b, *self.guessing_shape)).copy(),
            slopes,
        )

    def tally(self, expected: Expected) -> Tally:
        """Expected counts summed over whatever shares a parameter."""
        unit = (1,) if self.accuracy_shape[0] == 1 else ()
        klass = (2,) if self.accuracy_shape[1] == 1 else ()
        hits = expected.hits.sum(axis=unit + klass, keepdims=True)
        ratings = expected.ratings.sum(axis=unit + klass, keepdims=True)
        shared = tuple(axis for axis in (1, 2) if self.guessing_shape[axis - 1] == 1)
        guesses = expected.guesses.sum(axis=shared, keepdims=True)
        truth = expected.truth
        if self.model.guessing is Guessing.AS_TRUTH:
            truth = truth + guesses[:, 0, 0]
        return Tally(expected.log_likelihood, truth, hits, ratings, guesses)

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
        if self.model.truth is Truth.FREE:
            truth = _rates(tally.truth, truth, held.truth)
        if self.model.accuracy is Accuracy.REGRESSION:
            slopes = logistic_m_step(self.design, tally.hits[:, :, 0], tally.ratings[:, :, 0], slopes, held.slopes)
            accuracy = accuracies(self.design, slopes)[:, :, None]
        elif self.accuracy_free:
            some = tally.ratings > 0
            share = np.divide(tally.hits, tally.ratings, out=accuracy.copy(), where=some)
            # As clip does, without the time its call takes.
            accuracy = np.minimum(np.maximum(share, 0.0), 1.0)
            accuracy = accuracy if pins is None else np.where(np.isnan(pins.accuracy), accuracy, pins.accuracy)
        if self.guessing_free:
            guessing = _rates(tally.guesses, guessing, held.guessing)
        elif self.model.guessing is Guessing.AS_TRUTH:
            guessing = truth[:, None, None]
        return Stack(truth, accuracy, guessing, slopes)

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
        if self.model.truth is Truth.OBSERVED:
            truth = np.broadcast_to(rates, truth.shape).copy()
        if self.model.guessing is Guessing.OBSERVED:
            held = rates if rates.ndim == 1 else rates[:, None, None]
            guessing = np.broadcast_to(held, guessing.shape).copy()
        return self.follow(Stack(truth, stack.accuracy, guessing, stack.slopes))

    def follow(self, stack: Stack) -> Stack:
        """The same points with tied and computed parts brought into line; held parts are left as they are."""
        guessing, accuracy = stack.guessing, stack.accuracy
        if self.model.guessing is Guessing.AS_TRUTH:
            guessing = stack.truth[:, None, None].copy()
        if self.model.accuracy is Accuracy.REGRESSION:
            accuracy = accuracies(self.design, stack.slopes)[:, :, None]
        elif self.model.accuracy is Accuracy.NONE:
            # The rates of the saturated model are told by guessing alone.
            accuracy = np.zeros_like(accuracy)
        return Stack(stack.truth, accuracy, guessing, stack.slopes)


_NOTHING = np.array(np.nan)
_FREE = Stack(_NOTHING, _NOTHING, _NOTHING, _NOTHING)


def _rates(counts: FloatArray, now: FloatArray, pins: FloatArray) -> FloatArray:
    """Counts as rates over the last axis; pinned rates are held and the others share what is left."""
    free: NDArray[np.bool_] = np.isnan(pins)
    if free.all():
        total = counts.sum(axis=-1, keepdims=True)
        return np.asarray(np.divide(counts, total, out=now.copy(), where=total > 0))
    held = np.where(free, 0.0, pins)
    left = np.maximum(1 - held.sum(axis=-1, keepdims=True), 0.0)
    counts = np.where(free, counts, 0.0)
    total = counts.sum(axis=-1, keepdims=True)
    equal = np.where(free, 1.0, 0.0) / np.maximum(free.sum(axis=-1, keepdims=True), 1)
    share = np.divide(counts, total, out=np.broadcast_to(equal, counts.shape).copy(), where=total > 0)
    return np.asarray(held + left * share)
