"""The window goes first: a computation waits at its next step while the window draws."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

MOST = 0.2  # seconds a computation waits at a time, so that a window that draws without end does not stop it
# Qt lays out and paints what has changed some 5 ms after the change: the right of way lasts until then.
LINGERS = 8  # milliseconds

# What is done so much later is done in a later turn of the event loop; after 0 milliseconds it would be the same one.
LATER = 15  # milliseconds
# Two acts closer than this would be one turn: timers that have both run out are called one after the other.
APART = 0.005  # seconds


class Courtesy:
    """A right of way for the thread of the window: ``with FIRST.going():`` around what makes it draw.

    Two threads that both run Python share one interpreter: each picture would take twice its time, and more where Qt
    hands the interpreter back and forth. A computation that gives way between two steps hands it over at once.
    """

    def __init__(self) -> None:
        self._free = Event()
        self._free.set()
        self._going = 0
        self._acted = -APART

    @contextmanager
    def going(self) -> Iterator[None]:
        """Hold computations until what is changed inside has been drawn; for the thread of the window."""
        self._going += 1
        self._free.clear()
        try:
            yield
        finally:
            QTimer.singleShot(LINGERS, self._gone)

    def later(self, of: QObject, act: Callable[[], object]) -> None:
        """Draw something of a widget in a turn of its own, where all in one would hold up the event loop."""

        def in_turn() -> None:
            if isValid(of) and time.monotonic() - self._acted < APART:
                QTimer.singleShot(LATER, in_turn)
                return
            try:
                if isValid(of):
                    act()
                    self._acted = time.monotonic()
            finally:
                QTimer.singleShot(LINGERS, self._gone)

        # Held from now on: a computation that begins in between would take its share of both turns.
        self._going += 1
        self._free.clear()
        QTimer.singleShot(LATER, in_turn)

    def _gone(self) -> None:
        self._going -= 1
        if not self._going:
            self._free.set()

    def give_way(self) -> float:
        """Wait until the window has drawn, though not for long; called between two steps of a computation.

        Returns
        -------
        float
            How long it waited, in seconds.
        """
        if self._free.is_set():
            return 0.0
        began = time.monotonic()
        self._free.wait(MOST)
        return time.monotonic() - began


FIRST = Courtesy()  # one interpreter, one right of way
