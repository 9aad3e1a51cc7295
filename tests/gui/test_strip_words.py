"""What stands in the strip where the best fit has nobody know anything, and where the prior alone speaks."""

from tapdesk.answers import number_cells, numbers
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import tallied

PARADOX = tallied((998, 2, 0))


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
