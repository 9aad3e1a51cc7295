"""What has no value says so and why; what must be 1 says that it must."""

from dataclasses import replace

import numpy as np
import pytest

from agreement.examples import all_of, confusion, counted, drawn, long, pick, wide
from tapdesk.ratings.ratings import Ratings

CORRECTED = ("cohen_kappa", "fleiss_kappa", "scott_pi", "conger_kappa", "light_kappa", "hubert_kappa")


@pytest.mark.parametrize("classes", [["no", "yes"], ["yes"]])
def test_with_everyone_in_one_class_kappas_are_undefined_and_the_others_one_with_a_warning(classes):
    found = all_of(wide([["yes", "yes"]] * 12, classes=classes))
    for name in CORRECTED:
        e = pick(found, name).estimate
        assert e.value is None
        assert "yes" in e.undefined
        assert "100 %" in e.undefined
    for c in found:
        if c.name.startswith(("krippendorff", "icc")):
            assert c.estimate.value is None, c.name
    for name in ("percent_agreement", "brennan_prediger", "gwet_ac"):
        c = pick(found, name)
        assert c.estimate.value == 1.0
        assert "whatever the raters know" in c.note
        assert c.estimate.low is None
        assert c.estimate.no_interval


def test_an_unused_declared_class_moves_only_the_coefficients_that_count_classes():
    rows = [["a", "a"]] * 6 + [["a", "b"]] * 3 + [["b", "b"]] * 4
    two, three = all_of(wide(rows, classes=["a", "b"])), all_of(wide(rows, classes=["a", "b", "c"]))
    for name in CORRECTED:
        assert pick(two, name).estimate.value == pytest.approx(pick(three, name).estimate.value, abs=1e-12)
    assert pick(two, "brennan_prediger").estimate.value == pytest.approx(1 - (3 / 13) / (1 / 2))
    assert pick(three, "brennan_prediger").estimate.value == pytest.approx(1 - (3 / 13) / (2 / 3))
    unused = pick(three, "specific_agreement", category="c").estimate
    assert unused.value is None
    assert "'c'" in unused.undefined


def test_one_rater_is_not_enough_for_any_coefficient():
    found = all_of(wide([["a"], ["b"], ["a"]]))
    assert all(c.estimate.value is None for c in found)
    assert "one rater" in pick(found, "fleiss_kappa").estimate.undefined


def test_without_two_ratings_of_a_subject_nothing_can_be_compared():
    found = all_of(wide([["a", None], [None, "b"], ["a", None]]))
    assert all(c.estimate.value is None for c in found)
    assert "nothing to compare" in pick(found, "gwet_ac").estimate.undefined


def test_no_ratings_at_all_are_said_to_be_none():
    empty = np.zeros(0, dtype=np.int64)
    found = all_of(Ratings.of(empty, empty, empty, ["S1"], ["A", "B"], ["no", "yes"]))
    assert {c.estimate.undefined for c in found if c.name in CORRECTED} == {"There are no ratings."}


def test_unknown_raters_have_no_coefficients_of_persons():
    found = all_of(counted([[3, 1], [2, 2], [0, 4], [4, 0]], ["no", "yes"]))
    for name in ("cohen_kappa", "conger_kappa", "light_kappa", "hubert_kappa", "icc_a1", "icc_c1", "icc_ak", "icc_ck"):
        assert "not known" in pick(found, name).estimate.undefined
    for name in ("fleiss_kappa", "gwet_ac", "brennan_prediger", "icc_1", "icc_1k", "percent_agreement"):
        assert pick(found, name).estimate.value is not None


def test_seats_give_the_same_as_persons_where_persons_do_not_matter():
    ratings = drawn(5)
    persons, seats = all_of(ratings), all_of(replace(ratings, raters_known=False))
    for name in ("percent_agreement", "fleiss_kappa", "gwet_ac", "brennan_prediger", "icc_1"):
        one, other = pick(persons, name).estimate, pick(seats, name).estimate
        assert (one.value, one.se, one.low, one.high) == pytest.approx((other.value, other.se, other.low, other.high))


