"""What if, in the real window: by mouse, by keyboard, stopped half-way, put into the report; nothing is overwritten."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from tapdesk.answers.what_if import kept_in
from tapdesk.gui.shell import dialogs
from tapdesk.project.what_if import MergedClasses, WithModel, WithoutRaters
from tests.gui.conftest import LONG
from tests.gui.test_beside import RATERS
from tests.gui.test_beside import answered as run_question

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)


def shown_menu(window):
    """The menu that is open."""
    (menu,) = [one for one in window.findChildren(QMenu) if one.isVisible()]
    return menu


def choose(qtbot, menu, words):
    """One click on a row of a menu."""
    row = next(one for one in menu.actions() if words in one.text())
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(row).center())


def answered(qtbot, window):
    """What is shown once it has been worked out."""
    qtbot.waitUntil(lambda: window.what_if.told is not None, timeout=LONG)
    return window.what_if.told


def test_without_a_judge_takes_two_clicks_from_the_head_of_the_column(fitted, qtbot):
    window = fitted
    window.go(0)
    head = window.dataset.read.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(3) + 5, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.RightButton, pos=at)
    head.customContextMenuRequested.emit(at)
    before = window.session.document.project
    choose(qtbot, shown_menu(window), "What if without Carla")
    told = answered(qtbot, window)
    assert str(told.b) == "without Carla"
    assert "without Carla" in window.what_if.headline.words
    # Nothing is decided, and the answer is the one that was there.
    assert window.session.document.project is before
    assert not [row for row in window.session.document.project.log if "Carla" in row.words]


def test_the_list_is_walked_by_keyboard_and_goes_to_the_report_and_out_again(fitted, qtbot):
    window = fitted
    qtbot.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    page = window.what_if
    assert page.isVisible()
    page.list.setCurrentIndex(page.list.rows.index(0, 0))
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    told = answered(qtbot, window)
    assert str(told.b) == "without Ben"
    assert page.isVisible()
    verdicts = {row[-1] for row in page.table.rows.rows}
    assert verdicts <= {"yes", "cannot tell"}
    page.smallest.setCurrentIndex(page.smallest.findData(0.2))
    page.smallest.activated.emit(page.smallest.currentIndex())
    assert "no" in {row[-1] for row in page.table.rows.rows}
    qtbot.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    (kept,) = kept_in(window.session.document.project)
    assert (str(kept.b), kept.smallest) == ("without Ben", 0.2)
    assert page.put.text() == "Take it out of the report"
    qtbot.mouseClick(page.put, Qt.MouseButton.LeftButton)
    assert kept_in(window.session.document.project) == ()
    window.session.document.undo_stack.undo()
    assert len(kept_in(window.session.document.project)) == 1


def test_two_of_them_stand_in_one_report(fitted, qtbot):
    window = fitted
    for name in ("Ana", "Ben"):
        window.session.wondered.emit(WithoutRaters((name,)))
        answered(qtbot, window)
        window.what_if.put_in_report()
    assert [str(one.b) for one in kept_in(window.session.document.project)] == ["without Ana", "without Ben"]


def test_another_file_is_compared_in_three_clicks(fitted, qtbot, monkeypatch, tmp_path):
    window = fitted
    ratings = window.session.document.project.reading.as_read
    cells = {
        (s, r): ratings.classes[c] for s, r, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True)
    }
    lines = ["wine," + ",".join(ratings.raters)]
    lines += [
        f"next{i}," + ",".join(cells.get((i, j), "") for j in range(len(ratings.raters)))
        for i in range(len(ratings.subjects))
    ]
    place = tmp_path / "second.csv"
    place.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(dialogs, "file_to_open", lambda *_args, **_more: str(place))
    # File, Compare with another file or project, and the file itself.
    window.actions_["compare"].trigger()
    told = answered(qtbot, window)
    assert str(told.b) == "second.csv"
    assert all(abs(c.difference.value) < 1e-6 for c in told.contrasts if c.difference.value is not None)
    assert window.what_if.remarks.text()


def test_it_can_be_stopped_half_way_and_asked_again(fitted, qtbot):
    window = fitted
    window.session.wondered.emit(WithoutRaters(("Dimitri",)))
    page = window.what_if
    assert page.waiting.isVisible()
    qtbot.mouseClick(page.stop, Qt.MouseButton.LeftButton)
    assert not window.session.what_if_job.running
    assert page.told is None
    assert not page.waiting.isVisible()
    page.list.setCurrentIndex(page.list.rows.index(3, 0))
    page.list.activated.emit(page.list.currentIndex())
    assert str(answered(qtbot, window).b) == "without Dimitri"


def test_what_was_worked_out_once_is_there_at_once_and_forgotten_with_the_data(fitted, qtbot):
    window = fitted
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    answered(qtbot, window)
    window.session.wondered.emit(WithModel("t-aj-pj"))
    answered(qtbot, window)
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    assert str(window.what_if.told.b) == "without Ana"
    window.session.choose_class1(("gold",))
    qtbot.waitUntil(lambda: window.what_if.told is None, timeout=LONG)


def test_a_decision_is_wondered_about_from_its_list(fitted, qtbot):
    window = fitted
    window.actions_["decisions"].trigger()
    row = window.session.document.project.log[-1]
    (link,) = [b for b in window.decisions.findChildren(type(window.what_if.put)) if b.text() == "What if without it?"]
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    told = answered(qtbot, window)
    assert str(told.b) == f"without decision {row.id}"
    assert window.session.document.project.log[-1].standing.name == "IN_FORCE"


def test_a_row_of_the_raters_asks_without_them(jury, qtbot):
    window, results = jury, run_question(jury, qtbot, RATERS)
    block = results.part_blocks["raters"]
    qtbot.waitUntil(lambda: not block.menu.isEmpty(), timeout=LONG)
    assert [row.text() for row in block.menu.actions()] == list(window.session.document.project.ratings.raters)
    # The row itself asks as well.
    block.stack.setCurrentWidget(block.table)
    block.table.setCurrentIndex(block.table.rows.index(1, 0))
    name = block.rows[1][1][0]
    block.table.customContextMenuRequested.emit(block.table.visualRect(block.table.currentIndex()).center())
    choose(qtbot, shown_menu(block), f"What if without {name}?")
    assert str(answered(qtbot, window).b) == f"without {name}"
    assert window.what_if.told.contrast("percent_agreement") is not None


def test_a_class_is_wondered_about_from_its_menu_and_stays_as_it_is(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("jury")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    before = window.session.document.project
    menu = window.dataset.categories_card.menu_of("gold", before.all_classes)
    (inside,) = [row.menu() for row in menu.actions() if "What if it were one with" in row.text()]
    next(row for row in inside.actions() if "silver" in row.text()).trigger()
    assert str(answered(qtbot, window).b) == "with gold + silver as one class"
    assert window.session.document.project is before


def test_before_there_is_an_answer_a_sentence_says_so(jury, qtbot):
    window = jury
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    qtbot.waitUntil(window.what_if.error.isVisible, timeout=LONG)
    assert "no answer to these" in window.what_if.error.words[0]
    assert "Run the analysis first." in window.what_if.error.words


def test_what_does_not_fit_is_told_in_the_window(fitted, qtbot):
    window = fitted
    window.session.wondered.emit(MergedClasses(("copper", "tin")))
    qtbot.waitUntil(window.what_if.error.isVisible, timeout=LONG)
    assert "copper" in " ".join(window.what_if.error.words)


def test_raters_are_called_by_their_codes(fitted, qtbot):
    window = fitted
    window.session.naming.use(codes=True)
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    answered(qtbot, window)
    page = window.what_if
    shown = [cell for view in (page.list, page.table) for row in view.rows.rows for cell in row]
    words = " ".join((*shown, page.headline.words, page.pair.text(), page.remarks.text()))
    assert not [name for name in ("Ana", "Ben", "Carla", "Dimitri") if name in words]
