"""The cells of an opened file and how they were got."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from tapdesk.ratings.findings import Finding
from tapdesk.ratings.grid import Grid


@dataclass(frozen=True, eq=False)
class Loaded:
    """The cells of a file and how they were got.

    Attributes
    ----------
    grid
        The cells.
    form
        ``csv``, ``xlsx``, ``ods`` …
    sha256
        Of the bytes of the file.
    sheet, sheets
        The sheet read and all sheets, for workbooks.
    encoding, delimiter
        For text.
    guessed
        Names of the options that were guessed.
    words
        Sentences about how the file was opened.
    findings
        What was noticed.
    labels
        By label the value behind it, where a file knows both.
    """

    grid: Grid
    form: str
    sha256: str
    sheet: str | None = None
    sheets: tuple[str, ...] = ()
    encoding: str | None = None
    delimiter: str | None = None
    guessed: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    labels: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
