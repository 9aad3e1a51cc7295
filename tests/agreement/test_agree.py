"""Asking for coefficients: intervals, re-draws, weights, the JSON, words beside the numbers."""

import json
from dataclasses import replace

import numpy as np
import pytest

from agreement.examples import all_of, confusion, drawn, pick, wide
from tapdesk.agreement.coefficients import COEFFICIENTS, agree
from tapdesk.agreement.interpretation import SPECIAL_CASES, explain, shows_paradox, title
from tapdesk.agreement.quantity import draw_weights
from tapdesk.agreement.tables import user_weights
from tapdesk.agreement.word_scales import ALTMAN, FLEISS, LANDIS_KOCH, WordScale, benchmark
from tapdesk.errors import UsageError
from tapdesk.estimate import Estimate, undefined
from tapdesk.progress import finish


def test_the_json_has_the_fields_of_the_command_line_and_no_nan():
    record = pick(all_of(drawn(2)), "fleiss_kappa").record()
    wanted = [
        "name",
        "weights",
        "metric",
        "class",
        "raters",
        "value",
        "se",
        "low",
        "high",
        "undefined",
        "subjects",
        "ratings",
    ]
    assert list(record)[: len(wanted)] == wanted
    json.dumps([c.record() for c in all_of(wide([["a", "a"]] * 3))], allow_nan=False)


def test_every_coefficient_of_the_catalog_is_reported_and_explained():
    found = all_of(confusion([[8, 4, 2], [5, 7, 1], [1, 2, 6]]))
    assert {c.name for c in found} == {kind.name for kind in COEFFICIENTS} == set(SPECIAL_CASES)


