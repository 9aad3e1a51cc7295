"""Random use of the window: whatever is done in whatever order, nothing is raised, lost or kept for ever."""

import ctypes
import gc
import pkgutil
import random
import sys
from importlib import import_module
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

import tapdesk
from tapdesk.gui.shell.dialogs import Answer

from .conftest import worked_out
from .monkey import Monkey
from .ownership import faults

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)

LONG = 600_000
FEW = 150  # acts with every change
# About as many as a hurried user does in six minutes.
MANY = 3600
GROWTH = 0.10
# What Python itself holds shows a leak that is lost among libraries and fonts.
BLOCKS = 0.03
# What the program loads late, with what needs it.
LATE = "typst openpyxl openpyxl.styles openpyxl.utils pandas pyreadstat charset_normalizer scipy.optimize scipy.sparse "
LATE += "scipy.sparse.csgraph scipy.special scipy.stats tracemalloc"


def resident():
    """Bytes of memory in use by this process, once what was freed is given back to the system."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    rows = Path("/proc/self/status").read_text("ascii").splitlines()
    return int(next(row for row in rows if row.startswith("VmRSS")).split()[1]) * 1024


def everything_once(window, qtbot):
    """Load every module, run with everything beside the answer, look at every pane, print a report.

    What is loaded and drawn for the first time is no growth; which act of a seed comes to it first is chance.
    """
    for found in pkgutil.walk_packages(tapdesk.__path__, "tapdesk."):
        if not found.name.endswith(("__main__", "workbook_child")):  # these are programs
            import_module(found.name)
    for name in LATE.split():
        import_module(name)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
    for pane in range(window.panes.count()):
        window.go(pane)
        QApplication.processEvents()
    qtbot.waitUntil(lambda: window.report.made is not None, timeout=LONG)


@pytest.fixture
def cage(jury, qtbot, monkeypatch, tmp_path):
    """The window with a project that was saved, where nothing that is done leaves a folder of its own."""
    assert qtbot is not None
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 20)
    monkeypatch.setattr("tapdesk.gui.report.export.open_file", lambda _path: True)
    chance = random.Random(1)
    answers = (Answer.DROP, Answer.DROP, Answer.SAVE, Answer.STAY)
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda *_: chance.choice(answers))

    def place(_parent, _title, name, kinds, suffix=""):
        suffix = suffix or Path(name).suffix
        return str(tmp_path / f"saved{chance.randrange(3)}{suffix}"), kinds.split(";;")[0]

    monkeypatch.setattr("tapdesk.gui.shell.dialogs.file_to_save", place)
    (tmp_path / "out").mkdir()
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.folder", lambda *_: str(tmp_path / "out"))
    rows = [f"r{i},{'yes' if i % 3 else 'no'},{'yes' if i % 5 else 'no'},{i % 4}" for i in range(40)]
    (tmp_path / "wards.csv").write_text("\n".join(("case,Ana,Ben,Cy", *rows)))
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "broken.xlsx").write_bytes(b"PK\x03\x04" + bytes(200))
    jury.project_file._save_to(tmp_path / "jury.tapdesk")
    qtbot.waitUntil(lambda: not jury.project_file.saving.running, timeout=LONG)
    jury.cage = [tmp_path / name for name in ("wards.csv", "empty.csv", "broken.xlsx", "jury.tapdesk", "none.csv")]
    return jury


def settled(window, qtbot):
    """All that the acts have begun is stopped or done."""
    window.session.clear_queue()
    for job in (*window.session.jobs, *window.report.jobs):
        job.cancel()
        qtbot.waitUntil(lambda job=job: job.wait(0), timeout=LONG)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_random_use_raises_nothing_and_loses_nothing(cage, qtbot):
    monkey = Monkey(cage, 17, cage.cage)
    monkey.play(FEW)
    settled(cage, qtbot)
    assert len(monkey.acts) == FEW
    assert faults() == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(10))
def test_six_minutes_of_random_use_leave_the_memory_as_it_is(cage, qtbot, seed):
    everything_once(cage, qtbot)
    monkey = Monkey(cage, seed, cage.cage)
    # Every dialog it opens for the first time is dressed and kept.
    monkey.play(MANY // 3)
    settled(cage, qtbot)
    before, blocks = resident(), sys.getallocatedblocks()
    monkey.play(MANY - MANY // 3)
    settled(cage, qtbot)
    assert faults() == []
    grown, held = resident() / before - 1, sys.getallocatedblocks() / blocks - 1
    assert grown <= GROWTH, f"{grown:.1%} more"
    assert held <= BLOCKS, f"{held:.1%} more objects of Python"
