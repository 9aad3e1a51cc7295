"""Tables as wards and juries keep them: groups of columns, repeated headers, counts, legends, tallies, cases across."""

import openpyxl
import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, codes, told

WORDS = ["Yes", "No", "No", "Yes", "Yes", "No", "Yes", "No"]
ROWS = [[f"W{i}", 1 + i % 5, 1 + i % 3, 1 + (i + 2) % 5, 1 + i % 4, 1 + i % 2, 1 + i % 5] for i in range(12)]


def csv(*rows):
    """Rows as text."""
    return "".join(",".join("" if c is None else str(c) for c in row) + "\n" for row in rows)


def grouped(width):
    """Two judges over what each of them judged."""
    what = ["Colour", "Nose", "Taste"][:width]
    gap = [None] * (width - 1)
    return [["Wine", "Anna", *gap, "Bernd", *gap], [None, *what, *what], *(row[: 1 + 2 * width] for row in ROWS)]


@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("above", [(), (["Autumn show"], ["Printed by K."], [])])
def test_11_judges_over_their_criteria_name_the_columns_however_many_there_are(text, width, above):
    reading = text(csv(*above, *grouped(width)))
    first = len(above) + 1
    assert reading.source.header_rows == (first, first + 1)
    assert reading.ratings.raters[0] == "Anna / Colour"
    assert reading.ratings.raters[width] == "Bernd / Colour"
    assert "two_row_header" in asks(reading)
    assert "duplicate_column_names" not in codes(reading)
    assert ("letterhead" in asks(reading)) == bool(above)


def test_11_merged_cells_say_how_far_the_name_of_a_group_reaches(book):
    rows = [[*row, None] for row in grouped(2)]
    rows[0][5], rows[1][5] = None, "Remark"
    rows = [row if i < 2 else [*row[:5], f"note {i}"] for i, row in enumerate(rows)]

    def merge(sheet):
        for cells in ("A1:A2", "B1:C1", "D1:E1"):
            sheet.merge_cells(cells)

    reading = book(rows, merge)
    assert reading.ratings.raters == ("Anna / Colour", "Anna / Nose", "Bernd / Colour", "Bernd / Nose")
    assert told(reading, "columns_not_rated").message.startswith("'Remark' is read")


def test_11_one_group_over_all_raters_is_found_and_the_cases_keep_their_name(tmp_path):
    book = openpyxl.Workbook()
    for row in [
        ["Autumn show"],
        [],
        ["Wine", "Judges", None, None],
        [None, "Ana", "Ben", "Cy"],
        *(r[:4] for r in ROWS),
    ]:
        book.active.append(row)
    for cells in ("A1:D1", "A3:A4", "B3:D3"):
        book.active.merge_cells(cells)
    book.save(tmp_path / "show.xlsx")
    reading = read_now(tmp_path / "show.xlsx")
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert reading.source.roles["subject"] == "Wine"
    found = told(reading, "two_row_header")
    assert "'Wine', 'Ana', 'Ben' and 'Cy'" in found.message
    assert "“Judges” stands above all of them" in found.default
    assert told(reading, "letterhead").where == "row 1"


def test_11_the_same_header_is_read_as_the_user_says_when_only_one_row_is_it(text):
    reading = text(csv(*grouped(3)), header=2, header_rows=1)
    assert reading.ratings.raters[0] == "Colour"
    assert "two_row_header" not in codes(reading)


def test_13_what_stands_above_a_table_without_a_header_is_told_and_not_dropped_in_silence(text):
    reading = text(csv(["Ward 3"], [], *(row[:4] for row in ROWS)))
    assert reading.ratings.subject_count == 12
    finding = told(reading, "letterhead")
    assert finding.where == "row 1"
    assert finding.message.startswith("The table seems to begin in row 3;")
    assert {"letterhead", "no_header"} <= asks(reading)


def test_04_what_divides_every_row_wins_over_a_mark_inside_the_names_of_the_cases(text):
    reading = text(csv(["Case", "Ana", "Ben"], *([f"W|{i}", *row[1:3]] for i, row in enumerate(ROWS))))
    assert reading.source.delimiter == ","
    assert reading.ratings.raters == ("Ana", "Ben")


