"""A file of any kind, told apart by its content, to a grid of cells."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.progress import Run, Step
from tapdesk.ratings.encoding import decoded
from tapdesk.ratings.findings import Finding, note
from tapdesk.ratings.grid import Grid
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.separated import NAMES, separated

MOST_BYTES = 4 << 30


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


def load(path: Path, options: ReadingOptions) -> Run[Loaded]:
    """The cells of a file.

    Raises
    ------
    TapdeskError
        When the file is not there, cannot be opened, or holds no table that can be read.
    """
    yield Step(0, 0, "read")
    raw = contents(path)
    yield Step(0, 0, "read")
    return (yield from _text(raw, path.name, options))


def contents(path: Path) -> bytes:
    """The bytes of a file, or a sentence why they cannot be had."""
    try:
        if path.is_dir():
            raise TapdeskError("This is a folder, not a file.", str(path), "Choose a file inside it.")
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise TapdeskError(
                f"The file has {size / 2**30:.1f} GB; at most {MOST_BYTES >> 30} GB can be read.",
                path.name,
                "Split it, or keep only the columns with case, rater and rating.",
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise TapdeskError("There is no such file.", str(path), "Check the name and the folder.") from None
    except PermissionError:
        raise TapdeskError(
            "The file may not be opened.", str(path), "Close it in other programs, or copy it to a folder of yours."
        ) from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "its name is not valid"
        raise TapdeskError(
            f"The file cannot be read ({reason}).", str(path), "Copy it to this computer and try again."
        ) from None


def _text(raw: bytes, name: str, options: ReadingOptions) -> Run[Loaded]:
    """Separated text."""
    text = decoded(raw, name, options.encoding)
    yield Step(0, 0, "read")
    cells = yield from separated(text.data, name, options.delimiter)
    guessed = tuple(option for option, was in (("encoding", text.guessed), ("delimiter", cells.guessed)) if was)
    findings: list[Finding] = []
    usual = "\t" if name.lower().endswith((".tsv", ".tab")) else ","
    if cells.guessed and cells.delimiter != usual and len(cells.grid.columns) > 1:
        findings.append(
            note("delimiter", "", f"{NAMES[cells.delimiter]}s separate the columns, not the mark its name suggests.")
        )
    if text.marked and text.encoding != "utf-8":
        findings.append(note("encoding", "", f"The text is {text.encoding.upper()}, as its first bytes say."))
    words = [f"The text is {text.encoding.upper()}."]
    if len(cells.grid.columns) > 1:
        words.append(f"{NAMES.get(cells.delimiter, repr(cells.delimiter))}s separate the columns.")
    return Loaded(
        cells.grid,
        "tsv" if cells.delimiter == "\t" else "csv",
        hashlib.sha256(raw).hexdigest(),
        encoding=text.encoding,
        delimiter=cells.delimiter,
        guessed=guessed,
        words=tuple(words),
        findings=tuple(findings),
    )
