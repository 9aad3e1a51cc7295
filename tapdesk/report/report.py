"""A report as values: sections of paragraphs, tables and pictures; how it is set is decided elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum
from functools import partial, wraps
from typing import Concatenate, ParamSpec, TypeVar

from tapdesk import language as spoken_in
from tapdesk.answers.content import Block, Paragraph, Table, Tone
from tapdesk.answers.faults import Bug, Fault, attempt, listed
from tapdesk.answers.forbidden import NO_SECRETS, Secrets
from tapdesk.language import gettext as _

T = TypeVar("T")
ENGLISH = "en"
DRAFT = _("Draft, not signed")
"""The status of a report that is not issued."""


class Form(Enum):
    """How much of a report is printed.

    The full report is the answer and the technical annex, a brief two pages that are signed, both are one after the
    other. What the annex leaves out is an appendix, a file of its own; everything there is to say is for a workbook.
    """

    FULL = "full"
    BRIEF = "brief"
    BOTH = "both"
    APPENDIX = "appendix"
    EVERYTHING = "everything"

    @property
    def annexed(self) -> bool:
        """Whether it holds the technical annex."""
        return self in {Form.FULL, Form.BOTH}

    @property
    def long(self) -> bool:
        """Whether it has so many pages that its sections are listed."""
        return self.annexed or self is Form.APPENDIX


BRIEF = "brief-"
"""Before the keys of the sections of a brief, which stand on two pages of their own."""


@dataclass(frozen=True, slots=True)
class Logo:
    """A picture on the first page: the file, its kind (``png``, ``jpg`` or ``svg``), and words for it."""

    content: bytes
    kind: str
    alt: str = ""


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
    kept
        Whether what stands below each of its headings stays together on a page.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    numbered: bool = True
    fresh: bool = False
    kept: bool = False


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
    voice
        What raters, cases and things are called in it, and how its numbers are written.
    wide
        Whether its pages have narrow margins, for tables that need the room.
    workbook
        Tables that stand in no page: in the workbook and as CSV alone.
    contents
        Whether it is long: its sections are listed with their pages, and set closely.
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
    # Who is called what stands in no text that is made of a report either.
    voice: spoken_in.Voice = field(default=spoken_in.PLAIN, repr=False, compare=False)
    wide: bool = False
    workbook: tuple[Table, ...] = ()
    contents: bool = False

    @property
    def spoken(self) -> spoken_in.Voice:
        """The voice its forms add their own words in: that of a file, in the language of the report."""
        return replace(self.voice, language="" if self.language == ENGLISH else self.language)

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


_ROW = _("Not made")


def missing(fault: Fault) -> Paragraph:
    """The warning in the place of a study or a section."""
    return Paragraph(fault.words, Tone.WARNING, _("Missing here."))


def instead(fault: Fault, own: tuple[Paragraph, ...] = ()) -> Section:
    """The section in the place of one that could not be made; the committee's own words about it stay."""
    return Section(fault.section, fault.title, (missing(fault), *own))


def with_faults(report: Report, faults: tuple[Fault, ...]) -> Report:
    """The report that names in its record box what is missing, so that nobody has to find it."""
    if not faults:
        return report
    every = (*report.faults, *faults)
    record = tuple(row for row in report.record if row[0] != _ROW)
    return replace(report, record=(*record, (_ROW, listed(every))), faults=every)


def spared(report: Report, make: Callable[[Report], T]) -> tuple[Report, T]:
    """The report as a file or as pages; a section that cannot be drawn or set is left out and named in its place.

    Parameters
    ----------
    report
        The whole report.
    make
        Writes it, such as `tapdesk.report.forms.pdf.pdf`.

    Returns
    -------
    Report
        What was written: with the sections that failed replaced.
    T
        What ``make`` made of it.

    Raises
    ------
    Exception
        The bug itself, where no single section is to blame for it.
    """
    made = attempt(partial(make, report))
    if not isinstance(made, Bug):
        return report, made
    if isinstance(attempt(partial(make, replace(report, sections=()))), Bug):
        raise made.error
    sections: list[Section] = []
    faults: list[Fault] = []
    for section in report.sections:
        alone = attempt(partial(make, replace(report, sections=(section,))))
        if isinstance(alone, Bug):
            fault = Fault(section.key, section.title, alone.error)
            sections.append(instead(fault))
            faults.append(fault)
        else:
            sections.append(section)
    if not faults:
        raise made.error
    whole = with_faults(replace(report, sections=tuple(sections)), tuple(faults))
    return whole, make(whole)