def test_09_a_header_that_comes_again_between_two_blocks_is_no_case_and_is_told(text):
    head, rows = ["Case", "Ana", "Ben"], [[f"c{i}", w, WORDS[-i]] for i, w in enumerate(WORDS)]
    reading = text(csv(head, *rows[:4], [], head, *rows[4:]))
    assert reading.ratings.raters == ("Ana", "Ben")
    assert reading.ratings.subject_count == 8
    assert told(reading, "header_again").where == "row 7"
    assert "order_unknown" not in codes(reading)


@pytest.mark.parametrize("names", [("101", "102", "103"), ("7", "12", "40")])
def test_13_raters_that_are_numbers_stand_in_a_header_that_names_the_cases(text, names):
    reading = text(csv(["Wine", *names], *(row[:4] for row in ROWS)))
    assert reading.ratings.raters == names
    assert reading.ratings.classes == ("1", "2", "3", "4", "5")


def test_13_a_first_case_with_numbers_is_no_header(text):
    rows = [[f"Sample {i}", 3 + i % 2, 1 + i % 3, 2] for i in range(6)]
    reading = text(csv(*rows))
    assert "no_header" in asks(reading)
    assert reading.ratings.subject_count == 6


def test_46_columns_that_are_called_like_cases_make_the_rows_raters(text):
    head = ["", *(f"Case {i}" for i in range(1, 9))]
    reading = text(csv(head, *([n, *WORDS[i:], *WORDS[:i]] for i, n in enumerate(("Ana", "Ben", "Cy")))))
    assert reading.source.layout is Layout.SUBJECTS
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert "raters_in_rows" in asks(reading)


def test_46_a_table_much_wider_than_long_is_asked_about_and_read_as_it_stands(text):
    head = ["Name", *(f"W{i}" for i in range(1, 9))]
    content = csv(head, *([n, *WORDS[i:], *WORDS[:i]] for i, n in enumerate(("Ana", "Ben", "Cy"))))
    reading = text(content)
    assert reading.source.layout is Layout.RATERS
    assert "maybe_raters_in_rows" in asks(reading)
    assert "maybe_raters_in_rows" not in codes(text(content, layout=Layout.RATERS))
    judges = [f"Judge {i}" for i in range(1, 9)]
    assert "maybe_raters_in_rows" not in codes(text(content.replace(",".join(head[1:]), ",".join(judges))))


@pytest.mark.parametrize("name", ["Freq", "count", "n", "Weight"])
@pytest.mark.parametrize("first", [True, False])
def test_45_a_column_of_counts_beside_answers_of_0_and_1_is_neither_a_rater_nor_the_cases(text, name, first):
    patterns = [(0, 0, 0, 12), (0, 0, 1, 0), (0, 1, 0, 3), (1, 1, 1, 9), (1, 0, 0, 1), (1, 1, 0, 2)]
    rows = [["J1", "J2", "J3", name], *patterns]
    reading = text(csv(*([r[3], *r[:3]] if first else r for r in rows)))
    assert reading.ratings.raters == ("J1", "J2", "J3")
    assert reading.ratings.classes == ("0", "1")
    assert "maybe_count_column" in asks(reading)
    assert "far_value" not in codes(reading)


def test_08_counts_with_their_thousands_set_apart_are_offered_as_counts(text):
    rows = [("0", "0", "'1 200'"), ("0", "1", "2 500"), ("1", "1", "900")]
    reading = text("Ana;Ben;count\n" + "".join(";".join(r) + "\n" for r in rows).replace("'", ""))
    assert "maybe_count_column" in asks(reading)
    assert text("Ana;Ben;count\n0;0;1 200\n0;1;2 500\n1;1;900\n", count="count").ratings.subject_count == 4600


def test_18_numbers_that_count_the_rows_are_the_cases_though_they_could_be_answers(text):
    rows = [[i + 1, 1 + (3 * i) % 8, 1 + (5 * i) % 8, 1 + (i * i) % 8] for i in range(8)]
    reading = text(csv(["Nr", "Ana", "Ben", "Cy"], *rows))
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert reading.source.roles["subject"] == "Nr"


