"""A posterior tells the likelihood of the maximum, never that of its mean, and a shadow of a mode is no reading."""

import pytest

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.fitting.test_averaged import panel
from tests.fitting.test_likelihood_region import counts_of


@pytest.mark.parametrize("name", ["t-a-p", "t-aj-p"])
def test_the_likelihood_beside_a_posterior_is_that_of_the_maximum(name):
    ratings = panel(30, (0.8, 0.6, 0.4), 3)
    best = finish(analyse(ratings, Request(model(name), interval="none")))
    found = finish(analyse(ratings, Request(model(name), estimator="posterior", chains=4, draws=100)))
    assert found.log_likelihood.ratings == pytest.approx(best.log_likelihood.ratings, abs=1e-6)
    assert (found.aic, found.bic) == pytest.approx((best.aic, best.bic), abs=1e-5)
    assert found.krits.marginal == pytest.approx(best.krits.marginal, abs=1e-7)
    assert found.kappa == pytest.approx(best.kappa, abs=1e-5)
    # The mean is another point.
    assert found.estimate("t").value != pytest.approx(best.estimate("t").value, abs=1e-3)


def test_a_sharpened_posterior_tells_no_less_than_any_of_its_draws():
    ratings = panel(40, (0.8, 0.6, 0.4, 0.2), 4, (0.5, 0.5))
    ours, more = (
        finish(analyse(ratings, Request(model("ti-aj-P"), estimator="posterior", chains=4, draws=60, seed=seed)))
        for seed in (1, 2)
    )
    assert ours.log_likelihood.ratings == pytest.approx(more.log_likelihood.ratings, abs=1e-4)


def test_a_mode_of_almost_no_mass_is_no_second_reading():
    for ones in ([40, 9, 4, 6, 30], [90, 43, 25, 15, 10]):
        fit = finish(analyse(counts_of(ones, 4), Request(model("t-a-p"), estimator="posterior")))
        assert all(reading.mass > 0.01 for reading in fit.posterior.readings)
