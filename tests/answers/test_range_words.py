"""What two ratings of a case leave open stands first, on every face alike."""

import json

import pytest

from tapdesk.answers import fit_words, number_cells
from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline
from tapdesk.cli import json_output
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.tables import counted

TWO = counted((40, 22, 38))
HEADLINE = "Between 75 and 78 of 100 ratings follow the case (interval "


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t"])
def test_the_headline_is_the_range_and_the_assumption_comes_after(name):
    fit = finish(analyse(TWO, Request(model(name))))
    assert fit_words.headline(fit, TWO).startswith(HEADLINE)
    assert fit_words.warns(fit, TWO)
    follows = fit_words.consequence(fit)
    assert follows.startswith("If guesses fall as often as the truth, the accuracy is 0.75 (0.6")
    assert "two ratings of a case cannot show whether they do" in follows
    assert "Both answers are taken to be equally easy to recognise" in follows


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t"])
def test_the_strip_shows_the_range_and_no_single_accuracy(name):
    fit = finish(analyse(TWO, Request(model(name))))
    (cell,) = (cell for cell in number_cells.fit_cells(fit) if cell.symbol == "a")
    assert cell.value == "0.75 to 0.78"
    assert "If guesses fall as often as the truth, the accuracy is 0.75" in cell.why


def test_the_record_holds_range_interval_and_assumption():
    fit = finish(analyse(TWO, Request(model("t-a-t"))))
    told = json.loads(json.dumps(json_output.fit(fit, "t-a-t", TWO)["accuracy_range"]))
    assert told["without"] == "guesses as truth"
    assert told["outer_low"] < told["low"] < told["high"] < told["outer_high"]
    assert told["assumed"]["low"] < told["assumed"]["value"] < told["assumed"]["high"]


def test_three_ratings_tell_one_accuracy_and_once_what_it_takes_for_granted():
    three = counted((20, 12, 14, 30))
    fit = finish(analyse(three, Request(model("t-a-p"))))
    assert fit_words.headline(fit, three).startswith("About ")
    follows = fit_words.consequence(fit)
    assert follows.count("Both answers are taken to be equally easy to recognise") == 1
    assert "fits equally well, on average over the cases" in follows


def test_ratings_that_always_agree_leave_no_range_to_tell():
    agree = counted((20, 0, 30))
    fit = finish(analyse(agree, Request(model("t-a-t"))))
    assert "more closely" not in fit_words.headline(fit, agree)


def test_three_ratings_cannot_show_hard_cases_and_the_headline_says_so():
    def follows(ratings):
        request = Request(model("t-a-p"))
        fit = finish(analyse(ratings, request))
        return headline(Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request))))[1]

    told = "With so few ratings of each case it cannot be seen whether some cases are harder than others"
    assert told in follows(counted((20, 12, 14, 30)))
    assert told not in follows(counted((20, 12, 8, 8, 12, 30)))
