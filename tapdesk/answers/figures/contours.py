"""Lines of equal height through a table of heights (marching squares)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Point = tuple[float, float]


def contour(x: Floats, y: Floats, height: Floats, level: float) -> tuple[Floats, Floats]:
    """The line at one height as points, shape (n,) each; NaN between its pieces.

    Parameters
    ----------
    x, y
        Shape (n,), (m,): rising.
    height
        Shape (n, m), finite or minus infinity.
    level
        The height; where the table ends on higher ground the line stays open.
    """
    heights = np.where(np.isfinite(height), height, np.nanmin(height[np.isfinite(height)]))
    pieces = _joined(_segments(x, y, heights, level))
    gap = np.array([[np.nan, np.nan]])
    parts = [part for piece in pieces for part in (np.array(piece), gap)]
    if not parts:
        return np.zeros(0), np.zeros(0)
    points = np.concatenate(parts[:-1])
    return points[:, 0], points[:, 1]


def _segments(x: Floats, y: Floats, height: Floats, level: float) -> list[tuple[Point, Point]]:
    """One or two straight pieces through every cell that the line crosses."""
    above = height > level
    corners = above[:-1, :-1].astype(int) + above[1:, :-1] + above[1:, 1:] + above[:-1, 1:]
    found: list[tuple[Point, Point]] = []
    for i, j in zip(*np.nonzero((corners > 0) & (corners < 4)), strict=True):
        ring = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
        cuts = []
        for (a, b), (c, d) in zip(ring, [*ring[1:], ring[0]], strict=True):
            if above[a, b] != above[c, d]:
                share = (level - height[a, b]) / (height[c, d] - height[a, b])
                cuts.append((float(x[a] + share * (x[c] - x[a])), float(y[b] + share * (y[d] - y[b]))))
        if len(cuts) == 4 and height[i : i + 2, j : j + 2].mean() > level and above[i, j]:
            # Two high corners across: the ground between them decides which sides belong together.
            cuts = [cuts[1], cuts[2], cuts[3], cuts[0]]
        elif len(cuts) == 4 and height[i : i + 2, j : j + 2].mean() <= level and not above[i, j]:
            cuts = [cuts[1], cuts[2], cuts[3], cuts[0]]
        found += [(cuts[k], cuts[k + 1]) for k in range(0, len(cuts), 2)]
    return found


def _joined(segments: list[tuple[Point, Point]]) -> list[list[Point]]:
    """Segments end to end, closed where they close."""
    at: dict[Point, list[int]] = {}
    for number, ends in enumerate(segments):
        for end in ends:
            at.setdefault(_key(end), []).append(number)
    left = set(range(len(segments)))
    lines: list[list[Point]] = []
    while left:
        first = left.pop()
        line = list(segments[first])
        for grow in (True, False):
            while True:
                end = line[-1] if grow else line[0]
                following = next((n for n in at[_key(end)] if n in left), None)
                if following is None:
                    break
                left.remove(following)
                one, other = segments[following]
                new = other if _key(one) == _key(end) else one
                line = [*line, new] if grow else [new, *line]
        lines.append(line)
    return lines


def _key(point: Point) -> Point:
    return round(point[0], 12), round(point[1], 12)
