"""Garbage that holds widgets is collected in the thread of the window, whatever else runs."""

import gc
import sys
import threading
import weakref

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel

from tapdesk.gui.app import GarbageCollector
from tapdesk.gui.runs.job import Worker
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.progress import Step

LONG = 10_000


@pytest.fixture
def collecting(qapp):
    gc.enable()  # as a program finds it; the other tests of the window have it off
    made = GarbageCollector(qapp)
    made.start()
    yield made
    made.stop()


def in_a_circle(ended):
    """A label that only a circle holds; where it ends is written down."""
    label = QLabel("left behind")
    holder = [label]
    label.holder = holder
    weakref.finalize(label, lambda: ended.append(threading.current_thread()))


def rubbish(amount):
    """A computation that leaves many circles."""
    for i in range(amount):
        for _ in range(1000):
            circle = []
            circle.append(circle)
        yield Step(i + 1, amount, "rubbish")


@pytest.mark.usefixtures("collecting")
def test_a_widget_left_in_a_circle_ends_in_the_thread_of_the_window_while_a_computation_makes_garbage(qtbot):
    ended = []
    in_a_circle(ended)
    worker = Worker(rubbish(50))
    with qtbot.waitSignal(worker.done, timeout=LONG):
        worker.start()
    qtbot.waitUntil(lambda: bool(ended), timeout=LONG)
    assert ended == [threading.main_thread()]
    assert worker.wait(LONG)


def test_a_library_that_was_loaded_is_looked_through_no_more(collecting, monkeypatch):
    kept = [[] for _ in range(1000)]
    collecting.look()
    assert any(one is kept for one in gc.get_objects())
    for i in range(60):
        monkeypatch.setitem(sys.modules, f"library.part{i}", gc)
    collecting.look()
    assert not any(one is kept for one in gc.get_objects())
    later = [[]]
    collecting.look()
    assert any(one is later for one in gc.get_objects())


def test_the_interpreter_has_it_back_when_the_program_ends(collecting):
    assert not gc.isenabled()
    collecting.stop()
    assert gc.isenabled()


def test_windows_that_were_closed_leave_nothing_behind(dressed, theme, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    left = []
    for _ in range(3):
        window = MainWindow(theme, Session())
        window.show()
        assert window.stop(LONG)
        window.close()
        window.deleteLater()
        del window
        for _again in range(2):
            dressed.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            gc.collect()
        left.append(len(dressed.allWidgets()))
    # The drawing library keeps the menus of the plots made last, whatever other tests keep.
    assert left[2] == left[1]
