"""What the user names as a class or as a missing code is that, whatever it usually means."""

import pytest

from tapdesk.errors import UsageError
from tapdesk.ratings.findings import Severity
from tests.ratings.telling import codes, told

REGIONS = "case,Ana,Ben\nx,NA,SA\ny,EU,NA\nz,NA,NA\nv,EU,EU\nw,SA,SA\n"


@pytest.mark.parametrize("option", ["order", "class1", "class0"])
def test_a_class_the_user_names_is_a_class_though_it_usually_means_no_rating(text, option):
    named = {"order": ("NA", "SA", "EU"), "class1": ("NA",), "class0": ("NA", "SA")}[option]
    more = {"class1": ("EU",)} if option == "class0" else {}
    reading = text(REGIONS, **{option: named}, **more)
    assert reading.missing == 0
    assert reading.as_read.rating_count == 10
    assert "missing_codes" not in codes(reading)


def test_without_the_users_word_the_code_is_no_rating(text):
    assert text(REGIONS).missing == 4


def test_a_text_cannot_be_a_class_and_a_missing_code(text):
    with pytest.raises(UsageError, match="'NA' is named as a class and as a missing code"):
        text(REGIONS, order=("NA", "SA", "EU"), missing=("NA",))


@pytest.mark.parametrize("cell", ["99", "99.0", "99.00", "099", "'99"])
def test_a_number_named_as_missing_is_found_however_it_is_written(text, cell):
    reading = text(f"case,Ana,Ben\nx,1,2\ny,{cell},2\nz,2,1\n", missing=("99",))
    assert reading.missing == 1
    assert reading.ratings.classes == ("1", "2")


@pytest.mark.parametrize(("code", "cell"), [("99", "99,0"), ("99.0", "99"), ("-9", "−9"), ("-9", "-9,00")])
def test_the_decimal_mark_and_the_minus_sign_do_not_hide_a_missing_code(text, code, cell):
    reading = text(f"case;Ana;Ben\nx;1,5;2\ny;{cell};2\nz;2;1,5\n", missing=(code,))
    assert reading.missing == 1


def test_a_missing_code_that_is_nowhere_is_told(text):
    reading = text("case,Ana,Ben\nx,1,2\ny,1,2\nz,2,1\n", missing=("99",))
    finding = told(reading, "missing_code_unused")
    assert finding.severity is Severity.NOTE
    assert "'99'" in finding.message


@pytest.mark.parametrize(("code", "cell"), [("n/a", "N/A"), ("-", "–"), ("not seen", "Not  seen"), ("NA", "n.a.")])
def test_a_missing_code_typed_otherwise_in_the_file_is_suggested(text, code, cell):
    reading = text(f"case,Ana,Ben\nx,yes,no\ny,{cell},no\nz,no,yes\nv,no,no\n", missing=(code,))
    finding = told(reading, "missing_code_like")
    assert finding.severity is Severity.ASK
    assert finding.about == ((cell,),)
    assert reading.missing == 0


def test_a_code_that_is_found_is_not_asked_about_though_others_look_like_it(text):
    reading = text("case,Ana,Ben\nx,yes,n/a\ny,N/A,no\nz,no,yes\n", missing=("n/a",))
    assert codes(reading).isdisjoint({"missing_code_like", "missing_code_unused"})


CODES = ("1000000000000000000000000000000", "1000000000000000000000000000001")


def test_long_codes_that_differ_in_the_last_digit_are_two_numbers(text):
    rows = "".join(f"c{i},{CODES[i % 2]},{CODES[i % 3 > 0]}\n" for i in range(12))
    reading = text(f"case,Ana,Ben\n{rows}")
    assert "same_number" not in codes(reading)
    assert reading.ratings.classes == CODES
    missing = text(f"case,Ana,Ben\n{rows}", missing=(CODES[0],))
    assert missing.ratings.classes == CODES[1:]
    assert missing.missing == rows.count(CODES[0])
