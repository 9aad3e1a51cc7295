"""A file of any kind, told apart by its content, to a grid of cells."""

import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.ratings.findings import Finding, ask, name_list, note, quoted_list
from tapdesk.ratings.formats.kinds import FileKind, Reader, file_kind
from tapdesk.ratings.formats.text_files import NAMES, decode, first_rows, read_separated
from tapdesk.ratings.grid import (
    CellGrid,
    FileCells,
    Piece,
    TextColumn,
    column_of,
    grid_of,
    stack_tables,
    without_guards,
)
from tapdesk.ratings.layouts.roles import is_called, is_rater_column
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.vocabulary import RATER_ANYWHERE

BETWEEN = "\n"
"""Between the paths of files that are read as one; no name of a file that a program writes holds it."""
STACKED = "Rater (file)"
FILE = "File"
MOST = 500


def paths_of(place: Path) -> tuple[Path, ...]:
    """The files a place stands for: itself, or those told one per line; the name of a file may have lines, too."""
    with suppress(OSError):
        if BETWEEN in str(place) and place.is_file():
            return (place,)
    return tuple(Path(one) for one in str(place).split(BETWEEN) if one)


def place_of(paths: Iterable[Path]) -> Path:
    """The place that stands for some files."""
    return Path(BETWEEN.join(map(str, paths)))


def name_of(place: Path) -> str:
    """What to call a place in a sentence: ``Ana.csv, Ben.csv and 3 more``."""
    return name_list([path.name for path in paths_of(place)], 3)


def joint_digest(digests: Iterable[str]) -> str:
    """The SHA-256 of several files that are read as one, from those of each; of one file its own."""
    each = tuple(digests)
    return each[0] if len(each) == 1 else hashlib.sha256("".join(each).encode()).hexdigest()


def _load_several(
    paths: Sequence[Path], load: Callable[[Path, ReadingOptions], Run[FileCells]], options: ReadingOptions
) -> Run[FileCells]:
    """The cells of several files below one another, the first with its header, with a further column for the file."""
    if len(paths) > MOST:
        raise TapdeskError(
            _("{paths:,} files are too many; at most {most} are read as one.").format(paths=len(paths), most=MOST),
            fix=_("Choose fewer."),
        )
    loaded: list[FileCells] = []
    for path in paths:
        loaded += [(yield from load(path, options))]
    if all(one.filled is not None for one in loaded):
        return (yield from _filled_in(paths, loaded, options))
    heads = [_head(one.grid) for one in loaded]
    _refuse_other_columns(paths, heads)
    names = _short(paths)
    one_each = 2 <= len(heads[0]) <= 3 and not any(is_called(h, RATER_ANYWHERE) or is_rater_column(h) for h in heads[0])
    grid = _stacked([one.grid for one in loaded], names, STACKED if one_each else FILE)
    if one_each:
        default = _("They are stacked, and the name of the file is the rater; rows are counted through all files.")
    else:
        default = _("They are stacked, and a further column names the file; rows are counted through all files.")
    result = ask(
        "files_stacked",
        f"files {quoted_list([p.name for p in paths])}",
        _("{paths} files with the same columns are read as one.").format(paths=len(paths)),
        _("If they are something else, open them one by one."),
        default,
    )
    first = loaded[0]
    return FileCells(
        grid,
        first.form,
        joint_digest(one.sha256 for one in loaded),
        encoding=first.encoding,
        delimiter=first.delimiter,
        guessed=first.guessed,
        words=(
            _("{n} files are stacked: {names}.").format(n=len(paths), names=name_list([p.name for p in paths], 3)),
            *first.words,
        ),
        findings=(result, *(f for one in loaded for f in one.findings)),
        pieces=tuple(_piece(one.grid, name) for one, name in zip(loaded, names, strict=True)),
    )


def _piece(grid: CellGrid, name: str) -> Piece:
    """A file as it was opened, for the account of what is read of it."""
    return Piece(name, grid.row(0), tuple(c.take(slice(1, None)) for c in grid.columns))


def _refuse_other_columns(paths: Sequence[Path], heads: Sequence[Sequence[str]]) -> None:
    """Nothing is stacked below columns of another name."""
    for path, head in zip(paths, heads, strict=True):
        if head != heads[0]:
            raise TapdeskError(
                _("The files do not have the same columns: {first} has {heads}, {other} has {head}.").format(
                    first=Label(paths[0].name),
                    heads=quoted_list(heads[0], 8),
                    other=Label(path.name),
                    head=quoted_list(head, 8),
                ),
                path.name,
                _("Give all files the same header row, or open them one by one."),
            )


