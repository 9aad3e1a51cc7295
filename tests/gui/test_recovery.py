"""Work that was not saved is found again after a crash."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QAbstractButton

from tapdesk.gui.shell.dialogs import Answer
from tapdesk.gui.shell.project_file import RecentProjects
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.project.files.autosave import recoveries

LONG = 30_000


def links(widget, words):
    return [b for b in widget.findChildren(QAbstractButton) if b.text() == words and b.isVisibleTo(widget)]


CRASHING = """
import os, sys
from tapdesk.project.files.autosave import Autosave
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.project import Project
from tapdesk.progress import finish
from tapdesk.ratings.reading import read

project = Project(title="jury").with_reading(finish(read("sample:jury"))).decide(SetClass1(("gold",)))
Autosave().write(project)
os._exit(9)
"""


@pytest.fixture
def after_a_crash(qtbot, theme, monkeypatch, tmp_path):
    """A window that opens after another process ended without closing its project."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)
    ended = subprocess.run([sys.executable, "-c", CRASHING], env=dict(os.environ), check=False, capture_output=True)
    assert ended.returncode == 9, ended.stderr.decode()
    made = MainWindow(theme, Session())
    made.resize(1440, 900)
    qtbot.addWidget(made)
    made.show()
    yield made
    assert made.stop(LONG)


def test_after_a_crash_the_work_is_offered_and_gone_on_with(after_a_crash, qtbot):
    window = after_a_crash
    going_on = window.start.going_on
    assert going_on.isVisible()
    (offer,) = links(going_on, "Open")
    assert "jury" in offer.accessibleName()
    assert "not saved" in offer.accessibleName()
    with qtbot.waitSignal(window.project_file.keeping.done, timeout=LONG):
        offer.click()
    assert window.session.document.project.class1 == ("gold",)
    assert window.project_words.text() == "jury  ·  not saved yet"
    assert window.project_file.unsaved
    assert window.project_file.left_over == ()
    # The old copy went only when there was a new one, which this window holds.
    assert window.project_file._copy.path.exists()
    assert recoveries() == ()


def test_after_a_crash_the_work_can_be_discarded(after_a_crash):
    window = after_a_crash
    (discard,) = links(window.start.going_on, "Discard")
    discard.click()
    assert not window.start.going_on.isVisible()
    assert recoveries() == ()


def test_a_copy_that_cannot_be_opened_stays_on_offer(after_a_crash, qtbot):
    window = after_a_crash
    (recovery,) = window.project_file.left_over
    recovery.path.write_bytes(b"PK damaged")
    with qtbot.waitSignal(window.session.reading.failed, timeout=LONG):
        window.project_file.take_up(recovery)
    assert window.start.error.isVisible()
    assert window.project_file.left_over == (recovery,)
    assert recovery.path.exists()


def test_a_list_of_last_projects_that_was_tampered_with_is_passed_over(tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    for told in ("no list", '{"a": 1}', '[{"path": "x"}]', '[{"path":"x","name":"y","about":"","when":"then"}]', "[1]"):
        settings.setValue("recent", told)
        assert RecentProjects(settings).rows == ()
