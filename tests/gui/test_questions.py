"""All questions of a form at a glance: in the window, live, filtered, stopped; and a row that is read next."""

from dataclasses import replace

import numpy as np
import pikepdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tapdesk.answers.criteria import shares_figure
from tapdesk.answers.figure import Mark, Points
from tapdesk.gui.report.report_pane import about
from tapdesk.gui.results.all_questions import all_questions
from tapdesk.gui.results.questions_view import Scale, leads_to
from tapdesk.gui.shell import status_texts
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.files.file import load, save
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.report.form_recipe import form_recipe, made_again
from tapdesk.report.issue.facts import facts_in
from tapdesk.report.issue.verify import Outcome, verify_form
from tapdesk.studies.criteria import Advice, Verdict, numbers_of
from tests.gui.conftest import LONG
from tests.gui.dataset_clicks import link
from tests.ratings.test_form_sheets import workbook

# Several questions are worked out, each with its tests.
VERY_LONG = 4 * LONG

RATERS = ("Ana", "Ben", "Cem", "Dora")
KINDS = {"Plan told": 0.45, "Pulse taken": 0.95, "Allergy": None}


@pytest.fixture
def place(tmp_path):
    """Sixty records, four nurses: a question with many guesses, a clear one, one answered alike."""
    rng = np.random.default_rng(8)
    lines = ["Record,Nurse," + ",".join(KINDS)]
    for i in range(60):
        true = rng.random(len(KINDS)) < 0.5
        for rater in RATERS:
            answers = []
            for q, accuracy in enumerate(KINDS.values()):
                follows = accuracy is not None and rng.random() < accuracy
                said = true[q] if follows else rng.random() < 0.5
                answers.append("Yes" if accuracy is None or said else "No")
            lines.append(f"r{i},{rater},{','.join(answers)}")
    place = tmp_path / "form.csv"
    place.write_text("\n".join(lines))
    return place


@pytest.fixture
def answered(window, qtbot, place, monkeypatch):
    """The window with the results of one question of the form, and tests of few draws."""
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 200)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 40)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place), ReadingOptions(layout=Layout.QUESTIONS, only="Pulse taken"))
    window.session.choose(interval="wald")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    return window


def said(block):
    return " ".join(label.text() for label in block.page.findChildren(QLabel))


def shown(block):
    return [row[0] for row in block.table_view.rows.rows]


def test_all_questions_are_set_side_by_side_filtered_and_one_of_them_is_read(answered, qtbot):
    block = answered.results.questions
    assert block.isVisible()
    assert not block.filter.isVisible()
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert shown(block) == ["Plan told", "Allergy", "Pulse taken"]
    assert "On 1 of 3 questions the ratings clearly follow the record." in said(block)
    told = finish(all_questions(answered.session.document.project, answered.session.naming.names, 0.95, 1))
    assert [row.name for row in told.rows] == shown(block)
    assert block.rows is not None
    # One verdict at a time.
    first = told.rows[0].verdict
    assert first in {Verdict.MIXED, Verdict.GUESSING}
    chips = {verdict: chip.accessibleName() for verdict, chip in block.filter.chips.items()}
    assert chips == {
        None: "All: 3", first: f"{first.value.capitalize()}: 1", Verdict.SAME: "All the same: 1",
        Verdict.CLEAR: "Clear: 1",
    }  # fmt: skip
    block.filter.chips[Verdict.CLEAR].click()
    assert shown(block) == ["Pulse taken"]
    assert block.panel.name.text() == "Pulse taken"
    block.filter.chips[first].click()
    assert shown(block) == ["Plan told"]
    # The panel at the side speaks of the row that is chosen.
    block.filter.chips[None].click()
    assert block.panel.name.text() == "Plan told"
    block.table_view.selectRow(1)
    assert block.panel.name.text() == "Allergy"
    assert not block.panel.shares.isVisible()
    block.table_view.selectRow(0)
    assert block.panel.shares.isVisible()
    assert block.panel.table.rows.rows[0][0] == "Accuracy a"
    block.filter.chips[first].click()
    # The row opens its own results; those of the one before, and the table, stay.
    with qtbot.waitSignal(answered.session.fitting.done, timeout=LONG):
        block.table_view.activated.emit(block.table_view.rows.index(0, 0))
    project = answered.session.document.project
    assert project.question == project.reading.options.only == "Plan told"
    assert project.analyses[0].fit is not None
    assert not answered.session.out_of_date
    assert shown(block) == ["Plan told"]
    # The way back, and the keys of the chips.
    answered.results.see_all.click()
    qtbot.waitUntil(block.table_view.hasFocus, timeout=LONG)
    qtbot.keyClick(block.table_view, "1")
    assert shown(block) == ["Plan told", "Allergy", "Pulse taken"]
    answered.session.document.undo_stack.undo()
    project = answered.session.document.project
    assert project.question == project.reading.options.only == "Pulse taken"
    assert project.analyses[0].fit is not None
    assert not answered.session.out_of_date


