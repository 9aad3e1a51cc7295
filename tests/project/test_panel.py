"""Who belongs to the panel after decisions, and which notes about it still hold."""

import pytest

from tapdesk.project.decisions.names import JoinRaters
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.reading import read_now

NAMES = ("Ana", "Ben", "Cy")


@pytest.fixture
def project(tmp_path):
    """A long table with a row of totals that nobody rated, and a rater under two names."""
    rows = [f"c{i},{r},{'yes' if (i + j) % 3 else 'no'}\n" for i in range(8) for j, r in enumerate(NAMES)]
    path = tmp_path / "long.csv"
    path.write_text("case,rater,rating\n" + "".join(rows) + "c3,ana,no\nTotal,,14\n", "utf-8")
    return Project().with_reading(read_now(path))


def notes(project):
    return {row.finding.code for row in finding_states(project) if row.open}


def test_who_rated_only_the_row_of_totals_leaves_the_panel_with_it_and_comes_back(project):
    assert set(project.ratings.raters) == {*NAMES, "ana", "(no name)"}
    after = project.decide(LeaveOutSubjects(("Total",), with_classes=True))
    assert set(after.ratings.raters) == {*NAMES, "ana"}
    assert after.all_classes.raters == after.ratings.raters
    assert after.undo().ratings.raters == project.ratings.raters


def test_notes_about_who_rated_what_go_with_what_they_are_about(project):
    assert {"cases_with_one_rating", "raters_with_one_rating", "disconnected_panels"} <= notes(project)
    after = project.decide(LeaveOutSubjects(("Total",), with_classes=True))
    assert not {"cases_with_one_rating", "disconnected_panels"} & notes(after)
    assert "raters_with_one_rating" in notes(after)
    assert "raters_with_one_rating" not in notes(after.decide(JoinRaters(("Ana", "ana"), "Ana")))


def test_joining_raters_tells_where_both_of_them_rated(project):
    words = project.decide(JoinRaters(("Ana", "ana"), "Ana")).log[-1].words
    assert words.endswith("On 1 case more than one of them rated; there every rating counts, as a repeat.")
    apart = project.decide(JoinRaters(("Ana", "(no name)"), "Ana")).log[-1].words
    assert apart == "The raters 'Ana' and '(no name)' are one person, 'Ana'."


def test_names_of_persons_are_replaced_by_numbers_of_cases_and_come_back(tmp_path):
    path = tmp_path / "wards.csv"
    path.write_text("Patient name,Ana,Ben\nAnn Lee,yes,no\nBo Fry,no,no\nCy Hu,yes,yes\n", "utf-8")
    project = Project().with_reading(read_now(path))
    row = next(r for r in finding_states(project) if r.finding.code == "personal_data")
    (fix,) = row.fixes
    after = project.decide(fix.decision)
    assert after.ratings.subjects == ("Case 1", "Case 2", "Case 3")
    assert after.ratings.category.tolist() == project.ratings.category.tolist()
    told = after.log[-1].words
    assert told == "The cases are called Case 1 to Case 3, in the order of the file."
    assert next(r for r in finding_states(after) if r.finding.code == "personal_data").done is not None
    assert after.undo().ratings.subjects == ("Ann Lee", "Bo Fry", "Cy Hu")
