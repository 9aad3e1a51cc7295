"""Profile intervals where the likelihood with a number held has several hills."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import chdtri

from tapdesk.fitting.fit import Fit
from tapdesk.fitting.profile import held_maxima
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse

HALF = float(chdtri(1, 0.05)) / 2


def one_subject(times: tuple[int, ...]) -> Ratings:
    """One subject, put into class k by times[k] ratings of unnamed raters."""
    category = np.repeat(np.arange(len(times)), times)
    names = [f"c{k}" for k in range(len(times))]
    return Ratings.of(np.zeros_like(category), np.zeros_like(category), category, ["S"], ["any"], names)


def best_with(held: float, times: np.ndarray) -> float:
    """Highest log-likelihood of ``t-a-t`` with the last, never named class held at a rate: all else on a fine grid.

    One subject: the likelihood is sum_k t_k prod_c (a [c = k] + (1 - a) t_c)^n_c, written out.
    """
    share = np.linspace(1e-9, 1 - 1e-9, 601)
    first = np.stack([(1 - held) * share, (1 - held) * (1 - share)])
    top = -np.inf
    for a in np.linspace(0, 1 - 1e-9, 401):
        total = held * np.prod(((1 - a) * first) ** times[:2, None], axis=0)
        for k in range(2):
            rates = (1 - a) * first + a * (np.arange(2) == k)[:, None]
            total = total + first[k] * np.prod(rates ** times[:2, None], axis=0)
        top = max(top, float(np.log(np.maximum(total, 1e-300)).max()))
    return top


def test_ends_are_found_on_the_higher_hill_where_the_likelihood_with_a_number_held_has_two():
    # All cases of one class with an accuracy of its own, or no accuracy at all: which is better changes on the way.
    times = np.array([1, 4, 0])
    fit = finish(analyse(one_subject(tuple(times)), Request(model("t-a-t"))))
    end = fit.estimate("t", category="c2").high
    top = fit.log_likelihood.ratings
    assert top == pytest.approx(best_with(0.0, times), abs=1e-4)
    assert top - best_with(end, times) == pytest.approx(HALF, abs=5e-3)
    for further in np.linspace(end, 1, 6)[1:-1]:
        assert top - best_with(further, times) > HALF


def with_groups(cells: np.ndarray, group: np.ndarray) -> Ratings:
    subject, rater = np.indices(cells.shape).reshape(2, -1)
    names = [f"S{i}" for i in range(cells.shape[0])], [f"J{j}" for j in range(cells.shape[1])]
    made = Ratings.of(subject, rater, cells.ravel(), *names, ["a", "b", "c"])
    return replace(made, covariates={"x": Covariate("x", CovariateOf.SUBJECT, group)})


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_slopes_held_far_out_are_profiled_although_accuracies_round_to_one_there(scale: float):
    rng = np.random.default_rng(6)
    true = rng.integers(0, 3, 24)
    cells = np.where(rng.random((24, 4)) < 0.6, true[:, None], rng.integers(0, 3, (24, 4)))
    ratings = with_groups(cells, scale * np.repeat([0.0, 1.0], 12))
    fit: Fit = finish(analyse(ratings, Request(replace(model("t-a(x)-p"), covariates=("x",)))))
    for e in fit.estimates:
        if e.estimate.value is not None:
            assert e.estimate.low <= e.estimate.value <= e.estimate.high


def judged_by_three(seed: int = 4, cases: int = 250) -> Ratings:
    """Cases of two classes, each rated by three raters who are right four times in five."""
    rng = np.random.default_rng(seed)
    subject, rater = np.repeat(np.arange(cases), 3), np.tile(np.arange(3), cases)
    true = (rng.random(cases) < 0.35)[subject]
    category = np.where(rng.random(subject.size) < 0.8, true, ~true).astype(np.int64)
    return Ratings.of(subject, rater, category, [f"S{i}" for i in range(cases)], ["A", "B", "C"], ["no", "yes"])


def test_intervals_where_classes_could_swap_names_are_those_of_the_names_in_use():
    # The same numbers with the classes called by each other's names fit as well: a hull over both would hold nearly
    # everything. In so many cases a profile is nearly a parabola, whose ends the curvature gives.
    ratings = judged_by_three()
    profile, wald = (
        finish(analyse(ratings, Request(model("dawid-skene"), interval=how))) for how in ("profile", "wald")
    )
    for one, other in zip(profile.estimates, wald.estimates, strict=True):
        ends, near = one.estimate, other.estimate
        assert ends.low == pytest.approx(near.low, abs=0.05)
        assert ends.high == pytest.approx(near.high, abs=0.05)


@pytest.mark.parametrize("seed", range(4))
def test_ends_are_where_climbs_that_begin_at_the_estimate_come_down_to_the_threshold(seed: int):
    rng = np.random.default_rng(seed)
    truth = rng.choice(3, 40, p=[0.5, 0.3, 0.2])
    knows = rng.random((40, 4)) < np.array([0.9, 0.7, 0.5, 0.3])
    answers = np.where(knows, truth[:, None], rng.choice(3, (40, 4), p=[0.2, 0.3, 0.5]))
    case, rater = np.indices(answers.shape)
    ratings = Ratings.of(
        case.ravel(), rater.ravel(), answers.ravel(), [f"S{i}" for i in range(40)], list("ABCD"), list("xyz")
    )
    fit = finish(analyse(ratings, Request(model("t-aj-p"), interval="profile")))
    plan = design(fit.model, ratings)
    evidence, top = plan.space.evidence(plan.patterns), fit.log_likelihood.ratings
    ends = [(p.slot, end) for p in fit.profiles for end in (p.low, p.high) if 0 < end < 1]
    assert len(ends) > 10
    owner, held = np.arange(len(ends)), np.array([end for _slot, end in ends])
    levels = finish(
        held_maxima(plan, evidence, [fit.parameters], [slot for slot, _end in ends], owner, held, (0, len(ends)))
    )
    np.testing.assert_allclose(levels, top - HALF, atol=2e-5)


def test_the_interval_of_a_rate_is_that_of_the_other_one_turned_round():
    rng = np.random.default_rng(1)
    truth = rng.random(50) < 0.4
    answers = np.where(rng.random((50, 4)) < 0.6, truth[:, None], rng.random((50, 4)) < 0.3).astype(int)
    case, rater = np.indices(answers.shape)
    ratings = Ratings.of(
        case.ravel(), rater.ravel(), answers.ravel(), [f"S{i}" for i in range(50)], list("ABCD"), ["no", "yes"]
    )
    fit = finish(analyse(ratings, Request(model("dawid-skene"), interval="profile")))
    by_place = {(p.slot.part, p.slot.index): p for p in fit.profiles}
    pairs = [
        (p, by_place[p.slot.part, (*p.slot.index[:-1], 1)])
        for p in fit.profiles
        if p.slot.part == "guessing" and p.slot.index[-1] == 0
    ]
    assert len(pairs) == 8
    for first, second in pairs:
        estimate = second.slot.value(fit.parameters)
        assert second.low <= estimate <= second.high
        np.testing.assert_allclose([second.low, second.high], [1 - first.high, 1 - first.low], atol=1e-12)
        np.testing.assert_allclose(second.at, 1 - first.at[::-1], atol=1e-12)
        at = int(np.abs(second.at - estimate).argmin())
        assert second.log_likelihood[at] == pytest.approx(fit.log_likelihood.ratings, abs=1e-9)
