"""Hamiltonian Monte Carlo against brute force, closed forms, quadrature and its own promises."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting.fit import Status
from tapdesk.fitting.priors import Dirichlet, Prior
from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.fitting.sampling.hmc import Whitening, run_chains
from tapdesk.fitting.sampling.posterior_summary import numbers, reported
from tapdesk.fitting.sampling.target import SmallTarget, has_few_patterns
from tapdesk.models.design import design
from tapdesk.models.model import MODELS, Truth, model
from tapdesk.models.parameters import ParameterName
from tapdesk.models.space import canonical
from tapdesk.progress import finish
from tests.fitting.sampling_examples import QUICK, diagnose, panel, target_of
from tests.tables import WINE_CUTS, counted

GRID_MODELS = [m.name for m in MODELS if m.name != "ti-aj-P"]


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("name", GRID_MODELS)
def test_gradient_is_what_finite_differences_say(name, k):
    target = target_of(name, panel(k), ())
    at = np.random.default_rng(1).normal(0, 1, (3, target.size))
    _, slope = target(at)
    step = 1e-5 * np.eye(target.size)
    for b in range(3):
        ahead, behind = target(at[b] + step)[0], target(at[b] - step)[0]
        np.testing.assert_allclose(slope[b], (ahead - behind) / 2e-5, atol=2e-6, rtol=1e-6)


@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "P-a-P", "t-aj-p", "t-a-pj", "t-aj-pj"])
@pytest.mark.parametrize("truth", [None, Truth.UNIFORM])
def test_form_for_small_tables_gives_the_same_density_and_gradient(name, k, truth):
    general = target_of(name, panel(k), (Prior("a", 2, 3),), truth)
    assert has_few_patterns(general)
    at = np.random.default_rng(2).normal(0, 2, (5, general.size))
    for mine, other in zip(SmallTarget(general)(at), general(at), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", GRID_MODELS)
def test_coordinates_lead_back_to_the_point_they_came_from(name):
    target = target_of(name, panel(3))
    at = np.random.default_rng(3).normal(0, 1, (4, target.size))
    np.testing.assert_allclose(target.coordinates(target.points(at)), at, atol=1e-9)


def test_without_data_the_prior_comes_back():
    ratings = panel(3)
    empty = replace(ratings, weight=np.zeros(len(ratings.subjects)))
    priors = (Prior("a", 2, 5), Dirichlet("t", (1, 2, 3)))
    target = target_of("t-aj-p", empty, priors)
    rng = np.random.default_rng(1)
    start, scale = rng.normal(0, 1, (16, target.size)), Whitening(np.zeros(target.size), np.ones(target.size))

    def tell(at):
        return at, numbers(target.plan, target.points(at))

    names = reported(target.plan)
    sampled = finish(run_chains(SmallTarget(target), start, scale, (names, tell), warmup=200, draws=400, rng=rng))
    worth = diagnose(sampled, names).ess_bulk
    flat = sampled.values.reshape(-1, len(names))
    expected = {"t": ([1 / 6, 2 / 6, 3 / 6], 7), "a": ([2 / 7] * 4, 8), "p": ([1 / 3] * 3, 4)}
    for what, (means, size) in expected.items():
        columns = [i for i, n in enumerate(names) if n.name == what]
        for i, mean in zip(columns, means, strict=True):
            variance = mean * (1 - mean) / size
            assert abs(flat[:, i].mean() - mean) < 4.5 * np.sqrt(variance / worth)
            assert flat[:, i].var() == pytest.approx(variance, rel=0.15)


def test_one_accuracy_agrees_with_a_brute_force_integral():
    ratings = panel(3, subjects=12)
    fit = finish(QUICK.run(model("P-a-P"), ratings, 1))
    a = (np.arange(20_000) + 0.5) / 20_000
    table, c = ratings.counts(), ratings.class_rates()
    log = np.zeros_like(a)
    for row in table:
        rates = (1 - a) * c[:, None]
        each = [c[k] * np.prod((rates + (np.arange(3) == k)[:, None] * a) ** row[:, None], axis=0) for k in range(3)]
        log += np.log(np.sum(each, axis=0))
    mass = np.exp(log - log.max())
    mean = float(mass @ a / mass.sum())
    sd = float(np.sqrt(mass @ (a - mean) ** 2 / mass.sum()))
    told = fit.posterior.summary("a")
    assert abs(told.mean - mean) < 4.5 * fit.posterior.error
    assert told.sd == pytest.approx(sd, rel=0.06)
    assert told.q05 == pytest.approx(np.interp(0.05, mass.cumsum() / mass.sum(), a), abs=0.15 * sd)


def test_agrees_with_quadrature_on_published_counts():
    ratings = counted(WINE_CUTS["1|2"])
    fit = finish(QUICK.run(model("t-a-p"), ratings, 1))
    exact = finish(posterior_by_quadrature(model("t-a-p"), design(model("t-a-p"), ratings).patterns))
    assert fit.status is Status.SETTLED
    for name in ("t", "a", "p"):
        mine, other = fit.posterior.summary(name), exact.summary(name)
        assert abs(mine.mean - other.mean) < 4.5 * other.sd / np.sqrt(fit.posterior.ess_bulk)
        assert mine.sd == pytest.approx(other.sd, rel=0.08)
        for q in ("q05", "q25", "median", "q75", "q95"):
            assert getattr(mine, q) == pytest.approx(getattr(other, q), abs=0.15 * other.sd)


def test_same_seed_gives_the_same_draws_and_another_seed_others():
    ratings = panel()
    first, again, other = (
        finish(replace(QUICK, draws=60, warmup=60).run(model("t-aj-p"), ratings, seed)) for seed in (4, 4, 5)
    )
    for name, values in first.draws.values.items():
        np.testing.assert_array_equal(values, again.draws.values[name])
        assert (values != other.draws.values[name]).any()


def test_every_draw_is_told_once_and_stopping_is_possible_between_any_two_trajectories():
    run = QUICK.run(model("t-a-p"), panel(), 1)
    told = []
    fit = finish(run, told.append)
    assert {step.phase for step in told} == {"sampling"}
    assert len(told) >= QUICK.draws + QUICK.warmup
    assert told[-1].done == told[-1].total == QUICK.draws + QUICK.warmup
    a = ParameterName("a")
    live = np.concatenate([step.values["draws"][a] for step in told if "draws" in step.values])
    np.testing.assert_array_equal(np.sort(live), np.sort(fit.draws.values[a]))
    assert all(step.values["rhat"] >= 0.9 for step in told if "rhat" in step.values)
    stopped = QUICK.run(model("t-a-p"), panel(), 1)
    next(stopped)
    next(stopped)
    stopped.close()
    with pytest.raises(StopIteration):
        next(stopped)


def test_estimates_are_posterior_means_with_shortest_intervals():
    fit = finish(replace(QUICK, subjects=True).run(model("t-aj-pj"), panel(3, subjects=60), 1))
    assert fit.estimator == "posterior"
    assert fit.posterior.method == "hmc"
    assert fit.posterior.log_evidence is None
    for e in fit.estimates:
        draws = fit.draws.values[e.name]
        assert e.estimate.value == pytest.approx(draws.mean())
        assert e.estimate.how == "posterior"
        inside = (draws >= e.estimate.low) & (draws <= e.estimate.high)
        assert inside.mean() == pytest.approx(0.95, abs=0.005)
    np.testing.assert_allclose(fit.subject_posterior.sum(axis=1), 1)
    assert fit.subject_posterior.shape == (60, 3)
    assert np.isfinite([fit.log_likelihood.ratings, fit.krits.marginal, fit.bic]).all()


def test_draws_of_a_saturated_table_are_told_in_the_labelling_in_which_raters_are_right_most_often():
    ratings = panel(2, subjects=60, raters=5, share=1.0)
    fit = finish(replace(QUICK, draws=60, warmup=100).run(model("dawid-skene"), ratings, 1))
    target = target_of("dawid-skene", ratings)
    values = np.stack(list(fit.draws.values.values()), axis=1)
    names = [str(n) for n in fit.draws.values]
    right = sum(
        values[:, names.index("t")] * values[:, names.index(f"pi[c1, J{j}, c1]")]
        + (1 - values[:, names.index("t")]) * values[:, names.index(f"pi[c0, J{j}, c0]")]
        for j in range(5)
    )
    assert (right >= 2.5 - 1e-9).all()
    assert "labels_by_convention" in [f.code for f in fit.findings]
    mirrored = target.points(-np.random.default_rng(0).normal(0, 1, (1, target.size)))
    once = canonical(target.plan.space, mirrored)
    np.testing.assert_allclose(canonical(target.plan.space, once).guessing, once.guessing)


def test_accuracies_and_guesses_by_class_stay_in_one_labelling_because_their_prior_is_not_symmetric():
    target = target_of("t-a0a1-p0p1", counted((5, 3, 2, 4, 6)))
    at = np.random.default_rng(0).normal(0, 2, (200, target.size))
    rates = target.points(at)
    high, low = (rates.one(b).rating_rates()[0] for b in range(2))
    allowed = target.allowed(at)
    for b in range(200):
        one = rates.one(b)
        table = one.rating_rates()[0] * one.truth[:, None]
        assert allowed[b] == (np.trace(table) >= 0.5)
    assert high.shape == low.shape == (2, 2)
    assert 0 < allowed.sum() < 200


def test_numbers_the_design_cannot_tell_are_said_to_be_the_priors_answer():
    fit = finish(replace(QUICK, draws=60, warmup=60).run(model("t-ak-p"), counted(WINE_CUTS["1|2"]), 1))
    assert not fit.identification.identified
    finding = next(f for f in fit.findings if f.code == "prior_answers")
    assert "prior's answer" in finding.message
