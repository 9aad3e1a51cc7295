"""What numbers come to in the long run: the papers' formulas, hand-made numbers, and very many simulated ratings."""

import numpy as np
import pytest

from tapdesk.fitting.fit_summary import kappa, match_rates
from tapdesk.models.model import model
from tapdesk.models.simulate import asymptotic, parse_parameters, simulate
from tapdesk.studies.fleiss_kappa import agreement_estimate, kappa_of

NAMES = ("J1", "J2", "J3")


def point(name, *given, classes=("0", "1"), raters=NAMES):
    return parse_parameters(model(name), given, classes, raters)


@pytest.mark.parametrize("raters", [2, 3, 9])
def test_shared_numbers_come_to_the_rates_of_the_papers_however_many_raters(raters):
    """Kappa Zoo ch. 9, eq. 1, by hand: a² = 1/4, 2 a (1 - a) Σ t p = .27, (1 - a)² Σ p² = .13, kappa = 3/13."""
    shared = point("t-a-p", "t=.3", "a=.5", "p=.4")
    found = asymptotic(shared, raters)
    told = (found.accurate, found.mixed, found.inaccurate, found.observed, found.random, found.kappa)
    assert told == pytest.approx((0.25, 0.27, 0.13, 0.65, 0.52, 3 / 13))
    assert np.allclose(found.given, (0.65, 0.35))
    rates = match_rates(shared)
    assert told[:5] == pytest.approx((rates.accurate, rates.mixed, rates.inaccurate, rates.observed, rates.random))
    assert found.kappa == pytest.approx(kappa(shared))


def test_kappa_is_the_mean_product_of_accuracies_where_guesses_fall_as_the_truth_does():
    found = asymptotic(point("t-aj-p", "t=.3", "a=.2", "a[J2]=.9", "a[J3]=.6", "p=.3"), 3)
    assert found.kappa == pytest.approx((0.2 * 0.9 + 0.2 * 0.6 + 0.9 * 0.6) / 3)
    assert found.accurate == pytest.approx(found.kappa)


@pytest.mark.parametrize(
    ("name", "given", "classes"),
    [
        ("t-aj-pj", ("t=.3", "a=.2", "a[J2]=.9", "p=.5", "p[J3]=.2"), ("0", "1")),
        ("t-a0a1-p", ("t=.3", "a0=.4", "a1=.9", "p=.6"), ("0", "1")),
        ("t-a0a1-p0p1", ("t=.3", "a0=.4", "a1=.9", "p0=.6", "p1=.2"), ("0", "1")),
        ("t-a-p", ("t=.1,.2,.7", "a=.6", "p=.5,.3,.2"), ("x", "y", "z")),
        ("dawid-skene", ("t=.3", "pi[0]=.9,.1", "pi[1]=.3,.7", "pi[1,J2]=.1,.9"), ("0", "1")),
    ],
)
def test_very_many_ratings_come_to_it(name, given, classes):
    numbers = point(name, *given, classes=classes)
    found = asymptotic(numbers, 3)
    ratings, truth = simulate(model(name), numbers, classes, NAMES, 60_000, seed=4)
    assert np.abs(np.bincount(truth) / truth.size - found.truth).max() < 0.01
    assert np.abs(ratings.class_rates() - found.given).max() < 0.01
    assert agreement_estimate(ratings).value == pytest.approx(found.observed, abs=0.01)
    assert kappa_of(ratings) == pytest.approx(found.kappa, abs=0.02)
    if name == "dawid-skene":
        assert found.accurate is found.mixed is found.inaccurate is found.random is None
    else:
        assert found.accurate + found.mixed + found.inaccurate == pytest.approx(found.observed)
        assert min(found.accurate, found.mixed, found.inaccurate) > 0


def test_what_there_is_not_is_none():
    alone = asymptotic(point("t-a-p", "t=.3", "a=.5", "p=.4"), 1)
    assert alone.observed is alone.kappa is alone.accurate is None
    assert np.allclose(alone.given, (0.65, 0.35))
    assert asymptotic(point("t-a-p", "t=1", "a=1", "p=.5"), 4).kappa is None
