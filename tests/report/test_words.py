"""What is said first about a fit: the headline, its caution, what follows from it, and what is never said."""

import re
from dataclasses import replace

import pytest

from tapdesk.answers import fit_words as words
from tapdesk.answers.numbers import counted as sized
from tapdesk.answers.parameters import degeneracy, meanings
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.fit import FitFinding, Identification, IdentifiedRange, RatingShare, Status
from tapdesk.language import Nouns, Voice, speaking
from tapdesk.models.model import model
from tapdesk.models.parameters import ParameterName

from . import examples
from .examples import counted, fit_of, four_fit, four_ratings, open_fit, wine_fit, wine_ratings, with_draws


def with_accuracy(value, low=None, high=None, **more):
    estimate = Estimate(value) if low is None else Estimate(value).between(low, high, 0.95, "profile")
    fit = wine_fit(**more)
    kept = tuple(replace(e, estimate=estimate) if e.name.name == "a" else e for e in fit.estimates)
    return replace(fit, estimates=kept)


def test_the_headline_says_the_accuracy_with_its_interval():
    fit = with_accuracy(0.4368, 0.36, 0.54)
    assert words.headline(fit, wine_ratings()) == (
        "About 44 of 100 ratings follow the case (36 to 54); the rest are guesses."
    )


def test_the_headline_takes_the_words_of_the_field():
    nouns = Nouns("wine", "wines", "judge", "judges", "score", "scores")
    fit = with_accuracy(0.4368, 0.36, 0.54)
    with speaking(Voice(nouns=nouns)):
        told = words.headline(fit, wine_ratings())
    assert told.startswith("About 44 of 100 scores follow the wine (36 to 54)")


def test_a_wide_interval_leads_and_nothing_is_concluded():
    fit = with_accuracy(0.5, 0.15, 0.88)
    assert words.headline(fit, wine_ratings()) == (
        "Between 15 and 88 of 100 ratings follow the case: too wide to conclude."
    )
    assert words.warns(fit, wine_ratings())


def test_few_cases_put_the_interval_first_and_warn():
    few = counted((4, 2, 3, 3, 4))
    fit = with_accuracy(0.5, 0.3, 0.7, subjects=16, ratings=64)
    assert words.headline(fit, few) == (
        "Between 30 and 70 of 100 ratings follow the case; the rest are guesses. There are only 16 cases."
    )
    assert words.caution(fit, few).startswith("There are only 16 cases.")
    assert words.warns(fit, few)


def test_a_rare_class_warns_although_there_are_many_cases():
    rare = counted((170, 8, 3, 1, 1))
    assert words.rarer(rare) == 21
    assert words.caution(wine_fit(), rare).startswith("Only 21 ratings fall into the rarest class.")
    one, other = rare.classes
    assert words.headline(with_accuracy(0.5, 0.4, 0.6), rare).endswith(f"guesses. One class is rare: “{other}”.")
    assert words.rare_classes(rare) == (other,)
    assert one not in words.few_data(wine_fit(), rare)


def test_what_the_verdict_says_is_not_said_twice():
    verdict = open_fit().identification.words
    twice = open_fit()
    findings = (FitFinding("not_identified", "ask", verdict, "Ask again."), FitFinding("x", "note", "Note.", "Do."))
    assert words.fit_findings(replace(twice, findings=findings)) == ["Note. Do."]
    assert words.caution(twice, counted((4, 2, 3, 3, 4))) == ""


def test_enough_data_need_no_caution():
    assert words.caution(wine_fit(), wine_ratings()) == ""
    assert not words.warns(wine_fit(), wine_ratings())


def test_without_interval_the_headline_says_that_certainty_is_missing():
    fit = with_accuracy(0.4368)
    assert words.headline(fit, wine_ratings()) == (
        "About 44 of 100 ratings follow the case; how sure that is cannot be said."
    )


def test_an_unidentified_fit_gets_no_number_in_its_headline():
    fit = open_fit()
    assert words.headline(fit, wine_ratings()) == (
        "These ratings cannot tell how much of the agreement is knowledge and how much is luck."
    )
    assert words.consequence(fit) == "With two ratings per case t, a and p cannot be told apart."
    assert words.warns(fit, wine_ratings())


def test_what_is_left_open_is_told_with_its_ranges():
    lost = ParameterName("a")
    verdict = Identification(
        by_design=False,
        here=False,
        words="Many values fit.",
        open_parameters=(lost,),
        ranges=(IdentifiedRange(lost, 0.2, 0.6, "a lies between 0.20 and 0.60."),),
    )
    assert words.identification(wine_fit(identification=verdict)) == "Many values fit. a lies between 0.20 and 0.60."


@pytest.mark.parametrize(("here", "start"), [(True, "These data determine"), (False, "These data cannot separate")])
def test_a_verdict_without_words_gets_ours(here, start):
    verdict = Identification(by_design=True, here=here, words="")
    assert words.identification(wine_fit(identification=verdict)).startswith(start)


