"""Flags below the headline: who stands apart, misfit, few data, in this order, each with its part, nothing twice."""

from dataclasses import replace

import pytest

from tapdesk.answers.flags import MOST, flags
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import PARTS, parts_of
from tapdesk.answers.question import headline
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.language import joined
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import tallied


def answer_of(ratings, only=("differences", "by_rater", "goodness")):
    asked = Request(model("t-a-p"), interval="wald")
    fit = finish(analyse(ratings, asked))
    analysis = Analysis("", asked, fit, question="knowledge")
    project = Project(title="x").with_reading(finish(read("sample:jury-panel")), when="").with_analysis(analysis)
    side = finish(work_out(project, Wanted(), only=only)) if only else None
    return Answer(fit, ratings, ratings, *(() if side is None else (side,)), analysis=analysis)


@pytest.fixture(scope="module")
def panel():
    return answer_of(finish(read("sample:jury-panel")).ratings)


def test_what_the_headline_says_is_not_said_again_but_leads_to_its_part(panel):
    sentence, follows = headline(panel)
    assert "stand apart" in sentence
    shown = flags(panel, joined(sentence, follows))
    assert [flag.part for flag in shown][:1] == ["raters"]
    assert not any(flag.text and flag.text in joined(sentence, follows) for flag in shown)
    assert shown[0].text == ""
    # Said of an answer whose headline speaks of something else, it is a sentence.
    assert "stand apart" in flags(panel, "")[0].text


def test_every_flag_leads_to_a_part_that_stands_with_the_answer(panel):
    keys = parts_of(panel)
    for flag in flags(panel, ""):
        assert flag.part in keys
        assert flag.part in {row.key for row in PARTS}
        assert flag.link


def test_who_stands_apart_comes_before_misfit_and_few_data(panel):
    test = replace(panel.side.differences.test, p_bootstrap=0.001)
    few = tallied((3, 4, 5, 3))
    own = replace(panel, ratings=few, result=replace(panel.fit, subjects=15), side=replace(panel.side, goodness=test))
    shown = flags(own, "")
    assert [flag.part for flag in shown] == ["raters", "model", "words"]
    assert len(shown) <= MOST
    assert "do not look like what the model makes" in shown[1].text
    assert "only 15" in shown[2].text


def test_without_numbers_there_is_nothing_to_know(panel):
    assert flags(replace(panel, result=None), "") == ()
