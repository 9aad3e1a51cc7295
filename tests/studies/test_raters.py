"""Pairs of raters, single raters, single ratings, and models side by side."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.agreement.agree import agree
from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.estimate import Estimate
from tapdesk.fitting.exact_em import ExactEM
from tapdesk.models.catalog import model
from tapdesk.models.parameters import Parameters
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.report.figures.checks import entropies
from tapdesk.report.words import checks as words
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.comparison import compare_fits
from tapdesk.studies.independence import independence
from tapdesk.studies.influence import accuracy_without, influence
from tapdesk.studies.raters import leave_one_out, rater_entropies, rater_entropy, surprises
from tapdesk.studies.recovery import shared_point
from tests.studies.examples import WINE, panel, tallied


def fitted(ratings, name="t-a-p"):
    return finish(ExactEM().run(model(name), ratings, 1))


JURY = panel(["t=.4,.3,.3", "a=.5", "p=.3,.4,.3"], 120, 4, classes=("x", "y", "z"), seed=3)


def _copied(ratings: Ratings) -> Ratings:
    """The last rater's column replaced by the first one's."""
    table = ratings.category.reshape(-1, 4).copy()
    table[:, 3] = table[:, 0]
    return replace(ratings, category=table.reshape(-1))


def test_a_copied_column_is_found_and_only_it():
    copied = _copied(JURY)
    found = finish(independence(copied, fitted(copied), 300))
    assert list(zip(found.first[found.flagged], found.second[found.flagged], strict=True)) == [(0, 3)]
    assert found.observed[found.flagged] == pytest.approx(1)
    assert found.words.startswith("J1 and J4 agree more")


def test_raters_who_judge_by_themselves_are_left_in_peace():
    found = finish(independence(JURY, fitted(JURY), 300))
    assert not found.flagged.any()
    assert (found.p_adjusted >= found.p - 1e-12).all()
    assert found.words.startswith("No two raters")


def _six(seed: int, copies: float = 0.0) -> Ratings:
    """Six raters of different accuracy; the last one takes over some ratings of the first."""
    ratings = panel(["t=.5", "a=.4,.5,.6,.7,.6,.5", "p=.5"], 120, 6, name="t-aj-p", seed=seed)
    table = ratings.category.reshape(-1, 6).copy()
    copied = np.random.default_rng(seed).random(120) < copies
    table[copied, 5] = table[copied, 0]
    return replace(ratings, category=table.reshape(-1))


def test_a_rater_who_copies_half_the_time_is_found_although_the_fit_follows_the_copies():
    ratings = _six(0, 0.5)
    found = finish(independence(ratings, fitted(ratings, "t-aj-p"), 199))
    assert list(zip(found.first[found.flagged], found.second[found.flagged], strict=True)) == [(0, 5)]


@pytest.mark.slow
def test_pairs_of_independent_raters_stand_out_by_themselves_as_often_as_they_should():
    own, any_flagged = [], []
    for seed in range(60):
        ratings = _six(seed)
        found = finish(independence(ratings, fitted(ratings, "t-aj-p"), 150, seed))
        own.append((found.p < 0.05).mean())
        any_flagged.append(found.flagged.any())
    # Held at one fit the parameters would make both shares nearly 0.
    assert 0.03 < np.mean(own) < 0.075
    assert np.mean(any_flagged) < 0.15


def test_a_model_that_follows_every_pair_exactly_flags_none():
    ratings = _six(3).keep(np.tile([True, True, True, False, False, False], 120))
    found = finish(independence(ratings, fitted(ratings, "t-aj-pj"), 60))
    assert not found.flagged.any()
    assert np.isfinite(found.deviation).all()


def test_two_classes_are_judged_by_covariance_as_the_model_has_it():
    ratings = panel(["t=.4", "a=.3,.6,.9", "p=.5"], 4000, 3, name="t-aj-p")
    fit = fitted(ratings, "t-aj-p")
    found = finish(independence(ratings, fit, 200))
    a, t = fit.parameters.accuracy[:, 0], fit.parameters.truth
    assert found.measure == "covariance"
    # a_j a_l t (1 - t) (models.md §8)
    expected = a[found.first] * a[found.second] * t[0] * t[1]
    assert found.expected == pytest.approx(expected, abs=2e-3)
    assert found.shared.tolist() == [4000] * 3


def test_raters_without_names_have_no_pairs():
    with pytest.raises(CannotAnswerError, match="not known"):
        finish(independence(tallied(WINE["1|2"]), fitted(tallied(WINE["1|2"])), 10))


def test_leaving_out_a_guesser_raises_the_accuracy_and_leaving_out_an_expert_lowers_it():
    ratings = panel(["t=.4", "a=0,.6,.6,.6,1", "p=.5"], 500, 5, name="t-aj-p")
    change = finish(influence(ratings)).numbers("a_change")
    assert change[0] < -0.05
    assert change[4] > 0.05


@pytest.fixture(scope="module")
def without():
    """Each of the jury left out."""
    return finish(influence(JURY, level=0.9)).records()


def test_an_accuracy_without_a_rater_has_the_interval_of_the_same_ratings_fitted_by_themselves(without):
    row = without[2]
    alone = finish(analyse(JURY.keep(JURY.rater != 2), Request(model("t-a-p"), level=0.9))).estimate("a")
    assert row["rater"] == JURY.raters[2]
    assert (row["a"], row["a_low"], row["a_high"]) == pytest.approx((alone.value, alone.low, alone.high), abs=1e-6)
    assert accuracy_without(row) == Estimate(row["a"]).between(row["a_low"], row["a_high"], 0.9, "profile")


def test_on_the_edge_the_interval_without_a_rater_reaches_inside_and_holds_the_estimate():
    # The last rater guesses; without that one all agree, and the accuracy is 1.
    table = np.array([[1, 1, 1, 1, 0], [0, 0, 0, 0, 1]] * 8 + [[1, 1, 1, 1, 1], [0, 0, 0, 0, 0]] * 8)
    ratings = replace(panel(["t=.5", "a=1", "p=.5"], 32, 5), category=table.reshape(-1))
    *_others, last = finish(influence(ratings)).records()
    assert last["a"] == pytest.approx(1, abs=1e-6)
    assert 0.8 < last["a_low"] < 0.999
    assert last["a_high"] == pytest.approx(1, abs=1e-6)


def test_of_many_raters_those_who_move_the_accuracy_most_have_intervals(monkeypatch, without):
    monkeypatch.setattr("tapdesk.studies.influence.MOST_INTERVALS", 2)
    few = finish(influence(JURY, level=0.9)).records()
    most = sorted(without, key=lambda row: -abs(row["a_change"]))[:2]
    assert [row for row in few if row["a_low"] is not None] == sorted(most, key=lambda row: row["rater"])
    assert [row["a"] for row in few] == pytest.approx([row["a"] for row in without], abs=1e-9)
    assert all("have an interval" in row["note"] for row in few if row["a_low"] is None)
    assert all(accuracy_without(row).no_interval == row["note"] for row in few if row["a_low"] is None)


def test_influence_needs_three_known_raters():
    with pytest.raises(CannotAnswerError, match="at least three"):
        finish(influence(panel(["t=.4", "a=.5", "p=.5"], 30, 2)))


def test_with_three_raters_of_two_classes_nothing_is_said_of_what_two_leave_open():
    table = finish(influence(panel(["t=.4", "a=.5", "p=.5"], 60, 3)))
    assert {row["a"] for row in table.records()} == {None}
    assert all(row["kappa"] is not None for row in table.records())
    assert all(row["note"] and row["a_low"] is None for row in table.records())


def test_entropy_is_0_for_a_perfect_rater_and_1_for_an_even_guesser():
    assert rater_entropy(shared_point([0.2, 0.8], 1, [0.5, 0.5])) == pytest.approx([0])
    assert rater_entropy(shared_point([0.2, 0.8], 0, [0.5, 0.5])) == pytest.approx([1])
    # models.md §4: t = a = p = 1/2 gives .8113
    assert rater_entropy(shared_point([0.5, 0.5], 0.5, [0.5, 0.5])) == pytest.approx([0.8113], abs=1e-4)


def test_the_probability_of_a_rating_given_the_others_is_that_of_the_model():
    ratings = panel(["t=.3", "a=.6", "p=.5"], 40, 3)
    fit = fitted(ratings)
    rates, truth = fit.parameters.rating_rates()[0], fit.parameters.truth
    found = leave_one_out(ratings, fit)
    table = ratings.category.reshape(-1, 3)
    for i in (0, 7, 31):
        others = truth * rates[:, table[i, 1]] * rates[:, table[i, 2]]
        expected = (others * rates[:, table[i, 0]]).sum() / others.sum()
        assert found[3 * i] == pytest.approx(expected)


def test_a_rater_who_is_always_right_may_still_be_held_against_all_others():
    ratings = panel(["t=.3", "a=.6", "p=.5"], 40, 4)
    fit = fitted(ratings, "t-aj-p")
    a, p, t = np.array([1.0, 0.8, 0.8, 0.8]), np.array([0.5, 0.5]), np.array([0.7, 0.3])
    fit = replace(fit, parameters=Parameters(t, a[:, None], p.reshape(1, 1, 2), np.zeros(0)))
    rates = fit.parameters.rating_rates()
    table = ratings.category.reshape(-1, 4)
    found = leave_one_out(ratings, fit)
    for i in range(40):
        for j in range(4):
            others = t * np.prod([rates[m, :, table[i, m]] for m in range(4) if m != j], axis=0)
            assert found[4 * i + j] == pytest.approx((others * rates[j, :, table[i, j]]).sum() / others.sum())


def test_the_most_surprising_rating_is_one_against_all_others():
    table = np.array([[1, 1, 1, 1, 1, 0]] + [[1] * 6] * 20 + [[0] * 6] * 20)
    n = table.shape[0]
    ratings = Ratings(
        np.repeat(np.arange(n), 6),
        np.tile(np.arange(6), n),
        table.reshape(-1),
        tuple(map(str, range(n))),
        tuple("ABCDEF"),
        ("0", "1"),
    )
    found = surprises(ratings, fitted(ratings), 3)
    assert found.rating[0] == 5
    assert found.probability[0] < 0.05


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


def test_kappa_without_a_rater_is_the_coefficient_of_the_others_where_a_rater_repeats(monkeypatch):
    """Dawid and Skene's first anaesthetist rated each case three times: one vote of the coefficient, not three."""
    ratings = read_now("sample:dawid-skene-1979", ReadingOptions()).ratings

    def coefficient(of):
        found = finish(agree(of))
        return next(c.estimate for c in found if c.name == "fleiss_kappa" and c.weights == "identity")

    whole, table = coefficient(ratings), finish(influence(ratings))
    for j, row in enumerate(table.records()):
        alone = coefficient(ratings.keep(ratings.rater != j))
        told = (row["kappa"], row["kappa_low"], row["kappa_high"])
        assert told == pytest.approx((alone.value, alone.low, alone.high), abs=1e-12)
        assert row["kappa_change"] == pytest.approx(whole.value - alone.value, abs=1e-12)
    monkeypatch.setattr("tapdesk.studies.influence.MOST_INTERVALS", 2)
    assert finish(influence(ratings)).values("kappa") == table.values("kappa")


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


