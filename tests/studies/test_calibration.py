"""What the model says of raters and ratings against what is seen, and analyses by group."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.studies.rater_diagnostics import rater_calibration, rating_calibration
from tapdesk.studies.subsets import groups
from tests.studies.examples import WINE, panel, tallied


def fitted(ratings, name="t-a-p"):
    return finish(ExactEM().run(model(name), ratings, 1))


LEANING = panel(["t=.4", "a=.5", "p=.5", "p[J1]=.1", "p[J4]=.9"], 400, 4, name="t-a-pj")


def test_a_rater_who_leans_to_one_side_stands_out_where_the_model_shares_the_guessing():
    shared = rater_calibration(LEANING, fitted(LEANING))
    gap = shared.observed - shared.modelled
    assert gap[0] < -0.1
    assert gap[3] > 0.1
    assert shared.observed[3] - shared.modelled[3] > shared.high[3] - shared.observed[3]
    own = rater_calibration(LEANING, fitted(LEANING, "t-a-pj"))
    assert own.mean_absolute_error < 0.3 * shared.mean_absolute_error


@pytest.mark.parametrize("name", ["t-aj-pj", "dawid-skene"])
def test_modelled_and_observed_rates_agree_by_construction_in_the_full_binary_models(name):
    # models.md §8: equal by construction only for K = 2 t-aj-pj and dawid-skene.
    found = rater_calibration(LEANING, fitted(LEANING, name))
    assert found.modelled == pytest.approx(found.observed, abs=2e-4)
    assert "by construction" in found.note


def test_ratings_are_calibrated_when_the_model_is_true():
    ratings = panel(["t=.3", "a=.6", "p=.5"], 1500, 5)
    found = rating_calibration(ratings, fitted(ratings))
    assert found.count.sum() == 7500
    assert (np.diff(found.modelled) > 0).all()
    assert found.mean_absolute_error < 0.03
    outside = (found.modelled < found.low) | (found.modelled > found.high)
    assert outside.sum() <= 1


def test_raters_without_names_have_no_calibration():
    with pytest.raises(CannotAnswerError, match="not known"):
        rater_calibration(tallied(WINE["1|2"]), fitted(tallied(WINE["1|2"])))


def test_groups_split_the_ratings_and_leave_them_as_they_were():
    year = Covariate("year", CovariateOf.SUBJECT, np.repeat([2021.0, 2020.0], 200))
    school = Covariate("school", CovariateOf.RATER, np.array(["north", "south", "north", "south"], dtype=object))
    ratings = replace(LEANING, covariates={"year": year, "school": school})
    by_year, by_school = groups(ratings, "year"), groups(ratings, "school")
    assert [g.value for g in by_year] == ["2020", "2021"]
    assert [g.ratings.subject_count for g in by_year] == [200, 200]
    assert [g.ratings.rating_count for g in by_school] == [800, 800]
    assert ratings.rating_count == 1600


def test_a_column_that_is_not_there_or_no_grouping_is_refused():
    serial = Covariate("serial", CovariateOf.SUBJECT, np.arange(400.0))
    ratings = replace(LEANING, covariates={"serial": serial})
    with pytest.raises(UsageError, match="no column 'ward'"):
        groups(ratings, "ward")
    with pytest.raises(CannotAnswerError, match="400 different values"):
        groups(ratings, "serial")
