"""Awkward panels (bad_input.md 18-23, 57-63): repeats, lone raters, copies, reversals, groups that never meet."""

import numpy as np
import pytest

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, codes, told


def wide(columns, names=None):
    """A wide table from columns of labels."""
    names = names or [f"Rater {chr(65 + i)}" for i in range(len(columns))]
    lines = [",".join(["case", *names])]
    lines += [",".join([f"c{i}", *map(str, row)]) for i, row in enumerate(zip(*columns, strict=True))]
    return "\n".join(lines) + "\n"


def noisy(truth, accuracy, seed):
    """Labels 1 to 4 that follow a truth with some probability."""
    rng = np.random.default_rng(seed)
    return np.where(rng.random(truth.size) < accuracy, truth, rng.integers(1, 5, truth.size))


TRUTH = np.random.default_rng(3).integers(1, 5, 80)


def test_18_and_19_repeats_are_asked_and_every_one_counts(text):
    reading = text("case,judge,rating\nw1,Ana,yes\nw1,Ana,yes\nw1,Ben,no\nw1,Ben,yes\nw2,Ana,no\nw2,Ben,no\n")
    assert told(reading, "repeats_same").where == "Ana on w1"
    assert told(reading, "repeats_different").where == "Ben on w1"
    assert told(reading, "repeats_same").default == "Every repeat counts as a rating of its own."
    assert reading.ratings.rating_count == 6


def test_18_a_case_that_stands_in_two_rows_of_a_wide_table_is_a_repeat(text):
    reading = text("wine,Ana,Ben\nw1,1,2\nw2,2,2\nw1,1,1\n")
    assert reading.ratings.subjects == ("w1", "w2")
    assert {"repeats_same", "repeats_different"} <= asks(reading)


def test_20_one_rater_alone_is_told_and_does_not_stop_the_reading(text):
    reading = text("case,judge,rating\nw1,Ana,yes\nw2,Ana,no\n")
    # Undefined answers say why; they do not block (bad input 20).
    assert told(reading, "one_rating_per_subject").severity is Severity.ASK
    assert told(text("case,judge,rating\nw1,Ana,yes\nw1,Ana,no\n"), "one_rater").severity is Severity.ASK


def test_21_two_ratings_per_case_are_explained(text):
    finding = told(text(wide([["a", "b"], ["a", "a"]])), "two_ratings_per_subject")
    assert finding.severity is Severity.NOTE
    assert "p = t" in finding.message


def test_23_raters_who_used_different_classes_are_noted_and_all_classes_count(text):
    one, two = [1, 2] * 15, [2, 3] * 15
    reading = text(wide([one, two]))
    assert reading.ratings.classes == ("1", "2", "3")
    assert "Rater A never used '3'" in told(reading, "different_subsets").message


def test_57_a_rater_with_one_rating_is_noted(text):
    reading = text("case,judge,rating\nw1,Ana,yes\nw1,Ben,no\nw2,Ana,no\nw2,Cy,no\nw3,Ana,no\nw3,Cy,yes\n")
    assert "'Ben'" in told(reading, "raters_with_one_rating").message


def test_58_cases_with_one_rating_or_none_are_counted(text):
    reading = text("case,A,B,C\nw1,yes,no,no\nw2,yes,,\nw3,,,\nw4,no,no,yes\n")
    assert told(reading, "cases_with_one_rating").message.startswith("1 of 3 cases with ratings has only one")
    assert "1 case has no rating at all: 'w3'" in told(reading, "cases_without_rating").message
    assert (reading.left_out_subjects, reading.left_out_ratings, reading.missing) == (1, 0, 5)


def test_59_a_constant_rater_is_noted(text):
    reading = text(wide([["yes"] * 8, ["yes", "no"] * 4, ["no", "no", "yes", "yes"] * 2]))
    assert "Rater A (always 'yes')" in told(reading, "constant_rater").message


def test_60_identical_raters_are_asked_and_both_count(text):
    column = noisy(TRUTH, 0.6, 1)
    reading = text(wide([column, noisy(TRUTH, 0.6, 2), column]))
    assert "Rater A and Rater C gave the same answer on all 80 cases" in told(reading, "identical_raters").message
    assert len(reading.ratings.raters) == 3


