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
# While something is computed the window tells so often that it has come round, and is busy when it is so late.
BEAT = 5  # milliseconds
LATE = 0.012  # seconds

# What is done so much later is done in a later turn of the event loop; after 0 milliseconds it would be the same one.
LATER = 15  # milliseconds
# Two acts closer than this would be one turn: timers that have both run out are called one after the other.
APART = 0.005  # seconds


class GuiPriority:
    """A right of way for the thread of the window: ``with FIRST.going():`` around what makes it draw.

    Two threads that both run Python share one interpreter: each picture would take twice its time, and more where Qt
    hands the interpreter back and forth. A computation that gives way between two steps hands it over at once.

    Not everything is announced: Qt paints, lays out and deletes on its own account, and takes the interpreter anew for
    every call and every widget, hundreds of times for one page. So the window beats (`beat`) as long as something is
    computed, and while a beat is late a computation waits for it.
    """

    def __init__(self) -> None:
        self._free = Event()
        self._free.set()
        self._going = 0
        self._acted = -APART
        self._beat: float | None = None  # when the window came round last, if it tells
        self._round = Event()
        self._waited_for: float | None = None  # the beat after which none came in time

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

    def beat(self) -> None:
        """Tell that the window has come round; for its thread."""
        self._beat = time.monotonic()
        self._round.set()

    def beats_no_more(self) -> None:
        """Tell that no more beats will come; for the thread of the window."""
        self._beat = None
        self._round.set()

    def give_way(self) -> float:
        """Wait until the window has drawn, though not for long; called between two steps of a computation.

        Returns
        -------
        float
            How long it waited, in seconds.
        """
        began = time.monotonic()
        beat = self._beat
        late = beat is not None and began - beat > LATE and beat != self._waited_for
        if self._free.is_set() and not late:
            return 0.0
        self._free.wait(MOST)
        if late:
            self._round.clear()
            # A window that stands still for another reason (a dialog of the system) is not waited for again and again.
            if self._beat == beat and not self._round.wait(MOST):
                self._waited_for = beat
        return time.monotonic() - began


GUI_PRIORITY = GuiPriority()  # one interpreter, one right of way
