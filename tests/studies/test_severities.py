"""Raters whose lines lie high are strict, and those whose lines lie low mild."""

import numpy as np
import pytest

from tapdesk.models.model import GRID_MODELS, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.severities import severities

SHIFT = (0.0, 1.5, -1.5, 0.0)


@pytest.fixture(scope="module")
def found():
    rng = np.random.default_rng(3)
    cases = 250
    true = rng.integers(0, 3, cases)
    lines = 3.0 * (np.arange(2) + 0.5)
    given = [(3.0 * true[:, None] + rng.logistic(size=(cases, 1)) > lines + s).sum(axis=1) for s in SHIFT]
    ratings = Ratings.of(
        np.repeat(np.arange(cases), 4), np.tile(np.arange(4), cases), np.stack(given, axis=1).ravel(),
        [f"c{i}" for i in range(cases)], [f"R{j + 1}" for j in range(4)], ("1", "2", "3"), ordered=True,
    )  # fmt: skip
    fit = finish(analyse(ratings, Request(model("sdt-d", GRID_MODELS), interval="none")))
    return finish(severities(ratings, fit, 1))


def test_who_is_strict_and_who_is_mild_is_found_again(found):
    assert [one.leans for one in found] == [0, 1, -1, 0]
    # A line that lies 1.5 too high is half a class of a rater who perceives classes 3 apart.
    for one, shift in zip(found, SHIFT, strict=True):
        assert one.severity.low <= shift / 3 <= one.severity.high


def test_severities_are_told_against_the_panel(found):
    assert sum(one.severity.value for one in found) == pytest.approx(0.0, abs=1e-9)
