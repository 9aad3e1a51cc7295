"""A form of several questions: which there are, and each of them read alone, in all the ways forms are laid out."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError, TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.ratings.findings import Severity
from tapdesk.ratings.form import form
from tapdesk.ratings.layouts.two_readings import options_of
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import blocks, told

QUESTIONS, RATERS, CASES = ("Pain", "Fall", "Skin"), ("Ana", "Ben", "Cem"), 24


@pytest.fixture(scope="module")
def answers():
    """By question, case and rater, what was answered; half of it follows the case."""
    rng = np.random.default_rng(4)
    true = rng.random((len(QUESTIONS), CASES, 1)) < 0.5
    own = rng.random((len(QUESTIONS), CASES, len(RATERS)))
    return np.where(np.where(own < 0.5, true, own < 0.75), "Yes", "No")


def across(answers):
    """A row for each case and rater, a column for each question."""
    lines = ["Patient,Nurse," + ",".join(QUESTIONS)]
    for i in range(CASES):
        lines += [f"p{i},{r}," + ",".join(answers[:, i, j]) for j, r in enumerate(RATERS)]
    return "\n".join(lines)


def named(answers):
    """A row for each rating, the question in a column."""
    lines = ["Patient,Nurse,Question,Answer"]
    for k, q in enumerate(QUESTIONS):
        for i in range(CASES):
            lines += [f"p{i},{r},{q},{answers[k, i, j]}" for j, r in enumerate(RATERS)]
    return "\n".join(lines)


def beside(answers):
    """A row for each case, a column for each question and rater."""
    lines = ["Patient," + ",".join(f"{q}_{r}" for q in QUESTIONS for r in RATERS)]
    return "\n".join([*lines, *(f"p{i}," + ",".join(answers[:, i].ravel()) for i in range(CASES))])


def rows(answers):
    """A row for each case and question, a column for each rater."""
    lines = ["Patient,Question," + ",".join(RATERS)]
    return "\n".join(
        [*lines, *(f"p{i},{q}," + ",".join(answers[k, i]) for i in range(CASES) for k, q in enumerate(QUESTIONS))]
    )


LAYOUTS = {"across": across, "named": named, "beside": beside, "rows": rows}


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_a_form_is_the_same_however_it_is_laid_out(tmp_path, answers, layout):
    place = tmp_path / "form.csv"
    place.write_text(LAYOUTS[layout](answers))
    found = finish(form(place))
    assert [one.name for one in found.questions] == list(QUESTIONS)
    for k, one in enumerate(found.questions):
        ratings = one.reading.ratings
        assert ratings.classes == ("No", "Yes")
        assert sorted(ratings.raters) == list(RATERS)
        told = {
            (ratings.subjects[s], ratings.raters[r]): ratings.classes[c]
            for s, r, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True)
        }
        assert told == {(f"p{i}", r): answers[k, i, j] for i in range(CASES) for j, r in enumerate(RATERS)}
        # With what was resolved the same question is read again.
        again = read_now(place, one.reading.options)
        assert again.ratings.raters == ratings.raters
        assert again.ratings.rating_count == ratings.rating_count == CASES * len(RATERS)


def test_one_question_of_columns_that_hold_question_and_rater_is_read_by_its_name(tmp_path, answers):
    place = tmp_path / "form.csv"
    place.write_text(beside(answers))
    for layout in (Layout.AUTO, Layout.RATERS, Layout.QUESTIONS):
        found = read_now(place, ReadingOptions(layout=layout, only="Fall")).ratings
        assert found.raters == RATERS
        assert found.rating_count == CASES * len(RATERS)
    with pytest.raises(UsageError, match="no question 'Weight'"):
        read_now(place, ReadingOptions(layout=Layout.RATERS, only="Weight"))


def test_every_question_has_classes_of_its_own_and_one_answered_alike_those_of_the_others(tmp_path):
    rng = np.random.default_rng(2)
    lines = ["Patient,Nurse,Alike,Noted,Never,Staging"]
    for i in range(30):
        lines += [
            f"p{i},{r},Yes,{rng.choice(['Yes', 'No', 'Unsure'])},{rng.choice(['No', 'Unsure'])},{rng.integers(1, 6)}"
            for r in RATERS
        ]
    place = tmp_path / "form.csv"
    place.write_text("\n".join(lines))
    found = finish(form(place, ReadingOptions(layout=Layout.QUESTIONS, class1=("Yes",))))
    by_name = {one.name: one.reading.ratings for one in found.questions}
    assert all(by_name[name].classes[1] == "Yes" for name in ("Alike", "Noted", "Never"))
    assert by_name["Alike"].class_rates().tolist() == [0.0, 1.0]
    assert by_name["Never"].class_rates().tolist() == [1.0, 0.0]
    assert by_name["Staging"].classes == ("1", "2", "3", "4", "5")
    with pytest.raises(UsageError, match="no class 'Perhaps'"):
        finish(form(place, ReadingOptions(layout=Layout.QUESTIONS, class1=("Perhaps",))))


def test_an_order_holds_for_the_questions_that_know_it(tmp_path):
    rng = np.random.default_rng(3)
    lines = ["Patient,Nurse,Colour,Pain"]
    for i in range(20):
        lines += [f"p{i},{r},{rng.choice(['pale', 'red', 'dark'])},{rng.choice(['a', 'b'])}" for r in RATERS]
    place = tmp_path / "form.csv"
    place.write_text("\n".join(lines))
    options = ReadingOptions(layout=Layout.QUESTIONS, order=("red", "pale", "dark"))
    colour, pain = finish(form(place, options)).questions
    assert (colour.reading.ratings.classes, colour.reading.ratings.ordered) == (("red", "pale", "dark"), True)
    assert pain.reading.ratings.classes == ("a", "b")
    # A class that is missing in the order is a slip, not another scale.
    options = ReadingOptions(layout=Layout.QUESTIONS, order=("red", "pale"))
    colour, pain = finish(form(place, options)).questions
    assert colour.reading is None
    assert "dark" in colour.refused
    assert pain.reading is not None


def test_one_question_is_no_form_and_a_doubtful_one_is_asked_about(tmp_path, answers):
    place = tmp_path / "one.csv"
    place.write_text("Patient,Ana,Ben,Cem\n" + "\n".join(f"p{i}," + ",".join(answers[0, i]) for i in range(CASES)))
    with pytest.raises(CannotAnswerError, match="has one question"):
        finish(form(place))
    place.write_text("Patient,Nurse,Question,Answer\n")
    with pytest.raises(TapdeskError):
        finish(form(place))


def doubtful_columns(rng):
    """Columns of two parts of which nothing tells which is the question."""
    names = [f"{q}_{r}" for q in ("pain", "fall", "skin") for r in ("ana", "ben", "cem")]
    rows = [[f"p{i}", *("yes" if x < 0.5 else "no" for x in rng.random(9))] for i in range(CASES)]
    return [["Patient", *names], *rows]


def doubtful_rows(rng):
    """Two columns of which nothing tells which is the case and which the question."""
    rows = [
        [f"t{i}", who, f"m{q}", "yes" if rng.random() < 0.07 + 0.85 * ((i * q + i) % 2) else "no"]
        for i in range(8)
        for q in range(8)
        for who in ("ana", "ben", "cem")
    ]
    return [["thing", "who", "matter", "says"], *rows]


@pytest.mark.parametrize(
    ("sheet", "cells", "ways"),
    [
        (doubtful_columns, ("asked 'pain', the rater ana said", "asked 'ana', the rater pain said"), ("pain", "ana")),
        (doubtful_rows, ("asked 'm0', who ana said", "asked 't4', who ana said"), ("matter", "thing")),
    ],
)
def test_a_reading_with_a_rival_is_no_form_and_shows_both_ways_before_a_question_is_chosen(
    tmp_path, sheet, cells, ways
):
    place = tmp_path / "form.csv"
    place.write_text("\n".join(map(",".join, sheet(np.random.default_rng(3)))))
    with pytest.raises(TapdeskError, match="two ways") as refusal:
        finish(form(place))
    assert all(cell in refusal.value.what for cell in cells)
    assert all(way in refusal.value.fix for way in ways)
    # One reading is shown meanwhile, and blocks; each way that is offered is read without a further doubt.
    reading = read_now(place)
    doubt = told(reading, "two_readings")
    assert doubt.severity is Severity.BLOCK
    offered = [options_of(texts) for _words, *texts in doubt.about]
    assert len(offered) == 6
    for options in offered:
        again = read_now(place, ReadingOptions(**options))
        assert "two_readings" not in blocks(again)
        assert len(again.ratings.raters) == 3


def test_a_question_is_no_word_for_its_answers(tmp_path):
    place = tmp_path / "form.csv"
    rows = [f"p{i},{who},{'yn'[i % 2]},{'yn'[(i + j) % 3 == 0]}" for i in range(20) for j, who in enumerate("AB")]
    place.write_text("\n".join(["Record,Nurse,Pain score written down,Grade of the wound told", *rows]))
    for one in finish(form(place)).questions:
        assert "the rating " in one.reading.source.sentence
