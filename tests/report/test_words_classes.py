"""Numbers of many classes are told once, by what they are shares of, and never by a symbol with brackets."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers import fit_words as words
from tapdesk.answers.chance import horizon, verdict
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.parameters import cautions, degeneracy, meanings, parameter_rows
from tapdesk.estimate import undefined
from tapdesk.fitting.fit import FitFinding, Identification, Status
from tapdesk.models.design import Freedom
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.studies.chance import Chance, Horizon
from tapdesk.studies.likelihood_ratio import bootstrap_test

from .examples import FOUR, FOUR_T, four_fit, open_fit, wine_fit, with_draws

OPEN = "The data leave this open."


def without(fit, *names):
    """The fit with some numbers left open."""
    lost = tuple(ParameterName(*name) for name in names)
    gone = tuple(replace(e, estimate=undefined(OPEN)) if e.name in lost else e for e in fit.estimates)
    verdict = Identification(by_design=True, here=False, words="", open_parameters=lost)
    return replace(fit, estimates=gone, identification=verdict, status=Status.DEGENERATE)


def test_nobody_checked_the_truth_is_said_once_whatever_the_number_of_classes():
    rows = parameter_rows(four_fit())
    assert [symbols for symbols, _sentence in rows] == ["t", "a", "p"]
    shares, _accuracy, guesses = (sentence for _symbols, sentence in rows)
    assert shares.startswith(
        f"Out of 100 cases, so many would truly be: about {100 * FOUR_T[0]:.0f} “no medal” (between"
    )
    assert all(shares.count(f"“{label}”") == guesses.count(f"“{label}”") == 1 for label in FOUR)
    everything = " ".join(m.sentence for m in meanings(four_fit()))
    for told in (shares, everything):
        assert told.count("as far as the panel’s") + told.count("only what the panel’s") == 1
        assert told.lower().count("nobody checked the true answers") == 1


def test_with_two_classes_the_words_are_those_of_the_design():
    assert [sentence for _symbols, sentence in parameter_rows(wine_fit())] == [m.sentence for m in meanings(wine_fit())]


def test_one_reason_for_several_numbers_is_told_once():
    assert parameter_rows(open_fit()) == (("t, a, p", "Many values fit equally well."),)


def test_shares_that_are_not_estimated_say_so_once():
    fit = four_fit()
    tied = tuple(replace(e, freedom=Freedom.TIED) if e.name.name == "p" else e for e in fit.estimates)
    told = dict(parameter_rows(replace(fit, estimates=tied)))["p"]
    assert told.count("the model takes it to be equal to t") == 1


def test_of_very_many_classes_the_first_are_told_and_the_others_counted():
    fit = four_fit()
    labels = [f"grade {i}" for i in range(30)]
    t = tuple(replace(fit.estimates[0], name=ParameterName("t", label)) for label in labels)
    ((_symbol, told),) = parameter_rows(replace(fit, classes=tuple(labels), estimates=t))
    assert "“grade 11”" in told
    assert "“grade 12”" not in told
    assert told.endswith("The shares of 18 more classes stand in the table of estimates.")


def test_what_is_not_drawn_is_named_by_what_it_is_a_share_of():
    fit = with_draws(four_fit())
    told = " ".join(cautions(without(fit, ("t", "gold"), ("p", "silver"))))
    assert "t (cases truly “gold”)" in told
    assert "p (chance ratings that say “silver”)" in told
    assert "[" not in told


def test_a_number_on_the_edge_of_many_is_named_by_what_it_is_a_share_of():
    fit = replace(with_draws(four_fit()), active_bounds=("p[silver] = 0",))
    (told,) = cautions(fit)
    assert "(p (chance ratings that say “silver”) = 0)" in told


@pytest.mark.parametrize(("by_design", "start"), [(True, "These ratings leave open: t"), (False, "A design like this")])
def test_numbers_that_stay_open_are_told_in_words(by_design, start):
    fit = without(four_fit(), ("t", "gold"), ("p", "silver"))
    fit = replace(fit, identification=replace(fit.identification, by_design=by_design))
    told = words.identification(fit)
    assert told.startswith(start)
    assert told.endswith("t (cases truly “gold”); p (chance ratings that say “silver”).")


def test_of_many_open_numbers_the_first_are_told_and_the_others_counted():
    fit = without(four_fit(), *[("t", c) for c in FOUR], *[("p", c) for c in FOUR])
    assert words.identification(fit).endswith("; and 2 more numbers.")


def test_an_edge_that_is_told_in_words_is_not_told_once_more_by_its_symbol():
    edge = FitFinding(
        "degenerate", "note", "The best fit lies on the edge of what is possible: p[silver] = 0.", "Read."
    )
    (told,) = words.fit_findings(replace(four_fit(), findings=(edge,)))
    assert "interval tells more" in told
    assert "[" not in told


@pytest.mark.parametrize("status", list(Status))
def test_how_the_search_ended_is_told_without_the_word_parameter(status):
    assert "arameter" not in words.settled(without(replace(four_fit(), status=status), ("t", "gold")))


def test_a_rate_of_one_rater_on_the_edge_is_not_taken_for_a_class_of_that_name():
    of_grace = replace(four_fit().estimates[-1], name=ParameterName("p", "silver", "Grace"))
    of_ana = replace(four_fit().estimates[-1], name=ParameterName("a", rater="Ana"))
    bounds = ("p[silver, Grace] = 0", "a[Ana] = 1")
    fit = replace(four_fit(), estimates=(of_grace, of_ana), active_bounds=bounds)
    assert degeneracy(fit) == (
        "In the best fit the guesses of Grace never came out “silver”.",
        "In the best fit every rating of Ana follows its case.",
    )
    fit = replace(fit, active_bounds=("p[silver, Grace] = 1", "a[Ana] = 0"))
    assert degeneracy(fit) == (
        "In the best fit the guesses of Grace always came out “silver”.",
        "In the best fit no rating of Ana follows its case.",
    )


def test_a_reason_that_holds_for_some_raters_is_not_told_of_all():
    fit = without(replace(four_fit(), model=model("t-aj-pj")), ("p", "silver"))
    assert words.consequence(fit) == "These ratings leave open: p (chance ratings that say “silver”)."


@pytest.mark.parametrize(
    ("limit", "root", "told"),
    [
        (0.0, None, "gives a Fleiss’ kappa of 0 or below in 95 of 100 trials."),
        (0.22, 0.44, "below 0.22 in 95 of 100 trials. Here it is 0.44."),
        (0.22, None, "Here kappa is negative or undefined, so it has no root."),
    ],
)
def test_a_horizon_at_0_is_not_told_as_a_kappa_below_0(limit, root, told):
    none = np.zeros(2)
    assert horizon(Horizon({"0.95": limit}, root, none, none, 300, 0, even=False), SCREEN).endswith(told)


def test_within_chance_it_is_said_that_raters_who_contradict_each_other_look_so_too():
    test = bootstrap_test("a=0", 0.0, None, np.linspace(0, 1, 300), "")
    told = verdict(Chance(test=test, subjects=40, ratings=160, model="t-a-p"))
    assert told.startswith("Within chance")
    assert told.endswith("raters who contradict each other look like chance as well.")
    test = bootstrap_test("a=0", 50.0, None, np.linspace(0, 1, 300), "")
    assert "contradict" not in verdict(Chance(test=test, subjects=40, ratings=160, model="t-a-p"))
