"""Who stands apart from the panel, in whole sentences, whatever the number of raters."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.figure import Role
from tapdesk.answers.figures.raters import raters
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.raters import alike, who_differs
from tapdesk.answers.side_results import SideResults
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import ParameterEstimate
from tapdesk.models.design import Freedom
from tapdesk.models.parameters import ParameterName
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tapdesk.studies.rater_differences import RaterDifferences
from tests.report.examples import wine_fit

PANEL = Estimate(0.5).between(0.45, 0.55, 0.95, "profile")
BELOW, ABOVE, WITHIN = (0.1, 0.2), (0.8, 0.9), (0.3, 0.7)


def panel_of(*reaches):
    """A fit with an accuracy of each rater between two ends; None for one without an interval."""
    told = []
    for i, reach in enumerate(reaches):
        estimate = Estimate(0.5) if reach is None else Estimate(float(np.mean(reach))).between(*reach, 0.95, "profile")
        told.append(ParameterEstimate(ParameterName("a", rater=f"R{i + 1}"), Freedom.FREE, estimate))
    return replace(wine_fit(), estimates=tuple(told), raters=tuple(f"R{i + 1}" for i in range(len(reaches))))


@pytest.mark.parametrize(
    ("reaches", "said"),
    [
        ((BELOW, WITHIN), "R1 stands below the panel. The other one cannot be told from the panel as a whole."),
        (
            (BELOW, BELOW, WITHIN, WITHIN),
            "R1 and R2 stand below the panel. The others cannot be told from the panel as a whole.",
        ),
        (
            (BELOW, BELOW, BELOW, ABOVE),
            "R1, R2 and R3 stand below the panel. R4 stands above the panel.",
        ),
        ((ABOVE, ABOVE), "R1 and R2 stand above the panel."),
        ((WITHIN, WITHIN, WITHIN), "The 3 raters cannot be told from the panel as a whole."),
        ((None, None), "No rater can be set beside the panel: there are no intervals."),
    ],
)
def test_who_stands_apart_is_said_in_whole_sentences(reaches, said):
    assert who_differs(panel_of(*reaches), PANEL, SideResults())[0] == said


@pytest.mark.parametrize(("statistic", "named"), [(0.5, False), (99.0, True)])
def test_nobody_is_set_apart_unless_the_test_of_equal_raters_rejects(statistic, named):
    test = bootstrap_test("equal raters", statistic, None, np.arange(100.0), "")
    told = who_differs(panel_of(BELOW, WITHIN, WITHIN), PANEL, SideResults(differences=RaterDifferences(test)))
    assert ("R1" in told[0]) is named
    assert ("The 3 raters cannot be told from the panel as a whole." in told[0]) is not named
    side = SideResults(differences=RaterDifferences(test))
    marked = raters(panel_of(BELOW, WITHIN, WITHIN), SCREEN, PANEL, alike=alike(side))
    assert any(mark.role is Role.SINGLED_OUT for mark in marked.marks) is named
