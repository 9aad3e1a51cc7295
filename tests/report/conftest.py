"""One real fit for all tests of the report: wine, cut 2|3, with profile intervals and re-draws."""

import pytest

from tapdesk.answers.side_results import Wanted
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

from . import examples


@pytest.fixture(scope="session")
def wine():
    return examples.wine_ratings()


@pytest.fixture(scope="session")
def fitted(wine):
    return finish(analyse(wine, Request(model("t-a-p"), redraws=True, replicates=200)))


@pytest.fixture(scope="session")
def extras(wine, fitted):
    """Coefficients and studies of the wine panel, few simulations."""
    return finish(prepare(examples.project_of(fitted, wine), Wanted(replicates=60)))


@pytest.fixture(scope="module", autouse=True)
def fitted_once(remembered_fits):
    """What is said of fits is looked at here: whoever asks for the same fit again gets the one that was found."""
