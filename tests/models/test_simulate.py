"""Simulated ratings: what is asked for is what comes out, on average or exactly, and on any design."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.models.model import MODELS, model
from tapdesk.models.simulate import exact, largest_remainder, one_by_one, parse_parameters, simulate, simulate_like
from tapdesk.ratings.ratings import Ratings

CLASSES = ("low", "mid", "high")
RATERS = ("J1", "J2", "J3")
COMMON = ["t=.2,.3,.5", "a=.6", "p=.1,.4,.5"]
TEXTS = {
    "t-a-p": COMMON,
    "t-a-t": COMMON[:2],
    "P-a-P": COMMON[:2],
    "t-ak-p": ["t=.2,.3,.5", "a=.9,.5,.2", "p=.1,.4,.5"],
    "t-a0a1-p0p1": ["t=.2,.3,.5", "a=.6", "p=.1,.4,.5", "p[high]=.3,.3,.4"],
    "t-aj-p": [*COMMON, "a[J3]=.1"],
    "t-a-pj": [*COMMON, "p[J2]=.8,.1,.1"],
    "t-aj-pj": ["t=.2,.3,.5", "a=.1,.5,.9", "p=.1,.4,.5", "p[J2]=.8,.1,.1"],
    "t-a(x)-p": ["t=.2,.3,.5", "b=.2,1.5", "p=.1,.4,.5"],
    "dawid-skene": ["t=.2,.3,.5", "pi[low]=.8,.1,.1", "pi[mid]=.2,.5,.3", "pi[high]=.1,.2,.7", "pi[low, J2]=.1,.1,.8"],
}


@pytest.mark.parametrize("name", [m.name for m in MODELS if m.name != "ti-aj-P"])
def test_class_rates_of_each_rater_and_truth_come_out_as_the_model_says(name):
    m = model(name)
    parameters = parse_parameters(m, TEXTS[name], CLASSES, RATERS)
    ratings, truth = simulate(m, parameters, CLASSES, RATERS, 40_000, seed=5)
    assert np.bincount(truth) / truth.size == pytest.approx([0.2, 0.3, 0.5], abs=0.01)
    if name == "t-a(x)-p":
        x = ratings.covariates["x1"].values
        accuracy = 1 / (1 + np.exp(-(0.2 + 1.5 * x)))
        parameters = replace(parameters, accuracy=accuracy[:, None])
    expected = np.broadcast_to(parameters.rating_rates(), (3, 3, 3))
    seen = np.zeros((3, 3, 3))
    np.add.at(seen, (ratings.rater, truth[ratings.subject], ratings.category), 1)
    assert seen / seen.sum(axis=2, keepdims=True) == pytest.approx(expected, abs=0.02)


def test_a_model_whose_cases_have_no_true_class_is_not_simulated():
    with pytest.raises(UsageError, match="ti-aj-P"):
        parse_parameters(model("ti-aj-P"), ["t=.5", "a=.5"], ("no", "yes"), RATERS)


def test_the_same_seed_gives_the_same_ratings_and_another_seed_others():
    m, p = model("t-a-p"), parse_parameters(model("t-a-p"), COMMON, CLASSES, RATERS)
    one, two, three = (simulate(m, p, CLASSES, RATERS, 50, seed)[0].category for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, three)


def test_two_classes_take_one_number_as_the_rate_of_class_one():
    p = parse_parameters(model("t-a-p"), ["t=.2", "a=.6", "p=.7"], ("no", "yes"), RATERS)
    assert p.truth == pytest.approx([0.8, 0.2])
    assert p.guessing[0, 0] == pytest.approx([0.3, 0.7])


def test_binary_names_by_true_class_are_understood():
    p = parse_parameters(model("t-a0a1-p0p1"), ["t=.2", "a0=.6", "a1=.5", "p0=.7", "p1=.1"], ("0", "1"), RATERS)
    assert p.accuracy[0] == pytest.approx([0.6, 0.5])
    assert p.guessing[0, :, 1] == pytest.approx([0.7, 0.1])


def test_what_is_said_of_one_rater_stands_whatever_the_order():
    m = model("t-aj-p")
    one = parse_parameters(m, ["a[J3]=.7", "a=.6", "t=.1", "p=.5"], ("0", "1"), RATERS)
    assert one.accuracy[:, 0] == pytest.approx([0.6, 0.6, 0.7])


@pytest.mark.parametrize(
    ("name", "texts", "said"),
    [
        ("t-a-p", ["t=.1,.2,.3", "a=.6", "p=.1,.4,.5"], "sum to 0.6, not to 1"),
        ("t-a-p", ["t=.5,.5", "a=.6", "p=.1,.4,.5"], "3 classes (low, mid, high), and the number of rates is 2"),
        ("t-a-p", ["t=.2,.3,.5", "a=1.6", "p=.1,.4,.5"], "between 0 and 1"),
        ("t-a-p", ["t=.2,.3,.5", "a=nan", "p=.1,.4,.5"], "not finite"),
        ("t-a-p", ["t=.2,.3,.5", "a=.6"], "The model t-a-p needs p."),
        ("t-a-p", [*COMMON, "q=.5"], "no parameter 'q'"),
        ("t-a-p", [*COMMON, "a[J3]=.5"], "'a' is shared by all raters and classes"),
        ("t-aj-p", [*COMMON, "a[J9]=.5"], "There is no 'J9' here."),
        ("t-aj-p", ["t=.2,.3,.5", "p=.1,.4,.5", "a[J1]=.5"], "needs a[J2]"),
        ("t-a-t", COMMON, "no parameter 'p'"),
        ("t-a-p", ["t .2", "a=.6"], "not an assignment"),
        ("t-a-p", ["t=.2;.3;.5", "a=.6"], "not a number"),
        ("dawid-skene", ["t=.2,.3,.5", "pi=.8,.1,.1"], "true class must be named"),
        ("dawid-skene", ["t=.2,.3,.5", "pi[low]=.8,.1,.1"], "needs pi[mid, J1]"),
    ],
)
def test_parameters_that_make_no_sense_are_refused_in_a_sentence(name, texts, said):
    with pytest.raises(UsageError) as refusal:
        parse_parameters(model(name), texts, CLASSES, RATERS)
    assert said in str(refusal.value)


@pytest.mark.parametrize("name", ["t-a-p", "t-aj-pj", "dawid-skene"])
def test_exact_ratings_have_every_pattern_as_often_as_expected(name):
    m = model(name)
    parameters = parse_parameters(m, TEXTS[name], CLASSES, RATERS)
    ratings, truth = exact(m, parameters, CLASSES, RATERS, 10_000)
    assert np.bincount(truth).tolist() == [2000, 3000, 5000]
    rows = ratings.category.reshape(-1, 3)
    rates = np.broadcast_to(parameters.rating_rates(), (3, 3, 3))
    high = rows[truth == 2]
    for pattern in ([0, 0, 0], [2, 2, 2], [0, 1, 2]):
        sorted_alike = (np.sort(high, axis=1) == pattern).all(axis=1).mean()
        own = [
            np.prod([rates[j, 2, c] for j, c in enumerate(way)])
            for way in {(a, b, c) for a in pattern for b in pattern for c in pattern if sorted((a, b, c)) == pattern}
        ]
        assert sorted_alike == pytest.approx(sum(own), abs=0.5e-3)


def test_exact_ratings_deal_the_classes_of_a_pattern_to_all_raters_in_turn():
    m = model("t-a-p")
    ratings, _ = exact(m, parse_parameters(m, COMMON, CLASSES, RATERS), CLASSES, RATERS, 3000)
    shares = np.array([np.bincount(ratings.category[ratings.rater == j], minlength=3) for j in range(3)]) / 3000
    assert np.ptp(shares, axis=0).max() < 0.01


def test_too_many_patterns_are_refused_in_a_sentence():
    m = model("t-aj-p")
    raters = [f"J{j}" for j in range(30)]
    with pytest.raises(UsageError, match="too many to list"):
        exact(m, parse_parameters(m, COMMON, CLASSES, raters), CLASSES, raters, 100)


@given(st.lists(st.floats(0, 50), min_size=1, max_size=9))
def test_largest_remainders_keep_the_sum_and_stay_within_one(weights):
    expected = np.array(weights)
    total = round(expected.sum())
    if expected.sum() > 0:
        expected *= total / expected.sum()
        whole = largest_remainder(expected, total)
        assert whole.sum() == total
        assert np.abs(whole - expected).max() < 1 + 1e-6


def _ragged() -> Ratings:
    subject = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    rater = np.array([0, 0, 2, 1, 2, 0, 1, 2])
    category = np.array([0, 1, 1, 1, 1, 0, 0, 0])
    weight = np.array([2, 1, 3])
    return Ratings(subject, rater, category, ("A", "B", "C"), RATERS, ("no", "yes"), weight=weight)


def test_simulation_on_a_design_keeps_who_rated_whom_and_how_often():
    m = model("t-aj-p")
    parameters = parse_parameters(m, ["t=.4", "a=.5", "p=.5"], ("no", "yes"), RATERS)
    new, truth = simulate_like(_ragged(), m, parameters, seed=1)
    assert new.subjects == ("A", "A (2)", "B", "C", "C (2)", "C (3)")
    assert new.rater.tolist() == [0, 0, 2] * 2 + [1, 2] + [0, 1, 2] * 3
    assert new.ratings_per_subject().tolist() == [3, 3, 2, 3, 3, 3]
    assert truth.shape == (6,)


def test_a_tallied_subject_told_one_by_one_keeps_its_ratings():
    told = one_by_one(_ragged())
    assert told.rating_count == _ragged().rating_count
    assert told.counts().tolist() == [[1, 2]] * 2 + [[0, 2]] + [[3, 0]] * 3


def test_a_class_that_cannot_occur_never_does():
    m = model("t-a-p")
    p = parse_parameters(m, ["t=.1,.2,.7,0", "a=.3", "p=.3,.3,.4,0"], "ABCD", RATERS)
    ratings, truth = simulate(m, p, "ABCD", RATERS, 20_000, seed=2)
    assert truth.max() == 2
    assert ratings.category.max() == 2
