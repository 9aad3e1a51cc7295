"""Hamiltonian Monte Carlo against brute force, closed forms, quadrature and its own promises."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import Status
from tapdesk.fitting.priors import Prior
from tapdesk.fitting.quadrature.integrate import posterior_by_quadrature
from tapdesk.fitting.sampling.adapt import Scale
from tapdesk.fitting.sampling.chains import Sampled, run_chains, split_rhat
from tapdesk.fitting.sampling.diagnosis import diagnose
from tapdesk.fitting.sampling.kernel import SmallTarget, fits
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.fitting.sampling.priors import Dirichlet, parse_sampling_prior, prior_counts
from tapdesk.fitting.sampling.summary import modes, smoothed
from tapdesk.fitting.sampling.target import ModelTarget
from tapdesk.fitting.sampling.telling import numbers, reported
from tapdesk.models.catalog import MODELS, model
from tapdesk.models.design import design
from tapdesk.models.labelling import canonical
from tapdesk.models.model import Truth
from tapdesk.models.parameters import ParameterName
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tests.fitting.sampling_examples import anaesthesia
from tests.tables import WINE_CUTS, counted, drawn, finish

GRID_MODELS = [m.name for m in MODELS if m.name != "ti-aj-P"]
QUICK = Sampling(chains=16, draws=250, warmup=250)


def panel(k=2, subjects=25, raters=4, seed=5, share=0.8):
    """Ratings of a ragged panel with a covariate of the raters."""
    rng = np.random.default_rng(seed)
    truth = np.arange(1.0, k + 1) / np.arange(1.0, k + 1).sum()
    ratings = drawn(rng, truth, np.linspace(0.3, 0.9, raters), np.full(k, 1 / k), subjects, raters, share=share)
    years = Covariate("years", CovariateOf.RATER, rng.normal(10, 3, raters))
    return replace(ratings, covariates=MappingProxyType({"years": years}))


def named(name):
    found = model(name)
    return replace(found, covariates=("years",)) if name == "t-a(x)-p" else found


def target_of(name, ratings, priors=(), truth=None):
    wanted = named(name) if truth is None else replace(named(name), truth=truth)
    plan = design(wanted, ratings)
    return ModelTarget(plan, plan.space.evidence(plan.patterns), prior_counts(plan, priors))


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
    assert fits(general)
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
    start, scale = rng.normal(0, 1, (16, target.size)), Scale(np.zeros(target.size), np.ones(target.size))

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


def synthetic(values):
    values = np.asarray(values)
    return Sampled(values, values, 0, 0.8, 1)


def test_chains_that_differ_are_not_settled_and_the_words_say_so():
    rng = np.random.default_rng(0)
    apart = rng.normal(0, 1, (8, 300, 2))
    apart[0, :, 1] += 2
    worst = diagnose(synthetic(apart), (ParameterName("t"), ParameterName("a")))
    assert not worst.settled
    assert str(worst.worst) == "a"
    assert worst.finding().message.startswith("The sampler has not settled: do not report these numbers.")


def test_independent_draws_are_settled_and_worth_what_they_are():
    draws = np.random.default_rng(1).normal(0, 1, (8, 500, 3))
    worst = diagnose(synthetic(draws), tuple(ParameterName(n) for n in "tap"))
    assert worst.settled
    assert worst.finding() is None
    assert worst.ess_bulk == pytest.approx(4000, rel=0.15)
    assert worst.mcse == pytest.approx(1 / np.sqrt(4000), rel=0.15)


def test_draws_that_stand_still_are_not_settled():
    stuck = np.broadcast_to(np.arange(8.0)[:, None, None], (8, 300, 1))
    assert split_rhat(stuck)[0] == np.inf
    assert not diagnose(synthetic(stuck), (ParameterName("a"),)).settled


def test_one_wandering_trajectory_is_enough_not_to_be_settled():
    draws = np.random.default_rng(1).normal(0, 1, (8, 500, 1))
    assert not diagnose(replace(synthetic(draws), divergences=1), (ParameterName("a"),)).settled


def camps(good, bad, subjects=150):
    """Raters who know with chance .7, some of them naming the other class of what they see."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, subjects)
    seen = [np.where(rng.random(subjects) < 0.7, true, rng.integers(0, 2, subjects)) for _ in range(good + bad)]
    table = np.stack([x if j < good else 1 - x for j, x in enumerate(seen)], axis=1)
    subject, rater = (i.ravel() for i in np.indices(table.shape))
    names = [[f"{letter}{i}" for i in range(n)] for letter, n in zip("SJ", table.shape, strict=True)]
    return Ratings.of(subject, rater, table.ravel(), *names, ["no", "yes"])


def test_two_equal_camps_of_raters_are_no_settled_answer_because_mirrored_starts_find_both():
    fit = finish(replace(QUICK, chains=8, draws=100, warmup=150).run(model("t-aj-pj"), camps(3, 3), 1))
    assert fit.status is Status.NOT_SETTLED
    assert {"sampler_not_settled", "several_modes"} <= {f.code for f in fit.findings}


