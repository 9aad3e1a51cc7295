"""A figure is a table of numbers, and marks and words that show it; how it is drawn is decided elsewhere."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _

HEIGHT = 230.0
"""How high a figure is drawn, in pixels where it is 600 wide, that needs no other height."""

Value: TypeAlias = float | str | tuple[float, float] | None
"""What a cell of a figure's table holds: a number, a name, a range of numbers, or nothing."""


class Unit(Enum):
    """What the values of a column are measured in."""

    NAME = "name"
    NUMBER = "number"
    SHARE = "share"  # of 1, written in per cent


@dataclass(frozen=True, slots=True)
class DataColumn:
    """One column of the table behind a figure.

    Attributes
    ----------
    key
        Its name for programs: ``what`` (the series), ``name`` (the place), ``x``, ``y``, ``row``, ``column``,
        ``value``, ``low``, ``high``.
    title
        Its head for people.
    unit
        Of its values.
    places
        Decimals that are written: 2 for two by the one rule, which gives more where two would read 0 or 1
        (`numbers.places_of`); None for as many as tell the number.
    """

    key: str
    title: str
    unit: Unit = Unit.NUMBER
    places: int | None = None


@dataclass(frozen=True, slots=True)
class DataTable:
    """The numbers a figure shows, in full precision: every row has a value for each column.

    Attributes
    ----------
    columns, rows
        What they are called and measured in, and their values.
    curves
        Whether long series are points of curves, of which a few tell the whole.
    """

    columns: tuple[DataColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    curves: bool = False

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"every row of a figure's table needs {len(self.columns)} values")

    def records(self) -> list[dict[str, Value]]:
        """The rows as dictionaries, by the keys of the columns."""
        return [dict(zip((c.key for c in self.columns), row, strict=True)) for row in self.rows]

    def values(self, key: str) -> list[Value]:
        """One column as it stands; empty where there is none of this name."""
        at = next((i for i, column in enumerate(self.columns) if column.key == key), None)
        return [] if at is None else [row[at] for row in self.rows]


NO_DATA = DataTable((), ())
"""Of a figure that shows no numbers of its own."""


class Role(Enum):
    """What a mark stands for; colours and line styles follow from it (look.md §5)."""

    MODEL = "model"
    OBSERVED = "observed"
    REFERENCE = "reference"
    CLASSICAL = "classical"
    OTHER_START = "other start"
    KNOWN = "known"
    SECOND = "second"
    SINGLED_OUT = "singled out"


class Form(Enum):
    """A mark of its own, where a paper has another one than that of the role."""

    SQUARE = "square"
    OPEN_SQUARE = "open square"
    OPEN_CIRCLE = "open circle"
    LARGE_CIRCLE = "large circle"


@dataclass(frozen=True, eq=False)
class Line:
    """A curve through points, shape (n,) each; NaN breaks it. ``rows`` of the table are those of its points.

    ``broken``: in dashes, beside a whole line of the same role.
    """

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: Role = Role.MODEL
    rows: tuple[int, ...] = ()
    broken: bool = False


class Fill(Enum):
    """How an area is filled that must be told from its neighbours without colour."""

    SOLID = "solid"
    STRIPED = "striped"
    OPEN = "open"


@dataclass(frozen=True, eq=False)
class Band:
    """A filled strip between two curves, shape (n,) each; ``inner`` marks the 50 % band.

    ``colour`` is that of the class it is about, a name out of `tapdesk.ratings.ratings`, where it has one; ``fill``
    another one than that of the role.
    """

    label: str
    x: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    role: Role = Role.MODEL
    inner: bool = False
    colour: str = ""
    fill: Fill | None = None


@dataclass(frozen=True, eq=False)
class Points:
    """Marks at points, shape (n,), with optional interval ends of the same shape along y or along x.

    ``rows`` of the table are those of its points; ``many``: small marks, open ones where the array says so; ``form``:
    another mark than that of the role.
    """

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: Role = Role.OBSERVED
    low: NDArray[np.float64] | None = None
    high: NDArray[np.float64] | None = None
    horizontal: bool = False
    rows: tuple[int, ...] = ()
    many: NDArray[np.bool_] | None = None
    form: Form | None = None


