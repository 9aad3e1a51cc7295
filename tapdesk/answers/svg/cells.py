"""A table of shaded cells with numbers in them, readable in greyscale: the shade repeats what the number says."""

import numpy as np

from tapdesk.answers import fonts
from tapdesk.answers.figure import Cells
from tapdesk.answers.svg.plane import SIZE, Plane, element, words
from tapdesk.answers.svg.style import Look

_BLACK, _WHITE = "#000000", "#FFFFFF"
_GAP = 0.75
# The lightest shade still differs from the ground, so that an empty cell is no low value.
_LEAST, _MOST = 0.08, 0.92
_SMALLEST = 6.5
_ROUNDED = 0.005


def cells(mark: Cells, look: Look, plane: Plane) -> list[str]:
    """The elements of all cells that have a value."""
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
