"""The window never dies under a dialog: all that can be opened stays open through collections of garbage."""

import gc
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tapdesk.progress import Step

from .openings import QUESTIONS, Holding, chosen, menu_openings, pane_openings, question_openings
from .ownership import faults

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LONG = 240_000
COLLECTIONS = 200
WHOLE = 5
PANES = 4


@pytest.fixture
def busy(jury, qtbot, monkeypatch, tmp_path):
    """A project that was saved and opened again, and a run that makes garbage in its thread until the test ends."""
    gate = threading.Event()

    def endless(*_):
        while not gate.wait(0.01):
            circle = []
            circle.append(circle)
            yield Step(0, 0, "search")

    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda *_: tmp_path / "jury.tapdesk")
    with qtbot.waitSignal(jury.project_file.saving.done, timeout=LONG):
        jury.save()
    with qtbot.waitSignal(jury.session.reading.done, timeout=LONG):
        jury.open_file(str(tmp_path / "jury.tapdesk"))
    qtbot.waitUntil(lambda: jury.session.ready, timeout=LONG)
    monkeypatch.setattr("tapdesk.gui.shell.session.analyse", endless)
    jury.run()
    qtbot.waitUntil(lambda: jury.session.fitting.running, timeout=LONG)
    monkeypatch.setattr("tapdesk.gui.shell.session.Session.open", lambda *_: None)
    yield jury
    gate.set()
    jury.session.fitting.cancel()


def held(window, openings, whole=0):
    """What was opened by each of some openings; nothing may be raised and nothing lost meanwhile."""
    seen, holding = [], Holding(window, COLLECTIONS, whole)
    for name, act in openings:
        seen += holding.hold(name, act)
        # The rows of the bar are openings of their own.
        for words in () if name.startswith("menu ") else holding.asking:
            seen += holding.hold(f"{name} > {words}", lambda act=act, words=words: chosen(act, words))
        assert window.session.fitting.running, name
    gc.collect()
    assert faults() == []
    return seen


def test_the_slow_walk_knows_what_to_ask_every_question_about():
    assert {name for name, _act in question_openings(None)} == set(QUESTIONS)


def test_what_the_data_and_the_menus_open_stays_alive_through_two_hundred_collections(busy):
    busy.go(0)
    named = ("Open", "Rating columns", "Missing codes", "Decisions", "menu &File", "Verify", "About", "context")
    chosen = [row for row in (*menu_openings(busy), *pane_openings(busy)) if any(one in row[0] for one in named)]
    seen = held(busy, chosen)
    assert {row.rsplit(": ", 1)[1] for row in seen} >= {
        "QFileDialog",
        "TickMenu",
        "QMenu",
        "DecisionsWindow",
        "QMessageBox",
    }


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_all_that_can_be_opened_stays_alive_through_two_hundred_collections(busy):
    seen = held(busy, question_openings(busy), WHOLE)
    seen += held(busy, menu_openings(busy), WHOLE)
    for at in range(PANES):
        busy.go(at)
        # A row that was made anew meanwhile is found again by its name.
        for name in dict.fromkeys(name for name, _act in pane_openings(busy)):
            busy.go(at)
            again = [row for row in pane_openings(busy) if row[0] == name]
            seen += held(busy, again, WHOLE)
    print("\n".join(seen))
    assert len(seen) > 40


def on_a_display(words):
    """Run tests of this file under Xvfb with a window manager."""
    for program in ("Xvfb", "openbox"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1600x1000x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            display = f":{told.readline().strip()}"
        settings = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
        manager = subprocess.Popen(["openbox"], env=settings, stderr=subprocess.DEVNULL)
        try:
            return subprocess.run(
                [sys.executable, "-m", "pytest", str(Path(__file__)), *words],
                env=settings,
                capture_output=True,
                text=True,
                check=False,
            )
        finally:
            manager.terminate()
            manager.wait()
    finally:
        server.terminate()
        server.wait()


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_all_of_it_under_a_display_with_a_window_manager():
    done = on_a_display(["-m", "slow or not slow", "-k", "collections"])
    assert done.returncode == 0, done.stdout[-5000:]
