"""What a study of another size would tell, and kappa against the square of the accuracy."""

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.em import ExactEM
from tapdesk.models.model import model
from tapdesk.models.parameters import Parameters
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import accuracy_error, plan, plan_point, supposed, votes
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.simulated_data import complete_count_vectors
from tests.studies.examples import WINE, tallied

POINT = shared_point([0.7, 0.3], 0.5, [0.6, 0.4])


def test_the_width_falls_with_the_root_of_the_subjects():
    table = finish(plan(POINT, [100, 400], [5], replicates=0))
    width = table.numbers("width")
    assert width[0] == pytest.approx(2 * width[1], rel=1e-6)
    assert np.isnan(table.numbers("spread")).all()


def test_the_error_from_the_expected_information_is_that_of_a_fit_to_such_data():
    fit = finish(ExactEM().run(model("t-a-p"), tallied(WINE["1|2"]), 1))
    expected = accuracy_error(complete_count_vectors(183, 4, 2), fit.parameters)
    # The model fits these data well, so observed and expected information hardly differ.
    assert expected == pytest.approx(fit.estimate("a").se, rel=0.1)


def test_simulated_estimates_spread_as_the_width_says_where_the_study_is_large():
    record = finish(plan(POINT, [800], [6], replicates=400)).records()[0]
    assert record["spread"] == pytest.approx(record["width"], rel=0.2)
    assert record["low"] < 0.5 < record["high"]


