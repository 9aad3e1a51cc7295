"""Who wins, how sure, in the window: worked out when asked, by the committee's rule and lines, and saved."""

import io
from pathlib import Path

import docx
import numpy as np
import openpyxl
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tapdesk.answers.awards import differing
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
    return " ".join(label.text() for label in block.award_page.findChildren(QLabel))


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


def test_lines_that_are_none_leave_the_list_as_it_was_with_the_reason_beside_them(qtbot, listed, block):
    assert listed.isVisible()
    shown, decided = block.awards, []
    block.decided.connect(decided.append)
    block.lines.setText("14; gold")
    qtbot.keyClick(block.lines, Qt.Key.Key_Return)
    assert block.stack.currentWidget() is block.body
    assert block.awards is shown
    assert block.prints == ("awards", True)
    assert "is no cut point." in block.reason.text()
    assert block.reason.text().endswith("Shown is still the list as it was before.")
    assert block.lines.accessibleDescription() == block.reason.text()
    assert block.reason.isVisible()
    assert not decided
    # What is right again takes the reason away.
    block.lines.setText("14; 15; 16")
    qtbot.keyClick(block.lines, Qt.Key.Key_Return)
    assert not block.reason.isVisible()
    assert block.awards is shown


def test_the_chip_tells_the_lines_as_they_were_last_correct_and_leads_to_them(qtbot, block):
    block.first = True
    block.decide(AwardRequest())
    assert (block.lines_chip._key, block.lines_chip._value) == ("Medal lines", "none yet")
    block.lines.setText("13; 14.5")
    block.work()
    assert block.lines_chip._value == "13 · 14.5 points"
    block.lines.setText("13; gold")
    block.work()
    assert block.lines_chip._value == "13 · 14.5 points"
    qtbot.mouseClick(block.lines_chip, Qt.MouseButton.LeftButton)
    assert block.window().focusWidget() is block.lines
    assert block.lines.selectedText() == "13; gold"


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


@pytest.fixture
def listed(qtbot, block):
    """The block with medals given and the page laid out."""
    block.resize(1100, 900)
    block.lines.setText("14; 15; 16")
    block.names.setText("none; bronze; silver; gold")
    block.work()
    qtbot.waitUntil(lambda: block.awards is not None, timeout=LONG)
    return block.award_page


def test_a_row_is_one_sentence_for_who_hears_it_and_the_arrow_keys_go_through_the_rows(qtbot, block, listed):
    rows, result = listed.list.shown, block.awards
    first = int(result.order[0])
    heard = rows.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    places = f"{result.subjects[first]} stands in place {result.rank_low[first]} to {result.rank_high[first]} with "
    assert heard.startswith(places)
    assert f"Given {result.classes[result.result.given[first]]}: deserved with a probability of " in heard
    listed.list.setFocus()
    qtbot.keyClick(listed.list, Qt.Key.Key_Down)
    assert listed.list.currentIndex().row() == 1
    assert not listed.grab().isNull()


def test_ochre_stands_only_where_the_likeliest_is_another_and_the_key_says_so(block, listed):
    rows, result = listed.list.shown, block.awards
    other = set(np.flatnonzero(result.likeliest != result.result.given))
    assert {int(result.order[r]) for r in range(rows.rowCount()) if rows.differs(rows.index(r, 0))} == other
    assert other
    assert "Ochre: the likeliest is another than what was given." in listed.key.text()
    assert "Dark bar: deserved with 80 % or more." in listed.key.text()
    assert "Bracket: cannot be told apart." in listed.key.text()
    assert "Dots: fair score with the interval that holds it with 95 %." in listed.key.text()
    assert listed.discuss.text() == f"Discuss these {len(other)}"
    sentence = f"The model would put {16 - len(other)} of 16 awards where you put them. It sees others otherwise: "
    assert listed.decides.text().startswith(sentence)
    assert listed.decides.text().endswith("Nothing here gives or takes an award.")


