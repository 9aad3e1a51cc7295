"""The parts of the grid by made-up results: each sentence is said where it is true, and not where it is not."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tapdesk.answers import grid_parts as parts
from tapdesk.answers import known_use
from tapdesk.answers.part import Answer, Content, Part
from tapdesk.answers.parts import parts_of
from tapdesk.answers.range_words import cases_seem_to_differ
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.models.model import CASE_MODELS, model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.case_scores import case_scores
from tapdesk.studies.consistency import Consistency
from tapdesk.studies.dependence import CaseExplanation, Dependence
from tapdesk.studies.grid_tests import grid_tests
from tapdesk.studies.group_contrasts import GroupContrast
from tapdesk.studies.likelihood_ratio import bootstrap_test
from tapdesk.studies.wrong_together import WrongTogether
from tests.studies.examples import panel


@cache
def plain() -> Answer:
    ratings = panel(["t=.5", "a=.7", "p=.5"], 40, 3)
    return Answer(finish(analyse(ratings, Request(model("t-aj-p"), interval="none"))), ratings, ratings)


def said(part: Part, **side) -> str:
    content = part.content(replace(plain(), side=SideResults(**side)))
    assert isinstance(content, Content)
    tables = (" ".join((t.title, t.note, *(cell for row in t.rows for cell in row))) for t in content.tables)
    return " ".join((*(p.text for p in content.paragraphs), *tables))


def ways(*fits: bool, spread: float = 0.1) -> Dependence:
    names = ("t-a-p", *(row.name for row in CASE_MODELS))
    rows = (
        CaseExplanation(
            name, -100.0, 0.6 - spread * i, np.array([0.7, 0.3]), 0.1 * i, fit, 0.55 - spread * i, 0.65 - spread * i
        )
        for i, (name, fit) in enumerate(zip(names, fits, strict=True))
    )
    return Dependence(tuple(rows), seen=True)


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (ways(True, True, True, False), "About 60 of 100 ratings follow the case if all cases are equally hard;"),
        (ways(True, True, True, False), "hard; 35 to 55 if some are harder. These ratings go with each of these."),
        (ways(False, True, True, False), "hard; 35 to 55 if some are harder. These ratings prefer the second."),
        (ways(False, False, False, True), "hard; 25 to 35 if some mislead everybody. These ratings prefer the second."),
        (ways(False, False, True, True), "hard; 35 to 45 if some are harder; 25 to 35 if some mislead everybody."),
        (ways(False, False, True, True), "These ratings speak against the first."),
        (ways(False, False, False, False), "How far the accuracy reaches if some cases are harder could not be found."),
    ],
)
def test_the_range_says_what_the_ratings_prefer(seen, sentence):
    assert sentence in said(parts.DEPENDENCE, dependence=seen)


HARD = "Cases seem to differ in difficulty: about 60 of 100 ratings follow the case if all are equally hard, "
ALIKE = "Cases seem to differ: about 60 of 100 ratings follow the case if all are alike, "


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        (ways(False, True, True, True), f"{HARD}35 to 55 if some are harder, 25 to 35 if some mislead everybody."),
        (ways(False, True, False, False), f"{HARD}45 to 55 if some are harder."),
        (ways(False, False, False, True), f"{ALIKE}25 to 35 if some mislead everybody."),
    ],
)
def test_where_the_ratings_speak_for_it_the_headline_tells_the_range(seen, sentence):
    assert cases_seem_to_differ(seen)[0].format() == sentence


def test_the_range_is_explained():
    assert "One accuracy takes all cases for equally hard. The same ratings can be explained by" in (
        parts.DEPENDENCE.explanation
    )
    assert (
        "The difference of every two groups, or questions, with an interval of its own." in parts.CONTRASTS.explanation
    )
    assert parts.CONSISTENCY.title == "Do raters repeat their own answers?"
    assert parts.TOGETHER.title == "Is the panel wrong together?"
    assert "What raters have in common need not be the truth." in parts.TOGETHER.explanation
    assert "The expected class of each case, with the probability that it truly is" in parts.SCORES.explanation


def test_differences_are_told_from_the_larger_to_the_smaller():
    one = GroupContrast("p", "b", "a", -0.3, -0.5, -0.1)
    assert "More guesses of “a” than of “b” come out “1”: 10 to 50 more of 100." in said(
        parts.CONTRASTS, group_contrasts=(one,)
    )
    rated = replace(one, name="a", rater="J1", value=0.3, low=0.1, high=0.5)
    assert "Ratings of J1 follow the case oftener in “b” than in “a”: 10 to 50 more of 100." in said(
        parts.CONTRASTS, group_contrasts=(rated,)
    )
    shared = replace(rated, rater=None)
    assert "Ratings of “b” follow the case oftener than those of “a”: 10 to 50" in said(
        parts.CONTRASTS, group_contrasts=(shared,)
    )
    many = tuple(replace(shared, of=f"g{i}") for i in range(8))
    assert "Further clear differences stand in the table: 8 in all." in said(parts.CONTRASTS, group_contrasts=many)
    none = (replace(one, low=-0.5, high=0.1),)
    assert "No group clearly differs from another one; that does not show" in said(
        parts.CONTRASTS, group_contrasts=none
    )


def test_pairs_of_own_ratings_are_counted():
    one = Consistency("J1", 1, 1.0, None, 0.5, None, 0.4, 0.8)
    text = said(parts.CONSISTENCY, consistency=(one,))
    assert "The class was the same in 1 of 1 pair of own ratings of one case; accuracy and leaning alone make" in text
    assert "So few pairs could hardly show it: all of them alike would still pass for luck." in text
    text = said(parts.CONSISTENCY, consistency=(one, replace(one, rater="J2", pairs=7, same=3 / 7)))
    assert "The class was the same in 4 of 8 pairs of own ratings of one case; accuracy and leaning alone make" in text
    assert "For nobody is that more than they explain by more than luck." in text
    # A half to the power of seven, of two raters, is below 5 %: they could have shown it.
    assert "So few pairs" not in text
    both = (one, replace(one, rater="J2", pairs=20, same=0.9, p_bootstrap=0.001, p_holm=0.002))
    text = said(parts.CONSISTENCY, consistency=both)
    assert text.startswith("J2 gave the same class in 18 of 20 pairs of own ratings of one case; accuracy and leaning")
    assert "alone make about 10. That is more than they explain for J2: an answer that is remembered," in text
    assert "J1 gave" not in text
    assert "pairs could hardly" not in text
    assert "Kappa: of the rater with themselves. p: how often raters who remember nothing look" in text


def test_the_known_cases_are_counted():
    draws = bootstrap_test("together", 1.0, None, np.arange(9.0), "")
    found = WrongTogether("t-aj-pj", 1, 0, 0.1, draws, Estimate(0.6), Estimate(0.6), Estimate(1.0), Estimate(0.0))
    text = said(parts.TOGETHER, together=found)
    assert "Of 1 case of a known class, the panel’s own shared pattern of answers names another class for 0." in text
    assert "Model t-aj-pj. Intervals from resamples, known cases and the others each for themselves." in text


def test_a_panel_that_is_wrong_together_is_said_first_and_shown_first():
    draws = bootstrap_test("together", 100.0, None, np.arange(99.0), "")
    base = plain()
    each = Estimate(0.9).between(0.8, 0.95, 0.95, "bootstrap"), Estimate(0.5).between(0.4, 0.6, 0.95, "bootstrap")
    raters = (each,) * len(base.ratings.raters)
    ratio = Estimate(0.6).between(0.5, 0.7, 0.95, "bootstrap")
    apart = Estimate(-0.4).between(-0.5, -0.2, 0.95, "bootstrap")
    found = WrongTogether("t-aj-pj", 20, 8, 0.1, draws, *each, ratio, apart, raters)
    answer = replace(base, side=SideResults(together=found))
    sentence, follows = known_use.wrong_together(answer)
    assert sentence.endswith("more than with the known answers: the panel seems to be wrong together.")
    assert follows.startswith("For 8 of 20 cases of a known class the panel’s shared pattern names another one.")
    assert "Do not rely on the accuracy of 0.90 against the panel: against what is known it is 0.50." in follows
    assert parts_of(answer)[0] == "together"
    text = said(parts.TOGETHER, together=found)
    note = (
        "Model t-aj-pj. Accuracy: 1 = always right, 0 = guessing. Intervals from resamples of the cases; against what "
        "is known none below 10 cases."
    )
    assert note in text
    pictured = parts.TOGETHER.content(answer).pictures[0]
    assert pictured.note.startswith("Dots: against the known answers. Squares: against the panel’s own pattern, all ")
    # Each dot and each square has its interval.
    assert all(points.low is not None for points in pictured.panels[0].marks)
    assert len(pictured.panels[0].marks) == 2 * len(raters)


def test_what_cannot_be_tested_or_scored_says_why():
    answer = plain()
    with pytest.raises(CannotAnswerError, match="Scores are told of settled fits of ordered classes alone"):
        finish(case_scores(answer.ratings, answer.fit, 1))
    runs = list(grid_tests(answer.ratings, model("t-a-p"), 9, 1))
    with pytest.raises(CannotAnswerError, match="Ratings of this design cannot show it, so there is no test"):
        finish(runs[0])
    with pytest.raises(CannotAnswerError, match="Nothing falls next to the truth where classes have no order"):
        finish(runs[1])
