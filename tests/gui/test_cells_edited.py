"""Cells of the table of ratings changed by hand: in place, after a question, and numbers of tallied data."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit

from tapdesk.gui.dataset.ratings_table import CHANGED
from tests.gui.dataset_clicks import LEFT, SHEET, cell

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_a_cell_is_changed_in_place_marked_with_its_raw_value_and_undone(opened, qtbot):
    window = opened(SHEET)
    table, session = window.dataset.read, window.session
    at = table.rows.index(0, 1)
    assert at.data() == "no"
    qtbot.mouseClick(table.viewport(), LEFT, pos=cell(table, 0, 1))
    qtbot.mouseDClick(table.viewport(), LEFT, pos=cell(table, 0, 1))
    box = table.viewport().findChild(QComboBox)
    box.setCurrentText("yes")
    qtbot.keyClick(box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: table.rows.index(0, 1).data() == "yes")
    at = table.rows.index(0, 1)
    assert at.data() == "yes"
    assert at.data(CHANGED) is True
    assert at.data(Qt.ItemDataRole.ToolTipRole) == "yes. Changed: the file says no."
    assert session.document.project.log[-1].words == "Changed by hand: Ana rated c00 'yes'; it was 'no' before."
    window.actions_["undo"].trigger()
    assert table.rows.index(0, 1).data() == "no"
    assert table.rows.index(0, 1).data(CHANGED) is False


def test_a_cell_is_emptied_by_delete_and_a_slip_of_the_keyboard_makes_no_category(opened, qtbot, monkeypatch):
    window = opened(SHEET)
    table, session = window.dataset.read, window.session
    table.setFocus()
    table.setCurrentIndex(table.rows.index(3, 2))
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert session.document.project.all_classes.rating_count == 71
    assert table.currentIndex().row() == 3
    asked = []
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.about_new_category", lambda _parent, label: asked.append(label))
    table.ask(0, 0, "yess")
    assert asked == ["yess"]
    assert "yess" not in session.document.project.all_classes.classes


def test_one_of_several_ratings_in_a_cell_is_changed(opened, monkeypatch):
    long = "case,rater,rating\n" + "".join(
        f"w{i},{r},{'a' if i % 2 else 'b'}\n" for i in range(8) for r in ("J", "J", "K")
    )
    window = opened(long)
    table = window.dataset.read
    answers = iter([1, 0])
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.for_one", lambda *_: next(answers))
    assert table.rows.index(1, 1).data() == "a, a"
    table.ask(1, 0, "b")
    assert table.rows.index(1, 1).data() == "a, b"


def test_numbers_of_tallied_data_are_corrected_in_place_by_keyboard_and_undone(opened, qtbot):
    window = opened(",no,yes\nno,40,9\nyes,6,45\n")
    table, session = window.dataset.read, window.session
    table.setFocus()
    table.setCurrentIndex(table.rows.index(1, 1))
    qtbot.keyClicks(table, "1")
    line = table.viewport().findChild(QLineEdit)
    line.setText("19")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: table.rows.index(1, 1).data() == "19")
    assert table.rows.index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "19. Changed: the file says 9."
    assert session.document.project.log[-1].words == "Changed by hand: no / yes stands for 19 cases; it was 9 before."
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert session.document.project.all_classes.subjects == ("no / no", "yes / no", "yes / yes")
    # A cell of 0 stands in its place, says what the file says, and can be raised again.
    assert table.rows.index(1, 1).data(Qt.ItemDataRole.ToolTipRole) == "0. Changed: the file says 9."
    assert not table.rows.index(1, 2).flags() & Qt.ItemFlag.ItemIsEditable
    qtbot.keyClicks(table, "3")
    qtbot.keyClick(table.viewport().findChild(QLineEdit), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: table.rows.index(1, 1).data() == "3")
    assert table.currentIndex().row() == 1
    assert session.document.project.log[-1].words == "Changed by hand: no / yes stands for 3 cases; it was 0 before."
    for _ in range(3):
        window.actions_["undo"].trigger()
    assert table.rows.index(1, 1).data() == "9"
    assert table.rows.index(1, 1).data(CHANGED) is False


def test_one_rating_among_those_of_very_many_raters_is_changed_and_one_added(opened, qtbot, monkeypatch):
    rows = [f"c{i},R{j},{'yes' if (i + j) % 3 else 'no'}\n" for i in range(3) for j in range(70) if (i, j) != (1, 5)]
    window = opened("case,rater,rating\n" + "".join(rows))
    table, session = window.dataset.read, window.session
    asked, answers = [], iter([2, 1, 69, 0, 1])
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.for_one", lambda *told: asked.append(told[2:]) or next(answers))
    table.setFocus()
    table.setCurrentIndex(table.rows.index(1, 1))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert asked[0][1][2] == "3. R2: no"
    assert session.document.project.log[-1].words == "Changed by hand: R2 rated c1 'yes'; it was 'no' before."
    qtbot.keyClick(table, Qt.Key.Key_F2)
    assert asked[3] == ("Who rated c1?", ["R5"])
    assert session.document.project.log[-1].words.startswith("Added by hand: R5 rated c1")
