"""What the posterior by quadrature hands out: draws, densities, steps; and what it refuses."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.priors import Prior, parse_prior
from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.patterns import tabulate
from tapdesk.ratings.ratings import Ratings
from tests.fitting.quadrature_examples import (
    MODELS,
    SMALL,
    WINE_CUT_1,
    patterns,
    posterior,
)


@pytest.mark.parametrize("name", MODELS)
def test_draws_have_the_moments_of_the_summaries_and_follow_the_seed(name):
    found = posterior(name, WINE_CUT_1, seed=7)
    draws = found.draws(8_000, 11)
    for row in found.summaries:
        x = draws.values[row.name]
        assert x.shape == (8_000,)
        assert x.mean() == pytest.approx(row.mean, abs=4.5 * row.sd / np.sqrt(8_000))
        assert np.mean(x < row.q05) == pytest.approx(0.05, abs=0.011)
    again = found.draws(8_000, 11)
    assert all(np.array_equal(draws.values[k], again.values[k]) for k in draws.values)
    kept = posterior(name, WINE_CUT_1, seed=7).sample
    assert kept is not None
    assert found.sample is not None
    assert all(np.array_equal(kept.values[k], found.sample.values[k]) for k in kept.values)


def test_shortest_interval_holds_its_mass_and_is_no_longer_than_the_central_one():
    found = finish(posterior_by_quadrature("t-a-p", patterns(WINE_CUT_1), level=0.9))
    for row in found.summaries:
        assert row.hdi_high - row.hdi_low <= row.q95 - row.q05 + 1e-9
        x = found.draws(20_000, 2).values[row.name]
        assert np.mean((x > row.hdi_low) & (x < row.hdi_high)) == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize("name", MODELS)
def test_densities_for_drawing_integrate_to_one(name):
    found = posterior(name, WINE_CUT_1)
    for name_of, curve in found.marginals.items():
        assert np.trapezoid(curve.density, curve.x) == pytest.approx(1.0, abs=5e-3), name_of
    if found.joint is not None:
        assert found.joint.density.mean() == pytest.approx(1.0)
        mean = found.joint.density.sum(axis=1) @ (found.joint.x_edges[1:] + found.joint.x_edges[:-1]) / 2 / 50**2
        assert mean == pytest.approx(found.summary("a1").mean, abs=0.005)
    if found.guess_minus_truth is not None:
        gap = found.guess_minus_truth
        assert np.trapezoid(gap.density, gap.x) == pytest.approx(1.0, abs=5e-3)
        mean = np.trapezoid(gap.density * gap.x, gap.x)
        assert mean == pytest.approx(found.summary("p").mean - found.summary("t").mean, abs=2e-3)
    assert (found.joint is None) == (name == "t-a-p")
    assert (found.guess_minus_truth is None) == (name == "t-a0a1-p0p1")


def test_patterns_by_rater_give_the_same_posterior_as_pooled_ones():
    rng = np.random.default_rng(4)
    subject = np.repeat(np.arange(30), 4)
    rater = np.tile(np.arange(4), 30)
    names = tuple(str(i) for i in range(30))
    category = (rng.random(120) < np.repeat(rng.random(30), 4)).astype(np.int64)
    ratings = Ratings.of(subject, rater, category, names, tuple("abcd"), ("no", "yes"))
    pooled = finish(posterior_by_quadrature(model("t-a-p"), tabulate(ratings)))
    apart = finish(posterior_by_quadrature(model("t-a-p"), tabulate(ratings, ratings.rater, 4)))
    assert pooled.log_evidence is not None
    assert apart.log_evidence is not None
    assert apart.log_evidence.ratings == pytest.approx(pooled.log_evidence.ratings, abs=1e-9)
    assert apart.summary("a").median == pytest.approx(pooled.summary("a").median, abs=1e-9)


def test_a_run_tells_its_progress_and_can_be_left_at_any_step():
    steps = list(itertools.islice(posterior_by_quadrature("t-a0a1-p0p1", patterns(SMALL)), 3))
    assert {step.phase for step in steps} == {"posterior"}
    assert all(0 <= step.done <= step.total for step in steps)


@pytest.mark.parametrize("written", ["a=beta(0,1)", "a=beta(1,-2)"])
def test_an_improper_prior_is_refused_with_its_numbers(written):
    with pytest.raises(UsageError, match="is not a distribution") as raised:
        parse_prior(written)
    assert written in str(raised.value)


@pytest.mark.parametrize("written", ["a", "a=beta(1)", "a=normal(0,1)", "a=beta(x,1)", "", "a=beta(nan,1)"])
def test_a_prior_that_cannot_be_read_is_refused_with_its_text(written):
    with pytest.raises(UsageError, match="cannot be read"):
        parse_prior(written)


def test_priors_of_infinite_size_are_refused():
    with pytest.raises(UsageError, match="inf"):
        Prior("a", float("inf"), 1.0)


@pytest.mark.parametrize(
    ("priors", "words"), [((Prior("a1"),), "no parameter 'a1'"), ((Prior("a"), Prior("a", 2, 2)), "two priors for 'a'")]
)
def test_priors_that_do_not_fit_the_model_are_refused(priors, words):
    with pytest.raises(UsageError, match=words):
        posterior("t-a-p", SMALL, *priors)


def test_other_models_are_refused_by_name():
    with pytest.raises(UsageError, match="'t-aj-pj'"):
        posterior("t-aj-pj", SMALL)
    with pytest.raises(UsageError, match="dawid-skene"):
        finish(posterior_by_quadrature(model("dawid-skene"), patterns(SMALL)))


def test_bad_numbers_are_refused_with_their_value():
    with pytest.raises(ValueError, match=r"weight .* -2"):
        posterior("t-a-p", {(3, 0): -2.0})
    with pytest.raises(ValueError, match=r"weight .* nan"):
        posterior("t-a-p", {(3, 0): float("nan")})
    with pytest.raises(ValueError, match=r"level .* 1\.5"):
        finish(posterior_by_quadrature("t-a-p", patterns(SMALL), level=1.5))
    with pytest.raises(ValueError, match=r"draws .* 0"):
        posterior("t-a-p", SMALL).draws(0, 1)


def test_three_classes_are_refused():
    three = replace(patterns(SMALL), classes=3)
    with pytest.raises(ValueError, match="two classes, not 3"):
        finish(posterior_by_quadrature("t-a-p", three))
