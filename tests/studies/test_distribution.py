"""Observed and expected distributions, and the chances of votes."""

from math import comb

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import votes
from tapdesk.studies.distribution import binomial_band, distribution, expert_accuracy
from tapdesk.studies.recovery import shared_point
from tests.studies.examples import WINE, panel, tallied


def fitted(ratings, name="t-a-p"):
    return finish(ExactEM().run(model(name), ratings, 1))


def test_wine_is_far_from_random_and_near_the_model():
    ratings = tallied(WINE["1|2"])
    (part,) = finish(distribution(ratings, fitted(ratings))).parts
    assert part.observed == pytest.approx(np.array(WINE["1|2"]) / 183)
    rate = (43 + 2 * 25 + 3 * 15 + 4 * 10) / (4 * 183)
    binomial = [comb(4, k) * rate**k * (1 - rate) ** (4 - k) for k in range(5)]
    assert part.expected["random"] == pytest.approx(binomial)
    inside = {n: ((part.low <= e) & (e <= part.high)).sum() for n, e in part.expected.items()}
    assert inside["t-a-p"] == inside["expert"] == 5
    assert inside["random"] <= 1


@pytest.mark.parametrize("cut", WINE)
def test_the_expert_accuracy_is_the_fit_of_truth_and_guesses_at_the_observed_rate(cut):
    ratings = tallied(WINE[cut])
    assert expert_accuracy(ratings, 1) == pytest.approx(fitted(ratings, "P-a-P").estimate("a").value, abs=1e-6)


def test_there_is_no_expert_where_no_subject_has_two_ratings_or_all_are_alike():
    ratings = panel(["t=.3", "a=.6", "p=.5"], 40, 3)
    assert expert_accuracy(ratings.keep(ratings.rater == 0), 1) is None
    assert expert_accuracy(ratings.keep(ratings.category == 1), 1) is None
    single = ratings.keep(ratings.rater == 0)
    assert set(finish(distribution(single, fitted(ratings))).parts[0].expected) == {"random", "t-a-p"}


def test_every_distribution_sums_to_one_and_subjects_of_different_sizes_are_told_apart():
    ratings = panel(["t=.3", "a=.3,.6,.9,.2,.5", "p=.5"], 90, 5, name="t-aj-p")
    ragged = ratings.keep((ratings.subject + ratings.rater) % 3 != 0)
    found = finish(distribution(ragged, fitted(ragged, "t-aj-p"))).parts
    assert [part.ratings for part in found] == [None, 3, 4]
    assert sum(part.subjects for part in found[1:]) == found[0].subjects == 90
    for part in found:
        for share in (part.observed, *part.expected.values()):
            assert share.sum() == pytest.approx(1)


def test_a_model_with_raters_of_their_own_expects_what_simulation_gives():
    texts = ["t=.3", "a=.1,.5,.9", "p=.5"]
    ratings = panel(texts, 4000, 3, name="t-aj-p")
    part = finish(distribution(ratings, fitted(ratings, "t-aj-p"))).parts[0]
    again = panel(texts, 40_000, 3, name="t-aj-p", seed=2).counts()[:, 1]
    assert part.expected["t-aj-p"] == pytest.approx(np.bincount(again) / 40_000, abs=0.015)


def test_the_band_is_the_quantiles_of_subjects_drawn_anew():
    observed, n = np.array([0.1, 0.3, 0.6]), 200
    low, high = binomial_band(observed, n, 0.95)
    drawn = np.random.default_rng(1).multinomial(n, observed, size=20_000) / n
    for i, share in enumerate(np.quantile(drawn, [0.025, 0.975], axis=0)):
        assert (low, high)[i] == pytest.approx(share, abs=1.01 / n)


def test_a_share_of_none_or_all_has_no_band():
    low, high = binomial_band(np.array([0.0, 1.0]), 50, 0.95)
    assert low.tolist() == high.tolist() == [0.0, 1.0]


def test_the_check_carries_its_test_when_asked():
    ratings = tallied(WINE["2|3"])
    found = finish(distribution(ratings, fitted(ratings), replicates=30))
    assert found.test.name == "G2"
    assert found.category == "1"


