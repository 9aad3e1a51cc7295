"""What stands beside an answer: worked out in portions it is what it is at once, and nothing is worked out twice."""

from dataclasses import replace

import pytest

from tapdesk.answers import side_studies
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse

FEW = Wanted(replicates=20, sensitivity=False)
FIRST, SECOND = ("opposition", "differences"), ("coefficients", "beliefs")


@pytest.fixture(scope="module")
def panel():
    project = Project().with_reading(read_now("sample:jury-panel")).with_class1(("silver",))
    request = Request(model("t-a-p"))
    return project.with_analysis(Analysis("main", request, finish(analyse(project.ratings, request))))


@pytest.fixture
def begun(monkeypatch):
    """The names of the studies that are begun."""
    names, begin = [], side_studies._begun

    def noted(study, basis):
        names.append(study.name)
        return (yield from begin(study, basis))

    monkeypatch.setattr(side_studies, "_begun", noted)
    return names


def test_a_later_portion_uses_what_an_earlier_one_told(panel, begun):
    once = finish(work_out(panel, FEW, only=(*FIRST, *SECOND)))
    begun.clear()
    portion = finish(work_out(panel, FEW, only=FIRST))
    both = finish(work_out(panel, FEW, only=SECOND, before=portion))
    assert begun == [*FIRST, *SECOND]
    assert both.differences is portion.differences
    assert both.differences.accuracies == once.differences.accuracies
    assert (both.beliefs.probability == once.beliefs.probability).all()


def test_raters_are_compared_once_for_all_studies(panel, begun, monkeypatch):
    portion = finish(work_out(panel, FEW, only=FIRST))
    monkeypatch.setattr("tapdesk.studies.case_beliefs.equal_raters", lambda *_: pytest.fail("this is known"))
    assert finish(work_out(panel, FEW, only=SECOND, before=portion)).beliefs is not None
    assert begun == [*FIRST, *SECOND]


@pytest.mark.parametrize(
    "other", [replace(FEW, seed=2), replace(FEW, replicates=30), replace(FEW, level=0.9)], ids=["seed", "sets", "level"]
)
def test_what_was_worked_out_otherwise_is_worked_out_again(panel, begun, other):
    before = finish(work_out(panel, FEW, only=("coefficients",)))
    begun.clear()
    finish(work_out(panel, other, only=("coefficients",), before=before))
    assert begun == ["coefficients"]


def test_nothing_is_kept_of_other_ratings(panel, begun):
    before = finish(work_out(panel, FEW, only=("coefficients",)))
    begun.clear()
    finish(work_out(panel.with_class1(("gold",)), FEW, only=("coefficients",), before=before))
    assert begun == ["coefficients"]
