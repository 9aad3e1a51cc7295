"""Covariates of raters are tested over raters: panels whose raters differ, without a slope and with one."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import linregress

from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.rater_slopes import rater_slopes
from tests.studies.test_opposition import panel, rated

AGES = np.array([25.0, 31.0, 38.0, 44.0, 50.0, 57.0, 63.0, 70.0])
BY_AGE = replace(model("t-a(x)-p"), covariates=("age",))


def aged(seed, spread, slope=0.0, cases=150):
    rng = np.random.default_rng(seed)
    accuracy = expit(logit(0.6) + slope * (AGES - AGES.mean()) + spread * rng.normal(size=AGES.size))
    ratings = rated(panel(rng, cases, AGES.size, accuracy=accuracy))
    return replace(ratings, covariates=MappingProxyType({"age": Covariate("age", CovariateOf.RATER, AGES)}))


@pytest.mark.costly(1)
@pytest.mark.parametrize("spread", [1.0, 0.5, 0.0])
def test_a_slope_that_is_not_there_is_found_no_oftener_than_asked_however_raters_differ(spread):
    found = [finish(rater_slopes(aged(seed, spread), BY_AGE, 1))[0].changes for seed in range(80)]
    # 5 in 100 are asked; 10 of 80 would be passed by luck 3 times in 1,000. Over ratings it is a third and more.
    assert sum(found) <= 10


def test_a_slope_that_is_there_is_found():
    found = [finish(rater_slopes(aged(seed, 0.5, slope=0.06), BY_AGE, 1))[0].changes for seed in range(20)]
    assert sum(found) >= 17


def test_the_test_is_that_of_a_line_through_the_logits_of_the_raters():
    ratings = aged(3, 0.5, slope=0.03)
    own = finish(ExactEM().run(model("t-aj-pj"), ratings, 1)).parameters.accuracy[:, 0]
    line = linregress(AGES, logit(np.clip(own, 0.02, 0.98)))
    (found,) = finish(rater_slopes(ratings, BY_AGE, 1))
    assert found.p == pytest.approx(line.pvalue)
    assert found.at_first.value == pytest.approx(expit(line.intercept + line.slope * 25))
    assert found.at_last.value == pytest.approx(expit(line.intercept + line.slope * 70))
    assert found.at_first.low < found.at_first.value < found.at_first.high


@pytest.mark.parametrize(
    ("slope", "begins"),
    [(0.0, "There is no sign that accuracy changes with age: 0."), (0.08, "Accuracy changes with age: 0.")],
)
def test_the_headline_follows_the_interval_and_tells_the_accuracy_at_both_ends(slope, begins):
    ratings, request = aged(5, 0.3, slope), Request(BY_AGE, interval="wald")
    fit = finish(analyse(ratings, request))
    said, follows = headline(Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request))))
    assert said.startswith(begins)
    assert "at 25" in said
    assert "at 70" in said
    assert "comparing 8 raters" in follows


def test_too_few_raters_are_told_so():
    two = rated(panel(np.random.default_rng(1), 50, 2))
    two = replace(two, covariates=MappingProxyType({"age": Covariate("age", CovariateOf.RATER, AGES[:2])}))
    with pytest.raises(CannotAnswerError, match="too few raters"):
        finish(rater_slopes(two, BY_AGE, 1))


def beside_each_rating(ratings):
    """The same as a file holds it: an age beside every rating."""
    column = Covariate("age", CovariateOf.RATING, ratings.covariates["age"].values[ratings.rater])
    return replace(ratings, covariates=MappingProxyType({"age": column}))


def told(ratings, asked=BY_AGE):
    request = Request(asked, interval="wald")
    fit = finish(analyse(ratings, request))
    return headline(Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request))))


def test_an_age_that_stands_beside_each_rating_is_one_of_raters_all_the_same():
    ratings = aged(3, 1.0)
    assert finish(rater_slopes(beside_each_rating(ratings), BY_AGE, 1)) == finish(rater_slopes(ratings, BY_AGE, 1))
    assert told(beside_each_rating(ratings)) == told(ratings)
    # What differs between ratings of one rater is no covariate of raters.
    other = beside_each_rating(ratings)
    moved = other.covariates["age"].values + other.subject % 2
    other = replace(other, covariates=MappingProxyType({"age": Covariate("age", CovariateOf.RATING, moved)}))
    assert other.rater_values("age") is None
    assert "raters" not in told(other)[1]


def test_only_covariates_are_said_to_change_accuracy_and_too_few_raters_are_not_judged_by_their_many_ratings():
    for ratings in (aged(3, 1.0), beside_each_rating(aged(3, 1.0))):
        assert "intercept" not in " ".join(told(ratings))
    rng = np.random.default_rng(1)
    few = rated(panel(rng, 400, 3, accuracy=np.array([0.9, 0.6, 0.2])))
    few = replace(few, covariates=MappingProxyType({"age": Covariate("age", CovariateOf.RATER, AGES[:3])}))
    years = Covariate("years", CovariateOf.RATER, np.array([3.0, 20.0, 8.0]))
    few = replace(few, covariates=MappingProxyType({**few.covariates, "years": years}))
    said, _follows = told(few, replace(BY_AGE, covariates=("age", "years")))
    assert said == "There are too few raters to tell what their accuracy changes with."
