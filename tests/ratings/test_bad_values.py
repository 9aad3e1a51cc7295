"""Awkward ratings (bad_input.md 24-39, 52): nothing is merged, dropped or turned round; everything is said."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.findings import Severity
from tests.ratings.telling import asks, blocks, codes, rows, told


def long(*labels, raters="AB"):
    """A long table of cases rated by two raters, the labels dealt out in turn."""
    lines = [f"c{i // len(raters)},{raters[i % len(raters)]},{label}" for i, label in enumerate(labels)]
    return "case,judge,rating\n" + "\n".join(lines) + "\n"


def test_22_one_class_only_is_told_and_does_not_stop_the_reading(text):
    reading = text(long("yes", "yes", "yes", "yes"))
    finding = told(reading, "one_class")
    assert finding.severity is Severity.ASK
    assert finding.message.startswith("Every rating is 'yes'")
    assert reading.ratings.rating_count == 4
    assert "one_class" in codes(text(long("yes", "yes", "yes", "yes"), order=("no", "yes")))


def test_24_capitals_and_blanks_are_asked_and_kept_apart(text):
    reading = text(long("Yes", "yes ", "YES", "no", "Yes", "yes"))
    finding = told(reading, "case_space_variants")
    assert (
        finding.message
        == "The ratings 'Yes' (2), 'yes ' (1), 'YES' (1) and 'yes' (1) differ only in capitals or blanks."
    )
    assert finding.where == "rows 3, 4 and 7"
    assert len(reading.ratings.classes) == 5


def test_24_words_that_mean_the_same_are_asked_and_kept_apart(text):
    reading = text(long("yes", "y", "no", "oui"))
    assert "'yes' (1), 'y' (1) and 'oui' (1) probably mean the same" in told(reading, "same_meaning").message
    assert reading.ratings.classes == ("no", "yes", "y", "oui")


@pytest.mark.parametrize(
    ("one", "other"),
    [("A", "А"), ("caf\u00e9", "cafe\u0301"), ("don't", "don’t"), ("x-ray", "x‑ray"), ("good", "go\u200bod")],
)
def test_25_look_alikes_are_asked_and_kept_apart(text, one, other):
    reading = text(long(one, other, "C", "C"))
    assert "look the same" in told(reading, "look_alikes").message
    assert {one, other} <= set(reading.ratings.classes)


def test_26_numbers_written_as_text_become_the_numbers_they_show(text):
    reading = text('case,A,B\nw1,3,"3 "\nw2,\'2,1\nw3,3,3\n')
    assert reading.ratings.classes == ("1", "2", "3")
    assert told(reading, "numbers_as_text").message.startswith("2 numbers were written as text")


@pytest.mark.parametrize("pair", [("01", "1"), ("1.0", "1")])
def test_27_the_same_number_in_two_forms_is_asked_for_ratings(text, pair):
    reading = text(long(*pair, "2", "2"))
    assert "are the same number written differently" in told(reading, "same_number").message
    assert set(pair) <= set(reading.ratings.classes)


def test_27_ids_are_never_taken_for_numbers(text):
    reading = text("case,judge,rating\n01,A,x\n1,A,y\n01,B,x\n1,B,x\n")
    assert reading.ratings.subjects == ("01", "1")


def test_28_dates_among_ratings_are_asked_with_what_was_perhaps_typed(text):
    reading = text(long("1", "2024-03-04", "2", "1"))
    assert "perhaps typed as 4-3 or 3-4" in told(reading, "dates_among_ratings").message
    assert told(reading, "dates_among_ratings").where == "row 3"
    assert "dates_among_ratings" in codes(text(long("1", "4-Mar", "2", "1")))


def test_29_a_column_of_dates_is_refused_as_ratings(text):
    dates = [f"2024-01-{1 + i % 6:02d}" for i in range(12)]
    with pytest.raises(TapdeskError, match="looks like a date column"):
        text(long(*dates))


def test_30_comments_are_refused_as_ratings_with_the_most_frequent(text):
    comments = [f"this wine is {i % 60} points too sweet" for i in range(120)]
    with pytest.raises(TapdeskError, match="There are 60 different texts where ratings should be") as caught:
        text(long(*comments))
    assert "'this wine is 0 points too sweet' (2)" in caught.value.what


def test_31_identifiers_are_refused_as_ratings(text):
    with pytest.raises(TapdeskError, match="All 24 ratings are different, as identifiers are: 'x0', 'x1'"):
        text(long(*[f"x{i}" for i in range(24)]))


def test_32_continuous_scores_are_asked(text):
    reading = text(long(*[str(i % 40) for i in range(100)]))
    assert "40 different scores" in told(reading, "continuous_scores").message
    assert len(reading.ratings.classes) == 40


@pytest.mark.parametrize("code", ["NA", "N/A", "n/a", ".", "-", "–", "NaN", "null", "#N/A", "#NULL!"])
def test_33_usual_missing_codes_are_no_rating_and_counted(text, code):
    reading = text(long("1", code, "2", "1"))
    assert reading.ratings.classes == ("1", "2")
    assert reading.missing_by == {code: 1}
    assert codes(reading) & {"missing_codes", "error_texts"}


@pytest.mark.parametrize("code", ["99", "999", "-1", "9"])
def test_33_number_codes_outside_the_scale_are_asked_and_kept(text, code):
    reading = text(long("1", code, "2", "3", "2", "1"))
    assert f"'{code}' (1)" in told(reading, "maybe_missing_number").message
    assert code in reading.ratings.classes
    assert code not in text(long("1", code, "2", "3", "2", "1"), missing=(code,)).ratings.classes


def test_33_number_codes_among_words_block_and_are_kept(text):
    reading = text(long("yes", "no", "99", "yes", "no", "999"))
    assert "'99' (1) and '999' (1)" in told(reading, "numbers_among_words").message
    assert "numbers_among_words" in blocks(reading)
    assert {"99", "999"} <= set(reading.ratings.classes)
    # Where other numbers are among the words, 9 may be one of them.
    assert "maybe_missing_number" not in codes(text(long("never", "9", "8", "always")))


def test_a_rater_who_often_did_not_answer_or_types_in_capitals_is_still_a_rater(text):
    shouted = text("case,A,B,C\n1,yes,YES,No\n2,no,NO,Yes\n3,yes,NO,No\n")
    assert shouted.ratings.raters == ("A", "B", "C")
    silent = text("case,A,B,C\n1,NA,yes,no\n2,n/a,no,no\n3,.,-,yes\n4,?,yes,no\n5,yes,no,no\n")
    assert silent.ratings.raters == ("A", "B", "C")


@pytest.mark.parametrize("huge", ["1e400", "-1e999"])
def test_a_number_too_large_for_any_program_is_a_text(text, huge):
    reading = text(f"case,A,B\n1,{huge},2\n2,1,2\n3,2,1\n4,1,1\n")
    assert huge in reading.ratings.classes
    assert reading.ratings.rating_count == 8


def test_33_nine_inside_its_scale_is_never_suspected(text):
    reading = text(long(*[str(i) for i in range(1, 11)] * 2))
    assert "maybe_missing_number" not in codes(reading)


def test_33_each_code_that_may_mean_missing_is_a_question_of_its_own(text):
    reading = text(long("1", "n/d", "2", "?", "n/d", "1"))
    found = [f for f in reading.findings if f.code == "maybe_missing_word"]
    assert sorted(f.about for f in found) == [(("?",),), (("n/d",),)]
    assert "'n/d' (2)" in next(f for f in found if f.about == (("n/d",),)).message


@pytest.mark.parametrize("word", ["?", "not seen", "could not judge", "unknown", "n/d", "Keine Angabe", "ns/nc"])
def test_33_words_that_may_mean_missing_are_asked_and_kept(text, word):
    reading = text(long("1", word, "2", "1"))
    assert told(reading, "maybe_missing_word").default == "They are kept as classes."
    assert word in reading.ratings.classes


def test_33_a_minus_beside_a_plus_is_an_answer(text):
    assert text(long("+", "-", "-", "+")).ratings.classes == ("-", "+")


def test_33_missing_codes_that_are_named_are_the_only_ones(text):
    reading = text(long("1", "NA", "2", ""), missing=("x",))
    assert "NA" in reading.ratings.classes
    assert reading.missing == 1


def test_34_kinds_of_missing_are_counted_apart(text):
    reading = text(long("1", "", "not applicable", "could not judge"), missing=("not applicable", "could not judge"))
    assert dict(reading.missing_by) == {"": 1, "not applicable": 1, "could not judge": 1}
    assert "blank (1), not applicable (1) and could not judge (1)" in told(reading, "missing_kinds").message


def test_35_and_37_a_rating_outside_the_declared_order_is_refused_with_its_cell(text):
    with pytest.raises(TapdeskError, match=r"'0' in row 3; '55' in row 5 \(perhaps 5, a typing slip\)"):
        text(long("1", "0", "5", "55"), order=("1", "2", "3", "4", "5"))


def test_37_a_doubled_digit_is_asked_without_an_order_too(text):
    reading = text(long(*["1", "2", "3", "4", "5"] * 12, "55"))
    assert "'55' (1)" in told(reading, "far_value").message
    assert "55" in reading.ratings.classes


@pytest.mark.parametrize("mark", ["3-4", "4+", "<5", "3/5", "★★★", "✓", "x"])
def test_38_ranges_fractions_and_marks_are_asked_and_kept_as_written(text, mark):
    reading = text(long("3", mark, "4", "3", "4"))
    assert "unusual_marks" in asks(reading)
    assert mark in reading.ratings.classes


def test_38_half_points_are_asked_and_stand_in_order(text):
    reading = text(long("1", "2.5", "2", "3", "1", "2"))
    assert "'2.5' (1)" in told(reading, "half_points").message
    assert reading.ratings.classes == ("1", "2", "2.5", "3")


def test_39_percentages_are_asked(text):
    reading = text(long("42%", "10%", "42%", "10%"))
    assert reading.ratings.classes == ("10%", "42%")
    assert "percentages" in asks(reading)


def test_63_a_rare_class_is_noted(text):
    reading = text(long(*["no"] * 200, "yes", "yes"))
    assert "'yes' (2)" in told(reading, "rare_class").message


def test_nothing_at_all_is_lost_by_default(text):
    labels = ["Yes", "yes ", "99", "?", "2024-03-04", "3-4", "42%", "not seen", "01", "1"]
    reading = text(long(*labels * 2))
    assert reading.ratings.rating_count == 20
    assert {c for _, _, c in rows(reading)} == {v.strip() for v in labels}


@pytest.mark.parametrize(("ratings", "classes"), [
    (["5", "2", "k.A.", "1", "2024-03-04", "3"], ("1", "2", "3", "5", "k.A.", "2024-03-04")),
    (["yes", "2024-03-04", "no"], ("no", "yes", "2024-03-04")),
    (["severe", "mild", "see letter", "none", "moderate"], ("none", "mild", "moderate", "severe", "see letter")),
])  # fmt: skip
def test_what_has_a_known_order_stands_in_it_though_other_texts_are_among_it_and_it_is_asked(text, ratings, classes):
    reading = text(long(*ratings * 2))
    assert reading.ratings.classes == classes
    assert not reading.ratings.ordered
    assert told(reading, "order_unknown").default.startswith("Those with a known order come first")


def test_the_answers_stand_before_the_numbers_of_a_row_of_means(text):
    reading = text("case,Ana,Ben,Cy\n" + "w,yes,no,no\nv,no,yes,yes\n" * 5 + "Mean,0.6,0.7,0.8\n")
    assert reading.as_read.classes == ("no", "yes", "0.6", "0.7", "0.8")


@pytest.mark.parametrize("ratings", [["red", "blue", "yes"], ["99", "red", "98", "blue"], ["a", "b", "1"]])
def test_a_few_codes_or_one_word_of_a_scale_give_no_order(text, ratings):
    reading = text(long(*ratings * 2))
    assert reading.ratings.classes == tuple(ratings)
    assert told(reading, "order_unknown").default == "They stand in the order in which they first appear."


def test_33_and_37_a_code_and_a_slip_are_asked_though_words_are_among_the_numbers(text):
    reading = text(long(*["1", "2", "3", "4", "5"] * 12, "99", "55", "k.A."))
    assert "'99' (1)" in told(reading, "maybe_missing_number").message
    assert "'55' (1)" in told(reading, "far_value").message
    # A sum below the ratings does not make 99 a step of the scale.
    sums = text(
        "case,Ana,Ben\n" + "".join(f"w{i},{i % 5 + 1},{i * 2 % 5 + 1}\n" for i in range(60)) + "w,99,1\nTotal,180,175\n"
    )
    assert "'99' (1)" in told(sums, "maybe_missing_number").message


@pytest.mark.parametrize("options", [{}, {"decimal": ","}, {"decimal": "."}])
def test_07_one_number_with_a_comma_in_one_column_and_a_dot_in_another_is_asked_about(text, options):
    lines = "".join(f"w{i};{('1,5', '2', '3')[i % 3]};{('1.5', '2', '3')[i % 3]}\n" for i in range(9))
    reading = text(f"case;Ana;Ben\n{lines}", **options)
    assert set(told(reading, "same_number").about[0]) == {"1,5", "1.5"}
    assert reading.as_read.rating_count == 18


def test_words_of_quality_in_other_languages_have_their_order(text):
    assert text(long("gut", "schlecht", "mittel", "gut")).as_read.classes == ("schlecht", "mittel", "gut")
    assert text(long("bon", "mauvais", "moyen", "bon")).as_read.classes == ("mauvais", "moyen", "bon")


def test_what_is_one_is_spoken_of_in_the_singular(text):
    said = " ".join(map(str, text(long("yes", "NA", "no", "yes")).source.words))
    assert "Besides blank cells, 'NA' means no rating." in said
    said = " ".join(map(str, text(long("yes", "NA", "no", "-", "no", "yes")).source.words))
    assert "mean no rating." in said
    crossed = "x,a,b\na,{first},2\nb,1,7\n"
    assert str(text(crossed.format(first=1)).source.sentence).startswith("For 1 case the first rater said a")
    assert str(text(crossed.format(first=1250)).source.sentence).startswith("For 1,250 cases the first rater said a")
