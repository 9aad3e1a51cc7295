"""What the keyboard reaches, in the order in which it is read, and what Enter does."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QTextBrowser

from tapdesk.gui.widgets.controls import text

LONG = 240_000


def walked(qtbot, first, most=40):
    """What Tab comes to, from a control on, until it comes round."""
    first.setFocus()
    found = [first]
    for _ in range(most):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        at = QApplication.focusWidget()
        if at is None or at is first:
            break
        found.append(at)
    return found


@pytest.fixture
def in_front(jury, qtbot):
    jury.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is jury, timeout=LONG)
    jury.go(1)
    return jury


def test_the_ticks_of_class_1_come_before_the_choices_below_them(in_front, qtbot):
    choices = in_front.model.choices
    order = walked(qtbot, in_front.model.run)
    places = [order.index(part) for part in (*choices._chips(), choices.guesses, choices.level, choices.interval)]
    assert places == sorted(places)
    # Other categories: the ticks are made anew, and Tab still comes to them at their place.
    in_front.session.choose_order(("gold", "silver", "bronze", "no medal"))
    qtbot.waitUntil(lambda: in_front.session.ready, timeout=LONG)
    order = walked(qtbot, in_front.model.run)
    places = [order.index(part) for part in (*choices._chips(), choices.guesses)]
    assert places == sorted(places)


def test_the_blocks_of_the_results_are_reached_in_the_order_in_which_they_stand(fitted, qtbot):
    fitted.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is fitted, timeout=LONG)
    fitted.go(2)
    results = fitted.results
    order = walked(qtbot, results.to_report, 150)
    parts = (*results.blocks, results.models, results.figure_chooser)
    first = [next(i for i, at in enumerate(order) if part.isAncestorOf(at)) for part in parts]
    last = [max(i for i, at in enumerate(order) if part.isAncestorOf(at)) for part in parts]
    assert first == sorted(first)
    assert all(end < begin for end, begin in zip(last, first[1:], strict=False))


def test_enter_presses_the_button_the_keyboard_is_on(in_front, qtbot):
    choices = in_front.model.choices
    chip = next(chip for chip in choices._chips() if not chip.isChecked())
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Return)
    assert chip.isChecked()
    in_front.go(0)
    in_front.dataset.next.setFocus()
    qtbot.keyClick(in_front.dataset.next, Qt.Key.Key_Enter)
    assert in_front.panes.currentWidget() is in_front.model


@pytest.mark.usefixtures("dressed")
def test_bold_words_are_of_a_face_that_there_is(qtbot):
    label = text("Seed <b>7</b> of <i>t</i>", rich=True)
    qtbot.addWidget(label)
    assert label.text() == "Seed <b>7</b> of <i>t</i>"
    assert "<b>" not in super(type(label), label).text()
    assert "font-weight:600" in super(type(label), label).text()


def test_help_has_no_letters_that_are_bolder_than_any_face(window):
    window.guides.help()
    browser = window.guides.page.findChild(QTextBrowser)
    assert browser.toPlainText().startswith("A first analysis")
    assert "font-weight:700" not in browser.toHtml().partition("<body")[2]
    window.guides.page.open_page("words")
    # What is bold in the head of a table is so there alone, and all of it is semi-bold.
    body = browser.toHtml().partition("<body")[2]
    assert "font-weight:700" not in body
    assert "font-weight:600" in body
    cursor = browser.document().find("An interval has no width.")
    assert cursor.charFormat().fontWeight() == QFont.Weight.Normal
    window.guides.page.hide()


def test_what_an_error_offers_comes_between_the_head_of_the_pane_and_the_guesses(in_front, qtbot, tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text("wine;Ana;Ben\n" + "".join(f"w{i};{'3.5' if i == 4 else '2,5'};3,5\n" for i in range(9)), "utf-8")
    in_front.go(0)
    pane = in_front.dataset
    in_front.session.open(str(path))
    qtbot.waitUntil(pane.error.isVisible, timeout=LONG)
    for _turn in range(2):
        order = [b.accessibleName() for b in walked(qtbot, pane.next)]
        places = [order.index(f"{mark} is the decimal mark") for mark in ("Comma", "Dot")]
        places += [order.index(name) for name in ("Copy details", "Close")]
        assert places == [1, 2, 3, 4]
        assert order[5] == "Header: row 1"
        # The guesses are made anew with each reading.
        in_front.session.document.changed.emit()
    qtbot.keyClick(pane.next, Qt.Key.Key_Tab)
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: in_front.session.document.project.reading.source.name == "mixed.csv", timeout=LONG)
    assert in_front.session.document.project.reading.source.decimal == ","


def test_enter_runs_and_enter_again_shows_the_results(in_front, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    run = in_front.model.run
    run.setFocus()
    with qtbot.waitSignal(in_front.session.fitting.done, timeout=LONG):
        qtbot.keyClick(run, Qt.Key.Key_Return)
    qtbot.waitUntil(in_front.model.to_results.hasFocus, timeout=LONG)
    qtbot.keyClick(in_front.model.to_results, Qt.Key.Key_Return)
    assert in_front.panes.currentWidget() is in_front.results


def test_the_keyboard_stays_where_the_user_has_taken_it_during_a_run(in_front, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    run, seed = in_front.model.run, in_front.model.choices.seed
    run.setFocus()
    with qtbot.waitSignal(in_front.session.fitting.done, timeout=LONG):
        qtbot.keyClick(run, Qt.Key.Key_Return)
        seed.setFocus()
    assert seed.hasFocus()


def test_a_press_of_the_mouse_that_hides_its_control_draws_no_ring(in_front, qtbot):
    in_front._ring.by_keyboard = False
    in_front.go(0)
    qtbot.mouseClick(in_front.dataset.next, Qt.MouseButton.LeftButton)
    assert in_front.panes.currentWidget() is in_front.model
    assert in_front._ring.target is None
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert in_front._ring.target is QApplication.focusWidget()
