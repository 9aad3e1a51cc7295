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
