"""Tests that were asked for are told, by the fit's own part: on the terminal, in the report, in the window."""

from tapdesk.answers.fit_parts import TESTS
from tapdesk.answers.part import Answer
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel


def test_every_test_of_a_fit_is_a_sentence_with_its_hypothesis_and_its_verdict():
    ratings = panel(["t=.5", "a=.7", "p=.5"], 60, 4)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none", tests=True, replicates=60)))
    said = [paragraph.text for paragraph in TESTS.content(Answer(fit, ratings, ratings)).paragraphs]
    assert len(said) == len(fit.tests) == 4
    for test, sentence in zip(fit.tests, said, strict=True):
        if test.about and test.name != "G2":
            assert sentence.startswith("Against" if test.rejects else "Not against")
            assert test.about in sentence
            assert test.how_often in sentence
        else:
            assert sentence.startswith("Fit: G²")


def test_a_fit_without_tests_has_no_such_part():
    ratings = panel(["t=.5", "a=.7", "p=.5"], 60, 4)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    assert TESTS.content(Answer(fit, ratings, ratings)) is None