def test_a_matrix_of_the_users_own_is_used_where_it_has_a_meaning():
    own = user_weights("near", np.array([[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]))
    table = [[8, 4, 2], [5, 7, 1], [1, 2, 6]]
    found = all_of(confusion(table, ["1", "2", "3"]), weights=("identity", "linear", own))
    for name in ("cohen_kappa", "fleiss_kappa", "gwet_ac", "brennan_prediger", "percent_agreement", "conger_kappa"):
        near, linear = (pick(found, name, weights=w).estimate for w in ("near", "linear"))
        assert near.value == pytest.approx(linear.value, abs=1e-12)
        assert near.se == pytest.approx(linear.se, abs=1e-12)
    assert {c.weights for c in found if c.name == "krippendorff_alpha"} == {"identity", None, "near"}
    assert {c.weights for c in found if c.name == "specific_agreement"} == {"identity"}


@pytest.mark.parametrize(
    ("matrix", "word"),
    [
        ([[1, 0]], "square"),
        ([[1, 0.2], [0.3, 1]], "change places"),
        ([[0.9, 0], [0, 1]], "same class"),
        ([[1, -0.1], [-0.1, 1]], "between 0 and 1"),
        ([[1, np.nan], [np.nan, 1]], "between 0 and 1"),
        ([[1, 1], [1, 1]], "full agreement"),
    ],
)
def test_a_matrix_that_is_no_table_of_credits_is_refused_in_words(matrix, word):
    with pytest.raises(UsageError, match=word):
        user_weights("mine", np.array(matrix))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"weights": ("cubic",)}, "cubic"),
        ({"weights": (user_weights("two", np.eye(2)),)}, "2 classes"),
        ({"level": 95}, "not between"),
        ({"interval": "jackknife"}, "jackknife"),
        ({"interval": "bootstrap", "replicates": 1}, "too few"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(options, word):
    with pytest.raises(UsageError, match=word):
        all_of(drawn(2), **options)


def test_a_wider_level_gives_a_wider_interval_and_none_gives_none():
    ratings = drawn(3)
    narrow, wide_, none = (all_of(ratings, **o) for o in ({"level": 0.5}, {"level": 0.99}, {"interval": "none"}))
    for a, b, c in zip(narrow, wide_, none, strict=True):
        assert a.estimate.value == b.estimate.value == c.estimate.value
        assert c.estimate.low is None
        if a.estimate.low is not None and b.estimate.low is not None:
            assert b.estimate.low <= a.estimate.low <= a.estimate.high <= b.estimate.high


def test_an_interval_that_is_cut_says_so():
    c = pick(all_of(wide([["a", "a"]] * 5 + [["b", "b"]] * 4 + [["a", "b"]])), "fleiss_kappa")
    assert c.estimate.high == 1.0
    assert "cut at 1" in c.note


def test_an_interval_from_hardly_any_rare_ratings_is_called_too_narrow():
    """COVERAGE.md: 50 subjects by 3 raters at t = .1 have 15 such ratings; intervals hold the truth 8 times in 10."""
    few, many = (all_of(confusion(np.array([[40, 4], [3, 3]]) * times)) for times in (1, 10))
    for name in ("cohen_kappa", "fleiss_kappa", "light_kappa", "icc_1", "specific_agreement"):
        assert all("too narrow" in c.note for c in few if c.name == name and c.estimate.low is not None)
        assert not any("too narrow" in c.note for c in many if c.name == name)
    assert not any("too narrow" in c.note for c in few if c.name in {"percent_agreement", "gwet_ac"})


def test_correlations_of_two_classes_do_not_use_an_interval_for_normal_scores():
    two, three = all_of(drawn(5, classes=2, missing=0)), all_of(drawn(5, classes=3, missing=0))
    for name in ("icc_1", "icc_a1", "icc_ck"):
        assert pick(two, name).estimate.how == "linearisation"
        assert pick(three, name).estimate.how == "f-distribution"


def test_perfect_agreement_has_no_interval_and_says_why():
    for interval in ("analytic", "bootstrap"):
        c = pick(
            all_of(wide([["a", "a"]] * 5 + [["b", "b"]] * 4), interval=interval, replicates=200), "percent_agreement"
        )
        assert c.estimate.value == 1.0
        assert c.estimate.low is None
        assert "agree alike" in c.estimate.no_interval


def test_one_subject_has_a_value_and_no_interval():
    e = pick(all_of(wide([["a", "a", "b"]])), "fleiss_kappa").estimate
    assert e.value == pytest.approx(-0.5)
    assert "one case" in e.no_interval


def test_re_draws_spread_as_the_standard_error_says():
    ratings = drawn(4, subjects=300, raters=4, missing=0.1)
    analytic, redrawn = all_of(ratings), all_of(ratings, interval="bootstrap", replicates=600)
    for a, b in zip(analytic, redrawn, strict=True):
        assert (a.name, a.estimate.value) == (b.name, b.estimate.value)
        if a.estimate.se is not None:
            assert b.estimate.how == "bootstrap"
            assert b.estimate.se == pytest.approx(a.estimate.se, rel=0.15), a.name


def test_the_same_seed_gives_the_same_re_draws_and_another_seed_others():
    ratings = drawn(6)
    one, same, other = (
        pick(all_of(ratings, interval="bootstrap", replicates=100, seed=s), "light_kappa").estimate for s in (3, 3, 4)
    )
    assert one == same
    assert one.low != other.low


@pytest.mark.parametrize("weight", [[1.0] * 50, [3.0, 40.0, 7.0], [900.0, 100.0]])
def test_re_drawn_subjects_are_as_many_as_before_and_in_their_shares(weight):
    weight = np.array(weight)
    drawn_ = draw_weights(np.random.default_rng(0), weight, 400)
    assert (drawn_.sum(axis=1) == weight.sum()).all()
    spread = np.sqrt(weight * (1 - weight / weight.sum()))
    assert np.abs(drawn_.mean(axis=0) - weight).max() < 5 * spread.max() / np.sqrt(400)
    assert drawn_.std(axis=0) == pytest.approx(spread, rel=0.2)


def test_too_few_usable_re_draws_give_no_interval():
    rows = [["a", "a"]] * 12 + [["b", "b"]]
    e = pick(all_of(wide(rows), interval="bootstrap", replicates=300), "fleiss_kappa").estimate
    assert e.value == 1.0
    assert "resamples" in e.no_interval


def test_progress_is_told_in_two_phases():
    steps = list(agree(drawn(2), interval="bootstrap", replicates=300))
    assert [s.phase for s in steps] == sorted(s.phase for s in steps)
    assert {s.phase for s in steps} == {"coefficients", "re-draws"}
    assert (steps[-1].done, steps[-1].total) == (300, 300)


def test_a_run_can_be_dropped_half_way():
    run = agree(drawn(2), interval="bootstrap", replicates=10_000)
    next(run)
    run.close()


def test_gwets_ac1_of_the_four_raters_earns_moderate_not_substantial():
    """experience.md: .775 with standard error .143 lies above .6 with a probability of about .88 only."""
    told = benchmark(Estimate(0.77544, 0.14295), LANDIS_KOCH)
    assert (told.word, told.by_value, told.scale) == ("Moderate", "Substantial", "Landis and Koch (1977)")
    assert {b.word: b.or_higher for b in told.bands}["Substantial"] == pytest.approx(0.88, abs=5e-3)
    assert sum(b.probability for b in told.bands) == pytest.approx(1)
    assert told.probability >= 0.95


@pytest.mark.parametrize("scale", [LANDIS_KOCH, FLEISS, ALTMAN])
def test_a_sure_coefficient_gets_the_word_of_its_band(scale):
    for low, word in scale.bands[1:]:
        assert benchmark(Estimate(low + 0.05, 1e-4), scale).word == word
    assert benchmark(Estimate(-0.5, 1e-4), scale).word == scale.bands[0][1]


def test_without_a_standard_error_there_is_no_word():
    assert benchmark(undefined("Nothing to see."), LANDIS_KOCH) is None
    assert benchmark(Estimate(1.0), ALTMAN) is None


def test_an_own_scale_must_rise_from_minus_one():
    own = WordScale("our ward", ((-1, "repeat"), (0.7, "accept")))
    assert benchmark(Estimate(0.75, 0.2), own).word == "repeat"
    with pytest.raises(UsageError, match="rise"):
        WordScale("wrong", ((0, "low"), (0.5, "high")))


def test_the_reading_names_the_accuracy_and_the_gap_to_a_fitted_one():
    c = pick(all_of(confusion([[40, 9], [6, 45]])), "fleiss_kappa")
    said = explain(c, Estimate(0.70))
    assert "0.84" in said
    assert "finds 0.14 more" in said
    assert "same" in explain(c, Estimate(0.836))


def test_the_reading_of_what_has_no_root_says_why():
    found = all_of(confusion([[1, 9], [8, 2]]))
    assert "below 0" in explain(pick(found, "fleiss_kappa"))
    assert "no measure of accuracy" in explain(pick(found, "percent_agreement"))
    one = all_of(wide([["a", "a"]] * 3, classes=["a", "b"]))
    assert "undefined" in explain(pick(one, "fleiss_kappa"))


def test_no_accuracy_is_read_out_of_what_luck_alone_may_give():
    c = pick(all_of(confusion([[40, 9], [6, 45]])), "fleiss_kappa")
    assert "no accuracy is read out of it" in explain(c, luck=True)
    near = replace(c, estimate=replace(c.estimate, value=0.09, low=-0.04, high=0.22))
    said = explain(near)
    assert "is 0.09" in said
    assert "Luck alone may give as much, so no accuracy is read out of it." in said
    assert "0.30" not in said
    clear = replace(c, estimate=replace(c.estimate, value=0.09, low=0.02, high=0.22))
    assert "the accuracy is 0.30" in explain(clear)


def test_a_coefficient_a_hair_below_zero_is_told_without_a_sign():
    c = pick(all_of(confusion([[40, 9], [6, 45]])), "fleiss_kappa")
    said = explain(replace(c, estimate=replace(c.estimate, value=-0.002, low=None, high=None)))
    assert "is 0.00." in said
    assert "-0.00" not in said


def test_titles_tell_coefficients_of_one_name_apart():
    found = all_of(drawn(2), weights=("identity", "linear"))
    titles = [title(c) for c in found]
    assert len(set(titles)) == len(titles)
    assert "Cohen's kappa, R1 and R2, linear weights" in titles
    assert "Gwet's AC2, linear weights" in titles


def test_the_paradox_is_noticed_in_the_unbalanced_table_only():
    for table, noticed in (([[40, 9], [6, 45]], False), ([[80, 10], [5, 5]], True)):
        ratings = confusion(table)
        assert shows_paradox(all_of(ratings), ratings.class_rates().max()) is noticed


def test_a_million_ratings_tallied_cost_no_more_than_their_patterns():
    table = confusion(np.array([[8, 4, 2], [5, 7, 1], [1, 2, 6]]) * 100_000)
    c = pick(finish(agree(table)), "cohen_kappa")
    assert (c.subjects, c.ratings) == (3_600_000, 7_200_000)
    assert c.estimate.value == pytest.approx(0.364705882353, abs=1e-12)


@pytest.mark.parametrize("labels", [["1.5", "2.0", "4.0"], ["1,5", "2,0", "4,0"]])
@pytest.mark.parametrize(("name", "metric"), [("icc_1", None), ("krippendorff_alpha", "interval")])
def test_the_decimal_mark_of_the_classes_changes_no_coefficient_of_scores(labels, name, metric):
    cells = np.array([[0, 0, 1], [2, 2, 2], [1, 0, 1], [2, 1, 2], [0, 0, 0], [1, 2, 1]])

    def value(names):
        told = all_of(wide([[names[c] for c in row] for row in cells], names, ordered=True))
        return next(c.estimate.value for c in told if c.name == name and c.metric == metric)

    assert value(labels) == pytest.approx(value(["3", "4", "8"]), abs=1e-12)
    assert value(labels) != pytest.approx(value(["1", "2", "3"]), abs=1e-3)


def test_one_number_written_twice_is_two_classes_without_a_distance():
    rows = [["1", "1.0", "5"], ["5", "5", "5"], ["1", "1", "2"], ["2", "1.0", "2"], ["1", "5", "2"]]
    plain = [[x.replace(".0", "") for x in row] for row in rows]
    twice = pick(all_of(wide(rows, ["1", "1.0", "2", "5"], ordered=True)), "icc_1").estimate.value
    assert twice == pytest.approx(pick(all_of(wide(plain, ["1", "2", "5"], ordered=True)), "icc_1").estimate.value)
