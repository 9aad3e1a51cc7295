"""Finding in the table of ratings: every cell that holds a text, in order, without holding the window up."""

import time

import numpy as np
import pytest
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtWidgets import QApplication

from tapdesk.gui.dataset.case_cells import cells_of
from tapdesk.gui.dataset.find_bar import HEAD, CellSearch, FindBar
from tapdesk.gui.dataset.ratings_table import RatingsTable
from tapdesk.gui.widgets.controls import plain
from tapdesk.project.decisions.ratings import EditRating
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tests.gui.test_case_cells import large

SHIFT = Qt.KeyboardModifier.ShiftModifier
WIDE = "case,Ana,Ben,Cy\nP-01,mild,none,mild\nP-02,none,severe,none\nMildred,none,mild,severe\nP-04,,none,none\n"


@pytest.fixture
def read(tmp_path):
    def make(text, layout=Layout.AUTO):
        path = tmp_path / "ratings.csv"
        path.write_text(text, "utf-8")
        reading = read_now(path, ReadingOptions(layout=layout))
        return reading.as_read, reading.source.layout

    return make


def hits(ratings, layout, text):
    search = CellSearch(cells_of(ratings, layout), text)
    for _pause in search.run():
        pass
    return [search.at(n) for n in range(search.count)]


def looked_at_one_by_one(cells, text):
    """The same by looking at what each cell shows."""
    rows = [
        [cells.case(i), *(", ".join(cells.texts(i, j)) for j in range(len(cells.names)))] for i in range(cells.rows)
    ]
    heads = [(HEAD, j + 1) for j, name in enumerate(cells.names) if text in name.lower()]
    return heads + [(i, j) for i, row in enumerate(rows) for j, words in enumerate(row) if text in words.lower()]


def test_a_text_is_found_in_cases_raters_and_ratings_whatever_its_capitals(read):
    assert hits(*read(WIDE), "MILD") == [(0, 1), (0, 3), (2, 0), (2, 2)]
    assert hits(*read(WIDE), "ben") == [(HEAD, 2)]
    assert hits(*read(WIDE), "nowhere") == []


def test_an_accent_is_found_however_it_is_written(read):
    text = "case,Ana,Ben\nZoe\u0308,yes,no\nStra\u00dfe,no,yes\nx,yes,yes\n"
    assert hits(*read(text), "zo\u00eb") == [(0, 0)]
    assert hits(*read(text), "strasse") == [(1, 0)]


def test_numbers_of_tallied_data_are_found_with_and_without_marks_between_thousands(read):
    crossed = read(",no,yes\nno,1240,9\nyes,6,45\n", Layout.CONFUSION)
    for text in ("1240", "1,240", "1.240"):
        assert hits(*crossed, text) == [(0, 1)]
    assert hits(*read("case,no,yes\nw1,13,1\nw2,0,14\n", Layout.COUNTS), "1") == [(0, 0), (0, 1), (0, 2), (1, 2)]


@pytest.mark.parametrize(("raters", "text"), [(7, "e 9"), (7, "h"), (70, "r6"), (70, "ow"), (7, "c")])
def test_all_that_is_found_is_what_cells_show_and_nothing_else(raters, text):
    rng = np.random.default_rng(3)
    cases = 9_000
    there = rng.random((cases, raters)) < 0.4 / raters * 7
    there[0] = True
    subject, rater = np.nonzero(there)
    names = [f"case {i}" for i in range(cases)]
    labels = [f"R{j}" for j in range(raters)]
    data = Ratings.of(subject, rater, rng.integers(0, 3, subject.size), names, labels, ["low", "mid", "high"])
    cells = cells_of(data, Layout.LONG)
    found = hits(data, Layout.LONG, text)
    if raters > 60:
        # A cell shows so many of its ratings; what is cut off is found all the same.
        shown = looked_at_one_by_one(cells, text)
        assert set(shown) <= set(found)
        of = {
            i
            for i, r, c in zip(subject, rater, data.category, strict=True)
            if text in f"{labels[r]} {data.classes[c]}".lower()
        }
        assert {row for row, column in found if column} == of
    else:
        assert found == looked_at_one_by_one(cells, text)


