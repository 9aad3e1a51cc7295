"""What the commands write: every output option is declared here, and looked at before any work is done."""

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapdesk.cli.options import options_of
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.project.files.outputs import OutputKind, OutputMark, Outputs, expected_mark, refuse_twice
from tapdesk.project.files.recognition import SUFFIX, is_project
from tapdesk.ratings.formats.files import paths_of
from tapdesk.version import VERSION

if TYPE_CHECKING:
    # Loaded with the study that is resumed, not with the program.
    from tapdesk.studies.parallel import Checkpoint

STANDARD_OUTPUT = {None, "", "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}
# What a command reads, by the name of its option or argument.
INPUTS = ("notes", "file", "other", "compare", "pdf", "project", "logo")
# The files of `selftest`, which it writes into one folder.
SELFTEST = {
    "ratings.xlsx": OutputMark(OutputKind.RATINGS, "xlsx"),
    "ratings.sav": OutputMark(OutputKind.RATINGS, "sav"),
    **{f"figure.{form}": OutputMark(OutputKind.FIGURE, form) for form in ("svg", "png", "pdf")},
    **{f"report.{form}": OutputMark(OutputKind.REPORT, form) for form in ("pdf", "xlsx", "html")},
    f"selftest{SUFFIX}": OutputMark(OutputKind.PROJECT, "tapdesk"),
}


@dataclass(frozen=True, slots=True)
class OutputFile:
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
    mark: OutputMark | None
    sure: bool = True


OutputFiles = Iterator[OutputFile]


def permitted_outputs(args: argparse.Namespace) -> Outputs:
    """What a command may write: over nothing that it reads, and over files that are not ours only with --force."""
    given = [value for name in INPUTS if (value := getattr(args, name, None))]
    named = [Path(path) for value in given for path in ([value] if isinstance(value, str) else value)]
    sources = tuple(source for one in named for source in _sources(one))
    return Outputs(tuple(named), sources, args.force)


def refuse_outputs(args: argparse.Namespace) -> None:
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
    may = permitted_outputs(args)
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
    from tapdesk.project.files.file import load  # what reads a project comes with a project

    del changed_at, size
    reading = load(path).reading
    return () if reading is None or reading.source.path is None else paths_of(reading.source.path)


def _json(args: argparse.Namespace) -> OutputFiles:
    if args.json == "":
        raise UsageError("There is no name after --json=.", fix="Write --json to print, --json=PATH to write.")
    if args.json not in STANDARD_OUTPUT:
        yield OutputFile(Path(args.json), OutputMark(OutputKind.ANSWER, "json"))


def _nothing(args: argparse.Namespace) -> OutputFiles:
    del args
    yield from ()


def _simulate(args: argparse.Namespace) -> OutputFiles:
    for name in (args.output, args.truth_out):
        if name not in STANDARD_OUTPUT:
            yield OutputFile(Path(name), None)


def _study(args: argparse.Namespace) -> OutputFiles:
    from tapdesk.papers.catalog import REPRODUCTIONS

    if args.kind == "paper" and args.figure == "all" and args.output not in STANDARD_OUTPUT:
        files = {f"{row.name}.png": OutputMark(OutputKind.FIGURE, "png") for row in REPRODUCTIONS}
        yield from _inside(Path(args.output), files | {"README.md": OutputMark(OutputKind.PAGE, "md")})
        return
    for name in (args.output, args.picture):
        if name not in STANDARD_OUTPUT:
            yield OutputFile(Path(name), expected_mark(OutputKind.FIGURE, Path(name)))
    if args.resume and args.output not in STANDARD_OUTPUT:
        # What is finished of this very study may stand there: what it is, is looked at where it is opened.
        yield OutputFile(Path(f"{args.output}.unfinished"), None, sure=False)


def _report(args: argparse.Namespace) -> OutputFiles:
    path = Path(args.output)
    one = path.suffix.lower() not in {".png", ".csv"} or args.page is not None
    yield OutputFile(path, expected_mark(OutputKind.REPORT, path), sure=one and not args.each)
    if args.appendix:
        # What it is, is its own name's business: refused where no report can be called so.
        appendix = Path(args.appendix)
        yield OutputFile(appendix, expected_mark(OutputKind.REPORT, appendix), sure=True)
    if args.save_project:
        yield OutputFile(Path(args.save_project), OutputMark(OutputKind.PROJECT, "tapdesk"))


def _letters(args: argparse.Namespace) -> OutputFiles:
    # How the letters are called is known when the raters are.
    yield OutputFile(Path(args.output), None, sure=False)


def _figure(args: argparse.Namespace) -> OutputFiles:
    if args.output and args.kind != "list":
        yield OutputFile(Path(args.output), expected_mark(OutputKind.FIGURE, Path(args.output)))


def _export(args: argparse.Namespace) -> OutputFiles:
    from tapdesk.report.cleaned import outputs_of, refuse_suffix

    path = Path(args.output)
    refuse_suffix(path)
    for place in outputs_of(path):
        yield OutputFile(place, expected_mark(OutputKind.RATINGS, place))


def _awards(args: argparse.Namespace) -> OutputFiles:
    if args.output:
        from tapdesk.report.award_list import refuse_suffix

        refuse_suffix(Path(args.output))
        yield OutputFile(Path(args.output), expected_mark(OutputKind.AWARDS, Path(args.output)))
    yield from _fit(args)


def _fit(args: argparse.Namespace) -> OutputFiles:
    if args.worklist:
        yield OutputFile(Path(args.worklist), expected_mark(OutputKind.SHEETS, Path(args.worklist)))


def _sheets(args: argparse.Namespace) -> OutputFiles:
    # How the copies are called is known when the raters are.
    yield OutputFile(Path(args.output), expected_mark(OutputKind.SHEETS, Path(args.output)))


def _selftest(args: argparse.Namespace) -> OutputFiles:
    if args.output:
        yield from _inside(Path(args.output), SELFTEST)


def _dossier(args: argparse.Namespace) -> OutputFiles:
    path = Path(args.output)
    if path.suffix.lower() != ".pdf":
        raise UsageError(f"A dossier cannot be written as '{path.suffix}'.", fix="Use a name that ends in .pdf.")
    yield OutputFile(path, OutputMark(OutputKind.DOSSIER, "pdf"))


def _inside(folder: Path, files: Mapping[str, OutputMark]) -> OutputFiles:
    """The files that are written into a folder, which may have to be made first."""
    yield from (OutputFile(folder / name, mark, sure=folder.exists()) for name, mark in files.items())


def _questions(args: argparse.Namespace) -> OutputFiles:
    if args.resume and args.json not in STANDARD_OUTPUT:
        yield OutputFile(Path(f"{args.json}.unfinished"), None, sure=False)


OUTPUTS: Mapping[str, Callable[[argparse.Namespace], OutputFiles]] = {
    "simulate": _simulate,
    "questions": _questions,
    "study": _study,
    "report": _report,
    "letters": _letters,
    "figure": _figure,
    "export": _export,
    "awards": _awards,
    "fit": _fit,
    "sheets": _sheets,
    "dossier": _dossier,
    "selftest": _selftest,
}


# What has no bearing on the numbers.
_ELSE = frozenset({"json", "debug", "workers", "output", "picture", "resume", "file", "force"})


@contextmanager
def resumable_pieces(args: argparse.Namespace) -> "Iterator[Checkpoint | None]":
    """What is finished of a study, kept beside its table until the table is there; None unless asked for.

    Raises
    ------
    UsageError
        When the study is not made in pieces, or has no file for its table, or the pieces are of another study.
    """
    if not args.resume:
        yield None
        return
    with going_on(_place(args), _options_of(args)) as pieces:
        yield pieces


@contextmanager
def going_on(place: Path, asked: Mapping[str, Any]) -> "Iterator[Checkpoint]":
    """Finished pieces in a file until all of them are there; what is interrupted says where they are.

    Raises
    ------
    UsageError
        When the file is of something else.
    """
    from tapdesk.studies.parallel import Checkpoint

    with Checkpoint(place, {"tapdesk": VERSION, **asked}) as pieces:
        if pieces.known:
            sys.stderr.write(f"Going on from {pieces.known:,} finished {_pieces(pieces.known)} in {place}.\n")
        try:
            yield pieces
        except (KeyboardInterrupt, TapdeskError):
            if len(pieces):
                sys.stderr.write(
                    f"Finished so far: {len(pieces):,} {_pieces(len(pieces))}, kept in {place}. The same command goes "
                    "on from there.\n"
                )
            else:
                pieces.remove()
            raise
    # The table is written by then.
    pieces.remove()


def _pieces(count: int) -> str:
    return "piece" if count == 1 else "pieces"


def _place(args: argparse.Namespace) -> Path:
    """The file of the pieces: beside the table."""
    from tapdesk.papers.catalog import reproduction

    if args.kind == "paper" and args.figure in {None, "list"}:
        raise UsageError("The list of figures is there at once.", fix="Leave out --resume.")
    if args.kind == "paper" and args.figure != "all" and not reproduction(args.figure).pieces:
        raise UsageError(
            f"The figure '{args.figure}' takes a few seconds and is not made in pieces, so it cannot be gone on with.",
            fix="Leave out --resume.",
        )
    if args.output in STANDARD_OUTPUT:
        raise UsageError("To go on later, the study needs a file for its table.", fix="Name it with -o, as OUT.csv.")
    if args.kind == "paper" and args.figure == "all":
        return Path(args.output) / "figures.unfinished"
    return Path(f"{args.output}.unfinished")


def _options_of(args: argparse.Namespace) -> dict[str, Any]:
    """Everything the numbers follow from."""
    keys = sorted({row.key for row in options_of(args.cell)} - _ELSE)
    by_key: dict[str, Any] = {"study": args.kind, **{key: getattr(args, key) for key in keys}}
    if args.file:
        path = Path(args.file)
        by_key["ratings"] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else args.file
    return by_key
