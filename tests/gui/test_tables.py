"""Columns of tables: wide enough for the words in sight, sharing the room that is left."""

from tapdesk.gui.widgets.tables import TableView

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
