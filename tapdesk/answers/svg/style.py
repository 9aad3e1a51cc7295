"""Colours and strokes of figures: one look for each role, in three themes (look.md §5)."""

import json
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import MappingProxyType

from tapdesk import resources
from tapdesk.answers.figure import Role

# Print keeps the accent of the light theme and turns everything else into neutral greys.
_PRINT = {
    "text": "#111111", "text2": "#444444", "text3": "#555555", "line": "#D0D0D0", "obs": "#111111",
    "obsband": "#D9D9D9", "rand": "#707070", "grid": "#E8E8E8", "axis": "#777777", "control": "#8A8A8A",
    "horizon": "#EFEFEF", "window": "#FFFFFF",
}  # fmt: skip


class Shape(Enum):
    """The shape of a mark: it tells whose number it is without colour."""

    CIRCLE = "circle"
    SQUARE = "square"
    DIAMOND = "diamond"


@dataclass(frozen=True, slots=True)
class Look:
    """How a role is drawn.

    Attributes
    ----------
    stroke
        Colour token of lines, marks and labels.
    width
        Width of a line in pixels.
    dash
        Lengths drawn and left out, empty for a whole line.
    fill, inner
        Colour tokens of bands and bars, and of the inner 50 % band.
    shape, filled
        The mark, and whether it is filled or open.
    hatched
        Whether areas carry stripes.
    bold
        Whether its label is set in semi-bold.
    """

    stroke: str
    width: float
    dash: str = ""
    fill: str = "b95"
    inner: str = "b50"
    shape: Shape = Shape.CIRCLE
    filled: bool = True
    hatched: bool = False
    bold: bool = True


LOOKS = MappingProxyType(
    {
        Role.MODEL: Look("accent", 2.4),
        Role.OBSERVED: Look("obs", 2.0, fill="obsband", inner="rand"),
        Role.REFERENCE: Look(
            "rand", 1.8, dash="5 4", fill="horizon", inner="line", shape=Shape.SQUARE, filled=False, bold=False
        ),
        Role.CLASSICAL: Look("text2", 2.0, fill="horizon", inner="line", shape=Shape.SQUARE, filled=False),
        Role.OTHER_START: Look("control", 1.3, fill="horizon", inner="line", bold=False),
        Role.KNOWN: Look("text2", 1.8, fill="horizon", inner="line", shape=Shape.DIAMOND, filled=False, bold=False),
        Role.SECOND: Look("second", 2.0, fill="surface", inner="surface", hatched=True),
        Role.SINGLED_OUT: Look("know", 2.4, fill="knowsoft", inner="knowsoft", shape=Shape.DIAMOND),
    }
)


@cache
def palette(theme: str) -> dict[str, str]:
    """Colours by token for ``print``, ``light`` or ``dark``.

    Raises
    ------
    KeyError
        When there is no such theme.
    """
    tokens = json.loads(resources.path("tokens.json").read_text(encoding="utf-8"))
    if theme == "print":
        return {**tokens["light"], **_PRINT}
    chosen: dict[str, str] = tokens[theme]
    return chosen
