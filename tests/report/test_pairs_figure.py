"""The heat map of pairs of raters."""

import re

import numpy as np
import pytest
from defusedxml import ElementTree

from tapdesk.agreement.coefficients import agree
from tapdesk.answers.figure import Axis, Cells, Figure
from tapdesk.answers.figures.agreement import MOST_RATERS, pairs_figure
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.numbers import APA
from tapdesk.answers.svg.draw import svg
from tapdesk.errors import CannotAnswerError
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

from .examples import wine_fit, wine_ratings

SPACE = "{http://www.w3.org/2000/svg}"


def panel(*columns, names=None):
    """Ratings of cases by raters given as columns of 0 and 1, None where not rated."""
    subject, rater, category = [], [], []
    for j, column in enumerate(columns):
        for i, value in enumerate(column):
            if value is not None:
                subject.append(i)
                rater.append(j)
                category.append(value)
    names = names or [f"Rater {j}" for j in range(len(columns))]
    cases = [str(i) for i in range(len(columns[0]))]
    return Ratings.of(np.array(subject), np.array(rater), np.array(category), cases, names, ["no", "yes"])


def found(ratings):
    return finish(agree(ratings, interval="none"))


ANA = [1] * 45 + [0] * 55
BEN = [1] * 40 + [0] * 5 + [1] * 10 + [0] * 45
EVE = [0] * 45 + [1] * 55


def contrast(one, other):
    def channel(v):
        return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4

    def light(colour):
        r, g, b = (channel(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_each_cell_holds_the_kappa_of_its_two_raters():
    # 85 of 100 alike, expected (50 * 45 + 50 * 55) / 100: kappa (0.85 - 0.50) / 0.50 = 0.70 (Feinstein and Cicchetti).
    (figure,) = pairs_figure(found(panel(ANA, BEN, EVE, names=["Ana", "Ben", "Eve"])))
    (cells,) = figure.marks
    rows = [words for _at, words in sorted(figure.y.ticks, reverse=True)]
    columns = [words for _at, words in figure.x.ticks]
    assert rows == columns
    value = {(a, b): cells.values[i, j] for i, a in enumerate(rows) for j, b in enumerate(columns)}
    assert value["Ana", "Ben"] == value["Ben", "Ana"] == pytest.approx(0.70)
    assert value["Ana", "Eve"] == pytest.approx((0 - 0.495) / (1 - 0.495))
    assert all(np.isnan(value[name, name]) for name in rows)
    assert cells.texts[rows.index("Ana")][columns.index("Ben")] == "0.70"
    assert rows[-1] == "Eve"
    assert "Ben, Ana: 0.70; Ben, Eve: −0.70; Ana, Eve: −0.98" in figure.alt
    assert "Framed: below 0" in figure.note
    assert "share 100 cases" in figure.note


def test_a_pair_without_shared_cases_has_an_empty_cell_and_a_word():
    ratings = panel(ANA, BEN[:50] + [None] * 50, [None] * 50 + EVE[50:])
    (figure,) = pairs_figure(found(ratings))
    (cells,) = figure.marks
    assert np.isnan(cells.values).sum() > 3
    assert "No number: the two share too few cases" in figure.note


def test_numbers_follow_the_style():
    (figure,) = pairs_figure(found(panel(ANA, BEN, EVE)), APA)
    assert ".70" in {text for row in figure.marks[0].texts for text in row}


def test_two_raters_and_seats_have_no_heat_map():
    assert pairs_figure(found(panel(ANA, BEN))) == ()
    with pytest.raises(CannotAnswerError, match="which rater gave which rating"):
        figures("pairs", wine_fit(), wine_ratings())


def test_thirty_raters_have_every_number_inside_its_cell():
    rng = np.random.default_rng(3)
    columns = [list(rng.integers(0, 2, 30)) for _ in range(MOST_RATERS)]
    (figure,) = pairs_figure(found(panel(*columns)))
    drawing = svg(figure, height=figure.height)
    root = ElementTree.fromstring(drawing)
    boxes = [r for r in root.iter(f"{SPACE}rect") if r.get("fill", "").startswith("#")]
    known = int(np.isfinite(figure.marks[0].values).sum())
    assert len(boxes) == known == MOST_RATERS * (MOST_RATERS - 1)
    written = [t for t in root.iter(f"{SPACE}text") if t.get("fill") in {"#000000", "#FFFFFF"}]
    assert len(written) == known
    assert all(re.fullmatch("−?[0-9]+", t.text) for t in written)
    assert "hundredths" in figure.note


@pytest.mark.parametrize("theme", ["print", "light", "dark"])
def test_numbers_stand_out_from_every_shade_and_shades_rise_in_grey(theme):
    values = np.linspace(-0.5, 1.0, 31)[None, :]
    texts = (tuple(f"{v:.1f}" for v in values[0]),)
    axis = Axis("", -0.5, 30.5, ((0.0, " "),))
    figure = Figure("test", "A", "B", axis, Axis("", -0.5, 0.5, ((0.0, "x"),)), (Cells("", values, texts),))
    root = ElementTree.fromstring(svg(figure, theme=theme, width=2000))
    boxes = [r for r in root.iter(f"{SPACE}rect") if r.get("height") != "230"]
    texts = [t for t in root.iter(f"{SPACE}text") if t.get("fill") in {"#000000", "#FFFFFF"}]
    shades = [b.get("fill") for b in boxes]
    assert len(shades) == len(texts) == 31
    assert min(contrast(t.get("fill"), s) for t, s in zip(texts, shades, strict=True)) >= 4.5
    ground = shades[0]
    rising = [contrast(s, ground) for s in shades]
    assert rising == sorted(rising)
    assert rising[-1] > 5
    assert [b.get("stroke") is not None for b in boxes] == [v < -0.005 for v in values[0]]
