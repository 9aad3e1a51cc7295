"""Where climbs begin: points by simple estimates, a grid, and random ones."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.design import Design
from tapdesk.models.evidence import FullEvidence
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.parameters import FloatArray, Stack
from tapdesk.ratings.patterns import Patterns

_MARGIN = 1e-3
# Steep ones find the fits in which few units stand apart.
_STEEP = (1.0, 3.0, 10.0)
# Of the random starts of a regression this share are steps; of these, this share along a mixture of covariates. They
# jump by so many logits to either side, over a gap of at least this many standard deviations.
_STEPS, _MIXED, _JUMP, _SHORTEST = 0.5, 0.3, 4.0, 1e-3
_GRID_RATES = (0.05, 0.1, 0.5, 0.9, 0.95)
_GRID_ACCURACIES = (0.05, 0.1, 0.2)


@dataclass(frozen=True, eq=False)
class Starts:
    """Named interior points."""

    names: tuple[str, ...]
    stack: Stack

    def first(self, count: int) -> "Starts":
        """Only the first few."""
        return Starts(self.names[:count], self.stack.take(np.arange(min(count, len(self.names)))))


def starts(design: Design, seed: int, random: int = 10) -> Starts:
    """Named and random points, all clamped into the interior.

    Majority vote, Fleiss, the pair-covariance closed form (K > 2), tapModel's grid (K = 2), random points.

    Parameters
    ----------
    design
        The model on its data.
    seed
        Of the random points.
    random
        How many of them.
    """
    space, patterns = design.space, design.patterns
    rates = patterns.totals.sum(axis=0) / max(patterns.rating_count, 1)
    table = {"majority vote": majority_vote(design), "Fleiss": _fleiss(design, rates)}
    k = space.classes
    pairs = pair_covariance(patterns)
    if pairs is not None:
        table["pair covariances"] = space.point(*(x[None] for x in pairs))
    if k == 2 and patterns.units == 1:
        for t, a, p in product(_GRID_RATES, _GRID_ACCURACIES, _GRID_RATES):
            at = {name: Number(f"{value:g}") for name, value in (("t", t), ("a", a), ("p", p))}
            table[_("grid t={t} a={a} p={p}").format(**at)] = _binary(design, t, a, p)
    rng = np.random.default_rng(np.random.SeedSequence([seed, 1]))
    for i in range(random):
        table[f"random {i + 1}"] = _random(design, rng)
    stack = Stack.join(list(table.values())).inside(_MARGIN / k)
    return Starts(tuple(table), space.settle(stack))


def _binary(design: Design, t: float, a: float, p: float) -> Stack:
    return design.space.point(np.array([[1 - t, t]]), np.array([a]), np.array([[1 - p, p]]))


def fleiss_kappa(patterns: Patterns) -> float:
    """Fleiss' kappa of the class counts, ratings pooled; 0 where undefined (a start needs a number)."""
    table, size, w = patterns.table, patterns.size, patterns.weight
    some = size > 1
    pairs = (size * (size - 1))[some]
    if not pairs.size:
        return 0.0
    agreed = (np.einsum("pc,pc->p", table[some], table[some]) - size[some]) / pairs
    rates = w @ table / max(patterns.rating_count, 1)
    chance = float(rates @ rates)
    observed = float(w[some] @ agreed / max(w[some].sum(), 1e-300))
    return (observed - chance) / (1 - chance) if chance < 1 else 0.0


def _fleiss(design: Design, rates: FloatArray) -> Stack:
    accuracy = np.sqrt(max(fleiss_kappa(design.patterns), 0.0))
    return design.space.point(rates[None], np.array([accuracy]), rates[None])


def majority_vote(design: Design) -> Stack:
    """Truth by majority (ties split), then each part as if that were known."""
    space, patterns = design.space, design.patterns
    # Class-major, as reducing over a short last axis is slow; a subject without ratings votes for all alike.
    table = np.ascontiguousarray(patterns.table.T)
    top = table == table.max(axis=0)
    votes = top / top.sum(axis=0)
    truth = votes @ patterns.weight / patterns.weight.sum()
    totals = patterns.totals.sum(axis=1)
    rates = (patterns.totals + 0.5 / space.classes) / (totals + 0.5)[:, None]
    if space.model.guessing is Guessing.PER_RATER_AND_CLASS:
        posterior = (votes * patterns.weight)[None]
        counts = FullEvidence(patterns).gather(posterior)[0]
        guess = (counts + 0.5 * rates[:, None]) / (counts.sum(axis=2, keepdims=True) + 0.5)
        return space.point(truth[None], np.zeros((1, 1, 1)), guess[None])
    place = patterns.category.astype(np.int64) * patterns.patterns + patterns.pattern
    agreed = (votes * patterns.weight).ravel().take(place) * patterns.count
    right = np.bincount(patterns.unit, agreed, patterns.units) / np.maximum(totals, 1)
    chance = rates @ truth
    accuracy = np.clip((right - chance) / np.maximum(1 - chance, 1e-9), 0.02, 0.98)
    pooled = float(np.average(accuracy, weights=totals)) if totals.sum() else 0.5
    share = (totals @ rates) / totals.sum() if totals.sum() else rates.mean(axis=0)
    return space.point(
        truth[None],
        accuracy[None, :, None] if space.model.accuracy.by_rater else np.array([pooled]),
        rates[None, :, None] if space.model.guessing.by_rater else share[None],
    )


