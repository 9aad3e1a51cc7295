"""What is read where the mouse rests: the same values as in the tables."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from tapdesk.answers.charts import Series, Shown, curves, forest, histogram
from tapdesk.answers.figure import Axis, DataColumn, Mark, Role
from tapdesk.answers.grids import heat
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.parameter_names import read_as
from tapdesk.answers.question import QUESTIONS
from tapdesk.answers.svg.draw import plane_of, svg
from tapdesk.estimate import Estimate
from tapdesk.gui.pictures.figure_view import words_at
from tapdesk.gui.pictures.live_plots import LiveChains, LiveTrace

SIZE = {"width": 600.0, "height": 230.0}
X, Y = Axis("x", 0.0, 10.0), Axis("Share", 0.0, 1.0, percent=True)


def at(shown, x, y, across=0.0, down=0.0):
    plane = plane_of(shown, **SIZE)
    return words_at(shown, SIZE["width"], SIZE["height"], plane.px(x) + across, plane.py(y) + down)


def test_the_nearest_point_is_told_with_its_interval():
    ends = np.array([0.1, 0.2]), np.array([0.3, 0.6])
    seen = Series("Observed", np.array([2.0, 8.0]), np.array([0.2, 0.4]), Role.OBSERVED, Shown.DOTS, *ends)
    shown = curves("test", "", X, Y, [seen])
    assert at(shown, 8.0, 0.4, 4, -5) == "Observed: 8, 40.0 % (20.0 % to 60.0 %)"
    assert at(shown, 2.0, 0.2) == "Observed: 2, 20.0 % (10.0 % to 30.0 %)"
    assert at(shown, 5.0, 0.9) == ""


def test_a_row_is_told_wherever_in_it_the_mouse_is():
    rows = [
        (name, Estimate(v, low=round(v - 0.1, 9), high=round(v + 0.1, 9)), Role.MODEL)
        for name, v in (("Ana", 0.7), ("Ben", 0.4))
    ]
    shown = forest(rows, SCREEN, kind="test", title="", note="")
    assert at(shown, 0.05, 0.0) == "Ben: 0.4 (0.3 to 0.5)"
    assert at(shown, 0.95, 1.0) == "Ana: 0.7 (0.6 to 0.8)"


def test_bars_cells_and_lines_tell_their_own_value():
    bars = histogram("test", "", X, Y, np.array([0.0, 5.0, 10.0]), np.array([0.25, 0.5]))
    assert at(bars, 7.0, 0.1) == "5 to 10: 50.0 %"
    axes = (Axis("", -0.5, 1.5, ((0.0, "Ana"), (1.0, "Ben"))), Axis("", -0.5, 1.5, ((0.0, "Ben"), (1.0, "Ana"))))
    values, names = np.array([[np.nan, 0.3], [0.3, np.nan]]), ("Ana", "Ben")
    value = DataColumn("value", "kappa", places=2)
    cells = heat("test", "", (names, names), values, axes, "{:.2f}".format, value=value)
    assert at(cells, 1.0, 1.0) == "Ana, Ben: 0.30"
    assert at(cells, 0.0, 0.0) == "Ana, Ben: 0.30"
    assert at(cells, 0.0, 1.0) == ""
    model = Series("Model", np.array([0.0, 1.0]), np.array([0.9, np.nan]))
    marked = curves("test", "", X, Y, [model], marks=[Mark("panel", 4.0)])
    assert at(marked, 4.0, 0.5) == "panel: 4"
    assert at(marked, 0.0, 0.9) == "Model: 0, 90.0 %"


@pytest.mark.parametrize("kind", ["model", "pairs", "coefficients"])
def test_the_place_of_a_value_is_where_it_is_drawn(fitted, kind):
    fitted.go(2)
    view = {
        "model": fitted.results.part_blocks["model"].body.picture,
        "pairs": fitted.results.part_blocks["pairs"].body.picture,
        "coefficients": fitted.results.part_blocks["coefficients"].body.picture,
    }[kind]
    (shown,) = view._figures
    plane = plane_of(shown, **SIZE)
    drawn = svg(shown, **SIZE, theme="light")
    # The axis line is drawn along the bottom of the plane.
    assert f"{plane.left:.2f}".rstrip("0").rstrip(".") in drawn
    assert f"{plane.bottom:.2f}".rstrip("0").rstrip(".") in drawn


def test_a_mouse_that_rests_on_a_picture_reads_a_value_of_its_table(fitted, monkeypatch):
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, words, _widget: shown.append(words))
    fitted.go(2)
    view = fitted.results.part_blocks["coefficients"].body.picture
    told = [view.words_at(view.width() / 2, y) for y in range(0, view.height(), 8)]
    names = {words.split(":")[0] for words in told if words}
    _, rows = fitted.results.part_blocks["coefficients"].rows
    assert names
    assert names <= {row[0] for row in rows} | {"Agreement on silver, gold", "Agreement on no medal, bronze"}
    y = next(i * 8 for i, words in enumerate(told) if words)
    place = QPoint(view.width() // 2, y)
    QApplication.sendEvent(view, QHelpEvent(QEvent.Type.ToolTip, place, view.mapToGlobal(place)))
    assert shown == [told[y // 8]]


def test_a_row_of_the_distributions_tells_middle_and_ends(fitted):
    fitted.go(2)
    ridge = fitted.results.part_blocks["movement"].ridge
    said = {ridge.words_at(y).split(":")[0] for y in range(0, ridge.height(), 5)} - {""}
    assert said == {"t", "a", "p"}
    assert ridge.words_at(10) in ridge.describe()
    first = ridge.words_at(10)
    estimate = fitted.session.document.analysis.fit.estimate("t")
    assert f"Estimate {estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})" in first


def test_a_line_that_grows_tells_start_step_and_value_where_the_mouse_rests(qtbot, theme, monkeypatch):
    trace = LiveTrace(theme)
    qtbot.addWidget(trace)
    trace.resize(500, 220)
    trace.show()
    assert trace.words_at(200, 100) == ""
    trace.grow("moments", np.array([-90.0, -60.0, -52.0, -50.25]))
    trace.grow("random 1", np.array([-95.0, -70.0]))
    trace.redraw()
    shown = []
    monkeypatch.setattr(QToolTip, "showText", lambda _place, words, _widget: shown.append(words))
    for step, value in ((2, -52.0), (3, -50.25)):
        place = QPoint(*(round(v) for v in trace.pixel_of(step, value)))
        QApplication.sendEvent(trace, QHelpEvent(QEvent.Type.ToolTip, place, trace.mapToGlobal(place)))
    assert shown == ["moments: step 2, log-likelihood −52.000", "moments: step 3, log-likelihood −50.250"]
    x, y = trace.pixel_of(3, -50.25)
    assert trace.words_at(x, y + 60) == ""


def test_a_chain_tells_its_draw_and_value(qtbot, theme):
    chains = LiveChains(theme)
    qtbot.addWidget(chains)
    chains.resize(500, 220)
    chains.show()
    assert chains.words_at(200, 100) == ""
    draws = np.array([[0.2, 0.25, 0.22, 0.21], [0.8, 0.75, 0.77, 0.79]])
    chains.grow({"a": draws.ravel()}, 2, 1.2)
    chains.redraw()
    assert chains.words_at(*chains.pixel_of(1, 0.25)) == "Chain 1, draw 2: 0.250"
    assert chains.words_at(*chains.pixel_of(2, 0.77)) == "Chain 2, draw 3: 0.770"
    assert chains.words_at(*chains.pixel_of(2, 0.5)) == ""


@pytest.mark.parametrize("question", [0, 1])
def test_the_rows_of_the_run_are_the_numbers_that_fill_in(jury, qtbot, question):
    jury.session.choose(question=QUESTIONS[question], interval="profile")
    qtbot.waitUntil(lambda: jury.session.ready, timeout=240_000)
    with qtbot.waitSignal(jury.session.fitting.done, timeout=240_000):
        jury.run()
        begun = list(jury.model.running.ridge._draws)
    fit = jury.session.document.analysis.fit
    assert begun == [str(e.name) for e in fit.estimates[: len(begun)]]
    ridge = jury.model.running.ridge
    # Every row that was begun has a value now, and no row has come beside them.
    assert list(ridge._draws) == begun
    told = [ridge.words_at(y) for y in range(0, ridge.height(), 3)]
    assert {words.split(":")[0] for words in told} - {""} == set(map(read_as, begun))
