"""The dataset pane in the real window: findings mended, guesses changed, cells edited, categories moved."""

import openpyxl
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QPushButton

from tapdesk.errors import TapdeskError
from tapdesk.gui.reading.ticks import Ticks
from tapdesk.gui.widgets.focus import FocusRing
from tapdesk.gui.widgets.messages import CheckRow

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
LONG = 30_000
LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier

SHEET = "case,Ana,Ben,Cy\n" + "".join(
    f"c{i:02d},{'yes' if i % 3 else 'no'},{'Yes' if i % 4 == 1 else 'yes'},{'no' if i % 2 else 'yes'}\n"
    for i in range(24)
)


def rows(window):
    QApplication.processEvents()
    return [r for r in window.dataset.checks.findChildren(CheckRow) if r.isVisibleTo(window.dataset.checks)]


def link(window, words):
    """The link of a finding that says so."""
    QApplication.processEvents()
    found = [b for b in window.dataset.checks.findChildren(QPushButton) if b.text() == words and not b.isHidden()]
    shown = [b for b in found if b.isVisibleTo(window.dataset.checks)]
    assert shown, [b.text() for b in window.dataset.checks.findChildren(QPushButton)]
    return shown[0]


def cell(table, row, column):
    return table.visualRect(table.rows.index(row, column)).center()


def choose(qtbot, window, name, words):
    """Click a chip and a row of its menu, and wait until the file is read again."""
    chip = window.dataset.chips.chips[name]
    qtbot.mouseClick(chip, LEFT)
    menu = chip._menu
    qtbot.waitUntil(menu.isVisible)
    act = next(a for a in menu.actions() if words in a.text())
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(act).center())
        if isinstance(menu, Ticks):
            assert menu.isVisible()
            qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[-1]).center())


def test_a_finding_is_mended_with_one_click_logged_and_taken_back(opened, qtbot):
    window = opened(SHEET)
    pane, desk = window.dataset, window.desk
    before = pane.checks.words.text()
    qtbot.mouseClick(link(window, "Merge as “yes”"), LEFT)
    assert desk.document.project.all_classes.classes == ("no", "yes")
    assert pane.checks.words.text() != before
    assert any("Decision 1: 'yes' and 'Yes' are one class" in r.accessibleName() for r in rows(window))
    assert window.actions_["undo"].text() == "&Undo Merge as “yes”"
    qtbot.mouseClick(link(window, "Take back"), LEFT)
    assert len(desk.document.project.all_classes.classes) == 3
    assert pane.checks.words.text() == before
    window.actions_["undo"].trigger()
    assert desk.document.project.all_classes.classes == ("no", "yes")


def test_findings_are_mended_by_keyboard_and_the_keyboard_goes_on_to_the_next(opened, qtbot):
    window = opened(SHEET + "Total,9,9,9\n")
    first = link(window, "Merge as “yes”")
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Space)
    assert "Yes" not in window.desk.document.project.all_classes.classes
    at = QApplication.focusWidget()
    assert isinstance(at, QPushButton)
    assert window.dataset.checks.isAncestorOf(at)


def test_a_fix_that_does_not_fit_says_why_and_changes_nothing(opened):
    window = opened(SHEET)
    project = window.desk.document.project
    window.dataset.categories_card._missing("nowhere")
    assert window.desk.document.project is project
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


def test_every_guess_is_changed_by_its_chip_with_the_mouse_and_undone(opened, qtbot):
    window = opened("A title of the sheet;;;\n" + SHEET.replace(",", ";"))
    pane, desk = window.dataset, window.desk
    assert {"header", "delimiter", "encoding", "layout", "raters_are", "subject", "columns", "missing"} <= set(
        pane.chips.chips
    )
    assert desk.document.project.reading.source.header_rows == (2,)
    choose(qtbot, window, "columns", "Cy")
    assert desk.document.project.reading.as_read.raters == ("Ana", "Ben")
    choose(qtbot, window, "subject", "none")
    assert desk.document.project.reading.as_read.subjects[:2] == ("1", "2")
    choose(qtbot, window, "raters_are", "seats")
    assert not desk.document.project.reading.as_read.raters_known
    choose(qtbot, window, "missing", "“no”")
    assert desk.document.project.reading.missing > 0
    for _ in range(4):
        window.actions_["undo"].trigger()
    reading = desk.document.project.reading
    assert (reading.as_read.raters, reading.missing) == (("Ana", "Ben", "Cy"), 0)
    # What was undone is not asked for again with the next change.
    choose(qtbot, window, "raters_are", "seats")
    assert desk.document.project.reading.as_read.raters == ("Ana", "Ben", "Cy")


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
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: len(checks._open) < count and at() is not None)
    assert window.focusWidget().text() != "Take back"


