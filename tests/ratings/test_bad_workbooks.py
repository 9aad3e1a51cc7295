"""Awkward workbooks (bad_input.md 28, 36, 39-44): seen through, or refused with what to do."""

import datetime as dt

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.project import Project
from tapdesk.project.review_state import finding_states
from tapdesk.ratings.reading import read_now
from tests.ratings.books import ROWS, SHEET, replaced, saved
from tests.ratings.telling import asks, codes, rows, told


def test_a_workbook_reads_like_the_same_table_as_text(book, text):
    assert rows(book(ROWS)) == rows(text("case,Ana,Ben\nw1,1,2\nw2,2,2.5\nw3,1,1\n"))


def test_26_numbers_stored_as_text_among_numbers_are_read_alike_and_told(tmp_path):
    lines = [["case", "Ana", "Ben"], *([f"w{i}", 1 + i % 3, "2" if i < 4 else 2] for i in range(9))]
    reading = read_now(saved(tmp_path, lines))
    finding = told(reading, "numbers_as_text")
    assert finding.where == "column C"
    assert "stored as text" in finding.message
    assert reading.ratings.classes == ("1", "2", "3")
    numbers = [[row[0], row[1], row[2] if i == 0 else 2] for i, row in enumerate(lines)]
    plain = read_now(saved(tmp_path, numbers, "y.xlsx"))
    assert rows(reading) == rows(plain)
    assert "numbers_as_text" not in codes(plain)


def test_26_a_header_of_numbers_is_no_number_stored_as_text(tmp_path):
    lines = [["Spring show"], ["case", "1", "2"], *([f"w{i}", 1 + i % 3, 2] for i in range(9))]
    assert "numbers_as_text" not in codes(read_now(saved(tmp_path, lines)))


def test_26_names_of_cases_that_begin_with_zeros_are_no_numbers(tmp_path):
    lines = [["case", "Ana", "Ben"], ["007", 1, 2], ["7", 2, 2], ["b", 1, 1]]
    reading = read_now(saved(tmp_path, lines))
    assert reading.ratings.subjects == ("007", "7", "b")
    assert "numbers_as_text" not in codes(reading)


