"""Decisions in a project: the log, undo and redo, taking back, and answers that go out of date and come back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.models.model import model
from tapdesk.project.decisions.base import DecisionStatus
from tapdesk.project.decisions.classes import DeclareClass, MergeClasses, RenameClass, SetClass1, TreatAsMissing
from tapdesk.project.decisions.names import letter_codes
from tapdesk.project.decisions.ratings import EditRating, LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request
from tests.project.examples import MEDALS, WHEN, fitted, medals, same


def test_ratings_follow_from_the_decisions_in_order(tmp_path):
    project = medals(tmp_path).decide(RenameClass("gold", "top")).decide(LeaveOutRaters(("Ben",)))
    assert project.ratings.raters == ("Ana", "Cem")
    assert "top" in project.ratings.classes
    assert medals(tmp_path).ratings.raters == ("Ana", "Ben", "Cem")


def test_the_log_says_what_when_why_and_how_many(tmp_path):
    project = medals(tmp_path).decide(LeaveOutSubjects(("W3",)), reason="Corked.", when=WHEN)
    (row,) = project.log
    assert (row.id, row.when, row.reason, row.touches, row.standing) == (1, WHEN, "Corked.", 3, DecisionStatus.IN_FORCE)
    assert row.words == "Left out of the data: the case 'W3'."


def test_class_1_holds_through_later_changes_of_the_classes(tmp_path):
    project = medals(tmp_path).with_class1(("gold", "silver")).decide(RenameClass("gold", "top"))
    assert set(project.class1) == {"silver", "top"}
    assert project.ratings.classes == ("no medal, bronze", "silver, top")
    merged = project.decide(MergeClasses((("best", ("silver", "top")),)))
    assert merged.class1 == ("best",)
    assert merged.all_classes.classes == ("no medal", "bronze", "best")


def test_classes_on_both_sides_of_the_question_are_not_merged(tmp_path):
    project = medals(tmp_path).with_class1(("gold",))
    with pytest.raises(TapdeskError, match="both sides of the question"):
        project.decide(MergeClasses((("best", ("silver", "gold")),)))
    with pytest.raises(TapdeskError, match="Nothing would be counted"):
        project.decide(TreatAsMissing(("gold",)))


def test_only_the_last_choice_of_class_1_is_in_force(tmp_path):
    project = medals(tmp_path).with_class1(("gold",)).with_class1(("gold", "silver"))
    assert [row.standing for row in project.log] == [DecisionStatus.REPLACED, DecisionStatus.IN_FORCE]
    assert project.with_class1(None).class1 is None
    assert project.with_class1(("gold", "silver")) is project


def test_class_0_of_the_reading_is_kept_so_that_the_project_tells_the_same_ratings(tmp_path):
    project = medals(tmp_path, class1=("gold",), class0=("no medal",))
    assert same(project.ratings, project.reading.ratings)


def test_the_order_is_a_decision(tmp_path):
    order = ("gold", "silver", "bronze", "no medal")
    project = medals(tmp_path).with_order(order)
    assert project.order == order == project.all_classes.classes
    assert medals(tmp_path).order is None


def test_undo_and_redo_move_along_the_decisions(tmp_path):
    start = medals(tmp_path)
    end = start.decide(LeaveOutRaters(("Ben",))).decide(RenameClass("gold", "top"))
    assert same(end.undo().undo().ratings, start.ratings)
    assert end.undo().undo().undo().undone == 2
    assert same(end.undo().undo().redo().redo().ratings, end.ratings)
    assert end.redo() is end


def test_a_decision_after_undo_drops_what_was_undone_and_numbers_are_never_used_twice(tmp_path):
    project = medals(tmp_path).decide(LeaveOutRaters(("Ben",))).undo().decide(LeaveOutRaters(("Cem",)))
    assert [d.id for d in project.decisions] == [2]
    assert project.redo().ratings.raters == ("Ana", "Ben")


def test_one_decision_can_be_taken_back_and_that_can_be_undone(tmp_path):
    project = medals(tmp_path).decide(LeaveOutRaters(("Ben",))).decide(RenameClass("gold", "top"))
    back = project.take_back(1)
    assert back.ratings.raters == ("Ana", "Ben", "Cem")
    assert "top" in back.ratings.classes
    assert [row.standing for row in back.log] == [
        DecisionStatus.TAKEN_BACK,
        DecisionStatus.IN_FORCE,
        DecisionStatus.IN_FORCE,
    ]
    assert same(back.undo().ratings, project.ratings)
    for number in (1, 3, 9):
        with pytest.raises(TapdeskError, match=f"no decision {number} to take back"):
            back.take_back(number)


def test_a_decision_that_fits_no_more_says_why_and_stays_in_the_log(tmp_path):
    project = medals(tmp_path).decide(RenameClass("gold", "top")).decide(MergeClasses((("good", ("top", "silver")),)))
    back = project.take_back(1)
    (problem,) = back.problems
    assert problem.id == 2
    assert "There is no class 'top'" in problem.problem
    assert same(back.ratings, medals(tmp_path).ratings)


def test_a_decision_that_does_not_fit_is_refused_and_nothing_changes(tmp_path):
    project = medals(tmp_path)
    with pytest.raises(TapdeskError, match="no rater 'Zoe'"):
        project.decide(LeaveOutRaters(("Zoe",)))
    assert project.decisions == ()


def test_decisions_are_made_again_when_the_file_is_read_anew(tmp_path):
    project = medals(tmp_path).decide(LeaveOutRaters(("Ben",))).decide(LeaveOutSubjects(("W11",)))
    shorter = "\n".join(line for line in MEDALS.splitlines() if not line.startswith("W11"))
    path = tmp_path / "medals.csv"
    path.write_text(shorter, "utf-8")
    again = project.with_reading(read_now(path))
    assert again.ratings.raters == ("Ana", "Cem")
    assert [row.id for row in again.problems] == [2]


def test_an_answer_goes_out_of_date_with_the_data_and_is_fresh_again_when_they_are_as_before():
    project = fitted()
    assert not project.analyses[0].stale
    changed = project.decide(LeaveOutSubjects((project.ratings.subjects[0],)))
    assert changed.analyses[0].stale
    assert changed.analyses[0].fit is project.analyses[0].fit
    assert not changed.undo().analyses[0].stale
    assert not changed.take_back(changed.decisions[-1].id).analyses[0].stale
    assert project.decide(DeclareClass("a third class")).analyses[0].stale


def test_a_decision_that_changes_nothing_leaves_the_answer_fresh(tmp_path):
    project = medals(tmp_path).with_class1(("gold",))
    asked = Request(model("t-a-p"))
    project = project.with_analysis(Analysis("one", asked, fitted().analyses[0].fit, run_at=WHEN))
    assert not project.decide(SetClass1(("gold",), ("no medal", "bronze", "silver"))).analyses[0].stale
    assert project.decide(letter_codes(("Ana", "Ben", "Cem"))).analyses[0].stale


def test_the_fingerprint_tells_ratings_apart_and_comes_back_with_them(tmp_path):
    project = medals(tmp_path)
    changed = project.decide(EditRating("W0", "Ana", project.ratings.classes[project.ratings.category[0]], "gold x"))
    assert project.fingerprint != changed.fingerprint
    assert project.fingerprint == changed.undo().fingerprint
    assert len(project.fingerprint) == 19


def test_a_project_without_ratings_has_neither_class_1_nor_a_log():
    assert (Project().class1, Project().order, Project().log) == (None, None, ())
    with pytest.raises(TapdeskError, match="No ratings are open"):
        _ = Project().ratings
    with pytest.raises(TapdeskError, match="No ratings are open"):
        Project().decide(SetClass1(("gold",)))


def test_reading_with_class_1_decides_it_once(tmp_path):
    project = medals(tmp_path, class1=("gold",))
    assert project.class1 == ("gold",)
    again = project.with_reading(replace(project.reading, options=ReadingOptions(class1=("gold",))))
    assert len(again.decisions) == 1


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["undo", "redo"]),
        st.integers(1, 6),
        st.sampled_from(
            [
                SetClass1(("gold",)),
                SetClass1(()),
                RenameClass("gold", "top"),
                MergeClasses((("good", ("gold", "silver")),)),
                LeaveOutRaters(("Ben",)),
                LeaveOutSubjects(("W1",)),
                TreatAsMissing(("bronze",)),
                DeclareClass("tin"),
            ]
        ),
    ),
    max_size=12,
)


@given(STEPS)
def test_whatever_is_decided_undone_and_taken_back_the_log_accounts_for_the_ratings(steps):
    project = fitted_medals()
    for step in steps:
        try:
            if isinstance(step, int):
                project = project.take_back(step)
            elif isinstance(step, str):
                project = project.undo() if step == "undo" else project.redo()
            else:
                project = project.decide(step)
        except TapdeskError:
            continue
        assert len(project.log) == len(project.in_force)
        # Only what is in force, made anew in the same order, gives the same ratings.
        anew = fitted_medals()
        for row, one in zip(project.log, project.in_force, strict=True):
            if row.standing in {DecisionStatus.IN_FORCE, DecisionStatus.REPLACED} and one.decision.kind != "take_back":
                anew = anew.decide(one.decision)
        assert anew.data_fingerprint == project.data_fingerprint


MADE = {}


def fitted_medals():
    """The medals as a sample of the program reads them, once for all examples."""
    if not MADE:
        MADE["project"] = Project().with_reading(read_now("sample:jury"))
        names = dict(zip(MADE["project"].ratings.raters, ("Ana", "Ben", "Cem", "Dan"), strict=False))
        reading = MADE["project"].reading
        ratings = replace(
            reading.as_read,
            raters=tuple(names.values()),
            subjects=tuple(f"W{i}" for i in range(len(reading.as_read.subjects))),
        )
        MADE["project"] = Project().with_reading(replace(reading, as_read=ratings, ratings=ratings))
    return MADE["project"]
