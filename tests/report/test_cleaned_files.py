"""Cleaned ratings as files: what was decided stands beside them, nothing in them runs, and names are codes if asked."""

import csv
import io

import openpyxl
import pytest

from tapdesk.answers.naming import CasesAs, RatersAs, naming
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.project.decisions.classes import MergeClasses, RenameClass
from tapdesk.project.decisions.ratings import LeaveOutSubjects
from tapdesk.project.files.outputs import OutputKind, mark_at
from tapdesk.project.project import Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.own.clean_table import Shape
from tapdesk.ratings.reading import read_now
from tapdesk.report.cleaned import cleaned_data, cleaned_files
from tests.ratings.test_cleaned import said

WHEN = "2026-05-14T10:00:00+02:00"


def saved(folder, project, name, shape=None, called=None):
    made = cleaned_data(project, shape, *([called] if called else []))
    files = cleaned_files(made, folder / name)
    for path, content in files:
        path.write_bytes(content)
    return made, files


@pytest.fixture
def decided():
    """A jury with a wine left out, a class renamed and two merged."""
    project = Project().with_reading(read_now("sample:jury"))
    project = project.decide(LeaveOutSubjects(("W001",)), reason="spilled; =HYPERLINK(1)", when=WHEN)
    project = project.decide(RenameClass("gold", "=gold()"), when=WHEN)
    return project.decide(MergeClasses((("medal", ("bronze", "silver")),)), when=WHEN)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
@pytest.mark.parametrize("shape", Shape)
def test_ratings_after_decisions_come_back(tmp_path, decided, suffix, shape):
    made, _files = saved(tmp_path, decided, f"clean{suffix}", shape)
    back = read_now(tmp_path / f"clean{suffix}")
    assert said(back.ratings) == said(decided.all_classes, made.table.left_out)
    assert [f.code for f in back.findings] == ["known_export"]
    assert "W001" not in back.ratings.subjects


def test_the_decisions_stand_beside_the_table(tmp_path, decided):
    _made, files = saved(tmp_path, decided, "clean.csv")
    assert [path.name for path, _content in files] == ["clean.csv", "clean-how-it-was-made.csv"]
    rows = list(csv.reader(io.StringIO(files[1][1].decode())))
    decisions = [row for row in rows if row[0] == "decision"]
    assert len(decisions) == 3
    assert decisions[0][2:] == ["Case W001 left out.", WHEN, "spilled; '=HYPERLINK(1)"] or "W001" in decisions[0][2]
    assert any(row[:2] == ["source", "file"] and row[2] == "jury.csv" for row in rows)


def test_no_cell_of_the_workbook_is_a_formula(tmp_path, decided):
    saved(tmp_path, decided, "clean.xlsx")
    book = openpyxl.load_workbook(tmp_path / "clean.xlsx")
    assert book.sheetnames == ["Ratings", "How it was made"]
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert not [cell.value for cell in cells if str(cell.value).startswith(("=", "@"))]
    assert mark_at(tmp_path / "clean.xlsx").kind is OutputKind.RATINGS


def test_numbers_are_numbers_in_the_workbook(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("case,Ana,Ben,age\n" + "".join(f"w{i},{i % 3},{(i + i % 2) % 3},{30 + i}\n" for i in range(12)))
    project = Project().with_reading(read_now(path))
    saved(tmp_path, project, "clean.xlsx", Shape.WIDE)
    sheet = openpyxl.load_workbook(tmp_path / "clean.xlsx")["Ratings"]
    assert [cell.value for cell in sheet[2]] == ["w0", 0, 0, 30]
    assert said(read_now(tmp_path / "clean.xlsx").ratings) == said(project.ratings)


def test_the_counted_class_comes_back(tmp_path):
    options = ReadingOptions(class1=("gold", "silver"))
    project = Project().with_reading(read_now("sample:jury", options))
    saved(tmp_path, project, "clean.csv")
    back = read_now(tmp_path / "clean.csv")
    assert set(back.ratings.class1) == {"gold", "silver"}
    assert said(back.as_read) == said(project.all_classes)


def test_names_are_codes_where_asked(tmp_path):
    reading = read_now("sample:jury")
    project = Project().with_reading(reading)
    called = naming(project, RatersAs.CODES, CasesAs.CODES)
    made, files = saved(tmp_path, project, "clean.csv", Shape.LONG, called)
    text = b"".join(content for _path, content in files).decode()
    assert not [name for name in reading.ratings.raters if f",{name}," in text]
    assert "W001" not in text
    assert {row[1] for row in made.table.rows} == {"A", "B", "C", "D"}


def test_a_name_beside_the_codes_stops_the_writing(tmp_path):
    path = tmp_path / "remarks.csv"
    rows = "".join(
        f"w{i},{j},{'yes' if i % 2 else 'no'},Ana Ruiz was late\n" for i in range(6) for j in ("Ana Ruiz", "Ben Ode")
    )
    path.write_text("case,rater,rating,remark\n" + rows)
    project = Project().with_reading(read_now(path))
    with pytest.raises(CannotAnswerError, match="remark"):
        cleaned_data(project, Shape.LONG, naming(project, RatersAs.CODES))


def test_a_sign_that_a_workbook_loses_is_refused(tmp_path):
    project = Project().with_reading(read_now("sample:jury")).decide(RenameClass("gold", "go\x0bld"), when=WHEN)
    with pytest.raises(CannotAnswerError, match="does not keep"):
        saved(tmp_path, project, "clean.xlsx")
    saved(tmp_path, project, "clean.csv")


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"\.xlsx or \.csv"):
        cleaned_files(cleaned_data(Project().with_reading(read_now("sample:jury"))), tmp_path / "clean.pdf")


def test_what_has_no_place_in_a_row_for_each_case_is_said(tmp_path):
    path = tmp_path / "ages.csv"
    people = {"Ana": 31, "Ben": 44, "Cy": 52}
    rows = "".join(f"w{i},{j},{'yes' if i % 2 else 'no'},{age}\n" for i in range(6) for j, age in people.items())
    path.write_text("case,rater,rating,rater age\n" + rows)
    project = Project().with_reading(read_now(path))
    made, _files = saved(tmp_path, project, "clean.csv", Shape.WIDE)
    assert made.table.left_out == ("rater age",)
    assert ("left out here", "column", "rater age", "", "") in made.record
    assert cleaned_data(project).shape is Shape.LONG
