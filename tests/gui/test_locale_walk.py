"""Nothing that can be read in the window has a number in the signs of another computer, and no name is rewritten."""

import re
from random import Random

import pytest
from PySide6.QtGui import QPainter

from tapdesk.answers.signs import Signs
from tapdesk.gui.dataset.findings import DifferenceWindow
from tapdesk.project.external_change import ONE, CellDifference, SourceDifference
from tests.gui.conftest import FEW, LONG, worked_out
from tests.gui.readable import everything

# Signs that no computer has: each point or comma between digits was written by somebody who did not ask.
OF_NOBODY = Signs("·", "'")
FOREIGN = re.compile(r"(?<![\w.,])\d+[.,]\d+(?![\w.,])")
# What is typed in this way, and how the report writes: no numbers of the data.
NOT_NUMBERS = ("One for each number, apart by semicolons: a=beta(2,5)", "Numbers as: 0.44", "0.44")


def sheet(cases, labels=("no", "yes"), raters=("A", "B", "C")):
    """Ratings of which about two thirds follow the case."""
    drawn = Random(1)
    rows = [",".join(("case", *raters))]
    for i in range(cases):
        true = drawn.choice(labels)
        rows.append(",".join([f"c{i}", *(true if drawn.random() < 0.65 else drawn.choice(labels) for _ in raters)]))
    return "\n".join(rows) + "\n"


@pytest.fixture
def drawn(monkeypatch):
    """All that is painted by hand."""
    words, paint = set(), QPainter.drawText

    def written_down(painter, *given):
        words.update(one for one in given if isinstance(one, str))
        return paint(painter, *given)

    monkeypatch.setattr(QPainter, "drawText", written_down)
    return words


def foreign(drawn):
    """Words with a number of another computer, and where they stand."""
    said = everything() | dict.fromkeys(drawn, "painted")
    return {
        words: where for words, where in said.items() if FOREIGN.search(words) and not words.startswith(NOT_NUMBERS)
    }


@pytest.fixture
def strange(monkeypatch):
    monkeypatch.setattr("tapdesk.gui.theme.theme.signs", lambda: OF_NOBODY)
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", FEW)
    # The screen of the tests cannot bring a window to the front.
    monkeypatch.setattr(DifferenceWindow, "raise_", lambda _window: None)


@pytest.mark.usefixtures("strange")
def test_every_word_of_every_pane_has_the_signs_of_this_computer(drawn, opened, qtbot):
    # Over a thousand ratings, so that counts have groups.
    window = opened(sheet(400))
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    dataset = window.dataset
    dataset.coverage.show()
    dataset.coverage._on_changed()
    changed = CellDifference("c1", "A", "no", "yes")
    words = ONE.more.format(name="wards.csv", total=1200, changed=1200, added=0, removed=0)
    dataset.checks.difference.show_difference(SourceDifference(1200, 0, 0, (changed,), None, words))
    window.grab()
    assert foreign(drawn) == {}
    dataset.coverage.hide()
    dataset.checks.difference.hide()
    for place in (1, 2, 3):
        window.go(place)
        if place == 1:
            with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
                window.run()
        if place == 2:
            qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
        if place == 3:
            qtbot.waitUntil(lambda: window.report.made is not None and not window.report.job.running, timeout=LONG)
        window.grab()
        assert foreign(drawn) == {}
    said = " ".join([*everything(), *drawn])
    assert len(re.findall(r"\d'\d{3}", said)) > 10
    assert len(re.findall(r"\d·\d", said)) > 100


@pytest.mark.usefixtures("strange")
def test_labels_raters_and_names_of_files_keep_their_own_points_and_commas(drawn, opened, qtbot):
    window = opened(sheet(60, ("301.5", "302.5"), ("Ward 3.2", "Ward 4.1", "Ward 5.1")), "audit 2.5.csv")
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    window.go(1)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    window.go(2)
    qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
    window.grab()
    said = everything() | dict.fromkeys(drawn, "painted")
    for own in ("301.5", "302.5", "Ward 3.2", "Ward 4.1", "Ward 5.1", "audit 2.5.csv"):
        assert any(own in words for words in said)
        assert [(words, where) for words, where in said.items() if own.replace(".", "·") in words] == []
