"""How figures become drawings."""

import re
from dataclasses import replace
from itertools import product
from types import MappingProxyType

import numpy as np
import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.answers import fonts
from tapdesk.answers.charts import forest
from tapdesk.answers.figure import Axis, Band, Bars, Cells, Figure, Line, Mark, Points, Role
from tapdesk.answers.figures.catalog import FIGURES
from tapdesk.answers.numbers import REPORT
from tapdesk.answers.svg.draw import svg
from tapdesk.answers.svg.plane import SIZE, ticks
from tapdesk.answers.svg.style import LOOKS, palette
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import panel

SPACE = "{http://www.w3.org/2000/svg}"


def parsed(drawing):
    return ElementTree.fromstring(drawing)


def figure_with(*marks, x=None, y=None, **more):
    x = x or Axis("Value", 0.0, 1.0)
    y = y or Axis("Share", 0.0, 1.0, percent=True)
    return Figure("test", "A title", "What is seen", x, y, tuple(marks), **more)


def line(label="A", role=Role.MODEL, y=(0.1, 0.9)):
    return Line(label, np.linspace(0, 1, len(y)), np.array(y, dtype=float), role)


@pytest.fixture(scope="module")
def examples(fitted, wine):
    """Fits and ratings of which each figure finds one it can be drawn for."""

    def answered(ratings, name="t-a-p"):
        return finish(analyse(ratings, Request(model(name), interval="none"))), ratings

    jury, rare, two = (read_now(f"sample:{name}").ratings for name in ("jury", "paradox", "confusion-3x3"))
    five = panel(["t=.4", "a=.1,.4,.6,.7,.9", "p=.5"], 300, 5, name="t-aj-p")
    age = {"age": Covariate("age", CovariateOf.RATER, np.array([30.0, 41.0, 52.0, 38.0, 60.0]))}
    aged = replace(five, covariates=MappingProxyType(age))
    every = (answered(jury), answered(rare, "t-a-t"), answered(five, "t-aj-p"), answered(two), answered(aged, "t-aj-p"))
    return ((fitted, wine), *every)


@pytest.mark.parametrize("row", FIGURES, ids=lambda row: row.kind)
def test_every_figure_is_well_formed_the_same_twice_and_opaque(row, examples):
    fit, ratings = next(one for one in examples if row.needs(*one) is None)
    drawn = row.draw(fit, ratings)
    assert drawn
    for figure, theme in product(drawn, ("print", "light", "dark")):
        drawing = svg(figure, theme=theme, caption=True)
        assert drawing == svg(figure, theme=theme, caption=True)
        root = parsed(drawing)
        assert root.get("role") == "img"
        assert root.get("aria-label") == figure.alt
        assert not re.search(r"opacity|rgba|transparent|<filter|<image|url\(", drawing)
        colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', drawing))
        # Shades of cells lie between two colours of the palette; see test_pairs_figure.
        shaded = any(isinstance(mark, Cells) for mark in figure.marks)
        assert shaded or colours - {"none"} <= set(palette(theme).values())


def test_text_is_text_in_inter():
    texts = parsed(svg(figure_with(line()))).findall(f"{SPACE}text")
    assert {"A", "Share", "Value", "0", "20 %"} <= {t.text for t in texts}
    assert {t.get("font-family") for t in texts} == {"Inter, sans-serif"}


def test_labels_that_would_touch_are_moved_apart():
    root = parsed(svg(figure_with(line("one"), line("two", Role.OBSERVED), line("three", Role.REFERENCE))))
    heights = sorted(float(t.get("y")) for t in root.findall(f"{SPACE}text") if t.text in {"one", "two", "three"})
    assert min(np.diff(heights)) >= 16.9


def test_a_line_is_cut_at_the_edges_of_the_plot():
    drawing = svg(figure_with(line("", y=(-3.0, 0.5, 7.0))), width=600, height=230)
    (points,) = (p.get("points") for p in parsed(drawing).findall(f"{SPACE}polyline"))
    heights = [float(pair.split(",")[1]) for pair in points.split()]
    assert min(heights) >= 27
    assert max(heights) <= 181


def test_nan_breaks_a_line_and_a_band():
    x, y = np.array([0, 0.2, np.nan, 0.6, 1.0]), np.array([0.1, 0.2, np.nan, 0.3, 0.4])
    root = parsed(svg(figure_with(Band("", x, y, y + 0.1), Line("", x, y))))
    assert len(root.findall(f"{SPACE}polyline")) == 2
    assert len(root.findall(f"{SPACE}polygon")) == 2


def test_the_second_story_is_striped_so_that_it_reads_in_grey():
    bars = Bars("", np.array([0.2, 0.4]), np.array([0.5]), Role.SECOND)
    plain = Bars("", np.array([0.2, 0.4]), np.array([0.5]), Role.MODEL)
    lines = [len(parsed(svg(figure_with(b))).findall(f"{SPACE}line")) for b in (bars, plain)]
    assert lines[0] > lines[1] + 5


