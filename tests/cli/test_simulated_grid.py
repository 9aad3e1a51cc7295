"""Ratings simulated from the models of cases that differ and of ordered classes, on the command line."""

import csv
import re

import numpy as np
import pytest

from tapdesk.models.difficulty import MOST_SIGMA
from tapdesk.models.model import (
    CASE_MODELS,
    DIFFICULTY_MODELS,
    GROUP_MODELS,
    NEAR_MODELS,
    ORDERED_MODELS,
    Accuracy,
    model,
)
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


GROUPS = ("--groups", "n,s")


@pytest.mark.parametrize("row", GROUP_MODELS, ids=lambda row: row.name)
def test_ratings_of_every_model_of_groups_are_found_again(told, answered, tmp_path, row):
    """Two groups that differ in all the model has of its own, with the true classes beside."""
    made, truth = tmp_path / "made.csv", tmp_path / "truth.csv"
    asked = {"t": (0.2, 0.7), "a": (0.9, 0.6), "p": (0.3, 0.6)}
    params = []
    for part, sharing in (("t", row.truth), ("a", row.accuracy), ("p", row.guessing)):
        if row.accuracy is Accuracy.NONE and part != "t":
            continue
        values = zip("ns", asked[part], strict=True) if sharing.by_group else (("", asked[part][0]),)
        params += [f"{part}[{group}]={value}" if group else f"{part}={value}" for group, value in values]
    params += ["pi[0]=.8,.2", "pi[1]=.1,.9"] if row.accuracy is Accuracy.NONE else []
    words = [word for p in params for word in ("--param", p)]
    size = ("--subjects", "6000", "--raters", "4", *GROUPS, "-o", str(made), "--truth-out", str(truth))
    status, _out, err = told("simulate", "--model", row.name, *words, *size)
    assert status == 0, err
    fit = answered("fit", str(made), "--model", row.name, "--by", "group", "--interval", "none")["fits"][0]
    for e in fit["estimates"]:
        if e["name"] in asked:
            which = "ns".index(e["group"]) if e["group"] else 0
            assert e["value"] == pytest.approx(asked[e["name"]][which], abs=0.07), e
    with truth.open(newline="") as file:
        true = [int(r["truth"]) for r in csv.DictReader(file)]
    share = asked["t"][1] if row.truth.by_group else asked["t"][0]
    assert np.mean(true[1::2]) == pytest.approx(share, abs=0.03)


def test_copies_of_the_answer_before_are_found_again(told, answered, tmp_path):
    made = tmp_path / "made.csv"
    words = ("--param", "t=.4", "--param", "a=.8,.7,.6", "--param", "p=.5", "--param", "m[J1]=.1", "--param", "m=.5")
    size = ("--subjects", "4000", "--raters", "3", "--repeats", "3000", "-o", str(made))
    assert told("simulate", "--model", "t-aj-p+m", *words, *size)[0] == 0
    asked = ("--model", "t-aj-p+m", "--occasion", "occasion", "--interval", "none")
    fit = answered("fit", str(made), *asked)["fits"][0]
    copied = {e["rater"]: e["value"] for e in fit["estimates"] if e["name"] == "m"}
    assert copied == {
        "J1": pytest.approx(0.1, abs=0.06), "J2": pytest.approx(0.5, abs=0.06), "J3": pytest.approx(0.5, abs=0.06)
    }  # fmt: skip


def test_one_rater_in_one_group_has_an_accuracy_of_its_own():
    row = model("t-ajg-p", GROUP_MODELS)
    texts = ("t=.5", "p=.5", "a=.8", "a[J1]=.3", "a[J2, n]=.6")
    point = parse_parameters(row, texts, ("0", "1"), ("J1", "J2"), ("n", "s"))
    assert point.accuracy[:, 0].tolist() == [0.3, 0.3, 0.6, 0.8]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            ("--model", "tg-a-p"),
            "The model tg-a-p needs two groups at least, of two cases each. Name them, such as --groups north,south.",
        ),
        (("--model", "tg-a-p", *GROUPS, "--param", "t[x]=.2"), "There is no 'x' here. In brackets goes one of: n, s."),
        (("--model", "tg-a-p", *GROUPS, "--param", "t[n]=.2"), "The model tg-a-p needs t[s]."),
        (
            ("--model", "t-aj-p+m", "--param", "t=.3", "--param", "m=.2"),
            "The model t-aj-p+m needs cases that are rated twice, at most all of them. Say how many with --repeats.",
        ),
        (("--model", "t-a-p", *GROUPS, "--param", "t=.3"), "--groups has no effect on the model t-a-p."),
        (("--model", "t-a-p", "--repeats", "4", "--param", "t=.3"), "--repeats has no effect on the model t-a-p."),
        (
            ("--model", "t-ag-p", *GROUPS, "--param", "a=.1,.2,.3", "--param", "t=.3"),
            "The number of values for a is 3, not 2.",
        ),
    ],
)
def test_groups_and_repeats_that_cannot_be_made_are_refused(told, more, sentence):
    usual = ("--param", "p=.4", "--subjects", "20", "--raters", "3")
    usual += () if "a=.1,.2,.3" in more else ("--param", "a=.6")
    usual += ("--param", "t=.3") if more == ("--model", "tg-a-p") else ()
    status, _out, err = told("simulate", *more, *usual)
    assert status == 2
    assert sentence in " ".join(err.split())


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("t-ah-p", ("t=.4", "a=.8", "p=.3", "h=.3")),
        ("t-ai-p", ("t=.4", "a=.7", "p=.3", "rho=.3")),
        ("tg-a-p", ("t[n]=.2", "t[s]=.6", "a=.8", "p=.3", *GROUPS)),
        ("t-aj-p+m", ("t=.4", "a=.8", "p=.3", "m=.4", "--repeats", "200")),
    ],
)
def test_a_study_of_recovery_draws_from_all_the_numbers_that_are_given(answered, name, params):
    """With the numbers of hard cases, groups or copies left out the means would be far from them."""
    at = next((i for i, p in enumerate(params) if p.startswith("--")), len(params))
    words = [word for p in params[:at] for word in ("--param", p)] + list(params[at:])
    size = ("--subjects", "800", "--raters", "6")
    rows = answered("study", "recovery", "--model", name, *words, *size, "--replicates", "6")["rows"]
    names = [column.removeprefix("true ") for column in rows[0] if column.startswith("true ")]
    for number in names:
        mean = np.mean([row[number] for row in rows])
        assert mean == pytest.approx(rows[0][f"true {number}"], abs=0.1), number
