"""What happens on a bug of ours: what is not saved is kept, one dialog with copyable details, and a log file."""

import logging
import platform
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget
from shiboken6 import isValid

from tapdesk.errors import TapdeskError, explanation
from tapdesk.gui.shell.dialogs import execute
from tapdesk.gui.widgets.controls import button, text
from tapdesk.language import gettext as _
from tapdesk.project.files.locks import make_private, open_private, private_folder
from tapdesk.version import VERSION

LOG = logging.getLogger("tapdesk")
LOGGED = 5  # so often the same mistake is written to the log: one in what is drawn comes sixty times a second
REMEMBERED = 20  # so many mistakes that were shown can be shown again when they are asked for


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
        make_private(log_path())
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
        self.setModal(True)
        self.resize(640, 420)
        self.details = report(error)
        self._view = QPlainTextEdit(self.details)
        self._view.setReadOnly(True)
        self._view.setAccessibleName(_("Details"))
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
        box.addWidget(self._view, 1)
        box.addLayout(row)

    def add(self, error: BaseException) -> None:
        """Put a further mistake below the details."""
        details = report(error)
        self.details = f"{self.details}\n{details}"
        self._view.appendPlainText(details)

    def copy(self) -> None:
        """Put the details on the clipboard."""
        QApplication.clipboard().setText(self.details)


class Catcher(QObject):
    """Receives what nobody caught, in whatever thread, and shows it in the thread of the window, one box at a time.

    A mistake in what is drawn, or in what follows the focus, is made again by the box that tells of it, and by its
    going: such a box could never be left. So each mistake has its box once. The same one again is written down and
    counted; while a box is open a further one is put below its details. The box itself comes in a turn of the event
    loop of its own, since a dialog must not be executed where something is painted.

    Attributes
    ----------
    caught
        Emitted with what nobody caught.
    again
        Emitted with the sentence to show: of a mistake that had its box, or of what is none, as too little memory.
    keep
        Called before a box is shown: writes what is not saved to a safe place.
    note
        Called with a mistake of ours, the first times it is made: writes down where it was made.
    """

    caught = Signal(BaseException)
    again = Signal(TapdeskError)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keep: Callable[[], object] | None = None
        self.note: Callable[[BaseException], object] | None = None
        self._box: CrashDialog | None = None
        self._waiting: list[BaseException] = []
        self._known: Counter[tuple[object, ...]] = Counter()
        self._shown: list[BaseException] = []
        self._telling = False
        self._mendable: TapdeskError | None = None
        self.caught.connect(self.tell)

    def hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """In the place of ``sys.excepthook``."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        self.caught.emit(error)

    @Slot(object)
    def tell(self, error: BaseException) -> None:
        """Tell of a mistake; one that was shown before only where this very one is asked for."""
        mendable = explanation(error)
        if mendable is not None:
            # No mistake of ours: memory that is short, or a part that is not installed.
            self._mendable = mendable
            QTimer.singleShot(0, self, self._tell_mendable)
            return
        place = _place(error)
        self._known[place] += 1
        times = self._known[place]
        if times <= LOGGED:
            LOG.error(report(error))
            if self.note is not None:
                self.note(error)
        if any(error is one for one in self._shown):
            self._wait_for_box(error)
        elif times == 1:
            self._shown = [*self._shown[1 - REMEMBERED :], error]
            if self._box is not None and isValid(self._box):
                self._box.add(error)
            else:
                self._wait_for_box(error)
        elif self._box is None and not self._waiting:
            self._say(_once_more(times))

    def _say(self, sentence: TapdeskError) -> None:
        """Show a sentence in the window, unless what shows it is what made the mistake."""
        if self._telling:
            return
        self._telling = True
        try:
            self.again.emit(sentence)
        finally:
            self._telling = False

    @Slot()
    def _tell_mendable(self) -> None:
        if self._mendable is not None:
            self._keep()
            mendable, self._mendable = self._mendable, None
            self._say(mendable)

    def _wait_for_box(self, error: BaseException) -> None:
        self._waiting.append(error)
        if len(self._waiting) == 1:
            QTimer.singleShot(0, self, self._show)

    @Slot()
    def _show(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        if self._box is not None and isValid(self._box):
            for error in waiting:
                self._box.add(error)
            return
        self._keep()
        # A menu that is open holds mouse and keyboard, and the box could not be closed.
        while (popup := QApplication.activePopupWidget()) is not None and popup.close():
            pass
        self._box = CrashDialog(waiting[0], QApplication.activeModalWidget() or QApplication.activeWindow())
        for error in waiting[1:]:
            self._box.add(error)
        try:
            execute(self._box)
        finally:
            self._box = None

    def _keep(self) -> None:
        if self.keep is None:
            return
        try:
            self.keep()
        except Exception as error:
            # Whatever it is, the first mistake must be told all the same.
            self._known[_place(error)] += 1
            LOG.exception("what is not saved could not be kept")


def _place(error: BaseException) -> tuple[object, ...]:
    """Where a mistake was made: the same one again has the same place."""
    frames = traceback.extract_tb(error.__traceback__)
    return type(error), *((frame.filename, frame.lineno) for frame in frames)


def _once_more(times: int) -> TapdeskError:
    return TapdeskError(
        _("The program made the same mistake again ({times} times by now).").format(times=times),
        "",
        _("What is not saved was kept. Save your work, close tapdesk and open it again; the details are in the log."),
    )
