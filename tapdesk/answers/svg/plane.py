"""The plane a figure is drawn on: from values to pixels, ticks, and elements as text."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import fonts
from tapdesk.answers.figure import Axis
from tapdesk.answers.signs import Number
from tapdesk.ratings.ratings import COLOURS

SIZE = 13.0
SMALL = 11.5
# Numbers on an axis are so far apart; so short words are set smaller before they take turns on several lines.
_APART, _SHORT = 6.0, 3
# A line of words below an axis that take turns, and a line of its title; more lines than this are not read together.
_LEVEL, _LINE, _MOST_LEVELS = 15.0, 16.0, 3
# The words of a row that stand above it.
_OVER_ROW = 9.5
LEAST = 11.0  # of letters that are to be read
SQUARE = 9.0
# The three letters of the model are set in semi-bold italic everywhere, and nothing else is.
SYMBOLS = ("t", "a", "p")


def number(value: float) -> str:
    """A coordinate with at most two places and no negative zero, so that equal figures have equal bytes."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def element(name: str, /, **attributes: float | str) -> str:
    """One empty SVG element; underscores in attribute names stand for hyphens, empty values are left out."""
    return f"<{name}{_attributes(attributes)}/>"


def text_element(name: str, text: str, /, **attributes: float | str) -> str:
    """One SVG element around a text."""
    return f"<{name}{_attributes(attributes)}>{escape(text, quote=False)}</{name}>"


def _attributes(attributes: Mapping[str, float | str]) -> str:
    parts = [
        f' {key.rstrip("_").replace("_", "-")}="{number(v) if isinstance(v, float | int) else escape(v)}"'
        for key, v in attributes.items()
        if v != ""
    ]
    return "".join(parts)


def words(
    x: float,
    y: float,
    text: str,
    fill: str,
    *,
    size: float = SIZE,
    anchor: str = "",
    bold: bool = False,
    italic: bool = False,
) -> str:
    """A line of text with its baseline at y; ``anchor`` is ``middle`` or ``end``."""
    return text_element(
        "text",
        text,
        x=x,
        y=y,
        font_family=fonts.family(text),
        font_size=size,
        fill=fill,
        text_anchor=anchor,
        font_weight="600" if bold else "",
        font_style="italic" if italic else "",
    )


