"""Numbers as APA has them: on every axis of every figure, not on some of them."""

import re

import pytest

from tapdesk.answers.content import Picture
from tapdesk.answers.numbers import APA
from tapdesk.answers.side_results import Wanted
from tapdesk.answers.svg.plane import ticks
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import SetClass1
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read
from tapdesk.report.build import build
from tapdesk.report.report import Form
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

ZERO = re.compile(r"(?<![\d.])0\.\d")


@pytest.fixture(scope="module", params=["jury", "fleiss-1971", "audit"])
def pictures(request):
    """Every figure of everything that is said of a sample."""
    project = Project(title="T").with_reading(finish(read(f"sample:{request.param}")), when="")
    if request.param == "jury":
        project = project.decide(SetClass1(("gold",)), when="")
    asked = Request(model("t-a-p"), redraws=True, replicates=60)
    fit = finish(analyse(project.ratings, asked))
    project = project.with_analysis(Analysis("2025-05-14T10:44:00", asked, fit))
    report = build(project, extras=finish(prepare(project, Wanted(replicates=60))), style=APA, form=Form.EVERYTHING)
    return [panel for s in report.sections for b in s.blocks if isinstance(b, Picture) for panel in b.panels]


def test_no_axis_of_a_share_has_a_zero_before_the_point(pictures):
    assert len(pictures) > 8
    assert any(words.startswith(".") for panel in pictures for _at, words in ticks(panel.x))
    for panel in pictures:
        for axis in (panel.x, panel.y):
            # What may be more than 1, such as a likelihood ratio, keeps its zero.
            if axis.low >= -1 and axis.high <= 1:
                assert not [words for _at, words in ticks(axis) if ZERO.search(words)], (panel.kind, axis.title)
