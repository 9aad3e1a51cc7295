"""Who stands apart from the panel, in whole sentences, whatever the number of raters."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.figure import Role
from tapdesk.answers.figures.raters import raters
from tapdesk.answers.misfit import sentence
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.raters import apart, compared, who_differs
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import ParameterEstimate
from tapdesk.models.design import Freedom
from tapdesk.models.parameters import ParameterName
from tapdesk.studies.chance import Chance
from tapdesk.studies.contrasts import Contrasts
from tapdesk.studies.differences import PairedDifferences
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tapdesk.studies.rater_differences import RaterDifferences
from tapdesk.studies.rater_pairs import Independence
from tests.report.examples import wine_fit

PANEL = Estimate(0.5).between(0.45, 0.55, 0.95, "profile")
# Intervals that say nothing by themselves: what counts is how surely the difference is known.
BELOW, ABOVE, WITHIN = 0.2, 0.9, 0.55


def panel_of(*accuracies):
    """A fit with an accuracy of each rater, None where there is none; and how they differ from the panel."""
    told = []
    for i, value in enumerate(accuracies):
        estimate = undefined("One rating.") if value is None else Estimate(value).between(0.0, 1.0, 0.95, "profile")
        told.append(ParameterEstimate(ParameterName("a", rater=f"R{i + 1}"), Freedom.FREE, estimate))
    names = tuple(f"R{i + 1}" for i in range(len(accuracies)))
    values = np.array([x for x in (*accuracies, 0.5) if x is not None])
    draws = values + 0.05 * np.random.default_rng(1).standard_normal((500, values.size))
    judged = tuple(n for n, x in zip(names, accuracies, strict=True) if x is not None)
    compared = PairedDifferences(values, 0.95, draws, len(judged)) if judged else None
    found = Contrasts("t-aj-p", judged, compared, middle=compared)
    return replace(wine_fit(), estimates=tuple(told), raters=names), SideResults(rater_contrasts=found)


@pytest.mark.parametrize(
    ("accuracies", "said"),
    [
        ((BELOW, WITHIN), "R1 stands below the panel. The other one does not clearly stand apart."),
        (
            (BELOW, BELOW, WITHIN, WITHIN),
            "R1 and R2 stand below the panel. The others do not clearly stand apart.",
        ),
        (
            (BELOW, BELOW, BELOW, ABOVE),
            "R1, R2 and R3 stand below the panel. R4 stands above the panel.",
        ),
        ((ABOVE, ABOVE), "R1 and R2 stand above the panel."),
        ((WITHIN, WITHIN, WITHIN), "Nobody clearly stands apart from the panel."),
        ((None, None), "No rater can be set beside the panel: there are no intervals."),
    ],
)
def test_who_stands_apart_is_said_in_whole_sentences(accuracies, said):
    fit, side = panel_of(*accuracies)
    assert who_differs(fit, PANEL, side)[0] == said


def test_who_is_named_is_told_with_the_difference_and_not_by_an_interval():
    fit, side = panel_of(BELOW, WITHIN, ABOVE)
    follows = who_differs(fit, PANEL, side)[1]
    assert "R1: 0.20, lower than the panel by 0.30 (" in follows
    assert "R3: 0.90, higher than the panel by 0.40 (" in follows
    assert "R2:" not in follows


def test_without_differences_nobody_is_set_apart_or_said_to_be_alike():
    fit, _side = panel_of(BELOW, WITHIN, ABOVE)
    assert apart(fit, SideResults()) == ([], [])
    assert not compared(SideResults())


@pytest.mark.parametrize(("statistic", "named"), [(0.5, False), (99.0, True)])
def test_nobody_is_set_apart_unless_the_test_of_equal_raters_rejects(statistic, named):
    test = bootstrap_test("equal raters", statistic, None, np.arange(100.0), "")
    fit, side = panel_of(BELOW, WITHIN, WITHIN)
    side = replace(side, differences=RaterDifferences(test))
    told = who_differs(fit, PANEL, side)
    assert ("R1" in told[0]) is named
    assert ("Nobody clearly stands apart from the panel." in told[0]) is not named
    drawn = raters(fit, SCREEN, PANEL, {e.name.rater for group in apart(fit, side) for e in group})
    assert any(mark.role is Role.SINGLED_OUT for mark in drawn.marks) is named


@pytest.mark.parametrize(("statistic", "named"), [(0.5, False), (99.0, True)])
def test_nobody_is_set_apart_where_all_may_guess(statistic, named):
    """Who guess each in a way of their own differ in how they guess: .92 of the ratings of one seemed to follow."""
    test = bootstrap_test("a=0", statistic, None, np.arange(100.0), "")
    fit, side = panel_of(BELOW, WITHIN, ABOVE)
    told = who_differs(fit, PANEL, replace(side, chance=Chance(test, "", 100, 300)))
    assert ("R3" in told[0]) is named
    assert (told[0] == "Nobody is set apart: these ratings cannot be told from chance.") is not named
    assert ("none is then more accurate than another" in told[1]) is not named


def pairs_of(flagged):
    """Every pair of four raters, the first two agreeing far more often than the model makes them."""
    first, second = np.triu_indices(4, 1)
    expected = np.full(first.size, 0.1)
    observed = np.where((first == 0) & (second == 1), 0.2, 0.1)
    arrays = {"low": expected - 0.02, "high": expected + 0.02, "deviation": np.zeros(6)}
    marks = flagged & (observed > expected)
    same = {"p": np.ones(6), "p_adjusted": np.ones(6), "flagged": marks, "measure": "covariance", "replicates": 300}
    names = tuple(f"R{i + 1}" for i in range(4))
    return Independence(names, first, second, np.full(6, 100), observed, expected, **arrays, **same)


@pytest.mark.parametrize(("flagged", "named"), [(False, True), (True, False)])
def test_nobody_is_set_apart_where_raters_agree_for_other_reasons_than_the_cases(flagged, named):
    """Who copies looks able, and the others look worse: in a panel of alike raters one stood above it."""
    test = bootstrap_test("equal raters", 99.0, None, np.arange(100.0), "")
    fit, side = panel_of(ABOVE, WITHIN, BELOW, WITHIN)
    pairs = pairs_of(np.full(6, flagged))
    side = replace(side, differences=RaterDifferences(test), independence=pairs)
    told = who_differs(fit, PANEL, side)
    assert ("R1 stands above the panel." in told[0]) is named
    assert ("Nobody is set apart." in told[0]) is not named
    assert ("Some raters agree more often than the model explains" in told[1]) is not named
    assert (apart(fit, side) == ([], [])) is not named


def test_counts_that_fit_do_not_say_that_pairs_of_raters_do():
    test = bootstrap_test("fit", 1.0, None, np.linspace(0, 9, 100), "")
    side = SideResults(goodness=test, independence=pairs_of(np.full(6, True)))
    assert "some raters agree more often than it explains" in sentence(side)
    plain = SideResults(goodness=test, independence=pairs_of(np.full(6, False)))
    assert sentence(plain).endswith("The ratings look like what the model makes.")
