"""How each kind of mark is drawn: one function a kind, and a table of them."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import fonts
from tapdesk.answers.figure import Band, Bars, Cells, Fill, Form, Line, Mark, Points, Words
from tapdesk.answers.svg.plane import SIZE, Plane, element, number, words
from tapdesk.answers.svg.style import LOOKS, Look, Shape
from tapdesk.ratings.ratings import COLOURS

_BLACK, _WHITE = "#000000", "#FFFFFF"
_GAP = 0.75
# The lightest shade still differs from the ground, so that an empty cell is no low value.
_LEAST, _MOST = 0.08, 0.92
_SMALLEST = 6.5
_ROUNDED = 0.005


def cells(mark: Cells, look: Look, plane: Plane) -> list[str]:
    """The elements of all cells that have a value."""
    if mark.extent is not None:
        return _surface(mark, look, plane, mark.extent)
    parts = []
    rows = mark.values.shape[0]
    size = _size(mark, plane)
    span = (mark.high - mark.low) or 1.0
    for (i, j), value in np.ndenumerate(mark.values):
        if not np.isfinite(value):
            continue
        share = _LEAST + (_MOST - _LEAST) * float(np.clip((value - mark.low) / span, 0.0, 1.0))
        fill = mixed(plane.colours["surface"], plane.colours[look.stroke], share)
        x1, x2 = plane.px(j - 0.5) + _GAP, plane.px(j + 0.5) - _GAP
        y1, y2 = plane.py(rows - 0.5 - i) + _GAP, plane.py(rows - 1.5 - i) - _GAP
        # What is written as 0.00 is not framed.
        below = value < mark.low - _ROUNDED
        parts.append(
            element(
                "rect",
                x=x1,
                y=y1,
                width=x2 - x1,
                height=y2 - y1,
                fill=fill,
                stroke=plane.colours["know"] if below else "",
                stroke_width=2 if below else "",
            )
        )
        if size and mark.texts[i][j]:
            at = (x1 + x2) / 2, (y1 + y2) / 2 + size * 0.36
            parts.append(words(*at, mark.texts[i][j], legible(fill), size=size, anchor="middle"))
    return parts


def _surface(mark: Cells, look: Look, plane: Plane, extent: tuple[float, float, float, float]) -> list[str]:
    """Shaded cells over a part of the plane, wall to wall; neighbours of one shade in a row are drawn as one."""
    left, right, bottom, top = extent
    rows, columns = mark.values.shape
    x = [plane.px(v) for v in np.linspace(left, right, columns + 1)]
    y = [plane.py(v) for v in np.linspace(top, bottom, rows + 1)]
    share = np.clip((mark.values - mark.low) / ((mark.high - mark.low) or 1.0), 0.0, 1.0)
    parts = []
    for i, row in enumerate(share):
        starts = [0, *(np.flatnonzero(np.diff(np.nan_to_num(row, nan=-1.0))) + 1), columns]
        for first, last in pairwise(starts):
            if np.isfinite(row[first]):
                fill = mixed(plane.colours["surface"], plane.colours[look.stroke], _MOST * float(row[first]))
                box = {"x": x[first], "y": y[i], "width": x[last] - x[first], "height": y[i + 1] - y[i]}
                # An edge of its own colour leaves no hairlines between neighbours.
                parts.append(element("rect", **box, fill=fill, stroke=fill, stroke_width=0.6))
    return parts


def _size(mark: Cells, plane: Plane) -> float:
    """The size at which every number fits into its cell; 0 where none would be read."""
    wide = plane.px(1.0) - plane.px(0.0) - 2 * _GAP - 2
    high = plane.py(0.0) - plane.py(1.0) - 2 * _GAP
    widest = max((fonts.width(text, 1.0) for row in mark.texts for text in row), default=0.0)
    size = min(SIZE, high * 0.9, wide / widest if widest else SIZE)
    return size if size >= _SMALLEST else 0.0


def mixed(ground: str, colour: str, share: float) -> str:
    """A colour between two others, the share of the second from 0 to 1."""
    pairs = zip(_channels(ground), _channels(colour), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def legible(ground: str) -> str:
    """Black or white, whichever stands out more: one of the two always reaches 4.5 to 1 (WCAG 2.2)."""
    light = luminance(ground) + 0.05
    return _BLACK if light / 0.05 >= 1.05 / light else _WHITE


def luminance(colour: str) -> float:
    """Relative luminance of a colour such as ``#14607A`` (WCAG 2.2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in _channels(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