def test_the_size_for_a_width_is_found_and_reaches_it():
    rows = finish(plan(POINT, [], [5, 8], width=0.2, replicates=200)).records()
    for row in rows:
        assert row["spread"] <= 0.2
        # Far fewer would not do.
        less = finish(plan(POINT, [row["subjects"] // 2], [row["raters"]], replicates=200)).records()[0]
        assert less["spread"] > 0.2
    assert rows[0]["subjects"] > rows[1]["subjects"]
    (large,) = finish(plan(POINT, [], [5], width=0.05, replicates=0)).records()
    assert large["width"] == pytest.approx(0.05, rel=0.001)


def test_a_width_that_no_number_of_cases_reaches_is_refused_with_the_reason():
    (two,) = finish(plan(POINT, [], [2], width=0.2, replicates=20)).records()
    assert two["identified"] is False
    with pytest.raises(CannotAnswerError, match="over 10,000,000 cases"):
        finish(plan(POINT, [], [3], width=0.0001, replicates=0))
    with pytest.raises(UsageError):
        finish(plan(POINT, [], [3], replicates=0))


def test_cases_are_classed_rightly_by_estimates_less_often_than_by_the_truth():
    few, many = finish(plan(shared_point([0.7, 0.3], 0.4, [0.6, 0.4]), [20, 2000], [3], replicates=200)).records()
    assert few["right"] == many["right"]
    assert few["right_estimated"] < few["right"] - 0.03
    assert many["right_estimated"] == pytest.approx(many["right"], abs=0.02)
    assert many["right_estimated"] <= many["right"] + 1e-9


@pytest.mark.parametrize("sets", [40, pytest.param(60, marks=pytest.mark.slow)])
def test_what_estimates_class_rightly_is_what_simulated_cases_show(sets):
    point, rng = shared_point([0.7, 0.3], 0.5, [0.6, 0.4]), np.random.default_rng(1)
    told = finish(plan(point, [40], [3], replicates=200)).records()[0]["right_estimated"]
    rates, right = point.rating_rates()[0], []
    for _set in range(sets):
        truth = rng.random(40) < 0.3
        ones = rng.binomial(3, np.where(truth, rates[1, 1], rates[0, 1]))
        weights = np.bincount(ones, minlength=4).astype(float)
        fit = finish(ExactEM().run(model("t-a-p"), tallied(weights), 1)).parameters
        own = fit.rating_rates()[0]
        k = np.arange(4)
        joint = fit.truth * np.stack([row[1] ** k * row[0] ** (3 - k) for row in own], axis=1)
        right.append((joint.argmax(axis=1)[ones] == truth).mean())
    assert told == pytest.approx(np.mean(right), abs=0.05)


def test_two_raters_of_two_classes_plan_nothing_and_say_so():
    record = finish(plan(POINT, [100], [2], replicates=50)).records()[0]
    assert record["identified"] is False
    assert record["width"] is None
    assert record["spread"] is None


def test_a_size_that_cannot_be_listed_says_why_and_the_others_are_planned():
    twelve = shared_point([1 / 12] * 12, 0.6, [1 / 12] * 12)
    few, many = finish(plan(twelve, [50], [3, 8], replicates=0)).records()
    assert few["width"] is not None
    assert few["why_not"] is None
    assert many["why_not"] == "With 8 raters there are too many patterns of ratings to list them."
    assert {many[name] for name in ("width", "spread", "classified", "right", "identified")} == {None}
    with pytest.raises(CannotAnswerError, match="too many patterns"):
        finish(plan(twelve, [50], [8], replicates=0))


def test_no_share_of_cases_is_above_one():
    chances = votes(shared_point([0.997, 0.003], 0.355, [0.27, 0.73]), range(1, 10))
    for share in (chances.certain, chances.model, chances.plurality):
        assert ((share >= 0) & (share <= 1)).all()


def test_more_raters_classify_more_subjects():
    right = finish(plan(POINT, [100], [3, 6, 12], replicates=0)).numbers("right")
    assert (np.diff(right) > 0).all()


@pytest.mark.parametrize(("subjects", "raters"), [([], [3]), ([100], [1]), ([0], [3])])
def test_sizes_that_cannot_be_are_refused(subjects, raters):
    with pytest.raises(UsageError, match="at least one case and two raters"):
        finish(plan(POINT, subjects, raters))


def test_raters_who_differ_have_no_common_plan():
    point = Parameters(POINT.truth, np.array([[0.2], [0.6]]), POINT.guessing, np.zeros(0))
    with pytest.raises(CannotAnswerError, match="all raters share"):
        finish(plan(point, [100], [3]))


def test_kappa_is_the_square_of_the_accuracy_where_truth_and_guessing_agree():
    # "Modeling Raters and Ratings": 25 panels of t and p, 49 accuracies, 500 x 5.
    table = finish(kappa_study())
    assert len(table.rows) == 25 * 49
    same = table.numbers("t") == table.numbers("p")
    mean, square, expected = (table.numbers(c) for c in ("kappa_mean", "a_squared", "kappa_expected"))
    assert expected[same] == pytest.approx(square[same])
    # The spread of a single kappa is largest at rates of .1 and .9, where 500 subjects leave about .04.
    assert np.abs(mean - expected).max() < 0.16
    assert np.abs(mean - expected).mean() < 0.02
    assert np.abs(expected[~same] - square[~same]).max() > 0.2


def test_kappa_of_many_data_sets_has_the_mean_of_the_formula():
    table = finish(kappa_study(rates=(0.3, 0.6), accuracies=(0.4, 0.8), replicates=400))
    for row in table.records():
        assert abs(row["kappa_mean"] - row["kappa_expected"]) < 4 * row["kappa_sd"] / 20 + 0.002, row


def test_a_study_of_one_rater_is_refused():
    with pytest.raises(UsageError, match="two raters"):
        finish(kappa_study(raters=1))


# Where a number lies on an edge -------------------------------------------------------------------------------------


def rated(rows, classes=("no", "yes"), raters_known=True):
    """Rows of ratings by as many raters, as indices of classes."""
    n, r = len(rows), len(rows[0])
    return Ratings(
        np.repeat(np.arange(n), r),
        np.tile(np.arange(r), n),
        np.array(rows).ravel(),
        tuple(f"c{i}" for i in range(n)),
        tuple(f"r{j}" for j in range(r)),
        classes,
        raters_known=raters_known,
    )


def fit_to(ratings, name="t-a-p", interval="profile"):
    return finish(analyse(ratings, Request(model(name), interval=interval)))


ALIKE = rated([[i % 2] * 5 for i in range(30)])
# Of people this would be two camps, and no luck.
HALF_AND_HALF = rated([[(i + j) % 2 for j in range(4)] for i in range(30)], raters_known=False)


def test_an_accuracy_found_at_one_is_planned_for_from_the_low_end_of_its_interval():
    fit = fit_to(ALIKE)
    assert fit.estimate("a").value == 1
    point = plan_point(fit, ALIKE)
    assert float(point.accuracy[0, 0]) == fit.estimate("a").low < 1
    assert np.array_equal(point.guessing[0, 0], point.truth)
    assert np.allclose(point.truth, (0.5, 0.5))
    assert supposed(fit) == (1, fit.estimate("a").low)
    record = finish(plan(point, [100], [5], replicates=20)).records()[0]
    assert 0 < record["width"] < 0.1


def test_an_accuracy_found_at_nothing_is_planned_for_from_the_high_end_of_its_interval():
    fit = fit_to(HALF_AND_HALF, "t-a-t")
    assert fit.estimate("a").value == 0
    point = plan_point(fit, HALF_AND_HALF)
    assert float(point.accuracy[0, 0]) == fit.estimate("a").high > 0
    assert np.allclose(point.truth, HALF_AND_HALF.class_rates())
    assert np.allclose(point.guessing[0, 0], HALF_AND_HALF.class_rates())


def test_on_an_edge_without_an_interval_there_is_nothing_to_plan_from_and_the_reason_says_so():
    with pytest.raises(CannotAnswerError, match="on the edge, at 1, without an interval"):
        plan_point(fit_to(ALIKE, interval="none"), ALIKE)
    with pytest.raises(CannotAnswerError, match="do not determine"):
        plan_point(fit_to(HALF_AND_HALF), HALF_AND_HALF)


def test_inside_the_estimates_themselves_are_planned_with():
    ratings = tallied(WINE["1|2"])
    fit = fit_to(ratings)
    assert plan_point(fit, ratings) is fit.parameters
    assert supposed(fit) is None


@pytest.mark.parametrize("truth", [[1.0, 0.0], [0.0, 1.0]])
def test_where_all_cases_are_truly_alike_nothing_is_called_sure(truth):
    with pytest.raises(CannotAnswerError, match="truly of one class"):
        finish(plan(shared_point(truth, 0.5, [0.5, 0.5]), [100], [5]))


@pytest.mark.parametrize("guessing", [[1.0, 0.0], [0.0, 1.0]])
def test_two_ratings_determine_nothing_though_guesses_lie_on_the_edge(guessing):
    """There p stands still and leaves two numbers for two shares, but values beside the edge fit as well."""
    point = shared_point([0.7, 0.3], 0.5, guessing)
    two, five = finish(plan(point, [200], [2, 5], replicates=40)).records()
    assert two["identified"] is False
    assert two["low"] is two["spread"] is two["width"] is None
    # An error by the information would take p for known; the simulated studies do not.
    assert five["identified"] is True
    assert five["width"] is None
    assert five["low"] < 0.5 < five["high"]
