"""Exports of REDCap, raw and with labels, are read as what they are, or asked about."""

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import Layout
from tests.ratings import trade_samples as t
from tests.ratings.telling import asks, blocks, codes, read_or_refused, rows, told

EVENTS = ("rater_1_arm_1", "rater_2_arm_1", "rater_3_arm_1")


def truth(names, classes=("0", "1")):
    """What the samples say, raters called by some names: as many as there are."""
    return {
        (c, name, t.answer(c, who, "", classes)) for c in t.CASES for name, who in zip(names, t.PEOPLE, strict=False)
    }


def test_events_that_are_called_raters_are_the_raters(text):
    reading = text(t.text(t.redcap_events()))
    assert set(rows(reading)) == truth(EVENTS)
    assert reading.source.roles == {"subject": "record_id", "rater": "redcap_event_name", "rating": "outcome"}
    assert told(reading, "known_export").about == (("REDCap",), ("rating_form_complete",))
    assert not asks(reading)


def test_an_export_with_labels_says_the_same(text):
    reading = text(t.text(t.redcap_labels(t.redcap_events())))
    assert set(rows(reading)) == truth(("Rater 1", "Rater 2", "Rater 3"), ("No", "Yes"))
    assert not asks(reading)


def test_events_that_may_be_times_are_asked_about(text):
    content = t.text(t.redcap_events(("baseline_arm_1", "month_3_arm_1", "month_6_arm_1")))
    assert "events_as_raters" in blocks(text(content))
    answered = text(content, rater="redcap_event_name")
    assert not blocks(answered)
    assert len(answered.ratings.raters) == 3
    one = text(content, where=(("redcap_event_name", "baseline_arm_1"),))
    assert "events_as_raters" not in codes(one)
    assert one.ratings.rating_count == len(t.CASES)


def test_several_questions_are_never_pooled(text):
    content = t.text(t.redcap_events(more=("pain", "wound")))
    with pytest.raises(TapdeskError) as caught:
        text(content)
    assert [words for words, _options in caught.value.ways[:3]] == ["outcome", "pain", "wound"]
    assert set(rows(text(content, only="outcome"))) == truth(EVENTS)


def test_a_form_repeated_for_each_reviewer_is_read_without_the_rows_of_the_record(text):
    for made in (t.redcap_repeats(named=True), t.redcap_labels(t.redcap_repeats(named=True))):
        reading = text(t.text(made))
        classes = ("0", "1") if made[0][0] == "record_id" else ("No", "Yes")
        assert set(rows(reading)) == truth(t.PEOPLE, classes)
        assert reading.left_out_ratings == 0
        assert not blocks(reading)


def test_a_form_repeated_by_nobody_who_is_named_has_ratings_and_no_raters(text):
    reading = text(t.text(t.redcap_repeats(named=False)))
    assert not reading.ratings.raters_known
    assert sorted((c, a) for c, _w, a in rows(reading)) == sorted((c, a) for c, _w, a in truth(t.PEOPLE))
    assert "repeats_as_ratings" in asks(reading)


def test_a_field_that_tells_the_repeats_apart_is_who_filled_them_in_and_is_asked_about(text):
    made = t.redcap_repeats(named=True)
    made[0][made[0].index("reviewer")] = "assessed_by"
    reading = text(t.text(made))
    assert set(rows(reading)) == truth(t.PEOPLE)
    (finding,) = [one for one in reading.findings if one.code == "repeats_as_ratings"]
    assert finding.message == (
        "The form is repeated within a record, and 'assessed_by' tells its repeats apart: it is taken for who rated."
    )
    assert finding.fix == (
        "If it is not, name the field that is: --rater. If the repeats are the same persons in the same order, "
        "say --rater 'redcap_repeat_instance'."
    )
    # Named, nothing is asked.
    assert "repeats_as_ratings" not in asks(text(t.text(made), rater="assessed_by"))


def test_records_entered_twice_are_cases_by_two_persons(text):
    content = t.text(t.redcap_entered_twice())
    reading = text(content)
    assert set(rows(reading)) == truth(("person 1", "person 2"))
    # Read again with every option filled in, it is the same.
    again = text(content, **{n: getattr(reading.options, n) for n in reading.options.__dataclass_fields__})
    assert rows(again) == rows(reading)


def test_the_boxes_of_a_question_are_questions_of_their_own(text):
    content = t.text(t.redcap_events(more=("themes___1", "themes___2")))
    with pytest.raises(TapdeskError) as caught:
        text(content)
    assert "themes___1" in str(caught.value)
    assert text(content, only="themes___1").ratings.rating_count == 3 * len(t.CASES)


def test_a_name_alone_makes_no_export(text):
    lines = t.redcap_events()
    for row in lines[1:]:
        row[1] = row[1].removesuffix("_arm_1")
    assert "known_export" not in codes(text(t.text(lines), layout=Layout.LONG))


@pytest.mark.parametrize("made", [t.redcap_events(), t.redcap_repeats(named=True), t.redcap_entered_twice()])
@pytest.mark.parametrize("column", range(3))
def test_an_export_without_one_of_its_columns_is_never_read_wrongly_in_silence(text, made, column):
    lines = [[c for i, c in enumerate(row) if i != column] for row in made]
    reading = read_or_refused(text, t.text(lines))
    if reading is not None:
        right = {frozenset(truth(names)) for names in (EVENTS, t.PEOPLE)}
        nobody = not reading.ratings.raters_known and reading.ratings.rating_count == len(made) - 1
        assert frozenset(rows(reading)) in right or asks(reading) or nobody


@pytest.mark.parametrize("made", [t.redcap_events(), t.redcap_repeats(named=True), t.redcap_entered_twice()])
@pytest.mark.parametrize("left", [1, 2, 3, 5])
def test_an_export_that_breaks_off_is_refused_in_words_or_read_as_far_as_it_goes(text, made, left):
    reading = read_or_refused(text, t.text(made[:left]))
    if reading is not None:
        assert reading.ratings.rating_count < left
