"""Opens the window."""

import gc
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

# Sizes are given for 96 dots per inch; screens with more are told by their device pixel ratio.
os.environ.setdefault("QT_FONT_DPI", "96")

from PySide6.QtCore import QEvent, QEventLoop, QObject, QRectF, QSettings, QSize, QSocketNotifier, Qt, QTimer, Slot
from PySide6.QtGui import QColor, QFileOpenEvent, QFont, QGuiApplication, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from tapdesk.gui.theme.icons import app_icon, paint
from tapdesk.gui.theme.theme import ColourScheme, Theme, add_fonts, system_look
from tapdesk.language import Voice, speak, wanted_language
from tapdesk.language import gettext as _
from tapdesk.version import VERSION

SIZE = QSize(440, 150)
MARK = 56
PATIENCE = 0.25  # seconds the screen gets to show it: some window systems never tell that they have
SIGNALS = [one for name in ("SIGTERM", "SIGHUP", "SIGINT") if (one := getattr(signal, name, None)) is not None]
EVERY = 500  # milliseconds between two looks
LOADED = 50  # more modules than this are a library: reading tables, or statistics, of some hundred modules each
# Seconds a thread may hold the interpreter: short, so that a computation never holds up the window.
SWITCH = 5e-4
TITLE_BAR = 32


class Application(QApplication):
    """The application, which hands the files that the desktop names to the window.

    macOS names them by an event, one for each file: at the start, before there is a window, and while the program
    runs. Those that come together are opened together, as from the dialog *Open*. Where a dialog or a menu is
    answered, they wait until it is closed.
    """

    def __init__(self, words: list[str]) -> None:
        super().__init__(words)
        self._files: dict[str, None] = {}  # in the order they were named, each once
        self._window: QWidget | None = None
        self._take: Callable[[str], object] | None = None
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._hand_over)

    def event(self, event: QEvent) -> bool:
        """Keep the file that an event names; everything else is Qt's own."""
        if isinstance(event, QFileOpenEvent):
            # An address that is no file of this computer has no path.
            if path := event.file():
                self.open(str(Path(path).absolute()))
            return True
        return super().event(event)

    def open(self, path: str) -> None:
        """Open a file, or ``sample:NAME``, as soon as there is a window and nothing else is asked."""
        self._files[path] = None
        self._turn.start(0)

    def hand_files_to(self, window: QWidget | None, take: Callable[[str], object] | None) -> None:
        """Whatever is named goes to ``take``, several paths one per line; its window is seen. None: nobody takes it."""
        self._window, self._take = window, take
        self._turn.start(0)

    @Slot()
    def _hand_over(self) -> None:
        if self._window is None or self._take is None or not self._files:
            return
        if self.activeModalWidget() is not None or self.activePopupWidget() is not None:
            self._turn.start(EVERY)
            return
        # Late: nothing of the other rooms is loaded before the first card is seen.
        from tapdesk.ratings.formats.files import BETWEEN

        named = BETWEEN.join(self._files)
        self._files.clear()
        self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowMinimized)
        self._window.activateWindow()
        self._take(named)


def opening_card(theme: Theme) -> QLabel:
    """Show the card and have it painted before anything slow begins; ``close`` takes it away.

    Most of a start goes into loading the statistics. Somebody who has clicked must see before that that it was heard.
    A plain label: Qt's own splash screen waits a second for a window manager that may not be there.
    """
    card = QLabel()
    card.setWindowFlags(Qt.WindowType.SplashScreen | Qt.WindowType.FramelessWindowHint)
    card.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    card.setAccessibleName(_("tapdesk is opening"))
    card.setPixmap(_picture(theme))
    card.adjustSize()
    card.move(QApplication.primaryScreen().availableGeometry().center() - card.rect().center())
    card.show()
    until = time.monotonic() + PATIENCE
    handle = card.windowHandle()
    while not (handle is not None and handle.isExposed()) and time.monotonic() < until:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 10)
    card.repaint()
    QApplication.processEvents()
    return card


