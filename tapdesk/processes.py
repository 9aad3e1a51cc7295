"""Starting processes that share the work: they write nothing to the terminal, and Ctrl-C is not for them."""

import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess

_SIGNALS = {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}
_ENDING = _SIGNALS - {signal.SIGINT}


def start_quietly(process: BaseProcess) -> None:
    """Start a spawned process.

    No signal reaches this process half way through, and the new one begins deaf to all: a Ctrl-C is for the one who
    answers the user. What the new one would print is dropped, as Python prints a traceback where it cannot even start.

    Parameters
    ----------
    process
        Not started yet; what it runs should begin with `obey_the_system`. It is ended with ``kill``.
    """
    with _deaf(), _without_terminal():
        process.start()


def obey_the_system() -> None:
    """In a process started by `start_quietly`: a request to end it is heard again, that of the keyboard is not."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def told_apart(error: BaseException) -> BaseException:
    """An exception that can be sent to another process, with the place where it was raised as a note."""
    error.add_note("".join(traceback.format_exception(error)))
    return error


@contextmanager
def _deaf() -> Iterator[None]:
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # It is started with the first process, and hears signals again when it has been.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_terminal() -> Iterator[None]:
    """Processes started inside have no standard error; for that moment this one has none either."""
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
