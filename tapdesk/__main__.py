"""``tapdesk``: without arguments or with a file the window, with a command the headless program."""

import os
import sys

try:
    import warnings
    from collections.abc import Sequence
    from pathlib import Path
    from types import ModuleType

    from tapdesk.cli import first_page, stopping
except KeyboardInterrupt:
    # Ctrl-C before the program knows what that means to it.
    os.write(2, b"tapdesk: stopped.\n")
    os._exit(130)

_LEAST_MEMORY = 290 << 20
"""Bytes of address space that loading takes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Start the program and return its exit status."""
    if arguments is None:
        # Before anything is loaded: that takes half a second, in which a signal may come as well.
        stopping.stop_at_once()
        if first_page.write_first_page(sys.argv[1:]):
            return 0
    import multiprocessing

    # In the bundle the processes that open workbooks and share studies are this program as well: they part here.
    multiprocessing.freeze_support()
    # OpenBLAS reads this when numpy is first loaded. The vectors here are short: threads would cost more than they
    # compute, take the core the window needs, and make last digits depend on how many cores there are.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # The rest is loaded late: the window does not need the commands, and everything else works without Qt.
    if arguments is None:
        from tapdesk.cli.terminal import claim_streams

        claim_streams()
        # What a library remarks on while it computes is for those who write programs.
        warnings.simplefilter("default" if "--debug" in sys.argv else "ignore")
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        _refuse_too_little_memory()
        if not given or (len(given) == 1 and _is_file(given[0])):
            return _window(given)
        _load_scipy()
        from tapdesk.cli.main import main as headless
    except (ImportError, MemoryError) as problem:
        return _not_loaded(problem, given)
    return headless(given)


def _is_file(argument: str) -> bool:
    """Whether a lone argument means a file to open: neither an option nor, misspelt or not, a command."""
    if argument.startswith("-"):
        return False
    return argument.startswith("sample:") or "." in Path(argument).name or _exists(argument)


def _exists(argument: str) -> bool:
    try:
        return Path(argument).exists()
    except OSError:
        # A name that no file can have.
        return False


def _window(given: list[str]) -> int:
    from tapdesk.gui.app import run

    stopping.leave_to_system()
    return int(run(given))


def _refuse_too_little_memory() -> None:
    """Where the system allows too little, the libraries would hang or end the program in words of their own.

    Raises
    ------
    MemoryError
        When they could not be loaded.
    """
    if sys.platform != "win32":
        import resource

        allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
        if allowed != resource.RLIM_INFINITY and allowed < _LEAST_MEMORY:
            raise MemoryError


def _load_scipy() -> ModuleType:
    """Load and return what every command computes with, without what scipy would load beside it.

    It copies all that numpy offers, by name. Two of the names stand for a translator of Fortran and a library of tests,
    which numpy loads when it is asked for them: that takes longer than all the rest, and nothing here needs them.
    """
    import numpy as np

    offered, names = np.__dir__, np.__all__
    unneeded = {"f2py", "testing"}
    vars(np).update(
        __all__=[name for name in names if name not in unneeded],
        __dir__=lambda: [name for name in offered() if name not in unneeded],
    )
    try:
        import scipy.special

        return scipy.special
    finally:
        vars(np).update(__all__=names, __dir__=offered)


def _not_loaded(problem: ImportError | MemoryError, given: Sequence[str]) -> int:
    """One sentence, and its exit status, where a part of the program cannot be loaded."""
    from tapdesk.errors import explanation

    error = explanation(problem)
    if error is None or "--debug" in given:
        raise problem
    sys.stderr.write(f"tapdesk: {error}\n")
    return error.exit_status


if __name__ == "__main__":
    sys.exit(main())
