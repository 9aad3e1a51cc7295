"""Known answers in the window: the run waits, one click says what the column is, and it stands beside the ratings."""

import pytest
from PySide6.QtCore import Qt

from tapdesk.gui.dataset.case_cells import Arrangement
from tapdesk.language import say
from tapdesk.project.key_choices import KeyRole
from tests.gui.dataset_clicks import LONG, choose
from tests.ratings.test_known import wide

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
KEYED = wide("Gold standard", known=lambda i: i % 2 == 0)


def cards(window):
    (made,) = window.dataset.checks.cards
    return made, {card.choice.role: card for card in made.cards}


def table_head(window):
    rows = window.dataset.read.ratings
    return [rows.headerData(j, Qt.Orientation.Horizontal) for j in range(1, rows.columnCount())]


def test_the_question_is_answered_on_cards_by_mouse_and_taken_back(opened, qtbot):
    window = opened(KEYED)
    pane, session = window.dataset, window.session
    assert "Gold standard?" in pane.chips.chips["known"].accessibleName()
    assert not session.document.project.ratings.known
    made, by_role = cards(window)
    assert made.choice.role is KeyRole.KNOWN
    assert "3 raters are counted. 35 of 45 ratings there say the same." in by_role[KeyRole.KNOWN].choice.numbers
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        qtbot.mouseClick(made.use, Qt.MouseButton.LeftButton)
    project = session.document.project
    assert project.ratings.raters == ("Adams", "Chen", "Hughes")
    assert project.ratings.known == "Gold standard"
    assert "The answer of this case is not known." in project.reading.source.sentence
    session.document.undo_stack.undo()
    assert session.document.project.ratings.known == ""
    assert "Gold standard" in session.document.project.ratings.raters


def test_what_a_card_would_give_stands_in_the_table_before_it_is_answered(opened, qtbot):
    window = opened(KEYED)
    made, by_role = cards(window)
    assert table_head(window) == ["Adams", "Chen", "Hughes", "Known: Gold standard"]
    assert "The known answer is Yes." in window.dataset.preview.text()
    qtbot.mouseClick(by_role[KeyRole.RATER], Qt.MouseButton.LeftButton)
    assert made.choice.role is KeyRole.RATER
    assert table_head(window) == ["Adams", "Chen", "Hughes", "Gold standard"]
    assert "all 15 photos with a clear majority" in say(by_role[KeyRole.RATER].choice.numbers)
    qtbot.mouseClick(by_role[KeyRole.NEITHER], Qt.MouseButton.LeftButton)
    assert table_head(window) == ["Adams", "Chen", "Hughes"]
    # Nothing of it is decided.
    assert not window.session.document.project.log
    assert "Gold standard" in window.session.document.project.ratings.raters


def test_the_question_is_answered_by_keyboard_alone(opened, qtbot):
    window = opened(KEYED)
    made, _by_role = cards(window)
    qtbot.keyClick(window, Qt.Key.Key_F8)
    assert window.focusWidget() is made.radio
    qtbot.keyClick(made.radio, Qt.Key.Key_Down)
    qtbot.keyClick(made.radio, Qt.Key.Key_Down)
    assert made.choice.role is KeyRole.NEITHER
    assert window.focusWidget() is made.radio
    assert made.use.text() == "Leave it out"
    qtbot.keyClick(made.radio, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(window.session.document.project.log))
    assert window.session.document.project.ratings.raters == ("Adams", "Chen", "Hughes")


def test_what_only_may_be_a_key_is_a_rater_until_it_is_answered(opened):
    made, by_role = cards(opened(wide("Hansen")))
    assert made.choice.role is KeyRole.RATER
    assert set(by_role) == set(KeyRole)


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
