"""What the accuracy and kappa would be without each rater."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.subsets import accuracy_without, influence
from tests.studies.examples import panel

JURY = panel(["t=.4,.3,.3", "a=.5", "p=.3,.4,.3"], 120, 4, classes=("x", "y", "z"), seed=3)


def test_leaving_out_a_guesser_raises_the_accuracy_and_leaving_out_an_expert_lowers_it():
    ratings = panel(["t=.4", "a=0,.6,.6,.6,1", "p=.5"], 500, 5, name="t-aj-p")
    change = finish(influence(ratings)).numbers("a_change")
    assert change[0] < -0.05
    assert change[4] > 0.05


@pytest.fixture(scope="module")
def without():
    """Each of the jury left out."""
    return finish(influence(JURY, level=0.9)).records()


def test_an_accuracy_without_a_rater_has_the_interval_of_the_same_ratings_fitted_by_themselves(without):
    row = without[2]
    alone = finish(analyse(JURY.keep(JURY.rater != 2), Request(model("t-a-p"), level=0.9))).estimate("a")
    assert row["rater"] == JURY.raters[2]
    assert (row["a"], row["a_low"], row["a_high"]) == pytest.approx((alone.value, alone.low, alone.high), abs=1e-6)
    assert accuracy_without(row) == Estimate(row["a"]).between(row["a_low"], row["a_high"], 0.9, "profile")


def test_on_the_edge_the_interval_without_a_rater_reaches_inside_and_holds_the_estimate():
    # The last rater guesses; without that one all agree, and the accuracy is 1.
    table = np.array([[1, 1, 1, 1, 0], [0, 0, 0, 0, 1]] * 8 + [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]] * 8)
    ratings = replace(panel(["t=.5", "a=1", "p=.5"], 32, 5), category=table.reshape(-1))
    *_others, last = finish(influence(ratings)).records()
    assert last["a"] == pytest.approx(1, abs=1e-6)
    assert 0.8 < last["a_low"] < 0.999
    assert last["a_high"] == pytest.approx(1, abs=1e-6)


def test_of_many_raters_those_who_move_the_accuracy_most_have_intervals(monkeypatch, without):
    monkeypatch.setattr("tapdesk.studies.subsets.MOST_INTERVALS", 2)
    few = finish(influence(JURY, level=0.9)).records()
    most = sorted(without, key=lambda row: -abs(row["a_change"]))[:2]
    assert [row for row in few if row["a_low"] is not None] == sorted(most, key=lambda row: row["rater"])
    assert [row["a"] for row in few] == pytest.approx([row["a"] for row in without], abs=1e-9)
    assert all("have an interval" in row["note"] for row in few if row["a_low"] is None)
    assert all(accuracy_without(row).no_interval == row["note"] for row in few if row["a_low"] is None)


def test_influence_needs_three_known_raters():
    with pytest.raises(CannotAnswerError, match="at least three"):
        finish(influence(panel(["t=.4", "a=.5", "p=.5"], 30, 2)))


def test_with_three_raters_of_two_classes_nothing_is_said_of_what_two_leave_open():
    table = finish(influence(panel(["t=.4", "a=.5", "p=.5"], 60, 3)))
    assert {row["a"] for row in table.records()} == {None}
    assert all(row["kappa"] is not None for row in table.records())
    assert all(row["note"] and row["a_low"] is None for row in table.records())


def test_kappa_without_a_rater_is_the_coefficient_of_the_others_where_a_rater_repeats(monkeypatch):
    """Dawid and Skene's first anaesthetist rated each case three times: one vote of the coefficient, not three."""
    ratings = read_now("sample:dawid-skene-1979", ReadingOptions()).ratings

    def coefficient(of):
        found = finish(agree(of))
        return next(c.estimate for c in found if c.name == "fleiss_kappa" and c.weights == "identity")

    whole, table = coefficient(ratings), finish(influence(ratings))
    for j, row in enumerate(table.records()):
        alone = coefficient(ratings.keep(ratings.rater != j))
        told = (row["kappa"], row["kappa_low"], row["kappa_high"])
        assert told == pytest.approx((alone.value, alone.low, alone.high), abs=1e-12)
        assert row["kappa_change"] == pytest.approx(whole.value - alone.value, abs=1e-12)
    monkeypatch.setattr("tapdesk.studies.subsets.MOST_INTERVALS", 2)
    assert finish(influence(ratings)).values("kappa") == table.values("kappa")
