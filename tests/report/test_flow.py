"""From the file to the analysis: what was left out and what was added stand where they belong."""

import pytest

from tapdesk.answers.content import Table
from tapdesk.answers.figures import data as figures_data
from tapdesk.answers.numbers import REPORT
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.decisions.ratings import AddPair, LeaveOutSubjects
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.sections.context import Context
from tapdesk.report.sections.data import data


@pytest.fixture
def read(tmp_path):
    def make(text):
        path = tmp_path / "ratings.csv"
        path.write_text(text, "utf-8")
        return Project().with_reading(read_now(path))

    return make


def rows(project):
    """The table of the report."""
    tables = [b for b in data(Context(project, project.ratings, (), REPORT)).blocks if isinstance(b, Table)]
    return dict(next(t for t in tables if t.title == "From the file to the analysis").rows)


def test_what_decisions_left_out_is_not_told_as_classes_on_neither_side(read):
    project = read("case,Ana,Ben\n" + "".join(f"c{i},{'abc'[i % 3]},{'abc'[i % 2]}\n" for i in range(12)))
    project = project.decide(LeaveOutSubjects(("c0", "c1", "c2", "c3")))
    assert rows(project)["Ratings left out by decisions"] == "8"
    assert "Ratings in classes on neither side" not in rows(project)
    sides = project.decide(SetClass1(("b",), ("a",)))
    gone = project.ratings.rating_count - sides.ratings.rating_count
    assert rows(sides)["Ratings left out by decisions"] == "8"
    assert rows(sides)["Ratings in classes on neither side"] == str(gone)


def test_ratings_added_by_hand_are_told_apart_from_those_of_the_file(read):
    project = read(",no,yes,maybe\nno,40,9,0\nyes,6,45,0\nmaybe,0,1,2\n").decide(
        AddPair("no / maybe", ("no", "maybe"), 5)
    )
    figure = figures_data.flow(project.reading, project.ratings)
    assert [m.label for m in figure.marks if m.label] == ["206", "206", "216 (10 more)", "216"]
    assert figure.title == "216 ratings in the analysis, 10 of them added to the 206 cells of the file"
    assert rows(project)["Ratings added by hand"] == "10"
