"""Long studies that were stopped go on from what was finished: ``study … -o OUT.csv --resume``."""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tapdesk.cli.options import options_of
from tapdesk.cli.outputs import STANDARD_OUTPUT
from tapdesk.errors import TapdeskError, UsageError
from tapdesk.papers.catalog import reproduction
from tapdesk.studies.checkpoint import Checkpoint
from tapdesk.version import VERSION

# What has no bearing on the numbers.
_ELSE = frozenset({"json", "debug", "workers", "output", "picture", "resume", "file", "force"})


@contextmanager
def resuming(args: argparse.Namespace) -> Iterator[Checkpoint | None]:
    """What is finished of a study, kept beside its table until the table is there; None unless asked for.

    Raises
    ------
    UsageError
        When the study is not made in pieces, or has no file for its table, or the pieces are of another study.
    """
    if not args.resume:
        yield None
        return
    place = _place(args)
    with Checkpoint(place, {"tapdesk": VERSION, **_asked(args)}) as pieces:
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


def _asked(args: argparse.Namespace) -> dict[str, Any]:
    """Everything the numbers follow from."""
    keys = sorted({row.key for row in options_of(args.cell)} - _ELSE)
    asked: dict[str, Any] = {"study": args.kind, **{key: getattr(args, key) for key in keys}}
    if args.file:
        path = Path(args.file)
        asked["ratings"] = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else args.file
    return asked