AnyMark: TypeAlias = Line | Band | Points | Bars | Cells | Words | Mark
# Of the mark below another one.
_LARGE = 9.0
_STRIPE = 6.0
_BROKEN = "5 4"


def draw(mark: AnyMark, plane: Plane) -> list[str]:
    """The elements of one mark, cut at the edges of the plane."""
    painter: Callable[[Any, Look, Plane], list[str]] = _PAINTERS[type(mark)]
    return painter(mark, LOOKS[mark.role], plane)


def _runs(points: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The points in unbroken pieces; NaN breaks."""
    gaps = np.flatnonzero(~np.isfinite(points).all(axis=1))
    pieces = np.split(points, gaps)
    return [p for p in (piece[np.isfinite(piece).all(axis=1)] for piece in pieces) if len(p)]


def _path(points: NDArray[np.float64]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _cut(points: NDArray[np.float64], plane: Plane) -> list[NDArray[np.float64]]:
    """The parts of a polyline inside the plane (Liang and Barsky's clipping, all segments at once)."""
    low = np.array([plane.left, plane.top])
    high = np.array([plane.right, plane.bottom])
    start, step = points[:-1], np.diff(points, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        sides = np.stack([(low - start) / step, (high - start) / step])
    still = step == 0
    neighbours = (still & ((start < low) | (start > high))).any(axis=1)
    enter = np.maximum(np.where(still, -np.inf, sides.min(axis=0)).max(axis=1), 0.0)
    leave = np.minimum(np.where(still, np.inf, sides.max(axis=0)).min(axis=1), 1.0)
    seen = ~neighbours & (enter <= leave)
    if not seen.any():
        return []
    first = start[seen] + enter[seen, None] * step[seen]
    last = start[seen] + leave[seen, None] * step[seen]
    anew = np.flatnonzero(~np.isclose(last[:-1], first[1:]).all(axis=1)) + 1
    pieces = zip(np.split(first, anew), np.split(last, anew), strict=True)
    return [np.concatenate([begun[:1], ended]) for begun, ended in pieces]


def _line(mark: Line, look: Look, plane: Plane) -> list[str]:
    return [
        element(
            "polyline",
            points=_path(piece),
            fill="none",
            stroke=plane.colours[look.stroke],
            stroke_width=look.width,
            stroke_dasharray=_BROKEN if mark.broken else look.dash,
            stroke_linejoin="round",
        )
        for run in _runs(plane.pixels(mark.x, mark.y))
        for piece in _cut(run, plane)
    ]


def _ground(mark: Band, look: Look) -> str:
    """The name of the colour an area is filled with."""
    if mark.fill is Fill.SOLID:
        return look.stroke
    if mark.fill is Fill.OPEN:
        return "surface"
    return look.inner if mark.inner else look.fill


def _band(mark: Band, look: Look, plane: Plane) -> list[str]:
    parts = []
    # A colour that a user gave to a class may be faint on the ground: a line around it says where it ends.
    edge = plane.colours["axis"] if mark.colour or mark.fill else ""
    fill = COLOURS[mark.colour] if mark.colour else plane.colours[_ground(mark, look)]
    both = np.hstack([plane.pixels(mark.x, mark.low), plane.pixels(mark.x, mark.high)])
    for run in _runs(both):
        kept = run.clip([plane.left, plane.top] * 2, [plane.right, plane.bottom] * 2)
        outline = np.vstack([kept[:, :2], kept[::-1, 2:]])
        parts.append(element("polygon", points=_path(outline), fill=fill, stroke=edge, stroke_width=1 if edge else ""))
        if look.hatched or mark.fill is Fill.STRIPED:
            across = np.arange(kept[0, 0], kept[-1, 0], _STRIPE)
            ends = (np.interp(across, kept[:, 0], kept[:, i]) for i in (1, 3))
            colour = plane.colours[look.stroke]
            parts += [
                element("line", x1=x, y1=y1, x2=x, y2=y2, stroke=colour, stroke_width=1)
                for x, y1, y2 in zip(across, *ends, strict=True)
            ]
    return parts


def _bars(mark: Bars, look: Look, plane: Plane) -> list[str]:
    parts = []
    stroke, fill = plane.colours[look.stroke], plane.colours["surface" if mark.empty else look.fill]
    for left, right, height in zip(mark.edges[:-1], mark.edges[1:], mark.heights, strict=True):
        x1, x2 = (float(np.clip(plane.px(v), plane.left, plane.right)) for v in (left, right))
        y1 = float(np.clip(plane.py(height), plane.top, plane.bottom))
        if x2 - x1 < 0.05 or plane.bottom - y1 < 0.05:
            continue
        box = {"x": x1, "y": y1, "width": x2 - x1, "height": plane.bottom - y1}
        parts.append(element("rect", **box, fill=fill, stroke=stroke, stroke_width=1.2))
        if look.hatched and not mark.empty:
            parts += _stripes(x1, y1, x2, plane.bottom, stroke)
    return parts


def _stripes(x1: float, y1: float, x2: float, y2: float, colour: str) -> list[str]:
    """Rising stripes across a box, each cut at its edges."""
    parts = []
    # A stripe is the line x + y = s; it meets the box between its two corners.
    for s in np.arange(x1 + y1 + _STRIPE, x2 + y2, _STRIPE):
        first, last = max(x1, s - y2), min(x2, s - y1)
        if last > first:
            parts.append(element("line", x1=first, y1=s - first, x2=last, y2=s - last, stroke=colour, stroke_width=1))
    return parts


def _points(mark: Points, look: Look, plane: Plane) -> list[str]:
    parts = []
    colour = plane.colours[look.stroke]
    if mark.form is not None:
        round_ones = {Form.OPEN_CIRCLE, Form.LARGE_CIRCLE}
        shape = Shape.CIRCLE if mark.form in round_ones else Shape.SQUARE
        look = replace(look, shape=shape, filled=mark.form in {Form.SQUARE, Form.LARGE_CIRCLE})
    if mark.low is not None and mark.high is not None:
        for x, y, low, high in zip(mark.x, mark.y, mark.low, mark.high, strict=True):
            parts += _whisker(float(x), float(y), (float(low), float(high)), mark, plane)
    for i, (x, y) in enumerate(plane.pixels(mark.x, mark.y)):
        if not np.isfinite([x, y]).all() or not plane.inside(x, y):
            continue
        if mark.form is Form.LARGE_CIRCLE:
            parts.append(element("circle", cx=x, cy=y, r=_LARGE, fill=colour))
        elif mark.many is None:
            parts.append(_symbol(x, y, look, colour, plane.colours["surface"]))
        elif mark.many[i]:
            parts.append(element("circle", cx=x, cy=y, r=3, fill="none", stroke=colour, stroke_width=1))
        else:
            parts.append(element("circle", cx=x, cy=y, r=1.6, fill=colour))
    return parts


def _whisker(x: float, y: float, reach: tuple[float, float], mark: Points, plane: Plane) -> list[str]:
    """An interval with end caps; an end beyond the plane has no cap."""
    if not np.isfinite([y if mark.horizontal else x, *reach]).all():
        return []
    look, colour = LOOKS[mark.role], plane.colours[LOOKS[mark.role].stroke]
    if mark.horizontal:
        at = plane.py(y)
        ends = [plane.px(v) for v in reach]
        kept = [float(np.clip(e, plane.left, plane.right)) for e in ends]
        # An interval in which no number is told.
        dashes = "" if np.isfinite(x) else "4 3"
        stem = element(
            "line",
            x1=kept[0],
            y1=at,
            x2=kept[1],
            y2=at,
            stroke=colour,
            stroke_width=look.width,
            stroke_dasharray=dashes,
        )
        caps = [
            element("line", x1=e, y1=at - 5, x2=e, y2=at + 5, stroke=colour, stroke_width=2)
            for e, k in zip(ends, kept, strict=True)
            if abs(e - k) < 0.5
        ]
        return [stem, *caps]
    at = plane.px(x)
    ends = [plane.py(v) for v in reach]
    kept = [float(np.clip(e, plane.top, plane.bottom)) for e in ends]
    stem = element("line", x1=at, y1=kept[0], x2=at, y2=kept[1], stroke=colour, stroke_width=look.width)
    caps = [
        element("line", x1=at - 5, y1=e, x2=at + 5, y2=e, stroke=colour, stroke_width=2)
        for e, k in zip(ends, kept, strict=True)
        if abs(e - k) < 0.5
    ]
    return [stem, *caps]


def _symbol(x: float, y: float, look: Look, colour: str, surface: str) -> str:
    """A mark with a halo of the surface, so that it stays apart from what it lies on."""
    paint: dict[str, float | str] = {"fill": colour, "stroke": surface, "stroke_width": 1.4}
    if not look.filled:
        paint = {"fill": surface, "stroke": colour, "stroke_width": 1.8}
    if look.shape is Shape.CIRCLE:
        return element("circle", cx=x, cy=y, r=5.5, **paint)
    if look.shape is Shape.SQUARE:
        return element("rect", x=x - 4.5, y=y - 4.5, width=9, height=9, **paint)
    corners = np.array([[x, y - 7], [x + 7, y], [x, y + 7], [x - 7, y]])
    return element("polygon", points=_path(corners), **paint)


def _mark(mark: Mark, look: Look, plane: Plane) -> list[str]:
    """A threshold is dotted, except where it stands for our own estimate."""
    paint: dict[str, float | str] = {"stroke": plane.colours[look.stroke], "stroke_width": 1.5}
    paint["stroke_dasharray"] = "" if look.dash == "" else "3 3"
    at = plane.px(mark.at) if mark.vertical else plane.py(mark.at)
    if mark.vertical:
        inside = plane.left - 0.5 <= at <= plane.right + 0.5
        line = element("line", x1=at, y1=plane.top, x2=at, y2=plane.bottom, **paint)
    else:
        inside = plane.top - 0.5 <= at <= plane.bottom + 0.5
        line = element("line", x1=plane.left, y1=at, x2=plane.right, y2=at, **paint)
    return [line] if inside else []


def sample(mark: AnyMark, left: float, right: float, y: float, plane: Plane) -> list[str]:
    """A short piece of a series for a key: its line, its area or its mark."""
    look, middle = LOOKS[mark.role], (left + right) / 2
    colour = plane.colours[look.stroke]
    if isinstance(mark, Points):
        return [_symbol(middle, y, look, colour, plane.colours["surface"])]
    if isinstance(mark, Band | Bars):
        box = {"x": left + 3, "y": y - 6, "width": right - left - 6, "height": 12.0}
        hatched = _stripes(left + 3, y - 6, right - 3, y + 6, colour) if look.hatched else []
        return [element("rect", **box, fill=plane.colours[look.fill], stroke=colour, stroke_width=1), *hatched]
    dashes = "3 3" if isinstance(mark, Mark) and look.dash else look.dash
    if isinstance(mark, Line) and mark.broken:
        dashes = "4 3"
    paint: dict[str, float | str] = {"stroke": colour, "stroke_width": look.width, "stroke_dasharray": dashes}
    return [element("line", x1=left, y1=y, x2=right, y2=y, **paint)]


def _words(mark: Words, look: Look, plane: Plane) -> list[str]:
    """Words with room behind them, so that a line they stand on does not cross them; plain ones on a shaded ground."""
    parts = []
    size = plane.letters
    wide = fonts.width(mark.label, size, bold=look.bold)
    for at, y in plane.pixels(mark.x, mark.y):
        if np.isfinite([at, y]).all() and plane.inside(at, y):
            # Words keep to the drawing, whatever they stand on.
            x = min(max(at, wide / 2), plane.width - wide / 2)
            ground = plane.colours["surface"]
            box = {"x": x - wide / 2 - 3, "y": y - size * 0.62, "width": wide + 6, "height": size * 1.24}
            if not mark.plain:
                parts.append(element("rect", **box, fill=ground))
            colour = plane.colours[look.stroke]
            parts.append(words(x, y + size * 0.36, mark.label, colour, size=size, anchor="middle", bold=look.bold))
    return parts


_PAINTERS: dict[type, Callable[[Any, Look, Plane], list[str]]] = {
    Line: _line,
    Band: _band,
    Bars: _bars,
    Cells: cells,
    Points: _points,
    Words: _words,
    Mark: _mark,
}
