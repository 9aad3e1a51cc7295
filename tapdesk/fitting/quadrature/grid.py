"""A grid in three dimensions that follows the mass of the posterior of (t, mu1, mu0) into ridges and corners."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.special import betaln, logsumexp

from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.likelihood import BinaryCounts, Floats, Rates, probability, softplus

# log density along the given lines: (indices of the lines, nodes of shape (lines, n)) -> shape (lines, n)
AlongLines: TypeAlias = Callable[[np.ndarray, Floats], Floats]

# Below its top by this much (nats) a density is cut off: e^-15 of a Gaussian or exponential tail is 3e-7.
DROP = 15.0
NODES = 17
_RESOLVED = 6
# How far one looks at once, in nodes.
_FARTHEST = 2.0 * NODES
# Nodes left inside an end when the other end moves out.
_KEPT = 6.0
_ROUNDS = 80

# log prior density of (logit d, logit g)
RatePrior: TypeAlias = Callable[[Rates], Floats]
# Lines whose mass is below e^-18 of the heaviest are left out; their nodes get no weight.
_NEGLIGIBLE = 18.0
# Steps of Newton's method; the last are far below what is felt.
_NEWTON = 9
# How often ends are evened out with those of their two neighbours.
_EVENING = 12


def boxes(log_density: AlongLines, low: Floats, high: Floats, drop: float = DROP) -> tuple[Floats, Floats]:
    """The interval of each line outside which the log density is more than ``drop`` below its top.

    Widens where the density has not fallen at an end and narrows where it has fallen between two nodes, so a first
    guess may be wrong by any factor; a second peak behind a valley deeper than ``drop`` is seen while the interval is
    still wide only.

    Parameters
    ----------
    log_density
        Along the lines, finite everywhere, in nats.
    low, high
        Shape (lines,): the first guess, low < high.

    Raises
    ------
    ArithmeticError
        When no interval is found, which only a density that does not fall off can bring about.
    """
    low, high = low.copy(), high.copy()
    active = np.arange(low.size)
    steps = np.linspace(0.0, 1.0, NODES)
    for _ in range(_ROUNDS):
        lo, width = low[active], high[active] - low[active]
        f = log_density(active, lo[:, None] + width[:, None] * steps)
        f -= f.max(axis=1, keepdims=True)
        floor = _typical(f) - drop
        above = f > floor[:, None]
        first = above.argmax(axis=1)
        last = NODES - 1 - above[:, ::-1].argmax(axis=1)
        fine = last - first >= _RESOLVED
        over_low, over_high = _over(f, floor), _over(f[:, ::-1], floor)
        # Where the density is about to fall below the floor, within one node, there is no need to look.
        open_low, open_high = (over > np.where(fine, 1.0, 0.0) for over in (over_low, over_high))
        left = np.where(fine, _crossing(f, first, -1, floor) - over_low, first - 1.0)
        right = np.where(fine, _crossing(f, last, 1, floor) + over_high, last + 1.0)
        left = np.where(open_low, -np.minimum(1.25 * over_low + 0.5, _FARTHEST), left)
        right = np.where(open_high, NODES - 1 + np.minimum(1.25 * over_high + 0.5, _FARTHEST), right)
        # A widened interval has wide gaps: the peak must not lie in the last one.
        left, right = (
            np.where(open_high, np.minimum(left, NODES - 1 - _KEPT), left),
            np.where(open_low, np.maximum(right, _KEPT), right),
        )
        step = width / (NODES - 1)
        low[active], high[active] = lo + left * step, lo + right * step
        active = active[open_low | open_high | ~fine]
        if not active.size:
            return low, high
    raise ArithmeticError(f"no end of the mass found on {active.size} lines, such as {low[active[0]]:g}")


def _over(f: Floats, floor: Floats) -> Floats:
    """How far (in nodes) beyond the first node its slope meets the floor; 0 where the density is below already.

    With the top at the end the peak itself is outside; then as far as one ever looks, or it would creep for ever.
    """
    slope = f[:, 1] - f[:, 0]
    meets = np.maximum(f[:, 0] - floor, 0.0) / np.maximum(slope, 1e-9)
    return np.where((slope > 0) | (meets == 0), np.minimum(meets, _FARTHEST), _FARTHEST)


def _typical(f: Floats) -> Floats:
    """Log of the density's mean over its own mass: unlike its top, it does not depend on where the nodes fell."""
    e = np.exp(f)
    return np.asarray(np.log((e * e).sum(axis=1) / e.sum(axis=1)))


