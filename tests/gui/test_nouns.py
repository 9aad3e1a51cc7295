"""What the window says of a file that has words of its own: patients, nurses and answers are called so."""

import re

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from tapdesk.answers.literature import WORKS
from tapdesk.gui.dataset.dataset_pane import rated_by
from tapdesk.gui.shell.table_dialogs import CleanedDialog

from .conftest import LONG, worked_out
from .readable import plain

OURS = re.compile(r"\b(?:cases?|raters?)\b", re.IGNORECASE)
# What a column of the file is for, whatever it is called: words of the program and not of the file.
ROLES = re.compile(r"(Case|Rater|Rating) column.*|Raters people.*|one column per rater|Layout.*", re.IGNORECASE)
# Works are called as they were published.
NAMES = {work.work for work in WORKS}


def said(window):
    """What labels and buttons of the window say."""
    for kind in (QLabel, QAbstractButton):
        yield from (plain(one.text()) for one in window.findChildren(kind) if one.text() and one.isVisible())


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(lambda i, k: "yn"[(i % 3 == 0) ^ (i * k % 7 == 1)], id="raters who know"),
        # Thousands of steps along flat ridges.
        pytest.param(lambda i, k: "yn"[i * k % 7 > 2], id="raters at odds", marks=pytest.mark.slow),
    ],
)
def test_the_nouns_of_the_file_are_said_by_data_model_and_results(window, qtbot, tmp_path, monkeypatch, answer):
    monkeypatch.setattr("tapdesk.gui.runs.plan.REPLICATES", 50)
    file = tmp_path / "wards.csv"
    rows = [f"p{i},{name},{answer(i, k)}\n" for i in range(60) for k, name in enumerate(("Ana", "Ben", "Cy"), 1)]
    file.write_text("patient,nurse,answer\n" + "".join(rows))
    window.open_file(str(file))
    qtbot.waitUntil(lambda: window.session.document.project.reading is not None, timeout=LONG)
    qtbot.waitUntil(lambda: window.session.ready, timeout=LONG)
    with qtbot.waitSignal(window.session.fitting.done, timeout=LONG):
        window.run()
    found = {}
    # The report has an outline of its own, and the words of its checklist.
    for pane in range(3):
        window.go(pane)
        if pane == 2:
            qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
        found |= {
            text: pane for text in said(window) if OURS.search(text) and text not in NAMES and not ROLES.fullmatch(text)
        }
    assert found == {}, "\n".join(f"{pane} {text!r}" for text, pane in found.items())


def test_tables_dialogs_and_the_search_are_in_the_nouns_of_the_file(window, qtbot, tmp_path, theme):
    file = tmp_path / "wards.csv"
    rows = [f"p{i},{name},{'yn'[i % 2]},{k}\n" for i in range(20) for k, name in enumerate(("Ana", "Ben", "Cy"))]
    file.write_text("patient,nurse,answer,minute\n" + "".join(rows))
    window.open_file(str(file))
    qtbot.waitUntil(lambda: window.session.document.project.reading is not None, timeout=LONG)
    project = window.session.document.project
    assert rated_by(project.all_classes)[0] == ("Nurse", "Patients rated", "Not rated")
    dialog = CleanedDialog(theme, window, project)
    qtbot.addWidget(dialog)
    words = [plain(one.text()) for kind in (QLabel, QAbstractButton) for one in dialog.findChildren(kind)]
    words += [dialog.shape.itemText(i) for i in range(dialog.shape.count())]
    assert "Nurses by name" in words
    assert "A row for each patient" in words
    assert [text for text in words if OURS.search(text)] == []
    window.dataset.find_bar.begin()
    assert window.dataset.find_bar.line.placeholderText() == "Find a patient, a nurse or an answer"
