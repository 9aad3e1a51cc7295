"""Observed information by what is missing, against differences of the score over the patterns."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.fitting import climb, information
from tapdesk.fitting.information import has_closed_form, missing_information
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.space import line
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.grid_panels import MEMBERS, grid_panel, point_on


def some_point(plan, seed):
    """A point of a model away from its edges, and its coordinates."""
    start = point_on(plan)
    way = line(plan.space, start)
    place = way.coordinates(start)
    return way, place + np.random.default_rng(seed).normal(0, 0.5, place.size)


def agree(plan, seed, monkeypatch):
    """Whether both ways give the same matrix."""
    way, at = some_point(plan, seed)
    evidence = plan.space.evidence(plan.patterns)
    assert has_closed_form(evidence)
    monkeypatch.setattr(information, "has_closed_form", lambda _evidence: False)
    expected = climb.information(plan.space, evidence, way, at)
    found = missing_information(plan.space, evidence, way, at)
    np.testing.assert_allclose(found, expected, atol=2e-6 * np.abs(expected).max())
    assert np.abs(expected).max() > 0.1


def panel(classes, seed):
    rng = np.random.default_rng(seed)
    case, rater = np.divmod(np.flatnonzero(rng.random(40 * 5) < 0.8), 5)
    category = rng.integers(0, classes, case.size)
    names = [f"S{i}" for i in range(40)], list("ABCDE"), [f"c{k}" for k in range(classes)]
    return Ratings.of(case, rater, category, *names)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("name", ["t-aj-p", "t-a-pj", "t-aj-pj", "ti-aj-P", "dawid-skene"])
def test_it_is_that_of_the_score(name, classes, monkeypatch):
    agree(design(model(name), panel(classes, 3)), 5, monkeypatch)


CLOSED = [
    name
    for name in MEMBERS
    if name != "tg-a-p" and not name.startswith(("t-ah", "t-ai", "t-a-pi", "t-an", "sdt")) and "+m" not in name
]
"""Of the models of groups and cases those whose log probabilities are sums of logarithms of rates."""


@pytest.mark.parametrize("name", CLOSED)
def test_it_is_that_of_the_score_for_models_of_groups_and_known_answers(name, monkeypatch):
    made = grid_panel(name, 40)
    rng = np.random.default_rng(2)
    ratings = replace(made.blank, category=rng.integers(0, len(made.blank.classes), made.blank.subject.size))
    plan = design(made.model, ratings)
    agree(plan, 7, monkeypatch)
