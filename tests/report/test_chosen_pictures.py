"""Pictures that are printed where they are asked for: in the report, by the project, and by names nobody learns."""

import re
from dataclasses import replace
from functools import cache
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.answers.chosen_pictures import PICTURES
from tapdesk.answers.content import Heading, Paragraph, Picture, note_of, sentences
from tapdesk.answers.demands import Selection
from tapdesk.answers.figures.catalog import FIGURES, figures, picture
from tapdesk.answers.naming import RatersAs
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import parts_of
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.answers.svg.draw import head_lines, svg
from tapdesk.cli.main import main
from tapdesk.fitting.fit import Fit
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.ratings.reading import read, read_now
from tapdesk.report.build import build
from tapdesk.report.setup import Setup, prepare_further, with_setup
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel as simulated_panel

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


# These take a second or more, whatever the ratings are.
LONG = {"plan", "paradox", "models", "recovery", "chance", "horizon"}


@cache
def fit_of(source: str) -> tuple[Fit, Ratings]:
    """A sample and its fit."""
    ratings = read_now(source).ratings
    return finish(analyse(ratings, Request(model("t-a-p"), interval="wald"))), ratings


def wards() -> Ratings:
    """120 cases of two wards, the second of which has a third of them."""
    ratings = simulated_panel(["t=.4", "a=.6", "p=.5"], 120, 5)
    names = np.array(["north", "north", "south"], dtype=object)[np.arange(120) % 3]
    return replace(ratings, covariates=MappingProxyType({"ward": Covariate("ward", CovariateOf.SUBJECT, names)}))


def test_each_of_several_panels_has_its_title_and_its_number_of_cases():
    ratings = wards()
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    panels = figures("cases", fit, ratings)
    shown = Picture.of_panels("How sure are the cases?", panels, 200.0, 2)
    assert (shown.title, shown.columns, shown.headed) == ("How sure are the cases?", 2, True)
    assert shown.note == (
        "Panel 1: N = 120 cases. Panel 2: N = 80 cases. Panel 3: N = 40 cases. "
        "By the t-a-p model, averaged over what is not known of its numbers. "
        "Full bars: expected to be truly “0”; striped bars: truly “1”."
    )
    assert [panel.note.split(". ")[0] for panel in panels] == ["N = 120 cases", "N = 80 cases", "N = 40 cases"]
    assert "Panel 2" not in panels[1].note
    pieces = [svg(figure, width=292.0, height=200.0, head=head_lines(panels, 292.0)) for figure in panels]
    for name, drawn in zip(("120 cases are", "ward north: ", "ward south: "), pieces, strict=True):
        assert name in " ".join(re.findall(r"<text[^>]*>([^<]*)</text>", drawn))
    # Titles of one and of two lines leave the axes of a row in one line.
    assert len({re.search(r'height="([\d.]+)"', drawn).group(1) for drawn in pieces}) == 1


def test_a_picture_of_one_panel_keeps_its_own_title_and_note():
    ratings = simulated_panel(["t=.4", "a=.6", "p=.5"], 120, 5)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    (figure,) = figures("cases", fit, ratings)
    shown = Picture.of_panels("How sure are the cases?", (figure,), 200.0, 2)
    assert (shown.title, shown.note, shown.columns, shown.headed) == (figure.title, figure.note, 1, False)


def test_what_is_so_of_some_panels_is_told_with_them():
    ratings = simulated_panel(["t=.4", "a=.1,.4,.6,.7,.9", "p=.5"], 200, 5, name="t-aj-p")
    fit = finish(analyse(ratings, Request(model("t-aj-p"), interval="wald")))
    note = note_of(figures("calibration", fit, ratings))
    assert note.startswith("N = 200 cases, 1,000 ratings; t-aj-p model. Panel 1: Each dot is a group of ratings")
    assert "Panel 2: Each dot is one rater. Lines: two standard errors. Panel 1: " in note
    assert note.endswith("Panel 2: 0 of 5 are further from the diagonal than luck explains.")
    spread, _each = figures("rater_histogram", fit, ratings)
    assert spread.note == "N = 200 cases, 1,000 ratings; t-aj-p model. One bar for each tenth."


def test_sentences_of_one_panel_that_follow_each_other_have_one_place():
    ratings = simulated_panel(["t=.4", "a=.6", "p=.5"], 120, 5)
    fit = finish(analyse(ratings, Request(model("t-a-p"), interval="none")))
    note = note_of(figures("expected", fit, ratings))
    assert note.startswith(
        "Panel 1: N = 120 cases, 600 ratings; t-a-p model. Shares of all pairs of ratings of a case."
    )
    assert "Without resamples the other numbers by the model have none. Panel 2: N = 600 ratings of 120 cases." in note
    drawn = figures("kappa_factor", fit, ratings)
    assert "Panel 1: In the cells κ/a² at a = " in note_of(drawn)
    assert note_of(drawn).count("Panel 1: ") == note_of(drawn).count("Panel 2: ") == 1


@pytest.mark.parametrize("kind", [row.kind for row in FIGURES if row.kind not in LONG])
@pytest.mark.parametrize("source", ["sample:jury-panel", "sample:confusion-3x3"])
def test_below_several_panels_stands_all_that_their_notes_say(kind, source):
    fit, ratings = fit_of(source)
    row = picture(kind)
    if row.needs(fit, ratings) is not None:
        return
    panels = figures(kind, fit, ratings)
    note = note_of(panels)
    for figure in panels:
        for sentence in sentences(figure.note):
            assert sentence in note


def test_pictures_that_are_asked_for_tell_intervals_as_the_pictures_beside_them(fitted, wine):
    wanted = replace(BESIDE, selection=Selection(pictures=("estimates", "clinical", "kappa_factor")))
    project = project_of(fitted, wine)
    extras = finish(work_out(project, wanted))
    made = build(project, extras=extras)
    rows = [m.label for b in blocks(made, "pictures", Picture) for p in b.panels for m in p.marks]
    reaches = [row for row in rows if re.match(r"[<>−]?\d", row) and len(row) > 6]
    assert len(reaches) > 8
    assert all(re.fullmatch(r"\S+ \[\S+, \S+\]", row) for row in reaches), reaches
    screen = [m.label for p in figures("clinical", fitted, wine) for m in p.marks if len(m.label) > 6]
    assert all(re.fullmatch(r"\S+, \S+ to \S+", row) for row in screen), screen


@pytest.mark.parametrize("suffix", [".html", ".docx", ".pdf"])
def test_titles_of_panels_are_printed_in_every_form(suffix, tmp_path):
    ratings = wards()
    file = tmp_path / "wards.csv"
    ward = ratings.covariates["ward"].values
    rows = zip(ratings.subject, ratings.rater, ratings.category, strict=True)
    lines = [f"S{i},R{j},{c},{ward[i]}" for i, j, c in rows]
    file.write_text("\n".join(["subject,rater,rating,ward", *lines]), encoding="utf-8")
    made = tmp_path / f"report{suffix}"
    assert main(["report", str(file), "-o", str(made), "--figure", "cases", "--interval", "none"]) == 0
    if suffix == ".html":
        assert "ward south: " in re.sub(r"</text>\s*<text[^>]*>", " ", made.read_text(encoding="utf-8"))