def test_scotts_pi_with_three_raters_points_to_fleiss():
    e = pick(all_of(drawn(1, raters=3)), "scott_pi").estimate
    assert "Fleiss" in e.undefined


def test_scotts_pi_does_not_need_to_know_who_gave_which_of_two_ratings():
    table = confusion([[8, 4, 2], [5, 7, 1], [1, 2, 6]])
    known, unknown = (pick(all_of(r), "scott_pi").estimate for r in (table, replace(table, raters_known=False)))
    assert unknown.value == pytest.approx(known.value, abs=1e-12)


def test_words_without_an_order_have_no_near_and_far():
    rows = [["ash", "ash"], ["oak", "elm"], ["elm", "elm"], ["oak", "oak"]]
    found = all_of(wide(rows), weights=("identity", "quadratic"))
    assert "no order" in pick(found, "fleiss_kappa", weights="quadratic").estimate.undefined
    assert "no order" in pick(found, "krippendorff_alpha", metric="interval").estimate.undefined
    assert "scores" in pick(found, "icc_1").estimate.undefined
    assert pick(found, "fleiss_kappa", weights="identity").estimate.value is not None


def test_ordered_words_are_counted_and_the_reader_is_told():
    rows = [["low", "mid"], ["mid", "mid"], ["high", "high"], ["low", "low"]]
    found = all_of(wide(rows, classes=["low", "mid", "high"], ordered=True))
    numbers = all_of(wide([[{"low": 1, "mid": 2, "high": 3}[x] for x in row] for row in rows]))
    assert pick(found, "icc_1").estimate.value == pytest.approx(pick(numbers, "icc_1").estimate.value, abs=1e-12)
    assert "counted 1, 2, 3" in pick(found, "icc_1").note
    assert "0 meaning none" in pick(found, "krippendorff_alpha", metric="ratio").estimate.undefined


def test_raters_without_a_shared_subject_have_no_kappa_and_are_left_out_of_the_means():
    rows = [["a", "a", None], ["b", "a", None], ["b", "b", None], [None, "a", "a"], [None, "b", "b"], [None, "b", "a"]]
    found = all_of(wide(rows))
    apart = pick(found, "cohen_kappa", raters=("R1", "R3"))
    assert apart.estimate.undefined == "R1 and R3 share no case."
    assert (apart.subjects, apart.left_out.subjects, apart.left_out.ratings) == (0, 6, 12)
    kappas = [pick(found, "cohen_kappa", raters=pair).estimate.value for pair in (("R1", "R2"), ("R2", "R3"))]
    light = pick(found, "light_kappa")
    assert light.estimate.value == pytest.approx(np.mean(kappas), abs=1e-12)
    assert "left out: 1" in light.note


def test_a_pair_that_used_one_class_only_is_undefined_and_left_out_of_lights_kappa():
    rows = [["a", "a", "b"], ["a", "a", "a"], ["a", "a", "b"], ["a", "a", "a"]]
    found = all_of(wide(rows))
    assert "100 %" in pick(found, "cohen_kappa", raters=("R1", "R2")).estimate.undefined
    light = pick(found, "light_kappa")
    assert light.estimate.value == 0.0
    assert "same class only, left out: 1" in light.note


def test_too_many_raters_to_pair_are_refused_with_the_number_that_is_not():
    rows = [[c] * 60 for c in "abab"]
    found = all_of(wide(rows))
    assert "at most 50" in pick(found, "cohen_kappa").estimate.undefined
    assert pick(found, "conger_kappa").estimate.value == 1.0


def test_without_a_subject_that_everyone_rated_two_way_correlations_are_undefined():
    found = all_of(wide([[1, 2, None], [None, 3, 3], [2, None, 1], [3, 3, None]]))
    assert "every rater" in pick(found, "icc_a1").estimate.undefined
    assert pick(found, "icc_1").estimate.value is not None


def test_equal_subject_means_leave_the_mean_correlations_undefined():
    found = all_of(wide([[1, 3], [3, 1], [2, 2]]))
    assert "no difference between cases" in pick(found, "icc_1k").estimate.undefined
    assert pick(found, "icc_1").estimate.value == pytest.approx(-1.0)


