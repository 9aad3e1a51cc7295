"""A study that cannot answer says which piece and why, and the rest goes on."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.design_study import plan
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.rater_diagnostics import rating_calibration
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.scan import pairs, scan
from tapdesk.studies.subsets import group_table, influence
from tests.studies.examples import panel

QUICK = Request(model("t-a-p"), interval="none")
GRADES = ("low", "mid", "high")


def table(rows: list[str], classes: tuple[str, ...] = GRADES) -> Ratings:
    """One row of first letters for each subject, one column for each rater."""
    letters = {c[0]: i for i, c in enumerate(classes)}
    cells = [(i, j, letters[x]) for i, row in enumerate(rows) for j, x in enumerate(row) if x in letters]
    subject, rater, category = (np.array(column) for column in zip(*cells, strict=True))
    names = [str(i) for i in range(len(rows))]
    return Ratings.of(subject, rater, category, names, [f"J{j}" for j in range(len(rows[0]))], classes, ordered=True)


FEW = table(["lll", "mml", "mmm", "lml", "lll", "mmm", "llm", "mhm"])


def grouped(ratings: Ratings, values: list[object]) -> Ratings:
    column = Covariate("year", CovariateOf.SUBJECT, np.array(values, dtype=object))
    return replace(ratings, covariates=MappingProxyType({"year": column}))


def by_year(ratings: Ratings, request: Request = QUICK):
    return {row["year"]: row for row in finish(group_table(ratings, "year", request)).records()}


@pytest.mark.parametrize(("count", "words"), [(1, "Only 1 case has"), (2, "Only 2 cases have")])
def test_a_cut_with_too_few_cases_beyond_it_is_refused_with_their_number_and_the_others_go_on(count, words):
    rows = ["lll", "mml", "mmm", "lml", "lll", "mmm", "llm", *["mhm"] * count]
    first, last = finish(scan(table(rows), QUICK)).cuts
    assert first.refused is None
    assert first.free is not None
    assert last.refused == f"{words} a rating of 'high', too few to fit this cut: 3 are needed."
    assert last.free is last.tied is None
    # Kappa needs no model, and is told.
    assert last.kappa.value is not None


def test_three_cases_beyond_a_cut_are_enough_to_be_asked():
    rows = ["lll", "mml", "mmm", "lml", "lll", "mmm", "llm", "mhh", "hhm", "hhh"]
    assert [cut.refused for cut in finish(scan(table(rows), QUICK)).cuts] == [None, None]


def test_tallied_cases_count_as_often_as_they_stand_for():
    tallied = replace(FEW, weight=np.array([5, 5, 5, 5, 5, 5, 5, 3]))
    assert [cut.refused for cut in finish(scan(tallied, QUICK)).cuts] == [None, None]


def test_a_scan_of_which_no_cut_can_be_fitted_is_refused_with_a_reason():
    with pytest.raises(CannotAnswerError, match="No cut can be fitted\\. Only 1 case has a rating of 'low'"):
        finish(scan(table(["lmm", "mmm", "mmh", "mmm"]), QUICK))


def test_a_pair_of_classes_that_meets_too_seldom_is_undefined_and_the_others_go_on():
    told = {(p.first, p.second): p for p in finish(pairs(FEW, QUICK)).pairs}
    assert told["low", "mid"].accuracy.value is not None
    # One 'high' stands alone beside cases that are all 'low': nothing was compared, and kappa would be 1.
    alone = told["low", "high"]
    assert alone.accuracy.value is alone.kappa.value is alone.root_kappa.value is None
    assert "none is 'high'" in alone.accuracy.undefined
    assert "Only 1 case has a rating of 'high' to compare" in told["mid", "high"].accuracy.undefined


def test_groups_answer_one_by_one_and_those_that_cannot_say_why():
    ratings = panel(["t=.4", "a=.7", "p=.4"], 90, 4)
    first = ratings.subject < 40
    alike = (ratings.subject >= 40) & (ratings.subject < 60)
    ratings = replace(ratings, category=np.where(alike, 1, ratings.category))
    # Of the last group each case keeps one rating.
    ratings = ratings.keep((ratings.subject < 60) | (ratings.rater == 0))
    ratings = grouped(ratings, ["2023"] * 40 + ["2024"] * 20 + ["2025"] * 30)
    told = by_year(ratings)
    assert told["2023"]["why_not"] is None
    assert told["2023"]["cases"] == 40 == first.sum() / 4
    assert told["2023"]["a"] is not None
    assert told["2024"]["a"] is None
    assert told["2024"]["why_not"] == "All 80 ratings of group '2024' are '1', so there is nothing to tell apart."
    assert told["2025"]["why_not"] == "No case of group '2025' has two ratings, so there is no agreement to learn from."
    assert ratings.rating_count == 270


def test_an_empty_group_is_named():
    ratings = grouped(panel(["t=.4", "a=.7", "p=.4"], 40, 4), ["old"] * 20 + ["new"] * 20)
    emptied = replace(ratings, weight=np.array([1] * 20 + [0] * 20))
    told = by_year(emptied)
    assert told["new"]["why_not"] == "Group 'new' has no ratings, so it says nothing."
    assert told["old"]["a"] is not None


def test_a_group_of_a_few_cases_has_no_number_to_be_trusted():
    ratings = grouped(panel(["t=.4", "a=.7", "p=.4"], 40, 4), ["many"] * 36 + ["few"] * 4)
    told = by_year(ratings)
    assert told["few"]["why_not"] == "Only 4 cases have two ratings in group 'few', too few to fit: 5 are needed."
    assert told["many"]["a"] is not None


def test_a_group_that_the_model_refuses_carries_the_reason_and_the_others_go_on():
    ratings = grouped(panel(["t=.4", "a=.7", "p=.4"], 60, 4), ["full"] * 30 + ["gaps"] * 30)
    age = Covariate("age", CovariateOf.SUBJECT, np.array([i % 5 for i in range(45)] + [np.nan] * 15))
    ratings = replace(ratings, covariates=MappingProxyType({**ratings.covariates, "age": age}))
    by_age = replace(model("t-a(x)-p"), covariates=("age",))
    told = by_year(ratings, Request(by_age, interval="none"))
    assert told["gaps"]["why_not"] == "Group 'gaps': The column 'age' has gaps."
    assert told["gaps"]["t"] is None
    assert told["full"]["why_not"] is None
    assert 0 < told["full"]["t"] < 1


def test_a_study_of_groups_none_of_which_answers_is_refused():
    ratings = panel(["t=0", "a=1", "p=0"], 20, 3)
    with pytest.raises(CannotAnswerError, match="No group can answer\\. All 30 ratings of group 'a' are '0'"):
        by_year(grouped(ratings, ["a"] * 10 + ["b"] * 10))
    with pytest.raises(UsageError, match="There is no column 'month'"):
        finish(group_table(ratings, "month", QUICK))


def test_leaving_out_the_only_rater_who_shares_cases_leaves_a_gap_and_the_others_go_on():
    rows = ["lmx", "mmx", "lxl", "mxm", "lxm", "mlx"]
    rows = [row.replace("x", ".") for row in rows]
    found = {row["rater"]: row for row in finish(influence(table(rows, ("low", "mid")))).records()}
    # J0 shares cases with both others; without J0 no case has two ratings.
    assert found["J0"]["kappa"] is None
    assert found["J1"]["kappa"] is not None
    assert found["J2"]["kappa"] is not None


def test_sizes_of_a_plan_that_determine_nothing_are_marked_and_the_others_go_on():
    rows = finish(plan(shared_point([0.6, 0.4], 0.6, [0.5, 0.5]), (50,), (2, 4), replicates=20)).records()
    assert [row["identified"] for row in rows] == [False, True]
    assert rows[0]["se"] is rows[0]["spread"] is None
    assert rows[1]["se"] > 0


def test_kappas_of_data_sets_with_one_class_are_counted_as_undefined_and_left_out_of_the_mean():
    found = finish(kappa_study(3, 2, rates=(0.02,), accuracies=(0.9,), replicates=40)).records()[0]
    assert found["undefined"] > 20
    assert found["kappa_mean"] is None or -1 <= found["kappa_mean"] <= 1
    never = finish(kappa_study(3, 2, rates=(0.0,), accuracies=(0.9,), replicates=5)).records()[0]
    assert (never["undefined"], never["kappa_mean"], never["kappa_sd"]) == (5, None, None)


def test_a_class_that_is_never_given_has_rates_of_zero_and_not_a_failure():
    ratings = table(["lml", "mmm", "lll", "mml"])
    found = rating_calibration(ratings, finish(analyse(ratings, QUICK)), 2)
    assert found.observed.max() == 0
    assert np.isfinite(found.modelled).all()
