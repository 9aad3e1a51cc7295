"""Tables as other programs export them: nothing beside the ratings is read as ratings without a question."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.layouts.crossed import wide_questions
from tapdesk.ratings.options import Layout
from tests.ratings.telling import asks, codes, rows, told

WORDS = ["Yes", "No", "No", "Yes", "Yes", "No", "Yes", "No"]
STEPS = [1, 2, 3, 2, 1, 3, 3, 1, 2, 1, 1, 3]


def csv(*lines):
    """Lines as text."""
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def case(i, *shifts):
    """Ratings of a case by some raters who mostly agree."""
    return [STEPS[(i + s) % len(STEPS)] if (i + s) % 4 == 0 else STEPS[i % len(STEPS)] for s in shifts]


def test_a_fact_that_shares_the_scale_of_numbered_raters_is_asked_about(text):
    lines = [[f"p{i}", i % 4, *case(i, 0, 1, 2)] for i in range(24)]
    reading = text(csv(["Patient", "Parity", "R1", "R2", "R3"], *lines))
    assert reading.ratings.raters == ("Parity", "R1", "R2", "R3")
    found = told(reading, "perhaps_no_rater")
    assert found.about == (("Parity",),)
    assert found.where == "column B (Parity)"
    # Named rating columns are named: nothing is asked.
    assert "perhaps_no_rater" not in codes(
        text(csv(["Patient", "Parity", "R1", "R2"], *(x[:4] for x in lines)), columns=("Parity", "R1", "R2"))
    )


def test_a_column_most_of_whose_answers_nobody_else_gave_is_asked_about(text):
    lines = [[f"p{i}", (i * 5) % 9, *case(i, 0, 1, 2)] for i in range(27)]
    assert told(text(csv(["Patient", "Days", "Ana", "Ben", "Cy"], *lines)), "perhaps_no_rater").about == (("Days",),)


def test_raters_of_any_name_who_use_one_scale_are_asked_nothing(text):
    lines = [[f"p{i}", *case(i, 0, 1, 2, 3)] for i in range(24)]
    for header in (["Ana", "Ben", "Cy", "Dee"], ["J1", "J2", "J3", "J4"], ["Dr A", "Dr B", "Nurse A", "Nurse B"]):
        asked = asks(text(csv(["Patient", *header], *lines)))
        assert not asked & {"perhaps_no_rater", "several_questions", "called_like_answers", "maybe_raters_in_rows"}


@pytest.mark.parametrize(
    ("names", "questions"),
    [
        ("R1 grade,R1 trust,R2 grade,R2 trust", ("grade", "trust")),
        ("Colour J1,Colour J2,Nose J1,Nose J2", ("Colour", "Nose")),
        ("Anna / Colour,Anna / Nose,Bernd / Colour,Bernd / Nose", ("Colour", "Nose")),
        ("Ana 1,Ana 2,Ben 1,Ben 2", ("1", "2")),
        ("R1_t1,R1_t2,R2_t1,R2_t2", ("t1", "t2")),
        ("Dr 1,Dr 2,Nurse 1,Nurse 2", ()),
        ("Rater 1,Rater 2,Rater 3", ()),
        ("Ana,Ben,Cy,Dee", ()),
        ("R1 grade,R1 trust,R2 grade", ()),
        ("Ana,Ana trust,Ben,Ben trust", ("Ana / Ben", "trust")),
        ("Ana,Ben,Ana_2,Ben_2", ("Ana / Ben", "2")),
        ("Ana,Ana (2),Ben,Ben (2)", ()),
        ("Ana,Ana Maria,Ben", ()),
    ],
)
def test_questions_beside_each_other_are_told_by_their_names(names, questions):
    assert tuple(group[0] for group in wide_questions(tuple(names.split(","))).groups) == questions


def test_two_questions_to_each_rater_are_asked_about_and_one_of_them_is_read(text):
    lines = [[f"i{i}", *case(i, 0, 4, 1, 5)] for i in range(20)]
    content = csv(["image", "R1 grade", "R1 trust", "R2 grade", "R2 trust"], *lines)
    found = told(text(content), "several_questions")
    assert found.about[0] == ("grade", "R1 grade", "R2 grade")
    one = text(content, columns=found.about[0][1:])
    assert one.ratings.raters == ("R1", "R2")
    assert rows(one)[0] == ("i0", "R1", str(lines[0][1]))


def test_percentages_beside_counts_are_no_class_and_do_not_hide_the_counts(text):
    lines = [[f"Item {i}", i, 10 - i, f"{10 * i}%"] for i in range(11)]
    reading = text(csv(["Item", "Yes", "No", "% Yes"], *lines))
    assert reading.source.layout is Layout.COUNTS
    assert reading.ratings.classes == ("No", "Yes")
    assert reading.ratings.rating_count == 110
    assert "looks_like_counts" in asks(reading)
    assert "'% Yes' is read as further information" in told(reading, "columns_not_rated").message


def test_few_rows_of_numbers_below_answers_are_asked_about_as_counts(text):
    reading = text(csv(["Item", "Yes", "No"], ["a", 3, 2], ["b", 4, 1], ["c", 0, 5]))
    assert told(reading, "called_like_answers").about == (("Yes", "No"),)


def test_the_names_of_a_table_written_by_r_stand_above_their_columns(text):
    lines = "".join(f'"{i + 1}" "c{i}" "{WORDS[i]}" "{WORDS[-i]}"\n' for i in range(8))
    reading = text(f'"case" "ana" "ben"\n{lines}')
    assert reading.ratings.raters == ("ana", "ben")
    assert reading.ratings.subjects[0] == "c0"
    assert reading.ratings.rating_count == 16
    assert "header_one_short" in asks(reading)


def test_a_mark_at_the_start_of_every_file_put_behind_another_is_no_part_of_a_name(text):
    parts = (csv(["case", "rater", "rating"], *([f"c{i}", who, WORDS[i]] for i in range(8))) for who in ("Ana", "Ben"))
    reading = text("".join("\ufeff" + part for part in parts))
    assert reading.ratings.subject_count == 8
    assert reading.ratings.raters == ("Ana", "Ben")
    assert "header_again" in codes(reading)


def test_a_survey_writes_its_header_in_two_rows_and_people_in_rows(text):
    header = ["Respondent ID", "Start Date", "Case 1", "Case 2", "Case 3"]
    lines = [[f"11{i}", f"03/0{i + 1}/2024", WORDS[i], WORDS[-i], WORDS[i - 3]] for i in range(6)]
    reading = text(csv(header, ["", "", "Response", "Response", "Response"], *lines))
    assert reading.source.header_rows == (1, 2)
    assert reading.ratings.classes == ("No", "Yes")
    assert reading.ratings.subject_count == 6
    assert {"two_row_header", "maybe_raters_in_rows"} <= asks(reading)
    # A case without a name that was answered like others is no second header.
    reading = text(csv(["Case", "A", "B", "C"], ["", "Yes", "No", "No"], *([f"c{i}", *WORDS[:3]] for i in range(6))))
    assert reading.source.header_rows == (1,)


def test_numbers_beside_the_word_judge_name_the_cases(text):
    lines = [[who, *(STEPS[(i + j) % 12] for i in range(10))] for j, who in enumerate(["Ana", "Ben", "Cy"])]
    reading = text(csv(["Judge", *range(101, 111)], *lines))
    assert reading.source.layout is Layout.SUBJECTS
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert set(reading.ratings.subjects) == {str(n) for n in range(101, 111)}


def test_visits_are_no_rater_though_they_are_numbered_as_scores_are(text):
    lines = [[f"p{i}", visit, STEPS[(i + visit) % 12]] for i in range(12) for visit in (1, 2, 3)]
    reading = text(csv(["patient", "visit", "score"], *lines))
    assert reading.source.layout is Layout.LONG
    assert reading.ratings.rating_count == 36
    assert not reading.ratings.raters_known
    assert "rounds" in asks(reading)


def test_the_identifier_of_an_annotation_is_neither_rating_nor_case(text):
    header = ["annotation_id", "annotator", "id", "sentiment"]
    lines = [[100 + 2 * i + j, j + 1, i, ("Good", "Bad")[(i + j) % 2]] for i in range(10) for j in range(2)]
    reading = text(csv(header, *lines))
    assert reading.source.roles == {"subject": "id", "rater": "annotator", "rating": "sentiment"}
    assert reading.ratings.subject_count == 10
    assert reading.ratings.rating_count == 20


def test_typographic_quotation_marks_around_an_answer_are_asked_about(text):
    lines = [
        [f"c{i}", f"“{w}”" if i % 2 else w, w] for i, w in enumerate(["good", "bad", "good", "good", "bad", "bad"])
    ]
    found = told(text(csv(["case", "Ana", "Ben"], *lines)), "same_meaning")
    assert {"good", "“good”"} in [set(group) for group in found.about]


def test_a_second_table_below_the_first_is_asked_about_and_can_be_left_out(text):
    first = csv(["case", "Ana", "Ben"], *([f"c{i}", WORDS[i], WORDS[-i]] for i in range(8)))
    second = csv(["case", "Cy", "Dee"], *([f"c{i}", WORDS[-i], WORDS[i]] for i in range(8)))
    assert told(text(f"{first}\n{second}"), "second_table").about == (("11",),)
    reading = text(f"{first}\n{second}", last=10)
    assert "second_table" not in codes(reading)
    assert reading.ratings.raters == ("Ana", "Ben")
    assert reading.ratings.rating_count == 16


def test_a_second_table_beside_the_first_is_asked_about(text):
    lines = [[f"c{i}", WORDS[i], WORDS[-i], "", f"d{i}", WORDS[-i], WORDS[i]] for i in range(8)]
    reading = text(csv(["case", "Ana", "Ben", "", "case", "Ana", "Ben"], *lines))
    assert told(reading, "table_beside").about == (("Ana (2)", "Ben (2)"),)


@pytest.mark.parametrize("title", ["Autumn show", "Autumn show,,"])
def test_what_stands_above_a_table_that_has_no_header_is_left_out_when_it_is_read_again(text, title):
    content = title + "\n" + csv(*([f"w{i}", *case(i, 0, 1, 2)] for i in range(12)))
    guessed = text(content)
    said = text(content, header=0)
    assert rows(guessed) == rows(said)
    assert guessed.ratings.rating_count == 36
    assert "letterhead" in asks(said)


def test_a_header_below_everything_is_told(text):
    with pytest.raises(TapdeskError, match="Nothing stands below row 4"):
        text("\t\t4,4\n3,0*\n\n\n", header=4)


def test_ticks_and_words_of_two_columns_are_asked_about_as_one_answer(text):
    lines = [[f"c{i}", w.replace("Yes", "TRUE").replace("No", "FALSE"), w] for i, w in enumerate(WORDS)]
    reading = text(csv(["case", "Ana", "Ben"], *lines))
    merged = [set(f.about[0]) for f in reading.findings if f.code == "same_meaning"]
    assert {"TRUE", "Yes"} in merged
    assert {"FALSE", "No"} in merged


@pytest.mark.parametrize("name", ["N cases", "n_patients", "No. of patients", "Number of cases", "n"])
def test_a_column_that_says_how_many_cases_is_no_name_of_the_case(text, name):
    lines = ["Yes,Yes,Yes,30", "Yes,Yes,No,5", "No,No,No,40", "No,Yes,No,3"]
    reading = text(f"Ana,Ben,Cy,{name}\n" + "\n".join(lines) + "\n")
    assert reading.source.roles.get("subject") is None
    assert told(reading, "maybe_count_column").about == ((name,),)
    assert text(f"Ana,Ben,Cy,{name}\n" + "\n".join(lines) + "\n", count=name).ratings.subject_count == 78


def test_the_number_of_a_wine_is_its_name(text):
    reading = text(csv(["Wine no", "Ana", "Ben"], *([7 * i, *case(i, 0, 1)] for i in range(12))))
    assert reading.source.roles["subject"] == "Wine no"


def test_a_model_and_a_radiologist_beside_each_other_are_raters(text):
    lines = [[i, WORDS[i % 8], WORDS[-(i % 8)], WORDS[i % 5]] for i in range(15)]
    reading = text(csv(["case", "AI model", "Radiologist", "Resident"], *lines))
    assert reading.ratings.raters == ("AI model", "Radiologist", "Resident")
    assert "perhaps_questions" not in codes(reading)


def test_a_remark_with_as_many_commas_as_the_table_is_no_header(text):
    lines = ["# J. L. Fleiss (1971), Psychological Bulletin, 76, table 1", "case,Ana,Ben,Cy"]
    ratings = [f"c{i},{'yn'[i % 2]},{'yn'[i % 3 == 0]},{'yn'[i % 2]}" for i in range(20)]
    reading = text("\n".join(["# Exported by somebody", *lines, *ratings]) + "\n")
    assert reading.ratings.raters == ("Ana", "Ben", "Cy")
    assert len(reading.ratings.subjects) == 20
    assert told(reading, "letterhead").where == "rows 1 and 2"
    # A header behind the sign is one.
    for first in ("# case", "#case", "# case number"):
        reading = text("\n".join([f"{first},Ana,Ben,Cy", *ratings]) + "\n")
        assert reading.ratings.raters == ("Ana", "Ben", "Cy")
        assert len(reading.ratings.subjects) == 20
        assert "letterhead" not in codes(reading)
