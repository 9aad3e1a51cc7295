"""What a study of this size could find: chosen, worked out, stopped, gone on with, printed where it is ticked."""

import re
from dataclasses import replace
from threading import Event

import pytest

from tapdesk.gui.results import design_study_block
from tapdesk.gui.results.block_notes import ReportInclusion
from tapdesk.gui.results.design_study_block import STUDIES, DesignStudyBlock
from tapdesk.gui.results.on_demand_blocks import FigureChooser, GroupsBlock, ModelsBlock
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.gui.theme import localised_numbers
from tapdesk.language import Signs, speak
from tapdesk.progress import Step, finish
from tapdesk.report.setup import setup
from tapdesk.studies.design_study import kappa_squares, recovery_grid
from tests.gui.conftest import LONG
from tests.studies.examples import panel

PLAIN = panel(["t=.4", "a=.7", "p=.4"], 40, 3)
BUSY = 2 * LONG
POINTED = re.compile(r"(?<![\w.,])\d*\.\d{1,2}(?![\w.,])")


@pytest.fixture
def block(qtbot, theme, job):
    made = DesignStudyBlock(theme, job)
    qtbot.addWidget(made)
    made.of(PLAIN, 3)
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


@pytest.mark.parametrize(("study", "run", "panels"), [("grid", recovery_grid, 6), ("square", kappa_squares, 5)])
def test_a_study_worked_out_in_processes_is_the_one_of_the_command_line(qtbot, block, study, run, panels, monkeypatch):
    monkeypatch.setattr(design_study_block.design_study, "processes", lambda: 2)
    chosen(block, study)
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    found = finish(run(PLAIN, 1, 3))
    assert block.found.table.rows == found.table.rows
    assert block.begin.isHidden()
    header, rows = block.rows
    table = STUDIES[study].table(found)
    assert list(header) == [column.title for column in table.columns]
    assert list(rows) == [tuple(str(cell) for cell in row) for row in table.rows]
    assert len(block.panels.shown) == panels
    assert "40 cases with 3 ratings each" in block._below.text()
    assert STUDIES[study].draw(found).said in block._above.text()


def test_two_ratings_each_have_a_reason_instead_and_kappa_goes_on(block):
    block.of(PLAIN.keep(PLAIN.rater < 2), 3)
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

    monkeypatch.setitem(STUDIES, "square", replace(STUDIES["square"], run=held))
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
    block.of(PLAIN.keep(PLAIN.subject < 30), 3)
    assert block.rows is None
    assert block.found is None
    assert not block.panels.shown


def test_it_is_printed_where_it_is_ticked_with_as_many_data_sets_and_the_project_remembers(qtbot, theme, block):
    document = OpenDocument()
    others = GroupsBlock(theme, Job()), ModelsBlock(theme, Job()), FigureChooser(theme, Job())
    for other in others:
        qtbot.addWidget(other)
    printed = ReportInclusion(document, *others[:2], block, others[2])
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
    assert printed is not None


@pytest.mark.parametrize("study", ["grid", "square"])
def test_on_a_german_computer_all_that_is_read_has_commas_and_what_is_saved_has_points(
    qtbot, block, study, monkeypatch
):
    monkeypatch.setattr(localised_numbers, "signs", lambda: Signs(",", "."))
    # As the window does when it opens.
    speak(localised_numbers.screen())
    chosen(block, study)
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=BUSY)
    titles = [part.above.text() for part in block.panels.shown]
    read = [block._above.text(), block._below.text(), block.accessibleDescription(), *titles]
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
