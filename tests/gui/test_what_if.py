"""What if, in the real window: by mouse, by keyboard, stopped half-way, put into the report; nothing is overwritten."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from tapdesk.answers.what_if_kept import kept_in, smallest_change
from tapdesk.gui.results.change_cells import ChoiceCells, Choices, StretchTable
from tapdesk.gui.results.side_by_side import SideBySide
from tapdesk.gui.results.what_if_choices import choices, row_words
from tapdesk.gui.shell import dialogs
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.project.what_if import MergedClasses, WithModel, WithoutRaters
from tapdesk.ratings.reading import read
from tapdesk.studies.analysis import Request, analyse
from tests.answers.test_what_if_words import sides_of_classes
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


def row_of(page, words):
    """The row of the list that says so."""
    return next(i for i, row in enumerate(page.list.rows.rows) if row[0] == words)


def answered(qtbot, window):
    """What is shown once it has been worked out."""
    qtbot.waitUntil(lambda: window.what_if.pair is not None, timeout=LONG)
    return window.what_if.pair


def test_without_a_judge_takes_two_clicks_from_the_head_of_the_column(fitted, qtbot):
    window = fitted
    window.go(0)
    head = window.dataset.read.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(3) + 5, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.RightButton, pos=at)
    head.customContextMenuRequested.emit(at)
    before = window.session.document.project
    choose(qtbot, shown_menu(window), "What if without Carla")
    pair = answered(qtbot, window)
    assert str(pair.b) == "without Carla"
    assert "Without Carla " in window.what_if.headline.words
    # Nothing is decided, and the answer is the one that was there.
    assert window.session.document.project is before
    assert not [row for row in window.session.document.project.log if "Carla" in row.words]


def test_the_chip_of_the_rating_columns_asks_without_one_of_them(fitted, qtbot):
    window = fitted
    window.go(0)
    chip = window.dataset.chips.chips["columns"]
    menu = chip.findChild(QMenu)
    menu.aboutToShow.emit()
    (inside,) = [row.menu() for row in menu.actions() if row.menu() is not None]
    next(row for row in inside.actions() if row.text() == "Ben").trigger()
    assert str(answered(qtbot, window).b) == "without Ben"


def test_the_list_is_walked_by_keyboard_and_goes_to_the_report_and_out_again(fitted, qtbot):
    window = fitted
    qtbot.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    page = window.what_if
    assert page.isVisible()
    # The list begins at the first judge, below the head of the group.
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        qtbot.keyClick(page.list, key)
    pair = answered(qtbot, window)
    assert str(pair.b) == "without Ben"
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
    # Escape of the pane: the results are there again.
    qtbot.keyClick(page.list, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.panes.currentWidget() is window.results


def test_how_much_matters_is_kept_with_the_project_and_can_be_taken_back(fitted, qtbot):
    window = fitted
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    answered(qtbot, window)
    page, document = window.what_if, window.session.document
    assert "From which change on" in page.side_by_side.less.text()
    qtbot.keyClick(page.smallest, Qt.Key.Key_Down)
    page.smallest.activated.emit(page.smallest.currentIndex())
    assert smallest_change(document.project) == page.pair.smallest == 0.01
    assert "Less than" in page.side_by_side.less.text()
    document.undo_stack.undo()
    assert page.smallest.currentData() is None
    assert page.pair.smallest is None


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
    monkeypatch.setattr(dialogs, "files_to_open", lambda *_args, **_more: [str(place)])
    # File, Compare with another file or project, and the file itself.
    window.actions_["compare"].trigger()
    pair = answered(qtbot, window)
    assert str(pair.b) == "second.csv"
    assert all(abs(c.difference.value) < 1e-6 for c in pair.contrasts if c.difference.value is not None)
    assert window.what_if.remarks.text()


def test_three_rounds_stand_in_the_order_of_their_names_with_what_was_read_otherwise_first(
    fitted, qtbot, monkeypatch, tmp_path
):
    window = fitted
    ratings = window.session.document.project.reading.as_read
    lines = ["wine," + ",".join((*ratings.raters[:-1], "Edda"))]
    for i in range(60):
        mine = {
            r: ratings.classes[c]
            for s, r, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True)
            if s == i
        }
        lines.append(f"n{i}," + ",".join(mine.get(j, "") for j in range(len(ratings.raters))))
    places = [tmp_path / name for name in ("jury10.csv", "jury2.csv")]
    for place in places:
        place.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(dialogs, "files_to_open", lambda *_args, **_more: [str(place) for place in places])
    qtbot.mouseClick(window.what_if.other, Qt.MouseButton.LeftButton)
    pair = answered(qtbot, window)
    page = window.what_if
    assert [str(one.name) for one in pair.rounds] == ["jury.csv", "jury2.csv", "jury10.csv"]
    assert page.rounds.isVisibleTo(page)
    assert page.trend.rows.header[1:4] == ("jury.csv", "jury2.csv", "jury10.csv")
    assert "Edda" in page.otherwise.text()
    page.put_in_report()
    (printed,) = kept_in(window.session.document.project)
    assert printed.rounds == page.pair.rounds
    assert not [text for text in printed.otherwise if "Edda" in text]


def test_a_file_that_is_not_there_is_named_and_nothing_else_is_said(fitted, qtbot, tmp_path):
    window = fitted
    window.go(4)
    window.what_if.compare([str(tmp_path / "gone.csv")])
    qtbot.waitUntil(window.what_if.error.isVisible, timeout=LONG)
    what, where, _fix = window.what_if.error.words
    assert (what, "gone.csv" in where) == ("There is no such file.", True)
    assert not [row for row in window.what_if.list.rows.rows if "gone" in row[0]]


def test_every_other_model_is_offered_and_one_that_cannot_be_asked_says_why(fitted):
    window = fitted
    window.go(4)
    window.what_if.model_menu.aboutToShow.emit()
    rows = {row.text(): row for row in window.what_if.model_menu.actions()}
    assert {"by t-ah-p", "by sdt-1", "by dawid-skene"} <= set(rows)
    assert rows["by t-aj-pj+m"].isEnabled() or rows["by t-aj-pj+m"].toolTip()
    refused = [row for row in rows.values() if not row.isEnabled()]
    assert all(row.toolTip().endswith(".") for row in refused)


def test_all_of_them_are_worked_out_one_after_the_other(fitted, qtbot):
    window = fitted
    qtbot.keyClick(window, Qt.Key.Key_I, Qt.KeyboardModifier.ControlModifier)
    page = window.what_if
    qtbot.mouseClick(page.all, Qt.MouseButton.LeftButton)
    raters = window.session.document.project.ratings.raters
    qtbot.waitUntil(lambda: all(page.list.rows.rows[row_of(page, name)][2] for name in raters), timeout=LONG)
    page.cancel()
    # What is known is shown as soon as the keyboard is on its row.
    page.list.setCurrentIndex(page.list.rows.index(row_of(page, raters[1]), 0))
    assert str(page.pair.b) == f"without {raters[1]}"
    spoken = page.table.rows.data(page.table.rows.index(0, 0), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith(page.table.rows.rows[0][0])
    assert "More than chance: " in spoken


def test_it_can_be_stopped_half_way_and_asked_again(fitted, qtbot):
    window = fitted
    window.session.wondered.emit(WithoutRaters(("Dimitri",)))
    page = window.what_if
    assert page.waiting.isVisible()
    qtbot.mouseClick(page.stop, Qt.MouseButton.LeftButton)
    assert not window.session.what_if_job.running
    assert page.pair is None
    assert not page.waiting.isVisible()
    # The keyboard stays with the list: Enter asks again, and does not leave the page.
    assert page.list.hasFocus()
    page.list.setCurrentIndex(page.list.rows.index(row_of(page, "Dimitri"), 0))
    page.list.activated.emit(page.list.currentIndex())
    assert str(answered(qtbot, window).b) == "without Dimitri"


def test_what_was_worked_out_once_is_there_at_once_and_forgotten_with_the_data(fitted, qtbot):
    window = fitted
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    answered(qtbot, window)
    window.session.wondered.emit(WithModel("t-aj-pj"))
    answered(qtbot, window)
    window.session.wondered.emit(WithoutRaters(("Ana",)))
    assert str(window.what_if.pair.b) == "without Ana"
    window.session.choose_class1(("gold",))
    qtbot.waitUntil(lambda: window.what_if.pair is None, timeout=LONG)


def test_a_decision_is_wondered_about_from_its_list(fitted, qtbot):
    window = fitted
    window.actions_["decisions"].trigger()
    row = window.session.document.project.log[-1]
    (link,) = [b for b in window.decisions.findChildren(type(window.what_if.put)) if b.text() == "What if without it?"]
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    pair = answered(qtbot, window)
    assert str(pair.b) == f"without decision {row.id}"
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
    assert window.what_if.pair.contrast("percent_agreement") is not None


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
    words = " ".join(
        (
            *shown,
            page.headline.words,
            page.b.accessibleName(),
            page.changes.text(),
            page.caveat.text(),
            page.remarks.text(),
        )
    )
    assert not [name for name in ("Ana", "Ben", "Carla", "Dimitri") if name in words]


def test_accuracies_that_part_the_raters_may_be_asked_of_them_and_one_half_where_these_are_not_known():
    project = Project(title="Jury").with_reading(finish(read("sample:jury-panel")), when="").with_class1(("gold",))
    asked = Request(model("t-aj-p"), interval="none")
    fit = finish(analyse(project.ratings, asked))
    own = sorted(e.estimate.value for e in fit.estimates if e.name.name == "a")
    (accurate,) = (row for row in choices(project, Analysis("main", asked, fit)) if "accurate" in row.title)
    assert [one.least for one in accurate.questions] == [x / 10 for x in range(1, 10) if own[0] < x / 10 <= own[-2]]
    assert row_words(accurate.questions[0], project).startswith("Accuracy of at least 0.")
    (accurate,) = (row for row in choices(project, None) if "accurate" in row.title)
    assert [one.least for one in accurate.questions] == [0.5]


def test_of_many_classes_the_other_rows_are_one_click_away(qtbot, theme):
    card = SideBySide(theme)
    qtbot.addWidget(card)
    card.show()
    card.show_pair(sides_of_classes(20), 1000)
    assert card.table.rows.rowCount() == 4
    assert card.more.text() == "Show 17 more rows about single classes"
    qtbot.mouseClick(card.more, Qt.MouseButton.LeftButton)
    assert card.table.rows.rowCount() == 21
    assert card.more.text() == "Show fewer rows"
    card.more.setFocus()
    qtbot.keyClick(card.more, Qt.Key.Key_Space)
    assert card.table.rows.rowCount() == 4
    card.show_pair(sides_of_classes(5), 1000)
    assert card.table.rows.rowCount() == 6
    assert not card.more.isVisible()


def test_long_words_of_a_choice_have_as_many_lines_as_they_need(qtbot, theme):
    view = StretchTable(theme, "What may be otherwise", Choices(theme), (0,))
    view.setItemDelegateForColumn(0, ChoiceCells(theme, view))
    qtbot.addWidget(view)
    view.resize(200, 400)
    view.verticalHeader().setDefaultSectionSize(36)
    view.rows.show_rows(
        ("What if", "change"), [("Ana", "0.1"), ("Left out of the data: the rater Ana and more " * 3, "0.1")]
    )
    view.show()
    view.fill()
    view.fit()
    assert view.rowHeight(0) == 36
    assert view.rowHeight(1) == view.words_height(1) > 60
    assert view.height() >= view.rowHeight(0) + view.rowHeight(1)
