"""The cells of an opened file and how they were got."""

from dataclasses import dataclass

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
