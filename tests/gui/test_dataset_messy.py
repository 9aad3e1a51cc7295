"""A stranger's messy workbook goes in by mouse alone and by keyboard alone, every step visible and undoable."""

import datetime as dt

import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton

from tapdesk.gui.dataset.categories import CategoryRow
from tapdesk.gui.dataset.start_pane import ActionCard
from tapdesk.gui.widgets.chip import Chip
from tapdesk.ratings.ratings import fingerprint

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
LONG = 240_000
LEFT = Qt.MouseButton.LeftButton
# "Judges" stands above all three of them: it is what they share, and no part of a name.
RATERS = ("Ana", "Ben", "Cy")


@pytest.fixture
def messy(tmp_path):
    """Letterhead, merged header, hidden rows, totals, a note below, decimal commas, 'Yes ' and 'yes', and a date."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Ratings"
    sheet.append(["Ward audit, second quarter"])
    sheet.append(["St. Mary, third floor"])
    sheet.append([])
    sheet.append(["Case", "Judges", None, None, "Days"])
    sheet.append([None, "Ana", "Ben", "Cy", None])
    sheet.merge_cells("B4:D4")
    for i in range(24):
        one = "Yes" if i % 3 else "No"
        rows = [one, "yes" if i % 5 == 1 else one, "Yes " if i % 7 == 2 else ("No" if i % 4 == 0 else "Yes")]
        sheet.append([f"P{i + 1:02d}", *rows, f"{1 + i % 9},5"])
    sheet.append(["Total", 16, 17, 18, None])
    sheet.append([None, None, "* left early", None, None])
    sheet["C9"] = dt.date(2024, 3, 4)
    for row in (12, 17):
        sheet.row_dimensions[row].hidden = True
    book.create_sheet("Notes").append(["Nothing to see here"])
    path = tmp_path / "audit.xlsx"
    book.save(path)
    return path


def links(window):
    QApplication.processEvents()
    found = window.dataset.checks.findChildren(QPushButton)
    return {b.text(): b for b in reversed(found) if b.isVisibleTo(window.dataset.checks)}


class Mouse:
    """Everything is done with clicks."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot

    def press(self, widget):
        self.qtbot.mouseClick(widget, LEFT)

    def pick(self, menu, words):
        """A row of an open menu."""
        act = next(a for a in menu.actions() if words in a.text())
        self.qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(act).center())

    def edit(self, table, row, column, words):
        """Change a cell by a double click and the list that opens."""
        at = table.visualRect(table.rows.index(row, column)).center()
        self.qtbot.mouseClick(table.viewport(), LEFT, pos=at)
        self.qtbot.mouseDClick(table.viewport(), LEFT, pos=at)
        box = table.viewport().findChild(QComboBox)
        self.qtbot.mouseClick(box, LEFT, pos=box.rect().center())
        box.showPopup()
        view = box.view()
        self.qtbot.waitUntil(view.isVisible)
        place = view.visualRect(view.model().index(box.findText(words), 0)).center()
        self.qtbot.mouseClick(view.viewport(), LEFT, pos=place)

    def top(self, row: CategoryRow):
        """Drag a category to the first place."""
        first = self.window.dataset.categories.rows[0]
        target = first.mapTo(self.window, first.rect().topLeft()) - row.mapTo(self.window, row.rect().topLeft())
        self.qtbot.mousePress(row, LEFT, pos=row.rect().center())
        for step in (1, 2):
            self.qtbot.mouseMove(row, row.rect().center() + (target - row.rect().center()) * step / 2)
        self.qtbot.mouseRelease(row, LEFT, pos=target)


