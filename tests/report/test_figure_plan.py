"""What larger studies would tell: no promise that a larger study would break, none from numbers nobody knows."""

from dataclasses import replace

import pytest

from tapdesk.answers.figures import designs as figures_designs
from tapdesk.answers.figures.catalog import picture
from tapdesk.answers.figures.raters import raters_needs
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import COLUMNS
from tapdesk.studies.table import StudyTable

from .examples import counted


def planned(widths):
    """The table of a plan: width by (cases, ratings)."""
    blank = dict.fromkeys(COLUMNS)
    rows = [
        {**blank, "subjects": n, "raters": r, "spread": width, "classified": 0.5, "right": 0.9, "identified": True}
        for (n, r), width in widths.items()
    ]
    return StudyTable("plan", COLUMNS, [tuple(row[c] for c in COLUMNS) for row in rows])


def title(widths):
    return figures_designs.plan(planned(widths))[0].title


def test_the_fewest_ratings_that_are_enough_are_named():
    told = title({(30, 3): 0.4, (100, 3): 0.19, (30, 5): 0.25, (100, 5): 0.12})
    assert told == "100 cases with 3 ratings each would pin the accuracy to an interval 0.19 wide"


def test_a_small_size_is_not_enough_where_a_larger_one_is_less_sure():
    # Of a class that three cases in a thousand have, thirty cases mostly hold none: what cannot move looks sure.
    told = title({(30, 5): 0.04, (50, 5): 0.98, (800, 5): 0.15, (30, 8): 0.05, (50, 8): 0.9, (800, 8): 0.1})
    assert told == "800 cases with 5 ratings each would pin the accuracy to an interval 0.15 wide"


def test_where_no_size_is_enough_the_largest_is_named_for_what_it_leaves():
    told = title({(30, 5): 0.04, (50, 5): 0.98, (800, 5): 0.6})
    assert told == "Even 800 cases with 5 ratings each would leave the accuracy in an interval 0.60 wide"


@pytest.mark.parametrize("counts", [(1, 0, 1, 0), (0, 1, 0, 1), (299, 0, 1, 0)])
def test_nothing_is_planned_from_an_accuracy_that_may_be_anything(counts):
    ratings = counted(counts)
    fit = finish(analyse(ratings, Request(model("t-a-p"))))
    told = picture("plan").needs(fit, ratings)
    assert told is not None
    a = fit.estimate("a")
    if a.value is not None and a.low is not None:
        assert f"from {a.low:.2f} to {a.high:.2f}" in told
        assert told.endswith("Rate more cases first.")


def test_raters_without_an_accuracy_are_no_empty_picture():
    ratings = replace(counted((0, 1, 0, 0)), raters_known=True)
    fit = finish(analyse(ratings, Request(model("t-aj-pj"), interval="wald")))
    assert raters_needs(fit) == "These ratings leave open how often the ratings of each rater follow the case."
    ratings = replace(counted((9, 12, 8, 14)), raters_known=True)
    fit = finish(analyse(ratings, Request(model("t-aj-p"), interval="none")))
    told = any(e.estimate.value is not None for e in fit.estimates if e.name.rater is not None)
    assert (raters_needs(fit) is None) is told
