"""Pieces of work for processes of their own, which must find them in a module."""

import math
import os
import time

from tapdesk.progress import Run, Step


def root(x: float) -> Run[float]:
    """The square root, or an error."""
    yield Step(0, 1, "root")
    return math.sqrt(x)


def death(status: int) -> Run[None]:
    """The end of the process without a word."""
    yield Step(0, 1, "death")
    os._exit(status)


def sleep(seconds: float) -> Run[None]:
    """A long time without a step."""
    yield Step(0, 1, "sleep")
    time.sleep(seconds)
