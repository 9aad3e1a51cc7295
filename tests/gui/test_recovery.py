"""Work that was not saved is found again after a crash."""

import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QAbstractButton

from tapdesk.gui.shell.dialogs import Answer, Instead
from tapdesk.gui.shell.recents import RecentProjects, ago
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.project.files.autosave import recoveries
from tapdesk.project.files.file import load, save

LONG = 240_000


def links(widget, words):
    return [b for b in widget.findChildren(QAbstractButton) if b.text() == words and b.isVisibleTo(widget)]


CRASHING = """
import os, sys
from pathlib import Path
from tapdesk.project.external_change import file_stamp
from tapdesk.project.files.autosave import Autosave
from tapdesk.project.files.file import save
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.project import Project
from tapdesk.progress import finish
from tapdesk.ratings.reading import read

project = Project(title="jury").with_reading(finish(read("sample:jury"))).decide(SetClass1(("gold",)))
place = Path(sys.argv[1]) if len(sys.argv) > 1 else None
if place is not None:
    save(project, place)
Autosave(place, seen=None if place is None else file_stamp(place)).write(project.with_note("summary", "typed"))
os._exit(9)
"""


def crash(*words):
    """Another process that ends without closing its project."""
    ended = subprocess.run(
        [sys.executable, "-c", CRASHING, *words], env=dict(os.environ), check=False, capture_output=True
    )
    assert ended.returncode == 9, ended.stderr.decode()


@pytest.fixture
def after_a_crash(qtbot, theme, monkeypatch, tmp_path):
    """A window that opens after another process ended without closing its project."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, _name: Answer.DROP)
    crash()
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


@pytest.mark.costly(2)
@pytest.mark.parametrize("seconds", [None, -400 * 86400, -3600, 400 * 86400])
def test_work_of_others_on_the_file_is_seen_after_a_crash_whatever_the_clock_says(
    after_a_crash, qtbot, monkeypatch, tmp_path, seconds
):
    window, place = after_a_crash, tmp_path / "jury.tapdesk"
    crash(str(place))
    if seconds is not None:
        theirs = load(place).with_note("summary", "theirs")
        save(theirs, place)
        now = place.stat().st_mtime + seconds
        os.utime(place, (now, now))
    asked = []
    monkeypatch.setattr(
        "tapdesk.gui.shell.dialogs.about_other_work", lambda _parent, error: asked.append(error) or Instead.STAY
    )
    (recovery,) = (one for one in recoveries() if one.document == place)
    with qtbot.waitSignal(window.project_file.keeping.done, timeout=LONG):
        window.project_file.take_up(recovery)
    assert window.session.document.project.notes == {"summary": "typed"}
    # The copy of the copy knows the file as the first one did.
    assert window.project_file._copy._seen == recovery.seen
    saving = window.project_file.saving
    with qtbot.waitSignal(saving.done if seconds is None else saving.failed, timeout=LONG):
        window.project_file.save()
    qtbot.waitUntil(lambda: not window.project_file.saving.running, timeout=LONG)
    assert len(asked) == (seconds is not None)
    assert load(place).notes == {"summary": "theirs" if asked else "typed"}


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
    row = '[{"path":"x","name":"y","about":"","when":"%s"}]'
    for told in ("no list", '{"a": 1}', '[{"path": "x"}]', row % "then", row % "2026-01-02T03:04", "[1]"):
        settings.setValue("recent", told)
        assert RecentProjects(settings).rows == ()


def test_a_project_of_the_future_is_said_with_its_day():
    now = datetime(2026, 11, 23, 12, tzinfo=UTC)
    assert ago("2026-11-23T23:59+00:00", now) == "today, 23:59"
    assert "2031" in ago("2031-02-03T04:05+00:00", now)
    assert "2026" in ago("2026-11-24T00:01+00:00", now)
