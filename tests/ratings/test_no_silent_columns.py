"""Columns and headers that would be read wrongly without a word: counts, shares, short headers, an index."""

import pytest

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.options import Layout
from tests.ratings.telling import codes, rows, told

SHIFTED = "case,Ana,Ben,Cleo\nSmith, J.,yes,no,yes\nSmith, J.,no,no,yes\nMiller, K.,yes,no,no\nMiller, K.,no,yes,no\n"
DECIMALS = "case,Huber,Maier\nw1,15,5,14,5\nw1,13,0,12,5\nw2,15,5,14,0\nw2,11,0,12,5\n"


@pytest.mark.parametrize(("table", "pair"), [(SHIFTED, "'Ana' = 'J.'"), (DECIMALS, "'Maier' = '5'")])
def test_a_header_shorter_than_its_rows_stands_in_the_way_and_shows_the_second_row_below_it(text, table, pair):
    finding = told(text(table), "header_too_short")
    assert finding.severity is Severity.BLOCK
    assert pair in finding.message
    assert "--header 1" in finding.fix
    answered = text(table, header=1)
    assert "header_too_short" not in codes(answered)


def test_a_few_remarks_behind_the_last_name_are_asked_about_and_not_read(text):
    table = "case,Ana,Ben\n" + "".join(f"w{i},{i % 2},{i % 3},{'see note' if i == 3 else ''}\n" for i in range(8))
    reading = text(table)
    assert told(reading, "header_too_short").severity is Severity.ASK
    assert reading.ratings.raters == ("Ana", "Ben")


def test_a_workbook_whose_last_column_has_no_name_is_asked_about(book):
    lines = [["case", "Ana", "Ben"], *([f"w{i}", i % 2, i % 3, 1] for i in range(6))]
    assert told(book(lines), "header_too_short").severity is Severity.ASK


COUNTED = "patient,yes,no,{}\n" + "".join(f"p{i},{i % 5},{4 - i % 5},{{}}\n" for i in range(6))


@pytest.mark.parametrize("name", ["age", "year", "w2", "Alter", "score", "visit_id", "extra"])
def test_a_column_of_numbers_that_is_no_class_of_a_table_of_counts_stands_in_the_way(text, name):
    table = COUNTED.format(name, *(40 + 7 * i for i in range(6)))
    finding = told(text(table, layout=Layout.COUNTS), "counts_column_doubtful")
    assert finding.severity is Severity.BLOCK
    assert finding.about == ((name,), ("yes", "no"))
    assert '--columns "yes,no"' in finding.fix
    answered = text(table, layout=Layout.COUNTS, columns=("yes", "no"))
    assert answered.ratings.classes == ("no", "yes")
    assert "counts_column_doubtful" not in codes(answered)
    assert "counts_column_doubtful" not in codes(text(table, layout=Layout.COUNTS, columns=("yes", "no", name)))


def test_classes_with_changing_sums_are_counts_without_a_question(text):
    table = "patient,mild,moderate,severe\n" + "".join(f"p{i},{i % 3},{(2 * i) % 5},{(3 * i) % 4}\n" for i in range(8))
    assert "counts_column_doubtful" not in codes(text(table, layout=Layout.COUNTS))


@pytest.mark.parametrize(
    "lines",
    [
        ["case,yes,no", "a,0.2,0.8", "b,0.4,0.6", "c,1.0,0.0", "d,0.2,0.8"],
        ["case;yes;no", "a;0,2;0,8", "b;0,4;0,6", "c;1,0;0,0", "d;0,2;0,8"],
        ["case,good,fair,poor", "a,33.3,33.3,33.4", "b,50,25,25", "c,20.5,19.5,60", "d,100,0,0"],
        ["case,x,y", "a,20%,80%", "b,40%,60%", "c,100%,0%", "d,60%,40%"],
        ["case,mild,moderate,severe", "a,1,0,0", "b,0,1,0", "c,0,1,0", "d,0,0,1"],
        ["case,yes,no", "a,1,0", "b,0,1", "c,0,1", "d,1,0"],
    ],
)
def test_shares_of_answers_are_no_raters(text, lines):
    table = "\n".join(lines) + "\n"
    finding = told(text(table), "looks_like_shares")
    assert finding.severity is Severity.BLOCK
    names = tuple(lines[0].replace(";", ",").split(",")[1:])
    assert "looks_like_shares" not in codes(text(table, columns=names))


def test_scores_that_do_not_make_one_together_are_ratings(text):
    assert "looks_like_shares" not in codes(text("case,A,B\na,0.2,0.8\nb,0.4,0.6\nc,0.5,0.6\nd,0.2,0.2\n"))


@pytest.mark.parametrize("first", [0, 1])
def test_the_index_pandas_writes_is_no_rater(text, first):
    table = "Unnamed: 0,Ana,Ben\n" + "".join(f"{i + first},{i % 3},{(i // 2) % 3}\n" for i in range(9))
    reading = text(table)
    assert reading.ratings.raters == ("Ana", "Ben")
    assert len(rows(reading)) == 18
    named = "Unnamed: 0,case,Ana,Ben\n" + "".join(f"{i},w{i},{i % 3},{(i // 2) % 3}\n" for i in range(9))
    assert text(named).ratings.raters == ("Ana", "Ben")
    assert text(named).ratings.subjects[0] == "w0"
