"""Raters who contradict each other or judge something else: found where they are, and nobody where they are not."""

import re

import numpy as np
import pytest

from tapdesk.answers.figures.chance import chance as figure_of_luck
from tapdesk.answers.misfit import set_back, why_set_back
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline, headline_warns
from tapdesk.answers.side_results import SideResults
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import chance_by_rater, chance_of
from tapdesk.studies.opposition import contradicting, groups_apart, opposition, turned_back
from tapdesk.studies.rater_differences import rater_differences

T_A_P = Request(model("t-a-p"))


def panel(rng, cases, raters, truth=0.4, accuracy=0.7, guess=0.4):
    """Classes (N, J): each rating follows the truth or is a guess."""
    true = rng.random((cases, 1)) < truth
    follows = rng.random((cases, raters)) < np.broadcast_to(accuracy, raters)
    return np.where(follows, true, rng.random((cases, raters)) < np.broadcast_to(guess, raters)).astype(np.int64)


def flipped(classes, *columns):
    classes = classes.copy()
    classes[:, columns] = 1 - classes[:, columns]
    return classes


def rated(classes, raters_known=True):
    n, j = classes.shape
    return Ratings(
        np.repeat(np.arange(n), j),
        np.tile(np.arange(j), n),
        classes.ravel(),
        tuple(f"P{i}" for i in range(n)),
        tuple(f"R{i + 1}" for i in range(j)),
        ("no", "yes"),
        raters_known=raters_known,
    )


WORLDS = {
    "d12": (lambda rng: flipped(panel(rng, 200, 5), 3, 4), ("R4", "R5"), ()),
    "d13": (lambda rng: flipped(panel(rng, 200, 4), 3), ("R4",), ()),
    "two": (lambda rng: flipped(panel(rng, 200, 2), 1), ("R2",), ()),
    "d14": (
        lambda rng: np.hstack([panel(rng, 200, 3), panel(rng, 200, 3, 0.5)]),
        (),
        (("R1", "R2", "R3"), ("R4", "R5", "R6")),
    ),
    "alike": (lambda rng: panel(rng, 200, 5), (), ()),
    "guessing": (lambda rng: panel(rng, 200, 5, accuracy=0.0), (), ()),
    "unequal": (lambda rng: panel(rng, 200, 5, 0.5, (0.95, 0.9, 0.2, 0.1, 0.0), 0.5), (), ()),
    "leanings": (lambda rng: panel(rng, 200, 5, 0.4, 0.6, (0.1, 0.9, 0.5, 0.3, 0.7)), (), ()),
}


@pytest.mark.parametrize("world", WORLDS)
def test_those_who_contradict_are_found_in_every_panel_and_nobody_in_the_others(world):
    draw, turned, groups = WORLDS[world]
    for seed in range(20):
        ratings = rated(draw(np.random.default_rng(seed)))
        assert contradicting(ratings) == turned
        assert groups_apart(turned_back(ratings, turned)) == groups


def answered(ratings, name="t-a-p"):
    request = Request(model(name), replicates=100)
    side = SideResults(opposition=finish(opposition(ratings, request)), chance=finish(chance_of(ratings, 99, 1)))
    return Answer(finish(analyse(ratings, request)), ratings, ratings, side)


@pytest.mark.parametrize("world", ["d12", "d13", "d14"])
def test_they_are_said_before_anything_else_and_never_called_luck(world):
    draw, turned, groups = WORLDS[world]
    answer = answered(rated(draw(np.random.default_rng(1))))
    said, follows = headline(answer)
    assert headline_warns(answer)
    if groups:
        assert said.startswith("R1, R2 and R3 seem to answer another question than R4, R5 and R6")
    else:
        assert said.startswith(" and ".join(turned))
        assert "the scale the other way round, or to answer another question" in said
        assert re.search(r"turned round: About \d+ of 100 ratings follow the case", follows)
        assert "nothing has been turned round" in follows
    told = [e.estimate.undefined or "" for e in answer.fit.estimates]
    assert not any("Guessing alone" in words for words in told)
    assert answer.side.chance.more_than_chance


