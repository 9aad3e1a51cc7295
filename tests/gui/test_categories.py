"""The categories of the dataset pane: dragged, moved, merged, renamed and added."""

import pytest
from PySide6.QtCore import QPoint, Qt

from tests.gui.dataset_clicks import ALT, LEFT

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def test_a_category_is_dragged_to_another_place(jury, qtbot):
    rows_ = jury.dataset.categories.rows
    start, end = rows_[3], rows_[0]
    qtbot.mousePress(start, LEFT, pos=QPoint(40, 17))
    target = end.mapTo(jury.dataset.categories, QPoint(40, 3)) - start.mapTo(jury.dataset.categories, QPoint(0, 0))
    for step in (QPoint(40, -20), target):
        qtbot.mouseMove(start, step)
    qtbot.mouseRelease(start, LEFT, pos=target)
    assert jury.session.document.project.all_classes.classes == ("gold", "no medal", "bronze", "silver")
    jury.session.document.undo_stack.undo()
    assert jury.session.document.project.all_classes.classes[0] == "no medal"


def test_categories_are_moved_merged_renamed_and_added_by_keyboard(jury, qtbot, monkeypatch):
    session, categories = jury.session, jury.dataset.categories
    session.choose_class1(())
    categories.rows[0].setFocus()
    qtbot.keyClick(categories.rows[0], Qt.Key.Key_Down, ALT)
    assert session.document.project.all_classes.classes == ("bronze", "no medal", "silver", "gold")
    qtbot.waitUntil(categories.rows[1].hasFocus)
    qtbot.keyClick(categories.rows[1], Qt.Key.Key_Return)
    menu = jury.dataset.categories_card.menu
    qtbot.waitUntil(menu.isVisible)
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.for_text", lambda *_: "nothing")
    qtbot.keyClick(menu, Qt.Key.Key_R)
    assert session.document.project.all_classes.classes == ("bronze", "nothing", "silver", "gold")
    menu = jury.dataset.categories_card.menu_of("bronze", session.document.project.all_classes)
    colours = menu.actions()[2].menu()
    next(a for a in colours.actions() if a.text() == "Green").trigger()
    assert "drawn in green" in categories.rows[0].accessibleName()
    jury.actions_["undo"].trigger()
    assert "drawn in" not in categories.rows[0].accessibleName()
    merge = menu.actions()[1].menu()
    next(a for a in merge.actions() if "silver" in a.text()).trigger()
    assert session.document.project.all_classes.classes == ("silver", "nothing", "gold")
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.for_text", lambda *_: "platinum")
    qtbot.keyClick(jury.dataset.categories_card.more, Qt.Key.Key_Space)
    assert session.document.project.all_classes.classes[-1] == "platinum"
    assert "unused but allowed" in categories.rows[-1].accessibleName()
    for _ in range(4):
        jury.actions_["undo"].trigger()
    assert session.document.project.all_classes.classes == ("no medal", "bronze", "silver", "gold")


def test_the_order_can_be_taken_from_the_categories_and_given_back(jury, qtbot):
    card = jury.dataset.categories_card
    assert card.ordered.isChecked()
    qtbot.keyClick(card.unordered, Qt.Key.Key_Space)
    assert not jury.session.document.project.all_classes.ordered
    jury.actions_["undo"].trigger()
    assert jury.session.document.project.all_classes.ordered
    assert card.ordered.isChecked()
