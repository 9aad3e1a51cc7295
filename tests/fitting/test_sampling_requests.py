"""Priors, refusals and awkward tables of Hamiltonian Monte Carlo."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.fit import Status
from tapdesk.fitting.priors import Dirichlet, Prior, parse_sampling_prior, prior_counts
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tests.fitting.sampling_examples import QUICK, anaesthesia, panel
from tests.tables import counted


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
        (Dirichlet("t", (1, 1)), "for each class: 3, and its number of weights is 2"),
        (Prior("t", 1, 2), "for each class: 3, and its number of weights is 2"),
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
    assert "who gave each rating" in QUICK.refuses(model("t-aj-pj"), replace(panel(), raters_known=False))


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


def test_a_run_that_gives_way_at_every_leapfrog_step_draws_what_one_that_never_does_draws(monkeypatch):
    told = {}
    for seconds in (-1.0, 1e9):
        monkeypatch.setattr("tapdesk.fitting.sampling.hmc._SIGN", seconds)
        steps = []
        fit = finish(QUICK.run(model("t-aj-p"), panel(2, subjects=10), 1), steps.append)
        told[seconds] = steps, {str(name): values for name, values in fit.draws.values.items()}
    often, seldom = told[-1.0], told[1e9]
    assert len(often[0]) > len(seldom[0])
    assert {step.done for step in often[0]} == {step.done for step in seldom[0]}
    assert often[1].keys() == seldom[1].keys()
    assert all(np.array_equal(often[1][name], seldom[1][name]) for name in often[1])
