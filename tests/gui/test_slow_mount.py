"""A file system that answers late: the window goes on meanwhile, and nothing that is done meanwhile is lost."""

import builtins
import io
import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tapdesk.gui.report.export import ExportOptions
from tapdesk.project.files.autosave import recoveries
from tapdesk.project.files.file import load
from tests.gui.conftest import LONG
from tests.gui.test_recovery import crash

CALLS = "stat lstat open access listdir scandir rename replace unlink link mkdir chmod utime readlink"
TURNS = 30


class Mount:
    """A folder whose every call waits at a gate; from the thread of the window none may come.

    Attributes
    ----------
    answers
        The gate: as long as it is not set, whoever asks waits.
    asked
        Set when somebody has begun to wait.
    frozen
        Calls from the thread of the window, which would stand still.
    """

    def __init__(self, monkeypatch, folder):
        self.folder = folder
        self.answers, self.asked = threading.Event(), threading.Event()
        self.answers.set()
        self.frozen, self.watched = [], True
        monkeypatch.setattr(builtins, "open", self._waiting("open", builtins.open))
        monkeypatch.setattr(io, "open", self._waiting("open", io.open))
        for name in CALLS.split():
            monkeypatch.setattr(os, name, self._waiting(name, getattr(os, name)))

    def _waiting(self, name, real):
        def called(*given, **more):
            if (
                self.watched
                and given
                and isinstance(given[0], str | Path)
                and str(given[0]).startswith(str(self.folder))
            ):
                if threading.current_thread() is threading.main_thread():
                    self.frozen.append(f"{name} {given[0]}")
                elif not self.answers.is_set():
                    self.asked.set()
                    self.answers.wait()
            return real(*given, **more)

        return called

    def late(self, qtbot, signal, act):
        """Do something that asks the folder, which answers after many turns of the event loop only."""
        self.asked.clear()
        self.answers.clear()
        with qtbot.waitSignal(signal, timeout=LONG):
            act()
            qtbot.waitUntil(self.asked.is_set, timeout=LONG)
            for _ in range(TURNS):
                QApplication.processEvents()
            self.answers.set()


@pytest.fixture
def mount(monkeypatch, tmp_path):
    folder = tmp_path / "mount"
    folder.mkdir()
    rows = "".join(f"c{i},{'yn'[i % 2]},{'yn'[i % 3 % 2]},{'yn'[i // 2 % 2]}\n" for i in range(30))
    (folder / "t.csv").write_text(f"case,Ana,Ben,Cy\n{rows}")
    made = Mount(monkeypatch, folder)
    yield made
    made.watched = False
    made.answers.set()
    assert made.frozen == []


def test_the_window_goes_on_while_files_are_opened_saved_and_left(window, qtbot, mount):
    document, file = window.session.document, window.project_file
    mount.late(qtbot, window.session.reading.done, lambda: window.open_file(str(mount.folder / "t.csv")))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    for name in ("one", "two"):
        place = mount.folder / f"{name}.tapdesk"

        def save(place=place, name=name):
            file._save_to(place)
            # What is typed while it is saved is not saved yet, and kept.
            document.note("summary", f"typed while {name} is saved", "Summary")

        mount.late(qtbot, file.saving.done, save)
        qtbot.waitUntil(lambda: not file.saving.running, timeout=LONG)
        assert file.unsaved
        file.keep()
        qtbot.waitUntil(lambda: not file.keeping.running, timeout=LONG)
        assert load(file._copy.path).notes == {"summary": f"typed while {name} is saved"}
    mount.late(qtbot, file.saving.done, file.save)
    watch = window.dataset.watch
    mount.late(qtbot, watch.job.done, lambda: watch._on_state(Qt.ApplicationState.ApplicationActive))
    mount.late(qtbot, window.session.reading.done, lambda: window.open_file(str(mount.folder / "one.tapdesk")))
    mount.late(qtbot, file.releasing.done, lambda: window.open_sample("jury"))
    qtbot.waitUntil(lambda: file.place is None and not file._left and not file.releasing.running, timeout=LONG)
    mount.watched = False
    assert load(mount.folder / "two.tapdesk").notes == {"summary": "typed while two is saved"}
    left = {p.name for p in mount.folder.iterdir() if "~" not in p.name}
    assert left == {"t.csv", "one.tapdesk", "two.tapdesk"}


def test_unsaved_work_on_a_file_that_answers_late_is_gone_on_with(window, qtbot, mount):
    place = mount.folder / "one.tapdesk"
    crash(str(place))
    (recovery,) = recoveries()
    mount.late(qtbot, window.session.reading.done, lambda: window.project_file.take_up(recovery))
    assert window.project_file.place == place
    assert window.session.document.project.notes == {"summary": "typed"}


def test_a_report_is_saved_where_answers_come_late(fitted, qtbot, mount, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.report.export.open_file", lambda _path: True)
    export = fitted.report.export
    place = mount.folder / "report.html"
    mount.late(qtbot, export.job.done, lambda: export.save_to(place, ExportOptions()))
    mount.watched = False
    assert place.read_bytes().startswith(b"<!")
