"""Progress of a long computation on standard error, when somebody watches."""

import sys
import time
from typing import TypeVar

from tapdesk.progress import Run, Step, finish

T = TypeVar("T")
_PATIENCE = 1.0


def run_watched(run: Run[T]) -> T:
    """The result of a run; after a second of silence a line on a terminal tells how far it is."""
    if not sys.stderr.isatty():
        return finish(run)
    began = shown = time.monotonic()
    wrote = False

    def watch(step: Step) -> None:
        nonlocal shown, wrote
        now = time.monotonic()
        if now - began > _PATIENCE and now - shown > 0.1:
            share = f" {step.done:,} of {step.total:,}" if step.total else ""
            sys.stderr.write(f"\r\x1b[K{step.phase}{share}")
            sys.stderr.flush()
            shown, wrote = now, True

    try:
        return finish(run, watch)
    finally:
        if wrote:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
