"""Who wins, how sure, in the window: worked out when asked, by the committee's rule and lines, and saved."""

from pathlib import Path

import docx
import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tapdesk.answers.part import Answer
from tapdesk.gui.results.awards_block import AwardsBlock
from tapdesk.models.model import model
from tapdesk.project.files.outputs import OutputKind, mark_at
from tapdesk.project.project import Analysis
from tapdesk.report.award_list import award_files, worklist_files
from tapdesk.studies.analysis import Request
from tapdesk.studies.award_answer import AwardRequest, Caveat
from tapdesk.studies.award_rules import Rule
from tests.gui.conftest import LONG
from tests.tables import scored

ASKED = Request(model("t-a-p"), interval="wald")


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    worth, level = rng.normal(15, 1.4, 16), (0.0, -1.2, 0.3, 0.1)
    return scored(
        [(i, j, round(2 * (w + level[j] + rng.normal(0, 0.6))) / 2) for i, w in enumerate(worth) for j in range(4)]
    )


@pytest.fixture
def block(qtbot, theme, job, scores):
    made = AwardsBlock(theme, job)
    qtbot.addWidget(made)
    made.of(Answer(None, scores, scores, analysis=Analysis("", ASKED, None)))
    made.show()
    return made


def said(block):
    return " ".join(label.text() for label in block.page.findChildren(QLabel))


def test_nothing_is_worked_out_unasked_and_lines_are_taken_by_keyboard(qtbot, block, job):
    assert not job.running
    assert block.awards is None
    assert block.save_list.isHidden()
    block.lines.setFocus()
    qtbot.keyClicks(block.lines, "13; 15; 16")
    qtbot.keyClicks(block.names, "none; bronze; silver; gold")
    qtbot.keyClick(block.names, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    assert block.awards.classes == ("none", "bronze", "silver", "gold")
    assert Caveat.NO_LINES not in block.awards.caveats
    assert "awards are safe." in said(block)
    assert "What this does not say." in said(block)
    assert block.save_list.isVisible()
    # The project remembers the lines, so a report prints the same.
    assert block.prints == ("awards", True)


def test_the_rule_of_the_committee_is_chosen_and_each_answer_stays_known(qtbot, block):
    qtbot.mouseClick(block.begin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    assert block.awards.rule.value == "mean"
    assert block.prints == ("awards", True)
    first = block.awards
    block.rule.choose("median")
    qtbot.mouseClick(block.begin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    assert block.awards.rule.value == "median"
    block.rule.choose("")
    qtbot.mouseClick(block.begin, Qt.MouseButton.LeftButton)
    assert block.awards is first


def test_lines_that_are_none_are_refused_in_a_sentence(block):
    block.lines.setText("13; gold")
    block.work()
    assert "is no cut point." in block.trouble.text()
    block.lines.setText("99")
    block.work()
    assert "Each cut point lies once between the lowest score" in block.trouble.text()


def test_it_can_be_stopped_and_goes_on(qtbot, block):
    block.work()
    qtbot.waitUntil(lambda: " of " in block.trouble.text(), timeout=LONG)
    block.stop.click()
    assert block.trouble.text() == "Stopped. What is finished is kept."
    block.on.click()
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)


def test_classes_without_an_order_are_asked_which_one_wins(qtbot, theme, job):
    rng = np.random.default_rng(1)
    rows = [(i, j, int((i % 2) ^ (rng.random() < 0.1))) for i in range(30) for j in range(3)]
    ratings = scored(rows, classes=["no", "yes"], ordered=False)
    block = AwardsBlock(theme, job)
    qtbot.addWidget(block)
    block.of(Answer(None, ratings, ratings, analysis=Analysis("", ASKED, None)))
    assert block.lines.isHidden()
    assert block.rule.isHidden()
    block.wanted.choose("yes")
    block.work()
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    assert block.awards.classes[block.awards.wanted] == "yes"


def test_one_judge_alone_is_told_why_nothing_can_be_said(qtbot, theme, job):
    ratings = scored([(i, 0, float(i)) for i in range(9)])
    block = AwardsBlock(theme, job)
    qtbot.addWidget(block)
    block.of(Answer(None, ratings, ratings, analysis=Analysis("", ASKED, None)))
    block.work()
    qtbot.waitUntil(lambda: "alone cannot be told" in block.trouble.text(), timeout=LONG)


def test_the_list_and_the_worklist_are_what_the_command_writes(qtbot, block, scores, tmp_path):
    listed, worklisted = [], []
    block.listed.connect(listed.append)
    block.worklisted.connect(worklisted.append)
    block.work()
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    qtbot.mouseClick(block.save_list, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(block.save_worklist, Qt.MouseButton.LeftButton)
    assert listed == worklisted == [block.awards]
    ((path, content),) = award_files(block.awards, tmp_path / "a.xlsx")
    Path(path).write_bytes(content)
    assert openpyxl.load_workbook(path).sheetnames[0] == "Awards"
    assert len(worklist_files(block.awards, scores, tmp_path / "w.xlsx")) == 5


def test_the_list_is_a_document_of_word_with_every_probability_and_a_place_to_sign(qtbot, block, tmp_path):
    block.lines.setText("13; 15; 16")
    block.work()
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    ((path, content),) = award_files(block.awards, tmp_path / "a.docx", title="Spring wine show")
    path.write_bytes(content)
    document = docx.Document(str(path))
    heads = [tuple(cell.text for cell in table.rows[0].cells) for table in document.tables]
    assert ("Rule of the committee", "mean") in heads
    assert any("Deserved" in head for head in heads)
    assert any({"Apart from next", "P(16 or more)"} <= set(head) for head in heads)
    assert ("Signature", "Name, printed", "Date and time") in heads
    words = "\n".join(paragraph.text for paragraph in document.paragraphs)
    assert "Spring wine show" in words
    assert "nothing here gives or takes an award." in words
    assert "These are the awards the committee decided on." in words
    assert mark_at(path).kind is OutputKind.AWARDS
    assert award_files(block.awards, tmp_path / "a.docx", title="Spring wine show")[0][1] == content


def test_what_was_decided_is_shown_when_it_is_undone(qtbot, block):
    decided = []
    block.decided.connect(decided.append)
    block.lines.setText("13; 15")
    block.rule.choose("median")
    block.work()
    (asked,) = decided
    assert (asked.lines, asked.rule) == ((13.0, 15.0), Rule.MEDIAN)
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    block.decide(AwardRequest())
    assert block.lines.text() == ""
    assert block.rule.currentData() == ""
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    assert block.awards.lines == ()
    assert len(decided) == 1


def test_classes_without_an_order_ask_for_it_or_for_the_class_that_wins(qtbot, theme, job):
    rows = [(i, j, (i + j) % 3) for i in range(9) for j in range(3)]
    ratings = scored(rows, classes=["a", "b", "c"], ordered=False)
    block = AwardsBlock(theme, job)
    qtbot.addWidget(block)
    block.of(Answer(None, ratings, ratings, analysis=Analysis("", ASKED, None)))
    block.work()
    assert "These classes have no order" in block.trouble.text()
    assert "Choose the class that wins, or say their order in Dataset." in block.trouble.text()
    assert not job.running
