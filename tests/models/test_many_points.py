"""The E-step of many points at once is that of each by itself."""

import numpy as np
import pytest

from tapdesk.models import evidence as evidence_of
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.ratings.ratings import Ratings


def panel(classes, raters=6):
    rng = np.random.default_rng(4)
    case, rater = np.divmod(np.flatnonzero(rng.random(300 * raters) < 0.7), raters)
    again = rng.choice(case.size, 40, replace=False)
    case, rater = np.append(case, case[again]), np.append(rater, rater[again])
    category = rng.integers(0, classes, case.size)
    return Ratings.of(
        case, rater, category, [f"S{i}" for i in range(300)], list("ABCDEF"), [f"c{k}" for k in range(classes)]
    )


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("extreme", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", ["t-aj-pj", "t-aj-p", "t-a-pj"])
def test_expected_counts_are_those_of_each_point_alone(name, classes, extreme, weighted):
    plan = design(model(name), panel(classes))
    space, evidence = plan.space, plan.space.evidence(plan.patterns)
    rng, count = np.random.default_rng(5), 200
    accuracy = rng.random((count, *space.accuracy_shape))
    if extreme:
        accuracy = 1 - 10.0 ** rng.uniform(-200, -1, accuracy.shape)
    guessing = rng.dirichlet([1.0] * classes, (count, *space.guessing_shape[:2]))
    stack = space.point(rng.dirichlet([1.0] * classes, count), accuracy, guessing)
    weights = rng.integers(0, 3, (count, plan.patterns.patterns)).astype(float) if weighted else None
    every = evidence.expect(stack, weights)
    for b in range(0, count, 7):
        one = evidence.expect(stack.take(np.array([b])), None if weights is None else weights[b : b + 1])
        for part in ("log_likelihood", "truth", "hits", "ratings", "guesses"):
            np.testing.assert_allclose(getattr(every, part)[b], getattr(one, part)[0], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_patterns_have_the_log_likelihood_that_they_have_at_each_point_alone(classes):
    plan = design(model("t-aj-pj"), panel(classes))
    space, evidence = plan.space, plan.space.evidence(plan.patterns)
    rng, count = np.random.default_rng(6), 40
    guessing = rng.dirichlet([1.0] * classes, (count, *space.guessing_shape[:2]))
    truth, accuracy = rng.dirichlet([1.0] * classes, count), rng.random((count, *space.accuracy_shape))
    stack = space.point(truth, accuracy, guessing)
    every = evidence.pattern_log_likelihood(stack)
    for b in range(0, count, 7):
        np.testing.assert_allclose(every[b], evidence.pattern_log_likelihood(stack.take(np.array([b])))[0], rtol=1e-9)
    weighted = evidence.expect(stack).log_likelihood
    np.testing.assert_allclose(every @ plan.patterns.weight, weighted, rtol=1e-12)


@pytest.mark.parametrize("name", ["t-aj-pj", "dawid-skene"])
def test_of_very_many_patterns_each_point_is_gone_through_alone(name, monkeypatch):
    plan = design(model(name), panel(3))
    space = plan.space
    rng = np.random.default_rng(7)
    guessing = rng.dirichlet([1.0] * 3, (5, *space.guessing_shape[:2]))
    accuracy = rng.random((5, *space.accuracy_shape))
    stack = space.follow(space.settle(space.point(rng.dirichlet([1.0] * 3, 5), accuracy, guessing)))
    weights = rng.integers(0, 3, (5, plan.patterns.patterns)).astype(float)
    together = [space.evidence(plan.patterns).expect(stack, w) for w in (None, weights)]
    monkeypatch.setattr(evidence_of, "_ALONE", 10)
    alone = [space.evidence(plan.patterns).expect(stack, w) for w in (None, weights)]
    for one, other in zip(together, alone, strict=True):
        for part in ("log_likelihood", "truth", "hits", "ratings", "guesses"):
            expected = np.broadcast_to(getattr(one, part), getattr(other, part).shape)
            np.testing.assert_allclose(getattr(other, part), expected, rtol=1e-9, atol=1e-9)