def test_rows_come_as_they_are_done_and_what_is_stopped_goes_on(answered, qtbot):
    block = answered.results.questions
    seen = []
    block.begin.click()
    qtbot.waitUntil(
        lambda: block.table_view is not None and bool(seen.append(len(shown(block))) or shown(block)), timeout=LONG
    )
    if block.result is None:
        block.stop.click()
        assert block.trouble.text() == "Stopped. What is finished is kept."
        block.on.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert len(shown(block)) == 3


def test_a_file_of_one_question_has_no_such_block(fitted):
    fitted.go(2)
    assert not fitted.results.questions.isVisible()


def test_codes_on_screen_are_codes_here(answered, qtbot):
    with qtbot.waitSignal(answered.session.naming.changed, timeout=LONG):
        answered.session.naming.use(codes=True)
    block = answered.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert not {r.rater for r in block.result.raters} & set(RATERS)


def test_one_report_of_all_questions_is_saved_from_the_window(answered, qtbot, place, tmp_path, monkeypatch):
    block = answered.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    target, titles = tmp_path / "all.pdf", []

    def chosen(_parent, title, *_more):
        titles.append(title)
        return str(target), "Report (*.pdf)"

    monkeypatch.setattr("tapdesk.gui.shell.dialogs.file_to_save", chosen)
    block.save.click()
    # Nobody's name leaves unawares.
    assert titles == ["Save one report of all questions, nurses by name"]
    assert target.read_bytes().startswith(b"%PDF")
    assert block.saved_words.text() == "Saved all.pdf."
    # The data file verifies it.
    line = facts_in(target)["form"]
    verdict = finish(verify_form(target, made_again(place, form_recipe(line))))
    assert verdict.outcome is Outcome.MATCHES
    # A file the program did not write is replaced only where the user says so.
    target.write_text("mine")
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.agree", lambda *_args, **_more: False)
    block.save.click()
    assert target.read_text() == "mine"


def test_a_form_opens_with_all_its_questions_one_of_which_is_shown(window, qtbot, place):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    project = window.session.document.project
    assert [one.name for one in project.form] == list(KINDS)
    assert project.question == "Plan told"
    chip = window.dataset.chips.chips["form"]
    assert chip.accessibleName() == "Question: Plan told (1 of 3)"
    # Another one is chosen where the guesses stand, without reading the file again; undo brings the first one back.
    actions = chip._menu.actions()
    assert [a.text() for a in actions] == list(KINDS)
    actions[1].trigger()
    assert window.session.document.project.question == "Pulse taken"
    assert window.session.document.ratings.rating_count == 240
    window.session.document.undo_stack.undo()
    assert window.session.document.project.question == "Plan told"
    # Read in another way it is a form still, with the same question.
    window.session.choose_question("Allergy")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.read_again(replace(window.session.document.project.reading.asked, missing=("No",)))
    project = window.session.document.project
    assert project.question == "Allergy"
    assert all("No" not in one.reading.as_read.classes for one in project.form)
    # All of them can be set side by side before any was asked about.
    window.go(2)
    assert window.results.questions.isVisible()
    assert not window.results.headline.isVisible()


def test_a_workbook_with_a_sheet_for_each_question_opens_as_a_form(window, qtbot, tmp_path):
    sheets = {"Pain": range(30), "Plan": range(30), "Falls": range(24)}
    book = workbook(tmp_path / "form.xlsx", sheets)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(book))
    project = window.session.document.project
    assert [one.name for one in project.form] == list(sheets)
    assert "sheets_as_questions" in {f.code for f in project.reading.findings}
    window.session.choose_question("Falls")
    assert window.session.document.ratings.subject_count == 24
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.read_again(replace(window.session.document.project.reading.asked, missing=("No",)))
    project = window.session.document.project
    assert (project.question, len(project.form)) == ("Falls", 3)
    # One sheet by itself.
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.read_again(replace(window.session.document.project.reading.asked, sheet="Pain"))
    project = window.session.document.project
    assert project.form == ()
    assert project.reading.source.sheet == "Pain"


