"""Projects in the window: saved, opened, left, found again after a crash, and their decisions taken back."""

import io
import json
import zipfile

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QAbstractButton, QApplication

from tapdesk.gui.shell.dialogs import Answer
from tapdesk.gui.shell.session import Session
from tapdesk.gui.shell.window import MainWindow
from tapdesk.project.files import file as files
from tapdesk.project.files.autosave import recoveries

LONG = 240_000


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the dialog for saving says to save."""
    path = tmp_path / "Spring show.tapdesk"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: path)
    return path


def saved(window, qtbot):
    with qtbot.waitSignal(window.project_file.saving.done, timeout=LONG):
        window.actions_["save"].trigger()


def answering(monkeypatch, answer):
    asked = []
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_changes", lambda _parent, name: asked.append(name) or answer)
    return asked


def opened(window, qtbot, path):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(path))


def links(widget, words):
    return [b for b in widget.findChildren(QAbstractButton) if b.text() == words and b.isVisibleTo(widget)]


def test_results_and_decisions_are_saved_and_opened_again_and_the_label_says_where_they_stand(fitted, qtbot, place):
    session, filing = fitted.session, fitted.project_file
    assert fitted.project_words.text() == "jury  ·  not saved yet"
    before = session.document.project
    fitted.go(2)
    cells = [(c.symbol, c.value, c.interval) for c in fitted.results.strip.cells[:3]]
    assert [symbol for symbol, _value, _interval in cells] == ["t", "a", "p"]
    saved(fitted, qtbot)
    assert fitted.project_words.text() == "Spring show  ·  saved"
    assert fitted.windowTitle() == "Spring show[*] - tapdesk"
    assert not fitted.isWindowModified()
    session.choose_class1(("gold",))
    assert fitted.project_words.text() == "Spring show  ·  changes not saved"
    assert fitted.isWindowModified()
    session.document.undo_stack.undo()
    assert fitted.project_words.text() == "Spring show  ·  saved"
    opened(fitted, qtbot, "sample:paradox")
    assert filing.place is None
    session.choose(level=0.9)
    opened(fitted, qtbot, place)
    now = session.document.project
    assert now.class1 == before.class1
    assert now.fingerprint == before.fingerprint
    for mine, theirs in zip(now.analyses[-1].fit.estimates, before.analyses[-1].fit.estimates, strict=True):
        assert mine == theirs
    assert session.plan.level == 0.95
    assert fitted.project_words.text() == "Spring show  ·  saved"
    fitted.go(2)
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    assert [(c.symbol, c.value, c.interval) for c in fitted.results.strip.cells[:3]] == cells


def test_results_made_before_a_later_decision_are_shown_with_the_ratings_they_were_made_on(fitted, qtbot, place):
    session = fitted.session
    made_on = session.document.ratings
    session.choose_class1(("gold",))
    saved(fitted, qtbot)
    opened(fitted, qtbot, place)
    assert session.document.analysis.stale
    assert session.document.ratings.class1 == ("gold",)
    assert session.fitted_ratings.class1 == made_on.class1 == ("no medal", "bronze")


def test_a_project_that_cannot_be_saved_says_why_and_stays_unsaved(jury, qtbot, tmp_path, monkeypatch):
    nowhere = tmp_path / "no such folder" / "a.tapdesk"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: nowhere)
    with qtbot.waitSignal(jury.project_file.saving.failed, timeout=LONG):
        jury.project_file.save()
    assert jury.dataset.error.isVisible()
    assert jury.dataset.error.words[0] == "The folder does not exist."
    assert jury.project_file.unsaved
    assert jury.project_file.place is None


def test_that_nothing_was_saved_is_told_where_the_user_is(fitted, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: tmp_path / "none" / "a.tapdesk"
    )
    fitted.go(2)
    with qtbot.waitSignal(fitted.project_file.saving.failed, timeout=LONG):
        fitted.project_file.save()
    assert fitted.panes.currentWidget() is fitted.results
    assert fitted.results.error.isVisible()
    assert fitted.results.strip.isVisible()


def test_save_as_that_is_called_off_changes_nothing(jury, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: None)
    jury.project_file.save_as()
    assert not jury.project_file.saving.running
    assert jury.project_words.text() == "jury  ·  not saved yet"


@pytest.mark.parametrize("harm", ["damaged", "newer"])
def test_a_project_that_cannot_be_opened_is_said_so_and_what_was_open_stays(jury, qtbot, place, harm):
    saved(jury, qtbot)
    before, content = jury.session.document.project, place.read_bytes()
    bad = place.with_name("bad.tapdesk")
    bad.write_bytes(content[:-200] if harm == "damaged" else later(content))
    with qtbot.waitSignal(jury.session.reading.failed, timeout=LONG):
        jury.open_file(str(bad))
    assert jury.session.document.project is before
    assert jury.dataset.error.isVisible()
    what, where, fix = jury.dataset.error.words
    assert harm in what
    assert "bad.tapdesk" in where
    assert fix
    assert jury.project_words.text() == "Spring show  ·  saved"


def later(content):
    """The same file as a program with a later format would have marked it."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "project.json":
                document = json.loads(part)
                part = json.dumps(document | {"format": document["format"] + 1}).encode()
            new.writestr(name, part)
    return made.getvalue()


