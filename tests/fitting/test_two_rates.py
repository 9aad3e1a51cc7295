"""The two rates of binary counts: maximum and intervals looked for everywhere agree with climbs and with a grid."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.fitting.likelihood_region import extremes
from tapdesk.fitting.two_rates import two_rates
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.fitting.test_likelihood_region import brute_force, counts_of


def rates_of(ones):
    plan = design(model("t-a-p"), counts_of(ones, len(ones) - 1))
    return two_rates(plan.patterns, plan.patterns.weight[None], 0.95)


@pytest.mark.parametrize("ones", [[20, 9, 5, 9, 17, 40], [3400, 200, 100, 1500], [160, 30, 12, 15, 35, 60]])
def test_the_region_searched_by_climbs_reaches_as_far(ones):
    wanted = model("t-a-p")
    ratings = counts_of(ones, len(ones) - 1)
    fit = finish(analyse(ratings, Request(wanted)))
    plan = design(wanted, ratings)
    quantities = [
        lambda stack, k=k: (1 - stack.accuracy[:, 0, 0]) * stack.guessing[:, 0, 0, 1] + k * stack.accuracy[:, 0, 0]
        for k in (1, 0)
    ]
    near = [o.parameters for o in fit.optima if fit.log_likelihood.ratings - o.log_likelihood < 4]
    climbed = finish(
        extremes(plan, plan.space.evidence(plan.patterns), near, fit.log_likelihood.ratings, quantities, 0.95)
    )
    found = rates_of(ones)
    assert found.log_likelihood[0] == pytest.approx(fit.log_likelihood.ratings, abs=1e-6)
    for k, ends in enumerate(climbed):
        assert (found.low[0, k], found.high[0, k]) == pytest.approx(ends, abs=1e-4)


@given(st.lists(st.integers(0, 12), min_size=2, max_size=6).filter(any))
def test_no_interval_leaves_out_what_a_grid_finds_or_has_no_width(ones):
    found = rates_of(ones)
    for k, (low, high) in enumerate(brute_force(ones, len(ones) - 1, float(found.log_likelihood[0]))):
        # The grid's own step is 0.005, and its points lie inside the region.
        assert low - 0.0055 <= found.low[0, k] <= low + 1e-3
        assert high - 1e-3 <= found.high[0, k] <= high + 0.0055
    assert (found.low <= found.rates).all()
    assert (found.rates <= found.high).all()
    assert (found.high - found.low > 1e-3).all()


def test_many_data_sets_at_once_are_what_each_is_alone():
    ones = [[34, 0, 1, 15], [10, 10, 10, 20], [50, 0, 0, 0], [8, 7, 8, 7]]
    plan = design(model("t-a-p"), counts_of([1, 1, 1, 1], 3))
    order = np.argsort(plan.patterns.table[:, 1])
    weights = np.zeros((4, 4))
    weights[:, order] = ones
    together = two_rates(plan.patterns, weights, 0.95)
    for b, row in enumerate(ones):
        alone = rates_of(row)
        assert together.log_likelihood[b] == pytest.approx(alone.log_likelihood[0], abs=1e-6)
        for name in ("low", "high"):
            assert getattr(together, name)[b] == pytest.approx(getattr(alone, name)[0], abs=2e-5)


def test_of_no_event_in_many_ratings_the_end_is_the_exact_one():
    # Nobody ever differs: 70 cases all say no, 30 all say yes. (1 - r)^210 = .025 at r = .0174, r^90 = .025 at .9598.
    found = rates_of([70, 0, 0, 30])
    assert found.high[0, 1] == pytest.approx(1 - 0.025 ** (1 / 210), abs=1e-5)
    assert found.low[0, 0] == pytest.approx(0.025 ** (1 / 90), abs=1e-4)
