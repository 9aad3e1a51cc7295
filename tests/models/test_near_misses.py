"""Near misses of ordered classes (statistics.md C5a): a likelihood by hand, laws, recovery, and what they notice."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import NEAR_MODELS, model
from tapdesk.models.near_misses import near_rates, near_shares, neighbours
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.models.space import line
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.grid_hypotheses import no_near_misses
from tapdesk.studies.likelihood_ratio import likelihood_ratio

NEAR = model("t-an-p", NEAR_MODELS)


def blank(cases, raters, classes):
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    return Ratings.of(
        subject, rater, np.arange(subject.size) % classes, [str(i) for i in range(cases)],
        [f"R{j}" for j in range(raters)], [f"g{k}" for k in range(classes)], ordered=True,
    )  # fmt: skip


def drawn(seed, *, cases=200, raters=4, classes=4, accuracy=0.5, near=0.6):
    empty = blank(cases, raters, classes)
    even = np.full((1, classes), 1 / classes)
    point = design(NEAR, empty).space.point(even, np.array([accuracy]), even).one(0)
    return simulate_like(empty, NEAR, replace(point, spread=np.array([near])), seed)[0]


def fitted(row, ratings):
    return finish(ExactEM().run(row, ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


def random_points(plan, seed, count=3):
    space, rng = plan.space, np.random.default_rng(seed)
    k = space.classes
    stack = space.point(
        rng.dirichlet(np.ones(k), count), rng.uniform(0.1, 0.9, count), rng.dirichlet(np.ones(k), count)
    )
    return replace(stack, spread=rng.uniform(0.05, 0.95, stack.spread.shape))


def test_neighbours_share_alike():
    assert neighbours(4).tolist() == [[0, 1, 0, 0], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], [0, 0, 1, 0]]


@pytest.mark.parametrize("classes", [3, 5])
def test_the_likelihood_is_that_of_every_case_by_itself(classes):
    ratings = drawn(3, cases=20, classes=classes)
    plan = design(NEAR, ratings)
    stack = random_points(plan, 4)
    evidence = plan.space.evidence(plan.patterns)
    found = evidence.expect(stack).log_likelihood
    for b in range(stack.size):
        point = stack.one(b)
        a, n, p, total = point.accuracy[0, 0], point.spread[0], point.guessing[0, 0], 0.0
        for i in range(20):
            joint = point.truth.copy()
            for c in ratings.category[ratings.subject == i]:
                for k in range(classes):
                    beside = [x for x in (k - 1, k + 1) if 0 <= x < classes]
                    miss = n * (c in beside) / len(beside) + (1 - n) * p[c]
                    joint[k] *= a * (c == k) + (1 - a) * miss
            total += np.log(joint.sum())
        assert found[b] == pytest.approx(total, abs=1e-9)
    by_pattern = evidence.pattern_log_likelihood(stack) @ plan.patterns.weight
    assert by_pattern == pytest.approx(found, abs=1e-9)


def test_the_slope_is_that_of_the_likelihood():
    plan = design(NEAR, drawn(6, cases=40))
    evidence = plan.space.evidence(plan.patterns)
    way = line(plan.space, random_points(plan, 7, 1).one(0))
    at = way.coordinates(way.origin)
    stack = way.points(at[None])
    (slope,) = way.score(plan.space.tally(evidence.expect(stack)), stack)
    step = 1e-5 * np.eye(at.size)
    ahead, behind = (evidence.expect(way.points(at + s * step)).log_likelihood for s in (1, -1))
    assert slope == pytest.approx((ahead - behind) / 2e-5, abs=1e-4)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 1000), st.sampled_from([3, 4, 5]))
def test_near_misses_never_fit_worse_and_none_is_the_plain_model(seed, classes):
    ratings = drawn(seed, cases=60, classes=classes, near=0.3)
    plain, near = fitted(model("t-a-p"), ratings), fitted(NEAR, ratings)
    assert near.log_likelihood.ratings >= plain.log_likelihood.ratings - 1e-6
    assert near.free == plain.free + 1
    plan = design(NEAR, ratings)
    point = replace(plain.parameters, spread=np.zeros(1))
    level = plan.space.evidence(plan.patterns).expect(Stack.of([point])).log_likelihood[0]
    assert level == pytest.approx(plain.log_likelihood.ratings, abs=1e-8)


def test_numbers_come_back_and_make_a_whole():
    fit = fitted(NEAR, drawn(2, cases=1500))
    at = values(fit)
    assert (at["a"], at["n"]) == pytest.approx((0.5, 0.6), abs=0.08)
    shares = near_shares(fit.parameters)
    assert shares == pytest.approx((0.5, 0.3, 0.2), abs=0.05)
    assert sum(shares) == pytest.approx(1)
    assert near_rates(fit.parameters).sum(axis=2) == pytest.approx(1)


def test_classes_in_reverse_are_the_same_classes():
    ratings = drawn(8)
    turned = replace(ratings, category=3 - ratings.category, classes=ratings.classes[::-1], members=(), colours=())
    one, other = fitted(NEAR, ratings), fitted(NEAR, turned)
    assert other.log_likelihood.ratings == pytest.approx(one.log_likelihood.ratings, abs=1e-6)
    assert values(other) == pytest.approx(values(one), abs=1e-4)


def test_what_the_design_can_tell():
    assert verdict(NEAR, drawn(1, raters=3)).by_design
    assert not verdict(NEAR, drawn(1, classes=2, raters=4)).by_design


@pytest.mark.parametrize("interval", ["profile", "wald", "bootstrap", "parametric-bootstrap"])
def test_every_number_has_its_interval(interval):
    request = Request(NEAR, interval=interval, replicates=40, subjects=True)
    fit = finish(analyse(drawn(3, cases=400), request))
    for e in fit.estimates:
        assert e.estimate.low <= e.estimate.value <= e.estimate.high
    assert fit.subject_posterior.shape == (400, 4)


def test_a_posterior_lies_where_the_likelihood_does():
    ratings = drawn(3, cases=500)
    belief = values(finish(analyse(ratings, Request(NEAR, estimator="posterior", draws=300))))
    assert belief == pytest.approx(values(fitted(NEAR, ratings)), abs=0.08)


def test_misses_next_to_the_truth_are_noticed_and_guesses_are_not():
    test = finish(likelihood_ratio(drawn(4, cases=120, near=0.8), no_near_misses(), 40, 1))
    assert (test.name, test.df, test.p_bootstrap < 0.05) == ("near-misses", None, True)
    assert test.about == "Ratings that miss the truth fall next to it no oftener than guesses do."
    same = [
        finish(likelihood_ratio(drawn(s, cases=80, near=0.0), no_near_misses(), 20, s)).p_bootstrap for s in range(6)
    ]
    assert sum(p < 0.05 for p in same) <= 2
