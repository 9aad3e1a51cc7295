"""The file behind a project may change or go: that is told, and nothing follows from it."""

import pytest

from tapdesk.progress import finish
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.project import Project
from tapdesk.project.source_change import CellDifference, source_changed
from tapdesk.ratings.reading import read_now
from tests.project.examples import MEDALS, medals


def difference(project):
    return finish(source_changed(project))


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
