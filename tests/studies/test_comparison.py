"""Models side by side."""

import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.model_comparison import compare_fits
from tests.studies.examples import WINE, panel, tallied


def fitted(ratings, name="t-a-p"):
    return finish(ExactEM().run(model(name), ratings, 1))


JURY = panel(["t=.4,.3,.3", "a=.5", "p=.3,.4,.3"], 120, 4, classes=("x", "y", "z"), seed=3)


def test_models_with_one_maximum_are_not_compared():
    ratings = tallied(WINE["1|2"])
    found = compare_fits([fitted(ratings, m) for m in ("t-a-p", "t-ak-p", "t-a0a1-p0p1", "t-a-t")])
    assert [row.comparable for row in found.rows] == [True, False, False, True]
    assert found.words.startswith("With two classes")
    told = found.table().records()
    assert told[1]["aic"] is None
    assert told[0]["log_likelihood"] == pytest.approx(told[1]["log_likelihood"], abs=1e-6)
    # t = p holds well at this cut, so the smaller model wins by both.
    assert found.by_aic == found.by_bic == 3


def test_a_model_whose_rates_came_from_the_data_never_wins():
    ratings = tallied(WINE["1|2"])
    found = compare_fits([fitted(ratings, m) for m in ("P-a-P", "t-a-t", "t-a-p")])
    assert found.rows[0].fit.aic < found.rows[1].fit.aic
    assert found.by_aic == 1
    assert "too favourable" in found.rows[0].note


def test_fits_of_different_ratings_are_not_compared():
    with pytest.raises(UsageError, match="different ratings"):
        compare_fits([fitted(tallied(WINE["1|2"])), fitted(JURY)])


def test_few_cases_choose_no_model_by_counting_numbers():
    """Below eight cases the logarithm of their number is under 2, and BIC would charge less than AIC."""
    few = panel(["t=.5", "a=.8", "p=.5"], 7, 4)
    found = compare_fits([fitted(few, m) for m in ("t-a-p", "t-a-t", "t-aj-p")])
    assert found.by_aic is found.by_bic is None
    assert not any(row.comparable for row in found.rows)
    assert "fewer than 8 cases" in found.words
    # Thirteen numbers of six raters on twelve cases: counting them means nothing, the others are compared.
    some = panel(["t=.5", "a=.8", "p=.5"], 12, 6)
    rows = compare_fits([fitted(some, m) for m in ("t-a-p", "t-a-t", "t-aj-pj")]).rows
    assert [row.comparable for row in rows] == [True, True, False]
    assert "as many numbers as there are cases" in rows[-1].note
