"""The E-step against sums written out, and the score against finite differences."""

from itertools import product

import numpy as np
import pytest

from tapdesk.models.design import design
from tapdesk.models.evidence import FullEvidence
from tapdesk.models.model import MODELS, Accuracy, RaterModel, model
from tapdesk.models.parameters import Stack
from tapdesk.models.space import line
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.tables import drawn

SHARED = [m for m in MODELS if m.accuracy is not Accuracy.REGRESSION and m.name != "ti-aj-P"]


def ragged(k: int, seed: int = 3) -> Ratings:
    """Twelve subjects by four raters, a third missing, one rater twice on a subject."""
    rng = np.random.default_rng(seed)
    r = drawn(rng, np.full(k, 1 / k), (0.8, 0.5, 0.3, 0.6), np.full(k, 1 / k), 12, 4, share=0.7)
    return Ratings.of(
        np.append(r.subject, 0), np.append(r.rater, r.rater[0]), np.append(r.category, k - 1), r.subjects, r.raters,
        r.classes,
    )  # fmt: skip


def some_points(plan, n: int = 3, seed: int = 5) -> Stack:
    rng = np.random.default_rng(seed)
    k = plan.space.classes
    accuracy = rng.uniform(0.1, 0.9, (n, *plan.space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(k), (n, *plan.space.guessing_shape[:2]))
    return plan.space.settle(plan.space.point(rng.dirichlet(np.ones(k), n), accuracy, guessing))


def written_out(ratings: Ratings, point) -> tuple[float, np.ndarray]:
    """Log-likelihood and posterior by the formula of models.md §2, subject by subject."""
    rates = point.rating_rates()
    total, posterior = 0.0, []
    for i in range(len(ratings.subjects)):
        mine = ratings.subject == i
        joint = point.truth.copy()
        for j, c in zip(ratings.rater[mine], ratings.category[mine], strict=True):
            joint *= rates[min(j, rates.shape[0] - 1), :, c]
        total += np.log(joint.sum())
        posterior.append(joint / joint.sum())
    return total, np.array(posterior)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("wanted", SHARED, ids=lambda m: m.name)
def test_log_likelihood_and_posterior_equal_the_sum_over_subjects(wanted: RaterModel, k: int):
    ratings = ragged(k)
    plan = design(wanted, ratings)
    evidence = plan.space.evidence(plan.patterns)
    points = some_points(plan)
    expected = evidence.expect(points)
    for b in range(points.size):
        level, posterior = written_out(ratings, points.one(b))
        assert expected.log_likelihood[b] == pytest.approx(level, abs=1e-10)
        told = evidence.posterior(points)[b].T[plan.patterns.of_subject]
        np.testing.assert_allclose(told, posterior, atol=1e-12)
        assert evidence.pattern_log_likelihood(points)[b] @ plan.patterns.weight == pytest.approx(level, abs=1e-10)


@pytest.mark.parametrize("name", ["t-a-p", "t-aj-p", "t-a-pj", "t-aj-pj"])
def test_structured_and_full_kernels_expect_the_same(name: str):
    plan = design(model(name), ragged(3))
    points = some_points(plan)
    quick = plan.space.tally(plan.space.evidence(plan.patterns).expect(points))
    full = plan.space.tally(FullEvidence(plan.patterns).expect(points))
    for field in ("log_likelihood", "truth", "hits", "ratings", "guesses"):
        np.testing.assert_allclose(getattr(quick, field), getattr(full, field), atol=1e-9)


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("wanted", SHARED, ids=lambda m: m.name)
def test_score_equals_finite_differences(wanted: RaterModel, k: int):
    plan = design(wanted, ragged(k))
    evidence = plan.space.evidence(plan.patterns)
    point = some_points(plan).one(0)
    way = line(plan.space, point)
    at = way.coordinates(point)
    assert at.size == plan.space.free
    stack = way.points(at[None])
    score = way.score(plan.space.tally(evidence.expect(stack)), stack)[0]
    step = 1e-5 * np.eye(at.size)
    ahead = evidence.expect(way.points(at + step)).log_likelihood
    behind = evidence.expect(way.points(at - step)).log_likelihood
    np.testing.assert_allclose(score, (ahead - behind) / 2e-5, atol=1e-6)


def test_score_of_a_regression_equals_finite_differences():
    ratings = ragged(3)
    age = Covariate("age", CovariateOf.RATER, np.array([20.0, 35.0, 50.0, 64.0]))
    year = Covariate("year", CovariateOf.SUBJECT, np.arange(12.0))
    ratings = Ratings.of(
        ratings.subject, ratings.rater, ratings.category, ratings.subjects, ratings.raters, ratings.classes,
        covariates={"age": age, "year": year},
    )  # fmt: skip
    from dataclasses import replace

    plan = design(replace(model("t-ax-p"), covariates=("age", "year")), ratings)
    evidence = plan.space.evidence(plan.patterns)
    point = plan.space.settle(
        Stack(np.array([[0.2, 0.3, 0.5]]), np.full((1, plan.space.units, 1), 0.5),
              np.array([[[[0.5, 0.2, 0.3]]]]), np.array([[0.4, -0.02, 0.05]]))
    ).one(0)  # fmt: skip
    way = line(plan.space, point)
    at = way.coordinates(point)
    stack = way.points(at[None])
    score = way.score(plan.space.tally(evidence.expect(stack)), stack)[0]
    step = 1e-6 * np.eye(at.size)
    ahead = evidence.expect(way.points(at + step)).log_likelihood
    behind = evidence.expect(way.points(at - step)).log_likelihood
    np.testing.assert_allclose(score, (ahead - behind) / 2e-6, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["t-a-p", "t-ak-p", "t-aj-pj", "dawid-skene"])
def test_replicate_weights_equal_repeated_subjects(name: str):
    ratings = ragged(3)
    plan = design(model(name), ratings)
    evidence = plan.space.evidence(plan.patterns)
    points = some_points(plan, 2)
    weights = np.stack([plan.patterns.weight * 2, np.arange(plan.patterns.patterns) % 3.0])
    told = plan.space.tally(evidence.expect(points, weights))
    for b in range(2):
        per_pattern = evidence.pattern_log_likelihood(points)[b]
        assert told.log_likelihood[b] == pytest.approx(per_pattern @ weights[b], abs=1e-9)
        assert told.truth[b].sum() == pytest.approx(weights[b].sum() + (0 if name != "t-a-t" else 1))
    twice = plan.space.tally(evidence.expect(points.take(np.array([0]))))
    np.testing.assert_allclose(told.guesses[0], 2 * twice.guesses[0], atol=1e-9)


def test_pattern_probabilities_of_a_design_sum_to_one():
    plan = design(model("t-a-p"), ragged(2))
    point = some_points(plan).one(1)
    rates = point.rating_rates()[0]
    total = sum(
        float((point.truth * np.prod([rates[:, c] for c in classes], axis=0)).sum())
        for classes in product(range(2), repeat=3)
    )
    assert total == pytest.approx(1.0, abs=1e-12)
