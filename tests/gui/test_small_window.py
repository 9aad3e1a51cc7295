"""Large letters in a small window: words wrap, nothing is cut, and nothing but a table is scrolled sideways."""

from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QPushButton, QScrollArea

from tapdesk.gui.theme.theme import ColourScheme
from tapdesk.gui.widgets.controls import Choice
from tapdesk.gui.widgets.focus import areas_around
from tests.gui.conftest import LONG

ROUNDING = 3  # pixels


def scrolled_sideways(window):
    """Areas that are wider than the room they have, but for tables, which are."""
    return [
        type(area.widget()).__name__
        for area in window.findChildren(QScrollArea)
        if area.isVisible() and not isinstance(area, QAbstractItemView) and area.horizontalScrollBar().maximum() > 0
    ]


def cut(window):
    """Labels with more words than room."""
    found = []
    for label in window.findChildren(QLabel):
        if label.isVisible() and label.text():
            wrapped = label.wordWrap()
            needed = label.heightForWidth(label.width()) if wrapped else label.sizeHint().width()
            if needed > (label.height() if wrapped else label.width()) + ROUNDING:
                found.append((type(label.parent()).__name__, label.text()))
    return found


@pytest.fixture
def large(theme):
    theme.use(ColourScheme.LIGHT, 200)
    yield
    theme.use(ColourScheme.LIGHT, 100)


@pytest.mark.usefixtures("large")
def test_the_start_page_stands_below_itself_where_there_is_no_room(window, qtbot):
    window.resize(1280, 720)
    qtbot.wait(50)
    assert window.start.narrow
    assert scrolled_sideways(window) == []
    assert cut(window) == []
    cards = window.start.ways.findChildren(type(window.start.ways.layout().itemAt(0).widget()))
    assert [card.x() for card in cards] == [cards[0].x()] * 3
    window.resize(1900, 900)
    qtbot.wait(50)
    assert not window.start.narrow
    assert len({card.x() for card in cards}) == 3


@pytest.mark.usefixtures("large")
def test_the_steps_never_stand_on_each_other(window, qtbot):
    window.resize(1280, 720)
    window.guides.tour.show()
    rail = window.rail

    def apart():
        for above, below in pairwise(rail.steps):
            assert below.y() >= above.y() + above.height() - ROUNDING
        assert rail.foot.isHidden()

    qtbot.waitUntil(apart, timeout=LONG)
    window.guides.tour.hide()
    window.resize(1280, 900)
    qtbot.waitUntil(rail.foot.isVisible, timeout=LONG)


@pytest.mark.usefixtures("large")
def test_no_words_of_model_and_results_are_cut_and_details_go_on_in_the_next_line(fitted, qtbot):
    fitted.resize(1280, 720)
    for place in (1, 2):
        fitted.go(place)

        def settled():
            # The rows make room for their words one after the other.
            assert cut(fitted) == []
            assert scrolled_sideways(fitted) == []

        qtbot.waitUntil(settled, timeout=LONG)
    details = fitted.results.details
    assert not details.isVisible()
    fitted.results.fold.open()
    qtbot.waitUntil(details.isVisible, timeout=LONG)
    assert details.horizontalScrollBar().maximum() == 0
    rows = range(details.rows.rowCount())
    assert max(map(details.rowHeight, rows)) > fitted.theme.px(26)
    assert details.height() >= sum(map(details.rowHeight, rows))


@pytest.mark.usefixtures("large")
def test_nothing_is_cut_where_nothing_can_be_run(opened, qtbot):
    window = opened("case,Ana,Ben,Cy\n" + "".join(f"c{i},yes,yes,yes\n" for i in range(30)))
    window.resize(1280, 720)
    for place in (1, 2):
        window.go(place)

        def settled():
            assert cut(window) == []
            for one in window.findChildren(QPushButton):
                assert not one.isVisible() or one.width() >= one.sizeHint().width() - ROUNDING, one.text()

        qtbot.waitUntil(settled, timeout=LONG)


