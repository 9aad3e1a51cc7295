"""A report as values: sections of paragraphs, tables and pictures; how it is set is decided elsewhere."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TypeAlias

from tapdesk.report.figure import Figure


class Voice(Enum):
    """How loudly a paragraph speaks."""

    LEAD = "lead"
    BODY = "body"
    BOXED = "boxed"
    WARNING = "warning"
    FORMULA = "formula"


class Align(Enum):
    """How a column stands."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain sentences; ``opening`` are bold words before them."""

    text: str
    voice: Voice = Voice.BODY
    opening: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, how it stands, whether it takes the room that is left, whether it holds symbols."""

    title: str
    align: Align = Align.LEFT
    wide: bool = False
    symbol: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as text.

    Attributes
    ----------
    title
        What the table shows.
    columns, rows
        Every row has a cell for each column.
    note
        What is printed below: N, kind of interval, abbreviations.
    headed
        Whether the heads of the columns are printed; a list of names and values needs none.
    totals
        Whether the last row sums up the others.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    headed: bool = True
    totals: bool = False

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"every row of '{self.title}' needs {len(self.columns)} cells")


@dataclass(frozen=True, slots=True)
class Picture:
    """One numbered picture of one or more panels.

    Attributes
    ----------
    title, note
        Printed above and below.
    panels
        The figures, row by row.
    height
        Of each panel, in pixels where the picture is 600 wide.
    columns
        Panels beside each other.
    """

    title: str
    panels: tuple[Figure, ...]
    note: str = ""
    height: float = 230.0
    columns: int = 1


Block: TypeAlias = Paragraph | Heading | Table | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Attributes
    ----------
    key
        The name by which it is switched on and off.
    title
        Its heading.
    blocks
        What it says, in order.
    numbered
        Whether the heading carries a number.
    fresh
        Whether it begins on a new page.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    numbered: bool = True
    fresh: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """A document.

    Attributes
    ----------
    title, subtitle
        On the first page.
    record
        Names and values of the record box below the title.
    sections
        In order.
    fingerprint
        Of the data; on every page.
    status
        Such as "Draft, not signed"; in the head of every page.
    issued
        The date recorded at issue, never the clock: the same project gives the same bytes.
    language
        A language code such as ``en``.
    paper
        ``a4`` or ``us-letter``.
    author
        Who issues it.
    """

    title: str
    subtitle: str
    record: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    fingerprint: str
    status: str
    issued: datetime
    language: str = "en"
    paper: str = "a4"
    author: str = ""
