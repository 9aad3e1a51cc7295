"""While a question about the file waits, nothing is run or printed; one click answers it."""

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tapdesk.gui.dataset.ratings_editing import RatingsMenu
from tapdesk.gui.shell.status_texts import rail
from tapdesk.gui.theme.icons import State

LONG = 240_000
TOTAL = "record,Adams,Chen,Hughes\n" + "".join(
    f"P{i:02d},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'},{'no' if i % 2 else 'yes'}\n" for i in range(24)
)
TOTAL += "Total,16,18,12\n"
THREE = "SubjectID,Question,Rater_1,Rater_2,Rater_3\n" + "".join(
    f"S{i},Q{q},{1 + (i + q) % 2},{1 + i % 2},{1 + (i + q) % 2}\n" for i in range(12) for q in (1, 2, 3)
)


@pytest.fixture
def opened(window, qtbot, tmp_path):
    """Open a text file in the window."""

    def make(content):
        path = tmp_path / "ward.csv"
        path.write_text(content)
        with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
            window.open_file(str(path))
        return window

    return make


def links(window):
    QApplication.processEvents()
    found = window.dataset.checks.findChildren(QPushButton)
    return {b.text(): b for b in reversed(found) if b.isVisibleTo(window.dataset.checks)}


def states(window):
    return [(state, words) for state, words in rail(window.session, 0)]


@pytest.mark.parametrize(("content", "message", "answer"), [
    (TOTAL, "A row is called 'Total' and looks like a summary", "Leave out Total"),
    (TOTAL, "A row is called 'Total' and looks like a summary", "It is no summary"),
    (THREE, "'Question' differs within a case", "Only “Q2”"),
])  # fmt: skip
def test_run_and_report_wait_until_one_click_answers(opened, qtbot, content, message, answer):
    window = opened(content)
    session = window.session
    qtbot.waitUntil(lambda: session.ready, timeout=LONG)
    assert message in session.blocked
    assert states(window)[0] == (State.BLOCKED, "Not yet, 1 to answer")
    assert states(window)[1] == (State.BLOCKED, "Waits for 1 answer")
    assert window.dataset.next.text() == "Go to the first check (F8)"
    assert states(window)[3] == (State.BLOCKED, "Not yet")
    assert window.dataset.checks.words.text() == "Not yet: 1 question has to be answered first"
    window.go(1)
    assert not window.model.run.isEnabled()
    assert message in window.model.light.words.text()
    session.run()
    assert not session.fitting.running
    window.save_report()
    assert not window.report.save.isEnabled()
    assert not window.report.also.isEnabled()
    assert window.report.made is None
    window.go(0)
    links(window)[answer].click()
    qtbot.waitUntil(lambda: session.ready and not session.blocked, timeout=LONG)
    assert states(window)[0][0] is not State.BLOCKED
    assert len(session.document.project.decisions) == 1
    window.go(1)
    qtbot.waitUntil(window.model.run.isEnabled, timeout=LONG)
    # What is undone waits again.
    session.document.undo_stack.undo()
    assert message in session.blocked
    assert not window.model.run.isEnabled()


def test_a_rating_of_the_row_of_sums_is_shown_as_what_cannot_be_right(opened, qtbot):
    window = opened(TOTAL)
    words = window.dataset.preview.text()
    assert "the record Total the rating" in words
    assert words.endswith("That cannot be right: see the checks.")
    read = window.dataset.read
    last = read.rows.index(read.rows.rowCount() - 1, 0)
    assert last.data() == "Total"
    # The row is tinted in both tables, and the chip asks whether it is the last one.
    assert window.dataset.read.ratings.is_warned_of(24)
    qtbot.waitUntil(lambda: window.dataset.file.rows.last_warned == 25, timeout=LONG)
    assert window.dataset.sound.property("role") == "wrong"
    qtbot.waitUntil(lambda: "last" in window.dataset.chips.chips, timeout=LONG)
    assert "26?" in window.dataset.chips.chips["last"].accessibleName()
    held = [label.text() for label in window.dataset.checks.findChildren(QLabel)]
    assert any("It holds 16, 18 and 12 where records hold yes and no." in words for words in held)
    qtbot.waitUntil(lambda: read.viewport().rect().contains(read.visualRect(last).center()), timeout=LONG)
    # The first choice is filled, as it loses nothing; the other one is not.
    assert links(window)["Leave out Total"].property("kind") == "primary"
    assert not links(window)["It is no summary"].property("kind")
    links(window)["Leave out Total"].click()
    assert window.dataset.preview.text().endswith("Does that sound right?")


def test_a_column_that_differs_within_a_case_can_choose_the_rows(opened):
    window = opened(THREE)
    project = window.session.document.project
    menu = RatingsMenu(window.dataset.ratings_decisions, window).of_rows(project.all_classes)
    assert [a.text() for a in menu.actions()] == ["Question"]
    assert [a.text() for a in menu.actions()[0].menu().actions()] == ["Q1", "Q2", "Q3"]
