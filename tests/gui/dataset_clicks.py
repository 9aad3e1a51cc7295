"""A sheet with something to ask about, and what a user clicks in the dataset pane."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from tapdesk.gui.dataset.chips import TickMenu
from tapdesk.gui.widgets.messages import CheckRow

LONG = 240_000
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
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(act).center())
        if isinstance(menu, TickMenu):
            assert menu.isVisible()
            qtbot.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[-1]).center())
