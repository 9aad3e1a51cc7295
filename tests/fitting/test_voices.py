"""What is decided by a reason is decided alike in whatever voice the reason was made, and told again in another one."""

from dataclasses import replace

import pytest

from tapdesk.answers.figures.shares import expected_needs
from tapdesk.fitting.fit import NO_GUESS, Fit
from tapdesk.language import Nouns, in_voice, same_sentence, speaking, voice
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

WINES = Nouns("wine", "wines", "judge", "judges", "medal", "medals")


def of_one_mind() -> Ratings:
    """Thirty cases, four raters, all of one mind: nobody's guess can be seen."""
    ratings = panel(["t=.5", "a=.5", "p=.5"], 30, 4, classes=("no", "yes"))
    return replace(ratings, category=ratings.subject % 2)


def flags(fit: Fit, ratings: Ratings) -> tuple[object, ...]:
    """What depends on why a number is absent."""
    values = tuple(e.estimate.value for e in fit.estimates)
    return fit.rates_known, fit.degenerate, fit.active_bounds, values, expected_needs(fit, ratings) is None


@pytest.mark.parametrize("name", ["t-a-p", "t-aj-p"])
def test_a_fit_made_in_one_voice_is_judged_alike_in_another(name):
    ratings, request = of_one_mind(), Request(model(name))
    plain = finish(analyse(ratings, request))
    with speaking(replace(voice(), nouns=WINES)):
        made = finish(analyse(ratings, request))
        told = in_voice(plain)
        assert flags(made, ratings) == flags(told, ratings)
    assert flags(plain, ratings) == flags(made, ratings) == flags(told, ratings)
    if name == "t-a-p":
        assert plain.rates_known


def test_guessing_alone_is_known_again_in_other_nouns():
    ratings, request = read_now("sample:confusion-3x3").ratings, Request(model("t-a-p"))
    plain = finish(analyse(ratings, request))
    with speaking(replace(voice(), nouns=WINES)):
        made = finish(analyse(ratings, request))
    assert flags(plain, ratings) == flags(made, ratings)
    assert (plain.accuracy_range is None) == (made.accuracy_range is None)


def test_one_sentence_is_the_same_in_two_voices_and_no_other():
    with speaking(replace(voice(), nouns=WINES)):
        told = in_voice(NO_GUESS)
    assert str.__str__(told) != str.__str__(NO_GUESS)
    assert same_sentence(told, NO_GUESS)
    assert not same_sentence("Every other sentence.", NO_GUESS)
    assert not same_sentence(None, NO_GUESS)