def test_the_preview_is_the_fit_of_the_panel_with_the_scale_turned_back():
    straight = panel(np.random.default_rng(3), 200, 5)
    found = finish(opposition(rated(flipped(straight, 3, 4)), T_A_P))
    whole = finish(analyse(rated(straight), T_A_P))
    assert found.preview.estimate("a").value == pytest.approx(whole.estimate("a").value)
    assert found.preview.estimate("a").low == pytest.approx(whole.estimate("a").low)


def test_no_rater_who_goes_the_other_way_round_has_accuracy_0():
    fit = finish(analyse(rated(flipped(panel(np.random.default_rng(1), 200, 5), 3, 4)), Request(model("t-aj-pj"))))
    told = {e.name.rater: e.estimate for e in fit.estimates if e.name.name == "a"}
    assert [name for name, estimate in told.items() if estimate.value is None] == ["R4", "R5"]
    assert "other way round" in told["R4"].undefined
    assert all(told[name].value > 0.5 for name in ("R1", "R2", "R3"))
    # A rater who only guesses is no such rater.
    guesses = finish(
        analyse(rated(panel(np.random.default_rng(1), 200, 3, accuracy=(0.8, 0.8, 0.0))), Request(model("t-aj-pj")))
    )
    assert all(e.estimate.value is not None for e in guesses.estimates if e.name.name == "a")


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "P-a-P"])
def test_no_accuracy_of_all_is_0_where_raters_contradict_each_other(name):
    ratings = rated(flipped(panel(np.random.default_rng(1), 200, 5), 3, 4))
    found = finish(analyse(ratings, Request(model(name)))).estimate("a")
    assert found.value is None
    assert "contradict the others" in found.undefined


def test_raters_who_are_not_known_contradict_nobody():
    ratings = rated(flipped(panel(np.random.default_rng(1), 200, 5), 3, 4), raters_known=False)
    assert contradicting(ratings) == ()
    assert groups_apart(ratings) == ()
    assert chance_of(ratings, 9, 1) is not None


# 5 in 100 are asked; more would come by luck three times in a thousand, of 120 once in 200 times.
@pytest.mark.parametrize(("panels", "most"), [(40, 6), pytest.param(120, 13, marks=pytest.mark.slow)])
def test_luck_is_rejected_as_often_as_asked_whatever_the_raters_lean_to(panels, most):
    rejected = [
        finish(chance_by_rater(rated(panel(rng, 30, 5, 0.4, 0.0, (0.1, 0.3, 0.5, 0.7, 0.9))), 99, 1)).more_than_chance
        for rng in map(np.random.default_rng, range(panels))
    ]
    assert sum(rejected) <= most


def test_knowledge_of_few_raters_is_seen_that_a_common_accuracy_hides():
    rng = np.random.default_rng(5)
    found = [
        finish(chance_by_rater(rated(panel(rng, 40, 5, 0.5, (0.9, 0.8, 0.0, 0.0, 0.0), 0.5)), 99, 1)).more_than_chance
        for _ in range(20)
    ]
    assert sum(found) >= 13


def test_the_picture_of_luck_by_rater_names_no_model():
    found = finish(chance_by_rater(rated(panel(np.random.default_rng(2), 40, 4)), 60))
    note = figure_of_luck(found).note
    assert note == "N = 40 cases, 160 ratings. Bars: panels in which each rater’s ratings fell on cases at random."


def test_the_one_accuracy_of_raters_who_contradict_each_other_is_set_back_and_no_rater_is_said_to_have_none():
    ratings = rated(flipped(panel(np.random.default_rng(4), 200, 5), 3, 4))
    fit = finish(analyse(ratings, T_A_P))
    side = SideResults(
        opposition=finish(opposition(ratings, T_A_P)), differences=finish(rater_differences(ratings, 50))
    )
    assert side.differences.accuracies
    assert set_back(fit, side)
    # Also where nothing else speaks against one accuracy.
    assert set_back(fit, SideResults(opposition=side.opposition))
    assert not set_back(fit, SideResults())
    assert why_set_back(Answer(fit, ratings, ratings, side)).startswith("Some raters contradict the others here")
