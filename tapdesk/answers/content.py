"""What is said about a result as values: sentences, tables with their values, pictures; set elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import groupby
from typing import Self, TypeAlias

from tapdesk.answers.figure import Figure, Role
from tapdesk.language import gettext as _
from tapdesk.language import joined


class Number(str):
    """A number as it is printed, with the value behind it: one, or the two ends of an interval.

    A text for everyone who prints; a workbook writes the value. None where there is no value.
    """

    __slots__ = ("values",)

    values: tuple[float | None, ...]

    def __new__(cls, text: str, *values: float | None) -> Self:
        """The text with its value or values."""
        made = super().__new__(cls, text)
        made.values = values
        return made


class Tone(Enum):
    """How loudly a paragraph speaks."""

    LEAD = "lead"
    BODY = "body"
    BOXED = "boxed"
    WARNING = "warning"
    FORMULA = "formula"
    SMALL = "small"


class Align(Enum):
    """How a column stands."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain sentences; ``opening`` are bold words before them."""

    text: str
    tone: Tone = Tone.BODY
    opening: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Column:
    """One column.

    Attributes
    ----------
    title, align
        Its head, and how it stands.
    wide
        Whether it takes the room that is left.
    symbol
        Whether it holds symbols.
    page
        Whether its cells are keys of sections, for which the page is printed; a dash where there is no such section.
    """

    title: str
    align: Align = Align.LEFT
    wide: bool = False
    symbol: bool = False
    page: bool = False


@dataclass(frozen=True, slots=True)
class RowPicture:
    """What is drawn in a row of a table beside its words: an interval on the scale from 0 to 1, and a mark.

    Attributes
    ----------
    value, low, high
        As they are told in the row; None where there is none. Without a value the interval is dashed.
    mark
        The name of a mark (``resources/icons/mark-*.svg``), whose shape alone tells how it stands.
    role
        The look of both.
    strong
        Whether the first words of the row are set in bold.
    """

    value: float | None
    low: float | None
    high: float | None
    mark: str
    role: Role
    strong: bool = False


@dataclass(frozen=True, slots=True)
class RowPictures:
    """What is drawn in the rows of a table where it is printed as wide as a page; all of it stands in words beside.

    Attributes
    ----------
    before, marked
        The column before which the intervals stand, and the one whose words have the marks before them.
    scale
        The two ends and the middle of the scale as they are printed above it.
    rows
        One for each row; where the mark changes a thin line parts the rows.
    """

    before: int
    marked: int
    scale: tuple[str, str, str]
    rows: tuple[RowPicture, ...]


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
    most
        How many rows are printed, the sum not counted; None for all. A workbook holds them all.
    whole
        Whether it stands on one page; it must fit on one.
    drawn
        What is drawn in its rows; None for words alone.
    beside
        Whether it stands at the right of the table before it, where the page is wide.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    headed: bool = True
    totals: bool = False
    most: int | None = None
    whole: bool = False
    drawn: RowPictures | None = None
    beside: bool = False

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"every row of '{self.title}' needs {len(self.columns)} cells")
        if self.drawn is not None and (len(self.drawn.rows) != len(self.rows) or self.totals or self.most):
            raise ValueError(f"every row of '{self.title}' needs its picture")

    def printed(self) -> "Table":
        """The table as it stands on paper: its first rows, and how many more there are."""
        body = self.rows[:-1] if self.totals else self.rows
        if self.most is None or len(body) <= self.most:
            return self
        rows = (*body[: self.most], *self.rows[len(body) :])
        sentence = _("The first {n} of {all} rows are printed; the report as a workbook holds all.").format(
            n=self.most, all=f"{len(body):,}"
        )
        return replace(self, rows=rows, note=joined(sentence, self.note), most=None)


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
    headed
        Whether the title of each panel stands above it, where the title of the whole does not tell them apart.
    """

    title: str
    panels: tuple[Figure, ...]
    note: str = ""
    height: float = 230.0
    columns: int = 1
    headed: bool = False

    @classmethod
    def of_panels(cls, question: str, panels: Sequence[Figure], height: float, columns: int = 1) -> Self:
        """All panels of a picture of the catalog: of several each has its title, and the notes of all are one."""
        if len(panels) == 1:
            return cls(panels[0].title, tuple(panels), panels[0].note, height)
        return cls(question, tuple(panels), note_of(panels), height, min(len(panels), columns), headed=True)


def note_of(panels: Sequence[Figure]) -> str:
    """What stands below several panels: what is so of all of them once, the rest with the panels it is about."""
    notes = [sentences(panel.note) for panel in panels]
    spoken: dict[str, list[tuple[int, int]]] = {}
    for panel, told in enumerate(notes, start=1):
        for place, sentence in enumerate(told):
            spoken.setdefault(sentence, []).append((place, panel))
    # What is told of each stands together, as the numbers of cases do.
    in_order = sorted(spoken.items(), key=lambda item: item[1][0][0])
    parts = []
    for own, said in groupby(in_order, key=lambda item: [panel for _place, panel in item[1]]):
        words = joined(*(sentence for sentence, _places in said))
        parts.append(words if len(own) == len(notes) else _of_panel(words, own))
    return joined(*parts)


def _of_panel(words: str, panels: Sequence[int]) -> str:
    return _("Panel {number}: {words}").format(number=", ".join(map(str, panels)), words=words)


def sentences(note: str) -> list[str]:
    """The sentences that were joined to a note, each as it can be said again."""
    fields = getattr(note, "fields", {})
    if not fields or getattr(note, "template", "") != " ".join(f"{{{name}}}" for name in fields):
        return [note] if note else []
    return [sentence for part in fields.values() for sentence in sentences(part)]


@dataclass(frozen=True, slots=True)
class Blank:
    """Room for the words of the user: a question, and so many ruled lines."""

    prompt: str
    lines: int = 3


@dataclass(frozen=True, slots=True)
class Signature:
    """Lines for ink: who signs, and what the signature means."""

    role: str
    meaning: str


Block: TypeAlias = Paragraph | Heading | Table | Picture | Blank | Signature
