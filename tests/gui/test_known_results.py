"""How right they are: the numbers of the strip, the cases most got wrong alike as rows of chips, and their sheet."""

from dataclasses import replace

import numpy as np
import pytest
from docx import Document
from PySide6.QtCore import Qt

from tapdesk.agreement.known import common_errors, known_shares
from tapdesk.answers import known_use, number_cells
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import parts_of
from tapdesk.answers.question import QUESTIONS, headline
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate
from tapdesk.gui.model.model_pane import ModelPane
from tapdesk.gui.results.errors_block import ErrorsBlock
from tapdesk.models.model import Key, model
from tapdesk.progress import finish
from tapdesk.project.files.outputs import OutputKind, mark_at
from tapdesk.project.project import Analysis
from tapdesk.report.discussion_sheet import discussion_files
from tapdesk.studies.analysis import Request, analyse
from tests.studies.test_wrong_together import held, panel

ASKED = next(question for question in QUESTIONS if question.key == "known")


@pytest.fixture(scope="module")
def answer():
    ratings = panel(1, 0.6, cases=200, known=80)
    request = Request(replace(model("t-aj-pj"), key=Key.CERTAIN), interval="none")
    fit = finish(analyse(ratings, request))
    analysis = Analysis("", request, fit, question="known")
    return Answer(fit, ratings, ratings, SideResults(together=held(ratings)), analysis)


@pytest.fixture
def block(qtbot, theme, answer):
    made = ErrorsBlock(theme)
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show_answer(answer)
    made.show()
    return made


def test_the_strip_tells_both_accuracies_and_what_lies_between_them(answer):
    cells = number_cells.known_cells(answer)
    together, shares = answer.side.together, known_shares(answer.ratings)
    assert [cell.symbol for cell in cells] == ["a", "a", "Difference", "Sensitivity", "Specificity"]
    assert cells[2].count == "more than chance"
    assert cells[2].value == f"−{-together.difference.value:.2f}"
    assert cells[0].count == f"80 cases, {shares.everyone.ratings} ratings"
    assert cells[3].count == f"{shares.per_class[1]} cases known “yes”"
    # Of another question they stand there only where the panel seems wrong together.
    other = replace(answer, analysis=replace(answer.analysis, question="raters"))
    assert number_cells.known_cells(other) == cells
    right = replace(together, consensus=Estimate(0.9).between(0.7, 1.1, 0.95, "bootstrap"))
    assert number_cells.known_cells(replace(other, side=SideResults(together=right))) == []


def test_what_answers_the_question_stands_first(answer):
    assert parts_of(answer)[:3] == ("together", "errors", "known")
    assert known_use.known_count(answer.ratings) == "key, 80 of 200"


def test_a_verdict_is_said_of_a_panel_that_is_not_wrong_together(answer):
    def first(low, value, high, cases=80):
        apart = Estimate(value).between(low, high, 0.95, "bootstrap")
        ratio = Estimate(0.98).between(0.9, 1.05, 0.95, "bootstrap")
        together = replace(answer.side.together, difference=apart, consensus=ratio, cases=cases)
        sentence, follows = headline(replace(answer, side=SideResults(together=together)))
        panel, key = together.against_panel.value, together.against_key.value
        both = f"Accuracy against the known answers {key:.2f}, against the panel {panel:.2f}: a difference of"
        assert follows.startswith(both)
        return sentence

    assert first(-0.05, -0.01, 0.03) == "The panel agrees with the known answers as well as with itself."
    assert first(-0.3, -0.05, 0.1) == "Cannot tell how right the raters are: 80 known answers are too few."
    assert first(-0.02, 0.0, 0.02, cases=1) == "Cannot tell how right the raters are: 1 known answer is too few."
    assert first(-0.2, -0.1, -0.02) == "The raters follow the known answers less often than they follow each other."


def test_each_case_has_a_chip_for_every_rating_and_the_right_ones_stand_out(block, answer):
    errors = common_errors(answer.ratings)
    assert block.title.text() == f"Wrong together: {len(errors)} cases"
    assert [tick.text() for tick in block.cases.ticks] == [answer.ratings.subjects[e.case] for e in errors[:20]]
    first = errors[0]
    assert (
        block.cases.ticks[0]
        .accessibleName()
        .endswith(f"{first.count} of {first.ratings} {answer.ratings.classes[first.given]}")
    )
    roles = [chip.property("role") for chip in block.cases.chips]
    assert len(roles) == sum(e.ratings for e in errors[:20])
    right = sum(e.ratings - e.count for e in errors[:20])
    assert roles.count("picked") == right


def test_the_sheet_holds_the_cases_that_are_ticked_and_room_for_what_is_decided(qtbot, block, answer, tmp_path):
    asked = []
    block.discussed.connect(lambda *of: asked.append(of))
    block.cases.ticks[0].setChecked(False)
    qtbot.mouseClick(block.sheet, Qt.MouseButton.LeftButton)
    ((of, chosen),) = asked
    errors = common_errors(answer.ratings)
    assert of is answer
    assert chosen == errors[1:]
    path = tmp_path / "discussion.docx"
    ((place, inside),) = discussion_files(answer.ratings, chosen, path, title="Wounds")
    place.write_bytes(inside)
    assert mark_at(path).kind is OutputKind.DISCUSSION
    document = Document(str(path))
    cells = [[cell.text for cell in row.cells] for row in document.tables[0].rows]
    assert cells[0] == ["Case", "Known", *answer.ratings.raters, "Most raters say", "What is decided"]
    assert [row[0] for row in cells[1:]] == [answer.ratings.subjects[e.case] for e in chosen]
    assert {row[-1] for row in cells[1:]} == {""}
    said = np.array([[row[2 + j] for j in range(3)] for row in cells[1:]])
    for row, error in zip(said, chosen, strict=True):
        assert (row == answer.ratings.classes[error.given]).sum() == error.count
    # What is said of all of them stays true of all of them.
    assert f"On {len(errors)} of 80 cases" in " ".join(p.text for p in document.paragraphs)


def test_without_any_case_there_is_no_sheet(block):
    for tick in block.cases.ticks:
        tick.setChecked(False)
    assert block.sheet.isEnabled() is bool(block.cases.chosen)


def test_the_question_is_offered_only_where_answers_are_known(window):
    pane: ModelPane = window.model
    card = next(card for card, question in zip(pane.cards, QUESTIONS, strict=True) if question is ASKED)
    assert card.isHidden()
    keyed = panel(1, 0.6, cases=40, known=20)
    assert ASKED.refuses(keyed, keyed) is None
    bare = replace(keyed, known="")
    assert ASKED.refuses(bare, bare) == "No column holds known answers: say in Dataset which one does."


def test_a_chip_is_as_high_as_its_word_however_much_room_there_is(block, answer, qtbot):
    for height in (600, 2000):
        block.cases.resize(700, height)
        block.cases.layout().activate()
        for chip in block.cases.chips:
            assert chip.height() <= chip.sizeHint().height() + 2
    # Of a panel with fewer wrong cases no row is stretched either.
    few = replace(answer, ratings=panel(1, 0.95, cases=200, known=80))
    block.cases.show_answer(few)
    block.cases.resize(700, 1200)
    qtbot.waitUntil(lambda: all(chip.height() <= chip.sizeHint().height() + 2 for chip in block.cases.chips))
