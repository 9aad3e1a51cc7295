"""The block of the cases: all of them in its table, and the doubtful ones as a worklist."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.gui.results.cases_block import CasesBlock
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.case_beliefs import case_beliefs
from tests.studies.examples import panel


@pytest.fixture(scope="module")
def answer():
    ratings = panel(["t=.4", "a=.7", "p=.4"], 120, 4)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="wald")))
    return Answer(fit, ratings, ratings, SideResults(beliefs=finish(case_beliefs(ratings, fit))))


@pytest.fixture
def block(qtbot, theme, answer):
    made = CasesBlock(theme)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show_answer(answer)
    made.show()
    return made


def test_every_case_is_in_the_list_and_what_counts_stands_first(block, answer):
    rows = block.body.table.rows
    assert rows.rowCount() == 120
    heads = [rows.headerData(i, Qt.Orientation.Horizontal) for i in range(rows.columnCount())]
    assert heads == ["Case", "Likeliest class", "Belief", "Gain", "Ratings given"]
    worth = answer.side.beliefs.worth_another()
    first = ", ".join(answer.ratings.subjects[i] for i in worth[:3])
    said = " ".join(label.text() for label in block.findChildren(QLabel))
    # Twelve cases with the same ratings gain the same.
    assert f"One more rating is worth most for cases such as {first}." in said
    assert "Gain: how much likelier the likeliest class becomes by one more rating" in said
    assert "{" not in said
    assert block.title.text() == f"Discuss these {int((answer.side.beliefs.probability.max(axis=1) < 0.9).sum())} cases"


def test_the_worklist_is_asked_for_with_the_answer(qtbot, block, answer):
    asked = []
    block.worklisted.connect(asked.append)
    qtbot.mouseClick(block.save_worklist, Qt.MouseButton.LeftButton)
    assert asked == [answer]


def test_where_one_more_rating_gains_nothing_no_worklist_is_offered(qtbot, theme):
    ratings = panel(["t=.5", "a=1", "p=.5"], 60, 5)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="wald")))
    made = CasesBlock(theme)
    qtbot.addWidget(made)
    made.show_answer(Answer(fit, ratings, ratings, SideResults(beliefs=finish(case_beliefs(ratings, fit)))))
    made.show()
    assert made.save_worklist.isHidden()
