"""Cases that are harder for raters who differ: against brute force, its own limits, and the truth of made panels."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit
from scipy.stats import chi2

from tapdesk.fitting.identification import verdict
from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.profile import held_maxima, pinned
from tapdesk.fitting.sampling.target import ModelTarget
from tapdesk.models.design import design
from tapdesk.models.difficulty import MOST_SIGMA, accuracies_at_nodes, difficulty_step, middle_logits, nodes
from tapdesk.models.model import DIFFICULTY_MODELS, model
from tapdesk.models.parameters import Parameters, Stack
from tapdesk.models.simulate import simulate
from tapdesk.models.space import line
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse

RATERS = ("A", "B", "C", "D")
NAMES = [row.name for row in DIFFICULTY_MODELS]


def of_difficulty(name):
    return model(name, DIFFICULTY_MODELS)


def point_of(name, accuracy, sigma, classes=2):
    truth = np.arange(1.0, classes + 1)
    guessing = np.arange(classes, 0.0, -1)
    rows = len(accuracy) if name.endswith("pj") else 1
    return Parameters(
        truth / truth.sum(),
        np.array(accuracy)[:, None],
        np.tile(guessing / guessing.sum(), (rows, 1, 1)),
        np.zeros(0),
        np.array([sigma / MOST_SIGMA]),
    )


def made(name, accuracy=(0.5, 0.6, 0.7, 0.9), sigma=1.5, cases=300, seed=3, classes=2):
    point = point_of(name, accuracy, sigma, classes)
    labels = tuple(str(c) for c in range(classes))
    return simulate(of_difficulty(name), point, labels, RATERS[: len(accuracy)], cases, seed)[0], point


def brute_force(ratings, point):
    """The log-likelihood by numerical integration over z of every case, without any of the nodes."""
    alpha = middle_logits(point.accuracy.T, MOST_SIGMA * point.spread)[0]
    sigma = MOST_SIGMA * point.spread[0]
    guessing = np.broadcast_to(point.guessing[:, 0], (len(alpha), point.guessing.shape[-1]))
    known = {}
    total = 0.0
    for case in range(len(ratings.subjects)):
        own = ratings.subject == case
        key = tuple(zip(ratings.rater[own].tolist(), ratings.category[own].tolist(), strict=True))
        if key not in known:

            def density(z, key=key):
                level = 0.0
                for k, rate in enumerate(point.truth):
                    product = rate
                    for j, c in key:
                        a = expit(alpha[j] - sigma * z)
                        product *= a * (c == k) + (1 - a) * guessing[j, c]
                    level += product
                return level * np.exp(-z * z / 2) / np.sqrt(2 * np.pi)

            known[key] = np.log(quad(density, -9, 9, epsabs=1e-12, limit=200)[0])
        total += known[key]
    return total


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_likelihood_is_that_of_integration_by_brute_force(name, classes):
    ratings, point = made(name, cases=80, classes=classes)
    plan = design(of_difficulty(name), ratings)
    evidence = plan.space.evidence(plan.patterns)
    level = float(evidence.expect(Stack.of([point])).log_likelihood[0])
    assert level == pytest.approx(brute_force(ratings, point), abs=2e-6)
    own = evidence.pattern_log_likelihood(Stack.of([point]))[0] @ plan.patterns.weight
    assert level == pytest.approx(own, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_without_difficulty_it_is_the_model_of_raters_who_differ(name):
    ratings, point = made(name)
    plain = design(model(name.replace("aij", "aj")), ratings)
    plan = design(of_difficulty(name), ratings)
    level = plan.space.evidence(plan.patterns).expect(Stack.of([replace(point, spread=np.zeros(1))])).log_likelihood[0]
    other = (
        plain.space.evidence(plain.patterns).expect(Stack.of([replace(point, spread=np.zeros(0))])).log_likelihood[0]
    )
    assert level == pytest.approx(other, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(a=st.floats(1e-4, 1 - 1e-4), sigma=st.floats(0, MOST_SIGMA))
def test_an_accuracy_over_all_cases_is_the_mean_over_the_nodes(a, sigma):
    at = accuracies_at_nodes(np.array([[a]]), np.array([sigma / MOST_SIGMA]))[0, :, 0]
    assert at @ nodes()[1] == pytest.approx(a, abs=1e-9)
    assert (np.diff(at) <= 1e-12).all()


def test_an_accuracy_over_all_cases_is_an_integral():
    for a, sigma in ((0.3, 0.5), (0.6, 1.5), (0.9, 2.5)):
        alpha = middle_logits(np.array([[a]]), np.array([sigma]))[0, 0]
        mean = quad(lambda z, x=alpha, s=sigma: expit(x - s * z) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi), -9, 9)[0]
        assert mean == pytest.approx(a, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_no_step_loses_likelihood_and_the_score_is_its_slope(name):
    ratings, _point = made(name, classes=3)
    plan = design(of_difficulty(name), ratings)
    space, evidence = plan.space, plan.space.evidence(plan.patterns)
    rng = np.random.default_rng(5)
    points = [point_of(name, rng.uniform(0.1, 0.95, 4), s, 3) for s in (0.2, 1.0, 3.0, 8.0)]
    stack = Stack.of(points)
    tally = space.tally(evidence.expect(stack))
    for _ in range(6):
        new = space.maximise(tally, stack)
        after = space.tally(evidence.expect(new))
        assert (after.log_likelihood >= tally.log_likelihood - 1e-9).all()
        stack, tally = new, after
    for point in points:
        way = line(space, point)
        at = way.coordinates(point)
        step = 1e-5
        shifted = np.concatenate([at + step * np.eye(at.size), at - step * np.eye(at.size)])
        levels = evidence.expect(way.points(shifted)).log_likelihood
        slope = (levels[: at.size] - levels[at.size :]) / (2 * step)
        one = Stack.of([point])
        assert way.score(space.tally(evidence.expect(one)), one)[0] == pytest.approx(slope, abs=2e-4)


def test_what_is_held_stays_where_it_is_and_the_others_answer():
    name = "t-aij-p"
    ratings, point = made(name)
    plan = design(of_difficulty(name), ratings)
    space, evidence = plan.space, plan.space.evidence(plan.patterns)
    sigma = next(s for s in plan.slots if s.name.name == "sigma")
    second = next(s for s in plan.slots if s.name.rater == "B" and s.name.name == "a")
    start, pins = pinned(space, [point, point], [sigma, second], np.array([2.5, 0.31]))
    levels = []
    for _ in range(25):
        tally = space.tally(evidence.expect(start))
        levels.append(tally.log_likelihood)
        start = space.maximise(tally, start, pins)
    assert sigma.value(start.one(0)) == pytest.approx(2.5)
    assert second.value(start.one(1)) == pytest.approx(0.31)
    assert (np.diff(np.stack(levels), axis=0) >= -1e-9).all()


def test_an_expected_regression_is_at_its_top_after_some_steps():
    rng = np.random.default_rng(8)
    ratings = rng.uniform(1, 5, (1, 3, nodes()[0].size))
    share = accuracies_at_nodes(np.array([[0.4, 0.6, 0.8]]), np.array([0.12]))[0].T
    counts = np.stack([ratings * share, ratings], axis=-1)
    accuracy, spread = np.array([[0.5, 0.5, 0.5]]), np.array([0.05])
    for _ in range(4):
        accuracy, spread = difficulty_step(counts, accuracy, spread, (None, None))
    assert accuracy[0] == pytest.approx([0.4, 0.6, 0.8], abs=1e-6)
    assert spread[0] == pytest.approx(0.12, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_fit_finds_what_a_large_panel_was_made_of(name):
    ratings, point = made(name, accuracy=(0.5, 0.65, 0.75, 0.9), sigma=1.5, cases=4000)
    fit = finish(analyse(ratings, Request(of_difficulty(name), interval="none")))
    plain = finish(analyse(ratings, Request(model(name.replace("aij", "aj")), interval="none")))
    assert fit.log_likelihood.ratings > plain.log_likelihood.ratings + 5
    assert fit.identification.by_design
    assert fit.free == plain.free + 1
    assert fit.estimate("sigma").value == pytest.approx(1.5, abs=4 * fit.estimate("sigma").se)
    for rater, a in zip(RATERS, point.accuracy[:, 0], strict=True):
        e = fit.estimate("a", rater=rater)
        assert e.value == pytest.approx(a, abs=4 * e.se)


def test_raters_needed_to_show_difficulty_as_the_rank_of_the_design_says():
    """models_more.md §3: two classes, three raters for one way of guessing, four where each leans their own way."""
    needed = {"t-aij-p": 3, "t-aij-pj": 4}
    for name, least in needed.items():
        for raters in (least - 1, least):
            ratings, _point = made(name, accuracy=(0.5, 0.6, 0.7, 0.9)[:raters], cases=60)
            assert verdict(of_difficulty(name), ratings).by_design is (raters == least)


@pytest.mark.parametrize("name", NAMES)
def test_the_slope_of_the_posterior_is_that_of_its_density_with_a_half_normal_sigma(name):
    ratings, _point = made(name, cases=60, classes=3)
    plan = design(of_difficulty(name), ratings)
    target = ModelTarget(plan, plan.space.evidence(plan.patterns), prior_counts(plan, ()))
    at = np.random.default_rng(2).normal(0, 0.7, target.size)
    step = 1e-5
    shifted = np.concatenate([at + step * np.eye(at.size), at - step * np.eye(at.size)])
    levels, _slopes = target(shifted)
    slope = (levels[: at.size] - levels[at.size :]) / (2 * step)
    assert target(at[None])[1][0] == pytest.approx(slope, abs=2e-4)
    # Along sigma the density is the likelihood, the half normal and what the coordinate stretches.
    for s in (0.05, 0.2):
        point = replace(target.points(at[None]), spread=np.array([[s]]))
        moved = target.coordinates(point)
        level = float(plan.space.evidence(plan.patterns).expect(point).log_likelihood[0])
        rest = target(moved)[0][0] - level - np.log(s * (1 - s)) + (MOST_SIGMA * s) ** 2 / 2
        if s == 0.05:
            first = rest
    assert rest == pytest.approx(first, abs=1e-8)


def test_intervals_end_where_the_profile_lies_half_a_chi_square_point_below_the_top():
    ratings, _point = made("t-aij-p", cases=150)
    fit = finish(analyse(ratings, Request(of_difficulty("t-aij-p"))))
    plan = design(fit.model, ratings)
    evidence = plan.space.evidence(plan.patterns)
    top = fit.log_likelihood.ratings
    for name in ("t", "p", "sigma"):
        (profile,) = (p for p in fit.profiles if p.slot.name.name == name)
        assert profile.at.size >= 4
        assert profile.log_likelihood.max() <= top + 1e-6
        ends = [end for end in (profile.low, profile.high) if 0 < end < profile.slot.most]
        held = finish(
            held_maxima(
                plan, evidence, [fit.parameters], [profile.slot], np.zeros(len(ends), int), np.array(ends), (0, 1)
            )
        )
        assert top - held == pytest.approx(np.full(len(ends), chi2.isf(0.05, 1) / 2), abs=2e-3)
