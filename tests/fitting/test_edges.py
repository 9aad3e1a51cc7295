"""What is told at the edges of the parameter space, and what is held is held."""

import numpy as np
import pytest

from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tests.tables import counted


def fitted(name: str, ratings: Ratings) -> Fit:
    return finish(ExactEM().run(model(name), ratings, 1))


def named(cells: list[list[int]], classes: list[str]) -> Ratings:
    """Ratings by known raters, one row per subject."""
    table = np.array(cells)
    subject, rater = np.indices(table.shape).reshape(2, -1)
    names = [f"S{i}" for i in range(table.shape[0])], [f"J{j}" for j in range(table.shape[1])]
    return Ratings.of(subject, rater, table.ravel(), *names, classes, raters_known=True)


def test_the_rates_of_dawid_skene_are_the_shares_of_the_expected_counts():
    rng = np.random.default_rng(3)
    true = rng.integers(0, 2, 60)
    cells = np.where(rng.random((60, 4)) < 0.75, true[:, None], rng.integers(0, 2, (60, 4)))
    ratings = named(cells.tolist(), ["no", "yes"])
    point = fitted("dawid-skene", ratings).parameters
    # One plain E-M step, written out: at a maximum it changes nothing.
    joint = np.tile(point.truth, (60, 1))
    for j in range(4):
        joint *= point.guessing[j][:, cells[:, j]].T
    q = joint / joint.sum(axis=1, keepdims=True)
    for j in range(4):
        after = np.stack([q[cells[:, j] == c].sum(axis=0) for c in range(2)], axis=1) / q.sum(axis=0)[:, None]
        assert point.guessing[j] == pytest.approx(after, abs=1e-7)


def test_observed_rates_that_are_zero_stay_zero():
    table = counted((10, 3, 4, 0), 3)
    declared = Ratings.of(
        table.subject,
        table.rater,
        table.category,
        table.subjects,
        table.raters,
        ["0", "1", "never"],
        raters_known=False,
        weight=table.weight,
    )
    two, three = fitted("P-a-P", table), fitted("P-a-P", declared)
    assert three.log_likelihood.ratings == pytest.approx(two.log_likelihood.ratings, abs=1e-9)
    assert three.estimate("t", category="never").value == 0


@pytest.mark.parametrize("name", ["t-a-t", "P-a-P"])
def test_an_accuracy_that_belongs_on_zero_is_told_as_zero(name: str):
    fit = fitted(name, counted((998, 2, 0)))
    assert fit.estimate("a").value == 0
    assert fit.active_bounds == ("a = 0",)


@pytest.mark.parametrize("name", ["t-a-p", "t-a0a1-p", "t-a0a1-p0p1"])
def test_ratings_that_agree_less_than_chance_determine_nothing(name: str):
    fit = fitted(name, counted((0, 10, 20, 10, 0)))
    assert not fit.identification.identified
    assert all(e.estimate.value is None for e in fit.estimates)


def test_with_one_class_in_use_the_saturated_model_determines_nothing():
    fit = fitted("dawid-skene", named([[0, 0, 0]] * 9, ["no", "yes"]))
    assert fit.log_likelihood.ratings == pytest.approx(0, abs=1e-9)
    assert not fit.identification.identified
    assert all(e.estimate.value is None for e in fit.estimates)


def test_with_two_ratings_the_identified_set_of_accuracies_by_class_holds_that_of_one_accuracy():
    table = counted((20, 6, 4))
    one = {r.name.name: (r.low, r.high) for r in fitted("t-a-p", table).identification.ranges}
    two = {r.name.name: (r.low, r.high) for r in fitted("t-a0a1-p", table).identification.ranges}
    for mine, theirs in (("t", "t"), ("a", "a0"), ("a", "a1"), ("p", "p")):
        assert two[theirs][0] <= one[mine][0] + 1e-9
        assert two[theirs][1] >= one[mine][1] - 1e-9
    # Mean 7/30 and covariance 4/30 - (7/30)^2 of two ratings, with mu1 = 1 and mu0 = 0 at the ends.
    m, v = 7 / 30, 4 / 30 - (7 / 30) ** 2
    assert two["t"] == pytest.approx((v / (v + (1 - m) ** 2), m**2 / (v + m**2)))


def test_one_rater_who_never_errs_does_not_hide_how_the_others_guess():
    rng = np.random.default_rng(8)
    true = rng.integers(0, 2, 200)
    knows = rng.random((200, 4)) < np.array([1.0, 0.7, 0.6, 0.4])
    cells = np.where(knows, true[:, None], rng.random((200, 4)) < 0.7).astype(int)
    fit = fitted("t-aj-p", named(cells.tolist(), ["no", "yes"]))
    assert fit.estimate("a", rater="J0").value == pytest.approx(1, abs=1e-6)
    assert fit.estimate("p").value == pytest.approx(0.7, abs=0.1)
    assert fit.identification.identified
    own = fitted("t-aj-pj", named(cells.tolist(), ["no", "yes"]))
    assert own.estimate("p", rater="J0").value is None
    assert own.estimate("p", rater="J1").value == pytest.approx(0.7, abs=0.15)


def test_a_class_that_is_always_seen_does_not_hide_guesses_about_the_others():
    rng = np.random.default_rng(9)
    true = rng.integers(0, 3, 300)
    knows = rng.random((300, 5)) < np.array([1.0, 0.6, 0.4])[true][:, None]
    cells = np.where(knows, true[:, None], rng.choice(3, (300, 5), p=(0.5, 0.3, 0.2)))
    fit = fitted("t-ak-p", named(cells.tolist(), ["a", "b", "c"]))
    assert fit.estimate("a", category="a").value > 0.99
    assert fit.estimate("p", category="a").value == pytest.approx(0.5, abs=0.08)


def test_of_many_raters_on_an_edge_the_finding_names_the_first_and_counts_the_others():
    fit = fitted("t-aj-pj", named(np.tile([[0], [1], [1]], (1, 30)).tolist(), ["no", "yes"]))
    (told,) = [f for f in fit.findings if f.code == "degenerate"]
    assert len(fit.active_bounds) > 8
    assert told.message.endswith(f"and {len(fit.active_bounds) - 8} more.")
