"""The real window, offscreen, with the bundled fonts."""

import gc
import os
import sys
from importlib import import_module
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_FONT_DPI", "96")

import pytest
from PySide6.QtCore import QEvent, QStandardPaths
from PySide6.QtWidgets import QApplication

from tapdesk.gui.asking import Answer
from tapdesk.gui.desk import Desk
from tapdesk.gui.look.theme import Theme, add_fonts
from tapdesk.gui.main_window import MainWindow
from tapdesk.gui.running.job import Job
from tapdesk.language import PLAIN, speak

LONG = 30_000
FEW = 200


def worked_out(window):
    """Whether everything beside the newest results is there."""
    found = window.desk.further.found
    return found is not None and not found.waiting and found.analysis.fit is window.desk.document.analysis.fit


HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """As in the program: what a test leaves is never destroyed by the thread of a later computation."""
    gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """Between two tests neither: a window that lives for many of them has its threads then as well."""
    yield
    if nextitem is None or HERE not in nextitem.path.parents:
        gc.enable()


@pytest.fixture(autouse=True)
def quiet_after():
    """The voice of a window goes with it: it is that of this thread, and other tests run in it as well."""
    yield
    speak(PLAIN)


@pytest.fixture(autouse=True)
def collected_here(qapp):
    """All that a test has closed goes when it ends: each later theme would dress it once more."""
    yield
    for _ in range(2):
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        gc.collect()


@pytest.fixture(scope="session")
def dressed(qapp):
    QStandardPaths.setTestModeEnabled(True)
    add_fonts()
    # What is loaded stays: looking through it after every test would take longer than closing the window.
    import_module("tapdesk.gui.running.found")
    gc.collect()
    gc.freeze()
    yield qapp
    # Here nothing is handed to a desktop: what lies on the clipboard would outlive the interpreter that made it.
    qapp.clipboard().clear()


@pytest.fixture
def theme(dressed):
    made = Theme()
    made.dress()
    assert "QMenuBar" in dressed.styleSheet()
    return made


@pytest.fixture
def window(qtbot, dressed, theme, monkeypatch, tmp_path_factory):
    bugs = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    # Unless a test answers otherwise, changes that are not saved are dropped.
    monkeypatch.setattr("tapdesk.gui.asking.about_changes", lambda _parent, _name: Answer.DROP)
    # Nobody is here to answer a dialog: a bug fails the test instead of waiting for ever.
    monkeypatch.setattr("tapdesk.gui.crash.CrashDialog.exec", lambda dialog: bugs.append(dialog.details))
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-4)
    desk = Desk()
    # As the program does it: built undressed, then dressed at once, which takes half the time.
    dressed.setStyleSheet("")
    made = MainWindow(theme, desk)
    theme.dress()
    made.resize(1440, 900)

    def before_close(left):
        # A window asks before it closes on a run; nobody is here to answer. Nothing is begun any more, whatever a test
        # has answered so far.
        left.desk.fitting.cancel()
        monkeypatch.setattr("tapdesk.gui.asking.about_changes", lambda _parent, _name: Answer.DROP)

    qtbot.addWidget(made, before_close_func=before_close)
    made.show()
    yield made
    # A mistake is told in a turn of the event loop of its own.
    dressed.processEvents()
    assert bugs == []
    desk.fitting.cancel()
    assert made.stop(LONG)
    sys.setswitchinterval(before)


@pytest.fixture
def job(qapp):
    """A job that keeps what is stopped, and stops when the test ends."""
    assert qapp is not None
    made = Job(keeps=True)
    yield made
    made.cancel()
    assert made.wait(LONG)


@pytest.fixture
def jury(window, qtbot):
    """The window with the simulated jury open, below silver as class 1."""
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.open_sample("jury")
    window.desk.choose_class1(("no medal", "bronze"))
    qtbot.waitUntil(lambda: window.desk.ready, timeout=LONG)
    return window


@pytest.fixture
def fitted(jury, qtbot, monkeypatch):
    """The same after a run with few re-draws."""
    monkeypatch.setattr("tapdesk.gui.running.plan.REPLICATES", FEW)
    with qtbot.waitSignal(jury.desk.fitting.done, timeout=LONG):
        jury.run()
    qtbot.waitUntil(lambda: worked_out(jury), timeout=LONG)
    return jury


@pytest.fixture
def opened(window, qtbot, tmp_path):
    """Open a text file of some content."""

    def make(content, name="ratings.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
            window.open_file(str(path))
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        qtbot.waitUntil(window.dataset.chips.chips["layout"].isVisible)
        return window

    return make
