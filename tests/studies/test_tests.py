"""Tests by simulation between models, and of a model against the data."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.ratings.samples import locate
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import with_tests
from tapdesk.studies.likelihood_ratio import compare, goodness_of_fit
from tests.studies.examples import WINE, panel, tallied


def test_an_unbiased_panel_is_not_called_biased_and_a_biased_one_is():
    fair = finish(compare(panel(["t=.3", "a=.6", "p=.3"], 300, 5), "t=p", 200))
    unfair = finish(compare(panel(["t=.2", "a=.5", "p=.7"], 300, 5), "t=p", 200))
    assert fair.df == unfair.df == 1
    assert not fair.rejects
    assert unfair.rejects


def test_the_statistic_of_t_equals_p_is_twice_the_gain_of_the_free_model():
    ratings = tallied(WINE["1|2"])
    test = finish(compare(ratings, "t=p", 20))
    free, tied = (finish(ExactEM().run(model(m), ratings, 1)).log_likelihood.ratings for m in ("t-a-p", "t-a-t"))
    assert test.statistic == pytest.approx(2 * (free - tied), abs=1e-6)


def test_simulated_likelihood_ratios_of_t_equals_p_follow_chi_square_inside_the_space():
    test = finish(compare(panel(["t=.5", "a=.7", "p=.5"], 500, 5), "t=p", 800))
    # 95 % point of chi-square with 1 df: 3.84; one over the density there gives a standard error near .25.
    assert test.quantiles["0.95"] == pytest.approx(3.84, abs=0.8)
    assert test.quantiles["0.5"] == pytest.approx(0.455, abs=0.15)


def test_judges_of_unequal_accuracy_are_told_apart():
    texts = ["t=.4", "a=.1,.3,.5,.7,.9", "p=.4"]
    test = finish(compare(panel(texts, 200, 5, name="t-aj-p"), "equal accuracies", 60))
    assert test.df == 4
    assert test.rejects


def test_judges_of_equal_accuracy_are_not_told_apart():
    test = finish(compare(panel(["t=.4", "a=.5", "p=.4"], 150, 4, seed=2), "equal accuracies", 60))
    assert not test.rejects


@pytest.mark.parametrize("name", ["equal accuracies", "equal guessing"])
def test_judges_that_are_not_known_cannot_be_told_apart(name):
    with pytest.raises(CannotAnswerError, match="raters are not known"):
        finish(compare(tallied(WINE["1|2"]), name, 10))


def test_an_accuracy_for_each_of_two_classes_cannot_be_tested():
    with pytest.raises(CannotAnswerError, match="With two classes"):
        finish(compare(tallied(WINE["1|2"]), "equal accuracies by class", 10))


def test_goodness_of_fit_of_wine_is_the_gain_of_the_saturated_model():
    counts = np.array(WINE["1|2"])
    fit = finish(ExactEM().run(model("t-a-p"), tallied(WINE["1|2"]), 1))
    test = finish(goodness_of_fit(tallied(WINE["1|2"]), model("t-a-p"), 200, fit=fit))
    t, a, p = (fit.estimate(x).value for x in "tap")
    high, low = a + (1 - a) * p, (1 - a) * p
    k, ways = np.arange(5), np.array([1, 4, 6, 4, 1])
    expected = 183 * ways * (t * high**k * (1 - high) ** (4 - k) + (1 - t) * low**k * (1 - low) ** (4 - k))
    assert test.statistic == pytest.approx(2 * (counts * np.log(counts / expected)).sum(), abs=1e-6)
    assert test.df == 1  # R - 3 for R ratings each (models.md §8)
    assert not test.rejects


@pytest.mark.parametrize("estimator", ["posterior", "moment-em"])
def test_goodness_of_fit_is_that_of_the_best_fit_whatever_the_numbers_reported(estimator):
    # Means of a posterior, and of the moments, are no maximum: beside refits by likelihood they would seem to misfit.
    few, within = tallied((998, 2, 0) if estimator == "posterior" else (6, 2, 9, 1)), model("t-a-p")
    fit = finish(analyse(few, Request(within, estimator, interval="none")))
    assert fit.estimator == estimator
    told = finish(goodness_of_fit(few, within, 40, fit=fit))
    assert told.statistic == pytest.approx(finish(goodness_of_fit(few, within, 40)).statistic, abs=1e-9)
    assert not told.rejects


def test_a_mixture_of_two_accuracies_does_not_fit_the_average_model():
    # Half of the subjects are judged well, the others by luck alone: three groups of subjects, not two.
    one = np.array(panel(["t=.5", "a=.95", "p=.5"], 400, 8).counts()[:, 1])
    two = np.array(panel(["t=.5", "a=0", "p=.5"], 400, 8, seed=2).counts()[:, 1])
    counts = tuple(int(n) for n in np.bincount(np.concatenate([one, two]), minlength=9))
    test = finish(goodness_of_fit(tallied(counts), model("t-a-p"), 100))
    assert test.rejects
    assert test.df == 5


def test_goodness_of_fit_of_a_by_rater_model_is_about_the_rows_of_its_raters():
    ratings = panel(["t=.4", "a=.3,.6,.9", "p=.4"], 150, 3, name="t-aj-p")
    assert not finish(goodness_of_fit(ratings, model("t-aj-p"), 40)).rejects


def test_a_fit_gets_the_tests_that_make_sense_for_it_in_the_form_of_the_command_line():
    ratings = tallied(WINE["2|3"])
    fit = finish(with_tests(finish(ExactEM().run(model("t-a-p"), ratings, 1)), ratings, 40))
    assert [t.name for t in fit.tests] == ["a=0", "t=p", "G2", "no-difficulty"]
    for test in fit.tests:
        assert set(test.quantiles) == {"0.5", "0.75", "0.9", "0.95", "0.98"}
        assert test.replicates == 40
    assert fit.tests[0].df is None
    assert fit.horizon["0.95"] == pytest.approx(0.22, abs=0.02)


def test_degrees_of_freedom_are_not_told_where_cells_outnumber_the_subjects():
    # Psychiatrists of Fleiss (1971): 30 patients, and 210 ways in which 6 ratings fall into 5 classes.
    few = finish(read(*locate("sample:fleiss-1971", ReadingOptions()))).ratings
    test = finish(goodness_of_fit(few, model("t-a-p"), 60))
    assert test.df is None
    assert 0 < test.p_bootstrap <= 1
    # 183 wines, 35 ways in which 4 ratings fall into 4 classes: 34 less 7 free numbers (models.md §2).
    many = finish(read(*locate("sample:jury", ReadingOptions()))).ratings
    assert finish(goodness_of_fit(many, model("t-a-p"), 20)).df == 27


def test_a_model_with_as_many_numbers_as_there_are_to_follow_leaves_no_degree_of_freedom():
    # Two ratings each of two classes: three cells, two shares, and t-a-t has two numbers.
    test = finish(goodness_of_fit(tallied((30, 20, 40)), model("t-a-t"), 20))
    assert test.df == 0


def test_the_same_seed_gives_the_same_test():
    one, two, other = (finish(compare(tallied(WINE["1|2"]), "t=p", 30, seed)).draws for seed in (1, 1, 2))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_an_accuracy_that_differs_between_true_classes_is_found():
    texts = ["t=.25,.25,.25,.25", "a=.9,.5,.3,.1", "p=.1,.2,.3,.4"]
    ratings = panel(texts, 183, 4, name="t-ak-p", classes=tuple("1234"))
    test = finish(compare(ratings, "equal accuracies by class", 60))
    assert test.df == 3
    assert test.rejects
