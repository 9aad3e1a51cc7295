"""In a dialog as well it is seen where the keyboard is, and what is chosen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QMessageBox, QPushButton

from tapdesk.gui.report.export_dialog import ExportDialog
from tapdesk.gui.shell.crash import CrashDialog
from tapdesk.gui.theme.theme import ColourScheme
from tapdesk.gui.widgets.focus import FocusRing


def opened(dialog, qtbot):
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog)
    return dialog


def ring_of(dialog):
    (ring,) = dialog.findChildren(FocusRing)
    return ring


def test_the_ring_is_where_the_keyboard_is_in_a_dialog(window, qtbot):
    dialog = opened(ExportDialog(window, "Save", raters=True, issue=True), qtbot)
    qtbot.waitUntil(lambda: bool(dialog.findChildren(FocusRing)))
    for _ in range(4):
        here = QApplication.focusWidget()
        ring = ring_of(dialog)
        assert here is not None
        assert ring.target is here
        assert ring.geometry().contains(
            here.geometry().translated(here.parentWidget().mapTo(dialog, here.pos()) - here.pos())
        )
        qtbot.keyClick(here, Qt.Key.Key_Tab)


@pytest.mark.parametrize(("words", "went_on"), [("Go on", True), ("Cancel", False)])
def test_enter_presses_the_button_with_the_ring(window, qtbot, words, went_on):
    dialog = opened(ExportDialog(window, "Save", raters=True, issue=True), qtbot)
    dialog.names.setChecked(True)
    (found,) = [one for one in dialog.findChildren(QPushButton) if one.text() == words]
    found.setFocus()
    qtbot.keyClick(found, Qt.Key.Key_Return)
    assert dialog.result() == went_on
    assert not dialog.isVisible()


def test_enter_presses_a_button_of_any_dialog(window, qtbot):
    dialog = opened(CrashDialog(ZeroDivisionError("a mistake"), window), qtbot)
    (found,) = [one for one in dialog.findChildren(QPushButton) if one.text() == "Go on"]
    found.setFocus()
    qtbot.keyClick(found, Qt.Key.Key_Return)
    assert not dialog.isVisible()


def test_a_question_of_the_program_has_its_ring_too(window, qtbot):
    box = QMessageBox(window)
    box.setText("Stop it and close?")
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    opened(box, qtbot)
    box.findChildren(QPushButton)[0].setFocus()
    qtbot.waitUntil(lambda: bool(box.findChildren(FocusRing)))
    assert ring_of(box).target is QApplication.focusWidget()


def test_what_scrolls_in_the_window_cuts_nothing_from_the_ring_of_a_dialog_opened_there(jury, qtbot):
    dialog = opened(QInputDialog(jury.dataset.categories), qtbot)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: bool(dialog.findChildren(FocusRing)))
    ring = ring_of(dialog)
    assert ring.target is QApplication.focusWidget()
    assert ring.mask().boundingRect() == ring.rect()


@pytest.mark.parametrize("look", list(ColourScheme))
def test_what_is_chosen_is_seen_in_every_look(window, qtbot, look):
    window.theme.use(look)
    dialog = opened(ExportDialog(window, "Save", raters=True, issue=True), qtbot)
    pictures = []
    for row in (dialog.draft, dialog.issued):
        picture = row.grab().toImage()
        side = row.fontMetrics().height()
        colours = {picture.pixelColor(x, y).name() for x in range(side) for y in range(picture.height())}
        pictures.append(window.theme.colour("accent").name() in colours)
    # Only the one that is chosen is filled.
    assert pictures == [True, False]
