"""How an interval was made is told in words, never by the name it has in the code."""

import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.answers.coefficients import coefficients
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

TWO = panel(["t=.4,.3,.3", "a=.7", "p=.3,.4,.3"], 60, 2, classes=("1", "2", "3"), seed=5)


ANALYTIC = {
    "90 % interval from standard errors by linearisation",
    "90 % interval from standard errors for large samples (Fleiss, Cohen and Everitt)",
    "90 % interval from the F distribution",
}


@pytest.mark.parametrize(
    ("interval", "told"),
    [("analytic", ANALYTIC), ("bootstrap", {"90 % interval from resamples"})],
)
def test_every_coefficient_tells_where_its_interval_comes_from(interval, told):
    found = finish(agree(TWO, interval=interval))
    assert {kind_of_interval(c.estimate.how, 0.9) for c in found if c.estimate.how} == told


def test_the_table_of_coefficients_names_the_sources_of_its_intervals():
    told = coefficients(finish(agree(TWO)), SCREEN).note
    assert "SE = standard error; intervals from standard errors by linearisation or the F distribution." in told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"interval": "profile"}, "95 % profile-likelihood interval"),
        ({"interval": "wald"}, "95 % interval from the curvature of the likelihood (Wald)"),
        ({"interval": "bootstrap", "replicates": 20}, "95 % interval from resamples"),
        ({"estimator": "posterior"}, "95 % interval of belief: the shortest that holds 95 % of it"),
        ({"interval": "none"}, "no interval was asked for"),
    ],
)
def test_every_kind_of_interval_of_a_fit_has_words(changes, told):
    fit = finish(analyse(panel(["t=.4", "a=.7", "p=.4"], 40, 3), Request(model("t-a-p"), **changes)))
    assert kind_of_interval(*fit.interval) == told