def test_closing_with_changes_asks_and_cancel_keeps_the_window(jury, monkeypatch):
    asked = answering(monkeypatch, Answer.STAY)
    assert not jury.close()
    assert asked == ["jury"]
    assert jury.isVisible()
    asked = answering(monkeypatch, Answer.DROP)
    assert jury.close()
    assert asked == ["jury"]


def test_closing_with_changes_saves_them_first_when_asked_to(jury, qtbot, monkeypatch, place):
    asked = answering(monkeypatch, Answer.SAVE)
    assert not jury.close()
    qtbot.waitUntil(lambda: not jury.isVisible(), timeout=LONG)
    assert asked == ["jury"]
    assert files.load(place).class1 == ("no medal", "bronze")


def test_ratings_that_were_only_opened_are_closed_without_a_question(window, qtbot, monkeypatch):
    asked = answering(monkeypatch, Answer.STAY)
    opened(window, qtbot, "sample:jury")
    assert window.close()
    assert asked == []


def test_another_file_is_not_opened_over_changes_without_a_question(jury, monkeypatch):
    asked = answering(monkeypatch, Answer.STAY)
    before = jury.session.document.project
    jury.open_sample("paradox")
    assert asked == ["jury"]
    assert not jury.session.reading.running
    assert jury.session.document.project is before


def test_closing_during_a_run_asks_and_ends_its_threads(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100_000)
    jury.session.choose(interval="bootstrap")
    qtbot.waitUntil(lambda: jury.session.ready)
    with qtbot.waitSignal(jury.session.fitting.stepped, timeout=LONG):
        jury.run()
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.to_stop", lambda _parent: False)
    assert not jury.close()
    assert jury.session.fitting.running
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.to_stop", lambda _parent: True)
    assert jury.close()
    assert not jury.session.fitting.running
    # Whether they have ended, not whether they will: nobody waits for them here.
    assert all(job.wait(0) for job in jury.session.jobs)


def test_work_not_saved_is_kept_after_a_while_and_dropped_when_the_window_closes(jury, qtbot):
    assert jury.project_file.timer.isActive()
    assert jury.project_file.timer.interval() <= 1000
    jury.project_file.timer.start(1)
    with qtbot.waitSignal(jury.project_file.keeping.done, timeout=LONG):
        pass
    copy = jury.project_file._copy.path
    assert files.load(copy).class1 == ("no medal", "bronze")
    assert recoveries() == ()
    assert jury.close()
    assert not copy.exists()


@pytest.mark.usefixtures("place")
def test_the_copy_goes_when_the_project_is_saved(jury, qtbot):
    with qtbot.waitSignal(jury.project_file.keeping.done, timeout=LONG):
        jury.project_file.keep()
    copy = jury.project_file._copy.path
    assert copy.exists()
    saved(jury, qtbot)
    assert not copy.exists()
    assert not jury.project_file.timer.isActive()


@pytest.mark.usefixtures("place")
def test_the_last_projects_are_offered_at_the_next_start(qtbot, theme, jury, tmp_path):
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    jury.project_file.recents._settings = settings
    saved(jury, qtbot)
    settings.sync()
    again = MainWindow(theme, Session(), QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    qtbot.addWidget(again)
    again.show()
    (row,) = again.project_file.recents.rows
    assert (row.name, row.about) == ("Spring show", "183 wines · 4 raters")
    (link,) = links(again.start.going_on, "Open")
    with qtbot.waitSignal(again.session.reading.done, timeout=LONG):
        link.click()
    assert again.session.document.project.class1 == ("no medal", "bronze")
    assert again.stop(LONG)


def test_a_decision_is_taken_back_in_its_list_undone_and_redone(fitted, qtbot):
    session, listed = fitted.session, fitted.decisions
    session.choose_order(("bronze", "no medal", "silver", "gold"))
    fitted.actions_["decisions"].trigger()
    assert listed.isVisible()
    qtbot.waitUntil(lambda: len(links(listed, "Take back")) == len(session.document.project.log) == 2)
    backs = links(listed, "Take back")
    class1 = next(
        row for row in session.document.project.log if "no medal" in row.words and row.standing.name == "IN_FORCE"
    )
    next(b for b in backs if class1.words in b.accessibleName()).click()
    assert session.document.project.class1 is None
    assert session.document.project.order == ("bronze", "no medal", "silver", "gold")
    assert session.document.analysis.stale
    assert fitted.actions_["undo"].text().startswith("&Undo Take back")
    session.document.undo_stack.undo()
    assert session.document.project.class1 == ("no medal", "bronze")
    session.document.undo_stack.redo()
    assert session.document.project.class1 is None
    listed.hide()


def test_pasted_cells_are_read_as_a_file_is(window, qtbot):
    rows = "".join(f"c{i}\t{'yes' if i % 3 else 'no'}\t{'yes' if i % 2 else 'no'}\tyes\n" for i in range(30))
    QApplication.clipboard().setText("case\tAna\tBen\tCy\n" + rows)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.actions_["paste"].trigger()
    assert window.session.document.ratings.rating_count == 90
    assert window.session.document.project.title == "Pasted ratings"


def test_pasting_without_cells_says_what_to_copy(window):
    QApplication.clipboard().setText("hello")
    window.paste()
    assert window.start.error.isVisible()
    assert window.start.error.words[0] == "There are no cells on the clipboard."
