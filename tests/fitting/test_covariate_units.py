"""Where a covariate has its zero and what it is measured in changes its own numbers by that rule, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse

SUBJECTS, RATERS = 80, 5
REGRESSION = replace(model("t-a(x)-p"), covariates=("x",))


def rated(zero: float, unit: float) -> Ratings:
    """Ratings whose accuracy rises with a covariate from 0 to 20, told as ``zero + unit * covariate``."""
    rng = np.random.default_rng(5)
    subject, rater = np.indices((SUBJECTS, RATERS)).reshape(2, -1)
    truth = rng.random(SUBJECTS) < 0.6
    x = np.round(rng.uniform(0, 20, subject.size))
    right = rng.random(x.size) < expit((x - 10) / 5)
    seen = np.where(right, truth[subject], rng.random(x.size) < 0.5).astype(np.int64)
    names = [f"S{i}" for i in range(SUBJECTS)], [f"J{j}" for j in range(RATERS)]
    ratings = Ratings.of(subject, rater, seen, *names, ["0", "1"])
    return replace(ratings, covariates={"x": Covariate("x", CovariateOf.RATING, zero + unit * x)})


def numbers(fit: Fit) -> dict[str, np.ndarray]:
    """Value, standard error and interval of everything but the intercept, whose place moves with the zero."""
    told = {str(e.name): e.estimate for e in fit.estimates if e.name.covariate != "(intercept)"}
    return {name: np.array([e.value, e.se, e.low, e.high]) for name, e in told.items()}


@pytest.fixture(scope="module")
def plain() -> Fit:
    return finish(analyse(rated(0, 1), Request(REGRESSION)))


# Profiles take seconds each: a unit beside a zero is always tried, the others with the slow tests.
MOVED = [
    (45_000.0, 100.0),
    *(
        pytest.param(zero, unit, marks=pytest.mark.slow)
        for zero, unit in ((2000.0, 1.0), (0.0, 1e6), (-3e5, 1e-3), (1e6, 1.0))
    ),
]


@pytest.mark.parametrize(("zero", "unit"), MOVED)
def test_years_dates_and_incomes_give_the_same_answer(plain, zero, unit):
    fit = finish(analyse(rated(zero, unit), Request(REGRESSION)))
    assert fit.identification.identified
    assert fit.status is plain.status
    assert fit.log_likelihood.ratings == pytest.approx(plain.log_likelihood.ratings, abs=1e-6)
    expected = numbers(plain)
    expected["b[x]"] = expected["b[x]"] / unit
    found = numbers(fit)
    assert found.keys() == expected.keys()
    for name, of_plain in expected.items():
        np.testing.assert_allclose(found[name], of_plain, rtol=2e-4, err_msg=name)


@pytest.mark.parametrize("how", ["wald", "bootstrap"])
def test_other_intervals_do_not_see_the_zero_of_a_covariate_either(how):
    plain, moved = (
        numbers(finish(analyse(rated(zero, 1.0), Request(REGRESSION, interval=how, replicates=100))))
        for zero in (0.0, 2000.0)
    )
    for name, expected in plain.items():
        np.testing.assert_allclose(moved[name], expected, rtol=1e-3, err_msg=name)


def test_a_posterior_does_not_see_the_zero_of_a_covariate():
    request = Request(REGRESSION, estimator="posterior", interval="none", chains=8, draws=400)
    plain, moved = (finish(analyse(rated(zero, 1.0), request)) for zero in (0.0, 2000.0))
    assert moved.posterior is not None
    assert plain.posterior is not None
    assert moved.posterior.rhat is not None
    assert moved.posterior.rhat < 1.01
    for a, b in zip(plain.posterior.summaries, moved.posterior.summaries, strict=True):
        if a.name.covariate != "(intercept)":
            assert b.mean == pytest.approx(a.mean, abs=0.15 * a.sd), a.name
            assert b.sd == pytest.approx(a.sd, rel=0.15), a.name