@dataclass(frozen=True, eq=False)
class Bars:
    """A histogram: edges of shape (n + 1,), heights of shape (n,), a row of the table for each.

    ``empty``: outlines alone, beside filled bars of the same role.
    """

    label: str
    edges: NDArray[np.float64]
    heights: NDArray[np.float64]
    role: Role = Role.MODEL
    rows: tuple[int, ...] = ()
    empty: bool = False


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
    rows
        The row of the figure's table for each cell, row by row.
    extent
        Of a surface: the ranges (left, right, bottom, top) of the axes that all cells together cover, without gaps
        between them; None for cells one unit wide and high.
    """

    label: str
    values: NDArray[np.float64]
    texts: tuple[tuple[str, ...], ...]
    low: float = 0.0
    high: float = 1.0
    role: Role = Role.CLASSICAL
    rows: tuple[int, ...] = ()
    extent: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, eq=False)
class Words:
    """Words inside the plot, centred at points of shape (n,); the same words at each.

    ``plain``: without room behind them, where they stand on a shaded ground.
    """

    label: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    role: Role = Role.REFERENCE
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A straight line across the plot at one value, with its words; ``vertical`` at x, else at y.

    ``rows`` holds the row of the table that tells its value.
    """

    label: str
    at: float
    vertical: bool = True
    role: Role = Role.REFERENCE
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Axis:
    """One axis: title with unit, range, and where ticks stand with their words (empty: chosen by the painter).

    ``colours`` holds one name a tick where the ticks are classes with colours; a small square of it precedes the words.
    Without ``leading_zero`` the painter writes ``.2``, as APA does what cannot be more than 1.
    """

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()
    percent: bool = False
    colours: tuple[str, ...] = ()
    leading_zero: bool = True


@dataclass(frozen=True, eq=False)
class Figure:
    """One picture as data: `tapdesk.answers.charts` makes the usual kinds of their tables.

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
    table
        The numbers it shows, for those who copy, hear or compute with them.
    height
        How high it is drawn where it stands alone, in pixels where it is 600 wide.
    """

    kind: str
    title: str
    alt: str
    x: Axis
    y: Axis
    marks: tuple[Line | Band | Points | Bars | Cells | Words | Mark, ...]
    note: str = ""
    table: DataTable = NO_DATA
    height: float = HEIGHT


# A pixel of a drawing is the 96th part of an inch, on screen and on paper.
_PIXELS = 96.0
_INCH = 25.4
NARROWEST, WIDEST = 60.0, 400.0
COARSEST, FINEST = 36.0, 1200.0


@dataclass(frozen=True, slots=True)
class Size:
    """Width and resolution of a picture; its text keeps its size, so that a narrow one can still be read.

    Attributes
    ----------
    millimetres
        Of the width. The usual is the width of the text of a report.
    ppi
        Dots of an inch, where the picture is made of dots.

    Raises
    ------
    UsageError
        When it is not between 60 and 400 millimetres wide or does not have 36 to 1,200 dots an inch.
    """

    millimetres: float = 158.75
    ppi: float = 192.0

    def __post_init__(self) -> None:
        if not NARROWEST <= self.millimetres <= WIDEST:
            raise UsageError(
                _("A picture cannot be {width:g} millimetres wide.").format(width=self.millimetres),
                fix=_("Choose {least:g} to {most:g} millimetres.").format(least=NARROWEST, most=WIDEST),
            )
        if not COARSEST <= self.ppi <= FINEST:
            raise UsageError(
                _("A picture cannot have {ppi:g} dots an inch.").format(ppi=self.ppi),
                fix=_("Choose {least:g} to {most:g} dots an inch.").format(least=COARSEST, most=FINEST),
            )

    @property
    def pixels(self) -> float:
        """The width in pixels of a drawing."""
        return self.millimetres / _INCH * _PIXELS


USUAL = Size()
