"""A constant, a reversed, a perfect and a guessing rater: whatever is told of raters puts them in the right order."""

import numpy as np
import pytest

from tapdesk.answers.figures.checks import no_vote
from tapdesk.answers.figures.raters import surprised
from tapdesk.answers.model_checks import beyond
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import votes
from tapdesk.studies.rater_diagnostics import leave_one_out, rater_calibration, rater_information, unexpected_ratings
from tapdesk.studies.subsets import influence
from tests.studies.test_opposition import rated

CASES = 400
NO_SLOPES = np.zeros(0)
KINDS = ("constant", "reversed", "perfect", "guessing")


def panel_with(kind, seed=5):
    """Three raters who are right 85 times in 100, and one of a kind, who stands last."""
    rng = np.random.default_rng(seed)
    truth = rng.random(CASES) < 0.5
    good = [np.where(rng.random(CASES) < 0.85, truth, ~truth) for _ in range(3)]
    last = {
        "constant": np.ones(CASES, bool),
        "reversed": ~truth,
        "perfect": truth,
        "guessing": rng.random(CASES) < 0.5,
    }[kind]
    return rated(np.stack([*good, last], axis=1).astype(np.int64))


def fitted(ratings, name="t-aj-p"):
    return finish(analyse(ratings, Request(model(name), interval="none"), shares=False))


@pytest.mark.parametrize("kind", KINDS)
def test_only_who_follows_the_cases_lifts_the_kappa_of_the_panel(kind):
    table = finish(influence(panel_with(kind)))
    change = {str(row["rater"]): float(row["kappa_change"]) for row in table.records()}
    good = [change[f"R{j}"] for j in (1, 2, 3)]
    if kind == "perfect":
        assert change["R4"] > max(good) > 0
    else:
        assert change["R4"] < -0.05
        assert min(good) > change["R4"]


def test_who_turns_the_scale_round_lowers_the_kappa_more_than_who_guesses():
    (turned, guessing) = (
        next(float(r["kappa_change"]) for r in finish(influence(panel_with(kind))).records() if r["rater"] == "R4")
        for kind in ("reversed", "guessing")
    )
    assert turned < guessing


@pytest.mark.parametrize("kind", ["constant", "reversed", "guessing"])
def test_a_slip_of_an_able_rater_is_less_expected_than_any_rating_of_one_who_does_not_follow_the_cases(kind):
    ratings = panel_with(kind)
    found = unexpected_ratings(ratings, fitted(ratings, "t-aj-pj"), 12)
    assert not np.isin(3, ratings.rater[found.rating])


def test_who_is_right_alone_is_least_expected_and_it_is_said_that_this_does_not_mean_wrong():
    ratings = panel_with("perfect")
    fit = fitted(ratings)
    chance = leave_one_out(ratings, fit)
    mean = [chance[ratings.rater == j].mean() for j in range(4)]
    assert mean[3] == max(mean)
    found = unexpected_ratings(ratings, fit, 12)
    assert (ratings.rater[found.rating] == 3).sum() > 3
    assert "Unexpected is not wrong" in surprised(fit, ratings).note


def test_what_ratings_tell_is_nothing_of_who_guesses_or_never_changes_and_all_of_who_is_right_or_turned_round():
    able = np.array([[0.9, 0.1], [0.1, 0.9]])
    rates = np.array([[[0.0, 1.0], [0.0, 1.0]], [[0.5, 0.5], [0.5, 0.5]], np.eye(2), np.eye(2)[::-1], able, able[::-1]])
    point = Parameters(np.array([0.3, 0.7]), np.zeros((6, 1)), np.zeros((6, 1, 2)), NO_SLOPES)

    class Rated(Parameters):
        def rating_rates(self):
            return rates

    told = rater_information(Rated(point.truth, point.accuracy, point.guessing, NO_SLOPES))
    assert told[:2] == pytest.approx((0, 0), abs=1e-9)
    assert told[2:4] == pytest.approx((1, 1))
    assert told[4] == pytest.approx(told[5])
    assert 0.3 < told[4] < 0.7


@pytest.mark.parametrize("kind", KINDS)
def test_calibration_singles_out_who_uses_the_classes_in_a_way_the_model_leaves_out(kind):
    ratings = panel_with(kind)
    found = rater_calibration(ratings, fitted(ratings, "t-a-p"))
    outside = dict(zip(found.names, beyond(found), strict=True))
    assert outside["R4"] == (kind == "constant")
    away = np.abs(found.modelled - found.observed)
    if kind == "constant":
        # Who has a way of their own moves what the model expects of all others; none of them is further off.
        assert away.argmax() == 3
    else:
        assert not any(outside[f"R{j}"] for j in (1, 2, 3))
    own = fitted(ratings, "t-aj-pj")
    assert not beyond(rater_calibration(ratings, own)).any()


def of_all(accuracy, guess=(0.5, 0.5)):
    """Raters who are all of one kind; two in three cases are of the second class."""
    return Parameters(np.array([1 / 3, 2 / 3]), np.array([[accuracy]]), np.array([[guess]]), NO_SLOPES)


def test_votes_of_perfect_raters_are_right_and_those_of_guessing_or_constant_ones_are_luck():
    sizes = (1, 3, 5)
    assert votes(of_all(1.0), sizes).plurality == pytest.approx(1)
    assert votes(of_all(0.0), sizes).plurality == pytest.approx(0.5)
    # Who always says the second class is right where that is true, however many say so.
    assert votes(of_all(0.0, (0.0, 1.0)), sizes).plurality == pytest.approx(2 / 3)
    some = votes(of_all(0.6), sizes).plurality
    assert some[0] == pytest.approx(0.8)
    assert (np.diff(some) > 0).all()


def test_of_raters_who_differ_no_vote_of_alike_ones_is_told():
    ratings = panel_with("reversed")
    assert no_vote(fitted(ratings), ratings) is not None
