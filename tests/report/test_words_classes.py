"""Numbers of many classes are told once, by what they are shares of, and never by a symbol with brackets."""

from dataclasses import replace

import pytest

from tapdesk.estimate import undefined
from tapdesk.fitting.fit import FitFinding, Identification, Status
from tapdesk.models.parameters import ParameterName
from tapdesk.models.slots import Freedom
from tapdesk.report.words import fit as words
from tapdesk.report.words.moving import cautions
from tapdesk.report.words.parameters import meanings, said

from .examples import FOUR, FOUR_T, four_fit, open_fit, wine_fit, with_draws

OPEN = "The data leave this open."


def without(fit, *names):
    """The fit with some numbers left open."""
    lost = tuple(ParameterName(*name) for name in names)
    gone = tuple(replace(e, estimate=undefined(OPEN)) if e.name in lost else e for e in fit.estimates)
    verdict = Identification(by_design=True, here=False, words="", open_parameters=lost)
    return replace(fit, estimates=gone, identification=verdict, status=Status.DEGENERATE)


def test_nobody_checked_the_truth_is_said_once_whatever_the_number_of_classes():
    rows = said(four_fit())
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
    assert [sentence for _symbols, sentence in said(wine_fit())] == [m.sentence for m in meanings(wine_fit())]


def test_one_reason_for_several_numbers_is_told_once():
    assert said(open_fit()) == (("t, a, p", "Many values fit equally well."),)


def test_shares_that_are_not_estimated_say_so_once():
    fit = four_fit()
    tied = tuple(replace(e, freedom=Freedom.TIED) if e.name.name == "p" else e for e in fit.estimates)
    told = dict(said(replace(fit, estimates=tied)))["p"]
    assert told.count("the model takes it to be equal to t") == 1


def test_of_very_many_classes_the_first_are_told_and_the_others_counted():
    fit = four_fit()
    labels = [f"grade {i}" for i in range(30)]
    t = tuple(replace(fit.estimates[0], name=ParameterName("t", label)) for label in labels)
    ((_symbol, told),) = said(replace(fit, classes=tuple(labels), estimates=t))
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
