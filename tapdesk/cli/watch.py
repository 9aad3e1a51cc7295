"""Progress of a long computation on standard error, when somebody watches."""

import sys
import time
from collections.abc import Callable
from typing import TypeVar

from tapdesk.answers import waiting
from tapdesk.progress import Run, Step, finish

T = TypeVar("T")
_PATIENCE = 1.0


def run_watched(run: Run[T]) -> T:
    """The result of a run; after a second of silence a line on a terminal tells how far it is, and how long still."""
    if not sys.stderr.isatty():
        return finish(run)
    began = shown = time.monotonic()
    wrote = False
    told = teller()

    def watch(step: Step) -> None:
        nonlocal shown, wrote
        now = time.monotonic()
        line = told(step, now)
        if now - began > _PATIENCE and now - shown > 0.1:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
            shown, wrote = now, True

    try:
        return finish(run, watch)
    finally:
        if wrote:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def teller() -> Callable[[Step, float], str]:
    """What tells of each step, and of the time it came: the phase, how far it is, and how long it will still take.

    Time is counted from the first step of a phase and what was done by then: a study that is gone on with had the rest.
    """
    phase, began, before = "", 0.0, 0

    def tell(step: Step, now: float) -> str:
        nonlocal phase, began, before
        if step.phase != phase:
            phase, began, before = step.phase, now, step.done
        if not step.total:
            return phase
        to_do = step.total - before
        left = waiting.left(now - began, (step.done - before) / to_do if to_do else 1.0)
        return f"{phase} {step.done:,} of {step.total:,}" + (f", {left}" if left else "")

    return tell
