"""Memory that ends in the middle of work: a sentence, what is not saved is kept, and the window goes on."""

import sys

import pytest
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QApplication

from tapdesk.gui.shell.crash import CrashDialog
from tapdesk.progress import Step
from tapdesk.project.files.file import load
from tests.gui.conftest import LONG

WORDS = "There is not enough memory for this."


def short(*_what, **_how):
    """Work that has begun when there is no more memory."""
    yield Step(1, 2, "run")
    raise MemoryError


def refuse(*_what, **_how):
    raise MemoryError


class Clicked(QObject):
    """What a click leads to, where there is no more memory."""

    @Slot()
    def act(self) -> None:
        """Ask for more than there is."""
        raise MemoryError


@pytest.fixture
def noted(jury, monkeypatch):
    """The jury with a note that is not saved, where every box and every sentence is written down."""
    boxes = []
    monkeypatch.setattr(CrashDialog, "exec", boxes.append)
    monkeypatch.setattr(sys, "excepthook", jury.catcher.hook)
    jury.session.document.note("summary", "a word that was typed", "Summary")
    jury.crash_boxes = boxes
    return jury


def words_of(card):
    return card._what.text() if card.isVisible() else ""


def kept(window):
    return load(window.project_file._copy.path).notes


def test_a_fit_without_memory_is_a_sentence_and_the_next_one_runs(noted, qtbot, monkeypatch):
    noted.go(1)
    with monkeypatch.context() as patched:
        patched.setattr("tapdesk.gui.shell.session.analyse", short)
        with qtbot.waitSignal(noted.session.fitting.failed, timeout=LONG):
            noted.run()
    assert words_of(noted.model.error) == WORDS
    assert noted.crash_boxes == []
    assert noted.session.document.project.notes
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 10)
    with qtbot.waitSignal(noted.session.fitting.done, timeout=LONG):
        noted.run()
    assert noted.session.document.analysis.fit is not None
    noted.session.side_studies.job.cancel()


@pytest.mark.parametrize("pane", range(4))
def test_a_click_without_memory_is_a_sentence_where_the_user_is_and_unsaved_work_is_kept(noted, qtbot, pane):
    noted.go(pane)
    clicked = Clicked()
    told = []
    noted.catcher.again.connect(told.append)
    for times in (1, 2):
        QTimer.singleShot(0, clicked, clicked.act)
        qtbot.waitUntil(lambda times=times: len(told) == times, timeout=LONG)
    assert {error.what for error in told} == {WORDS}
    looked_at = noted.panes.currentWidget()
    card = (noted.front.currentWidget() if looked_at is noted.front else looked_at).error
    assert words_of(card) == WORDS
    assert noted.crash_boxes == []
    assert kept(noted) == noted.session.document.project.notes


def test_no_work_of_the_window_takes_missing_memory_for_a_mistake_of_ours(noted, qtbot, monkeypatch):
    jobs = (*noted.session.jobs, *noted.report.jobs, noted.dataset.watch.job, noted.project_file.saving)
    for job in jobs:
        with qtbot.waitSignal(job.failed, timeout=LONG) as heard:
            job.start(short())
        (error,) = heard.args
        assert error.what == WORDS
        # Nothing of what filled the memory is held by it.
        assert error.__context__ is None
        QApplication.processEvents()
    assert noted.crash_boxes == []
    # The copy of unsaved work that could not be written is tried again, and said so until it is.
    with monkeypatch.context() as patched:
        patched.setattr("tapdesk.project.files.autosave.save", refuse)
        # While another copy is written, or the project itself, none is begun.
        writing = (noted.project_file.keeping, noted.project_file.saving)
        qtbot.waitUntil(lambda: not any(job.running for job in writing), timeout=LONG)
        with qtbot.waitSignal(noted.project_file.keeping.failed, timeout=LONG):
            noted.project_file.keep()
    assert noted.project_file.unsafe.startswith(WORDS)
    with qtbot.waitSignal(noted.project_file.keeping.done, timeout=LONG):
        noted.project_file.keep()
    assert noted.project_file.unsafe == ""
    assert kept(noted) == noted.session.document.project.notes


def test_a_project_that_cannot_be_saved_for_want_of_memory_stays_as_it_was(noted, qtbot, monkeypatch, tmp_path):
    place = tmp_path / "jury.tapdesk"
    with qtbot.waitSignal(noted.project_file.saving.done, timeout=LONG):
        noted.project_file._save_to(place)
    before = place.read_bytes()
    noted.session.document.note("summary", "another word", "Summary")
    told = []
    noted.project_file.refused.connect(told.append)
    with monkeypatch.context() as patched:
        patched.setattr("tapdesk.project.external_change.save", refuse)
        with qtbot.waitSignal(noted.project_file.saving.failed, timeout=LONG):
            noted.project_file.save()
    assert [error.what for error in told] == [WORDS]
    assert place.read_bytes() == before
    assert noted.project_file.unsaved
    assert [p.name for p in tmp_path.iterdir() if not p.name.endswith(".open")] == [place.name]
    with qtbot.waitSignal(noted.project_file.saving.done, timeout=LONG):
        noted.project_file.save()
    assert not noted.project_file.unsaved


def test_where_even_the_copy_and_the_sentence_find_no_memory_the_window_lives(noted, qtbot, monkeypatch):
    clicked = Clicked()
    with monkeypatch.context() as patched:
        patched.setattr(noted.catcher, "keep", refuse)
        patched.setattr("tapdesk.gui.widgets.messages.ErrorCard.show_error", refuse)
        asked = []
        noted.catcher.again.connect(asked.append)
        QTimer.singleShot(0, clicked, clicked.act)
        qtbot.waitUntil(lambda: bool(asked), timeout=LONG)
        for _ in range(20):
            QApplication.processEvents()
    assert noted.crash_boxes == []
    assert noted.isVisible()
    noted.go(2)