def test_sets_of_labels_become_a_form_by_a_click_with_the_set_measure_beside(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    marks = ("trust; fear", "fear", "trust", "", "fear; cost", "cost", "trust; cost")
    lines = [
        "text,Ana,Ben,Cem",
        *(f"t{i}," + ",".join(marks[(i + j * (i % 5 == 0)) % 7] for j in range(3)) for i in range(40)),
    ]
    place = tmp_path / "sets.csv"
    place.write_text("\n".join(lines) + "\n")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(place))
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        link(window, "Ask about each label, yes or no").click()
    project, names = window.session.document.project, {"trust", "fear", "cost"}
    assert {one.name for one in project.form} == names
    assert project.ratings.classes == ("no", "yes")
    before = project.ratings.rating_count
    window.session.choose_question("cost")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        link(window, "A blank cell: no label applies").click()
    project = window.session.document.project
    assert project.question == "cost"
    assert project.ratings.rating_count == 120 > before
    told = finish(all_questions(project, window.session.naming.names, 0.95, 1))
    assert {row.name for row in told.rows} == names
    block = window.results.questions
    content = block._told(told)
    assert "Agreement on sets of labels" in {getattr(one, "title", "") for one in content.blocks}
    window.session.document.undo_stack.undo()
    window.session.document.undo_stack.undo()
    window.session.document.undo_stack.undo()
    assert not window.session.document.project.form


def test_a_decision_for_all_questions_is_taken_back_for_one_or_for_all(answered, qtbot):
    session, listed = answered.session, answered.decisions
    session.document.do("Class", session.document.project.decide(SetClass1(("No",))))
    answered.actions_["decisions"].trigger()
    for words, others in (("Take back for “Pulse taken” only", ("No",)), ("Take back for all questions", None)):
        qtbot.waitUntil(lambda words=words: words in [b.text() for b in listed.findChildren(QPushButton)])
        next(b for b in reversed(listed.findChildren(QPushButton)) if b.text() == words).click()
        project = session.document.project
        assert project.class1 != ("No",)
        assert project.with_question("Plan told").class1 == others
        session.document.undo_stack.undo()
        assert session.document.project.class1 == ("No",)


@pytest.fixture
def form_of_few_draws(window, qtbot, place, monkeypatch):
    """The whole form opened in the window, all its questions side by side, with tests of few draws."""
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 200)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 40)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    window.go(2)
    window.results.questions.begin.click()
    qtbot.waitUntil(lambda: window.results.questions.result is not None, timeout=VERY_LONG)
    return window


def test_a_question_gets_a_page_of_its_own_by_the_space_key_which_is_kept_printed_and_taken_back(
    form_of_few_draws, qtbot, place, tmp_path, monkeypatch
):
    window, block = form_of_few_draws, form_of_few_draws.results.questions
    document = window.session.document
    row = shown(block).index("Pulse taken")
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    block.table_view.setFocus()
    block.table_view.selectRow(row)
    assert not block.panel.own_page.isChecked()
    qtbot.keyClick(block.table_view, Qt.Key.Key_Space)
    assert block.panel.own_page.isChecked()
    assert {one.name for one in document.project.form if one.own_page} == {"Pulse taken"}
    # Nothing has to be worked out again for it, and it is kept in the file.
    assert block.result is not None
    save(document.project, tmp_path / "kept.tapdesk")
    kept = load(tmp_path / "kept.tapdesk")
    assert {one.name for one in kept.form if one.own_page} == {"Pulse taken"}
    target = tmp_path / "all.pdf"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.file_to_save", lambda *_args: (str(target), "Report (*.pdf)"))
    block.save.click()
    with pikepdf.open(target) as opened:
        assert "3 Pulse taken" in [item.title for item in opened.open_outline().root]
    verdict = finish(verify_form(target, made_again(place, form_recipe(facts_in(target)["form"]))))
    assert verdict.outcome is Outcome.MATCHES
    document.undo_stack.undo()
    assert not any(one.own_page for one in document.project.form)
    assert not block.panel.own_page.isChecked()


def test_after_a_decision_about_one_question_only_that_one_is_worked_out_again(form_of_few_draws, qtbot, monkeypatch):
    window, block = form_of_few_draws, form_of_few_draws.results.questions
    before = {row.name: row.numbers for row in block.result.rows}
    worked = []

    def watched(level, seed, draws, question):
        worked.append(question.name)
        return numbers_of(level, seed, draws, question)

    monkeypatch.setattr("tapdesk.studies.criteria.numbers_of", watched)
    document = window.session.document
    document.do("Leave out", document.project.decide(LeaveOutRaters(("Dora",))))
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert set(worked) == {document.project.question}
    after = {row.name: row.numbers for row in block.result.rows}
    assert [name for name in before if after[name] is not before[name]] == [document.project.question]
    assert after[document.project.question].raters == 3