def test_no_ratings_have_no_distribution():
    ratings = tallied(WINE["2|3"])
    empty = Ratings(*(np.zeros(0, int),) * 3, (), ("x",), ("0", "1"))
    with pytest.raises(CannotAnswerError, match="no ratings"):
        finish(distribution(empty, fitted(ratings)))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
def test_a_majority_of_two_classes_follows_the_binomial_formula_with_ties_split(size):
    t, a, p = 0.3, 0.5, 0.6
    high, low = a + (1 - a) * p, (1 - a) * p

    def share(rate, right):
        chances = [comb(size, k) * rate**k * (1 - rate) ** (size - k) for k in range(size + 1)]
        return sum(c * (right(k) + 0.5 * (2 * k == size)) for k, c in enumerate(chances))

    expected = t * share(high, lambda k: 2 * k > size) + (1 - t) * share(low, lambda k: 2 * k < size)
    found = votes(shared_point([1 - t, t], a, [1 - p, p]), [size])
    assert found.plurality[0] == pytest.approx(expected)
    assert found.model[0] >= expected - 1e-12


def test_votes_of_raters_without_error_are_always_right_and_certain():
    found = votes(shared_point([0.2, 0.3, 0.5], 1.0, [1 / 3] * 3), [1, 2, 5])
    assert found.plurality == pytest.approx(1)
    assert found.certain == pytest.approx(1)


def test_more_votes_are_right_more_often():
    found = votes(shared_point([0.2, 0.3, 0.5], 0.5, [1 / 3] * 3), [1, 3, 9])
    assert (np.diff(found.model) > 0).all()


def believed(ratings, name):
    return finish(analyse(ratings, Request(model(name), estimator="posterior")))


def mixed(fit, high, low):
    """What draws expect of four ratings, binomial by binomial."""
    drawn = {str(name): values for name, values in fit.draws.values.items()}
    k = np.arange(5)
    t, ways = drawn["t"][:, None], np.array([comb(4, i) for i in k])
    high, low = high(drawn)[:, None], low(drawn)[:, None]
    return (ways * (t * high**k * (1 - high) ** (4 - k) + (1 - t) * low**k * (1 - low) ** (4 - k))).mean(axis=0)


def test_what_a_posterior_expects_is_the_mean_over_its_draws_not_what_its_means_would_give():
    # Two accuracies are never determined: no point of the long ridge lies at the mean of all of them.
    ratings = tallied(WINE["2|3"])
    fit = believed(ratings, "t-ak-p")
    (part,) = finish(distribution(ratings, fit)).parts
    exact = mixed(fit, lambda d: d["a1"] + (1 - d["a1"]) * d["p"], lambda d: (1 - d["a0"]) * d["p"])
    assert part.expected["t-ak-p"] == pytest.approx(exact, abs=0.005)
    assert part.expected["t-ak-p"] == pytest.approx(part.observed, abs=0.02)
    assert ((part.low <= part.expected["t-ak-p"]) & (part.expected["t-ak-p"] <= part.high)).all()


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t"])
def test_a_posterior_of_one_accuracy_expects_the_mean_over_its_draws(name):
    ratings = tallied(WINE["2|3"])
    fit = believed(ratings, name)
    drawn = {str(key) for key in fit.draws.values}
    guess = "p" if "p" in drawn else "t"
    (part,) = finish(distribution(ratings, fit)).parts
    exact = mixed(fit, lambda d: d["a"] + (1 - d["a"]) * d[guess], lambda d: (1 - d["a"]) * d[guess])
    assert part.expected[name] == pytest.approx(exact, abs=0.005)


def test_a_posterior_of_four_classes_expects_in_all_what_was_seen_of_each():
    ratings = panel(["t=.3,.3,.2,.2", "a=.7", "p=.1,.2,.3,.4"], 120, 4, classes=("a", "b", "c", "d"))
    fit = finish(analyse(ratings, Request(model("t-a-p"), estimator="posterior", chains=4, draws=200)))
    rates = ratings.class_rates()
    for category in range(4):
        part = finish(distribution(ratings, fit, category)).parts[0]
        assert part.expected["t-a-p"].sum() == pytest.approx(1)
        assert part.expected["t-a-p"] @ np.arange(5) / 4 == pytest.approx(rates[category], abs=0.02)
