"""What data leave open is said as such: no picture, no sentence and no number beside it reads like an answer."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.agreement.interpretation import explain
from tapdesk.answers import fit_words as words
from tapdesk.answers.figure import Points
from tapdesk.answers.figures.catalog import figures, picture
from tapdesk.answers.figures.chance import chance as chance_figure
from tapdesk.answers.fit_words import no_beliefs
from tapdesk.answers.parameters import cautions, nothing_moves, same_answer
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import Chance
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tests.studies.examples import panel

from .examples import counted

ALL_AGREE = (25, 0, 0, 35)
RARE = (1000, 2, 0)


def fitted(counts, name="t-a-p", classes=("no", "yes"), **more):
    ratings = counted(counts, classes)
    asked = Request(model(name), interval="profile", replicates=100, redraws=True, **more)
    return finish(analyse(ratings, asked)), ratings


@pytest.fixture(scope="module")
def agreeing():
    return fitted(ALL_AGREE)


@pytest.fixture(scope="module")
def guessing():
    return fitted((4, 27, 42, 21, 6))


@pytest.fixture(scope="module")
def rare():
    return fitted(RARE, "t-a-t")


def test_a_panel_that_always_agrees_is_told_what_that_hides_in_plain_words(agreeing):
    fit, _ratings = agreeing
    assert words.headline(fit, _ratings) == (
        "All ratings of each case agree: unless the raters are wrong together, at least 97 of 100 ratings "
        "follow the case."
    )
    assert words.consequence(fit) == (
        "Every rating is taken to follow its case here, so nothing shows what a guess would have been."
    )
    told = no_beliefs(fit, None)
    assert told.startswith("All ratings of a case say the same here")
    assert "Nobody checked" in told


def test_ratings_that_guessing_explains_say_so_below_the_headline(guessing):
    fit, _ratings = guessing
    assert not fit.identification.identified
    assert words.consequence(fit) == "Guessing alone explains these ratings as well as any knowledge of the cases does."


def test_no_re_draws_are_drawn_of_numbers_the_ratings_leave_open(guessing, agreeing):
    fit, ratings = guessing
    assert fit.draws is not None
    assert "leave the numbers open" in nothing_moves(fit)
    assert picture("parameters").needs(fit, ratings) == nothing_moves(fit)
    fit, ratings = agreeing
    assert nothing_moves(fit) == ""
    panels = figures("parameters", fit, ratings)
    assert [p.y.title for p in panels] == ["t", "a"]
    assert "Not drawn, because these ratings leave it open: p." in panels[0].note


def test_a_belief_about_what_the_ratings_leave_open_is_drawn_without_a_value_and_called_what_it_is():
    ratings = counted((18, 35, 46, 48, 36))
    fit = finish(analyse(ratings, Request(model("t-a0a1-p"), estimator="posterior")))
    assert nothing_moves(fit) == ""
    panels = figures("parameters", fit, ratings)
    assert [p.y.title for p in panels] == ["t", "a0", "a1", "p"]
    valued = [any(isinstance(m, Points) for m in p.marks) for p in panels]
    assert valued == [True, False, False, False]
    assert "draws from what can be believed" in panels[1].note
    assert "the prior) decides these as much as the ratings: a0" in panels[1].note
    assert "Not drawn" not in panels[1].note
    assert "no value" in panels[1].title


def test_re_draws_of_a_number_on_the_edge_are_told_to_mislead(rare, agreeing):
    fit, ratings = rare
    # No re-draw leaves the edge, and yet the profile reaches far.
    assert np.quantile(fit.draws.values[next(n for n in fit.draws.values if n.name == "a")], 0.9) < 0.01
    assert fit.estimate("a").high > 0.5
    (told,) = cautions(fit)
    assert told.startswith("A number on the edge (a = 0) hardly moves")
    assert told in figures("parameters", fit, ratings)[0].note
    assert any("(a = 1)" in told for told in cautions(agreeing[0]))
    assert cautions(fitted((18, 35, 46, 48, 36))[0]) == ()


def test_a_number_on_the_edge_does_not_take_the_meaning_from_the_others(rare, agreeing):
    assert words.settled(rare[0]) == "The estimates have settled, with a number on the edge of what is possible."
    assert "no meaning" in words.settled(agreeing[0])


@pytest.mark.parametrize(
    ("counts", "name", "sure"),
    [
        ((6, 14, 12, 8), "t-a-p", False),  # three numbers for three free shares
        ((28, 16, 36), "t-a-t", False),
        ((18, 35, 46, 48, 36), "t-a-p", True),
        ((6, 14, 12, 8), "t-a-t", True),
    ],
)
def test_a_model_that_can_follow_any_data_is_not_said_to_fit(counts, name, sure):
    fit, ratings = fitted(counts, name)
    (figure,) = figures("distribution", fit, ratings)
    assert ("proves nothing" in figure.title) is not sure
    if not sure:
        assert f"only {len(counts) - 1} ratings of each case" in figure.title


@pytest.mark.parametrize(
    ("change", "start"),
    [
        ({"converged": False}, "How sure one can be of single cases is not reported: the estimates had not settled."),
        ({}, "How sure one can be of single cases is not reported: these ratings cannot be told from chance."),
    ],
)
def test_the_reason_why_single_cases_are_not_told_is_the_one_that_holds(agreeing, change, start):
    within = SimpleNamespace(more_than_chance=False)
    assert no_beliefs(replace(agreeing[0], **change), within) == start


def test_an_accuracy_known_too_roughly_is_why_single_cases_are_not_told(rare):
    assert "known too roughly" in no_beliefs(rare[0], None)
    assert "leave open how often" in no_beliefs(None, None)


def test_the_picture_of_chance_counts_as_the_verdict_does():
    # Ties but for the last digit: the test counts them, and so must the picture.
    test = bootstrap_test("a=0", 0.2, None, np.array([0.1, 0.2 - 1e-12, 0.2 + 1e-12, 0.4]), "")
    found = Chance(test=test, subjects=10, ratings=30, model="t-a-p")
    reached = round(test.p_bootstrap * 5) - 1
    assert chance_figure(found).title.startswith(f"{reached} of 4 ")


def coefficient(name, value):
    return Coefficient(name, "identity", None, None, None, Estimate(value), 100, 400)


@pytest.mark.parametrize(
    ("kappa", "fitted", "said"),
    [
        (0.2551, 0.5103, "The fitted model says the same."),  # 0.505 and 0.510 are written 0.51
        (0.372, 0.583, "so this reading finds 0.03 more."),  # 0.610 beside 0.583, written 0.61 and 0.58
        (0.19, 0.4649, "so this reading finds 0.02 less."),
    ],
)
def test_a_gap_is_that_of_the_numbers_as_they_are_written(kappa, fitted, said):
    assert explain(coefficient("fleiss_kappa", kappa), Estimate(fitted)).endswith(said)


def test_raters_who_always_say_the_same_are_named_and_others_are_not():
    ratings = panel(["t=.5", "a=.6", "p=.5"], 40, 4)
    assert same_answer(ratings) == ""
    category = np.where(ratings.rater == 2, 1, ratings.category)
    told = same_answer(replace(ratings, category=category))
    assert told == "J3 gave the same answer to every case, so none of these ratings follows its case."
    category = np.where(ratings.rater >= 2, 1, ratings.category)
    assert same_answer(replace(ratings, category=category)).endswith(": J3, J4.")
    # Everybody: there is nothing to stand out from.
    assert same_answer(replace(ratings, category=np.zeros_like(category))) == ""
    assert same_answer(replace(ratings, raters_known=False)) == ""
    few: Ratings = panel(["t=.5", "a=.6", "p=.5"], 8, 3)
    assert same_answer(replace(few, category=np.where(few.rater == 0, 1, few.category))) == ""


def test_pictures_of_a_posterior_hold_what_it_expects_against_the_ratings_not_what_its_means_would_give():
    counts = (18, 35, 46, 48, 36)
    fit, ratings = fitted(counts, "t-ak-p", estimator="posterior")
    (rates,) = figures("class_rates", fit, ratings)
    by_model = next(m.y for m in rates.marks if getattr(m, "label", "") == "Ratings, by the model")
    assert by_model == pytest.approx(ratings.class_rates(), abs=0.005)
    (shares,) = figures("distribution", fit, ratings)
    assert "mean over what can be believed" in shares.note
    model_line = next(m.y for m in shares.marks if getattr(m, "label", "") == "t-ak-p model")
    assert model_line == pytest.approx(np.array(counts) / sum(counts), abs=0.02)
    plain, _ratings = fitted(counts)
    (shares,) = figures("distribution", plain, ratings)
    assert "believed" not in shares.note


def test_below_a_number_that_stands_the_consequence_names_those_that_do_not():
    # A total that was taken for a case: each of its counts is a class nobody else used.
    votes = np.array([*[[0, 0, 0], [1, 1, 1], [0, 0, 1], [1, 1, 0], [1, 1, 1]] * 6, [2, 3, 4]])
    cases, seats = votes.shape
    ratings = Ratings.of(
        np.repeat(np.arange(cases), seats),
        np.tile(np.arange(seats), cases),
        votes.ravel(),
        [f"P{i}" for i in range(cases)],
        ("Ana", "Ben", "Cy"),
        ("poor", "good", "22", "24", "25"),
    )
    fit = finish(analyse(ratings, Request(model("t-a-p"))))
    assert not fit.identification.identified
    assert re.match(r"(About|Between) \d+ .*of 100 ratings follow the case", words.headline(fit, ratings))
    told = words.consequence(fit)
    assert told.startswith("These ratings leave open: ")
    assert "“22”" in told
    assert "this number" not in told
    # Nor is it said of the one that stands that it is open.
    assert "leave open other numbers" in no_beliefs(fit, None)
