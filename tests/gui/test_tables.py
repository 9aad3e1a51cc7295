"""Columns of tables: wide enough for the words in sight, sharing the room that is left."""

from html.parser import HTMLParser

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QScrollArea, QVBoxLayout, QWidget

from tapdesk.answers.content import Number as Cell
from tapdesk.gui.widgets.tables import TSV, TableView, put_table

ROWS = [["case", "what was said"], *([f"c{i}", "illi" * (i % 7)] for i in range(50)), ["c51", "WWW WWW WWW WWW WWW"]]


def shown(qtbot, theme, *, width=700):
    """A table of words with a header row among them, on the screen."""
    table = TableView(theme, "Words")
    qtbot.addWidget(table)
    table.resize(width, 400)
    table.show()
    table.rows.show_rows(["A", "B"], ROWS, tinted=[0])
    table.fill()
    return table


def fits(table):
    """Whether every cell has the room its words need."""
    cells = [(row, column) for row in range(len(ROWS)) for column in (0, 1)]
    return all(table.sizeHintForIndex(table.rows.index(*at)).width() <= table.columnWidth(at[1]) for at in cells)


def test_every_word_fits_its_column_the_bold_ones_of_a_header_row_too(qtbot, theme):
    assert fits(shown(qtbot, theme, width=120))


@pytest.mark.parametrize("widest", [0, 60])
def test_no_interval_is_cut_though_it_stands_far_below_or_the_columns_are_narrow(qtbot, theme, widest):
    table = TableView(theme, "Numbers", widest=widest)
    qtbot.addWidget(table)
    table.resize(120, 400)
    table.show()
    rows = [[f"case {i}", "0 to 1"] for i in range(200)]
    rows[180][1] = "0.000481 to 0.000912"
    table.rows.show_rows(["A", "Interval"], rows, right=[1])
    table.fill()
    assert table.columnWidth(1) >= table.sizeHintForIndex(table.rows.index(180, 1)).width()
    if widest:
        # Names may be cut: they are read whole where the pointer rests.
        assert table.columnWidth(0) <= theme.px(widest)


def test_columns_fill_the_room_and_share_what_a_larger_window_gives(qtbot, theme):
    table = shown(qtbot, theme)
    before = [table.columnWidth(c) for c in (0, 1)]
    assert sum(before) == table.viewport().width()
    table.resize(901, 400)
    qtbot.waitUntil(lambda: table.width() == 901)
    after = [table.columnWidth(c) for c in (0, 1)]
    assert sum(after) == table.viewport().width()
    grown = [new - old for old, new in zip(before, after, strict=True)]
    assert min(grown) > 50
    assert abs(grown[0] - grown[1]) <= 1


def test_larger_letters_are_measured_anew_at_the_next_size(qtbot, theme):
    table = shown(qtbot, theme, width=120)
    theme.use(None, 180)
    table.resize(130, 400)
    qtbot.waitUntil(lambda: table.width() == 130)
    assert fits(table)


def test_a_table_that_is_filled_before_it_stands_in_its_window_takes_the_letters_of_the_window(qtbot, theme):
    window = QWidget()
    window.setStyleSheet("QTableView { font-size: 30px; } QTableView::item { padding: 0 20px; }")
    qtbot.addWidget(window)
    window.resize(120, 400)
    table = TableView(theme, "Words")
    table.rows.show_rows(["A", "B"], ROWS, tinted=[0])
    table.fill()
    QVBoxLayout(window).addWidget(table)
    window.show()
    assert fits(table)


def test_home_and_end_go_to_the_first_and_the_last_row_where_rows_are_chosen(qtbot, theme):
    table = TableView(theme, "Words")
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    qtbot.addWidget(table)
    table.rows.show_rows(["A", "B"], ROWS)
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_End)
    assert table.currentIndex().row() == len(ROWS) - 1
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert table.currentIndex().row() == 0


def test_the_page_rolls_to_the_row_a_key_leads_to(qtbot, theme):
    table = TableView(theme, "Words")
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.rows.show_rows(["A"], [[str(i)] for i in range(60)])
    table.setFixedHeight(60 * theme.px(26) + 40)
    page = QScrollArea()
    page.setWidget(table)
    qtbot.addWidget(page)
    page.resize(200, 300)
    page.show()
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_End)
    last = table.viewport().mapTo(page, table.visualRect(table.currentIndex()).center())
    assert page.rect().contains(last)
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert page.verticalScrollBar().value() < theme.px(26)


class _Cells(HTMLParser):
    """The cells of a table with a layout by the row they stand in, each with its tag and what it is the head of."""

    def __init__(self, words):
        super().__init__()
        self.rows, self.caption, self._inside = [], "", ""
        self.feed(words)

    def handle_starttag(self, tag, attrs):
        self._inside = tag
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append([tag, dict(attrs).get("scope"), ""])

    def handle_endtag(self, _tag):
        self._inside = ""

    def handle_data(self, data):
        if self._inside in {"td", "th"}:
            self.rows[-1][-1][2] += data
        if self._inside == "caption":
            self.caption += data


def test_a_table_is_copied_as_a_text_program_a_spreadsheet_and_a_chat_can_take_it(qapp):
    heads = ("Rater", "Accuracy", "95 % interval", "Gained")
    rows = (
        ("Ana <b>", Cell("0.57", 0.571), Cell("[0.42, 0.71]", 0.42, 0.71), Cell("−0.05", -0.05)),
        ("=1+1", Cell("0.40", 0.4), Cell("[0.20, 0.61]", 0.2, 0.61), Cell("0.02", 0.02)),
    )
    put_table(heads, rows, "N = 9.", "The raters & their numbers")
    data = qapp.clipboard().mimeData()
    # A word processor: a caption, heads of columns and of rows, a note below.
    made = _Cells(data.html())
    assert made.caption == "The raters & their numbers"
    assert made.rows[0] == [["th", "col", head] for head in heads]
    assert [row[0][:2] for row in made.rows[1:3]] == [["th", "row"]] * 2
    assert made.rows[-1] == [["td", None, "N = 9."]]
    # A spreadsheet: the same cells and nothing else, numbers with a hyphen, no formula.
    lines = [line.split("\t") for line in bytes(data.data(TSV)).decode().splitlines()]
    assert lines == [[cell[2] for cell in row] for row in made.rows[:-1]]
    assert lines[1][3] == "-0.05"
    assert lines[2][0] == "'=1+1"
    # Plain text: the same with the note.
    assert data.text() == bytes(data.data(TSV)).decode() + "N = 9.\n"
