"""A posterior tells the likelihood of the maximum, never that of its mean, and a shadow of a mode is no reading."""

import pytest

from tapdesk.answers.fit_tables import details, estimates
from tapdesk.answers.fit_words import tie
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
    # Its t is a number of the prior, no rate of the ratings.
    held = tie(next(e for e in ours.estimates if e.name.name == "t"), ours)
    assert held.startswith("the share of the prior")
    assert "t: the share of the prior" in estimates(ours).note
    assert "Log-evidence" not in str(details(ours).rows)


def test_the_evidence_stands_beside_the_likelihood_where_it_is_exact():
    ratings = counts_of([40, 9, 4, 6, 30], 4)
    fit = finish(analyse(ratings, Request(model("t-a-p"), estimator="posterior")))
    told = dict(row[:2] for row in details(fit).rows)
    assert float(told["Log-evidence, ratings form (exact)"].replace("−", "-")) == pytest.approx(
        fit.posterior.log_evidence.ratings, abs=0.006
    )
    # Averaged over what was believed before, the ratings are less probable than at the maximum.
    assert fit.posterior.log_evidence.ratings < fit.log_likelihood.ratings
    assert "Evidence: how probable" in details(fit).note
    plain = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    assert "Evidence" not in details(plain).note
    assert tie(plain.estimates[0], plain) == ""


def test_a_mode_of_almost_no_mass_is_no_second_reading():
    for ones in ([40, 9, 4, 6, 30], [90, 43, 25, 15, 10]):
        fit = finish(analyse(counts_of(ones, 4), Request(model("t-a-p"), estimator="posterior")))
        assert all(reading.mass > 0.01 for reading in fit.posterior.readings)