def test_the_scale_stands_above_the_intervals_and_shares_are_told_in_100_beside_that_of_all(answered, qtbot):
    block = answered.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    view, head = block.table_view, block.table_view.horizontalHeader()
    (scale,) = head.viewport().findChildren(Scale)
    # The table comes to its size after its rows.
    qtbot.waitUntil(lambda: head.length() == view.viewport().width(), timeout=LONG)
    at = view.rows.header.index("Interval")
    assert scale.x() == head.sectionViewportPosition(at)
    view.setColumnWidth(0, view.columnWidth(0) + 30)
    assert scale.x() == head.sectionViewportPosition(at)
    view.setColumnHidden(1, True)
    view.fill()
    assert head.length() == view.viewport().width()
    # The answer to all questions is the headline, and every rater's share is beside that of all.
    leads = [label.text() for label in block.page.findChildren(QLabel) if label.property("type") == "card"]
    assert leads[-1].startswith("On 1 of 3 questions")
    row = block.result.rows[0]
    figure = shares_figure(row)
    ends = [mark.label for mark in figure.marks if isinstance(mark, Points)]
    assert ends == [f"{100 * one.share:.0f} %" for one in row.numbers.shares]
    (whole,) = (mark for mark in figure.marks if isinstance(mark, Mark))
    assert (whole.label, whole.at) == (f"all {100 * row.numbers.rates[1]:.0f} %", row.numbers.rates[1])
    assert [words for _at, words in figure.x.ticks] == ["0 %", "50 %", "100 %"]


def test_before_anything_is_run_the_rail_and_the_report_say_that_there_are_several_questions(window, qtbot, place):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    qtbot.waitUntil(lambda: bool(window.session.document.project.form), timeout=LONG)
    assert status_texts.rail(window.session, 0)[2][1] == "3 questions"
    assert status_texts.rail(window.session, 0)[3][1] == "Of all: save it in Results"
    assert "one of 3 questions" in status_texts.summary(window.session.document.project)
    assert "the report of all is saved in Results" in about(window.session)


def test_a_fact_that_each_rater_copied_is_left_out_by_one_click_and_comes_back(window, qtbot, place):
    lines = place.read_text().split("\n")
    more = [f"{line},{('Yes', 'No')[i % 7 % 2]},{'Yes' if i // 4 % 3 else 'No'}" for i, line in enumerate(lines[1:])]
    place.write_text("\n".join([f"{lines[0]},Drip,Urgent", *more]))

    def names():
        return [one.name for one in window.session.document.project.form]

    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(place))
    assert names() == [*KINDS, "Drip", "Urgent"]
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        link(window, "Leave out “Urgent”").click()
    assert names() == [*KINDS, "Drip"]
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        link(window, "“Urgent” is a question").click()
    assert names() == [*KINDS, "Drip", "Urgent"]
    window.session.document.undo_stack.undo()
    assert names() == [*KINDS, "Drip"]


def test_the_cases_of_a_question_that_are_worth_discussing_are_one_click_from_the_table(form_of_few_draws, qtbot):
    window = form_of_few_draws
    block, pane = window.results.questions, window.results
    # What everybody answered alike has none.
    block.table_view.selectRow(shown(block).index("Allergy"))
    assert block.discuss.isHidden()
    block.table_view.selectRow(shown(block).index("Pulse taken"))
    assert block.discuss.text() == "Records to discuss"
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        block.discuss.click()
    assert window.session.document.project.question == "Pulse taken"
    cases = pane.part_blocks["cases"]
    qtbot.waitUntil(lambda: 0 <= cases.mapTo(pane.area.viewport(), cases.rect().topLeft()).y() < 60, timeout=LONG)


def test_a_question_that_cannot_be_estimated_leads_to_its_ratings(form_of_few_draws):
    window = form_of_few_draws
    block = window.results.questions
    block.table_view.selectRow(shown(block).index("Pulse taken"))
    assert block.read.text() == "Open its results"
    block.table_view.selectRow(shown(block).index("Allergy"))
    assert block.read.text() == "Show its ratings"
    block.read.click()
    assert window.session.document.project.question == "Allergy"
    assert window.dataset.isVisible()
    assert not window.results.isVisible()


