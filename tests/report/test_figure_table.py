"""The numbers behind a picture as a table: each once, where it belongs, and nothing that was drawn for the eye only."""

import re

import numpy as np
import pytest

from tapdesk.answers import numbers
from tapdesk.answers.charts import Series, Shown, curves, forest
from tapdesk.answers.figure import Axis, DataColumn, Line, Mark, Role
from tapdesk.answers.figure_table import records_of, row_in_words, rows_of, rows_of_all, table_of
from tapdesk.answers.figures.catalog import figures
from tapdesk.answers.figures.classes import paired, scanned
from tapdesk.answers.grids import heat
from tapdesk.answers.model_checks import distributed
from tapdesk.answers.svg.draw import svg
from tapdesk.estimate import Estimate
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.ratings.samples import locate
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.distribution import shares
from tapdesk.studies.scan import pairs, scan
from tests.studies.examples import tallied


def of_sample(name: str, fitted: str = "t-a-p"):
    """A sample's ratings and the fit of a model to them."""
    ratings = finish(read(*locate(f"sample:{name}", ReadingOptions()))).ratings
    return finish(analyse(ratings, Request(model(fitted)))), ratings


@pytest.fixture(scope="module")
def wine():
    """Cut 2 | 3 of the wines, 183 of them with four ratings each."""
    return of_sample("wine-cut2")


def test_a_distribution_is_told_in_one_row_for_each_number_of_ratings(wine):
    (picture,) = figures("distribution", *wine)
    table = table_of(picture)
    heads = [column.title for column in table.columns]
    assert [row[0] for row in table.rows] == ["0", "1", "2", "3", "4"]
    counts = wine[1].counts()[:, 1]
    seen = np.bincount(counts, wine[1].subject_weights(), 5) / 183
    at = heads.index("Observed")
    assert [row[at] for row in table.rows] == [f"{100 * share:.1f} %" for share in seen]
    # Its interval stands beside it: where 95 of 100 re-draws of the cases would put it.
    for row, share in zip(table.rows, seen, strict=True):
        low, high = (float(cell.removesuffix(" %")) / 100 for cell in row[at + 1 : at + 3])
        assert low < share < high
        assert high - low == pytest.approx(2 * 1.96 * np.sqrt(share * (1 - share) / 183), rel=0.15)


def test_a_number_without_interval_has_a_dash_and_no_interval_of_no_width(wine):
    (matches, _shares) = figures("expected", *wine)
    # Without resamples pairs have the interval of the likelihood, and the kappa that follows has none.
    pairs = [row for row in records_of(matches) if row["name"] == "Pairs that match, by the model"]
    assert all(row["low"] < row["high"] for row in pairs)
    alone = [row for row in records_of(matches) if row["name"] == "Kappa, by the model"]
    assert [(row["low"], row["high"]) for row in alone] == [(None, None)]
    (line,) = (row for row in table_of(matches).rows if row[0] == "Kappa, by the model")
    assert line[-2:] == ("–", "–")
    for picture in ("expected", "class_rates", "estimates", "models"):
        for panel in figures(picture, *wine):
            ends = [(row["low"], row["high"]) for row in records_of(panel) if "low" in row]
            assert ends, picture
            assert all(low is None or low < high for low, high in ends), picture


def test_bars_of_classes_are_told_by_their_height_and_name(wine):
    (shares,) = figures("class_rates", *wine)
    table = table_of(shares)
    given = dict(zip(("class 0", "class 1"), wine[1].class_rates(), strict=True))
    assert {row[0]: row[1] for row in table.rows} == {name: f"{100 * rate:.1f} %" for name, rate in given.items()}


