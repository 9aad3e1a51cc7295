"""Every accuracy that fits equally well: the closed forms against brute force, and its interval against truth."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import xlogy

from tapdesk.estimate import Untestable
from tapdesk.fitting.accuracy_range import of_two_ratings, without_equal_classes
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.tables import counted

SHARES = st.floats(0.02, 0.98)
FINE = np.linspace(0, 1, 401)


@given(truth=SHARES, accuracy=SHARES, guess=SHARES)
def test_two_ratings_fit_every_accuracy_of_the_range_and_no_other(truth, accuracy, guess):
    m = accuracy * truth + (1 - accuracy) * guess
    v = accuracy**2 * truth * (1 - truth)
    low, high = of_two_ratings(m, v)
    assert low - 1e-9 <= accuracy <= high + 1e-9
    # By brute force: along t the accuracy follows, and the guess must be one.
    t = 1 / (1 + np.exp(-np.linspace(-14, 14, 200_001)))
    a = np.sqrt(v / (t * (1 - t)))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = (m - a * t) / (1 - a)
    fits = a[(a < 1) & (p >= 0) & (p <= 1)]
    assert fits.min() == pytest.approx(low, abs=2e-4)
    assert fits.max() == pytest.approx(high, abs=2e-4)


@pytest.mark.parametrize(
    ("counts", "ends"),
    # The largest: of ratings "1" the share whose other rating is "1" too, or the same of "0". The smallest is twice
    # the root of the covariance where true classes may be equally common.
    [((40, 22, 38), (2 * (0.38 - 0.49**2) ** 0.5, 40 / 51)), ((90, 10, 0), (0.0, 0.95))],
)
def test_a_table_of_two_ratings_has_the_range_worked_out_by_hand(counts, ends):
    none, one, both = counts
    m, q = (one / 2 + both) / 100, both / 100
    assert none + one + both == 100
    assert of_two_ratings(m, q - m * m) == pytest.approx(ends)


def test_ratings_that_contradict_each_other_leave_every_accuracy_up_to_the_commoner_answer():
    assert of_two_ratings(0.3, -0.02) == (0.0, 0.7)
    assert of_two_ratings(0.5, 0.25) == (1.0, 1.0)


@given(truth=SHARES, wrong=SHARES, more=SHARES)
def test_accuracies_by_class_leave_the_accuracy_of_the_average_case_between_the_ends(truth, wrong, more):
    right = wrong + (1 - wrong) * more
    one_end, other_end, most = (
        float(x[0]) for x in without_equal_classes(np.array([truth]), np.array([right]), np.array([wrong]))
    )
    p = np.linspace(wrong, right, 20_001)
    average = truth * (right - p) / (1 - p) + (1 - truth) * (1 - wrong / p)
    assert min(one_end, other_end) == pytest.approx(average.min(), abs=1e-6)
    assert most == pytest.approx(average.max(), abs=1e-5)
    # Equal accuracies are one of the ways.
    assert min(one_end, other_end) - 1e-9 <= right - wrong <= most + 1e-9


@cache
def brute_interval(none, one, both, drop=1.920729):
    """Ends of the accuracies whose best (t, p) loses at most ``drop`` nats, over a grid of everything."""
    n = none + one + both
    top = xlogy([none, both], np.array([none, both]) / n).sum() + xlogy(one, one / n / 2)
    t, p = np.meshgrid(FINE, FINE, indexing="ij")
    kept = []
    for a in FINE:
        m1, m0 = a + (1 - a) * p, (1 - a) * p
        yes = t * m1**2 + (1 - t) * m0**2
        no = t * (1 - m1) ** 2 + (1 - t) * (1 - m0) ** 2
        apart = np.maximum(1 - yes - no, 0.0) / 2
        with np.errstate(divide="ignore"):
            # No count is 0 here.
            level = none * np.log(no) + both * np.log(yes) + one * np.log(apart)
        if level.max() > top - drop:
            kept.append(a)
    return kept[0], kept[-1]


@pytest.mark.costly(4)
@pytest.mark.parametrize("counts", [(40, 22, 38), (55, 30, 15), (8, 6, 16), (60, 35, 5)])
@pytest.mark.parametrize("name", ["t-a-p", "t-a-t"])
def test_the_interval_of_the_range_is_that_of_the_profile_by_brute_force(counts, name):
    found = finish(analyse(counted(counts), Request(model(name)))).accuracy_range
    assert found is not None
    assert found.without is Untestable.GUESSES
    assert (found.outer_low, found.outer_high) == pytest.approx(brute_interval(*counts), abs=5e-3)
    assert found.outer_low <= found.low <= found.assumed.value <= found.high <= found.outer_high


def test_three_ratings_tell_what_equal_classes_rest_on_and_more_classes_nothing():
    fit = finish(analyse(counted((20, 12, 14, 30)), Request(model("t-a-p"))))
    assert fit.accuracy_range is not None
    assert fit.accuracy_range.without is Untestable.CLASSES
    assert fit.accuracy_range.low < fit.estimate("a").value < fit.accuracy_range.high + 1e-9
    untold = finish(analyse(counted((20, 12, 14, 30)), Request(model("t-a-p"), interval="none")))
    assert untold.accuracy_range is None
