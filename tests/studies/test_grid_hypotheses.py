"""The hypotheses about members of the grid: what they compare, what they notice, what cannot be asked."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.models.design import design
from tapdesk.models.model import GRID_MODELS, model
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import finish
from tapdesk.studies.grid_hypotheses import no_difficulty, no_near_misses, order_says_all
from tapdesk.studies.grid_panels import blank_panel, point_on
from tapdesk.studies.grid_tests import grid_tests
from tapdesk.studies.likelihood_ratio import likelihood_ratio, observed


def drawn(name, blank, seed=1, **numbers):
    row = model(name, GRID_MODELS)
    return simulate_like(blank, row, point_on(design(row, blank), **numbers), np.random.SeedSequence(seed))[0]


def all_tests(ratings, name, replicates=9):
    """What `grid_tests` finds for a model, or the sentences in which it refuses."""
    found = {}
    for run in grid_tests(ratings, model(name, GRID_MODELS), replicates, 1):
        try:
            found |= {test.name: test for test in finish(run)}
        except CannotAnswerError as reason:
            found[str(reason)] = None
    return found


def test_that_cases_are_harder_for_some_is_asked_of_the_model_that_says_so():
    nested = no_difficulty(model("t-aij-pj", GRID_MODELS))
    assert (nested.larger.name, nested.smaller.name) == ("t-aij-pj", "t-aj-pj")
    assert nested.about == "All cases are equally hard: no rater finds some harder."
    assert no_difficulty().about == "All cases are equally hard: none is beyond everybody."
    ratings = drawn("t-aij-p", blank_panel(150, 5), spread=0.3)
    assert all_tests(ratings, "t-aij-p", 19)["no-difficulty"].p_bootstrap <= 0.05


def test_an_order_that_says_nothing_is_noticed_and_one_that_says_all_is_not():
    blank = blank_panel(200, 4, 3)
    found = all_tests(drawn("t-aj-p", blank), "sdt", 19)["order"]
    assert found.p_bootstrap <= 0.05
    assert found.about == "Which classes are taken for which follows from cut points along their order."
    # Of 4 raters and 3 classes: tables of 6 free rates each against 3 numbers each.
    assert found.df == 4 * 6 - 4 * 3
    assert all_tests(drawn("sdt", blank), "sdt", 19)["order"].p_bootstrap > 0.05


@pytest.mark.parametrize("name", ["sdt", "sdt-d", "sdt-tau", "sdt-1"])
def test_a_table_of_rates_fits_at_least_as_well_as_any_order(name):
    ratings = drawn(name, blank_panel(80, 3, 3), seed=4)
    assert finish(observed(ratings, order_says_all(model(name, GRID_MODELS)), 1)) >= 0


def test_of_two_classes_an_order_says_nothing():
    assert list(all_tests(drawn("t-aj-p", blank_panel(60, 4)), "sdt")) == [
        "Of two classes, or of raters who are not known, an order says nothing."
    ]


def test_only_a_model_of_ordered_classes_has_an_order():
    with pytest.raises(ValueError, match="ordered classes"):
        order_says_all(model("t-a-p"))


def test_misses_that_fall_near_are_noticed():
    ratings = drawn("t-an-p", blank_panel(120, 4, 4), spread=0.6)
    assert finish(likelihood_ratio(ratings, no_near_misses(), 19, 1)).p_bootstrap <= 0.05
