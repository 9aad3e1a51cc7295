"""The file behind a project may change or go: that is told, and nothing follows from it."""

import openpyxl
import pytest

from tapdesk.progress import finish
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.external_change import CellDifference, source_difference
from tapdesk.project.project import Project
from tapdesk.ratings.formats.files import BETWEEN
from tapdesk.ratings.reading import read_now
from tests.project.examples import MEDALS, medals


def difference(project):
    return finish(source_difference(project))


def test_an_unchanged_a_missing_and_a_bundled_file_are_no_difference(tmp_path):
    project = medals(tmp_path)
    assert difference(project) is None
    (tmp_path / "medals.csv").unlink()
    assert difference(project) is None
    assert difference(Project().with_reading(read_now("sample:jury"))) is None
    assert difference(Project()) is None


def test_cells_that_differ_are_listed_and_the_project_stays(tmp_path):
    project = medals(tmp_path).decide(LeaveOutRaters(("Ben",)))
    lines = MEDALS.splitlines()
    was = lines[1].split(",")[2]
    lines[1] = lines[1].replace(was, "gold" if was != "gold" else "silver")
    lines = [*lines[:5], *lines[6:], "W99,Ana,gold,2024"]
    gone = MEDALS.splitlines()[5].split(",")
    (tmp_path / "medals.csv").write_text("\n".join(lines), "utf-8")
    found = difference(project)
    assert (found.changed, found.added, found.removed) == (1, 1, 1)
    assert found.cells[0] == CellDifference("W0", "Ana", was, lines[1].split(",")[2])
    assert CellDifference(gone[0], gone[1], gone[2], None) in found.cells
    assert CellDifference("W99", "Ana", None, "gold") in found.cells
    assert found.words.startswith("medals.csv has changed since it was read: 3 ratings differ (1 changed, 1 added, 1")
    assert len(project.reading.as_read.subjects) == 12
    assert project.with_reading(found.reading).ratings.subjects[-1] == "W99"


def test_a_file_saved_again_with_the_same_ratings_says_so(tmp_path):
    project = medals(tmp_path)
    (tmp_path / "medals.csv").write_text(MEDALS + "\n\n", "utf-8")
    found = difference(project)
    assert (found.changed, found.added, found.removed, found.cells) == (0, 0, 0, ())
    assert "no rating differs" in found.words


def test_repeats_are_compared_one_by_one(tmp_path):
    text = "wine,judge,medal\n" + "".join(f"W{i},{j},yes\nW{i},{j},no\n" for i in range(4) for j in ("Ana", "Ben"))
    project = medals(tmp_path, text)
    (tmp_path / "medals.csv").write_text(text.replace("W0,Ana,yes\nW0,Ana,no\n", "W0,Ana,yes\nW0,Ana,yes\n"), "utf-8")
    found = difference(project)
    assert found.cells == (CellDifference("W0", "Ana", "no", "yes"),)


def test_other_tallies_are_other_ratings(tmp_path):
    text = "n_ratings,n_class1,weight\n4,0,90\n4,1,43\n4,4,10\n"
    project = medals(tmp_path, text)
    (tmp_path / "medals.csv").write_text(text.replace("43", "44"), "utf-8")
    assert difference(project).changed > 0


@pytest.mark.parametrize("text", ["", "wine,judge\nW1,Ana\n", "\x00\x01\x02"])
def test_a_file_that_cannot_be_read_any_more_is_told_with_the_reason(tmp_path, text):
    project = medals(tmp_path)
    (tmp_path / "medals.csv").write_text(text, "utf-8")
    found = difference(project)
    assert found.reading is None
    assert "can no longer be read the same way" in found.words


@pytest.fixture
def judges(tmp_path):
    """A project of three files, one for each judge."""
    for name, shift in (("Ana", 0), ("Ben", 1), ("Cem", 2)):
        text = "wine,medal\n" + "".join(f"W{i},{('gold', 'silver', 'none')[(i + shift) % 3]}\n" for i in range(6))
        (tmp_path / f"{name}.csv").write_text(text, "utf-8")
    place = BETWEEN.join(str(tmp_path / f"{name}.csv") for name in ("Ana", "Ben", "Cem"))
    return Project().with_reading(read_now(place))


def test_a_change_in_one_of_several_files_read_as_one_is_told_with_its_cells(judges, tmp_path):
    assert difference(judges) is None
    file = tmp_path / "Ben.csv"
    file.write_text(file.read_text("utf-8").replace("W0,silver", "W0,gold"), "utf-8")
    found = difference(judges)
    assert found.cells == (CellDifference("W0", "Ben", "silver", "gold"),)
    assert found.words == (
        "Ana.csv, Ben.csv and Cem.csv have changed since they were read: "
        "one rating differs (1 changed, 0 added, 0 gone)."
    )
    assert judges.with_reading(found.reading).ratings.rating_count == 18


def test_some_of_several_files_gone_are_named_and_all_of_them_gone_are_no_difference(judges, tmp_path):
    (tmp_path / "Ben.csv").unlink()
    found = difference(judges)
    assert found.reading is None
    assert "Of the 3 files that were read as one, Ben.csv is no longer there" in found.words
    for name in ("Ana", "Cem"):
        (tmp_path / f"{name}.csv").unlink()
    assert difference(judges) is None


def test_one_of_several_files_that_has_other_columns_now_is_told_with_the_reason(judges, tmp_path):
    (tmp_path / "Cem.csv").write_text("wine,score\nW0,1\n", "utf-8")
    found = difference(judges)
    assert found.reading is None
    assert "do not have the same columns" in found.words


def test_a_change_in_one_of_several_stacked_sheets_is_told_with_its_cells(tmp_path):
    path = tmp_path / "medals.xlsx"

    def save(last):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, medals_ in {"Ana": ("gold", "silver"), "Ben": ("gold", last)}.items():
            sheet = book.create_sheet(name)
            for row in (("wine", "medal"), *((f"W{i}", medal) for i, medal in enumerate(medals_))):
                sheet.append(row)
        book.save(path)

    save("none")
    project = Project().with_reading(read_now(path))
    save("gold")
    found = difference(project)
    assert found.cells == (CellDifference("W1", "Ben", "none", "gold"),)
    assert found.words.startswith("medals.xlsx has changed since it was read: one rating differs")
