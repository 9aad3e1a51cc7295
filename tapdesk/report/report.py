"""A report as values: sections of paragraphs, tables and pictures; how it is set is decided elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from functools import wraps
from typing import Concatenate, ParamSpec, Self, TypeAlias, TypeVar

from tapdesk import language as spoken_in
from tapdesk.language import gettext as _
from tapdesk.report.faults import Fault
from tapdesk.report.figure import Figure
from tapdesk.report.forbidden import NO_SECRETS, Secrets

ENGLISH = "en"
DRAFT = _("Draft, not signed")
"""The status of a report that is not issued."""


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
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    headed: bool = True
    totals: bool = False
    most: int | None = None
    whole: bool = False

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"every row of '{self.title}' needs {len(self.columns)} cells")

    def printed(self) -> "Table":
        """The table as it stands on paper: its first rows, and how many more there are."""
        body = self.rows[:-1] if self.totals else self.rows
        if self.most is None or len(body) <= self.most:
            return self
        rows = (*body[: self.most], *self.rows[len(body) :])
        said = _("The first {n} of {all} rows are printed; the report as a workbook holds all.").format(
            n=self.most, all=f"{len(body):,}"
        )
        return replace(self, rows=rows, note=f"{said} {self.note}".strip(), most=None)


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


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture on the first page: the file, its kind (``png``, ``jpg`` or ``svg``), and words for it."""

    content: bytes
    kind: str
    alt: str = ""


Block: TypeAlias = Paragraph | Heading | Table | Picture | Blank | Signature


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
    kind
        What the document is, above its title.
    logo
        Of the committee, or None.
    facts
        Names and values written into the file itself, for `tapdesk.report.issue.verify`.
    faults
        What a bug of ours left out; its place says so.
    secrets
        Names that must not be printed: no form of the report is made that holds one.
    dated
        Whether ``issued`` is a moment that was recorded; the file of a draft without one carries no date.
    """

    title: str
    subtitle: str
    record: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    fingerprint: str
    status: str
    issued: datetime
    language: str = ENGLISH
    paper: str = "a4"
    author: str = ""
    kind: str = ""
    logo: Logo | None = None
    facts: tuple[tuple[str, str], ...] = ()
    faults: tuple[Fault, ...] = ()
    # Names stand in no text that is made of a report, such as a log.
    secrets: Secrets = field(default=NO_SECRETS, repr=False)
    dated: bool = True

    @property
    def spoken(self) -> spoken_in.Voice:
        """The voice its forms add their own words in: that of a file, in the language of the report."""
        return replace(spoken_in.PLAIN, language="" if self.language == ENGLISH else self.language)

    @property
    def final(self) -> bool:
        """Whether it is issued, no draft: a file of it is not replaced unasked."""
        return self.status != DRAFT


P = ParamSpec("P")
R = TypeVar("R")


def in_its_language(form: Callable[Concatenate[Report, P], R]) -> Callable[Concatenate[Report, P], R]:
    """A form of a report, its own words in the language and the voice of the report, whoever makes it."""

    @wraps(form)
    def made(report: Report, /, *args: P.args, **options: P.kwargs) -> R:
        with spoken_in.speaking(report.spoken):
            return form(report, *args, **options)

    return made
