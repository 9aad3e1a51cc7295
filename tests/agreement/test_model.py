"""What the coefficients are on exact data of the t-a-p model (models.md, sections 2 and 6)."""

from itertools import product
from math import sqrt

import numpy as np
import pytest

from agreement.examples import all_of, pick
from tapdesk.agreement.interpretation import accuracy, special_case
from tapdesk.ratings.ratings import Ratings


def population(truth, accuracies, guesses, unit, classes=None) -> Ratings:
    """Every pattern of ratings with the number of subjects it is expected to have.

    Parameters
    ----------
    truth
        Shape (K,).
    accuracies, guesses
        For each rater: a number and a vector.
    unit
        Number of subjects, chosen so that all expected numbers are whole.
    """
    k, raters = len(truth), len(accuracies)
    rates = [a * np.eye(k) + (1 - a) * np.asarray(p) for a, p in zip(accuracies, guesses, strict=True)]
    patterns = list(product(range(k), repeat=raters))
    expected = unit * np.array(
        [
            sum(t * np.prod([rates[j][c, x] for j, x in enumerate(pattern)]) for c, t in enumerate(truth))
            for pattern in patterns
        ]
    )
    weight = np.rint(expected).astype(np.int64)
    assert np.abs(weight - expected).max() < 1e-3, "the population must be exact"
    return Ratings.of(
        np.repeat(np.arange(len(patterns)), raters),
        np.tile(np.arange(raters), len(patterns)),
        np.array(patterns).ravel(),
        [str(p) for p in patterns],
        [f"R{j + 1}" for j in range(raters)],
        classes or [f"class {c}" for c in range(k)],
        weight=weight,
    )


@pytest.mark.parametrize("k", range(2, 11))
def test_with_guesses_as_common_as_truth_every_identity_kappa_is_the_squared_accuracy(k):
    parts = np.arange(1, k + 1)
    truth, a = parts / parts.sum(), 0.6
    found = all_of(population(truth, [a, a], [truth, truth], 25 * int(parts.sum()) ** 3))
    for name in ("fleiss_kappa", "cohen_kappa", "scott_pi", "conger_kappa", "light_kappa", "hubert_kappa"):
        assert pick(found, name).estimate.value == pytest.approx(a * a, abs=1e-12), name
        assert accuracy(pick(found, name)) == pytest.approx(a, abs=1e-12)
    alpha = pick(found, "krippendorff_alpha", metric="nominal")
    assert alpha.estimate.value == pytest.approx(a * a + (1 - a * a) / alpha.ratings, abs=1e-12)


def test_with_guesses_as_common_as_truth_weights_change_no_kappa():
    truth = np.array([0.5, 0.3, 0.2])
    data = population(truth, [0.5] * 3, [truth] * 3, 80_000_000, ["1", "2", "3"])
    found = all_of(data, weights=("identity", "linear", "quadratic", "ordinal"))
    for c in found:
        if c.name in {"fleiss_kappa", "cohen_kappa", "conger_kappa", "light_kappa", "hubert_kappa"}:
            assert c.estimate.value == pytest.approx(0.25, abs=1e-9), (c.name, c.weights)
        if c.name in {"krippendorff_alpha", "icc_1", "icc_a1", "icc_c1"}:
            assert c.estimate.value == pytest.approx(0.25, abs=1e-6), (c.name, c.metric)
        if c.name in {"icc_1k", "icc_ak", "icc_ck"}:
            assert c.estimate.value == pytest.approx(3 * 0.25 / (1 + 2 * 0.25), abs=1e-6)
        if c.name == "kendall_w":
            assert c.estimate.value == pytest.approx((1 + 2 * 0.25) / 3, abs=1e-6)
            assert special_case(c).formula
            assert isinstance(accuracy(c), str)


def test_cohens_kappa_of_two_raters_is_the_product_of_their_accuracies():
    truth = np.array([0.7, 0.2, 0.1])
    found = all_of(population(truth, [0.9, 0.5, 0.2], [truth] * 3, 10**8))
    for raters, product_ in ((("R1", "R2"), 0.45), (("R1", "R3"), 0.18), (("R2", "R3"), 0.10)):
        assert pick(found, "cohen_kappa", raters=raters).estimate.value == pytest.approx(product_, abs=1e-9)
    mean = (0.45 + 0.18 + 0.10) / 3
    for name in ("fleiss_kappa", "conger_kappa", "light_kappa", "hubert_kappa"):
        assert pick(found, name).estimate.value == pytest.approx(mean, abs=1e-9), name


@pytest.mark.parametrize("truth", [[0.9, 0.1], [0.2, 0.8], [0.5, 0.3, 0.1, 0.1]])
def test_with_even_guesses_brennan_prediger_is_the_squared_accuracy_whatever_the_truth(truth):
    k, a = len(truth), 0.4
    found = all_of(population(truth, [a, a], [np.ones(k) / k] * 2, 10**6))
    assert pick(found, "brennan_prediger").estimate.value == pytest.approx(a * a, abs=1e-12)


def test_kappa_is_the_squared_accuracy_times_a_ratio_of_spreads():
    truth, guess, a = np.array([0.1, 0.9]), np.array([0.6, 0.4]), 0.5
    c = a * truth + (1 - a) * guess
    found = all_of(population(truth, [a] * 3, [guess] * 3, 10**7))
    expected = a**2 * (1 - truth @ truth) / (1 - c @ c)
    assert pick(found, "fleiss_kappa").estimate.value == pytest.approx(expected, abs=1e-12)


def test_ac1_of_a_rare_class_is_far_from_the_squared_accuracy():
    """models.md, section 6: t = p = .1, a = .3 gives .80 where a squared is .09."""
    truth = np.array([0.9, 0.1])
    c = pick(all_of(population(truth, [0.3, 0.3], [truth, truth], 10**6)), "gwet_ac")
    assert c.estimate.value == pytest.approx(0.80, abs=5e-3)
    assert not special_case(c).formula
    assert isinstance(accuracy(c), str)


def test_agreement_on_a_class_is_its_share_plus_the_squared_accuracy_times_the_rest():
    truth, a = np.array([0.8, 0.2]), 0.5
    found = all_of(population(truth, [a, a], [truth, truth], 10**6))
    for t, label in zip(truth, ("class 0", "class 1"), strict=True):
        specific = pick(found, "specific_agreement", category=label)
        assert specific.estimate.value == pytest.approx(t + a * a * (1 - t), abs=1e-12)
        assert special_case(specific).equals == "t + a² (1 - t) where p = t"


def test_the_square_root_of_kappa_is_read_as_an_accuracy():
    truth = np.array([0.5, 0.5])
    c = pick(all_of(population(truth, [0.8, 0.8], [truth, truth], 10**6)), "fleiss_kappa")
    assert accuracy(c) == pytest.approx(sqrt(c.estimate.value)) == pytest.approx(0.8)
