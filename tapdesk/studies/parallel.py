"""Long studies: a run inside a run, pieces of one in several processes, and what is finished kept to go on with later.

Neither the number of processes nor an interruption changes the result.
"""

import json
import math
import multiprocessing
import os
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Any, Protocol, Self, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.language import gettext as _
from tapdesk.processes import obey_the_system, start_quietly, told_apart
from tapdesk.progress import Run, Step, T, finish


class FinishedPieces(Protocol):
    """Answers by the place of their piece; a dictionary is one."""

    def __contains__(self, place: object, /) -> bool:
        """Whether that piece is finished."""
        ...

    def __getitem__(self, place: int, /) -> Any:
        """Its answer."""
        ...

    def __setitem__(self, place: int, answer: Any, /) -> None:
        """Keep an answer."""
        ...


class Checkpoint:
    """Answers kept in a file while a study runs: a line of JSON for what was asked, and one for each piece.

    Every line is on the disk before the next piece is waited for, so that whatever ends the study, what was finished
    is there. Answers are plain values: numbers keep all their digits, lists come back as tuples.

    Parameters
    ----------
    place
        The file; it need not exist.
    asked
        Everything the answers follow from, plain values by name.

    Raises
    ------
    UsageError
        When the file is of another study.
    TapdeskError
        When it cannot be read or written.
    """

    def __init__(self, place: Path, asked: Mapping[str, Any]) -> None:
        self.place = place
        self._head = json.dumps({"asked": dict(asked)}).encode()
        self._request = json.loads(self._head)["asked"]
        self._answers: dict[int, Any] = {}
        self._out: IO[bytes] | None = None
        whole = self._read() if place.exists() else 0
        self.known = len(self._answers)
        try:
            self._out = place.open("r+b" if whole else "wb")
            # A line that was cut off while it was written is written anew.
            self._out.truncate(whole)
            self._out.seek(whole)
            if not whole:
                self._write(self._head)
        except (OSError, TapdeskError) as error:
            self._give_up(whole)
            if isinstance(error, TapdeskError):
                raise
            raise TapdeskError(
                _("What is finished cannot be kept in {place}: {strerror}.").format(
                    place=place, strerror=error.strerror
                ),
                fix=_("Choose another place with -o."),
            ) from error

    def _give_up(self, whole: int) -> None:
        """Close the file that cannot be written; one that holds nothing yet is not left behind."""
        if self._out is not None:
            with suppress(OSError):
                self.__exit__(None, None, None)
            if not whole:
                with suppress(OSError):
                    self.place.unlink()

    def _read(self) -> int:
        """Take over what the file holds; how many bytes of it are whole lines."""
        another = UsageError(
            _("{place} was left by a study that was asked otherwise.").format(place=self.place),
            fix=_("Ask for the same again, or name another file with -o; without that study's file it cannot go on."),
        )
        try:
            *lines, rest = self.place.read_bytes().split(b"\n")
            sentences = [json.loads(line) for line in lines]
            if not sentences and self._head.startswith(rest):
                return 0
            if not sentences or sentences[0]["asked"] != self._request:
                raise another
            self._answers = {int(row["piece"]): _tuples(row["answer"]) for row in sentences[1:]}
        except (ValueError, KeyError, TypeError) as error:
            raise another from error
        except OSError as error:
            raise TapdeskError(
                _("{place} cannot be read: {strerror}.").format(place=self.place, strerror=error.strerror),
                fix=_("Choose another place."),
            ) from error
        return sum(len(line) + 1 for line in lines)

    def _write(self, line: bytes) -> None:
        if self._out is None:
            raise ValueError("the file of finished pieces is closed")
        try:
            self._out.write(line + b"\n")
            self._out.flush()
            os.fsync(self._out.fileno())
        except OSError as error:
            raise TapdeskError(
                _("What is finished cannot be kept in {place}: {strerror}.").format(
                    place=self.place, strerror=error.strerror
                ),
                fix=_("Make room on the disk, then start the same study again: it goes on from there."),
            ) from error

    def __contains__(self, place: object, /) -> bool:
        """Whether that piece is finished."""
        return place in self._answers

    def __getitem__(self, place: int, /) -> Any:
        """Its answer."""
        return self._answers[place]

    def __setitem__(self, place: int, answer: Any, /) -> None:
        """Keep an answer."""
        self._write(json.dumps({"piece": place, "answer": answer}).encode())
        self._answers[place] = answer

    def __len__(self) -> int:
        """How many pieces are finished."""
        return len(self._answers)

    def __enter__(self) -> Self:
        """Itself; the file is closed at the end, and stays."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        if self._out is not None:
            out, self._out = self._out, None
            out.close()

    def remove(self) -> None:
        """The study is finished: the file is no longer needed."""
        # Left behind, it would be taken up by the same study and by no other.
        with suppress(OSError):
            self.__exit__(None, None, None)
            self.place.unlink(missing_ok=True)


def _tuples(words: Any) -> Any:
    """Lists as the tuples they were."""
    return tuple(map(_tuples, words)) if isinstance(words, list) else words


Unit = TypeVar("Unit")
Result = TypeVar("Result")
K = TypeVar("K")
Part = TypeVar("Part")
_PATIENCE = 0.2
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def thin_steps(run: Run[T], seconds: float = 0.02) -> Run[T]:
    """Pass on a step now and then only: what comes after each of thousands of steps would take longer than they do."""
    sentence = -math.inf
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            result: T = end.value
            return result
        if time.monotonic() - sentence >= seconds:
            yield step
            sentence = time.monotonic()


def _fixed(by_key: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(by_key)


def _sendable(mapping_proxy_type: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[dict[Any, Any]]]:
    """A mapping that nobody can change goes to another process as what it is made from."""
    return _fixed, (dict(mapping_proxy_type),)


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
    by_key: dict[int, Result] = {} if kept is None else {i: kept[i] for i in range(total) if i in kept}
    left = [i for i in range(total) if i not in by_key]
    here = workers <= 1 or total <= 1
    answers = _one_by_one(work, units, left) if here else _shared(work, units, left, workers)
    try:
        for answer in answers:
            if isinstance(answer, Step):
                yield Step(len(by_key), total, phase)
                continue
            which, by_key[which] = answer
            if kept is not None:
                kept[which] = by_key[which]
            yield Step(len(by_key), total, phase)
    finally:
        answers.close()
    return tuple(by_key[i] for i in range(total))


def portions(count: int, most: int) -> tuple[tuple[int, int], ...]:
    """First and last (exclusive) of about equal portions of so many things, ``most`` of them; none of nothing."""
    size = min(most, max(count, 1))
    ends = sorted({count * i // size for i in range(size + 1)})
    return tuple(pairwise(ends))


def rows_by_kind(
    kinds: Sequence[K], parts: Sequence[Part], rows: Sequence[Sequence[Any]], kind_of: Callable[[Part], K]
) -> Iterator[tuple[K, NDArray[np.float64]]]:
    """The rows that came of the parts of a study, put together kind by kind.

    Raises
    ------
    UsageError
        When there is no part.
    """
    if not parts:
        raise UsageError(_("A study of no panels tells nothing."))
    for kind in kinds:
        own = [row for part, some in zip(parts, rows, strict=True) if kind_of(part) == kind for row in some]
        yield kind, np.asarray(own)


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
