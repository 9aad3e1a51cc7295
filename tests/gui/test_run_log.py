"""What a user may send about a start of the program: what ran and how it ended, nothing of the ratings."""

import logging
import re

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from tapdesk.gui.runs.job import RUNS, ResumableRun
from tapdesk.gui.shell import run_log
from tapdesk.gui.shell.run_log import RunLogDialog
from tapdesk.studies.parallel import thin_steps
from tapdesk.version import VERSION

LONG = 240_000


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A log of runs in a folder of the test; what was set before stands again afterwards."""
    before = list(RUNS.handlers), RUNS.propagate, RUNS.level
    RUNS.handlers = []
    monkeypatch.setattr(run_log, "log_path", lambda: tmp_path / "data" / "tapdesk.log")
    run_log._RECENT.lines.clear()
    run_log.start_run_log()
    yield tmp_path / "data" / "runs.log"
    for one in RUNS.handlers:
        one.close()
    RUNS.handlers, RUNS.propagate = before[:2]
    RUNS.setLevel(before[2])


@pytest.mark.usefixtures("qapp")
def test_a_start_is_told_by_what_runs_it_in_a_file_for_its_owner_alone(kept):
    first, second = run_log.run_lines().splitlines()
    assert f"tapdesk={VERSION} python=3" in first
    assert re.search(r" qt=6\.\d+\.\d+ platform=offscreen screen=\d+x\d+ scale=1\.00$", second)
    assert kept.stat().st_mode & 0o077 == 0


def test_every_run_is_told_with_its_time_and_nothing_that_was_rated(kept, jury, qtbot):
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        jury.run()
    with qtbot.waitSignal(jury.session.reading.done, timeout=LONG):
        jury.open_sample("paradox")
    told = kept.read_text("utf-8")
    assert re.search(r"run=studies\.analysis\.\w+ end=done seconds=\d+\.\d\d$", told, re.MULTILINE)
    for name in ("jury", "paradox", "csv", "wine", "gold", "silver", "Ana", "Ben", "Carla", "Dimitri", "W001"):
        assert re.search(rf"\b{re.escape(name)}\b", told) is None, name


def test_a_run_that_breaks_and_one_that_is_stopped_are_told_without_their_words(kept, fitted, qtbot, monkeypatch):
    def broken(*_):
        yield from ()
        raise ZeroDivisionError("of Carla's 12 wines")

    monkeypatch.setattr("tapdesk.gui.shell.crash.CrashDialog.exec", lambda _dialog: None)
    fitted.catcher.note = run_log.note_fault
    monkeypatch.setattr("tapdesk.gui.shell.session.analyse", broken)
    with qtbot.waitSignal(fitted.session.fitting.failed, timeout=LONG):
        fitted.run()
    qtbot.waitUntil(lambda: "fault=ZeroDivisionError at=" in kept.read_text("utf-8"))
    told = kept.read_text("utf-8")
    assert re.search(r"broken end=ZeroDivisionError seconds=", told)
    assert "test_run_log.py:" in told
    assert "Carla" not in told


def test_what_is_shown_can_be_copied_as_it_stands(kept, window, monkeypatch):
    shown = []
    monkeypatch.setattr(QDialog, "exec", lambda dialog: shown.append(dialog) or 0)
    window.actions_["run_log"].trigger()
    (dialog,) = shown
    assert isinstance(dialog, RunLogDialog)
    dialog.copy()
    assert QApplication.clipboard().text() == dialog.view.toPlainText() == run_log.run_lines()
    assert f"tapdesk={VERSION}" in kept.read_text("utf-8")


@pytest.mark.usefixtures("qapp")
def test_a_log_that_is_large_begins_anew(kept):
    kept.write_bytes(b"x" * (run_log.LARGEST + 1))
    run_log.start_run_log()
    RUNS.info("after")
    assert kept.stat().st_size < 1000
    assert kept.read_text("utf-8").splitlines()[-1].endswith("after")


@pytest.mark.usefixtures("qapp")
def test_without_a_place_for_the_file_the_lines_of_this_start_are_shown(kept, monkeypatch):
    def refused(_folder):
        raise OSError

    monkeypatch.setattr(run_log, "private_folder", refused)
    monkeypatch.setattr(run_log, "log_path", lambda: kept.parent / "nowhere" / "tapdesk.log")
    run_log.start_run_log()
    assert not (kept.parent / "nowhere").exists()
    assert f"tapdesk={VERSION}" in run_log.run_lines()


def test_a_run_is_called_by_the_function_that_is_run():
    assert logging.getLogger("tapdesk.runs") is RUNS
    assert ResumableRun(thin_steps(iter(()))).name == "studies.parallel.thin_steps"

    def own():
        yield

    assert ResumableRun(own()).name.startswith("test_run_log.")