def pair_covariance(patterns: Patterns) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Truth (K,), accuracy () and guessing (K,) from the covariances of two ratings, K > 2 (models.md §3).

    For classes c and d, m_c m_d - Q_cd = (a t_c)(a t_d); with u = a t, each triple of classes gives
    u_c = sqrt(r_cd r_ce / r_de). None where no triple has positive products.
    """
    k = patterns.classes
    size, w, table = patterns.size, patterns.weight, patterns.table
    pairs = float(w @ (size * (size - 1)))
    if k < 3 or k > 60 or pairs <= 0:
        return None
    together = (table * w[:, None]).T @ table - np.diag(w @ table)
    q = together / pairs
    m = q.sum(axis=1)
    r = np.outer(m, m) - q
    u = np.zeros(k)
    for c in range(k):
        others = [d for d in range(k) if d != c]
        squares = [r[c, d] * r[c, e] / r[d, e] for d in others for e in others if d < e and r[d, e] > 1e-12]
        u[c] = np.sqrt(max(float(np.median(squares)), 0.0)) if squares else 0.0
    a = float(u.sum())
    if a <= 0:
        return None
    a = min(a, 0.98)
    truth = u / u.sum()
    guess = np.maximum(m - a * truth, 1e-3)
    return truth, np.array(a), guess / guess.sum()


def _random(design: Design, rng: np.random.Generator) -> Stack:
    space = design.space
    k = space.classes
    accuracy = rng.uniform(0.05, 0.95, (1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(k), (1, *space.guessing_shape[:2]))
    point = space.point(rng.dirichlet(np.ones(k), (1, *space.truth_shape[:-1])), accuracy, guessing)
    if space.spreads:
        point = replace(point, spread=rng.uniform(0.02, 0.95, point.spread.shape))
    if space.ordered is not None:
        return space.follow(replace(point, slopes=point.slopes + rng.normal(0, 1.0, point.slopes.shape)))
    if space.model.accuracy is not Accuracy.REGRESSION:
        return point
    wide = np.flatnonzero(space.design.std(axis=0) > 0)
    step = rng.random() < _STEPS and wide.size > 0
    slopes = _step(space.design, wide, rng) if step else _slope(space.design, point.slopes[:, 0], rng)
    return space.follow(replace(point, slopes=slopes))


def _slope(design: FloatArray, intercept: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Slopes of the size of a covariate's spread; the intercept keeps the accuracy somewhere among the units."""
    usual, spread = design.mean(axis=0), design.std(axis=0)
    slopes: FloatArray = rng.normal(0, rng.choice(_STEEP), (1, usual.size)) / np.where(spread > 0, spread, 1.0)
    slopes[:, spread == 0] = 0.0
    where = design[rng.integers(design.shape[0])] if rng.random() < 0.5 else usual
    slopes[:, 0] = intercept - slopes[:, 1:] @ where[1:]
    return slopes


def _step(design: FloatArray, wide: NDArray[np.int64], rng: np.random.Generator) -> FloatArray:
    """Accuracies that jump from low to high between two units, or at one: where a maximum lies at slopes without end.

    Along one covariate, or along a random mixture of all that differ.
    """
    spread = design.std(axis=0)
    direction = np.zeros(design.shape[1])
    chosen = wide if rng.random() < _MIXED else rng.choice(wide, 1)
    direction[chosen] = rng.choice((-1.0, 1.0), chosen.size) / spread[chosen]
    if chosen.size > 1:
        direction[chosen] *= rng.exponential(1.0, chosen.size)
    along = np.unique(design @ direction)
    at = int(rng.integers(along.size - 1))
    gap = max(along[at + 1] - along[at], _SHORTEST)
    slopes = 2 * _JUMP / gap * direction
    slopes[0] -= 2 * _JUMP / gap * (along[at] + rng.choice((0.0, 0.5, 1.0)) * gap)
    return np.asarray(slopes[None], dtype=np.float64)