@dataclass(frozen=True, eq=False)
class Plane:
    """The plotting area in pixels and the axes that span it.

    Attributes
    ----------
    left, right, top, bottom
        Edges of the area.
    x, y
        The axes.
    colours
        Colour by token.
    width
        Of the whole drawing, labels included.
    letters
        Size of the words inside the plot, smaller where they would touch.
    above
        Whether the words of a row stand above it, where beside it they would leave no room for the plot.
    levels
        On how many lines the words below the axis take turns.
    """

    left: float
    right: float
    top: float
    bottom: float
    x: Axis
    y: Axis
    colours: Mapping[str, str]
    width: float
    letters: float = SIZE
    above: bool = False
    levels: int = 1

    def px(self, value: float) -> float:
        """Horizontal pixel of a value."""
        return self.left + (value - self.x.low) / (self.x.high - self.x.low) * (self.right - self.left)

    def py(self, value: float) -> float:
        """Vertical pixel of a value."""
        return self.bottom - (value - self.y.low) / (self.y.high - self.y.low) * (self.bottom - self.top)

    def inside(self, x: float, y: float) -> bool:
        """Whether a pixel lies on the area, its edges included."""
        return self.left - 0.5 <= x <= self.right + 0.5 and self.top - 0.5 <= y <= self.bottom + 0.5

    def pixels(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Shape (n, 2): pixels of points; NaN stays NaN."""
        with np.errstate(invalid="ignore"):
            across = self.left + (x - self.x.low) / (self.x.high - self.x.low) * (self.right - self.left)
            up = self.bottom - (y - self.y.low) / (self.y.high - self.y.low) * (self.bottom - self.top)
        return np.column_stack([across, up])


def ticks(axis: Axis, most: int = 6) -> tuple[tuple[float, str], ...]:
    """Where the ticks of an axis stand and what they say: its own, else round steps (1, 2, 2.5 or 5)."""
    if axis.ticks:
        return axis.ticks
    step = next(s for s in _steps((axis.high - axis.low) / most) if (axis.high - axis.low) / s <= most)
    first, last = math.ceil(axis.low / step - 1e-9), math.floor(axis.high / step + 1e-9)
    places = max(0, -math.floor(math.log10(step) + 1e-9))
    # A step such as 2.5 or 0.25 needs one more place than its power of ten, one such as 25 does not.
    places += step < 10 and round(step / 10 ** math.floor(math.log10(step) + 1e-9), 6) == 2.5
    return tuple((i * step, _tick_words(i * step, axis, places)) for i in range(first, last + 1))


def _steps(least: float) -> list[float]:
    power = 10.0 ** math.floor(math.log10(least))
    return [power * factor for factor in (1, 2, 2.5, 5, 10, 20)]


def _tick_words(value: float, axis: Axis, places: int) -> str:
    if axis.percent:
        return "0" if abs(value) < 1e-12 else f"{Number(f'{100 * value:.{max(0, places - 2)}f}')} %"
    text = f"{abs(value):,.{places}f}"
    if not axis.leading_zero and text.startswith("0."):
        text = text[1:]
    return Number(f"-{text}" if value < 0 and float(text.replace(",", "")) != 0 else text)


def colour_of(axis: Axis) -> Mapping[float, str]:
    """The names of the colours at the ticks of an axis that have one."""
    marks = zip(axis.ticks, axis.colours, strict=False)
    return {value: colour for (value, _words), colour in marks if colour}


def _square(x: float, y: float, colour: str, colours: Mapping[str, str]) -> list[str]:
    """A small square of the colour of a class, its middle at a height; nothing where it has none."""
    if not colour:
        return []
    box = {"x": x, "y": y - SQUARE / 2, "width": SQUARE, "height": SQUARE}
    return [element("rect", **box, fill=COLOURS[colour], stroke=colours["axis"], stroke_width=1)]


def frame(plane: Plane) -> list[str]:
    """Grid, axis line, ticks and titles."""
    c = plane.colours
    parts = []
    colours = colour_of(plane.y)
    # A picture without a scale has no lines of one.
    scale = bool(plane.y.title) or any(text for _value, text in plane.y.ticks) or not plane.y.ticks
    for value, text in ticks(plane.y, most=max(2, int((plane.bottom - plane.top) / 30))):
        y = plane.py(value)
        if not scale:
            continue
        parts.append(element("line", x1=plane.left, y1=y, x2=plane.right, y2=y, stroke=c["grid"], stroke_width=1))
        if plane.above:
            continue
        aside = 8 + (SQUARE + 5 if any(plane.y.colours) else 0)
        room = max(plane.left - aside, 24)
        # Somewhat smaller letters come before an ellipsis.
        size = min(max(0.999 * SIZE * room / max(fonts.width(text, SIZE), 1.0), LEAST), SIZE)
        label = fonts.fitted(text, size, room)
        parts.append(words(plane.left - 8, y + size * 0.36, label, c["text2"], size=size, anchor="end"))
        parts += _square(plane.left - 13 - fonts.width(label, size) - SQUARE, y, colours.get(value, ""), c)
    return parts


def row_words(plane: Plane) -> list[str]:
    """The words of rows that stand above them, with room behind so that no line crosses them."""
    parts = []
    for value, text in plane.y.ticks if plane.above else ():
        label, y = fonts.fitted(text, SMALL, plane.width), plane.py(value) - _OVER_ROW
        box = {"x": 0, "y": y - SMALL * 0.8, "width": fonts.width(label, SMALL) + 3, "height": SMALL}
        parts.append(element("rect", **box, fill=plane.colours["surface"]))
        parts.append(words(0, y, label, plane.colours["text2"], size=SMALL))
    return parts


def ticks_with_words(marks: Sequence[tuple[float, str]], between: float, size: float) -> set[float]:
    """Which ticks carry their number: every second or third one of numbers that do not all have room; 0 stays.

    Half a number would be another one, so none is cut.
    """
    every = {value for value, _text in marks}
    plain = all(any(c.isdigit() for c in text) and not any(c.isalpha() for c in text) for _value, text in marks if text)
    widest = max((fonts.width(text, size) for _value, text in marks), default=0.0)
    if not plain or widest <= between - _APART:
        return every
    zero = next((i for i, (value, _text) in enumerate(marks) if abs(value) < 1e-9), 0)
    step = math.ceil((widest + _APART) / max(between, 1.0))
    return {value for i, (value, _text) in enumerate(marks) if not (i - zero) % step}


def spread_words(axis: Axis, across: float) -> int:
    """On how many lines the words below an axis take turns, so that none is cut; one where nothing helps."""
    marks = ticks(axis)
    between = min((b - a for (a, _), (b, _) in pairwise(marks)), default=0.0) / (axis.high - axis.low) * across
    aside = SQUARE + 5 if any(axis.colours) else 0
    widest = max((fonts.width(text, SIZE) for _value, text in marks), default=0.0) + aside
    if not between or len(ticks_with_words(marks, between, SIZE)) < len(marks) or widest <= max(between - 8, 24):
        return 1
    # Short words are set smaller first.
    if max(len(text) for _value, text in marks) <= _SHORT:
        return 1
    return next((n for n in range(2, _MOST_LEVELS + 1) if widest <= n * between - 8), _MOST_LEVELS)


def below_axis(axis: Axis, width: float, levels: int) -> float:
    """How much room words and title need below the axis of a drawing so wide."""
    more = _LEVEL * (levels - 1)
    if not axis.title:
        return 28.0 + more
    return 50.0 + more + _LINE * (len(fonts.wrapped(axis.title, SIZE, width - 8)) - 1)


def axis_line(plane: Plane) -> list[str]:
    """The horizontal axis with its ticks and both titles: drawn over areas, under lines."""
    c = plane.colours
    parts = [
        element(
            "line", x1=plane.left, y1=plane.bottom, x2=plane.right, y2=plane.bottom, stroke=c["axis"], stroke_width=1
        )
    ]
    marks = ticks(plane.x)
    if not plane.x.title and not any(text for _value, text in marks):
        return []
    gap = min((plane.px(b) - plane.px(a) for (a, _), (b, _) in pairwise(marks)), default=plane.right - plane.left)
    room = plane.levels * gap - 8
    # Numbers of many columns are set smaller rather than run together.
    widest = max((fonts.width(text, SIZE) for _, text in marks if len(text) <= _SHORT), default=1.0)
    size = SIZE if room >= 24 or widest <= room else max(SIZE * (room + 5) / widest, 8.0)
    size = min(size, SIZE)
    colours = colour_of(plane.x)
    aside = SQUARE + 5 if colours else 0.0
    carried = ticks_with_words(marks, gap - aside, size)
    for i, (value, text) in enumerate(marks):
        x, down = plane.px(value), _LEVEL * (i % plane.levels)
        parts.append(
            element("line", x1=x, y1=plane.bottom, x2=x, y2=plane.bottom + 4 + down, stroke=c["axis"], stroke_width=1)
        )
        label = text if len(carried) < len(marks) else fonts.fitted(text, size, max(room - aside, 24))
        label = label if value in carried else ""
        half = fonts.width(label, size) / 2
        # Words at either end keep to the drawing.
        middle = max(min(x + (aside / 2 if colours.get(value) else 0), plane.width - half), half + aside)
        parts.append(words(middle, plane.bottom + 19 + down, label, c["text2"], size=size, anchor="middle"))
        parts += _square(middle - half - aside, plane.bottom + 14.5 + down, colours.get(value, ""), c)
    # Below the axis the room of the labels at both sides is free; a long title leaves the middle rather than words.
    for i, title in enumerate(fonts.wrapped(plane.x.title, SIZE, plane.width - 8) if plane.x.title else ()):
        half = fonts.width(title, SIZE) / 2 + 4
        middle = max(min((plane.left + plane.right) / 2, plane.width - half), half)
        down = plane.bottom + 41 + _LEVEL * (plane.levels - 1) + _LINE * i
        parts.append(words(middle, down, title, c["text2"], anchor="middle"))
    if plane.y.title in SYMBOLS:
        parts.append(words(plane.left, plane.top - 6, plane.y.title, c["text"], size=15, bold=True, italic=True))
    elif plane.y.title:
        title = fonts.fitted(plane.y.title, SIZE, plane.width - plane.left)
        parts.append(words(plane.left, plane.top - 11, title, c["text2"]))
    return parts
