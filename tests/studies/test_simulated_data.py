"""Simulated data told as weights are the same data, and fitting them side by side is fitting them one by one."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.agreement.coefficients import agree
from tapdesk.fitting.em import ExactEM
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import one_by_one
from tapdesk.progress import finish
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.batch_fit import (
    CAREFUL,
    dataset_evidence,
    fit_count_vectors,
    fit_dataset,
    fit_weights,
    pooled_space,
)
from tapdesk.studies.fleiss_kappa import fleiss_kappas, kappa_of
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import (
    complete_count_vectors,
    count_vectors,
    count_vectors_of,
    design_count_vectors,
    simulate_datasets,
)
from tests.studies.examples import panel


@given(st.integers(0, 6), st.integers(2, 5))
def test_every_vector_of_counts_is_listed_once(n, k):
    table = count_vectors(n, k)
    assert table.shape == (comb(n + k - 1, k - 1), k)
    assert (table.sum(axis=1) == n).all()
    assert table.min() >= 0
    assert len({tuple(row) for row in table.tolist()}) == table.shape[0]


def test_expected_numbers_sum_to_the_subjects_of_each_size():
    here = count_vectors_of(np.array([0, 2, 5]), np.array([7, 30, 10]), 3)
    expected = here.expected(shared_point([0.2, 0.3, 0.5], 0.6, [0.1, 0.1, 0.8]))
    assert expected[here.size == 2].sum() == pytest.approx(30)
    assert expected[here.size == 5].sum() == pytest.approx(10)
    assert here.total == 40


def test_simulated_data_keep_the_design_and_have_the_expected_mean():
    here = count_vectors_of(np.array([2, 4]), np.array([30, 10]), 2)
    point = shared_point([0.6, 0.4], 0.5, [0.3, 0.7])
    drawn = here.draw(point, 3000, np.random.default_rng(1))
    assert (drawn[:, here.size == 2].sum(axis=1) == 30).all()
    assert (drawn[:, here.size == 4].sum(axis=1) == 10).all()
    expected = here.expected(point)
    assert drawn.mean(axis=0) == pytest.approx(expected, abs=4 * np.sqrt(expected.max() / 3000))


def test_a_list_of_vectors_that_is_too_long_is_not_made():
    assert complete_count_vectors(10, 60, 8) is None


def _ragged(seed: int = 1) -> Ratings:
    ratings = panel(["t=.2,.3,.5", "a=.6", "p=.2,.3,.5"], 60, 5, classes=("x", "y", "z"), seed=seed)
    return ratings.keep((ratings.subject + ratings.rater) % 4 != 0)


def test_real_ratings_are_found_in_their_worlds():
    ratings = _ragged()
    here = design_count_vectors(ratings)
    weights = here.observed(ratings)
    assert weights.sum() == 60
    assert weights @ here.table == pytest.approx(np.bincount(ratings.category, minlength=3))


def test_kappa_of_many_data_sets_is_the_kappa_of_each():
    for seed in range(3):
        ratings = _ragged(seed)
        coefficients = finish(agree(ratings, interval="none"))
        told = next(c for c in coefficients if c.name == "fleiss_kappa").estimate.value
        patterns = tabulate(ratings)
        twice = np.stack([patterns.weight, 2 * patterns.weight])
        assert fleiss_kappas(patterns, twice) == pytest.approx([told, told], abs=1e-12)
        assert kappa_of(ratings) == pytest.approx(told, abs=1e-12)


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "P-a-P", "t-ak-p"])
def test_fits_side_by_side_reach_the_maxima_of_fits_one_by_one(name):
    m = model(name)
    sets = [_ragged(seed) for seed in range(4)]
    here = design_count_vectors(sets[0])
    weights = np.stack([here.observed(r) for r in sets])
    many = finish(fit_count_vectors(m, here, weights, effort=CAREFUL))
    for b, ratings in enumerate(sets):
        one = finish(ExactEM().run(m, ratings, 1))
        assert many.log_likelihood[b] == pytest.approx(one.log_likelihood.ratings, abs=1e-3)
        assert many.stack.accuracy[b].ravel() == pytest.approx(one.parameters.accuracy.ravel(), abs=0.02)


def test_copies_of_a_design_with_raters_are_fitted_as_if_each_stood_alone():
    ratings = one_by_one(panel(["t=.4", "a=.3,.6,.9", "p=.4"], 80, 3, name="t-aj-p"))
    m = model("t-aj-p")
    point = finish(fit_dataset(m, ratings, 1))[0]
    (some,) = simulate_datasets(ratings, m, point, 3, np.random.SeedSequence(1))
    plan, weights = some.tabulate(m)
    assert weights.sum(axis=1).tolist() == [80, 80, 80]
    many = finish(fit_weights(plan.space, plan.space.evidence(plan.patterns), weights, [point], effort=CAREFUL))
    for b in range(3):
        own = Ratings(
            ratings.subject,
            ratings.rater,
            some.ratings.category[some.owner[some.ratings.subject] == b],
            ratings.subjects,
            ratings.raters,
            ratings.classes,
        )
        assert finish(ExactEM().run(m, own, 1)).log_likelihood.ratings == pytest.approx(
            many.log_likelihood[b], abs=1e-3
        )


def test_copies_are_the_same_for_the_same_seed():
    ratings = panel(["t=.4", "a=.5", "p=.4"], 300, 3)
    point = shared_point([0.6, 0.4], 0.5, [0.6, 0.4])
    one, two = (
        [c.ratings.category for c in simulate_datasets(ratings, model("t-a-p"), point, 60, np.random.SeedSequence(3))]
        for _ in range(2)
    )
    assert len(one) > 1
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "t-ak-p"])
def test_data_sets_told_each_by_its_own_patterns_expect_the_same(name):
    here = count_vectors_of(np.array([2, 4]), np.array([5, 12]), 5)
    rng = np.random.default_rng(3)
    weights = here.draw(shared_point([0.4, 0.3, 0.1, 0.1, 0.1], 0.5, [0.2] * 5), 7, rng)
    space = pooled_space(model(name), 5)
    stack = space.point(rng.dirichlet([1] * 5, 7), rng.random(7), rng.dirichlet([1] * 5, 7))
    # Impossible ratings and certain classes are met on the way as well.
    stack.truth[0], stack.guessing[1, 0, 0] = [1, 0, 0, 0, 0], [0, 0, 0.5, 0.25, 0.25]
    shared = space.evidence(here.patterns)
    own, told = dataset_evidence(shared, weights)
    assert told.shape == (7, 6, np.count_nonzero(weights, axis=1).max())
    expected, found = shared.expect(stack, weights), own.expect(stack, told)
    for field in ("log_likelihood", "truth", "hits", "ratings", "guesses"):
        np.testing.assert_allclose(getattr(found, field), getattr(expected, field), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", ["t-aj-p", "t-aj-pj", "t-a-pj"])
def test_data_sets_of_known_raters_told_each_by_its_own_cases_expect_the_same(name):
    classes = tuple("vwxyz")
    ratings = panel(["t=.4,.3,.1,.1,.1", "a=.5", "p=.2,.2,.2,.2,.2"], 30, 4, classes=classes)
    # Ragged, and J1 has rated some cases twice.
    kept = ratings.keep((np.arange(ratings.subject.size) % 7) != 0)
    kept = replace(kept, rater=np.where((kept.subject < 9) & (kept.rater == 1), 0, kept.rater))
    m = model(name)
    plan = design(m, kept)
    rng = np.random.default_rng(3)

    def stacked(size: int) -> Stack:
        accuracy = rng.uniform(0.2, 0.8, (size, *plan.space.accuracy_shape))
        return Stack(
            rng.dirichlet([1] * 5, size),
            accuracy,
            rng.dirichlet([1] * 5, (size, *plan.space.guessing_shape[:2])),
            np.zeros((size, 0)),
        )

    point = stacked(1).one(0)
    (some,) = simulate_datasets(kept, m, point, 20, np.random.SeedSequence(3))
    plan, weights = some.tabulate(m)
    stack = stacked(20)
    # Impossible ratings and certain classes are met on the way as well.
    stack.truth[0], stack.guessing[1, 0, 0] = [1, 0, 0, 0, 0], [0, 0, 0.5, 0.25, 0.25]
    shared = plan.space.evidence(plan.patterns)
    own, told = dataset_evidence(shared, weights)
    assert told.shape == (20, 5, np.count_nonzero(weights, axis=1).max())
    expected, found = shared.expect(stack, weights), own.expect(stack, told)
    for field in ("log_likelihood", "truth", "hits", "ratings", "guesses"):
        np.testing.assert_allclose(getattr(found, field), getattr(expected, field), rtol=1e-9, atol=1e-12)


def test_patterns_that_most_data_sets_have_stay_shared():
    here = count_vectors_of(np.array([3]), np.array([500]), 2)
    weights = here.draw(shared_point([0.4, 0.6], 0.5, [0.5, 0.5]), 4, np.random.default_rng(1))
    evidence = pooled_space(model("t-a-p"), 2).evidence(here.patterns)
    assert dataset_evidence(evidence, weights) == (evidence, weights)


def test_data_sets_drawn_a_few_at_a_time_are_the_same_data_sets(monkeypatch):
    here, point = (
        count_vectors_of(np.array([4]), np.array([30]), 3),
        shared_point([0.4, 0.3, 0.3], 0.5, [0.2, 0.4, 0.4]),
    )
    whole = here.draw(point, 7, np.random.default_rng(1))
    monkeypatch.setattr("tapdesk.studies.simulated_data._MOST_WEIGHTS", 3 * here.size.size)
    parts = list(here.portions(point, 7, np.random.default_rng(1)))
    assert [part.shape[0] for part in parts] == [3, 3, 1]
    np.testing.assert_array_equal(np.concatenate(parts), whole)
