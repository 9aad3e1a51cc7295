"""In grey and 80 millimetres wide every figure can be read: no words over words, none cut, outside or too small."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers.figure import Axis, Figure, Line, Mark, Points, Role, Words
from tests.gallery.columns import COLUMN, PANELS, column_svg, drawn, faults, grey, panel

QUICK = {"audit", "confusion-3x3"}
ROWS = ("Cases that both raters have seen before", "Cases that neither of them has seen")


@pytest.mark.parametrize(
    "of",
    [pytest.param(one, id=f"{one[0]}-{one[2]}", marks=() if one[0] in QUICK else pytest.mark.slow) for one in PANELS],
)
def test_every_figure_of_every_sample_can_be_read_in_a_column(of):
    shown = list(drawn(*panel(*of)))
    assert len(shown) > 20
    assert {f"{figure.kind} ({figure.title}): {fault}" for figure in shown for fault in faults(figure)} == set()


def plain(*marks, x=None, y=None):
    unit = Axis("", 0.0, 1.0)
    return Figure("estimates", "Something is so", "", x or unit, y or unit, marks)


def test_words_over_words_are_a_fault():
    at = np.array([0.5])
    crowd = plain(*(Words("these words", at, np.array([0.5])) for _ in range(2)))
    assert any(fault.startswith("over") for fault in faults(crowd))


def test_the_words_of_rows_that_have_no_room_beside_the_plot_stand_above_it():
    at = [np.array([0.0]), np.array([1.0])]
    rows = [Points("0.50, 0.40 to 0.60", np.array([0.5]), y, Role.MODEL, horizontal=True) for y in at]
    figure = plain(*rows, y=Axis("", -0.5, 1.5, tuple(zip((0.0, 1.0), ROWS, strict=True))))
    assert faults(figure) == []
    assert all(f">{row}<" in column_svg(figure) for row in ROWS)


def test_series_with_long_names_are_told_apart_by_a_key():
    x = np.array([0.0, 1.0])
    names = ("Everything that was said by all of them", "What the model says")
    lines = [Line(name, x, x * share, role) for name, share, role in zip(names, (1, 0.5), Role, strict=False)]
    figure = plain(*lines)
    assert faults(figure) == []
    assert all(f">{name}<" in column_svg(figure) for name in names)


def test_words_of_two_lines_that_are_close_do_not_touch():
    assert faults(plain(Mark("95 % horizon", 0.4), Mark("these ratings", 0.45))) == []


def test_a_column_has_its_width_and_no_colour():
    picture = grey(replace(plain(Mark("here", 0.4)), note="N = 3."))
    assert picture.mode == "L"
    column = COLUMN.millimetres / 25.4 * COLUMN.ppi
    # With a margin around it.
    assert column <= picture.width <= 1.1 * column
