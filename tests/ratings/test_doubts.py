"""More tables as wards, juries and other programs keep them: what is doubtful in them is asked about."""

import random

import pytest

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.layouts.roles import is_person
from tapdesk.ratings.ratings import CovariateOf
from tests.ratings.telling import asks, blocks, codes, told
from tests.ratings.test_exports import WORDS, case, csv


def test_columns_that_are_called_like_questions_of_a_form_are_asked_about(text):
    lines = [[i, *WORDS[i % 5 : i % 5 + 3]] for i in range(15)]
    reading = text(csv(["patient", "Allergy recorded", "Consent signed", "Weight recorded"], *lines))
    assert "perhaps_questions" in asks(reading)
    for names in (
        ["Ana Lopez", "Ben Carter", "Cy Young"],
        ["Ana", "Ben", "Cy"],
        ["Anna van Dyke", "Ludwig von B.", "Cy"],
    ):
        assert "perhaps_questions" not in codes(text(csv(["patient", *names], *lines)))


def test_roles_that_no_name_tells_are_asked_about(text):
    lines = [[f"{4 + i % 9}.5", f"{1 + i % 7}.1", ("red", "blue")[i % 2]] for i in range(40)]
    assert "roles_by_values" in asks(text(csv(["sepal", "petal", "species"], *lines)))
    lines = [[f"w{i}", who, WORDS[i]] for i in range(8) for who in ("Ana", "Ben")]
    assert "roles_by_values" not in codes(text(csv(["wine", "judge", "medal"], *lines)))
    assert "roles_by_values" not in codes(text(csv(["wine", "who", "what"], *lines)))


def test_cases_that_every_ward_numbers_anew_are_asked_about(text):
    lines = [[ward, i, WORDS[i], WORDS[-i]] for ward in "XYZ" for i in range(8)]
    found = told(text(csv(["ward", "patient", "r1", "r2"], *lines)), "cases_numbered_anew")
    assert found.about == (("ward",), ("X", "Y", "Z"))
    # A second round in one ward is a repeat and nothing else.
    again = [["X", i, WORDS[i], WORDS[-i]] for _round in range(2) for i in range(8)]
    reading = text(csv(["ward", "patient", "r1", "r2"], *again, ["Y", 9, "Yes", "No"]))
    assert "cases_numbered_anew" not in codes(reading)


@pytest.mark.parametrize("sign", ["", "%"])
def test_measurements_of_two_raters_need_not_be_equal_to_be_on_one_scale(text, sign):
    lines = [[f"w{i}", f"{(i * 37) % 101}{sign}", f"{(i * 53 + 9) % 101}{sign}"] for i in range(15)]
    reading = text(csv(["wine", "Ana", "Ben"], *lines))
    assert reading.ratings.raters == ("Ana", "Ben")
    assert "continuous_scores" in asks(reading)
    # A height and an age are on no common scale.
    lines = [[f"p{i}", f"{150.5 + i}", f"{20.5 + 2 * i}"] for i in range(15)]
    assert text(csv(["patient", "height", "years"], *lines)).ratings.raters != ("height", "years")


def test_scores_with_decimals_that_all_differ_are_scores_and_not_identifiers(text):
    lines = [f"w{i};{i + 1},{10 + i};{(7 * i) % 15 + 1},{40 + i}\n" for i in range(15)]
    reading = text("wine;Ana;Ben\n" + "".join(lines))
    assert reading.ratings.rating_count == 30
    assert "continuous_scores" in asks(reading)


def test_a_line_of_dashes_below_the_header_is_no_case(text):
    lines = "".join(f"| c{i} | {WORDS[i]} | {WORDS[-i]} |\n" for i in range(8))
    reading = text(f"| case | Ana | Ben |\n|------|-----|-----|\n{lines}")
    assert reading.ratings.subject_count == 8
    assert reading.ratings.classes == ("No", "Yes")
    assert told(reading, "rule_line").where == "row 2"


def test_a_key_above_the_table_is_no_header(book):
    lines = [[f"c{i}", *case(i, 0, 1, 2)] for i in range(12)]
    reading = book([["Key", "1 = poor", "2 = fair", "3 = good"], [], ["Case", "Ana", "Ben", "Cy"], *lines])
    assert reading.source.header_rows == (3,)
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert told(reading, "letterhead").where == "row 1"


def test_columns_without_a_name_for_the_cases_are_all_said_to_be_raters(text):
    reading = text(csv(["a", "b", "c"], *(case(i, 0, 1, 2) for i in range(25))))
    assert "each of 'a', 'b' and 'c' is read as a rater" in told(reading, "no_case_column").default


