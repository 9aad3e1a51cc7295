"""Pictures that are printed where they are asked for: in the report, by the project, and by names nobody learns."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.chosen_pictures import PICTURES
from tapdesk.answers.content import Heading, Paragraph, Picture
from tapdesk.answers.demands import Selection
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.naming import RatersAs
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import parts_of
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.cli.main import main
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read
from tapdesk.report.build import build
from tapdesk.report.setup import Setup, prepare_further, with_setup
from tapdesk.studies.analysis import Request, analyse

from .examples import project_of
from .looked_up import blocks

BESIDE = Wanted(replicates=20, agreement=False, tests=False, raters=False, sensitivity=False)


def test_pictures_that_are_asked_for_are_those_of_the_figure_command(fitted, wine):
    wanted = replace(BESIDE, selection=Selection(pictures=("cases", "tree", "cohen", "nothing-known")))
    project = project_of(fitted, wine)
    extras = finish(work_out(project, wanted))
    made = build(project, extras=extras)
    titles = [f"{block.text}" for block in blocks(made, "pictures", Heading)]
    assert titles == ["How sure are the cases?", "How does a rating come about?", "How does Cohen’s kappa come about?"]
    drawn = [panel for block in blocks(made, "pictures", Picture) for panel in block.panels]
    wanted_panels = (*figures("cases", fitted, wine), *figures("tree", fitted, wine))
    assert [panel.kind for panel in drawn] == [panel.kind for panel in wanted_panels]
    for panel, like in zip(drawn, wanted_panels, strict=True):
        numbers = [[cell for row in one.table.rows for cell in row if isinstance(cell, float)] for one in (panel, like)]
        np.testing.assert_allclose(numbers[0], numbers[1], atol=1e-9)
    (clinical,) = figures("clinical", fitted, wine)
    assert "how often a class is given where it is true; predictive value" in clinical.note
    assert PICTURES.explanation.startswith("Pictures of this answer and these ratings that were asked for")
    # What cannot be drawn of these ratings says why in its place.
    (reason,) = [block.text for block in blocks(made, "pictures", Paragraph)]
    assert reason.startswith("Cohen’s kappa is about two raters")


def test_a_picture_more_is_worked_out_alone_and_no_picture_leaves_no_section(fitted, wine):
    project = project_of(fitted, wine)
    extras = finish(work_out(project, replace(BESIDE, selection=Selection(pictures=("cases",)))))
    more = with_setup(project, Setup(selection=Selection(pictures=("tree", "cases"))))
    after = finish(prepare_further(more, extras))
    assert list(after.on_demand["pictures"]) == ["tree", "cases"]
    assert after.on_demand["pictures"]["cases"] is extras.on_demand["pictures"]["cases"]
    plain = build(project, extras=finish(work_out(project, BESIDE)))
    assert "pictures" not in {section.key for section in plain.sections}


def test_raters_in_a_picture_are_called_by_codes_where_the_report_does():
    jury = finish(read("sample:jury"))
    fit = finish(analyse(jury.ratings, Request(model("t-aj-p"), interval="none")))
    project = Project(title="Jury").with_reading(jury, when="").with_analysis(Analysis("main", fit_request(), fit))
    extras = finish(work_out(project, replace(BESIDE, selection=Selection(pictures=("surprises",)))))
    coded = build(project, extras=extras, raters_as=RatersAs.CODES)
    words = " ".join(
        str(cell) for b in blocks(coded, "pictures", Picture) for p in b.panels for r in p.table.rows for cell in r
    )
    assert words
    assert not any(name in words for name in jury.ratings.raters)


def fit_request():
    return Request(model("t-aj-p"), interval="none")


def test_the_page_of_the_paradox_stands_first_where_the_trap_springs_and_only_there():
    paradox = finish(read("sample:paradox"))
    request = Request(model("t-a-t"), interval="none")
    fit = finish(analyse(paradox.ratings, request))
    project = Project(title="Paradox").with_reading(paradox, when="").with_analysis(Analysis("main", request, fit))
    side = finish(work_out(project, Wanted(replicates=20, tests=False), only=("coefficients", "paradox")))
    answer = Answer(fit, paradox.ratings, paradox.ratings, side)
    assert parts_of(answer)[0] == "paradox"
    assert parts_of(answer).count("paradox") == 1
    assert parts_of(replace(answer, side=SideResults()))[0] != "paradox"


@pytest.mark.parametrize(
    ("kind", "why"), [("cohen", "is about two raters"), ("rater_histogram", "needs at least 5 whose accuracies")]
)
def test_a_picture_that_cannot_be_drawn_is_refused_before_a_report_is_written(kind, why, tmp_path, capsys):
    out = tmp_path / "report.pdf"
    assert main(["report", "sample:jury", "--form", "full", "--figure", kind, "-o", str(out)]) == 4
    said = capsys.readouterr().err
    assert why in said
    assert f"--figure {kind}: " in said
    assert "Leave out this picture" in said
    assert not out.exists()
