"""Numbers in tables of counts are read by one rule for the whole table, or it is asked which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.number_marks import readings
from tapdesk.ratings.options import Layout
from tests.ratings.telling import codes, told


def blocked(reading):
    """The codes of the findings that stand in the way of an answer."""
    return {f.code for f in reading.findings if f.severity is Severity.BLOCK}


def test_a_thousands_dot_holds_for_every_count_of_a_confusion_matrix(text):
    reading = text(";a;b\na;1.250;35\nb;40;1.000\n", layout=Layout.CONFUSION)
    assert reading.ratings.subject_count == 2_325
    assert "'1.250' = 1,250, '1.000' = 1,000" in told(reading, "thousands_marks").message


def test_a_thousands_dot_holds_for_the_weights_of_a_table_of_counts(text):
    reading = text("n_ratings,n_class1,weight\n3,0,1.000\n3,1,1.250\n3,3,2.000\n")
    assert reading.ratings.subject_count == 4_250


def test_one_number_of_a_class_column_tells_how_the_weights_are_written(text):
    reading = text("case;a;b;weight\nx;1.250;3;1.000\ny;2;2;1\n", layout=Layout.COUNTS, count="weight")
    assert reading.ratings.subject_count == 1_001


def test_a_thousands_dot_holds_for_the_rows_a_wide_table_stands_for(text):
    table = "n;Ana;Ben\n1.000;yes;no\n1.250;yes;yes\n2.500;no;no\n"
    assert text(table, layout=Layout.RATERS, columns=("Ana", "Ben"), count="n").ratings.subject_count == 4_750


@pytest.mark.parametrize(("mark", "cases"), [(",", 10_000), (".", 10)])
@pytest.mark.parametrize(
    ("table", "options"),
    [
        (";a;b\na;3.000;1.000\nb;2.000;4.000\n", {"layout": Layout.CONFUSION}),
        ("n_ratings;n_class1;weight\n3;0;4.000\n3;1;6.000\n", {}),
        ("case;a;b;weight\nx;1;2;4.000\ny;2;1;6.000\n", {"layout": Layout.COUNTS, "count": "weight"}),
        ("n;Ana;Ben\n4.000;yes;no\n6.000;yes;yes\n", {"columns": ("Ana", "Ben"), "count": "n"}),
        (
            "case;rater;rating;n\nx;A;yes;4.000\nx;B;no;4.000\ny;A;no;6.000\ny;B;no;6.000\n",
            {"count": "n", "rater": "rater"},
        ),
    ],
)
def test_counts_that_can_be_read_in_two_ways_wait_for_the_decimal_mark(text, table, options, mark, cases):
    open_ = text(table, **options)
    assert blocked(open_) == {"decimal_mark_uncertain"}
    finding = told(open_, "decimal_mark_uncertain")
    assert '--decimal ","' in finding.fix
    assert '--decimal "."' in finding.fix
    assert "thousands_marks" not in codes(open_)
    answered = text(table, **options, decimal=mark)
    assert "decimal_mark_uncertain" not in codes(answered)
    assert answered.ratings.subject_count == cases


def test_ratings_with_a_decimal_comma_tell_what_the_dot_in_the_counts_is(text):
    table = "n;Ana;Ben\n1.000;2,5;1,5\n2.000;1,5;1,5\n"
    reading = text(table, columns=("Ana", "Ben"), count="n")
    assert reading.ratings.subject_count == 3_000
    assert not blocked(reading)


def test_counts_written_in_two_ways_are_refused_with_both(text):
    with pytest.raises(TapdeskError, match=r"'1\.250'.*'12\.0'|'12\.0'.*'1\.250'") as refusal:
        text("case;a;b\nx;1.250;3\ny;12.0;2\n", layout=Layout.COUNTS)
    assert "--decimal" in refusal.value.fix


def test_zeros_behind_the_mark_are_dropped_only_where_other_counts_say_so_and_told(text):
    reading = text("case;a;b\nx;1.000;12.0\ny;2;2\n", layout=Layout.COUNTS)
    assert reading.ratings.rating_count == 17
    assert told(reading, "zero_decimals").severity is Severity.ASK
    plain = text("case,a,b\nx,1.0,2.0\ny,2.0,1.0\n", layout=Layout.COUNTS)
    assert told(plain, "zero_decimals").severity is Severity.NOTE
    assert plain.ratings.rating_count == 6


@pytest.mark.parametrize(
    "thousand", ["1'250", "1’250", "1 250", "1\u00a0250", "1\u202f250", "1\u2009250", "1\u2007250", "1.250", "1,250"]
)
def test_every_usual_thousands_mark_is_one(text, thousand):
    reading = text(f"case;a;b\nx;{thousand};3\ny;2;2\n", layout=Layout.COUNTS)
    assert reading.ratings.rating_count == 1_257
    assert "1,250" in told(reading, "thousands_marks").message


def test_indian_groups_are_one_number_and_say_what_the_comma_is(text):
    reading = text("case;a;b\nx;1,00,000;3\ny;1,000;2\n", layout=Layout.COUNTS)
    assert reading.ratings.rating_count == 101_005


@pytest.mark.parametrize("text_", ["1.25", "12,5", "1.2.3", "1,23", "-3", "1.25e1", "1 2", "x", "1,0000,0", "1.000,5"])
def test_what_is_no_whole_number_is_none_under_any_mark(text_):
    assert readings(text_) == {}


@given(
    st.lists(st.integers(0, 3_000_000), min_size=1, max_size=12),
    st.sampled_from([".", ",", "'", " ", "\u202f", ""]),
)
def test_numbers_written_by_one_rule_are_read_by_it_whenever_it_is_told(numbers, by):
    decimal = "," if by == "." else "."
    for n in numbers:
        assert readings(f"{n:,}".replace(",", by))[decimal].value == n


def test_counts_that_a_spreadsheet_cut_short_are_asked_about(text):
    reading = text("case,a,b\nx,1.23E+05,3\ny,2,1\n", layout=Layout.COUNTS)
    assert reading.ratings.rating_count == 123_006
    assert told(reading, "numbers_cut_short").severity is Severity.ASK
    assert "numbers_cut_short" not in codes(text("case,a,b\nx,1E3,3\ny,2,1\n", layout=Layout.COUNTS))
