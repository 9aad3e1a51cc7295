"""How long a report takes from its project to the PDF, figures included."""

import time

import pytest

from tapdesk.models.catalog import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.extras import Wanted
from tapdesk.report.pdf import pages, pdf
from tapdesk.report.prepare import prepare
from tapdesk.studies.analysis import Request, analyse


@pytest.mark.benchmark
def test_a_report_of_twelve_pages_takes_less_than_two_seconds():
    project = Project(reading=read_now("sample:jury"))
    request = Request(model("t-a-p"), redraws=True, replicates=200)
    fit = finish(analyse(project.ratings, request))
    project = project.with_analysis(Analysis("1", request, fit, run_at="2026-05-14T10:44:00"))
    extras = finish(prepare(project, Wanted(replicates=20)))
    leave_out = {"counts", "technical", "decisions", "checklist"}
    taken = []
    for _ in range(3):
        began = time.perf_counter()
        report = build(project, extras=extras, leave_out=leave_out)
        pdf(report)
        taken.append(time.perf_counter() - began)
    assert len(pages(report, ppi=20)) >= 12
    print(f"fastest of three: {min(taken):.2f} s")
    assert min(taken) < 2.0