class Keyboard:
    """Everything is done with keys; Tab is what finds a control."""

    def __init__(self, window, qtbot):
        self.window, self.qtbot = window, qtbot

    def go(self, widget):
        """Tab until the keyboard is there; a control that no Tab reaches fails the test."""
        for _ in range(200):
            if self.window.focusWidget() is widget:
                return
            self.window.focusNextPrevChild(True)
        raise AssertionError(f"no Tab reaches {widget.accessibleName()}")

    def press(self, widget):
        self.go(widget)
        self.qtbot.keyClick(widget, Qt.Key.Key_Return if isinstance(widget, Chip) else Qt.Key.Key_Space)

    def pick(self, menu, words):
        acts = [a for a in menu.actions() if not a.isSeparator()]
        wanted = next(a for a in acts if words in a.text())
        for _ in acts:
            if menu.activeAction() is wanted:
                break
            self.qtbot.keyClick(menu, Qt.Key.Key_Down)
        self.qtbot.keyClick(menu, Qt.Key.Key_Return)

    def edit(self, table, row, column, words):
        self.go(table)
        for _ in range(row + 1):
            if table.currentIndex().row() != row:
                self.qtbot.keyClick(table, Qt.Key.Key_Down)
        while table.currentIndex().column() != column:
            self.qtbot.keyClick(table, Qt.Key.Key_Right)
        self.qtbot.keyClick(table, Qt.Key.Key_F2)
        box = table.viewport().findChild(QComboBox)
        box.lineEdit().selectAll()
        self.qtbot.keyClicks(box, words)
        self.qtbot.keyClick(box, Qt.Key.Key_Return)

    def top(self, row: CategoryRow):
        self.go(row)
        categories = self.window.dataset.categories
        for _ in range(categories.rows.index(row)):
            self.qtbot.keyClick(self.window.focusWidget(), Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)


def again(qtbot, window, act):
    """Do something that reads the file again."""
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        act()
    qtbot.waitUntil(window.dataset.chips.chips["layout"].isVisible)


def goes_back_and_forth(window, qtbot, states):
    """Each step is one step back, and all of them can be made again."""
    session = window.session
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    for before, print_ in reversed(states[:-1]):
        qtbot.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert session.document.project.reading is before
        assert fingerprint(session.document.project.all_classes) == print_
    assert not session.document.undo_stack.canUndo()
    for _ in states[1:]:
        window.actions_["redo"].trigger()
    assert fingerprint(session.document.project.all_classes) == states[-1][1]


@pytest.mark.parametrize("way", [Mouse, Keyboard])
def test_a_messy_workbook_goes_in_every_step_visible_and_undoable(way, window, qtbot, messy, monkeypatch):
    session, pane, hand = window.session, window.dataset, way(window, qtbot)
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.files_to_open", lambda *_: [str(messy)])
    if way is Mouse:
        card = next(c for c in window.start.findChildren(ActionCard) if "Open" in c.accessibleName())
        again(qtbot, window, lambda: hand.press(card))
    else:
        again(qtbot, window, lambda: qtbot.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier))
    reading = session.document.project.reading
    assert reading.source.header_rows == (4, 5)
    assert reading.source.decimal == ","
    assert reading.as_read.raters == RATERS
    assert "Rows 4 and 5 are the header" in pane.sentence.text()
    assert pane.chips.chips["last"].accessibleName() == "Table ends: at row 30"
    states = [(session.document.project.reading, fingerprint(session.document.project.all_classes))]

    def done():
        states.append((session.document.project.reading, fingerprint(session.document.project.all_classes)))

    # A guess about the file, by its chip.
    chip = pane.chips.chips["hidden"]
    hand.press(chip)
    qtbot.waitUntil(chip._menu.isVisible)
    again(qtbot, window, lambda: hand.pick(chip._menu, "left out"))
    assert "P07" not in session.document.project.all_classes.subjects
    done()
    # Findings, by their links.
    for words in ("Leave out Total", "Merge as “Yes”"):
        hand.press(links(window)[words])
        done()
    classes = session.document.project.all_classes.classes
    assert set(classes) == {"Yes", "No", "2024-03-04"}
    # The cell with the date, in place.
    row = session.document.project.all_classes.subjects.index("P04")
    hand.edit(pane.read, row, 2, "No")
    qtbot.waitUntil(lambda: "2024-03-04" not in session.document.project.all_classes.classes)
    assert pane.read.rows.index(row, 2).data(Qt.ItemDataRole.ToolTipRole).endswith("the file says 2024-03-04.")
    done()
    # The order of the categories.
    for first in ("Yes", "No"):
        QApplication.processEvents()
        place = session.document.project.all_classes.classes.index(first)
        if place:
            hand.top(pane.categories.rows[place])
            done()
    assert session.document.project.all_classes.classes == ("No", "Yes")
    assert session.document.project.all_classes.ordered
    assert session.document.project.all_classes.subject_count == 22
    assert session.document.project.all_classes.rating_count == 66
    # What else was noticed is confirmed.
    for words in (
        "This sheet is right",
        "That is right",
        "They are notes",
        "Both rows are the header",
        "No ratings there",
    ):
        hand.press(links(window)[words])
        done()
    assert pane.checks.words.text() == "Ready"
    assert window.steps[0].word == "Ready"
    goes_back_and_forth(window, qtbot, states)
