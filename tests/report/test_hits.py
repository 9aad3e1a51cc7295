"""How often a rating names the true class, where there are more than two classes, has its interval."""

import pytest

from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "t-ak-p", "P-a-P"])
def test_the_share_of_several_classes_is_told_with_its_profile_interval(name):
    ratings = read_now("sample:dawid-skene-1979").ratings
    fit = finish(analyse(ratings, Request(model(name))))
    (share,) = fit.shares
    low, high = (numbers.percent(end).removesuffix(" %") for end in (share.low, share.high))
    assert f"times in 100 (between {low} and {high})" in words.consequence(fit)
    assert words.shares_note(fit) == ""


def test_beside_intervals_by_re_draws_it_is_said_that_these_are_others():
    ratings = read_now("sample:dawid-skene-1979").ratings
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="bootstrap", replicates=60)))
    assert fit.shares[0].how == "profile"
    assert words.shares_note(fit).startswith("The intervals of these shares come from the profile likelihood")


def test_a_posterior_has_them_from_its_draws():
    ratings = read_now("sample:jury").ratings.dichotomised(["gold", "silver"])
    fit = finish(analyse(ratings, Request(model("t-a-p"), estimator="posterior")))
    right, wrong = fit.shares
    assert [share.how for share in fit.shares] == ["posterior"] * 2
    profiled = finish(analyse(ratings, Request(model("t-a-p"))))
    for share, other in zip((right, wrong), profiled.shares, strict=True):
        assert share.low == pytest.approx(other.low, abs=0.05)
        assert share.high == pytest.approx(other.high, abs=0.05)
