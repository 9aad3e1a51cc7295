"""The strip holds six numbers; what every class has one of stands in a table as wide as the page, and flags lead on."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyledItemDelegate

from tapdesk.answers.content import Number
from tapdesk.answers.parts import part
from tapdesk.gui.results.classes_block import EstimateCells
from tapdesk.gui.runs import side_studies
from tapdesk.gui.widgets.messages import rows_of
from tests.gui.test_beside import KNOWLEDGE, LONG, answered, opened


@pytest.fixture
def panel(window, qtbot, monkeypatch):
    """The results of a panel of twelve judges and four medals, two judges of which stand apart."""
    # Who stands apart is told by a test, which few panels cannot make.
    monkeypatch.setattr(side_studies, "ALL", replace(side_studies.ALL, replicates=200))
    opened(window, qtbot, "jury-panel")
    return answered(window, qtbot, KNOWLEDGE)


def classes_of(results):
    return results.part_blocks["classes"]


def test_one_row_of_six_numbers_and_the_classes_below(panel):
    cells = panel.strip.cells
    assert [(c.symbol, c.words) for c in cells] == [
        ("a", "follows the wine"),
        ("Raw", "agreement"),
        ("Kappa", "weighted, squares"),
        ("Kappa", "Fleiss"),
        ("AC1", "Gwet"),
    ]
    assert len(rows_of(cells)) == 1
    block = classes_of(panel)
    assert panel.blocks[0] is block
    answer = panel._answered
    table = part("classes").content(answer).tables[0]
    assert block.body.table.rows.rows == table.rows
    assert [row[0] for row in table.rows] == ["no medal", "bronze", "silver", "gold"]
    assert len(table.columns) == 8


def test_the_classes_stand_over_the_whole_width_and_the_others_in_two_columns(panel):
    grid, block = panel.grid, classes_of(panel)
    place = {one: grid.getItemPosition(grid.indexOf(one)) for one in panel.blocks}
    assert place[block] == (0, 0, 1, 2)
    assert [place[one][:2] for one in panel.blocks[1:5]] == [(1, 0), (1, 1), (2, 0), (2, 1)]
    taken = [(r, c + i) for r, c, _high, wide in place.values() for i in range(wide)]
    assert len(taken) == len(set(taken))


def test_the_lines_are_drawn_where_there_is_room_and_the_digits_are_never_cut(panel, window, qtbot):
    table = classes_of(panel).body.table
    cells = table.itemDelegateForColumn(2)
    assert isinstance(cells, EstimateCells)
    assert type(table.itemDelegateForColumn(3)) is QStyledItemDelegate
    qtbot.waitUntil(lambda: cells.drawn, timeout=LONG)
    assert cells.draws(2)
    assert not cells.draws(3)
    window.resize(760, 800)
    qtbot.waitUntil(lambda: not cells.drawn, timeout=LONG)
    assert all(table.columnWidth(i) >= table.wanted(i) for i in range(table.rows.columnCount()))
    # A bar to move the columns by covers no row.
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0, timeout=LONG)
    assert table.verticalScrollBar().maximum() == 0
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: cells.drawn, timeout=LONG)
    # Every row is seen without a scroll bar.
    assert table.verticalScrollBar().maximum() == 0
    assert all(isinstance(row[2], Number) for row in table.rows.rows)


def test_a_flag_leads_to_the_judges_by_keyboard_and_says_nothing_twice(panel, qtbot):
    headline, block = panel.headline, panel.part_blocks["raters"]
    assert headline.words.startswith("Edith and Petra stand apart")
    assert [(flag.text, flag.link) for flag in headline.flags] == [("", "See each judge")]
    (link,) = headline.links
    assert link.accessibleDescription() == headline.words
    assert block in panel.blocks
    assert panel.area.verticalScrollBar().value() == 0
    link.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(link, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: panel.area.verticalScrollBar().value() > 0, timeout=LONG)
    assert not block.visibleRegion().isEmpty()
    assert {"Edith", "Petra"} <= {row[0] for row in block.rows[1]}
