"""Whether one answer is easier to recognise than another: by their difference, and never where nothing tells it."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers import fit_words as words
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import ParameterEstimate
from tapdesk.models.design import Freedom
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.contrasts import Contrasts, class_contrasts
from tapdesk.studies.differences import PairedDifferences
from tests.studies.examples import panel

from .examples import FOUR, four_fit, four_ratings

CLASSES = ("cat", "dog", "owl")


def fitted(texts, subjects, name="t-ak-p", classes=CLASSES, **more):
    ratings = panel(texts, subjects, 5, name=name, classes=classes)
    return finish(analyse(ratings, Request(model(name), interval="wald", **more))), ratings


def by_class(*accuracies):
    """The four medals with an accuracy each: value and ends."""
    told = tuple(
        ParameterEstimate(
            ParameterName("a", c), Freedom.FREE, undefined("open") if v is None else Estimate(v[0], low=v[1], high=v[2])
        )
        for c, v in zip(FOUR, accuracies, strict=True)
    )
    fit = four_fit()
    others = tuple(e for e in fit.estimates if e.name.name != "a")
    return replace(fit, model=model("t-ak-p"), estimates=(*others, *told))


def test_an_answer_that_is_easier_is_named_with_the_numbers_it_rests_on():
    fit, ratings = fitted(["t=.4,.3,.3", "a=.95,.4,.5", "p=.4,.3,.3"], 600)
    compared = finish(class_contrasts(ratings, fit))
    said = words.headline(fit, ratings, compared)
    assert said == "“cat” is easier to recognise than “dog”."
    told = {e.name.category: e.estimate.value for e in fit.estimates if e.name.name == "a"}
    assert told["cat"] == max(told.values())
    assert told["dog"] == min(told.values())
    follows = words.consequence(fit, compared)
    assert f"about {100 * told['dog']:.0f} times in 100 (between" in follows
    assert f"about {100 * told['cat']:.0f} times in 100 (between" in follows
    assert "luck" not in follows.partition("Counting lucky")[0]


def test_classes_that_do_not_clearly_differ_are_not_set_in_an_order():
    fit, ratings = fitted(["t=.4,.3,.3", "a=.6,.6,.6", "p=.4,.3,.3"], 120)
    compared = finish(class_contrasts(ratings, fit))
    assert words.headline(fit, ratings, compared) == "No answer is clearly easier to recognise than another."
    assert "so the order may be luck" in words.consequence(fit, compared)


def test_without_the_differences_no_order_is_told_at_all():
    fit, ratings = fitted(["t=.4,.3,.3", "a=.95,.4,.5", "p=.4,.3,.3"], 600)
    assert words.headline(fit, ratings).startswith("Each class has an accuracy of its own here")
    assert "easier" not in words.headline(fit, ratings) + words.consequence(fit)


@pytest.mark.parametrize("estimator", ["exact-em", "posterior"])
def test_two_classes_can_never_tell_it_and_no_symbol_stands_for_a_class(estimator):
    fit, ratings = fitted(["t=.4", "a=.9,.3", "p=.4"], 200, classes=("no", "yes"), estimator=estimator)
    assert words.headline(fit, ratings) == (
        "These ratings cannot tell whether one answer is easier to recognise than another."
    )
    assert words.warns(fit, ratings)
    follows = words.consequence(fit)
    assert "Every share of ratings that follow a true “no” from 0.00 to" in follows
    assert "Every share of ratings that follow a true “yes” from 0.00 to" in follows
    assert not {"a0", "a1"} & set(follows.replace(".", " ").split())


def test_without_intervals_no_class_is_set_against_another():
    fit = by_class(None, None, (0.9, None, None), (0.2, None, None))
    assert words.headline(fit, four_ratings()).startswith("How sure the accuracy of each class is cannot be said")


def known(fit, sd, common=0.0):
    """How the classes of a fit differ where so much is known of each, and they share so much of their luck."""
    told = [(c, e.estimate.value) for c, e in zip(FOUR, fit.estimates[-4:], strict=True) if e.estimate.value]
    values, rng = np.array([v for _c, v in told]), np.random.default_rng(3)
    draws = values + sd * rng.standard_normal((2000, values.size)) + common * rng.standard_normal((2000, 1))
    return Contrasts("t-ak-p", tuple(c for c, _v in told), PairedDifferences(values, 0.95, draws))


def test_intervals_that_meet_do_not_hide_a_difference_nor_do_those_that_part_make_one():
    meet = by_class((0.5, 0.3, 0.7), (0.5, 0.3, 0.7), (0.4, 0.2, 0.6), (0.7, 0.45, 0.9))
    said = words.headline(meet, four_ratings(), known(meet, 0.03, common=0.12))
    assert said.startswith("“gold” is easier to recognise than “silver”")
    assert "Their difference is 0.30 (" in words.consequence(meet, known(meet, 0.03, common=0.12))
    part = by_class((0.5, 0.4, 0.6), (0.5, 0.4, 0.6), (0.4, 0.3, 0.5), (0.65, 0.55, 0.75))
    assert words.headline(part, four_ratings(), known(part, 0.12)).startswith("No answer is clearly easier")
    assert "so the order may be luck" in words.consequence(part, known(part, 0.12))


def test_few_data_are_said_with_the_order():
    fit = replace(by_class((0.4, 0.3, 0.6), (0.4, 0.3, 0.6), (0.2, 0.1, 0.3), (0.7, 0.5, 0.9)), subjects=12)
    assert words.headline(fit, four_ratings(), known(fit, 0.02)).endswith("“silver”. There are only 12 cases.")
