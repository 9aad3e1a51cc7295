"""Scrolling the ratings table by a page is painted within a frame; opening a million ratings holds nothing up."""

import os
import statistics
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import pytest

from tapdesk.gui.dataset.case_cells import cells_of
from tapdesk.gui.dataset.ratings_table import RatingsTable
from tapdesk.gui.theme.theme import Theme, add_fonts
from tapdesk.project.decisions.classes import MergeClasses
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings

pytestmark = pytest.mark.benchmark
CASES, RATERS = 200_000, 8
FRAME = 0.016


@pytest.fixture(scope="module")
def ratings():
    rng = np.random.default_rng(1)
    subject = np.repeat(np.arange(CASES), RATERS)
    rater = np.tile(np.arange(RATERS), CASES)
    category = rng.integers(0, 4, subject.size)
    names = tuple(f"case {i:06d}" for i in range(CASES))
    return Ratings.of(subject, rater, category, names, tuple("ABCDEFGH"), ("none", "bronze", "silver", "gold"))


@pytest.fixture
def table(qtbot, ratings):
    add_fonts()
    theme = Theme()
    theme.dress()
    made = RatingsTable(theme, "Ratings")
    qtbot.addWidget(made)
    made.resize(900, 800)
    # Every second cell differs from the file and carries a mark.
    changed = MergeClasses((("none", ("none", "bronze")),)).apply(ratings)
    made.ratings.show_ratings(changed, ratings, Layout.RATERS)
    made.fill()
    made.show()
    qtbot.waitExposed(made)
    return made


def test_a_page_is_looked_up_within_a_frame_wherever_it_stands(ratings):
    cells = cells_of(ratings, Layout.LONG)
    start = time.thread_time()
    for row in range(CASES // 2, CASES // 2 + 40):
        cells.texts(row, 0)
    spent = time.thread_time() - start
    print(f"\na page in the middle: {spent * 1000:.1f} ms")
    assert spent < FRAME


def test_a_page_of_the_table_is_painted_within_a_frame(table):
    # Time of this thread, not of the clock: others may use the machine.
    bar = table.verticalScrollBar()
    times = []
    for _ in range(200):
        start = time.thread_time()
        bar.setValue(bar.value() + bar.pageStep())
        table.viewport().repaint()
        times.append(time.thread_time() - start)
    print(f"\na page of the table: {statistics.median(times) * 1000:.1f} ms, longest {max(times) * 1000:.1f} ms")
    assert statistics.median(times) < FRAME


def test_showing_two_million_ratings_takes_less_than_a_twentieth_of_a_second(table, ratings):
    after = MergeClasses((("gold", ("gold", "silver")),)).apply(ratings)
    times = []
    for now in (after, ratings, after):
        start = time.perf_counter()
        table.ratings.show_ratings(now, ratings, Layout.RATERS)
        times.append(time.perf_counter() - start)
    print(f"\nshowing {ratings.rating_count:,} ratings: {min(times) * 1000:.0f} ms")
    assert min(times) < 0.05
