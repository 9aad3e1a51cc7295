"""Studies as large as the ratings at hand: their size, the laws they obey, and what they cannot answer."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.progress import finish
from tapdesk.studies.design_study import StudySize, kappa_squares, no_grid, no_squares, recovery_grid, size_of
from tapdesk.studies.recovery import recover, tap_grid
from tests.studies.examples import panel

FIVE = panel(["t=.4", "a=.7", "p=.4"], 60, 5)


def test_the_size_is_that_of_the_cases_that_have_ratings_with_the_mean_of_their_ratings():
    assert size_of(FIVE) == StudySize(60, 5, 5, 5)
    # Ten cases lose all, twenty lose two: (30 · 5 + 20 · 3) / 50 = 4.2.
    gone = (FIVE.subject < 10) | ((FIVE.subject < 30) & (FIVE.rater < 2))
    ragged = FIVE.keep(~gone)
    assert size_of(ragged) == StudySize(50, 4, 3, 5)
    assert not size_of(ragged).even
    assert size_of(FIVE.keep(np.zeros(FIVE.subject.size, dtype=bool))) == StudySize(0, 0, 0, 0)


@pytest.mark.parametrize(
    ("raters", "words"), [(2, "do not determine t, a and p"), (1, "do not determine"), (30_000, "too many")]
)
def test_a_grid_that_no_study_could_find_is_refused_with_the_reason(raters, words):
    assert words in no_grid(StudySize(50, raters, raters, raters))


def test_kappa_needs_two_ratings_of_a_case_and_two_are_enough():
    assert "one on average" in no_squares(StudySize(50, 1, 1, 1))
    assert no_squares(StudySize(50, 2, 2, 2)) is None
    assert "no ratings" in no_squares(StudySize(0, 0, 0, 0))
    two = FIVE.keep(FIVE.rater < 2)
    with pytest.raises(CannotAnswerError):
        finish(recovery_grid(two))


def test_the_grid_is_that_of_the_papers_in_the_size_at_hand():
    found = finish(recovery_grid(FIVE))
    again = finish(recover(tap_grid(subjects=60, raters=5)))
    assert found.table.rows == again.rows
    assert len(found.table.rows) == 9**3
    assert set(found.table.values("subjects")) == {60}
    a, back = found.table.numbers("true a"), found.table.numbers("a")
    # Sixty cases of five ratings: what there is much of is found, what there is little of is not.
    off = [np.abs(back - a)[a == x].mean() for x in (0.1, 0.5, 0.9)]
    assert off[2] < 0.05 < off[1] < off[0]


def test_kappa_is_the_square_where_t_is_p_and_what_the_formula_says_elsewhere():
    table = finish(kappa_squares(FIVE, sets=20)).table
    t, p, a, kappa = (table.numbers(c) for c in ("t", "p", "a", "kappa_mean"))
    c = a * t + (1 - a) * p
    expected = a**2 * t * (1 - t) / (c * (1 - c))
    assert np.allclose(expected[t == p], a[t == p] ** 2)
    # Means of twenty: kappas of sixty cases of a middling share scatter by a tenth at most.
    middle = (c > 0.2) & (c < 0.8)
    assert np.abs(kappa - expected)[middle].max() < 0.12
    assert np.abs(kappa - expected)[middle].mean() < 0.02
    assert np.abs(kappa - a**2)[(t == 0.1) & (p == 0.9)].mean() > 0.08


def test_a_study_that_was_ended_goes_on_from_what_was_kept():
    whole = finish(kappa_squares(FIVE))
    kept = {}
    run = kappa_squares(FIVE, kept=kept)
    while len(kept) < 3:
        next(run)
    run.close()
    assert 3 <= len(kept) < 25
    rest = dict(kept)
    rest[0] = tuple((*row[:5], 0.5, *row[6:]) for row in rest[0])
    taken = finish(kappa_squares(FIVE, kept=rest))
    # What is there is taken over as it is, the rest is the same as ever.
    assert taken.table.rows[len(rest[0]) :] == whole.table.rows[len(rest[0]) :]
    assert {row[5] for row in taken.table.rows[: len(rest[0])]} == {0.5}


def test_cases_that_stand_for_many_count_as_many_and_those_that_stand_for_none_do_not():
    weight = np.full(60, 10)
    weight[:5] = 0
    fewer = FIVE.keep(~((FIVE.subject < 5) & (FIVE.rater > 0)))
    assert size_of(replace(fewer, weight=weight)) == StudySize(550, 5, 5, 5)
    assert size_of(replace(FIVE, weight=np.zeros(60, dtype=np.int64))).subjects == 0
