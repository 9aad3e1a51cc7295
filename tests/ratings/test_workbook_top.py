"""A large workbook shows its first rows long before the rest is read."""

import datetime as dt
import multiprocessing

import openpyxl
import pytest

from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tests.ratings.books import ROWS, SHEET, replaced, saved

MANY = 8_000
COLUMNS = ("Ana", "Ben")


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A workbook of two large sheets with dates, shares and gaps, a hidden one first."""
    book = openpyxl.Workbook(write_only=True)
    for name, state in (("Old", "hidden"), ("Spring", "visible"), ("Autumn", "visible")):
        sheet = book.create_sheet(name)
        sheet.sheet_state = state
        sheet.append(["case", "seen", "Ana", "Ben", "share"])
        for i in range(MANY):
            share = openpyxl.cell.WriteOnlyCell(sheet, i % 7 / 100)
            share.number_format = "0%"
            sheet.append(
                [f"{name} {i}", dt.date(2024, 3, 1 + i % 9), "yes" if i % 3 else "no", None if i % 5 else "yes", share]
            )
    path = tmp_path_factory.mktemp("large") / "large.xlsx"
    book.save(path)
    return path


def watched(path, **options):
    """The rows shown early, the number of rows read until then, the steps after it, and the reading."""
    steps = []
    reading = finish(read(path, ReadingOptions(columns=COLUMNS, **options)), steps.append)
    early = [i for i, s in enumerate(steps) if s.values.get("first")]
    return steps, early, reading


@pytest.mark.parametrize(("sheet", "case"), [(None, "Spring 0"), ("Old", "Old 0")])
def test_the_first_rows_come_before_any_sheet_is_read_as_they_will_be_read(large, sheet, case):
    steps, early, reading = watched(large, sheet=sheet)
    assert len(early) == 1
    assert all(s.done == 0 for s in steps[: early[0]])
    first = steps[early[0]].values["first"]
    assert first[1][0] == case
    assert first[1][1] == "2024-03-01"
    assert first[2][4] == "1%"
    assert len(first) == 200
    assert first == reading.preview.rows
    # From here on rows are counted against those that all sheets announce.
    told = [(s.done, s.total) for s in steps[early[0] :] if s.total and s.total != reading.source.rows]
    assert {total for _done, total in told} == {3 * (MANY + 1)}
    assert [done for done, _total in told] == sorted(done for done, _total in told)
    assert max(done for done, _total in told) > 2 * MANY


def test_a_small_workbook_is_read_at_once(tmp_path):
    _steps, early, reading = watched(saved(tmp_path, ROWS))
    assert early == []
    assert reading.ratings.rating_count == 6


def test_what_is_wrong_further_down_is_said_though_the_top_was_shown(large, tmp_path):
    broken = tmp_path / "large.xlsx"
    broken.write_bytes(large.read_bytes())
    replaced(broken, SHEET.replace("1.xml", "2.xml"), lambda x: x[: len(x) * 9 // 10])
    steps = []
    with pytest.raises(TapdeskError, match="damaged"):
        finish(read(broken), steps.append)
    assert any(s.values.get("first") for s in steps)


def test_a_reading_given_up_after_the_first_rows_ends_its_child(large):
    run = read(large)
    while not next(run).values.get("first"):
        pass
    assert multiprocessing.active_children()
    run.close()
    assert not multiprocessing.active_children()