def test_roles_differ_without_colour():
    looks = [(v.width, v.dash, v.shape, v.filled, v.hatched) for v in LOOKS.values()]
    assert len(set(looks)) == len(looks)


def test_an_interval_has_caps_only_where_it_ends_inside():
    points = Points("", np.array([0.5]), np.array([0.5]), low=np.array([-0.5]), high=np.array([0.8]), horizontal=True)
    bare = len(parsed(svg(figure_with())).findall(f"{SPACE}line"))
    assert len(parsed(svg(figure_with(points))).findall(f"{SPACE}line")) == bare + 2


def test_words_stand_beside_a_vertical_line():
    root = parsed(svg(figure_with(Mark("horizon", 0.9), Mark("gone", 3.0))))
    (beside,) = (t for t in root.findall(f"{SPACE}text") if t.text == "horizon")
    assert beside.get("text-anchor") == "end"


def test_hostile_labels_stay_text():
    nasty = '<script>alert("x")</script> & "quotes" \x00\x1b'
    root = parsed(svg(figure_with(line(nasty), note=nasty), caption=True))
    assert not root.findall(f".//{SPACE}script")


def test_a_label_of_300_characters_does_not_push_the_plot_away():
    root = parsed(svg(figure_with(line("x" * 300), x=Axis("y" * 300, 0, 1, ticks=((0.5, "z" * 300),)))))
    (drawn,) = root.findall(f"{SPACE}polyline")
    xs = [float(pair.split(",")[0]) for pair in drawn.get("points").split()]
    assert max(xs) - min(xs) > 250


@settings(max_examples=60)
@given(low=st.floats(-1e6, 1e6), span=st.floats(1e-3, 1e6), most=st.integers(2, 10))
def test_ticks_are_few_rising_and_inside(low, span, most):
    axis = Axis("", low, low + span)
    found = [value for value, _ in ticks(axis, most)]
    assert len(found) <= most + 1
    assert found == sorted(found)
    assert all(low - 1e-6 * span <= v <= low + span * (1 + 1e-6) for v in found)


def test_ticks_of_a_quarter_keep_their_second_place():
    assert [text for _, text in ticks(Axis("", 0.0, 1.0), 4)] == ["0.00", "0.25", "0.50", "0.75", "1.00"]


@pytest.mark.parametrize("many", [3, 37])
def test_the_number_of_a_row_stands_beside_its_own_row_however_many_there_are(many):
    rows = [(f"row {i}", Estimate(0.5 + i / 100), Role.MODEL) for i in range(many)]
    figure = forest(rows, REPORT, kind="test", title="Rows", note="A note.")
    found = list(parsed(svg(figure, height=50 + 16 * many)).iter(f"{SPACE}text"))
    at = {text.text: float(text.get("y")) for text in found}
    size = {text.text: float(text.get("font-size")) for text in found}
    for i in range(many):
        assert at[f"0.{50 + i}"] == pytest.approx(at[f"row {i}"], abs=1)
        assert size[f"0.{50 + i}"] >= 9


def test_rows_that_are_not_drawn_are_counted_in_the_note():
    rows = [(f"row {i}", Estimate(0.5), Role.MODEL) for i in range(60)]
    figure = forest(rows, REPORT, kind="test", title="Rows", note="A note.")
    assert figure.note == "A note. The first 40 of 60 rows are drawn."
    assert len(figure.marks) == 40


def test_ticks_of_large_counts_are_whole_numbers_and_of_small_steps_are_not_rounded():
    assert [text for _at, text in ticks(Axis("", 0.0, 150_000.0))] == [
        "0", "25,000", "50,000", "75,000", "100,000", "125,000", "150,000",
    ]  # fmt: skip
    assert [text for _at, text in ticks(Axis("", 0.0, 10.0), most=4)] == ["0.0", "2.5", "5.0", "7.5", "10.0"]


def test_the_title_of_an_axis_uses_the_room_below_the_labels_beside_the_lines():
    title = "How many of the 4 ratings of a case said “no medal, bronze”"
    line = Line("a model with a long name", np.array([0.0, 4.0]), np.array([0.1, 0.4]), Role.MODEL)
    figure = Figure("k", "t", "a", Axis(title, 0, 4), Axis("share", 0, 1), (line,))
    assert title in svg(figure, width=510)
    narrow = svg(figure, width=240)
    assert title not in narrow
    # In a column of print it goes on in a second line, within the picture and with every word.
    lines = [m for m in re.finditer(r'x="([\d.]+)"[^>]*>([^<]+)<', narrow) if m[2] in title and len(m[2]) > 8]
    assert " ".join(m[2] for m in lines) == title
    for line_at, words in ((float(m[1]), m[2]) for m in lines):
        half = fonts.width(words, SIZE) / 2
        assert line_at - half >= -0.5
        assert line_at + half <= 240.5