def test_an_undefined_accuracy_gives_its_reason():
    fit = wine_fit()
    gone = tuple(
        replace(e, estimate=undefined("All cases are alike.")) if e.name.name == "a" else e for e in fit.estimates
    )
    fit = replace(fit, estimates=gone)
    assert words.headline(fit, wine_ratings()) == "No accuracy can be given. All cases are alike."


def test_a_search_that_did_not_settle_reports_no_number():
    fit = wine_fit(status=Status.NOT_SETTLED, converged=False)
    assert not re.search(r"\d", words.headline(fit, wine_ratings()))
    assert words.consequence(fit) == "Run it again with more starts or more steps."
    assert words.warns(fit, wine_ratings())


def test_the_consequence_is_a_plus_chance_and_chance_alone():
    assert words.consequence(wine_fit()) == (
        "When the case is truly “no medal, bronze”, a rating says so about 77 times in 100; when it is not, "
        "a rating still says “no medal, bronze” about 33 times in 100."
    )
    assert words.shares_note(wine_fit()) == ""


def test_an_interval_too_wide_to_conclude_leaves_the_consequence_open_whatever_the_re_draws_say():
    wide = [(0.0, 0.2), (0.0, 0.9), (0.0, 0.2)]
    fit = with_draws(wine_fit(estimates=examples.estimates({"t": 0.001, "a": 0.0, "p": 0.001}, wide)))
    assert words.headline(fit, wine_ratings()).startswith("Between 0 and 90 of 100 ratings follow the case: too wide")
    assert words.consequence(fit) == "How often a rating is right, lucky guesses counted, is as open as that."
    assert words.shares_note(fit) == ""


def test_the_consequence_has_the_intervals_of_the_shares_never_of_re_draws():
    fit = with_draws(wine_fit())
    assert "between" not in words.consequence(fit)
    shares = (RatingShare(fit.classes[1], 0.77, 0.71, 0.83), RatingShare(fit.classes[0], 0.33, 0.27, 0.4))
    told = words.consequence(replace(fit, shares=shares))
    assert "77 times in 100 (between 71 and 83)" in told
    assert "33 times in 100 (between 27 and 40)" in told


def test_with_more_classes_the_consequence_counts_lucky_guesses():
    fit = four_fit()
    hit = sum(
        t * (examples.FOUR_A + (1 - examples.FOUR_A) * p) for t, p in zip(examples.FOUR_T, examples.FOUR_P, strict=True)
    )
    assert words.consequence(fit) == f"Counting lucky guesses, a rating is right about {100 * hit:.0f} times in 100."


def test_a_model_with_many_accuracies_names_what_was_fitted():
    fit = wine_fit(model=model("t-aj-p"))
    told = words.headline(fit, wine_ratings())
    assert told.startswith("Each of the raters has an accuracy of their own here")
    assert told.endswith("(t-aj-p, 183 cases, 732 ratings).")


def test_a_label_full_of_braces_stays_a_label():
    fit = wine_fit(classes=("no", "{one} %s {0}"))
    assert "“{one} %s {0}”" in words.consequence(fit)
    assert "“{one} %s {0}”" in meanings(fit)[0].sentence


def test_what_is_not_said_names_the_latent_consensus():
    told = words.not_said()
    assert "Nobody checked the true answers" in told
    assert "not with reality" in told


def test_the_model_is_told_with_its_own_sentence():
    assert model("t-a-t").about in words.model_words(wine_fit(model=model("t-a-t")))
    assert words.missing_rule().startswith("A missing rating is simply left out.")


FORBIDDEN = re.compile(r"significan|excellent|good agreement|successful|error occurred|!|\bAI\b|p = \.", re.IGNORECASE)


@pytest.mark.parametrize(
    "fit", [wine_fit(), with_draws(wine_fit()), open_fit(), four_fit(), fit_of(1.0, 1.0, 0.5, active_bounds=("a = 1",))]
)
def test_no_sentence_praises_or_claims_significance(fit):
    ratings = four_ratings() if len(fit.classes) == 4 else wine_ratings()
    told = [
        words.headline(fit, ratings),
        words.consequence(fit),
        words.identification(fit),
        words.not_said(),
        words.model_words(fit),
        *degeneracy(fit),
        *(m.sentence for m in meanings(fit)),
    ]
    assert not [sentence for sentence in told if FORBIDDEN.search(sentence)]
    assert not [sentence for sentence in told if "{" in sentence or "None" in sentence or "nan" in sentence.lower()]


@pytest.mark.parametrize(
    ("subjects", "ratings", "told"),
    [(1, 1, "1 case, 1 rating"), (1, 4, "1 case, 4 ratings"), (183, 732, "183 cases, 732 ratings")],
)
def test_what_was_counted_is_told_in_the_singular_where_it_is_one(subjects, ratings, told):
    assert sized(subjects, ratings) == told
    other = Nouns("wine", "wines", "judge", "judges", "score", "scores")
    with speaking(Voice(nouns=other)):
        own = sized(subjects, ratings)
    assert own == told.replace("case", "wine").replace("rating", "score")