def test_55_a_column_called_id_that_holds_answers_is_a_rater(text):
    rows = [[1 + (i * i) % 5, 1 + (3 * i) % 5, 1 + (i * i * i) % 5] for i in range(25)]
    reading = text(csv(["id", "ego", "superego"], *rows))
    assert reading.ratings.raters == ("id", "ego", "superego")
    assert "no_case_column" in asks(reading)
    cases = [[i // 5, *row[1:]] for i, row in enumerate(rows)]
    assert text(csv(["id", "ego", "superego"], *cases)).source.roles["subject"] == "id"
    beside = text(csv(["=1+1", "id", "ego", "superego"], *([f"W{i}", *row] for i, row in enumerate(rows))))
    assert beside.source.roles["subject"] == "=1+1"
    assert beside.ratings.raters == ("id", "ego", "superego")


@pytest.mark.parametrize("name", ["Key", ""])
def test_16_a_legend_on_the_right_is_no_rater(text, name):
    key = [["", str(i + 1), w] for i, w in enumerate(("poor", "fair", "good", "very good"))] + [["", "", ""]] * 8
    reading = text(
        csv(["Wine", "Ana", "Ben", "Cy", "", name, ""], *([*r[:4], *k] for r, k in zip(ROWS, key, strict=True)))
    )
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert "columns_not_rated" in asks(reading)


def test_16_a_rater_behind_a_blank_column_who_rated_about_as_much_is_a_rater(text):
    reading = text(csv(["Wine", "Ana", "Ben", "", "Cy"], *([*r[:3], "", r[3]] for r in ROWS)))
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")


def test_16_a_count_of_each_answer_below_the_table_looks_like_a_summary(text):
    rows = [[f"c{i}", w, WORDS[-i]] for i, w in enumerate(WORDS)]
    reading = text(csv(["Case", "Ana", "Ben"], *rows, ["Source: ward 3", "", ""], ["Yes", 4, 5], ["No", 4, 3]))
    assert told(reading, "summary_row").about == (("Yes", "No"),)


def test_16_cases_that_are_called_like_answers_are_cases_where_they_hold_answers(text):
    rows = [["A", "A", "B"], ["B", "C", "A"], ["C", "B", "B"], ["D", "A", "A"]]
    assert "summary_row" not in codes(text(csv(["Case", "Ana", "Ben"], *rows)))


def test_32_sex_and_age_are_no_raters_though_a_letter_is_an_answer_as_well(text):
    rows = [[f"c{i}", 20 + i, "MF"[i % 2], "MBN"[i % 3], "NMB"[i % 3]] for i in range(12)]
    reading = text(csv(["Case", "Age", "Sex", "Ana", "Ben"], *rows))
    assert reading.ratings.raters == ("Ana", "Ben")
    assert "columns_not_rated" in asks(reading)


def test_38_a_rater_who_writes_marks_beside_the_numbers_is_a_rater(text):
    rows = [[f"c{i}", ("3", "4", "3-4")[i % 3], ("<5", "3", "3/5")[i % 3], ("3", "4", "3.5")[i % 3]] for i in range(12)]
    reading = text(csv(["Case", "Ana", "Ben", "Cy"], *rows))
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert "unusual_marks" in asks(reading)


def test_33_points_out_of_a_hundred_contain_98_and_99(text):
    rows = [[f"c{i}", 60 + i, 99 - i % 3, 61 + i] for i in range(36)]
    reading = text(csv(["Case", "Ana", "Ben", "Cy"], *rows))
    assert "maybe_missing_number" not in codes(reading)
    assert "continuous_scores" in asks(reading)


def test_24_a_blank_behind_all_answers_of_one_rater_is_told(text):
    rows = [[f"c{i}", f"{w} ", WORDS[-i]] for i, w in enumerate(WORDS)]
    reading = text(csv(["Case", "Ana", "Ben"], *rows))
    assert reading.ratings.classes == ("No", "Yes")
    assert told(reading, "outer_blanks").message.startswith("In 8 cells a blank stands before or behind the rating:")
    assert "outer_blanks" not in codes(text(csv(["Case", "Ana", "Ben"], *([c, a.strip(), b] for c, a, b in rows))))


def test_38_ticks_beside_blanks_stop_the_analysis_and_say_what_a_blank_is_read_as(text):
    rows = [[f"c{i}", "x" if i % 2 else "", "x"] for i in range(6)]
    assert "a blank cell is read as no rating" in told(text(csv(["Case", "Ana", "Ben"], *rows)), "one_class").fix


def test_43_one_rater_in_a_numbered_column_is_not_asked_to_be_several(text):
    assert "seats_or_people" not in codes(text(csv(["Case", "J1"], *([f"c{i}", w] for i, w in enumerate(WORDS)))))


def test_50_a_header_with_gaps_and_no_row_below_is_answered_in_words(text):
    with pytest.raises(TapdeskError, match="a header and no rows: nothing stands below row 1"):
        text("case,,case,,,case", layout=Layout.RATERS)
