"""Blocks that are worked out when asked for: groups and other models; stopped, and gone on with."""

from dataclasses import replace
from threading import Event
from types import MappingProxyType

import numpy as np
from PySide6.QtWidgets import QLabel

from tapdesk.answers.part import Answer
from tapdesk.answers.parts import part
from tapdesk.gui.results.on_demand_blocks import NO_COLUMN, GroupsBlock, ModelsBlock
from tapdesk.gui.results.results_pane import BlockNotes
from tapdesk.gui.runs.job import Job
from tapdesk.gui.shell.document import OpenDocument
from tapdesk.gui.widgets.tables import TableView
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.project.project import Analysis
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.report.setup import setup
from tapdesk.studies.analysis import Request
from tapdesk.studies.model_comparison import compare_grid
from tapdesk.studies.subsets import group_table
from tests.gui.conftest import LONG
from tests.studies.examples import panel

WALD = Request(model("t-a-p"), interval="wald")
PLAIN = panel(["t=.4", "a=.7", "p=.4"], 60, 4)
# The last ward has ratings of one class only.
WARDS = ["north"] * 25 + ["south"] * 25 + ["west"] * 10
WEST = PLAIN.subject >= 50
GROUPED = replace(
    PLAIN,
    category=np.where(WEST, 0, PLAIN.category),
    covariates=MappingProxyType({"ward": Covariate("ward", CovariateOf.SUBJECT, np.array(WARDS, dtype=object))}),
)


def answer(ratings, request=WALD):
    return Answer(None, ratings, ratings, analysis=Analysis("", request, None))


def chosen(block, column):
    block.choice.choose(column)
    block.choice.activated.emit(block.choice.currentIndex())


def test_each_group_stands_with_its_numbers_or_its_reason_and_the_ratings_are_untouched(qtbot, theme, job):
    block = GroupsBlock(theme, job)
    qtbot.addWidget(block)
    before = GROUPED.category.copy()
    block.of(answer(GROUPED, replace(WALD, subjects=True, redraws=True)))
    assert block.rows is None
    chosen(block, "ward")
    qtbot.waitUntil(lambda: block.rows is not None, timeout=LONG)
    table = finish(group_table(GROUPED, "ward", WALD))
    header, rows = block.rows
    a = header.index("a")
    assert [row[0] for row in rows] == ["north", "south", "west"]
    for row, record in zip(rows[:2], table.records(), strict=False):
        assert row[a] == f"{record['a']:.2f}"
        assert row[a + 1] == f"{record['a low']:.2f} to {record['a high']:.2f}"
    assert rows[2][a] == "–"
    assert "west: All 40 ratings of group 'west' are '0', so there is nothing to tell apart." in block.footnote
    assert any("nothing to tell apart" in label.text() for label in block.page.findChildren(QLabel))
    assert np.array_equal(GROUPED.category, before)


def test_a_file_without_further_columns_has_no_groups_and_says_so(qtbot, theme, job):
    block = GroupsBlock(theme, job)
    qtbot.addWidget(block)
    block.of(answer(PLAIN))
    assert block.trouble.text() == NO_COLUMN


def test_what_is_stopped_goes_on_and_what_was_found_stays_known(qtbot, theme, job, monkeypatch):
    gate, begun = Event(), []

    def held(ratings, column, request):
        begun.append(column)
        for i in range(4):
            yield Step(i, 4, "groups")
            gate.wait(10)
        return (yield from group_table(ratings, column, request))

    monkeypatch.setattr("tapdesk.answers.comparisons.group_table", held)
    block = GroupsBlock(theme, job)
    qtbot.addWidget(block)
    block.of(answer(GROUPED))
    chosen(block, "ward")
    block.show()
    qtbot.waitUntil(lambda: "of 4" in block.trouble.text(), timeout=LONG)
    assert block.stop.isVisible()
    block.stop.click()
    assert block.trouble.text() == "Stopped. What is finished is kept."
    assert block.on.isVisible()
    assert not block.stop.isVisible()
    block.on.click()
    gate.set()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=LONG)
    chosen(block, "")
    assert block.rows is None
    chosen(block, "ward")
    assert block.rows is not None
    assert begun == ["ward"]


def test_other_models_are_compared_when_asked_with_the_answers_of_the_study(qtbot, theme, job, monkeypatch):
    monkeypatch.setattr(
        "tapdesk.answers.comparisons.compare_grid", lambda ratings, _sets, seed: compare_grid(ratings, 30, seed)
    )
    block = ModelsBlock(theme, job)
    qtbot.addWidget(block)
    block.of(answer(PLAIN, replace(WALD, seed=3)))
    assert not job.running
    block.begin.click()
    qtbot.waitUntil(lambda: block.rows is not None, timeout=LONG)
    found = finish(compare_grid(PLAIN, 30, 3))
    told = {row[0]: row for row in block.rows[1]}
    assert set(told) >= {row.fit.model.name for row in found.comparison.rows}
    tests = {row[0]: row for view in block.page.findChildren(TableView) for row in view.rows.rows}
    assert tests["Could the ratings carry no information at all?"][2:] == ("0", "30", "Hardly")


def test_what_was_worked_out_is_printed_where_it_is_ticked_and_the_project_remembers(qtbot, theme, job, monkeypatch):
    monkeypatch.setattr(
        "tapdesk.answers.comparisons.compare_grid", lambda ratings, _sets, seed: compare_grid(ratings, 5, seed)
    )
    document, groups, models = OpenDocument(), GroupsBlock(theme, job), ModelsBlock(theme, Job())
    for block in (groups, models):
        qtbot.addWidget(block)
    notes = BlockNotes(document)
    notes.connect_block(part("groups"), groups)
    notes.connect_block(part("models"), models)
    groups.of(answer(GROUPED))
    assert groups.in_report.isHidden()
    chosen(groups, "ward")
    qtbot.waitUntil(lambda: groups.rows is not None, timeout=LONG)
    assert not groups.in_report.isHidden()
    assert models.in_report.isHidden()
    groups.in_report.click()
    assert setup(document.project).selection.columns("groups") == ("ward",)
    assert groups.in_report.isChecked()
    document.undo_stack.undo()
    assert setup(document.project).selection.columns("groups") == ()
    assert not groups.in_report.isChecked()
    chosen(groups, "")
    assert groups.in_report.isHidden()
    models.of(answer(PLAIN, replace(WALD, seed=3)))
    models.begin.click()
    qtbot.waitUntil(lambda: models.rows is not None, timeout=LONG)
    models.in_report.click()
    assert "models" in setup(document.project).selection
    models.in_report.click()
    assert "models" not in setup(document.project).selection
