"""Cleaned data and blank rating sheets from the File menu: asked, written, and read again without a question."""

import openpyxl
import pytest
from PySide6.QtWidgets import QDialog

from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.table_dialogs import CleanedDialog, SheetsDialog
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.own.clean_table import Shape
from tapdesk.ratings.reading import read_now

LONG = 240_000


@pytest.fixture
def answers(monkeypatch, tmp_path):
    """Dialogs are answered: each of the two is handed to a function; files go to a folder of the test."""

    def answer(fill, name):
        def executed(dialog):
            assert isinstance(dialog, QDialog)
            fill(dialog)
            return dialog.ready.isEnabled()

        monkeypatch.setattr(dialogs, "execute", executed)
        monkeypatch.setattr(dialogs, "ask_where", lambda *_told: tmp_path / name)
        return tmp_path / name

    return answer


@pytest.mark.parametrize("suffix", [".xlsx", ".csv"])
def test_cleaned_data_are_saved_and_come_back(jury, qtbot, answers, suffix):
    def fill(dialog):
        assert isinstance(dialog, CleanedDialog)
        # Nobody's name leaves by habit.
        assert not dialog.ready.isEnabled()
        dialog.shape.setCurrentIndex(dialog.shape.findData(Shape.LONG))
        dialog.names.setChecked(True)

    path = answers(fill, f"cleaned{suffix}")
    with qtbot.waitSignal(jury.tables.job.done, timeout=LONG):
        jury.actions_["save_cleaned"].trigger()
    assert path.name in jury.dataset.banner.words
    back, project = read_now(path), jury.session.document.project
    assert back.ratings.class1 == project.ratings.class1
    assert (back.as_read.subjects, back.as_read.raters) == (project.all_classes.subjects, project.all_classes.raters)


def test_names_are_codes_where_asked(jury, qtbot, answers):
    def fill(dialog):
        dialog.codes.setChecked(True)
        dialog.cases.setChecked(True)

    path = answers(fill, "cleaned.csv")
    with qtbot.waitSignal(jury.tables.job.done, timeout=LONG):
        jury.actions_["save_cleaned"].trigger()
    text = path.read_text("utf-8")
    assert text.startswith("case,A,B,C,D\n")
    assert "W001" not in text


def test_the_file_that_is_open_is_never_written_over(opened, qtbot, answers, tmp_path):
    window = opened("case,Ana,Ben\n" + "".join(f"c{i},{'ny'[i % 2]},{'ny'[i % 3 == 0]}\n" for i in range(12)))
    answers(lambda dialog: dialog.names.setChecked(True), "ratings.csv")
    before = (tmp_path / "ratings.csv").read_bytes()
    with qtbot.waitSignal(window.tables.job.failed, timeout=LONG):
        window.actions_["save_cleaned"].trigger()
    assert (tmp_path / "ratings.csv").read_bytes() == before
    assert window.dataset.error.isVisible()


def test_blank_sheets_are_made_without_any_ratings_and_their_copies_come_back(window, qtbot, answers, monkeypatch):
    words = []
    monkeypatch.setattr(dialogs, "inform", lambda _parent, _title, text: words.append(text))

    def fill(dialog):
        assert isinstance(dialog, SheetsDialog)
        assert not dialog.ready.isEnabled()
        dialog.count.setText("9")
        dialog.raters.setText("Ana; Ben")
        dialog.classes.setText("no, maybe, yes")
        dialog.repeats.setText("99")
        assert "do not fit" in dialog.remark.text()
        dialog.repeats.setText("2")
        assert "11 lines each" in dialog.remark.text()

    path = answers(fill, "panel.xlsx")
    assert not window.actions_["save_cleaned"].isEnabled()
    with qtbot.waitSignal(window.tables.job.done, timeout=LONG):
        window.actions_["sheets"].trigger()
    assert "panel.xlsx" in words[0]
    for rater in ("Ana", "Ben"):
        copy = path.with_name(f"panel-{rater}.xlsx")
        book = openpyxl.load_workbook(copy)
        for i, row in enumerate(book[rater].iter_rows(min_row=2)):
            row[1].value = ("no", "maybe", "yes")[i % 3]
        book.save(copy)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(path))
    reading = window.session.document.project.reading
    assert reading.ratings.rating_count == 22
    assert not [f for f in reading.findings if f.severity is not Severity.NOTE]


def test_blank_sheets_of_the_open_ratings_and_of_a_table(jury, qtbot, answers, monkeypatch, tmp_path):
    table = tmp_path / "cases.csv"
    table.write_text("patient,note,truth\np1,x,gold\np2,y,\np3,z,silver\np4,u,\n")
    lines = []

    def fill(dialog):
        assert dialog.source.currentData() == "open"
        lines.append(len(dialog.plan.lines))
        monkeypatch.setattr(dialogs, "file_to_open", lambda *_told: str(table))
        dialog.source.setCurrentIndex(dialog.source.findData("table"))
        dialog.source.activated.emit(dialog.source.currentIndex())
        # Read in a thread; its columns are picked, not typed, and the column of the cases is not among them.
        assert not dialog.ready.isEnabled()
        qtbot.waitUntil(lambda: dialog.known.count() > 1, timeout=LONG)
        assert [dialog.known.itemData(i) for i in range(dialog.known.count())] == [None, "note", "truth"]
        assert dialog.ready.isEnabled()
        dialog.known.setCurrentIndex(2)
        dialog.show_columns.tick("note")
        assert dialog.show_columns.chosen == ("note",)
        lines.append(len(dialog.plan.lines))

    path = answers(fill, "panel.xlsx")
    with qtbot.waitSignal(jury.tables.job.done, timeout=LONG):
        jury.actions_["sheets"].trigger()
    assert lines == [183 * 4, 4 * 4]
    key = openpyxl.load_workbook(path)["Key"]
    assert {(row[3].value, row[5].value) for row in key.iter_rows(min_row=2)} == {
        ("p1", "gold"), ("p2", None), ("p3", "silver"), ("p4", None),
    }  # fmt: skip
