"""A report as values: sections of paragraphs, tables and pictures; how it is set is decided elsewhere."""

from dataclasses import dataclass, field
from datetime import datetime

from tapdesk.answers.content import Block
from tapdesk.answers.faults import Fault
from tapdesk.answers.forbidden import NO_SECRETS, Secrets
from tapdesk.language import gettext as _

DRAFT = _("Draft, not signed")
"""The status of a report that is not issued."""


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
    language: str = "en"
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
    def final(self) -> bool:
        """Whether it is issued, no draft: a file of it is not replaced unasked."""
        return self.status != DRAFT
