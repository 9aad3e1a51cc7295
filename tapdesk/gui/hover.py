"""What stands under the mouse in a picture, in words."""

from collections.abc import Iterator

import numpy as np

from tapdesk.answers.figure import Bars, Cells, Figure, Line, Mark, Points
from tapdesk.answers.figure_tables import value_on
from tapdesk.answers.svg.draw import plane_of
from tapdesk.answers.svg.plane import Plane
from tapdesk.language import gettext as _

NEAR = 16.0  # pixels
LINE = 5.0

Found = tuple[float, str]


def told_at(figure: Figure, width: float, height: float, x: float, y: float) -> str:
    """The value nearest to a pixel of a figure drawn at a size; empty where nothing is near."""
    plane = plane_of(figure, width=width, height=height)
    found: list[Found] = []
    for mark in figure.marks:
        if isinstance(mark, Points | Line):
            found += _near(mark, figure, plane, x, y)
        elif isinstance(mark, Bars):
            found += _bar(mark, figure, plane, x)
        elif isinstance(mark, Cells):
            found += _cell(mark, figure, plane, x, y)
        elif isinstance(mark, Mark) and mark.vertical and mark.label and abs(plane.px(mark.at) - x) < LINE:
            found.append((LINE, f"{mark.label}: {value_on(mark.at, figure.x)}"))
    return min(found, key=lambda row: row[0])[1] if found else ""


def _near(mark: Points | Line, figure: Figure, plane: Plane, x: float, y: float) -> Iterator[Found]:
    """The nearest point of a series; of a row of a dot plot, wherever in the row the mouse is."""
    at = np.flatnonzero(np.isfinite(mark.x) & np.isfinite(mark.y))
    if not at.size:
        return
    across = np.array([plane.px(v) - x for v in mark.x[at]])
    down = np.array([plane.py(v) - y for v in mark.y[at]])
    rows = isinstance(mark, Points) and mark.horizontal
    far = np.abs(down) if rows else np.hypot(across, down)
    nearest = int(far.argmin())
    if far[nearest] > NEAR:
        return
    i = int(at[nearest])
    name = f"{mark.label}: " if mark.label and not rows else ""
    first, second = value_on(mark.x[i], figure.x), value_on(mark.y[i], figure.y)
    words = f"{second}: {first}" if rows else f"{name}{first}, {second}"
    if isinstance(mark, Points) and mark.low is not None and mark.high is not None and mark.low[i] != mark.high[i]:
        side = figure.x if mark.horizontal else figure.y
        words = _("{words} ({low} to {high})").format(
            words=words, low=value_on(mark.low[i], side), high=value_on(mark.high[i], side)
        )
    yield float(far[nearest]), words


def _bar(mark: Bars, figure: Figure, plane: Plane, x: float) -> Iterator[Found]:
    edges = np.array([plane.px(v) for v in mark.edges])
    i = int(np.searchsorted(edges, x)) - 1
    if 0 <= i < mark.heights.size and plane.left <= x <= plane.right:
        ends = _("{low} to {high}").format(
            low=value_on(mark.edges[i], figure.x), high=value_on(mark.edges[i + 1], figure.x)
        )
        yield NEAR, f"{ends}: {value_on(mark.heights[i], figure.y)}"


def _cell(mark: Cells, figure: Figure, plane: Plane, x: float, y: float) -> Iterator[Found]:
    rows, columns = mark.values.shape
    for i in range(rows):
        for j in range(columns):
            across = plane.px(j - 0.5) <= x < plane.px(j + 0.5)
            down = plane.py(rows - 0.5 - i) <= y < plane.py(rows - 1.5 - i)
            if across and down and np.isfinite(mark.values[i, j]):
                names = value_on(rows - 1 - i, figure.y), value_on(j, figure.x)
                yield 0.0, f"{names[0]}, {names[1]}: {mark.texts[i][j]}"