def test_a_million_cases_are_looked_through_in_slices_too_short_to_be_noticed():
    cells = cells_of(large(1_000_000), Layout.LONG)
    search, slices, begun = CellSearch(cells, "9"), [], time.thread_time()
    for _pause in search.run():
        slices.append(time.thread_time() - begun)
        begun = time.thread_time()
    assert search.count == 1_000_000 - 9**6
    assert search.at(search.count - 1) == (999_999, 0)
    # Measured: 3 ms; the window may be held up for 50.
    assert max(slices) < 0.05


@pytest.fixture
def bar(qtbot, theme):
    table = RatingsTable(theme, "Ratings")
    both = plain()
    made = FindBar(theme, table)
    both.add(made, table)
    both.resize(700, 400)
    qtbot.addWidget(both)
    both.show()
    yield made, table
    both.hide()


def test_return_goes_on_around_the_end_and_shift_return_back(bar, read, qtbot):
    made, table = bar
    ratings, layout = read(WIDE)
    table.ratings.show_ratings(ratings, ratings, layout)
    made.begin()
    qtbot.keyClicks(made.line, "mild")
    assert (table.marked, made.count.text()) == ((0, 1), "1 of 4")
    seen = []
    for _ in range(4):
        qtbot.keyClick(made.line, Qt.Key.Key_Return)
        seen.append((table.marked, made.count.text()))
    assert seen == [((0, 3), "2 of 4"), ((2, 0), "3 of 4"), ((2, 2), "4 of 4"), ((0, 1), "1 of 4")]
    qtbot.keyClick(made.line, Qt.Key.Key_Return, SHIFT)
    assert (table.marked, made.count.text()) == ((2, 2), "4 of 4")
    # From a cell chosen by hand, on from there, in either direction.
    for by, wanted in ((1, (2, 0)), (-1, (0, 3))):
        table.setCurrentIndex(table.rows.index(1, 2))
        made.go(by)
        assert table.marked == wanted
    qtbot.keyClick(made.line, Qt.Key.Key_A)
    assert (table.marked, made.count.text()) == (None, "Nothing found")
    assert made.line.accessibleDescription() == "Nothing found"
    made.line.setText("Ben")
    assert made.count.text() == "1 of 1, the column Ben"


def test_what_is_changed_by_hand_is_looked_through_anew_without_moving_the_table(bar, read):
    made, table = bar
    ratings, layout = read(WIDE)
    table.ratings.show_ratings(ratings, ratings, layout)
    made.begin()
    made.line.setText("severe")
    made.go(1)
    assert (table.marked, made.count.text()) == ((2, 3), "2 of 2")
    after = EditRating("P-02", "Ben", "severe", "none").apply(ratings)
    table.ratings.show_ratings(after, ratings, layout)
    assert (table.marked, made.count.text()) == ((2, 3), "1 of 1")
    table.ratings.show_ratings(EditRating("Mildred", "Cy", "severe", "none").apply(after), ratings, layout)
    assert (table.marked, made.count.text()) == (None, "Nothing found")


def test_the_window_gets_its_turn_while_a_million_cases_are_looked_through(bar, qtbot):
    made, table = bar
    ratings = large(1_000_000)
    table.ratings.show_ratings(ratings, ratings, Layout.LONG)
    made.begin()
    made.line.setText("high")
    assert made.count.text() == "Searching…"
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 0)
    assert made.count.text() == "Searching…"
    wanted = int((ratings.category == 2).sum())
    qtbot.waitUntil(lambda: made.count.text().replace(",", "") == f"1 of {wanted}")


def test_ctrl_f_looks_in_the_ratings_from_anywhere_and_esc_goes_back_to_what_was_found(opened, qtbot):
    window = opened(WIDE)
    pane = window.dataset
    window.go(1)
    window.actions_["find"].trigger()
    assert window.panes.currentIndex() == 0
    qtbot.waitUntil(lambda: QApplication.focusWidget() is pane.find_bar.line)
    qtbot.keyClicks(pane.find_bar.line, "severe")
    qtbot.keyClick(window, Qt.Key.Key_F3)
    assert pane.find_bar.count.text() == "2 of 2"
    qtbot.keyClick(window, Qt.Key.Key_F3, SHIFT)
    assert pane.find_bar.count.text() == "1 of 2"
    qtbot.keyClick(pane.find_bar.line, Qt.Key.Key_Escape)
    assert not pane.find_bar.isVisible()
    assert QApplication.focusWidget() is pane.read
    assert (pane.read.currentIndex().row(), pane.read.currentIndex().column()) == (1, 2)
    assert pane.read.marked is None
