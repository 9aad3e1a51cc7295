"""What the commands write: every output option is declared here, and looked at before any work is done."""

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.project.files.file import SUFFIX, is_project, load
from tapdesk.project.files.marks import Kind, Mark
from tapdesk.project.files.outputs import Outputs, expected, refuse_twice
from tapdesk.ratings.formats.several import paths_of

STANDARD_OUTPUT = {None, "", "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
# What a command reads, by the name of its option or argument.
INPUTS = ("file", "pdf", "project", "logo")
# The files of `selftest`, which it writes into one folder.
SELFTEST = {
    "ratings.xlsx": Mark(Kind.RATINGS, "xlsx"),
    "ratings.sav": Mark(Kind.RATINGS, "sav"),
    **{f"figure.{form}": Mark(Kind.FIGURE, form) for form in ("svg", "png", "pdf")},
    **{f"report.{form}": Mark(Kind.REPORT, form) for form in ("pdf", "xlsx", "html")},
    f"selftest{SUFFIX}": Mark(Kind.PROJECT, "tapdesk"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A file that a command writes.

    Attributes
    ----------
    path
        As it was named.
    mark
        What the file will say of itself; None where it cannot.
    sure
        Whether just this file is written; else only how the names of several begin, or its folder is yet to be made.
    """

    path: Path
    mark: Mark | None
    sure: bool = True


Places = Iterator[Place]


def permitted(args: argparse.Namespace) -> Outputs:
    """What a command may write: over nothing that it reads, and over files that are not ours only with --force."""
    named = [Path(value) for name in INPUTS if (value := getattr(args, name, None))]
    sources = tuple(source for one in named for source in _sources(one))
    return Outputs(tuple(named), sources, args.force)


def looked_over(args: argparse.Namespace) -> None:
    """Refuse places that may not be written, before any work is done.

    Raises
    ------
    UsageError
        When an output is an input, stands in the way, is named twice, or there is none and --force is given.
    TapdeskError
        When nothing can be written there.
    """
    places = [*_json(args), *OUTPUTS.get(args.command, _nothing)(args)]
    if not places:
        if args.force:
            raise UsageError("Nothing is written, so there is nothing to replace.", fix="Leave out --force.")
        return
    refuse_twice(place.path for place in places)
    may = permitted(args)
    for place in places:
        if place.sure:
            may.refuse(place.path, place.mark)
        else:
            may.refuse_inputs(place.path)


def _sources(path: Path) -> tuple[Path, ...]:
    """The files that a project was made from; none of what is no project, or cannot be read."""
    try:
        if not path.is_file() or not is_project(path):
            return ()
        seen = path.stat()
        return _recorded(path, seen.st_mtime_ns, seen.st_size)
    except (OSError, TapdeskError, ValueError):
        # The command itself says what is the matter with it.
        return ()


@lru_cache(maxsize=8)
def _recorded(path: Path, changed_at: int, size: int) -> tuple[Path, ...]:
    """The files a project was made from, as long as it is the same file."""
    del changed_at, size
    reading = load(path).reading
    return () if reading is None or reading.source.path is None else paths_of(reading.source.path)


def _json(args: argparse.Namespace) -> Places:
    if args.json == "":
        raise UsageError("There is no name after --json=.", fix="Write --json to print, --json=PATH to write.")
    if args.json not in STANDARD_OUTPUT:
        yield Place(Path(args.json), Mark(Kind.ANSWER, "json"))


def _nothing(args: argparse.Namespace) -> Places:
    del args
    yield from ()


def _simulate(args: argparse.Namespace) -> Places:
    for name in (args.output, args.truth_out):
        if name not in STANDARD_OUTPUT:
            yield Place(Path(name), None)


def _study(args: argparse.Namespace) -> Places:
    from tapdesk.papers.catalog import REPRODUCTIONS

    if args.kind == "paper" and args.figure == "all" and args.output not in STANDARD_OUTPUT:
        files = {f"{row.name}.png": Mark(Kind.FIGURE, "png") for row in REPRODUCTIONS}
        yield from _inside(Path(args.output), files | {"README.md": Mark(Kind.PAGE, "md")})
        return
    for name in (args.output, args.picture):
        if name not in STANDARD_OUTPUT:
            yield Place(Path(name), expected(Kind.FIGURE, Path(name)))
    if args.resume and args.output not in STANDARD_OUTPUT:
        # What is finished of this very study may stand there: what it is, is looked at where it is opened.
        yield Place(Path(f"{args.output}.unfinished"), None, sure=False)


def _report(args: argparse.Namespace) -> Places:
    path = Path(args.output)
    yield Place(path, expected(Kind.REPORT, path), sure=not args.each and path.suffix.lower() != ".png")
    if args.save_project:
        yield Place(Path(args.save_project), Mark(Kind.PROJECT, "tapdesk"))


def _figure(args: argparse.Namespace) -> Places:
    if args.output and args.kind != "list":
        yield Place(Path(args.output), expected(Kind.FIGURE, Path(args.output)))


def _selftest(args: argparse.Namespace) -> Places:
    if args.output:
        yield from _inside(Path(args.output), SELFTEST)


def _inside(folder: Path, files: Mapping[str, Mark]) -> Places:
    """The files that are written into a folder, which may have to be made first."""
    yield from (Place(folder / name, mark, sure=folder.exists()) for name, mark in files.items())


OUTPUTS: Mapping[str, Callable[[argparse.Namespace], Places]] = {
    "simulate": _simulate,
    "study": _study,
    "report": _report,
    "figure": _figure,
    "selftest": _selftest,
}
