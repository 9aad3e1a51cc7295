"""Differences are judged as differences: rarely clear where there are none, and found where intervals still meet."""

import numpy as np
import pytest

from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.differences import PairedDifferences, View, paired_differences, separate_differences
from tests.studies.examples import panel

CLASSES = ("low", "middle", "high")


def lines(ratings, redraws=200):
    """The differences between the accuracies at the two lines of three classes."""
    views = []
    for at in (1, 2):
        two = ratings.merged((CLASSES[:at], CLASSES[at:]))
        views.append(View(two, finish(analyse(two, Request(model("t-a-p"), interval="none")))))
    return finish(paired_differences(ratings, views, 0.95, 1, redraws))


# At 5 %, more would come once in a hundred times, of 16 seven times in a thousand.
@pytest.mark.parametrize(("panels", "most"), [(16, 3), pytest.param(40, 6, marks=pytest.mark.slow)])
def test_of_one_accuracy_two_lines_are_rarely_said_to_differ(panels, most):
    clear = 0
    for seed in range(panels):
        ratings = panel(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 80, 4, classes=CLASSES, seed=seed)
        clear += lines(ratings).extremes.clear
    assert clear <= most


def test_an_accuracy_against_itself_has_a_difference_of_nothing():
    ratings = panel(["t=.4,.3,.3", "a=.6", "p=.3,.4,.3"], 80, 4, classes=CLASSES)
    two = ratings.merged((CLASSES[:1], CLASSES[1:]))
    view = View(two, finish(analyse(two, Request(model("t-a-p"), interval="none"))))
    found = finish(paired_differences(ratings, [view, view], 0.95, 1, 50))
    assert (found.draws[:, 0] == found.draws[:, 1]).all()
    assert not found.extremes.clear


def test_numbers_that_rise_and_fall_together_differ_sooner_than_their_intervals_say():
    rng = np.random.default_rng(4)
    common, own = rng.standard_normal((4000, 1)), rng.standard_normal((4000, 2))
    values = np.array([0.5, 0.6])
    draws = values + 0.05 * common + 0.02 * own
    paired = PairedDifferences(values, 0.95, draws).extremes
    ends = np.quantile(draws, [0.025, 0.975], axis=0)
    assert ends[1, 0] > ends[0, 1]
    assert (paired.low, paired.high) == pytest.approx((0.1 - 1.96 * 0.0283, 0.1 + 1.96 * 0.0283), abs=0.003)
    estimates = [Estimate(v, low=low, high=high) for v, low, high in zip(values, *ends, strict=True)]
    assert not separate_differences(estimates, 0.95).extremes.clear


def test_the_more_are_looked_at_the_farther_apart_they_have_to_be():
    rng = np.random.default_rng(5)
    draws = rng.standard_normal((4000, 8))
    two, eight = (PairedDifferences(np.arange(k, dtype=float), 0.95, draws[:, :k]).between(0, 1) for k in (2, 8))
    assert two.high - two.low == pytest.approx(2 * 1.96 * np.sqrt(2), rel=0.03)
    # The 95 % point of the studentised range of eight is 4.29 (Tukey), over root 2.
    assert eight.high - eight.low == pytest.approx(2 * 4.29, rel=0.04)


def test_one_clearly_below_all_others_is_found_and_none_where_two_are_low():
    rng = np.random.default_rng(6)
    draws = 0.01 * rng.standard_normal((500, 3))
    assert PairedDifferences(np.array([0.5, 0.2, 0.8]), 0.95, draws).lowest_of_all == 1
    found = PairedDifferences(np.array([0.2, 0.201, 0.8]), 0.95, draws)
    assert found.lowest_of_all is None
    assert (found.clearest.lower, found.clearest.higher) == (0, 2)


def test_of_independent_numbers_square_and_add_is_the_usual_interval():
    estimates = [Estimate(v, low=v - 0.1, high=v + 0.1) for v in (0.4, 0.6)]
    found = separate_differences(estimates, 0.95).extremes
    assert (found.low, found.high) == pytest.approx((0.2 - 0.1 * np.sqrt(2), 0.2 + 0.1 * np.sqrt(2)))
    assert separate_differences([*estimates, Estimate(0.5)], 0.95) is None
