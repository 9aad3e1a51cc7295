"""A project about a form: decisions of each question and of all, kept, undone, reopened; codes that are asked once."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.form_reading import open_checks
from tapdesk.cli.main import main
from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.project.decisions.base import DecisionStatus, LeaveAsRead
from tapdesk.project.decisions.classes import MergeClasses, SetClass1, TreatAsMissing
from tapdesk.project.files.file import load, save
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.form import form_of, work_of
from tapdesk.project.project import History, Project
from tapdesk.project.recipes import apply_recipe, recipe_of
from tapdesk.project.review_state import finding_states, refuse_blocking_of_form
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import fingerprint

RATERS = ("Ana", "Ben", "Cem")
CLASSES = {
    "Pain": ("No", "Yes", "n/a"),
    "Plan": ("No", "Yes", "n/a", "can't say"),
    "Risk": ("low", "high", "can't say"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    rng = np.random.default_rng(3)
    lines = ["Record,Nurse," + ",".join(CLASSES)]
    for i in range(40):
        for rater in RATERS:
            answers = [
                str(rng.choice(c, p=[0.5, 0.3, 0.2] if len(c) == 3 else [0.4, 0.4, 0.1, 0.1])) for c in CLASSES.values()
            ]
            lines.append(f"r{i},{rater},{','.join(answers)}")
    place = tmp_path_factory.mktemp("form") / "form.csv"
    place.write_text("\n".join(lines))
    return place


@pytest.fixture
def project(place):
    return Project().with_form(work_of(finish(form(place))), "Pain")


def ratings(project, name):
    return next(one.reading.ratings for one in form_of(project).questions if one.name == name)


def test_a_decision_is_about_the_question_it_was_made_in(project):
    other = fingerprint(ratings(project, "Plan"))
    merged = project.decide(MergeClasses((("Yes", ("Yes", "No")),)))
    assert merged.all_classes.classes == ("Yes",)
    assert fingerprint(ratings(merged, "Plan")) == other
    plan = merged.with_question("Plan")
    assert plan.log[0].standing is DecisionStatus.ELSEWHERE
    assert fingerprint(plan.ratings) == other
    assert plan.fingerprint == project.with_question("Plan").fingerprint
    back = plan.with_question("Pain")
    assert back.all_classes.classes == ("Yes",)
    assert not back.problems


def test_the_counted_class_holds_for_every_question_that_knows_it(project):
    counting = project.decide(SetClass1(("Yes",)))
    assert counting.ratings.classes[1] == "Yes"
    assert ratings(counting, "Plan").class1 == ("Yes",)
    assert ratings(counting, "Risk").classes == ratings(project, "Risk").classes
    assert not counting.with_question("Risk").problems


def test_a_decision_for_all_questions_is_taken_back_for_one(project):
    code = "can't say"
    with pytest.raises(TapdeskError, match=code):
        project.decide(TreatAsMissing((code,)), everywhere=True)
    both = project.with_question("Plan").decide(TreatAsMissing((code,)), everywhere=True)
    assert code not in ratings(both, "Plan").classes
    assert code not in ratings(both, "Risk").classes
    one = both.with_question("Risk").take_back(both.log[-1].id, everywhere=False)
    assert code in one.ratings.classes
    assert code not in ratings(one, "Plan").classes
    assert code in ratings(both.with_question("Risk").take_back(both.log[-1].id), "Plan").classes


def test_a_decision_about_another_question_is_taken_back_there(project):
    merged = project.decide(MergeClasses((("Yes", ("Yes", "No")),))).with_question("Plan")
    after = merged.take_back(1)
    assert after.question == "Plan"
    assert set(after.with_question("Pain").all_classes.classes) == {"No", "Yes"}
    assert merged.with_question("Pain").all_classes.classes == ("Yes",)


def test_no_question_of_a_form_says_that_only_it_is_read(project):
    messages = [str(f.message) for one in project.form for f in one.reading.findings]
    assert messages
    assert not any("Only the question" in message or "only “" in message for message in messages)


def test_what_was_decided_before_there_was_a_form_is_about_the_question_that_was_read(place):
    whole = work_of(finish(form(place)))
    alone = Project().with_reading(whole[0].reading).decide(MergeClasses((("Yes", ("Yes", "No")),)))
    project = alone.with_form(whole, "Pain")
    assert project.all_classes.classes == ("Yes",)
    assert ratings(project, "Plan").classes == whole[1].reading.as_read.classes


def test_a_form_is_saved_reopened_and_undone(project, tmp_path):
    first = project.decide(SetClass1(("Yes",)))
    second = first.with_question("Risk")
    third = second.decide(TreatAsMissing(("can't say",)))
    history = History((project, first, second, third), ("a", "b", "c"), 3)
    place = tmp_path / "form.tapdesk"
    save(replace(third, history=history), place)
    again = load(place)
    assert (again.question, [one.name for one in again.form]) == ("Risk", list(CLASSES))
    assert again.reading is next(one.reading for one in again.form if one.name == "Risk")
    assert fingerprint(again.ratings) == fingerprint(third.ratings)
    for name in CLASSES:
        assert fingerprint(ratings(again, name)) == fingerprint(ratings(third, name))
    assert [state.question for state in again.history.states] == ["Pain", "Pain", "Risk", "Risk"]
    assert fingerprint(again.history.states[1].ratings) == fingerprint(first.ratings)
    # The same project makes the same file.
    save(again, tmp_path / "again.tapdesk")
    assert (tmp_path / "again.tapdesk").read_bytes() == place.read_bytes()


def test_a_code_of_several_questions_is_asked_once_and_answered_for_all_or_for_one(project, place):
    whole = finish(form(place))
    asked = [f for f in whole.findings if f.code == "missing_codes"]
    assert [f.about[:2] for f in asked] == [(("n/a",), ("Pain", "Plan"))]
    assert "n/a" not in ratings(project, "Pain").classes

    def state(of):
        return next(row for row in finding_states(of) if row.finding.code == "missing_codes")

    offered = {fix.words: fix for fix in fixes(state(project).finding, project.reading, project.all_classes)}
    assert list(offered) == ["No rating in all 2 questions", "An answer in all 2 questions", "An answer in “Pain” only"]
    settled = project.decide(offered["No rating in all 2 questions"].decision, everywhere=True)
    for name in ("Pain", "Plan"):
        assert not state(settled.with_question(name)).open
    # Otherwise in one question only.
    alone = finish(form(place, ReadingOptions(**offered["An answer in “Pain” only"].options)))
    by_name = {one.name: one.reading.as_read.classes for one in alone.questions}
    assert "n/a" in by_name["Pain"]
    assert "n/a" not in by_name["Plan"]
    everywhere = finish(form(place, ReadingOptions(**offered["An answer in all 2 questions"].options)))
    assert all("n/a" in one.reading.as_read.classes for one in everywhere.questions[:2])


def test_a_word_that_sounds_like_no_rating_is_counted_so_in_all_questions_or_in_one(project):
    plan = project.with_question("Plan")
    state = next(row for row in finding_states(plan) if row.finding.about[:1] == (("can't say",),))
    offered = {fix.words: fix for fix in state.fixes}
    for words, questions in (
        ("No rating in all 2 questions", {"Plan", "Risk"}),
        ("No rating in this question only", {"Plan"}),
    ):
        fix = offered[words]
        after = plan.decide(fix.decision, everywhere=fix.everywhere)
        assert {name for name in CLASSES if "can't say" in ratings(plan, name).classes} - {
            name for name in CLASSES if "can't say" in ratings(after, name).classes
        } == questions


def told(capsys, *arguments):
    status = main([*map(str, arguments), "--json"])
    out, err = capsys.readouterr()
    return status, {row["question"]: row for row in json.loads(out)["rows"]} if out else {}, err


def test_questions_have_their_own_codes_orders_and_counted_classes_on_the_command_line(place, capsys, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    base = told(capsys, "questions", place, "--missing", "n/a,can't say", "--class1", "Yes,high")[1]
    assert {name: row["classes"] for name, row in base.items()} == {
        "Pain": ["No", "Yes"], "Plan": ["No", "Yes"], "Risk": ["low", "high"],
    }  # fmt: skip
    own = ("--for-question", "Plan: missing=n/a; order=can't say,No,Yes", "--for-question", "Risk: class1=low")
    rows = told(capsys, "questions", place, "--missing", "n/a,can't say", *own)[1]
    assert rows["Plan"]["classes"] == ["can't say", "No", "Yes"]
    assert rows["Risk"]["classes"] == ["high", "low"]
    assert rows["Pain"] == {**base["Pain"], "p_holm": rows["Pain"]["p_holm"]}
    # The code is told once on the terminal.
    assert main(["questions", str(place)]) == 0
    assert " ".join(capsys.readouterr().out.split()).count("The code “n/a” stands in 2 questions") == 1


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("Plano: missing=n/a", "There is no question 'Plano'"),
        ("Plan", "says nothing about a question"),
        ("Plan: weight=3", "says nothing about a question"),
        ("Plan: order=", "says nothing about a question"),
        ("Plan: class0=No", "class0 has an effect only with class1"),
        ("Plan: class1=Maybe", "There is no class 'Maybe'"),
    ],
)
def test_what_is_said_of_no_question_is_refused(place, capsys, said, why):
    status, rows, err = told(capsys, "questions", place, "--for-question", said)
    assert (status, rows) == (2, {})
    assert why in err


def test_nothing_is_said_of_a_question_twice_or_of_a_file_with_one(place, tmp_path, capsys):
    said = ("--for-question", "Plan: missing=n/a")
    assert "is named twice" in told(capsys, "questions", place, *said, *said)[2]
    status, _rows, err = told(capsys, "report", "sample:wine-cut1", *said, "-o", tmp_path / "x.html")
    assert (status, "This file has one question" in err) == (2, True)
    assert told(capsys, "report", place, "--only", "Plan", *said, "-o", tmp_path / "x.html")[0] == 2


def test_the_form_of_a_project_is_told_as_it_was_decided(project, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    place = tmp_path / "form.tapdesk"
    decided = project.with_question("Plan").decide(TreatAsMissing(("can't say",)), everywhere=True)
    save(decided, place)
    status, rows, _err = told(capsys, "questions", place)
    assert status == 0
    assert {name: sorted(row["classes"]) for name, row in rows.items()} == {
        "Pain": ["No", "Yes"], "Plan": ["No", "Yes"], "Risk": ["high", "low"],
    }  # fmt: skip
    assert told(capsys, "questions", place, "--class1", "Yes")[0] == 2
    # One question by itself is told of the one that is chosen.
    assert main(["fit", str(place), "--interval", "none", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["ratings"] == rows["Plan"]["ratings"]
    save(Project().with_reading(project.reading), tmp_path / "one.tapdesk")
    status, _rows, err = told(capsys, "questions", tmp_path / "one.tapdesk")
    assert (status, "about one question" in err) == (2, True)


def test_spellings_are_merged_in_all_questions_or_in_one(tmp_path):
    lines = ["Record,Nurse,Pain,Plan,Risk"]
    for i in range(24):
        for j, rater in enumerate(RATERS):
            first, second = ("Yes", "yes") if i % 2 else ("No", "No ")
            lines.append(f"r{i},{rater},{second if (i + j) % 5 == 0 else first},{first},{second if j else first}")
    (tmp_path / "form.csv").write_text("\n".join(lines))
    project = Project().with_form(work_of(finish(form(tmp_path / "form.csv"))), "Pain")
    state = next(row for row in finding_states(project) if row.finding.about[:1] == (("No", "No "),))
    assert (
        state.finding.message == "'No' and 'No␣' differ only in capitals or blanks, in 2 questions ('Pain' and 'Risk')."
    )
    offered = {fix.words: fix for fix in state.fixes}
    assert list(offered) == ["Write “No” in every question", "Merge in this question only", "Keep apart"]
    for words, merged in (
        ("Write “No” in every question", {"Pain", "Risk"}),
        ("Merge in this question only", {"Pain"}),
    ):
        fix = offered[words]
        after = project.decide(fix.decision, everywhere=fix.everywhere)
        assert {name for name in ("Pain", "Risk") if "No " not in ratings(after, name).classes} == merged
        assert ratings(after, "Plan").classes == ratings(project, "Plan").classes
        assert not after.problems
        # The next file of this shape is answered as this one was.
        recipe = recipe_of(after, ("form",), "")
        again, left = apply_recipe(project, recipe)
        assert (recipe.of_all, left) == ((fix.everywhere,), ())
        assert ("No " in ratings(again, "Risk").classes) == ("Risk" not in merged)


def test_a_row_of_totals_is_left_out_of_every_question(tmp_path):
    lines = ["Record,Nurse,Pain,Plan"]
    lines += [
        f"r{i},{rater},{'Yes' if i % 2 else 'No'},{'Yes' if i % 3 else 'No'}" for i in range(24) for rater in RATERS
    ]
    lines.append("Total Yes,,36,48")
    (tmp_path / "form.csv").write_text("\n".join(lines))
    project = Project().with_form(work_of(finish(form(tmp_path / "form.csv"))), "Pain")
    with pytest.raises(TapdeskError, match="On 2 questions a check must be answered first") as refused:
        refuse_blocking_of_form(project)
    assert "Choose the question on the Dataset pane and answer there." in refused.value.fix
    state = next(row for row in finding_states(project) if row.finding.code == "summary_row")
    fix = state.fixes[0]
    after = project.decide(fix.decision, everywhere=fix.everywhere)
    refuse_blocking_of_form(after)
    for name in ("Pain", "Plan"):
        assert ratings(after, name).classes == ("No", "Yes")
        assert "Total Yes" not in ratings(after, name).subjects
    # Whose name is blank is told of the row of totals alone, and goes with it.
    assert not any(row.open and row.finding.code == "rater_without_name" for row in finding_states(after))


def test_what_was_left_as_read_is_no_open_check_of_the_form(place):
    read = finish(form(place))
    project = Project().with_reading(read.readings[0]).with_form(work_of(read), read.questions[0].name)
    before = open_checks(form_of(project))
    asked = next(row.finding for row in finding_states(project) if row.open and row.finding.severity is Severity.ASK)
    left = project.decide(LeaveAsRead(asked.code, asked.about, asked.message), everywhere=True)
    after = open_checks(form_of(left))
    assert any(asked.message in told for told in before)
    assert not any(asked.message in told for told in after)
    assert len(after) < len(before)
