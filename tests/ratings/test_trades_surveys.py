"""Exports of survey programs are read as what they are, or asked about."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.options import Layout
from tests.ratings import trade_samples as t
from tests.ratings.telling import asks, blocks, codes, read_or_refused, rows, told

FORM = ("Record number", "Your name", "Was the family told?")
SCALE = ("poor", "fair", "good")
WINES = 8


def sheet(people=6):
    """Each person judges the same eight wines: one row each."""
    return [[t.answer(f"w{j}", f"p{i}", "", SCALE) for j in range(WINES)] for i in range(people)]


def test_a_form_for_each_case_in_qualtrics_is_read_with_its_three_header_rows(text):
    given, _who = t.forms()
    questions = list(zip(("Q1", "Q2", "Q3"), FORM, strict=True))
    reading = text(t.text(t.qualtrics(questions, given)))
    assert reading.source.header_rows == (1, 2, 3)
    assert set(rows(reading)) == {(c, w, a) for c, w, a in t.truth()}
    assert "This is an export of Qualtrics." in told(reading, "known_export").message
    assert not blocks(reading)
    # The same file with its options filled in reads the same.
    again = text(t.text(t.qualtrics(questions, given)), **vars_of(reading))
    assert rows(again) == rows(reading)


def vars_of(reading):
    """The options as resolved, by name."""
    return {name: getattr(reading.options, name) for name in reading.options.__dataclass_fields__}


def test_a_workbook_of_qualtrics_has_two_header_rows(book):
    given, _who = t.forms()
    rows_ = t.qualtrics(list(zip(("Q1", "Q2", "Q3"), FORM, strict=True)), given)
    del rows_[2]
    reading = book(rows_)
    assert reading.source.header_rows == (1, 2)
    assert set(rows(reading)) == t.truth()


def test_one_row_for_each_person_in_qualtrics_is_asked_about_and_the_questions_are_cases(text):
    questions = [(f"Q{j + 2}", f"How good is wine {j + 1}?") for j in range(WINES)]
    reading = text(t.text(t.qualtrics(questions, sheet())))
    assert reading.source.layout is Layout.SUBJECTS
    assert reading.ratings.subject_count == WINES
    assert reading.ratings.raters[0] == "R_00000xYz"
    assert reading.ratings.classes == SCALE
    assert "responses_are_raters" in asks(reading)
    # What the user says comes first.
    said = text(t.text(t.qualtrics(questions, sheet())), layout=Layout.RATERS)
    assert said.source.layout is Layout.RATERS
    assert "responses_are_raters" not in codes(said)


def test_columns_called_like_raters_in_qualtrics_are_raters(text):
    given = [[t.answer(case, f"r{j}") for j in range(3)] for case in t.CASES]
    reading = text(t.text(t.qualtrics([(f"Rater {j + 1}", f"Rater {j + 1}") for j in range(3)], given)))
    assert reading.source.layout is Layout.RATERS
    assert reading.ratings.raters == ("Rater 1", "Rater 2", "Rater 3")
    assert reading.ratings.classes == ("No", "Yes")
    assert reading.ratings.rating_count == 3 * len(t.CASES)


def test_trials_of_a_survey_are_asked_about_and_can_be_left_out(text):
    given, _who = t.forms()
    lines = t.qualtrics(list(zip(("Q1", "Q2", "Q3"), FORM, strict=True)), given)
    lines[3][2] = "Survey Preview"
    found = told(text(t.text(lines)), "survey_previews")
    assert found.about == (("Status",), ("Survey Preview",))
    reading = text(t.text(lines), where_not=(("Status", "Survey Preview"),))
    assert reading.ratings.rating_count == len(t.truth()) - 1


def test_several_questions_of_a_form_are_never_pooled(text):
    given = [[*row, t.answer(row[0], row[1], "Q2")] for row in t.forms()[0]]
    content = t.text(t.google_forms("Timestamp", (*FORM, "Was the plan written down?"), given))
    with pytest.raises(TapdeskError) as caught:
        text(content)
    assert "--only" in caught.value.fix
    assert [words for words, _options in caught.value.ways][:2] == [
        FORM[2][:24],
        "Was the plan written down?"[:24],
    ] or (len(caught.value.ways) >= 2)
    reading = text(content, only=FORM[2])
    assert set(rows(reading)) == t.truth()


@pytest.mark.parametrize(
    "first",
    ["Timestamp", "Zeitstempel", "Horodateur", "Marca temporal", "Informazioni cronologiche", "Carimbo de data/hora"],
)
def test_google_forms_is_known_in_six_languages(text, first):
    given, _who = t.forms()
    reading = text(t.text(t.google_forms(first, FORM, given)))
    assert set(rows(reading)) == t.truth()
    assert told(reading, "known_export").about[0] == ("Google Forms",)
    assert first in told(reading, "known_export").default


def test_the_address_that_google_forms_collects_is_the_rater(text):
    given, who = t.forms()
    lines = [[f"{w.lower()}@hospital.example", row[0], row[2]] for row, w in zip(given, who, strict=True)]
    reading = text(t.text(t.google_forms("Timestamp", ("Email Address", FORM[0], FORM[2]), lines)))
    assert reading.source.roles["rater"] == "Email Address"
    assert reading.ratings.rating_count == 3 * len(t.CASES)


def test_a_first_column_that_is_only_called_a_timestamp_is_no_google_form(text):
    lines = [[str(i), t.answer(f"c{i}", "Ana"), t.answer(f"c{i}", "Ben")] for i in range(20)]
    reading = text(t.text([["Timestamp", "Ana", "Ben"], *lines]))
    assert "known_export" not in codes(reading)


@pytest.mark.parametrize("head", [
    ("ID", "Start time", "Completion time", "Email", "Name"),
    ("ID", "Startzeit", "Fertigstellungszeit", "E-Mail", "Name"),
    ("ID", "Heure de début", "Heure de fin", "Adresse de messagerie", "Nom"),
    ("ID", "Hora de inicio", "Hora de finalización", "Correo electrónico", "Nombre"),
])  # fmt: skip
def test_microsoft_forms_names_who_filled_in_each_form(text, head):
    given, who = t.forms()
    lines = t.microsoft_forms((FORM[0], FORM[2]), [[row[0], row[2]] for row in given], who, head)
    reading = text(t.text(lines))
    assert set(rows(reading)) == t.truth()
    assert reading.source.roles["rater"] == head[4]


def test_people_who_fill_in_a_microsoft_form_without_their_names_are_asked_for_them(text):
    given, _who = t.forms()
    reading = text(t.text(t.microsoft_forms(FORM, given, [None] * len(given))))
    assert set(rows(reading)) == t.truth()
    assert reading.source.roles["rater"] == FORM[1]


def test_one_row_for_each_person_of_a_microsoft_form_takes_their_names(text):
    names = ("Q wine 1", *(f"wine {j + 1}" for j in range(1, WINES)))
    people = ["Ana", "Ben", "Cleo", "Dan", "Eva", "Fay"]
    reading = text(t.text(t.microsoft_forms(names, sheet(), people)))
    assert reading.source.layout is Layout.SUBJECTS
    assert reading.ratings.raters == tuple(people)


def test_the_items_of_a_limesurvey_array_are_the_cases(text):
    questions = [f"G01Q01[SQ{j + 1:03d}]" for j in range(WINES)]
    given = [[*row, f"remark {i}"] for i, row in enumerate(sheet())]
    reading = text(t.text(t.limesurvey([*questions, "G01Q02"], given), quoted=True))
    assert reading.source.layout is Layout.SUBJECTS
    assert reading.ratings.subjects == tuple(questions)
    assert reading.ratings.classes == SCALE
    assert reading.ratings.raters == tuple(str(i + 1) for i in range(6))


def test_a_limesurvey_form_for_each_case_is_not_read_by_the_number_of_the_response(text):
    given, _who = t.forms()
    questions = [f"{code}. {words}" for code, words in zip(("G01Q01", "G01Q02", "G01Q03"), FORM, strict=True)]
    lines = t.limesurvey(questions, given)
    reading = text(t.text(lines, quoted=True))
    assert set(rows(reading)) == t.truth()
    lines[1][1] = lines[2][1] = ""
    assert "2 responses were never sent off" in told(text(t.text(lines)), "unfinished_responses").message


def test_codes_alone_are_asked_about(text):
    given, _who = t.forms()
    reading = text(t.text(t.limesurvey(["G01Q01", "G01Q02", "G01Q03"], given)))
    assert set(rows(reading)) == t.truth()
    assert "roles_by_values" in asks(reading)


EXPORTS = {
    "qualtrics": t.qualtrics(list(zip(("Q1", "Q2", "Q3"), FORM, strict=True)), t.forms()[0]),
    "google": t.google_forms("Timestamp", FORM, t.forms()[0]),
    "microsoft": t.microsoft_forms(FORM, *t.forms()),
    "limesurvey": t.limesurvey(FORM, t.forms()[0]),
}


@pytest.mark.parametrize("kind", EXPORTS)
@pytest.mark.parametrize("rows_left", [1, 2, 3, 4])
def test_an_export_that_breaks_off_is_refused_in_words_or_read_as_far_as_it_goes(text, kind, rows_left):
    reading = read_or_refused(text, t.text(EXPORTS[kind][:rows_left]))
    if reading is not None:
        assert reading.ratings.rating_count <= 3 or blocks(reading) or asks(reading)


@pytest.mark.parametrize("kind", EXPORTS)
@pytest.mark.parametrize("column", [0, 1, -1, -2, -3])
def test_an_export_without_one_of_its_columns_is_never_read_wrongly_in_silence(text, kind, column):
    lines = [list(row) for row in EXPORTS[kind]]
    for row in lines:
        del row[column]
    reading = read_or_refused(text, t.text(lines))
    if reading is not None:
        assert set(rows(reading)) == t.truth() or asks(reading) or is_without_names(reading)


def is_without_names(reading):
    """Whether the ratings of each case are those there are, by nobody who is known."""
    read = sorted((case, rated) for case, _who, rated in rows(reading))
    return not reading.ratings.raters_known and read == sorted((case, rated) for case, _who, rated in t.truth())


def test_responses_about_cases_that_come_again_are_no_raters_before_it_was_asked(text):
    questions = [("Q1", "Case"), ("Q2", "Was it done?"), ("Q3", "Was it noted?")]
    given = [[f"c{i // 2}", ("Yes", "No")[i % 3 % 2], ("Yes", "No")[i % 2]] for i in range(24)]
    source = t.text(t.qualtrics(questions, given))
    reading = text(source)
    (doubt,) = [f for f in reading.findings if f.code == "responses_are_raters"]
    assert doubt.severity is Severity.BLOCK
    (case,) = {name for group in doubt.about[1:] for name in group}
    alone = text(source, layout=Layout.QUESTIONS, subject=case, only=doubt.about[0][0])
    assert (alone.ratings.subject_count, alone.ratings.rating_count) == (12, 24)
    assert "responses_are_raters" not in codes(alone)
