"""What a model expects of single ratings: by the likelihood, by simulation and by formulas that are known."""

from dataclasses import replace
from math import comb

import numpy as np
import pytest

from tapdesk.answers.figures.catalog import picture
from tapdesk.models.model import GRID_MODELS, Key, model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.distribution import expected_shares
from tapdesk.studies.rater_diagnostics import leave_one_out_rates
from tapdesk.studies.rating_expectations import class_shares, replaced_rates, simulated_hits, truth_priors
from tests.answers.test_proposals import CovariateOf, panel


def fitted(ratings, name, **more):
    row = replace(model(name, GRID_MODELS), **more)
    return finish(analyse(ratings, Request(row, interval="none")))


WARDS = {"ward": (CovariateOf.SUBJECT, lambda i: "east" if i % 2 else "west")}


@pytest.mark.parametrize(("name", "more"), [("t-a-p", {}), ("t-aj-pj", {}), ("tg-a-p", {"groups": "ward"})])
def test_replacing_a_rating_is_leaving_it_out_where_ratings_are_independent(name, more):
    ratings = panel(cases=40, **WARDS)
    fit = fitted(ratings, name, **more)
    assert replaced_rates(ratings, fit) == pytest.approx(leave_one_out_rates(ratings, fit), abs=1e-9)


def hits_of_hard_cases(point, n):
    """Pr(k of n say class 1): a mixture of three binomials (models_more.md §3)."""
    t, a, p, h = point.truth[1], point.accuracy[0, 0], point.guessing[0, 0, 1], point.spread[0]
    parts = ((1 - h) * t, a + (1 - a) * p), ((1 - h) * (1 - t), (1 - a) * p), (h, p)
    return np.array([sum(w * comb(n, k) * q**k * (1 - q) ** (n - k) for w, q in parts) for k in range(n + 1)])


def test_hard_cases_make_the_shares_of_their_formula():
    ratings = panel(cases=80, raters=6)
    fit = fitted(ratings, "t-ah-p")
    fit = replace(fit, parameters=replace(fit.parameters, spread=np.array([0.3]), accuracy=np.array([[0.8]])))
    exact = hits_of_hard_cases(fit.parameters, 6)
    assert simulated_hits(ratings, fit, 1, 6) == pytest.approx(exact, abs=0.01)
    weight = np.full(80, 1 / 80)
    assert expected_shares(ratings, fit, 1, weight, 6) == pytest.approx(exact, abs=0.01)


def test_a_rating_of_a_case_that_may_be_hard_is_foretold_by_its_formula():
    ratings = panel(cases=30, raters=5)
    fit = fitted(ratings, "t-ah-p")
    fit = replace(fit, parameters=replace(fit.parameters, spread=np.array([0.3]), accuracy=np.array([[0.8]])))
    of_counts = hits_of_hard_cases(fit.parameters, 5) / [comb(5, k) for k in range(6)]
    yes = np.bincount(ratings.subject, ratings.category).astype(int)
    rest = yes[ratings.subject] - ratings.category
    expected = of_counts[rest + 1] / (of_counts[rest + 1] + of_counts[rest])
    assert leave_one_out_rates(ratings, fit)[:, 1] == pytest.approx(expected, abs=1e-9)


def test_groups_and_known_cases_have_their_own_priors():
    ratings = panel(cases=40, **WARDS, key=(CovariateOf.SUBJECT, lambda i: "yes" if i < 4 else ""))
    ratings = replace(ratings, known="key")
    fit = fitted(ratings, "tg-a-p", groups="ward", key=Key.CERTAIN)
    priors = truth_priors(fit, ratings).each
    assert (priors[:4] == [0, 1]).all()
    assert (priors[4::2] == fit.parameters.truth[0]).all()
    assert (priors[5::2] == fit.parameters.truth[1]).all()
    given, truth = class_shares(fit, ratings)
    assert given.sum() == pytest.approx(1)
    assert truth == pytest.approx(priors.mean(axis=0))


@pytest.mark.parametrize(
    ("name", "kind", "more", "sentence"),
    [
        ("tg-a-p", "votes", {"groups": "ward"}, "Groups differ in this model in how common the classes are"),
        ("t-ah-p", "tree", {}, "differ in this model in more than their truth: choose one in which they do not, as"),
        ("t-an-p", "expected", {}, "In this model a miss is no mere guess: choose one in which it is, such as t-a-p."),
    ],
)
def test_what_rests_on_one_kind_of_rating_is_not_drawn(name, kind, more, sentence):
    ratings = panel(cases=40, classes=("low", "mid", "high"), **WARDS)
    fit = fitted(replace(ratings, ordered=True), name, **more)
    assert sentence in str(picture(kind).needs(fit, ratings))


def test_the_picture_says_that_its_line_is_simulated():
    ratings = panel(cases=40, raters=5)
    (figure,) = picture("distribution").draw(fitted(ratings, "t-ah-p"), ratings)
    assert figure.note.endswith("By the model: very many simulated cases.")
