"""What a signal does: at any moment one line and an exit status, and nothing half-written.

Nothing here may load more than the standard library's smallest parts: it is the first thing the program does.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
_LAST = 3  # who asks so often does not want to wait until everything is tidied up

_came: list[int] = []
_own: list[int] = []
"""The signals that are this program's to answer: none where it runs inside another one."""


class StopSignal(KeyboardInterrupt):
    """The user or the system ended the command.

    Parameters
    ----------
    number
        Of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_status(self) -> int:
        """As a shell tells it: 130 of Ctrl-C, 143 of a request to end."""
        return 128 + self.number


def stop_at_once() -> None:
    """From now on Ctrl-C ends the program on the spot: for the time in which nothing was written yet.

    A request of the system to end does so by itself then, also where a library hangs while it is loaded. A signal that
    is ignored, as that of the keyboard is in the background, stays so.
    """
    _own[:] = [number for number in _SIGNALS if signal.getsignal(number) != signal.SIG_IGN]
    _quick()
    sys.unraisablehook = _again


def leave_to_system() -> None:
    """From now on signals end the program as the system does it: for the window, whose copy of the work is safe."""
    for number in _own:
        signal.signal(number, signal.SIG_DFL)
    _own.clear()


@contextmanager
def stopping_in_order() -> Iterator[None]:
    """Meanwhile a signal is raised where the command is, so that it tidies up; where `stop_at_once` went before.

    Raises
    ------
    Stopped
        When a signal came.
    """
    _came.clear()
    try:
        for number in _own:
            signal.signal(number, _interrupt)
        yield
    finally:
        _quick()


def _quick() -> None:
    for number in _own:
        signal.signal(number, _end if number == signal.SIGINT else signal.SIG_DFL)


def _end(number: int, _frame: FrameType | None) -> None:
    with suppress(OSError):
        os.write(2, b"tapdesk: stopped.\n")
    os._exit(128 + number)


def _interrupt(number: int, frame: FrameType | None) -> None:
    _came.append(number)
    if len(_came) >= _LAST:
        _end(number, frame)
    # While it is tidied up after the first one, a second does not stop that.
    if len(_came) == 1:
        raise StopSignal(number)


def _again(lost: Any) -> None:
    """Where Python drops an exception because nobody could have caught it, a signal must not be dropped with it."""
    if not isinstance(lost.exc_value, StopSignal):
        sys.__unraisablehook__(lost)
        return
    import _thread
    import threading  # late: both are seldom needed

    _came.clear()
    threading.Timer(0.01, _thread.interrupt_main, (lost.exc_value.number,)).start()
