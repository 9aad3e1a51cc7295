"""What all columns share in a header of two rows is dropped from their names, and told; role columns keep theirs."""

import openpyxl
import pytest

from tapdesk.ratings.reading import read_now
from tests.ratings.telling import told

QUESTION = "Was the risk assessment completed within 24 hours of admission?"
ANSWERS = ["Yes", "No", "No", "Yes", "Yes", "No", "Yes", "No", "Yes"]


def sheet(tmp_path, upper, lower, *, merged=()):
    book = openpyxl.Workbook()
    page = book.active
    page.append(upper)
    page.append(lower)
    for i in range(24):
        page.append(
            [f"R{i:03}", *(ANSWERS[(i * (1 + j % 2)) % 9] for j in range(len(lower) - 2)), None if i % 5 else "late"]
        )
    for cells in merged:
        page.merge_cells(cells)
    book.save(tmp_path / "audit.xlsx")
    return read_now(tmp_path / "audit.xlsx")


@pytest.mark.parametrize("merged", [("A1:A2", "B1:D1", "E1:E2"), ("A1:A2", "B1:D1")])
def test_a_question_above_all_raters_is_no_part_of_their_names(tmp_path, merged):
    above = len(merged) == 3
    upper = ["Record no.", QUESTION, None, None, "Remarks" if above else None]
    lower = [None, "Adams", "Brown", "Chen", None if above else "Remarks"]
    reading = sheet(tmp_path, upper, lower, merged=merged)
    assert reading.ratings.raters == ("Adams", "Brown", "Chen")
    assert reading.source.roles["subject"] == "Record no."
    assert "Was the risk assessment" in told(reading, "two_row_header").default


def test_names_that_need_the_row_above_keep_it(tmp_path):
    upper = ["Record no.", "Colour", None, "Nose", None, None]
    lower = [None, "Ana", "Ben", "Ana", "Ben", "Remarks"]
    header = sheet(tmp_path, upper, lower).preview.header
    assert {"Colour / Ana", "Colour / Ben", "Nose / Ana", "Nose / Ben"} <= set(header)
    upper = ["Adams", QUESTION, None, None, None]
    lower = [None, "Adams", "Brown", "Chen", "Remarks"]
    assert f"{QUESTION} / Adams" in sheet(tmp_path, upper, lower, merged=("A1:A2", "B1:D1")).preview.header
