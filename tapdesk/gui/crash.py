"""What happens on a bug of ours: one dialog with copyable details, and a log file."""

import logging
import platform
import sys
import traceback
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QStandardPaths, Signal, Slot
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from tapdesk.gui.widgets.basic import button, text
from tapdesk.language import gettext as _
from tapdesk.project.files.locks import open_private
from tapdesk.project.places import close_to_others, private_folder
from tapdesk.version import VERSION

LOG = logging.getLogger("tapdesk")


def log_path() -> Path:
    """The log file beside the program's own data."""
    place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
    return Path(place) / "tapdesk.log"


class PrivateLog(logging.FileHandler):
    """A log file for its owner alone: what is told of a fault may hold names."""

    def _open(self) -> TextIOWrapper:
        return TextIOWrapper(open_private(Path(self.baseFilename)), encoding=self.encoding)


def start_log() -> None:
    """Write errors to the log file; without a place for it the dialog still shows them."""
    try:
        private_folder(log_path().parent)
        close_to_others(log_path())
        handler = PrivateLog(log_path(), encoding="utf-8", delay=True)
    except OSError:
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)


def report(error: BaseException) -> str:
    """Everything a letter about a bug should hold; it names no rating and no rater."""
    lines = "".join(traceback.format_exception(error))
    return _("tapdesk {VERSION}, Python {python_version}, {platform}\n\n{lines}").format(
        VERSION=VERSION, python_version=platform.python_version(), platform=platform.platform(), lines=lines
    )


class CrashDialog(QDialog):
    """Says that the program is at fault, that nothing is lost, and offers the details."""

    def __init__(self, error: BaseException, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("tapdesk made a mistake"))
        self.resize(640, 420)
        self.details = report(error)
        LOG.error(self.details)
        view = QPlainTextEdit(self.details)
        view.setReadOnly(True)
        view.setAccessibleName(_("Details"))
        row = QHBoxLayout()
        row.addWidget(button(_("Copy details"), self.copy))
        row.addStretch(1)
        row.addWidget(button(_("Go on"), self.accept, kind="primary"))
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 16, 20, 16)
        box.setSpacing(10)
        box.addWidget(
            text(_("The program made a mistake. Your ratings and results are as they were."), "card", wrap=True)
        )
        words = _("Please send the details below to whoever looks after tapdesk; they hold no rating.")
        box.addWidget(text(words, "body", "2", wrap=True))
        box.addWidget(view, 1)
        box.addLayout(row)

    def copy(self) -> None:
        """Put the details on the clipboard."""
        QApplication.clipboard().setText(self.details)


class Catcher(QObject):
    """Receives what nobody caught, in whatever thread, and shows it in the thread of the window."""

    caught = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._open = False
        self.caught.connect(self._show)

    def hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """In the place of ``sys.excepthook``."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.caught.emit(error)

    @Slot(object)
    def _show(self, error: BaseException) -> None:
        # A mistake while the dialog is open is only logged, so that dialogs cannot pile up.
        if self._open:
            LOG.error(report(error))
            return
        self._open = True
        CrashDialog(error, QApplication.activeWindow()).exec()
        self._open = False