def test_a_minority_that_names_the_other_class_does_not_unsettle_the_chains():
    fit = finish(replace(QUICK, chains=8, draws=500).run(model("t-aj-pj"), camps(4, 2), 1))
    assert fit.status is Status.SETTLED
    assert max(fit.estimate("a", rater=f"J{j}").value for j in (4, 5)) < 0.1
    assert min(fit.estimate("a", rater=f"J{j}").value for j in range(4)) > 0.5


def test_two_peaks_are_told_as_two_with_their_masses():
    rng = np.random.default_rng(2)
    draws = np.where(rng.random(8000) < 0.3, rng.beta(40, 160, 8000), rng.beta(160, 40, 8000))
    found = modes(smoothed(draws, 4000, bounded=True))
    assert [m.at for m in found] == pytest.approx([0.8, 0.2], abs=0.02)
    assert [m.mass for m in found] == pytest.approx([0.7, 0.3], abs=0.02)


@pytest.mark.parametrize(("alpha", "beta", "at"), [(1, 8, 0.0), (8, 1, 1.0), (3, 3, 0.5)])
def test_one_peak_is_told_as_one_wherever_it_is(alpha, beta, at):
    found = modes(smoothed(np.random.default_rng(3).beta(alpha, beta, 8000), 4000, bounded=True))
    assert len(found) == 1
    assert found[0].at == pytest.approx(at, abs=0.06)


def test_smoothed_density_holds_all_the_mass_and_none_outside():
    for draws in (np.random.default_rng(4).beta(0.5, 3, 5000), np.random.default_rng(5).uniform(0, 1, 5000)):
        density = smoothed(draws, 5000, bounded=True)
        assert density.x.min() > 0
        assert density.x.max() < 1
        assert density.density.sum() * (density.x[1] - density.x[0]) == pytest.approx(1, abs=1e-6)


def test_prior_pulls_where_it_should():
    ratings = panel(2, subjects=10)
    low, high = (
        finish(replace(QUICK, priors=(Prior("a", *shape),)).run(model("t-aj-p"), ratings, 1))
        for shape in ((2, 40), (40, 2))
    )
    for rater in ratings.raters:
        assert low.estimate("a", rater=rater).value < 0.2
        assert high.estimate("a", rater=rater).value > 0.8


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a=beta(0,1)", "a=beta(0,1)"),
        ("t=dirichlet(1,-2,1)", "t=dirichlet(1,-2,1)"),
        ("t=dirichlet(1,x)", "t=dirichlet(1,x)"),
        ("nonsense", "nonsense"),
    ],
)
def test_improper_or_unreadable_priors_are_refused_with_the_value(text, words):
    with pytest.raises(UsageError, match=words.replace("(", r"\(").replace(")", r"\)")):
        parse_sampling_prior(text)


def test_priors_that_do_not_fit_the_model_are_refused():
    plan = design(model("t-aj-p"), panel(3))
    for prior, words in (
        (Prior("q", 1, 2), "no parameter 'q'"),
        (Dirichlet("t", (1, 1)), "2 weights for 3 classes"),
        (Prior("t", 1, 2), "2 weights for 3 classes"),
        (Dirichlet("a", (1, 1, 1)), "one rate"),
    ):
        with pytest.raises(UsageError, match=words):
            prior_counts(plan, (prior,))
    with pytest.raises(UsageError, match="two priors"):
        prior_counts(plan, (Prior("a", 1, 2), Prior("a", 2, 2)))


def test_binary_beta_prior_speaks_of_class_one():
    plan = design(model("t-a-p"), panel(2))
    np.testing.assert_array_equal(prior_counts(plan, (parse_sampling_prior("t=beta(5,2)"),)).truth, [[2, 5]])


@pytest.mark.parametrize("wrong", [{"chains": 2}, {"draws": 10}, {"warmup": 0}, {"level": 1.0}, {"sharpness": 0.0}])
def test_requests_without_meaning_are_refused_with_the_value(wrong):
    with pytest.raises(UsageError, match=str(next(iter(wrong.values())))):
        Sampling(**wrong)


def test_draws_too_many_for_the_memory_are_refused_with_the_figure():
    ratings = panel(4, subjects=40, raters=40)
    words = replace(QUICK, draws=100_000).refuses(model("dawid-skene"), ratings)
    assert "GB" in words
    assert QUICK.refuses(model("dawid-skene"), ratings) is None


def test_raters_without_names_are_refused_where_the_model_needs_them():
    assert "who gave each rating" in QUICK.refuses(model("t-aj-pj"), panel().seated())


@pytest.mark.parametrize("table", [(20, 0, 0, 0), (0, 0, 0, 20), (10, 0, 0, 10), (1, 0, 0, 0)])
def test_degenerate_tables_give_finite_numbers_and_never_nan(table):
    fit = finish(replace(QUICK, draws=100, warmup=100).run(model("t-a-p"), counted(table), 1))
    for row in fit.posterior.summaries:
        assert np.isfinite([row.mean, row.sd, row.q05, row.q95, row.hdi_low, row.hdi_high]).all()
        assert 0 <= row.q05 <= row.q95 <= 1


def test_anaesthesia_settles_with_every_number_worth_hundreds_of_draws():
    fit = finish(Sampling().run(model("t-aj-pj"), anaesthesia(), 1))
    assert fit.free == 23
    assert fit.status is Status.SETTLED
    assert fit.posterior.divergences == 0
    assert fit.posterior.ess_tail > 1000
