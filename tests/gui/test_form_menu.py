"""The whole form by keys: set side by side, its one report from the menu, no button cut, the keys where one looks."""

import random

import pikepdf
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from tests.gui.conftest import LONG
from tests.gui.dataset_clicks import LEFT, link
from tests.gui.test_four_journeys import annotations

VERY_LONG = 4 * LONG


@pytest.fixture
def labels(window, qtbot, tmp_path, monkeypatch):
    """Sets of labels whose blank cells mean that none applies, each label a question."""
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 200)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 40)
    annotations(random.Random(11), tmp_path / "annotations.jsonl")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(tmp_path / "annotations.jsonl"))
    window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
    for words in ("A blank cell: no label applies", "Ask about each label, yes or no"):
        before = window.session.document.project
        qtbot.mouseClick(link(window, words), LEFT)
        qtbot.waitUntil(lambda seen=before: window.session.document.project is not seen, timeout=LONG)
    qtbot.waitUntil(lambda: len(window.session.document.project.form) == 3, timeout=LONG)
    return window


def test_run_on_the_page_of_all_questions_sets_them_side_by_side(labels, qtbot):
    labels.go(2)
    labels.run()
    assert labels.panes.currentIndex() == 2
    assert not labels.session.fitting.running
    block = labels.results.questions
    qtbot.waitUntil(lambda: block.result is not None, timeout=VERY_LONG)
    assert [row.name for row in block.result.rows] == ["fear", "joy", "trust"]
    # Each button is as wide as its words, in as many lines as that takes.
    block.panel.buttons.layout().activate()
    shown = [b for b in (block.read, block.discuss, block.advice) if not b.isHidden()]
    assert len(shown) >= 2
    for one in shown:
        assert one.width() >= one.sizeHint().width(), one.text()


def test_the_menu_saves_the_one_report_as_soon_as_all_stand_side_by_side(labels, qtbot, tmp_path, monkeypatch):
    target = tmp_path / "all.pdf"
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.ask_where", lambda *_a, **_k: target)
    action = labels.actions_["save_form_report"]
    assert action.isEnabled()
    action.trigger()
    block = labels.results.questions
    qtbot.waitUntil(lambda: block.result is not None and target.exists(), timeout=VERY_LONG)
    with pikepdf.open(target) as pdf:
        assert len(pdf.pages) >= 2
    # A second time it is there at once.
    target.unlink()
    action.trigger()
    assert target.exists()


def test_a_file_of_one_question_has_no_report_of_all(window, qtbot, tmp_path):
    (tmp_path / "one.csv").write_text("Case,Ana,Ben\n1,Yes,No\n2,No,No\n3,Yes,Yes\n")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(tmp_path / "one.csv"))
    assert not window.actions_["save_form_report"].isEnabled()


def test_the_keys_in_the_rail_stand_at_the_step_that_is_shown(labels):
    labels.steps[0].setFocus(Qt.FocusReason.TabFocusReason)
    labels.actions_["results"].trigger()
    assert QApplication.focusWidget() is labels.steps[2]
