"""What t, a and p are called, what they mean, and what is said where one lies on the edge."""

import time
from dataclasses import replace

import pytest

from tapdesk.answers.parameters import degeneracy, meanings, share_of
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import ParameterEstimate
from tapdesk.models.design import Freedom
from tapdesk.models.parameters import ParameterName

from .examples import four_fit, open_fit, wine_fit


def test_t_a_and_p_are_told_in_their_own_words():
    t, a, p = meanings(wine_fit())
    assert t.sentence == (
        "Out of 100 cases, about 54 would truly be “no medal, bronze” (between 27 and 81), as far as the panel’s "
        "pattern of answers can tell. No true answer is used for this."
    )
    assert a.sentence == (
        "About 44 of 100 ratings follow the case (35 to 53). 100 would be always; 0 would "
        "mean that the ratings carry no information about the case."
    )
    assert p.sentence == (
        "When a rating does not follow the case, it comes out “no medal, bronze” about 59 times in 100 "
        "(between 34 and 84)."
    )
    assert [m.share_of for m in (t, a, p)] == [
        "cases truly “no medal, bronze”",
        "ratings that follow the case",
        "chance ratings that say “no medal, bronze”",
    ]


def test_an_undefined_parameter_is_told_by_its_reason():
    assert [m.sentence for m in meanings(open_fit())] == ["Many values fit equally well."] * 3


def test_a_tied_parameter_says_that_it_is_not_estimated():
    fit = wine_fit()
    tied = replace(fit.estimates[2], freedom=Freedom.TIED)
    assert meanings(replace(fit, estimates=(tied,)))[0].sentence.endswith(
        "It is not estimated by itself: the model takes it to be equal to t."
    )


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (ParameterName("t", "gold"), "cases truly “gold”"),
        (ParameterName("a", "gold"), "ratings that follow a true “gold”"),
        (ParameterName("a", rater="Ana"), "ratings of Ana that follow the case"),
        (ParameterName("p", rater="Ana"), "chance ratings of Ana that say “no medal, bronze”"),
        (ParameterName("a1"), "ratings that follow a true “no medal, bronze”"),
        (ParameterName("p0"), "chance ratings on a true “silver, gold” that say “no medal, bronze”"),
        (ParameterName("pi", "gold", "Ana", "silver"), "“silver” given by Ana when truly “gold”"),
        (ParameterName("b", covariate="age"), "slope of age (logit)"),
        (ParameterName("b", covariate="(intercept)"), "intercept (logit)"),
        (ParameterName("b"), "intercept (logit)"),
    ],
)
def test_every_kind_of_parameter_is_called_by_what_it_is_a_share_of(name, told):
    estimate = ParameterEstimate(name, Freedom.FREE, Estimate(0.5))
    assert share_of(estimate, wine_fit()) == told


@pytest.mark.parametrize(
    ("bound", "told"),
    [
        ("a = 0", "a = 0 fits best: no rating would then follow its case, and these data cannot tell t."),
        ("a = 1", "a = 1 fits best: every rating would then follow its case, and p would have no meaning."),
        ("t = 0", "t = 0 fits best: no case would then be truly “no medal, bronze”, and a and p cannot be told apart."),
        (
            "t = 1",
            "t = 1 fits best: every case would then be truly “no medal, bronze”, and a and p cannot be told apart.",
        ),
        (
            "p = 0",
            "p = 0: no rating without knowledge seems to say “no medal, bronze”. The estimate lies on the edge.",
        ),
        (
            "p = 1",
            "p = 1: every rating without knowledge seems to say “no medal, bronze”. The estimate lies on the edge.",
        ),
        ("x9 = 1", "A number sits on the edge of what is possible: x9 = 1."),
    ],
)
def test_a_number_on_the_edge_is_told_with_what_it_means(bound, told):
    assert degeneracy(wine_fit(active_bounds=(bound,))) == (told,)


def test_an_empty_class_among_several_is_told_by_its_name():
    fit = replace(four_fit(), active_bounds=("p[silver] = 0", "t[gold] = 0"))
    assert degeneracy(fit) == (
        "No rating without knowledge seems to say “silver”: the estimate of its share is 0.",
        "No case seems to be truly “gold”: the estimate of its share is 0.",
    )


def test_of_many_numbers_on_the_edge_the_first_are_told_and_the_others_counted():
    fit = wine_fit(active_bounds=tuple(f"x{i} = 1" for i in range(1, 41)))
    told = degeneracy(fit)
    assert len(told) == 6
    assert told[0].endswith("x1 = 1.")
    assert told[-1] == "35 more numbers sit on the edge of what is possible; they stand in the table of estimates."


def test_thousands_of_raters_on_the_edge_are_told_as_fast_as_they_are_counted():
    fit = wine_fit()
    several = tuple(replace(fit.estimates[1], name=ParameterName("a", rater=f"J{i}")) for i in range(6000))
    fit = replace(fit, estimates=several, active_bounds=tuple(f"{e.name} = 0" for e in several))
    began = time.process_time()
    told = degeneracy(fit)
    # Looked for one by one among all estimates they took 20 s, and a hundred thousand raters over an hour.
    assert time.process_time() - began < 4
    assert told[-1].startswith("5,995 more numbers")