def test_shift_l_leaves_out_one_judge_after_the_other(qtbot, block, listed):
    said = {}
    for _turn in block.awards.without:
        qtbot.keyClick(listed, Qt.Key.Key_L, Qt.KeyboardModifier.ShiftModifier)
        said[listed.judge.currentData()] = listed.change_words.text()
    assert sorted(said) == list(range(4))
    for at, words in said.items():
        n = len(block.awards.without[at].changes)
        assert words == f"{n} of 16 awards change{'s' if n == 1 else ''}."


def test_the_cards_stand_below_the_list_where_there_is_no_room_beside_it(qtbot, block, listed):
    assert listed.cards.x() > listed.list.x()
    block.resize(600, 900)
    qtbot.waitUntil(lambda: listed.cards.y() > listed.list.y())


def test_the_judge_who_is_strict_and_those_who_judged_few_are_said_beside_the_picture(listed):
    assert "J02 judges more strictly than the panel." in listed.strict_words.text()
    assert "Each judged" not in listed.strict_words.text()


def test_what_is_to_be_discussed_is_saved_as_a_worklist_of_these_entries(qtbot, block, listed, scores, tmp_path):
    discussed = []
    block.discussed.connect(discussed.append)
    qtbot.mouseClick(listed.discuss, Qt.MouseButton.LeftButton)
    (result,) = discussed
    which = tuple(map(int, differing(result)))
    files = worklist_files(result, scores, tmp_path / "w.xlsx", which=which)
    sheets = openpyxl.load_workbook(io.BytesIO(files[0][1])).worksheets
    texts = {str(cell.value) for sheet in sheets for row in sheet.iter_rows() for cell in row}
    assert {scores.subjects[i] for i in which} <= texts
    assert not {name for i, name in enumerate(scores.subjects) if i not in which} & texts
    qtbot.mouseClick(listed.note_it, Qt.MouseButton.LeftButton)
    assert block.note.isVisible()


def judges_table(page):
    return next(view for table, view in page.rest.tables if table.title == "How the raters score")


def test_the_card_says_what_the_row_of_a_judge_answers(listed):
    assert listed.ways.text() == (
        "In the table of the raters, Enter on a row shows this, and a right click offers the whole What if."
    )


def test_the_row_of_a_judge_shows_the_awards_without_them_by_enter(qtbot, block, listed):
    view = judges_table(listed)
    view.setFocus()
    view.setCurrentIndex(view.model().index(2, 0))
    name = view.rows.rows[2][0]
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert block.awards.raters[block.awards.without[listed.judge.currentData()].judge] == name
    assert listed.changes.accessibleName() == f"Without {name}"
    assert listed.judge.hasFocus()


def test_the_row_of_a_judge_asks_for_the_whole_analysis_without_them(block, listed, monkeypatch):
    asked, menus = [], []
    monkeypatch.setattr("tapdesk.gui.results.award_page.popup", lambda menu, _at: menus.append(menu))
    block.wondered.connect(asked.append)
    view = judges_table(listed)
    name = view.rows.rows[1][0]
    view.setCurrentIndex(view.model().index(1, 0))
    view.customContextMenuRequested.emit(view.visualRect(view.currentIndex()).center())
    awards, whole = menus[0].actions()
    assert awards.text() == f"Which awards change without {name}?"
    assert whole.text() == f"What if without {name}?"
    whole.trigger()
    assert asked == [name]
    awards.trigger()
    assert listed.changes.accessibleName() == f"Without {name}"


def test_what_was_saved_is_said_below_the_buttons_until_the_list_is_another(qtbot, block, listed):
    assert listed.isVisible()
    assert block.saved_line.isHidden()
    block.show_saved("Saved awards.xlsx in /juries.")
    assert block.saved_line.isVisible()
    block.rule.choose("median")
    block.work()
    qtbot.waitUntil(lambda: block.awards is not None and block.awards.rule is Rule.MEDIAN, timeout=LONG)
    assert block.saved_line.isHidden()
