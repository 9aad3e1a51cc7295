"""A file that changed after it was read: told, shown rating by rating, taken over only when asked to."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from tapdesk.ratings.options import RatersAre
from tests.gui.test_filing import LONG, links, opened, saved

# The offscreen platform has no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Where the dialog for saving says to save."""
    path = tmp_path / "Spring show.tapdesk"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: path)
    return path


def test_a_file_that_changed_since_is_told_in_the_checks_and_taken_over_only_when_asked_to(
    window, qtbot, place, tmp_path
):
    sheet = tmp_path / "sheet.csv"
    rows = [f"c{i},{'yes' if i % 3 else 'no'},{'yes' if i % 2 else 'no'},yes\n" for i in range(30)]
    sheet.write_text("case,Ana,Ben,Cy\n" + "".join(rows))
    opened(window, qtbot, sheet)
    before = window.session.document.project.fingerprint
    saved(window, qtbot)
    rows[0] = "c0,yes,yes,yes\n"
    sheet.write_text("case,Ana,Ben,Cy\n" + "".join(rows))
    with qtbot.waitSignal(window.dataset.watch.noticed, timeout=LONG):
        window.open_file(str(place))
    assert window.session.document.project.fingerprint == before
    assert window.project_words.text() == "Spring show  ·  saved"
    words = "Take over the changed file"
    qtbot.waitUntil(lambda: len(links(window.dataset.checks, words)) == 1)
    (take_over,) = links(window.dataset.checks, words)
    assert "sheet.csv has changed since it was read" in take_over.accessibleName()
    (see,) = links(window.dataset.checks, "See what differs")
    see.click()
    seen = window.dataset.checks.difference
    assert seen.isVisible()
    assert seen.table.rows.rows == [("c0", "Ana", "no", "yes"), ("c0", "Ben", "no", "yes")]
    assert window.session.document.project.fingerprint == before
    seen.close()
    take_over.click()
    assert window.session.document.project.fingerprint != before
    qtbot.wait(50)
    assert links(window.dataset.checks, words) == []
    window.session.document.undo_stack.undo()
    assert window.session.document.project.fingerprint == before
    assert window.project_words.text() == "Spring show  ·  saved"


def test_a_file_that_changed_is_not_read_in_another_way_before_the_change_was_looked_at(window, qtbot, tmp_path):
    sheet = tmp_path / "sheet.csv"
    rows = [f"c{i},{'yes' if i % 3 else 'no'},{'yes' if i % 2 else 'no'},yes\n" for i in range(30)]
    sheet.write_text("case,Ana,Ben,Cy\n" + "".join(rows))
    opened(window, qtbot, sheet)
    session, pane = window.session, window.dataset
    before = session.document.project
    seats = replace(before.reading.asked, raters_are=RatersAre.SEATS)
    sheet.write_text("case,Ana,Ben,Cy\n" + "".join(["c0,yes,yes,yes\n", *rows[1:]]))
    with qtbot.waitSignal(pane.watch.noticed, timeout=LONG):
        session.read_again(seats)
    assert session.document.project is before
    assert pane.error.words[0] == "sheet.csv has changed since it was read, so nothing was read in another way."
    qtbot.waitUntil(lambda: len(links(pane.checks, "Take over the changed file")) == 1)
    (take_over,) = links(pane.checks, "Take over the changed file")
    take_over.click()
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        session.read_again(seats)
    now = session.document.project
    assert not now.all_classes.raters_known
    assert now.fingerprint != before.fingerprint
    sheet.unlink()
    with qtbot.waitSignal(session.reading.failed, timeout=LONG):
        session.read_again(before.reading.asked)
    assert session.document.project is now
    assert pane.error.words[0].startswith("The file of these ratings is no longer at its place")


def back(window, qtbot, qapp):
    """Somebody comes back from another program; the look at the file is over."""
    with qtbot.waitSignal(window.dataset.watch.job.done, timeout=LONG):
        qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)


def test_a_file_that_changed_while_somebody_was_elsewhere_is_told_on_coming_back(window, qtbot, qapp, tmp_path):
    sheet = tmp_path / "sheet.csv"
    rows = [f"c{i},{'yes' if i % 3 else 'no'},{'yes' if i % 2 else 'no'},yes\n" for i in range(30)]
    content = "case,Ana,Ben,Cy\n" + "".join(rows)
    sheet.write_text(content)
    opened(window, qtbot, sheet)
    session, words = window.session, "Take over the changed file"
    before = session.document.project
    back(window, qtbot, qapp)
    assert window.dataset.watch.about(before.reading) is None
    window.go(2)
    sheet.write_text(content.replace("c0,no,no", "c0,yes,yes"))
    back(window, qtbot, qapp)
    # Whatever pane is in front, the rail says so; nothing else has happened.
    assert window.steps[0].word == "The file has changed"
    assert session.document.project is before
    found = window.dataset.watch.about(before.reading)
    assert found.changed == 2
    assert len(links(window.dataset.checks, words)) == 1
    # What is known already is told no second time.
    told = []
    window.dataset.watch.noticed.connect(lambda: told.append(1))
    back(window, qtbot, qapp)
    assert told == []
    sheet.write_text(content)
    back(window, qtbot, qapp)
    assert told == [1]
    qtbot.waitUntil(lambda: links(window.dataset.checks, words) == [])
    assert window.steps[0].word != "The file has changed"
    assert session.document.project is before


def test_what_was_taken_over_and_taken_back_is_told_again_on_coming_back(window, qtbot, qapp, tmp_path):
    sheet = tmp_path / "sheet.csv"
    content = "case,Ana,Ben,Cy\n" + "".join(f"c{i},yes,{'yes' if i % 2 else 'no'},no\n" for i in range(30))
    sheet.write_text(content)
    opened(window, qtbot, sheet)
    session, watch = window.session, window.dataset.watch
    sheet.write_text(content.replace("c0,yes", "c0,no"))
    back(window, qtbot, qapp)
    watch.take_over()
    after = session.document.project
    back(window, qtbot, qapp)
    assert watch.about(after.reading) is None
    session.document.undo_stack.undo()
    back(window, qtbot, qapp)
    assert watch.about(session.document.project.reading).changed == 1
    sheet.unlink()
    back(window, qtbot, qapp)
    assert watch.about(session.document.project.reading) is None


def test_nothing_is_looked_at_on_coming_back_to_an_example_or_an_empty_window(window, qtbot, qapp):
    watch = window.dataset.watch
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert not watch.job.running
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("jury")
    back(window, qtbot, qapp)
    assert watch.about(window.session.document.project.reading) is None
