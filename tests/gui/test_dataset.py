"""The dataset pane in the real window: findings mended, the keyboard among them, what is left out."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QPushButton

from tapdesk.errors import TapdeskError
from tapdesk.gui.widgets.focus import FocusRing
from tests.gui.dataset_clicks import LEFT, LONG, SHEET, cell, link, rows

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_a_finding_is_mended_with_one_click_logged_and_taken_back(opened, qtbot):
    window = opened(SHEET)
    pane, session = window.dataset, window.session
    before = pane.checks.words.text()
    qtbot.mouseClick(link(window, "Merge as “yes”"), LEFT)
    assert session.document.project.all_classes.classes == ("no", "yes")
    assert pane.checks.words.text() != before
    assert any("Decision 1: 'yes' and 'Yes' are one class" in r.accessibleName() for r in rows(window))
    assert window.actions_["undo"].text() == "&Undo Merge as “yes”"
    qtbot.mouseClick(link(window, "Take back"), LEFT)
    assert len(session.document.project.all_classes.classes) == 3
    assert pane.checks.words.text() == before
    window.actions_["undo"].trigger()
    assert session.document.project.all_classes.classes == ("no", "yes")


def test_findings_are_mended_by_keyboard_and_the_keyboard_goes_on_to_the_next(opened, qtbot):
    window = opened(SHEET + "Total,9,9,9\n")
    first = link(window, "Merge as “yes”")
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Space)
    assert "Yes" not in window.session.document.project.all_classes.classes
    at = QApplication.focusWidget()
    assert isinstance(at, QPushButton)
    assert window.dataset.checks.isAncestorOf(at)


def test_a_fix_that_does_not_fit_says_why_and_changes_nothing(opened):
    window = opened(SHEET)
    project = window.session.document.project
    window.dataset.categories_card._missing("nowhere")
    assert window.session.document.project is project
    assert "nowhere" in window.dataset.error.words[0]


def test_the_keyboard_comes_to_the_guesses_first_and_its_ring_stays_with_what_an_error_pushes_down(opened, qtbot):
    window = opened(SHEET)
    pane, ring = window.dataset, window.findChild(FocusRing)
    pane.next.setFocus()
    for chip in pane.chips.chips.values():
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is chip
    before = ring.geometry()
    fix = "Name the rating columns with --columns; the columns are 'Yes' and 'No'."
    pane.error.show_error(TapdeskError("No column with ratings could be found.", "x.csv", fix))
    assert pane.error.words[2] == "Name the rating columns; the columns are 'Yes' and 'No'."
    qtbot.waitUntil(lambda: ring.geometry() != before)
    assert ring.geometry().center() == chip.mapTo(window, chip.rect().center())


def test_f8_goes_from_question_to_question_and_an_answer_to_the_next_open_one(opened, qtbot):
    window = opened(SHEET.replace("c01,", "c01 ,") + "Total,9,9,9\n* a note below,,,\n")
    window.activateWindow()
    checks = window.dataset.checks

    def at():
        focus = window.focusWidget()
        return next((i for i, r in enumerate(checks._open) if r.isAncestorOf(focus)), None)

    count = len(checks._open)
    assert count >= 3
    seen = []
    for _ in range(count + 1):
        window.actions_["next_question"].trigger()
        seen.append(at())
    assert seen == [*range(count), 0]
    # The last question is answered first: the keyboard goes to one that is open, not to what would take it back.
    while at() != count - 1:
        window.actions_["next_question"].trigger()
    # What blocks stands first now, so the last one may begin with a link that only shows a place: its last one decides.
    checks._open[-1].links[-1].setFocus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(checks._open) < count and at() is not None)
    assert window.focusWidget().text() != "Take back"


def test_a_case_and_a_rater_are_left_out_from_the_table_by_mouse_and_by_the_menu_key(opened, qtbot):
    window = opened(SHEET)
    pane, session = window.dataset, window.session
    table = pane.read
    at = cell(table, 2, 1)
    QApplication.sendEvent(
        table.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, table.viewport().mapToGlobal(at))
    )
    qtbot.waitUntil(lambda: pane.menu is not None and pane.menu.isVisible())
    act = next(a for a in pane.menu.actions() if a.text() == "Leave out the case c02")
    qtbot.mouseClick(pane.menu, LEFT, pos=pane.menu.actionGeometry(act).center())
    assert "c02" not in session.document.project.all_classes.subjects
    table.setFocus()
    table.setCurrentIndex(table.rows.index(0, 3))
    QApplication.sendEvent(table.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    next(a for a in pane.menu.actions() if a.text() == "Leave out the rater Cy").trigger()
    assert session.document.project.all_classes.raters == ("Ana", "Ben")
    assert [row.words for row in session.document.project.log] == [
        "Left out of the data: the case 'c02'.",
        "Left out of the data: the rater 'Cy'.",
    ]
    pane.menu.close()


def test_only_some_rows_count_where_a_further_column_says_so(opened):
    rows_ = "".join(f"w{i},{r},{'yes' if i % 2 else 'no'},{'A' if i < 5 else 'B'}\n" for i in range(9) for r in "XY")
    window = opened("case,rater,rating,ward\n" + rows_)
    window.dataset.filter.click()
    ward = window.dataset.menu.actions()[0].menu()
    assert [a.text() for a in ward.actions()] == ["A", "B"]
    ward.actions()[1].trigger()
    assert window.session.document.project.all_classes.subject_count == 4
    assert "left out by decisions" in window.status.left.text()
    window.dataset.menu.close()


def test_f8_shows_where_the_keyboard_is_though_no_tab_was_pressed_before(opened, qtbot):
    window = opened(SHEET + "Total,9,9,9\n")
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window, timeout=LONG)
    ring = window.findChild(FocusRing)
    assert ring.target is None
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: ring.target is window.dataset.checks._open[0].links[0], timeout=LONG)
