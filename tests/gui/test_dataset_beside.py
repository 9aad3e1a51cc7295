"""What stands beside the dataset: the coverage map, and choices offered again for files of the same shape."""

import pytest
from PySide6.QtCore import QMimeData, QPoint, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QPushButton

from tapdesk.gui.dataset.recipes import Recipes
from tapdesk.gui.shell.session import Session
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.review_state import finding_states

# The offscreen platform has menus but no stack of windows.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
LONG = 240_000
LEFT = Qt.MouseButton.LeftButton
SHEET = "case,Ana,Ben\n" + "".join(f"c{i},{'yes' if i % 3 else 'no'},{'Yes' if i == 4 else 'no'}\n" for i in range(12))


@pytest.fixture
def opened(window, qtbot, tmp_path):
    """Open a text file of some content."""

    def make(content, name="ratings.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
            window.open_file(str(path))
        return window

    return make


PAGE = """<html><body><p>Results of the show</p><table><tr><th>Wine</th><th>Ana</th><th>Ben</th></tr>
<tr><td>Old<br>Oak</td><td>gold</td><td>silver</td></tr><tr><td>"Kestrel"</td><td>none</td><td>gold</td></tr>
<tr><td>Mill Race</td><td>silver</td><td>silver</td></tr></table></body></html>"""


def test_a_table_of_a_web_page_is_pasted_as_it_stands(window, qtbot):
    data = QMimeData()
    data.setHtml(PAGE)
    data.setText("Results of the show\nWine\tAna\tBen\nOld\nOak\tgold\tsilver\n")
    QApplication.clipboard().setMimeData(data)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.paste()
    ratings = window.session.document.project.reading.as_read
    assert ratings.subjects == ("Old Oak", '"Kestrel"', "Mill Race")
    assert ratings.raters == ("Ana", "Ben")


def test_cells_of_a_spreadsheet_are_pasted_as_text_although_a_table_comes_with_them(window, qtbot):
    data = QMimeData()
    data.setHtml(PAGE)
    data.setText("Wine\tAna\tBen\nW1\tyes\tno\nW2\tno\tno\n")
    QApplication.clipboard().setMimeData(data)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.paste()
    assert window.session.document.project.reading.as_read.subjects == ("W1", "W2")


def test_a_file_for_each_rater_is_opened_from_the_dialog_and_by_dropping(window, qtbot, tmp_path, monkeypatch):
    paths = []
    for k, name in enumerate(("Ana", "Ben", "Cy")):
        path = tmp_path / f"{name}.csv"
        path.write_text("wine,score\n" + "".join(f"w{i},{1 + (i * (k + 1)) % 3}\n" for i in range(8)))
        paths.append(str(path))
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.files_to_open", lambda *_: paths)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_dialog()
    assert window.session.document.project.reading.as_read.raters == ("Ana", "Ben", "Cy")
    assert "3 files are stacked" in window.dataset.sentence.text()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(p) for p in paths[:2]])
    event = QDropEvent(QPoint(300, 300), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.dropEvent(event)
    assert window.session.document.project.reading.as_read.raters == ("Ana", "Ben")


def test_the_coverage_map_is_a_picture_with_words_a_table_and_a_sentence_on_who_can_be_compared(opened, qtbot):
    rows = [f"c{i},{r},yes" for i in range(10) for r in (("Ana", "Ben") if i < 5 else ("Cy", "Dee"))]
    window = opened("case,rater,rating\n" + "\n".join(rows))
    pane = window.dataset
    qtbot.mouseClick(pane.show_coverage, LEFT)
    seen = pane.coverage
    assert seen.isVisible()
    assert "2 groups that share no case: Ana and Ben; Cy and Dee" in seen.connection.text()
    assert "Ana 5 of 10" in seen.picture.accessibleDescription()
    qtbot.mouseClick(seen.turn, LEFT)
    assert seen.stack.currentWidget() is seen.table
    assert tuple(seen.table.rows.rows[0]) == ("Ana", "5", "5")
    pane.ratings_decisions.decide("Leave out Cy and Dee", LeaveOutRaters(("Cy", "Dee")))
    assert seen.connection.text().startswith("All 2 raters are linked")
    seen.hide()


def test_choices_are_offered_for_the_next_file_of_the_shape_and_used_only_when_asked(opened, qtbot):
    window = opened(SHEET, "first.csv")
    session, pane = window.session, window.dataset
    assert pane.banner.words == ""
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        pane.chips._again(missing=("no",))
    pane.categories_card._merge("Yes", "yes")
    opened(SHEET.replace("c1,", "d1,"), "second.csv")
    assert session.document.project.reading.missing == 0
    assert session.document.project.all_classes.classes == ("no", "yes", "Yes")
    assert "first.csv" in pane.banner.words
    assert "missing codes: 'no'; 1 decision about the classes" in pane.banner.words
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        qtbot.mouseClick(pane.banner._button, LEFT)
    assert session.document.project.reading.missing > 0
    assert session.document.project.all_classes.classes == ("yes",)
    assert pane.banner.words == ""
    for _ in range(2):
        window.actions_["undo"].trigger()
    assert session.document.project.reading.missing == 0
    assert session.document.project.log == ()


def test_a_row_of_totals_that_was_left_out_goes_from_the_next_file_too(opened, qtbot):
    rows = "".join(f"c{i:02},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'},yes\n" for i in range(30))
    window = opened(f"case,Ana,Ben,Cy\n{rows}Total yes,20,22,30\n", "spring.csv")
    session, pane = window.session, window.dataset
    state = next(s for s in finding_states(session.document.project) if s.finding.code == "summary_row")
    session.document.do(state.fixes[0].words, session.document.project.decide(state.fixes[0].decision))
    assert session.document.project.ratings.subject_count == 30
    opened(f"case,Ana,Ben,Cy\n{rows.replace('c', 'd')}Total,20,22,30\n", "summer.csv")
    assert session.document.project.ratings.subject_count == 31
    assert "spring.csv" in pane.banner.words
    qtbot.mouseClick(pane.banner._button, LEFT)
    assert session.document.project.ratings.subject_count == 30
    assert session.document.project.ratings.classes == ("no", "yes")
    assert "Total" not in session.document.project.ratings.subjects


def test_another_shape_gets_no_offer_and_choices_of_ones_own_end_it(opened, qtbot):
    window = opened(SHEET, "first.csv")
    window.dataset.categories_card._merge("Yes", "yes")
    opened(SHEET.replace("Ben", "Cy"), "other.csv")
    assert window.dataset.banner.words == ""
    opened(SHEET, "third.csv")
    assert window.dataset.banner.words != ""
    window.dataset.categories_card._missing("Yes")
    assert window.dataset.banner.words == ""
    del qtbot


def test_what_was_undone_is_not_remembered_and_what_was_chosen_outlives_the_window(qtbot, tmp_path, dressed):
    del dressed
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    path = tmp_path / "one.csv"
    path.write_text(SHEET, encoding="utf-8")
    # A session that nobody holds would go while a thread of it still judges.
    sessions = []

    def fresh():
        session = Session()
        sessions.append(session)
        recipes = Recipes(session, settings, session)
        with qtbot.waitSignal(session.reading.done, timeout=LONG):
            session.open(str(path))
        return session, recipes

    session, recipes = fresh()
    assert recipes.offered is None
    session.choose_order(("Yes", "yes", "no"))
    session.document.undo_stack.undo()
    assert fresh()[1].offered is None
    session, recipes = fresh()
    session.choose_order(("Yes", "yes", "no"))
    assert fresh()[1].offered is not None
    assert all(session.close(LONG) for session in sessions)


REFUSED = {
    "letters": ("case,Ana,Ben\nMüller,ja,nein\nWeiß,nein,nein\nKöhler,ja,ja\n".encode("cp1252"), "cp1252", 3),
    "uneven": (b"case,Ana,Ben\nc1,yes,no\nc2,yes\nc3,no,no\nc4,no,yes\n", "Fill up", 4),
    "decimals": (b"case;Ana;Ben\nc1;1,5;2.5\nc2;2,5;1,5\nc3;1,5;2,5\nc4;2.5;1,5\n", "Comma", 4),
}  # fmt: skip


@pytest.mark.parametrize("kind", list(REFUSED))
def test_a_file_that_can_be_read_in_several_ways_is_read_by_a_click_on_one(kind, window, qtbot, tmp_path):
    content, words, cases = REFUSED[kind]
    path = tmp_path / "ratings.csv"
    path.write_bytes(content)
    with qtbot.waitSignal(window.session.reading.failed, timeout=LONG):
        window.open_file(str(path))
    card = window.start.error
    assert card.isVisible()
    assert "--" not in card.words[2]
    QApplication.processEvents()
    offered = [b for b in card._ways.findChildren(QPushButton) if words in b.text()]
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        qtbot.mouseClick(offered[0], LEFT)
    assert window.session.document.project.reading.as_read.subject_count == cases
    if kind == "letters":
        assert "Müller" in window.session.document.project.reading.as_read.subjects
