"""Simulation-based calibration: data drawn from the prior, and the truth's rank among posterior draws is uniform.

Talts, Betancourt, Simpson, Vehtari & Gelman (2018), arXiv:1804.06788. What is ranked is fixed in advance: the first
number of each kind, and the log-likelihood, which reacts to faults the parameters hide (Modrák et al. 2023).
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import chisquare

from tapdesk.fitting.priors import prior_counts
from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.fitting.sampling.hmc import Whitening, run_chains
from tapdesk.fitting.sampling.method import Sampling, SharpenedTarget, begin
from tapdesk.fitting.sampling.target import SLOPE_SCALE, ModelTarget, SmallTarget, has_few_patterns
from tapdesk.models.design import design
from tapdesk.models.model import Accuracy, model
from tapdesk.models.parameters import Stack
from tapdesk.models.space import can_switch, canonical
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.tables import WINE_CUTS, counted

REPLICATES, SUBJECTS, RATERS, CHAINS, DRAWS, KEPT, BINS = 500, 15, 4, 8, 120, 99, 20


def named(name):
    found = model(name)
    return replace(found, covariates=("years",)) if name == "t-a(x)-p" else found


def rated(rng, rates, truth):
    """Ratings of every subject by every rater; rates (1 or U, K, K), truth (K,)."""
    k = truth.size
    true = np.repeat(rng.choice(k, SUBJECTS, p=truth), RATERS)
    rater = np.tile(np.arange(RATERS), SUBJECTS)
    cdf = rates[np.minimum(rater, rates.shape[0] - 1), true].cumsum(axis=1)
    return as_ratings(rater, (rng.random(true.size)[:, None] > cdf[:, :-1]).sum(axis=1), k)


def as_ratings(rater, category, k):
    subject = np.repeat(np.arange(SUBJECTS), RATERS)
    names = [[f"{letter}{i}" for i in range(n)] for letter, n in (("S", SUBJECTS), ("J", RATERS), ("c", k))]
    years = {"years": Covariate("years", CovariateOf.RATER, np.array([1.0, 2.0, 4.0, 9.0]))}
    return Ratings.of(subject, rater, category, *names, covariates=years)


def from_prior(rng, plan) -> Stack:
    space = plan.space
    k = space.classes
    # The saturated model has no accuracy: its rates are flat by themselves, and not when mixed with one.
    saturated = space.model.accuracy is Accuracy.NONE
    accuracy = np.zeros((1, 1, 1)) if saturated else rng.random((1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(k), (1, *space.guessing_shape[:2]))
    drawn = space.point(rng.dirichlet(np.ones(k), 1), accuracy, guessing)
    if not drawn.slopes.size:
        return drawn
    # The prior of a regression: a uniform accuracy at the mean of the covariates, normal slopes per standard deviation.
    x = space.design[:, 1]
    weight = plan.patterns.totals.sum(axis=1)
    mean = np.average(x, weights=weight)
    slope = rng.normal(0, SLOPE_SCALE) / np.sqrt(np.average((x - mean) ** 2, weights=weight))
    slopes = np.array([[logit(rng.random()) - slope * mean, slope]])
    return space.settle(Stack(drawn.truth, drawn.accuracy, drawn.guessing, slopes))


def thinned(sampled):
    """So many draws, far apart: spread over the chains and along them."""
    flat = np.swapaxes(sampled.at, 0, 1).reshape(-1, sampled.at.shape[2])
    return flat[np.linspace(0, flat.shape[0] - 1, KEPT).astype(int)]


def told(space, evidence, stack):
    """Shape (B, S): the first number of each kind, and the log-likelihood."""
    columns = [stack.truth[:, 0], stack.guessing[:, 0, 0, 0], evidence.expect(stack).log_likelihood]
    if space.accuracy_free:
        columns.append(stack.accuracy[:, 0, 0])
    elif stack.slopes.size:
        columns.append(stack.slopes[:, 1])
    return np.stack(columns, axis=1)


def sampled_from(target, quick, seed):
    if target.plan.space.design.shape[1]:
        # The search for starts costs a regression more than the sampling; here any start will do.
        rng = np.random.default_rng(seed)
        start, scale = rng.normal(0, 1, (CHAINS, target.size)), Whitening(np.zeros(target.size), np.ones(target.size))
    else:
        start, scale, rng = finish(begin(target, quick, CHAINS, seed))
    names = ("x",)
    run = run_chains(quick, start, scale, (names, lambda at: (at, at[:, :1])), warmup=150, draws=DRAWS, rng=rng)
    return thinned(finish(run))


def ranks_of(name, k, first=0):
    """Shape (replicates, S)."""
    rows = []
    for i in range(first, first + REPLICATES):
        rng = np.random.default_rng([i, k])
        blank = design(
            named(name), as_ratings(np.tile(np.arange(RATERS), SUBJECTS), np.arange(SUBJECTS * RATERS) % k, k)
        )
        true = from_prior(rng, blank)
        ratings = rated(rng, true.one(0).rating_rates(), true.truth[0])
        plan = design(named(name), ratings)
        evidence = plan.space.evidence(plan.patterns)
        target = ModelTarget(plan, evidence, prior_counts(plan))
        quick = SmallTarget(target) if has_few_patterns(target) else target
        stack = target.points(sampled_from(target, quick, i))
        if can_switch(plan.space):
            true, stack = canonical(plan.space, true), canonical(plan.space, stack)
        rows.append((told(plan.space, evidence, stack) < told(plan.space, evidence, true)).sum(axis=0))
    return np.array(rows)


def probability_of_uniform(ranks):
    """Shape (S,): chi-square p-values of the ranks 0 ... KEPT in equal bins."""
    counts = [np.histogram(column, BINS, (0, KEPT + 1))[0] for column in ranks.T]
    return np.array([chisquare(c).pvalue for c in counts])


def assert_uniform(ranks):
    """One verdict a model at the level .01: the smallest p-value counts as often as there were numbers looked at."""
    found = probability_of_uniform(ranks)
    assert found.min() * found.size > 0.01, found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "k"),
    [
        ("t-a-p", 3),
        ("t-aj-p", 2),
        ("t-aj-pj", 2),
        ("t-a-pj", 2),
        ("t-ak-p", 3),
        ("dawid-skene", 2),
        ("t-a-t", 2),
        ("t-a(x)-p", 2),
    ],
)
def test_ranks_of_the_truth_among_posterior_draws_are_uniform(name, k):
    assert_uniform(ranks_of(name, k))


@pytest.mark.slow
def test_ranks_of_the_accuracies_with_sharpened_truth_are_uniform():
    rows, rate = [], 0.35
    for i in range(REPLICATES):
        rng = np.random.default_rng([i, 99])
        a, t = rng.random(RATERS), rng.random(SUBJECTS)
        rater = np.tile(np.arange(RATERS), SUBJECTS)
        one = a[rater] * expit(30 * (np.repeat(t, RATERS) - 0.5)) + (1 - a[rater]) * rate
        plan = design(model("ti-aj-P"), as_ratings(rater, (rng.random(rater.size) < one).astype(int), 2))
        target = SharpenedTarget(plan, 30.0, prior_counts(plan))
        # P is held at its true value: the observed rate would be no part of the generating model.
        target.rate = rate
        start, scale = rng.normal(0, 2, (CHAINS, RATERS)), Whitening(np.zeros(RATERS), np.full(RATERS, 1.5))
        run = run_chains(target, start, scale, (("x",), lambda at: (at, at[:, :1])), warmup=150, draws=DRAWS, rng=rng)
        draws = expit(thinned(finish(run)))
        levels = target.expect(np.concatenate([draws, a[None]]))[0]
        rows.append([(draws[:, 0] < a[0]).sum(), (levels[:-1] < levels[-1]).sum()])
    assert_uniform(np.array(rows))


@pytest.mark.parametrize(("spread", "least", "most"), [(0.8, 0.9, 1.0), (1.25, 0.9, 1.0), (1.0, 0.0, 0.05)])
def test_the_check_sees_draws_a_fifth_too_narrow_or_a_quarter_too_wide_and_lets_right_ones_pass(spread, least, most):
    rng, refused = np.random.default_rng(0), []
    for _ in range(100):
        true, draws = rng.normal(0, 1, (REPLICATES, 1)), spread * rng.normal(0, 1, (REPLICATES, KEPT))
        refused.append(probability_of_uniform((draws < true).sum(axis=1)[:, None])[0] < 0.01)
    assert least <= np.mean(refused) <= most


@pytest.mark.slow
@pytest.mark.parametrize("cut", list(WINE_CUTS))
@pytest.mark.parametrize("name", ["t-a-p", "t-ak-p"])
def test_sampling_agrees_with_quadrature(name, cut):
    ratings = counted(WINE_CUTS[cut])
    fit = finish(Sampling(draws=3000).run(model(name), ratings, 1))
    exact = finish(posterior_by_quadrature(model(name), design(named(name), ratings).patterns))
    for row in exact.summaries:
        mine = fit.posterior.summary(row.name.name)
        assert abs(mine.mean - row.mean) < 4.5 * row.sd / np.sqrt(fit.posterior.ess_bulk) + exact.error
        for q in ("q05", "q25", "median", "q75", "q95"):
            assert getattr(mine, q) == pytest.approx(getattr(row, q), abs=0.1 * row.sd + exact.error)


@pytest.mark.slow
def test_sampling_agrees_with_quadrature_within_a_labelling():
    """``t-a0a1-p0p1`` is sampled in the canonical labelling; quadrature's draws are cut to the same one."""
    ratings = counted(WINE_CUTS["1|2"])
    fit = finish(Sampling(draws=3000).run(model("t-a0a1-p0p1"), ratings, 1))
    exact = finish(posterior_by_quadrature("t-a0a1-p0p1", design(model("t-a-p"), ratings).patterns))
    draws = {n.name: v for n, v in exact.draws(40_000, 1).values.items()}
    high = draws["a1"] + (1 - draws["a1"]) * draws["p1"]
    low = (1 - draws["a0"]) * draws["p0"]
    named = draws["t"] * high + (1 - draws["t"]) * (1 - low) >= 0.5
    for name, values in draws.items():
        mine, other = fit.posterior.summary(name), values[named]
        error = other.std() * np.sqrt(1 / fit.posterior.ess_bulk + 1 / other.size)
        assert abs(mine.mean - other.mean()) < 4.5 * error
        assert mine.sd == pytest.approx(other.std(), rel=0.08)
