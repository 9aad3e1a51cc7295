"""``ti-aj-P``: the exact integral over the truth, the paper's misprint, and the comparison with ``t-aj-p``."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Status
from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.sampling.method import Sampling, SharpenedTarget, gauss_rule
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tests.tables import WINE_CUTS, counted, drawn

MODEL = model("ti-aj-P")
QUICK = Sampling(chains=8, draws=500, warmup=200)


def ratings_of(prevalence, subjects=150, raters=5, seed=2, accuracy=(0.1, 0.3, 0.5, 0.7, 0.9)):
    rng = np.random.default_rng(seed)
    rates = [1 - prevalence, prevalence]
    return drawn(rng, rates, accuracy, rates, subjects, raters)


def target_of(ratings, sharpness=30.0):
    plan = design(MODEL, ratings)
    return SharpenedTarget(plan, sharpness, prior_counts(plan))


@pytest.mark.parametrize("sharpness", [0.5, 5.0, 30.0, 200.0])
@pytest.mark.parametrize("ratings", [1, 4, 9])
def test_rule_integrates_a_subjects_likelihood_exactly(sharpness, ratings):
    s, weight = gauss_rule(sharpness, ratings)
    rng = np.random.default_rng(ratings)
    a, rate, ones = rng.random(ratings), 0.3, rng.random(ratings) < 0.5

    def likelihood(t):
        one = a * expit(sharpness * (t - 0.5)) + (1 - a) * rate
        return np.prod(np.where(ones, one, 1 - one))

    wanted = quad(likelihood, 0, 1, points=[0.4, 0.5, 0.6], epsabs=1e-13, limit=200)[0]
    one = a[:, None] * s + (1 - a)[:, None] * rate
    got = weight @ np.prod(np.where(ones[:, None], one, 1 - one), axis=0)
    assert got == pytest.approx(wanted, rel=1e-9)
    assert weight.sum() == pytest.approx(1, abs=1e-12)


def test_hundreds_of_ratings_of_a_subject_need_no_more_nodes_than_their_width_asks_for():
    s, weight = gauss_rule(30.0, 400)
    one = 0.5 * s + 0.5 * 0.3
    wanted = quad(
        lambda t: np.exp(
            180 * np.log(0.5 * expit(30 * (t - 0.5)) + 0.15) + 220 * np.log(0.85 - 0.5 * expit(30 * (t - 0.5))) + 275
        ),
        0.3,
        0.7,
        epsabs=0,
        epsrel=1e-11,
        limit=500,
    )[0]
    assert s.size < 201
    got = weight @ np.exp(180 * np.log(one) + 220 * np.log(1 - one) + 275)
    assert got == pytest.approx(wanted, rel=1e-6)


def test_gradient_is_what_finite_differences_say():
    target = target_of(ratings_of(0.3, subjects=30))
    at = np.random.default_rng(1).normal(0, 1, target.size)
    step = 1e-5 * np.eye(target.size)
    wanted = (target(at + step)[0] - target(at - step)[0]) / 2e-5
    np.testing.assert_allclose(target(at[None])[1][0], wanted, atol=2e-6)


def test_accuracy_of_one_rater_pair_agrees_with_a_brute_force_integral():
    ratings = ratings_of(0.5, subjects=12, raters=2, accuracy=(0.8, 0.4))
    fit = finish(QUICK.run(MODEL, ratings, 1))
    target = target_of(ratings)
    a = (np.arange(300) + 0.5) / 300
    grid = np.stack(np.meshgrid(a, a, indexing="ij"), axis=-1).reshape(-1, 2)
    level = target.expect(grid)[0]
    mass = np.exp(level - level.max())
    mean = mass @ grid / mass.sum()
    sd = np.sqrt(mass @ (grid - mean) ** 2 / mass.sum())
    for j, rater in enumerate(ratings.raters):
        told = fit.posterior.summary("a", rater=rater)
        assert abs(told.mean - mean[j]) < 4.5 * sd[j] / np.sqrt(fit.posterior.ess_bulk)
        assert told.sd == pytest.approx(sd[j], rel=0.08)


def test_papers_absolute_value_bars_would_leave_the_range_of_probabilities():
    """[MRR] eq. 3 has a |sig - P| + P; where sig < P and P is high that exceeds one, so the bars are a misprint."""
    a, rate, sharp = 0.9, 0.8, expit(30 * (0.1 - 0.5))
    assert a * abs(sharp - rate) + rate > 1
    assert 0 <= a * (sharp - rate) + rate <= 1


def test_rare_truth_hides_accuracy_from_it_and_the_fit_says_to_trust_the_other_model():
    """models.md §7: true .1 .3 .5 .7 .9 at t = p = .1 come out near .05, under t-aj-p near the truth."""
    fit = finish(QUICK.run(MODEL, ratings_of(0.1, subjects=600), 1))
    values = [e.estimate.value for e in fit.estimates if e.name.name == "a"]
    assert max(values) < 0.15
    beside = [mean for mean, _ in fit.posterior.beside.values()]
    np.testing.assert_allclose(beside, [0.1, 0.3, 0.5, 0.7, 0.9], atol=0.15)
    finding = next(f for f in fit.findings if f.code == "compare_models")
    assert finding.severity == "ask"
    assert "Trust t-aj-p" in finding.message


def test_common_truth_makes_the_two_models_agree_and_the_fit_says_so():
    fit = finish(QUICK.run(MODEL, ratings_of(0.5, subjects=400), 1))
    finding = next(f for f in fit.findings if f.code == "compare_models")
    assert finding.severity == "note"
    assert "the two agree" in finding.message
    values = [e.estimate.value for e in fit.estimates if e.name.name == "a"]
    np.testing.assert_allclose(values, [0.1, 0.3, 0.5, 0.7, 0.9], atol=0.15)


def test_every_subject_has_a_truth_that_follows_its_ratings():
    ratings = ratings_of(0.5, subjects=80)
    fit = finish(replace(QUICK, subjects=True).run(MODEL, ratings, 1))
    assert fit.status is Status.SETTLED
    truth = fit.posterior.truth
    assert truth.shape == (80, 5)
    mean, sd, low, median, high = truth.T
    assert ((low <= median) & (median <= high)).all()
    assert ((low >= 0) & (high <= 1) & (sd > 0)).all()
    shares = ratings.counts()[:, 1] / ratings.counts().sum(axis=1)
    assert mean[shares == 1].min() > mean[shares == 0].max()
    np.testing.assert_allclose(fit.subject_posterior.sum(axis=1), 1)
    assert np.corrcoef(fit.subject_posterior[:, 1], mean)[0, 1] > 0.95


def test_truth_of_one_subject_agrees_with_its_integral():
    ratings = ratings_of(0.5, subjects=20)
    target = target_of(ratings)
    accuracy = np.array([[0.2, 0.4, 0.5, 0.7, 0.8]])
    t = (np.arange(2000) + 0.5) / 2000
    mass = target.truths(accuracy, t)
    pattern = 0
    ones, zeros = target.ones[pattern], target.zeros[pattern]

    def likelihood(x):
        one = accuracy[0] * expit(30 * (x - 0.5)) + (1 - accuracy[0]) * target.rate
        return np.prod(one**ones * (1 - one) ** zeros)

    whole = quad(likelihood, 0, 1, points=[0.4, 0.5, 0.6])[0]
    mean = quad(lambda x: x * likelihood(x), 0, 1, points=[0.4, 0.5, 0.6])[0] / whole
    assert mass[pattern] @ t == pytest.approx(mean, abs=1e-5)


def test_it_is_refused_where_it_has_no_meaning():
    three = drawn(np.random.default_rng(0), [0.3, 0.3, 0.4], 0.5, [0.3, 0.3, 0.4], 20, 3)
    assert "two classes" in QUICK.refuses(MODEL, three)
    assert "who gave each rating" in QUICK.refuses(MODEL, counted(WINE_CUTS["1|2"]))
    assert "beliefs only" in ExactEM().refuses(MODEL, ratings_of(0.5))
    with pytest.raises(UsageError):
        finish(ExactEM().run(MODEL, ratings_of(0.5), 1))
    with pytest.raises(ValueError, match="-1"):
        gauss_rule(-1.0, 3)