def test_what_the_file_is_is_answered_once_for_all_questions_of_a_form(window, qtbot, place):
    place.write_text("Audit of the wards\n\n" + place.read_text())
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    asked = {one.name for one in window.session.document.project.form}
    link(window, "That is right").click()
    for name in sorted(asked):
        window.session.choose_question(name)
        project = window.session.document.project
        states = finding_states(project)
        assert [state.done is not None for state in states if state.finding.code == "letterhead"] == [True], name


def test_the_run_names_its_question_and_the_label_that_is_counted(form_of_few_draws):
    window = form_of_few_draws
    window.session.choose_question("Pulse taken")
    window.go(1)
    assert "Of the question <b>Pulse taken</b> alone:" in window.model.sentence.text()


def test_what_to_do_about_a_question_is_a_link_to_the_part_of_its_results(form_of_few_draws, qtbot):
    window = form_of_few_draws
    block, pane = window.results.questions, window.results
    table = block.table_view
    last = table.rows.columnCount() - 1
    leading = {row.name: leads_to(row) for row in block._now.rows}
    name = next(name for name, part in leading.items() if part == "cases")
    at = table.rows.index(shown(block).index(name), last)
    table.scrollTo(at)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(at).center())
    assert window.session.document.project.question == name
    cases = pane.part_blocks["cases"]
    qtbot.waitUntil(lambda: 0 <= cases.mapTo(pane.area.viewport(), cases.rect().topLeft()).y() < 60, timeout=LONG)
    # "Keep" leads nowhere.
    assert all(
        part == "" for row, part in zip(block._now.rows, leading.values(), strict=True) if row.advice is Advice.KEEP
    )


def test_a_list_that_one_person_ticked_becomes_a_form_by_one_click(window, qtbot, tmp_path):
    rng = np.random.default_rng(3)
    place = tmp_path / "ticks.csv"
    rows = [f"{i}," + ",".join(rng.choice(["yes", "no"], 3)) for i in range(60)]
    place.write_text("\n".join(["Record,Gloves,Gown,Mask", *rows]))
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(place))
    assert not window.session.document.project.form
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        link(window, "They are questions").click()
    assert [one.name for one in window.session.document.project.form] == ["Gloves", "Gown", "Mask"]


def test_a_form_alone_leads_from_the_model_to_its_table_headline_and_report(window, qtbot, place, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 200)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 40)
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    window.go(1)
    assert window.model.whole.isVisible()
    assert window.model.whole.accessibleName() == "How do all questions of the form compare?"
    window.model.whole.click()
    results, block = window.results, window.results.questions
    assert results.isVisible()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert results.headline.isVisible()
    assert results.headline.words.startswith("On 1 of 3 questions the ratings clearly follow the record.")
    # Said once: the block begins with its table, and one button saves the report.
    assert "the ratings clearly follow" not in said(block)
    assert results.form_report.isVisible()
    assert not block.save.isVisible()


def test_no_table_while_a_check_of_another_question_blocks(window, qtbot, place):
    lines = place.read_text().splitlines()
    place.write_text("\n".join([*lines, "Total Yes,,120,124,240"]))
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    window.go(1)
    assert not window.model.whole.isEnabled()
    window.go(2)
    block = window.results.questions
    block.begin.click()
    qtbot.waitUntil(lambda: "On 3 questions a check must be answered first" in block.trouble.text(), timeout=LONG)
    assert block.result is None


def test_the_keyboard_begins_at_the_table_of_all_questions_of_a_form(window, qtbot, place):
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.session.open(str(place))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    window.go(1)
    qtbot.waitUntil(window.model.whole.hasFocus, timeout=LONG)
    qtbot.keyClick(window.model.whole, Qt.Key.Key_Return)
    assert window.results.isVisible()


def test_the_keys_stay_with_the_table_while_it_is_made_and_filtered(answered, qtbot):
    block = answered.results.questions
    block.begin.setFocus()
    qtbot.keyClick(block.begin, Qt.Key.Key_Space)
    assert block.stop.hasFocus()
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert block.table_view.hasFocus()
    qtbot.keyClick(block.table_view, "2")
    assert len(shown(block)) < 3
    assert block.table_view.hasFocus()
    # The report of all questions is one step before the table, its row beside one step after.
    qtbot.keyClick(block.table_view, Qt.Key.Key_Backtab)
    assert block.save.hasFocus()
    qtbot.keyClick(block.save, Qt.Key.Key_Tab)
    assert block.table_view.hasFocus()
    qtbot.keyClick(block.table_view, Qt.Key.Key_Tab)
    assert block.panel.isAncestorOf(QApplication.focusWidget())
