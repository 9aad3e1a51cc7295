"""Where few ratings follow the case and it is known roughly how many, nobody is said to be sure of a case."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tapdesk.answers.cases import little_known, sure_of
from tapdesk.answers.part import Answer
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.case_beliefs import case_beliefs
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tests.studies.test_opposition import panel, rated


@pytest.mark.parametrize(
    ("value", "low", "high", "little"),
    [
        (0.38, 0.29, 0.48, True),
        (0.45, 0.32, 0.58, True),
        (0.45, 0.35, 0.56, False),
        # Low but well known, by many ratings of each case.
        (0.30, 0.27, 0.33, False),
        (0.55, 0.38, 0.70, False),
        # Anything may be.
        (0.55, 0.13, 0.66, True),
        (0.60, 0.50, 0.70, False),
    ],
)
def test_little_is_known_where_the_accuracy_may_be_low_and_is_rough(value, low, high, little):
    one = SimpleNamespace(name=ParameterName("a"), estimate=Estimate(value).between(low, high, 0.95, "profile"))
    assert little_known(SimpleNamespace(estimates=(one,))) is little
    bare = replace(one.estimate, low=None, high=None)
    assert not little_known(SimpleNamespace(estimates=(SimpleNamespace(name=one.name, estimate=bare),)))


ALIKE = bootstrap_test("equal raters", 0.5, None, np.arange(100.0), "")


def said(accuracy, seed):
    """What is said of how sure one can be, and whether any case would have been said to be sure."""
    ratings = rated(panel(np.random.default_rng(seed), 200, 5, accuracy=accuracy))
    fit = finish(analyse(ratings, Request(model("t-a-p")), only=("a",), shares=False))
    found = finish(case_beliefs(ratings, fit, alike=ALIKE))
    sure = (found.probability.max(axis=1) >= 0.9).any()
    return sure_of(found, Answer(fit, ratings, ratings, SideResults())), bool(sure)


def test_of_panels_that_know_little_nothing_sure_is_said_and_of_others_it_is():
    told = [said(0.3, seed) for seed in range(6)]
    assert any(sure for _words, sure in told)
    assert all("beliefs that rest on so little are right less often than they say" in words for words, _sure in told)
    assert not any("90 % sure" in words for words, _sure in told)
    assert all("90 % sure" in said(0.7, seed)[0] for seed in range(3))