def test_one_sheet_for_each_judge_is_stacked_though_each_has_a_title_of_its_own(book):
    def sheet(name):
        lines = [[f"Wine {i}", ("Gold", "Silver")[(i + len(name)) % 2], "fine" if i == 3 else None] for i in range(12)]
        return [[f"Judge: {name}"], ["Wine", "Medal", "Remark"], *lines]

    more = [("Bernd", sheet("Bernd")), ("Cy", sheet("Cy")), ("Result", [["Wine", "Gold"]])]
    reading = book(sheet("Anna"), more=more)
    assert reading.ratings.raters == ("Ratings", "Bernd", "Cy")
    assert reading.ratings.subject_count == 12
    assert reading.ratings.rating_count == 36
    assert reading.ratings.classes == ("Silver", "Gold")
    assert "sheets_stacked" in asks(reading)


@pytest.mark.parametrize("name", ["Mittel", "Ø", "Gemiddelde", "Média", "Promedio", "Moyenne"])
def test_a_row_of_means_is_seen_in_other_languages(text, name):
    lines = [[f"w{i}", *case(i, 0, 1)] for i in range(12)]
    assert "summary_row" in asks(text(csv(["wine", "Ana", "Ben"], *lines, [name, 2, 2])))


def test_the_sentence_about_the_order_says_how_many_classes_it_does_not_name(text):
    lines = [[f"w{i}", 1 + i % 14, 1 + (i + i // 9) % 14] for i in range(40)]
    reading = text(csv(["wine", "Ana", "Ben"], *lines, ["x", "later", "never said"]))
    assert reading.source.words[-1].endswith("11 < 12 and 4 more.")


@pytest.mark.parametrize(
    ("name", "asked"),
    [("Patient name", True), ("Name", True), ("Email", True), ("Surname", True), ("Wine name", False), ("Case", False)],
)
def test_names_of_persons_are_asked_about_and_those_of_wines_are_not(text, name, asked):
    lines = [[f"Who {i}", WORDS[i], WORDS[-i]] for i in range(8)]
    reading = text(csv([name, "Ana", "Ben"], *lines))
    assert reading.source.roles["subject"] == name
    assert ("persons_as_cases" in asks(reading)) == asked


@pytest.mark.parametrize("word", ["flight", "order", "year", "Tisch"])
def test_numbers_a_wine_has_by_the_way_are_asked_about_though_they_are_on_the_scale(text, word):
    lines = [[f"w{i}", 1 + i // 4, *case(i, 0, 1, 2)] for i in range(12)]
    reading = text(csv(["wine", word, "Ana", "Ben", "Cy"], *lines))
    assert told(reading, "perhaps_no_rater").about == ((word,),)
    assert reading.ratings.raters == (word, "Ana", "Ben", "Cy")


@pytest.mark.parametrize("word", ["Flight", "Tisch"])
def test_numbers_by_the_way_that_nobody_gave_as_a_score_are_no_rater(text, word):
    rng = random.Random(2)
    lines = [[f"w{i}", 1 + i // 8, *(rng.randint(9, 19) for _ in range(4))] for i in range(48)]
    reading = text(csv(["wine", word, "Okafor", "Haverkamp", "Szabó", "Lindqvist"], *lines))
    assert reading.ratings.raters == ("Okafor", "Haverkamp", "Szabó", "Lindqvist")
    assert reading.ratings.covariates[word].of is CovariateOf.SUBJECT


@pytest.mark.parametrize("name", ["Nr.", "#", "no", "Index"])
def test_a_column_of_row_numbers_is_no_rater_wherever_it_stands(text, name):
    last = text(csv(["Ana", "Ben", "Cy", name], *([*case(i, 0, 1, 2), i + 1] for i in range(12))))
    assert last.source.roles["subject"] == name
    assert last.ratings.raters == ("Ana", "Ben", "Cy")
    first = text(csv([name, "patient", "Ana", "Ben"], *([i + 1, 100 + i // 2, *case(i, 0, 1)] for i in range(12))))
    assert first.ratings.raters == ("Ana", "Ben")
    # Numbered rows of patients who come again: which of the two the case is stays open until it is said.
    assert told(first, "cases_come_again").about == ((name,), ("patient",))
    assert blocks(first) == {"cases_come_again"}
    assert "columns_not_rated" not in asks(first)


def test_what_a_score_sheet_asks_is_no_list_of_raters(text):
    lines = [[f"e{i}", *case(i, 0, 1, 2)] for i in range(12)]
    assert "perhaps_questions" in asks(text(csv(["essay", "Content", "Style", "Grammar"], *lines)))
    # One judge may be called Grace or Style; two of three tell.
    assert "perhaps_questions" not in asks(text(csv(["essay", "Grace", "Style", "Ben"], *lines)))


def test_a_letter_typed_for_a_digit_and_a_web_sign_are_asked_about(text):
    lines = [[f"c{i}", "O" if i == 4 else i % 2, "l" if i == 7 else i // 2 % 2] for i in range(24)]
    found = [set(f.about[0]) for f in text(csv(["case", "Ana", "Ben"], *lines)).findings if f.code == "look_alikes"]
    assert len(found) == 2
    assert {"0", "O"} in found
    assert {"1", "l"} in found
    lines = [[f"c{i}", ("R&amp;D", "Ops")[i % 2], ("R&D", "Ops")[i // 2 % 2]] for i in range(12)]
    assert "look_alikes" in asks(text(csv(["case", "Ana", "Ben"], *lines)))
    # Noughts and crosses are no digits.
    lines = [[f"c{i}", "xo"[i % 2], "xo"[i // 2 % 2]] for i in range(12)]
    assert "look_alikes" not in codes(text(csv(["case", "Ana", "Ben"], *lines)))


def test_a_result_in_the_last_row_looks_like_a_summary(text):
    lines = [[f"w{i}", *case(i, 0, 1)] for i in range(12)]
    assert "summary_row" in asks(text(csv(["wine", "Ana", "Ben"], *lines, ["Ergebnis", 2, 2])))
    assert "summary_row" not in codes(text(csv(["wine", "Ana", "Ben"], ["Ergebnis", 2, 2], *lines)))


def test_ratings_in_merged_cells_are_asked_about(book):
    lines = [["wine", "Ana", "Ben"], *([f"w{i}", *case(i, 0, 1)] for i in range(12))]
    reading = book(lines, lambda sheet: sheet.merge_cells("B3:C3"))
    assert told(reading, "merged_ratings").where == "cells B3:C3"
    assert reading.ratings.rating_count == 23
    above = book([["Show", None, None], *lines], lambda sheet: sheet.merge_cells("A1:C1"))
    assert "merged_ratings" not in codes(above)


def test_a_long_number_of_a_patient_has_no_decimals(book):
    reading = book([["id", "Ana", "Ben"], *([1234567890123456 + i, WORDS[i], WORDS[-i]] for i in range(8))])
    assert reading.ratings.subjects[0] == "1234567890123456"
    assert reading.source.decimal is None


@pytest.mark.parametrize("remarks", [["late", "", ""] * 4, [f"remark {i}" for i in range(12)]])
def test_remarks_without_a_name_move_no_name(text, remarks):
    lines = [[i + 1, *case(i, 0, 1), remarks[i]] for i in range(12)]
    reading = text(csv(["case", "Ana", "Ben"], *lines))
    assert reading.ratings.raters == ("Ana", "Ben")
    assert reading.source.roles["subject"] == "case"
    assert "header_too_short" in asks(reading)


def test_sheets_of_months_with_two_raters_each_are_not_taken_for_a_sheet_each_rater(book):
    lines = [["Wine", "Ana", "Ben"], *([f"w{i}", *case(i, 0, 1)] for i in range(12))]
    reading = book(lines, more=[("February", lines)])
    assert reading.ratings.raters == ("Ana", "Ben")
    assert told(reading, "several_sheets").about == (("February",),)


def test_long_numbers_that_a_spreadsheet_cut_short_are_asked_about(text):
    names = [9434765919 + 7 * i if i % 2 else "9.43477E+09" for i in range(8)]
    reading = text(csv(["nhs number", "A", "B"], *([n, WORDS[i], WORDS[-i]] for i, n in enumerate(names))))
    assert told(reading, "numbers_cut_short").where == "column A (nhs number)"
    assert "numbers_cut_short" not in codes(text(csv(["case", "A", "B"], *([i, "1.5E+02", "2"] for i in range(8)))))


@pytest.mark.parametrize("name", ["Zoë", "José", "Müller", "naïve – case", "R’s"])
def test_letters_that_were_read_wrongly_before_are_noted(text, name):
    garbled = name.encode("utf-8").decode("cp1252")
    lines = [[f"c{i}", WORDS[i], WORDS[-i]] for i in range(8)]
    assert "garbled_letters" in codes(text(csv(["case", garbled, "Ben"], *lines)))
    assert "garbled_letters" not in codes(text(csv(["case", name, "São Ângela", "Ben"], *([*x, "No"] for x in lines))))


@pytest.mark.parametrize(
    ("there", "message"),
    [
        (range(92, 140), "Lopez rated 48 of 140 cases. None of the first 92."),
        (range(60), "Lopez rated 60 of 140 cases. None of the last 80."),
        (range(0, 140, 2), "Lopez rated 70 of 140 cases."),
    ],
)
def test_who_came_late_left_early_or_helped_out_is_told(text, there, message):
    lines = [["record", "Adams", "Chen", "Davies", "Lopez"]]
    lines += [
        [f"R{i}", WORDS[i % 2], WORDS[i % 3 > 0], WORDS[i % 2], WORDS[i % 2] if i in there else ""] for i in range(140)
    ]
    found = told(text(csv(*lines)), "sparse_rater")
    assert (found.message, found.about) == (message, (("Lopez",),))


def test_where_everybody_rated_a_part_nobody_is_sparse(text):
    lines = [["record", "A", "B", "C", "D"]]
    lines += [
        [f"R{i}", *("" if j in {i % 4, (i + 1) % 4} else WORDS[(i + j) % 2] for j in range(4))] for i in range(60)
    ]
    assert "sparse_rater" not in codes(text(csv(*lines)))


def test_classes_without_a_known_order_are_not_told_as_one_less_than_another(text):
    lines = [[f"w{i}", ("plum", "fig", "pear")[i % 3], ("fig", "pear", "plum")[(i + i // 4) % 3]] for i in range(20)]
    said = text(csv(["wine", "Ana", "Ben"], *lines)).source.words[-1]
    assert said == "The classes are in the order in which they first appear: plum, fig, pear."


def test_one_column_in_three_called_like_a_question_is_enough_to_ask(text):
    lines = [[i, *WORDS[i % 5 : i % 5 + 3]] for i in range(15)]
    assert "perhaps_questions" in asks(text(csv(["record", "Hand hygiene", "Gloves", "Gown"], *lines)))
    assert "perhaps_questions" not in asks(text(csv(["record", "Ana Lopez", "Ben", "Cy"], *lines)))


def test_a_second_table_with_one_rater_of_the_first_leaves_the_header_where_it_is(text):
    lines = [[f"c{i}", *case(i, 0, 1)] for i in range(12)]
    more = [[f"d{i}", *case(i, 0, 1)] for i in range(5)]
    reading = text(csv(["case", "Ana", "Ben"], *lines, ["case", "Ana", "Dora"], *more))
    assert reading.source.header_rows == (1,)
    assert told(reading, "second_table").about == (("14",),)
    # Without a header the first case may come again: it is no header for that.
    rows = [[f"c{i}", who, WORDS[i]] for i in range(8) for who in ("Ana", "Ben")]
    assert text(csv(*rows)).source.header_rows == ()


@pytest.mark.parametrize("name", ["正解", "эталон", "Золотой стандарт", "标准答案"])
def test_known_answers_are_asked_about_in_other_letters_as_well(text, name):
    lines = [[f"x{i}", *case(i, 0, 1, 2)] for i in range(20)]
    assert "known_answers" in asks(text(csv(["症例", "評価者A", "評価者B", name], *lines)))


def ticked(*shares):
    """Sixty rows of yes and no, each column as common as it is and knowing nothing of the others."""
    rng = random.Random(4)
    return [[i + 100, *("yes" if rng.random() < share else "no" for share in shares)] for i in range(60)]


def test_things_to_tick_beside_each_other_are_asked_about_with_one_cell_read_both_ways(text):
    found = told(text(csv(["Record", "Gloves", "Gown", "Mask"], *ticked(0.85, 0.4, 0.6))), "perhaps_questions")
    assert found.severity is Severity.BLOCK
    assert "may be raters of one question, or questions of their own" in found.message
    assert "They do not surely agree beyond what the share of each answer brings about" in found.default
    assert "As raters: the rater Gloves gave 130 the rating 'yes'." in found.default
    assert "As questions: somebody answered 'Gloves' of 130 with 'yes'; who it was is not told." in found.default
    # The same answers of people who guess are those of people.
    for names in (["Ana", "Ben", "Cy"], ["R1", "R2", "R3"], ["JS", "MK", "TB"], ["élise", "bjørn", "Dr Okafor"]):
        assert "perhaps_questions" not in codes(text(csv(["Record", *names], *ticked(0.85, 0.4, 0.6))))


def test_words_above_answers_that_agree_are_names_nobody_listed(text):
    lines = [[i, *case(i, 0, 1, 2)] for i in range(40)]
    assert "perhaps_questions" in codes(text(csv(["Record", "Gloves", "Gown", "Mask"], *lines)))
    same = [[i, *[WORDS[i % 7 % 5]] * 2, WORDS[(i + (i % 9 == 0)) % 7 % 5]] for i in range(40)]
    assert "perhaps_questions" not in codes(text(csv(["Record", "Hollensteiner", "Obuya", "Szabo"], *same)))


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *((n, True) for n in ("Ana", "ben", "Ana L.", "A. Vormbrock", "JS", "R2", "7", "Rater B", "Dr Weiss", "José")),
        *((n, False) for n in ("Gloves", "Fever", "trust", "Alt text", "Weight recorded", "Q1", "Hand hygiene")),
    ],
)
def test_who_is_called_as_people_are(name, is_one):
    assert is_person(name) is is_one
