"""A run inside a run, told in the steps of the outer one."""

import math
import time

from tapdesk.progress import Run, Step, T


def within(run: Run[T], done: int, total: int, phase: str) -> Run[T]:
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


def seldom(run: Run[T], seconds: float = 0.02) -> Run[T]:
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
