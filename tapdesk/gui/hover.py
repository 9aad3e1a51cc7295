"""What stands under the mouse in a picture, in words."""

from collections.abc import Iterator

import numpy as np

from tapdesk.report.figure import Bars, Cells, Figure, Line, Mark, Points
from tapdesk.report.svg.draw import plane_of
from tapdesk.report.svg.plane import Plane
from tapdesk.report.tables.figure import row_in_words

NEAR = 16.0  # pixels
LINE = 5.0

# How far away something is, in pixels, and the row of the figure's table that tells it.
Found = tuple[float, int]


def told_at(figure: Figure, width: float, height: float, x: float, y: float) -> str:
    """The value nearest to a pixel of a figure drawn at a size; empty where nothing is near."""
    plane = plane_of(figure, width=width, height=height)
    found: list[Found] = []
    for mark in figure.marks:
        if isinstance(mark, Points | Line):
            found += _near(mark, plane, x, y)
        elif isinstance(mark, Bars):
            found += _bar(mark, plane, x)
        elif isinstance(mark, Cells):
            found += _cell(mark, plane, x, y)
        elif isinstance(mark, Mark) and mark.vertical and mark.rows and abs(plane.px(mark.at) - x) < LINE:
            found.append((LINE, mark.rows[0]))
    found = [(far, row) for far, row in found if row >= 0]
    return row_in_words(figure.table, min(found, key=lambda one: one[0])[1]) if found else ""


def _near(mark: Points | Line, plane: Plane, x: float, y: float) -> Iterator[Found]:
    """The nearest point of a series; of a row of a dot plot, wherever in the row the mouse is."""
    at = np.flatnonzero(np.isfinite(mark.x) & np.isfinite(mark.y))
    if not at.size or not mark.rows:
        return
    across = np.array([plane.px(v) - x for v in mark.x[at]])
    down = np.array([plane.py(v) - y for v in mark.y[at]])
    far = np.abs(down) if isinstance(mark, Points) and mark.horizontal else np.hypot(across, down)
    nearest = int(far.argmin())
    if far[nearest] <= NEAR:
        yield float(far[nearest]), mark.rows[int(at[nearest])]


def _bar(mark: Bars, plane: Plane, x: float) -> Iterator[Found]:
    edges = np.array([plane.px(v) for v in mark.edges])
    i = int(np.searchsorted(edges, x)) - 1
    if mark.rows and 0 <= i < mark.heights.size and plane.left <= x <= plane.right:
        yield NEAR, mark.rows[i]


def _cell(mark: Cells, plane: Plane, x: float, y: float) -> Iterator[Found]:
    rows, columns = mark.values.shape
    for i, j in np.ndindex(rows if mark.rows else 0, columns):
        across = plane.px(j - 0.5) <= x < plane.px(j + 0.5)
        if across and plane.py(rows - 0.5 - i) <= y < plane.py(rows - 1.5 - i):
            yield 0.0, mark.rows[i * columns + j]
