"""The real window, offscreen, with the bundled fonts."""

import gc
import os
import sys
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_FONT_DPI", "96")

import pytest
from PySide6.QtCore import QEvent, QStandardPaths
from PySide6.QtWidgets import QApplication

from tapdesk.answers.side_results import ALL
from tapdesk.gui.runs import side_studies
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.dialogs import Answer
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.gui.theme.theme import Theme, add_fonts
from tapdesk.language import PLAIN, speak

from .replayed import replay

LONG = 30_000
FEW = 200
FEW_PANELS = 60


def worked_out(window):
    """Whether everything beside the newest results is there."""
    found = window.session.side_studies.current
    return found is not None and not found.waiting and found.analysis.fit is window.session.document.analysis.fit


HERE = Path(__file__).parent


def collect():
    """What earlier tests have closed goes; what is still there stays, and is not looked through again and again."""
    app = QApplication.instance()
    if app is not None:
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    if app is not None:
        app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """As in the program: what a test leaves is never destroyed by the thread of a later computation."""
    gc.disable()
    # By now pytest has let go of the window of the test before: each later theme would dress it once more.
    collect()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem):
    """Between two tests neither: a window that lives for many of them has its threads then as well."""
    yield
    if nextitem is None or HERE not in nextitem.path.parents:
        collect()
        gc.enable()


@pytest.fixture(autouse=True)
def quiet_after():
    """The voice of a window goes with it: it is that of this thread, and other tests run in it as well."""
    yield
    speak(PLAIN)


@pytest.fixture(autouse=True)
def closed_here(qapp):
    """All that a test has closed is taken away when it ends."""
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture(scope="session")
def dressed(qapp):
    QStandardPaths.setTestModeEnabled(True)
    add_fonts()
    yield qapp
    # Here nothing is handed to a desktop: what lies on the clipboard would outlive the interpreter that made it.
    qapp.clipboard().clear()


@pytest.fixture
def theme(dressed):
    made = Theme()
    made.dress()
    assert "QMenuBar" in dressed.styleSheet()
    return made


def few_beside(patch):
    """What stands beside a fit is simulated less often: the numbers themselves are held in the tests of the studies."""
    few = replace(ALL, replicates=FEW_PANELS)
    patch.setattr(side_studies, "ALL", few)
    patch.setattr("tapdesk.report.setup.ALL", few)


@pytest.fixture
def window(qtbot, dressed, theme, monkeypatch, tmp_path_factory):
    bugs = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    # Unless a test answers otherwise, changes that are not saved are dropped.
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)
    # Nobody is here to answer a dialog: a bug fails the test instead of waiting for ever.
    monkeypatch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda dialog: bugs.append(dialog.details))
    few_beside(monkeypatch)
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-4)
    session = Session()
    # As the program does it: built undressed, then dressed at once, which takes half the time.
    dressed.setStyleSheet("")
    made = MainWindow(theme, session)
    theme.dress()
    made.resize(1440, 900)

    def before_close(left):
        # A window asks before it closes on a run; nobody is here to answer. Nothing is begun any more, whatever a test
        # has answered so far.
        left.session.fitting.cancel()
        monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)

    qtbot.addWidget(made, before_close_func=before_close)
    made.show()
    yield made
    # A mistake is told in a turn of the event loop of its own.
    dressed.processEvents()
    assert bugs == []
    session.fitting.cancel()
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
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("jury")
    window.session.choose_class1(("no medal", "bronze"))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    return window


@pytest.fixture
def fitted(jury, qtbot, monkeypatch):
    """The same after a run with few re-draws; the numbers are worked out for the first test that asks for them."""
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", FEW)
    # What the test itself runs is worked out again.
    with pytest.MonkeyPatch.context() as patch:
        replay(patch)
        with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
            jury.run()
        qtbot.waitUntil(lambda: worked_out(jury), timeout=LONG)
    return jury


@pytest.fixture
def opened(window, qtbot, tmp_path):
    """Open a text file of some content."""

    def make(content, name="ratings.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
            window.open_file(str(path))
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        qtbot.waitUntil(window.dataset.chips.chips["layout"].isVisible)
        return window

    return make
