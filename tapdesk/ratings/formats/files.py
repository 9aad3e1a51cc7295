"""A file of any kind, told apart by its content, to a grid of cells."""

import hashlib
import os
import stat
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding, note
from tapdesk.ratings.formats.encoding import decoded
from tapdesk.ratings.formats.first_rows import first_rows
from tapdesk.ratings.formats.formulas import without_guards
from tapdesk.ratings.formats.html_table import html_grid
from tapdesk.ratings.formats.kinds import Kind, kind
from tapdesk.ratings.formats.loaded import Loaded
from tapdesk.ratings.formats.separated import NAMES, separated
from tapdesk.ratings.formats.several import paths_of, several
from tapdesk.ratings.formats.statistics_files import statistics_file
from tapdesk.ratings.formats.workbooks import workbook
from tapdesk.ratings.options import ReadingOptions

MOST_BYTES = 4 << 30
_SMALL = 1024  # bytes: more than the note a program leaves beside a workbook that is open
_OF_NO_SIZE = 1 << 20
_NAMES_OF_TEXT = frozenset({".csv", ".tsv", ".tab", ".txt"})
_NAMES_OF_WORKBOOKS = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".sav", ".dta"})
# The mark that a name suggests.
_USUAL = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


def load(path: Path, options: ReadingOptions) -> Run[Loaded]:
    """The cells of a file, or of several that are told one per line.

    Raises
    ------
    TapdeskError
        When the file is not there, cannot be opened, or holds no table that can be read.
    """
    paths = paths_of(path)
    if len(paths) > 1:
        return (yield from several(paths, load, options))
    yield Step(0, 0, "read")
    raw = contents(path)
    yield Step(0, 0, "read")
    found = kind(raw, path.name)
    _used(options, found)
    if found is Kind.TEXT:
        return (yield from _text(raw, path.name, options))
    if found is Kind.HTML:
        return _page(raw, path.name, options)
    if found in {Kind.SAV, Kind.DTA}:
        return (yield from statistics_file(raw, path.name, found))
    loaded = yield from workbook(raw, path.name, found, options)
    if path.suffix.lower() in _NAMES_OF_TEXT:
        told = _("The file is a workbook (.{value}), whatever its name says.").format(value=found.value)
        loaded = replace(loaded, findings=(note("another_kind", "", told), *loaded.findings))
    return loaded


def contents(path: Path) -> bytes:
    """The bytes of a file, or a sentence why they cannot be had."""
    try:
        refuse_what_is_no_file(path)
        if path.name.startswith(("~$", ".~lock.")) and path.stat().st_size < _SMALL:
            raise TapdeskError(
                _("This is a small file that says that a workbook is open, not the workbook itself."),
                path.name,
                _("Choose the file of the same name without the signs in front."),
            )
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise TapdeskError(
                _("The file has {size:.1f} GB; at most {most_bytes} GB can be read.").format(
                    size=size / 2**30, most_bytes=MOST_BYTES >> 30
                ),
                path.name,
                _("Split it, or keep only the columns with case, rater and rating."),
            )
        return _whole(path)
    except FileNotFoundError:
        raise TapdeskError(_("There is no such file."), str(path), _("Check the name and the folder.")) from None
    except PermissionError:
        raise TapdeskError(
            _("The file may not be opened."),
            str(path),
            _("Close it in other programs, or copy it to a folder of yours."),
        ) from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or _("its name is not valid")
        raise TapdeskError(
            _("The file cannot be read ({reason}).").format(reason=reason),
            str(path),
            _("Copy it to this computer and try again."),
        ) from None


def refuse_what_is_no_file(path: Path) -> None:
    """Refuse folders, and pipes and devices, which may never end, before they are opened.

    Raises
    ------
    TapdeskError
        Saying what it is.
    OSError
        When there is nothing, or it cannot be seen.
    """
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise TapdeskError(_("This is a folder, not a file."), str(path), _("Choose a file inside it."))
    if not stat.S_ISREG(mode):
        what = _("This is a pipe, not a file.") if stat.S_ISFIFO(mode) else _("This is a device, not a file.")
        raise TapdeskError(what, str(path), _("Save what it gives as a file, and name that."))