def test_36_value_labels_and_user_missing_codes_of_spss_are_kept(tmp_path):
    frame = pd.DataFrame({"case": [1, 2, 3, 4], "J1": [1.0, 2, 9, 1], "J2": [1.0, 2, 2, None]})
    labels = {"J1": {1: "mild", 2: "severe", 9: "not seen"}, "J2": {1: "mild", 2: "severe"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels, missing_ranges={"J1": [9]})
    reading = read_now(tmp_path / "a.sav")
    assert reading.ratings.classes == ("mild", "severe")
    assert dict(reading.missing_by) == {"missing: not seen": 1, "": 1}
    assert "user_missing" in asks(reading)


def test_36_extended_missing_values_of_stata_are_reasons(tmp_path):
    frame = pd.DataFrame({"case": [1, 2, 3], "J1": [1, 2, "a"], "J2": [1, 2, 2]})
    pyreadstat.write_dta(frame, tmp_path / "a.dta", missing_user_values={"J1": ["a"]})
    reading = read_now(tmp_path / "a.dta")
    assert reading.ratings.classes == ("1", "2")
    assert reading.missing == 1
    assert reading.source.format == "dta"


def test_40_formulas_without_a_result_are_refused_with_their_cells(book):
    def change(sheet):
        sheet["B3"], sheet["C4"] = "=1+1", "=B2"

    with pytest.raises(TapdeskError, match="formulas that were never calculated, in B3 and C4") as caught:
        book(ROWS, change)
    assert caught.value.where == "ratings.xlsx, sheet Ratings, cell B3"
    assert "save it once" in caught.value.fix


def test_40_results_of_formulas_are_read(tmp_path):
    path = saved(tmp_path, ROWS)
    replaced(path, SHEET, lambda x: x.replace(b'<c r="C2" t="n"><v>2</v></c>', b'<c r="C2"><f>1+1</f><v>2</v></c>'))
    assert rows(read_now(path))[1] == ("w1", "Ben", "2")


def test_41_error_cells_are_no_rating_and_listed(tmp_path):
    path = saved(tmp_path, ROWS)
    replaced(path, SHEET, lambda x: x.replace(b'<c r="C2" t="n"><v>2</v>', b'<c r="C2" t="e"><v>#DIV/0!</v>'))
    reading = read_now(path)
    assert reading.missing_by == {"#DIV/0!": 1}
    assert told(reading, "error_cells").where == "cells C2 (#DIV/0!)"
    # That an error is no rating is noted, not asked.
    assert "missing_codes" not in codes(reading)


def test_42_hidden_rows_columns_and_filters_are_asked_and_read(book):
    def change(sheet):
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["C"].hidden = True
        sheet.auto_filter.ref = "A1:C4"
        sheet.auto_filter.add_filter_column(0, ["w1", "w3"])

    reading = book(ROWS, change)
    assert told(reading, "hidden_rows").where == "row 3"
    assert "a filter is active" in told(reading, "hidden_rows").message
    assert told(reading, "hidden_columns").where == "column C"
    assert reading.ratings.rating_count == 6


def test_42_hidden_sheets_are_asked(tmp_path):
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    other = book.create_sheet("Secret")
    other.append(["a"])
    other.sheet_state = "hidden"
    book.save(tmp_path / "x.xlsx")
    reading = read_now(tmp_path / "x.xlsx")
    assert "'Secret' (1 row, 1 column)" in told(reading, "hidden_sheets").message


def test_43_of_several_sheets_the_first_is_read_and_all_are_named(book):
    more = [("Second", [["case", "X", "Y", "Z"], ["v1", 3, 4, 4]])]
    reading = book(ROWS, more=more)
    assert reading.source.sheet == "Ratings"
    assert reading.source.sheets == ("Ratings", "Second")
    assert "'Second' (2 rows, 4 columns)" in told(reading, "several_sheets").message
    assert book(ROWS, more=more, sheet="Second").ratings.raters == ("X", "Y", "Z")
    with pytest.raises(UsageError, match="There is no sheet 'Third'"):
        book(ROWS, more=more, sheet="Third")


def test_44_one_sheet_per_rater_is_stacked_and_asked(tmp_path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for judge, medals in {"Ana": ("gold", "silver"), "Ben": ("gold", "bronze")}.items():
        sheet = book.create_sheet(judge)
        sheet.append(["wine", "medal"])
        for i, medal in enumerate(medals):
            sheet.append([f"w{i}", medal])
    book.save(tmp_path / "x.xlsx")
    reading = read_now(tmp_path / "x.xlsx")
    assert sorted(rows(reading)) == [
        ("w0", "Ana", "gold"), ("w0", "Ben", "gold"), ("w1", "Ana", "silver"), ("w1", "Ben", "bronze"),
    ]  # fmt: skip
    assert "the name of the sheet is the rater" in told(reading, "sheets_stacked").default


def test_43_a_sheet_that_holds_a_note_is_not_taken_for_the_table(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Read me"
    book.active.append(["Ratings of spring"])
    for row in ROWS:
        (book["Data"] if "Data" in book.sheetnames else book.create_sheet("Data")).append(row)
    book.save(tmp_path / "x.xlsx")
    reading = read_now(tmp_path / "x.xlsx")
    assert reading.source.sheet == "Data"
    assert told(reading, "several_sheets").default == "The first with a table, 'Data', is read."


def test_44_sheets_of_raters_are_stacked_though_another_sheet_holds_something_else(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["Ana was ill on Friday"])
    for judge in ("Ana", "Ben"):
        sheet = book.create_sheet(judge)
        for row in (["wine", "medal"], ["w1", "gold"], ["w2", "none"]):
            sheet.append(row)
    book.save(tmp_path / "x.xlsx")
    reading = read_now(tmp_path / "x.xlsx")
    assert reading.ratings.raters == ("Ana", "Ben")
    assert "are not read: 'Notes' (1 row, 1 column)" in told(reading, "sheets_stacked").message


def test_36_values_that_share_a_label_stay_apart(tmp_path):
    frame = pd.DataFrame({"case": range(6), "A": [1.0, 2, 3, 1, 2, 4], "B": [1.0, 2, 3, 3, 2, 1]})
    labels = {"A": {1: "mild", 2: "mild", 3: "severe"}, "B": {1: "mild", 2: "mild", 3: "severe"}}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels)
    reading = read_now(tmp_path / "a.sav")
    assert set(reading.ratings.classes) == {"mild (1)", "mild (2)", "severe", "4"}
    assert "for example 1 as 'mild'" in told(reading, "value_labels").message


def test_28_and_39_dates_and_percentages_are_seen_through_their_formats(book):
    def change(sheet):
        sheet["B2"], sheet["B3"] = dt.date(2024, 3, 4), 0.42
        sheet["B3"].number_format = "0%"

    reading = book(ROWS, change)
    assert {"2024-03-04", "42%"} <= set(reading.ratings.classes)
    assert {"dates_among_ratings", "percentages"} <= asks(reading)
    assert told(reading, "dates_among_ratings").where == "cell B2"


def test_36_a_value_that_only_some_columns_label_is_asked_about_and_merged_with_its_label(tmp_path):
    frame = pd.DataFrame({"case": range(8), "A": [1.0, 2, 3, 5, 1, 5, 2, 3], "B": [1.0, 2, 3, 5, 2, 5, 2, 1]})
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels={"A": {1: "poor", 5: "good"}})
    reading = read_now(tmp_path / "a.sav")
    assert set(reading.ratings.classes) == {"poor", "good", "1", "2", "3", "5"}
    finding = told(reading, "label_and_value")
    assert finding.message == "Some columns give a value its label and others do not: 1 = 'poor' and 5 = 'good'."
    project = Project().with_reading(reading)
    merged = fixes(finding, reading, project.all_classes)[0]
    after = project.decide(merged.decision)
    assert set(after.ratings.classes) == {"poor", "good", "2", "3"}
    assert after.ratings.rating_count == reading.ratings.rating_count
    assert "label_and_value" not in {row.finding.code for row in finding_states(after) if row.open}


def test_36_a_value_that_every_column_labels_is_asked_nothing(tmp_path):
    frame = pd.DataFrame({"case": range(8), "A": [1.0, 2, 1, 2, 1, 2, 2, 1], "B": [1.0, 2, 2, 2, 2, 1, 2, 1]})
    labels = {name: {1: "poor", 2: "good"} for name in "AB"}
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels=labels)
    assert "label_and_value" not in codes(read_now(tmp_path / "a.sav"))
