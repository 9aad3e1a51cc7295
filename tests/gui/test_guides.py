"""Help and tour: pages that can be searched without a connection, and two minutes on the simulated jury."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QLabel

from tapdesk import resources
from tapdesk.answers.literature import WORKS
from tapdesk.gui.help.help_window import page, pages
from tapdesk.gui.help.tour import CLASS1, STOPS
from tapdesk.gui.shell import dialogs
from tapdesk.gui.shell.window_frame import ACTIONS
from tapdesk.models.model import MODELS
from tapdesk.papers.catalog import REPRODUCTIONS
from tapdesk.project.decisions.classes import MergeClasses

LONG = 240_000


@pytest.fixture
def help_window(window):
    window.actions_["help"].trigger()
    yield window.guides.page
    window.guides.page.hide()


def test_pages_cover_what_a_first_user_needs_and_every_model(window):
    titles = [one.title for one in pages()]
    assert titles[:2] == ["A first analysis", "Reading the numbers"]
    assert titles[-1] == "The keyboard"
    models = page("models").markdown
    assert [m.name for m in MODELS if f"`{m.name}`" not in models] == []
    assert window.actions_["help"].shortcut().toString() == "F1"


def test_the_page_of_sources_names_the_misprint_and_every_work():
    (page,) = [one for one in pages() if one.key == "sources"]
    assert "That is a misprint: with the bars probabilities leave 0 to 1" in page.plain.replace("\n", " ")
    assert all(one.work in page.markdown for one in WORKS)


def test_every_link_between_pages_leads_to_a_page():
    keys = {one.key for one in pages()}
    links = {(one.key, link) for one in pages() for link in re.findall(r"\]\((\S*?)\)", one.markdown)}
    inside = {(key, link) for key, link in links if link.startswith("#")}
    pictures = {(key, link) for key, link in links if link.endswith(".png")}
    assert inside
    assert pictures
    assert all(link.removeprefix("#") in page(key).places for key, link in inside)
    assert all((Path(page(key).pictures) / link).is_file() for key, link in pictures)
    files = {(key, link) for key, link in links if link.startswith("file:")}
    assert files
    assert {link.removeprefix("help:") for _key, link in links - inside - pictures - files} <= keys


def images(browser):
    """Every picture of the page that is shown: what it is called, and how wide it is drawn."""
    found, block = [], browser.document().begin()
    while block.isValid():
        forms = (piece.fragment().charFormat() for piece in block)
        found += [(f.toImageFormat().name(), f.toImageFormat().width()) for f in forms if f.isImageFormat()]
        block = block.next()
    return found


@pytest.mark.parametrize("scale", [100, 200])
def test_the_papers_page_shows_every_picture_within_its_room(window, help_window, qtbot, scale):
    window.theme.use(scale=scale)
    help_window.open_page("papers")
    shown = images(help_window.browser)
    assert [name for name, _wide in shown] == [f"{row.name}.png" for row in REPRODUCTIONS]
    for width in (700, 1200):
        help_window.resize(width, 600)
        room = help_window.browser.viewport().width
        qtbot.waitUntil(lambda room=room: all(0 < wide <= room() for _n, wide in images(help_window.browser)))
        assert help_window.browser.horizontalScrollBar().maximum() == 0
    window.theme.use(scale=100)


def test_a_line_of_its_list_leads_to_the_figure_and_its_picture_opens_large(help_window):
    help_window.open_page("papers")
    help_window.resize(700, 600)
    browser = help_window.browser
    before = browser.verticalScrollBar().value()
    browser.anchorClicked.emit(QUrl("#tree"))
    assert browser.verticalScrollBar().value() > before
    assert browser.textCursor().block().text() == "The tree of the model with estimated numbers"
    browser.anchorClicked.emit(QUrl("picture:tree.png"))
    large = help_window.pictures.window
    assert large.isVisible()
    drawn = large.findChild(QLabel).pixmap().width()
    assert drawn > dict(images(browser))["tree.png"]
    large.close()


def test_what_is_said_of_a_figure_is_found_and_what_only_its_picture_says_is_not(help_window):
    help_window.search.setText("two camps of raters")
    assert help_window.key == "papers"
    assert help_window.browser.extraSelections()
    # The words that stand for a picture cannot be seen or marked on the page.
    assert "on their side of one half" not in page("papers").plain


def test_the_page_of_keys_names_every_shortcut_there_is():
    words = page("keyboard").markdown
    assert [row.key for row in ACTIONS for keys in row.shortcuts if keys not in words] == []


def test_a_search_lists_the_pages_that_hold_all_words_and_marks_them(help_window):
    help_window.search.setText("noise horizon")
    assert [help_window.list.item(i).text().split("\n")[0] for i in range(help_window.list.count())] == [
        "Reading the numbers",
        "What the words mean",
    ]
    assert help_window.key == "numbers"
    marked = {mark.cursor.selectedText().lower() for mark in help_window.browser.extraSelections()}
    assert marked == {"noise", "horizon"}


def test_a_search_without_a_hit_says_so_and_nothing_is_lost(help_window):
    help_window.search.setText("zebra")
    assert help_window.none.isVisible()
    help_window.search.clear()
    assert help_window.list.count() == len(pages())
    assert help_window.browser.toPlainText().strip()


def test_links_lead_to_other_pages_and_never_out_of_the_program(help_window):
    help_window.browser.anchorClicked.emit(QUrl("help:formats"))
    assert help_window.key == "formats"
    help_window.browser.anchorClicked.emit(QUrl("https://example.org/numbers"))
    assert help_window.key == "formats"


def test_a_file_of_a_tutorial_is_saved_where_it_is_wanted_and_over_no_other_unasked(help_window, monkeypatch, tmp_path):
    place, asked = tmp_path / "mine.csv", []
    monkeypatch.setattr(dialogs, "file_to_save", lambda *_: (str(place), ""))
    monkeypatch.setattr(dialogs, "about_replacing", lambda *_: asked.append(1))
    help_window.open_page("tutorial-audit")
    help_window.browser.anchorClicked.emit(QUrl("file:audit_form.csv"))
    assert place.read_bytes() == resources.path("tutorials", "audit_form.csv").read_bytes()
    assert help_window.key == "tutorial-audit"
    assert not help_window.error.isVisible()
    help_window.browser.anchorClicked.emit(QUrl("file:no_such_file.csv"))
    place.write_text("mine", encoding="utf-8")
    help_window.browser.anchorClicked.emit(QUrl("file:audit_form.csv"))
    assert asked
    assert place.read_text("utf-8") == "mine"


def test_the_tour_walks_from_the_sample_to_the_report(window, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
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
    assert window.session.document.project.class1 == CLASS1
    assert window.session.document.analysis.fit.converged


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
    assert not window.session.document.empty


@pytest.mark.parametrize("merged", [("silver", "gold"), ("no medal", "bronze", "silver")])
def test_the_tour_ends_where_the_medals_it_speaks_of_are_merged(window, qtbot, merged):
    tour = window.guides.tour
    tour.begin()
    qtbot.waitUntil(tour.next.isEnabled, timeout=LONG)
    tour.next.click()
    document = window.session.document
    document.do("Merge", document.project.decide(MergeClasses(((merged[-1], merged),))))
    assert not tour.isVisible()
    assert window.session.document.project.class1 is None


def test_opening_a_file_of_ones_own_ends_the_tour(window, qtbot):
    tour = window.guides.tour
    tour.begin()
    qtbot.waitUntil(tour.next.isEnabled, timeout=LONG)
    tour.next.click()
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_sample("paradox")
    qtbot.waitUntil(lambda: not tour.isVisible(), timeout=LONG)
    assert window.session.document.project.class1 != CLASS1
