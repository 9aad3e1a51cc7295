"""Raters who rate a case again: the published example, the size of the test, and what it notices."""

import numpy as np
import pytest
from scipy.special import binom

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.models.model import MEMORY_MODELS, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.studies.consistency import _settled, consistency, memory_test, no_memory
from tests.models.test_repeats import drawn, in_file_order, once


def test_the_anaesthetist_who_judged_three_times_is_as_consistent_as_his_skill():
    """Dawid & Skene 1979, models_more.md §6."""
    ratings = in_file_order(read_now("sample:dawid-skene-1979", sample("dawid-skene-1979").options).ratings)
    (row,) = finish(consistency(ratings, model("t-aj-pj"), 60, 1, "day"))
    assert (row.rater, row.pairs) == (ratings.raters[0], 135)
    assert row.same == pytest.approx(0.807407, abs=1e-6)
    assert row.kappa == pytest.approx(0.694144, abs=1e-6)
    assert row.expected_same == pytest.approx(0.795002, abs=1e-6)
    assert row.expected_kappa == pytest.approx(0.673277, abs=2e-3)
    assert row.p_bootstrap > 0.05
    assert row.p_memory > 0.02
    assert row.p_holm == row.p_memory
    assert row.memory == pytest.approx(0.149, abs=5e-4)
    assert row.fresh_same < row.expected_same


def test_a_rater_without_skill_may_be_consistent():
    ratings = drawn(3, cases=200, times=(2, 1, 1), memory=(0.95,))
    guesser = ratings.rater == 0
    rng = np.random.default_rng(5)
    category = ratings.category.copy()
    category[guesser] = np.repeat(rng.integers(0, 2, 200), 2)
    ratings = in_file_order(
        Ratings.of(ratings.subject, ratings.rater, category, ratings.subjects, ratings.raters, ratings.classes)
    )
    (row,) = finish(consistency(ratings, model("t-aj-p"), 40, 1, "day"))
    assert row.same == 1
    assert row.memory == pytest.approx(1, abs=1e-3)
    assert row.p_memory < 0.05
    # Without memory the guesser is what all others are held against: only the likelihood of copies tells.
    (blind,) = finish(consistency(ratings, model("t-aj-p"), 40, 1))
    assert (blind.expected_same, blind.p_bootstrap) == (pytest.approx(1), 1)


def test_copies_are_noticed_in_the_rater_who_makes_them_and_in_no_other():
    ratings = drawn(4, cases=150, memory=(0.7, 0.0))
    rows = {r.rater: r for r in finish(consistency(ratings, model("t-aj-p"), 60, 1, "day"))}
    assert set(rows) == {"R0", "R1"}
    assert rows["R0"].p_holm < 0.05 < min(rows["R1"].p_memory, rows["R1"].p_bootstrap)
    assert rows["R0"].same > rows["R0"].expected_same
    assert rows["R0"].memory == pytest.approx(0.7, abs=0.1)
    test = finish(memory_test(ratings, model("t-aj-p"), "day", 40, 1))
    assert (test.name, test.df) == ("memory", None)
    assert test.p_bootstrap < 0.05


def test_without_an_order_sameness_is_told_and_copies_are_not():
    rows = finish(consistency(drawn(4, cases=150, memory=(0.7, 0.0)), model("t-aj-p"), 40, 1))
    assert [row.pairs for row in rows] == [450, 150]
    assert all(row.memory is None and row.fresh_same is None for row in rows)
    assert rows[0].p_bootstrap < 0.05


def test_of_fresh_repeats_nothing_is_noticed():
    found = [
        finish(memory_test(drawn(seed, cases=60, memory=(0.0, 0.0)), model("t-aj-p"), "day", 30, seed)).p_bootstrap
        for seed in range(10, 18)
    ]
    assert sum(p <= 0.05 for p in found) <= 2


def test_the_hypothesis_is_in_words_and_inside_the_larger_model():
    nested = no_memory(model("t-aj-pj"), "day")
    assert nested.larger.name in {row.name for row in MEMORY_MODELS}
    assert nested.about == "Nobody copies an answer of their own: repeats are as fresh as first ratings."


def test_where_nobody_rated_again_there_is_nothing_to_say():
    with pytest.raises(CannotAnswerError) as error:
        finish(consistency(once(drawn(1)), model("t-aj-p"), 10, 1))
    assert error.value.what == "No rater rated a case more than once, so nothing shows how consistent they are."
    with pytest.raises(CannotAnswerError) as error:
        no_memory(model("dawid-skene"), "day")
    assert error.value.what == "Of the model dawid-skene there is none with memory."
    with pytest.raises(UsageError):
        finish(consistency(drawn(1), model("t-aj-p"), 10, 1, "month"))


def test_more_panels_are_simulated_only_where_something_may_be_noticed():
    looked = {}
    for copies in (0.0, 0.7):
        steps = []
        ratings = drawn(4, cases=150, memory=(copies, 0.0))
        rows = finish(consistency(ratings, model("t-aj-p"), 120, 1), steps.append)
        looked[copies] = max(step.done for step in steps if step.phase == "re-draws")
        assert (rows[0].p_holm <= 0.05) is (copies > 0)
    assert looked == {0.0: 60, 0.7: 120}


@pytest.mark.parametrize("raters", [1, 2, 9, 40])
def test_the_first_panels_settle_nothing_that_is_small(raters):
    # By hand: however often a p-value of just 5 % of all raters is reached, it is taken for a large one in 1 of 1,000.
    for reached in range(61):
        p = np.array([(1 + reached) / 61, 1.0])
        left = sum(binom(60, k) * (0.05 / raters) ** k * (1 - 0.05 / raters) ** (60 - k) for k in range(reached, 61))
        assert _settled(p, raters) == (left < 1e-3)
