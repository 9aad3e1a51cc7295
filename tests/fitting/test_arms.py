"""Ends of intervals are looked for only from where they may lie, and are those that a search from everywhere finds."""

import numpy as np
import pytest

from tapdesk.fitting import likelihood_region
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.likelihood_region import extremes, straight_ways
from tapdesk.fitting.profile import _share_of
from tapdesk.models.design import Freedom, design
from tapdesk.models.model import DIFFICULTY_MODELS, model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

SHAPES = [(60, 4, 1.5), (200, 5, 0.3), (100, 5, 2.0), (60, 5, 0.0), (40, 4, 1.0), (200, 5, 1.5), (80, 6, 0.5)]


def panel(seed, cases, raters, spread):
    """Cases that are harder for everybody or easier, and raters of unlike accuracy."""
    rng = np.random.default_rng(seed)
    truth, hard = rng.random(cases) < 0.4, rng.normal(size=cases) * spread
    accuracy = 1 / (1 + np.exp(-(np.linspace(0, 1.5, raters)[None] - hard[:, None])))
    right = rng.random((cases, raters)) < accuracy
    category = np.where(right, truth[:, None], rng.random((cases, raters)) < 0.35).astype(int)
    case, rater = np.divmod(np.arange(cases * raters), raters)
    names = [f"S{i}" for i in range(cases)], [f"R{j}" for j in range(raters)], ["no", "yes"]
    return Ratings.of(case, rater, category.ravel(), *names)


def found(ratings):
    row = model("t-aij-p", DIFFICULTY_MODELS)
    fit = finish(ExactEM().run(row, ratings, 1))
    plan = design(row, ratings)
    evidence, top = plan.space.evidence(plan.patterns), fit.log_likelihood.ratings
    shares = [_share_of(slot) for slot in plan.slots if slot.freedom is Freedom.FREE]
    return finish(extremes(plan, evidence, [fit.parameters], top, shares, 0.95))


def no_straight_way(_plan, _evidence, _end, places, _floor):
    return np.zeros(len(places), dtype=bool)


def agree(seed, shape, monkeypatch):
    ratings = panel(seed, *shape)
    quick = found(ratings)
    monkeypatch.setattr(likelihood_region, "straight_ways", no_straight_way)
    for ends, everywhere in zip(quick, found(ratings), strict=True):
        assert (ends is None) == (everywhere is None)
        if ends is not None:
            assert ends == pytest.approx(everywhere, abs=1e-4)


def test_ends_are_those_found_from_the_ends_of_all_others(monkeypatch):
    agree(110, (60, 4, 1.5), monkeypatch)


def test_ends_that_a_spread_at_its_edge_would_hide_are_found(monkeypatch):
    agree(111, (200, 5, 0.3), monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_no_end_of_twenty_panels_moves_against_the_search_from_everywhere(seed, monkeypatch):
    agree(seed, SHAPES[seed % len(SHAPES)], monkeypatch)


def test_a_way_is_straight_where_it_does_not_leave_the_region():
    ratings = panel(3, 200, 5, 0.3)
    plan = design(model("t-aj-pj"), ratings)
    evidence = plan.space.evidence(plan.patterns)
    fit = finish(ExactEM().run(model("t-aj-pj"), ratings, 1))
    top, best = fit.log_likelihood.ratings, fit.parameters
    assert straight_ways(plan, evidence, best, [best, best], top - 1.92).all()
    assert straight_ways(plan, evidence, best, [best], top + 1).tolist() == [False]
