"""What the program did, for a letter about it: which work ran, how long, how it ended; nothing of anybody's ratings."""

import logging
import platform
import traceback
from collections import deque
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSize, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from tapdesk.gui.runs.job import RUNS, note
from tapdesk.gui.shell.crash import PrivateLog, log_path
from tapdesk.gui.widgets.controls import button, text
from tapdesk.language import gettext as _
from tapdesk.project.files.locks import make_private, open_private, private_folder
from tapdesk.version import VERSION

LINES = 400  # so many lines a letter holds
LARGEST = 256_000  # bytes; a log that is larger begins anew
_FORM = logging.Formatter("%(asctime)s %(levelname)s %(message)s")


class Recent(logging.Handler):
    """The newest lines of this start, where no file can be written as well.

    Attributes
    ----------
    lines
        The newest ones, each with its time.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lines: deque[str] = deque(maxlen=LINES)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(self.format(record))


_RECENT = Recent()


def runs_path() -> Path:
    """The file beside the log of faults."""
    return log_path().with_name("runs.log")


def start_run_log() -> Callable[[BaseException], None]:
    """Write what is run from now on down, in a file where there is a place for one, and what program this is.

    Returns
    -------
    callable
        Takes a mistake of ours and writes down where it was made.
    """
    # The other log may hold names; this one is made to be sent.
    RUNS.propagate = False
    RUNS.setLevel(logging.INFO)
    for one in list(RUNS.handlers):
        RUNS.removeHandler(one)
        one.close()
    handlers: list[logging.Handler] = [_RECENT]
    place = runs_path()
    try:
        private_folder(place.parent)
        if place.exists() and place.stat().st_size > LARGEST:
            open_private(place, empty=True).close()
        make_private(place)
        handlers.append(PrivateLog(place, encoding="utf-8", delay=True))
    except OSError:
        pass  # the lines of this start are kept all the same
    for handler in handlers:
        handler.setFormatter(_FORM)
        RUNS.addHandler(handler)
    note(tapdesk=VERSION, python=platform.python_version(), system=platform.platform())
    screen = QGuiApplication.primaryScreen()
    size = screen.size() if screen else QSize()
    scale = screen.devicePixelRatio() if screen else 1.0
    shown = f"{size.width()}x{size.height()}"
    note(qt=qVersion(), platform=QGuiApplication.platformName(), screen=shown, scale=f"{scale:.2f}")
    return note_fault


def note_fault(error: BaseException) -> None:
    """Write down where a mistake was made, never its words, which may hold names."""
    frames = traceback.extract_tb(error.__traceback__)
    note(
        fault=type(error).__name__, at=",".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames[-6:])
    )


def run_lines() -> str:
    """The newest lines, those of starts before this one included."""
    try:
        for handler in RUNS.handlers:
            handler.flush()
        lines = runs_path().read_text("utf-8", errors="replace").splitlines()
    except OSError:
        lines = list(_RECENT.lines)
    return "\n".join(lines[-LINES:])


class RunLogDialog(QDialog):
    """Shows what the program did, to be copied into a letter.

    Attributes
    ----------
    view
        The lines.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("What the program did"))
        self.resize(720, 480)
        self.view = QPlainTextEdit(run_lines())
        self.view.setReadOnly(True)
        self.view.setAccessibleName(_("What the program did"))
        row = QHBoxLayout()
        row.addWidget(button(_("Copy all"), self.copy))
        row.addStretch(1)
        row.addWidget(button(_("Close"), self.accept, kind="primary"))
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 16, 20, 16)
        box.setSpacing(10)
        words = _(
            "Which work ran, how long, and how it ended. No rating, no name and no file is in it; you may send it."
        )
        box.addWidget(text(words, "body", "2", wrap=True))
        box.addWidget(self.view, 1)
        box.addLayout(row)

    def copy(self) -> None:
        """Put all lines on the clipboard."""
        QApplication.clipboard().setText(self.view.toPlainText())