@pytest.mark.parametrize("scale", [100, 200])
def test_the_pages_of_the_sections_stand_in_sight_beside_them(fitted, qtbot, theme, scale):
    theme.use(ColourScheme.LIGHT, scale)
    fitted.resize(1280, 720)
    fitted.go(3)
    outline = fitted.report.outline
    # Sections are those of the full report.
    fitted.report.form.setCurrentIndex(1)
    fitted.report.form.activated.emit(1)
    qtbot.waitUntil(lambda: outline.isVisible() and fitted.report.preview.ready, timeout=LONG)
    qtbot.wait(50)
    area = areas_around(outline)[0]
    assert not area.horizontalScrollBar().isVisible()
    assert outline.width() <= area.viewport().width()
    theme.use(ColourScheme.LIGHT, 100)


def test_a_list_with_little_room_says_by_an_ellipsis_that_its_words_go_on(qtbot, theme):
    choice = Choice(theme, "Analysis", (("How sure is each case? (run 10:42)", 1), ("a", 2)), 100)
    qtbot.addWidget(choice)
    choice.resize(120, 28)
    choice.show()
    assert choice.shown_in(80).endswith("…")
    choice.choose(2)
    assert choice.shown_in(80) == "a"


def inside_view(area, widget):
    """Whether all of a widget stands in what a scroll area shows."""
    corner = widget.mapTo(area.viewport(), widget.rect().topLeft())
    return area.viewport().rect().contains(widget.rect().translated(corner))


@pytest.mark.parametrize("scale", [100, 200])
def test_a_note_and_an_explanation_are_seen_where_they_are_opened_at_the_lower_edge(fitted, qtbot, theme, scale):
    theme.use(ColourScheme.LIGHT, scale)
    fitted.resize(1280, 720)
    fitted.go(2)
    area = fitted.results.area
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0, timeout=LONG)
    for block in fitted.results.blocks:
        for tool, opened in ((block.note_tool, block.note), (block.explain_tool, block.explanation)):
            qtbot.wait(20)
            # The tools of the block stand just above the lower edge.
            foot = tool.mapTo(area.widget(), tool.rect().bottomLeft()).y() + 8
            area.verticalScrollBar().setValue(foot - area.viewport().height())
            assert inside_view(area, tool)
            tool.click()
            qtbot.waitUntil(partial(inside_view, area, opened), timeout=LONG)
            tool.click()
    theme.use(ColourScheme.LIGHT, 100)


@pytest.mark.parametrize("scale", [100, 200])
def test_the_ring_around_what_stands_at_the_edge_of_a_list_is_whole(jury, qtbot, theme, scale):
    theme.use(ColourScheme.LIGHT, scale)
    jury.resize(1280, 720)
    jury.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is jury, timeout=LONG)
    jury.go(1)
    jury.model.run.setFocus()
    jury.focusNextPrevChild(True)
    card = jury.model.cards[0]
    assert QApplication.focusWidget() is card
    qtbot.wait(20)
    ring = jury._ring
    assert ring.mask().boundingRect() == ring.rect()
    # Scrolled half away, the control is cut, and so is its ring.
    area = areas_around(card)[0]
    area.verticalScrollBar().setValue(card.height() // 2)
    assert area.verticalScrollBar().value() > 0
    cut_off = ring.mask().boundingRect()
    assert cut_off.top() > 8
    assert cut_off.bottom() == ring.rect().bottom()
    theme.use(ColourScheme.LIGHT, 100)


@pytest.mark.usefixtures("large")
def test_in_a_small_window_a_run_is_seen_where_it_goes_on_and_the_way_to_its_results(jury, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    jury.resize(1280, 720)
    jury.go(1)
    model = jury.model
    assert not model.columns.side_by_side
    assert not inside_view(model.columns, model.running.bar)
    assert not model.to_results.isVisible()
    with qtbot.waitSignal(jury.session.fitting.done, timeout=LONG):
        qtbot.mouseClick(model.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: inside_view(model.columns, model.running.bar), timeout=LONG)
    assert inside_view(model.columns, model.running.cancel)
    qtbot.waitUntil(model.to_results.isVisible, timeout=LONG)
    corner = model.to_results.mapTo(jury, model.to_results.rect().bottomRight())
    assert jury.rect().contains(corner)
    assert scrolled_sideways(jury) == []
    qtbot.mouseClick(model.to_results, Qt.MouseButton.LeftButton)
    assert jury.panes.currentWidget() is jury.results
