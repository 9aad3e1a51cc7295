"""Everything by keyboard, every control named, nothing told by colour alone."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QProgressBar,
    QWidget,
)

from tapdesk.gui.shell.window_frame import ACTIONS
from tapdesk.gui.theme.icons import State
from tapdesk.gui.theme.theme import ColourScheme

CONTROLS = (QAbstractButton, QComboBox, QLineEdit, QProgressBar, QAbstractItemView)


def controls(window):
    """Every control that a user can meet, but for the heads Qt makes inside a table."""
    made = [w for w in window.findChildren(QWidget) if isinstance(w, CONTROLS) or w.focusPolicy() & Qt.TabFocus]
    return [w for w in made if not isinstance(w.parent(), QAbstractItemView)]


def name_of(widget):
    told = QAccessible.queryAccessibleInterface(widget)
    return told.text(QAccessible.Text.Name) if told is not None else ""


def test_every_control_has_an_accessible_name(fitted, qtbot):
    for place in range(4):
        fitted.go(place)
        qtbot.wait(20)
    nameless = [f"{type(w).__name__} in {type(w.parent()).__name__}" for w in controls(fitted) if not name_of(w)]
    assert sorted(set(nameless)) == []
    assert len(controls(fitted)) > 40


def test_controls_of_the_start_page_are_named_each_in_its_own_way(window):
    named = [name_of(w) for w in controls(window.start) if w.isVisible()]
    assert all(named)
    assert len(set(named)) == len(named)


def test_pictures_carry_a_description_in_words(fitted, qtbot):
    fitted.go(2)
    qtbot.wait(20)
    results = fitted.results
    for picture in (
        results.part_blocks["model"].body.picture,
        results.part_blocks["movement"].ridge,
        results.part_blocks["search"].settled.trace,
    ):
        assert picture.accessibleName()
        assert len(picture.accessibleDescription()) > 20


def test_the_state_of_every_step_is_a_word_and_a_shape_of_its_own(window):
    for step in window.steps:
        assert step.word
        assert step.accessibleDescription() == step.word
    marks = {state: state.value for state in State}
    assert len(set(marks.values())) == len(marks)


def test_the_whole_start_page_is_reached_by_tab(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    wanted = {w for w in controls(window.start) if w.isVisible() and w.isEnabled()}
    window.steps[0].setFocus()
    met = set()
    for _ in range(60):
        window.focusNextPrevChild(True)
        met.add(QApplication.focusWidget())
    assert wanted <= met


def test_the_ring_shows_where_the_keyboard_is_and_not_where_the_mouse_was(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    assert window._ring.target is None
    window.focusNextPrevChild(True)
    assert window._ring.target is QApplication.focusWidget()
    ring, at = window._ring.geometry(), QApplication.focusWidget()
    corner = at.mapTo(window, at.rect().topLeft())
    assert ring.contains(corner)
    assert ring.width() == at.width() + 8


def test_keys_change_panes_and_f6_goes_around(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    for number, pane in ((2, window.model), (3, window.results), (4, window.report), (1, window.front)):
        qtbot.keyClick(window, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        assert window.panes.currentWidget() is pane
    window.steps[0].setFocus()
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert window.panes.currentWidget().isAncestorOf(QApplication.focusWidget())
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert window.rail.isAncestorOf(QApplication.focusWidget())


def test_the_whole_journey_goes_by_keyboard(window, qtbot):
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    control = Qt.KeyboardModifier.ControlModifier
    with qtbot.waitSignal(window.session.reading.done, timeout=240_000):
        qtbot.keyClick(window, Qt.Key.Key_E, control)
    qtbot.keyClick(window, Qt.Key.Key_2, control)
    chip = window.model.choices._chips()[3]
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert window.session.document.project.class1 == ("gold",)
    qtbot.keyClick(window, Qt.Key.Key_Z, control)
    assert window.session.document.project.class1 is None
    qtbot.waitUntil(window.model.run.isEnabled, timeout=240_000)
    with qtbot.waitSignal(window.session.fitting.started):
        qtbot.keyClick(window, Qt.Key.Key_R, control)
    with qtbot.waitSignal(window.session.fitting.cancelled):
        qtbot.keyClick(window, Qt.Key.Key_Period, control)


def test_no_two_actions_share_a_key_or_a_letter_of_a_menu():
    keys = [key for row in ACTIONS for key in row.shortcuts]
    assert len(set(keys)) == len(keys)
    for menu in {row.menu for row in ACTIONS}:
        letters = [row.words.split("&")[1][0].lower() for row in ACTIONS if row.menu == menu and "&" in row.words]
        assert len(set(letters)) == len(letters), menu


@pytest.mark.parametrize("look", list(ColourScheme))
def test_every_look_and_size_dresses_a_filled_window_without_a_complaint(fitted, qtbot, look):
    for scale in (80, 200):
        fitted.dress(look=look, scale=scale)
        for place in range(4):
            fitted.go(place)
            qtbot.wait(10)
    assert fitted.theme.look is look
    assert fitted.actions_[look.value].isChecked()
    assert not fitted.grab().isNull()


def test_a_larger_text_makes_words_larger_and_stays_inside_its_bounds(window):
    before = window.model.title.fontMetrics().height()
    window.theme.use(scale=190)
    for _ in range(2):
        window.actions_["larger"].trigger()
    assert window.theme.scale == 200
    assert window.model.title.fontMetrics().height() > 1.8 * before
    window.actions_["usual"].trigger()
    assert window.model.title.fontMetrics().height() == before
