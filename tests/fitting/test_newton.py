"""Newton's method for climbs that hold a number or weigh cases in their own way: its information, where it ends."""

import numpy as np
import pytest

from tapdesk.fitting import newton
from tapdesk.fitting.climb import climb
from tapdesk.fitting.newton import Field, Place, suits
from tapdesk.fitting.profile import pinned
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Stack
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

NAMES = ["t-aj-pj", "t-aj-p", "t-a-pj"]


def panel(classes, seed, cases=60, raters=5, accuracy=0.5):
    rng = np.random.default_rng(seed)
    case, rater = np.divmod(np.flatnonzero(rng.random(cases * raters) < 0.8), raters)
    truth = rng.integers(0, classes, cases)
    category = np.where(rng.random(case.size) < accuracy, truth[case], rng.integers(0, classes, case.size))
    names = [f"S{i}" for i in range(cases)], list("ABCDEFGH"[:raters]), [f"c{k}" for k in range(classes)]
    return Ratings.of(case, rater, category, *names)


def prepared(name, classes, seed):
    plan = design(model(name), panel(classes, seed))
    return plan, plan.space.evidence(plan.patterns)


def some_points(space, count, seed):
    rng, k = np.random.default_rng(seed), space.classes
    guessing = rng.dirichlet([1.0] * k, (count, *space.guessing_shape[:2]))
    return space.point(rng.dirichlet([1.0] * k, count), rng.random((count, *space.accuracy_shape)), guessing)


def nothing_held(stack):
    return Stack(*(np.full_like(part, np.nan) for part in stack.parts))


def along(place, size):
    """Scores as differences of log-likelihoods, and information as differences of scores, along every coordinate."""
    count, step = place.stack.size, 1e-5
    slope, bend = np.zeros((count, size)), np.zeros((count, size, size))
    for i in range(size):
        move = np.zeros((count, size))
        move[:, i] = step
        ahead, behind = (
            Place.at(place.field, place.moved(sign * move), place.pins, place.weights) for sign in (1.0, -1.0)
        )
        slope[:, i] = (ahead.tally.log_likelihood - behind.tally.log_likelihood) / (2 * step)
        bend[:, i] = (behind.slope() - ahead.slope()) / (2 * step)
    return slope, bend


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("name", NAMES)
def test_score_and_information_are_those_of_the_log_likelihood_whatever_is_held(name, classes, weighted):
    plan, evidence = prepared(name, classes, 3)
    assert suits(evidence, plan.space)
    stack = some_points(plan.space, 4, 5)
    pins = nothing_held(stack)
    pins.guessing[0, -1, 0, 1] = stack.guessing[0, -1, 0, 1]
    pins.truth[1, 0] = stack.truth[1, 0]
    pins.accuracy[2, 0, 0] = stack.accuracy[2, 0, 0]
    weights = np.random.default_rng(1).integers(0, 3, (4, plan.patterns.patterns)).astype(float) if weighted else None
    field = Field.of(plan.space, evidence)
    place = Place.at(field, stack, pins, weights)
    slope, bend = along(place, field.size)
    moving = place.moving
    both = moving[:, :, None] & moving[:, None, :]
    assert moving.sum(axis=1).tolist() == [
        plan.space.free - (held > 0) for held in np.isfinite(pins.flat()).sum(axis=1)
    ]
    np.testing.assert_allclose(np.where(moving, place.slope(), 0), np.where(moving, slope, 0), atol=1e-5)
    np.testing.assert_allclose(np.where(both, place.information(), 0), np.where(both, bend, 0), atol=1e-5)


def test_many_points_have_the_information_that_each_has():
    plan, evidence = prepared("t-aj-pj", 2, 3)
    place = Place.at(Field.of(plan.space, evidence), some_points(plan.space, 230, 5), None, None)
    each = [place.take(np.array([i])).information()[0] for i in (0, 99, 100, 229)]
    np.testing.assert_allclose(place.information()[[0, 99, 100, 229]], each, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_climbs_that_hold_a_number_end_where_steps_of_the_expectation_end(name, classes, monkeypatch):
    plan, evidence = prepared(name, classes, 7)
    best = finish(climb(plan.space, evidence, some_points(plan.space, 20, 1)))
    origin = best.stack.one(int(best.log_likelihood.argmax()))
    slots = [slot for slot in plan.slots for _turn in range(3)]
    values = np.tile([0.2, 0.5, 0.8], len(plan.slots))
    start, pins = pinned(plan.space, [origin] * len(slots), slots, values)
    found = finish(climb(plan.space, evidence, start, pins=pins, tolerance=1e-9, limit=3000))
    monkeypatch.setattr(newton, "suits", lambda *_: False)
    expected = finish(climb(plan.space, evidence, start, pins=pins, tolerance=1e-10, limit=50_000))
    assert (found.log_likelihood >= expected.log_likelihood - 1e-6).all()
    held = np.isfinite(pins.flat())
    np.testing.assert_allclose(found.stack.flat()[held], pins.flat()[held], atol=1e-12)
    np.testing.assert_allclose(found.stack.truth.sum(axis=-1), 1, atol=1e-12)
    np.testing.assert_allclose(found.stack.guessing.sum(axis=-1), 1, atol=1e-12)


def test_re_drawn_panels_end_where_steps_of_the_expectation_end(monkeypatch):
    plan, evidence = prepared("t-aj-pj", 2, 9)
    n = plan.patterns.patterns
    weights = np.random.default_rng(2).multinomial(60, np.full(n, 1 / n), 30).astype(float)
    start = some_points(plan.space, 30, 4)
    found = finish(climb(plan.space, evidence, start, weights=weights, tolerance=1e-9, limit=3000))
    monkeypatch.setattr(newton, "suits", lambda *_: False)
    expected = finish(climb(plan.space, evidence, start, weights=weights, tolerance=1e-10, limit=50_000))
    # Some few climb another hill.
    assert (np.abs(found.log_likelihood - expected.log_likelihood) < 1e-6).mean() > 0.9


def test_what_it_does_not_know_it_leaves_to_others():
    ratings = panel(3, 1)
    for name in ("t-a-p", "dawid-skene", "t-a-t", "P-a-P"):
        plan = design(model(name), ratings)
        assert not suits(plan.space.evidence(plan.patterns), plan.space)
