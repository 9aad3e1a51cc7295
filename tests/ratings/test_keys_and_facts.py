"""Columns called ``key``, and facts beside plainly named ratings: which is asked about, and which is no doubt."""

import random

import pytest

from tapdesk.ratings.findings import Severity

RATERS = ("Ann", "Ben", "Cem")


def sheet(head, rows):
    """A text table."""
    return "\n".join([",".join(head), *(",".join(map(str, row)) for row in rows)]) + "\n"


def photos(cases=60, seed=4, labels=("cat", "dog")):
    """The name of each photo, what it shows, and what three raters say of it."""
    rng = random.Random(seed)
    shown = [(f"photo_{i:03d}", rng.choice(labels)) for i in range(cases)]
    return [(n, t, [t if rng.random() < 0.8 else rng.choice(labels) for _ in RATERS]) for n, t in shown]


def papers(year, cases=60, seed=4):
    """Rows of case, rater, rating, the age of the rater, and a year that is told by a function of case and row."""
    rng = random.Random(seed)
    ages = {f"R{j:02d}": 23 + 4 * j for j in range(9)}
    rows = []
    for i in range(cases):
        true = rng.randint(1, 4)
        for rater in rng.sample(sorted(ages), 3):
            rating = min(4, max(1, true + rng.choice((0, 0, 1, -1))))
            rows.append((f"S{i:03d}", rater, rating, ages[rater], year(i, len(rows))))
    return rows


def severities(reading):
    """How grave each finding is, by its code."""
    return {f.code: f.severity for f in reading.findings}


@pytest.mark.parametrize(
    ("head", "row"),
    [
        pytest.param(("key", *RATERS), lambda _i, n, _t, said: (n, *said), id="names"),
        pytest.param(("key", *RATERS), lambda i, _n, _t, said: (i + 1, *said), id="numbers"),
        pytest.param(
            ("key", "photo", *RATERS), lambda i, n, _t, said: (f"{i * 7919:08x}", n, *said), id="beside names"
        ),
    ],
)
def test_a_key_that_tells_the_rows_apart_names_the_cases_and_is_no_question(text, head, row):
    reading = text(sheet(head, (row(i, *one) for i, one in enumerate(photos()))))
    assert reading.ratings.raters == RATERS
    assert reading.ratings.subject_count == 60
    assert {f.code for f in reading.findings if f.severity is not Severity.NOTE} == {"order_unknown"}


def test_a_key_of_long_rows_names_the_cases(text):
    rows = ((n, who, s) for n, _t, said in photos() for who, s in zip(RATERS, said, strict=True))
    reading = text(sheet(("key", "rater", "label"), rows))
    assert (reading.ratings.raters, reading.ratings.subject_count) == (RATERS, 60)
    assert {f.code for f in reading.findings if f.severity is not Severity.NOTE} == {"order_unknown"}


def test_a_key_that_says_what_raters_say_is_asked_about_before_anything_is_answered(text):
    wide = sheet(("photo", *RATERS, "key"), ((n, *said, t) for n, t, said in photos()))
    assert severities(text(wide))["known_answers"] is Severity.BLOCK
    rows = ((n, who, s, t) for n, t, said in photos() for who, s in zip(RATERS, said, strict=True))
    assert severities(text(sheet(("photo", "rater", "label", "key"), rows)))["known_answers_beside"] is Severity.BLOCK
    answered = text(wide, known="key")
    assert answered.ratings.raters == RATERS
    assert answered.ratings.known_classes().tolist().count(-1) == 0
    assert Severity.BLOCK not in severities(answered).values()


def test_a_key_that_says_something_else_is_no_rater_and_stays_an_open_question(text):
    """Few letters that come again may be answers written otherwise, so nobody but the user can say what they are."""
    rows = ((n, "abcd"[i % 4], *said) for i, (n, _t, said) in enumerate(photos()))
    reading = text(sheet(("photo", "key", *RATERS), rows))
    assert reading.ratings.raters == RATERS
    assert severities(reading)["columns_not_rated"] is Severity.ASK


PAPER = ("SubjectID", "RaterID", "Rating", "RaterAge", "Year")


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (0, 4, 1, 3, 2), (3, 4, 2, 1, 0)])
@pytest.mark.parametrize("first", [1, 2018])
def test_ages_of_raters_and_years_of_cases_beside_named_ratings_are_no_question(text, order, first):
    rows = papers(lambda case, _row: first + case % 4)
    reading = text(sheet([PAPER[i] for i in order], ([row[i] for i in order] for row in rows)))
    assert (reading.ratings.subject_count, len(reading.ratings.raters), reading.ratings.rating_count) == (60, 9, 180)
    assert set(reading.ratings.covariates) == {"RaterAge", "Year"}
    assert {f.code for f in reading.findings if f.severity is not Severity.NOTE} == set()
    assert severities(reading)["columns_not_rated"] is Severity.NOTE


def test_other_words_for_the_same_are_no_question_either(text):
    rows = [(case, rater, age, rating) for case, rater, rating, age, _year in papers(lambda _case, _row: 0)]
    reading = text(sheet(("case", "judge", "judge_age", "score"), rows))
    assert severities(reading)["columns_not_rated"] is Severity.NOTE


@pytest.mark.parametrize(
    ("head", "year"),
    [
        pytest.param(PAPER, lambda _case, row: 1 + row % 4, id="it differs from row to row of a case"),
        pytest.param((*PAPER[:4], "Severity"), lambda case, _row: 1 + case % 4, id="its name is no fact"),
        pytest.param(
            ("SubjectID", "Initials", *PAPER[2:]), lambda case, _row: 1 + case % 4, id="no word for the rater"
        ),
    ],
)
def test_what_may_be_a_second_rating_stays_an_open_question(text, head, year):
    """Where rows of a case differ, or no name says that it is a fact, it may hold ratings that were forgotten."""
    reading = text(sheet(head, papers(year)))
    assert reading.ratings.rating_count == 180
    assert severities(reading)["columns_not_rated"] is Severity.ASK
