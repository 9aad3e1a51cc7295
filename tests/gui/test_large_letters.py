"""What large letters and small windows did to single controls: a wheel held up, an arrow cut, words cut too early."""

from html import unescape

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget

from tapdesk.answers.figure import Axis, Figure, Points, Role
from tapdesk.answers.parameter_names import letter
from tapdesk.answers.svg.draw import svg
from tapdesk.gui.report.cards import Link
from tapdesk.gui.theme.theme import ColourScheme, Theme, tokens
from tapdesk.gui.widgets.controls import MenuButton, scroll_area
from tapdesk.gui.widgets.layouts import Flow
from tapdesk.gui.widgets.tables import TableView
from tapdesk.models.parameters import ParameterName


@pytest.fixture
def page(qtbot, theme):
    """A page that scrolls, with a long table at its top."""
    inside = QWidget()
    box = QVBoxLayout(inside)
    table = TableView(theme, "Many rows")
    table.rows.show_rows(("case",), [(str(i),) for i in range(200)])
    table.setMinimumHeight(200)
    below = QWidget()
    below.setMinimumHeight(900)
    box.addWidget(table)
    box.addWidget(below)
    area = scroll_area(inside)
    qtbot.addWidget(area)
    area.resize(400, 300)
    area.show()
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    return area, table


def wheel(area, by):
    """Turn the wheel over the table at the top of a page, as the window system tells it."""
    QTest.wheelEvent(area.windowHandle(), QPointF(60, 100), QPoint(0, by))
    QApplication.processEvents()


def test_the_wheel_takes_the_page_past_a_table_nobody_has_clicked(page):
    area, table = page
    table.clearFocus()
    wheel(area, -120)
    assert area.verticalScrollBar().value() > 0
    assert table.verticalScrollBar().value() == 0


def test_the_wheel_turns_a_table_that_was_clicked(page, qtbot):
    area, table = page
    area.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    wheel(area, -120)
    assert area.verticalScrollBar().value() == 0
    assert table.verticalScrollBar().value() > 0


def test_the_wheel_turns_a_table_on_a_page_that_is_seen_whole(page, qtbot):
    area, table = page
    area.resize(400, 1400)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
    table.clearFocus()
    wheel(area, -120)
    assert table.verticalScrollBar().value() > 0


@pytest.mark.parametrize("scale", [100, 200])
def test_the_arrow_of_a_menu_has_room_of_its_own_beside_the_words(qtbot, theme, scale):
    theme.use(ColourScheme.LIGHT, scale)
    button = MenuButton(theme, "Also: web page")
    button.setMenu(QMenu(button))
    qtbot.addWidget(button)
    button.show()
    button.resize(button.sizeHint())
    drawn = button.grab().toImage()
    side = theme.px(14)
    ground, inked = QColor(tokens(ColourScheme.LIGHT)["surface"]), set()
    for x in range(4, drawn.width() - 4):
        if any(drawn.pixelColor(x, y) != ground for y in range(6, drawn.height() - 6)):
            inked.add(x)
    arrow = {x for x in inked if x >= drawn.width() - side - 8}
    # An arrow as wide as it is to be, a gap, and words.
    assert max(arrow) - min(arrow) >= side / 3
    assert not inked & set(range(drawn.width() - side - 12, min(arrow)))
    assert max(inked - arrow) > button.fontMetrics().horizontalAdvance("Also: web pag")
    theme.use(ColourScheme.LIGHT, 100)


def test_what_cannot_be_used_differs_in_high_contrast_by_its_letters_and_by_its_edge(dressed):
    def edges(look):
        Theme(look).dress()
        return next(row for row in dressed.styleSheet().splitlines() if row.startswith("QPushButton:disabled"))

    names = tokens(ColourScheme.CONTRAST)
    assert QColor(names["text"]).lightness() - QColor(names["off"]).lightness() > 60
    assert "dashed" in edges(ColourScheme.CONTRAST)
    assert "dashed" not in edges(ColourScheme.LIGHT)


def test_a_link_shows_all_its_words_where_there_is_room_and_an_ellipsis_where_not(qtbot, theme):
    words = "8  How it was rated: timing, training, blinding, and what raters knew"
    link = Link(words, "Answer item 8")
    qtbot.addWidget(link)
    link.show()
    link.resize(link.fontMetrics().horizontalAdvance(words) + 20, 24)
    assert link.text() == words
    link.resize(160, 24)
    assert link.text().endswith("…")
    assert link.toolTip() == words
    assert theme.scale == 100


def test_what_stands_in_a_line_of_controls_stands_halfway_up(qtbot):
    holder = QWidget()
    flow = Flow(holder)
    high, low = QWidget(), QWidget()
    for part, tall in ((high, 40), (low, 20)):
        part.setFixedSize(QSize(60, tall))
        flow.addWidget(part)
    qtbot.addWidget(holder)
    holder.resize(200, 60)
    holder.show()
    assert high.geometry().center().y() == low.geometry().center().y()


def test_numbers_of_two_classes_go_by_their_letter_and_their_words_name_the_class():
    assert [letter(ParameterName(name)) for name in ("t", "a", "a0", "p1")] == ["t", "a", "a", "p"]


def test_a_long_name_of_a_row_is_set_smaller_before_it_is_cut():
    name = "Brennan-Prediger (Bennett's S)"
    rows = Points("", np.array([0.4]), np.array([0.0]), Role.CLASSICAL, horizontal=True)
    figure = Figure("agreement", "t", "a", Axis("", 0, 1), Axis("", -0.5, 0.5, ((0.0, name),)), (rows,))
    assert name in unescape(svg(figure, width=470))
    # In a column of print it stands whole above its row; it is cut where the whole width cannot hold it.
    assert name in unescape(svg(figure, width=300))
    assert "…" in svg(figure, width=120)
