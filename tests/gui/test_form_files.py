"""The files of a whole form from the window are those of the command line: cleaned data, report and workbook."""

import csv
import re

import openpyxl
import pytest
from PySide6.QtWidgets import QLabel

from tapdesk.__main__ import main
from tapdesk.answers.naming import RatersAs
from tapdesk.gui.shell import dialogs
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.ratings.formats.kinds import record_of
from tapdesk.ratings.own.clean_table import Shape
from tests.cli.test_export_form import LABELS, answers, long, wide
from tests.gui.conftest import LONG
from tests.gui.dataset_clicks import link


@pytest.fixture
def fill(monkeypatch, tmp_path):
    """The dialog is answered, and the file goes to a name of the test."""

    def answer(name, act):
        def executed(dialog):
            act(dialog)
            return dialog.ready.isEnabled()

        monkeypatch.setattr(dialogs, "execute", executed)
        monkeypatch.setattr(dialogs, "ask_where", lambda *_told: tmp_path / name)
        return tmp_path / name

    return answer


def open_form(window, qtbot, path):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(path))
    if not window.session.document.project.form:
        # A column of the questions beside those of the raters: asked about, and one click makes a form of it.
        with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
            link(window, f"They are {len(LABELS)} questions").click()
    assert len(window.session.document.project.form) == len(LABELS)


def save(window, qtbot):
    with qtbot.waitSignal(window.tables.job.done, timeout=LONG):
        window.actions_["save_cleaned"].trigger()


def sheets(path):
    return {sheet.title: list(sheet.values) for sheet in openpyxl.load_workbook(path)}


def plain(path):
    """A page without the options of a command and the sum below it."""
    text = re.sub(r"<p>Options used: [^<]*</p>\n", "", path.read_text("utf-8"))
    return re.sub(r"<!-- tapdesk report \w+ -->", "", text)


@pytest.mark.parametrize("shape", [Shape.LONG, Shape.WIDE])
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
@pytest.mark.parametrize("make", [wide, long])
def test_all_questions_are_saved_as_the_command_line_saves_them(window, qtbot, tmp_path, fill, make, ending, shape):
    file = make(tmp_path / "form.csv")
    open_form(window, qtbot, file)

    def chosen(dialog):
        assert dialog.questions.currentText() == f"All {len(LABELS)} questions"
        # The shape of the file is put forward, and no codes of cases, which two questions may not share.
        assert dialog.shape.currentData() is (Shape.WIDE if make is wide else Shape.LONG)
        assert dialog.cases.isHidden()
        dialog.shape.choose(shape)
        dialog.names.setChecked(True)

    mine, theirs = fill(f"window.{ending}", chosen), tmp_path / f"command.{ending}"
    save(window, qtbot)
    assert mine.name in window.dataset.banner.words
    assert main(["export", str(file), "-o", str(theirs), "--shape", shape.value]) == 0
    if ending == "csv":
        assert mine.read_bytes() == theirs.read_bytes()
        assert record_of(mine).read_bytes() == record_of(theirs).read_bytes()
    else:
        assert sheets(mine) == sheets(theirs)
    assert answers(mine) == answers(file)


def test_one_question_alone_is_saved_where_that_is_chosen(window, qtbot, tmp_path, fill):
    file = wide(tmp_path / "form.csv")
    open_form(window, qtbot, file)
    window.session.choose_question("Shape")

    def chosen(dialog):
        assert dialog.questions.itemText(1) == "Only “Shape”"
        dialog.questions.setCurrentIndex(1)
        assert not dialog.cases.isHidden()
        assert dialog.shape.itemText(1) == "A row for each case"
        dialog.shape.choose(Shape.LONG)
        dialog.names.setChecked(True)

    mine, theirs = fill("window.csv", chosen), tmp_path / "command.csv"
    save(window, qtbot)
    assert main(["export", str(file), "--only", "Shape", "-o", str(theirs), "--shape", "long"]) == 0
    assert mine.read_bytes() == theirs.read_bytes()


def test_codes_are_the_same_on_all_questions_and_what_was_decided_is_done(window, qtbot, tmp_path, fill):
    file = wide(tmp_path / "form.csv")
    open_form(window, qtbot, file)
    document = window.session.document
    document.do("Rater", document.project.decide(LeaveOutRaters(("Ben",))))
    mine = fill("window.csv", lambda dialog: dialog.codes.setChecked(True))
    save(window, qtbot)
    rows = list(csv.DictReader(mine.read_text("utf-8").splitlines()))
    assert rows
    assert not {"Ann", "Ben", "Cleo"} & {cell for row in rows for cell in row.values()}
    # What was decided holds for the questions it was decided about.
    kept = {name: document.project.with_question(name).ratings.raters for name in LABELS}
    assert any("Ben" not in raters for raters in kept.values())
    for name, raters in kept.items():
        assert len({row["rater"] for row in rows if row[name]}) == len(raters)


def test_a_rater_who_rated_a_case_again_has_a_row_for_each_rating(window, qtbot, tmp_path, fill):
    file = wide(tmp_path / "form.csv", twice=True)
    open_form(window, qtbot, file)
    shapes = []

    def chosen(dialog):
        shapes.append(dialog.shape.currentData())
        dialog.names.setChecked(True)
        dialog.shape.choose(Shape.WIDE)

    fill("window.csv", chosen)
    with qtbot.waitSignal(window.tables.job.failed, timeout=LONG):
        window.actions_["save_cleaned"].trigger()
    assert shapes == [Shape.LONG]
    told = " ".join(label.text() for label in window.dataset.error.findChildren(QLabel))
    assert "A row for each case and nurse has no place for what Ann rated again: Colour." in told
    assert "Take a row for each rating" in told


@pytest.mark.parametrize("ending", ["xlsx", "html"])
def test_the_workbook_of_all_questions_is_that_of_the_command_line(window, qtbot, tmp_path, fill, monkeypatch, ending):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    file = wide(tmp_path / "form.csv")
    open_form(window, qtbot, file)
    window.go(2)
    block = window.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=LONG)
    mine, theirs = fill(f"window.{ending}", lambda _dialog: None), tmp_path / f"command.{ending}"
    block.save_report()
    told = ["--rater-names", RatersAs.NAMES.value]
    assert main(["report", str(file), "--question", "*", "-o", str(theirs), *told]) == 0
    if ending == "xlsx":
        assert sheets(mine) == sheets(theirs)
    else:
        # A command has options, which its report names.
        assert plain(mine) == plain(theirs)