def _crossing(f: Floats, node: np.ndarray, side: int, floor: Floats) -> Floats:
    """Where (in nodes) the density falls below the floor just outside ``node``, by a parabola through three nodes.

    Neighbouring lines must get neighbouring ends, or the grid is no longer smooth across lines.
    """
    rows = np.arange(f.shape[0])
    outside, inside = (np.clip(node + step, 0, NODES - 1) for step in (side, -side))
    here = f[rows, node]
    fall = np.maximum(here - f[rows, outside], 1e-9)
    bend = ((f[rows, inside] - here) - fall) / 2
    slope = fall + bend
    # f(node + side s) = here - slope s + bend s^2: the root on 0 <= s <= 1, in the form that keeps its digits.
    excess = here - floor
    steep = np.maximum(slope, 1e-9)
    root = 2 * excess / (steep + np.sqrt(np.maximum(steep * steep - 4 * bend * excess, 0.0)))
    s = np.where((slope > 0) & (root >= 0) & (root <= 1), root, excess / fall)
    return np.asarray(node + side * np.clip(s, 0.0, 1.0), dtype=np.float64)


def logits(w: Floats, m: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """Logits of t, d and g at coordinates of shapes that fit together."""
    z = v - w / 2
    return v + w / 2, m + np.tanh(w / 2) * z, z


@dataclass(frozen=True, eq=False)
class RatePosterior:
    """The posterior of one ordering of the two rates, not normalised.

    Attributes
    ----------
    counts
        The data.
    truth
        Prior of the share of the component with the higher rate.
    rates
        Log prior density of (logit d, logit g).
    """

    counts: BinaryCounts
    truth: Prior
    rates: RatePrior

    @cached_property
    def log_beta(self) -> float:
        """Log of the constant of the prior of t."""
        return float(betaln(self.truth.alpha, self.truth.beta))

    def log_density(self, w: Floats, m: Floats, v: Floats) -> Floats:
        """Log of likelihood (ratings form) times prior, per unit of w, m and v; all of one shape."""
        x, y, z = logits(w, m, v)
        rates = Rates.at(y, z)
        log_t = -softplus(-x)
        prior = self.truth.alpha * log_t + self.truth.beta * (log_t - x) - self.log_beta
        return np.asarray(self.counts.log_likelihood(x, rates) + prior + self.rates(rates), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class RateGrid:
    """Nodes and weights.

    Attributes
    ----------
    w, m, v
        Shape (n_w,), (n_w, n_m), (n_w, n_m, n_v).
    log_mass
        Shape (n_w, n_m, n_v): log of density times cell; -inf where left out. Sums to the evidence.
    """

    w: Floats
    m: Floats
    v: Floats
    log_mass: Floats

    @cached_property
    def logits(self) -> tuple[Floats, Floats, Floats]:
        """Each of shape (n_w, n_m, n_v): logits of t, of d and of g."""
        x, y, z = logits(self.w[:, None, None], self.m[:, :, None], self.v)
        return x, y, z

    @property
    def x(self) -> Floats:
        """Shape (n_w, n_m, n_v): logit t."""
        return self.logits[0]

    @property
    def y(self) -> Floats:
        """Shape (n_w, n_m, n_v): logit d."""
        return self.logits[1]

    @property
    def z(self) -> Floats:
        """Shape (n_w, n_m, n_v): logit g."""
        return self.logits[2]

    @cached_property
    def log_evidence(self) -> float:
        """Log of the integral, ratings form."""
        return float(logsumexp(self.log_mass))

    @cached_property
    def mass(self) -> Floats:
        """Shape (n_w, n_m, n_v): share of each node; sums to one."""
        return np.asarray(np.exp(self.log_mass - self.log_evidence))

    @cached_property
    def spacing(self) -> tuple[Floats, Floats, Floats]:
        """The largest distance to a neighbouring node in the logits of t, d and g, each of the grid's shape."""
        move = np.gradient(self.v, axis=0), np.gradient(self.v, axis=1), np.gradient(self.v, axis=2)
        half, tilt = (self.w[1] - self.w[0]) / 2, np.tanh(self.w / 2)[:, None, None]
        across = np.maximum(np.abs(move[1]), move[2])
        along_y = np.maximum(
            np.abs(np.gradient(self.y, axis=0)), np.abs(np.gradient(self.m, axis=1)[:, :, None] + tilt * move[1])
        )
        return (
            np.maximum(across, np.abs(move[0] + half)),
            np.maximum(along_y, np.abs(tilt) * move[2]),
            np.maximum(across, np.abs(move[0] - half)),
        )

    def thinned(self, axes: tuple[int, ...] = (0, 1, 2)) -> "RateGrid":
        """Every second node along some axes: a coarser rule for the same integral."""
        skip = [slice(None, None, 2) if axis in axes else slice(None) for axis in range(3)]
        log_mass = self.log_mass[tuple(skip)] + len(axes) * np.log(2.0)
        return RateGrid(self.w[skip[0]], self.m[skip[0], skip[1]], self.v[tuple(skip)], log_mass)


def _integral(f: Floats, low: Floats, high: Floats) -> Floats:
    """Log integral along each line from equally spaced log densities of shape (lines, n)."""
    top = f.max(axis=1)
    return np.asarray(top + np.log(np.exp(f - top[:, None]).sum(axis=1) * (high - low) / (f.shape[1] - 1)))


def _spread(low: Floats, high: Floats, n: int) -> Floats:
    """Equally spaced nodes between the ends, one more axis."""
    return np.asarray(low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, n))


def even_ends(low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Ends of neighbouring intervals that do not jump from line to line, where that costs little.

    Where a tail is long and flat at the height at which it is cut off, its end is anywhere; and nodes that jump between
    lines blur what is read off them. A jump is evened out by moving ends outwards, up to a quarter of the interval.
    """
    room = (high - low) / 4
    ends = []
    for inner in (low, -high):
        end = inner.copy()
        for _ in range(_EVENING):
            padded = np.pad(end, 1, mode="reflect", reflect_type="odd")
            end = np.clip((padded[:-2] + 2 * end + padded[2:]) / 4, inner - room, np.minimum(end, inner))
        ends.append(end)
    return ends[0], -ends[1]


class Scanner:
    """Finds the intervals of a target, line within line, and remembers them as guesses for the next lines.

    Attributes
    ----------
    known
        Values of w with the intervals of m found for them.
    w_guess
        Where to begin to look for the interval of w.
    """

    def __init__(self, target: RatePosterior, like: "Scanner | None" = None) -> None:
        self._target = target
        counts = target.counts
        ratings = counts.ones_total + counts.zeros_total
        rate = (counts.ones_total + 0.5) / (ratings + 1)
        self._logit_rate = np.asarray(np.log(rate / (1 - rate)))
        # Standard error of the overall rate, between what it is if ratings of a subject are one and if they are free.
        size = max(ratings / max(counts.subjects, 1.0), 1.0)
        self._rate_se = float(np.sqrt(rate * (1 - rate) / (counts.subjects + 1) / np.sqrt(size)))
        # The two halves of a posterior differ by their priors only: what one has found is a good guess for the other.
        self.known: list[tuple[Floats, Floats, Floats]] = [] if like is None else like.known[-2:]
        self.w_guess: tuple[float, float] = (-16.0, 16.0) if like is None else like.w_guess

    def v_boxes(self, w: Floats, m: Floats) -> tuple[Floats, Floats]:
        """Interval of v for lines (w, m), shape (lines,)."""
        middle, slope = self._at_rate(w, m)
        half = np.clip(7 * self._rate_se / np.maximum(slope, 1e-12), 1e-8, 20.0)

        def along(line: np.ndarray, v: Floats) -> Floats:
            shape = v.shape
            return self._target.log_density(
                np.broadcast_to(w[line][:, None], shape), np.broadcast_to(m[line][:, None], shape), v
            )

        return boxes(along, middle - half, middle + half)

    def _at_rate(self, w: Floats, m: Floats) -> tuple[Floats, Floats]:
        """The v at which the model's rate of class 1 is the observed one, and the rate's slope there.

        By Newton's method on the logit of the rate, which is nearly straight, and by halves where that leads outside.
        """
        low = np.full(w.shape, self._logit_rate) - np.abs(w) / 2 - 1e-9
        high = low + np.abs(w) + 2e-9
        v, tilt = (low + high) / 2, np.tanh(w / 2)
        for _ in range(_NEWTON):
            t, d, g = (probability(u) for u in logits(w, m, v))
            rate, rest = d * t + (1 - d) * g, d * (1 - t) + (1 - d) * (1 - g)
            slope = np.maximum(d * t * (1 - t) + (1 - d) * g * (1 - g) + tilt * d * (1 - d) * (t - g), 1e-300)
            over = np.log(np.maximum(rate, 1e-300) / np.maximum(rest, 1e-300)) - self._logit_rate
            low, high = np.where(over > 0, low, v), np.where(over > 0, v, high)
            step = v - over * rate * rest / slope
            v = np.where((step > low) & (step < high), step, (low + high) / 2)
        return v, slope

    def mass_wm(self, w: Floats, m: Floats) -> Floats:
        """Log of the mass along v, for lines (w, m), shape (lines,)."""
        low, high = self.v_boxes(w, m)
        shape = (w.size, NODES)
        f = self._target.log_density(
            np.broadcast_to(w[:, None], shape), np.broadcast_to(m[:, None], shape), _spread(low, high, NODES)
        )
        return _integral(f, low, high)

    def m_boxes(self, w: Floats) -> tuple[Floats, Floats]:
        """Interval of m for each w, shape (lines,)."""

        def along(line: np.ndarray, m: Floats) -> Floats:
            lines = np.broadcast_to(w[line][:, None], m.shape).ravel()
            return self.mass_wm(lines, m.ravel()).reshape(m.shape)

        low, high = boxes(along, *self._guess(w))
        self.known.append((w, low, high))
        return low, high

    def _guess(self, w: Floats) -> tuple[Floats, Floats]:
        if not self.known:
            return np.full(w.shape, -12.0), np.full(w.shape, 12.0)
        at, low, high = (np.concatenate(part) for part in zip(*self.known, strict=True))
        order = np.argsort(at)
        return np.interp(w, at[order], low[order]), np.interp(w, at[order], high[order])

    def w_box(self) -> tuple[float, float]:
        """Interval of w."""

        def along(_line: np.ndarray, w: Floats) -> Floats:
            low, high = self.m_boxes(w.ravel())
            m = _spread(low, high, NODES)
            f = self.mass_wm(np.repeat(w.ravel(), NODES), m.ravel()).reshape(m.shape)
            return _integral(f, low, high).reshape(w.shape)

        low, high = boxes(along, np.array([self.w_guess[0]]), np.array([self.w_guess[1]]))
        self.w_guess = (float(low[0]), float(high[0]))
        return self.w_guess

    def grid(self, w_box: tuple[float, float], sizes: tuple[int, int, int]) -> RateGrid:
        """The grid with so many nodes along w, m and v."""
        n_w, n_m, n_v = sizes
        w = np.linspace(*w_box, n_w)
        m_low, m_high = even_ends(*self.m_boxes(w))
        m = _spread(m_low, m_high, n_m)
        flat_w, flat_m = np.repeat(w, n_m), m.ravel()
        low, high = self.v_boxes(flat_w, flat_m)
        step_w, step_m = (w_box[1] - w_box[0]) / (n_w - 1), (m_high - m_low) / (n_m - 1)
        log_cell = np.log(step_w) + np.repeat(np.log(step_m), n_m)
        v = _spread(low, high, n_v)
        kept = self._kept(flat_w, flat_m, v, log_cell + np.log(high - low))
        log_mass = np.full(v.shape, -np.inf)
        shape = (int(kept.sum()), n_v)
        log_mass[kept] = self._target.log_density(
            np.broadcast_to(flat_w[kept, None], shape), np.broadcast_to(flat_m[kept, None], shape), v[kept]
        )
        log_mass += (log_cell + np.log((high - low) / (n_v - 1)))[:, None]
        return RateGrid(w, m, v.reshape(n_w, n_m, n_v), log_mass.reshape(n_w, n_m, n_v))

    def _kept(self, w: Floats, m: Floats, v: Floats, log_size: Floats) -> np.ndarray:
        """Which lines carry mass, judged on every fourth node."""
        some = v[:, ::4]
        shape = some.shape
        f = self._target.log_density(np.broadcast_to(w[:, None], shape), np.broadcast_to(m[:, None], shape), some)
        mass = f.max(axis=1) + log_size
        return np.asarray(mass > mass.max() - _NEGLIGIBLE)
