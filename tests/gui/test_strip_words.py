"""What stands in the strip where one class is common, and where the best fit has nobody know anything."""

import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import number_cells, numbers
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import tallied

PARADOX = tallied((998, 2, 0))
# Feinstein and Cicchetti: 85 of 100 agree twice, with kappa 0.70 and 0.32.
BALANCED, UNBALANCED = tallied((45, 15, 40)), tallied((5, 15, 80))


def strip(ratings):
    return number_cells.coefficient_cells(finish(agree(ratings)), shares=tuple(ratings.class_rates()))


@pytest.mark.parametrize("ratings", [PARADOX, UNBALANCED])
def test_where_one_class_is_common_agreement_on_each_class_stands_beside_kappa(ratings):
    assert [cell.symbol for cell in strip(ratings)] == ["Raw", "Kappa", "AC1", "On “0”", "On “1”"]


def test_a_class_too_rare_for_agreement_on_it_has_a_dash_and_the_reason():
    cell = strip(PARADOX)[-1]
    assert (cell.value, cell.interval) == ("–", "no interval")
    assert "too few to speak of" in cell.why


def test_of_classes_as_common_as_each_other_three_numbers_are_enough():
    assert [cell.symbol for cell in strip(BALANCED)] == ["Raw", "Kappa", "AC1"]


def test_a_share_that_only_repeats_the_ratings_says_so_beside_it():
    fit = finish(analyse(PARADOX, Request(model("t-a-t"), interval="none")))
    told = {cell.symbol: cell.why for cell in number_cells.fit_cells(fit)}
    assert "a = 0" in fit.active_bounds
    assert "it tells nothing about the truth" in told["t"]
    assert "nothing about the truth" not in told["a"]
    some = finish(analyse(tallied((20, 12, 28)), Request(model("t-a-t"), interval="none")))
    assert all("nothing about the truth" not in cell.why for cell in number_cells.fit_cells(some))


def test_a_number_that_the_ratings_leave_to_the_prior_has_no_value_and_says_why_its_interval_stands():
    fit = finish(analyse(PARADOX, Request(model("t-ak-p"), "posterior", interval="none")))
    told = {(cell.symbol, cell.words): cell for cell in number_cells.fit_cells(fit)}
    left = {str(name) for name in fit.identification.open_parameters}
    both = list(zip(fit.estimates, told.values(), strict=True))
    assert {str(e.name) for e, cell in both if "assumed beforehand" in cell.why} == left
    assert {str(e.name) for e, cell in both if cell.value == numbers.DASH} == left != set()
    assert all(" to " in cell.interval for _e, cell in both)
    known = finish(analyse(tallied((40, 10, 15, 60)), Request(model("t-a-p"), "posterior", interval="none")))
    assert known.identification.identified
    assert all(not cell.why or "assumed beforehand" not in cell.why for cell in number_cells.fit_cells(known))
