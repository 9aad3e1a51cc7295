"""Ordered classes by signal detection (models_more.md §4): published and worked-out values, laws, turned scales."""

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import ORDERED_MODELS, model
from tapdesk.models.ordered import OrderedRates
from tapdesk.models.parameters import Stack
from tapdesk.models.simulate import simulate_like
from tapdesk.models.space import canonical, line
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import sample
from tapdesk.studies.analysis import Request, analyse

NAMES = [m.name for m in ORDERED_MODELS]


def of_order(name):
    return model(name, ORDERED_MODELS)


def fitted(name, ratings):
    return finish(ExactEM().run(of_order(name), ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


def empty(cases, raters=4, classes=4):
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    category = np.arange(subject.size) % classes
    names, labels = [str(i) for i in range(cases)], [str(k + 1) for k in range(classes)]
    return Ratings.of(subject, rater, category, names, [f"R{j}" for j in range(raters)], labels, ordered=True)


def point_of(plan, truth, numbers):
    space = plan.space
    k = space.classes
    start = space.point(np.array([truth]), np.array([0.5]), np.full((1, k), 1 / k))
    return space.follow(Stack(start.truth, start.accuracy, start.guessing, np.array([numbers]))).one(0)


def panel(seed, cases=250, raters=4):
    """Ratings of raters with cut points and discriminations of their own."""
    rng = np.random.default_rng(seed)
    blank = empty(cases, raters)
    plan = design(of_order("sdt"), blank)
    d = rng.uniform(1.5, 3.0, raters)
    tau = d[:, None] * (np.arange(3) + 0.5) + rng.normal(0, 0.5, (raters, 1))
    point = point_of(plan, [0.3, 0.3, 0.2, 0.2], np.concatenate([d, tau.ravel()]))
    return simulate_like(blank, of_order("sdt"), point, seed)[0], point


class TestAnaesthesia:
    """Dawid & Skene 1979, table 1: five anaesthetists on 45 patients; values of models_more.md §4."""

    ratings = read_now("sample:dawid-skene-1979", sample("dawid-skene-1979").options).ratings

    def test_the_order_explains_more_than_as_many_accuracies(self):
        fit = fitted("sdt", self.ratings)
        assert fit.log_likelihood.ratings == pytest.approx(-197.755893, abs=1e-5)
        assert fit.free == 23

    def test_one_discrimination_is_nearly_enough(self):
        fit = fitted("sdt-d", self.ratings)
        assert fit.log_likelihood.ratings == pytest.approx(-198.258749, abs=1e-5)
        assert fit.free == 19


def test_smaller_models_lie_within_larger_ones():
    ratings, _point = panel(1)
    level = {name: fitted(name, ratings).log_likelihood.ratings for name in NAMES}
    level["dawid-skene"] = finish(ExactEM().run(model("dawid-skene"), ratings, 1)).log_likelihood.ratings
    for small, large in (("sdt-1", "sdt-d"), ("sdt-1", "sdt-tau"), ("sdt-d", "sdt"), ("sdt-tau", "sdt")):
        assert level[small] <= level[large] + 1e-6
    assert level["sdt"] <= level["dawid-skene"] + 1e-6


def test_two_classes_have_no_order_to_perceive():
    rng = np.random.default_rng(3)
    blank = empty(120, 3, 2)
    truth = rng.integers(0, 2, 120)
    right = rng.random(blank.subject.size) < 0.8
    category = np.where(right, truth[blank.subject], rng.integers(0, 2, blank.subject.size))
    ratings = Ratings.of(blank.subject, blank.rater, category, blank.subjects, blank.raters, blank.classes)
    plain = finish(ExactEM().run(model("dawid-skene"), ratings, 1))
    ordered = fitted("sdt", ratings)
    assert ordered.log_likelihood.ratings == pytest.approx(plain.log_likelihood.ratings, abs=1e-6)
    assert ordered.parameters.guessing == pytest.approx(plain.parameters.guessing, abs=1e-4)


@pytest.mark.parametrize("row", [m for m in ORDERED_MODELS if m.name != "sdt-tau"], ids=lambda row: row.name)
def test_counting_the_classes_from_the_other_end_changes_no_rate(row):
    rates = OrderedRates(row.ordered, 3 if row.by_rater else 1, 4)
    rng = np.random.default_rng(2)
    numbers = rates.rising(rng.normal(0, 1.5, (5, rates.size)))
    turned = rates.rates(rates.reversed(numbers))
    assert turned == pytest.approx(rates.rates(numbers)[:, :, ::-1], abs=1e-12)
    assert rates.rates(numbers).sum(axis=-1) == pytest.approx(np.ones(turned.shape[:-1]))


@pytest.mark.parametrize("name", NAMES)
def test_the_score_is_the_slope_of_the_likelihood(name):
    ratings, _point = panel(4, cases=40)
    plan = design(of_order(name), ratings)
    evidence, rng = plan.space.evidence(plan.patterns), np.random.default_rng(1)
    ordered = plan.space.ordered
    numbers = ordered.start(np.array([1.5]), np.full((1, 1, 4), 0.25))[0] + rng.normal(0, 0.2, ordered.size)
    point = point_of(plan, [0.1, 0.4, 0.3, 0.2], numbers)
    way = line(plan.space, point)
    at = way.coordinates(point)
    assert at.size == plan.space.free
    stack = way.points(at[None])
    score = way.score(plan.space.tally(evidence.expect(stack)), stack)[0]
    step = 1e-5 * np.eye(at.size)
    ahead, behind = (evidence.expect(way.points(at + sign * step)).log_likelihood for sign in (1, -1))
    assert score == pytest.approx((ahead - behind) / 2e-5, abs=1e-4)


def test_raters_who_rate_higher_what_is_higher_say_which_end_is_up():
    ratings, point = panel(5)
    plan = design(of_order("sdt"), ratings)
    ordered = plan.space.ordered
    stack = Stack.of([point])
    turned = plan.space.follow(
        Stack(stack.truth[:, ::-1], stack.accuracy, stack.guessing, ordered.reversed(stack.slopes))
    )
    levels = [plan.space.evidence(plan.patterns).expect(s).log_likelihood[0] for s in (stack, turned)]
    assert levels[0] == pytest.approx(levels[1], abs=1e-9)
    assert canonical(plan.space, turned).flat() == pytest.approx(stack.flat(), abs=1e-9)


def test_a_rater_with_the_scale_upside_down_has_a_discrimination_below_0():
    ratings, _point = panel(6)
    category = np.where(ratings.rater == 2, 3 - ratings.category, ratings.category)
    turned = Ratings.of(
        ratings.subject, ratings.rater, category, ratings.subjects, ratings.raters, ratings.classes, ordered=True
    )
    found = values(fitted("sdt", turned))
    assert found["d[R2]"] < 0
    assert all(found[f"d[R{j}]"] > 0 for j in (0, 1, 3))


def test_what_the_design_can_tell():
    for name in NAMES:
        assert verdict(of_order(name), empty(50, 3)).by_design
    assert verdict(of_order("sdt"), empty(50, 2, 3)).by_design
    assert not verdict(of_order("sdt"), empty(50, 2, 2)).by_design


def test_what_is_simulated_is_found_again_within_its_intervals():
    ratings, point = panel(7, cases=600, raters=3)
    fit = finish(analyse(ratings, Request(of_order("sdt"), interval="wald")))
    truth = [slot.value(point) for slot in fit.slots]
    inside = [e.estimate.low <= t <= e.estimate.high for e, t in zip(fit.estimates, truth, strict=True)]
    assert np.mean(inside) > 0.75
    assert [e.estimate.value for e in fit.estimates] == pytest.approx(truth, abs=1.2)


# Half a minute: a climb with a cut point held is slow.
@pytest.mark.slow
def test_profiles_hold_a_cut_point_among_the_others():
    ratings, _point = panel(8, cases=80, raters=3)
    fit = finish(analyse(ratings, Request(of_order("sdt-1")), only={"tau"}))
    cuts = [e.estimate for e in fit.estimates if e.name.name == "tau"]
    assert len(cuts) == len(ratings.classes) - 1
    for cut in cuts:
        assert cut.low < cut.value < cut.high


def test_intervals_of_shares_are_not_those_of_the_scale_turned_round():
    # Turned round, the lowest class has the share of the highest: such points have the same likelihood.
    ratings, _point = panel(3, cases=150)
    fit = finish(analyse(ratings, Request(of_order("sdt-d")), only={"t"}))
    shares = [e.estimate for e in fit.estimates if e.name.name == "t"]
    ends = [(e.low, e.high) for e in shares]
    assert all(low < e.value < high for e, (low, high) in zip(shares, ends, strict=True))
    assert len({round(high, 6) for _low, high in ends}) == 4
