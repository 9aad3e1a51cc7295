"""Every block of the results, whatever it shows, can be explained, read as a table, copied, noted and left out."""

import pytest
from PySide6.QtCore import QByteArray, QEvent, QObject
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from tapdesk.answers.parts import PARTS
from tapdesk.answers.question import QUESTIONS
from tapdesk.answers.svg.draw import svg
from tapdesk.gui.pictures.figure_view import SvgView
from tapdesk.gui.pictures.live_plots import Canvas, LiveChains
from tapdesk.gui.pictures.ridge import RidgePlot
from tests.gui.dataset_clicks import choose
from tests.ratings.test_known import wide

LONG = 240_000
KEYED = wide("Gold standard", known=lambda i: i % 2 == 0)
PLOTS = (SvgView, Canvas, RidgePlot)


def test_every_part_of_the_results_is_explained_in_words_without_jargon():
    for words in (part.explanation for part in PARTS):
        assert 80 < len(words) < 480
        assert words.endswith(".")
        assert not {"likelihood", "posterior", "bootstrap", "significant", "p-value"} & set(words.lower().split())


def test_results_begin_at_their_top(fitted):
    fitted.go(2)
    # What is to be scrolled to is scrolled to as soon as the window has done all that waits.
    for _turn in range(3):
        QApplication.processEvents()
    assert fitted.results.area.verticalScrollBar().value() == 0


class Requests(QObject):
    """Counts the requests of widgets to be laid out anew."""

    def __init__(self):
        super().__init__()
        self.count = 0

    def look(self, _watched, event):
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


Requests.eventFilter = Requests.look


def test_results_that_stand_ask_for_nothing_more(fitted):
    fitted.go(2)
    requests = Requests()
    QApplication.instance().installEventFilter(requests)
    counts = []
    for _turn in range(40):
        QApplication.processEvents()
        counts.append(requests.count)
    QApplication.instance().removeEventFilter(requests)
    assert counts[-1] == counts[20], "a layout asks for its own next request, and a processor is busy for ever"


# The jury has no known answers: of these below.
@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.key != "known"], ids=lambda q: q.key)
def test_every_block_has_its_tools_its_table_and_words_for_those_who_cannot_see_it(jury, qtbot, monkeypatch, question):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    saved = []
    monkeypatch.setattr("tapdesk.gui.results.results_pane.save_picture", lambda *told: saved.append(told))
    if question.key == "lines":
        jury.session.choose_class1(())
    hold_blocks(jury, qtbot, question, saved)


# The offscreen platform has menus but no stack of windows.
@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_blocks_about_known_answers_have_them_too(opened, qtbot, monkeypatch):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 100)
    saved = []
    monkeypatch.setattr("tapdesk.gui.results.results_pane.save_picture", lambda *told: saved.append(told))
    window = opened(KEYED)
    choose(qtbot, window, "known", "Gold standard")
    hold_blocks(window, qtbot, next(q for q in QUESTIONS if q.key == "known"), saved)
    assert "Hold each rater against the known answers" in window.model.sentence.text()
    keys = [block.part.key for block in window.results.blocks if block.isVisible()]
    assert {"together", "known"} <= set(keys)


def hold_blocks(window, qtbot, question, saved):
    """Every block of the results of a question has its tools, its table and its words."""
    window.session.choose(question=question, interval="wald")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    found = window.session.side_studies
    qtbot.waitUntil(lambda: found.current is not None and not found.current.waiting, timeout=LONG)
    window.go(2)
    blocks = window.results.blocks
    assert [block.part.key for block in blocks if block.part.on_demand] == []
    for block in blocks:
        name = block.title.text()
        for tool in (block.explain_tool, block.view, block.copy, block.note_tool, block.in_report):
            assert tool.isVisible(), name
        block.explain_tool.click()
        assert block.explanation.isVisible()
        block.explain_tool.click()
        assert not block.explanation.isVisible()
        if block.stack.currentWidget() is block.trouble:
            assert len(block.trouble.text()) > 10
            continue
        header, rows = block.rows
        assert rows, name
        assert all(len(row) <= len(header) for row in rows)
        block.copy.click()
        copied = QApplication.clipboard().mimeData()
        # What stands below the table on paper is a line of its own.
        lines = len(rows) + 1 + bool(block.footnote)
        assert copied.text().count("\n") == lines
        assert copied.html().count("<tr>") == lines
        plots = [w for kind in PLOTS for w in block.body.findChildren(kind) if w.isVisible()]
        pictured = block.picture_tools[0].isVisible()
        # Lines of chains are not printed.
        assert bool(plots) == pictured or isinstance(plots[0], LiveChains), name
        for plot in plots:
            assert plot.accessibleName(), name
            assert len(plot.accessibleDescription()) > 20, name
        if pictured:
            block.copy_picture()
            copied = QApplication.clipboard().mimeData()
            image = copied.imageData()
            assert isinstance(image, QImage)
            assert image.width() == 1200
            drawing = copied.data("image/svg+xml")
            assert drawing == QByteArray() or QSvgRenderer(drawing).isValid()
            assert copied.text()
            block.save_picture()
            _parent, panels, kind, _error, _outputs = saved.pop()
            assert kind, name
            for panel in panels:
                assert QSvgRenderer(QByteArray(svg(panel).encode())).isValid(), name


def test_a_block_is_as_high_as_what_is_seen_of_it(fitted):
    fitted.go(2)
    awards, chooser = fitted.results.awards, fitted.results.figure_chooser
    for _turn in range(5):
        QApplication.processEvents()
    assert awards.stack.currentWidget() is not awards.body
    assert awards.height() < 200
    low = chooser.height()
    chooser.page.setMinimumHeight(600)
    chooser.stack.setCurrentWidget(chooser.page)
    for _turn in range(5):
        QApplication.processEvents()
    assert chooser.height() > 600
    chooser.show_nothing()
    for _turn in range(5):
        QApplication.processEvents()
    assert chooser.height() == low


def test_room_that_is_left_beside_a_tall_block_stands_below_the_words_of_a_picture(fitted):
    fitted.go(2)
    block = next(b for b in fitted.results.blocks if b.part.key == "unanimity")
    block.setMinimumHeight(900)
    for _turn in range(5):
        QApplication.processEvents()
    body = block.body
    assert body.panels.height() < 320
    assert body.below.mapTo(body, body.below.rect().topLeft()).y() < 400