def _head(grid: CellGrid) -> tuple[str, ...]:
    return tuple(t.strip() for t in grid.row(0) if t.strip()) if grid.rows else ()


def _short(paths: Sequence[Path]) -> list[str]:
    """Names of the files without their endings, where that leaves them different; else with their folders."""
    for names in ([p.stem for p in paths], [p.name for p in paths], [f"{p.parent.name}/{p.name}" for p in paths]):
        if len(set(names)) == len(names):
            return names
    return [f"{i + 1} {p.name}" for i, p in enumerate(paths)]


def _stacked(grids: Sequence[CellGrid], names: Sequence[str], title: str) -> CellGrid:
    """Files below one another, the first with its header, with a further column for the file."""
    width = max(len(g.columns) for g in grids)
    tables: list[list[TextColumn]] = []
    for grid, name in zip(grids, names, strict=True):
        start = 1 if tables else 0
        blank = column_of([""] * (grid.rows - start))
        columns = [c.take(slice(start, None)) for c in grid.columns] + [blank] * (width - len(grid.columns))
        tables.append([*columns, column_of([*([] if start else [title]), *[name] * (grid.rows - 1)])])
    stacked = stack_tables(tables)
    return CellGrid(stacked, stacked[0].codes.size)


class _Tables(HTMLParser):
    """Collects the cells of tables, joined cells filled up with blanks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[list[list[str]]] = []
        self._open = 0
        self._cell: list[str] | None = None
        self._span = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._open += 1
            if self._open == 1:
                self.tables.append([])
        elif self._open == 1 and tag == "tr":
            self._close_cell()
            self.tables[-1].append([])
        elif self._open == 1 and tag in {"td", "th"}:
            self._close_cell()
            if not self.tables[-1]:
                self.tables[-1].append([])
            self._cell = []
            span = dict(attrs).get("colspan") or "1"
            self._span = min(int(span), 1000) if span.isdigit() else 1
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th", "tr", "table"} and self._open == 1:
            self._close_cell()
        if tag == "table":
            self._open = max(self._open - 1, 0)

    def handle_data(self, data: str) -> None:
        if self._cell is not None and self._open == 1:
            self._cell.append(data)

    def _close_cell(self) -> None:
        if self._cell is not None:
            row = self.tables[-1][-1]
            row.append(" ".join("".join(self._cell).split()))
            row.extend([""] * (self._span - 1))
            self._cell = None


def html_grid(text: str, name: str) -> CellGrid:
    """The largest table of a web page.

    Raises
    ------
    TapdeskError
        When the page has no table with more than one cell.
    """
    parser = _Tables()
    parser.feed(text)
    parser.close()
    tables = [[r for r in t if r] for t in parser.tables]
    largest = max(tables, key=lambda t: sum(len(r) for r in t), default=[])
    if sum(len(r) for r in largest) < 2:
        raise TapdeskError(
            _("This is a web page without a table."),
            name,
            _("Download the data themselves, as an Excel workbook or as CSV."),
        )
    width = max(len(r) for r in largest)
    return grid_of([[*r, *[""] * (width - len(r))] for r in largest])


MOST_BYTES = 4 << 30
_SMALL = 1024  # bytes: more than the note a program leaves beside a workbook that is open
_OF_NO_SIZE = 1 << 20
# The mark that a name suggests.
_USUAL = {".csv": ",", ".tsv": "\t", ".tab": "\t"}


def load(path: Path, options: ReadingOptions) -> Run[FileCells]:
    """The cells of a file, or of several that are told one per line.

    Raises
    ------
    TapdeskError
        When the file is not there, cannot be opened, or holds no table that can be read.
    """
    paths = paths_of(path)
    if len(paths) > 1:
        return (yield from _load_several(paths, _load_one, options))
    one = yield from _load_one(path, options)
    return one if one.filled is None else (yield from _filled_in((path,), (one,), options))


def _filled_in(paths: Sequence[Path], loaded: Sequence[FileCells], options: ReadingOptions) -> Run[FileCells]:
    """The cells of rating sheets that were filled in, with those that stand beside the key to them."""
    from tapdesk.ratings.own.filled_sheets import PLANNED, collected  # late: few files are rating sheets

    files, grid, recalled, cells = yield from collected(paths, loaded, _load_one, options)
    names = name_list([p.name for p in files], 3)
    return FileCells(
        grid,
        cells[0].form,
        joint_digest(one.sha256 for one in cells),
        words=(_("Rating sheets and the key to them: {names}.").format(names=names),),
        recalled=recalled,
        answered=PLANNED,
        paths=files,
    )


def _load_one(path: Path, options: ReadingOptions) -> Run[FileCells]:
    """The cells of one file."""
    yield Step(0, 0, "read")
    raw = file_bytes(path)
    yield Step(0, 0, "read")
    kind = file_kind(raw, path.name)
    _used(options, kind)
    if kind.reader is Reader.TEXT:
        return (yield from _text(raw, path.name, options))
    if kind.reader is Reader.PAGE:
        return _page(raw, path.name, options)
    # Here and below: most files are text, and need none of this.
    if kind is FileKind.JSON:
        from tapdesk.ratings.formats.json_files import json_file

        return (yield from json_file(raw, path.name))
    if kind.reader is Reader.STATISTICS:
        from tapdesk.ratings.formats.statistics_files import statistics_file

        return (yield from statistics_file(raw, path.name, kind))
    from tapdesk.ratings.formats.workbooks import workbook

    loaded = yield from workbook(raw, path.name, kind, options)
    if path.suffix.lower() in FileKind.TEXT.suffixes:
        sentence = _("The file is a workbook (.{value}), whatever its name says.").format(value=kind.value)
        loaded = replace(loaded, findings=(note("another_kind", "", sentence), *loaded.findings))
    return loaded


def file_bytes(path: Path) -> bytes:
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
    except (OSError, ValueError) as problem:
        raise read_refusal(problem, path) from None


def read_refusal(problem: OSError | ValueError, path: Path) -> TapdeskError:
    """Why a file cannot be read, as a sentence, from what the system said."""
    if isinstance(problem, FileNotFoundError):
        return TapdeskError(_("There is no such file."), str(path), _("Check the name and the folder."))
    if isinstance(problem, PermissionError):
        return TapdeskError(
            _("The file may not be opened."),
            str(path),
            _("Close it in other programs, or copy it to a folder of yours."),
        )
    reason = getattr(problem, "strerror", None) or _("its name is not valid")
    return TapdeskError(
        _("The file cannot be read ({reason}).").format(reason=reason),
        str(path),
        _("Copy it to this computer and try again."),
    )


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


def _used(options: ReadingOptions, kind: FileKind) -> None:
    """Refuse options that mean nothing for a file, rather than passing over them."""
    table = {"sheet": options.sheet, "encoding": options.encoding, "delimiter": options.delimiter}
    for name, value in table.items():
        if value is not None and name not in kind.reader.value:
            raise UsageError(
                _("A .{value} file has no {name}, so --{name} cannot be used.").format(value=kind.value, name=name),
                fix=_("Leave the option out."),
            )


def _text(raw: bytes, name: str, options: ReadingOptions) -> Run[FileCells]:
    """Separated text; the first step carries its first rows."""
    yield Step(0, 0, "read", MappingProxyType({"first": first_rows(raw, options)}))
    text = decode(raw, name, options.encoding)
    yield Step(0, 0, "read")
    cells = yield from read_separated(text.data, name, options.delimiter)
    columns, unguarded = without_guards(cells.grid.columns)
    guessed = tuple(option for option, was in (("encoding", text.guessed), ("delimiter", cells.guessed)) if was)
    findings: list[Finding] = []
    suffix = Path(name).suffix.lower()
    if any(suffix in kind.suffixes for kind in FileKind if kind is not FileKind.TEXT):
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
        template = _("The apostrophe that keeps a text from being a formula was taken off (cells: {n:,}).")
        words.append(template.format(n=unguarded))
    return FileCells(
        replace(cells.grid, columns=columns),
        "tsv" if cells.delimiter == "\t" else "csv",
        hashlib.sha256(raw).hexdigest(),
        encoding=text.encoding,
        delimiter=cells.delimiter,
        guessed=guessed,
        words=tuple(words),
        findings=tuple(findings),
    )


def _page(raw: bytes, name: str, options: ReadingOptions) -> FileCells:
    """A web page, which some programs save under the name of a workbook."""
    text = decode(raw, name, options.encoding)
    message = _("The file is a web page, whatever its name says; its largest table is read.")
    return FileCells(
        html_grid(text.data.decode("utf-8"), name),
        FileKind.HTML.value,
        hashlib.sha256(raw).hexdigest(),
        encoding=text.encoding,
        findings=(note("web_page", "", message),),
    )
