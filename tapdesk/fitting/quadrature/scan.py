"""Where the mass of a posterior lies, line within line, and the grid that covers it."""

import numpy as np

from tapdesk.fitting.quadrature.box import NODES, boxes
from tapdesk.fitting.quadrature.grid import Grid, Target, logits
from tapdesk.fitting.quadrature.likelihood import Floats, probability

# Lines whose mass is below e^-18 of the heaviest are left out; their nodes get no weight.
_NEGLIGIBLE = 18.0
# Steps of Newton's method; the last are far below what is felt.
_NEWTON = 9
# How often ends are evened out with those of their two neighbours.
_EVENING = 12


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

    def __init__(self, target: Target, like: "Scanner | None" = None) -> None:
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

    def grid(self, w_box: tuple[float, float], sizes: tuple[int, int, int]) -> Grid:
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
        return Grid(w, m, v.reshape(n_w, n_m, n_v), log_mass.reshape(n_w, n_m, n_v))

    def _kept(self, w: Floats, m: Floats, v: Floats, log_size: Floats) -> np.ndarray:
        """Which lines carry mass, judged on every fourth node."""
        some = v[:, ::4]
        shape = some.shape
        f = self._target.log_density(np.broadcast_to(w[:, None], shape), np.broadcast_to(m[:, None], shape), some)
        mass = f.max(axis=1) + log_size
        return np.asarray(mass > mass.max() - _NEGLIGIBLE)
