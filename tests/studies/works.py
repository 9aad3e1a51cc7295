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


def killed(signal: int) -> Run[None]:
    """The end of the process from outside, in the middle of its work."""
    yield Step(0, 1, "killed")
    os.kill(os.getpid(), signal)
    yield Step(0, 1, "killed")


class Stillborn:
    """Work that ends the process that takes it up, before it has been given a piece."""

    def __reduce__(self) -> tuple[object, tuple[int]]:
        """What the other process makes of it."""
        return os._exit, (5,)

    def __call__(self, unit: int) -> Run[int]:
        """Never reached."""
        yield Step(0, 1, "stillborn")
        return unit


def sleep(seconds: float) -> Run[None]:
    """A long time without a step."""
    yield Step(0, 1, "sleep")
    time.sleep(seconds)