def test_entropies_run_over_the_interval_of_the_accuracy_of_each_rater():
    fit = finish(analyse(JURY, Request(model("t-aj-p"))))
    found = rater_entropies(fit)
    p = fit.parameters.guessing[0, 0]
    for j, told in enumerate(found):
        a = fit.estimate("a", rater=fit.raters[j])

        def krits(accuracy, p=p):
            rates = (1 - accuracy) * np.tile(p, (3, 1)) + accuracy * np.eye(3)
            return float(-(rates * np.log(rates)).sum(axis=1).mean() / np.log(3))

        assert told.value == pytest.approx(krits(a.value))
        every = [krits(x) for x in np.linspace(a.low, a.high, 400)]
        assert (told.low, told.high) == pytest.approx((min(every), max(every)), abs=2e-3)
        assert told.low <= told.value <= told.high
    without = rater_entropies(finish(analyse(JURY, Request(model("t-aj-p"), interval="none"))))
    assert all(e.low is None for e in without)


def test_raters_whose_entropies_meet_are_not_put_in_order_without_saying_so():
    alike, far = (panel(["t=.5", f"a={a}", "p=.5"], 300, 4, name="t-aj-p") for a in (".7,.7,.7,.7", ".2,.7,.7,.95"))
    titles = {}
    for name, ratings in (("alike", alike), ("far", far)):
        fit = finish(analyse(ratings, Request(model("t-aj-p"))))
        (figure,) = entropies(fit, ratings)
        titles[name] = figure.title
        said = words.entropies(fit.raters, rater_entropies(fit))
        assert ("intervals meet" in said) == (name == "alike")
    assert "but their intervals meet" in titles["alike"]
    assert titles["far"] == "A rating of J4 leaves least open, one of J1 most"
    same = replace(panel(["t=.5", "a=1", "p=.5"], 30, 4), category=np.repeat([1, 0, 0] * 10, 4))
    (figure,) = entropies(finish(analyse(same, Request(model("t-aj-p")))), same)
    assert figure.title == "A rating of every rater leaves about as much open"


def test_few_shared_cases_are_no_proof_that_raters_judge_by_themselves():
    few, more = (panel(["t=.5", "a=.6", "p=.5"], n, 3) for n in (6, 60))
    told = [finish(independence(r, fitted(r), 40)) for r in (few, more)]
    assert not told[0].flagged.any()
    assert told[0].words.endswith("share more than 6 cases: too few to show it.")
    assert "too few" not in told[1].words