def test_cells_of_a_scale_are_told_where_they_stand_on_it():
    fit, ratings = of_sample("paradox")
    joint = figures("paradox", fit, ratings)[-1]
    told = records_of(joint)
    assert all(0 <= end <= 1 for row in told for key in ("row", "column") for end in row[key])
    assert sum(row["value"] for row in told) == pytest.approx(1)
    most = max(told, key=lambda row: row["value"])
    named = re.search(r"a1 in ([\d.]+) to ([\d.]+) and a0 in ([\d.]+) to ([\d.]+)", joint.title)
    assert named is not None
    low, high, below, above = map(float, named.groups())
    assert most["column"] == (low, high)
    assert most["row"] == (below, above)
    first = max(table_of(joint).rows, key=lambda row: float(row[2].removesuffix(" %")))
    assert first[:2] == (f"{below:g} to {above:g}", f"{low:g} to {high:g}")


def test_words_in_a_picture_are_no_numbers_and_a_histogram_is_told_once():
    fit, ratings = of_sample("paradox")
    accuracy = figures("paradox", fit, ratings)[0]
    bars = [row for row in records_of(accuracy) if row["y"] is not None]
    assert sum(row["y"] for row in bars) == pytest.approx(1, abs=1e-6)
    assert not [row for row in rows_of(accuracy)[1] if "Reading" in row[0]]


def test_marks_beside_a_named_place_are_told_with_its_name():
    fit, ratings = of_sample("jury")
    accuracy = figures("scan", fit, ratings)[0]
    table = table_of(accuracy)
    assert [row[0] for row in table.rows] == ["no medal | bronze", "bronze | silver", "silver | gold"]
    assert [column.title for column in table.columns].count("√κ") == 1


def test_a_number_near_a_tick_of_a_scale_keeps_its_value():
    scale = Axis("share", 0.0, 1.0, tuple((i / 5, f"{i / 5:g}".replace(".", ",")) for i in range(6)))
    line = Series("a", np.array([0.0, 0.21, 0.79]), np.array([0.3, 0.41, 0.61]))
    figure = curves("kind", "title", scale, scale, [line])
    assert [(row["x"], row["y"]) for row in records_of(figure)] == [(0.0, 0.3), (0.21, 0.41), (0.79, 0.61)]


def test_two_by_two_numbers_are_told_once_and_long_curves_in_part():
    names = ("Ana", "Ben", "Cid")
    axes = (Axis("", -0.5, 2.5, tuple(enumerate(names))), Axis("", -0.5, 2.5, tuple(enumerate(names[::-1]))))
    values = np.array([[np.nan, 0.5, 0.2], [0.5, np.nan, 0.3], [0.2, 0.3, np.nan]])
    value = DataColumn("value", "kappa", places=2)
    square = heat("pairs", "", (names, names), values, axes, "{:.2f}".format, value=value)
    assert table_of(square).rows == (("Ana", "Ben", "0.50"), ("Ana", "Cid", "0.20"), ("Ben", "Cid", "0.30"))
    x = np.linspace(0, 1, 1001)
    curve = curves("k", "", Axis("x", 0, 1), Axis("y", 0, 1), [Series("fall", x, x**2)])
    assert len(records_of(curve)) == 1001
    rows = table_of(curve).rows
    assert len(rows) < 30
    assert (rows[0][1], rows[-1][1]) == ("0", "1")


def test_what_only_guides_the_eye_is_left_out():
    axis = Axis("", 0.0, 1.0)
    diagonal = Line("", np.array([0.0, 1.0]), np.array([0.0, 1.0]), Role.REFERENCE)
    ends = np.array([0.2]), np.array([0.4])
    seen = Series("seen", np.array([0.2]), np.array([0.3]), Role.OBSERVED, Shown.BOXES, *ends)
    missing = Series("none", np.array([0.2]), np.array([np.nan]))
    figure = curves("k", "", axis, axis, [seen, missing], behind=[diagonal], marks=[Mark("", 0.5)])
    assert records_of(figure) == [{"panel": "", "what": "seen", "x": 0.2, "y": 0.3, "low": 0.2, "high": 0.4}]
    assert row_in_words(figure.table, 0) == "seen: 0.2, 0.3 (0.2 to 0.4)"


