"""Where the mass of a density lies along many lines at once."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tapdesk.fitting.quadrature_likelihood import Floats

# log density along the given lines: (indices of the lines, nodes of shape (lines, n)) -> shape (lines, n)
AlongLines: TypeAlias = Callable[[np.ndarray, Floats], Floats]

# Below its top by this much (nats) a density is cut off: e^-15 of a Gaussian or exponential tail is 3e-7.
DROP = 15.0
NODES = 17
_RESOLVED = 6
# An end that is above the floor by less than this is left where it is.
_SLACK = 0.5
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
        Along the lines, finite everywhere.
    low, high
        Shape (lines,): the first guess, low < high.
    drop
        In nats.

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
        open_low, open_high = (f[:, end] > floor + np.where(fine, _SLACK, 0.0) for end in (0, -1))
        left = np.where(fine, _crossing(f, first, -1, floor), first - 1.0)
        right = np.where(fine, _crossing(f, last, 1, floor), last + 1.0)
        left = np.where(open_low, -_reach(f, floor), left)
        right = np.where(open_high, NODES - 1 + _reach(f[:, ::-1], floor), right)
        # A widened interval has wide gaps: the peak must not lie in the last one, or it is looked for beyond it next.
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


def _reach(f: Floats, floor: Floats) -> Floats:
    """How far (in nodes) to look beyond the first node: to where its slope meets the floor, and a little more.

    With the top at the end the peak itself is outside; then the reach doubles, or it would creep for ever.
    """
    slope = np.maximum(f[:, 1] - f[:, 0], 1e-9)
    meets = 1.25 * (f[:, 0] - floor) / slope + 0.5
    return np.where(slope > 1e-9, np.minimum(meets, 2.0 * NODES), 2.0 * NODES)


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
