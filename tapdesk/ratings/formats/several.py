"""Several files of one shape as one table, a file for each rater."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.findings import ask, listed, quoted
from tapdesk.ratings.formats.loaded import Loaded, Piece
from tapdesk.ratings.grid import Column, Grid, column_of
from tapdesk.ratings.layouts.header_words import RATER_ANYWHERE
from tapdesk.ratings.layouts.roles import is_called, is_rater_column
from tapdesk.ratings.options import ReadingOptions

BETWEEN = "\n"
"""Between the paths of files that are read as one; no name of a file that a program writes holds it."""
STACKED = "Rater (file)"
FILE = "File"
MOST = 500


def paths_of(place: Path) -> tuple[Path, ...]:
    """The files a place stands for: itself, or those told one per line."""
    return tuple(Path(one) for one in str(place).split(BETWEEN) if one)


def name_of(place: Path) -> str:
    """What to call a place in a sentence: ``Ana.csv, Ben.csv and 3 more``."""
    return listed([path.name for path in paths_of(place)], 3)


def joint(digests: Iterable[str]) -> str:
    """The SHA-256 of several files that are read as one, from those of each; of one file its own."""
    each = tuple(digests)
    return each[0] if len(each) == 1 else hashlib.sha256("".join(each).encode()).hexdigest()


def several(
    paths: Sequence[Path], load: Callable[[Path, ReadingOptions], Run[Loaded]], options: ReadingOptions
) -> Run[Loaded]:
    """The cells of several files below one another, the first with its header, with a further column for the file.

    Raises
    ------
    TapdeskError
        When one cannot be read, or they do not have the same columns.
    """
    if len(paths) > MOST:
        raise TapdeskError(
            _("{paths:,} files are too many; at most {most} are read as one.").format(paths=len(paths), most=MOST),
            fix=_("Choose fewer."),
        )
    loaded: list[Loaded] = []
    for path in paths:
        loaded += [(yield from load(path, options))]
    heads = [_head(one.grid) for one in loaded]
    for path, head in zip(paths, heads, strict=True):
        if head != heads[0]:
            raise TapdeskError(
                _("The files do not have the same columns: {first} has {heads}, {other} has {head}.").format(
                    first=Label(paths[0].name), heads=quoted(heads[0], 8), other=Label(path.name), head=quoted(head, 8)
                ),
                path.name,
                _("Give all files the same header row, or open them one by one."),
            )
    names = _short(paths)
    one_each = 2 <= len(heads[0]) <= 3 and not any(is_called(h, RATER_ANYWHERE) or is_rater_column(h) for h in heads[0])
    grid = _stacked([one.grid for one in loaded], names, STACKED if one_each else FILE)
    if one_each:
        default = _("They are stacked, and the name of the file is the rater; rows are counted through all files.")
    else:
        default = _("They are stacked, and a further column names the file; rows are counted through all files.")
    found = ask(
        "files_stacked",
        f"files {quoted([p.name for p in paths])}",
        _("{paths} files with the same columns are read as one.").format(paths=len(paths)),
        _("If they are something else, open them one by one."),
        default,
    )
    first = loaded[0]
    return Loaded(
        grid,
        first.form,
        joint(one.sha256 for one in loaded),
        encoding=first.encoding,
        delimiter=first.delimiter,
        guessed=first.guessed,
        words=(
            _("{n} files are stacked: {names}.").format(n=len(paths), names=listed([p.name for p in paths], 3)),
            *first.words,
        ),
        findings=(found, *(f for one in loaded for f in one.findings)),
        pieces=tuple(_piece(one.grid, name) for one, name in zip(loaded, names, strict=True)),
    )


def _piece(grid: Grid, name: str) -> Piece:
    """A file as it was opened, for the account of what is read of it."""
    return Piece(name, grid.row(0), tuple(Column(c.codes[1:], c.values) for c in grid.columns))


def _head(grid: Grid) -> tuple[str, ...]:
    return tuple(t.strip() for t in grid.row(0) if t.strip()) if grid.rows else ()


def _short(paths: Sequence[Path]) -> list[str]:
    """Names of the files without their endings, where that leaves them different; else with their folders."""
    for names in ([p.stem for p in paths], [p.name for p in paths], [f"{p.parent.name}/{p.name}" for p in paths]):
        if len(set(names)) == len(names):
            return names
    return [f"{i + 1} {p.name}" for i, p in enumerate(paths)]


def _stacked(grids: Sequence[Grid], names: Sequence[str], title: str) -> Grid:
    width = max(len(g.columns) for g in grids)
    pieces: list[list[str]] = [[] for _rest in range(width + 1)]
    for number, (grid, name) in enumerate(zip(grids, names, strict=True)):
        start = 1 if number else 0
        for index, column in enumerate(grid.columns):
            pieces[index] += [column.values[c] for c in column.codes[start:]]
        for index in range(len(grid.columns), width):
            pieces[index] += [""] * (grid.rows - start)
        pieces[width] += ([title] if not number else []) + [name] * (grid.rows - 1)
    return Grid(tuple(column_of(p) for p in pieces), len(pieces[0]))