def _picture(theme: Theme) -> QPixmap:
    """Name, mark and one sentence, sharp on screens of any density."""
    ratio = QApplication.primaryScreen().devicePixelRatio()
    size = QSize(theme.px(SIZE.width()), theme.px(SIZE.height()))
    picture = QPixmap(size * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(theme.colour("surface"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.colour("line"), 1))
    painter.drawRect(QRectF(0.5, 0.5, size.width() - 1, size.height() - 1))
    mark, margin = theme.px(MARK), theme.px(36)
    paint(painter, QRectF(margin, (size.height() - mark) / 2, mark, mark), "app", theme, "accent")
    left = margin + mark + theme.px(24)
    wide = size.width() - left - theme.px(16)
    rows: tuple[tuple[str, QFont, QColor], ...] = (
        ("tapdesk", theme.font(24, QFont.Weight.DemiBold), theme.colour("text")),
        (_("Opening…"), theme.font(14), theme.colour("text2")),
        (_("Everything stays on this computer."), theme.font(12), theme.colour("text2")),
    )
    top = theme.px(34)
    for words, font, colour in rows:
        painter.setFont(font)
        painter.setPen(colour)
        high = painter.fontMetrics().height()
        painter.drawText(QRectF(left, top, wide, high), Qt.AlignmentFlag.AlignVCenter, words)
        top += high + theme.px(3)
    painter.end()
    return picture


class ExitSignals(QObject):
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


class GarbageCollector(QObject):
    """Takes the collection of garbage away from the interpreter, which would do it in whatever thread runs.

    A dialog that nobody holds any more may be part of a circle. Collected while a computation runs in its thread, its
    widgets would be destroyed there, which Qt does not survive.

    What is collected must be garbage for Qt as well. An object of Qt has two halves: what C++ holds, and the wrapper
    with the attributes that Python gave it. The collector sees the wrapper alone. A wrapper is held by that of its
    parent, up to the window, which `gui.app.run` holds; but where the parent was made inside Qt (by a function such as
    ``QFileDialog.getOpenFileName``), nothing holds the wrapper of the parent: a child of ours that names its parent is
    then a circle that is reached from nowhere. It is emptied, while C++ goes on to call its event filter and its paint
    event, which find no attribute any more. So in `gui/`:

    - a dialog is made in Python with a parent, and held by a name while it is executed (`gui.dialogs`);
    - what is put into a window that Qt itself may have made is held by an attribute of an object that lives longer
      (`FocusRing` holds the rings of dialogs);
    - what is made for one use is destroyed by ``deleteLater`` when it is closed (`gui.dialogs.popup`), not left to be
      found here;
    - a getter of Qt that makes what it returns a child of what was asked is put right at once (`next_in_chain`).

    The tests of everything that can be opened hold that against every window and menu.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.look)
        self._modules = 0

    def start(self) -> None:
        """From now on only this collects; what there is already stays as it is.

        What was thrown away while it was loaded is little, and to look for it would take longer than a picture may.
        """
        self._keep()
        gc.disable()
        self._timer.start()

    def _keep(self) -> None:
        """Leave alone what there is: modules and classes live as long as the program, and are most of it."""
        gc.freeze()
        self._modules = len(sys.modules)

    def stop(self) -> None:
        """Give it back to the interpreter."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    @Slot()
    def look(self) -> None:
        """Collect what the interpreter would have collected by now."""
        if len(sys.modules) > self._modules + LOADED:
            # To look through a library once more would hold up the window for as long as a picture takes.
            self._keep()
            return
        for generation, (count, limit) in enumerate(zip(gc.get_count(), gc.get_threshold(), strict=True)):
            if count <= limit:
                return
            gc.collect(generation)


def _application(argv: list[str]) -> Application:
    """The application under the name its settings and its place in the menu have."""
    app = Application([sys.argv[0], *argv])
    app.setApplicationName("tapdesk")
    app.setApplicationVersion(VERSION)
    app.setOrganizationName("tapdesk")
    app.setDesktopFileName("tapdesk")
    add_fonts()
    return app


def run(argv: list[str]) -> int:
    """Open the window, with the file named first in ``argv`` if there is one; returns the exit status."""
    # What is loaded now stays; looking through it again and again would take a tenth of the start.
    gc.disable()
    sys.setswitchinterval(SWITCH)
    app = _application(argv)
    settings = QSettings()
    theme = saved_theme(settings)
    theme.ground()
    app.setWindowIcon(app_icon(theme))
    speak(Voice(language=wanted_language()))
    card = opening_card(theme)
    # Late: the statistics take most of the start, and the card is seen before they are loaded.
    from tapdesk.gui.shell.crash import Catcher, start_log
    from tapdesk.gui.shell.run_log import start_run_log
    from tapdesk.gui.shell.session import Session
    from tapdesk.gui.shell.window import MainWindow

    keep_private(settings)
    start_log()
    catcher = Catcher(app)
    catcher.note = start_run_log()
    sys.excepthook = catcher.hook
    session = Session()
    window = MainWindow(theme, session, settings, catcher)
    theme.dress()
    window.refresh()
    fit_screen(window)
    window.show()
    card.close()
    collecting = GarbageCollector(app)
    collecting.start()
    app.hand_files_to(window, window.take)
    files = [word for word in argv if not word.startswith("-")]
    if files:
        app.open(files[0])
    if "--quit" in argv:
        QTimer.singleShot(0, app.quit)
    ending = ExitSignals(app, window.project_file.rescue)
    ending.listen()
    status = app.exec()
    app.hand_files_to(None, None)
    # A display server that died ends the event loop too; nobody was asked then.
    window.project_file.rescue()
    # A thread in a long step gets more time: the program must not end under it.
    window.stop(10_000)
    collecting.stop()
    return int(status)


def fit_screen(window: QWidget) -> None:
    """Make a window no larger than the screen it will be shown on."""
    room = window.screen().availableGeometry()
    # The title bar needs its share of the screen as well.
    window.resize(min(window.width(), room.width()), min(window.height(), room.height() - TITLE_BAR))


def keep_private(settings: QSettings) -> None:
    """Close what the program remembers to other users: settings hold the names of columns and of projects.

    On Windows settings are in the user's part of the registry, which is closed to others.
    """
    # Late: nothing of the other rooms is loaded before the first card is seen.
    from tapdesk.project.files.locks import NAME, data_folder, make_private, private_folder

    if sys.platform == "win32":
        return
    make_private(data_folder())
    file = Path(settings.fileName())
    with suppress(OSError):
        # On other systems than Linux the folder is one for the settings of all programs.
        if file.parent.name == NAME:
            private_folder(file.parent)
            file.touch(mode=0o600)
    make_private(file)


def saved_theme(settings: QSettings) -> Theme:
    """The palette and text size of the last time; on the first time what the platform asks for."""
    names = {look.value: look for look in ColourScheme}
    look = names.get(str(settings.value("look", "")), system_look())
    sentence = str(settings.value("scale", 100))
    return Theme(look, int(sentence) if sentence.isdigit() and 80 <= int(sentence) <= 200 else 100)
