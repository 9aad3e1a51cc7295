"""The rows of the table of ratings: every case has one, and what the file says is found beside it."""

import time

import numpy as np
import pytest

from tapdesk.gui.reading.case_cells import CountCells, Kind, ListCells, RaterCells, cells_of
from tapdesk.project.decisions.ratings import LeaveOutSubjects
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
    assert cells.kinds == (Kind.WEIGHT, Kind.RATING, Kind.RATING)
    assert [row[0] for row in table(cells)] == [("40",), ("9",), ("6",), ("45",)]
    assert table(cells)[1][1:] == [("no",), ("yes",)]


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


def test_the_last_of_a_million_cases_has_its_row_and_costs_no_more_than_the_first():
    data = large(1_000_000)
    cells = cells_of(data, Layout.LONG)
    assert cells.rows == 1_000_000
    last = [data.classes[c] for c in data.category[-5:]]
    assert [cells.texts(999_999, j) for j in range(5)] == [(label,) for label in last]
    # A page of 40 rows is looked up within the time of a frame, wherever it is; measured 0.4 ms.
    start = time.process_time()
    for row in range(500_000, 500_040):
        cells.texts(row, 0)
    assert time.process_time() - start < 0.016


def test_what_the_file_says_is_found_by_the_name_of_the_case_wherever_its_row_is():
    data = large(20_000)
    raw = RaterCells(data)
    gone = tuple(f"case {i}" for i in range(0, 20_000, 3))
    after = cells_of(LeaveOutSubjects(gone).apply(data), Layout.LONG)
    for row in (0, 1, 5_000, 5_001, 13_000, 17, after.rows - 1):
        case = after.case(row)
        assert raw.named(row, case, Kind.RATING, "C") == after.texts(row, 2)
    assert raw.named(0, "nowhere", Kind.RATING, "C") is None
    assert raw.named(0, "case 0", Kind.RATING, "Z") is None
    assert raw.named(0, "case 0", Kind.COUNT, "C") is None
