"""What the record says to type: the command where it makes such a report again, else the project."""

from dataclasses import replace

import pytest

from tapdesk.answers.demands import Selection
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.models.model import model
from tapdesk.project.project import Analysis
from tapdesk.report.build import build
from tapdesk.studies.analysis import Request

from .examples import project_of

OF_PROJECT = "tapdesk report PROJECT.tapdesk -o REPORT.pdf"


def typed(project, **more):
    (section,) = (s for s in build(project, **more).sections if s.key == "record")
    return dict(row[:2] for table in section.blocks for row in table.rows)["What to type"]


@pytest.fixture
def asked(fitted, wine):
    """A project of one answer, by its request."""

    def made(request):
        project = project_of(fitted, wine)
        return replace(project, analyses=(Analysis("1", request, fitted, run_at="2026-05-14T10:44:00"),))

    return made


def test_a_usual_answer_is_made_again_from_its_file(asked):
    words = typed(asked(Request(model("t-a-p"))))
    assert words.startswith("tapdesk report ")
    assert "PROJECT" not in words
    assert words.endswith(".xlsx -o REPORT.pdf")
    # What a run works out beside its numbers changes none of them.
    assert typed(asked(Request(model("t-a-p"), redraws=True, subjects=True, replicates=200))) == words


@pytest.mark.parametrize(
    "request_",
    [
        Request(model("t-aj-p")),
        Request(model("t-a-p"), level=0.9),
        Request(model("t-a-p"), seed=4),
        Request(model("t-a-p"), interval="wald"),
        Request(model("t-a-p"), estimator="posterior"),
    ],
    ids=["model", "level", "seed", "interval", "estimator"],
)
def test_what_was_chosen_for_the_answer_needs_the_project(asked, request_):
    assert typed(asked(request_)) == OF_PROJECT


def test_what_was_chosen_for_the_report_needs_the_project(asked):
    project = asked(Request(model("t-a-p")))
    assert typed(project, leave_out=("counts",)) == OF_PROJECT
    wanted = Wanted(selection=Selection(pictures=("tree",)))
    assert typed(project, extras=SideResults(project.fingerprint, wanted)) == OF_PROJECT


def test_a_command_prints_its_options_and_not_another_one(asked):
    words = typed(asked(Request(model("t-aj-p"))), command_line="--model t-aj-p --awards")
    assert words.endswith(".xlsx --model t-aj-p --awards -o REPORT.pdf")
