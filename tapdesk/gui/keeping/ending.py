"""The program is ended from outside: work that is not saved is kept before it goes.

Three ways lead here. A signal of the system (a log-out, a shutdown, `kill`): Python would run its handlers only when
the event loop comes back to it, so they wake the loop through a socket. A session that ends: Qt tells. A display
server that dies: Qt then ends the event loop as if the program had been quit, but no window was closed and nobody was
asked. Nothing can be done about SIGKILL and a power cut, but for the copy that is kept a second after each change.
"""

import os
import signal
import socket
import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier, Slot
from PySide6.QtGui import QGuiApplication

SIGNALS = [one for name in ("SIGTERM", "SIGHUP", "SIGINT") if (one := getattr(signal, name, None)) is not None]


class Ending(QObject):
    """Calls what keeps unsaved work when the program is ended by a signal or with its session.

    Parameters
    ----------
    app
        The application; signals are listened for as long as it lives.
    rescue
        What keeps unsaved work, at once.
    """

    def __init__(self, app: QGuiApplication, rescue: Callable[[], object]) -> None:
        super().__init__(app)
        self._rescue = rescue
        self._hear, self._say = socket.socketpair()
        for end in (self._hear, self._say):
            end.setblocking(False)
        self._heard = QSocketNotifier(self._hear.fileno(), QSocketNotifier.Type.Read, self)
        self._heard.activated.connect(self._on_signal)
        app.commitDataRequest.connect(self._on_session_end)

    def listen(self) -> None:
        """Take the signals from here on; what they did before is done when unsaved work is safe."""
        signal.set_wakeup_fd(self._say.fileno(), warn_on_full_buffer=False)
        for one in SIGNALS:
            signal.signal(one, _nothing)

    @Slot()
    def _on_signal(self) -> None:
        numbers = self._hear.recv(16)
        wanted = [number for number in numbers if number in SIGNALS]
        if not wanted:
            return
        self._rescue()
        # Ended as by the signal itself, so that whoever sent it sees that.
        signal.signal(wanted[0], signal.SIG_DFL)
        if sys.platform == "win32":
            os._exit(1)
        os.kill(os.getpid(), wanted[0])

    @Slot()
    def _on_session_end(self) -> None:
        self._rescue()


def _nothing(_number: int, _frame: object) -> None:
    """What Python itself does on a signal; the event loop is woken as well, and does the rest."""
