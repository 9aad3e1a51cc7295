"""Pieces of one long study in several processes; the result does not depend on how many there are."""

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Sequence
from typing import TypeVar

from tapdesk.progress import Run, Step

Unit = TypeVar("Unit")
Result = TypeVar("Result")

_PATIENCE = 0.2


def in_parallel(
    work: Callable[[Unit], Result], units: Sequence[Unit], workers: int, phase: str = "study"
) -> Run[tuple[Result, ...]]:
    """Apply a function to every unit and return the results in the order of the units.

    Processes are spawned, not forked, so that it goes the same way on every system and inside a bundle (whose main
    module calls ``multiprocessing.freeze_support``). Ending the run early ends the processes.

    Parameters
    ----------
    work
        A function of a module; it and the units must be picklable when there are several workers.
    units
        The pieces.
    workers
        Number of processes; with 1, or a single unit, all is done here.
    phase
        Of the steps.

    Yields
    ------
    Step
        ``done`` units of all, and once more every now and then while waiting, so that it can be ended.
    """
    total = len(units)
    if workers <= 1 or total <= 1:
        found = []
        for i, unit in enumerate(units):
            found.append(work(unit))
            yield Step(i + 1, total, phase)
        return tuple(found)
    pool = multiprocessing.get_context("spawn").Pool(min(workers, total), initializer=_quiet)
    found = []
    try:
        answers = pool.imap(work, units)
        while len(found) < total:
            with contextlib.suppress(multiprocessing.TimeoutError):
                found.append(answers.next(timeout=_PATIENCE))
            yield Step(len(found), total, phase)
    finally:
        # After a full run nothing is running any more; after an early end nothing is wanted any more.
        pool.terminate()
        pool.join()
    return tuple(found)


def _quiet() -> None:
    """Leave an interrupt from the keyboard to the process that started the study."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
