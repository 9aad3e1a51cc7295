"""How numbers are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.answers import numbers
from tapdesk.answers.numbers import APA, REPORT, SCREEN
from tapdesk.estimate import Estimate, undefined


@pytest.mark.parametrize(
    ("value", "style", "told"),
    [
        (0.44, SCREEN, "0.44"),
        (0.44, APA, ".44"),
        (1.0, APA, "1.00"),
        (-0.04, APA, "−.04"),
        (-0.001, SCREEN, "−0.001"),
        (0.125, SCREEN, "0.13"),
        (0.145, SCREEN, "0.15"),
        (-0.125, SCREEN, "−0.13"),
    ],
)
def test_decimals_follow_the_style(value, style, told):
    assert numbers.decimal(value, style) == told


def test_no_number_is_a_dash():
    assert numbers.decimal(None) == "–"
    assert numbers.large(None) == "–"
    assert numbers.interval(undefined("a = 1")) == "–"


def test_intervals_stand_in_brackets_in_a_report_and_in_words_on_the_screen():
    estimate = Estimate(0.44).between(0.36, 0.54, 0.95, "profile")
    assert numbers.interval(estimate, SCREEN) == "0.36 to 0.54"
    assert numbers.interval(estimate, REPORT) == "[0.36, 0.54]"
    assert numbers.interval(estimate, APA) == "[.36, .54]"


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0.0, "0 times in 100"),
        (0.0004, "less than once in 100"),
        (0.01, "about once in 100"),
        (0.44, "about 44 times in 100"),
        (0.999, "more than 99 times in 100"),
        (1.0, "100 times in 100"),
    ],
)
def test_how_often_is_told_out_of_100(share, told):
    assert numbers.often(share) == told


def test_an_interval_follows_how_often():
    assert numbers.often(0.44, 0.36, 0.54) == "about 44 times in 100 (between 36 and 54)"


def test_a_narrow_interval_is_told_with_one_place_so_that_its_ends_differ():
    assert numbers.often(0.44, 0.4391, 0.4412) == "about 44 times in 100 (between 43.9 and 44.1)"


def test_a_share_that_is_not_nothing_never_reads_as_nothing():
    assert numbers.percent(0.002) == "<1 %"
    assert numbers.percent(0.998) == ">99 %"
    assert numbers.percent(0.0) == "0 %"


def test_large_numbers_have_separators_and_a_true_minus():
    assert numbers.large(-1286.11559) == "−1,286.116"
    assert numbers.count(12345) == "12,345"


def test_a_recorded_moment_reads_as_day_and_time():
    assert numbers.moment("2025-05-14T10:44:00") == "14 May 2025, 10:44"
    assert numbers.moment("yesterday") == "yesterday"
    assert numbers.moment("") == "–"


def test_a_long_label_keeps_its_two_ends_in_a_sentence():
    told = numbers.short("x" * 150 + "y" * 150)
    assert len(told) <= 48
    assert told[0] == "x"
    assert told[-1] == "y"


def test_labels_that_differ_only_in_the_middle_stay_different():
    labels = [f"Adverse event, grade {i}, could have been prevented by the team" for i in range(12)]
    told = numbers.shorts(labels, 24)
    assert len(set(told)) == 12
    assert max(len(text) for text in told) <= 24
    assert numbers.shorts(["yes", "no"], 24) == ("yes", "no")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (0.44, "0.44"),
        (0.998, "0.998"),
        (-0.001, "−0.001"),
        (0.0002, "0.0002"),
        (0.00002, "<0.0001"),
        (-0.00002, ">−0.0001"),
        (0.99998, ">0.9999"),
        (1e-9, "0.00"),
        (0.0, "0.00"),
        (1.0, "1.00"),
        (None, "–"),
    ],
)
def test_a_number_that_is_not_0_or_1_never_reads_so(value, told):
    found = Estimate(value) if value is not None else undefined("there is none")
    assert str(numbers.value(found)) == told
    assert str(numbers.decimal(value)) == told


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 1))
def test_value_and_both_ends_are_written_alike_and_none_of_them_as_what_it_is_not(value, below, above):
    found = Estimate(value).between(value - below, value + above, 0.95, "profile")
    digits = numbers.places(found)
    told = [str(numbers.value(found)), *str(numbers.interval(found)).split(" to ")]
    for number, text in zip((found.value, found.low, found.high), told, strict=True):
        assert number is not None
        plain = text.strip("<>").replace("−", "-")
        assert len(plain.split(".")[1]) == digits
        # Half of the last place at most, and the sign that says on which side it lies.
        assert abs(float(plain) - number) <= 0.5 * 10.0**-digits + 1e-12 or text[0] in "<>"
        for whole in (0.0, 1.0):
            if abs(number - whole) > 1e-6 and (whole == 0 or number < 1):
                assert text[0] in "<>" or float(plain) != whole


@pytest.mark.parametrize(
    ("share", "told"), [(0.44, "about 44"), (0.001, "fewer than 1"), (0.999, "more than 99"), (1.0, "about 100")]
)
def test_a_share_out_of_100_carries_its_word(share, told):
    assert numbers.about(share) == told


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [(0.597, 0.603, "0.597 to 0.603"), (0.5996, 0.6004, "0.5996 to 0.6004"), (0.2, 0.3, "0.20 to 0.30")],
)
def test_the_ends_of_an_interval_never_read_as_one_number(low, high, told):
    found = Estimate((low + high) / 2).between(low, high, 0.95, "profile")
    assert str(numbers.interval(found)) == told
    assert numbers.places(found) == len(told.split(" ")[0]) - 2


def test_an_interval_that_is_one_number_reads_so():
    found = Estimate(1.0).between(1.0, 1.0, 0.95, "profile")
    assert str(numbers.interval(found)) == "1.00 to 1.00"
    assert numbers.places(found) == 2