def test_rating_columns_are_ticked_in_one_go_by_keyboard_and_left_as_they_were_with_escape(opened, qtbot):
    window = opened(SHEET)
    desk, chip = window.desk, window.dataset.chips.chips["columns"]
    before = desk.document.project

    def opened_menu():
        qtbot.keyClick(chip, Qt.Key.Key_Return)
        qtbot.waitUntil(chip._menu.isVisible)
        qtbot.keyClick(chip._menu, Qt.Key.Key_Space)
        qtbot.keyClick(chip._menu, Qt.Key.Key_Down)

    chip.setFocus()
    opened_menu()
    assert chip._menu.ticked == ("Ben", "Cy")
    qtbot.keyClick(chip._menu, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not chip._menu.isVisible())
    assert (chip._menu.ticked, desk.reading.running) == (("Ana", "Ben", "Cy"), False)
    assert desk.document.project is before
    opened_menu()
    qtbot.keyClick(chip._menu, Qt.Key.Key_Down)
    qtbot.keyClick(chip._menu, Qt.Key.Key_Down)
    with qtbot.waitSignal(desk.reading.done, timeout=LONG):
        qtbot.keyClick(chip._menu, Qt.Key.Key_Return)
    assert desk.document.project.reading.as_read.raters == ("Ben", "Cy")
    assert desk.document.undo_stack.undoText() == "Rating columns: 2"


def test_columns_beyond_those_that_are_listed_stay_ratings_when_others_are_ticked(opened, qtbot):
    names = [f"R{i}" for i in range(45)]
    rows = [",".join([f"c{i}", *("yes" if (i + j) % 3 else "no" for j in range(45))]) for i in range(6)]
    window = opened("case," + ",".join(names) + "\n" + "\n".join(rows) + "\n")
    choose(qtbot, window, "columns", "R3")
    assert window.desk.document.project.reading.as_read.raters == tuple(n for n in names if n != "R3")


