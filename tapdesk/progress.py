"""A long computation is a generator: it yields steps and returns its result."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """One sign of life of a running computation.

    Attributes
    ----------
    done, total
        Work finished and work known in the current phase, in the same unit; ``total`` is 0 while unknown.
    phase
        A short name of what is being done, the same for all steps of a phase.
    values
        What may be drawn while it runs, by name (a log-likelihood, a batch of re-draws).
    """

    done: int
    total: int
    phase: str
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


Run: TypeAlias = Generator[Step, None, T]


def finish(run: Run[T], watch: Callable[[Step], None] | None = None) -> T:
    """Drive a run to its end and return its result.

    Parameters
    ----------
    run
        The computation.
    watch
        Called with every step, for a progress line; what it raises ends the run.
    """
    try:
        while True:
            step = next(run)
            if watch is not None:
                watch(step)
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        run.close()


def relay(run: Run[T], done: int, total: int, phase: str, *, counted: bool = False) -> Run[T]:
    """Drive an inner run, with the same step of the outer one at every sign of life, and return its result.

    So a long piece of work can be ended while it is under way, and a progress line does not jump.

    Parameters
    ----------
    run
        The inner computation.
    done, total, phase
        Of the steps.
    counted
        Whether what the inner run has done counts as well.
    """
    while True:
        try:
            step = next(run)
        except StopIteration as end:
            result: T = end.value
            return result
        yield Step(done + step.done if counted else done, total, phase)
