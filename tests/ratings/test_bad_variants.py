"""Awkward files in other words and places than usual (bad_input.md 3, 6, 8, 9, 12, 14, 28, 30, 33, 38, 45)."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, Uneven
from tests.ratings.telling import asks, codes, told


def wide(*rows, head="case;Ana;Ben;Cy"):
    """A table of eight times some rows of three ratings."""
    lines = [f"w{i}{j};{row}" for i in range(8) for j, row in enumerate(rows)]
    return "\n".join([head, *lines]) + "\n"


def test_03_letters_of_latin_2_are_among_the_previews(text):
    with pytest.raises(TapdeskError, match="iso8859_2 reads Žofie, Šimon") as caught:
        text(wide("1;2;2", head="case;Žofie;Šimon;Ana").encode("iso-8859-2"))
    options = [way[1]["encoding"] for way in caught.value.ways]
    assert options[-1] == "iso8859_2"
    assert len(options) <= 4


def test_06_a_decimal_comma_is_noted(text):
    assert "decimal comma" in told(text(wide("1,5;2,0;2,5")), "decimal_comma").message
    assert "decimal_comma" not in codes(text(wide("1.5;2.0;2.5")))


def test_08_numbers_whose_thousands_are_set_apart_are_counted(text):
    found = told(text(wide("1 000;2'000;3\u00a0000", "2'000;3\u00a0000;1 000")), "thousands_marks")
    assert found.message.startswith("In 48 numbers")
    assert found.where.startswith("cells B2, C2, D2")
    assert "thousands_marks" not in codes(text(wide("100;200;300")))


def test_09_rows_of_uneven_length_are_filled_up_and_cut_when_asked_and_both_is_said(text):
    table = "case,A,B\nw1,x,y\nw2,x\nw3,y,x,z\n" + "".join(f"v{i},x,y\n" for i in range(5))
    with pytest.raises(TapdeskError, match=r"row 3 with fewer than 3 cells, row 4 with more than 3.*--uneven fit"):
        text(table)
    found = told(text(table, uneven=Uneven.FIT), "uneven_rows")
    assert found.default.endswith("Long rows are cut: what stands beyond the last column is not read.")


def test_12_the_refusal_of_nameless_cases_names_the_option_that_fills_down(text):
    table = "case,rater,rating\n" + "".join(
        f"{'' if j else f'w{i}'},R{j},{j % 2}\n" for i in range(4) for j in (0, 1, 2)
    )
    with pytest.raises(TapdeskError, match="--fill-down"):
        text(table)


@pytest.mark.parametrize(("content", "words"), [
    ("case,A,,B\nw,1,,2\nv,2,,2\n", "Inside the table is 1 blank column; it is passed over."),
    ("case,A,B\nw,1,2\n,,\nv,2,2\n", "Inside the table is 1 blank row; it is passed over."),
    ("case,A,,B\nw,1,,2\n,,,\n,,,\nv,2,,2\n",
     "Inside the table are 2 blank rows and 1 blank column; they are passed over."),
])  # fmt: skip
def test_14_only_what_is_blank_is_counted(text, content, words):
    assert told(text(content), "blank_lines").message == words


@pytest.mark.parametrize(("date", "typed"), [
    ("03/04/2024", "3-4 or 3/4"), ("4-Mar", "4-3 or 4/3"), ("Mar-04", "3-4 or 3/4"), ("2024-03-04", "4-3 or 3/4"),
])  # fmt: skip
def test_28_what_was_typed_before_it_became_a_date_is_guessed_at(text, date, typed):
    message = told(text(wide(f"{date};1;2", "2;2;1")), "dates_among_ratings").message
    assert f"({date} was perhaps typed as {typed})" in message


def test_30_remarks_are_called_remarks_and_not_identifiers(text):
    table = "case,rater,remark\n" + "".join(f"w{i // 3},R{i % 3},the edge is not sharp {i}\n" for i in range(30))
    with pytest.raises(TapdeskError, match="All 30 ratings are different, as remarks are"):
        text(table)


@pytest.mark.parametrize(("word", "code"), [("?", "99"), ("not seen", "-9"), ("unknown", "999")])
def test_33_a_code_outside_the_scale_is_asked_about_beside_words_as_well(text, word, code):
    reading = text(wide(f"1;2;{code}", f"3;{word};2", "1;1;2"))
    assert {"maybe_missing_number", "maybe_missing_word"} <= asks(reading)
    assert told(reading, "maybe_missing_number").about == ((code,),)


def test_33_a_code_on_the_scale_is_not_asked_about_beside_words(text):
    assert "maybe_missing_number" not in codes(text(wide("7;8;9", "8;not seen;7", "9;10;7")))


@pytest.mark.parametrize(("rows", "order"), [
    (("★★★;★;★★", "★;★★;★★"), ("★", "★★", "★★★")),
    (("★★☆;★☆☆;★★★", "★☆☆;★★☆;★☆☆"), ("★☆☆", "★★☆", "★★★")),
    (("3/5;4/5;5/5", "5/5;3/5;2/5"), ("2/5", "3/5", "4/5", "5/5")),
])  # fmt: skip
def test_38_stars_and_points_out_of_so_many_stand_in_their_order_and_are_asked_about(text, rows, order):
    reading = text(wide(*rows))
    assert reading.ratings.classes == order
    assert reading.ratings.ordered
    assert "unusual_marks" in asks(reading)


def test_38_ticks_and_crosses_have_no_order(text):
    reading = text(wide("✓;x;✓", "x;x;✓"))
    assert {"unusual_marks", "order_unknown"} <= asks(reading)
    assert told(reading, "unusual_marks").message.startswith("All ratings are")


def test_45_numbers_below_the_steps_of_a_known_scale_look_like_counts_though_their_sums_differ(text):
    reading = text(wide("2;0;3", "1;4;2", "0;1;4", head="case;no;unsure;yes"))
    assert reading.source.layout is Layout.COUNTS
    assert "looks_like_counts" in asks(reading)
    assert reading.ratings.classes == ("no", "unsure", "yes")
    assert text(wide("2;0;3", "1;4;2", head="case;Ana;Ben;Cy")).source.layout is Layout.RATERS