def test_a_chip_is_opened_and_chosen_from_by_keyboard_and_keeps_the_keyboard(opened, qtbot):
    window = opened(SHEET)
    chip = window.dataset.chips.chips["raters_are"]
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Return)
    qtbot.waitUntil(chip._menu.isVisible)
    qtbot.keyClick(chip._menu, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        qtbot.keyClick(chip._menu, Qt.Key.Key_Return)
    assert not window.desk.document.project.reading.as_read.raters_known
    qtbot.waitUntil(lambda: window.focusWidget() is window.dataset.chips.chips["raters_are"])


def test_a_category_is_dragged_to_another_place(jury, qtbot):
    rows_ = jury.dataset.categories.rows
    start, end = rows_[3], rows_[0]
    qtbot.mousePress(start, LEFT, pos=QPoint(40, 17))
    target = end.mapTo(jury.dataset.categories, QPoint(40, 3)) - start.mapTo(jury.dataset.categories, QPoint(0, 0))
    for step in (QPoint(40, -20), target):
        qtbot.mouseMove(start, step)
    qtbot.mouseRelease(start, LEFT, pos=target)
    assert jury.desk.document.project.all_classes.classes == ("gold", "no medal", "bronze", "silver")
    jury.desk.document.undo_stack.undo()
    assert jury.desk.document.project.all_classes.classes[0] == "no medal"


def test_categories_are_moved_merged_renamed_and_added_by_keyboard(jury, qtbot, monkeypatch):
    desk, categories = jury.desk, jury.dataset.categories
    desk.choose_class1(())
    categories.rows[0].setFocus()
    qtbot.keyClick(categories.rows[0], Qt.Key.Key_Down, ALT)
    assert desk.document.project.all_classes.classes == ("bronze", "no medal", "silver", "gold")
    qtbot.waitUntil(categories.rows[1].hasFocus)
    qtbot.keyClick(categories.rows[1], Qt.Key.Key_Return)
    menu = jury.dataset.categories_card.menu
    qtbot.waitUntil(menu.isVisible)
    monkeypatch.setattr("tapdesk.gui.asking.for_text", lambda *_: "nothing")
    qtbot.keyClick(menu, Qt.Key.Key_R)
    assert desk.document.project.all_classes.classes == ("bronze", "nothing", "silver", "gold")
    menu = jury.dataset.categories_card.menu_of("bronze", desk.document.project.all_classes)
    colours = menu.actions()[2].menu()
    next(a for a in colours.actions() if a.text() == "Green").trigger()
    assert "drawn in green" in categories.rows[0].accessibleName()
    jury.actions_["undo"].trigger()
    assert "drawn in" not in categories.rows[0].accessibleName()
    merge = menu.actions()[1].menu()
    next(a for a in merge.actions() if "silver" in a.text()).trigger()
    assert desk.document.project.all_classes.classes == ("silver", "nothing", "gold")
    monkeypatch.setattr("tapdesk.gui.asking.for_text", lambda *_: "platinum")
    qtbot.keyClick(jury.dataset.categories_card.more, Qt.Key.Key_Space)
    assert desk.document.project.all_classes.classes[-1] == "platinum"
    assert "unused but allowed" in categories.rows[-1].accessibleName()
    for _ in range(4):
        jury.actions_["undo"].trigger()
    assert desk.document.project.all_classes.classes == ("no medal", "bronze", "silver", "gold")


def test_the_order_can_be_taken_from_the_categories_and_given_back(jury, qtbot):
    card = jury.dataset.categories_card
    assert card.ordered.isChecked()
    qtbot.keyClick(card.unordered, Qt.Key.Key_Space)
    assert not jury.desk.document.project.all_classes.ordered
    jury.actions_["undo"].trigger()
    assert jury.desk.document.project.all_classes.ordered
    assert card.ordered.isChecked()


def test_a_case_and_a_rater_are_left_out_from_the_table_by_mouse_and_by_the_menu_key(opened, qtbot):
    window = opened(SHEET)
    pane, desk = window.dataset, window.desk
    table = pane.read
    at = cell(table, 2, 1)
    QApplication.sendEvent(
        table.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, table.viewport().mapToGlobal(at))
    )
    qtbot.waitUntil(lambda: pane.menu is not None and pane.menu.isVisible())
    act = next(a for a in pane.menu.actions() if a.text() == "Leave out the case c02")
    qtbot.mouseClick(pane.menu, LEFT, pos=pane.menu.actionGeometry(act).center())
    assert "c02" not in desk.document.project.all_classes.subjects
    table.setFocus()
    table.setCurrentIndex(table.rows.index(0, 3))
    QApplication.sendEvent(table.viewport(), QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
    next(a for a in pane.menu.actions() if a.text() == "Leave out the rater Cy").trigger()
    assert desk.document.project.all_classes.raters == ("Ana", "Ben")
    assert [row.words for row in desk.document.project.log] == [
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
    assert window.desk.document.project.all_classes.subject_count == 4
    assert "left out by decisions" in window.left_words.text()
    window.dataset.menu.close()


def test_what_was_said_about_reading_stands_in_the_log_and_is_guessed_again_from_there(opened, qtbot):
    window = opened(SHEET)
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.dataset.chips._again(missing=("no",))
    window.decisions.show()
    told = [r.accessibleName() for r in window.decisions.findChildren(CheckRow)]
    assert any("How the file is read: missing codes: 'no'." in words for words in told)
    QApplication.processEvents()
    link_ = next(b for b in window.decisions.findChildren(QPushButton) if b.text() == "Guess it again")
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        qtbot.mouseClick(link_, LEFT)
    assert window.desk.document.project.reading.missing == 0
    window.decisions.hide()


def test_a_doubt_about_the_columns_marks_the_guess_it_is_about_and_is_settled_by_a_click(opened, qtbot):
    lines = "".join(f"i{i},{1 + i % 5},{1 + i % 3},{1 + (i + i // 4) % 5},{1 + (i + 1) % 3}\n" for i in range(20))
    window = opened(f"image,R1 grade,R1 trust,R2 grade,R2 trust\n{lines}")
    chips = window.dataset.chips.chips
    assert chips["columns"].accessibleDescription() == "A guess worth a look."
    assert chips["header"].accessibleDescription() == ""
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        qtbot.mouseClick(link(window, "Only “grade”"), LEFT)
    qtbot.waitUntil(lambda: window.desk.document.project.all_classes.raters == ("R1 grade", "R2 grade"))
    assert window.dataset.checks.words.text() == "Ready"
    assert window.dataset.chips.chips["columns"].accessibleDescription() == ""


def test_f8_shows_where_the_keyboard_is_though_no_tab_was_pressed_before(opened, qtbot):
    window = opened(SHEET + "Total,9,9,9\n")
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window, timeout=LONG)
    ring = window.findChild(FocusRing)
    assert ring.target is None
    qtbot.keyClick(window, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: ring.target is window.dataset.checks._open[0].links[0], timeout=LONG)


def test_the_chip_of_the_sheet_counts_those_that_are_stacked(window, qtbot, tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Ana"
    for name in ("Ana", "Ben", "Cy"):
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for line in (["Wine", "Medal"], *([f"w{i}", ("gold", "silver")[(i + len(name)) % 2]] for i in range(9))):
            sheet.append(line)
    for line in (["Wine", "Medal", "Price"], ["w1", "gold", 9], ["w2", "gold", 8]):
        (book["Result"] if "Result" in book.sheetnames else book.create_sheet("Result")).append(line)
    book.save(tmp_path / "medals.xlsx")
    window.desk.open(str(tmp_path / "medals.xlsx"))
    qtbot.waitUntil(lambda: "sheet" in window.dataset.chips.chips, timeout=LONG)
    assert window.dataset.chips.chips["sheet"].accessibleName() == "Sheet: 3 stacked"
