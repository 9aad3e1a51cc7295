"""Where the list of checks stands: at its top for another file, at the bold line of the question for F8."""

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QLabel

LONG = 240_000
# A letterhead, look-alikes of classes, a total, a note: more questions than a small window has room for.
HEAD = "Ward audit,,,,\nSecond quarter,,,,\n"
CELLS = [
    (
        "Yes" if i % 3 else "No",
        "yes" if i % 7 == 1 else "Yes",
        "No " if i % 5 == 2 else "Yes",
        "n/d" if i % 9 == 4 else "?",
    )
    for i in range(60)
]
ROWS = "".join(f"R{i:02},{','.join(cells)}\n" for i, cells in enumerate(CELLS))
MESSY = f"{HEAD}Record,Adams,Brown,Chen,Davies\n{ROWS}Total Yes,40,41,42,43\n* absent in May,,,,\n"


def fully_seen(checks, row):
    """Whether the first line of a row, which is bold, is seen whole."""
    bold = next(label for label in row.findChildren(QLabel) if label.text())
    view = checks._area.viewport()
    top = bold.mapTo(view, QPoint(0, 0)).y()
    return top >= 0 and top + bold.height() <= view.height()


@pytest.fixture
def small(opened, qtbot):
    def make(content, name):
        window = opened(content, name)
        window.resize(1280, 720)
        qtbot.waitUntil(lambda: window.height() == 720)
        return window

    return make


def test_f8_shows_the_bold_line_of_each_question(small, qtbot):
    window = small(MESSY, "ward.csv")
    checks = window.dataset.checks
    bar = checks._area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=LONG)
    assert len(checks._open) >= 3
    for row in (*checks._open, checks._open[0]):
        bar.setValue(bar.maximum() if row is checks._open[0] else bar.value())
        window.actions_["next_question"].trigger()
        assert row.isAncestorOf(QApplication.focusWidget())
        qtbot.waitUntil(lambda row=row: fully_seen(checks, row), timeout=LONG)


def test_another_file_starts_with_the_first_check_and_an_answer_stays_where_it_was_given(small, qtbot, tmp_path):
    window = small(MESSY, "ward.csv")
    checks = window.dataset.checks
    bar = checks._area.verticalScrollBar()
    while not checks._open[-1].isAncestorOf(QApplication.focusWidget()):
        window.actions_["next_question"].trigger()
    qtbot.waitUntil(lambda: bar.value() > 0)
    other = tmp_path / "other.csv"
    other.write_text(MESSY.replace("R0", "S0"), encoding="utf-8")
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(other))
    # After the turns in which the list comes to its place.
    QTimer.singleShot(0, window, lambda: None)
    QApplication.processEvents()
    assert window.session.document.project.reading.source.name == "other.csv"
    assert bar.value() == 0
    assert fully_seen(checks, checks._open[0])
    # The same file after an answer: the list stays about where it was.
    while not checks._open[-1].isAncestorOf(QApplication.focusWidget()):
        window.actions_["next_question"].trigger()
    qtbot.waitUntil(lambda: bar.value() > 0)
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    QApplication.processEvents()
    assert bar.value() > 0 or bar.maximum() == 0
