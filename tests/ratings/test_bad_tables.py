"""Awkward tables (bad_input.md 10-17, 42, 45, 46, 64-67): letterhead, headers, blanks, summaries, names."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, codes, rows, told

BODY = "case,Ana,Ben\nw1,yes,no\nw2,no,no\nw3,yes,yes\nw4,no,yes\n"


def test_10_letterhead_above_the_header_is_left_out_and_asked(text):
    reading = text("St Mary laboratory,,\nReport of May,,\n,,\n,,\n,,\n" + BODY)
    assert rows(reading) == rows(text(BODY))
    finding = told(reading, "letterhead")
    assert finding.message.startswith("The header seems to be row 6")
    assert finding.where == "rows 1 and 2"
    assert reading.source.header_rows == (6,)


def test_10_the_header_row_can_be_chosen(text):
    reading = text("a,b,c\n" + BODY, header=2)
    assert rows(reading) == rows(text(BODY))
    assert "letterhead" not in codes(reading)


def test_11_two_header_rows_are_joined_and_shown(text):
    reading = text(
        "case,Judge 1,,Judge 2,\n,colour,taste,colour,taste\nw1,1,2,3,1\nw2,2,2,1,1\nw3,3,1,2,2\n",
        columns=("Judge 1 / taste", "Judge 2 / taste"),
    )
    assert "Judge 1 / colour" in told(reading, "two_row_header").message
    # Only what both columns hold is asked about, so no rater is called by it.
    assert reading.ratings.raters == ("Judge 1", "Judge 2")
    assert "taste" in told(reading, "shared_name_part").message
    assert reading.source.header_rows == (1, 2)


def test_12_a_case_named_once_for_several_merged_rows_is_filled_down(book):
    lines = [["case", "judge", "rating"], ["w1", "Ana", "yes"], [None, "Ben", "no"], ["w2", "Ana", "no"]]
    reading = book(lines, lambda sheet: sheet.merge_cells("A2:A3"))
    assert rows(reading)[1] == ("w1", "Ben", "no")
    assert told(reading, "filled_down").where == "row 3"


def test_12_a_ward_in_a_merged_cell_is_that_of_all_its_rows(book):
    wards = ["East", None, None, "West", None, None, None, None, None]
    lines = [["case", "ward", "Ana", "Ben"], *([f"w{i}", w, "yn"[i % 2], "yn"[i % 3 > 0]] for i, w in enumerate(wards))]

    def merge(sheet):
        for cells in ("B2:B4", "B5:B6", "B8:B10"):
            sheet.merge_cells(cells)

    reading = book(lines, merge)
    # The row between the merged cells is blank, and so are those of a merged cell that says nothing.
    assert [str(v) for v in reading.ratings.covariates["ward"].values] == ["East"] * 3 + ["West"] * 2 + [""] * 4
    assert told(reading, "merged_further").where == "column B (ward)"
    assert "merged_further" not in codes(book(lines))


def test_12_a_merged_cell_without_a_case_is_not_that_of_the_row_above(book):
    lines = [["case", "judge", "rating"], ["w1", "Ana", "yes"], [None, "Ben", "no"], [None, "Cy", "no"]]
    with pytest.raises(TapdeskError, match="ratings without a case in row"):
        book(lines, lambda sheet: sheet.merge_cells("A3:A4"))


def test_12_a_blank_case_that_is_not_merged_is_refused_and_can_be_filled(text):
    lines = "case,judge,rating\nw1,Ana,yes\n,Ben,no\nw2,Ana,no\n"
    with pytest.raises(TapdeskError, match="ratings without a case in row 3") as caught:
        text(lines)
    assert caught.value.where == "ratings.csv, column A (case), row 3"
    assert rows(text(lines, fill_down=True))[1] == ("w1", "Ben", "no")


def test_13_without_a_header_no_row_is_lost(text):
    reading = text("w1,yes,no\nw2,no,no\nw3,yes,yes\n")
    assert reading.ratings.rating_count == 6
    assert reading.ratings.subjects == ("w1", "w2", "w3")
    assert "first row is read as data" in told(reading, "no_header").default
    assert reading.as_read.raters == ("Rater 1", "Rater 2")


def test_13_a_header_of_seat_numbers_is_a_header(text):
    reading = text("wine,1,2,3\nw1,1,2,3\nw2,2,2,1\n")
    assert reading.ratings.raters == ("1", "2", "3")
    assert reading.ratings.rating_count == 6


def test_14_blank_rows_and_columns_are_passed_over_and_counted(text):
    reading = text("case,,Ana,Ben\nw1,,yes,no\n,,,\n,,,\nw2,,no,no\n" + ",,,\n" * 1000)
    assert reading.ratings.rating_count == 4
    assert "2 blank rows and 1 blank column;" in told(reading, "blank_lines").message
    assert reading.source.rows == 2


@pytest.mark.parametrize("name", ["Total", "Mean", "consensus", "Majority vote"])
def test_15_a_summary_row_stays_in_and_is_flagged(text, name):
    reading = text(BODY + f"{name},yes,no\n")
    finding = told(reading, "summary_row")
    assert finding.where == "row 6"
    assert finding.default == "It is read like all others."
    assert reading.ratings.rating_count == 10


def test_15_a_consensus_column_stays_in_and_is_flagged(text):
    reading = text("case,Ana,Ben,Consensus\nw1,yes,no,no\nw2,no,no,no\nw3,yes,yes,yes\n")
    assert told(reading, "summary_column").where == "column D (Consensus)"
    assert reading.ratings.raters == ("Ana", "Ben", "Consensus")


def test_15_a_consensus_in_a_long_table_is_flagged(text):
    reading = text("case,judge,rating\nw1,Ana,yes\nw1,Ben,no\nw1,Consensus,no\n")
    assert "summary_rater" in asks(reading)
    assert reading.ratings.rating_count == 3


def test_16_notes_below_the_table_are_left_out_and_asked(text):
    reading = text(BODY + ",,\n* absent on the second day,,\nChecked by Dr May,,\n")
    assert rows(reading) == rows(text(BODY))
    assert told(reading, "notes_below").where == "rows 7 and 8"


@pytest.mark.parametrize("lines", [
    ",* excluded by the chair,\n", ",,* excluded by the chair\n", ",Source: ward registry,\n", ",n = 24,n = 23\n",
    ",see the protocol of May,\n", "\n,checked,\n", "* left early,† came late,\n",
    ",Note: no ratings on Sunday,\n,by hand,\n", ',"Two cases were excluded, see the protocol",\n',
])  # fmt: skip
def test_16_notes_below_a_column_of_ratings_are_left_out_and_asked_not_read_as_ratings(text, lines):
    reading = text(BODY + lines)
    assert rows(reading) == rows(text(BODY))
    finding = told(reading, "notes_below")
    first = 6 + lines.startswith("\n")
    assert finding.about == (tuple(str(first + i) for i in range(len(lines.strip().splitlines()))),)
    assert finding.where.startswith(f"row{'s' * (len(finding.about[0]) > 1)} {first}")
    assert (reading.options.last, finding.default) == (5, "These lines are left out.")
    # Whoever says that they are cases gets them, and is not asked again.
    every = text(BODY + lines, last=0)
    assert every.as_read.rating_count > reading.as_read.rating_count or lines.startswith("*")
    assert "notes_below" not in codes(every)


@pytest.mark.parametrize("lines", [
    "w5,maybe,\n", "w5,,not seen by anyone at all that day\n", ",yes,no\n", ",yes,\n", "w5,*,**\n", ",**,\n", ",7,\n",
    "source,yes,no\n",
])  # fmt: skip
def test_16_a_case_with_few_ratings_and_a_rating_of_a_case_without_a_name_are_no_notes(text, lines):
    reading = text(BODY + lines)
    assert "notes_below" not in codes(reading)
    assert len(rows(reading)) > len(rows(text(BODY)))
    assert reading.options.last == 0


def test_16_the_last_row_of_the_table_can_be_said(text):
    reading = text(BODY + "w5,yes,no\n,yes,\n", last=5)
    assert rows(reading) == rows(text(BODY))
    assert told(reading, "rows_below").message == "The table ends at row 5, as you said."
    assert reading.options.last == 5
    with pytest.raises(TapdeskError, match="No row of the table is left above row 2"):
        text(BODY, last=1)


def test_17_columns_of_the_same_name_are_all_kept_under_names_of_their_own(text):
    reading = text("case,Ana,Ana,Ben\nw1,yes,no,no\nw2,no,no,yes\n")
    assert reading.ratings.raters == ("Ana", "Ana (2)", "Ben")
    assert "column C is now called 'Ana (2)'" in told(reading, "duplicate_column_names").message


def test_17_raters_whose_names_differ_by_a_blank_or_capital_are_asked(text):
    reading = text("case,judge,rating\nw1,Ana Lee,yes\nw1,ana lee,no\nw2,Ana  Lee,no\nw2,Ben,no\n")
    assert "'Ana Lee' / 'ana lee' / 'Ana  Lee'" in told(reading, "similar_rater_names").message
    assert len(reading.ratings.raters) == 4


def test_46_raters_in_rows_are_recognised_and_asked(text):
    reading = text("Judge,w1,w2,w3\nAna,yes,no,yes\nBen,no,no,yes\n")
    assert reading.source.layout is Layout.SUBJECTS
    assert told(reading, "raters_in_rows").default == "Rows are read as raters and columns as cases."
    assert reading.ratings.raters == ("Ana", "Ben")


def test_46_rows_called_judge_1_and_2_are_raters(text):
    reading = text(",w1,w2,w3\nJudge 1,yes,no,yes\nJudge 2,no,no,yes\n")
    assert reading.ratings.raters == ("Judge 1", "Judge 2")


def test_64_a_column_of_rounds_is_asked(text):
    reading = text("case,judge,rating,round\nw1,Ana,yes,1\nw1,Ben,no,1\nw1,Ana,no,2\nw1,Ben,no,2\n")
    assert "--where 'round=1'" in told(reading, "rounds").fix
    assert reading.ratings.rating_count == 4


def test_65_cases_under_two_spellings_are_listed_and_kept_apart(text):
    reading = text("case,judge,rating\nP-01,Ana,yes\np01,Ben,no\nP-02,Ana,yes\nP-02,Ben,no\n")
    assert "'P-01' / 'p01'" in told(reading, "similar_case_names").message
    assert reading.ratings.subjects == ("P-01", "p01", "P-02")


def test_66_data_about_persons_are_noted(text):
    reading = text("case,judge,rating,NHS number\n1,Ana,yes,943 476 5919\n1,Ben,no,943 476 5919\n")
    assert told(reading, "personal_data").where == "column D (NHS number)"
    by_digits = text("p,judge,rating,code\n1,Ana,yes,9434765919\n1,Ben,no,9434765919\n")
    assert "personal_data" in codes(by_digits)


def test_67_a_pasted_table_with_trailing_tab_rows_reads_like_a_file(text):
    reading = text("case\tAna\tBen\nw1\tyes\tno\nw2\tno\tno\n\t\t\n", name="pasted.txt")
    assert reading.ratings.rating_count == 4


def test_67_a_web_table_is_read(text):
    page = (
        "<html><body><table><tr><th>case</th><th>Ana</th><th>Ben</th></tr>"
        "<tr><td>w&nbsp;1</td><td>yes</td><td>no<tr><td>w2</td><td>no</td><td>no</td></tr></table></body></html>"
    )
    reading = text(page, name="page.html")
    assert reading.ratings.subjects == ("w 1", "w2")
    assert reading.source.format == "html"


def test_a_wide_table_without_any_rating_column_says_what_to_name(text):
    with pytest.raises(TapdeskError, match="No column with ratings could be found"):
        text("case,Ana,Ben\nw1,,\nw2,,\n")


def test_a_rating_without_a_rater_is_kept_under_no_name(text):
    reading = text("case,judge,rating\nw1,Ana,yes\nw1,,no\nw2,Ana,no\n")
    assert reading.ratings.raters == ("Ana", "(no name)")
    assert told(reading, "rater_without_name").where == "row 3"


def test_columns_that_are_no_ratings_are_said_to_be_left_aside(text):
    reading = text("case,Ana,Ben,age\nw1,yes,no,34\nw2,no,no,51\nw3,yes,yes,27\n")
    assert told(reading, "columns_not_rated").message.startswith("'age' is read as further information")


def test_the_path_may_be_text_and_the_source_remembers_the_bytes(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text(BODY)
    reading = read_now(str(path), ReadingOptions())
    assert len(reading.source.sha256) == 64
    assert reading.source.name == "x.csv"


def test_15_a_row_of_sums_without_a_rating_is_not_asked_about(text):
    reading = text("case,Ana,Ben,points\nw1,yes,no,3\nw2,no,no,4\nAverage,,,3.5\n", columns=("Ana", "Ben"))
    assert "'Average'" in told(reading, "cases_without_rating").message
    assert "summary_row" not in codes(reading)


def test_15_a_column_that_adds_up_the_counts_beside_it_is_asked_about_whatever_its_name(text):
    lines = "".join(f"w{i},{i % 4},{5 - i % 4},5\n" for i in range(12))
    reading = text(f"case,no,yes,n\n{lines}")
    assert told(reading, "summary_column").about == (("n",),)
    assert "summary_column" not in codes(
        text("case,no,yes\n" + "".join(f"w{i},{i % 4},{i % 4}\n" for i in range(12)), layout=Layout.COUNTS)
    )


def test_rows_that_stand_for_no_case_are_passed_over_and_told(text):
    reading = text("Ana,Ben,freq\nyes,yes,4\nyes,no,0\nno,no,3\n", count="freq")
    assert reading.as_read.subject_count == 7
    finding = told(reading, "rows_of_none")
    assert finding.message == "1 row stands for 0 cases and is passed over."
    assert finding.where == "row 3"
    assert finding.fix == "If there are such cases, write their number in the file and read it again."