def test_a_correlation_whose_variances_cancel_out_is_undefined_and_not_huge():
    """Rows 1 3 / 2 2 / 3 1: subjects and raters do not differ at all, so ICC(A, k) divides by less than nothing."""
    e = pick(all_of(wide([[1, 3], [3, 1], [2, 2], [2, 2]])), "icc_ak").estimate
    assert e.value is None
    assert "no difference between cases" in e.undefined


def test_limits_far_below_anything_possible_are_not_shown():
    ratings = drawn(seed=4, subjects=4, raters=4, classes=3, missing=0.3)
    e = pick(all_of(ratings), "icc_ak").estimate
    assert e.value == pytest.approx(-8 / 3)
    assert e.low is None
    assert "no useful limits" in e.no_interval


def test_scores_that_agree_perfectly_have_a_correlation_of_one_without_limits():
    for name in ("icc_1", "icc_a1", "icc_c1", "icc_1k", "icc_ak", "icc_ck"):
        e = pick(all_of(wide([[1, 1], [2, 2], [4, 4], [2, 2]])), name).estimate
        assert (e.value, e.low, e.se) == (1.0, None, None)
        assert e.no_interval


def test_a_hardly_used_class_has_no_agreement_of_its_own():
    rows = [["a", "a"]] * 20 + [["a", "b"]] * 3
    assert "Fewer than 5" in pick(all_of(wide(rows)), "specific_agreement", category="b").estimate.undefined


def test_repeats_of_one_rater_share_one_vote_and_never_agree_with_themselves():
    """Ana says a, a, b; Ben says a: two thirds of a vote for a against a whole one."""
    triples = [("W1", "Ana", "a"), ("W1", "Ana", "a"), ("W1", "Ana", "b"), ("W1", "Ben", "a")]
    triples += [("W2", "Ana", "b"), ("W2", "Ben", "b"), ("W3", "Ana", "a"), ("W3", "Ben", "b")]
    found = all_of(long(triples, ["a", "b"]))
    raw = pick(found, "percent_agreement")
    assert raw.estimate.value == pytest.approx((2 / 3 + 1 + 0) / 3, abs=1e-12)
    assert (raw.subjects, raw.ratings) == (3, 8)
    assert "share that rater's vote" in raw.note
    # By hand: Ana's rates of a 5/9, Ben's 3/9, P_e = 5/9 * 3/9 + 4/9 * 6/9 = 39/81, P_o = 5/9.
    assert pick(found, "cohen_kappa").estimate.value == pytest.approx((5 / 9 - 39 / 81) / (1 - 39 / 81), abs=1e-12)
    share = 8 / 18
    expected = 1 - (4 / 9) / (2 * share * (1 - share))
    assert pick(found, "fleiss_kappa").estimate.value == pytest.approx(expected, abs=1e-12)
    assert pick(found, "specific_agreement", category="a").estimate.undefined


def test_a_rater_who_repeats_the_same_answer_changes_nothing():
    once = [("W1", "Ana", "a"), ("W1", "Ben", "b"), ("W2", "Ana", "b"), ("W2", "Ben", "b"), ("W3", "Ana", "a")]
    once += [("W3", "Ben", "a"), ("W4", "Ana", "b"), ("W4", "Ben", "a")]
    twice = sorted([*once, ("W1", "Ana", "a"), ("W4", "Ben", "a")])
    one, other = all_of(long(once, ["a", "b"])), all_of(long(twice, ["a", "b"]))
    for a, b in zip(one, other, strict=True):
        assert (a.name, a.estimate.value is None) == (b.name, b.estimate.value is None)
        if a.estimate.value is not None:
            assert a.estimate.value == pytest.approx(b.estimate.value, abs=1e-12), a.name


def test_a_single_rater_who_repeats_is_still_a_single_rater():
    triples = [("W1", "Ana", "a"), ("W1", "Ana", "b"), ("W2", "Ana", "b"), ("W2", "Ana", "b")]
    found = all_of(long(triples, ["a", "b"]))
    assert all("one rater" in c.estimate.undefined for c in found if c.name in CORRECTED)
