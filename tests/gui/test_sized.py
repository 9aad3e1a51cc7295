"""What a study of this size could find: chosen, worked out, stopped, gone on with, printed where it is ticked."""

import re
from threading import Event

import pytest
from PySide6.QtWidgets import QLabel

from tapdesk.answers import design_study as answers
from tapdesk.answers.figures import design_study as figures
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import SHELVES
from tapdesk.gui.results.on_demand_blocks import DesignStudyBlock
from tapdesk.gui.results.results_pane import BlockNotes
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.gui.theme import theme as themes
from tapdesk.language import Signs, speak
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.project.project import Analysis
from tapdesk.report.setup import setup
from tapdesk.studies.analysis import Request
from tapdesk.studies.design_study import kappa_squares, recovery_grid
from tests.gui.conftest import LONG
from tests.studies.examples import panel

PLAIN = panel(["t=.4", "a=.7", "p=.4"], 40, 3)
BUSY = 2 * LONG
POINTED = re.compile(r"(?<![\w.,])\d*\.\d{1,2}(?![\w.,])")


TABLES = {"grid": answers.grid, "square": answers.squares}
DRAWINGS = {"grid": figures.grid, "square": figures.squares}


def answer(ratings):
    return Answer(None, ratings, ratings, analysis=Analysis("", Request(model("t-a-p"), seed=3), None))


def texts(block):
    return [label.text() for label in block.page.findChildren(QLabel)]


@pytest.fixture
def block(qtbot, theme, job):
    made = DesignStudyBlock(theme, job)
    qtbot.addWidget(made)
    made.of(answer(PLAIN))
    return made


def chosen(block, study, sets=1):
    block.choice.choose(study)
    block.many.choose(sets)
    block.choice.activated.emit(block.choice.currentIndex())


def test_nothing_is_worked_out_before_it_is_asked_for(block, job):
    assert block.begin.isHidden()
    chosen(block, "grid")
    assert not job.running
    assert not block.begin.isHidden()
    assert block.rows is None
    assert "Data of the size at hand" in block.trouble.text()


@pytest.mark.costly(1)
@pytest.mark.parametrize(("study", "run", "panels"), [("grid", recovery_grid, 6), ("square", kappa_squares, 5)])
def test_a_study_worked_out_in_processes_is_the_one_of_the_command_line(qtbot, block, study, run, panels, monkeypatch):
    monkeypatch.setattr(answers, "processes", lambda: 2)
    chosen(block, study)
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    found = finish(run(PLAIN, 1, 3))
    assert block.result.on_demand[study].table.rows == found.table.rows
    assert block.begin.isHidden()
    header, rows = block.rows
    table = TABLES[study](found)
    assert list(header) == [column.title for column in table.columns]
    assert list(rows) == [tuple(str(cell) for cell in row) for row in table.rows]
    (picture,) = block.page.panels
    assert len(picture.views) == panels
    assert any("40 cases with 3 ratings each" in words for words in texts(block))
    assert f"{DRAWINGS[study](found).finding}." in texts(block)


def test_two_ratings_each_have_a_reason_instead_and_kappa_goes_on(block):
    block.of(answer(PLAIN.keep(PLAIN.rater < 2)))
    chosen(block, "grid")
    assert "do not determine t, a and p" in block.trouble.text()
    assert block.begin.isHidden()
    chosen(block, "square")
    assert not block.begin.isHidden()


def test_what_is_stopped_goes_on_from_there(qtbot, block, monkeypatch):
    gate, begun = Event(), []

    def held(ratings, sets, seed, _workers):
        begun.append(sets)
        for i in range(4):
            yield Step(i, 4, "study")
            gate.wait(10)
        return (yield from kappa_squares(ratings, sets, seed))

    monkeypatch.setattr(answers, "kappa_squares", held)
    chosen(block, "square")
    block.show()
    block.begin.click()
    qtbot.waitUntil(lambda: "of 4" in block.trouble.text(), timeout=LONG)
    block.stop.click()
    assert block.trouble.text() == "Stopped. What is finished is kept."
    gate.set()
    block.on.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    assert begun == [1]
    # Another number of data sets is another study; the one that is known stays.
    chosen(block, "square", 5)
    assert block.rows is None
    assert not block.begin.isHidden()
    chosen(block, "square", 1)
    assert block.rows is not None


def test_other_ratings_forget_what_was_found(qtbot, block):
    chosen(block, "square")
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    block.of(answer(PLAIN.keep(PLAIN.subject < 30)))
    assert block.rows is None
    assert block.result is None
    assert block.stack.currentWidget() is block.trouble


def test_it_is_printed_where_it_is_ticked_with_as_many_data_sets_and_the_project_remembers(qtbot, block):
    document = OpenDocument()
    notes = BlockNotes(document)
    notes.connect_block(next(row for row in SHELVES if row.key == "of_size"), block)
    assert block.in_report.isHidden()
    chosen(block, "square")
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    assert not block.in_report.isHidden()
    assert not block.in_report.isChecked()
    block.in_report.click()
    assert (setup(document.project).selection.sets("square"), setup(document.project).selection.sets("grid")) == (1, 0)
    assert block.in_report.isChecked()
    chosen(block, "grid")
    assert block.in_report.isHidden()
    document.undo_stack.undo()
    assert setup(document.project).selection.sets("square") == 0
    chosen(block, "square")
    assert not block.in_report.isChecked()


@pytest.mark.costly(1)
@pytest.mark.parametrize("study", ["grid", "square"])
def test_on_a_german_computer_all_that_is_read_has_commas_and_what_is_saved_has_points(
    qtbot, block, study, monkeypatch
):
    monkeypatch.setattr(themes, "signs", lambda: Signs(",", "."))
    # As the window does when it opens.
    speak(themes.screen())
    chosen(block, study)
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    read = [*texts(block), block.accessibleDescription()]
    read += [cell for row in block.rows[1] for cell in row]
    assert not [words for words in read if POINTED.search(words)]
    assert any("0,1" in words for words in read)
    # Thousands stay thousands.
    assert "1,225" not in " ".join(read)
    saved = []
    block.saved.connect(lambda panels, _kind: saved.extend(panels))
    block.save_picture()
    assert saved
    assert not any(re.search(r"\d,\d", figure.title) for figure in saved)
