"""Could this be chance: the likelihood ratio decides, the horizon is drawn."""

import numpy as np
import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import chance as words
from tapdesk.answers.figures.chance import horizon_figure
from tapdesk.answers.figures.likelihood import root_kappa
from tapdesk.answers.numbers import SCREEN
from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.fit import one_in
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.chance import chance, horizon
from tapdesk.studies.fleiss_kappa import KappaSource, kappa_draws
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tests.studies.examples import WINE, panel, tallied


def test_wine_at_the_middle_cut_is_more_than_chance_although_the_accuracy_alone_would_not_show_it():
    # "Modeling Raters and Ratings" data: likelihood ratio 34.4 against a 95 % point of 3.9.
    found = finish(chance(tallied(WINE["2|3"]), replicates=600))
    assert found.test.statistic == pytest.approx(34.41, abs=0.01)
    assert found.test.quantiles["0.95"] == pytest.approx(3.9, abs=0.9)
    assert found.more_than_chance
    assert found.words.startswith("More than chance: with 183 cases")


@pytest.mark.slow
def test_the_likelihood_ratio_of_chance_has_its_95_percent_point_at_3_9_on_the_wine_design():
    found = finish(chance(tallied(WINE["2|3"]), replicates=8000, seed=3))
    # Standard error of the quantile: sqrt(.05 * .95 / 8000) over a density of about .045.
    assert found.test.quantiles["0.95"] == pytest.approx(3.9, abs=0.2)


def test_the_noise_horizon_of_183_wines_and_four_judges_is_22_hundredths():
    found = finish(horizon(tallied(WINE["2|3"]), replicates=2000))
    assert found.quantiles["0.95"] == pytest.approx(0.22, abs=0.012)
    assert found.root_kappa == pytest.approx(0.444, abs=1e-3)
    assert list(found.quantiles) == ["0.5", "0.75", "0.9", "0.95", "0.98"]
    levels = list(found.quantiles.values())
    assert levels == sorted(levels)


def test_ratings_without_information_are_rarely_called_more_than_chance():
    panels = [panel(["t=.5", "a=0", "p=.4"], 60, 4, seed=s) for s in range(20, 25)]
    found = [finish(chance(ratings, replicates=99)) for ratings in panels]
    # Each with a chance of 1 in 20: more than 2 of 5 happen in 1 of 1000 such tests.
    assert sum(f.more_than_chance for f in found) <= 2
    assert all("cannot be told from chance" in f.words for f in found if not f.more_than_chance)


@pytest.mark.slow
def test_under_pure_chance_no_more_than_one_in_twenty_data_sets_is_called_more_than_chance():
    p = [
        finish(chance(panel(["t=.5", "a=0", "p=.3"], 60, 4, seed=s), replicates=99, seed=s)).test.p_bootstrap
        for s in range(80)
    ]
    # Binomial(80, .05) exceeds 11 in 6 of 10,000 such tests.
    assert sum(x <= 0.05 for x in p) <= 11


def test_both_ways_of_drawing_kappa_have_the_same_distribution():
    sizes, rates = np.array([2, 5]), np.array([0.2, 0.3, 0.5])
    small = KappaSource(sizes, np.array([8, 5]), rates)
    many = KappaSource(sizes, np.array([800, 500]), rates)
    rng = np.random.default_rng(1)
    by_subject = finish(kappa_draws(small, 4000, rng))  # fewer subjects than vectors of counts
    listed = finish(kappa_draws(many, 4000, rng))
    # The spread goes with one over the root of the number of subjects.
    assert np.nanstd(by_subject) == pytest.approx(10 * np.nanstd(listed), rel=0.08)
    assert np.nanmean(listed) == pytest.approx(0, abs=3 * np.nanstd(listed) / np.sqrt(4000) + 1e-3)


def test_a_ragged_design_keeps_its_numbers_of_ratings():
    subject = np.repeat(np.arange(40), 5)
    ratings = panel(["t=.5", "a=.5", "p=.5"], 40, 5)
    kept = ratings.keep((subject % 2 == 0) | (np.tile(np.arange(5), 40) < 2))
    wide, full = (finish(horizon(r, 1500)).quantiles["0.95"] for r in (kept, ratings))
    assert wide > full


@pytest.mark.parametrize(
    ("category", "said"), [([1, 1, 1, 1], "All ratings are in one class"), ([0, 1], "two ratings")]
)
def test_data_that_cannot_show_agreement_are_refused_in_a_sentence(category, said):
    subject = np.arange(len(category)) // (2 if len(category) > 2 else 1)
    n = int(subject.max()) + 1
    zeros = np.zeros(len(category), dtype=int)
    ratings = Ratings(subject, zeros, np.array(category), tuple("ABCD"[:n]), ("x",), ("0", "1"), raters_known=False)
    for run in (chance(ratings), horizon(ratings)):
        with pytest.raises(CannotAnswerError, match=said):
            finish(run)


def test_what_no_simulated_data_set_reached_is_said_as_a_bound():
    test = bootstrap_test("x", 9.0, None, np.arange(5.0), "")
    assert test.how_often == "less than 1 time in 5"


def test_a_p_value_counts_the_data_themselves_and_ties():
    test = bootstrap_test("x", 1.0, None, np.array([0.0, 1.0, 2.0]), "")
    assert test.p_bootstrap == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.2, "1 time in 5"), (0.00398, "1 time in 250"), (0.8, "more often than not"), (0.5, "about every second time")],
)
def test_probabilities_are_said_as_people_say_them(p, said):
    assert one_in(p) == said


def test_where_a_rater_repeats_it_is_said_that_the_root_is_not_that_of_the_coefficient():
    ratings = read_now("sample:dawid-skene-1979", ReadingOptions()).ratings
    found = finish(horizon(ratings, 200))
    coefficient = next(c.estimate.value for c in finish(agree(ratings)) if c.name == "fleiss_kappa")
    assert abs(found.root_kappa - coefficient**0.5) > 0.01
    assert found.repeated
    assert "its root is another number" in words.horizon(found, SCREEN)
    assert "its root is another number" in horizon_figure(found, ratings).note
    once = ratings.keep(ratings.rater > 0)
    alone = finish(horizon(once, 200))
    assert not alone.repeated
    assert "another number" not in words.horizon(alone, SCREEN)
    value = next(c.estimate.value for c in finish(agree(once)) if c.name == "fleiss_kappa")
    assert alone.root_kappa == pytest.approx(value**0.5)
    # Marked on a curve of the likelihood it is the root of the coefficient in any case.
    assert root_kappa(ratings) == pytest.approx(coefficient**0.5)
