"""Nothing is read out of a fit of which nothing can be concluded, and nothing of raters who contradict the others."""

import numpy as np
import pytest

from tapdesk.answers.checks import calibration_content, information_content
from tapdesk.answers.comparisons import choices_content
from tapdesk.answers.fit_parts import what_data_tell
from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.part import Answer, Missing
from tapdesk.answers.question import headline
from tapdesk.answers.side_results import SideResults
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.chance import chance_of
from tapdesk.studies.opposition import opposition
from tapdesk.studies.rater_diagnostics import rater_informations
from tests.studies.test_opposition import flipped, panel, rated

T_A_P = Request(model("t-a-p"))


def fitted(ratings, name="t-a-p"):
    return finish(analyse(ratings, Request(model(name)), shares=False))


@pytest.mark.parametrize(("accuracy", "read"), [(0.0, False), (0.8, True)])
def test_a_panel_within_chance_has_no_sentence_on_truth_accuracy_or_guesses(accuracy, read):
    ratings = rated(panel(np.random.default_rng(1), 60, 5, accuracy=accuracy))
    fit, test = fitted(ratings), finish(chance_of(ratings, 199, 1))
    assert test.more_than_chance is read
    rows = what_data_tell(Answer(fit, ratings, ratings, SideResults(chance=test)))
    assert any(about in {"t", "a", "p"} for about, _sentence, _tone in rows) is read


def test_of_raters_who_guess_in_ways_of_their_own_no_accuracies_are_told():
    rng, leanings = np.random.default_rng(17), np.linspace(0.15, 0.85, 5)
    ratings = rated((rng.random((60, 5)) < leanings).astype(int))
    fit = fitted(ratings)
    side = finish(fit_studies(fit, ratings, T_A_P))
    # They do differ, and their accuracies seem to; yet luck makes such ratings as well.
    assert side.differences is not None
    assert side.differences.test.rejects
    assert side.differences.accuracies
    words, _follows = headline(Answer(fit, ratings, ratings, side))
    assert "accurac" not in words
    assert "too wide to conclude" in words


def test_what_raters_tell_who_turned_the_scale_is_a_dash_and_not_nothing():
    ratings = rated(flipped(panel(np.random.default_rng(3), 200, 5), 3, 4))
    own = fitted(ratings, "t-aj-p")
    told = rater_informations(own)
    assert all(e.value is not None and e.value > 0.1 for e in told[:3])
    for e, number in zip(told[3:], [own.estimate("a", rater=name) for name in own.raters[3:]], strict=True):
        assert (e.value is None) == (number.value is None)
        assert e.value is None or e.value > 0.1


def test_of_a_panel_that_contradicts_itself_no_calibration_and_no_other_choices_are_told():
    ratings = rated(flipped(panel(np.random.default_rng(3), 200, 5), 3, 4))
    fit = fitted(ratings)
    side = SideResults(opposition=finish(opposition(ratings, T_A_P)))
    assert side.opposition.exists
    answer = Answer(fit, ratings, ratings, side)
    for content in (calibration_content, choices_content):
        made = content(answer)
        assert made is None or (isinstance(made, Missing) and "contradict the others" in made.reason)
    assert isinstance(choices_content(answer), Missing)
    assert information_content(answer) is None or isinstance(information_content(answer), Missing)
