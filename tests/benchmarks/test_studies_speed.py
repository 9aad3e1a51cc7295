"""Speed of the studies (issue: horizon of 2,000 data sets under 2 s, the 729 cells under a minute)."""

import time

import pytest

from tapdesk.progress import finish
from tapdesk.studies.chance import horizon
from tapdesk.studies.recovery import recover, tap_grid
from tests.studies.examples import WINE, panel, tallied

pytestmark = pytest.mark.benchmark


def seconds(run) -> float:
    began = time.perf_counter()
    finish(run)
    return time.perf_counter() - began


@pytest.mark.parametrize("design", ["tallied", "ragged", "five classes", "large"])
def test_the_noise_horizon_of_two_thousand_data_sets_takes_less_than_two_seconds(design):
    ratings = tallied(WINE["2|3"])
    if design == "ragged":
        ratings = panel(["t=.4", "a=.5", "p=.4"], 300, 8)
        ratings = ratings.keep((ratings.subject + ratings.rater) % 3 != 0)
    elif design == "five classes":
        texts = ["t=.2,.2,.2,.2,.2", "a=.5", "p=.2,.2,.2,.2,.2"]
        ratings = panel(texts, 200, 6, classes=tuple("12345"))
    elif design == "large":
        ratings = panel(["t=.4", "a=.5", "p=.4"], 100_000, 5)
    assert seconds(horizon(ratings, 2000)) < 2


def test_the_729_cells_take_less_than_a_minute():
    assert seconds(recover(tap_grid(), workers=2)) < 60
