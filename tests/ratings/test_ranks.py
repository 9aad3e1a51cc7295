"""Ranks are said to be ranks, in every layout, and nothing else is."""

import random

import pytest
from scipy.stats import rankdata

from tapdesk.ratings.ranks import are_ranks
from tests.ratings.telling import asks, told

JUDGES = ("Ana", "Ben", "Cleo", "Dee")


def orders(cases=12, *, seed=3, decimals=4):
    """The places that judges gave who mostly see the same, by judge; few decimals make ties."""
    source = random.Random(seed)
    return {who: [round(i + source.gauss(0, 3), decimals) for i in range(cases)] for who in JUDGES}


def places(method="ordinal", **more):
    return {who: [f"{p:g}" for p in rankdata(scores, method=method)] for who, scores in orders(**more).items()}


def wide(given):
    cases = len(next(iter(given.values())))
    lines = [",".join([f"W{i + 1:02d}", *(given[who][i] for who in given)]) for i in range(cases)]
    return "\n".join([",".join(["Wine", *given]), *lines]) + "\n"


def long(given):
    lines = [f"W{i + 1:02d},{who},{place}" for who, own in given.items() for i, place in enumerate(own)]
    return "\n".join(["Wine,Judge,Place", *lines]) + "\n"


def turned(given):
    cases = len(next(iter(given.values())))
    lines = [",".join([who, *own]) for who, own in given.items()]
    return "\n".join([",".join(["Judge", *(f"Wine {i + 1}" for i in range(cases))]), *lines]) + "\n"


@pytest.mark.parametrize("layout", [wide, long, turned])
@pytest.mark.parametrize("method", ["ordinal", "min", "average"])
def test_ranks_are_said_to_be_ranks_in_every_layout(text, layout, method):
    given = places(method, decimals=0 if method != "ordinal" else 4, seed=8)
    reading = text(layout(given))
    assert are_ranks(reading.ratings)
    assert "from 1 to 12" in told(reading, "ranks").message
    assert reading.ratings.raters == JUDGES


def test_who_ranked_a_part_of_the_cases_ranked_them_too(text):
    given = places()
    given["Dee"] = [p if int(p) <= 5 else "" for p in given["Dee"]]
    assert "ranks" in asks(text(wide(given)))


@pytest.mark.parametrize("change", ["twice", "beyond", "scores", "one_judge", "from_zero"])
def test_what_is_no_order_of_all_cases_is_not_called_one(text, change):
    given = places()
    if change == "twice":
        given["Ana"][3] = given["Ana"][4]
    if change == "beyond":
        given["Ana"][given["Ana"].index("12")] = "13"
    if change == "scores":
        given = {who: [str(1 + i % 5) for i, _p in enumerate(own)] for who, own in given.items()}
    if change == "one_judge":
        given = {"Ana": given["Ana"], "Ben": ["1", "2", "3"] * 4}
    if change == "from_zero":
        given = {who: [str(int(p) - 1) for p in own] for who, own in given.items()}
    assert "ranks" not in asks(text(wide(given)))
