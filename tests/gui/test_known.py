"""Known answers in the window: the run waits, one click says what the column is, and it stands beside the ratings."""

import pytest
from PySide6.QtCore import Qt

from tapdesk.gui.dataset.case_cells import Arrangement
from tests.gui.dataset_clicks import LONG, choose, link
from tests.ratings.test_known import wide

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
KEYED = wide("Gold standard", known=lambda i: i % 2 == 0)


def test_the_question_is_answered_by_one_click_and_taken_back(opened, qtbot):
    window = opened(KEYED)
    pane, session = window.dataset, window.session
    assert "Gold standard?" in pane.chips.chips["known"].accessibleName()
    assert not session.document.project.ratings.known
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        qtbot.mouseClick(link(window, "“Gold standard” is the known answer"), Qt.MouseButton.LeftButton)
    project = session.document.project
    assert project.ratings.raters == ("Adams", "Chen", "Hughes")
    assert project.ratings.known == "Gold standard"
    assert "The answer of this case is not known." in project.reading.source.sentence
    session.document.undo_stack.undo()
    assert session.document.project.ratings.known == ""
    assert "Gold standard" in session.document.project.ratings.raters


def test_what_is_known_stands_beside_the_ratings_and_is_not_changed_there(opened, qtbot):
    window = opened(KEYED)
    choose(qtbot, window, "known", "Gold standard")
    table = window.dataset.read.ratings
    cells = table.cells
    assert cells.kinds[-1] is Arrangement.KNOWN
    column = len(cells.kinds)
    shown = [table.drawn(row, column)[0] for row in range(4)]
    assert shown == ["No", "not known", "Yes", "not known"]
    index = table.index(0, column)
    assert not table.flags(index) & Qt.ItemFlag.ItemIsEditable
    assert table.headerData(column, Qt.Orientation.Horizontal) == "Known: Gold standard"
    choose(qtbot, window, "known", "none")
    assert window.session.document.project.ratings.known == ""
