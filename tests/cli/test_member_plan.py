"""Plans of any model: what studies of several sizes would tell of its numbers, held against what is known of them."""

import numpy as np
import pytest

WORDS = {
    "t-ah-p": ("t=.4", "a=.8", "p=.3", "h=.2"),
    "t-aj-pj": ("t=.4", "a=.8", "p=.3"),
    "sdt-1": ("t=.3,.4,.3", "d=3", "tau=1.5,4.5"),
    "t-an-p": ("t=.3,.4,.3", "a=.6", "p=.3,.4,.3", "n=.4"),
    "tg-a-p": ("t[n]=.2", "t[s]=.6", "a=.8", "p=.3", "--groups", "n,s"),
    "t-aj-p+m": ("t=.4", "a=.8", "p=.3", "m=.3", "--repeats", "20"),
}


def planned(answered, name, *more):
    words = [w for one in WORDS[name] if "=" in one for w in ("--param", one)]
    words += [w for one in [WORDS[name]] for w in one if "=" not in w]
    return answered("study", "plan", "--model", name, *words, *more)["rows"]


@pytest.mark.parametrize("name", WORDS)
def test_every_number_of_a_model_is_planned(answered, name):
    rows = planned(answered, name, "--subjects", "60", "--raters", "5", "--replicates", "4")
    assert {row["number"].partition("[")[0] for row in rows} >= {"t"}
    for row in rows:
        assert row["identified"] is True
        assert row["low"] <= row["mean"] <= row["high"]
        assert row["width"] == pytest.approx(row["high"] - row["low"])
    given = {one.partition("=")[0]: one.partition("=")[2] for one in WORDS[name] if "=" in one}
    true = {row["number"]: row["true"] for row in rows}
    for number in ("h", "n"):
        if number in given:
            assert true[number] == pytest.approx(float(given[number]))


def test_larger_studies_tell_more_as_the_root_of_their_size(answered):
    rows = planned(answered, "t-aj-pj", "--subjects", "100,1600", "--raters", "5", "--replicates", "30")
    width = {n: np.mean([r["width"] for r in rows if r["subjects"] == n]) for n in (100, 1600)}
    assert width[100] / width[1600] == pytest.approx(4, rel=0.35)


def test_what_a_design_cannot_tell_is_said_in_place_of_numbers(answered, told):
    rows = planned(answered, "t-ah-p", "--subjects", "60", "--raters", "3,5", "--replicates", "2")
    three = [row for row in rows if row["raters"] == 3]
    assert [(row["identified"], row["number"]) for row in three] == [(False, None)]
    assert three[0]["why_not"]
    words = [w for one in WORDS["t-ah-p"] for w in ("--param", one)]
    asked = ("study", "plan", "--model", "t-ah-p", *words, "--raters", "3", "--subjects", "60")
    status, _out, err = told(*asked)
    assert status == 4
    assert err


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--width", ".1"), "--width has an effect in 'tapdesk study plan' only together with --model t-a-p"),
        (("--replicates", "1"), "A plan of this model needs two data sets of each size at least."),
        (("--groups", "n,s"), "--groups has no effect on the model t-ah-p."),
    ],
)
def test_what_cannot_be_planned_is_refused(told, more, sentence):
    words = [w for one in WORDS["t-ah-p"] for w in ("--param", one)]
    status, _out, err = told("study", "plan", "--model", "t-ah-p", *words, *more)
    assert status == 2
    assert sentence in " ".join(err.split())
