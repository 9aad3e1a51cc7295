"""Single raters by what their ratings tell, and single ratings that surprise."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.answers import model_checks as words
from tapdesk.answers.figures.raters import information
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import GROUP_MODELS, model
from tapdesk.models.parameters import Parameters
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.contrasts import information_contrasts
from tapdesk.studies.rater_diagnostics import leave_one_out, rater_information, rater_informations, unexpected_ratings
from tapdesk.studies.recovery import shared_point
from tests.studies.examples import panel


def fitted(ratings, name="t-a-p"):
    return finish(ExactEM().run(model(name), ratings, 1))


JURY = panel(["t=.4,.3,.3", "a=.5", "p=.3,.4,.3"], 120, 4, classes=("x", "y", "z"), seed=3)


@pytest.mark.parametrize(
    ("rates", "share"),
    [
        ([[1, 0], [0, 1]], 1),  # perfect
        ([[0.7, 0.3], [0.7, 0.3]], 0),  # guesses
        ([[1, 0], [1, 0]], 0),  # always the same class, however often that is right
        ([[0, 1], [1, 0]], 1),  # reversed: all can be learnt from one who is always wrong
        ([[0.75, 0.25], [0.25, 0.75]], 1 - 0.8113),  # models.md §4: t = a = p = 1/2 leaves .8113 bits
    ],
)
def test_information_is_0_of_who_says_nothing_and_1_of_who_settles_the_case(rates, share):
    truth = np.array([0.5, 0.5]) if share == 1 - 0.8113 else np.array([0.2, 0.8])
    point = Parameters(truth, np.zeros((1, 1)), np.array([rates], dtype=float), np.zeros(0))
    assert rater_information(point) == pytest.approx([share], abs=1e-4)


@given(
    st.lists(st.floats(0.02, 1), min_size=3, max_size=3),
    st.lists(st.floats(0.02, 1), min_size=3, max_size=3),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_information_rises_with_the_accuracy(truth, guesses, accuracies):
    t, p = np.array(truth) / sum(truth), np.array(guesses) / sum(guesses)
    low, high = (float(rater_information(shared_point(list(t), a, list(p)))[0]) for a in sorted(accuracies))
    assert 0 <= low <= high + 1e-9 <= 1 + 1e-9


def test_a_truth_of_one_class_leaves_nothing_to_tell():
    assert np.isnan(rater_information(shared_point([0, 1], 0.5, [0.5, 0.5]))).all()


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
    found = unexpected_ratings(ratings, fitted(ratings), 3)
    assert found.rating[0] == 5
    assert found.probability[0] < 0.05


def test_information_runs_over_the_interval_of_the_accuracy_of_each_rater():
    fit = finish(analyse(JURY, Request(model("t-aj-p"))))
    found = rater_informations(fit)
    t, p = fit.parameters.truth, fit.parameters.guessing[0, 0]
    for j, told in enumerate(found):
        a = fit.estimate("a", rater=fit.raters[j])

        def information(accuracy, p=p):
            joint = t[:, None] * ((1 - accuracy) * np.tile(p, (3, 1)) + accuracy * np.eye(3))
            entropy = [-(x * np.log(x)).sum() for x in (t, joint.sum(axis=0), joint)]
            return float((entropy[0] + entropy[1] - entropy[2]) / entropy[0])

        assert told.value == pytest.approx(information(a.value))
        assert (told.low, told.high) == pytest.approx((information(a.low), information(a.high)))
        assert told.low <= told.value <= told.high
    without = rater_informations(finish(analyse(JURY, Request(model("t-aj-p"), interval="none"))))
    assert all(e.low is None for e in without)


def told_of(ratings, name="t-aj-p"):
    """The title of the picture of information, and the sentence beside it."""
    fit = finish(analyse(ratings, Request(model(name))))
    names, compared = finish(information_contrasts(ratings, fit))
    said = words.informations(fit, rater_informations(fit), names, compared)
    return information(fit, names, compared).title, said


def test_raters_are_put_in_order_by_what_they_tell_only_where_that_clearly_differs():
    alike, far = (panel(["t=.5", f"a={a}", "p=.5"], 300, 4, name="t-aj-p") for a in (".7,.7,.7,.7", ".2,.7,.7,.95"))
    title, said = told_of(alike)
    assert title == "Nobody’s ratings clearly tell more than those of another"
    assert said.startswith("No rater’s ratings clearly tell more: ")
    assert "so the order may be luck" in said
    title, said = told_of(far)
    assert title == "A rating of J4 tells more than one of J1"
    assert said.startswith("A rating of J4 settles more of what is open about a case (")
    assert "luck" not in said
    same = replace(panel(["t=.5", "a=1", "p=.5"], 30, 4), category=np.repeat([1, 0, 0] * 10, 4))
    assert told_of(same)[0] == "Nobody’s ratings clearly tell more than those of another"


def test_without_the_differences_nothing_is_said_of_an_order():
    fit = finish(analyse(JURY, Request(model("t-aj-p"))))
    assert information(fit).title == "How much a rating of each rater tells"
    assert "was not worked out" in words.informations(fit, rater_informations(fit), (), None)


def test_information_of_a_constant_a_reversed_a_perfect_and_a_guessing_rater():
    # Six raters of a yes-or-no question, by what they do: three good ones, then one of each kind.
    rng = np.random.default_rng(8)
    n = 400
    truth = rng.random(n) < 0.5
    good = [np.where(rng.random(n) < 0.85, truth, ~truth) for _ in range(3)]
    table = np.stack([*good, np.ones(n, bool), ~truth, truth, rng.random(n) < 0.5], axis=1).astype(np.int64)
    names = ("A", "B", "C", "constant", "reversed", "perfect", "guessing")
    ratings = Ratings(
        np.repeat(np.arange(n), 7), np.tile(np.arange(7), n), table.reshape(-1), tuple(map(str, range(n))), names,
        ("no", "yes"),
    )  # fmt: skip
    found = {}
    for name in ("t-aj-pj", "dawid-skene"):
        fit = finish(analyse(ratings, Request(model(name), interval="none")))
        found[name] = {r: e.value for r, e in zip(fit.raters, rater_informations(fit), strict=True)}
    for told in found.values():
        assert told["constant"] == pytest.approx(0.0, abs=1e-6)
        assert told["guessing"] < 0.02
        assert told["perfect"] > 0.9
        assert told["constant"] < told["guessing"] + 1e-6 < told["A"] < told["perfect"]
    # Who always says the opposite tells everything to a model that may see it; one that may not has no number of them.
    assert found["dawid-skene"]["reversed"] > 0.9
    assert found["t-aj-pj"]["reversed"] is None


def test_what_a_rating_tells_is_no_one_number_where_groups_differ_in_truth():
    columns = {"ward": Covariate("ward", CovariateOf.SUBJECT, np.array(["a", "b"] * 20, dtype=object))}
    rng = np.random.default_rng(1)
    subject, rater = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    names, raters = [str(i) for i in range(40)], ["A", "B", "C"]
    category = (subject % 2) ^ (rng.random(120) < 0.2)
    ratings = Ratings.of(subject, rater, category, names, raters, ["no", "yes"], covariates=MappingProxyType(columns))
    fit = finish(ExactEM().run(replace(model("tg-aj-p", GROUP_MODELS), groups="ward"), ratings, 1))
    for e in rater_informations(fit):
        assert e.value is None
        assert "Classes are not equally common in all groups" in e.undefined
