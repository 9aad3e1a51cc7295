"""Moment E-M: where it is exact, where it is not, and that it says so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM, MomentEM, moment_step
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Stack
from tapdesk.progress import finish
from tests.tables import WINE_CUTS, counted, drawn

T_A_P = model("t-a-p")


def point(t, a, p):
    return Stack(np.array([[1 - t, t]]), np.array([[[a]]]), np.array([[[[1 - p, p]]]]), np.zeros((1, 0)))


def truth_only_step(table, weight, t, a, p):
    """The exact M-step of the E-M on truth alone, in terms of the two rates of class 1."""
    high, low = a + (1 - a) * p, (1 - a) * p
    zeros, ones = table.T
    joint = np.stack([(1 - t) * low**ones * (1 - low) ** zeros, t * high**ones * (1 - high) ** zeros])
    q = joint / joint.sum(axis=0) * weight
    low, high = (q @ ones) / (q @ (ones + zeros))
    return q[1].sum() / weight.sum(), high - low, low / (1 - (high - low))


@given(st.integers(0, 10_000), st.floats(0.2, 0.8), st.floats(0.3, 0.7), st.floats(0.2, 0.8))
def test_two_classes_unclipped_is_the_exact_step_of_the_em_on_truth_alone_even_on_ragged_data(seed, t, a, p):
    ratings = drawn(np.random.default_rng(seed), [0.5, 0.5], 0.6, [0.5, 0.5], 40, 6, share=0.7)
    plan = design(T_A_P, ratings)
    _, after = moment_step(plan, plan.space.evidence(plan.patterns), point(t, a, p), flat=False)
    wanted = truth_only_step(plan.patterns.table, plan.patterns.weight, t, a, p)
    got = after.truth[0, 1], after.accuracy[0, 0, 0], after.guessing[0, 0, 0, 1]
    if 0 < wanted[1] < 1 and 0 < wanted[2] < 1:
        np.testing.assert_allclose(got, wanted, atol=1e-10)


@pytest.mark.parametrize("cut", list(WINE_CUTS))
def test_two_classes_end_at_the_maximum_of_exact_em(cut):
    ratings = counted(WINE_CUTS[cut])
    mine, exact = (finish(m.run(T_A_P, ratings, 1)) for m in (MomentEM(), ExactEM()))
    levels = [o.log_likelihood for o in exact.optima]
    assert min(abs(mine.log_likelihood.ratings - level) for level in levels) < 1e-6
    assert "approximate_method" not in [f.code for f in mine.findings]


def test_published_wine_cut_comes_out():
    """[MRR] wine, cut 1|2: t .27, a .54, p .22, log-likelihood -243.36 in the counts form."""
    fit = finish(MomentEM().run(T_A_P, counted(WINE_CUTS["1|2"]), 1))
    told = [fit.estimate(name).value for name in ("t", "a", "p")]
    assert told == pytest.approx([0.27, 0.54, 0.22], abs=0.005)
    assert fit.log_likelihood.counts == pytest.approx(-243.36, abs=0.005)
    assert fit.converged


def four_classes(seed=3):
    rng = np.random.default_rng(seed)
    return drawn(rng, [0.55, 0.05, 0.2, 0.2], 0.4, [0.05, 0.5, 0.35, 0.1], 183, 4)


def test_more_classes_end_below_the_maximum_and_the_fit_says_that_they_may():
    ratings = four_classes()
    exact = finish(ExactEM().run(T_A_P, ratings, 1)).log_likelihood.ratings
    average, flat = (finish(MomentEM(prior).run(T_A_P, ratings, 1)) for prior in ("average", "flat"))
    assert average.log_likelihood.ratings < exact
    # The flat prior of the R package loses more (models.md §5.2: 2.9 on the wine data of four classes).
    assert flat.log_likelihood.ratings < average.log_likelihood.ratings - 0.1
    for fit in (average, flat):
        assert "approximate_method" in [f.code for f in fit.findings]
        assert fit.converged
        assert fit.trace[0].log_likelihood[-1] == pytest.approx(fit.log_likelihood.ratings, abs=1e-6)


def test_log_likelihood_may_fall_and_then_the_fit_says_so():
    fit = finish(MomentEM("flat").run(T_A_P, four_classes(), 1))
    fell = (np.diff(fit.trace[0].log_likelihood) < -1e-6).any()
    assert fell
    assert "log_likelihood_fell" in [f.code for f in fit.findings]


def test_guess_belongs_to_the_class_that_is_named():
    """At the expected table of known parameters the step gives them back (models.md §5.2, against [KZ9]'s index)."""
    from tapdesk.fitting.em import _solved

    t, a, p = np.array([0.5, 0.3, 0.2]), 0.6, np.array([0.1, 0.3, 0.6])
    joint = t[:, None] * (a * np.eye(3) + (1 - a) * p)
    accuracy, guessing = _solved(joint, 0.5, np.full(3, 1 / 3))
    assert accuracy == pytest.approx(a, abs=1e-12)
    np.testing.assert_allclose(guessing, p, atol=1e-12)


def test_impossible_solutions_are_clipped_into_their_range():
    from tapdesk.fitting.em import _solved

    contrary = np.array([[0.05, 0.45], [0.45, 0.05]])
    accuracy, guessing = _solved(contrary, 0.5, np.array([0.5, 0.5]))
    assert accuracy == 0
    assert guessing.sum() == pytest.approx(1)
    perfect, kept = _solved(np.diag([0.4, 0.6]), 0.5, np.array([0.3, 0.7]))
    assert perfect == 1
    np.testing.assert_array_equal(kept, [0.3, 0.7])


@pytest.mark.parametrize("table", [(20, 0, 0, 0), (10, 0, 0, 10), (0, 5, 5, 0)])
def test_degenerate_tables_give_a_status_and_never_nan(table):
    fit = finish(MomentEM().run(T_A_P, counted(table), 1))
    assert fit.status.value
    assert np.isfinite(fit.log_likelihood.ratings)
    for e in fit.estimates:
        assert e.estimate.value is None or np.isfinite(e.estimate.value)


def test_other_models_and_other_priors_are_refused_by_name():
    assert "t-aj-p" in MomentEM().refuses(model("t-aj-p"), four_classes())
    with pytest.raises(UsageError, match="use exact-em"):
        finish(MomentEM().run(model("dawid-skene"), four_classes(), 1))
    with pytest.raises(UsageError, match="median"):
        MomentEM("median")


def test_new_points_of_every_start_are_told_as_they_come():
    steps = []
    fit = finish(MomentEM().run(T_A_P, four_classes(), 1), steps.append)
    for trace in fit.trace:
        told = [s.values["log_likelihood"] for s in steps if s.values.get("start") == trace.start]
        np.testing.assert_array_equal(np.concatenate(told), trace.log_likelihood)
