"""A figure is arrays and words; how it is drawn is decided elsewhere."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray


class Role(Enum):
    """What a mark stands for; colours and line styles follow from it (look.md §5)."""

    MODEL = "model"
    OBSERVED = "observed"
    REFERENCE = "reference"
    CLASSICAL = "classical"
    OTHER_START = "other start"
    SECOND = "second"
    SINGLED_OUT = "singled out"


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through points, shape (n,) each; NaN breaks it."""

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: Role = Role.MODEL


@dataclass(frozen=True, eq=False)
class Band:
    """A filled strip between two curves, shape (n,) each; ``inner`` marks the 50 % band.

    ``colour`` is that of the class it is about, a name out of `tapdesk.ratings.ratings`, where it has one.
    """

    label: str
    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    role: Role = Role.MODEL
    inner: bool = False
    colour: str = ""


@dataclass(frozen=True, eq=False)
class Points:
    """Marks at points, shape (n,), with optional interval ends of the same shape along y or along x."""

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: Role = Role.OBSERVED
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    horizontal: bool = False


@dataclass(frozen=True, eq=False)
class Bars:
    """A histogram: edges of shape (n + 1,), heights of shape (n,)."""

    label: str
    edges: NDArray[np.float64]
    heights: NDArray[np.float64]
    role: Role = Role.MODEL


@dataclass(frozen=True, eq=False)
class Cells:
    """A table of shaded cells with their numbers: row 0 on top, one unit wide and high, column j around x = j.

    Attributes
    ----------
    label
        Of the series; empty for none.
    values
        Shape (rows, columns); NaN leaves a cell empty.
    texts
        What stands in each cell, row by row.
    low, high
        The values of the lightest and of the strongest shade; what lies below ``low`` is framed as well.
    role
        Whose numbers they are.
    """

    label: str
    values: NDArray[np.float64]
    texts: tuple[tuple[str, ...], ...]
    low: float = 0.0
    high: float = 1.0
    role: Role = Role.CLASSICAL


@dataclass(frozen=True, eq=False)
class Words:
    """Words inside the plot, centred at points of shape (n,); the same words at each."""

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: Role = Role.REFERENCE


@dataclass(frozen=True, slots=True)
class Mark:
    """A straight line across the plot at one value, with its words; ``vertical`` at x, else at y."""

    label: str
    at: float
    vertical: bool = True
    role: Role = Role.REFERENCE


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis: title with unit, range, and where ticks stand with their words (empty: chosen by the painter).

    ``colours`` holds one name a tick where the ticks are classes with colours; a small square of it precedes the words.
    """

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    percent: bool = False
    colours: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """One picture as data.

    Attributes
    ----------
    kind
        The name in the catalog, such as ``distribution``.
    title
        The plain sentence above it.
    alt
        What the picture shows, in words, for those who cannot see it.
    x, y
        The axes.
    marks
        In drawing order: Band, Bars, Cells, Line, Points, Words, Mark.
    note
        What the interval is and how many were counted; printed below.
    """

    kind: str
    title: str
    alt: str
    x: Axis
    y: Axis
    marks: tuple[Line | Band | Points | Bars | Cells | Words | Mark, ...]
    note: str = ""
