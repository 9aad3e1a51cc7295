"""``t-a0a1-p``: the curve of (a1, a0, p) that every pair of rates leaves open, walked from every node of a grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tapdesk.fitting.quadrature.grid import Grid
from tapdesk.fitting.quadrature.inner import SharedGuessing, Walk
from tapdesk.fitting.quadrature.likelihood import Floats, Rates, probability, softplus
from tapdesk.fitting.quadrature.marginal import Cloud, heavy

# Between places along the curve, in logit s. Where the rates are known its ends are sharp: wider ones would ripple.
_SPACING = 0.2
# Fewest and most lattice points along log(e^gap - 1) and along the middle.
_LATTICE = ((32, 120), (32, 120))
# For the picture: nodes along w, m and v, and the mass below which one is left out.
_NODES = (40, 20, 16)
_LIGHT = 1e-6


@dataclass(frozen=True, eq=False)
class Walked:
    """Nodes in four dimensions, those that carry mass: M combinations of a node of (t, mu1, mu0) and a place.

    Attributes
    ----------
    a1, a0, p, x
        Shape (M,): logits of the parameters and of t.
    mass
        Shape (M,).
    rate1, rate0
        Shape (M,): the two rates.
    steps
        How logit mu1, logit mu0, logit p and logit t change to the next node along each of the four axes, each of
        shape (M,) or 0.
    """

    a1: Floats
    a0: Floats
    p: Floats
    x: Floats
    mass: Floats
    rate1: Floats
    rate0: Floats
    steps: tuple[tuple[Floats | float, Floats | float, Floats, Floats | float], ...]

    def clouds(self) -> Mapping[str, Cloud]:
        """Nodes of a0, a1 and p."""
        guessing = probability(self.p)
        inverse1, inverse0 = (1 / np.maximum(probability(a), 1e-300) for a in (self.a1, self.a0))
        spacing = {name: np.zeros(self.p.shape) for name in ("a0", "a1", "p")}
        for step1, step0, step_p, _ in self.steps:
            # The chain rule for a1 = (mu1 - p) / (1 - p) and a0 = 1 - mu0 / p on the logit scale.
            moves = {
                "p": step_p,
                "a1": inverse1 * (self.rate1 * step1 - guessing * step_p),
                "a0": inverse0 * ((1 - guessing) * step_p - (1 - self.rate0) * step0),
            }
            for name, move in moves.items():
                np.maximum(spacing[name], np.abs(move), out=spacing[name])
        logits = {"a0": self.a0, "a1": self.a1, "p": self.p}
        return {name: Cloud(at, spacing[name], self.mass) for name, at in logits.items()}

    def difference(self) -> Cloud:
        """Nodes of p - t, on the scale logit((1 + p - t) / 2)."""
        return _difference(self.p, self.x, self.mass, [step[2:] for step in self.steps])

    def joint(self, cells: int) -> Floats:
        """Mass of (a1, a0), shape (cells, cells), in even cells of the unit square."""
        row, column = (np.minimum((probability(x) * cells).astype(np.int64), cells - 1) for x in (self.a1, self.a0))
        table = np.bincount(row * cells + column, self.mass, cells * cells)
        return np.asarray(table, dtype=np.float64).reshape(cells, cells)


@dataclass(frozen=True, eq=False)
class Starts:
    """Where the curve is walked from.

    Attributes
    ----------
    logit1, logit0, gap, x, weight
        Shape (L,): logits of the rates, their difference with all its digits, logit t, and mass.
    moves
        For each axis, how logit mu1, logit mu0 and logit t change to the next one, shape (L,) each.
    """

    logit1: Floats
    logit0: Floats
    gap: Floats
    x: Floats
    weight: Floats
    moves: tuple[tuple[Floats, Floats, Floats], ...]


def lattice(grid: Grid, mass: Floats) -> Starts:
    """An even lattice of log(e^gap - 1) and of the middle of the two logits, for what does not depend on t.

    Every node of the grid is shared among the 16 lattice points around it by cubic interpolation, so sums of smooth
    functions stay what they are up to the fourth power of the lattice's spacing. A few masses are negative.
    """
    kept = heavy(mass)
    rates = Rates.at(*(c[kept] for c in (grid.y, grid.z)))
    gap = rates.ones + rates.zeros
    axes = [
        _shares(at, int(np.clip(n, *most)))
        for at, n, most in zip(
            (gap + np.log(-np.expm1(-gap)), rates.logit_low + gap / 2),
            (2 * mass.shape[1], mass.shape[0]),
            _LATTICE,
            strict=True,
        )
    ]
    (opening, first, shares), (middle, second, others) = axes
    total = np.zeros(opening.size * middle.size)
    for i, share in enumerate(shares):
        for j, other in enumerate(others):
            total += np.bincount((first + i) * middle.size + second + j, mass[kept] * share * other, total.size)
    used = np.flatnonzero(heavy(total))
    wide, at = softplus(opening)[used // middle.size], middle[used % middle.size]
    still = np.zeros(used.size)
    # d gap / d log(e^gap - 1) = 1 - e^-gap.
    half = -np.expm1(-wide) * (opening[1] - opening[0]) / 2
    step = still + (middle[1] - middle[0])
    moves = ((half, -half, still), (step, step, still))
    return Starts(at + wide / 2, at - wide / 2, wide, still, total[used], moves)


def _shares(at: Floats, n: int) -> tuple[Floats, np.ndarray, tuple[Floats, Floats, Floats, Floats]]:
    """An even axis of n points, the first of four neighbours of every node, and its share in each of them."""
    low, step = float(at.min()), max(float(np.ptp(at)), 1e-9) / (n - 5)
    axis: Floats = low + step * np.arange(-2.0, n - 2)
    place = (at - low) / step + 2
    cell = place.astype(np.int64)
    f = place - cell
    shares = (
        -f * (f - 1) * (f - 2) / 6,
        (f + 1) * (f - 1) * (f - 2) / 2,
        -(f + 1) * f * (f - 2) / 2,
        (f + 1) * f * (f - 1) / 6,
    )
    return axis, cell - 1, shares


def coarse_nodes(grid: Grid, mass: Floats) -> Starts:
    """Some nodes of a grid, for a picture of what depends on t as well."""
    stride = [max(1, n // least) for n, least in zip(mass.shape, _NODES, strict=True)]
    every = tuple(slice(None, None, step) for step in stride)
    weight = mass[every]
    x, y, z = (at[every] for at in grid.logits)
    rates = Rates.at(y, z)
    fields = (rates.logit_high, rates.logit_low, x)
    kept = weight > _LIGHT * weight.sum()
    moves = tuple(
        (
            np.gradient(fields[0], axis=i)[kept],
            np.gradient(fields[1], axis=i)[kept],
            np.gradient(fields[2], axis=i)[kept],
        )
        for i in range(3)
    )
    gap = (rates.ones + rates.zeros)[kept]
    return Starts(fields[0][kept], fields[1][kept], gap, fields[2][kept], weight[kept], moves)


def _difference(p: Floats, x: Floats, mass: Floats, steps: Sequence[tuple[Floats, Floats | float]]) -> Cloud:
    """Nodes of p - t from logits of both, and how they change to the next node along each axis."""
    guessing, truth = probability(p), probability(x)
    of_p, of_t = guessing * (1 - guessing), truth * (1 - truth)
    gap = guessing - truth
    spacing = np.zeros(gap.shape)
    for step_p, step_x in steps:
        np.maximum(spacing, np.abs(of_p * step_p - of_t * step_x), out=spacing)
    scale = 2 / np.maximum((1 + gap) * (1 - gap), 1e-300)
    return Cloud(np.log1p(gap) - np.log1p(-gap), spacing * scale, mass)


def flat_difference(starts: Starts) -> Cloud:
    """Nodes of p - t under flat priors, where logit p is uniform between those of the rates.

    The accuracies, which `walked` takes its time for, are not needed.
    """
    walk = Walk.even((), _SPACING)
    share = starts.weight[:, None] * np.exp(walk.log_cell)
    node, place = np.nonzero(heavy(share))
    s, rest = np.exp(walk.log_s)[place], np.exp(walk.log_rest)[place]
    gap = starts.gap[node]
    steps: list[tuple[Floats, Floats | float]] = [
        (s * logit1[node] + rest * logit0[node], logit_t[node]) for logit1, logit0, logit_t in starts.moves
    ]
    steps.append((gap * s * rest * walk.spacing[place], 0.0))
    return _difference(starts.logit0[node] + gap * s, starts.x[node], share[node, place], steps)


def walked(shared: SharedGuessing, starts: Starts) -> Walked:
    """The nodes: every place on the curve of every start."""
    walk = Walk.even(shared.priors, _SPACING)
    a1, a0, p, log_mass = shared.split(starts.logit1, starts.logit0, starts.gap, walk)
    share = np.exp(log_mass - log_mass.max(axis=1, keepdims=True))
    share *= (starts.weight / share.sum(axis=1))[:, None]
    node, place = np.nonzero(heavy(share))
    s, rest = np.exp(walk.log_s)[place], np.exp(walk.log_rest)[place]
    steps: list[tuple[Floats | float, Floats | float, Floats, Floats | float]] = []
    for logit1, logit0, logit_t in starts.moves:
        step1, step0 = logit1[node], logit0[node]
        steps.append((step1, step0, s * step1 + rest * step0, logit_t[node]))
    steps.append((0.0, 0.0, starts.gap[node] * s * rest * walk.spacing[place], 0.0))
    rate1, rate0 = probability(starts.logit1)[node], probability(starts.logit0)[node]
    at = (node, place)
    return Walked(a1[at], a0[at], p[at], starts.x[node], share[at], rate1, rate0, tuple(steps))
