"""Raters over several questions: the model of one question, intervals that count cases once, coverage."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import binom

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.pooled_raters import pooled_raters

ACCURACY = (0.9, 0.7, 0.5, 0.8)


def question(rng, cases=120, accuracy=ACCURACY, guess=0.5, truth=None):
    """Two classes; each rater follows the truth as often as told."""
    true = rng.random((cases, 1)) < 0.5 if truth is None else truth
    follows = rng.random((cases, len(accuracy))) < np.asarray(accuracy)
    said = np.where(follows, true, rng.random((cases, len(accuracy))) < guess).astype(np.int64)
    case, rater = np.divmod(np.arange(said.size), len(accuracy))
    names = tuple(f"c{i}" for i in range(cases)), tuple(f"r{j}" for j in range(len(accuracy)))
    return Ratings(case, rater, said.ravel(), *names, ("No", "Yes"))


def test_of_one_question_they_are_those_of_its_own_model():
    ratings = question(np.random.default_rng(3))
    alone = finish(analyse(ratings, Request(model("t-aj-p"), interval="wald")))
    for one in finish(pooled_raters([ratings])):
        own = alone.estimate("a", rater=one.rater)
        assert one.accuracy.value == pytest.approx(own.value, abs=1e-4)
        # Two standard errors of the same data are of one size.
        assert one.accuracy.se == pytest.approx(own.se, rel=0.35)


def test_a_question_asked_twice_says_no_more_than_once():
    ratings = question(np.random.default_rng(5))
    once, twice = finish(pooled_raters([ratings])), finish(pooled_raters([ratings, ratings]))
    for one, both in zip(once, twice, strict=True):
        assert both.accuracy.value == pytest.approx(one.accuracy.value, abs=1e-6)
        assert (both.accuracy.low, both.accuracy.high) == pytest.approx((one.accuracy.low, one.accuracy.high), abs=1e-4)
        assert (one.questions, both.questions) == (1, 2)


def test_other_questions_narrow_the_intervals():
    rng = np.random.default_rng(6)
    form = [question(rng, guess=g) for g in (0.3, 0.5, 0.7, 0.4)]
    one, four = finish(pooled_raters(form[:1])), finish(pooled_raters(form))
    widths = [np.mean([e.accuracy.high - e.accuracy.low for e in some]) for some in (one, four)]
    assert widths[1] < 0.65 * widths[0]
    held = [e.accuracy.low < true < e.accuracy.high for e, true in zip(four, ACCURACY, strict=True)]
    assert sum(held) >= 3


def test_order_of_questions_and_names_of_classes_say_nothing():
    rng = np.random.default_rng(8)
    form = [question(rng), question(rng, guess=0.3)]
    back = [replace(r, category=1 - r.category, classes=("Yes", "No")) for r in reversed(form)]
    for one, other in zip(finish(pooled_raters(form)), finish(pooled_raters(back)), strict=True):
        assert one.accuracy.low == pytest.approx(other.accuracy.low, abs=1e-4)


def test_two_raters_and_no_questions_tell_no_accuracy_of_single_raters():
    assert finish(pooled_raters([])) == ()
    two = finish(pooled_raters([question(np.random.default_rng(1), accuracy=(0.8, 0.8))]))
    assert [one.accuracy.value for one in two] == [None, None]


def test_intervals_hold_the_accuracy_though_truths_of_one_case_go_together():
    """Of three questions about one hidden truth: 80 forms of four raters."""
    held = []
    for turn in range(80):
        rng = np.random.default_rng([turn, 2])
        truth = rng.random((100, 1)) < 0.5
        form = [question(rng, 100, truth=truth) for _q in range(3)]
        for one, true in zip(finish(pooled_raters(form)), ACCURACY, strict=True):
            if one.accuracy.low is not None:
                held.append(one.accuracy.low <= true <= one.accuracy.high)
    assert len(held) > 300
    assert sum(held) >= binom.ppf(0.01, len(held), 0.94)
