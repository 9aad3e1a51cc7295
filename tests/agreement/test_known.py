"""Raters held against known answers: counted by hand, intervals as others print them, and how often they hold."""

import numpy as np
import pytest
from scipy.stats import binomtest

from tapdesk.agreement.known import CommonError, common_errors, known_shares, wilson
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings


def keyed(key, *cases, weight=None):
    rows = [(i, j, c) for i, given in enumerate(cases) for j, c in enumerate(given) if c is not None]
    subject, rater, category = np.array(rows).T
    raters = [f"J{j}" for j in range(max(len(given) for given in cases))]
    column = Covariate("gold", CovariateOf.SUBJECT, np.array(key, dtype=object))
    names = [f"C{i}" for i in range(len(cases))]
    more = {"covariates": {"gold": column}, "known": "gold", "weight": weight}
    return Ratings.of(subject, rater, category, names, raters, ["no", "yes", "maybe"], **more)


def test_shares_are_those_counted_by_hand():
    ratings = keyed(["yes", "", "no", " yes "], [1, 1, 0], [1, 1, 1], [0, 1, None], [1, 0, 2])
    found = known_shares(ratings)
    assert ratings.known_classes().tolist() == [1, -1, 0, 1]
    assert found.per_class.tolist() == [1, 2, 0]
    assert (found.everyone.cases, found.everyone.ratings, found.everyone.right) == (3, 8, 4)
    assert [(r.ratings, r.right) for r in found.raters] == [(3, 3), (3, 1), (2, 0)]
    assert [e.value for e in found.raters[0].by_class] == [1.0, 1.0, None]
    assert found.everyone.by_class[1].value == pytest.approx(3 / 6)


def test_the_same_wrong_rating_of_most_raters_is_counted_by_hand():
    key = ["yes", "yes", "", "no", "yes", "no", "no"]
    cases = [[0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, None], [2, 2, 1], [1, None, None]]
    # Of none is it said where nothing is known, where half is no most, or where one alone rated.
    expected = (CommonError(1, 1, 0, 3, 3), CommonError(0, 1, 0, 2, 3), CommonError(5, 0, 2, 2, 3))
    assert common_errors(keyed(key, *cases)) == expected


def test_few_known_cases_have_a_share_without_an_interval():
    found = known_shares(keyed(["yes"] * 6, *[[1, 0]] * 6))
    assert found.everyone.share.low is None
    assert found.everyone.share.no_interval == "Only 6 cases have a known answer: too few for intervals."


@pytest.mark.parametrize(("right", "of"), [(0, 12), (7, 12), (12, 12), (33, 60), (1, 200)])
def test_the_interval_of_one_rater_is_that_of_wilson(right, of):
    """As `scipy.stats.binomtest` has it, after Wilson (1927)."""
    found = known_shares(keyed(["yes"] * of, *[[1 if i < right else 0] for i in range(of)]))
    published = binomtest(right, of).proportion_ci(0.95, method="wilson")
    share = found.raters[0].share
    assert (share.low, share.high) == pytest.approx((published.low, published.high), abs=1e-12)
    assert wilson(right / of, of) == pytest.approx((published.low, published.high), abs=1e-12)


def test_raters_who_copy_each_other_are_worth_one():
    rng = np.random.default_rng(3)
    given = rng.integers(0, 2, 80)
    alone = known_shares(keyed(["yes"] * 80, *[[g] for g in given])).everyone.share
    copied = known_shares(keyed(["yes"] * 80, *[[g] * 5 for g in given])).everyone.share
    assert (copied.low, copied.high) == pytest.approx((alone.low, alone.high), abs=0.002)


def test_a_case_that_stands_for_several_counts_as_many_times():
    rows = [[i % 3 > 0, 1] for i in range(12)]
    once = known_shares(keyed(["yes"] * 24, *[r for r in rows for _again in range(2)]))
    twice = known_shares(keyed(["yes"] * 12, *rows, weight=np.full(12, 2)))
    assert (twice.everyone.cases, twice.everyone.right) == (once.everyone.cases, once.everyone.right)
    assert (twice.everyone.share.low, twice.everyone.share.high) == pytest.approx(
        (once.everyone.share.low, once.everyone.share.high), abs=1e-12
    )


def test_the_interval_of_all_raters_holds_the_share_it_is_about():
    """Cases differ in how hard they are: ratings of one case are right together."""
    rng = np.random.default_rng(11)
    held = 0
    for _set in range(400):
        hard = rng.beta(4, 1.5, 40)
        right = rng.random((40, 6)) < hard[:, None]
        share = known_shares(keyed(["yes"] * 40, *right.astype(int).tolist())).everyone.share
        held += share.low <= 4 / 5.5 <= share.high
    # 95 % of 400 is 380 with a standard deviation of 4.4.
    assert 366 <= held <= 394


def test_no_key_and_a_key_without_classes_say_nothing():
    assert known_shares(keyed(["", "", "odd"], [1], [0], [1])) is None
    plain = keyed([""], [1])
    assert plain.keep(np.array([True])).known == "gold"
