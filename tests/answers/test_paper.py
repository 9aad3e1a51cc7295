"""What authors take over: numbers of the answer, the kappa a reviewer asks for, works that are in the list, caveats."""

import re

import pytest

from tapdesk.answers.literature import WORKS
from tapdesk.answers.paper import PAPER, coefficients_of
from tapdesk.answers.part import Answer, Content, Missing
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse


def answer_of(name, *class1):
    project = Project(title=name).with_reading(read_now(f"sample:{name}"), when="")
    if class1:
        project = project.decide(SetClass1(class1), when="")
    request = Request(model("t-a-p"), interval="wald")
    fit = finish(analyse(project.ratings, request))
    project = project.with_analysis(Analysis("1", request, fit))
    side = finish(work_out(project, Wanted(replicates=20), only=("coefficients", "all_classes", "every_class")))
    return Answer(fit, project.ratings, project.all_classes, side, project.analyses[0])


@pytest.fixture(scope="module")
def jury():
    return answer_of("jury", "gold")


def said(answer):
    content = PAPER.content(answer)
    assert isinstance(content, Content)
    by_opening, last = {}, ""
    for one in content.paragraphs:
        last = one.opening or last
        by_opening.setdefault(last, []).append(one.text)
    return by_opening


def test_methods_results_limitations_and_references_stand_in_this_order(jury):
    assert list(said(jury)) == ["Methods.", "Results.", "Limitations.", "References."]


def test_the_methods_tell_the_design_the_coefficients_and_the_model(jury):
    (methods,) = said(jury)["Methods."]
    assert methods.startswith("4 raters gave 732 ratings of 183 cases (4 of each); there were 4 classes.")
    assert "Agreement is described by raw agreement and by Fleiss’ kappa (Fleiss, 1971)" in methods
    assert "To part knowledge from luck, the t-a-p model (Eubanks" in methods
    assert "follows the true class of its case or is a guess. Given the true class" in methods
    assert "Reporting follows guidelines for studies of agreement (Kottner" in methods
    assert "Numbers stand with " in methods


def test_of_seats_it_is_said_that_who_rated_is_not_used():
    (methods,) = said(answer_of("paradox"))["Methods."]
    assert "were rated 2,000 times (2 of each); there were 2 classes, and who rated is not used." in methods
    assert PAPER.explanation.startswith("Sentences on how it was done and what came out, with the numbers")


def test_every_number_of_the_results_is_one_of_the_answer(jury):
    (results,) = said(jury)["Results."]
    assert results.startswith("Measured so, the agreement is: raw agreement 0.")
    for c in coefficients_of(jury):
        assert f"{c.estimate.value:.2f} (95 % CI {c.estimate.low:.2f} to {c.estimate.high:.2f})" in results
    accuracy = jury.fit.estimate("a")
    assert f"Accuracy by the t-a-p model: {accuracy.value:.2f} (95 % CI " in results


def test_the_weighted_kappa_is_that_of_all_classes_also_where_one_is_counted(jury):
    (weighted,) = [c for c in coefficients_of(jury) if c.weights == "quadratic"]
    assert weighted in jury.side.all_classes
    assert f"the quadratically weighted kappa of all classes {weighted.estimate.value:.2f}" in said(jury)["Results."][0]
    assert "(Fleiss, 1971; Cohen, 1968)" in said(jury)["Methods."][0]


def test_of_two_classes_there_is_no_weighted_kappa():
    assert not [c for c in coefficients_of(answer_of("paradox")) if c.weights == "quadratic"]


def test_every_work_that_is_cited_is_listed_and_no_other(jury):
    told = said(jury)
    listed = {one.key for one in WORKS if one.work in told["References."]}
    assert len(listed) == len(told["References."])
    words = told["Methods."][0] + told["Results."][0]
    cited = {one.key for one in WORKS if one.cite in words}
    assert cited == listed


def test_the_limitations_say_what_the_numbers_do_not(jury):
    (limits,) = said(jury)["Limitations."]
    assert "Kappa depends on how common each class is" in limits
    assert "Nobody checked the true answers" in limits


def test_ratings_that_are_missing_are_said_to_be_left_out_with_the_work_on_that(jury):
    missing = "A missing rating is left out, as if it were missing whatever it would have said (Rubin, 1976)."
    assert missing in said(answer_of("jury-panel", "gold"))["Methods."][0]
    assert missing not in said(jury)["Methods."][0]


def test_without_an_answer_there_is_nothing_to_take_over(jury):
    empty = Answer(None, jury.ratings, jury.every, jury.side)
    assert not isinstance(PAPER.content(empty), Content | Missing)


def test_no_field_is_left_open(jury):
    assert not re.search(r"[{}]|None|nan", " ".join(text for texts in said(jury).values() for text in texts))
