"""Raters and classes are set against each other by their difference: rarely where there is none, found where it is."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.contrasts import class_contrasts, rater_contrasts
from tapdesk.studies.differences import PairedDifferences, each_alone
from tests.studies.examples import panel


def against_the_panel(ratings, name="t-aj-p"):
    """Where each rater stands, and the fit behind it."""
    fit, whole = (finish(analyse(ratings, Request(model(m)), only=("a",), shares=False)) for m in (name, "t-a-p"))
    return finish(rater_contrasts(ratings, fit, whole)), fit


@cache
def alike(seed):
    """Where each of four raters of one accuracy stands, and the fit behind it."""
    return against_the_panel(panel(["t=.4", "a=.6", "p=.4"], 60, 4, seed=seed))


# At 5 %, more of 20 would come three times in a thousand, of 4 fourteen.
@pytest.mark.parametrize(("panels", "most"), [(4, 1), pytest.param(20, 4, marks=pytest.mark.slow)])
def test_of_alike_raters_somebody_is_rarely_set_apart_from_the_panel(panels, most):
    named = 0
    for seed in range(panels):
        contrasts, fit = alike(seed)
        named += any(contrasts.from_panel(name) for name in fit.raters)
    assert named <= most


def test_the_rater_who_follows_the_case_less_stands_below_the_panel_and_nobody_else():
    for seed in range(4):
        found, fit = against_the_panel(panel(["t=.5", "a=.8,.8,.8,.8,.8,.2", "p=.5"], 200, 6, name="t-aj-p", seed=seed))
        assert [found.from_panel(name) for name in fit.raters][-1] == -1
        assert -1 not in [found.from_panel(name) for name in fit.raters][:-1]


def test_a_poor_rater_who_pulls_the_panel_down_lifts_nobody_above_it():
    """Against a panel that holds a bad rater the able ones lie clearly above; against the middle one they do not."""
    above_the_panel = named = 0
    for seed in range(8):
        found, fit = against_the_panel(panel(["t=.5", "a=.7,.7,.7,.7,.1", "p=.5"], 100, 5, name="t-aj-p", seed=seed))
        able = range(len(fit.raters) - 1)
        against = [found.accuracies.between(at, len(fit.raters)) for at in able]
        above_the_panel += any(one.clear and one.lower == len(fit.raters) for one in against)
        named += any(found.from_panel(fit.raters[at]) > 0 for at in able)
        assert found.from_panel(fit.raters[-1]) < 0
    assert above_the_panel >= 4
    assert named <= 1


def test_two_who_know_stand_above_three_who_do_not():
    found, fit = against_the_panel(panel(["t=.5", "a=.9,.9,.3,.3,.3", "p=.5"], 200, 5, name="t-aj-p", seed=3))
    assert [found.from_panel(name) for name in fit.raters][:2] == [1, 1]


def test_what_raters_tell_differs_only_where_the_test_of_equal_raters_rejects():
    """Intervals that leave out 0 are not enough: of alike raters they do so in up to one panel in ten."""
    values, draws = np.array([0.2, 0.6]), np.array([0.2, 0.6]) + np.random.default_rng(1).normal(0, 0.02, (50, 2))
    clear = PairedDifferences(values, 0.95, draws)
    assert clear.extremes.clear
    assert not replace(clear, alike=True).extremes.clear
    assert replace(clear, alike=True).clearest is None
    made = [alike(seed)[0] for seed in range(8)]
    # Of 8 at 5 %, more than 2 would come six times in a thousand.
    assert sum(not found.informations.alike for found in made) <= 2
    assert all(found.informations.clearest is None for found in made if found.informations.alike)


def test_a_difference_is_seen_where_intervals_still_meet():
    """One rater a little less accurate than three others: the cases are the same, so the difference is surer."""
    sooner = later = named = 0
    for seed in range(8):
        found, fit = against_the_panel(panel(["t=.5", "a=.85,.85,.85,.55", "p=.5"], 120, 4, name="t-aj-p", seed=seed))
        own = [fit.estimate("a", rater=name) for name in fit.raters]
        panel_at = Estimate(found.accuracies.values[-1])
        alone = each_alone([*own, panel_at.between(panel_at.value, panel_at.value, 0.95, "profile")], 0.95, 4)
        sooner += found.accuracies.between(3, 4).clear
        later += alone.between(3, 4).clear
        named += found.from_panel(fit.raters[-1]) < 0
    assert sooner >= later
    assert sooner >= 4
    assert named >= 4


def rated(table):
    """Ratings of a table with a column for each rater."""
    n, j = table.shape
    names = tuple(f"c{i}" for i in range(n)), tuple(f"R{i + 1}" for i in range(j))
    return Ratings(np.repeat(np.arange(n), j), np.tile(np.arange(j), n), table.reshape(-1), *names, ("no", "yes"))


def test_a_rater_whom_resamples_never_move_is_judged_by_the_intervals_instead():
    """Who always says the same has an accuracy of 0 in every resample, which is no proof of it."""
    rng = np.random.default_rng(2)
    truth = rng.random(120) < 0.5
    good = [np.where(rng.random(120) < 0.9, truth, ~truth) for _ in range(3)]
    table = np.stack([*good, np.ones(120, bool)], axis=1).astype(np.int64)
    found, fit = against_the_panel(rated(table), "t-aj-pj")
    assert found.accuracies.draws[:, 3] == pytest.approx(0.0, abs=0.005)
    one = found.accuracies.between(3, 4)
    own = fit.estimate("a", rater="R4")
    assert one.high - one.low > (own.high - own.low) / 2
    assert found.from_panel("R4") == -1


def test_a_number_on_the_edge_without_an_interval_is_clearly_nothing():
    values, draws = (
        np.array([0.0, 0.6]),
        np.tile([0.0, 0.6], (50, 1)) + np.random.default_rng(1).normal(0, 0.01, (50, 2)),
    )
    draws[:, 0] = 0.0
    alone = each_alone([Estimate(0.0), Estimate(0.6, low=0.5, high=0.7)], 0.95)
    found = PairedDifferences(values, 0.95, draws, alone=alone).extremes
    assert not found.clear
    assert not found.bounded


def test_what_a_constant_a_perfect_and_a_guessing_rater_tell_is_set_in_the_right_order():
    rng = np.random.default_rng(8)
    truth = rng.random(300) < 0.5
    good = [np.where(rng.random(300) < 0.85, truth, ~truth) for _ in range(3)]
    table = np.stack([*good, np.ones(300, bool), truth, rng.random(300) < 0.5], axis=1).astype(np.int64)
    found, _fit = against_the_panel(rated(table))
    told = found.informations
    place = {name: found.informed.index(name) for name in found.informed}
    for silent in ("R4", "R6"):
        for telling in ("R1", "R2", "R3", "R5"):
            one = told.between(place[silent], place[telling])
            assert one.lower == place[silent]
            assert one.clear
    assert not told.between(place["R4"], place["R6"]).clear
    assert not told.between(place["R1"], place["R2"]).clear


# At 5 %, more of 16 would come seven, of 2 two times in a thousand.
@pytest.mark.parametrize(("panels", "most"), [(2, 1), pytest.param(16, 3, marks=pytest.mark.slow)])
def test_classes_of_one_accuracy_are_rarely_said_to_differ_and_far_ones_are(panels, most):
    def compared(accuracies, seed):
        texts = ["t=.4,.3,.3", f"a={accuracies}", "p=.4,.3,.3"]
        ratings = panel(texts, 150, 5, name="t-ak-p", classes=("cat", "dog", "owl"), seed=seed)
        return finish(class_contrasts(ratings, finish(analyse(ratings, Request(model("t-ak-p")), shares=False))))

    assert sum(compared(".6,.6,.6", seed).accuracies.clearest is not None for seed in range(panels)) <= most
    for seed in range(3):
        found = compared(".9,.3,.9", seed)
        assert found.names[found.accuracies.lowest_of_all] == "dog"


def test_what_is_not_determined_is_not_compared():
    two = panel(["t=.4", "a=.7", "p=.4"], 60, 4)
    fit = finish(analyse(two, Request(model("t-ak-p"), interval="none")))
    with pytest.raises(CannotAnswerError, match="accuracies of two classes"):
        finish(class_contrasts(two, fit))
    found, own = against_the_panel(two)
    undecided = replace(own, converged=False)
    with pytest.raises(CannotAnswerError, match="accuracies of single"):
        finish(rater_contrasts(two, undecided, None))
    assert found.model == "t-aj-p"
