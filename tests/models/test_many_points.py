"""The E-step of many points at once is that of each by itself."""

import numpy as np
import pytest

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
