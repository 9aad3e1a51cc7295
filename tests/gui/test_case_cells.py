"""The rows of the table of ratings: every case has one, and what the file says is found beside it."""

import numpy as np
import pytest

from tapdesk.gui.dataset.case_cells import Arrangement, CountCells, ListCells, RaterCells, cells_of
from tapdesk.project.decisions.ratings import AddCounts, AddPair, EditRating, LeaveOutSubjects
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now


@pytest.fixture
def read(tmp_path):
    """The ratings in a text, read in a layout."""

    def make(text, layout=Layout.AUTO):
        path = tmp_path / "ratings.csv"
        path.write_text(text, "utf-8")
        return read_now(path, ReadingOptions(layout=layout)).as_read

    return make


def table(cells):
    return [[cells.texts(i, j) for j in range(len(cells.names))] for i in range(cells.rows)]


def test_tallied_counts_stand_as_their_file_has_them(read):
    cells = cells_of(read("case,no,yes\nw1,3,1\nw2,0,4\n", Layout.COUNTS), Layout.COUNTS)
    assert isinstance(cells, CountCells)
    assert cells.names == ("no", "yes")
    assert table(cells) == [[("3",), ("1",)], [("0",), ("4",)]]


def test_rows_that_stand_for_many_cases_say_for_how_many_first(read):
    cells = cells_of(read(",no,yes\nno,40,9\nyes,6,45\n"), Layout.CONFUSION)
    assert cells.kinds == (Arrangement.WEIGHT, Arrangement.RATING, Arrangement.RATING)
    assert [row[0] for row in table(cells)] == [("40",), ("9",), ("6",), ("45",)]
    assert table(cells)[1][1:] == [("no",), ("yes",)]


def test_every_pair_of_classes_has_its_row_of_crossed_raters_those_of_no_case_as_well(read):
    ratings = read(",no,yes,maybe\nno,40,9,0\nyes,6,45,0\nmaybe,0,1,2\n")
    cells = cells_of(ratings, Layout.CONFUSION)
    names = [f"{a} / {b}" for a in ratings.classes for b in ratings.classes]
    assert [cells.case(i) for i in range(cells.rows)] == names
    number = {"no / no": 40, "no / yes": 9, "yes / no": 6, "yes / yes": 45, "maybe / yes": 1, "maybe / maybe": 2}
    assert table(cells) == [[(str(number.get(name, 0)),), *((part,) for part in name.split(" / "))] for name in names]
    assert [cells.there(i) for i in range(9)] == [name in number for name in names]
    raised = AddPair("maybe / no", ("maybe", "no"), 7).apply(ratings)
    after = cells_of(raised, Layout.CONFUSION)
    assert [after.case(i) for i in range(9)] == names
    assert after.named(0, "maybe / no", Arrangement.WEIGHT, "") == ("7",)
    assert cells.named(0, "maybe / no", Arrangement.WEIGHT, "") == ("0",)
    # Where the file has a row of that name already, the row of 0 is called otherwise.
    moved = EditRating("no / yes", "Rater of the columns", "yes", "maybe").apply(ratings)
    twice = cells_of(moved, Layout.CONFUSION)
    called = [twice.case(i) for i in range(twice.rows)]
    assert len(set(called)) == len(called) == 9
    assert twice.labels("no / yes (2)") == ("no", "yes")


def test_a_case_whose_counts_are_all_0_stands_below_the_others(read):
    ratings = read("case,no,yes\nw1,3,1\nw2,0,0\nw3,2,2\n", Layout.COUNTS)
    cells = cells_of(ratings, Layout.COUNTS, ("w2",))
    assert [cells.case(i) for i in range(cells.rows)] == ["w1", "w3", "w2"]
    assert table(cells)[2] == [("0",), ("0",)]
    raised = cells_of(AddCounts("w2", "yes", 2).apply(ratings), Layout.COUNTS, ("w2",))
    assert table(raised)[2] == [("0",), ("2",)]
    assert cells.named(2, "w2", Arrangement.COUNT, "yes") == ("0",)


def test_very_many_raters_are_listed_in_one_cell_by_name():
    raters = [f"R{i}" for i in range(80)]
    subject, rater = np.repeat([0, 1], 80), np.tile(np.arange(80), 2)
    data = Ratings.of(subject, rater, (subject + rater) % 2, ["a", "b"], raters, ["no", "yes"])
    cells = cells_of(data, Layout.LONG)
    assert isinstance(cells, ListCells)
    (told,) = cells.texts(1, 0)
    assert told.startswith("R0: yes; R1: no; ")
    assert told.endswith("; +30")
    assert len(cells.given(1)) == 80


def large(cases, seed=1):
    rng = np.random.default_rng(seed)
    subject = np.repeat(np.arange(cases, dtype=np.int32), 5)
    rater = np.tile(np.arange(5, dtype=np.int32), cases)
    names = [f"case {i}" for i in range(cases)]
    return Ratings.of(subject, rater, rng.integers(0, 3, subject.size), names, "ABCDE", ["low", "mid", "high"])


def test_the_last_of_a_million_cases_has_its_row():
    data = large(1_000_000)
    cells = cells_of(data, Layout.LONG)
    assert cells.rows == 1_000_000
    last = [data.classes[c] for c in data.category[-5:]]
    assert [cells.texts(999_999, j) for j in range(5)] == [(label,) for label in last]


def test_what_the_file_says_is_found_by_the_name_of_the_case_wherever_its_row_is():
    data = large(20_000)
    raw = RaterCells(data)
    gone = tuple(f"case {i}" for i in range(0, 20_000, 3))
    after = cells_of(LeaveOutSubjects(gone).apply(data), Layout.LONG)
    for row in (0, 1, 5_000, 5_001, 13_000, 17, after.rows - 1):
        case = after.case(row)
        assert raw.named(row, case, Arrangement.RATING, "C") == after.texts(row, 2)
    assert raw.named(0, "nowhere", Arrangement.RATING, "C") is None
    assert raw.named(0, "case 0", Arrangement.RATING, "Z") is None
    assert raw.named(0, "case 0", Arrangement.COUNT, "C") is None
