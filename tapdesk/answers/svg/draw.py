"""Figures as SVG: the same drawing for the window, the report and the saved picture.

Text stays text in Inter, colours are opaque (PDF/A-1 has no transparency), equal figures give equal bytes.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise

import numpy as np

from tapdesk.answers import fonts
from tapdesk.answers.figure import HEIGHT, Axis, Band, Bars, Cells, Figure, Mark, Points, Words
from tapdesk.answers.svg import narrow
from tapdesk.answers.svg.marks import AnyMark, draw
from tapdesk.answers.svg.plane import (
    SIZE,
    SMALL,
    SQUARE,
    Plane,
    axis_line,
    below_axis,
    element,
    frame,
    number,
    row_words,
    spread_words,
    text_element,
    ticks,
    words,
)
from tapdesk.answers.svg.style import LOOKS, palette

WIDTH = 600.0
_LABEL_GAP = 17.0
# Words of rows that are closer than this could not be read, however small.
_LEAST = 7.0
# Words at the side are set as small as this before they are cut.
_SMALL = 8.0
_TITLE, _HEAD_LINE = 15.0, 18.0
_MOST_BESIDE = 0.4
# Above and below a plot of rows in a column of print, and a row with its words above it; how much higher words may be.
_EDGES, _ROW = 56.0, 28.0
_CLEAR = 1.5
_TALLER = (1.0, 1.2, 1.4)


@dataclass(frozen=True, slots=True)
class _Label:
    """Words beside the end of a series, or beside a vertical line."""

    text: str
    y: float
    colour: str
    bold: bool


def svg(
    figure: Figure,
    *,
    width: float = WIDTH,
    height: float = HEIGHT,
    theme: str = "print",
    caption: bool = False,
    head: int = 0,
) -> str:
    """A figure as an SVG document.

    Parameters
    ----------
    figure
        What to draw.
    width, height
        Size of the drawing in pixels, without the caption.
    theme
        ``print`` (no ground, neutral greys), ``light`` or ``dark``.
    caption
        Whether title and note are written above and below, for a picture that stands alone.
    head
        Of a panel among others: how many lines there are above it for its title (`head_lines`).
    """
    figure = _shown(figure)
    colours = palette(theme)
    above, below = _captions(figure, width) if caption else ([], [])
    size, line = (_TITLE, 22.0) if caption else (SIZE, _HEAD_LINE)
    if head:
        above = _head(figure, width)
    top, foot = line * max(len(above), head), 17.0 * len(below) + (6.0 if below else 0.0)
    total = height + top + foot
    # A ground of its own would hide the paper; on screen it carries the theme.
    ground = [] if theme == "print" else [element("rect", width=width, height=total, fill=colours["surface"])]
    body = _plot(figure, width, height, top, colours)
    captions = [words(0, size + 1 + line * i, t, colours["text"], size=size, bold=True) for i, t in enumerate(above)]
    captions += [words(0, top + height + 14 + 17 * i, t, colours["text3"], size=SMALL) for i, t in enumerate(below)]
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(total)}" '
        f'viewBox="0 0 {number(width)} {number(total)}" role="img" aria-label="{escape(figure.alt)}">'
    )
    described = text_element("title", figure.title) + text_element("desc", figure.alt)
    return "\n".join([opening, described, *ground, *body, *captions, "</svg>", ""])


def head_lines(panels: Iterable[Figure], width: float) -> int:
    """How many lines the longest title of some panels needs that stand beside each other."""
    return max(len(_head(_shown(panel), width)) for panel in panels)


def _head(figure: Figure, width: float) -> list[str]:
    return fonts.wrapped(figure.title, SIZE, width - 4, bold=True)


def _shown(figure: Figure) -> Figure:
    """The figure with every text fit for print."""

    def axis(a: Axis) -> Axis:
        return replace(a, title=fonts.shown(a.title), ticks=tuple((v, fonts.shown(t)) for v, t in a.ticks))

    return replace(
        figure,
        title=fonts.shown(figure.title),
        alt=fonts.shown(figure.alt),
        note=fonts.shown(figure.note),
        x=axis(figure.x),
        y=axis(figure.y),
        marks=tuple(replace(m, label=fonts.shown(m.label)) for m in figure.marks),
    )


def _captions(figure: Figure, width: float) -> tuple[list[str], list[str]]:
    """The lines of title and note."""
    return (
        fonts.wrapped(figure.title, _TITLE, width, bold=True),
        fonts.wrapped(figure.note, SMALL, width) if figure.note else [],
    )


def plane_of(figure: Figure, *, width: float, height: float) -> Plane:
    """Where `svg` puts the values of a figure, drawn at a size without caption."""
    return _plane(_shown(figure), width, height, 0.0, {})[0]


def height_at(figure: Figure, width: float) -> float:
    """How high a figure is drawn at a width: as it says, and higher where a column leaves it less room across."""
    if width > narrow.NARROW:
        return figure.height
    height = figure.height + narrow.key_height(narrow.key_lines(figure, width))
    plane = plane_of(figure, width=width, height=height)
    height += below_axis(figure.x, width, plane.levels) - (50.0 if figure.x.title else 28.0)
    if plane.above:
        gaps = [below - above for below, above in pairwise(sorted((v for v, _ in figure.y.ticks), reverse=True))]
        closest = min(gaps, default=1.0) / (figure.y.high - figure.y.low)
        return max(height, _EDGES + _ROW / closest)
    for factor in _TALLER:
        plane = plane_of(figure, width=width, height=factor * height)
        # Words that only just do not touch would hide the lines between them.
        if not narrow.touch(figure, plane, plane.letters, _CLEAR):
            return factor * height
    return _TALLER[-1] * height


def _plane(figure: Figure, width: float, height: float, head: float, colours: dict[str, str]) -> tuple[Plane, float]:
    """The plotting area, and the room for labels at its right."""
    lines = narrow.key_lines(figure, width)
    labels = [] if lines else narrow.side_marks(figure)
    widest = max((fonts.width(m.label, SIZE, bold=LOOKS[m.role].bold) for m in labels), default=0.0)
    # In steps, so that panels below each other with labels of about one width share one scale.
    room = min(20 * math.ceil(widest / 20), max(0.32 * width, min(120.0, 0.42 * width)))
    last = ticks(figure.x)[-1:] or ((0.0, ""),)
    top = head + narrow.key_height(lines) + (28.0 if figure.y.title else 16.0)
    right = width - max(room + 12 if room else 8.0, fonts.width(last[0][1], SIZE) / 2 + 2)
    bottom = head + height - below_axis(figure.x, width, 1)
    left = _left(figure, width, bottom - top)
    above = narrow.names_above(figure, width, right - left)
    if above:
        left, top = _first_half(figure), top + 12.0
    levels = spread_words(figure.x, right - left)
    plane = Plane(
        left=left,
        right=right,
        top=top,
        bottom=head + height - below_axis(figure.x, width, levels),
        x=figure.x,
        y=figure.y,
        colours=colours,
        width=width,
        above=above,
        levels=levels,
    )
    return replace(plane, letters=narrow.letters(figure, plane)), room


def _plot(figure: Figure, width: float, height: float, head: float, colours: dict[str, str]) -> list[str]:
    """Grid, areas, axes, lines and labels."""
    plane, room = _plane(figure, width, height, head, colours)
    areas = [m for m in figure.marks if isinstance(m, Band | Bars | Cells)]
    others = [m for m in figure.marks if not isinstance(m, Band | Bars | Cells)]
    parts = frame(plane)
    for area in areas:
        parts += draw(area, plane)
    parts += axis_line(plane)
    for mark in others:
        parts += draw(mark, plane)
    parts += row_words(plane)
    lines = narrow.key_lines(figure, width)
    parts += narrow.key(lines, head, plane) if lines else _side_words(figure, plane, room)
    return parts + _above_lines(figure, plane)


def _left(figure: Figure, width: float, tall: float) -> float:
    """Room for the tick words of the vertical axis, never half of the picture, and for half of the first word below."""
    marks = ticks(figure.y, most=max(2, int(tall / 30)))
    neighbours = max((fonts.width(text, SIZE) for _, text in marks), default=0.0) + 10
    neighbours += SQUARE + 5 if any(figure.y.colours) else 0.0
    return max(min(neighbours, _MOST_BESIDE * width), _first_half(figure))


def _first_half(figure: Figure) -> float:
    """Room for half of the first word below the axis."""
    first = ticks(figure.x)[:1] or ((0.0, ""),)
    return min(fonts.width(first[0][1], SIZE) / 2 + 2, 60.0)


def _side_words(figure: Figure, plane: Plane, room: float) -> list[str]:
    """Labels at the line ends, moved apart where they would touch; equal ones are written once.

    The words of a row of a dot plot stay beside their row, smaller where rows are close: moved, they would be read as
    the numbers of another row.
    """
    by_key: dict[str, _Label] = {}
    rows: dict[tuple[str, float], _Label] = {}
    for mark in figure.marks:
        at = _end(mark, plane)
        if not mark.label or at is None:
            continue
        look = LOOKS[mark.role]
        label = _Label(mark.label, at, plane.colours[look.stroke], look.bold)
        if isinstance(mark, Points) and mark.horizontal:
            rows[label.text, at] = label
        else:
            by_key.setdefault(mark.label, label)
    heights = sorted(label.y for label in rows.values())
    closest = min((below - above for above, below in pairwise(heights)), default=_LABEL_GAP)
    loose = [*by_key.values()]
    if closest < _LEAST:
        loose, rows = [*loose, *rows.values()], {}
    labels = sorted(loose, key=lambda label: label.y)
    places = _apart([label.y for label in labels], plane.top + 4, plane.bottom)
    placed = [(label, label.y, min(SIZE, 0.95 * closest)) for label in rows.values()]
    placed += [(label, y, SIZE) for label, y in zip(labels, places, strict=True)]
    # Of a number that is cut nothing can be read, so it is set smaller first.
    placed = [(label, y, min(size, _fitting(label, room))) for label, y, size in placed]
    return [
        words(
            plane.right + 10,
            y + size * 0.36,
            fonts.fitted(label.text, size, room, bold=label.bold),
            label.colour,
            size=size,
            bold=label.bold,
        )
        for label, y, size in placed
    ]


def _fitting(label: _Label, room: float) -> float:
    """The size at which a label has room; not below what can be read."""
    return max(0.99 * SIZE * room / max(fonts.width(label.text, SIZE, bold=label.bold), 1.0), _SMALL)


def _apart(wanted: list[float], low: float, high: float) -> list[float]:
    """Heights at least one line apart, near the wanted ones (sorted), inside the range where there is room."""
    places: list[float] = []
    for y in wanted:
        places.append(max(y, places[-1] + _LABEL_GAP if places else low))
    for i in range(len(places) - 1, -1, -1):
        limit = high if i == len(places) - 1 else places[i + 1] - _LABEL_GAP
        places[i] = min(places[i], limit)
    return places


def _end(mark: AnyMark, plane: Plane) -> float | None:
    """Pixel height of the last point of a mark; None for a vertical line and for what has its words inside."""
    if isinstance(mark, Mark):
        return None if mark.vertical else float(np.clip(plane.py(mark.at), plane.top, plane.bottom))
    if isinstance(mark, Cells | Words):
        return None
    if isinstance(mark, Band):
        heights = (mark.low + mark.high) / 2
    else:
        heights = mark.heights if isinstance(mark, Bars) else mark.y
    finite = heights[np.isfinite(heights)]
    return float(np.clip(plane.py(float(finite[-1])), plane.top, plane.bottom)) if finite.size else None


def _above_lines(figure: Figure, plane: Plane) -> list[str]:
    """Words beside vertical lines, on the side with more room, and lower where they would touch others."""
    parts = []
    places: list[tuple[float, float, float]] = []
    for mark in figure.marks:
        if not isinstance(mark, Mark) or not mark.vertical or not mark.label:
            continue
        x = plane.px(mark.at)
        look = LOOKS[mark.role]
        left = x > (plane.left + plane.right) / 2
        space = (x if left else plane.width - x) - 8
        text = fonts.fitted(mark.label, SIZE, space, bold=look.bold)
        wide = fonts.width(text, SIZE, bold=look.bold)
        start, y = (x - 6 - wide if left else x + 6), plane.top + 10
        while any(abs(y - at) < SIZE and start < high + 4 and low < start + wide + 4 for low, high, at in places):
            y += _LABEL_GAP
        places.append((start, start + wide, y))
        parts.append(
            words(
                x - 6 if left else x + 6,
                y,
                text,
                plane.colours[look.stroke],
                anchor="end" if left else "",
                bold=look.bold,
            )
        )
    return parts
