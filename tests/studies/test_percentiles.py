"""Re-draws in which a number has no value are left out of its interval, and said."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting.fit import Draws
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, _percentiles, analyse
from tapdesk.studies.bootstrap import TOO_OFTEN_OPEN, percentiles, with_value
from tests.tables import WINE_CUTS, counted

# Two cases of twenty show a disagreement: a re-draw without them has accuracy 1 and nothing to tell of guesses.
TWO_DISSENTS = counted((10, 1, 1, 8))
WITHOUT = (1 - 2 / 20) ** 20


@pytest.mark.parametrize("kind", ["bootstrap", "parametric-bootstrap"])
def test_guesses_have_no_value_in_redraws_without_dissents_and_the_fit_says_how_often(kind: str):
    fit = finish(analyse(TWO_DISSENTS, Request(model("t-a-p"), interval=kind, replicates=1000)))
    (told,) = [f for f in fit.findings if f.code == "redraws_without_value"]
    found = re.search(r"most often p, in (\d+) %", told.message)
    assert found is not None
    if kind == "bootstrap":
        assert int(found[1]) / 100 == pytest.approx(WITHOUT, abs=0.05)
    p = fit.estimate("p")
    assert p.low is not None
    kept = with_value(fit, fit.draws.values)
    (name,) = [n for n in kept if n.name == "p"]
    low, high = np.quantile(fit.draws.values[name][kept[name]], [0.025, 0.975])
    assert (p.low, p.high) == pytest.approx((min(low, p.value), max(high, p.value)))


def test_where_most_redraws_have_no_value_there_is_no_interval():
    fit = finish(analyse(TWO_DISSENTS, Request(model("t-a-p"), interval="none")))
    draws = {e.name: np.linspace(0.2, 0.4, 100) for e in fit.estimates}
    (accuracy,) = [name for name in draws if name.name == "a"]
    draws[accuracy] = np.where(np.arange(100) < 60, 1.0, 0.9)
    ends, findings = percentiles(fit, draws, 0.9)
    assert {str(name): end for name, end in ends.items() if isinstance(end, str)} == {"p": TOO_OFTEN_OPEN}
    assert TOO_OFTEN_OPEN.startswith("In most of the resamples this number has no value, so they do not show")
    assert not findings


def test_redraws_of_data_that_pin_their_numbers_are_all_counted():
    fit = finish(analyse(counted(WINE_CUTS["1|2"]), Request(model("t-a-p"), interval="bootstrap", replicates=300)))
    assert all(which.all() for which in with_value(fit, fit.draws.values).values())
    assert not any(f.code == "redraws_without_value" for f in fit.findings)


def test_resamples_that_all_say_the_same_say_nothing_of_how_uncertain_that_is():
    fit = finish(analyse(counted((12, 0, 0, 8)), Request(model("t-a-p"), interval="none")))
    draws = {e.name: np.full(100, 0.4 if e.name.name == "t" else 1.0) for e in fit.estimates}
    ends, findings = percentiles(fit, draws, 0.9)
    reasons = {str(name): end for name, end in ends.items() if isinstance(end, str)}
    assert reasons["a"] == "The resamples all give the same number here, so they do not show how uncertain it is."
    assert [f.message for f in findings] == [
        "The estimate lies on the edge of what is possible, where intervals from resamples are not reliable."
    ]


def test_an_interval_beside_its_estimate_is_not_shown():
    fit = finish(analyse(counted(WINE_CUTS["1|2"]), Request(model("t-a-p"), interval="none")))
    draws = {e.name: np.linspace(0.9, 0.99, 100) for e in fit.estimates}
    shown = _percentiles(replace(fit, draws=Draws("bootstrap", draws)), 0.9)
    for e in shown.estimates:
        assert e.estimate.low is None
        assert e.estimate.no_interval == "The interval does not hold the estimate, so it is not shown."
