"""With many classes the share of ratings that name the truth reaches as far as the likelihood lets it."""

import numpy as np
import pytest

from tapdesk.fitting.climb import scores
from tapdesk.fitting.likelihood_region import extremes
from tapdesk.fitting.rating_shares import profiled_shares
from tapdesk.fitting.truth_share import MoreRatings, truth_share_ends
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters, Stack
from tapdesk.models.simulate import simulate
from tapdesk.models.space import line
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse

DROP = 1.920729  # half the 95 % point of chi-square with one degree of freedom


def panel(classes: int, subjects: int, raters: int = 4) -> Ratings:
    """Ratings of a t-a-p with unlike rates, a = 0.6."""
    draw = np.random.default_rng(classes)
    truth, guess = draw.dirichlet(np.full(classes, 2.0)), draw.dirichlet(np.full(classes, 2.0))
    point = Parameters(truth, np.array([[0.6]]), guess[None, None], np.zeros(0))
    labels, names = tuple(f"c{i:03}" for i in range(classes)), tuple(f"R{j}" for j in range(raters))
    return simulate(model("t-a-p"), point, labels, names, subjects, 5)[0]


def share_of(stack: Stack) -> np.ndarray:
    """The share by its definition: truth times the diagonal of the rates of a rating."""
    points = [stack.one(b) for b in range(stack.size)]
    return np.array([p.truth @ np.diagonal(p.rating_rates()[0]) for p in points])


def prepared(ratings: Ratings, name: str):
    fit = finish(analyse(ratings, Request(model(name), interval="none")))
    plan = design(model(name), ratings)
    top = fit.log_likelihood.ratings
    near = [o.parameters for o in fit.optima if top - o.log_likelihood < 4][:3] or [fit.parameters]
    return fit, plan, plan.space.evidence(plan.patterns), near, top


@pytest.mark.parametrize(
    ("name", "classes", "within"),
    [
        *((name, 0, 5e-6) for name in ("t-a-p", "t-a-t", "t-ak-p", "P-a-P", "t-a0a1-p0p1")),
        ("t-a-p", 3, 1e-6),
        ("t-ak-p", 5, 1e-6),
        ("t-a-t", 10, 1e-6),
        ("t-a-p", 20, 1e-6),
    ],
)
def test_both_searches_find_the_same_ends(name, classes, within):
    ratings = panel(classes, 200) if classes else read_now("sample:dawid-skene-1979").ratings
    _fit, plan, evidence, near, top = prepared(ratings, name)
    (climbed,) = finish(extremes(plan, evidence, near, top, [share_of], 0.95))
    assert finish(truth_share_ends(plan, evidence, near, top, 0.95)) == pytest.approx(climbed, abs=within)


@pytest.mark.parametrize(("classes", "subjects"), [(40, 300), pytest.param(120, 500, marks=pytest.mark.slow)])
def test_no_point_of_the_region_lies_outside(classes, subjects):
    fit, plan, evidence, near, top = prepared(panel(classes, subjects), "t-a-p")
    fit = finish(profiled_shares(plan, evidence, fit, near))
    (share,) = fit.shares
    assert share.low < share.value < share.high
    assert 0.01 < share.high - share.low < 0.12
    best = fit.parameters
    draw = np.random.default_rng(1)
    seen = []
    for accuracy in np.linspace(-0.08, 0.08, 33) + float(best.accuracy[0, 0]):
        truth, guess = (
            np.maximum(p * np.exp(0.1 * draw.normal(size=(12, classes))), 1e-9)
            for p in (best.truth, best.guessing[0, 0])
        )
        stack = plan.space.settle(
            Stack(
                truth / truth.sum(axis=1, keepdims=True),
                np.full((12, 1, 1), accuracy),
                (guess / guess.sum(axis=1, keepdims=True))[:, None, None],
                np.zeros((12, 0)),
            )
        )
        inside = evidence.expect(stack).log_likelihood >= top - DROP
        seen += share_of(stack)[inside].tolist()
    # With the other numbers held at the best ones, part of the way is certain to be inside.
    held = np.linspace(-0.08, 0.08, 321) + float(best.accuracy[0, 0])
    across = Stack(
        np.tile(best.truth, (321, 1)), held[:, None, None], np.tile(best.guessing, (321, 1, 1, 1)), np.zeros((321, 0))
    )
    inside = evidence.expect(across).log_likelihood >= top - DROP
    seen += share_of(across)[inside].tolist()
    assert len(seen) > 20
    assert share.low <= min(seen)
    assert max(seen) <= share.high


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "t-ak-p", "t-a0a1-p0p1"])
def test_more_ratings_have_the_score_of_their_likelihood(name, right):
    # Fisher's identity by differences: what E-M is told of the further ratings is what they are.
    fit, plan, evidence, _near, _top = prepared(panel(3, 60), name)
    more = MoreRatings(evidence, 7.5, right=right)
    way = line(plan.space, plan.space.settle(Stack.of([fit.parameters]).inside(0.02)).one(0))
    at = way.coordinates(way.origin)
    (level,), (score,) = scores(plan.space, more, way, at[None])
    share = share_of(way.points(at[None]))[0]
    alone = evidence.expect(way.points(at[None])).log_likelihood[0]
    assert level == pytest.approx(alone + 7.5 * np.log(share if right else 1 - share))
    steps = 1e-5 * np.eye(at.size)
    up, _ = scores(plan.space, more, way, at + steps)
    down, _ = scores(plan.space, more, way, at - steps)
    assert score == pytest.approx((up - down) / 2e-5, abs=1e-4)


def test_who_never_errs_has_an_upper_end_of_one():
    labels = tuple(f"c{i:02}" for i in range(20))
    case = np.repeat(np.arange(80), 3)
    ratings = Ratings(case, np.tile(np.arange(3), 80), case % 20, tuple(map(str, range(80))), ("A", "B", "C"), labels)
    fit = finish(analyse(ratings, Request(model("t-a-p"))))
    (share,) = fit.shares
    assert share.high == pytest.approx(1, abs=1e-6)
    assert 0.9 < share.low < 0.999
