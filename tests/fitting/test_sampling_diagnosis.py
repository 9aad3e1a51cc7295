"""Whether draws may be trusted, and how many peaks they have."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting.fit import Status
from tapdesk.fitting.sampling.hmc import ChainDraws, split_rhat
from tapdesk.fitting.sampling.posterior_summary import modes, smoothed
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tests.fitting.sampling_examples import QUICK, diagnose


def synthetic(values):
    values = np.asarray(values)
    return ChainDraws(values, values, 0, 0.8, 1)


def camps(good, bad, subjects=150):
    """Raters who know with chance .7, some of them naming the other class of what they see."""
    rng = np.random.default_rng(0)
    true = rng.integers(0, 2, subjects)
    seen = [np.where(rng.random(subjects) < 0.7, true, rng.integers(0, 2, subjects)) for _ in range(good + bad)]
    table = np.stack([x if j < good else 1 - x for j, x in enumerate(seen)], axis=1)
    subject, rater = (i.ravel() for i in np.indices(table.shape))
    names = [[f"{letter}{i}" for i in range(n)] for letter, n in zip("SJ", table.shape, strict=True)]
    return Ratings.of(subject, rater, table.ravel(), *names, ["no", "yes"])


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