def _whole(path: Path) -> bytes:
    """The bytes of a file that nobody writes to meanwhile."""
    with path.open("rb") as file:
        before = os.fstat(file.fileno())
        # Some files of the system say that they have no size, and hold a little nevertheless.
        raw = file.read(before.st_size + 1 if before.st_size else _OF_NO_SIZE)
        after = os.fstat(file.fileno())
    changed = (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns)
    if changed or (before.st_size and len(raw) != before.st_size):
        raise TapdeskError(
            _("The file was changed while it was read."),
            str(path),
            _("Wait until the other program has saved it, and try again."),
        )
    return raw


def _used(options: ReadingOptions, kind: Kind) -> None:
    """Refuse options that mean nothing for a file, rather than passing over them."""
    told = {"sheet": options.sheet, "encoding": options.encoding, "delimiter": options.delimiter}
    text, page = kind is Kind.TEXT, kind is Kind.HTML
    apart = {"encoding", "delimiter"} if text else {"encoding"} if page else set()
    if kind in {Kind.XLSX, Kind.XLSB, Kind.XLS, Kind.ODS}:
        apart = {"sheet"}
    for name, value in told.items():
        if value is not None and name not in apart:
            raise UsageError(
                _("A .{value} file has no {name}, so --{name} cannot be used.").format(value=kind.value, name=name),
                fix=_("Leave the option out."),
            )


def _text(raw: bytes, name: str, options: ReadingOptions) -> Run[Loaded]:
    """Separated text; the first step carries its first rows."""
    yield Step(0, 0, "read", MappingProxyType({"first": first_rows(raw, options)}))
    text = decoded(raw, name, options.encoding)
    yield Step(0, 0, "read")
    cells = yield from separated(text.data, name, options.delimiter)
    columns, unguarded = without_guards(cells.grid.columns)
    guessed = tuple(option for option, was in (("encoding", text.guessed), ("delimiter", cells.guessed)) if was)
    findings: list[Finding] = []
    suffix = Path(name).suffix.lower()
    if suffix in _NAMES_OF_WORKBOOKS:
        findings.append(note("another_kind", "", _("The file is plain text, whatever its name says.")))
    if cells.guessed and cells.delimiter != _USUAL.get(suffix, ",") and len(cells.grid.columns) > 1:
        findings.append(
            note(
                "delimiter",
                "",
                (
                    _("{mark}s separate the columns, not the mark its name suggests.")
                    if suffix in _USUAL
                    else _("{mark}s separate the columns.")
                ).format(mark=NAMES[cells.delimiter]),
            )
        )
    if text.marked and text.encoding != "utf-8":
        findings.append(
            note(
                "encoding",
                "",
                _("The text is {encoding}, as its first bytes say.").format(encoding=text.encoding.upper()),
            )
        )
    words = [_("The text is {encoding}.").format(encoding=text.encoding.upper())]
    if len(cells.grid.columns) > 1:
        words.append(_("{get}s separate the columns.").format(get=NAMES.get(cells.delimiter, repr(cells.delimiter))))
    if unguarded:
        words.append(
            _("In {n:,} cells the apostrophe was taken off that keeps a text from being a formula.").format(n=unguarded)
        )
    return Loaded(
        replace(cells.grid, columns=columns),
        "tsv" if cells.delimiter == "\t" else "csv",
        hashlib.sha256(raw).hexdigest(),
        encoding=text.encoding,
        delimiter=cells.delimiter,
        guessed=guessed,
        words=tuple(words),
        findings=tuple(findings),
    )


def _page(raw: bytes, name: str, options: ReadingOptions) -> Loaded:
    """A web page, which some programs save under the name of a workbook."""
    text = decoded(raw, name, options.encoding)
    message = _("The file is a web page, whatever its name says; its largest table is read.")
    return Loaded(
        html_grid(text.data.decode("utf-8"), name),
        Kind.HTML.value,
        hashlib.sha256(raw).hexdigest(),
        encoding=text.encoding,
        findings=(note("web_page", "", message),),
    )
