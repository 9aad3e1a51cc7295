"""The papers' pictures: made of their tables, whole, and told in words."""

import re

import numpy as np
import pytest
from defusedxml.ElementTree import fromstring

from tapdesk.answers.figure import Axis, Figure, Line, Points, Role, Words
from tapdesk.answers.figures.design_study import recovery
from tapdesk.answers.figures.tree import tree, tree_needs
from tapdesk.answers.svg.sheet import Sheet, sheet_svg
from tapdesk.errors import UsageError
from tapdesk.models.model import model
from tapdesk.papers.catalog import REPRODUCTIONS, STUDY_SHEETS, reproduction
from tapdesk.papers.reproduction import FigureRequest
from tapdesk.progress import finish
from tapdesk.project.files.outputs import OutputKind, seal
from tapdesk.report.forms.pdf import sheet_file
from tapdesk.studies.design_study import plan
from tapdesk.studies.recovery import RecoveryPlan, recover, shared_point, tap_grid

from .examples import A, P, T, four_fit, four_ratings, open_fit, wine_fit, wine_ratings

# Pictures that take seconds to compute are drawn in the slow suite.
LONG = {"recovery", "densities"}
SVG = "{http://www.w3.org/2000/svg}"


def drawn(name: str) -> Sheet:
    return reproduction(name).sheet(finish(reproduction(name).run(FigureRequest(replicates=2))))


def whole(sheet: Sheet) -> None:
    """What every picture must have."""
    assert sheet.title
    assert re.search(r"\d", sheet.alt)
    assert all(figure.alt for figure in sheet.figures)
    root = fromstring(sheet_svg(sheet))
    assert root.get("width") == f"{sheet.across:g}"
    inner = [e for e in root.iter(f"{SVG}svg") if e is not root]
    assert len(inner) == len(sheet.figures)
    for e in inner:
        assert float(e.get("x")) + float(e.get("width")) <= sheet.across + 1e-6
        assert float(e.get("y")) + float(e.get("height")) <= float(root.get("height"))
    assert "nan" not in sheet_svg(sheet)


@pytest.mark.parametrize("name", [row.name for row in REPRODUCTIONS if row.name not in LONG])
def test_a_picture_of_a_paper_is_whole_and_told_in_words(name):
    whole(drawn(name))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(LONG))
def test_a_long_picture_of_a_paper_is_whole_and_told_in_words(name):
    whole(drawn(name))


def test_the_recovery_picture_leaves_weak_panels_out_of_its_second_panel_only():
    settings = tap_grid().settings[4::9]
    table = finish(recover(RecoveryPlan(model("t-a-p"), settings, 1)))
    sheet = recovery(table)
    assert len(sheet.figures) == 6
    kept = table.numbers("true a") > 0.25
    for figure, rows in zip(sheet.figures[:2], (np.full(kept.size, True), kept), strict=True):
        (dots,) = (m for m in figure.marks if isinstance(m, Points))
        at = table.numbers("true t")[rows] == dots.x[0]
        assert dots.y[0] == pytest.approx(table.numbers("t")[rows][at].mean())


def test_a_plan_says_what_more_cases_would_give():
    table = finish(plan(shared_point([0.6, 0.4], 0.6, [0.5, 0.5]), (50, 400), (2, 5), replicates=40))
    sheet = STUDY_SHEETS["plan"](table)
    whole(sheet)
    lines = [m for m in sheet.figures[0].marks if isinstance(m, Line)]
    # Two ratings each determine nothing, so there is no line of them.
    assert [line.label for line in lines] == ["5 ratings"]
    assert lines[0].y[0] > 2 * lines[0].y[1]
    assert "With 2 ratings each the accuracy is not determined" in sheet.figures[0].note


def test_the_tree_carries_the_numbers_of_the_fit():
    (figure,) = tree(wine_fit(), wine_ratings())
    said = [m.label for m in figure.marks if isinstance(m, Words)]
    assert {f"t = {T:.2f}", f"1 − t = {1 - T:.2f}", f"a = {A:.2f}", f"1 − a = {1 - A:.2f}", f"p = {P:.2f}"} <= set(said)
    ends = [float(s.rpartition(": ")[2].removesuffix(" %")) for s in said if s.endswith("%")]
    assert sum(ends) == pytest.approx(100, abs=3)
    # Lines lie under the words.
    kinds = [isinstance(m, Words) for m in figure.marks]
    assert kinds == sorted(kinds)


def test_a_tree_that_would_have_no_numbers_says_why():
    assert tree_needs(wine_fit(), wine_ratings()) is None
    assert tree_needs(four_fit(), four_ratings()) is None
    assert "do not determine" in str(tree_needs(open_fit(), wine_ratings()))


def panel(title: str = "A panel") -> Figure:
    x = np.array([0.0, 1.0])
    return Figure("x", title, "A line.", Axis("x", 0, 1), Axis("y", 0, 1), (Line("", x, x, Role.MODEL),))


def test_a_sheet_stands_in_rows_and_can_be_saved_in_three_ways():
    sheet = Sheet("Five panels", (panel(),) * 5, columns=3, width=200, height=100, note="Five.")
    root = fromstring(sheet_svg(sheet))
    places = [(float(e.get("x")), float(e.get("y"))) for e in root.iter(f"{SVG}svg") if e is not root]
    assert len({x for x, _y in places}) == 3
    assert len({y for _x, y in places}) == 2
    assert sheet_svg(sheet) == sheet_svg(sheet)
    assert sheet_file(sheet, ".png")[:8] == b"\x89PNG\r\n\x1a\n"
    assert sheet_file(sheet, ".pdf")[:5] == b"%PDF-"
    # The drawing itself, and behind it the mark of the program.
    assert sheet_file(sheet, ".svg") == seal(sheet_svg(sheet).encode(), OutputKind.FIGURE)
    assert sheet_file(sheet, ".svg").decode().startswith(sheet_svg(sheet))
    with pytest.raises(UsageError, match="cannot be saved"):
        sheet_file(sheet, ".gif")


def test_a_panel_that_says_what_the_sheet_says_says_it_once():
    assert sheet_svg(Sheet("Once", (panel("Once"),))).count(">Once<") == 2  # the title for readers aloud, and the drawn
    assert sheet_svg(Sheet("Once", (panel("Twice"),))).count(">Twice<") == 1
