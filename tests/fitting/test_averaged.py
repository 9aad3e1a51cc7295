"""Beliefs about cases, averaged over what is not known: against sums over grids, and against sampling."""

import numpy as np
import pytest

from tapdesk.fitting.averaged import averaged_posterior
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters
from tapdesk.models.simulate import simulate
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.fitting.test_likelihood_region import counts_of


def panel(cases, accuracies, seed, rates=(0.6, 0.4)):
    point = Parameters(np.array(rates), np.array(accuracies)[:, None], np.array(rates)[None, None], np.zeros(0))
    raters = tuple(f"R{j}" for j in range(len(accuracies)))
    return simulate(model("t-aj-p"), point, tuple("abcd"[: len(rates)]), raters, cases, seed)[0]


def averaged(ratings, name, seed=1):
    fit = finish(analyse(ratings, Request(model(name), interval="none")))
    plan = design(model(name), ratings)
    return finish(averaged_posterior(ratings, plan, plan.space.evidence(plan.patterns), fit.parameters, seed))


def by_sum(ones, raters, grid, *, tied):
    """Probability of class 1 by its ratings, from flat priors on a grid of midpoints."""
    at = (np.arange(grid) + 0.5) / grid
    t, a, p = np.meshgrid(at, at, [0.0] if tied else at, indexing="ij")
    p = t if tied else p
    k = np.arange(raters + 1)
    high, low = (a + (1 - a) * p)[..., None], ((1 - a) * p)[..., None]
    up = t[..., None] * high**k * (1 - high) ** (raters - k)
    down = (1 - t[..., None]) * low**k * (1 - low) ** (raters - k)
    logs = np.log(up + down) @ np.asarray(ones, dtype=float)
    weight = np.exp(logs - logs.max())
    return np.einsum("ijk,ijkr->r", weight / weight.sum(), up / (up + down))


@pytest.mark.parametrize("ones", [[12, 5, 3, 10], [4, 1, 0, 1, 1, 3], [34, 0, 1, 15], [3, 3, 2, 2]])
def test_of_three_numbers_they_are_those_of_a_sum_over_all_values(ones):
    raters = len(ones) - 1
    found = averaged(counts_of(ones, raters), "t-a-p")
    wanted = by_sum(ones, raters, 90, tied=False)
    first = np.cumsum([0, *ones])[:-1]
    seen = [found[row, 1] for row, cases in zip(first, ones, strict=True) if cases]
    assert seen == pytest.approx([w for w, cases in zip(wanted, ones, strict=True) if cases], abs=4e-3)


def test_weighted_points_give_those_of_a_sum_over_all_values():
    ones = [14, 9, 7]
    found = averaged(counts_of(ones, 2), "t-a-t")
    wanted = by_sum(ones, 2, 400, tied=True)
    assert [found[0, 1], found[14, 1], found[23, 1]] == pytest.approx(wanted, abs=0.01)


@pytest.mark.costly(2)
@pytest.mark.parametrize(
    ("name", "ratings"),
    [
        ("t-aj-p", panel(30, (0.8, 0.6, 0.4, 0.2), 1)),
        ("t-aj-p", panel(120, (0.95, 0.9, 0.3, 0.1, 0.05), 2)),
        ("t-aj-pj", panel(60, (0.6,) * 5, 3)),
        ("t-a-p", panel(40, (0.6,) * 3, 4, (0.3, 0.5, 0.2))),
        ("dawid-skene", panel(80, (0.7,) * 4, 5)),
    ],
    ids=["unequal", "very unequal", "own leanings", "three classes", "saturated"],
)
def test_weighted_points_tell_what_sampling_tells(name, ratings):
    wanted = finish(Sampling(16, 1000, 400, subjects=True).run(model(name), ratings, 7)).subject_posterior
    found = averaged(ratings, name)
    assert np.abs(found - wanted).max() < 0.03
    assert np.abs(found - wanted).mean() < 0.006
    assert found.sum(axis=1) == pytest.approx(1)


def test_another_seed_changes_little_and_the_same_seed_nothing():
    ratings = panel(30, (0.8, 0.6, 0.4, 0.2), 1)
    one, again, other = (averaged(ratings, "t-aj-p", seed) for seed in (1, 1, 2))
    assert (one == again).all()
    assert 0 < np.abs(one - other).max() < 0.03


def test_where_it_is_sampled_none_of_its_draws_leave_it(monkeypatch):
    # The window draws what steps hold as re-draws of the fit.
    monkeypatch.setattr("tapdesk.fitting.averaged._ENOUGH", np.inf)
    ratings = panel(30, (0.8, 0.6, 0.3), 3)
    steps = []
    finish(analyse(ratings, Request(model("t-aj-p"), interval="none", subjects=True)), steps.append)
    assert "beliefs" in {step.phase for step in steps}
    assert not [step for step in steps if "draws" in step.values]
