"""The chips above a file that was read: every guess is changed by mouse and keyboard, and taken back."""

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from tapdesk.gui.widgets.messages import CheckRow
from tapdesk.project.review_state import finding_states
from tests.gui.dataset_clicks import LEFT, LONG, SHEET, choose, link

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_every_guess_is_changed_by_its_chip_with_the_mouse_and_undone(opened, qtbot):
    window = opened("A title of the sheet;;;\n" + SHEET.replace(",", ";"))
    pane, session = window.dataset, window.session
    assert {"header", "delimiter", "encoding", "layout", "raters_are", "subject", "columns", "missing"} <= set(
        pane.chips.chips
    )
    assert session.document.project.reading.source.header_rows == (2,)
    choose(qtbot, window, "columns", "Cy")
    assert session.document.project.reading.as_read.raters == ("Ana", "Ben")
    choose(qtbot, window, "subject", "none")
    assert session.document.project.reading.as_read.subjects[:2] == ("1", "2")
    choose(qtbot, window, "raters_are", "seats")
    assert not session.document.project.reading.as_read.raters_known
    choose(qtbot, window, "missing", "“no”")
    assert session.document.project.reading.missing > 0
    for _ in range(4):
        window.actions_["undo"].trigger()
    reading = session.document.project.reading
    assert (reading.as_read.raters, reading.missing) == (("Ana", "Ben", "Cy"), 0)
    # What was undone is not asked for again with the next change.
    choose(qtbot, window, "raters_are", "seats")
    assert session.document.project.reading.as_read.raters == ("Ana", "Ben", "Cy")


def test_rating_columns_are_ticked_in_one_go_by_keyboard_and_left_as_they_were_with_escape(opened, qtbot):
    window = opened(SHEET)
    session, chip = window.session, window.dataset.chips.chips["columns"]
    before = session.document.project

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
    assert (chip._menu.ticked, session.reading.running) == (("Ana", "Ben", "Cy"), False)
    assert session.document.project is before
    opened_menu()
    # Past the last rater and what would be without one of them, to the row that reads what is ticked.
    for _row in range(3):
        qtbot.keyClick(chip._menu, Qt.Key.Key_Down)
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        qtbot.keyClick(chip._menu, Qt.Key.Key_Return)
    assert session.document.project.reading.as_read.raters == ("Ben", "Cy")
    assert session.document.undo_stack.undoText() == "Rating columns: 2"


def test_columns_beyond_those_that_are_listed_stay_ratings_when_others_are_ticked(opened, qtbot):
    names = [f"R{i}" for i in range(45)]
    rows = [",".join([f"c{i}", *("yes" if (i + j) % 3 else "no" for j in range(45))]) for i in range(6)]
    window = opened("case," + ",".join(names) + "\n" + "\n".join(rows) + "\n")
    choose(qtbot, window, "columns", "R3")
    assert window.session.document.project.reading.as_read.raters == tuple(n for n in names if n != "R3")


def test_a_chip_is_opened_and_chosen_from_by_keyboard_and_keeps_the_keyboard(opened, qtbot):
    window = opened(SHEET)
    chip = window.dataset.chips.chips["raters_are"]
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Return)
    qtbot.waitUntil(chip._menu.isVisible)
    qtbot.keyClick(chip._menu, Qt.Key.Key_Down)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.keyClick(chip._menu, Qt.Key.Key_Return)
    assert not window.session.document.project.reading.as_read.raters_known
    qtbot.waitUntil(lambda: window.focusWidget() is window.dataset.chips.chips["raters_are"])


def test_what_was_said_about_reading_stands_in_the_log_and_is_guessed_again_from_there(opened, qtbot):
    window = opened(SHEET)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.dataset.chips._again(missing=("no",))
    window.decisions.show()
    told = [r.accessibleName() for r in window.decisions.findChildren(CheckRow)]
    assert any("How the file is read: missing codes: 'no'." in words for words in told)
    QApplication.processEvents()
    link_ = next(b for b in window.decisions.findChildren(QPushButton) if b.text() == "Guess it again")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.mouseClick(link_, LEFT)
    assert window.session.document.project.reading.missing == 0
    window.decisions.hide()


def test_a_doubt_about_the_columns_marks_the_guess_it_is_about_and_is_settled_by_a_click(opened, qtbot):
    lines = "".join(f"i{i},{1 + i % 5},{1 + i % 3},{1 + (i + i // 4) % 5},{1 + (i + 1) % 3}\n" for i in range(20))
    window = opened(f"image,R1 grade,R1 trust,R2 grade,R2 trust\n{lines}")
    chips = window.dataset.chips.chips
    assert chips["columns"].accessibleDescription() == "It has to be answered first."
    assert chips["header"].accessibleDescription() == ""
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.mouseClick(link(window, "Only “grade”"), LEFT)
    qtbot.waitUntil(lambda: window.session.document.project.all_classes.raters == ("R1", "R2"))
    # The raters are called R1 and R2 now, which may be seats as well: nothing else is open.
    open_ = [row.finding.code for row in finding_states(window.session.document.project) if row.open and row.fixes]
    assert open_ == ["seats_or_people"]
    assert window.dataset.chips.chips["columns"].accessibleDescription() == ""


def test_the_chip_of_the_sheet_counts_those_that_are_stacked(window, qtbot, tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Ana"
    for name in ("Ana", "Ben", "Cy"):
        sheet = book[name] if name in book.sheetnames else book.create_sheet(name)
        for line in (["Wine", "Medal"], *([f"w{i}", ("gold", "silver")[(i + len(name)) % 2]] for i in range(9))):
            sheet.append(line)
    for line in (["Place", "Winner", "Price"], [1, "Old Oak", 9], [2, "New Oak", 8]):
        (book["Result"] if "Result" in book.sheetnames else book.create_sheet("Result")).append(line)
    book.save(tmp_path / "medals.xlsx")
    window.session.open(str(tmp_path / "medals.xlsx"))
    qtbot.waitUntil(lambda: "sheet" in window.dataset.chips.chips, timeout=LONG)
    assert window.dataset.chips.chips["sheet"].accessibleName() == "Sheet: 3 stacked"


def test_columns_are_ticked_by_the_names_without_what_they_share(opened, qtbot):
    rows = "".join(f"c{i},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'},yes\n" for i in range(12))
    window = opened(f"case,p_Ana,p_Ben,p_Cy\n{rows}")
    reading = window.session.document.project.reading
    assert reading.as_read.raters == ("Ana", "Ben", "Cy")
    choose(qtbot, window, "columns", "Ana")
    after = window.session.document.project.reading
    assert after.as_read.raters == ("Ben", "Cy")
    assert after.as_read.rating_count == 24
    choose(qtbot, window, "columns", "Ana")
    assert window.session.document.project.reading.as_read.raters == ("Ana", "Ben", "Cy")
