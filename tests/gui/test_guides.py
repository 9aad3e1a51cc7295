"""Help and tour: pages that can be searched without a connection, and two minutes on the simulated jury."""

import re

import pytest
from PySide6.QtCore import QUrl

from tapdesk.gui.actions import ACTIONS
from tapdesk.gui.helping import help_pages
from tapdesk.gui.helping.tour import CLASS1, STOPS
from tapdesk.models.catalog import MODELS

LONG = 30_000


@pytest.fixture
def help_window(window):
    window.actions_["help"].trigger()
    yield window.guides.page
    window.guides.page.hide()


def test_pages_cover_what_a_first_user_needs_and_every_model(window):
    titles = [page.title for page in help_pages.pages()]
    assert titles[:2] == ["A first analysis", "Reading the numbers"]
    assert titles[-1] == "The keyboard"
    models = help_pages.page("models").markdown
    assert [m.name for m in MODELS if f"`{m.name}`" not in models] == []
    assert window.actions_["help"].shortcut().toString() == "F1"


def test_every_link_between_pages_leads_to_a_page():
    keys = {page.key for page in help_pages.pages()}
    links = {link for page in help_pages.pages() for link in re.findall(r"\]\((.*?)\)", page.markdown)}
    assert links
    assert {link.removeprefix("help:") for link in links} <= keys


def test_the_page_of_keys_names_every_shortcut_there_is():
    words = help_pages.page("keyboard").markdown
    assert [row.key for row in ACTIONS for keys in row.shortcuts if keys not in words] == []


def test_a_search_lists_the_pages_that_hold_all_words_and_marks_them(help_window):
    help_window.search.setText("noise horizon")
    assert [help_window.list.item(i).text().split("\n")[0] for i in range(help_window.list.count())] == [
        "Reading the numbers"
    ]
    assert help_window.key == "numbers"
    marked = {mark.cursor.selectedText().lower() for mark in help_window.browser.extraSelections()}
    assert marked == {"noise", "horizon"}


def test_a_search_without_a_hit_says_so_and_nothing_is_lost(help_window):
    help_window.search.setText("zebra")
    assert help_window.none.isVisible()
    help_window.search.clear()
    assert help_window.list.count() == len(help_pages.pages())
    assert help_window.browser.toPlainText().strip()


def test_links_lead_to_other_pages_and_never_out_of_the_program(help_window):
    help_window.browser.anchorClicked.emit(QUrl("help:formats"))
    assert help_window.key == "formats"
    help_window.browser.anchorClicked.emit(QUrl("https://example.org/numbers"))
    assert help_window.key == "formats"


def test_the_tour_walks_from_the_sample_to_the_report(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.running.plan.REPLICATES", 100)
    tour = window.guides.tour
    assert not tour.isVisible()
    window.start.tour.click()
    places = []
    for stop in STOPS:
        assert tour.title.text() == stop.title
        qtbot.waitUntil(tour.next.isEnabled, timeout=LONG)
        places.append(window.panes.currentIndex())
        tour.next.click()
    assert places == [stop.pane for stop in STOPS]
    assert not tour.isVisible()
    assert window.desk.document.project.class1 == CLASS1
    assert window.desk.document.analysis.fit.converged


def test_the_tour_waits_for_the_sample_and_can_be_ended_anywhere(window, qtbot):
    tour = window.guides.tour
    tour.begin()
    assert not tour.next.isEnabled()
    qtbot.waitUntil(tour.next.isEnabled, timeout=LONG)
    tour.next.click()
    assert tour.back.isEnabled()
    tour.back.click()
    assert tour.title.text() == STOPS[0].title
    tour.end.click()
    assert not tour.isVisible()
    assert not window.desk.document.empty


def test_opening_a_file_of_ones_own_ends_the_tour(window, qtbot):
    tour = window.guides.tour
    tour.begin()
    qtbot.waitUntil(tour.next.isEnabled, timeout=LONG)
    tour.next.click()
    with qtbot.waitSignal(window.desk.reading.done, timeout=LONG):
        window.open_sample("paradox")
    qtbot.waitUntil(lambda: not tour.isVisible(), timeout=LONG)
    assert window.desk.document.project.class1 != CLASS1
