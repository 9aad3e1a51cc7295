"""Awkward files in other words and places than usual (bad_input.md 3, 6, 8, 9, 12, 14, 28, 30, 33, 38, 45)."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout, Uneven
from tapdesk.ratings.reading import read_now
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
    ("03/04/2024", "3-4 or 4-3"), ("4-Mar", "4-3 or 3-4"), ("Mar-04", "3-4 or 4-3"), ("2024-03-04", "4-3 or 3-4"),
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


def test_08_thousands_among_counts_are_counted_and_no_decimal_mark_is_asked_about(text):
    reading = text('n_ratings,n_class1,weight\n4,0,"1,200"\n4,1,430\n4,4,"2,010"\n')
    assert told(reading, "thousands_marks").message.startswith("In 2 counts")
    assert reading.ratings.subject_count == 3640
    assert "decimal_mark_uncertain" not in codes(reading)


@pytest.mark.parametrize("name", ["Durchschnitt", "Subtotal", "N", "All", "TOTAL:", "Std. Dev."])
def test_15_a_last_row_that_sums_up_is_asked_about_in_other_words(text, name):
    assert "summary_row" in asks(text(wide("1;2;2", "2;1;1") + f"{name};24;22;23\n"))


def test_15_a_case_that_is_called_n_further_up_is_no_summary(text):
    assert "summary_row" not in codes(text("case;Ana;Ben;Cy\nN;1;2;2\nO;1;1;1\nP;2;2;1\n"))


@pytest.mark.parametrize("name", ["Gold standard", "Reference", "Truth"])
def test_15_a_reference_is_no_rater(text, name):
    assert told(text(wide("1;2;2;2", "2;1;1;1", head=f"case;Ana;Ben;Cy;{name}")), "known_answers").about == ((name,),)


def test_17_a_header_that_calls_several_columns_reader_names_several_readers(text):
    reading = text(wide("1;2;2", "2;1;1", head="case;Reader;Reader;Reader"))
    assert reading.ratings.raters == ("Reader", "Reader (2)", "Reader (3)")
    assert "duplicate_column_names" in asks(reading)


def test_17_a_column_without_a_name_is_noted(text):
    found = told(text(wide("1;2;2", "2;1;1", head="case;Ana;;Cy")), "column_without_name")
    assert found.message.endswith("column C is called 'Column 3'.")
    assert "column_without_name" not in codes(text(",no,yes\nno,4,1\nyes,2,7\n"))


@pytest.mark.parametrize("group", [("pos", "positive", "+"), ("neg", "negative"), ("done.", "done")])
def test_24_words_of_one_meaning_are_asked_about_on_other_scales_too(text, group):
    reading = text("".join(f"w{i};{a};{b};other\n" for i, (a, b) in enumerate((a, b) for a in group for b in group)))
    about = [set(f.about[0]) for f in reading.findings if f.code == "same_meaning"]
    assert set(group) in about


@pytest.mark.parametrize(
    ("date", "typed"), [("01. Feb", "1-2"), ("02. Mrz", "2-3"), ("4-mars", "4-3"), ("1.2.", "1-2")]
)
def test_28_dates_of_other_languages_are_seen(text, date, typed):
    assert f"perhaps typed as {typed}" in told(text(wide(f"{date};1;2", "2;2;1")), "dates_among_ratings").message


def test_28_a_label_that_only_begins_like_a_month_is_no_date(text):
    assert "dates_among_ratings" not in codes(text(wide("marginal 3;set 1;set 2", "set 1;set 2;marginal 3")))


@pytest.mark.parametrize("codes_", [("998", "999"), ("77", "88"), ("-8", "-9")])
def test_33_two_codes_beside_each_other_are_both_asked_about(text, codes_):
    reading = text(wide(f"1;2;{codes_[0]}", f"3;{codes_[1]};2", "1;1;2"))
    assert set(told(reading, "maybe_missing_number").about[0]) == set(codes_)


@pytest.mark.parametrize("word", ["(blank)", "[missing]", "empty", "...", "*", "nicht beurteilbar"])
def test_33_words_for_nothing_are_asked_about_in_other_dress(text, word):
    assert told(text(wide(f"1;2;{word}", "2;1;1")), "maybe_missing_word").about == ((word,),)


def test_36_labels_that_lead_with_their_number_stand_in_its_order(text):
    reading = text(wide("2 = mid;1 = low;3 = high", "3 = high;2 = mid;10 = top"))
    assert reading.ratings.classes == ("1 = low", "2 = mid", "3 = high", "10 = top")
    assert reading.ratings.ordered


def test_37_several_slips_do_not_hide_each_other(text):
    table = "case;Ana;Ben;Cy\n" + "".join(f"w{i};{1 + i % 4};{1 + (i // 2) % 4};{1 + i % 3}\n" for i in range(40))
    reading = text(table + "v1;11;2;3\nv2;1;44;2\nv3;-2;1;1\n")
    assert set(told(reading, "far_value").about[0]) == {"11", "44", "-2"}


def test_45_the_totals_of_a_cross_table_are_checked_and_left_out_also_when_the_classes_are_named(text):
    table = ",no,yes,Total\nno,40,9,49\nyes,6,45,51\nTotal,46,54,100\n"
    without = text(table, columns=("no", "yes"), layout=Layout.CONFUSION)
    assert told(text(table), "totals_checked")
    for reading in (text(table), without):
        assert reading.ratings.subject_count == 100
        assert reading.ratings.rating_count == 200
        assert reading.ratings.classes == ("no", "yes")


def test_04_a_name_that_suggests_no_mark_is_not_contradicted(text):
    message = told(text("case\tA\tB\nw1\t1\t2\nw2\t2\t2\n", name="pasted.txt"), "delimiter").message
    assert message == "Tabs separate the columns."


def test_35_a_zero_outside_the_order_is_asked_about_as_a_missing_code(text):
    with pytest.raises(TapdeskError, match=r"If 0 means that there is no rating.*--missing 0"):
        text(wide("1;2;0", "3;4;2"), order=("1", "2", "3", "4"))
    assert text(wide("1;2;0", "3;4;2"), order=("1", "2", "3", "4"), missing=("0",)).missing == 8


@pytest.mark.parametrize("name", ["export.xls", "export.xlsx"])
def test_48_text_under_the_name_of_a_workbook_is_read_and_said_to_be_text(text, name):
    assert "plain text" in told(text(wide("1;2;2", "2;1;1"), name=name), "another_kind").message


def test_48_a_workbook_under_the_name_of_a_text_is_read_and_said_to_be_a_workbook(book):
    reading = book([["case", "A", "B"], ["w1", 1, 2], ["w2", 2, 2]], name="export.csv.xlsx")
    assert "another_kind" not in codes(reading)
    path = reading.source.path
    renamed = path.rename(path.with_suffix(".csv"))
    assert "a workbook (.xlsx)" in told(read_now(renamed), "another_kind").message
