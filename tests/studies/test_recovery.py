"""Known parameters come back, and a study gives the same table however it is run."""

import multiprocessing
from dataclasses import replace

import numpy as np
import pytest

from tapdesk.errors import UsageError
from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.models.model import model
from tapdesk.models.simulate import parse_parameters
from tapdesk.progress import finish
from tapdesk.studies.recovery import RecoveryPlan, Setting, four_classes, recover, shared_point, summary, tap_grid
from tapdesk.studies.simulated_data import complete_count_vectors


def test_four_classes_come_back_in_twenty_data_sets():
    # Kappa Zoo ch. 9: 100 x 5, t = (.1, .2, .3, .4), a = .5, p = (.4, .3, .2, .1), 20 data sets.
    table = finish(recover(four_classes()))
    assert len(table.rows) == 20
    for row in summary(table).records():
        assert abs(row["bias"]) < 3.5 * row["error_of_mean"], row
        assert row["sd"] < 0.08


def test_four_classes_come_back_without_much_bias_in_a_thousand_data_sets():
    for row in summary(finish(recover(four_classes(1000, seed=2)))).records():
        assert abs(row["bias"]) < 0.006, row


def test_the_table_does_not_depend_on_the_number_of_processes():
    plan = RecoveryPlan(model("t-a-p"), tap_grid().settings[300:340], 5)
    alone, two = finish(recover(plan)), finish(recover(plan, workers=2))
    assert alone.columns == two.columns
    assert alone.rows == two.rows


def test_more_data_sets_leave_the_first_ones_as_they_were_and_finished_ones_are_taken_over():
    few = finish(recover(four_classes(3)))
    many = finish(recover(four_classes(5)))
    assert few.columns == many.columns
    for column in many.columns:
        if column not in {"settled", "near_bound"}:
            assert few.numbers(column) == pytest.approx(many.numbers(column)[:3], abs=1e-6)
    resumed = finish(recover(four_classes(5), finished=few))
    assert resumed.rows[:3] == few.rows
    assert resumed.numbers("a")[3:] == pytest.approx(many.numbers("a")[3:], abs=1e-6)


def test_rows_of_another_study_are_not_taken_over():
    binary = RecoveryPlan(model("t-a-p"), (Setting(shared_point([0.5, 0.5], 0.5, [0.5, 0.5]), 20, 3),), 1)
    with pytest.raises(UsageError, match="from another study"):
        finish(recover(four_classes(), finished=finish(recover(binary))))


ODD = {0.1, 0.3, 0.5, 0.7, 0.9}


@pytest.fixture(scope="module")
def coarse():
    """Every other value of the paper's grid, so that it is quick."""
    everything = tap_grid()
    told = [
        s for s in everything.settings if {_one(s.parameters.truth[1]), _one(s.parameters.guessing[0, 0, 1])} <= ODD
    ]
    odd = tuple(s for s in told if _one(s.parameters.accuracy[0, 0]) in ODD)
    return finish(recover(RecoveryPlan(everything.model, odd, 1)))


def _one(x: float) -> float:
    return round(float(x), 1)


def recovers(table) -> None:
    """Accuracy and guessing come back and t too where accuracy is above .2; t is lost below (the paper's finding)."""
    a = table.numbers("true a")
    error = {x: np.abs(table.numbers(x) - table.numbers(f"true {x}")) for x in "tap"}
    strong, weak = a > 0.2, a <= 0.2
    assert error["a"][strong].mean() < 0.05
    assert error["p"][strong].mean() < 0.07
    assert error["t"][strong].mean() < 0.07
    assert error["t"][weak].mean() > 0.2
    assert np.corrcoef(table.numbers("a")[strong], a[strong])[0, 1] > 0.95


def test_a_and_p_come_back_and_t_is_lost_where_accuracy_is_small(coarse):
    # "Modeling Raters and Ratings": a and p stable, t poor for a <= .2; 300 x 5.
    assert len(coarse.rows) == 125
    recovers(coarse)


@pytest.mark.slow
def test_the_whole_grid_of_the_paper_says_the_same():
    table = finish(recover(tap_grid()))
    assert len(table.rows) == 729
    recovers(table)


def test_root_kappa_is_the_accuracy_where_truth_and_guessing_agree_only(coarse):
    table = coarse
    t, p, a = (table.numbers(f"true {x}") for x in "tpa")
    root = np.nan_to_num(table.numbers("root_kappa"))
    far = (np.abs(t - p) > 0.5) & (a < 0.9)
    same = t == p
    assert np.abs(root[same] - a[same]).mean() < 0.05
    assert np.abs(root[far] - a[far]).mean() > 0.1


@pytest.mark.parametrize("name", ["t-aj-p", "t-a(x)-p"])
def test_models_with_raters_of_their_own_come_back(name):
    # "Modeling Raters and Ratings": accuracies .1 .3 .5 .7 .9 at t = p = .4, 1000 x 5.
    texts = {"t-aj-p": ["t=.4", "a=.1,.3,.5,.7,.9", "p=.4"], "t-a(x)-p": ["t=.4", "b=.5,1", "p=.4"]}[name]
    raters = [f"J{j + 1}" for j in range(5)]
    point = parse_parameters(model(name), texts, ("0", "1"), raters)
    table = finish(recover(RecoveryPlan(model(name), (Setting(point, 1000, 5),), 4)))
    for row in summary(table).records():
        assert abs(row["bias"]) < (0.2 if row["parameter"].startswith("b") else 0.04), row


def test_the_exact_posterior_stands_beside_the_maximum_when_asked():
    settings = tuple(tap_grid().settings[i] for i in (0, 200, 364, 500, 728))
    asked = RecoveryPlan(model("t-a-p"), settings, 1, posterior=True)
    table, plain = finish(recover(asked)), finish(recover(replace(asked, posterior=False)))
    assert table.columns[: len(plain.columns)] == plain.columns
    here = complete_count_vectors(300, 5, 2)
    for s, row in enumerate(table.records()):
        rng = np.random.default_rng(np.random.SeedSequence(1, spawn_key=(s, 0)))
        patterns = replace(here.patterns, weight=here.draw(settings[s].parameters, 1, rng)[0])
        full = finish(posterior_by_quadrature("t-a-p", patterns))
        for name in "tap":
            told = full.summary(name)
            assert row[f"mean {name}"] == pytest.approx(told.mean, abs=2e-4)
            assert (row[f"low {name}"], row[f"high {name}"]) == pytest.approx((told.q05, told.q95), abs=5e-3)


def test_a_posterior_is_of_one_model_with_two_classes_only():
    with pytest.raises(UsageError, match="t-a-p with two classes"):
        finish(recover(replace(four_classes(2), posterior=True)))
    with pytest.raises(UsageError, match="t-a-p with two classes"):
        finish(recover(RecoveryPlan(model("t-a-t"), tap_grid().settings[:2], 1, posterior=True)))


def test_an_ended_study_leaves_no_processes():
    run = recover(RecoveryPlan(model("t-a-p"), tap_grid().settings, 40), workers=2)
    next(run)
    run.close()
    assert multiprocessing.active_children() == []


def test_an_empty_study_is_refused():
    with pytest.raises(UsageError, match="at least one"):
        finish(recover(RecoveryPlan(model("t-a-p"), (), 1)))
