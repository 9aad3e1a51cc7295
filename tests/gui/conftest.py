"""The real window, offscreen, with the bundled fonts."""

import gc
import importlib
import os
import pkgutil
import sys
from dataclasses import replace
from pathlib import Path
from time import monotonic

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_FONT_DPI", "96")

import pytest
from _pytest.unraisableexception import collect_unraisable
from PySide6.QtCore import QEvent, QEventLoop, QStandardPaths, QTimer
from PySide6.QtWidgets import QApplication

import tapdesk
from tapdesk.answers.side_results import ALL
from tapdesk.gui.app import Application
from tapdesk.gui.runs import side_studies
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.dialogs import Answer
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.gui.theme.theme import Theme, add_fonts
from tapdesk.language import PLAIN, speak
from tapdesk.project.files.locks import data_folder
from tapdesk.ratings.reading import read_now

from .prepared import HELD, Forks, alone, possible, stage
from .replayed import replay

LONG = 240_000
FEW = 200
FEW_PANELS = 60
SETTLES = 0.5  # seconds


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


FORKS = pytest.StashKey()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Before the first test: the process of which all windows are forks (`prepared`)."""
    if possible(session):
        session.config.stash[FORKS] = Forks(session)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    """After the last one it goes."""
    if FORKS in session.config.stash:
        session.config.stash[FORKS].end()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Run a test that asks for a window where there is one already."""
    forks = item.config.stash.get(FORKS, None)
    reports = None if forks is None else forks.run(item)
    if reports is None:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.session._setupstate.teardown_exact(nextitem)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup():
    """As in the program: what a test leaves is never destroyed by the thread of a later computation."""
    gc.disable()
    if HELD.test:
        return
    # By now pytest has let go of the window of the test before: each later theme would dress it once more.
    collect()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Between two tests neither: a window that lives for many of them has its threads then as well."""
    yield
    if HELD.test:
        # What is only said when the objects of a test are collected belongs to it: there is no later test here.
        collect()
        collect_unraisable(item.config)
        return
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


def dress():
    """What the program does before its first window."""
    QStandardPaths.setTestModeEnabled(True)
    add_fonts()


@pytest.fixture(scope="session")
def dressed(qapp):
    if not HELD.test:
        dress()
    yield qapp
    # Here nothing is handed to a desktop: what lies on the clipboard would outlive the interpreter that made it.
    qapp.clipboard().clear()


@pytest.fixture
def theme(dressed):
    made = HELD.theme or Theme()
    if not HELD.test:
        made.dress()
    assert "QMenuBar" in dressed.styleSheet()
    return made


def few_beside(patch):
    """What stands beside a fit is simulated less often: the numbers themselves are held in the tests of the studies."""
    few = replace(ALL, replicates=FEW_PANELS)
    patch.setattr(side_studies, "ALL", few)
    patch.setattr("tapdesk.report.setup.ALL", few)


def surroundings(patch, home, bugs):
    """What holds around every window of a test: a home of its own, and nobody who answers a dialog."""
    patch.setenv("XDG_DATA_HOME", str(home))
    # Unless a test answers otherwise, changes that are not saved are dropped.
    patch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)
    # A bug fails the test instead of waiting for ever.
    patch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda dialog: bugs.append(dialog.details))
    few_beside(patch)
    sys.setswitchinterval(5e-4)


def new_window(app, theme):
    """As the program does it: built undressed, then dressed at once, which takes half the time."""
    app.setStyleSheet("")
    made = MainWindow(theme, Session())
    theme.dress()
    made.resize(1440, 900)
    return made


@pytest.fixture
def window(qtbot, dressed, theme, monkeypatch, tmp_path_factory):
    bugs = []
    before = sys.getswitchinterval()
    surroundings(monkeypatch, tmp_path_factory.mktemp("data"), bugs)
    made = HELD.window or new_window(dressed, theme)
    session = made.session

    def before_close(left):
        # A window asks before it closes on a run; nobody is here to answer. Nothing is begun any more, whatever a test
        # has answered so far.
        left.session.fitting.cancel()
        monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)

    qtbot.addWidget(made, before_close_func=before_close)
    if HELD.test:
        # What would be done after a time is done after that time, not at once because the window has waited.
        for timer in made.findChildren(QTimer):
            if timer.isActive():
                timer.start()
        # From here on a copy of what is not saved is kept (`settle`).
        made.project_file._on_changed()
    else:
        made.show()
    yield made
    # A mistake is told in a turn of the event loop of its own.
    dressed.processEvents()
    assert bugs == []
    session.fitting.cancel()
    assert made.stop(LONG)
    sys.setswitchinterval(before)


# What the fixtures ``window``, ``jury`` and ``fitted`` do, once for all tests that are forked from it -----------------


def until(condition):
    """Turn the event loop until something holds."""
    loop, look = QEventLoop(), QTimer()
    look.timeout.connect(lambda: loop.exit(0) if condition() else None)
    look.start(10)
    QTimer.singleShot(10 * LONG, loop, lambda: loop.exit(1))
    assert not loop.exec(), "what is made for all tests of the window was not made"


def settle(window):
    """Until nothing has gone on for a moment in a window that is held: what is done comes to the next thing later."""
    quiet_since = monotonic()

    def quiet():
        nonlocal quiet_since
        if not alone() or any(job.running for job in window.session.jobs):
            quiet_since = monotonic()
        return monotonic() - quiet_since > SETTLES

    until(quiet)
    # A copy of what is not saved lies in a folder of the process that keeps it, under a lock: each test keeps its own.
    window.project_file.timer.stop()
    window.project_file._forget_copy()
    left = [path for path in data_folder().rglob("*") if path.is_file()]
    assert left == [], "what is held here would be shared by all tests"


def load_everything():
    """What the program loads when it is first needed, which each test would load again."""
    for module in pkgutil.walk_packages(tapdesk.__path__, "tapdesk."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    read_now("sample:jury")


@stage("window")
def hold_window(held):
    """An empty window."""
    app = Application(["pytest-qt-qapp"])
    app.setApplicationName("pytest-qt-qapp")
    dress()
    load_everything()
    bugs = []
    surroundings(pytest.MonkeyPatch(), held.home, bugs)
    held.app, held.theme = app, Theme()
    held.theme.dress()
    held.window = new_window(app, held.theme)
    held.window.show()
    settle(held.window)
    assert bugs == []


@stage("jury")
def hold_jury(held):
    """The window with the jury."""
    session = held.window.session
    held.window.open_sample("jury")
    until(lambda: not session.document.empty and not session.reading.running)
    choose_medals(held.window)
    until(lambda: session.ready)
    settle(held.window)


@stage("fitted")
def hold_fitted(held):
    """The window with the results for the jury."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tapdesk.gui.runs.plan.REPLICATES", FEW)
        patch.setattr("tapdesk.gui.runs.side_study_runner.REST", 0)
        held.window.run()
        until(lambda: worked_out(held.window))
        settle(held.window)


@pytest.fixture
def job(qapp):
    """A job that keeps what is stopped, and stops when the test ends."""
    assert qapp is not None
    made = Job(keeps=True)
    yield made
    made.cancel()
    assert made.wait(LONG)


def choose_medals(window):
    """Below silver is class 1."""
    window.session.choose_class1(("no medal", "bronze"))


@pytest.fixture
def jury(window, qtbot):
    """The window with the simulated jury open, below silver as class 1."""
    if not HELD.has("jury"):
        with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
            window.open_sample("jury")
        choose_medals(window)
        qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    return window


@pytest.fixture
def fitted(jury, qtbot, monkeypatch):
    """The same after a run with few re-draws; the numbers are worked out for the first test that asks for them."""
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", FEW)
    if HELD.has("fitted"):
        return jury
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