def test_shares_below_one_in_a_hundred_are_told_with_a_place_and_never_as_none():
    fit, ratings = of_sample("paradox", "t-a-t")
    table = distributed([("class 1", shares(ratings, fit, 1))], "t-a-t")
    # 998 subjects without, 2 with one rating of each kind (Kappa Zoo, ch. 4), none with two.
    assert [row[1] for row in table.rows] == ["99.8 %", "0.2 %", "0.0 %"]
    assert table.rows[2][3] == "<0.1 %"
    assert "N = all 1,000 cases." in table.note
    assert [numbers.percent(x, 1) for x in (0.0, 1e-5, 0.5, 1 - 1e-5, 1.0)] == [
        "0.0 %",
        "<0.1 %",
        "50.0 %",
        ">99.9 %",
        "100.0 %",
    ]


def test_the_level_of_intervals_is_that_of_the_intervals():
    _fit, ratings = of_sample("jury")
    at_half = Request(model("t-a-p"), interval="wald", level=0.5)
    for picture in (*scanned(finish(scan(ratings, at_half))), paired(finish(pairs(ratings, at_half)), ratings)):
        assert "Lines: 50 % intervals." in picture.note


def test_one_rating_each_is_told_in_the_singular_and_no_experts_are_named_that_are_not_drawn():
    one = tallied((18, 12))
    fit = finish(analyse(one, Request(model("t-a-p"), interval="none")))
    (picture,) = figures("distribution", fit, one)
    assert "N = 30 cases, 1 rating each." in picture.note
    assert "Experts" not in picture.note
    assert picture.x.title == "Whether the one rating of a case said “1”"


def test_an_interval_down_to_minus_one_has_ticks_that_can_be_read():
    row = ("kappa", Estimate(0.25, low=-1.0, high=1.0), Role.CLASSICAL)
    drawing = svg(forest([row], numbers.SCREEN, kind="k", title="t", note=""))
    assert "−1" in drawing
    assert "…" not in drawing


def test_a_number_that_is_the_same_at_every_cut_is_told_once():
    found = scanned(finish(scan(tallied((17, 0, 0, 23)), Request(model("t-a-p")))))
    assert found[0].title == "a: 1.00 at every cut that determines it"


def test_panels_that_hold_different_things_name_them_in_every_cell(wine):
    """Numbers of one panel never stand under the name of another one."""
    panels = figures("contour", *wine)
    header, rows = rows_of_all(panels)
    assert header == ("Picture", "What", "Where", "Value")
    for panel in panels:
        mine = [row for row in rows if row[0] == panel.title and row[2] and row[3]]
        assert mine
        assert all(row[2].startswith(f"{panel.x.title}: ") for row in mine)
        assert all(row[3].startswith(f"{panel.y.title}: ") for row in mine)
    profiles, _rows = rows_of_all(figures("votes", *wine))
    assert profiles == ("Picture", "What", "ratings of a case", "chance to be right")


def test_the_picture_of_the_cuts_says_whether_one_accuracy_serves_all():
    for panel in figures("scan", *of_sample("jury")):
        assert "against one accuracy for all lines (misfit 29.93; " in panel.note


def test_rows_that_there_is_no_room_for_are_in_the_table_all_the_same():
    rows = [(f"rater {i}", Estimate(i / 100), Role.MODEL) for i in range(50)]
    figure = forest(rows, numbers.SCREEN, kind="k", title="t", note="n.")
    assert "The first 40 of 50 rows are drawn." in figure.note
    assert len(figure.y.ticks) == 40
    assert [row["value"] for row in records_of(figure)] == [i / 100 for i in range(50)]
    assert [figure.table.rows[m.rows[0]][0] for m in figure.marks] == [f"rater {i}" for i in range(40)]
