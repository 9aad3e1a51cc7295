"""Opens the window."""

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

# Sizes are given for 96 dots per inch; screens with more are told by their device pixel ratio.
os.environ.setdefault("QT_FONT_DPI", "96")

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from tapdesk.gui.look.icons import app_icon
from tapdesk.gui.look.opening_card import opening_card
from tapdesk.gui.look.theme import Look, Theme, add_fonts, system_look
from tapdesk.language import Voice, speak, wanted_language
from tapdesk.version import VERSION

# Seconds a thread may hold the interpreter: short, so that a computation never holds up the window.
SWITCH = 5e-4
TITLE_BAR = 32


def run(argv: list[str]) -> int:
    """Open the window, with the file named first in ``argv`` if there is one; returns the exit status."""
    # What is loaded now stays; looking through it again and again would take a tenth of the start.
    gc.disable()
    sys.setswitchinterval(SWITCH)
    app = QApplication([sys.argv[0], *argv])
    app.setApplicationName("tapdesk")
    app.setApplicationVersion(VERSION)
    app.setOrganizationName("tapdesk")
    app.setDesktopFileName("tapdesk")
    add_fonts()
    settings = QSettings()
    theme = remembered(settings)
    theme.ground()
    app.setWindowIcon(app_icon(theme))
    speak(Voice(language=wanted_language()))
    card = opening_card(theme)
    # Late: the statistics take most of the start, and the card is seen before they are loaded.
    from tapdesk.gui.crash import Catcher, start_log
    from tapdesk.gui.desk import Desk
    from tapdesk.gui.keeping.ending import Ending
    from tapdesk.gui.main_window import MainWindow
    from tapdesk.gui.running.collecting import Collecting

    keep_private(settings)
    start_log()
    catcher = Catcher(app)
    sys.excepthook = catcher.hook
    desk = Desk()
    window = MainWindow(theme, desk, settings, catcher)
    theme.dress()
    window.refresh()
    fit_screen(window)
    window.show()
    card.close()
    collecting = Collecting(app)
    collecting.start()
    files = [word for word in argv if not word.startswith("-")]
    if files:
        QTimer.singleShot(0, lambda: window.open_file(files[0]))
    if "--quit" in argv:
        QTimer.singleShot(0, app.quit)
    ending = Ending(app, window.filing.rescue)
    ending.listen()
    status = app.exec()
    # A display server that died ends the event loop too; nobody was asked then.
    window.filing.rescue()
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
    from tapdesk.project.places import NAME, close_to_others, data_folder, private_folder

    if sys.platform == "win32":
        return
    close_to_others(data_folder())
    file = Path(settings.fileName())
    with suppress(OSError):
        # On other systems than Linux the folder is one for the settings of all programs.
        if file.parent.name == NAME:
            private_folder(file.parent)
            file.touch(mode=0o600)
    close_to_others(file)


def remembered(settings: QSettings) -> Theme:
    """The palette and text size of the last time; on the first time what the platform asks for."""
    names = {look.value: look for look in Look}
    look = names.get(str(settings.value("look", "")), system_look())
    told = str(settings.value("scale", 100))
    return Theme(look, int(told) if told.isdigit() and 80 <= int(told) <= 200 else 100)
