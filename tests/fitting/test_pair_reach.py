"""How often two ratings match, and why: profile intervals reach as far as the region of the likelihood, no further."""

import numpy as np
import pytest
from scipy.special import chdtri, xlogy

from tapdesk.estimate import MatchRates
from tapdesk.fitting.rating_shares import PAIRS
from tapdesk.models.model import model
from tapdesk.models.parameters import Stack
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import tallied
from tests.tables import drawn

# Cases by how many of four ratings are 1: drawn once with t = .4, a = .6, p = .5, and one with a rare class.
PANELS = {"even": (21, 34, 33, 25, 37), "rare": (96, 20, 9, 7, 18)}


def region(counts, level=0.95):
    """Every point of a fine grid of (t, a, p) whose likelihood lies within the reach of the best: an own, slow way."""
    n, m = np.array(counts), len(counts) - 1
    t, a, p = np.meshgrid(np.linspace(0.002, 0.998, 167), np.linspace(0, 1, 167), np.linspace(0.002, 0.998, 167))
    k = np.arange(m + 1)
    one, none = a + (1 - a) * p, (1 - a) * p
    log = np.zeros_like(t)
    for number, ones in zip(n, k, strict=True):
        log += xlogy(number, t * one**ones * (1 - one) ** (m - ones) + (1 - t) * none**ones * (1 - none) ** (m - ones))
    inside = 2 * (log.max() - log) <= chdtri(1, 1 - level)
    return t[inside], a[inside], p[inside]


@pytest.mark.parametrize("counts", PANELS.values(), ids=PANELS)
def test_the_ends_are_those_of_the_likelihood_region_looked_through_point_by_point(counts):
    fit = finish(analyse(tallied(counts), Request(model("t-a-p"))))
    reach = {name: (low, high) for name, low, high in fit.match_rates.reach}
    t, a, p = region(counts)
    looked = {
        "mixed": 2 * a * (1 - a) * (t * p + (1 - t) * (1 - p)),
        "inaccurate": (1 - a) ** 2 * (p**2 + (1 - p) ** 2),
    }
    looked["observed"] = a**2 + looked["mixed"] + looked["inaccurate"]
    for name, values in looked.items():
        low, high = reach[name]
        # Between two points of the grid a share moves by less than this.
        assert low == pytest.approx(values.min(), abs=0.012), name
        assert high == pytest.approx(values.max(), abs=0.012), name
        # The grid can only fall short of the ends.
        assert low <= values.min() + 1e-6
        assert high >= values.max() - 1e-6


def test_each_interval_holds_its_share_and_the_pieces_are_those_of_the_match_rates():
    ratings = drawn(np.random.default_rng(5), [0.5, 0.3, 0.2], 0.6, [0.4, 0.3, 0.3], 120, 4)
    fit = finish(analyse(ratings, Request(model("t-a-p"))))
    rates = fit.match_rates
    assert [name for name, *_ends in rates.reach] == list(PAIRS)
    for name, low, high in rates.reach:
        assert 0 <= low <= getattr(rates, name) <= high <= 1
        assert high - low > 0.005
        assert PAIRS[name](Stack.of([fit.parameters]))[0] == pytest.approx(getattr(rates, name))


def test_the_intervals_hold_the_truth_as_often_as_they_say():
    """Of 60 panels of 120 cases the true shares lie outside in about 5 of 100: at most 8 of 60 by chance in 1,000."""
    t, a, p = np.array([0.5, 0.3, 0.2]), 0.6, np.array([0.4, 0.3, 0.3])
    true = {"mixed": 2 * a * (1 - a) * float(t @ p), "inaccurate": (1 - a) ** 2 * float(p @ p)}
    true["observed"] = a * a + true["mixed"] + true["inaccurate"]
    missed = dict.fromkeys(true, 0)
    for seed in range(60):
        ratings = drawn(np.random.default_rng(1000 + seed), t, a, p, 120, 4)
        fit = finish(analyse(ratings, Request(model("t-a-p"))))
        for name, low, high in fit.match_rates.reach:
            missed[name] += not low <= true[name] <= high
    assert all(count <= 8 for count in missed.values()), missed


def test_without_intervals_and_of_raters_who_differ_there_is_no_reach():
    ratings = drawn(np.random.default_rng(5), [0.5, 0.3, 0.2], 0.6, [0.4, 0.3, 0.3], 60, 4)
    assert finish(analyse(ratings, Request(model("t-a-p"), interval="none"))).match_rates.reach == ()
    assert finish(analyse(ratings, Request(model("t-aj-p"), interval="wald"))).match_rates is None
    assert MatchRates(0.2, 0.5, 0.1, 0.2, 0.5).reach == ()
