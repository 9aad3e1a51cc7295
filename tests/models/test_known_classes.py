"""Cases whose true class is known (models_more.md §1): values worked out by hand, laws, what they let a design tell."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.identification import verdict
from tapdesk.models.design import design
from tapdesk.models.model import MODELS, Accuracy, Key, Truth, model
from tapdesk.models.simulate import simulate_like
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse

CERTAIN, INFORMING = Key.CERTAIN, Key.INFORMING


def with_key(ratings, texts):
    column = Covariate("key", CovariateOf.SUBJECT, np.array(texts, dtype=object))
    return replace(ratings, covariates=MappingProxyType({"key": column}), known="key")


def one_rating_each(*parts):
    """Cases with one rating: (known class or empty, how many say yes, how many say no)."""
    keys = [key for key, yes, no in parts for _ in range(yes + no)]
    category = np.concatenate([np.repeat([1, 0], [yes, no]) for _key, yes, no in parts])
    n = len(keys)
    names = [str(i) for i in range(n)]
    return with_key(Ratings.of(np.arange(n), np.zeros(n, dtype=int), category, names, ["R"], ["no", "yes"]), keys)


def drawn(seed=1, *, classes=2, raters=3, cases=80, known=20):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, cases)
    subject, rater = np.repeat(np.arange(cases), raters), np.tile(np.arange(raters), cases)
    right = rng.random(subject.size) < 0.7
    category = np.where(right, truth[subject], rng.integers(0, classes, subject.size))
    labels = [f"c{k}" for k in range(classes)]
    ratings = Ratings.of(
        subject, rater, category, [str(i) for i in range(cases)], [f"R{j}" for j in range(raters)], labels
    )
    return with_key(ratings, [labels[k] if i < known else "" for i, k in enumerate(truth)])


def fitted(name, ratings, key=CERTAIN):
    return finish(ExactEM().run(replace(model(name), key=key), ratings, 1))


def values(fit):
    return {str(e.name): e.estimate.value for e in fit.estimates}


class TestOneRatingEach:
    """The example of models_more.md §1: 40 known yes, 40 known no, 100 unknown, one rating each."""

    ratings = one_rating_each(("yes", 30, 10), ("no", 12, 28), ("", 45, 55))

    def test_two_known_classes_are_enough_for_one_rating(self):
        fit = fitted("t-a-p", self.ratings)
        # a = r11 - r01, p = r01 / (1 - a), t = (m - (1 - a) p) / a (Rogan & Gladen 1978).
        assert values(fit) == pytest.approx({"t": 1 / 3, "a": 0.45, "p": 0.3 / 0.55}, abs=1e-6)
        assert fit.log_likelihood.ratings == pytest.approx(-115.741859, abs=1e-6)
        assert fit.identification.identified

    def test_known_cases_may_be_a_random_part_of_all(self):
        fit = fitted("t-a-p", self.ratings, INFORMING)
        assert values(fit) == pytest.approx({"t": 0.481203, "a": 0.451264, "p": 0.485085}, abs=2e-6)
        assert fit.log_likelihood.ratings == pytest.approx(-171.694494, abs=1e-6)

    def test_one_known_class_is_not(self):
        ratings = one_rating_each(("yes", 30, 10), ("", 45, 55))
        assert not verdict(replace(model("t-a-p"), key=CERTAIN), ratings).by_design

    def test_where_all_is_known_the_rates_say_everything_but_the_truth(self):
        ratings = one_rating_each(("yes", 30, 10), ("no", 12, 28))
        fit = fitted("t-a-p", ratings)
        assert values(fit) == pytest.approx({"t": None, "a": 0.45, "p": 0.3 / 0.55}, abs=1e-6)
        assert values(fitted("t-a-p", ratings, INFORMING))["t"] == pytest.approx(0.5)


def test_one_known_class_is_enough_for_two_raters():
    plain, key = replace(model("t-a-p"), key=Key.UNUSED), replace(model("t-a-p"), key=CERTAIN)
    ratings = drawn(raters=2)
    one = with_key(ratings, ["c1" if text == "c1" else "" for text in ratings.known_texts()])
    assert not verdict(plain, one).by_design
    assert verdict(key, one).by_design


def test_accuracies_by_class_stay_open_for_two_classes_however_many_are_known():
    assert not verdict(replace(model("t-ak-p"), key=CERTAIN), drawn(known=80)).by_design
    assert verdict(replace(model("t-ak-p"), key=CERTAIN), drawn(classes=3, raters=1, known=40)).by_design
    assert not verdict(replace(model("t-ak-p"), key=CERTAIN), drawn(classes=3, raters=1, known=0)).by_design


BY_LIKELIHOOD = [m for m in MODELS if m.truth is not Truth.SHARPENED and m.accuracy is not Accuracy.REGRESSION]


@pytest.mark.parametrize("row", BY_LIKELIHOOD, ids=lambda row: row.name)
@pytest.mark.parametrize("key", [CERTAIN, INFORMING])
def test_the_likelihood_of_a_known_case_is_that_of_its_class(row, key):
    ratings = drawn(classes=3, cases=15, known=6)
    plan = design(replace(row, key=key), ratings)
    space, rng = plan.space, np.random.default_rng(2)
    accuracy = rng.uniform(0.2, 0.9, (1, *space.accuracy_shape))
    guessing = rng.dirichlet(np.ones(3), (1, *space.guessing_shape[:2]))
    stack = space.settle(space.point(rng.dirichlet(np.ones(3), 1), accuracy, guessing))
    point, known = stack.one(0), ratings.known_classes()
    rates, total = point.rating_rates(), 0.0
    for i in range(15):
        mine = np.flatnonzero(ratings.subject == i)
        each = np.array([rates[ratings.rater[m] if rates.shape[0] > 1 else 0, :, ratings.category[m]] for m in mine])
        joint = each.prod(axis=0) * (point.truth if known[i] < 0 or key is INFORMING else 1.0)
        total += np.log(joint.sum() if known[i] < 0 else joint[known[i]])
    found = space.evidence(plan.patterns).expect(stack).log_likelihood[0]
    assert found == pytest.approx(total, abs=1e-9)


@pytest.mark.parametrize("row", BY_LIKELIHOOD, ids=lambda row: row.name)
def test_a_key_without_an_entry_is_no_key(row):
    ratings = with_key(drawn(), [""] * 80)
    assert values(fitted(row.name, ratings)) == values(fitted(row.name, ratings, Key.UNUSED))


def test_the_two_settings_differ_by_how_common_the_known_classes_are():
    ratings = drawn(known=30)
    plan, informing = (design(replace(model("t-aj-p"), key=key), ratings) for key in (CERTAIN, INFORMING))
    stack = plan.space.point(np.array([[0.3, 0.7]]), np.full((1, 3, 1), 0.6), np.array([[0.4, 0.6]]))
    levels = [p.space.evidence(p.patterns).expect(stack).log_likelihood[0] for p in (plan, informing)]
    counts = np.bincount(ratings.known_classes()[:30], minlength=2)
    assert levels[1] - levels[0] == pytest.approx(counts @ np.log([0.3, 0.7]), abs=1e-9)


def test_what_is_known_is_believed_and_kept_in_simulated_data():
    ratings = drawn(classes=3)
    fit = finish(analyse(ratings, Request(replace(model("t-a-p"), key=CERTAIN), interval="none", subjects=True)))
    known = ratings.known_classes()
    assert fit.subject_posterior[np.arange(20), known[:20]] == pytest.approx(1)
    assert (fit.subject_posterior[20:] < 1).all()
    _made, truth = simulate_like(ratings, fit.model, fit.parameters, 3)
    assert (truth[:20] == known[:20]).all()


@pytest.mark.parametrize("interval", ["profile", "bootstrap", "parametric-bootstrap"])
def test_every_number_has_its_interval(interval):
    request = Request(replace(model("t-aj-p"), key=CERTAIN), interval=interval, replicates=60)
    for e in finish(analyse(drawn(known=40), request)).estimates:
        assert e.estimate.low <= e.estimate.value <= e.estimate.high


def test_beliefs_use_what_is_known():
    ratings = one_rating_each(("yes", 30, 10), ("no", 12, 28), ("", 45, 55))
    request = Request(replace(model("t-a-p"), key=CERTAIN), estimator="posterior", draws=300)
    found = values(finish(analyse(ratings, request)))
    assert found == pytest.approx({"t": 1 / 3, "a": 0.45, "p": 0.3 / 0.55}, abs=0.06)
