"""Where the mass of a density lies along many lines at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tapdesk.fitting.quadrature.likelihood import Floats

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
