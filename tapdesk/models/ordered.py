"""Latent-class signal detection for ordered classes: severity and spread of each rater (models_more.md §4).

A case of true class k = 0 ... K - 1 is perceived at d k plus logistic noise, and a rater calls it c where that falls
between two cut points: Pr(C <= c | T = k) = F(tau_c - d k) (DeCarlo 2002, Multivariate Behavioral Research 37:423). The
M-step is a cumulative-logit regression for each rater, whose objective is concave; it is climbed by Fisher scoring.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tapdesk.models.model import Ordered
from tapdesk.models.parameters import FloatArray

_LEAST_RATE = 1e-300
_LEAST_GAP = 1e-6
_ROUNDS, _HALVINGS = 3, 20
_RIDGE = 1e-10
_FARTHEST = 5.0


def logistic(x: FloatArray) -> FloatArray:
    """F(x), without overflow."""
    e = np.exp(-np.abs(x))
    return np.asarray(np.where(x >= 0, 1 / (1 + e), e / (1 + e)))


@dataclass(frozen=True, eq=False)
class OrderedRates:
    """From the numbers of an ordered model to the rates of its raters.

    The numbers stand in one row: the discriminations d of all who have one of their own, then their cut points.

    Attributes
    ----------
    ordered
        Who shares what.
    units, classes
        U (1 where raters are pooled) and K.
    """

    ordered: Ordered
    units: int
    classes: int

    @cached_property
    def discriminations(self) -> int:
        """How many d there are."""
        return self.units if self.ordered.own_discrimination else 1

    @cached_property
    def sets(self) -> int:
        """How many sets of K - 1 cut points there are."""
        return self.units if self.ordered.own_cut_points else 1

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self.discriminations + self.sets * (self.classes - 1)

    def place(self, rater_set: int, cut: int) -> int:
        """Where a cut point stands in the row."""
        return self.discriminations + rater_set * (self.classes - 1) + cut

    @cached_property
    def _design(self) -> FloatArray:
        """Shape (U, K, K - 1, S): what each number adds to tau_c - d k."""
        k = self.classes
        design = np.zeros((self.units, k, k - 1, self.size))
        for u in range(self.units):
            design[u, :, :, min(u, self.discriminations - 1)] = -np.arange(k)[:, None]
            for c in range(k - 1):
                design[u, :, c, self.place(min(u, self.sets - 1), c)] = 1.0
        return design

    def split(self, numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Discriminations (B, D) and cut points (B, J, K - 1)."""
        d = self.discriminations
        return numbers[:, :d], numbers[:, d:].reshape(numbers.shape[0], self.sets, self.classes - 1)

    def joined(self, discrimination: FloatArray, cut_points: FloatArray) -> FloatArray:
        """Shape (B, S): the numbers in their row."""
        return np.concatenate([discrimination, cut_points.reshape(discrimination.shape[0], -1)], axis=1)

    def rising(self, numbers: FloatArray, pins: FloatArray | None = None) -> FloatArray:
        """The numbers with cut points that rise, as they must, each at least a little; pinned ones stay.

        Parameters
        ----------
        numbers
            Shape (B, S).
        pins
            Shape (B, S) or (): held values, NaN where free.
        """
        d, tau = self.split(numbers)
        steps = np.arange(self.classes - 1) * _LEAST_GAP
        if pins is not None and pins.ndim:
            held = self.split(pins)[1]
            tau = np.where(np.isnan(held), tau, held)
            lowest = np.where(np.isnan(held), -np.inf, held) - steps
            highest = np.where(np.isnan(held), np.inf, held) - steps
            tau = np.maximum(tau, np.maximum.accumulate(lowest, axis=2) + steps)
            tau = np.minimum(tau, np.minimum.accumulate(highest[..., ::-1], axis=2)[..., ::-1] + steps)
        return self.joined(d, np.maximum.accumulate(tau - steps, axis=2) + steps)

    def rates(self, numbers: FloatArray) -> FloatArray:
        """Shape (B, U, K, K): probability of the rated class given rater and true class."""
        below = logistic(np.einsum("ukcs,bs->bukc", self._design, numbers))
        ends = (*below.shape[:-1], 1)
        steps = np.diff(np.concatenate([np.zeros(ends), below, np.ones(ends)], axis=-1), axis=-1)
        # Upwards the differences of numbers next to 1 lose their digits: there those next to 0 are taken.
        above = logistic(-np.einsum("ukcs,bs->bukc", self._design, numbers))
        down = -np.diff(np.concatenate([np.ones(ends), above, np.zeros(ends)], axis=-1), axis=-1)
        middle = np.concatenate([below, np.ones(ends)], axis=-1)
        return np.asarray(np.maximum(np.where(middle < 0.5, steps, down), _LEAST_RATE))

    def _slopes(self, counts: FloatArray, numbers: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Shape (B, U, K, K - 1): derivative by tau_c - d k; and the rates."""
        p = self.rates(numbers)
        eta = np.einsum("ukcs,bs->bukc", self._design, numbers)
        density = logistic(eta) * logistic(-eta)
        share = counts / p
        return density * (share[..., :-1] - share[..., 1:]), p

    def score(self, counts: FloatArray, numbers: FloatArray) -> FloatArray:
        """Shape (B, S): derivative of sum counts log rates; ``counts`` (B, U, K, K)."""
        slopes, _rates = self._slopes(counts, numbers)
        return np.asarray(np.einsum("ukcs,bukc->bs", self._design, slopes))

    def _information(self, counts: FloatArray, numbers: FloatArray, p: FloatArray) -> FloatArray:
        """Shape (B, S, S): the expected information."""
        eta = np.einsum("ukcs,bs->bukc", self._design, numbers)
        density = logistic(eta) * logistic(-eta)
        total = counts.sum(axis=-1)[..., None]
        inverse = 1 / np.maximum(p, 1e-12)
        own = total * density**2 * (inverse[..., :-1] + inverse[..., 1:])
        weighed = own[..., None] * self._design
        if self.classes > 2:
            beside = -total * density[..., :-1] * density[..., 1:] * inverse[..., 1:-1]
            weighed[..., :-1, :] += beside[..., None] * self._design[:, :, 1:]
            weighed[..., 1:, :] += beside[..., None] * self._design[:, :, :-1]
        return np.asarray(np.einsum("ukcs,bukct->bst", self._design, weighed))

    def m_step(self, counts: FloatArray, numbers: FloatArray, pins: NDArray[np.float64]) -> FloatArray:
        """Numbers at which sum counts log rates is higher, or as high: a few steps of Fisher scoring.

        Parameters
        ----------
        counts
            Shape (B, U, K, K): expected ratings by rater, true and rated class.
        numbers
            Shape (B, S): where to start.
        pins
            Shape (B, S) or (): held values, NaN where free.
        """
        free = np.broadcast_to(np.isnan(pins), numbers.shape)
        now = np.where(free, self.rising(numbers, pins), pins)
        level = self._objective(counts, now)
        for _round in range(_ROUNDS):
            slopes, p = self._slopes(counts, now)
            score = np.where(free, np.einsum("ukcs,bukc->bs", self._design, slopes), 0.0)
            information = self._information(counts, now, p)
            information = np.where(free[:, :, None] & free[:, None, :], information, 0.0)
            diagonal = np.where(free, _RIDGE * (1 + np.einsum("bss->bs", information)), 1.0)
            step = np.linalg.solve(information + diagonal[:, :, None] * np.eye(self.size), score[..., None])[..., 0]
            step *= np.minimum(1.0, _FARTHEST / np.maximum(np.abs(step).max(axis=1, initial=0.0), 1e-300))[:, None]
            now, level = self._uphill(counts, now, level, np.asarray(step, dtype=np.float64))
        return now

    def _uphill(
        self, counts: FloatArray, now: FloatArray, level: FloatArray, step: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Each row after its step, halved until it gains; as it was where nothing does."""
        result, reached = now.copy(), level.copy()
        left = np.arange(now.shape[0])
        for half in range(_HALVINGS):
            trial = now[left] + step[left] * 0.5**half
            height = np.where(self._valid(trial), self._objective(counts[left], trial), -np.inf)
            good = height >= level[left]
            result[left[good]], reached[left[good]] = trial[good], height[good]
            left = left[~good]
            if not left.size:
                break
        return result, reached

    def _valid(self, numbers: FloatArray) -> NDArray[np.bool_]:
        """Shape (B,): whether all cut points rise."""
        _d, tau = self.split(numbers)
        return np.asarray((np.diff(tau, axis=2) > 0).all(axis=(1, 2)))

    def _objective(self, counts: FloatArray, numbers: FloatArray) -> FloatArray:
        return np.asarray((counts * np.log(self.rates(numbers))).sum(axis=(1, 2, 3)))

    def start(self, discrimination: FloatArray, given: FloatArray) -> FloatArray:
        """Shape (B, S): cut points that give each rater's own rates of classes to cases in the middle.

        Parameters
        ----------
        discrimination
            Shape (B,): d of all.
        given
            Shape (B, U or 1, K): rates of the classes each rater gives.
        """
        cumulative = np.clip(np.cumsum(given, axis=2)[..., :-1], 1e-3, 1 - 1e-3)
        tau = np.log(cumulative / (1 - cumulative)) + discrimination[:, None, None] * (self.classes - 1) / 2
        tau = np.broadcast_to(
            tau if self.sets > 1 or tau.shape[1] == 1 else tau.mean(axis=1, keepdims=True),
            (tau.shape[0], self.sets, self.classes - 1),
        )
        d = np.repeat(discrimination[:, None], self.discriminations, axis=1)
        return self.rising(self.joined(d, tau))

    @property
    def reversible(self) -> bool:
        """Whether the true classes may be counted from the other end: one set of cut points fits one d only."""
        return self.ordered is not Ordered.DISCRIMINATION

    def reversed(self, numbers: FloatArray) -> FloatArray:
        """The numbers that give the same rates when the true classes are counted from the other end."""
        d, tau = self.split(numbers)
        moved = d if self.discriminations == self.sets else np.broadcast_to(d[:, :1], (d.shape[0], self.sets))
        return self.joined(-d, tau - moved[..., None] * (self.classes - 1))