def test_61_a_reversed_rater_is_asked_and_nothing_is_turned_round(text):
    columns = [noisy(TRUTH, 0.7, s) for s in (1, 2, 3)]
    reading = text(wide([*columns, 5 - noisy(TRUTH, 0.8, 4)]))
    assert told(reading, "reversed_rater").message.startswith("Rater D's answers look upside-down")
    assert told(reading, "reversed_rater").default == "Nothing is turned round."


def test_61_with_three_raters_only_the_one_who_is_turned_round_is_named(text):
    first = noisy(TRUTH, 0.9, 1)
    reading = text(wide([first, noisy(first, 0.9, 2), 5 - noisy(first, 0.95, 3)]))
    assert [f.about for f in reading.findings if f.code == "reversed_rater"] == [(("Rater C",),)]


def test_61_raters_who_guess_are_hardly_ever_called_turned_round(text):
    # Twenty panels of three guessers; by the law of the normal, fewer than one in ten panels names anybody.
    rng = np.random.default_rng(8)
    named = ["reversed_rater" in codes(text(wide(list(rng.integers(0, 5, (3, 24)))))) for _ in range(20)]
    assert sum(named) <= 1


def test_a_rater_who_always_follows_the_majority_is_asked_about(text):
    columns = np.stack([noisy(TRUTH, 0.5, s) for s in range(5)])
    majority = [int(np.bincount(row).argmax()) for row in columns.T]
    reading = text(wide([*columns, majority]))
    assert "Rater F gave the majority's answer" in told(reading, "looks_like_consensus").message
    assert "looks_like_consensus" not in codes(text(wide(columns)))


def test_62_panels_that_share_no_case_are_noted(text):
    lines = ["w1,A,x", "w1,B,y", "w2,A,x", "w2,B,x", "w3,C,x", "w3,D,y", "w4,C,y", "w4,D,y"]
    reading = text("case,judge,rating\n" + "\n".join(lines) + "\n")
    assert "2 groups that share no case: A and B; C and D" in told(reading, "disconnected_panels").message


@pytest.mark.parametrize(
    ("names", "asked"), [(["J1", "J2"], True), (["Rating 1", "Rating 2"], True), (["Ana", "B2 Bo"], False)]
)
def test_numbered_columns_are_asked_whether_they_are_people(text, names, asked):
    reading = text(wide([["a", "b", "a"], ["a", "a", "b"]], names))
    assert ("seats_or_people" in asks(reading)) is asked
    assert reading.ratings.raters_known


def test_an_honest_panel_raises_no_question_but_seats(text):
    reading = text(wide([noisy(TRUTH, 0.6, s) for s in range(4)], ["Ana", "Ben", "Cy", "Di"]))
    assert reading.findings == ()


def test_a_rater_who_rated_nothing_is_no_part_of_the_panel_and_is_told(text):
    reading = text("case,rater,rating\nw1,A,yes\nw1,B,no\nw2,A,no\nw2,B,no\nw2,C,\n")
    assert reading.as_read.raters == ("A", "B")
    assert told(reading, "raters_without_rating").message == "1 rater has no rating at all: 'C'."


def test_nobody_of_a_good_panel_is_called_a_consensus_for_being_near_the_majority(tmp_path):
    """Six raters who are right 19 times in 20: now and then one follows the majority on nearly every case."""
    asked, nearly = 0, 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth = rng.random(140) < 0.45
        said = np.where(rng.random((140, 6)) < 0.93, truth[:, None], rng.random((140, 6)) < 0.5)
        others = said.sum(axis=1)[:, None] - said
        with_majority = ((others >= 3) == said).mean(axis=0)
        nearly += bool(with_majority.max() > 0.98)
        place = tmp_path / f"panel{seed}.csv"
        rows = [f"c{i}," + ",".join("Yes" if one else "No" for one in row) for i, row in enumerate(said)]
        place.write_text("case,Ana,Ben,Cem,Dora,Eve,Fay\n" + "\n".join(rows))
        asked += "looks_like_consensus" in {f.code for f in read_now(place).findings}
    assert nearly > 8
    assert asked <= 1
