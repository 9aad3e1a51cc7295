"""``tapdesk``: without arguments or with a file the window, with a command the headless program."""

import io
import multiprocessing
import os
import sys
from collections.abc import Sequence
from pathlib import Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the program and return its exit status."""
    # In the bundle the processes that open workbooks and share studies are this program as well: they part here.
    multiprocessing.freeze_support()
    # OpenBLAS reads this when numpy is first loaded. The vectors here are short: threads would cost more than they
    # compute, take the core the window needs, and make last digits depend on how many cores there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _give_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or (len(given) == 1 and _is_file(given[0])):
        return _window(given)
    from tapdesk.cli.main import main as headless  # late: the window does not need it at start-up

    return headless(given)


def _give_streams() -> None:
    """On Windows a program with a window has no standard streams; what is written there goes nowhere, not wrong."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8"))


def _is_file(argument: str) -> bool:
    """Whether a lone argument means a file to open: neither an option nor, misspelt or not, a command."""
    return not argument.startswith("-") and (
        argument.startswith("sample:") or "." in Path(argument).name or Path(argument).exists()
    )


def _window(given: list[str]) -> int:
    from tapdesk.gui.app import run  # late: everything else works without Qt

    return int(run(given))


if __name__ == "__main__":
    sys.exit(main())
