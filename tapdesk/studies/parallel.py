"""Long studies: a run inside a run, and pieces of one in several processes; their number does not change the result."""

import math
import multiprocessing
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from types import MappingProxyType
from typing import Any, TypeVar, cast

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.processes import obey_the_system, start_quietly, told_apart
from tapdesk.progress import Run, Step, T, finish
from tapdesk.studies.checkpoint import FinishedPieces

Unit = TypeVar("Unit")
Result = TypeVar("Result")
_PATIENCE = 0.2
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def run_inside(run: Run[T], done: int, total: int, phase: str) -> Run[T]:
    """Drive an inner run, with the same step of the outer one at every sign of life, and return its result.

    So a long piece of work can be ended while it is under way, and a progress line does not jump.
    """
    while True:
        try:
            next(run)
        except StopIteration as end:
            result: T = end.value
            return result
        yield Step(done, total, phase)


def thin_steps(run: Run[T], seconds: float = 0.02) -> Run[T]:
    """Pass on a step now and then only: what comes after each of thousands of steps would take longer than they do."""
    said = -math.inf
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            result: T = end.value
            return result
        if time.monotonic() - said >= seconds:
            yield step
            said = time.monotonic()


def _fixed(found: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(found)


def _sendable(found: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    """A mapping that nobody can change goes to another process as what it is made from."""
    return _fixed, (dict(found),)


ForkingPickler.register(MappingProxyType, _sendable)


def in_parallel(
    work: Callable[[Unit], Run[Result]],
    units: Sequence[Unit],
    workers: int,
    phase: str = "study",
    kept: FinishedPieces | None = None,
) -> Run[tuple[Result, ...]]:
    """Run a piece of work on every unit and return the results in the order of the units.

    Processes are spawned, not forked, so that it goes the same way on every system and inside a bundle (whose main
    module calls ``multiprocessing.freeze_support``). Ending the run early ends the processes.

    Parameters
    ----------
    work
        From a unit to a run of its own; it and the units must be picklable when there are several workers.
    units
        The pieces.
    workers
        Number of processes; with 1, or a single unit, all is done here.
    phase
        Of the steps.
    kept
        Answers by the place of their unit: those that are there are taken over, and each that comes is put there.

    Yields
    ------
    Step
        ``done`` units of all, and once more every now and then, so that it can be ended at any time.

    Raises
    ------
    TapdeskError
        When a process is ended without an answer. What ``work`` raises is raised here as well.
    """
    total = len(units)
    found: dict[int, Result] = {} if kept is None else {i: kept[i] for i in range(total) if i in kept}
    left = [i for i in range(total) if i not in found]
    here = workers <= 1 or total <= 1
    answers = _one_by_one(work, units, left) if here else _shared(work, units, left, workers)
    try:
        for answer in answers:
            if isinstance(answer, Step):
                yield Step(len(found), total, phase)
                continue
            which, found[which] = answer
            if kept is not None:
                kept[which] = found[which]
            yield Step(len(found), total, phase)
    finally:
        answers.close()
    return tuple(found[i] for i in range(total))


def _one_by_one(
    work: Callable[[Unit], Run[Result]], units: Sequence[Unit], left: Sequence[int]
) -> Generator[Step | tuple[int, Result], None, None]:
    """The answers to what is left, worked out here; a step at every sign of life."""
    for i in left:
        answer = yield from work(units[i])
        yield i, answer


def _shared(
    work: Callable[[Unit], Run[Result]], units: Sequence[Unit], left: Sequence[int], workers: int
) -> Generator[Step | tuple[int, Result], None, None]:
    """The answers to what is left as they come from several processes; a step every now and then."""
    crew: dict[Connection, SpawnProcess] = {}
    try:
        for _turn in range(min(workers, len(left))):
            here, process = _started(work)
            crew[here] = process
        waiting = iter(left)
        for here, i in zip(crew, waiting, strict=False):
            _sent((i, units[i]), here, crew)
        done = 0
        while done < len(left):
            for ready in wait(list(crew), _PATIENCE):
                line = cast("Connection", ready)
                answer = _received(line, crew)
                done += 1
                following = next(waiting, None)
                if following is not None:
                    _sent((following, units[following]), line, crew)
                yield answer
            yield Step(done, len(left), "study")
    finally:
        _ended(crew)


def _started(work: Callable[[Unit], Run[Result]]) -> tuple[Connection, SpawnProcess]:
    """A process with a line of its own to it: nothing is shared, so ending one can never block another."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, work), daemon=True)
    with _one_thread():
        start_quietly(process)
    # Only the process itself keeps its end, so that its death is seen as the end of the line.
    there.close()
    return here, process


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes started inside use one thread each for linear algebra: more would only wait for each other."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _sent(piece: tuple[int, Any], here: Connection, crew: dict[Connection, SpawnProcess]) -> None:
    """Give a process its next piece."""
    try:
        here.send(piece)
    except OSError:
        raise _gone(crew[here]) from None


def _received(here: Connection, crew: dict[Connection, SpawnProcess]) -> tuple[int, Any]:
    """The next answer of a process."""
    try:
        i, answer, error = here.recv()
    except (EOFError, OSError):
        raise _gone(crew[here]) from None
    if error is not None:
        raise error
    return i, answer


def _gone(process: SpawnProcess) -> TapdeskError:
    """What is said of a process that is no longer there."""
    process.join(1)
    return TapdeskError(
        _("A process of the study was ended before it had answered (exit code {exitcode}).").format(
            exitcode=process.exitcode
        ),
        fix=_("Start the study again; if that happens once more, use fewer processes, as memory may be short."),
    )


def _ended(crew: dict[Connection, SpawnProcess]) -> None:
    """End all processes, whatever they are doing."""
    for here, process in crew.items():
        here.close()
        process.kill()
    for process in crew.values():
        process.join()
        process.close()


def _serve(there: Connection, work: Callable[[Any], Run[Any]]) -> None:
    """What a process does: work on what it is sent until the line is cut."""
    obey_the_system()
    # An error of the line says that the process that started the study is gone.
    with suppress(EOFError, OSError):
        while True:
            i, unit = there.recv()
            try:
                answer = finish(work(unit))
            except Exception as raised:
                # It is raised where the study was started; here there is nobody to read it.
                there.send((i, None, told_apart(raised)))
                raise SystemExit(1) from raised
            there.send((i, answer, None))
