"""Files that the desktop names by an event, as macOS does, are opened as by the dialog *Open*."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QWidget

from tapdesk.gui.app import EVERY

from .conftest import LONG

RATERS = ("Ana", "Ben", "Cy")


def sheet(folder, name, raters=RATERS):
    """A table of ratings."""
    place = folder / name
    rows = [f"c{i}," + ",".join("yes" if (i + at) % 3 else "no" for at in range(len(raters))) for i in range(30)]
    place.write_text("\n".join([",".join(("case", *raters)), *rows]) + "\n", encoding="utf-8")
    return place


@pytest.fixture
def taken(qapp):
    """What the application has handed over; nothing is open yet that takes it."""
    found = []
    yield found
    qapp.hand_files_to(None, None)
    qapp._files.clear()


def post(qapp, *places):
    for place in places:
        named = place if isinstance(place, QUrl) else str(place)
        qapp.postEvent(qapp, QFileOpenEvent(named))


def test_a_file_named_while_the_program_runs_is_opened(window, qapp, qtbot, tmp_path, taken):
    qapp.hand_files_to(window, window.take)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        post(qapp, sheet(tmp_path, "Prüfung der Weine.csv"))
    assert window.dataset.sub.text() == "Prüfung der Weine.csv"
    assert window.session.document.project.ratings.raters == RATERS
    assert taken == []


def test_what_is_named_before_there_is_a_window_waits_for_it(window, qapp, qtbot, tmp_path, taken):
    post(qapp, sheet(tmp_path, "early.csv"))
    qapp.processEvents()
    qapp.processEvents()
    assert window.session.document.empty
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qapp.hand_files_to(window, window.take)
    assert window.dataset.sub.text() == "early.csv"
    assert taken == []


def test_files_named_together_are_opened_together_each_once_and_an_address_of_elsewhere_not(
    qapp, qtbot, tmp_path, taken
):
    first, second = (sheet(tmp_path, name, (name[:3],)) for name in ("Ana.csv", "Ben.csv"))
    post(qapp, first, second, QUrl("https://example.org/ratings.csv"), QUrl.fromLocalFile(str(first)))
    aside = QWidget()
    qtbot.addWidget(aside)
    qapp.hand_files_to(aside, taken.append)
    qtbot.waitUntil(lambda: taken != [])
    assert taken == [f"{first}\n{second}"]


@pytest.mark.parametrize("asked", ["activeModalWidget", "activePopupWidget"])
def test_while_a_dialog_or_a_menu_is_answered_a_file_waits(window, qapp, qtbot, taken, monkeypatch, asked):
    with monkeypatch.context() as patch:
        patch.setattr(type(qapp), asked, lambda *_: window)
        qapp.hand_files_to(window, taken.append)
        post(qapp, "/one.csv")
        qtbot.waitUntil(lambda: qapp._turn.isActive() and qapp._turn.interval() == EVERY)
        assert taken == []
    qtbot.waitUntil(lambda: taken == ["/one.csv"], timeout=LONG)


def test_a_window_that_was_put_away_is_seen_again(window, qapp, qtbot, taken):
    window.showMinimized()
    qapp.hand_files_to(window, taken.append)
    post(qapp, "/one.csv")
    qtbot.waitUntil(lambda: taken == ["/one.csv"], timeout=LONG)
    assert not window.isMinimized()


# The whole program; the desktop names a file while the first card is all there is to be seen.
STARTED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent
from tapdesk.gui import app
from tapdesk.gui.shell.window import MainWindow

show, made = app.opening_card, MainWindow.__init__

def early(theme):
    there = app.Application.instance()
    there.postEvent(there, QFileOpenEvent(sys.argv[1]))
    return show(theme)

def init(self, *args):
    made(self, *args)
    self.session.opened.connect(lambda _opened: tell(self))

def tell(window):
    print(window.session.document.project.ratings.rating_count, flush=True)
    QTimer.singleShot(0, app.Application.instance().quit)

app.opening_card, MainWindow.__init__ = early, init
sys.exit(app.run([]))
"""


def test_the_file_by_whose_icon_the_program_was_started_is_opened(tmp_path):
    places = {name: str(tmp_path / "home") for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [sys.executable, "-c", STARTED, str(sheet(tmp_path, "early.csv"))],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert (done.returncode, done.stdout) == (0, "90\n"), done.stderr
