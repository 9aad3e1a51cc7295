"""Ratings simulated from the models of cases that differ and of ordered classes, on the command line."""

import csv
import re

import numpy as np
import pytest

from tapdesk.models.difficulty import MOST_SIGMA
from tapdesk.models.model import CASE_MODELS, DIFFICULTY_MODELS, NEAR_MODELS, ORDERED_MODELS, model
from tapdesk.models.parameter_text import parse_parameters

RATERS = ("J1", "J2", "J3")
EVERY = (*CASE_MODELS, *DIFFICULTY_MODELS, *NEAR_MODELS, *ORDERED_MODELS)


def parse(name, *texts, classes=("lo", "mid", "hi")):
    return parse_parameters(model(name, EVERY), texts, classes, RATERS)


@pytest.fixture
def simulated(answered, tmp_path):
    """The rows made, the true classes of the cases, and the answer."""

    def simulate(name, *params, subjects=4000, raters=3):
        out, truth = tmp_path / "made.csv", tmp_path / "truth.csv"
        words = [word for p in params for word in ("--param", p)]
        size = ("--subjects", str(subjects), "--raters", str(raters), "--classes", "lo,mid,hi")
        answer = answered("simulate", "--model", name, *words, *size, "-o", str(out), "--truth-out", str(truth))
        with out.open(newline="") as one, truth.open(newline="") as other:
            return list(csv.DictReader(one)), {r["subject"]: r["truth"] for r in csv.DictReader(other)}, answer

    return simulate


def right(rows, truth):
    """Share of right ratings by case, shape (cases,)."""
    by_case = {}
    for row in rows:
        by_case.setdefault(row["subject"], []).append(row["rating"] == truth[row["subject"]])
    return np.array([np.mean(v) for v in by_case.values()])


def test_hard_cases_are_guessed(simulated):
    rows, truth, answer = simulated("t-ah-p", "t=0,0,1", "a=1", "p=.5,.5,0", "h=.3")
    shares = right(rows, truth)
    assert set(shares.tolist()) == {0.0, 1.0}
    assert (shares == 0).mean() == pytest.approx(0.3, abs=0.03)
    assert answer["asymptotic"] is None


def test_accuracies_of_cases_spread_as_asked(simulated):
    rows, truth, _answer = simulated("t-ai-p", "t=0,0,1", "a=.6", "p=.5,.5,0", "rho=.4", raters=2)
    shares = right(rows, truth)
    assert shares.mean() == pytest.approx(0.6, abs=0.03)
    # E a_i^2 = a^2 + rho a (1 - a), models_more.md section 3.
    assert (shares == 1).mean() == pytest.approx(0.6**2 + 0.4 * 0.6 * 0.4, abs=0.03)


def test_misleading_cases_are_misjudged_alike(simulated):
    rows, _truth, _answer = simulated("t-a-pi", "t=0,0,1", "a=0", "p=.5,.5,0", "rho=.5", raters=2)
    said = {}
    for row in rows:
        said.setdefault(row["subject"], []).append(row["rating"])
    assert np.mean([a == b for a, b in said.values()]) == pytest.approx(0.5 + 0.5 * 0.5, abs=0.03)


def test_raters_keep_their_accuracies_over_cases_of_all_difficulties(simulated):
    rows, truth, _answer = simulated("t-aij-p", "t=0,0,1", "a=.5,.7,.9", "p=.5,.5,0", "sigma=2")
    for rater, a in zip(RATERS, (0.5, 0.7, 0.9), strict=True):
        own = [row["rating"] == truth[row["subject"]] for row in rows if row["rater"] == rater]
        assert np.mean(own) == pytest.approx(a, abs=0.03)
    shares = right(rows, truth)
    assert (shares == 1).mean() > 0.5 * 0.7 * 0.9 + 0.03


def test_near_misses_fall_next_to_the_truth(simulated):
    rows, truth, _answer = simulated("t-an-p", "t=1,0,0", "a=.5", "p=0,0,1", "n=.8")
    said = np.array([row["rating"] for row in rows])
    assert set(truth.values()) == {"lo"}
    assert (said == "mid").mean() == pytest.approx(0.5 * 0.8, abs=0.03)
    assert (said == "hi").mean() == pytest.approx(0.5 * 0.2, abs=0.03)


def test_ordered_classes_follow_cut_points_and_discriminations(simulated):
    rows, _truth, answer = simulated("sdt", "t=0,0,1", "d=1", "d[J2]=2", "tau=1,2", "tau[J3]=2,3", subjects=6000)
    for rater, (d, low) in {"J1": (1, 1), "J2": (2, 1), "J3": (1, 2)}.items():
        own = np.array([row["rating"] for row in rows if row["rater"] == rater])
        assert (own == "lo").mean() == pytest.approx(1 / (1 + np.exp(2 * d - low)), abs=0.03)
    assert answer["asymptotic"] is not None


def test_numbers_of_one_rater_stand_above_those_of_all():
    point = parse("sdt", "t=.3,.4,.3", "tau[J2]=-1,0", "d=1,2,3", "tau=1,2")
    assert point.slopes.tolist() == [1, 2, 3, 1, 2, -1, 0, 1, 2]
    assert parse("sdt-1", "t=.3,.4,.3", "d=2", "tau=1,2").slopes.tolist() == [2, 1, 2]
    assert parse("t-aij-p", "t=.3,.4,.3", "a=.5", "p=.3,.3,.4", "sigma=2").spread.tolist() == [2 / MOST_SIGMA]


@pytest.mark.parametrize(
    ("name", "params", "said"),
    [
        ("t-ah-p", ("t=.3,.4,.3", "a=.5", "p=.3,.3,.4"), "needs h"),
        ("t-ah-p", ("t=.3,.4,.3", "a=.5", "p=.3,.3,.4", "h=1.2"), "between 0 and 1"),
        ("t-ah-p", ("t=.3,.4,.3", "a=.5", "p=.3,.3,.4", "rho=.2"), "no parameter 'rho'"),
        ("t-aij-p", ("t=.3,.4,.3", "a=.5", "p=.3,.3,.4", "sigma=-1"), "sigma is one number from 0 to 10"),
        ("sdt", ("t=.3,.4,.3", "d=1", "tau=2,1"), "The lines between the classes must rise."),
        ("sdt", ("t=.3,.4,.3", "d=1", "tau=2"), "The number of values for tau is 1, not 2."),
        ("sdt-1", ("t=.3,.4,.3", "d=1", "tau[J1]=1,2"), "shared by all raters"),
        ("sdt", ("t=.3,.4,.3", "d[J1]=1", "tau=1,2"), "needs d[J2]"),
        ("sdt", ("t=.3,.4,.3", "d=1", "tau=1,2", "a=.5"), "no parameter 'a'"),
    ],
)
def test_what_cannot_be_simulated_says_why(told, name, params, said):
    words = [word for p in params for word in ("--param", p)]
    status, _out, err = told(
        "simulate", "--model", name, *words, "--subjects", "9", "--raters", "3", "--classes", "lo,mid,hi"
    )
    assert status != 0
    assert said in re.sub(r"\s+", " ", err)
    assert ("Give them from the lowest to the highest." in err) is ("must rise" in said)


def test_patterns_of_cases_that_differ_are_not_listed(told):
    params = [word for p in ("t=.5", "a=.5", "p=.5", "h=.1") for word in ("--param", p)]
    status, _out, err = told("simulate", "--model", "t-ah-p", *params, "--subjects", "9", "--raters", "3", "--exact")
    assert status != 0
    assert "random ratings are made" in re.sub(r"\s+", " ", err)
