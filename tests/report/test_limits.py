"""What a report works out of many raters and many ratings, and what it leaves out, saying so."""

from dataclasses import replace

import pytest

from tapdesk.answers import side_results
from tapdesk.answers.content import Picture
from tapdesk.answers.side_results import Wanted
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import Step, finish
from tapdesk.report.build import build
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

from .examples import project_of
from .looked_up import blocks


def answer():
    yield Step(1, 1, "report")
    return "done"


@pytest.fixture(scope="module")
def forty():
    """Forty raters, of whom the last one guesses."""
    ratings = panel(["t=.4", "a=.7", "a[J40]=0", "p=.4"], 60, 40, name="t-aj-p")
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="wald")))
    project = project_of(fit, ratings)
    asked = Wanted(replicates=5, agreement=False)
    return project, finish(prepare(project, asked))


def test_forty_raters_are_left_out_one_by_one_and_compared_pair_by_pair(forty):
    _project, extras = forty
    assert len(extras.without.rows) == 40
    assert extras.independence.first.size == 40 * 39 / 2
    assert not {"without", "independence", "chance", "goodness"} & extras.reasons.keys()


def test_of_many_raters_those_are_drawn_who_move_the_accuracy_most_beside_the_models(forty):
    project, extras = forty
    (picture,) = blocks(build(project, extras=extras), "sensitivity", Picture)
    (figure,) = picture.panels
    drawn = [name for _y, name in figure.y.ticks if "without" in name]
    assert len(drawn) == 20
    assert "Accuracy without J40" in drawn
    assert "Of the 40 raters the 20 are shown who move the accuracy most." in picture.note
    assert "Without one rater: profile intervals." not in picture.note
    # Where no other model is beside them, nothing else names the kind of the intervals.
    (alone,) = blocks(build(project, extras=replace(extras, others=())), "sensitivity", Picture)
    assert "Without one rater: profile intervals." in alone.note


@pytest.mark.parametrize(
    ("study", "limit", "most", "said"),
    [
        (side_results.limited, "_MOST_RATINGS", 39, "With more than 39 ratings"),
        (side_results.each_left_out, "_MOST_LEFT_OUT", 3, "With more than 3 raters"),
        (side_results.apart, "_MOST_APART_RATERS", 3, "With more than 3 raters"),
        (side_results.apart, "MOST_APART", 39, "With more than 39 ratings"),
        (side_results.few_classes, "_MOST_CLASSES", 1, "With more than 1 class "),
    ],
)
def test_beyond_its_limit_a_study_is_refused_with_the_limit(monkeypatch, study, limit, most, said):
    ratings = panel(["t=.4", "a=.7", "p=.4"], 10, 4)
    assert finish(study(ratings, answer)) == "done"
    monkeypatch.setattr(side_results, limit, most)
    with pytest.raises(CannotAnswerError, match=said):
        finish(study(ratings, answer))


def test_a_model_that_does_not_tell_raters_apart_is_held_to_the_wider_limit(monkeypatch):
    ratings = panel(["t=.4", "a=.7", "p=.4"], 10, 4)
    monkeypatch.setattr(side_results, "_MOST_APART_RATERS", 3)
    assert finish(side_results.apart(ratings, answer, by_rater=False)) == "done"
